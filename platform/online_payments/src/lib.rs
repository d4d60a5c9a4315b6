//! Payments on a provider's page: the page of ours, calls to providers, their messages. What they say of money is written
//! by `orders`. See `docs/decisions/payments.md#online`.

mod api;
mod buyer;
mod desk;
mod jobs;
mod page;
mod pay;
mod receiver;
mod reconcile;
mod way;

use access::{domain::Services, prelude::*, raw::RawRoute};
use work::{Handler, Subscriptions};

use receiver::{OnlinePayments, PATH};

/// This crate in the server's list.
pub struct Domain;

impl access::domain::Domain for Domain {
    fn api() -> impl OpenApi {
        (
            api::Inquiries,
            api::PublicOrderPayments,
            reconcile::ReconciliationsApi,
            reconcile::PartnerPause,
            reconcile::RestaurantPause,
        )
    }

    fn raw_routes(&self) -> Vec<RawRoute> {
        let mut routes = pay::routes();
        routes.push(callbacks::route(PATH, &OnlinePayments));
        routes
    }

    fn jobs(&self, services: &Services) -> Vec<(&'static str, Handler)> {
        let mut jobs = jobs::handlers(services);
        jobs.push(callbacks::job(&OnlinePayments, &services.app, &services.plugins));
        jobs
    }

    fn subscriptions(&self, table: Subscriptions) -> Subscriptions {
        table.job(orders::online::REFUND, jobs::refund)
    }
}
