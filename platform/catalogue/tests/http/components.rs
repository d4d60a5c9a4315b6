//! What sizes consist of and what options stand for; deposits.

use futures_util::future::join;
use serde_json::{Value, json};
use testkit::{Answer, Client, kit};

use super::{NOBODY, VAT_5, audited, category, make, path, product, text, version};

/// The id of a product's first size.
fn size(product: &Value) -> String {
    text(&product["subproducts"][0]["id"])
}

/// Changes the first size of a product.
async fn change(admin: &Client<'_>, product: &Value, fields: Value) -> Answer {
    let mut row = json!({"id": size(product)});
    row.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    admin.put(&path(product)).json(json!({"subproducts": [row]})).send().await
}

/// One piece each of these products' first sizes.
fn of(products: &[&Value]) -> Value {
    products.iter().map(|product| json!({"subproduct_id": size(product), "pieces": 1})).collect()
}

/// A group with one option that stands for a size; the path of the option.
async fn option_of(admin: &Client<'_>, size: &str) -> String {
    let group = make(admin, "/option-groups", json!({"name": "Ital", "type": "exclusive"})).await;
    let options = format!("/option-groups/{}/options", text(&group["id"]));
    let option = make(admin, &options, json!({"name": "Kóla", "subproduct_id": size})).await;
    format!("{options}/{}", text(&option["id"]))
}

#[testkit::test]
async fn a_size_consists_of_others_in_their_order() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Ebéd", None).await;
    let soup = product(&admin, &home, "Leves", 900).await;
    let cola = product(&admin, &home, "Kóla", 600).await;
    let parts = json!([
        {"subproduct_id": size(&cola), "pieces": 2}, {"subproduct_id": size(&soup), "pieces": 1},
    ]);
    let before = version(&place).await;
    let body = json!({"name": "Menü", "subproducts": [{"price": 1900, "components": parts}]});
    let menu = make(&admin, &format!("/product-categories/{home}/products"), body).await;
    assert_eq!((&menu["subproducts"][0]["components"], version(&place).await), (&parts, before + 1));
    assert_eq!(menu["subproducts"][0]["deposit_pieces"], 0);
    assert_eq!(audited(&place).await.1["subproducts"][0]["components"], parts);

    // What is absent stays; what is sent is all there is.
    let renamed =
        change(&admin, &menu, json!({"name": "Napi menü", "deposit_pieces": 3})).await.assert(200).json();
    assert_eq!(
        (&renamed["subproducts"][0]["components"], &renamed["subproducts"][0]["deposit_pieces"]),
        (&parts, &json!(3))
    );
    change(&admin, &menu, json!({"name": "Menü"})).await.assert(200);
    assert_eq!(admin.get(&path(&menu)).send().await.json()["subproducts"][0]["deposit_pieces"], 3);
    let fewer = change(&admin, &menu, json!({"components": of(&[&soup])})).await.assert(200).json();
    assert_eq!(fewer["subproducts"][0]["components"], of(&[&soup]));
    let (_, details) = audited(&place).await;
    assert!(details["subproducts"].to_string().contains(&size(&cola)), "{details}");
    let none = change(&admin, &menu, json!({"components": []})).await.assert(200).json();
    assert_eq!(none["subproducts"][0]["components"], json!([]));
    // Taking part in nothing any more, it may have parts of its own.
    change(&admin, &soup, json!({"components": of(&[&menu])})).await.assert(200);

    for wrong in [json!(-1), json!(1000), json!(1.5), json!("two")] {
        change(&admin, &cola, json!({"deposit_pieces": wrong}))
            .await
            .assert_keys(&["subproducts.0.deposit_pieces"]);
    }
    for wrong in [json!(0), json!(1000), json!(0.5), json!(null)] {
        let parts = json!([{"subproduct_id": size(&cola), "pieces": wrong}]);
        change(&admin, &menu, json!({"components": parts}))
            .await
            .assert_keys(&["subproducts.0.components.0.pieces"]);
    }
}

