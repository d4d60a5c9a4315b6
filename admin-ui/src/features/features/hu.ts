export default {
  'features.lead': 'Mit tud ebben az étteremben a rendszer, és mi van bekapcsolva.',
  'features.ask':
    'A funkciókat a szolgáltatás üzemeltetője kapcsolja be és ki. Ha változtatnál, neki szólj: írd meg az étterem nevét és a funkciót.',
  'features.on': 'Bekapcsolva',
  'features.off': 'Kikapcsolva',
  'features.name.balance': 'Egyenleg',
  'features.name.loyalty': 'Hűségprogram',
  'features.name.kiosk': 'Kioszk',
  'features.name.tv': 'Vendég TV',
  'features.name.push': 'Push-értesítés',
  'features.text.balance': 'A vendégnek egyenlege lehet nálad, és abból fizethet.',
  'features.text.loyalty': 'A vendég pontokat gyűjt a rendeléseivel.',
  'features.text.kiosk': 'A vendég az étteremben, kioszkon rendel.',
  'features.text.tv': 'Képernyő az étteremben, amelyen a vendég látja, hol tart a rendelése.',
  'features.text.push': 'Üzenet küldése a vendégek telefonjára.',
};
