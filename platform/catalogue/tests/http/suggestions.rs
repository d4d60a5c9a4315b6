//! Featured products and category upsells.

use serde_json::{Value, json};
use testkit::{Client, kit};
use uuid::Uuid;

use super::{NOBODY, audited, category, make, names, path, product, text, version};

const FEATURED: &str = "/featured-products";
const UPSELLS: &str = "/product-category-upsells";

async fn read(client: &Client<'_>, path: &str) -> Value {
    client.get(path).send().await.assert(200).json()
}

async fn feature(admin: &Client<'_>, product: &Value) -> Value {
    make(admin, FEATURED, json!({"product_id": product["id"]})).await
}

async fn menu(admin: &Client<'_>) -> (Value, Value) {
    let menu = read(admin, "/public/menu").await;
    (menu["featured_product_ids"].clone(), menu["category_upsells"].clone())
}

#[testkit::test]
async fn featured_products_stand_in_their_order() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Pizzák", None).await;
    let sizes = json!({"name": "Margherita", "name_sec_lang": "Margherita EN", "subproducts": [
        {"name": "32 cm", "price": 2490}, {"name": "45 cm", "price": 3990}]});
    let margherita = make(&admin, &format!("/product-categories/{home}/products"), sizes).await;
    let (diavola, bianca) =
        (product(&admin, &home, "Diavola", 2890).await, product(&admin, &home, "Bianca", 2690).await);
    let before = version(&place).await;
    let body = json!({"product_id": margherita["id"]});
    let first = admin.post(FEATURED).key("k").json(body.clone()).send().await.assert(201).json();
    assert_eq!(admin.post(FEATURED).key("k").json(body.clone()).send().await.assert(201).json(), first);
    assert_eq!(version(&place).await, before + 1);
    let (action, details) = audited(&place).await;
    assert_eq!((action.as_str(), &details["product_id"][1]), ("featured_products_create", &margherita["id"]));
    let shown = json!({"id": first["id"], "product_id": margherita["id"], "ranking": 0, "version": 1,
        "name": "Margherita", "name_sec_lang": "Margherita EN", "product_category_id": home, "image": null,
        "active": true, "lowest_price": 2490, "highest_price": 3990});
    assert_eq!(first, shown);
    let second = feature(&admin, &diavola).await;
    let third = feature(&admin, &bianca).await;

    // What is refused leaves the list as it was.
    let there = kit().await.restaurant().await;
    let neighbour = there.admin().await;
    let theirs = product(&neighbour, &category(&neighbour, "Pizzák", None).await, "Másé", 990).await;
    for (id, fault) in [
        (&margherita["id"], "not_unique"),
        (&theirs["id"], "not_exist"),
        (&json!(NOBODY), "not_exist"),
        (&Value::Null, "required"),
    ] {
        let refusal =
            admin.post(FEATURED).json(json!({"product_id": id})).send().await.assert_keys(&["product_id"]);
        assert_eq!(refusal.json()["faults"][0]["fault"], fault, "{id}");
    }
    let ids = json!([third["id"], first["id"], second["id"]]);
    let ranking = format!("{FEATURED}/ranking");
    admin.put(&ranking).json(json!({"featured_product_ids": ids})).send().await.assert(204);
    let order = ["Bianca", "Margherita", "Diavola"];
    for (ids, keys) in [
        (json!([third["id"], first["id"]]), vec!["featured_product_ids"]),
        (json!([third["id"], third["id"], first["id"], second["id"]]), vec!["featured_product_ids.1"]),
        (json!([first["id"], second["id"], third["id"], Uuid::now_v7()]), vec!["featured_product_ids.3"]),
    ] {
        admin.put(&ranking).json(json!({"featured_product_ids": ids})).send().await.assert_keys(&keys);
        assert_eq!(names(&read(&admin, FEATURED).await), order);
    }
    let there = feature(&neighbour, &theirs).await;
    let at = format!("{FEATURED}/{}", text(&there["id"]));
    admin.delete(&at).send().await.assert_problem(404, "FEATURED_PRODUCT_NOT_EXIST");

    // Guests see them in this order, but for those that the menu does not show.
    assert_eq!(menu(&admin).await.0, json!([bianca["id"], margherita["id"], diavola["id"]]));
    admin.put(&path(&margherita)).json(json!({"active": false})).send().await.assert(200);
    assert_eq!(menu(&admin).await.0, json!([bianca["id"], diavola["id"]]));
    assert_eq!(read(&admin, FEATURED).await[1]["active"], false);

    // An archived product leaves the list, which is then sorted without it.
    admin.delete(&path(&bianca)).send().await.assert(204);
    assert_eq!(names(&read(&admin, FEATURED).await), ["Margherita", "Diavola"]);
    admin.post(FEATURED).json(json!({"product_id": bianca["id"]})).send().await.assert_keys(&["product_id"]);
    let ids = json!([second["id"], first["id"]]);
    admin.put(&ranking).json(json!({"featured_product_ids": ids})).send().await.assert(204);
    let removed = format!("{FEATURED}/{}", text(&second["id"]));
    admin.delete(&removed).send().await.assert(204);
    admin.delete(&removed).send().await.assert_problem(404, "FEATURED_PRODUCT_NOT_EXIST");
    assert_eq!(audited(&place).await.0, "featured_products_delete");
    feature(&admin, &diavola).await;
    assert_eq!(names(&read(&admin, FEATURED).await), ["Margherita", "Diavola"], "added again as the last");
}

