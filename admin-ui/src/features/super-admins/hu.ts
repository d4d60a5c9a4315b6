export default {
  'super_admins.empty_title': 'Még nincs üzemeltető',
  'super_admins.empty': 'Itt jelennek meg a platform üzemeltetői.',
  'super_admins.lead':
    'A platform üzemeltetői. Aki elveszítette a telefonját és a helyreállító kódjait is, annak egy másik szuperadmin törölheti a második lépcsőjét.',
  'super_admins.name': 'Név',
  'super_admins.email': 'E-mail-cím',
  'super_admins.second_factor': 'Kétlépcsős belépés',
  'super_admins.recovery_codes': 'Maradt helyreállító kód',
  'super_admins.last_active_at': 'Utoljára aktív',
  'super_admins.created_at': 'Felvéve',
  'super_admins.you': 'te',
  'super_admins.never': 'Még nem járt itt',
  'super_admins.factor_on': 'Bekapcsolva',
  'super_admins.factor_off': 'Nincs beállítva',
  'super_admins.reset': 'Második lépcső törlése',
  'super_admins.reset_of': 'Második lépcső törlése: {{name}}',
  'super_admins.reset_ask': 'Törlöd a kétlépcsős belépését: {{name}}?',
  'super_admins.reset_effect':
    'Minden munkamenete véget ér, és a jelszava is törlődik. Levélben kap linket, amellyel újat állít be, utána pedig új második lépcsőt: addig semmihez sem fér hozzá. Előbb győződj meg róla, hogy valóban ő kéri!',
  'super_admins.reset_done': 'A kétlépcsős belépés törölve: {{name}}',
};
