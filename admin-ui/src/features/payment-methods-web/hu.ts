export default {
  'payment_methods.web_lead': 'Hogyan fizethet a vendég a webshopban és az alkalmazásban.',
  'payment_methods.pos_lead': 'Hogyan fizethet a vendég az étteremben és telefonos rendelésnél.',
  'payment_methods.online': 'Online fizetés',
  'payment_methods.online_text':
    'A vendég rendeléskor, a szolgáltató oldalán fizet. A rendelés csak a sikeres fizetés után jelenik meg.',
  'payment_methods.courier': 'Fizetés a futárnak',
  'payment_methods.courier_text':
    'A webshop és az alkalmazás vendége kiszállításkor, átvételkor fizet. A kasszának külön kapcsolói vannak.',
  'payment_methods.in_place': 'Az étteremben',
  'payment_methods.in_place_text':
    'Helyben fogyasztásnál és elvitelnél. A webshopnak külön kapcsolói vannak.',
  'payment_methods.phone': 'Telefonos rendelésnél',
  'payment_methods.phone_text': 'Ezek közül választ, aki a telefont felveszi.',
  'payment_methods.always': 'Mindig elérhető, nem kapcsolható ki.',
  'payment_methods.not_available': 'Még nem választható, hiányzik: {{needs}}. A vendégeknek sem jelenik meg.',
  'payment_methods.or': ' vagy ',
  'payment_methods.need.simplepay': 'fizetés SimplePay-jel',
  'payment_methods.need.barion': 'fizetés Barionnal',
  'payment_methods.need.balance': 'az Egyenleg funkció',
  'payment_methods.need.loyalty': 'a Hűségprogram funkció',
  'payment_methods.providers': 'Online fizetési szolgáltatók',
  'payment_methods.providers_text':
    'Az adatokat a szolgáltatótól kapod. A titkos kulcs bekerül, de többé senki nem látja.',
  'payment_methods.simplepay_text':
    'Bankkártya és SZÉP-kártya. A kereskedői azonosító és a titkos kulcs a SimplePay kereskedői felületén található.',
  'payment_methods.barion_text':
    'Bankkártya és Barion-egyenleg. Az e-mail-cím a Barion-tárcáé, a POS-kulcs a bolt adatlapján található.',
  'payment_methods.merchant_id': 'Kereskedői azonosító',
  'payment_methods.secret_key': 'Titkos kulcs',
  'payment_methods.email': 'A tárca e-mail-címe',
  'payment_methods.pos_key': 'POS-kulcs',
  'payment_methods.secret_stays': 'Van mentett kulcs. Üresen hagyva megmarad.',
  'payment_methods.secret_needed': 'Nélküle nem indul fizetés.',
  'payment_methods.set': 'Beállítva',
  'payment_methods.not_set': 'Nincs beállítva',
  'payment_methods.secret_missing': 'Hiányzik a kulcs',
  'payment_methods.remove': 'Fiók törlése',
  'payment_methods.remove_ask': 'Törlöd a fiókot? ({{name}})',
  'payment_methods.remove_effect':
    'A vendégek ezen keresztül nem tudnak fizetni, amíg újra meg nem adod. A kulcs végleg törlődik.',
  'payment_methods.removed': 'A fiók törölve.',
  'payment_methods.rate': 'Euró árfolyama',
  'payment_methods.eur_huf_rate': 'Egy euró ára',
  'payment_methods.eur_huf_rate_help':
    'Készpénzes fizetésnél ennyi forintot ér egy euró. Magától mentődik, amint abbahagyod a gépelést.',
  'payment_methods.rate_wrong': 'Nullánál nagyobb szám legyen, legfeljebb két tizedessel.',
};
