export default {
  'busy.title': 'Busy',
  'busy.button': 'Busy…',
  'busy.question': 'How much longer does an order take now?',
  'busy.more': 'Longer by',
  'busy.plus': '+{{minutes}} min',
  'busy.length': 'For how long',
  'busy.for_minutes': 'For {{minutes}} minutes',
  'busy.until_time': 'Until a time',
  'busy.effect':
    'Orders placed now take {{minutes}} minutes more until {{time}}. Guests see it before they order.',
  'busy.set': 'Set',
  'busy.change': 'Change',
  'busy.end': 'No longer busy',
  'busy.strip': 'Every order takes {{minutes}} minutes more until {{time}}.',
  'busy.left': '{{minutes}} minutes left.',
};
