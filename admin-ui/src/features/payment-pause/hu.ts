export default {
  'payment_pause.title': 'Az online fizetések állnak',
  'payment_pause.why.restored': 'A cég adatait erre az időpontra állították vissza: {{at}}.',
  'payment_pause.why.cloned': 'Ez a cég egy másik másolata, nála nincs online fizetés.',
  'payment_pause.why.unknown':
    'A cég adatait egy korábbi időpontra állították vissza, vagy ez a cég másolat.',
  'payment_pause.effect':
    'A vendégek nem fizethetnek online, és a szolgáltatókhoz nem indul fizetés, levonás vagy visszatérítés.',
  'payment_pause.asking': 'Most kérdezzük a szolgáltatókat, mit könyveltek azóta.',
  'payment_pause.failed':
    'Nem sikerült lekérdezni, mit könyveltek azóta: nézd meg a szolgáltatók felületén, vagy töltsd újra ezt az oldalt!',
  'payment_pause.booked': 'Azóta könyvelte: {{name}}',
  'payment_pause.cannot_tell':
    'Nem tudja megmondani, vagy nem sikerült megkérdezni: nézd meg a szolgáltató felületén!',
  'payment_pause.nothing': 'Semmit.',
  'payment_pause.copy': 'Szolgáltatói azonosító másolása',
  'payment_pause.state.pending': 'még nem fizették ki',
  'payment_pause.state.authorised': 'a bank zárolta',
  'payment_pause.state.captured': 'kifizették',
  'payment_pause.state.failed': 'elutasították',
  'payment_pause.state.cancelled': 'megszakították',
  'payment_pause.state.expired': 'lejárt',
  'payment_pause.state.unknown': 'bizonytalan',
  'payment_pause.refunded': 'visszament: {{amount}}',
  'payment_pause.known': 'Nálunk is megvan',
  'payment_pause.not_known': 'Nálunk nincs meg',
  'payment_pause.end': 'Fizetések indítása',
  'payment_pause.end_ask': 'Elindulhatnak az online fizetések?',
  'payment_pause.end_effect':
    'A vendégek újra fizethetnek online, és azonnal elindul minden fizetés, levonás és visszatérítés, ami eddig várt. Amit a szolgáltató közben könyvelt, és nálunk nincs meg, az magától nem jelenik meg.',
  'payment_pause.ended': 'Elindultak az online fizetések',
};
