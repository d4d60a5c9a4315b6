import row from '../long-work/row.hu';
import work from './work.hu';

export default {
  ...row,
  ...work,
  'export_requests.lead_orders':
    'A rendelések xlsx fájlban, e-mailben küldött linkkel. A link 24 óráig érvényes.',
  'export_requests.lead_guests':
    'A vendégek, ahogy a rendeléseikből ismerjük őket: egy sor minden e-mail-cím vagy telefonszám. E-mailben küldött link, 24 óráig érvényes.',
  'export_requests.export_email': 'Kinek küldjük a linket',
  'export_requests.export_type': 'Mi legyen benne',
  'export_requests.export_type.order_export': 'Rendelések',
  'export_requests.export_type.order_item_export': 'Rendelési tételek',
  'export_requests.all_customers': 'Minden vendég, időszak nélkül',
  'export_requests.filter_type': 'Melyik időpont számít',
  'export_requests.filter_type.created_at': 'Amikor rendelték',
  'export_requests.filter_type.expected_at': 'Amikorra kérték',
  'export_requests.from': 'Első nap',
  'export_requests.till': 'Utolsó nap',
  'export_requests.order': 'Export kérése',
  'export_requests.under_support':
    'Támogatói hozzáféréssel kért fájl: a link csak neked nyílik meg, bejelentkezve, és a partner vezetői levelet kapnak róla.',
  'export_requests.ordered': 'Elkezdtük. A link ide érkezik: {{email}}.',
  'export_requests.all_time': 'Minden',
  'export_requests.fault_email': 'Ez nem e-mail-cím.',
  'export_requests.fault_required': 'Ezt ki kell tölteni.',
  'export_requests.fault_order': 'Az utolsó nap nem lehet az első előtt.',
  'export_requests.fault_range': 'Legfeljebb 12 hónap exportálható egyszerre.',
  'export_requests.pin_title.order_export': 'Rendelések exportja',
  'export_requests.pin_title.order_item_export': 'Rendelési tételek exportja',
  'export_requests.pin_title.shadow_customer_export': 'Vendégek exportja',
  'export_requests.pin_effect': 'Időszak: {{range}}. A letöltési linket ide küldjük: {{email}}.',
  'export_requests.recent': 'Legutóbbi exportok',
};
