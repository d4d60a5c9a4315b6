//! Operations on payment methods.

use access::{
    Permission,
    domain::{Restore, SettingsGroup, SettingsOf, earlier, earlier_values, no_earlier_values},
    prelude::*,
};
use futures_util::FutureExt;
use kernel::money::Money;
use poem_openapi::types::ParseFromJSON;
use restaurants::Event;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    rules, store,
    types::{
        MerchantAccountChange, PayeeAccountChange, PaymentMethodsChange, PaymentSettings, PaymentView,
        RestaurantPaymentMethod,
    },
};

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
        &self, scope: In<Restaurant, perm::NoPermRequired>, paging: Unpaged,
    ) -> Result<Page<RestaurantPaymentMethod>> {
        let tx = scope.begin().await?;
        let rows = store::methods(&tx, scope.restaurant()).await?;
        let (limit, total) = (paging.limit(), rows.len());
        let cut = |from: u64| usize::try_from(from).unwrap_or(usize::MAX);
        let rows = rows.into_iter().skip(cut(paging.offset(limit))).take(cut(limit)).collect();
        Ok(Page { rows, total: paging.count.then_some(total as u64) })
    }

    /// The payment methods with the accounts at online providers and the rate of the euro.
    ///
    /// Secrets of the accounts are never answered, only whether there is one.
    #[oai(path = "/settings", method = "get", operation_id = "payment_methods_settings")]
    async fn settings(&self, scope: In<Restaurant, perm::PaymentMethod>) -> Result<Json<PaymentSettings>> {
        let tx = scope.begin().await?;
        store::settings(&tx, scope.restaurant()).await.map(Json)
    }

    /// Changes which payment methods the restaurant takes, its accounts at online providers, the rate of the
    /// euro.
    ///
    /// `payment_method_ids` is the whole enabled set, in both views; with `view` only what is enabled in that
    /// one changes. What is always available stays enabled; what still waits for something (`needs`) is
    /// refused. An account's secret is kept when it is sent, and dropped when the account is another one.
    ///
    /// codes: CONFLICT
    #[oai(path = "/", method = "put", operation_id = "payment_methods_save")]
    async fn save(
        &self, scope: In<Restaurant, perm::PaymentMethod>, body: Body<PaymentMethodsChange>,
    ) -> Result<Json<PaymentSettings>> {
        let tx = scope.begin().await?;
        let body = body.into_inner();
        let sets = body.payment_method_ids.clone().map(|ids| (ids, body.view));
        let after = change(&tx, &scope, sets.into_iter().collect(), body).await?;
        work::events::publish(&tx, &Event::Changed(scope.restaurant())).await?;
        tx.commit().await?;
        Ok(Json(after))
    }
}

/// The methods to be enabled in this view, or in both.
type MethodSet = (Vec<Id<PaymentMethods>>, Option<PaymentView>);

/// Changes the settings in the caller's unit of work: the sets one after the other, and what `change` says
/// besides its methods.
async fn change<P>(
    tx: &TenantTx, scope: &In<Restaurant, P>, sets: Vec<MethodSet>, change: PaymentMethodsChange,
) -> Result<PaymentSettings> {
    let PaymentMethodsChange { eur_huf_rate, simplepay, barion, version, .. } = change;
    let mut problem = Problem::new(Code::VALIDATION_FAILED);
    if let Some(fault) = eur_huf_rate.and_then(rules::rate_fault) {
        problem = problem.key("eur_huf_rate", fault);
    }
    problem.if_any()?;
    let place = scope.restaurant();
    store::lock(tx, place).await?;
    let before = store::settings(tx, place).await?;
    let logged = rows::Logged { resource: "payment_methods", record: place.uuid() };
    rows::check_version(tx, version, before.version, &before, logged).await?;
    for (ids, view) in sets {
        let known = store::methods(tx, place).await?;
        let ids: Vec<Uuid> = ids.into_iter().map(Id::uuid).collect();
        store::enable(tx, place, &rules::enabled(&known, &ids, view)?).await?;
    }
    let new_secrets = [
        simplepay.value().is_some_and(|one| one.secret_key.as_ref().is_some_and(|secret| !secret.is_empty())),
        barion.value().is_some_and(|one| one.pos_key.as_ref().is_some_and(|secret| !secret.is_empty())),
    ];
    let simplepay =
        simplepay.map(|MerchantAccountChange { merchant_id, secret_key }| (merchant_id, secret_key));
    let barion = barion.map(|PayeeAccountChange { email, pos_key }| (email.into(), pos_key));
    store::save_account(tx, scope.app(), place, "simplepay", simplepay).await?;
    store::save_account(tx, scope.app(), place, "barion", barion).await?;
    store::save(tx, place, eur_huf_rate.unwrap_or(before.eur_huf_rate)).await?;
    let after = store::settings(tx, place).await?;
    let mut changed = access::difference(&shown(&before), &shown(&after));
    // A secret that replaces another one changes nothing that could be shown; that it was replaced is the
    // point.
    for (name, _) in
        ["simplepay_secret_key", "barion_pos_key"].iter().zip(new_secrets).filter(|(_, new)| *new)
    {
        changed[*name] = json!([null, "***"]);
    }
    scope.audit(tx, Some(place.uuid()), "payment_methods_save", place, changed).await?;
    Ok(after)
}

pub(crate) fn history() -> SettingsOf {
    SettingsOf {
        noted: &["teya_connect", "teya_update", "teya_logout"],
        leads_back: |details| earlier(details).any(|(field, _)| field == RATE || is_set(field)),
        ..SettingsOf::new(
            SettingsGroup::PaymentMethods,
            &["payment_methods_save"],
            <perm::PaymentMethod as Permission>::keys,
        )
    }
    .with(|to| before(to).boxed())
}

const RATE: &str = "eur_huf_rate";
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
    let known = store::methods(to.tx, to.scope.restaurant()).await?;
    let mut sets = Vec::new();
    for (name, view) in SETS {
        let Some(keys) = earlier.get(name).and_then(Value::as_array) else { continue };
        let taken = |one: &&RestaurantPaymentMethod| {
            one.needs.is_empty() && keys.iter().any(|key| key == &json!(one.payment_key))
        };
        sets.push((known.iter().filter(taken).map(|one| one.id).collect(), view));
    }
    if sets.is_empty() && eur_huf_rate.is_none() {
        return Err(no_earlier_values());
    }
    let back = PaymentMethodsChange {
        payment_method_ids: None,
        view: None,
        eur_huf_rate,
        simplepay: Clearable::Undefined,
        barion: Clearable::Undefined,
        version: None,
    };
    change(to.tx, to.scope, sets, back).await.map(drop)
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
        "simplepay_merchant_id": settings.simplepay.as_ref().map(|one| &one.merchant_id),
        "simplepay_has_secret_key": settings.simplepay.as_ref().is_some_and(|one| one.has_secret_key),
        "barion_email": settings.barion.as_ref().map(|one| &one.email),
        "barion_has_pos_key": settings.barion.as_ref().is_some_and(|one| one.has_pos_key),
    })
}
