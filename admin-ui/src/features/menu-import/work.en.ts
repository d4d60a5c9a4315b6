export default {
  'work_import.title': 'Menu import',
  'work_import.ready': 'The file was compared with the menu, which has not changed yet.',
  'work_import.applied': 'It is on the menu.',
  'work_import.undone': 'It was undone.',
  'work_import.go_on': 'Look through and apply',
  'work_import.open': 'Open',
  'work_import.another': 'Import another file',
  'work_import.in_tray': 'You need not wait here: the background tasks in the top bar show when it is done.',
  'menu_imports.error.kind':
    'This is no table, whatever its name says. Save it as xlsx or csv and upload it again.',
  'menu_imports.error.broken':
    'The file is damaged. Open it in your spreadsheet program, save it again, and upload that.',
  'menu_imports.error.too_large': 'The file holds too much: at most 5,000 items and 50,000 rows.',
  'menu_imports.error.locked': 'The file is protected with a password. Save it without one.',
  'menu_imports.error.empty': 'The file is empty.',
};
