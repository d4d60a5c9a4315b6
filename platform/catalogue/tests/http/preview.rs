//! The preview of the menu: what it answers, and to whom. That its reasons are those of quotes is tested in `orders`.

use serde_json::{Value, json};
use testkit::{Client, kit};

use super::{category, make, path, product, text};

async fn preview(client: &Client<'_>, query: &str) -> Value {
    client.get(&format!("/menu/preview{query}")).send().await.assert(200).json()
}

/// The first size of a product of the first category.
fn size<'p>(preview: &'p Value, name: &str) -> &'p Value {
    let products = preview["categories"][0]["products"].as_array().unwrap();
    &products.iter().find(|row| row["name"] == name).unwrap()["subproducts"][0]
}

#[testkit::test]
async fn what_guests_do_not_see_says_why() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Ételek", None).await;
    let (soup, stew) =
        (product(&admin, &home, "Gulyás", 1800).await, product(&admin, &home, "Pörkölt", 2900).await);
    admin.put(&path(&stew)).json(json!({"active": false})).send().await.assert(200);
    let found = preview(&admin, "?channel=phone").await;
    let (soup_size, stew_size) = (size(&found, "Gulyás"), size(&found, "Pörkölt"));
    assert_eq!((&soup_size["on_sale"], &soup_size["reasons"]), (&json!(true), &json!([])));
    let reason = &stew_size["reasons"][0];
    assert_eq!((&stew_size["shown"], &reason["cause"]), (&json!(false), &json!("inactive")));
    assert_eq!((&reason["reason"], &reason["subject"]["id"]), (&json!("item_inactive"), &stew["id"]));

    // One channel hides it, another one does not.
    admin.put(&path(&soup)).json(json!({"visible_online": false})).send().await.assert(200);
    assert_eq!(size(&preview(&admin, "").await, "Gulyás")["reasons"][0]["cause"], "hidden");
    assert_eq!(size(&preview(&admin, "?channel=sit_in&pickup=true").await, "Gulyás")["on_sale"], true);

    // A menu cannot be had when a part of it is sold out.
    let lunch = json!({"name": "Ebéd", "subproducts": [{"name": "Menü", "price": 2500, "components": [
        {"subproduct_id": soup["subproducts"][0]["id"], "pieces": 1}]}]});
    make(&admin, &format!("/product-categories/{home}/products"), lunch).await;
    let stock = format!("/sellable-quantities/{}", text(&soup["subproducts"][0]["id"]));
    admin.put(&stock).json(json!({"sellable_quantity": 0})).send().await.assert(200);
    let found = preview(&admin, "?channel=phone").await;
    let reason = &size(&found, "Ebéd")["reasons"][0];
    assert_eq!(
        (&reason["cause"], &reason["subject"]["id"]),
        (&json!("component_sold_out"), &soup["subproducts"][0]["id"])
    );
}

#[testkit::test]
async fn what_nobody_means_is_refused() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    assert_eq!(preview(&admin, "").await["categories"], json!([]));
    for (query, key) in [
        ("?at=9999-12-31T00:00:00Z", "at"),
        ("?at=2026-02-30T10:00:00Z", "at"),
        ("?at=someday", "at"),
        ("?channel=moon", "channel"),
    ] {
        admin.get(&format!("/menu/preview{query}")).send().await.assert_keys(&[key]);
    }
    let reader = place.with_keys(&["admin_login", "order"]).await;
    preview(&reader, "").await;
    let other = place.with_keys(&["admin_login", "courier"]).await;
    other.get("/menu/preview").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    let there = kit().await.restaurant().await;
    let address = format!("/api/v3/admin/partners/{}/restaurants/{}/menu", there.partner, there.restaurant);
    for call in ["preview", "health"] {
        admin.get(&format!("{address}/{call}")).send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    }
}
