export default {
  'kiosks.new': 'New kiosk',
  'kiosks.empty_title': 'No kiosks yet',
  'kiosks.empty': 'Add the kiosks where guests order by themselves.',
  'kiosks.name': 'Name',
  'kiosks.pin': 'PIN',
  'kiosks.pin_help':
    '4 to 8 digits, different for each kiosk. It opens the kiosk’s settings. Leave it empty to get one.',
};
