//! Management of API keys, and their calls.

use kernel::time::Timestamp;
use serde_json::{Value, json};
use testkit::{Answer, Client, Place, kit};

#[testkit::test]
async fn a_key_is_shown_once_renamed_and_revoked() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let made = admin
        .post("/api-keys")
        .json(json!({"name": " Webshop ", "scopes": ["menu:read"]}))
        .send()
        .await
        .assert(201)
        .json();
    let secret = made["api_key"].as_str().unwrap();
    assert!(secret.starts_with("pk_") && secret.len() >= 30 && made["name"] == "Webshop");

    let listed = admin.get("/api-keys").send().await.assert(200).json();
    assert_eq!(listed[0]["id"], made["id"]);
    assert!(!listed.to_string().contains(secret) && listed[0]["api_key"].as_str().unwrap().ends_with('…'));
    let dump = place
        .kit
        .row(
            "select row_to_json(k)::text line from control.api_key k where id = $1::text::uuid",
            vec![made["id"].as_str().unwrap().into()],
        )
        .await;
    assert!(
        !dump.try_get::<String>("", "line").unwrap().contains(&secret[9..]),
        "the key itself is not kept"
    );

    let path = format!("/api-keys/{}", made["id"].as_str().unwrap());
    assert_eq!(
        admin.put(&path).json(json!({"name": "Kioszk"})).send().await.assert(200).json()["name"],
        "Kioszk"
    );
    let key = place.nobody().bearer(secret);
    // It may not call what is not in the public scope, and with a living key that is a matter of permission.
    key.get("/api-keys").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    admin.delete(&path).send().await.assert(204);
    key.get("/api-keys").send().await.assert_problem(401, "API_KEY_INVALID");
    admin.delete(&path).send().await.assert_problem(404, "API_KEY_NOT_EXIST");
    assert_eq!(place.count("audit").await, 3);
}

#[testkit::test]
async fn a_revoked_key_stays_in_the_list_with_its_usage_and_cannot_be_changed() {
    let place = kit().await.partner().await;
    let (admin, owner) = (place.admin().await, place.partner_admin().await);
    let (gone, _) = made(&place, json!({"name": "Régi webshop"})).await;
    let (live, _) = made(&place, json!({"name": "Webshop"})).await;
    assert_eq!(gone["revoked_at"], Value::Null);
    admin.delete(&path(&gone)).send().await.assert(204);

    let partner = format!("/api/v3/admin/partners/{}/api-keys", place.partner);
    for (client, list) in [(&admin, "/api-keys"), (&owner, partner.as_str())] {
        let listed =
            async |query: &str| client.get(&format!("{list}{query}")).send().await.assert(200).json();
        for query in ["", "?with_revoked=false"] {
            let rows = listed(query).await;
            assert_eq!((rows.as_array().unwrap().len(), &rows[0]["id"]), (1, &live["id"]), "{query}");
        }
        let rows = listed("?with_revoked=true").await;
        assert_eq!((&rows[0]["id"], &rows[1]["id"]), (&live["id"], &gone["id"]), "live ones go first");
        assert!(rows[0]["revoked_at"].is_null() && rows[1]["revoked_at"].is_string());
        let id = gone["id"].as_str().unwrap();
        let usage = client.get(&format!("{list}/{id}/usage")).send().await.assert(200).json();
        assert_eq!((&usage["name"], &usage["revoked_at"]), (&gone["name"], &rows[1]["revoked_at"]));
        assert_eq!(usage["days"].as_array().unwrap().len(), 30);
        let change = client.put(&format!("{list}/{id}")).json(json!({"name": "Új"})).send().await;
        change.assert_problem(404, "API_KEY_NOT_EXIST");
        let rotation = client.post(&format!("{list}/{id}/rotate")).json(json!({})).send().await;
        rotation.assert_problem(404, "API_KEY_NOT_EXIST");
        client.delete(&format!("{list}/{id}")).send().await.assert_problem(404, "API_KEY_NOT_EXIST");
    }
    let stranger = kit().await.partner().await.admin().await;
    stranger.get(&format!("{}/usage", path(&gone))).send().await.assert_problem(404, "API_KEY_NOT_EXIST");
    admin.get("/api-keys?with_revoked=perhaps").send().await.assert_keys(&["with_revoked"]);
}

