//! Push notifications, and the devices that get them.

use chrono::{DateTime, Duration, Utc};
use serde_json::{Value, json};
use testkit::{Client, Place, kit};
use uuid::Uuid;

const PATH: &str = "/push-notifications";

async fn device(app: &Client<'_>, kind: &str) -> (String, String) {
    let token = format!("{kind}-{}", Uuid::now_v7().simple());
    let made = app
        .post("/public/push-devices")
        .json(json!({"token": token, "platform": "android"}))
        .send()
        .await
        .assert(201)
        .json();
    assert!(made["token"].is_null());
    (made["id"].as_str().unwrap().to_owned(), token)
}

fn body(at: DateTime<Utc>) -> Value {
    json!({"scheduled_at": at, "notification_title": "Ma pizza", "notification_body": "Kettőt fizet, hármat \
        kap"})
}

/// The report once it is made. Time does not pass in tests: what waits for another attempt is due at once.
async fn report(place: &Place<'_>, admin: &Client<'_>, id: &str) -> Value {
    for _ in 0..200 {
        place
            .kit
            .run(
                "update control.job set run_at = now() where kind = 'push_send' and state = 'waiting' and \
                 args->>'notification_id' = $1",
                vec![id.into()],
            )
            .await;
        place.kit.run_jobs().await;
        let read = admin.get(&format!("{PATH}/{id}")).send().await.assert(200).json();
        if read["status"] == "sent" || read["status"] == "missed" {
            return read;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("it was never sent");
}

#[testkit::test]
async fn a_notification_is_sent_once_and_reported() {
    let place = kit().await.restaurant().await;
    let (admin, app) =
        (place.with_keys(&["push_notification"]).await, place.api_key(&["orders:write"]).await);
    let mut tokens = Vec::new();
    for kind in ["phone", "busy", "gone", "apns", "never", "lost"] {
        tokens.push(device(&app, kind).await.1);
    }
    // The same token again is the same device.
    let again = json!({"token": tokens[0], "platform": "ios"});
    app.post("/public/push-devices").json(again).send().await.assert(201);
    let reach = admin.get(&format!("{PATH}/reach")).send().await.assert(200).json();
    assert_eq!(reach, json!({"devices": 6, "available": true}));

    let made = admin.post(PATH).json(body(Utc::now())).send().await.assert(201).json();
    let id = made["id"].as_str().unwrap().to_owned();
    let read = report(&place, &admin, &id).await;
    let count = |name: &str| read[name].as_i64().unwrap();
    assert_eq!(
        (count("recipients"), count("accepted"), count("failed"), count("unregistered")),
        (6, 2, 3, 1),
        "{read}"
    );
    assert_eq!((&read["status"], &read["notification_sent"]), (&json!("sent"), &json!(true)));
    assert!(read["failure"].is_string() && read["sent_at"].is_string());
    let sent: Vec<usize> = tokens.iter().map(|token| place.kit.pushes_to(token)).collect();
    assert_eq!(sent, [1, 1, 0, 0, 0, 1], "nobody gets it twice, nor what may have arrived");
    assert_eq!(
        admin.get(&format!("{PATH}/reach")).send().await.json()["devices"],
        5,
        "the one that is gone is forgotten"
    );
    let left = format!("select count(*) n from {}.push_delivery where notification_id = $1", place.schema);
    assert_eq!(
        place.kit.row(&left, vec![id.parse::<Uuid>().unwrap().into()]).await.try_get::<i64>("", "n").unwrap(),
        0
    );

    // Sent is sent.
    let refused = admin
        .put(&format!("{PATH}/{id}"))
        .json(json!({"notification_title": "Más"}))
        .send()
        .await
        .assert_problem(409, "CONFLICT");
    assert_eq!(refused.json()["current"]["id"], json!(id));
    admin.delete(&format!("{PATH}/{id}")).send().await.assert_problem(409, "CONFLICT");
}

#[testkit::test]
async fn deliveries_claimed_before_a_crash_are_not_sent_again() {
    let place = kit().await.restaurant().await;
    let (admin, app) = (place.admin().await, place.api_key(&["orders:write"]).await);
    let (claimed, token) = device(&app, "phone").await;
    let (_, other) = device(&app, "phone").await;
    let made = admin.post(PATH).json(body(Utc::now() + Duration::hours(5))).send().await.assert(201).json();
    let id: Uuid = made["id"].as_str().unwrap().parse().unwrap();
    // As an instance that died between the claim and the answer leaves it.
    let schema = &place.schema;
    let begun = format!(
        "update {schema}.push_notification set status = 'sending', notification_sent = true, recipients = 2 \
         where id = $1"
    );
    place.kit.run(&begun, vec![id.into()]).await;
    let deliveries = format!(
        "insert into {schema}.push_delivery (notification_id, device_id, state, attempts) select $1, id, \
         case when id = $2 then 'claimed' else 'waiting' end, 1 \
         from {schema}.push_device where restaurant_id = $3"
    );
    place
        .kit
        .run(&deliveries, vec![id.into(), claimed.parse::<Uuid>().unwrap().into(), place.restaurant.into()])
        .await;
    let read = report(&place, &admin, &id.to_string()).await;
    assert_eq!(
        (&read["accepted"], &read["failed"], &read["failure"]),
        (&json!(1), &json!(1), &json!("UNKNOWN_OUTCOME"))
    );
    assert_eq!((place.kit.pushes_to(&token), place.kit.pushes_to(&other)), (0, 1));
}

#[testkit::test]
async fn a_notification_can_be_moved_until_it_is_sent() {
    let place = kit().await.restaurant().await;
    let (admin, app) = (place.admin().await, place.api_key(&["orders:write"]).await);
    let (_, token) = device(&app, "phone").await;
    let soon = admin.post(PATH).json(body(Utc::now() + Duration::hours(1))).send().await.assert(201).json();
    let path = format!("{PATH}/{}", soon["id"].as_str().unwrap());
    let later = json!({"scheduled_at": Utc::now() + Duration::hours(2), "version": 1});
    admin.put(&path).json(later.clone()).send().await.assert(200);
    admin.put(&path).json(later).send().await.assert_problem(409, "CONFLICT");
    // The first job names an earlier run and does nothing.
    let run = format!("select run::text run from {}.push_notification where id = $1", place.schema);
    let id: Uuid = soon["id"].as_str().unwrap().parse().unwrap();
    let run: String = place.kit.row(&run, vec![id.into()]).await.try_get("", "run").unwrap();
    let due = "update control.job set run_at = now() where kind = 'push_send' and args->>'notification_id' = \
        $1 and args->>'run' <> $2";
    assert_eq!(place.kit.run(due, vec![id.to_string().into(), run.into()]).await, 1);
    place.kit.run_jobs().await;
    assert_eq!(admin.get(&path).send().await.json()["status"], "waiting");
    admin.delete(&path).send().await.assert(204);
    assert_eq!(report_of_missed(&place, &admin).await, "missed");
    assert_eq!(place.kit.pushes_to(&token), 0);
}

/// A notification that is sent too late is dropped.
async fn report_of_missed(place: &Place<'_>, admin: &Client<'_>) -> String {
    let made = admin.post(PATH).json(body(Utc::now() + Duration::hours(1))).send().await.assert(201).json();
    let id = made["id"].as_str().unwrap();
    let late = format!(
        "update {}.push_notification set scheduled_at = now() - interval '2 hours' where id = $1",
        place.schema
    );
    place.kit.run(&late, vec![id.parse::<Uuid>().unwrap().into()]).await;
    report(place, admin, id).await["status"].as_str().unwrap().to_owned()
}

#[testkit::test]
async fn characters_are_counted_and_the_feature_is_asked() {
    let place = kit().await.restaurant().await;
    let (admin, app) = (place.admin().await, place.api_key(&["orders:write"]).await);
    let full = json!({"scheduled_at": Utc::now() + Duration::hours(1), "notification_title": "🍕".repeat(65),
        "notification_body": "ű".repeat(240)});
    admin.post(PATH).json(full).send().await.assert(201);
    let long = json!({"scheduled_at": Utc::now(), "notification_title": "a".repeat(66),
        "notification_body": "b".repeat(241)});
    admin
        .post(PATH)
        .json(long)
        .send()
        .await
        .assert_problem(422, "VALIDATION_FAILED")
        .assert_keys(&["notification_body", "notification_title"]);
    let blank = json!({"scheduled_at": Utc::now(), "notification_title": "  ", "notification_body": "\n"});
    admin.post(PATH).json(blank).send().await.assert_keys(&["notification_body", "notification_title"]);
    admin
        .post(PATH)
        .json(body(Utc::now() - Duration::hours(2)))
        .send()
        .await
        .assert_problem(422, "VALIDATION_FAILED")
        .assert_keys(&["scheduled_at"]);
    let first =
        admin.post(PATH).json(body(Utc::now() + Duration::hours(3))).key("k").send().await.assert(201).json();
    let second = admin
        .post(PATH)
        .json(json!({"scheduled_at": first["scheduled_at"], "notification_title": "Ma pizza",
            "notification_body": "Kettőt fizet, hármat kap"}));
    second.key("k").send().await.assert_problem(409, "IDEMPOTENCY_KEY_REUSED");

    app.post("/public/push-devices")
        .json(json!({"token": "két szó", "platform": "android"}))
        .send()
        .await
        .assert_problem(422, "VALIDATION_FAILED");
    let (id, _) = device(&app, "phone").await;
    app.delete(&format!("/public/push-devices/{id}")).send().await.assert(204);
    app.delete(&format!("/public/push-devices/{id}"))
        .send()
        .await
        .assert_problem(404, "PUSH_DEVICE_NOT_EXIST");
    place.with_keys(&["order"]).await.get(PATH).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    place
        .api_key(&["menu:read"])
        .await
        .post("/public/push-devices")
        .json(json!({}))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");

    place
        .kit
        .run(
            &format!(
                "delete from {}.restaurant_feature where restaurant_id = $1 and feature = 'push'",
                place.schema
            ),
            vec![place.restaurant.into()],
        )
        .await;
    admin.get(PATH).send().await.assert_problem(403, "FEATURE_NOT_AVAILABLE");
    app.post("/public/push-devices")
        .json(json!({"token": "a", "platform": "web"}))
        .send()
        .await
        .assert_problem(403, "FEATURE_NOT_AVAILABLE");
}
