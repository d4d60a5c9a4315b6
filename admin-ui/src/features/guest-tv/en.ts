export default {
  'restaurant_tvs.new': 'New guest TV',
  'restaurant_tvs.empty_title': 'No guest TVs yet',
  'restaurant_tvs.empty':
    'A display on which guests see which order is being prepared and which is ready. It shows numbers only.',
  'restaurant_tvs.name': 'Name',
  'restaurant_tvs.background_color': 'Background colour',
  'restaurant_tvs.background_color_help': 'The letters follow it.',
  'restaurant_tvs.background_id': 'Background picture',
  'restaurant_tvs.background_id_help':
    'Landscape, 1920 × 1080 pixels at best. The colour lies over it as a veil, so that the numbers can be read.',
  'restaurant_tvs.enable_sound': 'Sound',
  'restaurant_tvs.enable_sound_help':
    'Chimes when an order becomes ready. Many browsers are mute until the first touch.',
  'restaurant_tvs.channels': 'These orders are shown',
  'restaurant_tvs.sit_in_order': 'Eaten here',
  'restaurant_tvs.take_away_order': 'Take-away',
  'restaurant_tvs.online_order': 'Online, fetched',
  'restaurant_tvs.phone_order': 'By phone, fetched',
  'restaurant_tvs.tv_url': 'Address of the display',
  'restaurant_tvs.tv_url_help':
    'Open it in the TV’s browser; no signing in. Whoever has it sees the numbers, nothing else.',
  'restaurant_tvs.no_url': 'This display has no address now: its device was revoked.',
  'restaurant_tvs.open': 'Open',
  'restaurant_tvs.make': 'Make an address',
  'restaurant_tvs.renew': 'New address',
  'restaurant_tvs.renew_title': 'Give “{{name}}” a new address?',
  'restaurant_tvs.renew_effect': 'The address so far ends at once: what was opened with it goes dark.',
  'restaurant_tvs.renewed': 'The new address is there.',
};
