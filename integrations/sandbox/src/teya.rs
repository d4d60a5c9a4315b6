//! Teya's identity server and POSLink API: sign-in with PKCE, access tokens of 15 minutes, refresh tokens for
//! one use, stores, terminals, registered clients. Everybody may sign in; calls need a valid token.
//!
//! The test that started it, or `POST /control`, scripts faults and moves the time (`{"fault":
//! "close_after_work"}`, `{"wait_s": 900}`).

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use http_body_util::{BodyExt, Limited};
use hyper::{Method, Request, body::Incoming, header};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use url::form_urlencoded;

pub use crate::Fault;
use crate::{
    faults::{Answer, answer, document, spoiled},
    html::escaped,
    http,
};

/// The default credentials of partners.
pub const SECRET: &str = "stand-in";
/// Seconds that an access token holds.
pub const ACCESS_S: u64 = 900;
/// Seconds that a refresh token holds from the last renewal.
const REFRESH_S: u64 = 30 * 86_400;
const CODE_S: u64 = 300;
#[derive(Clone, PartialEq)]
enum TokenSubject {
    /// A person signed in through this partner's client.
    Person,
    Store(&'static str),
}

struct Code {
    client: String,
    redirect: String,
    challenge: String,
    ends: u64,
}

#[derive(Default)]
struct State {
    codes: HashMap<String, Code>,
    access: HashMap<String, (TokenSubject, u64)>,
    refresh: HashMap<String, u64>,
    /// By store and external id: the client's id and secret.
    clients: HashMap<(String, String), (String, String)>,
    faults: VecDeque<Fault>,
    calls: Vec<String>,
    /// Seconds that the clock is ahead.
    ahead: u64,
}

pub struct Teya {
    /// The partner's client: every id is one, with this secret.
    secret: String,
    state: Mutex<State>,
}

type Form = HashMap<String, String>;

struct Store {
    id: &'static str,
    name: &'static str,
    address: [&'static str; 3],
    terminals: &'static [[&'static str; 3]],
}

/// The last one belongs to somebody else.
const STORES: &[Store] = &[
    Store {
        id: "6f9c2a3e-0d11-4b6f-9a51-2f8f0f3c1a01",
        name: "Belvárosi üzlet",
        address: ["1052", "Budapest", "Minta utca 1."],
        terminals: &[
            ["a2d6a3f0-5a07-4b62-8f0e-6f9a0a7d1001", "Pult 1", "SN-2240-1001"],
            ["a2d6a3f0-5a07-4b62-8f0e-6f9a0a7d1002", "Pult 2", "SN-2240-1002"],
        ],
    },
    Store {
        id: "6f9c2a3e-0d11-4b6f-9a51-2f8f0f3c1a02",
        name: "Vízparti üzlet",
        address: ["8600", "Siófok", "Minta sétány 2."],
        terminals: &[["a2d6a3f0-5a07-4b62-8f0e-6f9a0a7d2001", "", "SN-2240-2001"]],
    },
    Store {
        id: "6f9c2a3e-0d11-4b6f-9a51-2f8f0f3c1a03",
        name: "Új üzlet",
        address: ["6720", "Szeged", "Minta tér 3."],
        terminals: &[],
    },
    Store {
        id: FOREIGN,
        name: "Másé",
        address: ["1000", "Budapest", "Minta köz 4."],
        terminals: &[["foreign", "Másé", "SN-0"]],
    },
];
/// A store that belongs to somebody else.
pub const FOREIGN: &str = "6f9c2a3e-0d11-4b6f-9a51-2f8f0f3c1aff";

fn random() -> String {
    let mut bytes = [0_u8; 24];
    // Without chance there is nothing to stand in for.
    if aws_lc_rs::rand::fill(&mut bytes).is_err() {
        std::process::abort();
    }
    URL_SAFE_NO_PAD.encode(bytes)
}

fn refusal(status: u16, code: &str) -> Answer {
    document(
        status,
        &json!({"code": code, "description": "Refused by the stand-in.", "invalid_parameters": []}),
    )
}

fn oauth_refusal(error: &str) -> Answer {
    document(400, &json!({ "error": error }))
}

