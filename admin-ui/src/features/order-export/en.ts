import row from '../long-work/row.en';
import work from './work.en';

export default {
  ...row,
  ...work,
  'export_requests.lead_orders':
    'Orders in an xlsx file, behind a link sent by e-mail. The link works for 24 hours.',
  'export_requests.lead_guests':
    'Guests as we know them from their orders: one row for each e-mail address or phone number. Behind a link sent by e-mail that works for 24 hours.',
  'export_requests.export_email': 'Who gets the link',
  'export_requests.export_type': 'What it holds',
  'export_requests.export_type.order_export': 'Orders',
  'export_requests.export_type.order_item_export': 'Order items',
  'export_requests.all_customers': 'All customers, of all times',
  'export_requests.filter_type': 'Which time counts',
  'export_requests.filter_type.created_at': 'When it was ordered',
  'export_requests.filter_type.expected_at': 'When it is wanted',
  'export_requests.from': 'First day',
  'export_requests.till': 'Last day',
  'export_requests.order': 'Order the export',
  'export_requests.under_support':
    'Ordered under a support access: the link opens only to you, signed in, and the partner’s admins are told by mail.',
  'export_requests.ordered': 'It has begun. The link goes to {{email}}.',
  'export_requests.all_time': 'All',
  'export_requests.fault_email': 'This is not an e-mail address.',
  'export_requests.fault_required': 'This is needed.',
  'export_requests.fault_order': 'The last day cannot be before the first.',
  'export_requests.fault_range': 'At most 12 months can be exported at once.',
  'export_requests.pin_title.order_export': 'Export of orders',
  'export_requests.pin_title.order_item_export': 'Export of order items',
  'export_requests.pin_title.shadow_customer_export': 'Export of customers',
  'export_requests.pin_effect': 'Range: {{range}}. The link to the file is sent to {{email}}.',
  'export_requests.recent': 'Latest exports',
};
