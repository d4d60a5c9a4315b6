//! Decisions about accounts, without I/O.

use access::prelude::*;
use contract::Plugins;
use kernel::{Email, money::Currency};

use super::words::{PaymentEnvironment, PaymentPurpose, Provider};

/// The longest merchant id, in characters.
const LONGEST: usize = 100;

/// What an account is for. A restaurant has one of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AccountKind {
    pub provider: Provider,
    pub purpose: PaymentPurpose,
    pub currency: Currency,
    pub environment: PaymentEnvironment,
}

/// What accounts of a provider can be made for here.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub(crate) struct ProviderOffer {
    pub provider: Provider,
    pub environment: PaymentEnvironment,
    pub purposes: Vec<PaymentPurpose>,
    pub currencies: Vec<Currency>,
    /// The address that it calls is typed in on its own page.
    pub address_by_hand: bool,
}

impl ProviderOffer {
    /// Those of a partner in this mode: as the plug-ins say.
    pub(crate) fn all(plugins: &Plugins, mode: &str) -> Vec<Self> {
        let all = PaymentEnvironment::all_of(mode).iter();
        all.flat_map(|environment| Provider::ALL.map(|provider| (provider, *environment)))
            .filter_map(|(provider, environment)| Self::of(plugins, provider, environment))
            .collect()
    }

    fn of(plugins: &Plugins, provider: Provider, environment: PaymentEnvironment) -> Option<Self> {
        let can = plugins.online_payment_of(provider.as_str(), environment.into())?.abilities();
        let named = |currency: &Currency| {
            can.currencies.iter().any(|name| name.eq_ignore_ascii_case(currency.as_str()))
        };
        let szep = can.szep.then_some(PaymentPurpose::Szep);
        Some(Self {
            provider,
            environment,
            purposes: std::iter::once(PaymentPurpose::Card).chain(szep).collect(),
            currencies: Currency::ALL.into_iter().filter(named).collect(),
            address_by_hand: can.address_by_hand,
        })
    }
}

/// What is wrong with an account of this kind, by its fields. SZÉP cards are in forints.
pub(super) fn faults(kind: AccountKind, offers: &[ProviderOffer]) -> Vec<(String, Fault)> {
    let places = || offers.iter().filter(|one| one.environment == kind.environment);
    let fault = |field: &str| vec![(field.to_owned(), Fault::Invalid)];
    let Some(offer) = places().find(|one| one.provider == kind.provider) else {
        return fault(if places().next().is_none() { "environment" } else { "provider" });
    };
    let forints = kind.purpose == PaymentPurpose::Card || kind.currency == Currency::Huf;
    if !offer.purposes.contains(&kind.purpose) {
        fault("purpose")
    } else if !offer.currencies.contains(&kind.currency) || !forints {
        fault("currency")
    } else {
        vec![]
    }
}

/// The name of an account without blanks around it.
/// Errors: What is wrong with it.
pub(super) fn name(provider: Provider, sent: &str) -> std::result::Result<String, Fault> {
    let name = sent.trim();
    let good = match provider {
        _ if name.is_empty() => return Err(Fault::Required),
        Provider::Simplepay => {
            name.chars().count() <= LONGEST
                && !name.contains(|one: char| one.is_whitespace() || one.is_control())
        }
        Provider::Barion => Email::parse(name).is_some(),
    };
    if good { Ok(name.to_owned()) } else { Err(Fault::Invalid) }
}

/// A secret without blanks around it; an empty one is none.
pub(super) fn secret(sent: Option<String>) -> Option<String> {
    sent.map(|secret| secret.trim().to_owned()).filter(|secret| !secret.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{PaymentEnvironment::*, PaymentPurpose::*, Provider::*, *};

    #[test]
    fn an_account_is_of_a_kind_that_its_provider_has() {
        let offer = |provider, environment, purposes: &[PaymentPurpose]| ProviderOffer {
            provider,
            environment,
            purposes: purposes.to_vec(),
            currencies: vec![Currency::Huf, Currency::Eur],
            address_by_hand: false,
        };
        let offers = [
            offer(Simplepay, Live, &[Card, Szep]),
            offer(Barion, Live, &[Card]),
            offer(Simplepay, TestHost, &[Card, Szep]),
        ];
        for (provider, purpose, currency, environment, expected) in [
            (Simplepay, Szep, Currency::Huf, Live, None),
            (Barion, Card, Currency::Eur, Live, None),
            (Barion, Szep, Currency::Huf, Live, Some("purpose")),
            (Simplepay, Szep, Currency::Eur, Live, Some("currency")),
            (Simplepay, Card, Currency::Gbp, Live, Some("currency")),
            (Simplepay, Card, Currency::Huf, StandIn, Some("environment")),
            (Barion, Card, Currency::Huf, TestHost, Some("provider")),
        ] {
            let kind = AccountKind { provider, purpose, currency, environment };
            let found = faults(kind, &offers);
            assert_eq!(found.first().map(|(field, _)| field.as_str()), expected, "{kind:?}");
        }
    }

    #[test]
    fn outer_blanks_of_name_and_secret_are_cut() {
        for (provider, sent, expected) in [
            (Simplepay, " PUBLICTESTHUF\n", Ok("PUBLICTESTHUF")),
            (Simplepay, "PUBLIC TEST", Err(Fault::Invalid)),
            (Simplepay, " ", Err(Fault::Required)),
            (Barion, " bolt@example.com ", Ok("bolt@example.com")),
            (Barion, "bolt", Err(Fault::Invalid)),
        ] {
            assert_eq!(name(provider, sent), expected.map(str::to_owned), "{sent:?}");
        }
        assert_eq!(secret(Some(" titok \n".to_owned())).as_deref(), Some("titok"));
        assert_eq!((secret(Some("  ".to_owned())), secret(None)), (None, None));
    }
}
