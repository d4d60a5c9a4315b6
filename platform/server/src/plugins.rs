//! Registers the plug-ins: one line each.

use std::sync::Arc;

use barion::Barion;
use contract::{Callback, Capability, Environment, OnlinePayment, Plugins};
use fcm::Fcm;
use nominatim::{Guests, Nominatim};
use simplepay::SimplePay;
use zendesk::Zendesk;

use crate::config::Config;

/// The plug-ins that the settings name. One that cannot be made is said and left out: nothing else waits for it.
pub(crate) fn all(config: &Config) -> Plugins {
    use Environment::{Live, StandIn, TestHost};
    let mut plugins = Plugins::default();
    let us = config.public_url.as_str();
    let mut add = |provider, environment, made: Option<Result<Capability, String>>| {
        let registered = made.transpose().and_then(|made| match made {
            Some(plugin) => plugins.register(provider, environment, plugin),
            None => Ok(()),
        });
        if let Err(reason) = registered {
            tracing::error!(provider, ?environment, reason, "a plug-in is left out");
        }
    };
    // Partners that are not live behave as live ones do: without a server for those nobody asks the stand-in.
    let stand_in_of_guests = config.stand_in_geocoder.as_ref().filter(|_| config.guest_geocoder.is_some());
    let geocoder = |server| Nominatim::new(server, us).map(|plugin| Capability::Geocoder(Arc::new(plugin)));
    let guests = |server| Guests::new(server, us).map(|plugin| Capability::GuestGeocoder(Arc::new(plugin)));
    let push = |made: Result<Fcm, String>| made.map(|plugin| Capability::Push(Arc::new(plugin)));
    let teya = |settings| teya::Teya::new(settings).map(|plugin| Capability::CardTerminal(Arc::new(plugin)));
    let help = Zendesk { contacts: config.help.clone(), desk: config.zendesk.clone() };
    add("nominatim", Live, config.geocoder.as_ref().map(geocoder));
    add("nominatim", StandIn, config.stand_in_geocoder.as_ref().map(geocoder));
    add("nominatim", Live, config.guest_geocoder.as_ref().map(guests));
    add("nominatim", StandIn, stand_in_of_guests.map(guests));
    add("fcm", Live, config.fcm_key.as_ref().map(|key| push(Fcm::new(key.reveal()))));
    add("fcm", StandIn, config.stand_in_push.clone().map(|api| push(Fcm::stand_in(api))));
    add("teya", Live, config.teya.clone().map(teya));
    add("teya", StandIn, config.stand_in_teya.clone().map(teya));
    // Whose account it is, each restaurant says: the hosts need no setting.
    for (environment, simplepay, barion) in [
        (Live, Some(SimplePay::live()), Some(Barion::live())),
        (TestHost, Some(SimplePay::test_host()), Some(Barion::test_host())),
        (
            StandIn,
            config.stand_in_simplepay.as_ref().map(SimplePay::stand_in),
            config.stand_in_barion.clone().map(Barion::stand_in),
        ),
    ] {
        both(simplepay).into_iter().for_each(|one| add("simplepay", environment, one));
        both(barion).into_iter().for_each(|one| add("barion", environment, one));
    }
    add("zendesk", Live, Some(Ok(Capability::HelpDesk(Arc::new(help)))));
    plugins
}

/// A provider's page, and the messages of the provider: one plug-in.
fn both<T: OnlinePayment + Callback + 'static>(
    made: Option<Result<T, String>>,
) -> [Option<Result<Capability, String>>; 2] {
    let Some(made) = made else { return [None, None] };
    match made.map(Arc::new) {
        Ok(plugin) => {
            [Some(Ok(Capability::OnlinePayment(plugin.clone()))), Some(Ok(Capability::Callback(plugin)))]
        }
        Err(reason) => [Some(Err(reason)), None],
    }
}
