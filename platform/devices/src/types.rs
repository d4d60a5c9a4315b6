//! Bodies and answers about devices.

use access::prelude::*;
use kernel::{DeviceKind, ids::Kiosks};
use poem_openapi::types::Example;

use crate::tvs::RestaurantTvs;

pub(crate) struct Devices;

kernel::resource!(Devices, "devices", "DEVICE");

/// The page that is opened at such a device to pair it.
pub(crate) const fn page_of(kind: DeviceKind) -> &'static str {
    match kind {
        DeviceKind::GuestTv => "tv",
        DeviceKind::Kiosk => "kiosk",
    }
}

/// A device of the restaurant.
#[derive(Debug, Object)]
pub(crate) struct Device {
    pub id: Id<Devices>,
    pub name: String,
    pub kind: DeviceKind,
    /// The guest TV whose board it shows.
    pub restaurant_tv_id: Option<Id<RestaurantTvs>>,
    /// The kiosk that it is.
    pub restaurant_kiosk_id: Option<Id<Kiosks>>,
    /// Name of that guest TV or kiosk.
    pub shows: Option<String>,
    /// Paired by its address alone: the `tv_url` of the guest TV.
    pub by_address: bool,
    /// It was there within the last minute.
    pub online: bool,
    /// When its code or link was used. Whether it has come with its secret since, `last_seen_at` says.
    pub paired_at: Option<Timestamp>,
    /// A code or a link waits for it until then.
    pub pairing_until: Option<Timestamp>,
    /// When it was there last with the secret it has now; null until it has been for the first time.
    pub last_seen_at: Option<Timestamp>,
    /// Browser and system, as far as the device's own word goes.
    pub seen_with: String,
    /// Its network.
    pub seen_from: String,
    pub created_at: Timestamp,
    /// What pairs it: only in the answer of the call that made it.
    pub pairing: Option<DevicePairing>,
}

/// What pairs a device: one of the two, once.
#[derive(Debug, Object)]
pub(crate) struct DevicePairing {
    /// Eight letters and digits in two groups, typed at the device. Case, blanks and dashes do not matter.
    pub code: String,
    /// Opened at the device.
    pub link: String,
    /// Where the code is typed: a page for each kind of device.
    pub address: String,
    pub expires_at: Timestamp,
}

#[derive(Debug, Object)]
pub(crate) struct NewDevice {
    #[oai(validator(max_length = 80))]
    pub name: String,
    pub kind: DeviceKind,
    /// Required of a guest TV.
    pub restaurant_tv_id: Option<Id<RestaurantTvs>>,
    /// Required of a kiosk.
    pub restaurant_kiosk_id: Option<Id<Kiosks>>,
}

#[derive(Debug, Object)]
pub(crate) struct DeviceChange {
    #[oai(validator(min_length = 1, max_length = 80))]
    pub name: Option<String>,
}

/// What a device was told.
#[derive(Debug, Object)]
#[oai(example)]
pub(crate) struct PairingCode {
    /// The code, or what stands behind `#pair=` in the link.
    #[oai(validator(max_length = 64))]
    pub code: String,
    /// What wants to be paired. The code of a device of another kind is refused then, and stays good for
    /// that.
    pub kind: Option<DeviceKind>,
}

impl Example for PairingCode {
    fn example() -> Self {
        Self { code: "7GKM-P2XV".to_owned(), kind: Some(DeviceKind::Kiosk) }
    }
}

/// A device that has just been paired.
#[derive(Debug, Object)]
pub(crate) struct PairedDevice {
    /// Sent as `Authorization: Bearer pd_…` from now on; not shown again.
    pub secret: String,
    pub kind: DeviceKind,
    pub name: String,
}

/// A device about itself.
#[derive(Debug, Object)]
pub(crate) struct OwnDevice {
    pub id: Id<Devices>,
    pub kind: DeviceKind,
    pub name: String,
    pub restaurant_id: Id<Restaurant>,
    pub restaurant_name: String,
    pub timezone: String,
    /// The service's clock.
    pub now: Timestamp,
}

/// The device's next secret.
#[derive(Debug, Object)]
pub(crate) struct DeviceSecret {
    /// The one before is good for ten more minutes.
    pub secret: String,
}
