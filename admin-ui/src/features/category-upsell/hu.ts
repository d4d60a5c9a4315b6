export default {
  'product_category_upsells.lead':
    'Amit a vendégnek ajánlunk, ha már van a kosarában valami. A kosárhoz egy kategóriát ajánl a webshop és az app.',
  'product_category_upsells.new': 'Új ajánlás',
  'product_category_upsells.empty_title': 'Még nincs kategóriaajánlás',
  'product_category_upsells.empty': 'Ajánlj például üdítőt a pizzához, vagy desszertet minden rendeléshez.',
  'product_category_upsells.suggested_category_id': 'Ajánlott kategória',
  'product_category_upsells.product_category_id': 'Ha ebből van a kosárban',
  'product_category_upsells.product_category_id_help':
    'Ha üres, minden kosárhoz ajánljuk. Ami a kategória alkategóriáiban van, az is számít.',
  'product_category_upsells.itself': 'Egy kategória nem ajánlhatja önmagát: válassz másikat.',
  'product_category_upsells.any': 'Minden kosár',
  'product_category_upsells.shown': 'Állapot',
  'product_category_upsells.pair': '{{name}}, ha ebből van a kosárban: {{after}}',
  'product_category_upsells.pair_any': '{{name}}, minden kosárhoz',
  'product_category_upsells.delete_title': 'Törlöd ezt az ajánlást: {{name}}?',
  'product_category_upsells.delete_effect': 'A webshop és az app ezt már nem ajánlja. A kategóriák maradnak.',
  'product_category_upsells.hidden': 'Most nem ajánljuk',
  'product_category_upsells.on': 'Ajánljuk',
};
