//! The routes of the page on which a guest pays.

use access::{
    App,
    prelude::*,
    raw::{RawCall, RawRoute},
    take_attempt,
};
use contract::{PageLanguage, Plugins, StartPayment};
use kernel::money::Money;
use orders::{
    Lang, OrderId, OrderPaymentState, PaymentState, money,
    online::{self, Begun, OnlineAttempt, OnlineMethod, PayingOrder, PaymentPage},
};
use payment_methods::{Channel, ChosenMethod, PaymentEnvironment, PaymentOutcome, PaymentPurpose};
use poem::{
    Response,
    http::{Method, StatusCode},
};
use restaurants::Facts;
use tenants::CallbackFacts;
use url::{Url, form_urlencoded};
use uuid::Uuid;

use crate::{
    buyer::buyer,
    desk::{Desk, Provider},
    page::{self, Failure, View},
    way::{OfPage, Way},
};

/// Calls from one address in a minute.
const LOOKS: i32 = 300;
const TRIES: i32 = 30;
/// The most bytes of a form.
const FORM: usize = 4_096;

pub(crate) fn routes() -> Vec<RawRoute> {
    vec![
        RawRoute::new((Method::GET, "/pay/page.css"), 0, LOOKS, async |_| {
            Ok(Response::builder().content_type("text/css; charset=utf-8").body(page::STYLE))
        }),
        RawRoute::new((Method::GET, "/pay/page.js"), 0, LOOKS, async |_| {
            Ok(Response::builder().content_type("text/javascript; charset=utf-8").body(page::SCRIPT))
        }),
        RawRoute::new((Method::GET, "/pay/:token"), 0, LOOKS, show),
        RawRoute::new((Method::POST, "/pay/:token"), FORM, TRIES, pay),
        RawRoute::new((Method::GET, "/pay/:token/back"), 0, LOOKS, back),
    ]
}

/// An order as its page shows it.
struct Shown {
    place: CallbackFacts,
    id: Id<OrderId>,
    order: PayingOrder,
    page: PaymentPage,
    last: Option<OnlineAttempt>,
    facts: Facts,
    methods: Vec<ChosenMethod>,
}

impl Shown {
    /// What stands behind a token, with the unit of work that it was read in.
    /// Errors: `NOT_FOUND`; `PARTNER_IN_MAINTENANCE`.
    async fn read(app: &App, plugins: &Plugins, token: &str) -> Result<(TenantTx, Self)> {
        let gone = || Problem::new(Code::NOT_FOUND);
        let (tx, place) = OfPage { app, token }.enter().await?;
        let id = Id::from_uuid(place.account);
        let page = online::page(&tx, id).await?.ok_or_else(gone)?;
        let order = PayingOrder::find(&tx, id).await?.ok_or_else(gone)?;
        if online::ended(&page, Timestamp::now()) {
            return Err(gone());
        }
        let last = online::last(&tx, id).await?;
        let facts = restaurants::facts_of_any(&tx, place.restaurant).await?;
        let methods = match order.payment(last.as_ref()) {
            OrderPaymentState::Unpaid | OrderPaymentState::Pending => methods(&tx, plugins, &order).await?,
            _ => Vec::new(),
        };
        Ok((tx, Self { place, id, order, page, last, facts, methods }))
    }

    fn lang(&self, query: &str) -> Lang {
        let sent = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "lang");
        Lang::of(sent.as_ref().map_or(&self.order.locale, |(_, lang)| lang))
    }

    fn failure(&self) -> Option<Failure> {
        let last = self.last.as_ref()?;
        match last.state {
            // The provider has not got it, so no card was refused.
            PaymentState::Failed
                if matches!(last.decline_code.as_deref(), Some("never_arrived" | "not_started")) =>
            {
                Some(Failure::Away)
            }
            PaymentState::Failed => Some(Failure::Refused),
            PaymentState::Cancelled => Some(Failure::GivenUp),
            PaymentState::Expired => Some(Failure::TooLate),
            PaymentState::Created if last.claimed_at.is_none() => Some(Failure::Away),
            _ => None,
        }
    }
}

