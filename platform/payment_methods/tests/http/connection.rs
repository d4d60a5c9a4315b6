//! The connection to the terminal company.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use contract::{Capability, Environment, Plugins, Secret};
use poem::{Endpoint, Request, endpoint::BoxEndpoint};
use sandbox::teya::{ACCESS_S, Fault, Teya as Company, serve};
use serde_json::{Value, json};
use testkit::{Client, kit};
use teya::{Settings, Teya};
use tokio::net::TcpListener;
use url::Url;
use work::{Breakers, Outgoing, breaker::CALLS};

const PAGE: &str = "http://pult.test/r/teszt/terminalok?tab=2&code=old";

/// A company, and the service that knows it.
struct Bench {
    company: Arc<Company>,
    plugins: Plugins,
    service: BoxEndpoint<'static>,
}

async fn bench() -> Bench {
    patient(Duration::from_millis(800)).await
}

/// With a plug-in that waits so long for an answer.
async fn patient(patience: Duration) -> Bench {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at: Url = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    let company = Arc::new(Company::new("secret"));
    tokio::spawn(serve(listener, company.clone()));
    let settings = Settings {
        api: at.clone(),
        identity: at,
        client_id: "pult".into(),
        client_secret: Secret::new("secret"),
    };
    let plug_in = Teya::with_patience(settings, patience).unwrap();
    let plugins = testkit::plugins([(Environment::Live, Capability::CardTerminal(Arc::new(plug_in)))]);
    Bench { company, service: kit().await.with_plugins(plugins.clone()), plugins }
}

fn back(url: &str) -> Value {
    let url: Url = url.parse().unwrap();
    let get = |name: &str| url.query_pairs().find(|(one, _)| one == name).unwrap().1.into_owned();
    json!({"code": get("code"), "state": get("state")})
}

/// Somebody leaves, signs in and agrees; gives what the company's page brings.
async fn agree(bench: &Bench, client: &Client<'_>) -> Value {
    let begun =
        client.get(&format!("/teya/oauth?redirect_uri={}", urlencode(PAGE))).send().await.assert(200).json();
    back(&bench.company.agree(begun["url"].as_str().unwrap()).expect("a sound request"))
}

