export default {
  'kiosks.new': 'Új kioszk',
  'kiosks.empty_title': 'Még nincs kioszk',
  'kiosks.empty': 'Vedd fel a kioszkokat, ahol a vendégek maguk rendelnek.',
  'kiosks.name': 'Név',
  'kiosks.pin': 'PIN',
  'kiosks.pin_help':
    '4–8 számjegy, minden kioszké más. Ezzel nyílnak meg a kioszk beállításai. Ha üresen hagyod, kap egyet.',
};