/// The ways to pay that the order has, its own first.
async fn methods(tx: &TenantTx, plugins: &Plugins, order: &PayingOrder) -> Result<Vec<ChosenMethod>> {
    let channel = match order.platform.as_str() {
        "android" | "ios" => Channel::App,
        "phone" => Channel::Phone,
        _ => Channel::Web,
    };
    let mut methods = payment_methods::offered(tx, order.restaurant_id, plugins, order.is_test).await?;
    // A method that takes money off a customer's account needs staff who vouch for the guest.
    methods.retain(|method| {
        method.pays(channel, !order.pickup)
            && !matches!(method.payment_key.as_str(), "balance" | "points" | "split")
    });
    methods.sort_by_key(|method| (Some(method.id) != order.payment_method_id, !method.paid_online));
    Ok(methods)
}

fn html(text: String, status: StatusCode) -> Response {
    Response::builder()
        .status(status)
        .content_type("text/html; charset=utf-8")
        .header("cache-control", "no-store")
        .header(
            "content-security-policy",
            "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self' https: http:; frame-ancestors 'none'; base-uri 'none'",
        )
        .body(text)
}

fn lead_to(place: &str) -> Response {
    Response::builder()
        .status(StatusCode::SEE_OTHER)
        .header("location", place)
        .header("cache-control", "no-store")
        .finish()
}

fn path(token: &str) -> String {
    format!("/{}/{token}", orders::PAY)
}

/// Whatever is not there is a page too: guests read it.
fn or_gone(answer: Result<Response>) -> Result<Response> {
    match answer {
        Err(problem) if problem.code() == Code::NOT_FOUND => {
            Ok(html(page::gone(false), StatusCode::NOT_FOUND))
        }
        Err(problem) if problem.code() == Code::PARTNER_IN_MAINTENANCE => {
            Ok(html(page::gone(true), StatusCode::SERVICE_UNAVAILABLE))
        }
        other => other,
    }
}

fn token(call: &RawCall) -> String {
    call.variables.get("token").cloned().unwrap_or_default()
}

/// Shows how it stands. It changes nothing: previews of links open addresses too.
async fn show(call: RawCall) -> Result<Response> {
    or_gone(shown(&call).await)
}

async fn shown(call: &RawCall) -> Result<Response> {
    let token = token(call);
    let (tx, shown) = Shown::read(&call.app, &call.plugins, &token).await?;
    let lang = shown.lang(&call.query);
    let state = shown.order.payment(shown.last.as_ref());
    let may_try = online::may_try(&tx, shown.id, &shown.page, Timestamp::now()).await?;
    let no_more = !may_try || call.query.split('&').any(|part| part == "no_more");
    let methods = shown.methods.iter().filter(|method| {
        // While one is open nothing else is begun: its page is led to.
        state == OrderPaymentState::Unpaid && !(no_more && method.paid_online)
            || shown.last.as_ref().is_some_and(|last| last.is_open() && last.payment_method_id == method.id)
    });
    // What is paid otherwise names no provider.
    let paid = state == OrderPaymentState::Paid;
    let last = shown.last.as_ref().filter(|last| !paid || last.has_money());
    let provider = last.and_then(|last| Some((provider_name(&last.provider), last.provider_ref.as_deref()?)));
    let mut path = path(&token);
    if call.query.contains("lang=") {
        // A language that the guest has chosen stays chosen.
        path = format!("{path}?lang={}", lang.name());
    }
    let failure = if no_more { Some(Failure::NoMore) } else { shown.failure() }
        .filter(|_| state == OrderPaymentState::Unpaid);
    let own_text = own_text(&tx, &shown, (state, failure), lang).await?;
    let view = View {
        lang,
        restaurant: &shown.facts.name,
        total: money(shown.order.total_price, shown.order.currency, lang),
        state,
        counter: shown.order.counter.as_deref(),
        provider: provider.filter(|_| state != OrderPaymentState::Unpaid || shown.failure().is_some()),
        failure,
        back: back_of(&shown, lang),
        taken: shown.last.as_ref().is_some_and(OnlineAttempt::has_money),
        is_cancelled: shown.order.archived_at.is_some(),
        decline: shown.last.as_ref().and_then(|last| last.decline_text.as_deref()),
        own_text,
        methods: methods
            .map(|method| page::Method {
                id: method.id,
                name: if lang == Lang::Hu { method.name.clone() } else { method.name_en.clone() },
                paid_online: method.paid_online,
            })
            .collect(),
        return_url: shown.page.return_url.as_deref(),
        is_real: is_real(&shown),
        path: &path,
    };
    Ok(html(page::html(&view), StatusCode::OK))
}