fn urlencode(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

async fn connect(bench: &Bench, client: &Client<'_>) {
    let brought = agree(bench, client).await;
    let state = client.put("/teya/oauth").json(brought).send().await.assert(200).json();
    assert_eq!(
        (&state["initialized"], &state["info"]["store_id"], &state["info"]["sign_in_needed"]),
        (&json!(true), &Value::Null, &json!(false))
    );
}

async fn stores(client: &Client<'_>) -> Vec<Value> {
    client.get("/teya/stores").send().await.assert(200).json().as_array().unwrap().clone()
}

async fn with_store(bench: &Bench, client: &Client<'_>) -> String {
    connect(bench, client).await;
    let store = stores(client).await[0]["store_id"].as_str().unwrap().to_owned();
    client.put("/teya").json(json!({"store_id": store})).send().await.assert(200);
    store
}

#[testkit::test]
async fn a_restaurant_connects_chooses_a_store_and_leaves() {
    let (bench, place) = (bench().await, kit().await.restaurant().await);
    let client = place.with_keys(&["admin_login", "payment_method"]).await.at(&bench.service);
    assert_eq!(
        client.get("/teya").send().await.assert(200).json(),
        json!({"initialized": false, "available": true, "info": null})
    );
    for path in ["/teya/stores", "/teya/terminals"] {
        assert_eq!(client.get(path).send().await.assert(409).json()["code"], "CARD_TERMINAL_NOT_CONNECTED");
    }
    client.delete("/teya/logout").send().await.assert(409);

    connect(&bench, &client).await;
    let found = stores(&client).await;
    assert_eq!((found.len(), &found[0]["address"]), (3, &json!("1052 Budapest, Minta utca 1.")));
    assert_eq!(
        client.get("/teya/terminals").send().await.assert(409).json()["detail"],
        "no store is chosen yet"
    );
    for absent in [sandbox::teya::FOREIGN, "no such store"] {
        assert_eq!(
            client.put("/teya").json(json!({"store_id": absent})).send().await.assert(422).json()["keys"],
            json!(["store_id"])
        );
    }
    let chosen =
        client.put("/teya").json(json!({"store_id": found[0]["store_id"]})).send().await.assert(200).json();
    assert_eq!(
        (&chosen["info"]["store_id"], &chosen["info"]["store_name"]),
        (&found[0]["store_id"], &json!("Belvárosi üzlet"))
    );
    let known = client.get("/terminals").send().await.assert(200).json();
    assert_eq!(
        (known.as_array().unwrap().len(), &known[0]["name"], &known[0]["device_id"]),
        (2, &json!("Pult 1"), &json!("SN-2240-1001"))
    );
    assert_eq!(
        (&known[0]["manufacturer"], &known[0]["ip"], &known[0]["terminal_type"]),
        (&json!("Teya"), &Value::Null, &json!("teya"))
    );
    let reported = client.get("/teya/terminals").send().await.assert(200).json();
    assert_eq!(
        (&reported[1]["terminal_name"], &reported[1]["terminal_id"]),
        (&json!("Pult 2"), &known[1]["terminal_id"])
    );
    // Another store: its terminals are known, those of the first are not any more.
    client.put("/teya").json(json!({"store_id": found[1]["store_id"]})).send().await.assert(200);
    let known = client.get("/terminals").send().await.assert(200).json();
    assert_eq!(
        (known.as_array().unwrap().len(), &known[0]["name"]),
        (1, &json!("SN-2240-2001")),
        "without a name the number on it"
    );

    client.delete("/teya/logout").send().await.assert(204);
    assert_eq!(client.get("/teya").send().await.assert(200).json()["initialized"], false);
    assert_eq!(client.get("/terminals").send().await.assert(200).json(), json!([]));
    assert_eq!(place.count("card_terminal_connection").await, 0);
    let history = client.get("/settings-history?group=payment_methods").send().await.assert(200).json();
    let listed = history
        .as_array()
        .unwrap()
        .iter()
        .map(|line| (line["action"].as_str().unwrap(), &line["can_restore"]));
    let actions = ["teya_logout", "teya_update", "teya_update", "teya_connect"];
    assert!(listed.eq(actions.map(|action| (action, &json!(false)))), "{history}");
    // Each of them was told to the other windows.
    let told = format!(
        "select count(*) n from {}.event where restaurant_id = $1 and kind = 'TASK_RESTAURANT_RELOAD'",
        place.schema
    );
    let told = place.kit.row(&told, vec![place.restaurant.into()]).await;
    assert_eq!(told.try_get::<i64>("", "n").unwrap(), 4);
    // Without the permission a user sees only whether there is a connection.
    let reader = place.with_keys(&["admin_login"]).await.at(&bench.service);
    reader.get("/teya").send().await.assert(200);
    reader.get("/teya/stores").send().await.assert(403);
    reader.get(&format!("/teya/oauth?redirect_uri={}", urlencode(PAGE))).send().await.assert(403);
    reader.delete("/teya/logout").send().await.assert(403);
}

#[testkit::test]
async fn a_state_is_of_one_session_and_restaurant_and_works_once() {
    let (bench, place) = (bench().await, kit().await.restaurant().await);
    let client = place.admin().await.at(&bench.service);
    let colleague = place.admin().await.at(&bench.service);
    let refused = async |who: &Client<'_>, brought: Value| {
        assert_eq!(
            who.put("/teya/oauth").json(brought).send().await.assert(422).json()["keys"],
            json!(["state"])
        );
    };
    let brought = agree(&bench, &client).await;
    refused(&colleague, brought.clone()).await;
    refused(&client, brought).await;
    let elsewhere = kit().await.restaurant().await;
    let brought = agree(&bench, &client).await;
    let path = format!(
        "/api/v3/admin/partners/{}/restaurants/{}/teya/oauth",
        elsewhere.partner, elsewhere.restaurant
    );
    let partner_admin = elsewhere.partner_admin().await.at(&bench.service);
    assert_eq!(
        partner_admin.put(&path).json(brought).send().await.assert(422).json()["keys"],
        json!(["state"])
    );
    let brought = agree(&bench, &client).await;
    client.put("/teya/oauth").json(brought.clone()).send().await.assert(200);
    refused(&client, brought).await;
    let old = agree(&bench, &client).await;
    let expire =
        "update control.terminal_state set expires_at = now() - interval '1 second' where restaurant_id = $1";
    place.kit.run(expire, vec![place.restaurant.into()]).await;
    refused(&client, old).await;
    // A code that is not this state's.
    let (one, other) = (agree(&bench, &client).await, agree(&bench, &client).await);
    let mixed =
        client.put("/teya/oauth").json(json!({"code": one["code"], "state": other["state"]})).send().await;
    assert_eq!(mixed.assert(409).json()["code"], "CARD_TERMINAL_SIGN_IN");
    assert_eq!(
        client.get("/teya").send().await.assert(200).json()["initialized"],
        true,
        "the connection that was there stays"
    );
}

