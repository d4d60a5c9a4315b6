export default {
  'pos_configs.lead': 'Service fee, tips, deposits and phone orders. A change holds from the next order on.',
  'pos_configs.fee': 'Service fee',
  'pos_configs.service_fee': 'How much',
  'pos_configs.service_fee_help': 'Percent of what is paid after discounts, with at most two decimals.',
  'pos_configs.service_fee_mode': 'Charged on',
  'pos_configs.service_fee_mode.off': 'No service fee',
  'pos_configs.service_fee_mode.all_items': 'Everything but what has it switched off',
  'pos_configs.service_fee_mode.flagged_items': 'Only what has it switched on',
  'pos_configs.service_fee_mode_help': 'For each item the “Service fee” of its product or category decides.',
  'pos_configs.take_away_service_fee': 'Also when taken away',
  'pos_configs.take_away_service_fee_help':
    'Also on orders taken away from the counter or the kiosk. What is eaten here always carries it.',
  'pos_configs.tips': 'Tips',
  'pos_configs.default_tip': 'Default tip',
  'pos_configs.default_tip_help': 'Chosen in advance where tips are asked. Left empty nothing is chosen.',
  'pos_configs.employee_tip': 'Tips belong to the waiter',
  'pos_configs.employee_tip_help': 'Switched off, tips that are asked belong to the restaurant.',
  'pos_configs.deposits': 'Deposits',
  'pos_configs.deposit_here': 'Also when eaten here',
  'pos_configs.deposit_here_help':
    'Switched off, bottles and cans of drinks that are had here carry no deposit.',
  'pos_configs.drawer': 'Drawer',
  'pos_configs.daily_close_limit': 'Closes listed (days)',
  'pos_configs.daily_close_limit_help': 'So many days back closes of drawers are listed.',
  'pos_configs.phone': 'Phone orders',
  'pos_configs.accept_at_once': 'Accept at once what staff take',
  'pos_configs.accept_at_once_help':
    'Orders that staff take on the phone or at the counter are accepted as they are placed, with the usual time. Only by who may accept orders.',
  'pos_configs.order_accept_on_open': 'Opening an order accepts it',
  'pos_configs.default_payment_method': 'Default payment method',
  'pos_configs.default_payment_method_help':
    'Chosen in advance where it is switched on for orders by phone. Left empty it is the first.',
  'pos_configs.default_delivery_region_id': 'Default region',
  'pos_configs.default_delivery_region_id_help':
    'Chosen for a delivery whose place is not known, until whoever takes the order chooses another.',
  'pos_configs.region_off': '{{name}} (switched off)',
  'pos_configs.method_off': '{{name}} (not switched on)',
};