#[testkit::test]
async fn what_cannot_be_a_component_is_named() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Ebéd", None).await;
    let [soup, main, menu, gone] = [
        product(&admin, &home, "Leves", 900).await,
        product(&admin, &home, "Főétel", 1900).await,
        product(&admin, &home, "Menü", 2500).await,
        product(&admin, &home, "Régi", 100).await,
    ];
    change(&admin, &menu, json!({"components": of(&[&soup])})).await.assert(200);
    admin.delete(&path(&gone)).send().await.assert(204);
    // Of another restaurant of the same partner, and of another partner.
    let sister = kit.restaurant_of(place.partner).await;
    let sisters = sister.admin().await;
    let theirs = product(&sisters, &category(&sisters, "Ebéd", None).await, "Övék", 1).await;
    let stranger = kit.stranger().await;
    let strangers = stranger.admin().await;
    let foreign = product(&strangers, &category(&strangers, "Ebéd", None).await, "Idegen", 1).await;
    let drink = product(&admin, &home, "Kóla", 600).await;
    option_of(&admin, &size(&drink)).await;

    let part = "subproducts.0.components.0.subproduct_id";
    let cases: [(&Value, Value, &[&str], &str); 10] = [
        (&main, of(&[&main]), &[part], "itself"),
        (&main, of(&[&menu]), &[part], "a size with components"),
        (&main, of(&[&gone]), &[part], "an archived one"),
        (&main, of(&[&theirs]), &[part], "of the sister restaurant"),
        (&main, of(&[&foreign]), &[part], "of another partner"),
        (&main, json!([{"subproduct_id": NOBODY, "pieces": 1}]), &[part], "of nobody"),
        (&main, of(&[&soup, &soup]), &["subproducts.0.components.1.subproduct_id"], "twice"),
        (&soup, of(&[&main]), &["subproducts.0.components"], "of a component"),
        (&soup, of(&[&menu]), &["subproducts.0.components", part], "the menu that it is a part of"),
        (&drink, of(&[&soup]), &["subproducts.0.components"], "of what an option stands for"),
    ];
    for (product, parts, keys, what) in cases {
        eprintln!("{what}");
        change(&admin, product, json!({"components": parts})).await.assert_keys(keys);
        let now = admin.get(&path(product)).send().await.assert(200).json();
        assert_eq!(now["subproducts"][0]["components"], product["subproducts"][0]["components"], "{what}");
    }
    // A new product's sizes too, each at its place.
    let body = json!({"name": "Új", "subproducts": [
        {"name": "A", "price": 1, "components": of(&[&soup])}, {"name": "B", "price": 1, "components": of(&[&menu])}]});
    let products = format!("/product-categories/{home}/products");
    let at = "subproducts.1.components.0.subproduct_id";
    admin.post(&products).json(body).send().await.assert_keys(&[at]);
    // Two sizes of one save: what is sent counts, not what was there.
    let both = |first: Value, second: Value| {
        json!({"subproducts": [{"id": size(&menu), "components": first},
            {"name": "Nagy", "price": 3000, "components": second}]})
    };
    admin.put(&path(&menu)).json(both(of(&[&soup]), of(&[&menu]))).send().await.assert_keys(&[at]);
    admin.put(&path(&menu)).json(both(json!([]), of(&[&menu]))).send().await.assert(200);
}

#[testkit::test]
async fn two_saves_make_no_circle() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Ebéd", None).await;
    let [one, other] =
        [product(&admin, &home, "Egyik", 900).await, product(&admin, &home, "Másik", 900).await];
    let (first, second) = join(
        change(&admin, &one, json!({"components": of(&[&other])})),
        change(&admin, &other, json!({"components": of(&[&one])})),
    )
    .await;
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 422]);
}

#[testkit::test]
async fn what_is_used_is_not_archived() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Ebéd", None).await;
    let body = json!({"name": "Leves", "subproducts": [{"name": "Kicsi", "price": 500}, {"name": "Nagy", "price": 900}]});
    let soup = make(&admin, &format!("/product-categories/{home}/products"), body).await;
    let menu = product(&admin, &home, "Menü", 2500).await;
    change(&admin, &menu, json!({"components": of(&[&soup])})).await.assert(200);
    let option = option_of(&admin, &size(&soup)).await;
    let without = json!({"subproducts": [{"id": soup["subproducts"][1]["id"]}]});

    let refused = admin.delete(&path(&soup)).send().await.assert_problem(409, "IN_USE").json();
    assert_eq!(refused["used_by"], json!(["Kóla", "Menü"]));
    let refused =
        admin.put(&path(&soup)).json(without.clone()).send().await.assert_problem(409, "IN_USE").json();
    assert_eq!(refused["used_by"], json!(["Kóla", "Menü"]));
    assert_eq!(admin.get(&path(&soup)).send().await.json(), soup, "nothing half done");
    let other = json!({"subproducts": [{"id": soup["subproducts"][0]["id"]}]});
    admin.put(&path(&soup)).json(other).send().await.assert(200);

    // Gone are an archived menu and an option that stands for nothing.
    admin.delete(&option).send().await.assert(204);
    admin.delete(&path(&soup)).send().await.assert_problem(409, "IN_USE");
    admin.delete(&path(&menu)).send().await.assert(204);
    admin.delete(&path(&soup)).send().await.assert(204);
}

