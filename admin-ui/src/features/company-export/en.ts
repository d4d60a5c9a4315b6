import work from './work.en';

export default {
  ...work,
  'company_export.lead':
    'All data of the company in one archive: restaurants, menus, orders, users, pictures.',
  'company_export.empty':
    'Start one: the link to it comes by mail and is good for 24 hours. Only you can download it.',
  'company_export.not_here': 'It cannot be started here',
  'company_export.not_here_text':
    'As the operator you start an export on the partner’s page; the partner can read the reason.',
};
