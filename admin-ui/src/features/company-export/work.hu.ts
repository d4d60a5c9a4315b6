export default {
  'work_company.title': 'Teljes céges export',
  'work_company.ready': '{{size}}. Eddig tölthető le: {{at}}.',
  'work_company.over': 'Az archívum lejárt, már nem tölthető le.',
  'work_company.failed': 'Az archívum nem készült el.',
  'work_company.begun': 'Elkezdtük',
  'work_company.in_tray':
    'A felső sávban, a Háttérműveletek között látod, hogy hol tart, és ott le is töltheted.',
};
