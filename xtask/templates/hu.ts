export default {
  '{{many}}.new': 'Új elem',
  '{{many}}.empty_title': 'Még nincs egy sem',
  '{{many}}.empty': 'Vidd fel az elsőt!',
{{?nested}}
  '{{many}}.choose': 'Válassz egy elemet a fenti listából.',
  '{{many}}.{{parent_one}}_id': 'Ami fölötte áll',
{{/}}
  '{{many}}.name': 'Név',
  '{{many}}.kind': 'Fajta',
  '{{many}}.kind.first': 'Első',
  '{{many}}.kind.second': 'Második',
  '{{many}}.price': 'Ár',
  '{{many}}.{{ref_id}}': 'Kapcsolódó elem',
  '{{many}}.active': 'Aktív',
  'errors.{{ONE}}_NOT_EXIST': 'Nincs ilyen elem.',
};
