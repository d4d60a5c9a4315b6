//! What orders use of the catalogue: the snapshot, and quantities under concurrency.

use std::collections::HashMap;

use catalogue::{Snapshot, SnapshotRequest, Today};
use futures_util::{StreamExt, stream};
use kernel::{
    money::{Currency, Money, Percent},
    time::Timestamp,
};
use pricing::{Cart, CartItem, Config, Deposit, Fees, Place as DeliveryPlace, Platform, Tips, acceptable};
use serde_json::{Value, json};
use tenants::{Entry, TenantTx};
use testkit::{Place, kit};
use uuid::Uuid;

use super::{GLUTEN, VAT_5, VAT_18, category, make, product, text};

/// A unit of work as an API key of the restaurant has it.
pub async fn unit_of_work(place: &Place<'_>) -> TenantTx {
    place.kit.app.door.begin(&entry(place).await).await.unwrap().unwrap().0
}

pub async fn entry(place: &Place<'_>) -> Entry {
    place.api_key(&["menu:read"]).await;
    let sql = "select hash from control.api_key where partner_id = $1 and $2 = any (restaurant_ids) and \
        archived_at is null";
    let row = place.kit.row(sql, vec![place.partner.into(), place.restaurant.into()]).await;
    Entry::Key {
        hash: row.try_get("", "hash").unwrap(),
        partner: place.partner,
        restaurant: place.restaurant,
    }
}

fn id(value: &Value) -> Uuid {
    text(value).parse().unwrap()
}

/// Lines of these sub-products.
fn sold(subproducts: &[Uuid]) -> SnapshotRequest<'_> {
    SnapshotRequest { subproducts, ..SnapshotRequest::default() }
}

#[testkit::test]
async fn a_snapshot_has_everything_resolved() {
    let kit = kit().await;
    let (place, other) = (kit.restaurant().await, kit.restaurant().await);
    let admin = place.admin().await;
    let drinks = category(&admin, "Italok", None).await;
    let beers = category(&admin, "Sörök", Some(&drinks)).await;
    let range = json!([{"day": "every_day", "from": "10:00", "till": "22:00"}]);
    let body = json!({"vat_id": VAT_18, "has_tip": false, "visible_phone": false, "time_ranges": range,
        "available_to": "2099-01-01T00:00:00Z"});
    admin.put(&format!("/product-categories/{drinks}")).json(body).send().await.assert(200);
    admin
        .put(&format!("/product-categories/{beers}"))
        .json(json!({"available_to": "2090-01-01T00:00:00Z", "expected_at": "2020-01-01T00:00:00Z"}))
        .send()
        .await
        .assert(200);
    let ice = make(
        &admin,
        "/option-groups",
        json!({"name": "Jég", "name_sec_lang": "Ice", "type": "exclusive", "visible_phone": false}),
    )
    .await;
    let options = format!("/option-groups/{}/options", text(&ice["id"]));
    let with = make(
        &admin,
        &options,
        json!({"name": "Jéggel", "name_sec_lang": "With", "price": 50, "visible_phone": true}),
    )
    .await;
    let without = make(&admin, &options, json!({"name": "Jég nélkül", "active": false})).await;
    let empty =
        make(&admin, "/option-groups", json!({"name": "Üres", "type": "inclusive", "active": false})).await;
    let body = json!({"name": "Világos", "name_sec_lang": "Lager", "sit_in_vat_id": VAT_5, "subproducts": [
        {"name": "Pohár", "name_sec_lang": "Glass", "price": 600, "allergenic_ids": [GLUTEN],
            "option_group_ids": [empty["id"], ice["id"]], "sellable_quantity": 7},
        {"name": "Korsó", "price": 990, "active": false}]});
    let beer = make(&admin, &format!("/product-categories/{beers}/products"), body).await;
    let (glass, mug) = (id(&beer["subproducts"][0]["id"]), id(&beer["subproducts"][1]["id"]));
    let theirs = other.admin().await;
    let foreign = category(&theirs, "Más", None).await;
    let foreign = id(&product(&theirs, &foreign, "Más", 1).await["subproducts"][0]["id"]);
    let gone = product(&admin, &beers, "Régi", 1).await;
    admin.delete(&super::path(&gone)).send().await.assert(204);

    let tx = unit_of_work(&place).await;
    let requested = [glass, mug, foreign, id(&gone["subproducts"][0]["id"]), Uuid::now_v7(), glass];
    // The second time it is kept.
    read(&tx, &place, sold(&requested)).await;
    let found = read(&tx, &place, sold(&requested)).await;
    assert_eq!(found.catalogue.items.len(), 2, "not those of others, not archived ones");
    let item = &found.catalogue.items[&glass];
    assert_eq!(
        (item.price, item.vat, item.sit_in_vat),
        (Money::from(600), Percent(18.into()), Some(Percent(5.into())))
    );
    assert_eq!((item.active, item.service_fee, item.sellable_quantity), (true, Some(false), Some(7)));
    assert!(item.visible.online && !item.visible.phone);
    assert_eq!(item.time_ranges.len(), 1);
    assert_eq!(item.available_to, Some("2090-01-01T00:00:00Z".parse().unwrap()));
    assert_eq!(item.published_at, Some("2020-01-01T00:00:00Z".parse().unwrap()));
    assert_eq!(item.option_group_ids, [id(&empty["id"]), id(&ice["id"])], "in their order");
    assert!(!found.catalogue.items[&mug].active);
    let group = &found.catalogue.option_groups[&id(&ice["id"])];
    assert_eq!(
        (group.active, group.min_no_options, group.max_no_options, group.visible.phone),
        (true, 1, 1, false)
    );
    assert_eq!(
        group.options.iter().map(|option| (option.id, option.active)).collect::<Vec<_>>(),
        [(id(&with["id"]), true), (id(&without["id"]), false)]
    );
    assert_eq!(
        (group.options[0].price, group.options[0].visible.phone, group.options[1].visible.phone),
        (Money::from(50), true, false)
    );
    assert!(!found.catalogue.option_groups[&id(&empty["id"])].active);
    let names = &found.item_names[&glass];
    assert_eq!(
        (names.product.as_str(), names.product_sec_lang.as_deref(), names.subproduct_sec_lang.as_deref()),
        ("Világos", Some("Lager"), Some("Glass"))
    );
    assert_eq!(names.ordered(), ("Világos, Pohár".to_owned(), Some("Lager, Glass".to_owned())));
    let names = &found.option_names[&id(&with["id"])];
    assert_eq!(
        (
            names.option.as_str(),
            names.option_sec_lang.as_deref(),
            names.group.as_str(),
            names.group_sec_lang.as_deref()
        ),
        ("Jéggel", Some("With"), "Jég", Some("Ice"))
    );
    assert!(read(&tx, &place, sold(&[])).await.catalogue.items.is_empty());
}

