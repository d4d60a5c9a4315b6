use serde_json::json;
use testkit::kit;

#[tokio::test]
async fn a_key_is_shown_once_renamed_and_revoked() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let made = admin.post("/api-keys").json(json!({"name": " Webshop ", "scopes": ["menu:read"]})).send().await.assert(201).json();
    let secret = made["api_key"].as_str().unwrap();
    assert!(secret.starts_with("pk_") && secret.len() >= 30 && made["name"] == "Webshop");

    let listed = admin.get("/api-keys").send().await.assert(200).json();
    assert_eq!(listed[0]["id"], made["id"]);
    assert!(!listed.to_string().contains(secret) && listed[0]["api_key"].as_str().unwrap().ends_with('…'));
    let dump = place
        .kit
        .row("select row_to_json(k)::text line from control.api_key k where id = $1::text::uuid", vec![made["id"].as_str().unwrap().into()])
        .await;
    assert!(!dump.try_get::<String>("", "line").unwrap().contains(&secret[9..]), "the key itself is not kept");

    let path = format!("/api-keys/{}", made["id"].as_str().unwrap());
    assert_eq!(admin.put(&path).json(json!({"name": "Kioszk"})).send().await.assert(200).json()["name"], "Kioszk");
    let key = place.nobody().bearer(secret);
    // It may not call what is not in the public scope, and with a living key that is a matter of permission.
    key.get("/api-keys").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    admin.delete(&path).send().await.assert(204);
    key.get("/api-keys").send().await.assert_problem(401, "API_KEY_INVALID");
    admin.delete(&path).send().await.assert_problem(404, "API_KEY_NOT_EXIST");
    assert_eq!(place.count("audit").await, 3);
}

#[tokio::test]
async fn what_is_wrong_with_a_new_key() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let post = |body| admin.post("/api-keys").json(body).send();
    post(json!({})).await.assert_keys(&["name"]);
    post(json!({"name": "  ", "scopes": []})).await.assert_keys(&["name", "scopes"]);
    post(json!({"name": 7, "scopes": ["menu:read", "menu:eat"]})).await.assert_keys(&["name", "scopes.1"]);
    post(json!({"name": "a\u{0}b"})).await.assert_keys(&["name"]);
    post(json!({"name": "x".repeat(101)})).await.assert_keys(&["name"]);
    let ignored = post(json!({"name": "x", "hash": "1", "restaurant_ids": []})).await.assert(201);
    assert_eq!(ignored.header("x-ignored-fields"), Some("hash, restaurant_ids"));
    admin.post("/api-keys").header("prefer", "handling=strict").json(json!({"name": "x", "hash": 1})).send().await.assert_keys(&["hash"]);
    admin.post("/api-keys").raw("name=x").header("content-type", "text/plain").send().await.assert_problem(415, "MEDIA_TYPE_NOT_SUPPORTED");
    for broken in ["{", "\u{feff}{}", "[1", "{\"name\": \"\\ud800\"}"] {
        admin.post("/api-keys").header("content-type", "application/json").raw(broken).send().await.assert_problem(400, "BAD_REQUEST");
    }
    let not_utf8 = b"{\"name\": \"\xff\xfe\"}".to_vec();
    admin.post("/api-keys").header("content-type", "application/json").raw(not_utf8).send().await.assert_problem(400, "BAD_REQUEST");
    let deep = format!("{}{}", "[".repeat(65), "]".repeat(65));
    admin.post("/api-keys").header("content-type", "application/json").raw(deep).send().await.assert_problem(413, "TOO_LARGE");
    let huge = json!({"name": "x".repeat(1_000_001)});
    admin.post("/api-keys").json(huge).send().await.assert_problem(413, "TOO_LARGE");
    assert_eq!(place.count("audit").await, 1, "refused requests leave nothing behind");
}
