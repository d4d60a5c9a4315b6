export default {
  'restaurants_system.lead':
    'SOS close, the usual delivery time, how orders are numbered, and who is told when nobody accepts one.',
  'restaurants_system.numbers': 'Order numbers and accepting',
  'restaurants_system.order_reset_time': 'Begin of the business day',
  'restaurants_system.order_reset_time_help': 'Order numbers start anew then.',
  'restaurants_system.restaurant_group_id': 'Restaurant group',
  'restaurants_system.counter_prefix': 'Prefix of order numbers',
  'restaurants_system.counter_prefix_help': 'A digit or a letter, for example B: B12. May be empty.',
  'restaurants_system.order_accept_on_open': 'Opening an order accepts it',
  'restaurants_system.escalation': 'An order that nobody accepts',
  'restaurants_system.escalate_after_minutes': 'Alert everywhere after',
  'restaurants_system.escalate_after_minutes_help':
    'When nobody accepts an order for so long, every signed-in screen says so and the restaurant gets an e-mail. A preorder counts from when it appears. 0 or empty: never.',
  'restaurants_system.escalate_admins_after_minutes': 'Those in charge, so much later',
  'restaurants_system.escalate_admins_after_minutes_help':
    'When still nobody accepts it, whoever holds every right of the restaurant or of the whole company gets an e-mail. Nobody is mailed about test orders. 0 or empty: never.',
  'restaurants_system.waiting': 'Waiting orders of one guest',
  'restaurants_system.max_waiting_per_phone': 'Of one phone number',
  'restaurants_system.max_waiting_per_phone_help':
    'Orders of the last hour that nobody has paid or accepted yet. One more is refused with your phone number. Orders of staff, tables and tests do not count.',
  'restaurants_system.max_waiting_per_guest': 'Of one guest of the web shop',
  'restaurants_system.max_waiting_per_guest_help':
    'The same by the guest’s network address. Guests in one office or home share one.',
  'restaurants_system.temp_no_orders': 'SOS close',
  'restaurants_system.delivery_time': 'Delivery time',
  'restaurants_system.estimated_delivery_time': 'Usual delivery time',
  'restaurants_system.estimated_delivery_time_help':
    'The first offer when an order is accepted. Saves itself once you stop typing.',
  'restaurants_system.minutes': 'min',
  'restaurants_system.minutes_range': 'A number from {{min}} to {{max}}, please.',
  'restaurants_system.temp_no_orders_until': 'End of SOS close',
};
