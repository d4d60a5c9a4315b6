export default {
  'legal_file.lead': 'Az étterem mögött álló cég, ahogy az impresszumban és a bizonylatokon szerepel.',
  'legal_file.company': 'Cég',
  'legal_file.company_name': 'Cégnév',
  'legal_file.tax_num': 'Adószám',
  'legal_file.tax_num_help': 'Számjegyek, kötőjellel tagolva: 12345678-2-41.',
  'legal_file.address': 'Székhely',
  'legal_file.contact': 'Elérhetőség (nem kötelező)',
  'legal_file.contact_email': 'E-mail-cím',
  'legal_file.phone_1': 'Telefonszám',
};
