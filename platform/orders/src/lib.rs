//! Orders: quoted, placed, shown to staff, accepted, archived. See `docs/decisions/orders.md`.

pub mod board;
mod cart;
mod checkout;
mod count;
mod emails;
pub mod events;
mod fresh;
mod guide;
mod input;
mod jobs;
mod phone;
mod place;
mod read;
mod row;
mod state;
mod store;
mod types;
mod values;
mod waiting;

use access::domain::{ADVISED, Services, Step};
pub use events::Event;
use futures_util::FutureExt;
use poem_openapi::OpenApi;
use work::{
    Subscriptions,
    events::{DescribeMessage, describe_message},
};

/// This crate in the server's list.
pub struct Domain;

impl access::domain::Domain for Domain {
    fn api() -> impl OpenApi {
        (place::PublicOrders, fresh::Orders, count::Waiting, emails::OrderEmails)
    }

    fn jobs(&self, _: &Services) -> Vec<(&'static str, work::Handler)> {
        jobs::handlers()
    }

    fn subscriptions(&self, table: Subscriptions) -> Subscriptions {
        table
            .job(jobs::EXPIRE, jobs::expiry)
            .job(jobs::DUE, jobs::announcement)
            .job(emails::SEND, emails::email)
            .job(emails::SEND_ACCEPTED, emails::acceptance_email)
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
}
