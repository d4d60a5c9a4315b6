//! The plug-ins of an installation: each by its capability, its provider, and where its calls go.

use std::sync::Arc;

use crate::{Callback, CardTerminal, Geocoder, GuestGeocoder, HelpDesk, OnlinePayment, Push};

/// Where the calls of a plug-in go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Environment {
    /// To the provider's own service.
    Live,
    /// To the host that the provider offers for tests.
    TestHost,
    /// To the stand-in of this installation.
    StandIn,
}

impl Environment {
    /// That of a partner in this mode (`live`, `sandbox`, `demo`): outside of `live` a partner is bound to stand-ins.
    #[must_use]
    pub fn of_mode(mode: &str) -> Self {
        if mode == "live" { Self::Live } else { Self::StandIn }
    }
}

#[derive(Clone)]
struct Registered {
    provider: &'static str,
    environment: Environment,
    capability: Capability,
}

/// The plug-ins of the installation.
#[derive(Clone, Default)]
pub struct Plugins(Vec<Registered>);

macro_rules! capabilities {
    ($($(#[$doc:meta])* $one:ident, $all:ident: $Trait:ident;)*) => {
        /// What a plug-in can do: one trait each.
        #[derive(Clone)]
        pub enum Capability {
            $($(#[$doc])* $Trait(Arc<dyn $Trait>),)*
        }

        impl Capability {
            const fn name(&self) -> &'static str {
                match self { $(Self::$Trait(_) => stringify!($one),)* }
            }
        }

        impl Plugins {
            $(
                $(#[$doc])*
                ///
                /// All that are registered for this environment, each with its provider.
                pub fn $all(&self, environment: Environment) -> impl Iterator<Item = (&'static str, Arc<dyn $Trait>)> {
                    self.0.iter().filter(move |one| one.environment == environment).filter_map(|one| {
                        match &one.capability {
                            Capability::$Trait(plugin) => Some((one.provider, plugin.clone())),
                            _ => None,
                        }
                    })
                }

                $(#[$doc])*
                ///
                /// The first that is registered for this environment: the only one where there are no two providers.
                #[must_use]
                pub fn $one(&self, environment: Environment) -> Option<Arc<dyn $Trait>> {
                    self.$all(environment).next().map(|(_, plugin)| plugin)
                }
            )*
        }
    };
}

capabilities! {
    /// Providers that call us.
    callback, callbacks: Callback;
    /// Payments on a provider's page.
    online_payment, online_payments: OnlinePayment;
    /// Card terminals.
    card_terminal, card_terminals: CardTerminal;
    /// Push notifications.
    push, pushes: Push;
    /// The help page and its live chat; for live partners alone.
    help_desk, help_desks: HelpDesk;
    /// Places of addresses.
    geocoder, geocoders: Geocoder;
    /// Places of guests' addresses, as far as the operator has set a server for them.
    guest_geocoder, guest_geocoders: GuestGeocoder;
}

impl Plugins {
    /// Payments on the page of this provider.
    #[must_use]
    pub fn online_payment_of(
        &self, provider: &str, environment: Environment,
    ) -> Option<Arc<dyn OnlinePayment>> {
        self.online_payments(environment).find(|(name, _)| *name == provider).map(|(_, plugin)| plugin)
    }

    /// Registers what a provider's plug-in can do in an environment.
    /// Errors: A sentence, when the provider has this capability there already: one of the two would never be
    /// called.
    pub fn register(
        &mut self, provider: &'static str, environment: Environment, capability: Capability,
    ) -> Result<(), String> {
        let same = |one: &&Registered| {
            one.provider == provider
                && one.environment == environment
                && one.capability.name() == capability.name()
        };
        if self.0.iter().find(same).is_some() {
            return Err(format!("{provider} registers {} twice for {environment:?}", capability.name()));
        }
        self.0.push(Registered { provider, environment, capability });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PushMessage, PushOutcome, Secret};

    struct Nothing;

    #[async_trait::async_trait]
    impl Push for Nothing {
        async fn send(&self, _: &PushMessage, _: &Secret) -> PushOutcome {
            PushOutcome::Unknown
        }
    }

    #[test]
    fn a_capability_is_registered_once_by_provider_and_environment() {
        let mut plugins = Plugins::default();
        let push = || Capability::Push(Arc::new(Nothing));
        for (provider, environment, is_taken) in [
            ("one", Environment::Live, true),
            ("one", Environment::Live, false),
            ("one", Environment::StandIn, true),
            ("two", Environment::Live, true),
        ] {
            let registered = plugins.register(provider, environment, push());
            assert_eq!(registered.is_ok(), is_taken, "{provider} {environment:?}");
        }
        let of = |environment| plugins.pushes(environment).map(|(provider, _)| provider).collect::<Vec<_>>();
        assert_eq!(of(Environment::Live), ["one", "two"]);
        assert_eq!(of(Environment::of_mode("demo")), ["one"]);
        assert!(
            plugins.push(Environment::TestHost).is_none() && plugins.geocoder(Environment::Live).is_none()
        );
    }
}
