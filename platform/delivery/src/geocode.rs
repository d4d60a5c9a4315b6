//! Searching an address or a place with its outline, for the maps of a restaurant.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use access::prelude::*;
use contract::{CallFault, Environment, Place, Plugins};
use poem::web::Data;

use crate::polygons::GeoPoint;

/// How long an answer is kept (Nominatim's policy asks for a cache): streets move seldom.
const CACHED_FOR: Duration = Duration::from_secs(30 * 86_400);
/// The most answers that an instance keeps, and of those with outlines, which are large.
const MOST: usize = 2_000;
const MOST_OUTLINES: usize = 50;
const LANGUAGES: &str = "hu,en";

/// Found places with the time of the search, by mode of the partner and query.
type Answers = HashMap<(bool, String), (Instant, Vec<Place>)>;

struct Cache {
    answers: Mutex<Answers>,
    most: usize,
}

pub(crate) struct Geocode {
    places: Cache,
    outlines: Cache,
}

impl Default for Geocode {
    fn default() -> Self {
        let cache = |most| Cache { answers: Mutex::default(), most };
        Self { places: cache(MOST), outlines: cache(MOST_OUTLINES) }
    }
}

/// A place that was found for an address.
#[derive(Debug, Object)]
struct GeocodedPlace {
    /// The whole address, as people read it.
    label: String,
    /// Degrees north.
    coord_lat: f64,
    /// Degrees east.
    coord_lng: f64,
    /// The outer ring of each part of the place, if `outline` asked for it; empty for what has none, such as
    /// a house. Holes are left out.
    outline: Vec<Vec<GeoPoint>>,
}

impl From<Place> for GeocodedPlace {
    fn from(Place { label, lat, lng, outline }: Place) -> Self {
        let rounded = |degrees: f64| (degrees * 1e6).round() / 1e6;
        let point = |(lat, lng)| GeoPoint { lat: rounded(lat), lng: rounded(lng) };
        let outline = outline.into_iter().map(|ring| ring.into_iter().map(point).collect());
        Self { label, coord_lat: rounded(lat), coord_lng: rounded(lng), outline: outline.collect() }
    }
}

impl Cache {
    fn answers(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self, key: &(bool, String)) -> Option<Vec<Place>> {
        self.answers().get(key).filter(|(at, _)| at.elapsed() < CACHED_FOR).map(|(_, places)| places.clone())
    }

    fn keep(&self, key: (bool, String), places: &[Place]) {
        let mut answers = self.answers();
        if answers.len() >= self.most {
            answers.retain(|_, (at, _)| at.elapsed() < CACHED_FOR);
        }
        if answers.len() >= self.most {
            answers.clear();
        }
        answers.insert(key, (Instant::now(), places.to_vec()));
    }
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/geocode",
    tag = "Tag::Restaurants"
)]
impl Geocode {
    /// Places for an address, the likeliest first; at most five.
    ///
    /// Asks the geocoder that the operator has set, for at most three seconds. Send addresses of restaurants
    /// only, never a guest's.
    ///
    /// codes: GEOCODER_UNAVAILABLE
    #[oai(path = "/", method = "get", operation_id = "geocode_search")]
    async fn search(
        &self, scope: In<Restaurant, AnyOf<(perm::RestaurantGeneral, perm::SystemDeliveryRegion)>>,
        /// Words of the address.
        #[oai(validator(min_length = 3, max_length = 200))]
        q: Query<String>,
        /// Also the outlines of the places.
        outline: QueryParam<bool>, plugins: Data<&Plugins>,
    ) -> Result<Page<GeocodedPlace>> {
        let tx = scope.begin().await?;
        let mode: Option<String> = tx.value("select control.partner_mode() mode", []).await?;
        let mode = mode.ok_or(Code::UNKNOWN_ERROR)?;
        // The connection goes back before another company is asked.
        tx.commit().await?;
        let words = q.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let key = (mode == "live", words);
        let outlines = outline.unwrap_or(false);
        let cache = if outlines { &self.outlines } else { &self.places };
        let places = match cache.known(&key) {
            Some(places) => places,
            None => {
                let geocoder =
                    plugins.geocoder(Environment::of_mode(&mode)).ok_or(Code::GEOCODER_UNAVAILABLE)?;
                let places = geocoder.search(&key.1, LANGUAGES, outlines).await.map_err(|error| {
                    tracing::warn!(%error, "the geocoder does not answer");
                    let problem = Problem::new(Code::GEOCODER_UNAVAILABLE);
                    match (error.fault, error.retry_after) {
                        (CallFault::RateLimited, Some(seconds)) => problem.retry_after(seconds),
                        _ => problem,
                    }
                })?;
                cache.keep(key, &places);
                places
            }
        };
        Ok(Page::unpaged(places.into_iter().map(Into::into).collect()))
    }
}
