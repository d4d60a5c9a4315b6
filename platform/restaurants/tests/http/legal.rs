//! Legal data.

use serde_json::json;
use testkit::kit;

#[testkit::test]
async fn the_company_is_entered_and_changed() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(&["admin_login", "restaurant_general"]).await;
    let none = admin.get("/legal-file").send().await.assert(200).json();
    assert_eq!((&none["company_name"], &none["version"]), (&json!(null), &json!(0)));
    let put = |body| admin.put("/legal-file").json(body).send();
    put(json!({"company_name": "Kékfrankos Kft.", "phone_1": ""})).await.assert_keys(&["tax_num", "address"]);
    put(json!({"company_name": "Kf", "tax_num": "12345", "address": "Fő u. 1.", "contact_email": "senki"}))
        .await
        .assert_keys(&["company_name", "tax_num", "address", "contact_email"]);
    for tax in ["1234567A-2-41", "-12345678", "12345678-", "12345678--2"] {
        put(json!({"tax_num": tax})).await.assert_keys(&["tax_num"]);
    }
    let whole = json!({
        "company_name": "Kékfrankos Kft.", "tax_num": "12345678-2-41", "address": "1051 Budapest, Minta utca \
            1.",
        "phone_1": "", "contact_email": "jog@kekfrankos.example", "version": 0,
    });
    let after = put(whole.clone()).await.assert(200).json();
    assert_eq!(
        (&after["phone_1"], &after["contact_email"], &after["version"]),
        (&json!(null), &json!("jog@kekfrankos.example"), &json!(1))
    );
    put(whole).await.assert_problem(409, "CONFLICT");
    let after =
        put(json!({"tax_num": "87654321", "contact_email": "", "version": 1})).await.assert(200).json();
    assert_eq!(
        (&after["tax_num"], &after["contact_email"], &after["company_name"]),
        (&json!("87654321"), &json!(null), &json!("Kékfrankos Kft."))
    );
    assert_eq!(admin.get("/legal-file").send().await.assert(200).json(), after);
    assert_eq!(place.count("audit").await, 2);
    let other = place.with_keys(&["admin_login", "restaurant_opening"]).await;
    other.get("/legal-file").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    other.put("/legal-file").json(json!({})).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    let neighbour = kit().await.restaurant().await.admin().await;
    assert_eq!(neighbour.get("/legal-file").send().await.assert(200).json()["version"], 0);
}

#[testkit::test]
async fn socials_lie_on_their_networks() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(&["admin_login", "restaurant_general"]).await;
    let put = |body| admin.put("/socials").json(body).send();
    let public = format!("/api/v3/partners/{}/restaurants/{}/socials", place.partner, place.restaurant);
    let shop = place.api_key(&["menu:read"]).await;
    let first = shop.get(&public).send().await.assert(200);
    assert_eq!((&first.json()["facebook"], &first.json()["version"]), (&json!(null), &json!(0)));
    put(json!({
        "facebook": "https://example.com/facebook.com", "instagram": "http://instagram.com/x",
        "youtube": "youtube", "twitter": "https://t.co/x",
        "blog": "http://blog.example.com", "tumblr": "https://tumblr.example.com",
    }))
    .await
    .assert_keys(&["facebook", "instagram", "youtube", "twitter", "blog", "tumblr"]);
    let sent = json!({
        "facebook": "https://www.facebook.com/x", "instagram": "https://instagram.com/x",
        "youtube": "https://youtube.com/@x",
        "twitter": "https://x.com/x", "blog": " https://barmi.example/x ", "tumblr": "",
    });
    let after = put(sent).await.assert(200).json();
    assert_eq!(
        (&after["blog"], &after["tumblr"], &after["version"]),
        (&json!("https://barmi.example/x"), &json!(null), &json!(1))
    );
    let etag = first.header("etag").unwrap().to_owned();
    let second = shop.get(&public).header("If-None-Match", etag).send().await.assert(200);
    assert_eq!(second.json(), after);
    shop.get(&public)
        .header("If-None-Match", format!("\"x\", W/{}", second.header("etag").unwrap()))
        .send()
        .await
        .assert(304);
    let after = put(json!({"facebook": null, "version": 1})).await.assert(200).json();
    assert_eq!((&after["facebook"], &after["twitter"]), (&json!(null), &json!("https://x.com/x")));
    put(json!({"version": 1})).await.assert_problem(409, "CONFLICT");
    shop.put("/socials").json(json!({})).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
}
