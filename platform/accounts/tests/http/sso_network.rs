//! A hostile provider, or a hostile web server of a domain, must not harm the service.

use std::{
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex},
    time::Duration,
};

use poem::{
    Endpoint, EndpointExt, IntoResponse, Response,
    endpoint::{BoxEndpoint, make_sync},
    http::StatusCode,
};
use serde_json::{Value, json};
use testkit::{CERTIFICATE, Client, Place, kit};
use uuid::Uuid;
use work::{Breakers, Lookup, Outgoing};

use super::sso::{CLIENT, Idp, begun, company, employee, path};

/// Where names point to, as a test says.
#[derive(Clone)]
struct Names(Arc<Mutex<Vec<SocketAddr>>>);

impl Names {
    fn at(address: SocketAddr) -> Self {
        Self(Arc::new(Mutex::new(vec![address])))
    }

    /// From now on.
    fn point_to(&self, addresses: &[&str]) {
        *self.0.lock().unwrap() =
            addresses.iter().map(|address| (address.parse::<IpAddr>().unwrap(), 0).into()).collect();
    }

    /// A stand-in's port counts for addresses without one (443); an address with one keeps it.
    fn lookup(&self) -> Lookup {
        let names = self.0.clone();
        Arc::new(move |_, port| {
            let names = names.lock().unwrap();
            names
                .iter()
                .map(|address| if address.port() == 0 { (address.ip(), port).into() } else { *address })
                .collect()
        })
    }
}

/// An instance that looks names up there, trusts the tests' certificate and waits a second at most.
async fn instance(names: &Names) -> &'static BoxEndpoint<'static> {
    patient(names, Duration::from_secs(1)).await
}

async fn patient(names: &Names, patience: Duration) -> &'static BoxEndpoint<'static> {
    let outgoing = Outgoing::new(true)
        .with_lookup(names.lookup())
        .trusting(CERTIFICATE.as_bytes())
        .with_patience(patience);
    let kit = kit().await;
    Box::leak(Box::new(kit.instance(kit.app.settings.clone(), outgoing).await))
}

/// A web server that answers everything like this.
async fn serve<E: Endpoint + 'static>(endpoint: E, tls: bool) -> SocketAddr
where
    E::Output: IntoResponse,
{
    testkit::listen(endpoint.map_to_response(), tls).await
}

async fn prove(owner: &Client<'_>, place: &Place<'_>, domain: &str) -> testkit::Answer {
    owner.post(&format!("{}/proof", path(place))).json(json!({ "domain": domain })).send().await
}