/// The restaurant's own text about how the last try ended, which some providers prescribe.
async fn own_text(
    tx: &TenantTx, shown: &Shown, (state, failure): (OrderPaymentState, Option<Failure>), lang: Lang,
) -> Result<Option<String>> {
    let outcome = match (state, failure) {
        (OrderPaymentState::Paid, _) => PaymentOutcome::Paid,
        (_, Some(Failure::Refused)) => PaymentOutcome::Refused,
        (_, Some(Failure::GivenUp)) => PaymentOutcome::GivenUp,
        (_, Some(Failure::TooLate)) => PaymentOutcome::TooLate,
        _ => return Ok(None),
    };
    let Some(last) = &shown.last else { return Ok(None) };
    let settings = payment_methods::online_settings(tx, shown.place.restaurant).await?;
    Ok(settings.text(&last.provider, outcome, lang == Lang::Hu))
}

/// What has gone back of the payment.
fn back_of(shown: &Shown, lang: Lang) -> Option<String> {
    let back = shown.last.as_ref().map(|last| last.refunded).filter(|back| *back > Money::ZERO)?;
    Some(money(back, shown.order.currency, lang))
}

fn provider_name(provider: &str) -> &str {
    match provider {
        "simplepay" => "SimplePay",
        "barion" => "Barion",
        other => other,
    }
}

fn is_real(shown: &Shown) -> bool {
    match &shown.last {
        Some(last) => last.environment == PaymentEnvironment::Live.as_str(),
        None => shown
            .methods
            .iter()
            .filter_map(|method| method.account.as_ref())
            .all(|account| account.environment == PaymentEnvironment::Live),
    }
}

/// Begins a payment and leads to the provider, a second time to the same one. A guest who leaves meanwhile does not take
/// the provider's answer along.
async fn pay(call: RawCall) -> Result<Response> {
    let paid = tokio::spawn(async move { paid(&call).await }).await;
    or_gone(paid.map_err(|_| Problem::new(Code::UNKNOWN_ERROR))?)
}

async fn paid(call: &RawCall) -> Result<Response> {
    let token = token(call);
    let here = path(&token);
    let (tx, shown) = Shown::read(&call.app, &call.plugins, &token).await?;
    let sent = form_urlencoded::parse(&call.body).find(|(name, _)| name == "method");
    let wanted: Option<Uuid> = sent.and_then(|(_, id)| id.parse().ok()).or(shown.order.payment_method_id);
    let Some(method) = shown.methods.iter().find(|method| Some(method.id) == wanted) else {
        return Ok(lead_to(&here));
    };
    let now = Timestamp::now();
    let lang = shown.lang(&call.query);
    if !method.paid_online {
        online::speak(&tx, shown.id, lang).await?;
        let chosen = (method.id, method.payment_key.as_str());
        online::pay_otherwise(&tx, shown.place.restaurant, shown.id, chosen, now).await?;
        tx.commit().await?;
        return Ok(lead_to(&here));
    }
    let way = OfPage { app: &call.app, token: &token };
    let desk = Desk { app: &call.app, plugins: &call.plugins, way: &way, partner: shown.place.partner };
    let Some(account) = &method.account else { return Ok(lead_to(&here)) };
    let Some(provider) = desk.provider(&tx, account.id).await? else { return Ok(lead_to(&here)) };
    let settings = payment_methods::online_settings(&tx, shown.place.restaurant).await?;
    let can_hold = provider.plugin.abilities().two_step && provider.account.purpose == PaymentPurpose::Card;
    let begin = OnlineMethod {
        id: method.id,
        key: &method.payment_key,
        provider: &account.provider,
        account: account.id,
        environment: account.environment.as_str(),
        hold: settings.charge_when_accepted && can_hold,
    };
    // Counting takes a connection of its own: none is held meanwhile.
    drop(tx);
    if shown.last.as_ref().is_none_or(|last| !last.is_open()) && !has_tries(&call.app, &shown.order).await? {
        return Ok(lead_to(&format!("{here}?no_more")));
    }
    let tx = way.begin().await?;
    online::speak(&tx, shown.id, lang).await?;
    match online::begin(&tx, &shown.facts, shown.id, &begin, now).await? {
        Begun::Start(attempt) => {
            let payment = payment(call, &tx, (&shown, &provider, &attempt), &token).await?;
            tx.commit().await?;
            let page = desk.start(&provider, &attempt, &payment).await?;
            Ok(lead_to(page.as_ref().map_or(here.as_str(), Url::as_str)))
        }
        Begun::Open(open) => {
            tx.commit().await?;
            let page = open.page_url.filter(|_| open.state == PaymentState::Pending);
            Ok(lead_to(page.as_deref().unwrap_or(&here)))
        }
        Begun::Over => Ok(lead_to(&here)),
        Begun::NoMore => Ok(lead_to(&format!("{here}?no_more"))),
    }
}

