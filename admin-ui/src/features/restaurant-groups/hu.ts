export default {
  'restaurant_groups.new': 'Új csoport',
  'restaurant_groups.empty_title': 'Még nincs csoport',
  'restaurant_groups.empty': 'Egy csoport éttermei közös raktárt és pénznemet használnak.',
  'restaurant_groups.lead': 'Egy csoport éttermei közös raktárt és pénznemet használnak.',
  'restaurant_groups.lead_reader':
    'Egy csoport éttermei közös raktárt és pénznemet használnak. Módosítani a cég adminisztrátorai tudják.',
  'restaurant_groups.name': 'Csoport neve',
  'restaurant_groups.currency_help':
    'Amíg van étterem a csoportban, nem módosítható: ebben van a készlet értéke.',
  'restaurant_groups.restaurants': 'Éttermek',
  'restaurant_groups.members': 'A csoport éttermei',
  'restaurant_groups.no_members': 'Még nincs benne étterem.',
  'restaurant_groups.group': 'Csoport',
  'restaurant_groups.group_of': 'Csoport: {{name}}',
  'restaurant_groups.moved': 'Áthelyezve: {{name}}',
  'restaurant_groups.new_restaurant': 'Új étterem',
  'restaurant_groups.copy_from': 'Induljon ennek a másolataként',
  'restaurant_groups.copy_from_help':
    'A menü, a nyitvatartás, a beállítások és a fizetési módok átjönnek; a cím és a belépések nem.',
  'restaurant_groups.copy_nothing': 'Üres étterem',
  'restaurant_groups.export_text':
    'Az egész cég minden adata egyetlen archívumban. A letöltés linkje e-mailben érkezik, és 24 óráig jó.',
  'restaurant_groups.postcode': 'Irányítószám',
  'restaurant_groups.city': 'Város',
  'restaurant_groups.street': 'Utca',
  'restaurant_groups.premise_number': 'Házszám',
  'restaurant_groups.find_member': 'Étterem keresése a csoportban',
  'restaurant_groups.more_members': 'Továbbiak ({{count}})',
};
