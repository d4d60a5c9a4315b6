//! Accounts at providers of online payment. See `docs/decisions/payments.md#provider-accounts`.

mod api;
mod check;
mod entity;
mod rules;
mod save;
mod serving;
mod store;
mod words;

pub(crate) use api::ProviderAccountsApi;
pub(crate) use check::{PaymentAccountEvent, check_saved, handlers};
pub(crate) use entity::ProviderAccounts;
pub(crate) use rules::ProviderOffer;
pub(crate) use save::{DefaultAccount, save_default};
pub(crate) use serving::{Asking, Candidates};
pub(crate) use store::{Here, defaults, here, lock, mode};
pub(crate) use words::Provider;

pub use check::refused;
pub use serving::ServingAccount;
pub use store::{PayingAccount, accounts_of, callback_came, callback_url, merchant};
pub use words::{PaymentEnvironment, PaymentPurpose};
