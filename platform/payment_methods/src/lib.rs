//! Payment methods, provider accounts, card terminals and terminal schemes.

mod accounts;
mod connection;
mod guide;
mod methods;
mod pause;
mod schemes;
mod terminals;

use access::{
    domain::{ADVISED, Copying, Services, SettingsOf, Step},
    prelude::*,
    raw::RawRoute,
};
pub use accounts::{
    PayingAccount, PaymentEnvironment, PaymentPurpose, ServingAccount, accounts_of, callback_came,
    callback_url, merchant, refused,
};
use futures_util::FutureExt;
pub use methods::{
    Channel, ChosenMethod, NamedMethod, OnlinePaymentSettings, PaymentOutcome, chosen, euro_rate,
    facts_and_chosen, offered, online_settings,
};
pub use pause::{PauseKind, PaymentPause, end_payment_pause, payment_pause};
use work::events::{DescribeMessage, describe_message};

/// This crate in the server's list.
pub struct Domain;

#[async_trait::async_trait]
impl access::domain::Domain for Domain {
    fn api() -> impl OpenApi {
        (
            methods::PaymentMethods,
            methods::PublicPaymentMethods,
            accounts::ProviderAccountsApi,
            schemes::TerminalSchemes,
            terminals::CardTerminals,
            connection::Connection,
        )
    }

    fn raw_routes(&self) -> Vec<RawRoute> {
        vec![connection::way_back()]
    }

    fn jobs(&self, services: &Services) -> Vec<(&'static str, work::Handler)> {
        accounts::handlers(&services.app, &services.plugins)
    }

    fn messages(&self) -> Vec<DescribeMessage> {
        vec![describe_message::<accounts::PaymentAccountEvent>]
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
