//! Copies of products.

use serde_json::{Value, json};
use testkit::kit;

use super::{MILK, NOBODY, VAT_5, audited, category, make, names, path, product, text, version};

#[testkit::test]
async fn a_copy_has_what_the_product_has_and_is_inactive() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Pizzák", None).await;
    let group =
        text(&make(&admin, "/option-groups", json!({"name": "Feltét", "type": "inclusive"})).await["id"]);
    let sauce =
        text(&make(&admin, "/option-groups", json!({"name": "Szósz", "type": "inclusive"})).await["id"]);
    let body = json!({
        "name": "Margherita", "name_sec_lang": "Margherita", "description": "paradicsom", "ean_code": "599",
        "vat_id": VAT_5, "visible_phone": false, "available_from": "2026-01-01T00:00:00Z",
        "subproducts": [
            {"name": "Margherita", "name_sec_lang": "Margherita", "price": 1990, "ean_code": "5991",
                "option_group_ids": [sauce, group], "allergenic_ids": [MILK], "sellable_quantity": 5},
            {"name": "45 cm", "name_sec_lang": "45 cm (en)", "price": 3990, "active": false},
        ],
    });
    let products = format!("/product-categories/{home}/products");
    let original = make(&admin, &products, body).await;
    let before = version(&place).await;
    let copy = admin.post(&format!("{}/copy", path(&original))).send().await.assert(201).json();
    assert_eq!(version(&place).await, before + 1);
    assert_eq!(
        (&copy["name"], &copy["name_sec_lang"], &copy["active"], &copy["ranking"], &copy["version"]),
        (&json!("Margherita (másolat)"), &json!("Margherita (copy)"), &json!(false), &json!(1), &json!(1))
    );
    for same in
        ["description", "vat_id", "visible_phone", "available_from", "product_category_id", "image_id"]
    {
        assert_eq!(copy[same], original[same], "{same}");
    }
    assert_eq!(copy["ean_code"], Value::Null);
    let [first, second] = &copy["subproducts"].as_array().unwrap()[..] else { panic!("{copy}") };
    assert_eq!(
        (&first["name"], &first["name_sec_lang"]),
        (&copy["name"], &copy["name_sec_lang"]),
        "a size that is called like its product goes on being called like it"
    );
    assert_eq!(
        (&first["price"], &first["option_group_ids"], &first["allergenic_ids"], &first["ean_code"]),
        (&json!(1990), &json!([sauce, group]), &json!([MILK]), &Value::Null)
    );
    assert_eq!(first["sellable_quantity"], Value::Null, "nobody has counted the copy");
    assert_eq!(
        (&second["name"], &second["name_sec_lang"], &second["price"], &second["active"]),
        (&json!("45 cm"), &json!("45 cm (en)"), &json!(3990), &json!(false))
    );
    assert_ne!(first["id"], original["subproducts"][0]["id"]);
    // Rows of their own: what spans restaurants takes them for other products.
    let sql = format!(
        "select count(*) n from {schema}.product p join {schema}.subproduct s on s.product_id = p.id \
         where p.restaurant_id = $1 and p.origin_id = p.id and s.origin_id = s.id",
        schema = place.schema
    );
    let row = place.kit.row(&sql, vec![place.restaurant.into()]).await;
    assert_eq!(row.try_get::<i64>("", "n").unwrap(), 4);
    let (action, details) = audited(&place).await;
    assert_eq!(
        (action.as_str(), details),
        ("products_copy", json!({"original": original["id"], "name": "Margherita (másolat)"}))
    );
    // The original is as it was, and the next copy has another name.
    assert_eq!(admin.get(&path(&original)).send().await.json(), original);
    let again = admin.post(&format!("{}/copy", path(&copy))).send().await.assert(201).json();
    assert_eq!(again["name"], "Margherita (másolat 2)");
    let list = admin.get(&products).send().await.json();
    assert_eq!(names(&list), ["Margherita", "Margherita (másolat)", "Margherita (másolat 2)"]);
}

#[testkit::test]
async fn a_copy_is_made_once_by_who_may() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Levesek", None).await;
    let soup = product(&admin, &home, "Bableves", 990).await;
    let copy = format!("{}/copy", path(&soup));
    let first = admin.post(&copy).key("k").send().await.assert(201);
    let again = admin.post(&copy).key("k").send().await.assert(201);
    assert_eq!(first.body, again.body);
    assert_eq!(place.count("product").await, 2);
    let elsewhere = category(&admin, "Desszertek", None).await;
    let wrong = format!("/product-categories/{elsewhere}/products/{}/copy", text(&soup["id"]));
    admin.post(&wrong).send().await.assert_problem(404, "PRODUCT_NOT_EXIST");
    let nowhere = format!("/product-categories/{NOBODY}/products/{}/copy", text(&soup["id"]));
    admin.post(&nowhere).send().await.assert_problem(404, "PRODUCT_CATEGORY_NOT_EXIST");
    let reader = place.with_keys(&["order", "catalog_activate", "catalog_delete"]).await;
    reader.post(&copy).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    let stranger = kit().await.stranger().await.admin().await;
    stranger.post(&copy).send().await.assert_problem(404, "PRODUCT_CATEGORY_NOT_EXIST");
}
