//! Products and sub-products.

use serde_json::{Value, json};
use testkit::kit;

use super::{GLUTEN, MILK, NOBODY, VAT_5, VAT_18, category, make, names, path, product, text, version};

#[testkit::test]
async fn a_blank_name_hides_no_other_fault() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Levesek", None).await;
    let soup = product(&admin, &home, "Gulyás", 1800).await;
    let groups = json!({"name": "Feltét", "type": "min_max", "min_no_options": 1, "max_no_options": 2});
    let group = make(&admin, "/option-groups", groups).await;
    let options = format!("/option-groups/{}/options", text(&group["id"]));
    let products = format!("/product-categories/{home}/products");
    for name in [" ", "", "\u{200b}", "\u{2060} \u{ad}", "\u{a0}", "\u{3164}"] {
        for (path, other, keys) in [
            ("/product-categories", json!({"vat_id": NOBODY}), &["name", "vat_id"][..]),
            (&products, json!({"base_price": 900, "sit_in_vat_id": NOBODY}), &["name", "sit_in_vat_id"]),
            (&options, json!({"allergenic_ids": [NOBODY]}), &["name", "allergenic_ids.0"]),
            (
                "/option-groups",
                json!({"type": "min_max", "min_no_options": 5, "max_no_options": 2}),
                &["name", "max_no_options"],
            ),
        ] {
            let mut body = other.clone();
            body["name"] = json!(name);
            admin.post(path).json(body.clone()).send().await.assert_keys(keys);
            // What the body's own check finds stands beside it.
            body["visible_online"] = json!("maybe");
            let refused =
                admin.post(path).json(body).send().await.assert_problem(422, "VALIDATION_FAILED").json();
            for key in ["name", "visible_online"] {
                assert!(refused["keys"].as_array().unwrap().contains(&json!(key)), "{refused}");
            }
        }
        if !name.is_empty() {
            let body = json!({"name": name, "vat_id": NOBODY});
            admin.put(&path(&soup)).json(body).send().await.assert_keys(&["name", "vat_id"]);
        }
    }
}

