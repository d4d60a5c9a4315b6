import type { Language } from '../device/page';

const hu = {
  pair: 'Kioszk csatlakoztatása',
  connecting: 'Kapcsolódás…',
  connected: 'Kapcsolódva',
  lost: 'Nincs kapcsolat, újra próbáljuk.',
  revoked: 'Ez a kioszk itt már nincs csatlakoztatva',
  revoked_text:
    'Visszavonták, máshol csatlakoztatták újra, vagy a rendelő alkalmazása átvette. Új kódot az admin Készülékek képernyője ad.',
  restaurant: 'Étterem',
  kiosk: 'Kioszk',
  time: 'Idő az étteremben',
  yet: 'Mit tud most ez az oldal?',
  yet_text:
    'Megőrzi a kioszk saját titkát, és jelzi az étteremnek, hogy a kioszk itt van. Rendelni ezen az oldalon nem lehet: ahhoz a kioszk rendelő alkalmazása kell, amely nem része a Pultnak.',
  hand_over: 'Átadás a rendelő alkalmazásnak',
  hand_over_text:
    'Az alkalmazásnak ez a kettő kell. A titkot a kérések „Authorization: Bearer” fejlécében küldje, és az első kapcsolatkor cserélje sajátra (PUT /device/secret): ez az oldal tíz perc múlva elveszíti a magáét. Más ne lássa.',
  address: 'A szolgáltatás címe',
  secret: 'A kioszk titka',
  copy: 'Másolás',
  copied: 'Kimásolva',
  show: 'Megjelenítés',
  hide: 'Elrejtés',
};

const en: typeof hu = {
  pair: 'Connect a kiosk',
  connecting: 'Connecting…',
  connected: 'Connected',
  lost: 'No connection, trying again.',
  revoked: 'This kiosk is not connected here any more',
  revoked_text:
    'It was revoked, paired again somewhere else, or its ordering app has taken over. The Devices screen of the admin gives another code.',
  restaurant: 'Restaurant',
  kiosk: 'Kiosk',
  time: 'Time at the restaurant',
  yet: 'What can this page do now?',
  yet_text:
    'It keeps the kiosk’s own secret and tells the restaurant that the kiosk is there. Nobody can order on this page: that takes the kiosk’s ordering app, which is not part of Pult.',
  hand_over: 'Hand over to the ordering app',
  hand_over_text:
    'The app needs these two. It sends the secret in the header “Authorization: Bearer” of its requests, and at its first connection exchanges it for its own (PUT /device/secret): this page loses its one ten minutes later. Nobody else may see it.',
  address: 'Address of the service',
  secret: 'The kiosk’s secret',
  copy: 'Copy',
  copied: 'Copied',
  show: 'Show',
  hide: 'Hide',
};

export const TEXTS: Record<Language, typeof hu> = { hu, en };
export type Text = keyof typeof hu;
