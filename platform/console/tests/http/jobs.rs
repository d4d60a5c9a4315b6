//! Jobs of all partners.

use serde_json::json;
use testkit::kit;

const JOBS: &str = "/api/v3/super-admin/jobs";

#[testkit::test]
async fn failed_jobs_are_seen_run_again_and_discarded() {
    let kit = kit().await;
    let place = kit.partner().await;
    let admin = place.super_admin().await;
    kit.run(
        "insert into control.job (partner_id, kind, state, attempts, last_error) select $1, \
         'nobody_does_this', 'failed', 10, 'no such printer' from generate_series(1, 2)",
        vec![place.partner.into()],
    )
    .await;
    let mine = format!("{JOBS}?partner_id={}&count=true", place.partner);
    let found = admin.get(&format!("{mine}&state=failed")).send().await.assert(200);
    assert_eq!(found.header("x-total-count"), Some("2"));
    let rows = found.json();
    assert_eq!((&rows[0]["last_error"], &rows[0]["attempts"]), (&json!("no such printer"), &json!(10)));
    assert_eq!(rows[0]["partner_name"], format!("Partner {}", place.partner));
    assert_eq!(admin.get(&format!("{JOBS}/{}", rows[0]["id"])).send().await.assert(200).json(), rows[0]);
    admin.post(&format!("{JOBS}/{}/run", rows[0]["id"])).send().await.assert(204);
    admin.delete(&format!("{JOBS}/{}", rows[1]["id"])).send().await.assert(204);
    let left = admin.get(&mine).send().await.assert(200).json();
    assert_eq!(
        (left.as_array().unwrap().len(), &left[0]["state"], &left[0]["attempts"]),
        (1, &json!("waiting"), &json!(0))
    );
    // Before its time it would find nothing to do, and be done.
    kit.run(
        "update control.job set run_at = now() + interval '1 day' where partner_id = $1",
        vec![place.partner.into()],
    )
    .await;
    admin.post(&format!("{JOBS}/{}/run", rows[0]["id"])).send().await.assert(204);
    let planned = admin.get(&format!("{mine}&due=false")).send().await.assert(200);
    assert_eq!(planned.header("x-total-count"), Some("1"));
    kit.run(
        "update control.job set state = 'running', leased_until = now() + interval '1 hour' where \
        partner_id = $1",
        vec![place.partner.into()],
    )
    .await;
    admin.delete(&format!("{JOBS}/{}", left[0]["id"])).send().await.assert_problem(409, "IN_USE");
    admin.delete(&format!("{JOBS}/9000000000000000")).send().await.assert_problem(404, "JOB_NOT_EXIST");
    admin.get(&format!("{JOBS}/{}", rows[1]["id"])).send().await.assert_problem(404, "JOB_NOT_EXIST");
    for unknown in ["0", "-1", "9000000000000000"] {
        admin.get(&format!("{JOBS}/{unknown}")).send().await.assert_problem(404, "JOB_NOT_EXIST");
    }
    place
        .partner_admin()
        .await
        .get(&format!("{JOBS}/{}", rows[0]["id"]))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    admin.post(&format!("{JOBS}/-1/run")).send().await.assert_problem(404, "JOB_NOT_EXIST");
    assert!(
        admin
            .get(&format!("{JOBS}?kind=nobody_has_this"))
            .send()
            .await
            .assert(200)
            .json()
            .as_array()
            .unwrap()
            .is_empty()
    );
    admin.get(&format!("{JOBS}?state=lost")).send().await.assert_keys(&["state"]);
    place.partner_admin().await.get(JOBS).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn all_failed_jobs_of_a_kind_run_again_together() {
    let kit = kit().await;
    let (place, other) = (kit.partner().await, kit.partner().await);
    let admin = place.super_admin().await;
    let kind = format!("nobody_does_{}", place.partner).replace('-', "_");
    // Three without a key, three with the same one, and one with the key of another that waits already.
    for partner in [&place, &other] {
        kit.run(
            "insert into control.job (partner_id, kind, key, state, attempts, last_error, run_at) \
             select $1, $2, k, s, 10, 'no route', now() + interval '1 day' from (values (null, 'failed'), \
             (null, 'failed'), (null, 'failed'), ('a', 'failed'), ('a', 'failed'), ('a', 'failed'), \
             ('b', 'failed'), ('b', 'waiting')) v(k, s)",
            vec![partner.partner.into(), kind.clone().into()],
        )
        .await;
    }
    let run = format!("{JOBS}/run-failed");
    let started = || async { admin.post(&run).json(json!({"kind": kind})).send().await.assert(200).json() };
    let of_kind = |more: &str| format!("{JOBS}?kind={kind}&count=true{more}");
    for (more, count) in [("", "16"), ("&due=true", "0"), ("&due=false&state=waiting", "2")] {
        let found = admin.get(&of_kind(more)).send().await.assert(200);
        assert_eq!(found.header("x-total-count"), Some(count), "{more}");
    }
    assert_eq!(started().await, json!({"count": 8}));
    assert_eq!(admin.get(&of_kind("&due=true")).send().await.header("x-total-count"), Some("8"));
    assert_eq!(started().await, json!({"count": 0}));
    for partner in [&place, &other] {
        let rows = admin.get(&format!("{JOBS}?partner_id={}&kind={kind}", partner.partner)).send().await;
        let rows = rows.assert(200).json();
        let of = |state: &str| rows.as_array().unwrap().iter().filter(|row| row["state"] == state).count();
        // What another one does that waits is not needed any more: two of the three, and the one beside it.
        assert_eq!((of("failed"), rows.as_array().unwrap().len()), (0, 5));
    }
    let lines =
        admin.get("/api/v3/super-admin/audit?action=jobs_run&limit=200").send().await.assert(200).json();
    let mine: Vec<_> =
        lines.as_array().unwrap().iter().filter(|line| line["details"]["kind"][1] == kind.as_str()).collect();
    assert_eq!(mine.len(), 1, "one line for the call that started some");
    assert_eq!(mine[0]["details"]["count"], json!([null, 8]));

    // So it is with one alone; one of another key stays.
    for key in ["b", "c"] {
        kit.run(
            "insert into control.job (partner_id, kind, key, state, attempts) values ($1, $2, $3, 'failed', 10)",
            vec![place.partner.into(), kind.clone().into(), key.into()],
        )
        .await;
    }
    let failed = of_kind("&state=failed");
    let rows = admin.get(&failed).send().await.assert(200).json();
    let beside = &rows[1]["id"];
    admin.post(&format!("{JOBS}/{beside}/run")).send().await.assert(204);
    admin.get(&format!("{JOBS}/{beside}")).send().await.assert_problem(404, "JOB_NOT_EXIST");
    assert_eq!(admin.get(&failed).send().await.header("x-total-count"), Some("1"));

    admin.post(&run).json(json!({})).send().await.assert_keys(&["kind"]);
    admin.post(&run).json(json!({"kind": "a\u{0}"})).send().await.assert_keys(&["kind"]);
    admin.post(&run).json(json!({"kind": "x".repeat(101)})).send().await.assert_keys(&["kind"]);
    let stranger = place.partner_admin().await;
    stranger
        .post(&run)
        .json(json!({"kind": kind}))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
}