#[testkit::test]
async fn a_domain_is_proven_by_the_file_that_its_owner_puts_there() {
    let place = kit().await.partner().await;
    let answer = Arc::new(Mutex::new((StatusCode::NOT_FOUND, String::new())));
    let requests = Arc::new(Mutex::new(Vec::new()));
    let endpoint = {
        let (answer, requests) = (answer.clone(), requests.clone());
        make_sync(move |request| {
            requests.lock().unwrap().push(format!(
                "{} {}",
                request.header("host").unwrap_or_default(),
                request.uri().path()
            ));
            let (status, body) = answer.lock().unwrap().clone();
            Response::builder().status(status).header("location", "https://other.pult.invalid/").body(body)
        })
    };
    let names = Names::at(serve(endpoint, true).await);
    let owner = place.partner_admin().await;
    let owner = owner.at(instance(&names).await);
    let domain = format!("d{}.pult.invalid", Uuid::now_v7().simple());
    let body = json!({"name": "Cég", "issuer": "https://login.pult.invalid", "client_id": CLIENT,
        "domains": [domain]});
    let saved = owner.put(&path(&place)).json(body.clone()).send().await.assert(200).json();
    let proof = &saved["proofs"][0];
    assert_eq!(
        (&proof["proven"], proof["url"].as_str().unwrap()),
        (&json!(false), &*format!("https://{domain}/.well-known/pult-domain.txt"))
    );
    let text = proof["text"].as_str().unwrap().to_owned();
    // Until it is proven, the domain belongs to no partner and redirects nobody.
    let begin = || owner.post("/api/v3/admins/sso").json(json!({"email": format!("a@{domain}")})).send();
    assert_eq!(begin().await.assert(200).json()["redirect_url"], Value::Null);

    let refusals = [
        (StatusCode::NOT_FOUND, text.clone()),
        (StatusCode::FOUND, text.clone()),
        (StatusCode::MOVED_PERMANENTLY, text.clone()),
        (StatusCode::NO_CONTENT, String::new()),
        (StatusCode::OK, String::new()),
        (StatusCode::OK, "pult-domain=0123456789abcdef0123456789abcdef".to_owned()),
        (StatusCode::OK, format!("<p>{text}</p>")),
        (StatusCode::OK, text[..text.len() - 1].to_owned()),
        (StatusCode::OK, format!("{text}\n{}", "x".repeat(1_000_000))),
    ];
    for (status, body) in refusals {
        *answer.lock().unwrap() = (status, body);
        prove(&owner, &place, &domain).await.assert_keys(&["domain"]);
    }
    *answer.lock().unwrap() = (StatusCode::OK, format!("# ours\r\n {text} \r\n"));
    let proven = prove(&owner, &place, &domain).await.assert(200).json();
    assert_eq!(proven["proofs"][0]["proven"], true);
    assert!(
        requests.lock().unwrap().iter().all(|call| *call == format!("{domain} /.well-known/pult-domain.txt")),
        "redirects are not followed"
    );
    // Proven is proven, though the file goes; saving again keeps it.
    *answer.lock().unwrap() = (StatusCode::NOT_FOUND, String::new());
    assert_eq!(
        owner.put(&path(&place)).json(body).send().await.assert(200).json()["proofs"][0]["proven"],
        true
    );

    // The file of one partner proves nothing for another, and a proven domain has one owner.
    let other = kit().await.partner().await;
    let second = other.partner_admin().await;
    let second = second.at(instance(&names).await);
    let body = json!({"name": "Másik", "issuer": "https://login.pult.invalid", "client_id": CLIENT,
        "domains": [domain]});
    let theirs = second.put(&path(&other)).json(body).send().await.assert(200).json()["proofs"][0]["text"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_ne!(theirs, text);
    *answer.lock().unwrap() = (StatusCode::OK, text.clone());
    prove(&second, &other, &domain).await.assert_keys(&["domain"]);
    *answer.lock().unwrap() = (StatusCode::OK, theirs);
    prove(&second, &other, &domain).await.assert_keys(&["domain"]);

    // A certificate that nobody vouches for, a name that points inside, one that points nowhere.
    *answer.lock().unwrap() = (StatusCode::OK, text);
    place
        .kit
        .run(
            "update control.sign_in_domain set proven_at = null where domain = $1",
            vec![domain.clone().into()],
        )
        .await;
    let doubting = Outgoing::new(true).with_lookup(names.lookup());
    let instance = place.kit.instance(place.kit.app.settings.clone(), doubting).await;
    prove(&owner.at(&instance), &place, &domain).await.assert_keys(&["domain"]);
    let calls = requests.lock().unwrap().len();
    for inside in [&["10.0.0.1"][..], &["169.254.169.254"], &["127.0.0.1", "192.168.0.1"], &["fd00::1"], &[]]
    {
        names.point_to(inside);
        prove(&owner, &place, &domain).await.assert_keys(&["domain"]);
    }
    assert_eq!(requests.lock().unwrap().len(), calls);
}

/// Gives the partner's provider an issuer with a DNS name.
async fn named(owner: &Client<'_>, place: &Place<'_>, issuer: &str) {
    let body =
        json!({"name": "Cég", "issuer": issuer, "client_id": CLIENT, "client_secret": "client-secret"});
    owner.put(&path(place)).json(body).send().await.assert(200);
}

#[testkit::test]
async fn a_provider_with_dns_rebinding_reaches_no_internal_address() {
    let (place, _, domain, owner) = company().await;
    let email = employee(&place, &domain).await;
    let idp = Idp::called("login.pult.invalid").await;
    let names = Names::at("127.0.0.1:0".parse().unwrap());
    let patience = Duration::from_secs(10);
    let instance = patient(&names, patience).await;
    named(&owner, &place, &idp.issuer).await;
    let nobody = place.nobody();
    let nobody = nobody.at(instance);
    let begin = || nobody.post("/api/v3/admins/sso").json(json!({ "email": email })).send();
    let finish = |state: &str, cookie: &str, code: &str| {
        nobody
            .clone()
            .header("cookie", cookie)
            .put("/api/v3/admins/sso")
            .json(json!({"code": code, "state": state}))
            .send()
    };
    let inside: [&[&str]; 3] = [&["10.0.0.1"], &["169.254.169.254"], &["127.0.0.1", "fd00::1"]];
    for addresses in inside {
        // Good when one leaves, bad when one comes back.
        names.point_to(&["127.0.0.1"]);
        let sent = begun(&begin().await.assert(200)).unwrap();
        let mut claims = idp.claims("s", &email);
        claims["nonce"] = json!(sent.nonce);
        let code = idp.code(&sent, idp.signed(&claims));
        names.point_to(addresses);
        let before = std::time::Instant::now();
        finish(&sent.state, &sent.cookie, &code).await.assert_problem(401, "SIGN_IN_PROVIDER_REFUSED");
        begin().await.assert_problem(401, "SIGN_IN_PROVIDER_REFUSED");
        assert!(before.elapsed() < patience, "no connection was waited for");
    }
    // The control: the same way with a name that stays.
    names.point_to(&["127.0.0.1"]);
    let sent = begun(&begin().await.assert(200)).unwrap();
    let mut claims = idp.claims("s", &email);
    claims["nonce"] = json!(sent.nonce);
    finish(&sent.state, &sent.cookie, &idp.code(&sent, idp.signed(&claims))).await.assert(200);
}

#[testkit::test]
async fn a_provider_that_misbehaves_is_refused_in_good_time() {
    let (place, _, domain, owner) = company().await;
    let email = employee(&place, &domain).await;
    let trap = Arc::new(Mutex::new(0));
    let counted = trap.clone();
    let inside = serve(make_sync(move |_| *counted.lock().unwrap() += 1), false).await;
    let names = Names::at("127.0.0.1:0".parse().unwrap());
    let instance = instance(&names).await;
    let nobody = place.nobody();
    let nobody = nobody.at(instance);

    let own = Arc::new(Mutex::new(String::new()));
    let found = move |own: &str, field: &str, value: Value| {
        let mut found = json!({"issuer": own, "authorization_endpoint": format!("{own}/a"),
            "token_endpoint": format!("{own}/t"),
                               "jwks_uri": format!("{own}/j")});
        found[field] = value;
        found.to_string()
    };
    type Misbehaves = Box<dyn Fn(&str) -> Response + Send + Sync>;
    let ok = |body: String| Response::builder().body(body);
    let mut ways: Vec<(&str, Misbehaves)> = vec![
        ("a page", Box::new(move |_| ok("<html>".into()))),
        ("nothing", Box::new(move |_| ok(String::new()))),
        (
            "an error",
            Box::new(move |own| {
                found(own, "x", json!(1)).with_status(StatusCode::INTERNAL_SERVER_ERROR).into_response()
            }),
        ),
        ("two megabytes", Box::new(move |own| ok(found(own, "x", json!("x".repeat(2_000_000)))))),
        ("a deep answer", Box::new(move |_| ok("[".repeat(900_000)))),
        ("another issuer", Box::new(move |own| ok(found(own, "issuer", json!("https://accounts.example"))))),
    ];
    for status in [
        StatusCode::MOVED_PERMANENTLY,
        StatusCode::FOUND,
        StatusCode::TEMPORARY_REDIRECT,
        StatusCode::PERMANENT_REDIRECT,
    ] {
        ways.push((
            "a redirect",
            Box::new(move |_| {
                Response::builder().status(status).header("location", format!("http://{inside}/")).finish()
            }),
        ));
    }
    for endpoint in ["authorization_endpoint", "token_endpoint", "jwks_uri"] {
        for bad in [
            "http://10.0.0.1/",
            "https://169.254.169.254/",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "https://a@b.example/",
            "x",
        ] {
            ways.push((endpoint, Box::new(move |own| ok(found(own, endpoint, json!(bad))))));
        }
    }
    for (what, answer) in ways {
        let shared = own.clone();
        let address = serve(make_sync(move |_| answer(&shared.lock().unwrap())), false).await;
        *own.lock().unwrap() = format!("http://login.pult.invalid:{}", address.port());
        let issuer = own.lock().unwrap().clone();
        named(&owner, &place, &issuer).await;
        let answer = nobody.post("/api/v3/admins/sso").json(json!({ "email": email })).send().await;
        assert_eq!(answer.status, 401, "{what}: {}", answer.text());
        answer.assert_problem(401, "SIGN_IN_PROVIDER_REFUSED");
    }
    // A server that accepts the connection and stays silent.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    named(&owner, &place, &format!("http://login.pult.invalid:{}", silent.local_addr().unwrap().port()))
        .await;
    let before = std::time::Instant::now();
    nobody
        .post("/api/v3/admins/sso")
        .json(json!({ "email": email }))
        .send()
        .await
        .assert_problem(401, "SIGN_IN_PROVIDER_REFUSED");
    assert!(before.elapsed() < Duration::from_secs(3));
    assert_eq!(*trap.lock().unwrap(), 0, "no redirect was followed");
}

#[testkit::test]
async fn a_provider_that_fails_is_left_alone_for_a_while() {
    let (place, _, domain, owner) = company().await;
    let email = employee(&place, &domain).await;
    let (status, calls) = (Arc::new(Mutex::new(StatusCode::NOT_FOUND)), Arc::new(Mutex::new(0)));
    let endpoint = {
        let (status, calls) = (status.clone(), calls.clone());
        make_sync(move |_| {
            *calls.lock().unwrap() += 1;
            status.lock().unwrap().into_response()
        })
    };
    let address = serve(endpoint, false).await;
    let rest = Duration::from_secs(4);
    let outgoing = Outgoing::new(true)
        .with_lookup(Names::at("127.0.0.1:0".parse().unwrap()).lookup())
        .with_breakers(Breakers::resting(rest));
    let instance = place.kit.instance(place.kit.app.settings.clone(), outgoing).await;
    named(&owner, &place, &format!("http://login.pult.invalid:{}", address.port())).await;
    let nobody = place.nobody();
    let nobody = nobody.at(&instance);
    let begin = async |times: usize| {
        for _ in 0..times {
            let call = nobody.post("/api/v3/admins/sso").json(json!({ "email": email }));
            call.send().await.assert_problem(401, "SIGN_IN_PROVIDER_REFUSED");
        }
        std::mem::take(&mut *calls.lock().unwrap())
    };
    assert_eq!(begin(6).await, 6, "a refusal is an answer");
    *status.lock().unwrap() = StatusCode::BAD_GATEWAY;
    assert_eq!(begin(9).await, 5);
    tokio::time::sleep(rest).await;
    assert_eq!(begin(3).await, 1, "one tries again");
    *status.lock().unwrap() = StatusCode::NOT_FOUND;
    tokio::time::sleep(rest).await;
    assert_eq!(begin(3).await, 3);
}
