export default {
  'storno_reasons.lead':
    'Whoever refuses or cancels an order, or takes goods back, chooses among these, in this order. While none of a kind is active, the standard reasons are offered.',
  'storno_reasons.new': 'New storno reason',
  'storno_reasons.empty_title': 'No storno reasons of your own yet',
  'storno_reasons.empty':
    'Until then the standard ones are offered. For orders: out of stock, too busy, closing, cannot deliver, the guest asked for it, came twice, was only a test, another reason. For goods: wrong item, cold, missing, complaint, another reason. From the first active one of a kind on, yours take their place.',
  'storno_reasons.name': 'Name',
  'storno_reasons.name_help':
    'The guest of a refused order reads it in the e-mail too, in the language of the order where you give it in that.',
  'storno_reasons.used_for': 'Offered for',
  'storno_reasons.used_for_help':
    'Refused is what nobody has accepted yet; cancelled are accepted orders as a whole; taken back are items of any order.',
  'storno_reasons.used_for.both': 'Refusing and cancelling',
  'storno_reasons.used_for.refusal': 'Refusing only',
  'storno_reasons.used_for.storno': 'Cancelling only',
  'storno_reasons.used_for.pieces': 'Taking back goods',
  'storno_reasons.text_required': 'Asks for words',
  'storno_reasons.text_required_help':
    'Whoever chooses it has to write what happened. The guest of a refused order reads that too.',
  'storno_reasons.active': 'Active',
  'storno_reasons.active_help':
    'Only active reasons are offered. Orders that have one already keep it with the name that it had.',
};
