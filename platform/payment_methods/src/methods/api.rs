//! Operations on payment methods.

use access::{
    Permission,
    domain::{Restore, SettingsGroup, SettingsOf, earlier, earlier_values, no_earlier_values},
    prelude::*,
};
use contract::Plugins;
use futures_util::FutureExt;
use kernel::money::Money;
use poem::web::Data;
use poem_openapi::types::ParseFromJSON;
use restaurants::Event;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    rules, store,
    types::{
        MerchantAccountChange, MethodAccount, PayeeAccountChange, PaymentMethodsChange, PaymentSettings,
        PaymentView, RestaurantPaymentMethod,
    },
};
use crate::accounts::{self, Asking, DefaultAccount, Here, Provider, check_saved, here, save_default};

pub(crate) struct PaymentMethods;

kernel::resource!(PaymentMethods, "payment_methods", "PAYMENT_METHOD");

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/payment-methods",
    tag = "Tag::Restaurants"
)]
impl PaymentMethods {
    /// Every way to pay, and which of them the restaurant takes.
    #[oai(path = "/", method = "get", operation_id = "payment_methods_list")]
    async fn list(
        &self, scope: In<Restaurant, perm::NoPermRequired>, paging: Unpaged, plugins: Data<&Plugins>,
    ) -> Result<Page<RestaurantPaymentMethod>> {
        let tx = scope.begin().await?;
        let asking = Asking { among: Some(&plugins), ..Asking::default() };
        let rows = store::methods(&tx, scope.restaurant(), asking).await?;
        let (limit, total) = (paging.limit(), rows.len());
        let cut = |from: u64| usize::try_from(from).unwrap_or(usize::MAX);
        let rows = rows.into_iter().skip(cut(paging.offset(limit))).take(cut(limit)).collect();
        Ok(Page { rows, total: paging.count.then_some(total as u64) })
    }

    /// The payment methods with the accounts at online providers and the rate of the euro.
    ///
    /// Secrets of the accounts are never answered, only whether there is one.
    #[oai(path = "/settings", method = "get", operation_id = "payment_methods_settings")]
    async fn settings(
        &self, scope: In<Restaurant, perm::PaymentMethod>, plugins: Data<&Plugins>,
    ) -> Result<Json<PaymentSettings>> {
        let tx = scope.begin().await?;
        let here = here(&tx, scope.restaurant()).await?;
        store::settings(&tx, scope.restaurant(), &here, Some(&plugins)).await.map(Json)
    }

    /// Changes which payment methods the restaurant takes, its accounts at online providers, the rate of the
    /// euro.
    ///
    /// `payment_method_ids` is the whole enabled set, in both views; with `view` only what is enabled in that
    /// one changes. What is always available stays enabled; what still waits for something (`needs`) is
    /// refused. `simplepay` and `barion` are the accounts for cards in the restaurant's currency, where its orders are
    /// paid now (`environment`); others are `…/provider-accounts`. An account's secret is kept when it is sent, and
    /// not used with another account. The provider is asked whether an account that was sent is good.
    ///
    /// codes: CONFLICT
    #[oai(path = "/", method = "put", operation_id = "payment_methods_save")]
    async fn save(
        &self, scope: In<Restaurant, perm::PaymentMethod>, body: Body<PaymentMethodsChange>,
        plugins: Data<&Plugins>,
    ) -> Result<Json<PaymentSettings>> {
        let tx = scope.begin().await?;
        let body = body.into_inner();
        let sets = body.payment_method_ids.clone().map(|ids| (ids, body.view));
        let here = here(&tx, scope.restaurant()).await?;
        let changing = Changing { tx: &tx, scope: &scope, here: &here, plugins: Some(&plugins) };
        let (after, saved) = changing.change(sets.into_iter().collect(), body).await?;
        work::events::publish(&tx, &Event::Changed(scope.restaurant())).await?;
        tx.commit().await?;
        if saved.is_empty() {
            return Ok(Json(after));
        }
        check_saved(&scope, &plugins, saved).await?;
        let tx = scope.begin().await?;
        store::settings(&tx, scope.restaurant(), &here, Some(&plugins)).await.map(Json)
    }
}

/// The methods to be enabled in this view, or in both.
type MethodSet = (Vec<Id<PaymentMethods>>, Option<PaymentView>);

/// A change of the settings in the caller's unit of work.
struct Changing<'a, P> {
    tx: &'a TenantTx,
    scope: &'a In<Restaurant, P>,
    here: &'a Here,
    /// None: no plug-in has to be there.
    plugins: Option<&'a Plugins>,
}

