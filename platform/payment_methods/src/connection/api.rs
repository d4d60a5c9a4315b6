//! Operations of a connection, and the redirect from the company's page.

use std::sync::Arc;

use access::{
    App, Caller as Who,
    company::{call_at, enter},
    digest,
    prelude::*,
    raw::{RawCall, RawRoute},
};
use contract::{Authorization, CardTerminal, Environment, Plugins};
use kernel::clock;
use poem::{
    Response,
    http::{Method, StatusCode},
    web::Data,
};
use restaurants::Event;
use serde_json::json;
use url::{Url, form_urlencoded};
use uuid::Uuid;

use super::{
    held::{ConnectionSecret, Name},
    store,
    tokens::{COMPANY, Caller, to_problem},
};
use crate::terminals;

pub(crate) struct Connection;

/// The state of the connection.
#[derive(Debug, Object)]
struct TerminalConnection {
    /// Whether somebody has connected the restaurant, and the connection holds.
    initialized: bool,
    /// Whether connecting is possible here at all.
    available: bool,
    /// Null when the restaurant is not connected.
    info: Option<TerminalConnectionInfo>,
}

/// What is known of a connection.
#[derive(Debug, Object)]
struct TerminalConnectionInfo {
    /// Null until a store is chosen.
    store_id: Option<String>,
    store_name: Option<String>,
    connected_at: Timestamp,
    /// The sign-in has ended: stores can be listed and chosen only after signing in again. The chosen store
    /// goes on working.
    sign_in_needed: bool,
}

/// Where to go.
#[derive(Debug, Object)]
struct TerminalRedirect {
    /// The company's page on which somebody signs in and agrees.
    url: String,
}

/// What the company's page gave.
#[derive(Object)]
struct TerminalConnect {
    #[oai(validator(min_length = 1, max_length = 4000))]
    code: String,
    #[oai(validator(min_length = 1, max_length = 200))]
    state: String,
}

/// A store at the company.
#[derive(Debug, Object)]
struct TerminalStore {
    store_id: String,
    name: String,
    /// In one line; empty when unknown.
    address: String,
}

/// A terminal of the chosen store.
#[derive(Debug, Object)]
struct StoreTerminal {
    terminal_id: String,
    terminal_name: String,
    serial_number: String,
}

#[derive(Debug, Object)]
struct TerminalStoreChoice {
    #[oai(validator(min_length = 1, max_length = 100))]
    store_id: String,
}

const BACK: &str = "card-terminal/back";

/// The address that is registered at the company.
fn redirect(app: &App) -> String {
    format!("{}/{BACK}", app.settings.public_url.as_str().trim_end_matches('/'))
}

