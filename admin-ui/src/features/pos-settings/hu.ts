export default {
  'pos_configs.lead':
    'Szervizdíj, borravaló, betétdíj és telefonos rendelés. A változás a következő rendeléstől érvényes.',
  'pos_configs.fee': 'Szervizdíj',
  'pos_configs.service_fee': 'Mértéke',
  'pos_configs.service_fee_help': 'A kedvezmények után fizetett ár százaléka, legfeljebb két tizedessel.',
  'pos_configs.service_fee_mode': 'Mire számítjuk fel',
  'pos_configs.service_fee_mode.off': 'Nincs szervizdíj',
  'pos_configs.service_fee_mode.all_items': 'Mindenre, kivéve, amelynél ki van kapcsolva',
  'pos_configs.service_fee_mode.flagged_items': 'Csak arra, amelynél be van kapcsolva',
  'pos_configs.service_fee_mode_help': 'Tételenként a termék vagy a kategória „Szervizdíj” beállítása dönt.',
  'pos_configs.take_away_service_fee': 'Elvitelre is',
  'pos_configs.take_away_service_fee_help':
    'A pultnál és a kioszkon elvitelre kért rendelésekre is. A helyben fogyasztottakra mindig felszámítjuk.',
  'pos_configs.tips': 'Borravaló',
  'pos_configs.default_tip': 'Alapértelmezett borravaló',
  'pos_configs.default_tip_help':
    'Ez van előre kiválasztva, ahol borravalót kérünk. Üresen hagyva semmi nincs kiválasztva.',
  'pos_configs.employee_tip': 'A borravaló a pincéré',
  'pos_configs.employee_tip_help': 'Kikapcsolva a kért borravaló az étteremé.',
  'pos_configs.deposits': 'Betétdíj',
  'pos_configs.deposit_here': 'Helyben fogyasztásnál is',
  'pos_configs.deposit_here_help':
    'Kikapcsolva az itt elfogyasztott italok palackjára és dobozára nem számítunk betétdíjat.',
  'pos_configs.drawer': 'Kassza',
  'pos_configs.daily_close_limit': 'Zárások listája (nap)',
  'pos_configs.daily_close_limit_help': 'Ennyi napra visszamenőleg látszanak a kasszazárások.',
  'pos_configs.phone': 'Telefonos rendelés',
  'pos_configs.accept_at_once': 'A kézzel felvett rendelés azonnal elfogadott',
  'pos_configs.accept_at_once_help':
    'Amit telefonon vagy a pultnál vesznek fel, felvételkor elfogadott lesz a szokásos idővel. Csak annál, aki rendelést elfogadhat.',
  'pos_configs.order_accept_on_open': 'A megnyitás el is fogadja a rendelést',
  'pos_configs.default_payment_method': 'Alapértelmezett fizetési mód',
  'pos_configs.default_payment_method_help':
    'Ez van előre kiválasztva, ha telefonos rendeléshez be van kapcsolva. Üresen hagyva az első.',
  'pos_configs.default_delivery_region_id': 'Alapértelmezett körzet',
  'pos_configs.default_delivery_region_id_help':
    'Ebbe kerül a kiszállítás, ha a cím helye nem ismert, amíg a felvevő mást nem választ.',
  'pos_configs.region_off': '{{name}} (kikapcsolva)',
  'pos_configs.method_off': '{{name}} (nincs bekapcsolva)',
};
