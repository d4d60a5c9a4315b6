//! Categories on two levels.

use serde_json::{Value, json};
use testkit::kit;

use super::{NOBODY, SAGE, VAT_18, audited, category, make, names, path, product, text, version};

const ALL: &str = "/product-categories";

#[testkit::test]
async fn a_category_lives_and_is_archived() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let before = version(&place).await;
    let sent = json!({"name": "  Levesek ", "name_sec_lang": "Soups", "description": " ", "vat_id": VAT_18,
        "visible_phone": false, "has_tip": true,
        "available_from": "2026-01-01T00:00:00Z", "time_ranges": [{"day": "every_day", "from": "11:00",
            "till": "15:00"}],
        "ntak_quantity_unit": "portion", "pos_color_id": SAGE});
    let made = make(&admin, ALL, sent).await;
    assert_eq!(
        (&made["name"], &made["description"], &made["active"], &made["version"]),
        (&json!("Levesek"), &Value::Null, &json!(true), &json!(1))
    );
    assert_eq!(
        (&made["origin_id"], &made["ranking"], &made["children_count"]),
        (&made["id"], &json!(0), &json!(0))
    );
    assert_eq!(made["effective"]["vat"], json!({"id": VAT_18, "percent": 18, "from": "category"}));
    assert_eq!(
        made["effective"]["sit_in_vat"],
        json!({"id": VAT_18, "percent": 18, "from": "category"}),
        "nobody has set another one for what is eaten here"
    );
    assert_eq!(made["effective"]["visible_phone"], json!({"value": false, "from": "category"}));
    assert_eq!(made["effective"]["visible_online"], json!({"value": true, "from": "restaurant"}));
    assert_eq!(made["effective"]["ntak_quantity_unit"], json!({"value": "portion", "from": "category"}));
    assert_eq!(version(&place).await, before + 1);

    let own = format!("{ALL}/{}", text(&made["id"]));
    assert_eq!(admin.get(&own).send().await.assert(200).json(), made);
    let change = json!({"name": "Levesek és krémlevesek", "vat_id": null, "time_ranges": [],
        "available_from": null, "version": 1});
    let changed = admin.put(&own).json(change.clone()).send().await.assert(200).json();
    assert_eq!(
        (&changed["name"], &changed["vat_id"], &changed["time_ranges"]),
        (&json!("Levesek és krémlevesek"), &Value::Null, &Value::Null)
    );
    assert_eq!(
        (&changed["name_sec_lang"], &changed["has_tip"], &changed["version"]),
        (&json!("Soups"), &json!(true), &json!(2))
    );
    assert_eq!(changed["effective"]["vat"]["from"], "restaurant");
    assert_eq!(version(&place).await, before + 2);
    let (action, details) = audited(&place).await;
    assert_eq!(
        (action.as_str(), &details["name"]),
        ("product_categories_update", &json!(["Levesek", "Levesek és krémlevesek"]))
    );
    assert!(details.get("effective").is_none() && details.get("name_sec_lang").is_none(), "{details}");

    let stale = admin.put(&own).json(change).send().await.assert_problem(409, "CONFLICT");
    assert_eq!(stale.json()["current"], changed);
    assert_eq!(version(&place).await, before + 2, "a refusal raises nothing");

    admin.delete(&own).send().await.assert(204);
    admin.get(&own).send().await.assert_problem(404, "PRODUCT_CATEGORY_NOT_EXIST");
    admin.delete(&own).send().await.assert_problem(404, "PRODUCT_CATEGORY_NOT_EXIST");
    assert_eq!(admin.get(ALL).send().await.json(), json!([]));
}

#[testkit::test]
async fn a_whole_entity_may_be_sent_back() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let made = make(&admin, ALL, json!({"name": "Köretek"})).await;
    let answer =
        admin.put(&format!("{ALL}/{}", text(&made["id"]))).json(made.clone()).send().await.assert(200);
    assert!(answer.header("x-ignored-fields").unwrap().contains("effective"));
    assert_eq!(answer.json()["version"], 2);
}

#[testkit::test]
async fn there_are_two_levels_and_no_mixing() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let drinks = category(&admin, "Italok", None).await;
    let beers = category(&admin, "Sörök", Some(&drinks)).await;
    let soups = category(&admin, "Levesek", None).await;
    product(&admin, &soups, "Gulyás", 1800).await;

    let refused = [&beers, &soups, NOBODY];
    for parent in refused {
        admin
            .post(ALL)
            .json(json!({"name": "Nem", "parent_id": parent}))
            .send()
            .await
            .assert_keys(&["parent_id"]);
    }
    admin
        .put(&format!("{ALL}/{drinks}"))
        .json(json!({"parent_id": drinks}))
        .send()
        .await
        .assert_keys(&["parent_id"]);
    let free = category(&admin, "Egyéb", None).await;
    // A category with sub-categories cannot become one.
    admin
        .put(&format!("{ALL}/{drinks}"))
        .json(json!({"parent_id": free}))
        .send()
        .await
        .assert_keys(&["parent_id"]);
    // A category with sub-categories has no products of its own.
    let body = json!({"name": "Víz", "base_price": 500});
    admin
        .post(&format!("{ALL}/{drinks}/products"))
        .json(body)
        .send()
        .await
        .assert_keys(&["product_category_id"]);
    // One with products may stand below another; it becomes the last there and inherits from it.
    let moved = admin
        .put(&format!("{ALL}/{soups}"))
        .json(json!({"parent_id": drinks}))
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!((&moved["parent_id"], &moved["ranking"]), (&json!(drinks), &json!(1)));
    let parent = admin.get(&format!("{ALL}/{drinks}")).send().await.json();
    assert_eq!((&parent["children_count"], &parent["product_count"]), (&json!(2), &json!(0)));
    admin.put(&format!("{ALL}/{drinks}")).json(json!({"visible_online": false})).send().await.assert(200);
    let child = admin.get(&format!("{ALL}/{beers}")).send().await.json();
    assert_eq!(child["effective"]["visible_online"], json!({"value": false, "from": "parent_category"}));
    // And up again.
    let moved =
        admin.put(&format!("{ALL}/{soups}")).json(json!({"parent_id": null})).send().await.assert(200).json();
    assert_eq!(moved["parent_id"], Value::Null);
}

