export default {
  'features.lead': 'What the system can do in this restaurant, and what is switched on.',
  'features.ask':
    'The operator of the service switches features on and off. Ask the operator for a change: name the restaurant and the feature.',
  'features.on': 'On',
  'features.off': 'Off',
  'features.name.balance': 'Balance',
  'features.name.loyalty': 'Loyalty',
  'features.name.kiosk': 'Self-order kiosk',
  'features.name.tv': 'Guest TV',
  'features.name.push': 'Push messages',
  'features.text.balance': 'Guests can have a balance with you and pay from it.',
  'features.text.loyalty': 'Guests collect points with their orders.',
  'features.text.kiosk': 'Guests order at a kiosk in the restaurant.',
  'features.text.tv': 'A screen in the restaurant that shows guests how far their orders are.',
  'features.text.push': 'Messages to the phones of guests.',
};
