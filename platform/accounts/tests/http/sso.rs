//! Sign-in with a partner's provider: the valid way, and every answer that must be refused.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use poem::{
    EndpointExt, Route, Server, get, handler,
    listener::{Acceptor, Listener, TcpListener},
    post,
    web::{Data, Form, Json},
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use testkit::{Answer, Client, Place, kit};
use uuid::Uuid;

use super::account::{PASSWORD, account, address, client, sign_in};

/// The provider's key, of these tests only; and one that is not the provider's.
const KEY: &str = "-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg+Ht61Iu1GeoELZOy
XSHBXHY2jdBbdLLlUTzUNEhBAX+hRANCAARC7CwDbHEoYipcBZA7AwtD6X+b2Gjn
rDG/1c9Z4V8cA4Fx9bJ3pq7cS8p068dj2asrbz1DQR5VsS9W4BStJJpJ
-----END PRIVATE KEY-----
";
const FORGED: &str = "-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgv++I2IPjDY1xFr1S
aNE+1sD4V42wXcxa5TJI0h03yE6hRANCAAQExidDBGTZM8GzTAIAhCcxSCNQ8y3R
VlNHapd2IJ3xFCsmsNxM/9dc79La5vjoP0Lx/dEjhWn7mlBFBnluQFaN
-----END PRIVATE KEY-----
";
const X: &str = "QuwsA2xxKGIqXAWQOwMLQ-l_m9ho56wxv9XPWeFfHAM";
const Y: &str = "gXH1snemrtxLynTrx2PZqytvPUNBHlWxL1bgFK0kmkk";
pub const CLIENT: &str = "pult-of-the-tests";

/// A provider that answers what a test tells it to.
#[derive(Clone)]
pub struct Idp {
    pub issuer: String,
    /// By code: the challenge it was asked with, and the ID token.
    codes: Arc<Mutex<HashMap<String, (String, String)>>>,
}

#[handler]
fn discovery(idp: Data<&Idp>) -> Json<Value> {
    let at = |path: &str| format!("{}/{path}", idp.issuer);
    Json(
        json!({"issuer": idp.issuer, "authorization_endpoint": at("authorize"), "token_endpoint": at("token"),
            "jwks_uri": at("jwks")}),
    )
}

#[handler]
fn jwks() -> Json<Value> {
    Json(json!({"keys": [{"kty": "EC", "crv": "P-256", "kid": "1", "use": "sig", "alg": "ES256", "x": X,
            "y": Y}]}))
}