#[testkit::test]
async fn concurrent_changes_of_a_key() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let made = admin.post("/api-keys").json(json!({"name": "Webshop"})).send().await.assert(201).json();
    let path = format!("/api-keys/{}", made["id"].as_str().unwrap());
    let first = admin
        .put(&path)
        .json(json!({"name": "Bolt", "version": made["version"]}))
        .send()
        .await
        .assert(200)
        .json();
    let late = admin.put(&path).json(json!({"name": "Kioszk", "version": made["version"]})).send().await;
    assert_eq!(late.assert_problem(409, "CONFLICT").json()["current"], first);
    admin.put(&path).json(json!({"name": "Kioszk", "version": first["version"]})).send().await.assert(200);
    // All at once: one is the first, the others hear of it.
    let (name, version) = ("Automata", first["version"].as_i64().unwrap() + 1);
    let all = (0..6).map(|_| admin.put(&path).json(json!({"name": name, "version": version})).send());
    let mut statuses: Vec<u16> =
        futures_util::future::join_all(all).await.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409, 409, 409]);
}

#[testkit::test]
async fn faults_of_a_new_key() {
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
    post(json!({"name": "x", "kind": "card"})).await.assert_keys(&["kind"]);
    post(json!({"name": "x", "expires_at": "tomorrow"})).await.assert_keys(&["expires_at"]);
    post(json!({"name": "x", "expires_at": "2020-01-01T00:00:00Z"})).await.assert_keys(&["expires_at"]);
    post(json!({"name": "x", "origins": ["https://shop.example"]})).await.assert_keys(&["origins"]);
    post(json!({"name": "x", "kind": "browser"})).await.assert_keys(&["origins"]);
    let everything = json!({"name": " ", "kind": "browser", "scopes": ["menu:read", "orders:read"],
        "origins": ["https://a.example", "http://b.example"]});
    post(everything).await.assert_keys(&["name", "scopes.1", "origins.1"]);
    admin
        .post("/api-keys")
        .header("prefer", "handling=strict")
        .json(json!({"name": "x", "hash": 1}))
        .send()
        .await
        .assert_keys(&["hash"]);
    let wrong_method = admin.put("/api-keys").json(json!({})).send().await;
    assert_eq!(wrong_method.assert_problem(405, "METHOD_NOT_ALLOWED").header("allow"), Some("GET, POST"));
    admin
        .post("/api-keys")
        .raw("name=x")
        .header("content-type", "text/plain")
        .send()
        .await
        .assert_problem(415, "MEDIA_TYPE_NOT_SUPPORTED");
    for broken in ["{", "\u{feff}{}", "[1", "{\"name\": \"\\ud800\"}"] {
        admin
            .post("/api-keys")
            .header("content-type", "application/json")
            .raw(broken)
            .send()
            .await
            .assert_problem(400, "BAD_REQUEST");
    }
    let not_utf8 = b"{\"name\": \"\xff\xfe\"}".to_vec();
    admin
        .post("/api-keys")
        .header("content-type", "application/json")
        .raw(not_utf8)
        .send()
        .await
        .assert_problem(400, "BAD_REQUEST");
    let deep = format!("{}{}", "[".repeat(65), "]".repeat(65));
    admin
        .post("/api-keys")
        .header("content-type", "application/json")
        .raw(deep)
        .send()
        .await
        .assert_problem(413, "TOO_LARGE");
    let huge = json!({"name": "x".repeat(1_000_001)});
    admin.post("/api-keys").json(huge).send().await.assert_problem(413, "TOO_LARGE");
    assert_eq!(place.count("audit").await, 1, "refused requests leave nothing behind");
}

/// Makes a key through the API: the answer, and a client with its secret.
async fn made<'k>(place: &Place<'k>, body: Value) -> (Value, Client<'k>) {
    let made = place.admin().await.post("/api-keys").json(body).send().await.assert(201).json();
    let client = place.nobody().bearer(made["api_key"].as_str().unwrap());
    (made, client)
}

fn path(key: &Value) -> String {
    format!("/api-keys/{}", key["id"].as_str().unwrap())
}

