export default {
  'restaurants_close.title': 'SOS-zárás',
  'restaurants_close.text':
    'Ha elfogy az alapanyag, vagy nem bírja a konyha: egyetlen rendelés sem jön be a megadott ideig, vagy amíg vissza nem nyitsz. A nyitvatartás nem változik.',
  'restaurants_close.open': 'Fogad rendelést',
  'restaurants_close.closed': 'Zárva',
  'restaurants_close.close': 'Zárás most',
  'restaurants_close.reopen': 'Visszanyitás',
  'restaurants_close.question': 'Leállítod a rendelésfelvételt itt: {{name}}?',
  'restaurants_close.effect':
    'A vendégek azonnal azt látják, hogy most nem lehet rendelni. A már beérkezett rendelések megmaradnak.',
  'restaurants_close.temp_no_orders': 'SOS-zárás',
  'restaurants_close.until': 'Magától visszanyit: {{time}}.',
  'restaurants_close.until_opened': 'Addig tart, amíg valaki vissza nem nyit.',
  'restaurants_close.length': 'Meddig',
  'restaurants_close.length_0': 'Visszanyitásig',
  'restaurants_close.length_15': '15 percre',
  'restaurants_close.length_30': '30 percre',
  'restaurants_close.length_60': '1 órára',
  'restaurants_close.length_120': '2 órára',
  'restaurants_close.length_240': '4 órára',
  'restaurants_close.temp_no_orders_until': 'SOS-zárás vége',
};