#[testkit::test]
async fn a_product_with_sizes_lives_and_is_archived() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let drinks = category(&admin, "Italok", None).await;
    let beers = category(&admin, "Sörök", Some(&drinks)).await;
    admin
        .put(&format!("/product-categories/{drinks}"))
        .json(json!({"vat_id": VAT_18, "has_tip": false}))
        .send()
        .await
        .assert(200);
    let ice = text(&make(&admin, "/option-groups", json!({"name": "Jég", "type": "exclusive"})).await["id"]);
    let lemon =
        text(&make(&admin, "/option-groups", json!({"name": "Citrom", "type": "inclusive"})).await["id"]);
    let before = version(&place).await;
    let sent = json!({"name": "Világos", "name_sec_lang": "Lager", "ean_code": "2000000000015",
        "visible_online": false, "subproducts": [
        {"name": "Pohár", "name_sec_lang": "Glass", "price": 600, "allergenic_ids": [GLUTEN, MILK],
            "option_group_ids": [lemon, ice], "sellable_quantity": 20,
         "ntak_quantity_unit": "liter", "ntak_quantity": "0,3"},
        {"name": "Korsó", "price": "990.00", "vat_id": VAT_5, "visible_online": true, "active": false}]});
    let made = make(&admin, &format!("/product-categories/{beers}/products"), sent).await;
    assert_eq!(version(&place).await, before + 1, "once per transaction");
    assert_eq!(
        (&made["base_price"], &made["version"], &made["ranking"]),
        (&Value::Null, &json!(1), &json!(0))
    );
    let (glass, mug) = (&made["subproducts"][0], &made["subproducts"][1]);
    assert_eq!(glass["option_group_ids"], json!([lemon, ice]), "in the order sent");
    assert_eq!(
        glass["option_groups"][1],
        json!({"id": ice, "name": "Jég", "type": "exclusive", "min_no_options": 1, "max_no_options": 1})
    );
    assert_eq!((&glass["price"], &mug["price"]), (&json!(600), &json!(990)));
    assert_eq!(
        (&glass["sellable_quantity"], &glass["ntak_quantity"], &mug["sellable_quantity"]),
        (&json!(20), &"0.3".parse::<Value>().unwrap(), &Value::Null)
    );
    assert_eq!((&glass["ranking"], &mug["ranking"], &mug["active"]), (&json!(0), &json!(1), &json!(false)));
    assert_eq!(glass["effective"]["vat"], json!({"id": VAT_18, "percent": 18, "from": "parent_category"}));
    assert_eq!(mug["effective"]["vat"], json!({"id": VAT_5, "percent": 5, "from": "subproduct"}));
    assert_eq!(glass["effective"]["visible_online"], json!({"value": false, "from": "product"}));
    assert_eq!(mug["effective"]["visible_online"], json!({"value": true, "from": "subproduct"}));
    assert_eq!(made["effective"]["has_tip"], json!({"value": false, "from": "parent_category"}));

    let own = path(&made);
    assert_eq!(admin.get(&own).send().await.assert(200).json(), made);
    // A save sends all of them: changed, created, and one that is missing; their order is theirs.
    let change = json!({"description": "Csapolt", "version": 1, "subproducts": [
        {"name": "Kancsó", "price": 3500, "option_group_ids": [ice]},
        {"id": glass["id"], "price": 650, "allergenic_ids": [GLUTEN], "option_group_ids": [ice, lemon],
            "sellable_quantity": null}]});
    let changed = admin.put(&own).json(change.clone()).send().await.assert(200).json();
    assert_eq!(version(&place).await, before + 2);
    assert_eq!(names(&changed["subproducts"]), ["Kancsó", "Pohár"]);
    let after = &changed["subproducts"][1];
    assert_eq!((&after["id"], &after["price"], &after["ranking"]), (&glass["id"], &json!(650), &json!(1)));
    assert_eq!(
        (&after["name_sec_lang"], &after["ean_code"], &after["sellable_quantity"]),
        (&json!("Glass"), &Value::Null, &Value::Null)
    );
    assert_eq!(
        (&after["option_group_ids"], &after["allergenic_ids"]),
        (&json!([ice, lemon]), &json!([GLUTEN]))
    );
    assert_eq!(
        (&changed["name"], &changed["description"], &changed["version"]),
        (&json!("Világos"), &json!("Csapolt"), &json!(2))
    );
    let stale = admin.put(&own).json(change).send().await.assert_problem(409, "CONFLICT").json();
    assert_eq!(stale["current"], changed);
    // Without sub-products they stay.
    let changed = admin.put(&own).json(json!({"name": "Világos sör"})).send().await.assert(200).json();
    assert_eq!(names(&changed["subproducts"]), ["Kancsó", "Pohár"]);
    assert_eq!(changed["subproducts"][1]["option_group_ids"], json!([ice, lemon]));

    let group = admin.get(&format!("/option-groups/{ice}")).send().await.json();
    assert_eq!(group["subproduct_count"], 2);
    admin.delete(&own).send().await.assert(204);
    admin.get(&own).send().await.assert_problem(404, "PRODUCT_NOT_EXIST");
    assert_eq!(admin.get(&format!("/option-groups/{ice}")).send().await.json()["subproduct_count"], 0);
    assert_eq!(admin.get("/product-categories/all/products/all/subproducts").send().await.json(), json!([]));
}

#[testkit::test]
async fn one_size_has_the_base_price() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let soups = category(&admin, "Levesek", None).await;
    let all = format!("/product-categories/{soups}/products");
    admin.post(&all).json(json!({"name": "Ártalan"})).send().await.assert_keys(&["base_price"]);
    admin
        .post(&all)
        .json(json!({"name": "Ártalan", "subproducts": [{"name": "Adag"}]}))
        .send()
        .await
        .assert_keys(&["base_price"]);
    admin
        .post(&all)
        .json(json!({"name": "Üres", "base_price": 1, "subproducts": []}))
        .send()
        .await
        .assert_keys(&["subproducts"]);
    let two = json!({"name": "Kettő", "base_price": 900, "subproducts": [{"name": "Kicsi"}, {"name": "Nagy",
        "price": 5}]});
    admin.post(&all).json(two).send().await.assert_keys(&["subproducts.0.price"]);

    let soup = product(&admin, &soups, "Gulyás", 1800).await;
    assert_eq!(
        (&soup["base_price"], &soup["subproducts"][0]["name"], &soup["subproducts"][0]["price"]),
        (&json!(1800), &json!("Gulyás"), &json!(1800))
    );
    let own = path(&soup);
    // The form sends the base price with the old row, other clients the row with the old base price.
    let row = |price: i64| json!([{"id": soup["subproducts"][0]["id"], "price": price}]);
    let cases = [
        (json!({"base_price": 1900}), 1900),
        (json!({"base_price": 2000, "subproducts": row(1900)}), 2000),
        (json!({"base_price": 2000, "subproducts": row(2100)}), 2100),
        (json!({"subproducts": row(2200)}), 2200),
    ];
    for (body, price) in cases {
        let changed = admin.put(&own).json(body).send().await.assert(200).json();
        assert_eq!(
            (&changed["base_price"], &changed["subproducts"][0]["price"]),
            (&json!(price), &json!(price))
        );
    }
    admin
        .put(&own)
        .json(json!({"base_price": 1, "subproducts": row(2)}))
        .send()
        .await
        .assert_keys(&["base_price"]);
}

