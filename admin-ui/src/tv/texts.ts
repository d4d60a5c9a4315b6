import type { Language } from '../device/page';

const hu = {
  preparing: 'Készül',
  ready: 'Átvehető',
  nothing: 'Itt jelenik meg a rendelésed száma',
  more: 'és még {n}',
  lost: 'Nincs kapcsolat, újra próbáljuk. Frissítve: {time}',
  stale: 'Nincs kapcsolat. A számokról kérdezz a pultnál.',
  sound: 'Koppints a hang bekapcsolásához',
  revoked: 'Ez a kijelző már nincs csatlakoztatva',
  off: 'Ez a kijelző most ki van kapcsolva',
  pair: 'Kijelző csatlakoztatása',
  connecting: 'Kapcsolódás…',
};

const en: typeof hu = {
  preparing: 'Preparing',
  ready: 'Ready',
  nothing: 'Your order number appears here',
  more: 'and {n} more',
  lost: 'No connection, trying again. Updated: {time}',
  stale: 'No connection. Please ask at the counter.',
  sound: 'Tap to turn on the sound',
  revoked: 'This display is not connected any more',
  off: 'This display is switched off at the moment',
  pair: 'Connect a display',
  connecting: 'Connecting…',
};

export const TEXTS: Record<Language, typeof hu> = { hu, en };
export type Text = keyof typeof hu;

/** The other language of the board's headings: guests may be from anywhere. */
export const other = (language: Language): Language => (language === 'hu' ? 'en' : 'hu');
