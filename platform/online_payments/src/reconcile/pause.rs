//! Payments that wait after a restore, and what providers have booked since.

use access::prelude::*;
use contract::Plugins;
use kernel::{Partner, money::Money};
use payment_methods::PauseKind;
use poem::web::Data;
use serde_json::json;

use super::run::{Listed, listed};
use crate::desk::Desk;

pub(crate) struct PartnerPause;
pub(crate) struct RestaurantPause;

/// Whether online payments wait: nothing is offered, and no start, capture or refund leaves.
#[derive(Debug, Object)]
struct OnlinePaymentPause {
    paused: bool,
    /// Null while they do not wait.
    kind: Option<PauseKind>,
    /// The moment to which the partner went back.
    since: Option<Timestamp>,
    /// Whether the caller may let them go on.
    may_end: bool,
}

/// What a provider has booked since the moment to which the partner went back.
#[derive(Debug, Object)]
struct BookedSince {
    provider: String,
    /// False: it does not tell its payments, or could not be asked. Look at its own page.
    can_tell: bool,
    payments: Vec<BookedPayment>,
}

#[derive(Debug, Object)]
struct BookedPayment {
    /// The provider's id.
    reference: String,
    state: String,
    amount: Money,
    refunded: Money,
    currency: String,
    /// Whether it is known here.
    known: bool,
}

impl From<Listed> for BookedPayment {
    fn from(entry: Listed) -> Self {
        let Listed { seen, is_known } = entry;
        Self {
            reference: seen.reference,
            state: seen.state.as_str().to_owned(),
            amount: Money(seen.amount),
            refunded: Money(seen.refunded),
            currency: seen.currency.to_lowercase(),
            known: is_known,
        }
    }
}

type Whole = In<Partner, WholePartner<perm::PaymentMethod>>;

#[OpenApi(prefix_path = "/api/v3/admin/partners/:partner_id/payment-pause", tag = "Tag::Payments")]
impl PartnerPause {
    /// Whether the partner's online payments wait, because it was brought back to an earlier moment or is a clone.
    #[oai(path = "/", method = "get", operation_id = "payment_pause_get")]
    async fn get(&self, scope: Whole) -> Result<Json<OnlinePaymentPause>> {
        let tx = scope.begin().await?;
        let pause = payment_methods::payment_pause(&tx).await?;
        let (kind, since) = pause.map(|pause| (pause.kind, pause.since)).unzip();
        let may_end = kind == Some(PauseKind::Restored) && scope.holder_of_everything().is_some();
        Ok(Json(OnlinePaymentPause { paused: kind.is_some(), kind, since, may_end }))
    }

    /// Lets them go on. Only admins of the whole partner with all its keys may; a clone stays paused.
    ///
    /// codes: PARTNER_STATE_CHANGED
    #[oai(path = "/", method = "delete", operation_id = "payment_pause_end")]
    async fn end(&self, scope: Whole) -> Result<Done> {
        if scope.holder_of_everything().is_none() {
            return Err(Code::USER_PERMISSION_REQUIRED.into());
        }
        let tx = scope.begin().await?;
        if !payment_methods::end_payment_pause(&tx).await? {
            return Err(Code::PARTNER_STATE_CHANGED.into());
        }
        scope.audit(&tx, None, "payment_pause_end", scope.partner(), json!({})).await?;
        tx.commit().await?;
        Ok(Done)
    }
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/payment-pause",
    tag = "Tag::Payments"
)]
impl RestaurantPause {
    /// What the providers of this restaurant have booked since the moment to which the partner went back, as far as they
    /// tell. Empty while its payments do not wait.
    #[oai(path = "/booked", method = "get", operation_id = "payment_pause_booked")]
    async fn booked(
        &self, scope: In<Restaurant, perm::AllOrder>, plugins: Data<&Plugins>,
    ) -> Result<Page<BookedSince>> {
        let tx = scope.begin().await?;
        let Some(pause) = payment_methods::payment_pause(&tx).await? else {
            return Ok(Page::unpaged(Vec::new()));
        };
        let facts = restaurants::facts_of_any(&tx, scope.restaurant()).await?;
        drop(tx);
        let desk = Desk { app: scope.app(), plugins: &plugins, way: &scope, partner: scope.partner() };
        let listed = listed(&desk, &facts, (pause.since, Timestamp::now())).await?;
        let mut rows: Vec<BookedSince> = Vec::new();
        for (provider, entries) in listed {
            // Cards and SZÉP cards have an account each.
            let at = rows.iter().position(|row| row.provider == provider).unwrap_or(rows.len());
            if at == rows.len() {
                rows.push(BookedSince { provider, can_tell: true, payments: Vec::new() });
            }
            rows[at].can_tell &= entries.is_some();
            rows[at].payments.extend(entries.into_iter().flatten().map(BookedPayment::from));
        }
        Ok(Page::unpaged(rows))
    }
}
