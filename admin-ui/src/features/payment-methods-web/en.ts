export default {
  'payment_methods.web_lead': 'How guests can pay in the web shop and the app.',
  'payment_methods.pos_lead': 'How guests can pay in the restaurant and for orders taken on the phone.',
  'payment_methods.online': 'Online payment',
  'payment_methods.online_text':
    'Guests pay on the provider’s page while ordering. The order appears only once it is paid.',
  'payment_methods.courier': 'Payment to the courier',
  'payment_methods.courier_text':
    'Guests of the web shop and the app pay when the order is delivered. The till has switches of its own.',
  'payment_methods.in_place': 'In the restaurant',
  'payment_methods.in_place_text': 'For eating in and taking away. The web shop has switches of its own.',
  'payment_methods.phone': 'Orders on the phone',
  'payment_methods.phone_text': 'Whoever answers the phone chooses among these.',
  'payment_methods.always': 'Always available; it cannot be switched off.',
  'payment_methods.not_available': 'Not available yet: needs {{needs}}. Guests are not offered it.',
  'payment_methods.or': ' or ',
  'payment_methods.need.simplepay': 'paying through SimplePay',
  'payment_methods.need.barion': 'paying through Barion',
  'payment_methods.need.balance': 'the Balance feature',
  'payment_methods.need.loyalty': 'the Loyalty feature',
  'payment_methods.providers': 'Online payment providers',
  'payment_methods.providers_text':
    'You get these details from the provider. A secret key goes in, and nobody sees it again.',
  'payment_methods.simplepay_text':
    'Bank cards and SZÉP cards. Merchant id and secret key stand on SimplePay’s merchant page.',
  'payment_methods.barion_text':
    'Bank cards and Barion balance. The e-mail address is that of the wallet; the POS key stands on the shop’s page.',
  'payment_methods.merchant_id': 'Merchant id',
  'payment_methods.secret_key': 'Secret key',
  'payment_methods.email': 'E-mail address of the wallet',
  'payment_methods.pos_key': 'POS key',
  'payment_methods.secret_stays': 'A key is kept. Leave this empty to keep it.',
  'payment_methods.secret_needed': 'No payment begins without it.',
  'payment_methods.set': 'Set up',
  'payment_methods.not_set': 'Not set up',
  'payment_methods.secret_missing': 'Key missing',
  'payment_methods.remove': 'Remove account',
  'payment_methods.remove_ask': 'Remove the account? ({{name}})',
  'payment_methods.remove_effect':
    'Guests cannot pay with it until it is entered again. The key is deleted for good.',
  'payment_methods.removed': 'The account was removed.',
  'payment_methods.rate': 'Rate of the euro',
  'payment_methods.eur_huf_rate': 'Price of one euro',
  'payment_methods.eur_huf_rate_help':
    'So many forints is one euro worth in cash. It is saved by itself once you stop typing.',
  'payment_methods.rate_wrong': 'A number above zero with at most two decimals.',
};
