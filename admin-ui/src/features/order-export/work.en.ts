export default {
  'work_export.order_export': 'Export of orders',
  'work_export.order_item_export': 'Export of order items',
  'work_export.order_list_export': 'Export of previous orders',
  'work_export.shadow_customer_export': 'Export of customers',
  'work_export.by_filter': 'By a filter, {{format}}',
  'work_export.all_time': 'All',
  'work_export.sent': 'Sent to {{email}}. {{rows}} rows, {{size}}. The link works until {{at}}.',
  'work_export.over': 'The link has expired.',
  'work_export.failed': 'The file could not be made. It is tried again by itself.',
  'work_export.to_previous': 'New export from the previous orders',
  'work_export.again': 'The same is ordered again. The link to the file is sent to {{email}}.',
  'work_export.in_tray':
    'The background tasks in the top bar show how far it is. You can go on working meanwhile.',
};
