export default {
  'work_company.title': 'Company export',
  'work_company.ready': '{{size}}. It can be downloaded until {{at}}.',
  'work_company.over': 'The archive has expired and cannot be downloaded any more.',
  'work_company.failed': 'The archive could not be made.',
  'work_company.begun': 'It has begun',
  'work_company.in_tray': 'The background tasks in the top bar show how far it is, and hold the download.',
};