async fn menu(client: &Client<'_>) -> Answer {
    client.get("/public/menu").send().await
}

#[testkit::test]
async fn an_expired_key_says_so_and_a_changed_expiry_holds_at_once() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let soon = Timestamp::now().plus_minutes(60).to_string();
    let (key, client) = made(&place, json!({"name": "Próba", "expires_at": soon})).await;
    assert_eq!(key["expires_at"], soon);
    menu(&client).await.assert(200);
    place
        .kit
        .run(
            "update control.api_key set expires_at = now() where id = $1::text::uuid",
            vec![key["id"].as_str().unwrap().into()],
        )
        .await;
    let refused = menu(&client).await.assert_problem(401, "API_KEY_INVALID").json();
    assert_eq!(refused["detail"], "the key has expired");
    // It is still there, and can be given more time.
    admin
        .put(&path(&key))
        .json(json!({"expires_at": "2020-01-01T00:00:00Z"}))
        .send()
        .await
        .assert_keys(&["expires_at"]);
    admin.put(&path(&key)).json(json!({"expires_at": null})).send().await.assert(200);
    menu(&client).await.assert(200);
}

#[testkit::test]
async fn a_rotated_key_overlaps_and_the_old_secret_ends() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let admin = place.admin().await;
    let (key, old) = made(&place, json!({"name": "Webshop"})).await;
    let rotate = |body: Value| admin.post(&format!("{}/rotate", path(&key))).json(body).send();
    rotate(json!({"overlap_hours": 169})).await.assert_keys(&["overlap_hours"]);
    rotate(json!({"overlap_hours": -1})).await.assert_keys(&["overlap_hours"]);
    let second = rotate(json!({})).await.assert(200).json();
    assert!(
        second["id"] == key["id"] && second["prefix"] != key["prefix"] && second["rotated_until"].is_string()
    );
    let new = place.nobody().bearer(second["api_key"].as_str().unwrap());
    menu(&old).await.assert(200);
    menu(&new).await.assert(200);
    // Again, at once: of three secrets one is left, on every instance.
    let third = rotate(json!({"overlap_hours": 0})).await.assert(200).json();
    let newest = place.nobody().bearer(third["api_key"].as_str().unwrap());
    let instance = kit.second_instance().await;
    for (client, detail) in [
        (&old, "there is no such key"),
        (&new, "the key was replaced by a newer one, and the time for both is over"),
    ] {
        for client in [client.clone(), client.at(&instance)] {
            assert_eq!(menu(&client).await.assert_problem(401, "API_KEY_INVALID").json()["detail"], detail);
        }
    }
    menu(&newest).await.assert(200);
    // The other instance knows the key by now; that lets nobody in.
    menu(&newest.at(&instance)).await.assert(200);
    let listed = admin.get("/api-keys").send().await.assert(200).text();
    for secret in [&second["api_key"], &third["api_key"]] {
        assert!(!listed.contains(secret.as_str().unwrap()), "a rotated key is shown once too");
    }
    admin.delete(&path(&key)).send().await.assert(204);
    // Here at once; what the other instance remembers of its menu holds for a second.
    for client in [newest.clone(), newest.at(&instance)] {
        assert_eq!(
            menu(&client).await.assert_problem(401, "API_KEY_INVALID").json()["detail"],
            "the key was revoked"
        );
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    }
    rotate(json!({})).await.assert_problem(404, "API_KEY_NOT_EXIST");
}