/// Derived from the state, so that nothing of it is kept.
fn verifier(app: &App, state: &str) -> String {
    app.settings
        .secrets
        .keyed("card terminal verifier", state)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// A page of ours, without what an earlier way back left in its query.
fn page(app: &App, text: &str) -> Option<Url> {
    let mut url: Url = text.parse().ok()?;
    let ours = url.origin() == app.settings.public_url.origin()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    if !ours {
        return None;
    }
    let params: Vec<_> = url
        .query_pairs()
        .filter(|(name, _)| !PASSED.contains(&&**name))
        .map(|(a, b)| (a.into_owned(), b.into_owned()))
        .collect();
    url.set_query(None);
    if !params.is_empty() {
        url.query_pairs_mut().extend_pairs(params);
    }
    Some(url)
}

/// The parameters from the company's page.
const PASSED: [&str; 3] = ["code", "state", "error"];

/// The route on which a browser comes back from the company's page.
pub(crate) fn way_back() -> RawRoute {
    RawRoute::new((Method::GET, "/card-terminal/back"), 0, 600, back)
}

/// Leads to the page of ours from which somebody left. It takes nothing and tells nothing; the page finishes with
/// `PUT …/teya/oauth` in the session that began.
async fn back(call: RawCall) -> kernel::Result<Response> {
    let app = &call.app;
    let brought: Vec<_> = form_urlencoded::parse(call.query.as_bytes())
        .filter(|(name, _)| PASSED.contains(&name.as_ref()))
        .collect();
    if PASSED.iter().any(|name| brought.iter().filter(|(other, _)| other == name).count() > 1) {
        return Err(Problem::new(Code::BAD_REQUEST));
    }
    let place: Option<String> = match brought.iter().find(|(name, _)| name == "state") {
        Some((_, state)) => {
            app.door.value("select control.terminal_return($1)", [digest(state).into()]).await?.flatten()
        }
        None => None,
    };
    let mut url =
        place.and_then(|place| place.parse().ok()).unwrap_or_else(|| app.settings.public_url.clone());
    let passed = PASSED.iter().filter_map(|name| brought.iter().find(|(other, _)| other == name));
    url.query_pairs_mut().extend_pairs(passed.filter(|(_, value)| value.len() <= 4000));
    if url.query() == Some("") {
        url.set_query(None);
    }
    Ok(Response::builder()
        .status(StatusCode::SEE_OTHER)
        .header("location", url.as_str())
        .header("cache-control", "no-store")
        .finish())
}

fn session(who: &Who) -> Result<Uuid> {
    match who {
        Who::Person { session, .. } => Ok(*session),
        _ => Err(Problem::new(Code::USER_PERMISSION_REQUIRED)),
    }
}

fn company(plugins: &Plugins, live: bool) -> Option<Arc<dyn CardTerminal>> {
    plugins.card_terminal(if live { Environment::Live } else { Environment::StandIn })
}

async fn caller<P: access::Permission>(scope: In<Restaurant, P>, plugins: &Plugins) -> Result<Caller<P>> {
    let tx = scope.begin().await?;
    let live = store::live(&tx).await?;
    // The connection goes back before the company is asked.
    tx.commit().await?;
    // Where there is no company, nobody is connected to one.
    let company = company(plugins, live).ok_or(Code::CARD_TERMINAL_NOT_CONNECTED)?;
    Ok(Caller { scope: Arc::new(scope), company, live })
}

async fn state<P>(scope: &In<Restaurant, P>, tx: &TenantTx, plugins: &Plugins) -> Result<TerminalConnection> {
    let live = store::live(tx).await?;
    let found = store::find(tx, scope.app(), scope.restaurant(), live, false).await?;
    Ok(TerminalConnection {
        initialized: found.as_ref().is_some_and(|(_, held)| !held.is_over(clock::now())),
        available: company(plugins, live).is_some(),
        info: found.map(|(row, held)| TerminalConnectionInfo {
            store_id: row.store_id,
            store_name: row.store_name,
            connected_at: row.connected_at,
            sign_in_needed: !held.has_person(clock::now()),
        }),
    })
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/teya",
    tag = "Tag::Restaurants"
)]
impl Connection {
    /// Whether the restaurant is connected to the company of its card terminals, and with which store.
    #[oai(path = "/", method = "get", operation_id = "teya_get")]
    async fn get(
        &self, scope: In<Restaurant, perm::NoPermRequired>, plugins: Data<&Plugins>,
    ) -> Result<Json<TerminalConnection>> {
        let tx = scope.begin().await?;
        state(&scope, &tx, &plugins).await.map(Json)
    }

    /// Begins to connect: where to send whoever signs in at the company.
    ///
    /// `redirect_uri` is the page of ours to which the person comes back, with `code` and `state` in its
    /// query, or `error`. The state holds for ten minutes, once, and only in the session and for the
    /// restaurant that began.
    ///
    /// codes: CARD_TERMINAL_UNAVAILABLE
    #[oai(path = "/oauth", method = "get", operation_id = "teya_begin")]
    async fn begin(
        &self, scope: In<Restaurant, perm::PaymentMethod>,
        #[oai(validator(min_length = 1, max_length = 2000))] redirect_uri: Query<String>,
        plugins: Data<&Plugins>,
    ) -> Result<Json<TerminalRedirect>> {
        let page = page(scope.app(), &redirect_uri)
            .ok_or_else(|| Problem::new(Code::VALIDATION_FAILED).key("redirect_uri", Fault::Invalid))?;
        let tx = scope.begin().await?;
        let company = company(&plugins, store::live(&tx).await?).ok_or(Code::CARD_TERMINAL_UNAVAILABLE)?;
        let state = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
        store::begin(&tx, scope.restaurant(), &state, session(scope.caller())?, page.as_str()).await?;
        tx.commit().await?;
        let (redirect, verifier) = (redirect(scope.app()), verifier(scope.app(), &state));
        Ok(Json(TerminalRedirect {
            url: company.authorization_url(Authorization {
                redirect: &redirect,
                state: &state,
                verifier: &verifier,
            }),
        }))
    }