/// A business day that is far from its end.
pub fn today() -> Today {
    let now = Timestamp::now();
    Today { now, ends: now.plus_minutes(600) }
}

/// A snapshot of the version that the unit of work sees.
async fn read(tx: &TenantTx, place: &Place<'_>, wanted: SnapshotRequest<'_>) -> Snapshot {
    let version = restaurants::facts(tx, place.restaurant).await.unwrap().catalogue_version;
    catalogue::snapshot(tx, place.restaurant, version, wanted).await.unwrap()
}

/// What is kept of a catalogue never hides a change, a piece that was taken, or an archived row.
#[testkit::test]
async fn what_is_kept_follows_every_change() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let drinks = category(&admin, "Italok", None).await;
    let group = make(&admin, "/option-groups", json!({"name": "Jég", "type": "inclusive"})).await;
    let options = format!("/option-groups/{}/options", text(&group["id"]));
    let ice = make(&admin, &options, json!({"name": "Jéggel", "price": 50})).await;
    let body = json!({"name": "Limonádé", "subproducts": [
        {"name": "Pohár", "price": 600, "option_group_ids": [group["id"]], "sellable_quantity": 7},
        {"name": "Kancsó", "price": 1800}]});
    let lemonade = make(&admin, &format!("/product-categories/{drinks}/products"), body).await;
    let sizes = [id(&lemonade["subproducts"][0]["id"]), id(&lemonade["subproducts"][1]["id"])];
    let seen = async || {
        let tx = unit_of_work(&place).await;
        let found = read(&tx, &place, sold(&sizes)).await;
        let item = |id| found.catalogue.items.get(id).map(|item| (item.price, item.sellable_quantity));
        let groups = found.catalogue.option_groups.values();
        let options: Vec<Money> =
            groups.flat_map(|group| &group.options).map(|option| option.price).collect();
        (sizes.each_ref().map(item), options)
    };
    let money = |amount: i64| Money::from(amount);
    let (glass, jug) = (Some((money(600), Some(7))), Some((money(1800), None)));
    for _ in 0..2 {
        assert_eq!(seen().await, ([glass, jug], vec![money(50)]));
    }
    let tx = unit_of_work(&place).await;
    assert!(
        catalogue::take_quantities(&tx, place.restaurant, &[(sizes[0], 3)], today())
            .await
            .unwrap()
            .is_empty()
    );
    tx.commit().await.unwrap();
    let glass = Some((money(600), Some(4)));
    assert_eq!(seen().await, ([glass, jug], vec![money(50)]), "pieces are read each time");
    let cheaper = json!({"price": 40});
    admin.put(&format!("{options}/{}", text(&ice["id"]))).json(cheaper).send().await.assert(200);
    assert_eq!(seen().await, ([glass, jug], vec![money(40)]));
    let sized = json!({"subproducts": [{"id": sizes[0], "name": "Pohár", "price": 650},
        {"id": sizes[1], "name": "Kancsó", "price": 1800, "sellable_quantity": 2}]});
    admin.put(&super::path(&lemonade)).json(sized).send().await.assert(200);
    assert_eq!(seen().await, ([Some((money(650), Some(4))), Some((money(1800), Some(2)))], vec![money(40)]));
    admin.delete(&format!("/option-groups/{}", text(&group["id"]))).send().await.assert(204);
    assert_eq!(seen().await.1, []);
    admin.delete(&super::path(&lemonade)).send().await.assert(204);
    for _ in 0..2 {
        assert_eq!(seen().await, ([None, None], vec![]));
    }
}

