//! Geocoding.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use contract::{CallError, CallFault, Capability, Environment, Geocoder, Place, Plugins};
use testkit::kit;

/// Knows one street, counts its calls, and does not answer a search for the moon.
#[derive(Default)]
struct Town(AtomicUsize);

#[async_trait]
impl Geocoder for Town {
    async fn search(&self, words: &str, _: &str, outlines: bool) -> Result<Vec<Place>, CallError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        match words {
            "a holdon" => Err(CallError::harmless(CallFault::Unreachable)),
            "sietve" => {
                Err(CallError { retry_after: Some(7), ..CallError::harmless(CallFault::RateLimited) })
            }
            "a pokolban" => panic!("what nobody is told"),
            words if words.contains("váci utca") => Ok(vec![Place {
                label: "12, Váci utca, Budapest".to_owned(),
                lat: 47.493_847_04,
                lng: 19.052_433,
                outline: vec![],
            }]),
            "budapest" => Ok(vec![Place {
                label: "Budapest".to_owned(),
                lat: 47.5,
                lng: 19.0,
                outline: if outlines { vec![vec![(47.3, 18.9), (47.7, 18.9), (47.5, 19.4)]] } else { vec![] },
            }]),
            _ => Ok(vec![]),
        }
    }
}

fn everywhere(town: &Arc<Town>) -> Plugins {
    let of = || Capability::Geocoder(town.clone());
    testkit::plugins([(Environment::Live, of()), (Environment::StandIn, of())])
}

#[testkit::test]
async fn an_address_has_a_place_and_is_asked_for_once() {
    let town = Arc::new(Town::default());
    let place = kit().await.restaurant().await;
    let service = place.kit.with_plugins(everywhere(&town));
    let admin = place.admin().await.at(&service);
    let found =
        admin.get("/geocode?q=1052%20Budapest,%20V%C3%A1ci%20utca%2012").send().await.assert(200).json();
    assert_eq!(found[0]["label"], "12, Váci utca, Budapest");
    assert_eq!(
        (found[0]["coord_lat"].as_f64(), found[0]["coord_lng"].as_f64()),
        (Some(47.493_847), Some(19.052_433))
    );
    // The same words, however they are written.
    admin.get("/geocode?q=1052%20%20budapest,%20v%C3%A1ci%20UTCA%2012%20").send().await.assert(200);
    assert_eq!(town.0.load(Ordering::Relaxed), 1);
    assert_eq!(admin.get("/geocode?q=Sehol").send().await.assert(200).json(), serde_json::json!([]));

    // A place with its outline is another answer than one without.
    for (query, parts) in [("", 0), ("&outline=true", 1), ("&outline=false", 0)] {
        let found = admin.get(&format!("/geocode?q=Budapest{query}")).send().await.assert(200).json();
        let outline = found[0]["outline"].as_array().unwrap();
        assert_eq!(outline.len(), parts);
        if let Some(ring) = outline.first() {
            assert_eq!(ring[2], serde_json::json!({"lat": 47.5, "lng": 19.4}));
        }
    }

    // What went wrong is not kept: the next one asks again.
    for _ in 0..2 {
        admin.get("/geocode?q=a%20holdon").send().await.assert_problem(503, "GEOCODER_UNAVAILABLE");
    }
    let hurried = admin.get("/geocode?q=sietve").send().await.assert_problem(503, "GEOCODER_UNAVAILABLE");
    assert_eq!(hurried.header("retry-after"), Some("7"));
    assert_eq!(town.0.load(Ordering::Relaxed), 7);
    admin.get("/geocode?q=ab").send().await.assert_problem(422, "VALIDATION_FAILED");
}

/// A panic affects no other request and shows the caller no reason.
#[testkit::test]
async fn a_panic_is_answered_without_details() {
    let town = Arc::new(Town::default());
    let place = kit().await.restaurant().await;
    let service = place.kit.with_plugins(everywhere(&town));
    let admin = place.admin().await.at(&service);
    let answer = admin.get("/geocode?q=a%20pokolban").send().await;
    assert_eq!(answer.status, 500);
    assert!(
        answer.text().contains("UNKNOWN_ERROR") && !answer.text().contains("nobody is told"),
        "{}",
        answer.text()
    );
    assert_eq!(admin.get("/geocode?q=Sehol").send().await.assert(200).json(), serde_json::json!([]));
}

#[testkit::test]
async fn without_a_geocoder_the_search_is_unavailable() {
    let place = kit().await.restaurant().await;
    place.admin().await.get("/geocode?q=Budapest").send().await.assert_problem(503, "GEOCODER_UNAVAILABLE");
}