#[testkit::test]
async fn a_category_in_use_is_not_deleted() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let drinks = category(&admin, "Italok", None).await;
    let beers = category(&admin, "Sörök", Some(&drinks)).await;
    let beer = product(&admin, &beers, "Világos", 900).await;
    for id in [&drinks, &beers] {
        admin.delete(&format!("{ALL}/{id}")).send().await.assert_problem(409, "IN_USE");
    }
    admin.delete(&path(&beer)).send().await.assert(204);
    for id in [&beers, &drinks] {
        admin.delete(&format!("{ALL}/{id}")).send().await.assert(204);
    }
}

#[testkit::test]
async fn lists_are_ordered_and_filtered() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let drinks = category(&admin, "Italok", None).await;
    let soups = category(&admin, "Levesek", None).await;
    let beers = category(&admin, "Sörök", Some(&drinks)).await;
    let wines = category(&admin, "Borok", Some(&drinks)).await;
    product(&admin, &beers, "Csapolt Világos", 900).await;
    let list = admin.get(&format!("{ALL}?count=true")).send().await.assert(200);
    assert_eq!(list.header("x-total-count"), Some("4"));
    assert_eq!(names(&list.json()), ["Italok", "Levesek", "Sörök", "Borok"]);

    admin
        .put(&format!("{ALL}/ranking"))
        .json(json!({"product_category_ids": [wines, beers]}))
        .send()
        .await
        .assert(204);
    admin
        .put(&format!("{ALL}/ranking"))
        .json(json!({"product_category_ids": [soups, drinks]}))
        .send()
        .await
        .assert(204);
    assert_eq!(names(&admin.get(ALL).send().await.json()), ["Levesek", "Italok", "Borok", "Sörök"]);
    let below = admin.get(&format!("{ALL}?parent_id={drinks}")).send().await.json();
    assert_eq!(names(&below), ["Borok", "Sörök"]);
    assert_eq!(names(&admin.get(&format!("{ALL}?name=SOROK")).send().await.json()), ["Sörök"]);
    let found = admin.get(&format!("{ALL}?product_name=vilagos&all_products=true")).send().await.json();
    assert_eq!(names(&found), ["Sörök"]);
    assert_eq!(names(&found[0]["products"]), ["Csapolt Világos"]);
    assert_eq!(found[0]["products"][0]["subproducts"][0]["price"], 900);
    assert_eq!(
        admin.get(&format!("{ALL}?name=%25")).send().await.json(),
        json!([]),
        "a percent sign is a character"
    );
    assert!(below[0].get("products").is_none());
    assert_eq!(admin.get(&format!("{ALL}?limit=1&page=1")).send().await.json().as_array().unwrap().len(), 1);

    admin
        .put(&format!("{ALL}/ranking"))
        .json(json!({"product_category_ids": [soups, soups, NOBODY]}))
        .send()
        .await
        .assert_keys(&["product_category_ids.1", "product_category_ids.2"]);
    // All categories of one parent, and of no other.
    let refused = [
        (json!([]), "product_category_ids"),
        (json!([soups]), "product_category_ids"),
        (json!([beers]), "product_category_ids"),
        (json!([beers, wines, soups]), "product_category_ids.2"),
    ];
    for (ids, key) in refused {
        let body = json!({"product_category_ids": ids});
        admin.put(&format!("{ALL}/ranking")).json(body).send().await.assert_keys(&[key]);
    }
    assert_eq!(names(&admin.get(ALL).send().await.json()), ["Levesek", "Italok", "Borok", "Sörök"]);
}

#[testkit::test]
async fn every_fault_of_a_body_is_named_at_once() {
    let kit = kit().await;
    let (place, other) = (kit.restaurant().await, kit.restaurant().await);
    let admin = place.admin().await;
    let foreign = category(&other.admin().await, "Másé", None).await;
    let body = json!({"name": " ", "name_sec_lang": "x".repeat(101), "description": "x".repeat(2001),
        "has_tip": "yes", "ntak_quantity_unit": "barrel",
        "time_ranges": [{"day": "someday", "from": "25:00", "till": "10:00"}]});
    let keys = [
        "name", "name_sec_lang", "description", "has_tip", "ntak_quantity_unit", "time_ranges.0.day",
        "time_ranges.0.from",
    ];
    admin.post(ALL).json(body).send().await.assert_keys(&keys);
    let body = json!({"name": "Rossz", "parent_id": foreign, "vat_id": NOBODY, "sit_in_vat_id": NOBODY,
        "pos_color_id": NOBODY, "ntak_category_id": NOBODY,
        "available_from": "2026-02-01T00:00:00Z", "available_to": "2026-01-01T00:00:00Z"});
    let keys = ["parent_id", "vat_id", "sit_in_vat_id", "pos_color_id", "ntak_category_id", "available_to"];
    admin.post(ALL).json(body.clone()).send().await.assert_keys(&keys);
    let own = category(&admin, "Jó", None).await;
    admin.put(&format!("{ALL}/{own}")).json(body).send().await.assert_keys(&keys);
    assert_eq!(place.count("product_category").await, 1);
}
