export default {
  'restaurants_points.lead':
    'Guests who are known get points for the value of the food, and can pay with them.',
  'restaurants_points.off': 'Points are not switched on here',
  'restaurants_points.off_text':
    'What you set here has no effect until then: guests get no points, and shops show no share. The operator of the service switches it on.',
  'restaurants_points.share': 'How many points',
  'restaurants_points.point_cash_ratio': 'Share that goes back',
  'restaurants_points.point_cash_ratio_help':
    'With 5% there are 200 points for 4,000 Ft, and 1 point is worth 1 Ft. 0: no points.',
};
