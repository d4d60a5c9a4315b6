export default {
  'work_export.order_export': 'Rendelések exportja',
  'work_export.order_item_export': 'Rendelési tételek exportja',
  'work_export.order_list_export': 'Korábbi rendelések exportja',
  'work_export.shadow_customer_export': 'Vendégek exportja',
  'work_export.by_filter': 'Szűrő szerint, {{format}}',
  'work_export.all_time': 'Minden',
  'work_export.sent': 'Elküldve ide: {{email}}. {{rows}} sor, {{size}}. A link eddig érvényes: {{at}}.',
  'work_export.over': 'A letöltő link lejárt.',
  'work_export.failed': 'A fájl nem készült el. Magától is újrapróbáljuk.',
  'work_export.to_previous': 'Új export a korábbi rendelésekből',
  'work_export.again': 'Ugyanezt kérjük újra. A letöltési linket ide küldjük: {{email}}.',
  'work_export.in_tray':
    'A felső sávban, a Háttérműveletek között látod, hogy hol tart. Közben tovább dolgozhatsz.',
};