    /// Finishes connecting with what the company's page gave. An earlier connection is replaced.
    ///
    /// codes: CARD_TERMINAL_UNAVAILABLE, CARD_TERMINAL_REFUSED, CARD_TERMINAL_SIGN_IN
    #[oai(path = "/oauth", method = "put", operation_id = "teya_connect")]
    async fn connect(
        &self, scope: In<Restaurant, perm::PaymentMethod>, body: Body<TerminalConnect>,
        plugins: Data<&Plugins>,
    ) -> Result<Json<TerminalConnection>> {
        let TerminalConnect { code, state: proof } = body.into_inner();
        // Before the state is used up: a company that is not asked costs nobody the sign-in.
        let place = enter(scope.app(), scope.partner(), COMPANY).map_err(to_problem)?;
        let tx = scope.begin().await?;
        let good = store::take(&tx, scope.restaurant(), &proof, session(scope.caller())?).await?;
        let live = store::live(&tx).await?;
        tx.commit().await?;
        if !good {
            return Err(Problem::new(Code::VALIDATION_FAILED).key("state", Fault::Invalid));
        }
        let company = company(&plugins, live).ok_or(Code::CARD_TERMINAL_UNAVAILABLE)?;
        let (verifier, redirect) = (verifier(scope.app(), &proof), redirect(scope.app()));
        let connect = company.connect(&code, &verifier, &redirect);
        let signed_in = call_at(place, connect).await.map_err(to_problem)?;
        let tx = scope.begin().await?;
        let held = ConnectionSecret::signed_in(signed_in, clock::now());
        let id =
            store::connect(&tx, scope.app(), scope.restaurant(), live, &held, scope.caller().id()).await?;
        scope
            .audit(&tx, Some(scope.restaurant().uuid()), "teya_connect", id, json!({"live": [null, live]}))
            .await?;
        let answer = state(&scope, &tx, &plugins).await?;
        work::events::publish(&tx, &Event::Changed(scope.restaurant())).await?;
        tx.commit().await?;
        Ok(Json(answer))
    }

    /// The stores of whoever connected the restaurant.
    ///
    /// codes: CARD_TERMINAL_UNAVAILABLE, CARD_TERMINAL_REFUSED, CARD_TERMINAL_SIGN_IN,
    /// CARD_TERMINAL_NOT_CONNECTED
    #[oai(path = "/stores", method = "get", operation_id = "teya_stores")]
    async fn stores(
        &self, scope: In<Restaurant, perm::PaymentMethod>, plugins: Data<&Plugins>,
    ) -> Result<Page<TerminalStore>> {
        let caller = caller(scope, &plugins).await?;
        let company = caller.company.clone();
        let stores = caller
            .call(Name::Person, |token| {
                with(&company, token, |company, token| async move { company.stores(&token).await })
            })
            .await?;
        let shown = stores.into_iter().map(|one| TerminalStore {
            store_id: one.store_id,
            name: one.name,
            address: one.address,
        });
        Ok(Page::unpaged(shown.collect()))
    }

    /// The terminals of the chosen store, as the company reports them now.
    ///
    /// codes: CARD_TERMINAL_UNAVAILABLE, CARD_TERMINAL_REFUSED, CARD_TERMINAL_SIGN_IN,
    /// CARD_TERMINAL_NOT_CONNECTED
    #[oai(path = "/terminals", method = "get", operation_id = "teya_terminals")]
    async fn terminals(
        &self, scope: In<Restaurant, perm::PaymentMethod>, plugins: Data<&Plugins>,
    ) -> Result<Page<StoreTerminal>> {
        let caller = caller(scope, &plugins).await?;
        let tx = caller.scope.begin().await?;
        let (row, _) = caller.lock(&tx).await?;
        drop(tx);
        let store_id = row.store_id.ok_or_else(|| {
            Problem::new(Code::CARD_TERMINAL_NOT_CONNECTED).detail("no store is chosen yet")
        })?;
        let found = report(&caller, &store_id).await?;
        let shown = found.into_iter().map(|one| StoreTerminal {
            terminal_id: one.terminal_id,
            terminal_name: one.terminal_name,
            serial_number: one.serial_number,
        });
        Ok(Page::unpaged(shown.collect()))
    }

