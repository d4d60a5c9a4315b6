export default {
  'restaurants_system.lead':
    'SOS-zárás, szokásos szállítási idő, a rendelések számozása, és ki tudja meg, ha egyet senki nem fogad el.',
  'restaurants_system.numbers': 'Rendelésszámok és elfogadás',
  'restaurants_system.order_reset_time': 'Az üzleti nap kezdete',
  'restaurants_system.order_reset_time_help': 'Ekkor kezdődik elölről a rendelések számozása.',
  'restaurants_system.restaurant_group_id': 'Étteremcsoport',
  'restaurants_system.counter_prefix': 'Előtag a rendelésszám előtt',
  'restaurants_system.counter_prefix_help': 'Egy számjegy vagy betű, például B: B12. Üres is lehet.',
  'restaurants_system.order_accept_on_open': 'A megnyitás el is fogadja a rendelést',
  'restaurants_system.escalation': 'Rendelés, amit senki nem fogad el',
  'restaurants_system.escalate_after_minutes': 'Jelzés mindenhol ennyi idő után',
  'restaurants_system.escalate_after_minutes_help':
    'Ha egy rendelést ennyi ideig senki nem fogad el, minden bejelentkezett képernyő jelez, és az étterem e-mailt kap. Előrendelésnél a megjelenésétől számít. 0 vagy üres: soha.',
  'restaurants_system.escalate_admins_after_minutes': 'A felelősöknek ennyivel később',
  'restaurants_system.escalate_admins_after_minutes_help':
    'Ha még ezután sem fogadja el senki, azok kapnak e-mailt, akik az étterem vagy az egész cég minden jogával bírnak. Próbarendelésről senki nem kap levelet. 0 vagy üres: soha.',
  'restaurants_system.waiting': 'Egy vendég várakozó rendelései',
  'restaurants_system.max_waiting_per_phone': 'Egy telefonszámról',
  'restaurants_system.max_waiting_per_phone_help':
    'Az utolsó óra rendelései, amiket még senki nem fizetett ki és nem fogadott el. Az ennél többet a telefonszámoddal utasítjuk vissza. A munkatársak, asztalok és próbák rendelései nem számítanak.',
  'restaurants_system.max_waiting_per_guest': 'A webshop egy vendégétől',
  'restaurants_system.max_waiting_per_guest_help':
    'Ugyanez a vendég hálózati címe szerint. Egy irodának vagy háztartásnak közös címe van.',
  'restaurants_system.temp_no_orders': 'SOS-zárás',
  'restaurants_system.delivery_time': 'Szállítási idő',
  'restaurants_system.estimated_delivery_time': 'Szokásos szállítási idő',
  'restaurants_system.estimated_delivery_time_help':
    'Elfogadáskor ez az első ajánlat. Magától mentődik, amint abbahagyod a gépelést.',
  'restaurants_system.minutes': 'perc',
  'restaurants_system.minutes_range': '{{min}} és {{max}} közötti szám legyen.',
  'restaurants_system.temp_no_orders_until': 'SOS-zárás vége',
};