#[testkit::test]
async fn a_product_is_featured_once_by_two_at_once() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Levesek", None).await;
    let soup = product(&admin, &home, "Gulyás", 1800).await;
    let body = || json!({"product_id": soup["id"]});
    let (one, other) =
        tokio::join!(admin.post(FEATURED).json(body()).send(), admin.post(FEATURED).json(body()).send(),);
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 422]);
}

#[testkit::test]
async fn upsells_suggest_categories_that_are_shown() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let [pizza, drinks, sweets] = [
        category(&admin, "Pizzák", None).await,
        category(&admin, "Italok", None).await,
        category(&admin, "Desszertek", None).await,
    ];
    for (home, name) in [(&pizza, "Margherita"), (&drinks, "Kóla"), (&sweets, "Tiramisu")] {
        product(&admin, home, name, 990).await;
    }
    let before = version(&place).await;
    let body = json!({"suggested_category_id": drinks, "product_category_id": pizza});
    let after_pizza = admin.post(UPSELLS).key("k").json(body.clone()).send().await.assert(201).json();
    assert_eq!(admin.post(UPSELLS).key("k").json(body.clone()).send().await.assert(201).json(), after_pizza);
    assert_eq!(version(&place).await, before + 1);
    let every = make(&admin, UPSELLS, json!({"suggested_category_id": sweets})).await;
    assert_eq!(
        read(&admin, UPSELLS).await,
        json!([
            {"id": every["id"], "suggested_category_id": sweets, "product_category_id": null, "name": "Desszertek",
                "product_category_name": null, "active": true, "version": 1},
            {"id": after_pizza["id"], "suggested_category_id": drinks, "product_category_id": pizza,
                "name": "Italok", "product_category_name": "Pizzák", "active": true, "version": 1},
        ])
    );
    let shown = |pairs: &[(Option<&String>, &String)]| {
        pairs.iter().map(|(after, suggested)| json!({"product_category_id": after, "suggested_category_id": suggested})).collect::<Value>()
    };
    assert_eq!(menu(&admin).await.1, shown(&[(None, &sweets), (Some(&pizza), &drinks)]));

    let there = kit().await.restaurant().await;
    let theirs = category(&there.admin().await, "Másé", None).await;
    let at = format!("{UPSELLS}/{}", text(&after_pizza["id"]));
    let gone = category(&admin, "Volt", None).await;
    admin.delete(&format!("/product-categories/{gone}")).send().await.assert(204);
    let (suggested, after) = ("suggested_category_id", "product_category_id");
    for (body, key, fault) in [
        (json!({suggested: null, after: pizza}), suggested, "required"),
        (json!({suggested: pizza, after: pizza}), after, "invalid"),
        (json!({suggested: theirs, after: pizza}), suggested, "not_exist"),
        (json!({suggested: gone, after: null}), suggested, "not_exist"),
        (json!({suggested: drinks, after: theirs}), after, "not_exist"),
        (json!({suggested: drinks, after: gone}), after, "not_exist"),
        (json!({suggested: sweets, after: null}), suggested, "not_unique"),
    ] {
        let refusal = admin.post(UPSELLS).json(body.clone()).send().await.assert_keys(&[key]);
        assert_eq!(refusal.json()["faults"][0]["fault"], fault, "{body}");
        if fault != "required" {
            let refusal = admin.put(&at).json(body.clone()).send().await.assert_keys(&[key]);
            assert_eq!(refusal.json()["faults"][0]["fault"], fault, "changed: {body}");
        }
    }
    // The same pair again, and one that becomes it by a change of half of it.
    admin.post(UPSELLS).json(body.clone()).send().await.assert_keys(&[suggested]);
    admin.put(&at).json(json!({suggested: pizza})).send().await.assert_keys(&[after]);
    admin.put(&at).json(body).send().await.assert(200);

    let changed = admin.put(&at).json(json!({after: sweets, "version": 2})).send().await.assert(200).json();
    assert_eq!(
        (&changed[suggested], &changed[after], &changed["version"]),
        (&json!(drinks), &json!(sweets), &json!(3))
    );
    let stale = admin.put(&at).json(json!({after: null, "version": 2})).send().await;
    assert_eq!(stale.assert_problem(409, "CONFLICT").json()["current"], changed);
    let every_drink = admin.put(&at).json(json!({after: null})).send().await.assert(200).json();
    assert_eq!(every_drink["product_category_name"], Value::Null);
    assert_eq!(audited(&place).await.0, "product_category_upsells_update");
    admin.put(&at).json(json!({after: sweets})).send().await.assert(200);

    // A category that guests do not see is neither suggested nor suggests.
    let hidden = format!("/product-categories/{sweets}");
    admin.put(&hidden).json(json!({"active": false})).send().await.assert(200);
    assert_eq!(menu(&admin).await.1, json!([]));
    let list = read(&admin, UPSELLS).await;
    assert!(list.as_array().unwrap().iter().all(|row| row["active"] == false), "{list}");
    admin.put(&hidden).json(json!({"active": true})).send().await.assert(200);
    admin.delete(&format!("{UPSELLS}/{}", text(&every["id"]))).send().await.assert(204);
    assert_eq!(menu(&admin).await.1, shown(&[(Some(&sweets), &drinks)]));

    // One whose trigger is archived is gone, and does not become one of every cart.
    let cake = read(&admin, &format!("{hidden}/products")).await[0].clone();
    admin.delete(&path(&cake)).send().await.assert(204);
    admin.delete(&hidden).send().await.assert(204);
    assert_eq!(read(&admin, UPSELLS).await, json!([]));
    admin.put(&at).json(json!({})).send().await.assert_problem(404, "PRODUCT_CATEGORY_UPSELL_NOT_EXIST");
}

