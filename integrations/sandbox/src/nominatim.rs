//! A geocoder with Nominatim's protocol that knows a few Hungarian addresses.
//!
//! The test that started it scripts the faults of the next calls.

use std::{
    collections::VecDeque,
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
};

use http_body_util::Full;
use hyper::{Request, Response, body::Bytes, body::Incoming, header};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use url::form_urlencoded;

use crate::{faults::LATE, http};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// This status, with a page instead of an answer.
    Status(u16),
    /// A page with status 200.
    Html,
    /// The answer comes 20 s later.
    Slow,
}

/// Postcode, city, street, number, and the place in the texts in which it is sent.
const ADDRESSES: &[[&str; 6]] = &[
    ["1052", "Budapest", "Váci utca", "12", "47.4938470", "19.0524330"],
    ["1072", "Budapest", "Dob utca", "5", "47.4969810", "19.0612360"],
    ["1051", "Budapest", "Nádor utca", "22", "47.5018700", "19.0489120"],
    ["6720", "Szeged", "Kárász utca", "9", "46.2521630", "20.1484760"],
    ["4024", "Debrecen", "Piac utca", "26", "47.5288410", "21.6250560"],
    ["7621", "Pécs", "Király utca", "15", "46.0763580", "18.2311070"],
    ["8230", "Balatonfüred", "Minta tér", "4", "46.9579340", "17.8890120"],
    ["9021", "Győr", "Baross Gábor út", "8", "47.6853160", "17.6343580"],
];

/// A town and its outline, which has two parts and a hole.
const TOWN: &str = "Balatonfüred";
const OUTLINE: &str = r#"{"type": "MultiPolygon", "coordinates": [
    [[[17.84, 46.94], [17.93, 46.94], [17.93, 46.99], [17.84, 46.99], [17.84, 46.94]],
     [[17.88, 46.96], [17.89, 46.96], [17.89, 46.97], [17.88, 46.96]]],
    [[[17.80, 46.95], [17.82, 46.95], [17.82, 46.97], [17.80, 46.95]]]]}"#;

#[derive(Default)]
pub struct StandIn {
    faults: Mutex<VecDeque<Fault>>,
    calls: Mutex<Vec<String>>,
    queries: Mutex<Vec<String>>,
}

impl StandIn {
    /// Scripts the fault of the next call without one.
    pub fn next(&self, fault: Fault) {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).push_back(fault);
    }

    /// Who called: the `User-Agent` of each call.
    #[must_use]
    pub fn calls(&self) -> Vec<String> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What was asked: the query of each call, decoded.
    #[must_use]
    pub fn queries(&self) -> Vec<String> {
        self.queries.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn answer(&self, request: &Request<Incoming>) -> Response<Full<Bytes>> {
        let agent = request
            .headers()
            .get(header::USER_AGENT)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
            .to_owned();
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).push(agent);
        let query: Vec<(String, String)> =
            form_urlencoded::parse(request.uri().query().unwrap_or_default().as_bytes())
                .into_owned()
                .collect();
        let decoded = query.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>();
        self.queries.lock().unwrap_or_else(PoisonError::into_inner).push(decoded.join("&"));
        let fault = self.faults.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        match fault {
            Some(Fault::Status(status)) => return page(status),
            Some(Fault::Html) => return page(200),
            Some(Fault::Slow) => tokio::time::sleep(LATE).await,
            None => {}
        }
        if request.uri().path() != "/search" {
            return page(404);
        }
        let asked = |name: &str| query.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str());
        let mut found = match asked("street") {
            Some(street) => by_parts(street, asked("city"), asked("postalcode")),
            None => search(asked("q").unwrap_or_default()),
        };
        let outlines = request.uri().query().unwrap_or_default().contains("polygon_geojson=1");
        if !outlines {
            found.iter_mut().filter_map(Value::as_object_mut).for_each(|place| drop(place.remove("geojson")));
        }
        let mut response = Response::new(Full::new(Bytes::from(Value::from(found).to_string())));
        response.headers_mut().insert(
            header::CONTENT_TYPE,
            header::HeaderValue::from_static("application/json; charset=utf-8"),
        );
        response
    }
}

fn page(status: u16) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from_static(b"<html><body>No.</body></html>")));
    *response.status_mut() = hyper::StatusCode::from_u16(status).unwrap_or_default();
    response
}

/// Addresses in which every word occurs, the house number left out: streets are found by any number.
fn search(words: &str) -> Vec<Value> {
    let folded = |text: &str| text.to_lowercase();
    let wanted: Vec<String> = words
        .split([' ', ','])
        .map(folded)
        .filter(|word| word.starts_with(char::is_alphabetic) && word != "hu" && word != "magyarország")
        .collect();
    if wanted.is_empty() {
        return vec![];
    }
    let number = words
        .split([' ', ','])
        .rfind(|word| word.len() < 4 && word.starts_with(|first: char| first.is_ascii_digit()));
    ADDRESSES
        .iter()
        .enumerate()
        .filter(|(_, [_, city, street, ..])| {
            let known = folded(&format!("{city} {street}"));
            wanted.iter().all(|word| known.split(' ').any(|one| one == word))
        })
        .map(|(id, [postcode, city, street, house, lat, lon])| {
            let town = wanted == [folded(TOWN)];
            let house_geometry = json!({"type": "Point", "coordinates": [0, 0]});
            json!({
                "geojson": if town { serde_json::from_str(OUTLINE).unwrap_or_default() } else { house_geometry },
                "place_id": id + 1, "osm_type": "node", "osm_id": 1000 + id, "category": "place",
                "type": "house", "place_rank": 30, "importance": 0.4,
                "lat": lat, "lon": lon, "boundingbox": [lat, lat, lon, lon],
                "display_name": format!("{}, {street}, {city}, {postcode}, Magyarország",
                    number.unwrap_or(house)),
                "address": {"house_number": number.unwrap_or(house), "road": street, "city": city,
                    "postcode": postcode, "country_code": "hu"},
            })
        })
        .collect()
}

/// The address of a street in a city or postcode; where only the town is known, the town, as Nominatim answers
/// too.
fn by_parts(street: &str, city: Option<&str>, postcode: Option<&str>) -> Vec<Value> {
    let in_town = |known: &Value, part: &str, asked: Option<&str>| {
        let of = known["address"][part].as_str().map(str::to_lowercase);
        asked.is_none_or(|asked| of == Some(asked.to_lowercase()))
    };
    let words = format!("{street} {}", city.unwrap_or_default());
    let mut found = search(&words);
    found.retain(|one| in_town(one, "city", city) && in_town(one, "postcode", postcode));
    if !found.is_empty() {
        return found;
    }
    let mut towns = search(city.unwrap_or_default());
    towns.truncate(1);
    for town in &mut towns {
        town["place_rank"] = 16.into();
        town["type"] = "administrative".into();
        town["address"] =
            json!({"city": town["address"]["city"], "postcode": postcode, "country_code": "hu"});
    }
    towns
}

/// Serves until the program ends.
pub async fn serve(listener: TcpListener, stand_in: Arc<StandIn>) {
    http::serve(listener, move |request| {
        let stand_in = stand_in.clone();
        async move { Ok::<_, Infallible>(stand_in.answer(&request).await) }
    })
    .await;
}
