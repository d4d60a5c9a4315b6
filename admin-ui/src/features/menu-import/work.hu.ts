export default {
  'work_import.title': 'Étlap importálása',
  'work_import.ready': 'Megnéztük, mi változna. Az étlap még nem változott.',
  'work_import.applied': 'Az étlapra került.',
  'work_import.undone': 'Visszavontad.',
  'work_import.go_on': 'Átnézés és beírás',
  'work_import.open': 'Megnyitás',
  'work_import.another': 'Másik fájl importálása',
  'work_import.in_tray': 'Nem kell itt megvárnod: a felső sávban, a Háttérműveletek között látod, ha kész.',
  'menu_imports.error.kind':
    'Ez nem táblázat, akármi is a neve. Mentsd el xlsx vagy csv formátumban, és töltsd fel újra.',
  'menu_imports.error.broken':
    'A fájl sérült. Nyisd meg a táblázatkezelőben, mentsd el újra, és töltsd fel azt.',
  'menu_imports.error.too_large':
    'A fájl túl sokat tartalmaz: legfeljebb 5000 tétel és 50 000 sor lehet benne.',
  'menu_imports.error.locked': 'A fájl jelszóval védett. Mentsd el jelszó nélkül.',
  'menu_imports.error.empty': 'A fájl üres.',
};