/// Tries with one e-mail address in an hour, over all orders: stolen cards are tried one after the other.
const TRIES_BY_MAIL: i32 = 15;

/// Whether the guest's address may try once more. It is counted without being kept.
async fn has_tries(app: &App, order: &PayingOrder) -> Result<bool> {
    let Some(email) = &order.email else { return Ok(true) };
    let hidden = app.settings.secrets.keyed_hex("pay mail", &email.trim().to_lowercase());
    match take_attempt(app, format!("pay {hidden}"), TRIES_BY_MAIL, 60).await {
        Ok(()) => Ok(true),
        Err(problem) if problem.code() == Code::TOO_MANY_REQUESTS => Ok(false),
        Err(problem) => Err(problem),
    }
}

/// What the provider is told of it.
async fn payment(
    call: &RawCall, tx: &TenantTx, (shown, provider, attempt): (&Shown, &Provider, &OnlineAttempt),
    token: &str,
) -> Result<StartPayment> {
    let base = &call.app.settings.public_url;
    let address = |path: String| base.join(&path).map_err(|_| Problem::new(Code::UNKNOWN_ERROR));
    let return_url = address(format!("{}/back", path(token)))?;
    let callback_url = if provider.plugin.abilities().address_by_hand {
        return_url.clone()
    } else {
        let name = provider.account.provider.as_str();
        let ends_at = attempt.created_at.plus_minutes(100 * 24 * 60);
        let secret =
            callbacks::open_until(tx, attempt.restaurant_id, name, attempt.id.uuid(), Some(ends_at)).await?;
        address(format!("/api/v3/payments/callbacks/{name}/{secret}"))?
    };
    Ok(StartPayment {
        attempt: attempt.id.to_string(),
        amount: attempt.amount.0,
        description: shown.facts.name.clone(),
        buyer: buyer(&shown.order, &shown.facts),
        language: match shown.lang(&call.query) {
            Lang::Hu => PageLanguage::Hungarian,
            Lang::En => PageLanguage::English,
        },
        expires_at: attempt.expires_at.0.into(),
        return_url,
        callback_url,
        szep: provider.account.purpose == PaymentPurpose::Szep,
        hold: attempt.hold,
    })
}

/// The guest comes back from the provider. The query is believed in nothing: the provider is asked.
async fn back(call: RawCall) -> Result<Response> {
    let token = token(&call);
    let asked = async {
        let (tx, shown) = Shown::read(&call.app, &call.plugins, &token).await?;
        drop(tx);
        // A guest who comes back late may have paid all the same.
        if let Some(open) = shown.last.filter(|last| last.is_open() || last.captured == Money::ZERO) {
            let way = OfPage { app: &call.app, token: &token };
            let desk =
                Desk { app: &call.app, plugins: &call.plugins, way: &way, partner: shown.place.partner };
            desk.ask(open.id, None).await?;
        }
        Ok(lead_to(&path(&token)))
    };
    or_gone(asked.await)
}
