export default {
  '{{many}}.new': 'New {{words_one}}',
  '{{many}}.empty_title': 'There are none yet',
  '{{many}}.empty': 'Add the first one.',
{{?nested}}
  '{{many}}.choose': 'Choose one from the list above.',
  '{{many}}.{{parent_one}}_id': 'What it belongs to',
{{/}}
  '{{many}}.name': 'Name',
  '{{many}}.kind': 'Kind',
  '{{many}}.kind.first': 'First',
  '{{many}}.kind.second': 'Second',
  '{{many}}.price': 'Price',
  '{{many}}.{{ref_id}}': '{{Ref_words}}',
  '{{many}}.active': 'Active',
  'errors.{{ONE}}_NOT_EXIST': 'There is no such {{words_one}}.',
};
