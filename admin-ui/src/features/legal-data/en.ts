export default {
  'legal_file.lead': 'The company behind the restaurant, as imprint and receipts name it.',
  'legal_file.company': 'Company',
  'legal_file.company_name': 'Name of the company',
  'legal_file.tax_num': 'Tax number',
  'legal_file.tax_num_help': 'Digits, in groups with dashes: 12345678-2-41.',
  'legal_file.address': 'Registered office',
  'legal_file.contact': 'Contact (optional)',
  'legal_file.contact_email': 'E-mail address',
  'legal_file.phone_1': 'Phone number',
};