impl<P> Changing<'_, P> {
    /// The sets one after the other, and what `change` says besides its methods. Answers the accounts that are to be
    /// checked, too.
    async fn change(
        &self, sets: Vec<MethodSet>, change: PaymentMethodsChange,
    ) -> Result<(PaymentSettings, Vec<Uuid>)> {
        let Self { tx, scope, here, plugins } = *self;
        let PaymentMethodsChange { eur_huf_rate, simplepay, barion, version, method_accounts, .. } = change;
        let PaymentMethodsChange { charge_when_accepted, ask_before_refunds, page_texts, .. } = change;
        let mut problem = Problem::new(Code::VALIDATION_FAILED);
        if let Some(fault) = eur_huf_rate.and_then(rules::rate_fault) {
            problem = problem.key("eur_huf_rate", fault);
        }
        let twice = page_texts.iter().flatten().enumerate().filter(|(at, one)| {
            let before = page_texts.iter().flatten().take(*at);
            before.clone().any(|other| (other.provider, other.outcome) == (one.provider, one.outcome))
        });
        let problem = problem.keys(twice.map(|(at, _)| (format!("page_texts.{at}"), Fault::NotUnique)));
        problem.if_any()?;
        let place = scope.restaurant();
        accounts::lock(tx, place).await?;
        let before = store::settings(tx, place, here, plugins).await?;
        let logged = rows::Logged { resource: "payment_methods", record: place.uuid() };
        rows::check_version(tx, version, before.version, &before, logged).await?;
        let new_secrets = [
            simplepay.value().is_some_and(|one| is_new(one.secret_key.as_deref())),
            barion.value().is_some_and(|one| is_new(one.pos_key.as_deref())),
        ];
        let simplepay = simplepay.map(|MerchantAccountChange { merchant_id, secret_key }| DefaultAccount {
            account: merchant_id.trim().to_owned(),
            secret: secret_key,
        });
        let barion = barion.map(|PayeeAccountChange { email, pos_key }| DefaultAccount {
            account: email.into(),
            secret: pos_key,
        });
        let mut saved = Vec::new();
        for (provider, sent) in [(Provider::Simplepay, simplepay), (Provider::Barion, barion)] {
            saved.extend(save_default(&scope.rows(tx), here, provider, sent).await?);
        }
        if let Some(chosen) = &method_accounts {
            self.choose(chosen).await?;
        }
        for (ids, view) in sets {
            let known = store::methods(tx, place, Asking { among: plugins, ..Asking::default() }).await?;
            let ids: Vec<Uuid> = ids.into_iter().map(Id::uuid).collect();
            store::enable(tx, place, &rules::enabled(&known, &ids, view)?).await?;
        }
        let saved_values =
            store::Saved { eur_huf_rate, charge_when_accepted, ask_before_refunds, page_texts };
        store::save(tx, place, &saved_values).await?;
        let after = store::settings(tx, place, here, plugins).await?;
        let mut changed = access::difference(&shown(&before), &shown(&after));
        // A secret that replaces another one changes nothing that could be shown; that it was replaced is the
        // point.
        for (name, _) in
            ["simplepay_secret_key", "barion_pos_key"].iter().zip(new_secrets).filter(|(_, new)| *new)
        {
            changed[*name] = json!([null, "***"]);
        }
        scope.audit(tx, Some(place.uuid()), "payment_methods_save", place, changed).await?;
        Ok((after, saved))
    }

    /// Errors: `VALIDATION_FAILED` with the places of accounts that cannot serve the method.
    async fn choose(&self, chosen: &[MethodAccount]) -> Result<()> {
        let place = self.scope.restaurant();
        let fitting = store::fitting(self.tx, place).await?;
        let fits = |one: &MethodAccount, account: Uuid| {
            fitting.iter().any(|fit| fit.id == account && fit.method == one.payment_method_id.uuid())
        };
        let faults = chosen.iter().enumerate().filter_map(|(at, one)| {
            let account = one.account_id?.uuid();
            let known = fitting.iter().any(|fit| fit.id == account);
            let fault = if known { Fault::Invalid } else { Fault::NotExist };
            (!fits(one, account)).then(|| (format!("method_accounts.{at}.account_id"), fault))
        });
        Problem::new(Code::VALIDATION_FAILED).keys(faults).if_any()?;
        store::choose(self.tx, place, chosen).await
    }
}