#[testkit::test]
async fn a_browser_key_is_for_its_pages_and_their_scripts_may_read_the_answers() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let body = json!({"name": "Weboldal", "kind": "browser", "origins": ["https://Shop.example/"]});
    let (key, client) = made(&place, body).await;
    assert_eq!(
        (&key["origins"], &key["scopes"]),
        (&json!(["https://shop.example"]), &json!(["menu:read", "orders:write"]))
    );
    // Each time another guest: one alone has five calls a second.
    let guests = std::sync::atomic::AtomicU8::new(1);
    let guest = || format!("198.51.100.{}", guests.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
    let from = |page: &'static str| {
        client.get("/public/menu").header("origin", page).header("x-forwarded-for", guest()).send()
    };
    let answer = from("https://shop.example").await.assert(200);
    assert_eq!(answer.header("access-control-allow-origin"), Some("https://shop.example"));
    assert!(
        answer.header("access-control-allow-credentials").is_none()
            && answer.header("access-control-expose-headers").unwrap().contains("etag")
    );
    for page in [
        "https://evil.example",
        "https://shop.example.evil.example",
        "http://shop.example",
        "https://shop.example:444",
        "null",
    ] {
        let refused = from(page).await.assert_problem(403, "FOREIGN_ORIGIN");
        assert!(refused.header("access-control-allow-origin").is_none(), "{page}");
    }
    menu(&client).await.assert_problem(403, "FOREIGN_ORIGIN");
    // A refusal can be read by the page, too.
    let refused = client
        .post("/public/orders")
        .header("origin", "https://shop.example")
        .json(json!({}))
        .send()
        .await
        .assert(422);
    assert_eq!(refused.header("access-control-allow-origin"), Some("https://shop.example"));

    // The preflight carries no key.
    let preflight = |page: &'static str, path: &'static str| {
        let call = place.nobody().call(poem::http::Method::OPTIONS, path);
        call.header("origin", page).header("access-control-request-method", "POST").send()
    };
    let allowed = preflight("https://shop.example", "/public/orders").await.assert(204);
    assert_eq!(allowed.header("access-control-allow-origin"), Some("https://shop.example"));
    assert!(allowed.header("access-control-allow-headers").unwrap().contains("idempotency-key"));
    assert!(allowed.header("access-control-allow-credentials").is_none());
    preflight("https://evil.example", "/public/orders").await.assert_problem(403, "FOREIGN_ORIGIN");
    let elsewhere = preflight("https://shop.example", "/api-keys").await;
    assert!(
        elsewhere.status >= 400 && elsewhere.header("access-control-allow-origin").is_none(),
        "only the public scope"
    );
    let other = kit().await.restaurant().await;
    let foreign = format!("/api/v3/partners/{}/restaurants/{}/menu", other.partner, other.restaurant);
    let call = place.nobody().call(poem::http::Method::OPTIONS, &foreign);
    call.header("origin", "https://shop.example")
        .header("access-control-request-method", "GET")
        .send()
        .await
        .assert(403);

    // Other origins hold from the next request; none at all is no browser key.
    let worse = json!({"name": "\u{200b} ", "origins": []});
    admin.put(&path(&key)).json(worse).send().await.assert_keys(&["name", "origins"]);
    admin.put(&path(&key)).json(json!({"origins": ["https://uj.example"]})).send().await.assert(200);
    from("https://shop.example").await.assert_problem(403, "FOREIGN_ORIGIN");
    from("https://uj.example").await.assert(200);
    // A secret key is not for pages.
    let (_, secret) = made(&place, json!({"name": "Szerver"})).await;
    let answer = secret.get("/public/menu").header("origin", "https://uj.example").send().await.assert(200);
    assert!(answer.header("access-control-allow-origin").is_none());
}

