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
  'payment_methods.kind': 'Mire szolgál a fiók?',
  'payment_methods.add': 'Fiók hozzáadása',
  'payment_methods.no_account': 'Még nincs fiók: a vendégek nem tudnak online fizetni.',
  'payment_methods.no_offer': 'Ezen a rendszeren egyetlen online fizetési szolgáltató sem érhető el.',
  'payment_methods.paid_at.live': 'A rendeléseket valódi pénzzel fizetik.',
  'payment_methods.paid_at.test_host':
    'A próbafizetés be van kapcsolva: a rendeléseket a szolgáltatók tesztrendszerében, külön fiókokkal fizetik.',
  'payment_methods.paid_at.stand_in':
    'Ez a partner nem éles: a rendeléseket egy helyettes rendszerben, külön fiókokkal fizetik.',
  'payment_methods.purpose.card': 'bankkártya',
  'payment_methods.purpose.szep': 'SZÉP-kártya',
  'payment_methods.environment.live': 'éles',
  'payment_methods.environment.test_host': 'tesztrendszer',
  'payment_methods.environment.stand_in': 'helyettes rendszer',
  'payment_methods.state.checked': 'Ellenőrizve',
  'payment_methods.state.unchecked': 'Még nincs ellenőrizve',
  'payment_methods.state.refused': 'Elutasítva',
  'payment_methods.state.no_secret': 'Hiányzik a kulcs',
  'payment_methods.refused_text':
    'A szolgáltató nem fogadja el ezt a fiókot, ezért nem lehet vele fizetni. Ellenőrizd az azonosítót és a kulcsot!',
  'payment_methods.unchecked_text':
    'A szolgáltatót még nem sikerült megkérdezni. A rendszer magától újra megpróbálja.',
  'payment_methods.check_code': 'A szolgáltató válasza: {{code}}',
  'payment_methods.check_now': 'Ellenőrzés most',
  'payment_methods.address': 'Visszahívási cím',
  'payment_methods.address_copy': 'Visszahívási cím másolása',
  'payment_methods.address_none': 'Még nincs.',
  'payment_methods.address_by_hand':
    '{{name}}: ezt a címet add meg a szolgáltató kereskedői felületén (technikai adatok, IPN), különben a fizetésekről későn értesülünk.',
  'payment_methods.address_https':
    'A szolgáltatók csak https-címet hívnak: ennek a rendszernek https-en kell elérhetőnek lennie.',
  'payment_methods.address_renew': 'Új cím',
  'payment_methods.address_make': 'Cím készítése',
  'payment_methods.address_ask': 'Lecseréled a visszahívási címet?',
  'payment_methods.address_effect':
    'A mostani azonnal megszűnik. Ha a szolgáltató felületén meg van adva, ott is ki kell cserélni.',
  'payment_methods.called_at': 'A szolgáltató utolsó hívása',
  'payment_methods.called_never': 'Még nem hívott.',
  'payment_methods.checked_at': 'Utolsó válasz',
  'payment_methods.checked_never': 'Még nincs.',
  'payment_methods.served_by': 'Fizetés ezzel: {{name}}.',
  'payment_methods.served_by_of': 'Fiók ehhez: {{name}}',
  'payment_methods.served_by_first': 'Az első, amelyik működik (SimplePay, majd Barion)',
};
