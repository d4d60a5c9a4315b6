//! Orders: quoted, placed, shown to staff, accepted, archived. See `docs/decisions/orders.md`.

mod accept_times;
mod actor;
mod anonymise;
mod arrival;
mod at_once;
pub mod board;
mod callers;
mod change;
mod count;
mod drawer;
mod emails;
mod escalation;
pub mod events;
mod fresh;
mod guide;
mod input;
mod jobs;
mod listed;
mod new_rows;
mod number;
mod partial_storno;
mod pay_page;
mod payments;
mod pays_with;
mod pieces;
mod place;
mod previous;
mod public;
mod read;
mod replacement;
mod rights;
mod row;
mod search;
mod state;
mod store;
mod storno_reasons;
mod storno_report;
mod try_out;
mod types;
mod values;
mod wait;
mod waiting;

use access::{
    domain::{ADVISED, Copying, Services, SettingsOf, Step},
    prelude::*,
};
pub use events::Event;
use futures_util::FutureExt;
use poem_openapi::OpenApi;
use uuid::Uuid;
use work::{
    Subscriptions,
    events::{DescribeMessage, describe_message},
};

// What exports are made of.
pub use crate::{
    payments::due,
    previous::{OrderFilter, filtered},
    values::OrderStatus,
};
// For those who place and pay orders. See `docs/architecture.md#placing-an-order-from-another-crate`.
pub use crate::{
    emails::{Lang, money},
    payments::{PaymentId, PaymentState, RefundId, online},
    place::{PAY, PayPage, Placed, Placement, place},
    replacement::Replaces,
    state::{OnlinePayment, end_online_payment},
    types::{OrderPayment, OrderPaymentState},
    values::OrderId,
};

/// This crate in the server's list.
pub struct Domain;

#[async_trait::async_trait]
impl access::domain::Domain for Domain {
    fn api() -> impl OpenApi {
        (
            public::PublicOrders,
            try_out::TryOut,
            (fresh::Orders, replacement::Replacements),
            (payments::OrderPayments, payments::Payments, payments::Refunds, drawer::Drawers),
            (previous::PreviousOrders::default(), previous::OrderFilters),
            search::OrderSearch,
            (count::Waiting, accept_times::AcceptTimes),
            emails::OrderEmails,
            (storno_reasons::StornoReasons, storno_report::StornoReports),
        )
    }

    fn jobs(&self, services: &Services) -> Vec<(&'static str, work::Handler)> {
        jobs::handlers(services.app.settings.public_url.as_str(), services.app.settings.secrets.clone())
    }

    fn subscriptions(&self, table: Subscriptions) -> Subscriptions {
        table
            .job(jobs::EXPIRE, jobs::expiry)
            .job(jobs::DUE, jobs::announcement)
            .job(emails::SEND, emails::email)
            .job(emails::SEND_NOTIFICATION, emails::notification)
            .job(emails::SEND_ACCEPTED, emails::acceptance_email)
            .job(emails::SEND_NOT_ACCEPTED, emails::not_accepted_email)
            .job(escalation::ESCALATE, escalation::escalation)
    }

    fn messages(&self) -> Vec<DescribeMessage> {
        vec![describe_message::<events::OrderEvent>]
    }

    fn steps(&self) -> Vec<Step> {
        vec![Step {
            key: "test_order",
            needed: ADVISED,
            done: |tx, restaurant| guide::has_test_order(tx, restaurant).boxed(),
        }]
    }

    async fn copy(&self, tx: &TenantTx, copying: &Copying) -> Result<()> {
        storno_reasons::copy(tx, copying).await
    }

    async fn check_archive(&self, tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
        match store::count_unfinished(tx, restaurant).await? {
            0 => Ok(()),
            orders => Err(Problem::new(Code::RESTAURANT_HAS_ORDERS).with("orders", orders.into())),
        }
    }

    async fn check_currency(&self, tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
        let order =
            tx.row("select 1 from orders where restaurant_id = $1 limit 1", [restaurant.into()]).await?;
        if order.is_some() { Err(Code::CURRENCY_FIXED.into()) } else { Ok(()) }
    }

    async fn check_anonymise(&self, tx: &TenantTx, customers: &[Uuid]) -> Result<()> {
        anonymise::check(tx, customers).await
    }

    async fn anonymise(&self, tx: &TenantTx, customers: &[Uuid]) -> Result<()> {
        anonymise::clear(tx, customers).await
    }

    fn settings(&self) -> Vec<SettingsOf> {
        vec![emails::history()]
    }
}
