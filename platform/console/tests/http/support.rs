//! Support access. See `docs/decisions/accounts.md#support-access`.

use serde_json::json;
use testkit::kit;

use super::PARTNERS;

#[testkit::test]
async fn a_support_access_needs_a_reason_reads_only_and_ends() {
    let kit = kit().await;
    let place = kit.partner().await;
    let admin = place.super_admin().await;
    let at = format!("{PARTNERS}/{}/access", place.partner);
    let courier = json!({"first_name": "Pál", "last_name": "Futár"});
    admin.get("/couriers").send().await.assert_problem(403, "SUPPORT_ACCESS_REQUIRED");
    for reason in ["", "mert", "    a    "] {
        admin.post(&at).json(json!({"reason": reason})).send().await.assert_keys(&["reason"]);
    }
    let open =
        admin.post(&at).json(json!({"reason": "Hibás számla, 4711-es jegy"})).send().await.assert(201).json();
    assert_eq!(open["writable"], false);
    admin.get("/couriers").send().await.assert(200);
    admin.post("/couriers").json(courier.clone()).send().await.assert_problem(403, "SUPPORT_ACCESS_REQUIRED");
    // Another super admin is still outside.
    place.super_admin().await.get("/couriers").send().await.assert_problem(403, "SUPPORT_ACCESS_REQUIRED");

    let lines = kit
        .texts(&format!(
            "select a.action || ' ' || d.details::text from {0}.audit a join \
        {0}.audit_detail d on d.audit_id = a.id where a.actor_kind = 'support' order by a.at, a.id",
            place.schema
        ))
        .await;
    assert!(lines[0].starts_with("support_begin") && lines[0].contains("4711-es jegy"), "{lines:?}");
    assert!(
        lines[1].starts_with("support_step") && lines[1].contains("GET") && lines[1].contains("/couriers"),
        "{lines:?}"
    );
    assert!(lines[2].contains("POST"), "a refused step stands there too: {lines:?}");

    admin.post(&at).json(json!({"reason": "Javítás kell", "writable": true})).send().await.assert(201);
    admin.post("/couriers").json(courier).send().await.assert(201);
    let by = kit
        .row(
            &format!("select actor_kind from {}.audit where action = 'couriers_create'", place.schema),
            vec![],
        )
        .await;
    assert_eq!(by.try_get::<String>("", "actor_kind").unwrap(), "support");

    admin.delete(&at).send().await.assert(204);
    admin.get("/couriers").send().await.assert_problem(403, "SUPPORT_ACCESS_REQUIRED");
    admin.post(&at).json(json!({"reason": "Még egyszer"})).send().await.assert(201);
    let open = kit
        .row(
            "select extract(epoch from expires_at - now())::int s from control.support_access where \
             partner_id = $1 and ended_at is null",
            vec![place.partner.into()],
        )
        .await;
    assert!((3_590..=3_600).contains(&open.try_get::<i32>("", "s").unwrap()), "an hour");
    kit.run(
        "update control.support_access set expires_at = now() where partner_id = $1",
        vec![place.partner.into()],
    )
    .await;
    admin.get("/couriers").send().await.assert_problem(403, "SUPPORT_ACCESS_REQUIRED");
    // A suspended partner can be looked at.
    admin.post(&at).json(json!({"reason": "Felfüggesztve"})).send().await.assert(201);
    admin
        .post(&format!("{PARTNERS}/{}/suspend", place.partner))
        .json(json!({"reason": "próba"}))
        .send()
        .await
        .assert(200);
    admin.get("/couriers").send().await.assert(200);
}

