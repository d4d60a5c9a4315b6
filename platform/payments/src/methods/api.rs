//! Operations on payment methods.

use access::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    rules, store,
    types::{
        MerchantAccountChange, PayeeAccountChange, PaymentMethodsChange, PaymentSettings,
        RestaurantPaymentMethod,
    },
};

pub(crate) struct PaymentMethods;

impl Resource for PaymentMethods {
    const NAME: &'static str = "payment_methods";
    const ENTITY: &'static str = "PAYMENT_METHOD";
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/payment-methods",
    tag = "Tag::Restaurants"
)]
impl PaymentMethods {
    /// Every way to pay, and which of them the restaurant takes.
    #[oai(path = "/", method = "get", operation_id = "payment_methods_list")]
    async fn list(
        &self,
        scope: In<Restaurant, perm::NoPermRequired>,
        paging: Unpaged,
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
    /// `payment_method_ids` is the whole enabled set; with `view` only that view's methods change. What is
    /// always available stays enabled; what still waits for something (`needs`) is refused. An account's
    /// secret is kept when it is sent, and dropped when the account is another one.
    ///
    /// codes: CONFLICT
    #[oai(path = "/", method = "put", operation_id = "payment_methods_save")]
    async fn save(
        &self,
        scope: In<Restaurant, perm::PaymentMethod>,
        body: Body<PaymentMethodsChange>,
    ) -> Result<Json<PaymentSettings>> {
        let PaymentMethodsChange { payment_method_ids, view, eur_huf_rate, simplepay, barion, version } =
            body.into_inner();
        let mut problem = Problem::new(Code::VALIDATION_FAILED);
        if let Some(fault) = eur_huf_rate.and_then(rules::rate_fault) {
            problem = problem.key("eur_huf_rate", fault);
        }
        problem.if_any()?;
        let (tx, place) = (scope.begin().await?, scope.restaurant());
        store::lock(&tx, place).await?;
        let before = store::settings(&tx, place).await?;
        let logged = rows::Logged { resource: "payment_methods", record: place.uuid() };
        rows::check_version(&tx, version, before.version, &before, logged).await?;
        if let Some(ids) = payment_method_ids {
            let ids: Vec<Uuid> = ids.into_iter().map(Id::uuid).collect();
            store::enable(&tx, place, rules::enabled(&before.payment_methods, &ids, view)?).await?;
        }
        let new_secrets = [
            simplepay
                .value()
                .is_some_and(|one| one.secret_key.as_ref().is_some_and(|secret| !secret.is_empty())),
            barion.value().is_some_and(|one| one.pos_key.as_ref().is_some_and(|secret| !secret.is_empty())),
        ];
        let simplepay =
            simplepay.map(|MerchantAccountChange { merchant_id, secret_key }| (merchant_id, secret_key));
        let barion = barion.map(|PayeeAccountChange { email, pos_key }| (email.into(), pos_key));
        store::save_account(&tx, scope.app(), place, "simplepay", simplepay).await?;
        store::save_account(&tx, scope.app(), place, "barion", barion).await?;
        store::save(&tx, place, eur_huf_rate.unwrap_or(before.eur_huf_rate)).await?;
        let after = store::settings(&tx, place).await?;
        let mut changed = access::difference(&shown(&before), &shown(&after));
        // A secret that replaces another one changes nothing that could be shown; that it was replaced is the
        // point.
        for (name, _) in
            ["simplepay_secret_key", "barion_pos_key"].iter().zip(new_secrets).filter(|(_, new)| *new)
        {
            changed[*name] = json!([null, "***"]);
        }
        scope.audit(&tx, Some(place.uuid()), "payment_methods_save", place, changed).await?;
        tx.commit().await?;
        Ok(Json(after))
    }
}

/// What the audit log compares: keys of methods instead of whole rows.
fn shown(settings: &PaymentSettings) -> Value {
    let enabled: Vec<_> =
        settings.payment_methods.iter().filter(|one| one.enabled).map(|one| &one.payment_key).collect();
    json!({
        "enabled": enabled,
        "eur_huf_rate": settings.eur_huf_rate,
        "simplepay_merchant_id": settings.simplepay.as_ref().map(|one| &one.merchant_id),
        "simplepay_has_secret_key": settings.simplepay.as_ref().is_some_and(|one| one.has_secret_key),
        "barion_email": settings.barion.as_ref().map(|one| &one.email),
        "barion_has_pos_key": settings.barion.as_ref().is_some_and(|one| one.has_pos_key),
    })
}