#[testkit::test]
async fn an_option_stands_for_a_size() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Italok", None).await;
    let cola = product(&admin, &home, "Kóla", 600).await;
    let menu = product(&admin, &home, "Menü", 2500).await;
    change(&admin, &menu, json!({"components": of(&[&cola])})).await.assert(200);
    let gone = product(&admin, &home, "Régi", 1).await;
    admin.delete(&path(&gone)).send().await.assert(204);
    let sister = kit.restaurant_of(place.partner).await;
    let sisters = sister.admin().await;
    let theirs = product(&sisters, &category(&sisters, "Ebéd", None).await, "Övék", 1).await;

    let group = make(&admin, "/option-groups", json!({"name": "Ital", "type": "exclusive"})).await;
    let options = format!("/option-groups/{}/options", text(&group["id"]));
    let plain = make(&admin, &options, json!({"name": "Víz"})).await;
    assert_eq!((&plain["subproduct_id"], &plain["subproduct_pieces"]), (&json!(null), &json!(1)));
    let before = version(&place).await;
    let body =
        json!({"name": "Két kóla", "price": 300, "subproduct_id": size(&cola), "subproduct_pieces": 2});
    let option = make(&admin, &options, body).await;
    assert_eq!((&option["subproduct_id"], &option["subproduct_pieces"]), (&json!(size(&cola)), &json!(2)));
    assert_eq!(version(&place).await, before + 1);
    let own = format!("{options}/{}", text(&option["id"]));
    for wrong in [size(&menu), size(&gone), size(&theirs), NOBODY.to_owned()] {
        let body = json!({"name": "Rossz", "subproduct_id": wrong});
        admin.post(&options).json(body.clone()).send().await.assert_keys(&["subproduct_id"]);
        admin.put(&own).json(body).send().await.assert_keys(&["subproduct_id"]);
    }
    for wrong in [json!(0), json!(1000), json!(1.5)] {
        admin
            .put(&own)
            .json(json!({"subproduct_pieces": wrong}))
            .send()
            .await
            .assert_keys(&["subproduct_pieces"]);
    }
    let change = |body: Value| admin.put(&own).json(body).send();
    let renamed = change(json!({"name": "Kóla"})).await.assert(200).json();
    assert_eq!((&renamed["subproduct_id"], &renamed["subproduct_pieces"]), (&json!(size(&cola)), &json!(2)));
    let one = change(json!({"subproduct_pieces": 1})).await.assert(200).json();
    assert_eq!(one["subproduct_pieces"], 1);
    assert_eq!(audited(&place).await.1["subproduct_pieces"], json!([2, 1]));
    let none = change(json!({"subproduct_id": null})).await.assert(200).json();
    assert_eq!(none["subproduct_id"], json!(null));
}