    /// Chooses the store whose terminals the restaurant uses, and registers there.
    ///
    /// codes: CARD_TERMINAL_UNAVAILABLE, CARD_TERMINAL_REFUSED, CARD_TERMINAL_SIGN_IN,
    /// CARD_TERMINAL_NOT_CONNECTED
    #[oai(path = "/", method = "put", operation_id = "teya_update")]
    async fn update(
        &self, scope: In<Restaurant, perm::PaymentMethod>, body: Body<TerminalStoreChoice>,
        plugins: Data<&Plugins>,
    ) -> Result<Json<TerminalConnection>> {
        let TerminalStoreChoice { store_id } = body.into_inner();
        let caller = caller(scope, &plugins).await?;
        let company = caller.company.clone();
        let stores = caller
            .call(Name::Person, |token| {
                with(&company, token, |company, token| async move { company.stores(&token).await })
            })
            .await?;
        let store = stores.into_iter().find(|one| one.store_id == store_id);
        let store =
            store.ok_or_else(|| Problem::new(Code::VALIDATION_FAILED).key("store_id", Fault::NotExist))?;
        // The restaurant is our name there: registering it again gives the same client.
        let ours = caller.scope.restaurant().to_string();
        let register = |token| {
            let (id, ours) = (store.store_id.clone(), ours.clone());
            with(&company, token, |company, token| async move { company.register(&token, &id, &ours).await })
        };
        let client = caller.call(Name::Person, register).await?;
        let scope = caller.scope.clone();
        let tx = scope.begin().await?;
        let (row, held) = caller.lock(&tx).await?;
        store::save(&tx, scope.app(), &row, &held.with_client(client)).await?;
        store::choose(&tx, row.id, &store).await?;
        let changed =
            json!({"store_id": [row.store_id, store.store_id], "store_name": [row.store_name, store.name]});
        scope.audit(&tx, Some(scope.restaurant().uuid()), "teya_update", row.id, changed).await?;
        work::events::publish(&tx, &Event::Changed(scope.restaurant())).await?;
        tx.commit().await?;
        // The choice stands, also when its terminals cannot be told just now.
        if let Err(problem) = report(&caller, &store.store_id).await {
            tracing::warn!(%problem, "the terminals of a chosen store cannot be read");
        }
        let tx = scope.begin().await?;
        state(&scope, &tx, &plugins).await.map(Json)
    }

    /// Leaves the company: its tokens and the choice of the store are forgotten.
    ///
    /// codes: CARD_TERMINAL_NOT_CONNECTED
    #[oai(path = "/logout", method = "delete", operation_id = "teya_logout")]
    async fn logout(&self, scope: In<Restaurant, perm::PaymentMethod>) -> Result<Done> {
        let tx = scope.begin().await?;
        let id = store::leave(&tx, scope.restaurant()).await?.ok_or(Code::CARD_TERMINAL_NOT_CONNECTED)?;
        terminals::keep(&tx, scope.restaurant(), &[]).await?;
        scope.audit(&tx, Some(scope.restaurant().uuid()), "teya_logout", id, json!({})).await?;
        work::events::publish(&tx, &Event::Changed(scope.restaurant())).await?;
        tx.commit().await?;
        Ok(Done)
    }
}

/// Lends the company and a token to a call that outlives the borrow.
fn with<F>(
    company: &Arc<dyn CardTerminal>, token: contract::Secret,
    call: impl FnOnce(Arc<dyn CardTerminal>, contract::Secret) -> F,
) -> F {
    call(company.clone(), token)
}

/// Asks for the terminals of a store and keeps them.
async fn report<P: access::Permission>(
    caller: &Caller<P>, store_id: &str,
) -> Result<Vec<contract::Terminal>> {
    let company = caller.company.clone();
    let ask = |token| {
        let id = store_id.to_owned();
        with(&company, token, |company, token| async move { company.terminals(&token, &id).await })
    };
    let found = caller.call(Name::Store, ask).await?;
    let tx = caller.scope.begin().await?;
    // The result is dropped when the connection was ended or another store chosen meanwhile.
    if caller.lock(&tx).await?.0.store_id.as_deref() == Some(store_id) {
        terminals::keep(&tx, caller.scope.restaurant(), &found).await?;
        tx.commit().await?;
    }
    Ok(found)
}