#[testkit::test]
async fn the_way_back_leads_only_to_pages_of_ours() {
    let (bench, place) = (bench().await, kit().await.restaurant().await);
    let client = place.admin().await.at(&bench.service);
    for foreign in [
        "https://evil.example/r",
        "http://evil.example/r",
        "https://pult.test/r",
        "http://pult.test:81/r",
        "http://pult.test.evil.example/",
        "http://evil.example/http://pult.test/",
        "http://evil.example?http://pult.test/",
        "http://evil.example#http://pult.test/",
        "http://evil.example\\@pult.test/",
        "http://evil@pult.test/",
        "http://evil:evil@pult.test/",
        "http://pult.test@evil.example/",
        "http://pult.test%2eevil.example/",
        "http://pult.test%00.evil.example/",
        "http://pult。test.evil.example/",
        "http://рult.test/",
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "/r/own-but-no-address",
        "javascript:1",
        "javascript://pult.test/%0aalert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "http:evil.example",
        "http://[::1]/",
        "http://pult.test/#x",
        " ",
        "",
    ] {
        let answer = client.get(&format!("/teya/oauth?redirect_uri={}", urlencode(foreign))).send().await;
        assert_eq!(answer.status, 422, "{foreign}: {}", answer.text());
    }
    let begun =
        client.get(&format!("/teya/oauth?redirect_uri={}", urlencode(PAGE))).send().await.assert(200).json();
    let url: Url = begun["url"].as_str().unwrap().parse().unwrap();
    let sent: std::collections::HashMap<_, _> = url.query_pairs().into_owned().collect();
    assert_eq!(
        sent["redirect_uri"], "http://pult.test/card-terminal/back",
        "one registered address for all restaurants"
    );
    let page = async |query: String| {
        let request =
            Request::builder().uri(format!("/card-terminal/back?{query}").parse().unwrap()).finish();
        let answer = bench.service.get_response(request).await;
        assert_eq!(answer.status(), 303);
        answer.headers()["location"].to_str().unwrap().to_owned()
    };
    let state = &sent["state"];
    assert_eq!(
        page(format!("code=c1&state={state}")).await,
        format!("http://pult.test/r/teszt/terminalok?tab=2&code=c1&state={state}")
    );
    assert_eq!(
        page(format!("error=access_denied&state={state}")).await,
        format!("http://pult.test/r/teszt/terminalok?tab=2&state={state}&error=access_denied")
    );
    assert!(
        page("code=c1&state=made-up&next=http://evil.example".to_owned())
            .await
            .starts_with("http://pult.test/?")
    );
}

#[testkit::test]
async fn tokens_are_renewed_by_one_instance_at_a_time() {
    let (bench, place) = (bench().await, kit().await.restaurant().await);
    let admin = place.admin().await;
    let second = kit().await.with_plugins(bench.plugins.clone());
    let (one, two) = (admin.at(&bench.service), admin.at(&second));
    connect(&bench, &one).await;
    for round in 0..3 {
        bench.company.wait(ACCESS_S);
        bench.company.calls();
        let answers = futures_util::future::join_all((0..8).map(|n| {
            let client = if n % 2 == 0 { &one } else { &two };
            async move { client.get("/teya/stores").send().await.status }
        }));
        assert_eq!(answers.await, [200; 8], "round {round}");
        let renewals = bench.company.calls().iter().filter(|call| call.ends_with("oauth-token")).count();
        assert_eq!(renewals, 1, "round {round}: a refresh token is good once");
    }
}

