export default {
  'depot_relation.as_above': 'Inherits: {{depot}} ({{origin}})',
  'depot_relation.categories': 'Depots of categories',
  'depot_relation.changed': 'Depot changed: {{name}}',
  'depot_relation.depot_of': 'Depot: {{name}}',
  'depot_relation.empty':
    'Once there are categories, you say here from which depot their products are taken.',
  'depot_relation.empty_title': 'No categories yet',
  'depot_relation.found': 'Depots of the products found',
  'depot_relation.from_category': 'from the category',
  'depot_relation.from_group': 'the group’s first depot',
  'depot_relation.from_parent_category': 'from the category above',
  'depot_relation.lead':
    'From which depot products are taken: from their own, else from their category’s, in the end from the group’s first depot.',
  'depot_relation.no_depot': 'no depot',
  'depot_relation.no_products': 'There are no products in this category',
  'depot_relation.no_products_text': 'Sub-categories stand in the list before, below their category.',
  'depot_relation.products': '{{name}}: depots of products',
  'depot_relation.search': 'Search the products',
  'depot_relation.stock': 'This acts with stock',
};
