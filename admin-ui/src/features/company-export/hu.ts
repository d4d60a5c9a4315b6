import work from './work.hu';

export default {
  ...work,
  'company_export.lead':
    'A cég minden adata egyetlen archívumban: éttermek, étlapok, rendelések, felhasználók, képek.',
  'company_export.empty':
    'Indíts egyet: a letöltés linkje e-mailben érkezik, és 24 óráig jó. Csak te tudod letölteni.',
  'company_export.not_here': 'Innen nem indítható',
  'company_export.not_here_text':
    'Üzemeltetőként a partner oldalán indíthatsz exportot; a partner látja az okát.',
};