#[testkit::test]
async fn copies_consist_of_what_the_original_does() {
    let place = kit().await.partner().await;
    let admin = place.admin().await;
    let home = category(&admin, "Ebéd", None).await;
    let soup = product(&admin, &home, "Leves", 900).await;
    let cola = product(&admin, &home, "Kóla", 600).await;
    change(&admin, &cola, json!({"deposit_pieces": 1})).await.assert(200);
    let option = admin.get(&option_of(&admin, &size(&cola)).await).send().await.json();
    let menu = product(&admin, &home, "Menü", 2500).await;
    let fields = json!({"components": of(&[&soup, &cola]), "option_group_ids": [option["option_group_id"]]});
    change(&admin, &menu, fields).await.assert(200);
    let copy = admin.post(&format!("{}/copy", path(&menu))).send().await.assert(201).json();
    assert_eq!(copy["subproducts"][0]["components"], of(&[&soup, &cola]));

    // The copy of a restaurant names its own rows.
    let body = json!({"name": "Másolat", "copy_from": place.restaurant});
    let restaurants = format!("/api/v3/admin/partners/{}/restaurants", place.partner);
    let partner_admin = place.partner_admin().await;
    let made = partner_admin.post(&restaurants).json(body).send().await.assert(201).json();
    let own = format!("{restaurants}/{}", text(&made["id"]));
    let read =
        async |path: String| partner_admin.get(&format!("{own}{path}")).send().await.assert(200).json();
    let home = text(&read("/product-categories".to_owned()).await[0]["id"]);
    let products = read(format!("/product-categories/{home}/products")).await;
    let of_name = |name: &str| {
        products.as_array().unwrap().iter().find(|product| product["name"] == name).unwrap().clone()
    };
    let (soup, cola) = (of_name("Leves"), of_name("Kóla"));
    assert_eq!(of_name("Menü")["subproducts"][0]["components"], of(&[&soup, &cola]));
    assert_eq!(cola["subproducts"][0]["deposit_pieces"], 1);
    let group = text(&read("/option-groups".to_owned()).await[0]["id"]);
    let options = read(format!("/option-groups/{group}/options")).await;
    assert_eq!(options[0]["subproduct_id"], json!(size(&cola)));
}

#[testkit::test]
async fn the_menu_says_what_a_price_is_made_of() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Ebéd", None).await;
    let soup = product(&admin, &home, "Leves", 900).await;
    let cola = product(&admin, &home, "Kóla", 600).await;
    let fields =
        json!({"vat_id": VAT_5, "deposit_pieces": 1, "sellable_quantity": 7, "visible_online": false});
    change(&admin, &cola, fields).await.assert(200);
    let option = admin.get(&option_of(&admin, &size(&cola)).await).send().await.json();
    let menu = product(&admin, &home, "Menü", 2500).await;
    let parts =
        json!([{"subproduct_id": size(&soup), "pieces": 1}, {"subproduct_id": size(&cola), "pieces": 2}]);
    let fields = json!({"components": parts, "deposit_pieces": 1, "has_tip": false,
        "option_group_ids": [option["option_group_id"]]});
    change(&admin, &menu, fields).await.assert(200);
    let body = json!({"service_fee": 12.5, "service_fee_mode": "all_items", "take_away_service_fee": false,
        "default_tip": 10, "employee_tip": true, "deposit_here": false});
    admin.put("/pos/configs").json(body).send().await.assert(200);
    let fee = json!({"system_usage_fee": 99});
    let switches = format!("/api/v3/super-admin/restaurants/{}/switches", place.restaurant);
    place.super_admin().await.put(&switches).json(fee).send().await.assert(200);

    let key = place.api_key(&["menu:read"]).await;
    let read = async |query: &str| key.get(&format!("/public/menu{query}")).send().await.assert(200).json();
    let online = read("").await;
    let products = online["categories"][0]["products"].as_array().unwrap();
    let find = |name: &str| {
        products.iter().find(|product| product["name"] == name).map(|row| row["subproducts"][0].clone())
    };
    assert_eq!(find("Kóla"), None, "a part of a menu need not be sold by itself");
    let row = find("Menü").unwrap();
    assert_eq!(
        row["components"],
        json!([{"subproduct_id": size(&soup), "name": "Leves", "name_sec_lang": null, "pieces": 1},
            {"subproduct_id": size(&cola), "name": "Kóla", "name_sec_lang": null, "pieces": 2}])
    );
    assert_eq!(
        (&row["vat_percent"], &row["deposit_pieces"], &row["sellable_quantity"]),
        (&json!(null), &json!(3), &json!(3)),
        "two rates; its own bottle and two of the cola; seven colas are three menus"
    );
    assert_eq!((&find("Leves").unwrap()["vat_percent"], &row["price"]), (&json!(27), &json!(2500)));
    assert_eq!(online["option_groups"][0]["options"][0]["deposit_pieces"], 1);

    let charged = |menu: &Value| {
        let restaurant = &menu["restaurant"];
        let products = menu["categories"][0]["products"].as_array().unwrap();
        let carries = |name: &str| {
            let product = products.iter().find(|product| product["name"] == name).unwrap();
            product["subproducts"][0]["service_fee"].as_bool().unwrap()
        };
        let fields = ["service_fee", "deposit", "system_usage_fee", "default_tip", "employee_tip"];
        (fields.map(|field| restaurant[field].clone()), carries("Leves"), carries("Menü"))
    };
    let row = |fee: Value, deposit: Value, usage: Value| [fee, deposit, usage, json!(10), json!(true)];
    let cases = [
        ("", row(json!(0), json!(50), json!(99)), false),
        ("?channel=sit_in", row(json!(12.5), json!(null), json!(0)), true),
        ("?channel=sit_in&pickup=true", row(json!(0), json!(50), json!(0)), false),
        ("?channel=kiosk_sit_in", row(json!(12.5), json!(null), json!(0)), true),
        ("?channel=kiosk_take_away", row(json!(0), json!(50), json!(0)), false),
        ("?channel=phone", row(json!(0), json!(50), json!(0)), false),
    ];
    for (query, expected, carried) in cases {
        assert_eq!(charged(&read(query).await), (expected, carried, false), "{query}");
    }
    admin.put("/pos/configs").json(json!({"take_away_service_fee": true})).send().await.assert(200);
    for query in ["?channel=sit_in&pickup=true", "?channel=kiosk_take_away"] {
        assert_eq!(charged(&read(query).await).0[0], json!(12.5), "{query}");
    }
}

