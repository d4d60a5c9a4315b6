import {
  browsersLanguage,
  element,
  type Fault,
  type Language,
  messagePage,
  pair,
  pairingPage,
} from '../device/page';
import { Background } from './background';
import { Chime } from './chime';
import { type Board, Connection, type State } from './connection';
import {
  MAX_NUMBERS,
  isNight,
  newlyReady,
  scriptOf,
  sizeOf,
  VEIL_OPACITY,
  veilOf,
  wallClock,
  wantsLight,
} from './rules';
import { other, type Text, TEXTS } from './texts';
import './tv.css';

// The page of a guest TV: without a framework, because it runs for days on whatever browser a television has.

const SECRET_KEY = 'pult.tv.secret';
/** After this time without news the numbers are shown as outdated. ms */
const STALE_MS = 5 * 60_000;
/** A shorter interruption is not shown. ms */
const GRACE_MS = 10_000;
/** How long a number that has just become ready is highlighted. ms */
const HIGHLIGHT_MS = 12_000;

const root = document.getElementById('tv') as HTMLElement;
let language: Language = browsersLanguage();
const text = (key: Text, values: Record<string, string | number> = {}, lang = language) =>
  Object.entries(values).reduce(
    (all, [name, value]) => all.replace(`{${name}}`, String(value)),
    TEXTS[lang][key],
  );

function paint(colour: string): void {
  document.documentElement.style.setProperty('--background', colour);
  document.documentElement.style.setProperty(
    '--veil',
    `rgb(${veilOf(colour).join(' ')} / ${VEIL_OPACITY * 100}%)`,
  );
  document.documentElement.dataset.letters = wantsLight(colour) ? 'light' : 'dark';
  document.documentElement.lang = language;
}

// --- a page of one message, with a form for the code where one helps
// ------------------------------------------------

function message(title: Text): void {
  paint('#10222b');
  root.replaceChildren(messagePage(text(title)));
}

function ask(title: Text, fault?: Fault): void {
  paint('#10222b');
  root.replaceChildren(pairingPage(text(title), language, 'guest_tv', SECRET_KEY, fault));
}

// --- the board
// ------------------------------------------------------------------------------------------------------

const chime = new Chime();
let board: Board | undefined;
let state: State = 'connecting';
let since = Date.now();
/** By how much the service's clock is ahead of this one. */
let ahead = 0;
const fresh = new Map<string, number>();

const parts = (() => {
  const list = (kind: 'preparing' | 'ready') => {
    const heading = element('h2', '');
    const numbers = element('ul', 'tv-numbers');
    const more = element('p', 'tv-more');
    return {
      kind,
      heading,
      numbers,
      more,
      section: element('section', `tv-${kind}`, heading, numbers, more),
    };
  };
  const lists = [list('preparing'), list('ready')] as const;
  const name = element('h1', '');
  const clock = element('time', 'tv-clock');
  const status = element('p', 'tv-status');
  status.role = 'status';
  const sound = element('button', 'tv-sound');
  sound.hidden = true;
  sound.onclick = () => void chime.unlock().then(render);
  const calls = element('p', 'sr-only');
  calls.ariaLive = 'polite';
  const background = new Background();
  const page = element(
    'div',
    'tv-board',
    background.element,
    element('header', '', name, clock),
    element('div', 'tv-lists', ...lists.map((one) => one.section)),
    element('footer', '', status, sound),
    calls,
  );
  return { lists, name, clock, status, sound, calls, background, page };
})();

