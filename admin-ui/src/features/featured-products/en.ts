export default {
  'featured_products.lead':
    'These products stand first in the web shop and the app, in this order. One that cannot be ordered there at the moment is left out.',
  'featured_products.product_id': 'Product',
  'featured_products.ranking': 'Place',
  'featured_products.list': 'Featured products',
  'featured_products.add': 'Feature a product',
  'featured_products.search': 'Search the products',
  'featured_products.all_in': 'All products are featured.',
  'featured_products.no_products': 'There are no products on the menu yet.',
  'featured_products.added': 'Featured: {{name}}',
  'featured_products.removed': 'Featured no more: {{name}}',
  'featured_products.remove_of': 'Feature no more: {{name}}',
  'featured_products.remove_title': 'Feature “{{name}}” no more?',
  'featured_products.remove_effect':
    'The product stays on the menu. Whoever may edit the menu can feature it again.',
  'featured_products.hidden': 'Hidden from guests',
  'featured_products.empty_title': 'No featured products yet',
  'featured_products.empty':
    'Feature what guests should see first: the most popular, what is new, the offer of the day.',
};
