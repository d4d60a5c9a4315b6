//! Loading, taking and giving back, as orders do it.

use std::{collections::BTreeSet, time::Duration};

use kernel::{
    money::Money,
    time::{BusinessDay, Timestamp},
};
use pricing::{PromotionKind, Restriction};
use promotions::{Applied, Loaded, PromotionQuery, Taking, give_back, load, take};
use serde_json::{Value, json};
use testkit::{Place, kit};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::{begin, customer, id, make, menu, path};

pub fn day(text: &str) -> BusinessDay {
    text.parse().unwrap()
}

pub async fn loaded(place: &Place<'_>, customer: Option<Uuid>, code: Option<&str>, on: &str) -> Loaded {
    let tx = begin(place).await;
    let asking = PromotionQuery {
        restaurant: place.restaurant,
        now: Timestamp::now(),
        day: day(on),
        customer,
        code,
        tried: None,
    };
    load(&tx, asking).await.unwrap()
}

/// An order of this customer that uses these promotions; what is lost, or the order's id.
pub async fn order(
    place: &Place<'_>, on: &str, customer: Option<Uuid>, code: Option<&str>, promotions: &[Uuid],
) -> Result<Uuid, Vec<Uuid>> {
    let tx = begin(place).await;
    let order = Uuid::now_v7();
    let taking =
        Taking { order, restaurant: place.restaurant, day: day(on), customer, code, now: Timestamp::now() };
    let amount = Money::from(100);
    let applied: Vec<_> = promotions.iter().map(|id| Applied { promotion: *id, amount }).collect();
    let lost = take(&tx, taking, &applied, None).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    if lost.is_empty() { Ok(order) } else { Err(lost) }
}

pub async fn undo(place: &Place<'_>, order: Uuid) {
    let tx = begin(place).await;
    give_back(&tx, order, Timestamp::now()).await.unwrap();
    tx.commit().await.unwrap();
}

#[testkit::test]
async fn of_a_hundred_orders_at_once_one_has_the_last_use() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let limited = id(&make(&admin, json!({"all_max_use_qty": 1})).await);
    let open = id(&make(&admin, json!({})).await);
    let mut orders = JoinSet::new();
    for _ in 0..100 {
        let place = place.clone();
        orders.spawn(async move { order(&place, "2026-01-05", None, None, &[limited, open]).await });
    }
    let found = orders.join_all().await;
    assert_eq!(found.iter().filter(|one| one.is_ok()).count(), 1);
    assert!(found.iter().flat_map(|one| one.as_ref().err()).all(|lost| lost == &[limited]));
    let uses = |row: &Value| row["use_qty"].clone();
    for promotion in [limited, open] {
        let row = admin.get(&format!("/discounts/{promotion}")).send().await.assert(200).json();
        assert_eq!(uses(&row), 1, "nothing is taken of an order that lost");
    }
    let all = loaded(&place, None, None, "2026-01-05").await;
    assert_eq!((all.uses[&limited].all, all.uses[&open].all), (1, 0), "counted where a limit asks");
}

#[testkit::test]
async fn a_use_is_given_back_once() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let (who, on) = (customer(&place, "Kis").await, "2026-01-05");
    let promotion = id(&make(&admin, json!({"all_max_use_qty": 2, "customer_max_use_qty": 2})).await);
    let first = order(&place, on, Some(who), None, &[promotion]).await.unwrap();
    order(&place, on, Some(who), None, &[promotion]).await.unwrap();
    order(&place, on, Some(who), None, &[promotion]).await.unwrap_err();
    tokio::join!(undo(&place, first), undo(&place, first));
    undo(&place, first).await;
    let uses = loaded(&place, Some(who), None, on).await.uses[&promotion];
    assert_eq!((uses.all, uses.customer), (1, 1));
    order(&place, on, Some(who), None, &[promotion]).await.unwrap();
    order(&place, on, Some(who), None, &[promotion]).await.unwrap_err();
    undo(&place, Uuid::now_v7()).await;
}

