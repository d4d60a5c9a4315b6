export default {
  'restaurant_groups.new': 'New group',
  'restaurant_groups.empty_title': 'No groups yet',
  'restaurant_groups.empty': 'The restaurants of a group share depots and a currency.',
  'restaurant_groups.lead': 'The restaurants of a group share depots and a currency.',
  'restaurant_groups.lead_reader':
    'The restaurants of a group share depots and a currency. The company’s admins can change them.',
  'restaurant_groups.name': 'Name of the group',
  'restaurant_groups.currency_help':
    'Fixed while the group has restaurants: the value of its stock is kept in it.',
  'restaurant_groups.restaurants': 'Restaurants',
  'restaurant_groups.members': 'Restaurants of the group',
  'restaurant_groups.no_members': 'There is no restaurant in it yet.',
  'restaurant_groups.group': 'Group',
  'restaurant_groups.group_of': 'Group: {{name}}',
  'restaurant_groups.moved': 'Moved: {{name}}',
  'restaurant_groups.new_restaurant': 'New restaurant',
  'restaurant_groups.copy_from': 'Begin as a copy of',
  'restaurant_groups.copy_from_help':
    'Menu, opening hours, settings and payment methods come along; address and sign-ins do not.',
  'restaurant_groups.copy_nothing': 'An empty restaurant',
  'restaurant_groups.export_text':
    'All data of the whole company in one archive. The link to it comes by mail and is good for 24 hours.',
  'restaurant_groups.postcode': 'Postcode',
  'restaurant_groups.city': 'City',
  'restaurant_groups.street': 'Street',
  'restaurant_groups.premise_number': 'House number',
  'restaurant_groups.find_member': 'Find a restaurant of the group',
  'restaurant_groups.more_members': 'More ({{count}})',
};
