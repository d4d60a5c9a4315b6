export default {
  'storno_reasons.lead':
    'Ezek közül választ, aki rendelést utasít el, sztornóz vagy tételt vesz vissza, ebben a sorrendben. Amíg egy fajtából nincs aktív, a szokásos okok jönnek fel.',
  'storno_reasons.new': 'Új sztornóok',
  'storno_reasons.empty_title': 'Még nincs saját sztornóok',
  'storno_reasons.empty':
    'Addig a szokásos okok választhatók. Rendelésre: elfogyott, túl sok a munka, zárunk, nem tudjuk kivinni, a vendég kérte, kétszer érkezett, próbarendelés, más ok. Tételre: téves tétel, kihűlt, hiányzik, panasz, más ok. Egy fajta első aktív saját okától ezek helyett a tieid jönnek fel.',
  'storno_reasons.name': 'Név',
  'storno_reasons.name_help':
    'Az elutasított rendelés vendége is olvassa az e-mailben, a rendelése nyelvén, ha azon is megadod.',
  'storno_reasons.used_for': 'Mikor választható',
  'storno_reasons.used_for_help':
    'Elutasítani azt lehet, amit még senki nem fogadott el; sztornózni az elfogadott rendelést egészben; visszavenni bármely rendelés tételeit.',
  'storno_reasons.used_for.both': 'Elutasításkor és sztornónál',
  'storno_reasons.used_for.refusal': 'Csak elutasításkor',
  'storno_reasons.used_for.storno': 'Csak sztornónál',
  'storno_reasons.used_for.pieces': 'Tétel visszavételénél',
  'storno_reasons.text_required': 'Szöveg is kell hozzá',
  'storno_reasons.text_required_help':
    'Aki ezt választja, annak le kell írnia, mi történt. Elutasításkor a vendég ezt is elolvassa.',
  'storno_reasons.active': 'Aktív',
  'storno_reasons.active_help':
    'Csak az aktív ok választható. Amelyik rendelés már megkapta, azon megmarad a régi nevével.',
};
