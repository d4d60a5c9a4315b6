//! VAT rates, which super admins write. They are the same for everybody: what writes them has an installation
//! of its own.

use serde_json::{Value, json};
use testkit::kit;

use super::{NOBODY, VAT_18, VAT_27, category, product, text};

const ALL: &str = "/api/v3/vats";

fn body() -> Value {
    json!({"name_local": "Új kulcs", "name_en": "New rate", "percent": 17.5})
}

#[testkit::test]
async fn super_admins_add_rename_and_archive_rates() {
    let kit = kit().await.beside("vats").await;
    let place = kit.partner().await;
    let (admin, staff) = (place.super_admin().await, place.admin().await);
    let made = admin.post(ALL).json(body()).send().await.assert(201).json();
    assert_eq!(
        (&made["country_id"], &made["percent"], &made["archived_at"], &made["version"]),
        (&json!("HU"), &json!(17.5), &Value::Null, &json!(1))
    );
    let own = format!("{ALL}/{}", text(&made["id"]));
    assert_eq!(staff.get(&own).send().await.assert(200).json(), made);
    let renamed = admin
        .put(&own)
        .json(json!({"name_local": " Átmeneti kulcs ", "percent": "17.50", "version": 1}))
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!(
        (&renamed["name_local"], &renamed["name_en"], &renamed["version"]),
        (&json!("Átmeneti kulcs"), &json!("New rate"), &json!(2))
    );
    admin.put(&own).json(json!({"percent": 18})).send().await.assert_keys(&["percent"]);
    admin.put(&own).json(json!({"name_en": "x", "version": 1})).send().await.assert_problem(409, "CONFLICT");
    let wrong = json!({"name_local": " ", "name_en": "x".repeat(101), "percent": 100, "country_id": "hu"});
    admin.post(ALL).json(wrong).send().await.assert_keys(&["name_local", "name_en", "country_id"]);
    for percent in [json!(100), json!(7.125), json!(-1)] {
        let mut rate = body();
        rate["percent"] = percent;
        admin.post(ALL).json(rate).send().await.assert_keys(&["percent"]);
    }

    admin.delete(&own).send().await.assert(204);
    let ids = |rows: Value| -> Vec<String> {
        rows.as_array().unwrap().iter().map(|row| text(&row["id"])).collect()
    };
    let listed = ids(staff.get(ALL).send().await.assert(200).json());
    assert!(!listed.contains(&text(&made["id"])), "nobody can choose it");
    let all = ids(staff.get(&format!("{ALL}?archived=true")).send().await.assert(200).json());
    assert!(all.contains(&text(&made["id"])) && all.len() == listed.len() + 1);
    assert!(staff.get(&own).send().await.assert(200).json()["archived_at"].is_string());
    admin.put(&own).json(json!({"name_en": "x"})).send().await.assert_problem(404, "VAT_NOT_EXIST");
    admin.delete(&own).send().await.assert_problem(404, "VAT_NOT_EXIST");
    let lines = "/api/v3/super-admin/audit?record_id=";
    let log = admin.get(&format!("{lines}{}", text(&made["id"]))).send().await.assert(200).json();
    let actions: Vec<&str> =
        log.as_array().unwrap().iter().map(|line| line["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["vats_delete", "vats_update", "vats_create"]);
}

#[testkit::test]
async fn nobody_else_writes_rates() {
    let place = kit().await.restaurant().await;
    let own = format!("{ALL}/{VAT_27}");
    let (staff, partner) = (place.admin().await, place.partner_admin().await);
    let key = place.api_key(&["menu:read"]).await;
    for (client, status, code) in [
        (&staff, 403, "USER_PERMISSION_REQUIRED"),
        (&partner, 403, "USER_PERMISSION_REQUIRED"),
        (&key, 403, "USER_PERMISSION_REQUIRED"),
        (&place.nobody(), 401, "USER_LOGIN_REQUIRED"),
    ] {
        client.post(ALL).json(body()).send().await.assert_problem(status, code);
        client.put(&own).json(json!({"name_en": "x"})).send().await.assert_problem(status, code);
        client.delete(&own).send().await.assert_problem(status, code);
    }
    let admin = place.super_admin().await;
    let nowhere = format!("{ALL}/{NOBODY}");
    admin.put(&nowhere).json(json!({})).send().await.assert_problem(404, "VAT_NOT_EXIST");
    admin.delete(&nowhere).send().await.assert_problem(404, "VAT_NOT_EXIST");
}

#[testkit::test]
async fn an_archived_rate_stays_on_what_uses_it_and_is_chosen_nowhere_else() {
    let kit = kit().await.beside("rates").await;
    let place = kit.partner().await;
    let (admin, staff) = (place.super_admin().await, place.admin().await);
    let home = category(&staff, "Levesek", None).await;
    let soup = product(&staff, &home, "Bableves", 990).await;
    let own = format!("/product-categories/{home}/products/{}", text(&soup["id"]));
    staff.put(&own).json(json!({"vat_id": VAT_18})).send().await.assert(200);
    admin.delete(&format!("{ALL}/{VAT_18}")).send().await.assert(204);
    let now = staff.get(&own).send().await.assert(200).json();
    assert_eq!((&now["vat_id"], &now["effective"]["vat"]["percent"]), (&json!(VAT_18), &json!(18)));
    // Whole entities are sent back.
    staff.put(&own).json(json!({"vat_id": VAT_18, "name": "Bablé"})).send().await.assert(200);
    staff.put("/general").json(json!({"vat_id": VAT_18})).send().await.assert_keys(&["vat_id"]);
    staff.put(&own).json(json!({"vat_id": null})).send().await.assert(200);
    staff.put(&own).json(json!({"vat_id": VAT_18})).send().await.assert_keys(&["vat_id"]);
    // What a restaurant has set stays too.
    admin.delete(&format!("{ALL}/{VAT_27}")).send().await.assert(204);
    let general = staff.put("/general").json(json!({"vat_id": VAT_27, "city": "Eger"})).send().await;
    assert_eq!(general.assert(200).json()["vat_id"], VAT_27);
    let bare = product(&staff, &home, "Lencseleves", 990).await;
    assert_eq!(bare["effective"]["vat"]["percent"], 27);
}