fn is_new(secret: Option<&str>) -> bool {
    secret.is_some_and(|secret| !secret.trim().is_empty())
}

pub(crate) fn history() -> SettingsOf {
    SettingsOf {
        noted: &["teya_connect", "teya_update", "teya_logout"],
        leads_back: |details| {
            earlier(details).any(|(field, _)| GIVEN_BACK.contains(&&**field) || is_set(field))
        },
        ..SettingsOf::new(
            SettingsGroup::PaymentMethods,
            &["payment_methods_save"],
            <perm::PaymentMethod as Permission>::keys,
        )
    }
    .with(|to| before(to).boxed())
}

const RATE: &str = "eur_huf_rate";
/// What is given back, beside the sets.
const GIVEN_BACK: [&str; 4] = [RATE, "charge_when_accepted", "ask_before_refunds", "page_texts"];
/// Names of the sets of enabled methods in the log, with the view that each is of. Lines from before there
/// were two views have one set.
const SETS: [(&str, Option<PaymentView>); 3] =
    [("enabled", None), ("enabled_web", Some(PaymentView::Web)), ("enabled_pos", Some(PaymentView::Pos))];

fn is_set(field: &str) -> bool {
    SETS.iter().any(|(name, _)| *name == field)
}

/// Gives back which methods were taken, and the rate of the euro. Accounts at providers stay as they are: the
/// log has no secrets. A method that waits for something stays off.
async fn before(to: Restore<'_>) -> Result<()> {
    let earlier = earlier_values(to.changes);
    let rate = earlier.get(RATE).cloned();
    let eur_huf_rate = rate.and_then(|rate| Money::parse_from_json(Some(rate)).ok());
    let known = store::methods(to.tx, to.scope.restaurant(), Asking::default()).await?;
    let mut sets = Vec::new();
    for (name, view) in SETS {
        let Some(keys) = earlier.get(name).and_then(Value::as_array) else { continue };
        let taken = |one: &&RestaurantPaymentMethod| {
            one.needs.is_empty() && keys.iter().any(|key| key == &json!(one.payment_key))
        };
        sets.push((known.iter().filter(taken).map(|one| one.id).collect(), view));
    }
    let flag = |name: &str| earlier.get(name).and_then(Value::as_bool);
    if sets.is_empty() && !earlier.keys().any(|field| GIVEN_BACK.contains(&field.as_str())) {
        return Err(no_earlier_values());
    }
    let back = PaymentMethodsChange {
        payment_method_ids: None,
        view: None,
        eur_huf_rate,
        charge_when_accepted: flag("charge_when_accepted"),
        ask_before_refunds: flag("ask_before_refunds"),
        page_texts: earlier.get("page_texts").and_then(|texts| serde_json::from_value(texts.clone()).ok()),
        simplepay: Clearable::Undefined,
        barion: Clearable::Undefined,
        method_accounts: None,
        version: None,
    };
    let here = here(to.tx, to.scope.restaurant()).await?;
    let changing = Changing { tx: to.tx, scope: to.scope, here: &here, plugins: None };
    changing.change(sets, back).await.map(drop)
}

/// What the audit log compares: keys of methods instead of whole rows.
fn shown(settings: &PaymentSettings) -> Value {
    let keys = |enabled: fn(&RestaurantPaymentMethod) -> bool| {
        settings
            .payment_methods
            .iter()
            .filter(|one| enabled(one))
            .map(|one| &one.payment_key)
            .collect::<Vec<_>>()
    };
    json!({
        "enabled_web": keys(|one| one.enabled_web),
        "enabled_pos": keys(|one| one.enabled_pos),
        "eur_huf_rate": settings.eur_huf_rate,
        "charge_when_accepted": settings.charge_when_accepted,
        "ask_before_refunds": settings.ask_before_refunds,
        "page_texts": settings.page_texts,
        "method_accounts": settings
            .payment_methods
            .iter()
            .filter_map(|one| Some((one.payment_key.clone(), json!(one.account_id?.to_string()))))
            .collect::<serde_json::Map<_, _>>(),
        "simplepay_merchant_id": settings.simplepay.as_ref().map(|one| &one.merchant_id),
        "simplepay_has_secret_key": settings.simplepay.as_ref().is_some_and(|one| one.has_secret_key),
        "barion_email": settings.barion.as_ref().map(|one| &one.email),
        "barion_has_pos_key": settings.barion.as_ref().is_some_and(|one| one.has_pos_key),
    })
}