#[testkit::test]
async fn prices_fit_the_currency() {
    let place = kit().await.restaurant().await;
    place.own_group().await;
    let admin = place.admin().await;
    let soups = category(&admin, "Levesek", None).await;
    let all = format!("/product-categories/{soups}/products");
    for wrong in [json!(1800.5), json!("1800,5"), json!(-1), json!(10_000_001), json!("sok")] {
        admin
            .post(&all)
            .json(json!({"name": "Leves", "base_price": wrong}))
            .send()
            .await
            .assert_keys(&["base_price"]);
        let row = json!({"name": "Leves", "subproducts": [{"price": 1}, {"price": wrong}]});
        admin.post(&all).json(row).send().await.assert_keys(&["subproducts.1.price"]);
    }
    admin.put("/general").json(json!({"currency": "eur"})).send().await.assert(200);
    let made = make(&admin, &all, json!({"name": "Soup", "base_price": "12,5"})).await;
    assert_eq!(made["base_price"].to_string(), "12.50");
}

#[testkit::test]
async fn every_fault_of_every_row_is_named() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let soups = category(&admin, "Levesek", None).await;
    let soup = product(&admin, &soups, "Gulyás", 1800).await;
    let id = &soup["subproducts"][0]["id"];
    let body = json!({"name": " ", "vat_id": NOBODY, "subproducts": [
        {"id": id, "price": 1}, {"id": id, "price": 1}, {"id": NOBODY, "price": 1},
        {"name": "Új", "price": 1, "allergenic_ids": [GLUTEN, NOBODY], "option_group_ids": [NOBODY],
            "sit_in_vat_id": NOBODY, "ntak_quantity": 0.33333},
        {"name": "Ár nélkül"}]});
    let told = admin.put(&path(&soup)).json(body).send().await.assert_keys(&[
        "name",
        "vat_id",
        "subproducts.1.id",
        "subproducts.2.id",
        "subproducts.3.allergenic_ids.1",
        "subproducts.3.option_group_ids.0",
        "subproducts.3.sit_in_vat_id",
        "subproducts.3.ntak_quantity",
        "subproducts.4.price",
    ]);
    let name = json!({"key": "name", "fault": "required", "limit": null});
    assert!(told.json()["faults"].as_array().unwrap().contains(&name), "{}", told.text());
    let body = json!({"subproducts": [{"id": id, "sellable_quantity": -1, "allergenic_ids": [GLUTEN, GLUTEN],
        "name": "x".repeat(101)}]});
    admin.put(&path(&soup)).json(body).send().await.assert_keys(&[
        "subproducts.0.sellable_quantity",
        "subproducts.0.allergenic_ids",
        "subproducts.0.name",
    ]);
    assert_eq!(admin.get(&path(&soup)).send().await.json(), soup, "nothing was written");
}

#[testkit::test]
async fn products_move_and_are_ranked() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let drinks = category(&admin, "Italok", None).await;
    let beers = category(&admin, "Sörök", Some(&drinks)).await;
    let wines = category(&admin, "Borok", Some(&drinks)).await;
    let first = product(&admin, &beers, "Első", 100).await;
    let second = product(&admin, &beers, "Második", 200).await;
    let third = product(&admin, &wines, "Harmadik", 300).await;
    admin
        .put(&format!("/product-categories/{beers}/products/ranking"))
        .json(json!({"product_ids": [second["id"], first["id"]]}))
        .send()
        .await
        .assert(204);
    let list = admin.get(&format!("/product-categories/{beers}/products")).send().await.json();
    assert_eq!(names(&list), ["Második", "Első"]);
    assert_eq!(
        names(&admin.get(&format!("/product-categories/{beers}/products?name=ELSO")).send().await.json()),
        ["Első"]
    );
    admin
        .put(&format!("/product-categories/{beers}/products/ranking"))
        .json(json!({"product_ids": [first["id"]]}))
        .send()
        .await
        .assert_keys(&["product_ids"]);
    let foreign = json!({"product_ids": [third["id"]]});
    admin
        .put(&format!("/product-categories/{beers}/products/ranking"))
        .json(foreign)
        .send()
        .await
        .assert_keys(&["product_ids.0"]);

    let moved = admin
        .put(&format!("{}/move", path(&second)))
        .json(json!({"new_product_category_id": wines}))
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!(
        (&moved["product_category_id"], &moved["ranking"], &moved["version"]),
        (&json!(wines), &json!(1), &json!(2))
    );
    admin.get(&path(&second)).send().await.assert_problem(404, "PRODUCT_NOT_EXIST");
    for refused in [drinks.as_str(), NOBODY] {
        admin
            .put(&format!("{}/move", path(&first)))
            .json(json!({"new_product_category_id": refused}))
            .send()
            .await
            .assert_keys(&["new_product_category_id"]);
    }
    admin
        .get(&format!("/product-categories/{NOBODY}/products"))
        .send()
        .await
        .assert_problem(404, "PRODUCT_CATEGORY_NOT_EXIST");
}