#[testkit::test]
async fn a_lost_answer_does_not_lose_the_connection() {
    let (bench, place) = (bench().await, kit().await.restaurant().await);
    let client = place.admin().await.at(&bench.service);
    with_store(&bench, &client).await;
    client.get("/teya/terminals").send().await.assert(200);
    // The sign-in goes with the answer to its renewal; the chosen store does not.
    bench.company.wait(ACCESS_S);
    bench.company.next(Fault::Status(401));
    bench.company.next(Fault::CloseAfterWork);
    client.get("/teya/stores").send().await.assert(503);
    assert_eq!(client.get("/teya/stores").send().await.assert(409).json()["code"], "CARD_TERMINAL_SIGN_IN");
    let state = client.get("/teya").send().await.assert(200).json();
    assert_eq!(
        (&state["initialized"], &state["info"]["store_name"]),
        (&json!(true), &json!("Belvárosi üzlet"))
    );
    assert_eq!(client.get("/teya/terminals").send().await.assert(200).json().as_array().unwrap().len(), 2);
    // Also when the answers to its own renewals are lost.
    bench.company.wait(ACCESS_S);
    bench.company.next(Fault::Status(401));
    bench.company.next(Fault::CloseAfterWork);
    client.get("/teya/terminals").send().await.assert(503);
    client.get("/teya/terminals").send().await.assert(200);
    // Signing in again brings the stores back.
    connect(&bench, &client).await;
    assert_eq!(stores(&client).await.len(), 3);
    // The company forgets us: then it is over, and the screen says so.
    with_store(&bench, &client).await;
    bench.company.forget_clients();
    assert_eq!(
        client.get("/teya/terminals").send().await.assert(409).json()["code"],
        "CARD_TERMINAL_SIGN_IN"
    );
}

#[testkit::test]
async fn failures_of_the_company_are_answered_and_no_transaction_waits_for_it() {
    // A partner of its own: what is open in the shared one may be another test's.
    let (bench, place) = (bench().await, kit().await.partner().await);
    let client = place.admin().await.at(&bench.service);
    with_store(&bench, &client).await;
    for (fault, status, code) in [
        (Fault::Status(500), 503, "CARD_TERMINAL_UNAVAILABLE"),
        (Fault::Status(429), 503, "CARD_TERMINAL_UNAVAILABLE"),
        (Fault::Status(409), 409, "CARD_TERMINAL_REFUSED"),
        (Fault::Garbage, 503, "CARD_TERMINAL_UNAVAILABLE"),
        (Fault::Slow, 503, "CARD_TERMINAL_UNAVAILABLE"),
        (Fault::Refuse, 503, "CARD_TERMINAL_UNAVAILABLE"),
    ] {
        bench.company.next(fault);
        let answer = client.get("/teya/terminals").send().await;
        assert_eq!(answer.assert(status).json()["code"], code, "{fault:?}");
    }
    // While the company takes its time, nothing of ours is open.
    bench.company.next(Fault::Slow);
    let slow = client.get("/teya/terminals").send();
    let look = async {
        tokio::time::sleep(std::time::Duration::from_millis(400)).await;
        let sql = format!(
            "select count(*) n from pg_locks l join pg_class c on c.oid = l.relation \
            where c.relname = 'card_terminal_connection' and c.relnamespace = '{}'::regnamespace and \
            l.granted and l.mode = 'RowShareLock' \
              and l.pid in (select pid from pg_stat_activity where state = 'idle in transaction')",
            place.schema
        );
        place.kit.row(&sql, vec![]).await.try_get::<i64>("", "n").unwrap()
    };
    let (_, open) = futures_util::future::join(slow, look).await;
    assert_eq!(open, 0);
    // The terminals that were known stay known.
    assert_eq!(client.get("/terminals").send().await.assert(200).json().as_array().unwrap().len(), 2);
}

