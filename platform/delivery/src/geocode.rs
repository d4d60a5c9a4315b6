//! Searching an address, for the map of a restaurant's own settings.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use access::prelude::*;
use contract::{CallFault, Place, Plugins};
use poem::web::Data;

/// How long an answer is kept (Nominatim's policy asks for a cache): streets move seldom.
const CACHED_FOR: Duration = Duration::from_secs(30 * 86_400);
/// The most answers that an instance keeps.
const MOST: usize = 2_000;
/// Names of places in these languages.
const LANGUAGES: &str = "hu,en";

/// Found places with the time of the search, by mode of the partner and query.
type Answers = HashMap<(bool, String), (Instant, Vec<Place>)>;

#[derive(Default)]
pub(crate) struct Geocode {
    answers: Mutex<Answers>,
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
}

impl From<Place> for GeocodedPlace {
    fn from(Place { label, lat, lng }: Place) -> Self {
        let rounded = |degrees: f64| (degrees * 1e6).round() / 1e6;
        Self { label, coord_lat: rounded(lat), coord_lng: rounded(lng) }
    }
}

impl Geocode {
    fn answers(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self, key: &(bool, String)) -> Option<Vec<Place>> {
        self.answers().get(key).filter(|(at, _)| at.elapsed() < CACHED_FOR).map(|(_, places)| places.clone())
    }

    fn keep(&self, key: (bool, String), places: &[Place]) {
        let mut answers = self.answers();
        if answers.len() >= MOST {
            answers.retain(|_, (at, _)| at.elapsed() < CACHED_FOR);
        }
        if answers.len() >= MOST {
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
        &self,
        scope: In<Restaurant, perm::RestaurantGeneral>,
        /// Words of the address.
        #[oai(validator(min_length = 3, max_length = 200))]
        q: Query<String>,
        plugins: Data<&Plugins>,
    ) -> Result<Page<GeocodedPlace>> {
        let tx = scope.begin().await?;
        let mode: Option<String> = tx.value("select control.partner_mode() mode", []).await?;
        let mode = mode.ok_or(Code::UNKNOWN_ERROR)?;
        // The connection goes back before another company is asked.
        tx.commit().await?;
        let words = q.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let key = (mode == "live", words);
        let places = match self.known(&key) {
            Some(places) => places,
            None => {
                let geocoder = plugins.of(&mode).geocoder.clone().ok_or(Code::GEOCODER_UNAVAILABLE)?;
                let places = geocoder.search(&key.1, LANGUAGES).await.map_err(|error| {
                    tracing::warn!(%error, "the geocoder does not answer");
                    let problem = Problem::new(Code::GEOCODER_UNAVAILABLE);
                    match (error.fault, error.retry_after) {
                        (CallFault::RateLimited, Some(seconds)) => problem.retry_after(seconds),
                        _ => problem,
                    }
                })?;
                self.keep(key, &places);
                places
            }
        };
        Ok(Page::unpaged(places.into_iter().map(Into::into).collect()))
    }
}
