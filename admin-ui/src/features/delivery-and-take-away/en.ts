export default {
  'restaurants_delivery.lead': 'How food reaches the guest, and how far ahead one can order.',
  'restaurants_delivery.normal': 'As soon as possible',
  'restaurants_delivery.normal_delivery': 'Delivery',
  'restaurants_delivery.normal_delivery_help':
    'The courier takes it once it is ready. The switch takes effect at once. Where to and for how much is said by the delivery regions; as long as there has been none, every address is accepted, without a delivery fee.',
  'restaurants_delivery.normal_pickup': 'Take-away',
  'restaurants_delivery.normal_pickup_help':
    'The guest fetches it once it is ready. The switch takes effect at once.',
  'restaurants_delivery.preorder': 'Preorders',
  'restaurants_delivery.preorder_text':
    'The guest orders for a later time. Switches and limits are saved together.',
  'restaurants_delivery.preorder_delivery': 'Delivery at a wanted time',
  'restaurants_delivery.preorder_delivery_help': 'Where to and for how much: as the delivery regions say.',
  'restaurants_delivery.preorder_pickup': 'Take-away at a wanted time',
  'restaurants_delivery.min_days_to_preorder': 'Not sooner than in',
  'restaurants_delivery.min_days_to_preorder_help': '0: today too.',
  'restaurants_delivery.days_to_preorder': 'Not later than in',
  'restaurants_delivery.days_order': 'Not fewer than the soonest day.',
  'restaurants_delivery.min_preorder_delivery_diff': 'Before a delivery at least',
  'restaurants_delivery.min_preorder_pickup_diff': 'Before a take-away at least',
  'restaurants_delivery.preorder_notification_mins_before_expected': 'Shown among fresh orders before it',
  'restaurants_delivery.preorder_notification_mins_before_expected_help':
    'It calls the kitchen this many minutes before the wanted time.',
  'restaurants_delivery.where': 'Without regions',
  'restaurants_delivery.where_text': 'Counts only while no delivery region is active.',
  'restaurants_delivery.no_region': 'Where you deliver',
  'restaurants_delivery.no_region_help':
    'Empty: as long as there has been no region, everywhere, without a fee.',
  'restaurants_delivery.no_region.nowhere': 'Nowhere',
  'restaurants_delivery.no_region.everywhere': 'Everywhere, without a fee',
  'restaurants_delivery.value': 'Order value',
  'restaurants_delivery.min_order_price': 'Minimum order of a delivery',
  'restaurants_delivery.min_order_price_help': 'Empty or 0: no such limit.',
  'restaurants_delivery.minutes': 'min',
  'restaurants_delivery.days': 'days',
};
