//! A new PULT_SECRET_KEY: what the older key made stays valid while that key is configured, on all instances.

use std::sync::atomic::{AtomicBool, Ordering};

use access::{
    Secrets,
    sealed::{self, Resealed},
};
use kernel::{Account, Id};
use poem::endpoint::BoxEndpoint;
use serde_json::json;
use testkit::kit;
use uuid::Uuid;
use work::Outgoing;

use super::{
    account::{PASSWORD, account, address, client, sign_in},
    sso::{CLIENT, begun, company, employee, path},
};

fn secrets(all: &[u8]) -> Secrets {
    let mut all = all.iter().map(|byte| vec![*byte; 32]);
    Secrets::new(all.next().unwrap(), all.collect())
}

/// An instance with these secrets; the tests' first instance has the one of sevens.
async fn instance(all: &[u8]) -> BoxEndpoint<'static> {
    let kit = kit().await;
    let settings = access::Settings { secrets: secrets(all), ..kit.app.settings.clone() };
    kit.instance(settings, Outgoing::new(true)).await
}

#[testkit::test(alone)]
async fn two_instances_get_a_new_secret_one_after_the_other() {
    let (place, idp, domain, owner) = company().await;
    let email = employee(&place, &domain).await;
    // First every instance learns the new secret, then it comes first: at no moment one makes what another
    // cannot open.
    let (only_old, knows, rotated, only_new) =
        (&place.kit.service, instance(&[7, 9]).await, instance(&[9, 7]).await, instance(&[9]).await);

    // Sessions.
    let (_, person) = account(&place, false).await;
    let before = client(&place, &person, PASSWORD).await;
    before.at(&rotated).get("/api/v3/admin/me").send().await.assert(200);
    before.at(&only_new).get("/api/v3/admin/me").send().await.assert_problem(401, "USER_INVALID_TOKEN");
    let answer = sign_in(&place.nobody().at(&rotated), &person, PASSWORD, None).await.assert(200);
    let after = place.nobody().bearer(answer.header("authorization").unwrap());
    after.at(&knows).get("/api/v3/admin/me").send().await.assert(200);
    after.at(only_old).get("/api/v3/admin/me").send().await.assert_problem(401, "USER_INVALID_TOKEN");

    // PINs: found under either, taken under either, and written under the newest.
    let own_pin = format!("/api/v3/admin/partners/{}/pin", place.partner);
    let body = json!({"pin": "4711", "password": PASSWORD});
    before.put(&own_pin).json(body.clone()).send().await.assert(204);
    let valid = async |at: &BoxEndpoint<'static>| {
        after.at(at).post("/validate-pin").json(json!({"pin": "4711"})).send().await.assert(200).json()["is_valid"].clone()
    };
    assert_eq!(
        (valid(&knows).await, valid(&rotated).await, valid(&only_new).await),
        (json!(true), json!(true), json!(false))
    );
    let (_, other) = account(&place, false).await;
    let other = client(&place, &other, PASSWORD).await;
    other.at(&rotated).put(&own_pin).json(body.clone()).send().await.assert_problem(409, "PIN_TAKEN");
    after.at(&rotated).put(&own_pin).json(body).send().await.assert(204);
    assert_eq!((valid(&knows).await, valid(&only_new).await), (json!(true), json!(true)));

    // Second factors and recovery codes.
    let factor = "/api/v3/admin/me/second-factor";
    let secret = before.post(factor).json(json!({})).send().await.assert(200).json()["secret"]
        .as_str()
        .unwrap()
        .to_owned();
    let code = accounts::current_code(&secret).unwrap();
    let on = before.at(&knows).put(factor).json(json!({ "code": code })).send().await.assert(200).json();
    let enter = async |at: &BoxEndpoint<'static>, code: &str| {
        sign_in(&place.nobody().at(at), &person, PASSWORD, Some(code)).await
    };
    enter(&rotated, on["recovery_codes"][0].as_str().unwrap()).await.assert(200);
    enter(&only_new, on["recovery_codes"][1].as_str().unwrap())
        .await
        .assert_problem(401, "SECOND_FACTOR_INVALID");
    kernel::clock::set(kernel::clock::now() + chrono::Duration::seconds(30));
    let code = accounts::current_code(&secret).unwrap();
    enter(&only_new, &code).await.assert_problem(500, "UNKNOWN_ERROR");
    enter(&rotated, &code).await.assert(200);

    // Providers: begun at one instance, finished at another; the client's secret opens at both.
    let nobody = place.nobody();
    for (leave, back, rewritten) in
        [(&knows, &rotated, false), (&rotated, &knows, false), (&rotated, &knows, true)]
    {
        if rewritten {
            let body = json!({"name": "Cég", "issuer": idp.issuer, "client_id": CLIENT,
                "client_secret": "client-secret"});
            owner.at(&rotated).put(&path(&place)).json(body).send().await.assert(200);
        }
        let sent = begun(
            &nobody
                .at(leave)
                .post("/api/v3/admins/sso")
                .json(json!({ "email": email }))
                .send()
                .await
                .assert(200),
        )
        .unwrap();
        let mut claims = idp.claims("s", &email);
        claims["nonce"] = json!(sent.nonce);
        let code = idp.code(&sent, idp.signed(&claims));
        let body = json!({"code": code, "state": sent.state});
        nobody
            .at(back)
            .header("cookie", &sent.cookie)
            .put("/api/v3/admins/sso")
            .json(body)
            .send()
            .await
            .assert(200);
    }
    // Rewritten values are under the partner's key, which is under the old secret until it is sealed again.
    nobody
        .at(&only_new)
        .post("/api/v3/admins/sso")
        .json(json!({ "email": email }))
        .send()
        .await
        .assert_problem(500, "UNKNOWN_ERROR");
    nobody.at(only_old).post("/api/v3/admins/sso").json(json!({ "email": email })).send().await.assert(200);
}