#[testkit::test]
async fn the_account_names_each_access_that_is_open() {
    let kit = kit().await;
    let (first, second) = (kit.partner().await, kit.stranger().await);
    let admin = first.super_admin().await;
    let at = |place: &testkit::Place<'_>| format!("{PARTNERS}/{}/access", place.partner);
    let open = async || {
        let me = admin.get("/api/v3/admin/me").send().await.assert(200).json();
        me["support"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| (one["partner_id"].as_str().unwrap().to_owned(), one["writable"] == true))
            .collect::<Vec<_>>()
    };
    assert_eq!(open().await, []);
    admin.post(&at(&first)).json(json!({"reason": "Hibás számla"})).send().await.assert(201);
    admin
        .post(&at(&second))
        .json(json!({"reason": "Elakadt jegy", "writable": true}))
        .send()
        .await
        .assert(201);
    let (one, two) = (first.partner.to_string(), second.partner.to_string());
    assert_eq!(open().await, [(two.clone(), true), (one.clone(), false)]);
    // Opened again it replaces the one of that partner only.
    admin
        .post(&at(&first))
        .json(json!({"reason": "Javítás kell", "writable": true}))
        .send()
        .await
        .assert(201);
    assert_eq!(open().await, [(one, true), (two.clone(), true)]);
    // Two clicks make one access.
    let twice = || admin.post(&at(&first)).json(json!({"reason": "Kétszer kattint"})).send();
    let both = futures_util::future::join_all((0..4).map(|_| twice())).await;
    both.into_iter().for_each(|answer| drop(answer.assert(201)));
    assert_eq!(open().await.len(), 2);
    admin.delete(&at(&first)).send().await.assert(204);
    assert_eq!(open().await, [(two, true)]);
    assert_eq!(
        first.admin().await.get("/api/v3/admin/me").send().await.assert(200).json()["support"],
        json!([])
    );
}

#[testkit::test]
async fn an_access_that_runs_out_or_is_replaced_ends_in_the_partners_log_once() {
    let kit = kit().await;
    let place = kit.partner().await;
    let admin = place.super_admin().await;
    let at = format!("{PARTNERS}/{}/access", place.partner);
    let ends = async || {
        let sql = format!(
            "select d.details::text from {0}.audit a join {0}.audit_detail d on d.audit_id = a.id \
             where a.action = 'support_end' and a.actor_kind = 'support' order by a.at",
            place.schema
        );
        kit.texts(&sql).await
    };
    let jobs = async || {
        let sql = "select count(*) n from control.job where partner_id = $1 and kind = 'support_end'";
        kit.row(sql, vec![place.partner.into()]).await.try_get::<i64>("", "n").unwrap()
    };
    admin.post(&at).json(json!({"reason": "Hibás számla"})).send().await.assert(201);
    admin.post(&at).json(json!({"reason": "Javítás kell", "writable": true})).send().await.assert(201);
    assert_eq!((ends().await, jobs().await), (vec![r#"{"replaced": [null, true]}"#.to_owned()], 1));
    admin.delete(&at).send().await.assert(204);
    assert_eq!((ends().await.len(), jobs().await), (2, 0), "what was ended has no end to come");

    // A job that is run before its time waits for it.
    admin.post(&at).json(json!({"reason": "Még egyszer"})).send().await.assert(201);
    let due = "update control.job set run_at = now() where partner_id = $1 and kind = 'support_end'";
    kit.run(due, vec![place.partner.into()]).await;
    let patiently = async |count: usize| {
        for _ in 0..2_000 {
            kit.run_jobs().await;
            if ends().await.len() == count {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    patiently(2).await;
    assert_eq!(jobs().await, 1);
    kit.run(
        "update control.support_access set expires_at = now() where partner_id = $1 and ended_at is null",
        vec![place.partner.into()],
    )
    .await;
    kit.run(due, vec![place.partner.into()]).await;
    patiently(3).await;
    kit.run_jobs().await;
    assert_eq!(
        (ends().await.last().cloned(), ends().await.len()),
        (Some(r#"{"expired": [null, true]}"#.to_owned()), 3)
    );
    let sql =
        "select count(*) n from control.platform_audit where action = 'support_end' and partner_id = $1";
    assert_eq!(kit.row(sql, vec![place.partner.into()]).await.try_get::<i64>("", "n").unwrap(), 3);
}
