//! A geocoder with Nominatim's protocol: [`Nominatim`] for addresses of restaurants, [`Guests`] for those of
//! guests.

mod guests;
mod server;

use std::time::{Duration, Instant};

use async_trait::async_trait;
use contract::{CallError, CallFault, Geocoder, Place};
pub use guests::{CALLS, Guests};
use serde::Deserialize;
use server::{MOST, Server, degrees};
use tokio::sync::Mutex;
use url::Url;

/// How long a search may take, waiting for its turn left out.
pub const PATIENCE: Duration = Duration::from_secs(3);
/// Between two calls: the policy of the public server is one a second for a whole application.
const PACE: Duration = Duration::from_secs(1);
/// A call that would wait longer than this is refused.
const QUEUE: Duration = Duration::from_secs(2);
/// The most bytes of an answer that are read, without and with outlines.
const LIMIT: usize = 1_000_000;
const LIMIT_OF_OUTLINES: usize = 4_000_000;
/// How far an outline may be simplified, in degrees: some twenty metres.
const TOLERANCE: &str = "0.0002";
/// The most points of one part of an outline; a larger part is left out.
const MOST_POINTS: usize = 10_000;
/// The most parts of an outline.
const MOST_PARTS: usize = 100;
/// A label of more characters is no address.
const LONGEST_LABEL: usize = 1000;

/// The plug-in for addresses of restaurants.
pub struct Nominatim {
    server: Server,
    /// When the next call may be sent.
    next: Mutex<Instant>,
}

#[derive(Deserialize)]
struct SearchResult {
    display_name: String,
    lat: String,
    lon: String,
    #[serde(default)]
    geojson: Option<serde_json::Value>,
}

impl Nominatim {
    /// With the server at this address; `us` says who calls (an address of the operator).
    pub fn new(server: &Url, us: &str) -> Result<Self, String> {
        Self::with_patience(server, us, PATIENCE)
    }

    /// As `new`, waiting this long for an answer.
    pub fn with_patience(server: &Url, us: &str, patience: Duration) -> Result<Self, String> {
        Ok(Self { server: Server::new(server, us, patience)?, next: Mutex::new(Instant::now()) })
    }

    async fn turn(&self) -> Result<(), CallError> {
        let mut next = self.next.lock().await;
        let now = Instant::now();
        let at = (*next).max(now);
        let wait = at - now;
        if wait > QUEUE {
            return Err(CallError {
                retry_after: Some(wait.as_secs() + 1),
                ..CallError::harmless(CallFault::RateLimited)
            });
        }
        *next = at + PACE;
        drop(next);
        tokio::time::sleep(wait).await;
        Ok(())
    }
}

#[async_trait]
impl Geocoder for Nominatim {
    async fn search(&self, words: &str, languages: &str, outlines: bool) -> Result<Vec<Place>, CallError> {
        self.turn().await?;
        let mut parameters = vec![("q", words), ("accept-language", languages)];
        if outlines {
            parameters.extend([("polygon_geojson", "1"), ("polygon_threshold", TOLERANCE)]);
        }
        let limit = if outlines { LIMIT_OF_OUTLINES } else { LIMIT };
        let found: Vec<SearchResult> = self.server.find(&parameters, limit).await?;
        Ok(found.into_iter().filter_map(place).take(MOST).collect())
    }
}

fn place(found: SearchResult) -> Option<Place> {
    if found.display_name.chars().count() > LONGEST_LABEL {
        return None;
    }
    Some(Place {
        lat: degrees(&found.lat, 90.0)?,
        lng: degrees(&found.lon, 180.0)?,
        label: found.display_name,
        outline: found.geojson.map(outline).unwrap_or_default(),
    })
}

/// The outer rings of a polygon, or of several; nothing of any other geometry.
fn outline(geometry: serde_json::Value) -> Vec<Vec<(f64, f64)>> {
    #[derive(Deserialize)]
    #[serde(tag = "type", content = "coordinates")]
    enum Geometry {
        Polygon(Vec<Vec<[f64; 2]>>),
        MultiPolygon(Vec<Vec<Vec<[f64; 2]>>>),
        #[serde(other)]
        Other,
    }
    let parts = match serde_json::from_value(geometry) {
        Ok(Geometry::Polygon(rings)) => vec![rings],
        Ok(Geometry::MultiPolygon(parts)) => parts,
        Ok(Geometry::Other) | Err(_) => vec![],
    };
    let valid = |[lng, lat]: &[f64; 2]| lat.abs() <= 90.0 && lng.abs() <= 180.0;
    let rings = parts.into_iter().take(MOST_PARTS).filter_map(|rings| rings.into_iter().next());
    let fits = |ring: &Vec<[f64; 2]>| (4..=MOST_POINTS).contains(&ring.len()) && ring.iter().all(valid);
    rings.filter(fits).map(|ring| ring.into_iter().map(|[lng, lat]| (lat, lng)).collect()).collect()
}
