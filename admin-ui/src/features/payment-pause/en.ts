export default {
  'payment_pause.title': 'Online payments wait',
  'payment_pause.why.restored': 'The data of the company were brought back to how they were at {{at}}.',
  'payment_pause.why.cloned': 'This company is a copy of another one, and stays without online payments.',
  'payment_pause.why.unknown':
    'The data of the company were brought back to an earlier moment, or it is a copy.',
  'payment_pause.effect':
    'Guests are offered nothing that is paid online, and no payment, capture or refund leaves for a provider.',
  'payment_pause.asking': 'The providers are being asked what they have booked since then.',
  'payment_pause.failed':
    'What they have booked since then could not be read: look at their own pages, or load this page again.',
  'payment_pause.booked': '{{name}} has booked since then',
  'payment_pause.cannot_tell': 'It cannot tell, or could not be asked: look at its own page.',
  'payment_pause.nothing': 'Nothing.',
  'payment_pause.copy': 'Copy the provider’s id',
  'payment_pause.state.pending': 'not paid yet',
  'payment_pause.state.authorised': 'held by the bank',
  'payment_pause.state.captured': 'paid',
  'payment_pause.state.failed': 'refused',
  'payment_pause.state.cancelled': 'given up',
  'payment_pause.state.expired': 'out of time',
  'payment_pause.state.unknown': 'not known',
  'payment_pause.refunded': 'went back: {{amount}}',
  'payment_pause.known': 'Known here',
  'payment_pause.not_known': 'Not known here',
  'payment_pause.end': 'Let payments go on',
  'payment_pause.end_ask': 'Let online payments go on?',
  'payment_pause.end_effect':
    'Guests can pay online again, and the payments, captures and refunds that waited leave at once. What a provider has booked meanwhile and is not known here will not appear by itself.',
  'payment_pause.ended': 'Online payments go on',
};
