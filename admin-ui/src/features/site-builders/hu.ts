export default {
  'builders.app': 'Alkalmazás-szerkesztő',
  'builders.app_text': 'Az étterem saját rendelőalkalmazásának megjelenése és menüpontjai.',
  'builders.blocked':
    'A böngésző nem engedte megnyitni az új lapot. Engedélyezd a felugró ablakokat, és próbáld újra.',
  'builders.front_site': 'Honlapszerkesztő',
  'builders.front_site_text': 'Az étterem honlapja és webshopja.',
  'builders.iframe': 'Beágyazott rendelő',
  'builders.iframe_text': 'A rendelőfelület, amely egy meglévő honlapba illeszthető.',
  'builders.lead':
    'Külső szerkesztők. Új lapon nyílnak meg, egyszer használható belépővel, külön bejelentkezés nélkül.',
  'builders.none': 'Nincs megnyitható szerkesztő',
  'builders.none_text': 'Ennél a telepítésnél egyik külső szerkesztőnek sincs címe beállítva.',
  'builders.open': 'Megnyitás',
  'builders.open_of': 'Megnyitás új lapon: {{name}}',
  'builders.partner': 'Partnerszerkesztő',
  'builders.partner_text': 'Az egész cég megjelenése, minden éttermével.',
  'builders.restaurant_selector': 'Étteremválasztó oldal',
  'builders.restaurant_selector_text': 'Az oldal, amelyen a vendég éttermet választ.',
};
