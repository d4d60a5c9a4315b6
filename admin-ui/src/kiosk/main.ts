import { browsersLanguage, element, type Fault, messagePage, pair, pairingPage } from '../device/page';
import { deviceAddresses } from '../generated/device-addresses.gen';
import type { OwnDevice } from '../generated/model';
import { pause } from '../tv/rules';
import { type Text, TEXTS } from './texts';
import './kiosk.css';

// The page of a kiosk: it takes the kiosk's secret, keeps it, and says that the kiosk is there, until its
// ordering app does.

const SECRET_KEY = 'pult.kiosk.secret';
/** The service shows a device as gone that it has not heard for a minute. */
const HEARTBEAT_MS = 20_000;
const TIMEOUT_MS = 10_000;

const root = document.getElementById('kiosk') as HTMLElement;
const language = browsersLanguage();
const text = (key: Text) => TEXTS[language][key];
document.documentElement.lang = language;
document.documentElement.dataset.letters = 'light';

function ask(title: 'pair' | 'revoked', fault?: Fault): void {
  const page = pairingPage(text(title), language, 'kiosk', SECRET_KEY, fault);
  if (title === 'revoked') page.querySelector('h1')!.after(element('p', '', text('revoked_text')));
  root.replaceChildren(page);
}

/** A value to be taken along: with a button that copies it, and one that shows it where it is secret. */
function taken(label: Text, value: string, secret: boolean): HTMLElement {
  const input = element('input', '');
  Object.assign(input, {
    type: secret ? 'password' : 'text',
    readOnly: true,
    value,
    autocomplete: 'off',
    spellcheck: false,
  });
  const copy = element('button', '', text('copy'));
  copy.type = 'button';
  copy.onclick = async () => {
    try {
      await navigator.clipboard.writeText(value);
      copy.textContent = text('copied');
      setTimeout(() => (copy.textContent = text('copy')), 3_000);
    } catch {
      // Over plain http a browser has no clipboard for pages: what is shown and selected can be copied by
      // hand.
      input.type = 'text';
      input.select();
    }
  };
  const row = element(
    'div',
    'kiosk-taken',
    element('label', '', element('span', '', text(label)), input),
    copy,
  );
  if (secret) {
    const show = element('button', '', text('show'));
    show.type = 'button';
    show.onclick = () => {
      const hidden = input.type === 'password';
      input.type = hidden ? 'text' : 'password';
      show.textContent = text(hidden ? 'hide' : 'show');
    };
    row.append(show);
  }
  return row;
}

const parts = (secret: string) => {
  const status = element('p', 'kiosk-status', text('connecting'));
  status.role = 'status';
  const [restaurant, name, time] = [element('dd', ''), element('dd', ''), element('dd', '')];
  const fact = (label: Text, value: HTMLElement) => element('div', '', element('dt', '', text(label)), value);
  const facts = element(
    'dl',
    'kiosk-facts',
    fact('restaurant', restaurant),
    fact('kiosk', name),
    fact('time', time),
  );
  facts.hidden = true;
  const yet = element(
    'section',
    'kiosk-yet',
    element('h2', '', text('yet')),
    element('p', '', text('yet_text')),
  );
  const over = element(
    'details',
    'kiosk-over',
    element('summary', '', text('hand_over')),
    element('p', '', text('hand_over_text')),
    taken('address', `${location.origin}/api/v3`, false),
    taken('secret', secret, true),
  );
  const page = element(
    'div',
    'kiosk-page',
    element('header', '', element('h1', '', 'Pult'), status),
    facts,
    yet,
    over,
  );
  return { status, restaurant, name, time, facts, page };
};

function live(secret: string): void {
  const shown = parts(secret);
  root.replaceChildren(shown.page);
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const state = (name: 'connected' | 'lost') => {
    shown.status.textContent = text(name);
    shown.status.dataset.state = name;
  };
  const beat = async (): Promise<void> => {
    clearTimeout(timer);
    try {
      const answer = await fetch(deviceAddresses.self, {
        headers: { Authorization: `Bearer ${secret}` },
        cache: 'no-store',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (answer.status === 401) {
        // Another window may have paired again meanwhile.
        if (localStorage.getItem(SECRET_KEY) === secret) localStorage.removeItem(SECRET_KEY);
        return ask('revoked');
      }
      if (!answer.ok) throw new Error(String(answer.status));
      const own = (await answer.json()) as OwnDevice;
      shown.restaurant.textContent = own.restaurant_name;
      shown.name.textContent = own.name;
      shown.time.textContent = new Intl.DateTimeFormat(language, {
        timeZone: own.timezone,
        hour: '2-digit',
        minute: '2-digit',
      }).format(Date.parse(own.now));
      shown.facts.hidden = false;
      state('connected');
      failures = 0;
      timer = setTimeout(() => void beat(), HEARTBEAT_MS);
    } catch {
      state('lost');
      timer = setTimeout(() => void beat(), pause(failures));
      failures += 1;
    }
  };
  addEventListener('online', () => void beat());
  void beat();
}

async function begin(): Promise<void> {
  addEventListener('hashchange', () => location.reload());
  const given = location.hash.slice(1);
  let fault: Fault | undefined;
  if (given.startsWith('pair=')) {
    root.replaceChildren(messagePage(text('connecting')));
    fault = await pair(given.slice(5), 'kiosk', SECRET_KEY);
    history.replaceState(null, '', location.pathname);
  }
  const secret = localStorage.getItem(SECRET_KEY);
  // The stored secret stays valid when a link is used twice.
  if (secret) live(secret);
  else ask('pair', fault);
}

void begin();