#[handler]
fn exchange(idp: Data<&Idp>, form: Form<HashMap<String, String>>, request: &poem::Request) -> poem::Response {
    let basic = request
        .header("authorization")
        .and_then(|value| value.strip_prefix("Basic "))
        .unwrap_or_default()
        .to_owned();
    let basic = String::from_utf8(base64::engine::general_purpose::STANDARD.decode(basic).unwrap()).unwrap();
    let (challenge, id_token) = idp.codes.lock().unwrap().remove(&form["code"]).unwrap_or_default();
    let answered = URL_SAFE_NO_PAD.encode(Sha256::digest(form["code_verifier"].as_bytes()));
    if basic != format!("{CLIENT}:client-secret")
        || challenge != answered
        || form["redirect_uri"] != "http://pult.test/sso"
    {
        return poem::Response::builder()
            .status(poem::http::StatusCode::BAD_REQUEST)
            .body(r#"{"error":"invalid_grant"}"#);
    }
    let body = json!({"access_token": "unused", "token_type": "Bearer", "id_token": id_token});
    poem::Response::builder().content_type("application/json").body(body.to_string())
}

impl Idp {
    async fn start() -> Self {
        Self::called("127.0.0.1").await
    }

    pub async fn called(name: &str) -> Self {
        let acceptor = TcpListener::bind("127.0.0.1:0").into_acceptor().await.unwrap();
        let port = acceptor.local_addr()[0].as_socket_addr().unwrap().port();
        let idp = Self { issuer: format!("http://{name}:{port}"), codes: Arc::default() };
        let routes = Route::new()
            .at("/.well-known/openid-configuration", get(discovery))
            .at("/jwks", get(jwks))
            .at("/token", post(exchange));
        tokio::spawn(Server::new_with_acceptor(acceptor).run(routes.data(idp.clone())));
        idp
    }

    /// Claims of a person that the provider knows.
    pub fn claims(&self, subject: &str, email: &str) -> Value {
        let now = chrono::Utc::now().timestamp();
        json!({"iss": self.issuer, "sub": subject, "aud": CLIENT, "iat": now, "exp": now + 300,
            "email": email, "email_verified": true,
               "groups": ["super_admin"], "roles": ["owner"]})
    }

    pub fn signed(&self, claims: &Value) -> String {
        signed(claims, KEY, Some("1"))
    }

    /// Gives out a code for this sign-in under way.
    pub fn code(&self, begun: &Begun, id_token: String) -> String {
        let code = Uuid::now_v7().to_string();
        self.codes.lock().unwrap().insert(code.clone(), (begun.challenge.clone(), id_token));
        code
    }
}

fn signed(claims: &Value, key: &str, kid: Option<&str>) -> String {
    let mut header = Header::new(Algorithm::ES256);
    header.kid = kid.map(str::to_owned);
    jsonwebtoken::encode(&header, claims, &EncodingKey::from_ec_pem(key.as_bytes()).unwrap()).unwrap()
}

/// Makes a faulty ID token of good claims.
type Forge = Box<dyn Fn(Value) -> String>;

/// A sign-in under way: what the browser was sent away with.
pub struct Begun {
    pub state: String,
    pub nonce: String,
    challenge: String,
    pub cookie: String,
}

async fn begin(place: &Place<'_>, body: Value) -> Option<Begun> {
    begun(&place.nobody().post("/api/v3/admins/sso").json(body).send().await.assert(200))
}

/// The address of a redirect.
pub fn begun(answer: &Answer) -> Option<Begun> {
    let url: url::Url = answer.json()["redirect_url"].as_str()?.parse().unwrap();
    let query: HashMap<String, String> = url.query_pairs().into_owned().collect();
    assert_eq!(
        (
            query["code_challenge_method"].as_str(),
            query["response_type"].as_str(),
            query["client_id"].as_str()
        ),
        ("S256", "code", CLIENT)
    );
    let cookie = answer.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"));
    let cookie = cookie.split(';').next().unwrap().to_owned();
    Some(Begun {
        state: query["state"].clone(),
        nonce: query["nonce"].clone(),
        challenge: query["code_challenge"].clone(),
        cookie,
    })
}

async fn finish(place: &Place<'_>, begun: &Begun, code: &str) -> Answer {
    let body = json!({"code": code, "state": begun.state});
    place.nobody().header("cookie", &begun.cookie).put("/api/v3/admins/sso").json(body).send().await
}

/// Begins by address and comes back as this person.
pub async fn sso(place: &Place<'_>, idp: &Idp, begin_with: Value, mut claims: Value) -> Answer {
    let begun = begin(place, begin_with).await.expect("a provider");
    claims["nonce"] = json!(begun.nonce);
    finish(place, &begun, &idp.code(&begun, idp.signed(&claims))).await
}

pub fn path(place: &Place<'_>) -> String {
    format!("/api/v3/admin/partners/{}/sign-in-provider", place.partner)
}

/// A partner with a provider, a proven domain, and an admin whose address is of that domain.
pub async fn company() -> (Place<'static>, Idp, String, Client<'static>) {
    let place = kit().await.partner().await;
    let idp = Idp::start().await;
    let domain = format!("d{}.example", Uuid::now_v7().simple());
    let owner = place.partner_admin().await;
    let body = json!({"name": "Cég", "issuer": idp.issuer, "client_id": CLIENT,
        "client_secret": "client-secret", "domains": [domain]});
    let saved = owner.put(&path(&place)).json(body).send().await.assert(200).json();
    assert_eq!(saved["proofs"][0]["proven"], true, "a reserved name in development");
    (place, idp, domain, owner)
}

pub async fn employee(place: &Place<'_>, domain: &str) -> String {
    let (id, _) = account(place, false).await;
    let email = format!("eva{}@{domain}", &id.to_string()[24..]);
    place
        .kit
        .run("update control.account set email = $2 where id = $1", vec![id.into(), email.clone().into()])
        .await;
    email
}

#[testkit::test]
async fn concurrent_changes_of_the_provider() {
    let (place, idp, domain, owner) = company().await;
    let put = |name: &str, version: i64| {
        owner
            .put(&path(&place))
            .json(json!({"name": name, "issuer": idp.issuer, "client_id": CLIENT, "domains": [domain],
                "version": version}))
            .send()
    };
    let first = put("Első", 1).await.assert(200).json();
    assert_eq!(first["version"], 2);
    assert_eq!(put("Második", 1).await.assert_problem(409, "CONFLICT").json()["current"], first);
    let at_once = futures_util::future::join_all((0..4).map(|_| put("Harmadik", 2))).await;
    assert_eq!(at_once.iter().filter(|answer| answer.status == 200).count(), 1);
    owner.delete(&path(&place)).send().await.assert(204);
    put("Negyedik", 3).await.assert_problem(404, "SIGN_IN_PROVIDER_NOT_EXIST");
}

#[testkit::test]
async fn the_provider_signs_in_bound_identities_only_at_its_partner() {
    let (place, idp, domain, _) = company().await;
    let email = employee(&place, &domain).await;
    // The same person is an admin elsewhere too.
    let other = kit().await.stranger().await;
    let sql = "insert into control.admin (id, account_id, partner_id, target_type, restaurant_ids, \
        full_target_access) \
               select gen_random_uuid(), id, $2, 'Restaurant', array[$3::uuid], true from control.account \
               where email = $1";
    place.kit.run(sql, vec![email.clone().into(), other.partner.into(), other.restaurant.into()]).await;

    let answer =
        sso(&place, &idp, json!({ "email": email }), idp.claims("subject-1", &email)).await.assert(200);
    let me = answer.json();
    assert_eq!(
        (&me["super_admin"], me["targets"].as_array().unwrap().len(), &me["changeable"]),
        (&json!(false), 1, &json!(false))
    );
    let signed_in = place.nobody().bearer(answer.header("authorization").unwrap());
    signed_in.get("/api-keys").send().await.assert(200);
    let elsewhere =
        format!("/api/v3/admin/partners/{}/restaurants/{}/api-keys", other.partner, other.restaurant);
    signed_in.get(&elsewhere).send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    // Changes of the account itself need a session opened with the password.
    signed_in
        .put("/api/v3/admin/me")
        .json(json!({"first_name": "X"}))
        .send()
        .await
        .assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    signed_in
        .post("/api/v3/admin/me/second-factor")
        .json(json!({}))
        .send()
        .await
        .assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    signed_in.delete("/api/v3/admin/me/sessions").send().await.assert_problem(403, "USER_TYPE_NOT_EDITABLE");
    client(&place, &email, PASSWORD).await.get(&elsewhere).send().await.assert(200);

    // Bound to the subject: the address may change, another subject with the address is somebody else.
    sso(&place, &idp, json!({ "email": email }), idp.claims("subject-1", "new@elsewhere.example"))
        .await
        .assert(200);
    sso(&place, &idp, json!({ "email": email }), idp.claims("subject-2", &email))
        .await
        .assert_problem(401, "SIGN_IN_PROVIDER_REFUSED");
    // Rights that end here end there too.
    place
        .kit
        .run(
            "update control.admin set status = 'archived' where partner_id = $1 and account_id in (select id \
             from control.account where email = $2)",
            vec![place.partner.into(), email.clone().into()],
        )
        .await;
    sso(&place, &idp, json!({ "email": email }), idp.claims("subject-1", &email))
        .await
        .assert_problem(401, "SIGN_IN_PROVIDER_REFUSED");
}

#[testkit::test]
async fn the_first_sign_in_needs_an_invitation_or_a_proven_domain() {
    let (place, idp, domain, owner) = company().await;
    let refused = |answer: Answer| answer.assert_problem(401, "SIGN_IN_PROVIDER_REFUSED");
    let email = employee(&place, &domain).await;
    let begin_with = json!({ "email": email });
    // Nobody here; an admin whose address is of another domain; an address that the provider has not
    // verified.
    refused(sso(&place, &idp, begin_with.clone(), idp.claims("s", &format!("nobody@{domain}"))).await);
    let (_, private) = account(&place, false).await;
    refused(sso(&place, &idp, begin_with.clone(), idp.claims("s", &private)).await);
    for unverified in [json!(false), Value::Null, json!("yes"), json!(1)] {
        let mut claims = idp.claims("s", &email);
        claims["email_verified"] = unverified;
        refused(sso(&place, &idp, begin_with.clone(), claims).await);
    }
    // A super admin is never signed in by a partner's provider, whatever it says.
    let (boss, _) = account(&place, true).await;
    let address_of_boss = format!("boss@{domain}");
    place
        .kit
        .run(
            "update control.account set email = $2 where id = $1",
            vec![boss.into(), address_of_boss.clone().into()],
        )
        .await;
    refused(sso(&place, &idp, begin_with.clone(), idp.claims("boss", &address_of_boss)).await);

    // An invitation binds the address that was invited, of whatever domain, and no other.
    let invited = address();
    let token = super::account::invited(&place, &invited).await;
    let with = json!({ "invitation": token });
    refused(sso(&place, &idp, with.clone(), idp.claims("i", &private)).await);
    let me = sso(&place, &idp, with.clone(), idp.claims("i", &invited)).await.assert(200).json();
    assert_eq!(me["email"], invited.as_str());
    assert!(begin(&place, with).await.is_none(), "an invitation is accepted once");
    sso(&place, &idp, begin_with.clone(), idp.claims("i", &invited)).await.assert(200);

    // Addresses of unknown and unproven domains are sent nowhere; the answer does not depend on the account.
    let unknown = begin(&place, json!({"email": address()})).await;
    assert!(unknown.is_none());
    assert!(begin(&place, json!({"email": format!("nobody@{domain}")})).await.is_some());
    place
        .kit
        .run("update control.sign_in_domain set proven_at = null where domain = $1", vec![domain.into()])
        .await;
    assert!(begin(&place, begin_with.clone()).await.is_none());
    owner.delete(&path(&place)).send().await.assert(204);
    assert_eq!(owner.get(&path(&place)).send().await.assert(200).json(), json!(null));
    owner.delete(&path(&place)).send().await.assert_problem(404, "SIGN_IN_PROVIDER_NOT_EXIST");
    for body in [json!({}), json!({"email": "nobody"}), json!({"email": 7})] {
        place.nobody().post("/api/v3/admins/sso").json(body).send().await.assert(422);
    }
}

#[testkit::test]
async fn forged_and_replayed_answers_are_refused() {
    let (place, idp, domain, _) = company().await;
    let email = employee(&place, &domain).await;
    let now = chrono::Utc::now().timestamp();
    let refused = |answer: Answer| answer.assert_problem(401, "SIGN_IN_PROVIDER_REFUSED");
    let begin_with = || begin(&place, json!({ "email": email }));

    // The control is let in; its state, code and ID token then work no more.
    let begun = begin_with().await.unwrap();
    let mut claims = idp.claims("subject", &email);
    claims["nonce"] = json!(begun.nonce);
    let id_token = idp.signed(&claims);
    let code = idp.code(&begun, id_token.clone());
    finish(&place, &begun, &code).await.assert(200);
    refused(finish(&place, &begun, &code).await);
    let code = idp.code(&begun, id_token.clone());
    refused(finish(&place, &begun, &code).await);
    let next = begin_with().await.unwrap();
    refused(finish(&place, &next, &idp.code(&next, id_token)).await);

    // Another browser, another state, a code of another sign-in, no code.
    let (one, two) = (begin_with().await.unwrap(), begin_with().await.unwrap());
    let token_for = |begun: &Begun| {
        let mut claims = idp.claims("subject", &email);
        claims["nonce"] = json!(begun.nonce);
        idp.signed(&claims)
    };
    let code = idp.code(&one, token_for(&one));
    let foreign = Begun {
        cookie: two.cookie.clone(),
        state: one.state.clone(),
        nonce: String::new(),
        challenge: String::new(),
    };
    refused(finish(&place, &foreign, &code).await);
    let bare =
        place.nobody().put("/api/v3/admins/sso").json(json!({"code": code, "state": one.state})).send().await;
    refused(bare);
    refused(finish(&place, &two, &code).await);
    let late = begin_with().await.unwrap();
    place
        .kit
        .run(
            "update control.sso_state set expires_at = now() where partner_id = $1",
            vec![place.partner.into()],
        )
        .await;
    refused(finish(&place, &late, &idp.code(&late, token_for(&late))).await);

    let forged: Vec<(&str, Forge)> = vec![
        ("no token", Box::new(|_| String::new())),
        ("not a token", Box::new(|_| "a.b.c".into())),
        ("another key", Box::new(|claims| signed(&claims, FORGED, Some("1")))),
        ("an unknown key id", Box::new(|claims| signed(&claims, FORGED, Some("2")))),
        ("another key without an id", Box::new(|claims| signed(&claims, FORGED, None))),
        (
            "no signature",
            Box::new(|claims| {
                let part = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
                format!("{}.{}.", part(json!({"alg": "none"})), part(claims))
            }),
        ),
        (
            "the client's secret as key",
            Box::new(|claims| {
                jsonwebtoken::encode(
                    &Header::new(Algorithm::HS256),
                    &claims,
                    &EncodingKey::from_secret(b"client-secret"),
                )
                .unwrap()
            }),
        ),
        (
            "the public key as secret",
            Box::new(|claims| {
                let mut header = Header::new(Algorithm::HS256);
                header.kid = Some("1".into());
                jsonwebtoken::encode(&header, &claims, &EncodingKey::from_secret(X.as_bytes())).unwrap()
            }),
        ),
    ];
    for (what, forge) in forged {
        let begun = begin_with().await.unwrap();
        let mut claims = idp.claims("subject", &email);
        claims["nonce"] = json!(begun.nonce);
        let answer = finish(&place, &begun, &idp.code(&begun, forge(claims))).await;
        assert_eq!(answer.status, 401, "{what}: {}", answer.text());
    }
    let changed = [
        ("iss", json!("https://evil.example")),
        ("aud", json!("another-client")),
        ("aud", json!([CLIENT, "another-client"])),
        ("azp", json!("another-client")),
        ("nonce", json!("another")),
        ("nonce", Value::Null),
        ("exp", json!(now - 3600)),
        ("exp", Value::Null),
        ("nbf", json!(now + 3600)),
        ("iat", json!(now - 3600)),
        ("iat", json!(now + 3600)),
        ("sub", json!("")),
        ("sub", json!("x".repeat(256))),
        ("sub", Value::Null),
    ];
    for (claim, value) in changed {
        let begun = begin_with().await.unwrap();
        let mut claims = idp.claims("subject", &email);
        claims["nonce"] = json!(begun.nonce);
        if value.is_null() {
            claims.as_object_mut().unwrap().remove(claim);
        } else {
            claims[claim] = value.clone();
        }
        let answer = finish(&place, &begun, &idp.code(&begun, idp.signed(&claims))).await;
        assert_eq!(answer.status, 401, "{claim} = {value}: {}", answer.text());
    }
}

#[testkit::test]
async fn the_settings_keep_the_secret_and_refuse_nonsense() {
    let (place, idp, domain, owner) = company().await;
    let at = path(&place);
    let shown = owner.get(&at).send().await.assert(200);
    assert!(!shown.text().contains("client-secret\"") || shown.json().get("client_secret").is_none());
    assert_eq!(
        (&shown.json()["has_client_secret"], &shown.json()["redirect_uri"]),
        (&json!(true), &json!("http://pult.test/sso"))
    );
    let sealed = place
        .kit
        .row(
            "select encode(client_secret, 'escape') text from control.sign_in_provider where partner_id = $1",
            vec![place.partner.into()],
        )
        .await;
    assert!(!sealed.try_get::<String>("", "text").unwrap().contains("client-secret"));
    let with = |field: &str, value: Value| {
        let mut body = json!({"name": "Cég", "issuer": idp.issuer, "client_id": CLIENT});
        body[field] = value;
        body
    };
    for issuer in [
        "",
        "x",
        "ftp://a.hu",
        "http://10.0.0.1",
        "https://169.254.169.254",
        "https://[fd00::1]",
        "https://a@b.hu",
        "https://a.hu/?q",
        "https://a.hu/#f",
    ] {
        owner.put(&at).json(with("issuer", json!(issuer))).send().await.assert_keys(&["issuer"]);
    }
    for domains in [json!(["hu"]), json!(["127.0.0.1"]), json!(["a.hu/b"]), json!(["a@b.hu"])] {
        owner.put(&at).json(with("domains", domains)).send().await.assert_keys(&["domains.0"]);
    }
    owner.put(&at).json(with("domains", json!(["a.hu", "A.HU."]))).send().await.assert_keys(&["domains.1"]);
    owner.put(&at).json(json!({})).send().await.assert_problem(422, "VALIDATION_FAILED");
    // The secret stays while issuer and client stay; it is never sent to another address.
    assert_eq!(
        owner.put(&at).json(with("name", json!("Más"))).send().await.assert(200).json()["has_client_secret"],
        true
    );
    let moved = owner
        .put(&at)
        .json(with("issuer", json!("https://login.example.com")))
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!((&moved["has_client_secret"], &moved["domains"]), (&json!(false), &json!([domain])));
    owner
        .post(&format!("{at}/proof"))
        .json(json!({"domain": "unknown.example"}))
        .send()
        .await
        .assert_keys(&["domain"]);
    // A domain belongs to one partner.
    let other = kit().await.partner().await;
    let second = other.partner_admin().await;
    let taken =
        second.put(&path(&other)).json(with("domains", json!([domain]))).send().await.assert(200).json();
    assert_eq!(taken["proofs"][0]["proven"], false);
    // Partner admins only.
    for client in [place.admin().await, place.with_keys(&["user"]).await] {
        client.get(&at).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
        client
            .put(&at)
            .json(with("name", json!("x")))
            .send()
            .await
            .assert_problem(403, "USER_PERMISSION_REQUIRED");
        client.delete(&at).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    }
    sign_in(&place.nobody(), &address(), "x", None).await.assert(401);
}