fn config() -> Config {
    let all = kernel::time::Day::ALL.map(|day| kernel::time::OpeningHours {
        day,
        open_at: "00:00".parse().unwrap(),
        close_at: "00:00".parse().unwrap(),
    });
    Config {
        currency: Currency::Huf,
        schedule: kernel::time::Schedule {
            zone: kernel::time::Tz::Europe__Budapest,
            hours: all.to_vec(),
            holidays: vec![],
            sos: kernel::time::SosClose::Off,
        },
        normal_delivery: true,
        normal_pickup: true,
        preorder_delivery: false,
        preorder_pickup: false,
        min_days_to_preorder: 0,
        days_to_preorder: 1,
        min_preorder_pickup_diff: 0,
        min_preorder_delivery_diff: 0,
        min_order_price: Money::ZERO,
        payable: true,
        restaurant_id: Uuid::nil(),
        place: DeliveryPlace::NotAsked,
        delivery_vat: Config::DELIVERY_VAT,
        fees: Fees::default(),
        deposit: Deposit::default(),
        courier_tip_available: false,
        point_cash_ratio: Percent::ZERO,
        delivery_override: false,
        max_discount_percent: None,
        uses: HashMap::new(),
        conceal_customers: true,
        staff: false,
        now: Timestamp::now(),
    }
}

/// In every combination of switched off, hidden, sold out and out of time: exactly what the menu offers can
/// be ordered.
#[testkit::test]
async fn the_menu_and_pricing_agree() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let never = json!([{"day": "every_day", "from": "04:00", "till": "04:01"}, {"day": "every_day",
        "from": "04:01", "till": "04:02"}]);
    let switches = [
        json!({}),
        json!({"active": false}),
        json!({"visible_online": false}),
        json!({"visible_online": true, "visible_phone": false}),
        json!({"available_to": "2020-01-01T00:00:00Z"}),
        json!({"expected_at": "2099-01-01T00:00:00Z"}),
    ];
    let mut subproducts = Vec::new();
    for (at, outer) in switches.iter().chain([&json!({"time_ranges": never})]).enumerate() {
        let mut body = json!({"name": format!("K{at}")});
        body.as_object_mut().unwrap().extend(outer.as_object().unwrap().clone());
        let own = text(&make(&admin, "/product-categories", body).await["id"]);
        for (number, inner) in switches.iter().enumerate() {
            let mut body = json!({"name": format!("T{number}"), "subproducts": [
                {"name": "a", "price": 100}, {"name": "b", "price": 100, "visible_online": true},
                {"name": "c", "price": 100, "sellable_quantity": 0},
                {"name": "d", "price": 100, "sellable_quantity": 1}, {"name": "e", "price": 100,
                    "active": false}]});
            body.as_object_mut().unwrap().extend(inner.as_object().unwrap().clone());
            let made = make(&admin, &format!("/product-categories/{own}/products"), body).await;
            subproducts.extend(made["subproducts"].as_array().unwrap().iter().map(|row| id(&row["id"])));
        }
    }
    let tx = unit_of_work(&place).await;
    let snapshot = read(&tx, &place, sold(&subproducts)).await;
    drop(tx);
    let channels = [
        ("online", Platform::Browser),
        ("phone", Platform::Phone),
        ("sit_in", Platform::SitIn),
        ("kiosk_take_away", Platform::KioskTakeAway),
    ];
    for (channel, platform) in channels {
        let menu = admin.get(&format!("/public/menu?channel={channel}")).send().await.assert(200).json();
        let products = menu["categories"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|category| category["products"].as_array().unwrap());
        let rows = products.flat_map(|product| product["subproducts"].as_array().unwrap());
        let offered: Vec<Uuid> =
            rows.filter(|row| row["available"] == true).map(|row| id(&row["id"])).collect();
        assert!(!offered.is_empty());
        for subproduct_id in &subproducts {
            let items = vec![CartItem { subproduct_id: *subproduct_id, quantity: 1, options: vec![] }];
            let cart = Cart {
                platform,
                pickup: true,
                table: None,
                expected_at: None,
                items,
                tips: Tips::default(),
                coupon_code: None,
                gift_choices: Vec::new(),
                staff_discount: None,
                customer: None,
                by_points: Money::ZERO,
            };
            let reasons = acceptable(&snapshot.catalogue, &[], &cart, &config());
            assert_eq!(
                reasons.is_empty(),
                offered.contains(subproduct_id),
                "{channel} {subproduct_id}: {reasons:?}"
            );
        }
    }
}

