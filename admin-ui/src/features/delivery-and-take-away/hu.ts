export default {
  'restaurants_delivery.lead': 'Hogyan jut az étel a vendéghez, és mennyivel előre lehet rendelni.',
  'restaurants_delivery.normal': 'Amilyen hamar csak lehet',
  'restaurants_delivery.normal_delivery': 'Kiszállítás',
  'restaurants_delivery.normal_delivery_help':
    'A futár elviszi, amint elkészült. A kapcsoló azonnal érvényes. Hogy hova és mennyiért, azt a kiszállítási körzetek mondják meg; amíg egy sem volt, bármilyen cím megadható, szállítási díj nélkül.',
  'restaurants_delivery.normal_pickup': 'Elvitel',
  'restaurants_delivery.normal_pickup_help':
    'A vendég érte jön, amint elkészült. A kapcsoló azonnal érvényes.',
  'restaurants_delivery.preorder': 'Előrendelés',
  'restaurants_delivery.preorder_text':
    'A vendég későbbi időpontra rendel. A kapcsolók és a korlátok együtt menthetők.',
  'restaurants_delivery.preorder_delivery': 'Kiszállítás a kért időpontra',
  'restaurants_delivery.preorder_delivery_help': 'Hova és mennyiért: ahogy a kiszállítási körzetek mondják.',
  'restaurants_delivery.preorder_pickup': 'Elvitel a kért időpontban',
  'restaurants_delivery.min_days_to_preorder': 'Leghamarabb ennyi nap múlvára',
  'restaurants_delivery.min_days_to_preorder_help': '0: mára is.',
  'restaurants_delivery.days_to_preorder': 'Legkésőbb ennyi nap múlvára',
  'restaurants_delivery.days_order': 'Ne legyen kevesebb, mint a leghamarabbi nap.',
  'restaurants_delivery.min_preorder_delivery_diff': 'Kiszállítás előtt legalább',
  'restaurants_delivery.min_preorder_pickup_diff': 'Elvitel előtt legalább',
  'restaurants_delivery.preorder_notification_mins_before_expected':
    'A friss rendelések között megjelenik előtte',
  'restaurants_delivery.preorder_notification_mins_before_expected_help':
    'Ennyi perccel a kért időpont előtt szól a konyhának.',
  'restaurants_delivery.where': 'Körzetek nélkül',
  'restaurants_delivery.where_text':
    'Csak akkor számít, amikor egyetlen kiszállítási körzet sincs bekapcsolva.',
  'restaurants_delivery.no_region': 'Hova szállítotok',
  'restaurants_delivery.no_region_help': 'Üresen: ameddig még nem volt körzet, mindenhova, díj nélkül.',
  'restaurants_delivery.no_region.nowhere': 'Sehova',
  'restaurants_delivery.no_region.everywhere': 'Mindenhova, díj nélkül',
  'restaurants_delivery.value': 'Rendelési érték',
  'restaurants_delivery.min_order_price': 'Legkisebb érték kiszállításnál',
  'restaurants_delivery.min_order_price_help': 'Üresen vagy 0-val nincs ilyen korlát.',
  'restaurants_delivery.minutes': 'perc',
  'restaurants_delivery.days': 'nap',
};
