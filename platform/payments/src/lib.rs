//! Payment methods, provider accounts, card terminals and terminal schemes.

mod connection;
mod guide;
mod methods;
mod schemes;
mod terminals;

pub use connection::back;
use contract::Plugins;
pub use guide::{copy, has_methods};
pub use methods::{Channel, ChosenMethod, chosen};
use poem_openapi::OpenApi;

/// The operations of this crate.
#[must_use]
pub fn api() -> impl OpenApi {
    (
        methods::PaymentMethods,
        methods::PublicPaymentMethods,
        schemes::TerminalSchemes,
        terminals::CardTerminals,
        connection::Connection,
    )
}

/// The kinds of jobs of this crate.
#[must_use]
pub fn handlers(_plugins: &Plugins) -> Vec<(&'static str, work::Handler)> {
    vec![]
}