#[testkit::test]
async fn a_partners_key_serves_several_restaurants() {
    let kit = kit().await;
    let first = kit.partner().await;
    let second = kit.restaurant_of(first.partner).await;
    let third = kit.restaurant_of(first.partner).await;
    let stranger = kit.stranger().await;
    let base = format!("/api/v3/admin/partners/{}/api-keys", first.partner);
    let (owner, admin) = (first.partner_admin().await, first.admin().await);
    admin.get(&base).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    let body = |ids: Value| json!({"name": "Lánc", "restaurant_ids": ids});
    owner.post(&base).json(body(json!([]))).send().await.assert_keys(&["restaurant_ids"]);
    let foreign = body(json!([first.restaurant, stranger.restaurant, uuid::Uuid::now_v7()]));
    owner.post(&base).json(foreign).send().await.assert_keys(&["restaurant_ids.1", "restaurant_ids.2"]);
    let key = owner
        .post(&base)
        .json(body(json!([first.restaurant, second.restaurant])))
        .send()
        .await
        .assert(201)
        .json();
    let secret = key["api_key"].as_str().unwrap();
    menu(&first.nobody().bearer(secret)).await.assert(200);
    menu(&second.nobody().bearer(secret)).await.assert(200);
    menu(&third.nobody().bearer(secret)).await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    menu(&stranger.nobody().bearer(secret)).await.assert_problem(404, "RESTAURANT_NOT_EXIST");

    // An admin of one of them sees it and its usage, and cannot take it from the other.
    assert_eq!(admin.get("/api-keys").send().await.assert(200).json()[0]["id"], key["id"]);
    admin.get(&format!("{}/usage", path(&key))).send().await.assert(200);
    admin.delete(&path(&key)).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    admin
        .put(&path(&key))
        .json(json!({"name": "Enyém"}))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    for foreign in [stranger.partner_admin().await, kit.stranger().await.admin().await] {
        foreign.get(&format!("{}/usage", path(&key))).send().await.assert_problem(404, "API_KEY_NOT_EXIST");
        foreign.get(&base).send().await.assert_problem(404, "PARTNER_NOT_EXIST");
    }
    let elsewhere =
        format!("/api/v3/admin/partners/{}/api-keys/{}", stranger.partner, key["id"].as_str().unwrap());
    let outsider = stranger.partner_admin().await;
    outsider
        .put(&elsewhere)
        .json(json!({"name": "Enyém"}))
        .send()
        .await
        .assert_problem(404, "API_KEY_NOT_EXIST");
    outsider
        .post(&format!("{elsewhere}/rotate"))
        .json(json!({}))
        .send()
        .await
        .assert_problem(404, "API_KEY_NOT_EXIST");
    outsider.get(&format!("{elsewhere}/usage")).send().await.assert_problem(404, "API_KEY_NOT_EXIST");
    outsider.delete(&elsewhere).send().await.assert_problem(404, "API_KEY_NOT_EXIST");
    third
        .admin()
        .await
        .get(&format!("{}/usage", path(&key)))
        .send()
        .await
        .assert_problem(404, "API_KEY_NOT_EXIST");
    let of_partner = format!("{base}/{}", key["id"].as_str().unwrap());
    owner.put(&of_partner).json(json!({"name": "Minden bolt"})).send().await.assert(200);
    owner.get(&format!("{of_partner}/usage")).send().await.assert(200);
    owner.post(&format!("{of_partner}/rotate")).json(json!({"overlap_hours": 1})).send().await.assert(200);
    owner.delete(&of_partner).send().await.assert(204);
    menu(&first.nobody().bearer(secret)).await.assert_problem(401, "API_KEY_INVALID");
    assert_eq!(owner.get(&base).send().await.assert(200).json(), json!([]));
}

#[testkit::test]
async fn a_key_of_a_suspended_partner_gets_partner_suspended() {
    let kit = kit().await;
    let place = kit.partner().await;
    let (_, client) = made(&place, json!({"name": "x"})).await;
    menu(&client).await.assert(200);
    for (status, code) in [("suspended", "PARTNER_SUSPENDED"), ("maintenance", "PARTNER_IN_MAINTENANCE")] {
        kit.run(
            "update control.partner set status = $2 where id = $1",
            vec![place.partner.into(), status.into()],
        )
        .await;
        let refused = menu(&client).await;
        assert_eq!(
            (refused.json()["code"].as_str(), refused.header("ratelimit-limit")),
            (Some(code), Some("10000"))
        );
    }
    kit.run("update control.partner set status = 'active' where id = $1", vec![place.partner.into()]).await;
    menu(&client).await.assert(200);
}

