//! Jobs of all partners.

use serde_json::json;
use testkit::kit;

const JOBS: &str = "/api/v3/super-admin/jobs";

#[tokio::test]
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
