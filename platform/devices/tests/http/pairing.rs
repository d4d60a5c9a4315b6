//! Pairing, secrets and revoking of devices.

use poem::http::Method;
use serde_json::{Value, json};
use testkit::{Answer, Client, Place, kit};
use uuid::Uuid;

use super::tvs::display;

async fn kiosk(admin: &Client<'_>) -> Value {
    let kiosk = admin.post("/kiosks").json(json!({"name": "Bejárat"})).send().await.assert(201).json();
    let new = json!({"name": "Állvány", "kind": "kiosk", "restaurant_kiosk_id": kiosk["id"]});
    admin.post("/devices").json(new).send().await.assert(201).json()
}

/// From an address of its own, because guesses from one are counted.
async fn pair(place: &Place<'_>, code: &str, address: &str) -> Answer {
    place
        .nobody()
        .post("/api/v3/devices/pair")
        .header("x-forwarded-for", address)
        .json(json!({"code": code}))
        .send()
        .await
}

fn address() -> String {
    let random = Uuid::now_v7().as_u128();
    format!("2001:db8:{:x}:{:x}::1", random >> 16 & 0xffff, random & 0xffff)
}

#[testkit::test]
async fn a_code_pairs_once_and_its_secret_dies_with_the_device() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let device = kiosk(&admin).await;
    let (code, path) =
        (device["pairing"]["code"].as_str().unwrap(), format!("/devices/{}", device["id"].as_str().unwrap()));
    let groups: Vec<&str> = code.split('-').collect();
    let known = |sign: u8| b"0123456789ABCDEFGHJKMNPQRSTVWXYZ".contains(&sign);
    assert!(
        groups.len() == 2 && groups.iter().all(|group| group.len() == 4 && group.bytes().all(known)),
        "{code}"
    );
    let (link, page) =
        (device["pairing"]["link"].as_str().unwrap(), device["pairing"]["address"].as_str().unwrap());
    assert!(page.ends_with("/kiosk") && link.starts_with(&format!("{page}#pair=pd_")), "{page} {link}");
    assert_eq!(
        (&device["paired_at"], &device["online"], &device["shows"]),
        (&json!(null), &json!(false), &json!("Bejárat"))
    );
    assert_eq!(
        admin.get(&path).send().await.assert(200).json()["pairing"],
        json!(null),
        "a code is seen once"
    );

    let from = address();
    let typed = format!(" {} {}", groups[0].to_lowercase(), groups[1]);
    // A display that is given the kiosk's code by mistake does not use it up.
    let mistaken = json!({"code": typed, "kind": "guest_tv"});
    place
        .nobody()
        .post("/api/v3/devices/pair")
        .json(mistaken)
        .send()
        .await
        .assert_problem(409, "PAIRING_OTHER_KIND");
    let paired = pair(&place, &typed, &from).await.assert(200).json();
    let secret = paired["secret"].as_str().unwrap();
    assert_eq!((&paired["kind"], &paired["name"]), (&json!("kiosk"), &json!("Állvány")));
    pair(&place, code, &from).await.assert_problem(401, "PAIRING_INVALID");
    // It is connected when it has come with its secret, not when somebody typed its code.
    let waits = admin.get(&path).send().await.assert(200).json();
    assert!(
        waits["paired_at"].is_string() && waits["last_seen_at"].is_null() && waits["online"] == false,
        "{waits}"
    );
    let own = display(&place, secret).get("/api/v3/device").send().await.assert(200).json();
    assert_eq!((&own["id"], &own["restaurant_id"]), (&device["id"], &json!(place.restaurant)));
    let seen = admin.get(&path).send().await.assert(200).json();
    assert!(
        seen["online"] == true && seen["paired_at"].is_string() && seen["pairing_until"].is_null(),
        "{seen}"
    );

    // Its kind determines its calls. It has no access elsewhere, and no other caller has its access.
    display(&place, secret)
        .get("/api/v3/device/board")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    display(&place, secret).get("/kiosks").send().await.assert_problem(401, "USER_INVALID_TOKEN");
    admin.get("/api/v3/device").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    place.nobody().get("/api/v3/device").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    display(&place, "pd_nonsense").get("/api/v3/device").send().await.assert_problem(401, "DEVICE_INVALID");

    admin.delete(&path).send().await.assert(204);
    display(&place, secret).get("/api/v3/device").send().await.assert_problem(401, "DEVICE_INVALID");
    for method in [Method::GET, Method::DELETE] {
        admin.call(method, &path).send().await.assert_problem(404, "DEVICE_NOT_EXIST");
    }
    let lines = format!(
        "select actor_kind || ' ' || action from {}.audit where record_id = '{}' order by at, id",
        place.schema,
        device["id"].as_str().unwrap()
    );
    assert_eq!(
        kit().await.texts(&lines).await,
        ["admin devices_create", "device devices_pair", "admin devices_delete"]
    );
}

