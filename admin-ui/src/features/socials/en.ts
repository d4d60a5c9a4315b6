export default {
  'socials.lead':
    'The restaurant’s pages to which guests get from web shop and app. What is empty is not shown.',
  'socials.networks': 'Pages',
  'socials.facebook': 'Facebook page',
  'socials.instagram': 'Instagram page',
  'socials.youtube': 'YouTube channel',
  'socials.twitter': 'Twitter (X) page',
  'socials.blog': 'Blog or another site',
  'socials.tumblr': 'Tumblr page',
  'socials.invalid': 'Invalid URL: it must begin with https:// and lead to the network’s own site.',
  'socials.reset': 'Reset',
};
