import { deviceAddresses } from '../generated/device-addresses.gen';
import type { DeviceKind, PairedDevice, PairingCode } from '../generated/model';
import { PAIRING, type PairingText } from './texts';
import './device.css';

// What the pages of devices share: they run for days on whatever browser a device has, so there is no
// framework.

export type Language = 'hu' | 'en';

/** The browser's language, as far as there are texts. */
export const browsersLanguage = (): Language => (navigator.language.startsWith('hu') ? 'hu' : 'en');

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...inside: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...inside);
  return made;
}

/** A page of one message. */
export const messagePage = (title: string, ...rest: Node[]): HTMLElement =>
  element('div', 'device-message', element('h1', '', title), ...rest);

/** What went wrong with a code: a text, and where it belongs when it is for another kind of device. */
export type Fault = PairingText;

/** Exchanges a code or a link for the device's own secret, which is kept under `key`; what went wrong. */
export async function pair(code: string, kind: DeviceKind, key: string): Promise<Fault | undefined> {
  try {
    const answer = await fetch(deviceAddresses.pair, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code, kind } satisfies PairingCode),
    });
    if (answer.status === 429) return 'wait';
    if (answer.status === 409) return kind === 'kiosk' ? 'for_tv' : 'for_kiosk';
    if (!answer.ok) return answer.status < 500 ? 'wrong' : 'unreachable';
    localStorage.setItem(key, ((await answer.json()) as PairedDevice).secret);
    return undefined;
  } catch {
    return 'unreachable';
  }
}

/** The page that asks for a code and shows the error of the last one. */
export function pairingPage(
  title: string,
  language: Language,
  kind: DeviceKind,
  key: string,
  fault?: Fault,
): HTMLElement {
  const text = (name: PairingText) =>
    PAIRING[language][name].replace('{where}', `${location.host}/${kind === 'kiosk' ? 'tv' : 'kiosk'}`);
  const input = element('input', '');
  // Blanks and dashes anywhere; the service reads letters in any case.
  Object.assign(input, {
    type: 'text',
    autocomplete: 'off',
    spellcheck: false,
    autocapitalize: 'characters',
    maxLength: 16,
    required: true,
    pattern: '\\s*(?:[0-9A-Za-z][\\s\\-]*){8}',
    autofocus: true,
    placeholder: 'ABCD-1234',
  });
  const button = element('button', '', text('connect'));
  const alert = element('p', 'device-fault', fault ? text(fault) : '');
  alert.role = 'alert';
  const form = element(
    'form',
    'device-pair',
    element('label', '', element('span', 'sr-only', text('code')), input),
    button,
    alert,
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    button.disabled = true;
    void pair(input.value, kind, key).then((wrong) => {
      button.disabled = false;
      alert.textContent = wrong ? text(wrong) : '';
      if (wrong) input.select();
      // Without the link that may stand behind the address.
      else location.replace(location.pathname);
    });
  };
  return messagePage(title, element('p', '', text('pair_lead')), form);
}
