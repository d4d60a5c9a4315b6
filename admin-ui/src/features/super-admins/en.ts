export default {
  'super_admins.empty_title': 'No operators yet',
  'super_admins.empty': 'Those who run the platform are shown here.',
  'super_admins.lead':
    'Those who run the platform. When somebody has lost the phone and the recovery codes too, another super admin can remove the second step.',
  'super_admins.name': 'Name',
  'super_admins.email': 'E-mail address',
  'super_admins.second_factor': 'Two-step sign-in',
  'super_admins.recovery_codes': 'Recovery codes left',
  'super_admins.last_active_at': 'Last active',
  'super_admins.created_at': 'Added',
  'super_admins.you': 'you',
  'super_admins.never': 'Not here yet',
  'super_admins.factor_on': 'On',
  'super_admins.factor_off': 'Not set up',
  'super_admins.reset': 'Remove the second step',
  'super_admins.reset_of': 'Remove the second step: {{name}}',
  'super_admins.reset_ask': 'Remove the two-step sign-in of {{name}}?',
  'super_admins.reset_effect':
    'All their sessions end and their password is deleted. They get a mail with a link to set a new one, and then have to set up a new second step: nothing is open to them before that. Make sure first that it is really they who ask.',
  'super_admins.reset_done': 'The two-step sign-in is removed: {{name}}',
};