function render(): void {
  if (state === 'revoked') return ask('revoked');
  if (state === 'off') return message('off');
  if (!board) return message('connecting');
  language = board.language;
  paint(board.background_color);
  // A service of the version before says nothing about it.
  parts.background.show(board.background?.original ?? null);
  parts.name.textContent = board.restaurant;
  for (const { kind, heading, numbers, more } of parts.lists) {
    const all = board[kind];
    heading.replaceChildren(text(kind), ' ', element('small', '', text(kind, {}, other(language))));
    heading.querySelector('small')!.lang = other(language);
    numbers.dataset.size = sizeOf(all.length);
    const shown = all.slice(0, MAX_NUMBERS);
    // Only what has changed is touched: a number that stays does not blink.
    const known = new Map([...numbers.children].map((item) => [item.textContent, item]));
    numbers.replaceChildren(
      ...shown.map((number) => {
        const item = known.get(number) ?? element('li', '', number);
        item.classList.toggle('tv-fresh', kind === 'ready' && fresh.has(number));
        return item;
      }),
    );
    more.textContent =
      all.length > shown.length
        ? text('more', { n: all.length - shown.length })
        : all.length === 0 && kind === 'ready'
          ? text('nothing')
          : '';
  }
  const quiet = Date.now() - since;
  const lost = state === 'lost' && quiet > GRACE_MS;
  const stale = lost && quiet > STALE_MS;
  parts.page.classList.toggle('tv-stale', stale);
  const words = stale ? text('stale') : lost ? text('lost', { time: clockText(since + ahead) }) : '';
  if (parts.status.textContent !== words) parts.status.textContent = words;
  parts.sound.textContent = text('sound');
  parts.sound.hidden = !board.enable_sound || !chime.muted;
  tick();
  if (!parts.page.isConnected) root.replaceChildren(parts.page);
}

function clockText(at: number): string {
  const { hour, minute } = wallClock(at, board?.timezone ?? 'UTC');
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

function tick(): void {
  const now = clockText(Date.now() + ahead);
  if (parts.clock.textContent !== now) parts.clock.textContent = now;
}

function show(next: Board): void {
  ahead = Date.parse(next.now) - Date.now();
  since = Date.now();
  const called = newlyReady(board?.ready, next.ready);
  board = next;
  if (called.length > 0) {
    for (const number of called) fresh.set(number, Date.now());
    setTimeout(() => {
      for (const [number, at] of fresh) if (Date.now() - at >= HIGHLIGHT_MS) fresh.delete(number);
      render();
    }, HIGHLIGHT_MS + 50);
    parts.calls.textContent = `${text('ready')}: ${called.join(', ')}`;
    if (next.enable_sound) chime.play();
  }
  render();
}

// --- days
// -----------------------------------------------------------------------------------------------------------

const script = [...document.scripts].map((one) => one.getAttribute('src')).find((src) => src !== null);
let looked = '';

/** At night, once: whether there is another version of this page. */
async function lookForNews(): Promise<void> {
  if (!board || state !== 'live') return;
  const { hour, day } = wallClock(Date.now() + ahead, board.timezone);
  if (!isNight(hour) || looked === day) return;
  looked = day;
  try {
    const answer = await fetch('/tv', { cache: 'no-store' });
    const now = answer.ok ? scriptOf(await answer.text()) : undefined;
    if (now && script && now !== script) location.reload();
  } catch {
    // The next night checks again.
  }
}

async function stayAwake(): Promise<void> {
  try {
    if (document.visibilityState === 'visible') await navigator.wakeLock?.request('screen');
  } catch {
    // The television has its own setting.
  }
}

async function begin(): Promise<void> {
  addEventListener('hashchange', () => location.reload());
  const given = location.hash.slice(1);
  if (given.startsWith('pair=')) {
    message('connecting');
    const fault = await pair(given.slice(5), 'guest_tv', SECRET_KEY);
    history.replaceState(null, '', '/tv');
    if (fault && !localStorage.getItem(SECRET_KEY)) return ask('pair', fault);
  }
  const secret = given.startsWith('pd_') ? given : localStorage.getItem(SECRET_KEY);
  if (!secret) return ask('pair');
  render();
  void stayAwake();
  document.addEventListener('visibilitychange', () => void stayAwake());
  addEventListener('pointerdown', () => void chime.unlock().then(render));
  setInterval(() => {
    tick();
    if (state === 'lost') render();
  }, 1_000);
  setInterval(() => void lookForNews(), 60_000 + Math.random() * 60_000);
  new Connection(secret, show, (next) => {
    if (next === state) return;
    state = next;
    if (next === 'revoked' && secret === localStorage.getItem(SECRET_KEY))
      localStorage.removeItem(SECRET_KEY);
    render();
  }).start();
}

void begin();