#[testkit::test]
async fn limits_count_by_everybody_customer_and_day() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let (one, other) = (customer(&place, "Kis").await, customer(&place, "Nagy").await);
    let (monday, tuesday) = ("2026-01-05", "2026-01-06");
    struct Case(Value, Vec<(&'static str, Option<Uuid>, bool)>);
    let cases = [
        Case(
            json!({"all_max_use_qty": 2}),
            vec![(monday, Some(one), true), (tuesday, None, true), (tuesday, Some(other), false)],
        ),
        Case(
            json!({"customer_max_use_qty": 1}),
            vec![
                (monday, Some(one), true),
                (tuesday, Some(one), false),
                (tuesday, Some(other), true),
                (tuesday, None, false),
            ],
        ),
        Case(
            json!({"all_max_use_qty": 1, "is_daily_discount_limit": true}),
            vec![
                (tuesday, None, true),
                (tuesday, Some(one), false),
                // An order that is a little late counts in its own day.
                (monday, Some(one), true),
                (monday, None, false),
            ],
        ),
        Case(
            json!({"all_max_use_qty": 3, "customer_max_use_qty": 1, "is_daily_discount_limit": true}),
            vec![
                (monday, Some(one), true),
                (monday, Some(one), false),
                (monday, Some(other), true),
                (tuesday, Some(one), true),
            ],
        ),
    ];
    for Case(limits, orders) in cases {
        let promotion = id(&make(&admin, limits.clone()).await);
        for (at, (on, who, taken)) in orders.into_iter().enumerate() {
            let found = order(&place, on, who, None, &[promotion]).await;
            assert_eq!(found.is_ok(), taken, "{limits}, order {at}");
        }
    }
}

#[testkit::test]
async fn a_limit_that_comes_later_counts_what_was_before() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let made = make(&admin, json!({})).await;
    let (promotion, on) = (id(&made), "2026-01-05");
    let limit = async |most: Value| {
        admin.put(&path(&made)).json(json!({"all_max_use_qty": most})).send().await.assert(200);
    };
    let first = order(&place, on, None, None, &[promotion]).await.unwrap();
    limit(json!(2)).await;
    assert_eq!(loaded(&place, None, None, on).await.uses[&promotion].all, 1);
    order(&place, on, None, None, &[promotion]).await.unwrap();
    order(&place, on, None, None, &[promotion]).await.unwrap_err();
    limit(Value::Null).await;
    order(&place, on, None, None, &[promotion]).await.unwrap();
    limit(json!(3)).await;
    order(&place, on, None, None, &[promotion]).await.unwrap_err();
    undo(&place, first).await;
    order(&place, on, None, None, &[promotion]).await.unwrap();
    order(&place, on, None, None, &[promotion]).await.unwrap_err();
}

