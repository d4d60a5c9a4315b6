//! Places of guests' addresses, at a server that the operator may give them to. See
//! `docs/decisions/delivery.md#places-of-addresses`.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use async_trait::async_trait;
use contract::{CallError, CallFault, GuestGeocoder, HouseAddress, HousePlace, Precision};
use serde::Deserialize;
use tokio::sync::Semaphore;
use url::Url;

use crate::server::{MOST, Server, degrees};

/// How long a guest waits for an answer.
pub const PATIENCE: Duration = Duration::from_secs(2);
/// So many calls run at once; one more is refused.
pub const CALLS: usize = 8;
/// So long a server that failed is left alone, and at most so long as it asks for itself.
const REST: Duration = Duration::from_secs(10);
const LONGEST_REST: Duration = Duration::from_secs(60);
/// The most bytes of an answer that are read.
const LIMIT: usize = 200_000;
/// Nominatim's ranks: from the first on a street, at the second a house.
const STREET_RANK: i32 = 26;
const HOUSE_RANK: i32 = 30;

/// The plug-in for addresses of guests.
pub struct Guests {
    server: Server,
    calls: Semaphore,
    /// Until when nobody asks, because the server failed.
    rests_until: Mutex<Option<Instant>>,
}

#[derive(Deserialize)]
struct SearchResult {
    lat: String,
    lon: String,
    #[serde(default)]
    place_rank: i32,
    #[serde(default)]
    address: Parts,
}

/// The parts of an address; a place has some of them.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Parts {
    country_code: Option<String>,
    postcode: Option<String>,
    city: Option<String>,
    town: Option<String>,
    village: Option<String>,
    municipality: Option<String>,
    city_district: Option<String>,
    suburb: Option<String>,
    hamlet: Option<String>,
}

impl Guests {
    /// With the operator's server at this address; `us` says who calls.
    pub fn new(server: &Url, us: &str) -> Result<Self, String> {
        Self::with_patience(server, us, PATIENCE)
    }

    /// As `new`, waiting this long for an answer.
    pub fn with_patience(server: &Url, us: &str, patience: Duration) -> Result<Self, String> {
        Ok(Self {
            server: Server::new(server, us, patience)?,
            calls: Semaphore::new(CALLS),
            rests_until: Mutex::new(None),
        })
    }

    /// How much longer the server is left alone.
    fn rest(&self) -> Option<Duration> {
        let until = *self.rests_until.lock().unwrap_or_else(PoisonError::into_inner);
        until.map(|until| until.saturating_duration_since(Instant::now())).filter(|rest| !rest.is_zero())
    }

    /// The server failed: the next guests do not wait for it. A fault of one address is not the server's.
    fn note(&self, error: &CallError) {
        if error.fault == CallFault::Invalid {
            return;
        }
        let asked = error.retry_after.map_or(REST, Duration::from_secs);
        let until = Instant::now() + asked.clamp(REST, LONGEST_REST);
        *self.rests_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(until);
    }
}

#[async_trait]
impl GuestGeocoder for Guests {
    async fn places(&self, address: &HouseAddress) -> Result<Vec<HousePlace>, CallError> {
        let busy =
            |seconds| CallError { retry_after: Some(seconds), ..CallError::harmless(CallFault::RateLimited) };
        if let Some(rest) = self.rest() {
            return Err(busy(rest.as_secs() + 1));
        }
        let _call = self.calls.try_acquire().map_err(|_| busy(1))?;
        let (street, country) =
            (format!("{} {}", address.number, address.street), address.country.to_lowercase());
        let mut parameters = vec![
            ("street", street.as_str()),
            ("countrycodes", &country),
            ("layer", "address"),
            ("addressdetails", "1"),
        ];
        parameters.extend(address.city.as_deref().map(|city| ("city", city)));
        parameters.extend(address.postcode.as_deref().map(|postcode| ("postalcode", postcode)));
        let found: Result<Vec<SearchResult>, CallError> = self.server.find(&parameters, LIMIT).await;
        let found = found.inspect_err(|error| self.note(error))?;
        Ok(found.into_iter().filter_map(place).take(MOST).collect())
    }
}

fn place(found: SearchResult) -> Option<HousePlace> {
    let Parts { country_code, postcode, city, town, village, municipality, city_district, suburb, hamlet } =
        found.address;
    let cities = [city, town, village, municipality, city_district, suburb, hamlet];
    Some(HousePlace {
        lat: degrees(&found.lat, 90.0)?,
        lng: degrees(&found.lon, 180.0)?,
        precision: match found.place_rank {
            HOUSE_RANK.. => Precision::House,
            STREET_RANK.. => Precision::Street,
            _ => Precision::Coarse,
        },
        country: country_code.map(|code| code.to_uppercase()),
        postcode,
        cities: cities.into_iter().flatten().collect(),
    })
}