#[testkit::test]
async fn a_developer_finds_out_alone_why_calls_fail() {
    let kit = kit().await;
    let (place, other) = (kit.restaurant().await, kit.restaurant().await);
    let admin = place.admin().await;
    let (key, client) = made(&place, json!({"name": "Bolt"})).await;
    let usage = || async {
        kit.app.write_usage().await.unwrap();
        admin.get(&format!("{}/usage", path(&key))).send().await.assert(200).json()
    };
    let quiet = usage().await;
    assert_eq!((quiet["days"].as_array().unwrap().len(), &quiet["refusals"]), (30, &json!([])));
    menu(&client).await.assert(200);
    let refused =
        client.post("/public/orders").key("1").json(json!({"platform": "browser"})).send().await.assert(422);
    client.get("/product-categories").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    client
        .get(&format!(
            "/api/v3/partners/{}/restaurants/{}/menu?channel=online",
            other.partner, other.restaurant
        ))
        .send()
        .await
        .assert(404);
    client.get("/public/menus").send().await.assert_problem(404, "NOT_FOUND");
    let seen = usage().await;
    assert_eq!(seen["days"][29], json!({"day": seen["days"][29]["day"], "calls": 5, "errors": 4}));
    let refusals = seen["refusals"].as_array().unwrap();
    let codes: Vec<&str> = refusals.iter().map(|one| one["code"].as_str().unwrap()).collect();
    assert_eq!(
        codes,
        ["NOT_FOUND", "RESTAURANT_NOT_EXIST", "USER_PERMISSION_REQUIRED", "VALIDATION_FAILED"],
        "newest first"
    );
    assert_eq!(refusals[3]["request_id"], refused.header("x-request-id").unwrap());
    assert_eq!((&refusals[3]["method"], &refusals[3]["status"]), (&json!("POST"), &json!(422)));
    assert!(refusals[3]["detail"].as_str().unwrap().contains("items: required"), "{}", refusals[3]);
    assert!(refusals[1]["path"].as_str().unwrap().ends_with("/menu"), "without the query");
    assert!(admin.get("/api-keys").send().await.json()[0]["last_used_at"].is_string());
    for refusal in refusals {
        let page = place
            .nobody()
            .get(&format!("/api/problems/{}", refusal["code"].as_str().unwrap()))
            .send()
            .await
            .assert(200);
        assert!(page.text().contains("HTTP status"));
    }
    // The last hundred are kept; a dead key's calls still count for who looks at it.
    place
        .kit
        .run(
            "update control.api_key set expires_at = now(), limit_factor = 100 where id = $1::text::uuid",
            vec![key["id"].as_str().unwrap().into()],
        )
        .await;
    for _ in 0..15 {
        menu(&client).await.assert_problem(401, "API_KEY_INVALID");
    }
    let fill = "insert into control.api_key_refusal (key_id, at, method, path, status, code, detail, \
        request_id) \
                select $1::text::uuid, now(), 'GET', '/', 400, 'BAD_REQUEST', '', '' from generate_series(1, \
                200)";
    place.kit.run(fill, vec![key["id"].as_str().unwrap().into()]).await;
    let seen = usage().await;
    assert_eq!(seen["days"][29]["errors"], 19);
    assert_eq!(seen["refusals"].as_array().unwrap().len(), 100);
    assert_eq!(seen["refusals"][0]["detail"], "the key has expired");
    let kept = kit
        .row(
            "select count(*) n from control.api_key_refusal where key_id = $1::text::uuid",
            vec![key["id"].as_str().unwrap().into()],
        )
        .await;
    assert_eq!(kept.try_get::<i64>("", "n").unwrap(), 100);
}

#[testkit::test]
async fn every_problem_leads_to_a_page_that_explains_it() {
    let place = kit().await.restaurant().await;
    for code in kernel::Code::ALL {
        let page =
            place.nobody().get(&format!("/api/problems/{}", code.name())).send().await.assert(200).text();
        assert!(page.contains(code.advice().split('`').next().unwrap()), "{}", code.name());
    }
    place.nobody().get("/api/problems/COURIER_NOT_EXIST").send().await.assert(200);
    place.nobody().get("/api/problems/NO_SUCH_CODE").send().await.assert(404);
}

#[testkit::test]
async fn odd_field_names_do_not_stop_usage_from_being_written() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let (key, client) = made(&place, json!({"name": "Nulla"})).await;
    let body = json!({"platform": "browser", "pickup": true, "items": [], "a\0b": 1});
    client
        .post("/public/orders/quote")
        .header("prefer", "handling=strict")
        .json(body)
        .send()
        .await
        .assert(422);
    kit.app.write_usage().await.unwrap();
    let path = format!("/api-keys/{}/usage", key["id"].as_str().unwrap());
    let usage = place.admin().await.get(&path).send().await.assert(200).json();
    assert_eq!(usage["refusals"][0]["code"], "VALIDATION_FAILED", "{usage}");
}
