export default {
  'restaurant_tvs.new': 'Új vendég TV',
  'restaurant_tvs.empty_title': 'Még nincs vendég TV',
  'restaurant_tvs.empty':
    'Egy kijelző, amin a vendégek látják, melyik rendelés készül és melyik vehető át. Csak számokat mutat.',
  'restaurant_tvs.name': 'Név',
  'restaurant_tvs.background_color': 'Háttérszín',
  'restaurant_tvs.background_color_help': 'A betűk színe igazodik hozzá.',
  'restaurant_tvs.background_id': 'Háttérkép',
  'restaurant_tvs.background_id_help':
    'Fekvő kép, legjobb 1920 × 1080 képponttal. A szín fátyolként rákerül, hogy a számok olvashatók maradjanak.',
  'restaurant_tvs.enable_sound': 'Hangjelzés',
  'restaurant_tvs.enable_sound_help':
    'Szól, amikor egy rendelés elkészült. Sok böngésző az első érintésig néma.',
  'restaurant_tvs.channels': 'Ezek a rendelések látszanak',
  'restaurant_tvs.sit_in_order': 'Helyben fogyasztás',
  'restaurant_tvs.take_away_order': 'Elvitel',
  'restaurant_tvs.online_order': 'Online, átvétellel',
  'restaurant_tvs.phone_order': 'Telefonos, átvétellel',
  'restaurant_tvs.tv_url': 'A kijelző címe',
  'restaurant_tvs.tv_url_help':
    'Nyisd meg a TV böngészőjében; bejelentkezés nem kell. Akinek megvan, a számokat látja, mást nem.',
  'restaurant_tvs.no_url': 'Ennek a kijelzőnek most nincs címe: a készülékét visszavonták.',
  'restaurant_tvs.open': 'Megnyitás',
  'restaurant_tvs.make': 'Cím készítése',
  'restaurant_tvs.renew': 'Új cím',
  'restaurant_tvs.renew_title': 'Új címet kapjon ez: „{{name}}”?',
  'restaurant_tvs.renew_effect': 'A mostani cím azonnal megszűnik: ami vele nyílt meg, elsötétül.',
  'restaurant_tvs.renewed': 'Az új cím elkészült.',
};
