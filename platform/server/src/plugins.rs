//! Registers the plug-ins.

use std::sync::Arc;

use contract::{Adapters, CardTerminal, Geocoder, Plugins, Push};
use fcm::Fcm;
use nominatim::Nominatim;
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
            push: push(config.fcm_key.as_ref().map(|key| Fcm::new(key.reveal()))),
            help_desk: Some(Arc::new(help_desk)),
        },
        stand_in: Adapters {
            card_terminal: card_terminal(&config.stand_in_teya),
            geocoder: geocoder(&config.stand_in_geocoder),
            push: push(config.stand_in_push.clone().map(Fcm::stand_in)),
            ..Adapters::default()
        },
    }
}