#[testkit::test]
async fn many_take_and_nobody_takes_too_much() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let soups = category(&admin, "Levesek", None).await;
    let body = json!({"name": "Leves", "subproducts": [{"name": "A", "price": 1, "sellable_quantity": 10},
        {"name": "B", "price": 1, "sellable_quantity": 10},
        {"name": "C", "price": 1}]});
    let soup = make(&admin, &format!("/product-categories/{soups}/products"), body).await;
    let ids: Vec<Uuid> = (0..3).map(|at| id(&soup["subproducts"][at]["id"])).collect();
    let entry = entry(&place).await;
    let orders = (0..30).map(|number| {
        let (ids, entry, place) = (ids.clone(), entry.clone(), place.clone());
        async move {
            // Half of them name the two the other way round: the order of locks is that of the ids.
            let mut pieces = vec![(ids[0], 1), (ids[1], 1), (ids[2], 5)];
            if number % 2 == 0 {
                pieces.reverse();
            }
            let (tx, _) = place.kit.app.door.begin(&entry).await.unwrap().unwrap();
            let missing = catalogue::take_quantities(&tx, place.restaurant, &pieces, today()).await.unwrap();
            if missing.is_empty() {
                tx.commit().await.unwrap();
            }
            missing
        }
    });
    // Few enough that a busy machine opens their connections in time.
    let outcomes: Vec<_> = stream::iter(orders).buffer_unordered(5).collect().await;
    assert_eq!(outcomes.iter().filter(|missing| missing.is_empty()).count(), 10);
    assert!(
        outcomes
            .iter()
            .filter(|missing| !missing.is_empty())
            .all(|missing| missing.len() == 2 && !missing.contains(&ids[2]))
    );
    let left = || async {
        admin.get(&super::path(&soup)).send().await.json()["subproducts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["sellable_quantity"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(left().await, [json!(0), json!(0), Value::Null]);

    let (tx, _) = place.kit.app.door.begin(&entry).await.unwrap().unwrap();
    catalogue::give_back(
        &tx,
        place.restaurant,
        &[(ids[0], 2), (ids[0], 1), (ids[2], 4), (Uuid::now_v7(), 1)],
        today(),
    )
    .await
    .unwrap();
    assert_eq!(
        catalogue::take_quantities(&tx, place.restaurant, &[(ids[0], 2), (ids[0], 2)], today())
            .await
            .unwrap(),
        [ids[0]],
        "the same one counts together"
    );
    tx.commit().await.unwrap();
    assert_eq!(left().await, [json!(3), json!(0), Value::Null]);

    // Items of another restaurant are never answered.
    let other = place.kit.restaurant().await;
    let tx = unit_of_work(&other).await;
    assert!(
        catalogue::take_quantities(&tx, other.restaurant, &[(ids[0], 1)], today()).await.unwrap().is_empty()
    );
    catalogue::give_back(&tx, other.restaurant, &[(ids[0], 1)], today()).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(left().await[0], 3);
}
