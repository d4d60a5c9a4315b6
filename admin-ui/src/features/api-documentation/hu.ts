export default {
  'documentation_files.address': 'A hívások címe',
  'documentation_files.address_copy': 'Cím másolása',
  'documentation_files.address_text':
    'Ezzel kezdődik minden hívás ehhez az étteremhez: {{name}}. Kulcs az API-kulcsok képernyőn készíthető hozzá.',
  'documentation_files.bytes': 'Méret',
  'documentation_files.document': 'OpenAPI-dokumentum',
  'documentation_files.download': 'Letöltés',
  'documentation_files.download_of': 'Letöltés: {{name}}',
  'documentation_files.empty': 'Még nincs letölthető dokumentum.',
  'documentation_files.filename': 'Fájlnév',
  'documentation_files.files': 'Letölthető dokumentumok',
  'documentation_files.lang': 'Nyelv',
  'documentation_files.lang.en': 'Angol',
  'documentation_files.lang.hu': 'Magyar',
  'documentation_files.lead': 'Amire a rendszert összekötő fejlesztőknek szükségük van.',
  'documentation_files.name': 'Azonosító',
  'documentation_files.open_reference': 'A leírás megnyitása',
  'documentation_files.reference': 'Hívások leírása (OpenAPI)',
  'documentation_files.reference_text':
    'Minden hívás, amelyet egy API-kulcs elérhet, példákkal, mezőkkel és hibakódokkal. A gép által olvasható dokumentumból kliens is készíthető.',
  'documentation_files.title': 'Cím',
  'documentation_files.updated_at': 'Frissítve',
};