impl Teya {
    /// A company that knows partners by this secret.
    #[must_use]
    pub fn new(secret: impl Into<String>) -> Self {
        Self { secret: secret.into(), state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next call has this fault; several are used up one by one.
    pub fn next(&self, fault: Fault) {
        self.state().faults.push_back(fault);
    }

    /// Lets time pass.
    pub fn wait(&self, seconds: u64) {
        self.state().ahead += seconds;
    }

    /// The calls since the last time, as `METHOD path`; what browsers open does not count.
    pub fn calls(&self) -> Vec<String> {
        std::mem::take(&mut self.state().calls)
    }

    /// Forgets every sign-in: as when the merchant takes the consent back.
    pub fn forget_sign_ins(&self) {
        let mut state = self.state();
        state.refresh.clear();
        state.access.clear();
    }

    pub fn forget_clients(&self) {
        self.forget_sign_ins();
        self.state().clients.clear();
    }

    /// Somebody signs in on the page at this address and agrees; gives the address to which the page leads,
    /// none when the page refuses.
    pub fn agree(&self, url: &str) -> Option<String> {
        let query: Form = url::Url::parse(url).ok()?.query_pairs().into_owned().collect();
        let get = |name: &str| query.get(name).cloned().unwrap_or_default();
        let mut back = url::Url::parse(&get("redirect_uri")).ok()?;
        let sound = get("response_type") == "code"
            && get("code_challenge_method") == "S256"
            && !get("client_id").is_empty();
        if !sound || get("code_challenge").len() != 43 {
            return None;
        }
        let mut state = self.state();
        let code = random();
        let ends = now(&state) + CODE_S;
        let grant = Code {
            client: get("client_id"),
            redirect: get("redirect_uri"),
            challenge: get("code_challenge"),
            ends,
        };
        state.codes.insert(code.clone(), grant);
        back.query_pairs_mut().append_pair("code", &code).append_pair("state", &get("state"));
        Some(back.into())
    }

    fn page(query: &str) -> Answer {
        let form: Form = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let kept: String = form
            .iter()
            .map(|(name, value)| {
                format!("<input type=hidden name=\"{}\" value=\"{}\">", escaped(name), escaped(value))
            })
            .collect();
        let html = format!(
            "<!doctype html><html lang=hu><meta charset=utf-8><meta name=viewport \
             content=\"width=device-width\"><title>Stand-in for Teya</title><link rel=icon href=\"data:,\">\
             <style>body{{font:16px system-ui;margin:4rem auto;max-width:24rem;padding:0 \
             1rem}}button{{font:inherit;width:100%;padding:.75rem;margin:.5rem 0}}</style>\
             <h1>Stand-in for Teya</h1><p>It believes everybody.</p>\
             <form action=/agree>{kept}<button>Agree</button></form><form \
             action=/refuse>{kept}<button>Refuse</button></form>"
        );
        answer(200, "text/html; charset=utf-8", html)
    }

    fn lead(to: Option<String>) -> Answer {
        let Some(place) = to.and_then(|to| to.parse().ok()) else { return oauth_refusal("invalid_request") };
        let mut response = answer(302, "text/plain", String::new());
        response.headers_mut().insert(header::LOCATION, place);
        response
    }

    fn refused(query: &str) -> Option<String> {
        let form: Form = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let mut back = url::Url::parse(form.get("redirect_uri")?).ok()?;
        back.query_pairs_mut()
            .append_pair("error", "access_denied")
            .append_pair("state", form.get("state").map_or("", String::as_str));
        Some(back.into())
    }

    fn token(&self, form: &Form) -> Answer {
        let get = |name: &str| form.get(name).map_or("", String::as_str);
        let mut state = self.state();
        let time = now(&state);
        if get("grant_type") == "client_credentials" {
            let owner = state
                .clients
                .iter()
                .find(|(_, (id, secret))| id == get("client_id") && secret == get("client_secret"));
            let Some(store) = owner.and_then(|((store, _), _)| STORES.iter().find(|one| one.id == store))
            else {
                return oauth_refusal("invalid_client");
            };
            let token = random();
            state.access.insert(token.clone(), (TokenSubject::Store(store.id), time + ACCESS_S));
            return document(
                200,
                &json!({"access_token": token, "token_type": "bearer", "expires_in": ACCESS_S}),
            );
        }
        if get("client_secret") != self.secret {
            return oauth_refusal("invalid_client");
        }
        let good = match get("grant_type") {
            // The first try uses a code up, whether it succeeds or not.
            "authorization_code" => state.codes.remove(get("code")).is_some_and(|code| {
                let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(get("code_verifier")));
                code.ends > time
                    && code.client == get("client_id")
                    && code.redirect == get("redirect_uri")
                    && code.challenge == challenge
            }),
            "refresh_token" => state.refresh.remove(get("refresh_token")).is_some_and(|ends| ends > time),
            _ => return oauth_refusal("unsupported_grant_type"),
        };
        if !good {
            return oauth_refusal("invalid_grant");
        }
        let (access, refresh) = (random(), random());
        state.access.insert(access.clone(), (TokenSubject::Person, time + ACCESS_S));
        state.refresh.insert(refresh.clone(), time + REFRESH_S);
        document(
            200,
            &json!({"access_token": access, "refresh_token": refresh, "token_type": "bearer",
                "expires_in": ACCESS_S}),
        )
    }

    fn api(&self, method: &Method, path: &str, token: &str, body: &[u8]) -> Answer {
        let mut state = self.state();
        let time = now(&state);
        let Some((subject, _)) = state.access.get(token).filter(|(_, ends)| *ends > time).cloned() else {
            return refusal(401, "UNAUTHORISED");
        };
        let mine = |id: &str| {
            STORES.iter().find(|one| {
                one.id == id
                    && one.id != FOREIGN
                    && (subject == TokenSubject::Person || subject == TokenSubject::Store(one.id))
            })
        };
        match (method, path.split('/').skip(1).collect::<Vec<_>>().as_slice()) {
            (&Method::GET, ["poslink", "v1", "stores"]) if subject == TokenSubject::Person => {
                let stores = STORES.iter().filter(|one| one.id != FOREIGN).map(|one| {
                    let [postcode, city, street] = one.address;
                    json!({"store_id": one.id, "name": one.name, "address": {"postal_code": postcode,
                        "city": city, "address_line_1": street, "country": "HU"}})
                });
                document(200, &json!({"stores": stores.collect::<Vec<_>>()}))
            }
            (&Method::GET, ["poslink", "v1", "stores", id, "terminals"]) => {
                let Some(store) = mine(id) else { return refusal(404, "NOT_FOUND") };
                let terminals = store.terminals.iter().map(|[id, name, serial]| {
                    json!({"terminal_id": id,
                        "terminal_name": name, "serial_number": serial})
                });
                document(200, &json!({"terminals": terminals.collect::<Vec<_>>()}))
            }
            (&Method::POST, ["poslink", "v1", "epos", "register"]) if subject == TokenSubject::Person => {
                let body: Value = serde_json::from_slice(body).unwrap_or_default();
                let (Some(store), Some(ours)) =
                    (body["store_id"].as_str(), body["epos_external_id"].as_str())
                else {
                    return refusal(400, "BAD_REQUEST");
                };
                if mine(store).is_none() {
                    return refusal(404, "NOT_FOUND");
                }
                let client = state
                    .clients
                    .entry((store.to_owned(), ours.to_owned()))
                    .or_insert_with(|| (random(), random()));
                document(201, &json!({"client_id": client.0, "client_secret": client.1, "scopes": []}))
            }
            (_, ["poslink", ..]) if subject != TokenSubject::Person => refusal(403, "FORBIDDEN"),
            _ => refusal(404, "NOT_FOUND"),
        }
    }

    fn control(&self, body: &[u8]) -> Answer {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        if let Some(fault) = body["fault"].as_str().and_then(Fault::parse) {
            self.next(fault);
        }
        self.wait(body["wait_s"].as_u64().unwrap_or(0));
        match body["forget"].as_str() {
            Some("sign_ins") => self.forget_sign_ins(),
            Some("clients") => self.forget_clients(),
            _ => {}
        }
        document(200, &json!({}))
    }

    /// None: the connection is closed without an answer.
    async fn serve_one(&self, request: Request<Incoming>) -> Option<Answer> {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let query = request.uri().query().unwrap_or_default().to_owned();
        match (&method, path.as_str()) {
            (&Method::GET, "/oauth/v2/oauth-authorize") => return Some(Self::page(&query)),
            (&Method::GET, "/agree") => {
                return Some(Self::lead(self.agree(&format!("http://stand-in/?{query}"))));
            }
            (&Method::GET, "/refuse") => return Some(Self::lead(Self::refused(&query))),
            _ => {}
        }
        let token = request
            .headers()
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "))
            .unwrap_or_default()
            .to_owned();
        let body = Limited::new(request.into_body(), 100_000).collect().await.ok()?.to_bytes();
        if (&method, path.as_str()) == (&Method::POST, "/control") {
            return Some(self.control(&body));
        }
        let fault = {
            let mut state = self.state();
            state.calls.push(format!("{method} {path}"));
            state.faults.pop_front()
        };
        let work = || {
            if (&method, path.as_str()) == (&Method::POST, "/oauth/v2/oauth-token") {
                self.token(&form_urlencoded::parse(&body).into_owned().collect())
            } else {
                self.api(&method, &path, &token, &body)
            }
        };
        spoiled(fault, |status| refusal(status, "SCRIPTED"), work).await
    }
}

fn now(state: &State) -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()) + state.ahead
}

/// Serves until the program ends.
pub async fn serve(listener: TcpListener, teya: Arc<Teya>) {
    let closed = || std::io::Error::other("closed");
    http::serve(listener, move |request| {
        let teya = teya.clone();
        async move { teya.serve_one(request).await.ok_or_else(closed) }
    })
    .await;
}
