export default {
  'featured_products.lead':
    'Ezek a termékek állnak a webshop és az app elején, ebben a sorrendben. Amelyik épp nem rendelhető onnan, az kimarad.',
  'featured_products.product_id': 'Termék',
  'featured_products.ranking': 'Hely',
  'featured_products.list': 'Kiemelt termékek',
  'featured_products.add': 'Termék kiemelése',
  'featured_products.search': 'Keresés a termékek között',
  'featured_products.all_in': 'Minden termék ki van emelve.',
  'featured_products.no_products': 'Még nincs termék az étlapon.',
  'featured_products.added': 'Kiemelve: {{name}}',
  'featured_products.removed': 'Már nincs kiemelve: {{name}}',
  'featured_products.remove_of': 'Kiemelés megszüntetése: {{name}}',
  'featured_products.remove_title': 'Megszünteted a kiemelését: „{{name}}”?',
  'featured_products.remove_effect':
    'A termék az étlapon marad. Visszatenni az tudja, aki szerkesztheti az étlapot.',
  'featured_products.hidden': 'A vendég nem látja',
  'featured_products.empty_title': 'Még nincs kiemelt termék',
  'featured_products.empty':
    'Emeld ki, amit a vendégnek először érdemes látnia: a legnépszerűbbet, az újdonságot, a napi ajánlatot.',
};
