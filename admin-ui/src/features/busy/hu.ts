export default {
  'busy.title': 'Torlódás',
  'busy.button': 'Torlódás…',
  'busy.question': 'Most mennyivel tart tovább egy rendelés?',
  'busy.more': 'Ennyivel tovább',
  'busy.plus': '+{{minutes}} perc',
  'busy.length': 'Meddig',
  'busy.for_minutes': '{{minutes}} percig',
  'busy.until_time': 'Megadott időpontig',
  'busy.effect':
    'A most leadott rendelések {{minutes}} perccel tovább készülnek eddig: {{time}}. A vendégek rendelés előtt látják.',
  'busy.set': 'Beállítás',
  'busy.change': 'Módosítás',
  'busy.end': 'Vége a torlódásnak',
  'busy.strip': 'Minden rendelés {{minutes}} perccel tovább készül eddig: {{time}}.',
  'busy.left': 'Még {{minutes}} perc.',
};
