export default {
  'help.lead': 'Elakadtál? Válaszd, ami a legkényelmesebb.',
  'help.desk': 'Ügyfélszolgálat',
  'help.desk_text': 'Új lapon nyílik, a saját neveddel bejelentkezve: kérdéseid és a válaszaink.',
  'help.desk_open': 'Ügyfélszolgálat megnyitása',
  'help.email': 'E-mail',
  'help.email_text': 'Írd le, mi történt, és add meg az étterem nevét.',
  'help.knowledge': 'Tudásbázis',
  'help.knowledge_text': 'Leírások és útmutatók minden képernyőhöz.',
  'help.knowledge_open': 'Tudásbázis megnyitása',
  'help.phone': 'Telefon',
  'help.phone_text': 'Sürgős esetben hívj minket.',
  'help.not_set_up': 'Ezen a rendszeren nincs beállítva.',
};