#[testkit::test]
async fn a_menu_is_tried_before_it_is_saved() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Ebéd", None).await;
    let soup = product(&admin, &home, "Leves", 900).await;
    let cola = product(&admin, &home, "Kóla", 600).await;
    change(&admin, &soup, json!({"vat_id": VAT_5})).await.assert(200);
    change(&admin, &cola, json!({"deposit_pieces": 1})).await.assert(200);
    let tried = async |price: Value, components: Value, id: Option<&str>| {
        let body = json!({"id": id, "price": price, "components": components});
        admin.post("/menu-composition").json(body).send().await
    };
    let parts = json!([
        {"subproduct_id": size(&soup), "pieces": 1}, {"subproduct_id": size(&cola), "pieces": 2},
    ]);
    let before = version(&place).await;
    let split = tried(json!(1750), parts, None).await.assert(200).json();
    assert_eq!(split["list_price"], 2100);
    let shares = split["components"].as_array().unwrap().iter();
    let shares: Vec<_> = shares
        .map(|part| {
            let of = |key: &str| part[key].as_i64().unwrap();
            (of("pieces"), of("list_price"), of("price"), of("vat_percent"), of("deposit_pieces"))
        })
        .collect();
    assert_eq!(shares, [(1, 900, 750, 5, 0), (2, 1200, 1000, 27, 2)]);
    assert_eq!(split["components"][1]["name"], "Kóla");
    assert_eq!(
        split["vats"],
        json!([{"percent": 27, "net": 787, "vat": 213, "gross": 1000}, {"percent": 5, "net": 714, "vat": 36, "gross": 750}])
    );
    assert_eq!(version(&place).await, before, "nothing is saved");

    let menu = product(&admin, &home, "Menü", 1900).await;
    change(&admin, &menu, json!({"components": of(&[&soup])})).await.assert(200);
    let stranger = kit.stranger().await;
    let strangers = stranger.admin().await;
    let foreign = product(&strangers, &category(&strangers, "Ebéd", None).await, "Idegen", 1).await;
    let part = "components.0.subproduct_id";
    let own = size(&soup);
    for (parts, id, keys) in [
        (of(&[&foreign]), None, &[part][..]),
        (json!([{"subproduct_id": NOBODY, "pieces": 1}]), None, &[part]),
        (of(&[&menu]), None, &[part]),
        (of(&[&soup]), Some(own.as_str()), &[part]),
        (of(&[&cola, &cola]), None, &["components.1.subproduct_id"]),
        (json!([{"subproduct_id": own, "pieces": 0}]), None, &["components.0.pieces"]),
        (json!([]), None, &["components"]),
    ] {
        tried(json!(1000), parts, id).await.assert_keys(keys);
    }
    tried(json!(-1), of(&[&soup]), None).await.assert_keys(&["price"]);
}
