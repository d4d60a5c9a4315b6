export default {
  'restaurants_points.lead': 'Az ismert vendégek pontot kapnak az ételek értéke után, és azzal fizethetnek.',
  'restaurants_points.off': 'Itt nincs bekapcsolva a pontgyűjtés',
  'restaurants_points.off_text':
    'Amit itt beállítasz, addig nem hat: a vendégek nem kapnak pontot, és a webshop sem mutat arányt. A szolgáltatás üzemeltetője kapcsolja be.',
  'restaurants_points.share': 'Mennyi pont jár',
  'restaurants_points.point_cash_ratio': 'Visszajáró rész',
  'restaurants_points.point_cash_ratio_help':
    '5 % mellett 4 000 Ft után 200 pont jár, és 1 pont 1 Ft-ot ér. 0: nincs pontgyűjtés.',
};
