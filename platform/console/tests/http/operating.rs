use std::{sync::Arc, time::Duration};

use console::load::{self, Figures, Instance};
use serde_json::{Value, json};
use testkit::kit;
use uuid::Uuid;

const OPERATING: &str = "/api/v3/super-admin/operating";

#[testkit::test]
async fn an_operator_sees_instances_what_failed_what_is_slow_and_who_causes_load() {
    let kit = kit().await;
    let place = kit.partner().await;
    let admin = place.super_admin().await;
    let started_at = kernel::clock::now();
    let instance = Instance { id: Uuid::now_v7(), version: "9.9.9", part: "work", started_at };
    // A route of this test alone: others call the service meanwhile.
    let route: Arc<str> = format!("/slow/{}", instance.id.simple()).into();
    for (ms, failed) in [(40_000, false), (60_000, true)] {
        for _ in 0..6 {
            load::answered("GET", &route, Some(place.partner), Duration::from_millis(ms), failed);
        }
        let figures = Figures { memory: 123_000_000, connections: 3, waiting: 2, windows: 1 };
        load::write(&kit.app.door, &instance, true, figures).await.unwrap();
    }
    let kind = format!("test_{}", Uuid::now_v7().simple());
    let failed = "insert into control.job (kind, state, attempts, last_error) \
        values ($1, 'failed', 10, 'the server refused'), ($1, 'waiting', 2, 'later')";
    kit.run(failed, vec![kind.clone().into()]).await;

    let seen = admin.get(OPERATING).send().await.assert(200).json();
    let find = |list: &str, key: &str, value: &str| -> Value {
        let rows = seen[list].as_array().unwrap();
        rows.iter()
            .find(|row| row[key] == value)
            .cloned()
            .unwrap_or_else(|| panic!("{value} is not in {seen}"))
    };
    let own = find("instances", "id", &instance.id.to_string());
    for (key, value) in [
        ("version", json!("9.9.9")),
        ("part", json!("work")),
        ("alive", json!(true)),
        ("ready", json!(true)),
        ("memory_mb", json!(123)),
        ("connections", json!(3)),
        ("waiting", json!(2)),
        ("windows", json!(1)),
    ] {
        assert_eq!(own[key], value, "{key}");
    }
    let slow = find("slowest", "operation", &format!("GET {route}"));
    assert_eq!(
        (&slow["requests"], &slow["failed"], &slow["mean_ms"], &slow["worst_ms"]),
        (&json!(12), &json!(6), &json!(50_000), &json!(60_000)),
        "two words of one instance add up"
    );
    let partner = find("partners", "partner_id", &place.partner.to_string());
    assert_eq!((&partner["requests"], &partner["total_ms"]), (&json!(12), &json!(600_000)));
    let failure = find("failures", "kind", &kind);
    assert_eq!(
        (&failure["dead"], &failure["repeated"], &failure["last_error"]),
        (&json!(1), &json!(1), &json!("later"))
    );
    assert!(seen["backlog"]["dead"].as_i64().unwrap() >= 1);

    // One that is silent counts as away, and what is older than an hour is gone with the next word.
    let silent = "update control.instance set seen_at = now() - interval '31 seconds' where id = $1";
    kit.run(silent, vec![instance.id.into()]).await;
    let seen = admin.get(OPERATING).send().await.assert(200).json();
    let own = seen["instances"].as_array().unwrap().iter().find(|row| row["id"] == instance.id.to_string());
    assert_eq!((&own.unwrap()["alive"], &own.unwrap()["ready"]), (&json!(false), &json!(false)));
    let old = "update control.load set minute = minute - interval '2 hours' where instance_id = $1";
    kit.run(old, vec![instance.id.into()]).await;
    load::write(&kit.app.door, &instance, false, Figures::default()).await.unwrap();
    let left =
        "select count(*) n from control.load where instance_id = $1 and minute < now() - interval '1 hour'";
    let left = kit.row(left, vec![instance.id.into()]).await.try_get::<i64>("", "n").unwrap();
    assert_eq!(left, 0);
    kit.run("delete from control.job where kind = $1", vec![kind.into()]).await;

    for minutes in ["0", "61", "x"] {
        admin
            .get(&format!("{OPERATING}?minutes={minutes}"))
            .send()
            .await
            .assert_problem(422, "VALIDATION_FAILED");
    }
    place.admin().await.get(OPERATING).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
}