#[testkit::test]
async fn pickers_give_short_forms_to_every_screen_that_chooses() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let soups = category(&admin, "Levesek", None).await;
    let drinks = category(&admin, "Italok", None).await;
    let body = json!({"name": "Kóla", "subproducts": [{"name": "Kicsi", "price": 500}, {"name": "Nagy",
        "price": 900, "active": false}]});
    make(&admin, &format!("/product-categories/{drinks}/products"), body).await;
    product(&admin, &soups, "Húsleves", 1500).await;
    for keys in [["admin_login", "discount"], ["admin_login", "pos_kitchen_queue"], ["admin_login", "order"]]
    {
        let client = place.with_keys(&keys).await;
        let products = client.get("/product-categories/all/products").send().await.assert(200).json();
        assert_eq!(names(&products), ["Húsleves", "Kóla"], "in the order of the menu");
        let row = products[1].as_object().unwrap();
        assert_eq!(
            row.keys().collect::<Vec<_>>(),
            ["active", "id", "name", "product_category_id", "subproducts"]
        );
        assert_eq!(names(&products[1]["subproducts"]), ["Kicsi", "Nagy"]);
        let rows = client
            .get("/product-categories/all/products/all/subproducts?name=kola&count=true")
            .send()
            .await
            .assert(200);
        assert_eq!(rows.header("x-total-count"), Some("2"));
        assert_eq!(
            (&rows.json()[1]["name"], &rows.json()[1]["product_name"], &rows.json()[1]["active"]),
            (&json!("Nagy"), &json!("Kóla"), &json!(false))
        );
    }
    let found = admin.get("/product-categories/all/products?name=hus").send().await.json();
    assert_eq!(names(&found), ["Húsleves"]);
    place
        .with_keys(&["admin_login", "courier"])
        .await
        .get("/product-categories/all/products")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn products_are_found_by_words_of_either_name() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let category =
        admin.post("/product-categories").json(json!({"name": "Levesek"})).send().await.assert(201).json();
    let products = format!("/product-categories/{}/products", category["id"].as_str().unwrap());
    for (name, second) in [("Csülkös bableves", "Bean soup"), ("Gulyásleves", "Goulash soup")] {
        let body = json!({"name": name, "name_sec_lang": second, "base_price": 2000});
        admin.post(&products).json(body).send().await.assert(201);
    }
    let path = "/product-categories/all/products/search";
    let found = async |text: &str| {
        let rows = admin.post(path).json(json!({ "text": text })).send().await.assert(200).json();
        rows.as_array()
            .unwrap()
            .iter()
            .map(|row| row["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(found("csulk BAB").await, ["Csülkös bableves"]);
    assert_eq!(found("soup").await, ["Csülkös bableves", "Gulyásleves"]);
    assert_eq!(found("leves nincs").await, [""; 0]);
    assert_eq!(found("%").await, [""; 0], "no letter stands for another");
    let other = kit().await.restaurant().await.admin().await;
    let elsewhere = other.post(path).json(json!({"text": "leves"})).send().await.assert(200).json();
    assert_eq!(elsewhere, json!([]));
    let driver = place.with_keys(&["admin_login", "courier"]).await;
    let refused = driver.post(path).json(json!({"text": "leves"})).send().await;
    refused.assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn the_log_names_records_and_leaves_out_what_did_not_change() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let drinks = category(&admin, "Italok", None).await;
    let made = product(&admin, &drinks, "Szóda", 500).await;
    let log = async || admin.get("/audit?action=products").send().await.assert(200).json();
    let lines = log().await.as_array().unwrap().len();
    let change = json!({"name": "Szóda", "vat_id": VAT_18});
    for _ in 0..2 {
        admin.put(&path(&made)).json(change.clone()).send().await.assert(200);
    }
    let log = log().await;
    assert_eq!(log.as_array().unwrap().len(), lines + 1, "the second save changes nothing");
    assert_eq!(log[0]["details"], json!({"vat_id": [null, VAT_18]}));
    let vat = &log[0]["names"][0];
    assert_eq!((&vat["id"], log[0]["names"].as_array().unwrap().len()), (&json!(VAT_18), 1));
    assert_eq!((&vat["name"], &vat["name_en"]), (&json!("Középső kulcs"), &json!("Middle rate")));
}
