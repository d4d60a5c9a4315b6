export default {
  'announcements.new': 'New announcement',
  'announcements.empty_title': 'No announcements yet',
  'announcements.empty':
    'Write an announcement: from the given time everybody who uses the product in its language sees it until they have read it.',
  'announcements.lead':
    'A message that opens for everybody who works in its language. Whoever has confirmed it does not see it again.',
  'announcements.message': 'Message',
  'announcements.message_help':
    'Two languages need two announcements. Simple HTML is possible: paragraphs, lists, emphasis, links.',
  'announcements.lang': 'Language',
  'announcements.lang.hu': 'Hungarian',
  'announcements.lang.en': 'English',
  'announcements.show_at': 'Shown from',
  'announcements.show_at_help': 'At once when empty.',
  'announcements.archived': 'Archived',
  'announcements.state': 'State',
  'announcements.state_waiting': 'Scheduled',
  'announcements.state_shown': 'Shown',
  'announcements.state_archived': 'Archived',
  'announcements.confirmations': 'Read by',
};