#[testkit::test]
async fn a_company_that_fails_is_left_alone_and_no_other_partner_notices() {
    let bench = bench().await;
    let rest = Duration::from_secs(4);
    let outgoing = Outgoing::new(true).with_breakers(Breakers::resting(rest));
    let kit = kit().await;
    let service = kit.instance_with(kit.app.settings.clone(), outgoing, bench.plugins.clone()).await;
    let (place, elsewhere) = (kit.partner().await, kit.partner().await);
    let (client, neighbour) = (place.admin().await, elsewhere.admin().await);
    let (client, neighbour) = (client.at(&service), neighbour.at(&service));
    with_store(&bench, &client).await;
    with_store(&bench, &neighbour).await;
    client.get("/teya/terminals").send().await.assert(200);
    // Refusals are answers: they open nothing.
    for _ in 0..6 {
        bench.company.next(Fault::Status(409));
        client.get("/teya/terminals").send().await.assert_problem(409, "CARD_TERMINAL_REFUSED");
    }
    for fault in [Fault::Status(500), Fault::Garbage, Fault::CutBody, Fault::Refuse, Fault::Slow] {
        bench.company.next(fault);
        client.get("/teya/terminals").send().await.assert_problem(503, "CARD_TERMINAL_UNAVAILABLE");
    }
    bench.company.calls();
    for path in ["/teya/terminals", "/teya/stores"] {
        let begun = Instant::now();
        let refused = client.get(path).send().await.assert_problem(503, "CARD_TERMINAL_UNAVAILABLE");
        assert!(
            refused.header("retry-after").is_some_and(|seconds| (1..=5).contains(&seconds.parse().unwrap()))
        );
        assert!(begun.elapsed() < Duration::from_secs(1), "nobody waits for the company");
    }
    assert_eq!(bench.company.calls(), Vec::<String>::new());
    neighbour.get("/teya/terminals").send().await.assert(200);
    // One call tries again. It fails, and the company is left alone anew; the next one works.
    for (fault, status) in [(Some(Fault::Status(500)), 503), (None, 200)] {
        tokio::time::sleep(rest).await;
        fault.into_iter().for_each(|fault| bench.company.next(fault));
        client.get("/teya/terminals").send().await.assert(status);
    }
    client.get("/teya/terminals").send().await.assert(200);
}

#[testkit::test]
async fn so_many_calls_of_a_partner_wait_for_the_company_and_no_more() {
    let patience = Duration::from_secs(4);
    let bench = patient(patience).await;
    let (place, elsewhere) = (kit().await.partner().await, kit().await.partner().await);
    let (client, neighbour) = (place.admin().await, elsewhere.admin().await);
    let (client, neighbour) = (client.at(&bench.service), neighbour.at(&bench.service));
    with_store(&bench, &client).await;
    with_store(&bench, &neighbour).await;
    for who in [&client, &neighbour] {
        who.get("/teya/terminals").send().await.assert(200);
    }
    bench.company.calls();
    (0..CALLS).for_each(|_| bench.company.next(Fault::Slow));
    let begun = Instant::now();
    let all = (0..CALLS + 5).map(|_| async {
        client.get("/teya/terminals").send().await.assert_problem(503, "CARD_TERMINAL_UNAVAILABLE");
        begun.elapsed()
    });
    let beside = async {
        let mut called = 0;
        while called < CALLS {
            tokio::time::sleep(Duration::from_millis(20)).await;
            called += bench.company.calls().len();
        }
        neighbour.get("/teya/terminals").send().await.assert(200);
    };
    let (waited, ()) = futures_util::future::join(futures_util::future::join_all(all), beside).await;
    let patient = waited.iter().filter(|waited| **waited >= patience).count();
    assert_eq!(patient, CALLS, "the others are told at once: {waited:?}");
}

#[testkit::test]
async fn tokens_are_sealed_and_in_no_answer_and_of_one_mode() {
    let (bench, place) = (bench().await, kit().await.partner().await);
    let client = place.admin().await.at(&bench.service);
    with_store(&bench, &client).await;
    let sql =
        format!("select encode(secret, 'escape') secret from {}.card_terminal_connection", place.schema);
    let secret: String = place.kit.row(&sql, vec![]).await.try_get("", "secret").unwrap();
    assert!(!secret.contains("refresh") && !secret.contains("token"), "it is sealed");
    let text = client.get("/teya").send().await.assert(200).text();
    assert!(!text.contains("token") && !text.contains("secret"), "{text}");
    // Outside live the stand-in is another company: the connection to the real one is not used there.
    place
        .kit
        .run("update control.partner set mode = 'sandbox' where id = $1", vec![place.partner.into()])
        .await;
    assert_eq!(
        client.get("/teya").send().await.assert(200).json(),
        json!({"initialized": false, "available": false, "info": null})
    );
    assert_eq!(
        client.get("/teya/terminals").send().await.assert(409).json()["code"],
        "CARD_TERMINAL_NOT_CONNECTED"
    );
    let begin = format!("/teya/oauth?redirect_uri={}", urlencode(PAGE));
    assert_eq!(client.get(&begin).send().await.assert(503).json()["code"], "CARD_TERMINAL_UNAVAILABLE");
}