/// An order that has looked at the limits and not yet written its use.
#[testkit::test]
async fn a_limit_waits_for_orders_that_are_under_way() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let limited = id(&make(&admin, json!({"all_max_use_qty": 5})).await);
    let open = id(&make(&admin, json!({})).await);
    let other = begin(&place).await;
    other.run("select 1 from discount where id = $1 for no key update", [limited.into()]).await.unwrap();
    let (at, saver) = (place.clone(), admin.clone());
    let under_way = tokio::spawn(async move { order(&at, "2026-01-05", None, None, &[limited, open]).await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    let body = json!({"all_max_use_qty": 1});
    let mut saved =
        tokio::spawn(async move { saver.put(&format!("/discounts/{open}")).json(body).send().await });
    assert!(tokio::time::timeout(Duration::from_millis(700), &mut saved).await.is_err(), "it waits");
    other.commit().await.unwrap();
    under_way.await.unwrap().unwrap();
    saved.await.unwrap().assert(200);
    assert_eq!(order(&place, "2026-01-05", None, None, &[open]).await, Err(vec![open]));
}

#[testkit::test]
async fn what_holds_here_is_loaded() {
    let kit = kit().await;
    let place = kit.partner().await;
    let other = kit.restaurant_of(place.partner).await;
    let owner = place.partner_admin().await;
    let names = |loaded: &Loaded| -> BTreeSet<String> {
        loaded.names.values().map(|name| name.name.clone()).collect()
    };
    assert!(loaded(&place, None, None, "2026-01-05").await.promotions.is_empty());
    make(&owner, json!({"name": "itt"})).await;
    make(&owner, json!({"name": "mindenhol", "restaurant_ids": null})).await;
    make(&owner, json!({"name": "máshol", "restaurant_ids": [other.restaurant]})).await;
    make(&owner, json!({"name": "kikapcsolva", "active": false})).await;
    make(&owner, json!({"name": "vége", "valid_till": "2020-01-01T00:00:00Z"})).await;
    make(&owner, json!({"name": "később", "valid_from": "2099-01-01T00:00:00Z"})).await;
    make(&owner, json!({"name": "kupon", "discount_type": "coupon", "code": "Őszi 🍂"})).await;
    let over = json!({"name": "lejárt kupon", "discount_type": "coupon", "code": "RÉGI",
        "valid_till": "2020-01-01T00:00:00Z"});
    make(&owner, over).await;
    let gone = make(&owner, json!({"name": "törölt"})).await;
    owner.delete(&path(&gone)).send().await.assert(204);
    let usual: BTreeSet<String> = ["itt", "mindenhol", "később", "kupon"].map(str::to_owned).into();
    let long = "a".repeat(10_000);
    let dotless = "ŐSZI 🍂";
    for (code, more) in [
        (None, None),
        (Some(dotless), None),
        (Some("  régi "), Some("lejárt kupon")),
        (Some(long.as_str()), None),
        (Some("\0"), None),
        (Some("🍕"), None),
        (Some(""), None),
    ] {
        let mut expected = usual.clone();
        expected.extend(more.map(str::to_owned));
        assert_eq!(names(&loaded(&place, None, code, "2026-01-05").await), expected, "{code:?}");
    }
    // Amounts are of one currency.
    let sql = format!("update {}.restaurant set currency = 'eur' where id = $1", place.schema);
    make(&owner, json!({"name": "forint", "ranges": [{"price_from": 1000}]})).await;
    kit.run(&sql, vec![place.restaurant.into()]).await;
    assert_eq!(names(&loaded(&place, None, None, "2026-01-05").await), usual);
}

#[testkit::test]
async fn prices_get_every_field() {
    let kit = kit().await;
    let place = kit.partner().await;
    let copy = kit.restaurant_of(place.partner).await;
    let owner = place.partner_admin().await;
    let own = menu(&owner).await;
    let who = customer(&place, "Kis").await;
    let fields = json!({"discount_type": "coupon", "code": "Kód", "restaurant_ids": null,
        "products_for": "exclusion", "product_category_ids": [own.category], "subproduct_ids": [own.size],
        "locked_customers": true, "login_needed": true, "stackable": false, "pickup_enabled": false,
        "platforms": ["android", "take_away"], "all_max_use_qty": 7, "customer_max_use_qty": 2,
        "time_ranges": [{"day": "mon", "from": "11:00", "till": "14:00"}],
        "range_filter_type": "by_quantity", "apply_type": "apply_per_item",
        "ranges": [{"price_from": 2, "discount_value": 0, "gifts": [{"subproduct_id": own.size,
            "quantity": 2, "quantity_type": "per_item", "discount_percentage": 50}]}]});
    let made = make(&owner, fields).await;
    let named = format!(
        "insert into {}.discount_usage (id, discount_id, shadow_customer_id) values ($1, $2, $3)",
        place.schema
    );
    kit.run(&named, vec![Uuid::now_v7().into(), id(&made).into(), who.into()]).await;
    // The menu was copied to the other restaurant: its sizes have ids of their own and the same origins.
    let size = Uuid::now_v7();
    let copied = format!(
        "with c as (insert into {0}.product_category (id, restaurant_id, origin_id, name) \
             select gen_random_uuid(), $1, origin_id, name from {0}.product_category where restaurant_id = $2 \
             returning id), \
         p as (insert into {0}.product (id, restaurant_id, origin_id, product_category_id, name) \
             select gen_random_uuid(), $1, p.origin_id, c.id, p.name from c, {0}.product p \
             where p.restaurant_id = $2 returning id) \
         insert into {0}.subproduct (id, restaurant_id, origin_id, product_id, name, price) \
             select $3, $1, s.origin_id, p.id, s.name, s.price from p, {0}.subproduct s \
             where s.restaurant_id = $2",
        place.schema
    );
    kit.run(&copied, vec![copy.restaurant.into(), place.restaurant.into(), size.into()]).await;

    let origin: Uuid = own.size.as_str().unwrap().parse().unwrap();
    for (at, gift, customer, is_named) in [(&place, origin, who, true), (&copy, size, Uuid::now_v7(), false)]
    {
        let found = loaded(at, Some(customer), Some("KÓD"), "2026-01-05").await;
        let [promotion] = &found.promotions[..] else { panic!("{found:?}") };
        assert_eq!((promotion.kind, promotion.code.as_deref()), (PromotionKind::Coupon, Some("Kód")));
        let Restriction::Exclusion(products) = &promotion.products else { panic!("{promotion:?}") };
        assert!(products.subproduct_ids.contains(&origin) && products.product_category_ids.len() == 1);
        assert_eq!(promotion.ranges[0].gifts[0].subproduct_id, gift, "the restaurant's own row");
        assert_eq!(promotion.ranges[0].gifts[0].quantity, 2);
        assert!(promotion.locked_customers && promotion.login_needed);
        assert!(!promotion.stackable && !promotion.pickup_enabled);
        let limits = (promotion.all_max_use_qty, promotion.customer_max_use_qty);
        assert_eq!(limits, (Some(7), Some(2)));
        assert_eq!(promotion.platforms, [pricing::Platform::Android, pricing::Platform::TakeAway]);
        assert_eq!((promotion.time_ranges.len(), found.uses[&id(&made)].named), (1, is_named));
    }
    // At the other restaurant the editor knows the size by its own id.
    let there = copy.admin().await.get(&path(&made)).send().await.assert(200).json();
    assert_eq!(there["subproduct_ids"], json!([size]));
    assert_eq!(there["ranges"][0]["gifts"][0]["subproduct"]["id"], json!(size));
    let back = copy.partner_admin().await.put(&path(&made)).json(there).send().await.assert(200).json();
    assert_eq!(back["subproduct_ids"], json!([size]));
    let here = owner.get(&path(&made)).send().await.assert(200).json();
    assert_eq!(here["subproduct_ids"], json!([own.size]), "kept by origin");
}
