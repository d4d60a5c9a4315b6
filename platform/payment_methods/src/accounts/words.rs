//! Words of accounts, and where their payments are.

use access::prelude::*;
use contract::Environment;
use serde::{Deserialize, Serialize};

/// A provider with a page on which guests pay. An order of preference: the first one serves what nobody has chosen.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Enum,
    EnumIter,
    DeriveActiveEnum,
    Serialize,
    Deserialize,
)]
#[oai(rename = "PaymentProvider", rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum Provider {
    Simplepay,
    Barion,
}

impl Provider {
    pub(crate) const ALL: [Self; 2] = [Self::Simplepay, Self::Barion];

    /// The name under which its plug-in is registered.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Simplepay => "simplepay",
            Self::Barion => "barion",
        }
    }
}

/// What is paid through an account.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Enum, EnumIter, DeriveActiveEnum, Serialize, Deserialize,
)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum PaymentPurpose {
    /// Bank cards.
    Card,
    /// SZÉP cards.
    Szep,
}

/// Where the payments of an account are.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Enum, EnumIter, DeriveActiveEnum, Serialize, Deserialize,
)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum PaymentEnvironment {
    /// At the provider, with real money.
    Live,
    /// At the host that the provider has for tests.
    TestHost,
    /// At the stand-in of this installation.
    StandIn,
}

impl PaymentEnvironment {
    /// Where an order is paid. `mode` is the partner's, `sandbox_payment` the restaurant's switch; `test_key`: a key
    /// for tests has sent the order.
    #[must_use]
    pub fn of(mode: &str, sandbox_payment: bool, test_key: bool) -> Self {
        match Environment::of_mode(mode) {
            Environment::Live if sandbox_payment || test_key => Self::TestHost,
            Environment::Live => Self::Live,
            _ => Self::StandIn,
        }
    }

    /// Where a partner in this mode may have accounts.
    pub(crate) fn all_of(mode: &str) -> &'static [Self] {
        match Environment::of_mode(mode) {
            Environment::Live => &[Self::Live, Self::TestHost],
            _ => &[Self::StandIn],
        }
    }
}

impl PaymentEnvironment {
    /// As the database has it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::TestHost => "test_host",
            Self::StandIn => "stand_in",
        }
    }
}

impl From<PaymentEnvironment> for Environment {
    fn from(environment: PaymentEnvironment) -> Self {
        match environment {
            PaymentEnvironment::Live => Self::Live,
            PaymentEnvironment::TestHost => Self::TestHost,
            PaymentEnvironment::StandIn => Self::StandIn,
        }
    }
}

/// What the provider has said of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum, Serialize, Deserialize)]
#[oai(rename = "ProviderAccountState", rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum AccountState {
    /// Nothing yet: it could not be asked, or the secret is missing.
    Unchecked,
    /// The account is good.
    Checked,
    /// It does not take the account, or does not any more.
    Refused,
}

#[cfg(test)]
mod tests {
    use super::{PaymentEnvironment::*, *};

    #[test]
    fn only_live_partners_pay_at_providers() {
        for (mode, sandbox_payment, test_key, expected) in [
            ("live", false, false, Live),
            ("live", true, false, TestHost),
            ("live", false, true, TestHost),
            ("live", true, true, TestHost),
            ("sandbox", false, false, StandIn),
            ("sandbox", true, true, StandIn),
            ("demo", true, false, StandIn),
        ] {
            let found = PaymentEnvironment::of(mode, sandbox_payment, test_key);
            assert_eq!(found, expected, "{mode} {sandbox_payment} {test_key}");
            assert!(PaymentEnvironment::all_of(mode).contains(&found));
        }
    }
}
