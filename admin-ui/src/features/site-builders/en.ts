export default {
  'builders.app': 'App builder',
  'builders.app_text': 'Looks and menu of the restaurant’s own ordering app.',
  'builders.blocked': 'The browser did not let the new tab open. Allow pop-ups and try again.',
  'builders.front_site': 'Site builder',
  'builders.front_site_text': 'The restaurant’s site and web shop.',
  'builders.iframe': 'Embedded shop',
  'builders.iframe_text': 'The shop that goes into a site that is there already.',
  'builders.lead':
    'External builders. They open in a new tab with a ticket that works once, without signing in again.',
  'builders.none': 'There is no builder to open',
  'builders.none_text': 'No external builder has an address on this installation.',
  'builders.open': 'Open',
  'builders.open_of': 'Open in a new tab: {{name}}',
  'builders.partner': 'Partner builder',
  'builders.partner_text': 'Looks of the whole company with all its restaurants.',
  'builders.restaurant_selector': 'Restaurant selector',
  'builders.restaurant_selector_text': 'The page on which guests choose a restaurant.',
};
