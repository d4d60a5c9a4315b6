export default {
  'announcements.new': 'Új közlemény',
  'announcements.empty_title': 'Még nincs közlemény',
  'announcements.empty':
    'Írj közleményt: a megadott időtől mindenki látja, aki az adott nyelven használja a rendszert, amíg el nem olvasta.',
  'announcements.lead':
    'Felugró üzenet mindenkinek, aki az adott nyelven dolgozik. Aki megerősítette, többé nem látja.',
  'announcements.message': 'Üzenet',
  'announcements.message_help':
    'Két nyelven két közlemény kell. Egyszerű HTML is lehet: bekezdés, lista, kiemelés, hivatkozás.',
  'announcements.lang': 'Nyelv',
  'announcements.lang.hu': 'Magyar',
  'announcements.lang.en': 'Angol',
  'announcements.show_at': 'Megjelenik',
  'announcements.show_at_help': 'Üresen azonnal.',
  'announcements.archived': 'Archivált',
  'announcements.state': 'Állapot',
  'announcements.state_waiting': 'Időzítve',
  'announcements.state_shown': 'Látható',
  'announcements.state_archived': 'Archivált',
  'announcements.confirmations': 'Elolvasták',
};