#[testkit::test]
async fn a_device_renews_its_secret_and_can_be_paired_again() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let device = kiosk(&admin).await;
    let path = format!("/devices/{}", device["id"].as_str().unwrap());
    let link = device["pairing"]["link"].as_str().unwrap();
    let first =
        pair(&place, link.split_once("#pair=").unwrap().1, &address()).await.assert(200).json()["secret"]
            .clone();
    let first = display(&place, first.as_str().unwrap());
    let second = first.put("/api/v3/device/secret").send().await.assert(200).json()["secret"].clone();
    let second = display(&place, second.as_str().unwrap());
    // The answer may have been lost: the one before is good for a while, but renews nothing.
    first.get("/api/v3/device").send().await.assert(200);
    first.put("/api/v3/device/secret").send().await.assert_problem(409, "IN_USE");
    second.get("/api/v3/device").send().await.assert(200);

    let again = admin.post(&format!("{path}/pairing")).send().await.assert(201).json();
    second.get("/api/v3/device").send().await.assert(200);
    let third = pair(&place, again["pairing"]["code"].as_str().unwrap(), &address()).await.assert(200).json()
        ["secret"]
        .clone();
    for dead in [&first, &second] {
        dead.get("/api/v3/device").send().await.assert_problem(401, "DEVICE_INVALID");
    }
    display(&place, third.as_str().unwrap()).get("/api/v3/device").send().await.assert(200);
    assert_eq!(
        admin.put(&path).json(json!({"name": "Ajtó"})).send().await.assert(200).json()["name"],
        "Ajtó"
    );

    // A code that has run out, and one that was replaced by another.
    let late = admin.post(&format!("{path}/pairing")).send().await.assert(201).json();
    let newer = admin.post(&format!("{path}/pairing")).send().await.assert(201).json();
    pair(&place, late["pairing"]["code"].as_str().unwrap(), &address())
        .await
        .assert_problem(401, "PAIRING_INVALID");
    let id: Uuid = device["id"].as_str().unwrap().parse().unwrap();
    kit().await.run("update control.device set pairing_until = now() where id = $1", vec![id.into()]).await;
    pair(&place, newer["pairing"]["code"].as_str().unwrap(), &address())
        .await
        .assert_problem(401, "PAIRING_INVALID");
}

#[testkit::test]
async fn guesses_at_a_code_are_counted() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let device = kiosk(&admin).await;
    let code = device["pairing"]["code"].as_str().unwrap();
    let guesser = address();
    let mut refused = 0;
    for guess in 0..40 {
        let answer = pair(&place, &format!("GUES{guess:04}"), &guesser).await;
        assert!([401, 429].contains(&answer.status), "{}", answer.status);
        refused += u32::from(answer.status == 429);
    }
    assert_eq!(refused, 30, "ten guesses are looked at");
    pair(&place, code, &guesser).await.assert_problem(429, "TOO_MANY_REQUESTS");
    // Guessing from many addresses does not block pairing for others.
    for guess in 0..210 {
        pair(&place, &format!("GUES{guess:04}"), &address()).await.assert_problem(401, "PAIRING_INVALID");
    }
    pair(&place, code, &address()).await.assert(200);
}

#[testkit::test]
async fn the_subject_of_a_device_belongs_to_its_restaurant() {
    let place = kit().await.restaurant().await;
    let other = kit().await.restaurant().await;
    let admin = place.with_keys(&["admin_login", "admin_table"]).await;
    let foreign =
        other.admin().await.post("/kiosks").json(json!({"name": "Másé"})).send().await.assert(201).json();
    admin
        .post("/devices")
        .json(json!({"name": "A", "kind": "kiosk"}))
        .send()
        .await
        .assert_keys(&["restaurant_kiosk_id"]);
    admin
        .post("/devices")
        .json(json!({"name": "A", "kind": "guest_tv", "restaurant_kiosk_id": foreign["id"]}))
        .send()
        .await
        .assert_keys(&["restaurant_kiosk_id", "restaurant_tv_id"]);
    for id in [&foreign["id"], &json!(Uuid::now_v7())] {
        admin
            .post("/devices")
            .json(json!({"name": "A", "kind": "kiosk", "restaurant_kiosk_id": id}))
            .send()
            .await
            .assert_keys(&["restaurant_kiosk_id"]);
    }
    admin.post("/devices").json(json!({"name": "A", "kind": "toaster"})).send().await.assert_keys(&["kind"]);
    place
        .with_keys(&["admin_login", "kiosk"])
        .await
        .get("/devices")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    // Another restaurant's device is none.
    let theirs = kiosk(&other.admin().await).await;
    let path = format!("/devices/{}", theirs["id"].as_str().unwrap());
    admin.get(&path).send().await.assert_problem(404, "DEVICE_NOT_EXIST");
    admin.delete(&path).send().await.assert_problem(404, "DEVICE_NOT_EXIST");
    admin.post(&format!("{path}/pairing")).send().await.assert_problem(404, "DEVICE_NOT_EXIST");
    other.admin().await.get(&path).send().await.assert(200);
}

/// Of a later release, after which this one was brought back.
#[testkit::test]
async fn an_unknown_device_kind_is_refused() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let (paired, waiting) = (kiosk(&admin).await, kiosk(&admin).await);
    let code = |device: &Value| device["pairing"]["code"].as_str().unwrap().to_owned();
    let secret = pair(&place, &code(&paired), &address()).await.assert(200).json()["secret"].clone();
    let secret = secret.as_str().unwrap();
    for device in [&paired, &waiting] {
        let id: Uuid = device["id"].as_str().unwrap().parse().unwrap();
        let sql = "update control.device set kind = 'printer_agent' where id = $1";
        place.kit.run(sql, vec![id.into()]).await;
    }
    // It is no guest TV and no kiosk: it may call nothing, and no list says that it is one.
    for path in ["/api/v3/device", "/api/v3/device/board"] {
        let refused = display(&place, secret).get(path).send().await;
        assert!(refused.text().contains("printer_agent"), "{}", refused.text());
        refused.assert_problem(403, "USER_PERMISSION_REQUIRED");
    }
    let refused = pair(&place, &code(&waiting), &address()).await;
    assert!(refused.text().contains("printer_agent"), "{}", refused.text());
    refused.assert_problem(409, "PAIRING_OTHER_KIND");
    assert_eq!(admin.get("/devices").send().await.assert(200).json(), json!([]));
}