#[testkit::test]
async fn a_sealed_value_that_was_moved_to_another_row_does_not_open() {
    let ((one, _, domain, _), (two, _, other, _)) = (company().await, company().await);
    let begin = async |domain: &str| {
        one.nobody().post("/api/v3/admins/sso").json(json!({"email": format!("a@{domain}")})).send().await
    };
    begin(&domain).await.assert(200);
    let swap = "update control.sign_in_provider p set client_secret = o.client_secret from \
        control.sign_in_provider o \
                where (p.partner_id, o.partner_id) in (($1, $2), ($2, $1))";
    let pair = || vec![one.partner.into(), two.partner.into()];
    assert_eq!(one.kit.run(swap, pair()).await, 2);
    for domain in [&domain, &other] {
        begin(domain).await.assert_problem(500, "UNKNOWN_ERROR");
    }
    one.kit.run(swap, pair()).await;
    begin(&domain).await.assert(200);
}

#[testkit::test]
async fn resealing_under_load_loses_nothing() {
    let kit = kit().await;
    let (setup, url) = kit.own_installation("reseal").await;
    let provisioner = tenants::Provisioner::new(&setup);
    let db = sea_orm::Database::connect(url.as_str()).await.unwrap();
    let run = async |sql: &str, id: Uuid, sealed: Vec<u8>| {
        use sea_orm::ConnectionTrait;
        let statement = sea_orm::Statement::from_sql_and_values(
            sea_orm::DbBackend::Postgres,
            sql,
            [id.into(), sealed.into()],
        );
        db.execute_raw(statement).await.unwrap();
    };
    let (old, both, new) = (secrets(&[7]), secrets(&[9, 7]), secrets(&[9]));
    let sealed_as = |secrets: &Secrets, id: Uuid, text: &str| {
        let row = id.to_string();
        sealed::seal(secrets, sealed::second_factor(&row), text.as_bytes()).unwrap()
    };
    let mut accounts: Vec<Id<Account>> = Vec::new();
    for _ in 0..60 {
        let admin = tenants::AdminSpec {
            email: address(),
            first_name: String::new(),
            last_name: "Próba".into(),
            password_hash: None,
            super_admin: true,
            target: None,
            permission_keys: vec![],
            full_target_access: false,
            surfaces: vec![],
        };
        let id = provisioner.save_admin(&admin).await.unwrap();
        provisioner.save_second_factor(id, sealed_as(&old, id.uuid(), "first")).await.unwrap();
        run(
            "update control.second_factor set pending = $2 where account_id = $1",
            id.uuid(),
            sealed_as(&old, id.uuid(), "pending"),
        )
        .await;
        accounts.push(id);
    }
    // While everything is sealed again, half of the rows get another secret, some under the old key by a
    // lagging instance.
    let done = AtomicBool::new(false);
    let write = async {
        for (at, id) in accounts.iter().enumerate().filter(|(at, _)| at % 2 == 0) {
            let sealed =
                sealed_as(if at % 4 == 0 { &old } else { &both }, id.uuid(), &format!("second {at}"));
            run("update control.second_factor set secret = $2 where account_id = $1", id.uuid(), sealed)
                .await;
        }
        done.store(true, Ordering::SeqCst);
    };
    let reseal = async {
        while !done.load(Ordering::SeqCst) {
            assert_eq!(sealed::reseal(&setup, &both).await.unwrap().failed, 0);
        }
    };
    futures_util::future::join(write, reseal).await;
    sealed::reseal(&setup, &both).await.unwrap();
    assert_eq!(
        sealed::reseal(&setup, &both).await.unwrap(),
        Resealed { renewed: 0, current: 120, failed: 0 }
    );
    // All values open with the new secret alone and are the latest ones.
    for (column, rest) in [
        (tenants::SealedColumn::SecondFactor, "first"),
        (tenants::SealedColumn::PendingSecondFactor, "pending"),
    ] {
        let rows = column.all(&setup).await.unwrap();
        assert_eq!(rows.len(), 60);
        for tenants::SealedValue { row: id, sealed: value, .. } in rows {
            let row = id.to_string();
            let text =
                String::from_utf8(sealed::open(&new, sealed::second_factor(&row), &value).unwrap()).unwrap();
            let at = accounts.iter().position(|account| account.uuid() == id).unwrap();
            let expected =
                if rest == "first" && at % 2 == 0 { format!("second {at}") } else { rest.to_owned() };
            assert_eq!(text, expected);
        }
    }
    // With a secret that is not the right one nothing is written.
    assert_eq!(
        sealed::reseal(&setup, &secrets(&[8])).await.unwrap(),
        Resealed { renewed: 0, current: 0, failed: 120 }
    );
    assert_eq!(sealed::reseal(&setup, &both).await.unwrap().current, 120);
}
