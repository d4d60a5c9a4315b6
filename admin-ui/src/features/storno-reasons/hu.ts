export default {
  'storno_reasons.lead':
    'Ezek közül választ, aki rendelést utasít el vagy sztornóz, ebben a sorrendben. Amíg nincs köztük aktív, a szokásos okok jönnek fel.',
  'storno_reasons.new': 'Új sztornóok',
  'storno_reasons.empty_title': 'Még nincs saját sztornóok',
  'storno_reasons.empty':
    'Addig a szokásos okok választhatók: elfogyott, túl sok a munka, zárunk, nem tudjuk kivinni, a vendég kérte, kétszer érkezett, próbarendelés, más ok. Az első aktív saját októl ezek helyett a tieid jönnek fel.',
  'storno_reasons.name': 'Név',
  'storno_reasons.name_help':
    'Az elutasított rendelés vendége is olvassa az e-mailben, a rendelése nyelvén, ha azon is megadod.',
  'storno_reasons.used_for': 'Mikor választható',
  'storno_reasons.used_for_help':
    'Elutasítani azt lehet, amit még senki nem fogadott el; sztornózni az elfogadott rendelést vagy néhány tételét.',
  'storno_reasons.used_for.both': 'Elutasításkor és sztornónál',
  'storno_reasons.used_for.refusal': 'Csak elutasításkor',
  'storno_reasons.used_for.storno': 'Csak sztornónál',
  'storno_reasons.text_required': 'Szöveg is kell hozzá',
  'storno_reasons.text_required_help':
    'Aki ezt választja, annak le kell írnia, mi történt. Elutasításkor a vendég ezt is elolvassa.',
  'storno_reasons.active': 'Aktív',
  'storno_reasons.active_help':
    'Csak az aktív ok választható. Amelyik rendelés már megkapta, azon megmarad a régi nevével.',
};
