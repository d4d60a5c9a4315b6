//! Payment methods, provider accounts, card terminals and terminal schemes.

mod connection;
mod guide;
mod methods;
mod schemes;
mod terminals;

use access::{
    domain::{ADVISED, Copying, SettingsOf, Step},
    prelude::*,
    raw::RawRoute,
};
use futures_util::FutureExt;
pub use methods::{Channel, ChosenMethod, NamedMethod, chosen, euro_rate, facts_and_chosen};

/// This crate in the server's list.
pub struct Domain;

#[async_trait::async_trait]
impl access::domain::Domain for Domain {
    fn api() -> impl OpenApi {
        (
            methods::PaymentMethods,
            methods::PublicPaymentMethods,
            schemes::TerminalSchemes,
            terminals::CardTerminals,
            connection::Connection,
        )
    }

    fn raw_routes(&self) -> Vec<RawRoute> {
        vec![connection::way_back()]
    }

    fn steps(&self) -> Vec<Step> {
        // Cash is always taken.
        vec![Step {
            key: "payment_methods",
            needed: ADVISED,
            done: |tx, restaurant| guide::has_methods(tx, restaurant).boxed(),
        }]
    }

    fn settings(&self) -> Vec<SettingsOf> {
        vec![methods::history()]
    }

    async fn copy(&self, tx: &TenantTx, copying: &Copying) -> Result<()> {
        guide::copy(tx, copying).await
    }
}
