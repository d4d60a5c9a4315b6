//! Registers the plug-ins.

use std::sync::Arc;

use contract::{Adapters, CardTerminal, Geocoder, GuestGeocoder, Plugins, Push};
use fcm::Fcm;
use nominatim::{Guests, Nominatim};
use teya::Teya;
use url::Url;
use zendesk::Zendesk;

use crate::config::Config;

/// The plug-ins that the settings name.
pub(crate) fn all(config: &Config) -> Plugins {
    let geocoder = |server: &Option<Url>| -> Option<Arc<dyn Geocoder>> {
        let made = Nominatim::new(server.as_ref()?, config.public_url.as_str());
        made.inspect_err(|reason| tracing::error!(reason, "addresses are not searched"))
            .ok()
            .map(|plugin| Arc::new(plugin) as _)
    };
    let guest_geocoder = |server: &Option<Url>| -> Option<Arc<dyn GuestGeocoder>> {
        let made = Guests::new(server.as_ref()?, config.public_url.as_str());
        made.inspect_err(|reason| tracing::error!(reason, "guests' addresses are not placed"))
            .ok()
            .map(|plugin| Arc::new(plugin) as _)
    };
    // Partners that are not live behave as live ones do: without a server for those nobody asks the stand-in.
    let stand_in_of_guests = config.stand_in_geocoder.clone().filter(|_| config.guest_geocoder.is_some());
    let push = |made: Option<Result<Fcm, String>>| -> Option<Arc<dyn Push>> {
        made?
            .inspect_err(|reason| tracing::error!(reason, "push notifications are not sent"))
            .ok()
            .map(|plugin| Arc::new(plugin) as _)
    };
    let card_terminal = |settings: &Option<teya::Settings>| -> Option<Arc<dyn CardTerminal>> {
        let made = Teya::new(settings.clone()?);
        made.inspect_err(|reason| tracing::error!(reason, "card terminals cannot be connected"))
            .ok()
            .map(|plugin| Arc::new(plugin) as _)
    };
    let help_desk = Zendesk { contacts: config.help.clone(), desk: config.zendesk.clone() };
    Plugins {
        live: Adapters {
            card_terminal: card_terminal(&config.teya),
            geocoder: geocoder(&config.geocoder),
            guest_geocoder: guest_geocoder(&config.guest_geocoder),
            push: push(config.fcm_key.as_ref().map(|key| Fcm::new(key.reveal()))),
            help_desk: Some(Arc::new(help_desk)),
        },
        stand_in: Adapters {
            card_terminal: card_terminal(&config.stand_in_teya),
            geocoder: geocoder(&config.stand_in_geocoder),
            guest_geocoder: guest_geocoder(&stand_in_of_guests),
            push: push(config.stand_in_push.clone().map(Fcm::stand_in)),
            ..Adapters::default()
        },
    }
}
