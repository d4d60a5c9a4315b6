//! Which account serves a payment method. No I/O.

use contract::Plugins;
use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::words::{AccountState, PaymentEnvironment, Provider};

/// An account that may serve a method, and what decides whether it does: an element of the view `serving_account`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Candidate {
    id: Uuid,
    provider: Provider,
    environment: PaymentEnvironment,
    state: AccountState,
    is_chosen: bool,
    sandbox_payment: bool,
}

/// All accounts that may serve a method, in whatever environment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
pub(crate) struct Candidates(Vec<Candidate>);

/// The account through which a method is paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServingAccount {
    pub id: Uuid,
    /// As plug-ins are registered: `simplepay`.
    pub provider: String,
    pub environment: PaymentEnvironment,
}

/// For whom an account is looked for.
#[derive(Clone, Copy, Default)]
pub(crate) struct Asking<'a> {
    /// A key for tests.
    pub test_key: bool,
    /// Only providers whose plug-in is among these.
    pub among: Option<&'a Plugins>,
    /// An order that is there keeps its kind of money: the restaurant's switch for test payments is not asked.
    pub placed: bool,
}

impl Candidates {
    /// The account that was chosen for the environment, else the first of the providers' order; it must be checked.
    /// `mode` is the partner's.
    pub(crate) fn serving(&self, mode: &str, asking: Asking<'_>) -> Option<(Provider, ServingAccount)> {
        let Asking { test_key, among, placed } = asking;
        let here = |one: &&Candidate| {
            one.environment == PaymentEnvironment::of(mode, one.sandbox_payment && !placed, test_key)
        };
        let works = |one: &&Candidate| {
            one.state == AccountState::Checked
                && among.is_none_or(|plugins| {
                    plugins.online_payment_of(one.provider.as_str(), one.environment.into()).is_some()
                })
        };
        let chosen = self.0.iter().filter(here).find(|one| one.is_chosen);
        let first = || self.0.iter().filter(here).filter(works).min_by_key(|one| one.provider);
        let one = match chosen {
            Some(chosen) => Some(chosen).filter(works),
            None => first(),
        }?;
        let provider = one.provider.as_str().to_owned();
        Some((one.provider, ServingAccount { id: one.id, provider, environment: one.environment }))
    }
}

#[cfg(test)]
mod tests {
    use super::{AccountState::*, PaymentEnvironment::*, Provider::*, *};

    fn candidate(
        id: u128, (provider, environment, state): (Provider, PaymentEnvironment, AccountState),
        is_chosen: bool, sandbox_payment: bool,
    ) -> Candidate {
        Candidate { id: Uuid::from_u128(id), provider, environment, state, is_chosen, sandbox_payment }
    }

    #[test]
    fn the_checked_account_of_the_environment_serves() {
        type Rows<'a> = &'a [(Provider, PaymentEnvironment, AccountState, bool)];
        let of_live: Rows<'_> = &[
            (Barion, Live, Checked, false),
            (Simplepay, Live, Checked, false),
            (Simplepay, TestHost, Checked, false),
            (Barion, StandIn, Checked, false),
        ];
        for (name, rows, mode, sandbox_payment, test_key, expected) in [
            ("SimplePay is the first", of_live, "live", false, false, Some(1)),
            ("the switch", of_live, "live", true, false, Some(2)),
            ("a key for tests", of_live, "live", false, true, Some(2)),
            ("another mode", of_live, "sandbox", true, false, Some(3)),
            ("none there", &[(Barion, Live, Checked, false)], "demo", false, false, None),
            ("not checked", &[(Barion, Live, Unchecked, false)], "live", false, false, None),
            (
                "another one while nobody has chosen",
                &[(Simplepay, Live, Refused, false), (Barion, Live, Checked, false)],
                "live",
                false,
                false,
                Some(1),
            ),
            (
                "the chosen one",
                &[(Simplepay, Live, Checked, false), (Barion, Live, Checked, true)],
                "live",
                false,
                false,
                Some(1),
            ),
            (
                "the chosen one was refused",
                &[(Simplepay, Live, Checked, false), (Barion, Live, Refused, true)],
                "live",
                false,
                false,
                None,
            ),
            (
                "chosen elsewhere",
                &[(Simplepay, TestHost, Checked, false), (Barion, Live, Checked, true)],
                "live",
                true,
                false,
                Some(0),
            ),
        ] {
            let rows = rows.iter().zip(0..).map(|((provider, environment, state, chosen), id)| {
                candidate(id, (*provider, *environment, *state), *chosen, sandbox_payment)
            });
            let found = Candidates(rows.collect()).serving(mode, Asking { test_key, ..Asking::default() });
            assert_eq!(found.map(|(_, one)| one.id.as_u128()), expected, "{name}");
        }
        let rows = Candidates(vec![candidate(1, (Barion, Live, Checked), false, false)]);
        let none = Plugins::default();
        assert_eq!(
            rows.serving("live", Asking { among: Some(&none), ..Asking::default() }),
            None,
            "no plug-in"
        );
    }
}