#[testkit::test]
async fn a_copied_restaurant_suggests_its_own_rows() {
    let place = kit().await.partner().await;
    let admin = place.admin().await;
    let (soups, drinks) = (category(&admin, "Levesek", None).await, category(&admin, "Italok", None).await);
    let (soup, cola) =
        (product(&admin, &soups, "Gulyás", 1800).await, product(&admin, &drinks, "Kóla", 600).await);
    let (first, second) = (feature(&admin, &soup).await, feature(&admin, &cola).await);
    let ids = json!({"featured_product_ids": [second["id"], first["id"]]});
    admin.put(&format!("{FEATURED}/ranking")).json(ids).send().await.assert(204);
    make(&admin, UPSELLS, json!({"suggested_category_id": drinks})).await;
    make(&admin, UPSELLS, json!({"suggested_category_id": drinks, "product_category_id": soups})).await;
    let removed = make(&admin, UPSELLS, json!({"suggested_category_id": soups})).await;
    admin.delete(&format!("{UPSELLS}/{}", text(&removed["id"]))).send().await.assert(204);

    let restaurants = format!("/api/v3/admin/partners/{}/restaurants", place.partner);
    let owner = place.partner_admin().await;
    let body = json!({"name": "Másolat", "copy_from": place.restaurant});
    let made = owner.post(&restaurants).json(body).send().await.assert(201).json();
    let own = async |path: &str| read(&owner, &format!("{restaurants}/{}{path}", text(&made["id"]))).await;
    let featured = own(FEATURED).await;
    assert_eq!(names(&featured), ["Kóla", "Gulyás"]);
    assert_ne!(featured[0]["product_id"], cola["id"]);
    let upsells = own(UPSELLS).await;
    assert_eq!(names(&upsells), ["Italok", "Italok"]);
    assert_eq!(
        (&upsells[0]["product_category_id"], &upsells[1]["product_category_name"]),
        (&Value::Null, &json!("Levesek"))
    );
    assert_ne!(upsells[0]["suggested_category_id"], json!(drinks));
}

#[testkit::test]
async fn adding_sorting_and_removing_have_keys_of_their_own() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let (soups, drinks) = (category(&admin, "Levesek", None).await, category(&admin, "Italok", None).await);
    let soup = product(&admin, &soups, "Gulyás", 1800).await;
    let featured = feature(&admin, &soup).await;
    let upsell = make(&admin, UPSELLS, json!({"suggested_category_id": drinks})).await;
    let (at, upsell) =
        (format!("{FEATURED}/{}", text(&featured["id"])), format!("{UPSELLS}/{}", text(&upsell["id"])));
    let reader = place.with_keys(&["admin_login", "order"]).await;
    let editor = place.with_keys(&["admin_login", "catalog_edit"]).await;
    let deleter = place.with_keys(&["admin_login", "catalog_delete"]).await;
    for list in [FEATURED, UPSELLS] {
        reader.get(list).send().await.assert(200);
    }
    let ranking = (format!("{FEATURED}/ranking"), json!({"featured_product_ids": [featured["id"]]}));
    for client in [&reader, &deleter] {
        for path in [FEATURED, UPSELLS] {
            client.post(path).json(json!({})).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
        }
        for path in [&ranking.0, &upsell] {
            client.put(path).json(json!({})).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
        }
    }
    editor.put(&ranking.0).json(ranking.1).send().await.assert(204);
    editor.put(&upsell).json(json!({"product_category_id": soups})).send().await.assert(200);
    for path in [&at, &upsell] {
        for client in [&reader, &editor] {
            client.delete(path).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
        }
        deleter.delete(path).send().await.assert(204);
    }
}
