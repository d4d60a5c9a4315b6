export default {
  'help.lead': 'Stuck? Choose what suits you best.',
  'help.desk': 'Help centre',
  'help.desk_text': 'Opens in a new tab, signed in with your own name: your questions and our answers.',
  'help.desk_open': 'Open the help centre',
  'help.email': 'E-mail us',
  'help.email_text': 'Write what happened, and the name of the restaurant.',
  'help.knowledge': 'Knowledge base',
  'help.knowledge_text': 'Descriptions and guides for every screen.',
  'help.knowledge_open': 'Open the knowledge base',
  'help.phone': 'Phone',
  'help.phone_text': 'Call us when it is urgent.',
  'help.not_set_up': 'Not set up on this installation.',
};
