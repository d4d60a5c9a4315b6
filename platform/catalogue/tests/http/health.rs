//! The health of the menu, mends and their undo. The checks by themselves are tested in the crate.

use serde_json::{Value, json};
use testkit::{Client, kit};

use super::{NOBODY, VAT_5, audited, category, make, path, product, text, version};

async fn health(client: &Client<'_>, rule: &str) -> (Value, Value) {
    let found = client.get(&format!("/menu/health?rule={rule}")).send().await.assert(200).json();
    (found["catalogue_version"].clone(), found["checks"][0].clone())
}

#[testkit::test]
async fn a_mend_writes_what_was_found_and_is_undone() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Sörök", None).await;
    let beer = make(
        &admin,
        &format!("/product-categories/{home}/products"),
        json!({"name": "Világos", "base_price": 900, "vat_id": VAT_5}),
    )
    .await;
    let (seen, check) = health(&admin, "alcohol_vat").await;
    let finding = &check["findings"][0];
    assert_eq!(
        (&finding["subject"]["id"], &finding["detail"], &finding["mend"]),
        (&beer["id"], &json!("by_name"), &json!("27"))
    );
    let body = json!({"rule": "alcohol_vat", "catalogue_version": seen, "ids": [beer["id"]]});
    let before = version(&place).await;

    // Refused: another menu, rows that are not found, one twice.
    let with = |field: &str, value: Value| {
        let mut body = body.clone();
        body[field] = value;
        body
    };
    let stale = admin.post("/menu-mends").json(with("catalogue_version", json!(0))).send().await;
    stale.assert_problem(409, "MENU_MEND_OUTDATED");
    admin.post("/menu-mends").json(with("ids", json!([NOBODY]))).send().await.assert_keys(&["ids.0"]);
    let twice = with("ids", json!([beer["id"], beer["id"]]));
    admin.post("/menu-mends").json(twice).send().await.assert_keys(&["ids.1"]);
    let reader = place.with_keys(&["admin_login", "order"]).await;
    reader
        .post("/menu-mends")
        .json(body.clone())
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    assert_eq!(version(&place).await, before);

    let mend = admin.post("/menu-mends").key("k").json(body.clone()).send().await.assert(201).json();
    assert_eq!(admin.post("/menu-mends").key("k").json(body).send().await.assert(201).json(), mend);
    assert_eq!(version(&place).await, before + 1);
    assert_eq!(audited(&place).await.0, "menu_mends_create");
    assert_eq!(health(&admin, "alcohol_vat").await.1["total"], 0);
    let mended = admin.get(&path(&beer)).send().await.assert(200).json();
    assert_eq!(mended["effective"]["vat"]["percent"], 27);
    assert_eq!(mended["version"], json!(beer["version"].as_i64().unwrap() + 1));

    let undo = format!("/menu-mends/{}/undo", text(&mend["id"]));
    let undone = admin.post(&undo).send().await.assert(200).json();
    assert!(!undone["undone_at"].is_null() && undone["undo_until"].is_null(), "{undone}");
    assert_eq!(admin.get(&path(&beer)).send().await.assert(200).json()["vat_id"], VAT_5);
    admin.post(&undo).send().await.assert_problem(409, "MENU_MEND_NOT_READY");
}

#[testkit::test]
async fn many_are_said_to_have_no_allergens() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Saláták", None).await;
    let mut ids = Vec::new();
    for name in ["Uborkasaláta", "Káposztasaláta", "Almasaláta"] {
        ids.push(product(&admin, &home, name, 900).await["id"].clone());
    }
    let (seen, check) = health(&admin, "allergens").await;
    assert_eq!((&check["total"], &check["mendable"]), (&json!(3), &json!(3)));
    assert!(check["findings"].as_array().unwrap().iter().all(|one| one["mend"] == "none"), "{check}");
    let body = json!({"rule": "allergens", "catalogue_version": seen, "ids": [ids[0], ids[1]]});
    let mend = admin.post("/menu-mends").json(body).send().await.assert(201).json();
    assert_eq!(mend["count"], 2);
    let left = health(&admin, "allergens").await.1;
    assert_eq!((&left["total"], &left["findings"][0]["subject"]["id"]), (&json!(1), &ids[2]));
    let read = async |at: usize| {
        let path = format!("/product-categories/{home}/products/{}", text(&ids[at]));
        admin.get(&path).send().await.assert(200).json()
    };
    let size = read(0).await["subproducts"][0].clone();
    assert_eq!((&size["allergen_free"], &size["allergenic_ids"]), (&json!(true), &json!([])));
    // Naming one ends it, also when it is taken away again.
    let all = admin.get("/api/v3/admin/allergens").send().await.assert(200).json();
    for allergens in [json!([all[0]["id"]]), json!([])] {
        let path = format!("/product-categories/{home}/products/{}", text(&ids[0]));
        let row = json!({"id": size["id"], "name": size["name"], "price": size["price"], "allergenic_ids": allergens});
        let after = admin.put(&path).json(json!({"subproducts": [row]})).send().await.assert(200).json();
        assert_eq!(after["subproducts"][0]["allergen_free"], false, "{after}");
    }
    assert_eq!(health(&admin, "allergens").await.1["total"], 2);
    // It cannot be taken back where somebody has changed it since; else it can.
    let undo = format!("/menu-mends/{}/undo", text(&mend["id"]));
    admin.post(&undo).send().await.assert_problem(409, "MENU_MEND_CHANGED");
    let (seen, _) = health(&admin, "allergens").await;
    let body = json!({"rule": "allergens", "catalogue_version": seen, "ids": [ids[2]]});
    let mend = admin.post("/menu-mends").json(body).send().await.assert(201).json();
    admin.post(&format!("/menu-mends/{}/undo", text(&mend["id"]))).send().await.assert(200);
    assert_eq!(read(2).await["subproducts"][0]["allergen_free"], false);
}

#[testkit::test]
async fn what_somebody_has_changed_since_is_not_overwritten() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Sörök", None).await;
    let beer = product(&admin, &home, "Világos", 900).await;
    admin.put(&path(&beer)).json(json!({"vat_id": VAT_5})).send().await.assert(200);
    let (seen, _) = health(&admin, "alcohol_vat").await;
    let body = json!({"rule": "alcohol_vat", "catalogue_version": seen, "ids": [beer["id"]]});
    let mend = make(&admin, "/menu-mends", body).await;
    admin.put(&path(&beer)).json(json!({"vat_id": null})).send().await.assert(200);
    let undo = format!("/menu-mends/{}/undo", text(&mend["id"]));
    let refused = admin.post(&undo).send().await.assert_problem(409, "MENU_MEND_CHANGED").json();
    assert_eq!(refused["changed"], json!(["Világos"]));
}
