//! What an order needs of a restaurant.

use kernel::{
    money::{Currency, Percent},
    time::{Day, HolidayType, SosClose, TimeOfDay},
};
use serde_json::json;
use tenants::{Entry, TenantTx};
use testkit::{Place, kit};

async fn unit_of_work(place: &Place<'_>) -> TenantTx {
    let kit = place.kit;
    place.api_key(&["menu:read"]).await;
    let sql = "select hash from control.api_key where partner_id = $1 and $2 = any (restaurant_ids)";
    let hash =
        kit.row(sql, vec![place.partner.into(), place.restaurant.into()]).await.try_get("", "hash").unwrap();
    let entry = Entry::Key { hash, partner: place.partner, restaurant: place.restaurant };
    kit.app.door.begin(&entry).await.unwrap().unwrap().0
}

#[testkit::test]
async fn an_order_learns_all_it_needs_at_once() {
    let place = kit().await.restaurant().await;
    place.own_group().await;
    let admin = place.admin().await;
    admin
        .put("/general")
        .json(json!({"name": "Tények", "timezone": "Europe/Lisbon", "currency": "eur"}))
        .send()
        .await
        .assert(200);
    admin
        .put("/system")
        .json(json!({"counter_prefix": "7", "order_reset_time": "03:00"}))
        .send()
        .await
        .assert(200);
    let week = json!([{"day": "tue", "open_at": "09:00", "close_at": "10:00"}, {"day": "mon",
        "open_at": "18:00", "close_at": "02:00"}]);
    admin.put("/opening-hours").json(json!({"opening_hours": week})).send().await.assert(200);
    let holiday = format!(
        "insert into {}.restaurant_holiday (id, restaurant_id, valid_from, valid_till, holiday_type, \
         open_at, close_at, archived_at) values \
         (gen_random_uuid(), $1, '2025-12-24', '2025-12-26', 'holiday_close', null, null, null), \
         (gen_random_uuid(), $1, '2025-12-31', '2025-12-31', 'holiday_open', '08:00', '12:00', now())",
        place.schema
    );
    place.kit.run(&holiday, vec![place.restaurant.into()]).await;

    let tx = unit_of_work(&place).await;
    let facts = restaurants::facts(&tx, place.restaurant).await.unwrap();
    assert_eq!(
        (facts.name.as_str(), facts.schedule.zone.name(), facts.currency),
        ("Tények", "Europe/Lisbon", Currency::Eur)
    );
    assert_eq!(
        (facts.counter_prefix.as_deref(), facts.order_reset_time),
        (Some("7"), TimeOfDay::new(3, 0).unwrap())
    );
    assert_eq!(facts.schedule.hours.iter().map(|hours| hours.day).collect::<Vec<_>>(), [Day::Mon, Day::Tue]);
    assert_eq!(facts.schedule.holidays.len(), 1, "without archived ones");
    assert_eq!(facts.schedule.holidays[0].holiday_type, HolidayType::HolidayClose);
    assert_eq!((facts.primary_language, facts.secondary_language), ("hu", None));
    assert_eq!(facts.delivery_vat, Percent(27.into()));
    assert!(facts.normal_delivery && facts.schedule.sos == SosClose::Off && facts.min_order_price.is_zero());

    let unknown = restaurants::facts(&tx, kernel::Id::new()).await.unwrap_err();
    assert_eq!(unknown.code_name(), "RESTAURANT_NOT_EXIST");
}
