export default {
  'socials.lead':
    'Az étterem oldalai, ahová a vendégek a webshopból és az alkalmazásból eljuthatnak. Ami üres, az nem látszik.',
  'socials.networks': 'Oldalak',
  'socials.facebook': 'Facebook-oldal',
  'socials.instagram': 'Instagram-oldal',
  'socials.youtube': 'YouTube-csatorna',
  'socials.twitter': 'Twitter (X)-oldal',
  'socials.blog': 'Blog vagy más honlap',
  'socials.tumblr': 'Tumblr-oldal',
  'socials.invalid': 'Érvénytelen webcím: https:// kezdetű legyen, és a hálózat saját oldalára mutasson.',
  'socials.reset': 'Visszaállítás',
};
