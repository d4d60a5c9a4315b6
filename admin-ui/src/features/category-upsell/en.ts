export default {
  'product_category_upsells.lead':
    'What guests are offered once there is something in the cart. The web shop and the app suggest a category.',
  'product_category_upsells.new': 'New upsell',
  'product_category_upsells.empty_title': 'No category upsells yet',
  'product_category_upsells.empty': 'Suggest drinks with a pizza, or a dessert to every order.',
  'product_category_upsells.suggested_category_id': 'Suggested category',
  'product_category_upsells.product_category_id': 'When the cart has something of',
  'product_category_upsells.product_category_id_help':
    'Empty: suggested to every cart. What lies in its sub-categories counts too.',
  'product_category_upsells.itself': 'A category cannot suggest itself: choose another one.',
  'product_category_upsells.any': 'Every cart',
  'product_category_upsells.shown': 'State',
  'product_category_upsells.pair': '{{name}}, when the cart has something of {{after}}',
  'product_category_upsells.pair_any': '{{name}}, to every cart',
  'product_category_upsells.delete_title': 'Delete this upsell: {{name}}?',
  'product_category_upsells.delete_effect':
    'The web shop and the app suggest it no more. The categories stay.',
  'product_category_upsells.hidden': 'Not suggested now',
  'product_category_upsells.on': 'Suggested',
};
