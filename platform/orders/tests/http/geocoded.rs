//! Guests' addresses are placed by the geocoder that the operator has set for them.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use contract::{
    CallError, Capability, Environment, GuestGeocoder, HouseAddress, HousePlace, Plugins, Precision,
};
use futures_util::future::join_all;
use nominatim::{Guests, Nominatim};
use poem::endpoint::BoxEndpoint;
use sandbox::nominatim::{Fault, StandIn, serve};
use serde_json::{Value, json};
use testkit::{Client, Place, kit};
use tokio::{net::TcpListener, sync::Barrier};
use url::Url;

use super::{Menu, amount, order, pickup, prepared, quoted, with};

/// The stand-in knows it in 9021 Győr, with any number.
const STREET: &str = "Baross Gábor út";
const PLACE: [f64; 2] = [47.685_316, 17.634_358];

async fn stand_in() -> (Arc<StandIn>, Url) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    let stand_in = Arc::new(StandIn::default());
    tokio::spawn(serve(listener, stand_in.clone()));
    (stand_in, address)
}

fn guests(environment: Environment, geocoder: impl GuestGeocoder + 'static) -> Plugins {
    testkit::plugins([(environment, Capability::GuestGeocoder(Arc::new(geocoder)))])
}

/// The service with this geocoder for guests of live partners.
async fn live(geocoder: impl GuestGeocoder + 'static) -> BoxEndpoint<'static> {
    kit().await.with_plugins(guests(Environment::Live, geocoder))
}

/// A number that no other test asks for: answers are kept.
fn number() -> String {
    (uuid::Uuid::now_v7().as_u128() % 10_000_000).to_string()
}

/// *Közel*, 500 Ft, a square around the street's place.
async fn region(place: &Place<'_>, admin: &Client<'_>) -> Value {
    let sql = format!("update {}.restaurant set delivery_method = 'gps_based' where id = $1", place.schema);
    place.kit.run(&sql, vec![place.restaurant.into()]).await;
    let body = json!({"name": "Közel", "price": 500, "min_order_price": 3000});
    let region = admin.post("/delivery-regions").json(body).send().await.assert(201).json();
    let at = |north: f64, east: f64| json!({"lat": PLACE[0] + north, "lng": PLACE[1] + east});
    let ring = [at(-0.01, -0.01), at(-0.01, 0.01), at(0.01, 0.01), at(0.01, -0.01)];
    let shape = json!({"delivery_region_id": region["id"], "polygon_type": "polygon", "polygon_data": {"points": ring}});
    admin.post("/delivery-regions/polygons").json(shape).send().await.assert(201);
    region
}

async fn street(admin: &Client<'_>, region: &Value, fields: Value) {
    let path = format!("/delivery-regions/{}/streets", region["id"].as_str().unwrap());
    admin.post(&path).json(fields).send().await.assert(201);
}

fn delivered(menu: &Menu, (postcode, city): (&str, &str), street: &str, number: &str) -> Value {
    let address = json!({"postcode": postcode, "city": city, "street": street, "premise_number": number,
        "floor": "III", "doorbell": "Vendég", "address_notes": "kutya"});
    with(with(pickup(menu), "pickup", json!(false)), "delivery_data", address)
}

const GYOR: (&str, &str) = ("9021", "Győr");

fn reasons(quote: &Value) -> Vec<(String, Value)> {
    let reasons = quote["reasons"].as_array().unwrap().iter();
    reasons.map(|one| (one["reason"].as_str().unwrap().to_owned(), one["detail"].clone())).collect()
}

fn nowhere(detail: Value) -> Vec<(String, Value)> {
    vec![("no_delivery_there".to_owned(), detail)]
}

#[testkit::test]
async fn an_address_is_placed_once_and_prices_its_orders() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let region = region(&place, &admin).await;
    let (stand_in, address) = stand_in().await;
    let service = live(Guests::new(&address, "tests").unwrap()).await;
    let (admin, key, number) = (admin.at(&service), key.at(&service), number());
    let body = delivered(&menu, GYOR, STREET, &format!("{number}."));
    let quote = quoted(&key, &body).await;
    assert_eq!((amount(&quote["delivery_price"]), &quote["acceptable"]), (500, &json!(true)));
    assert_eq!(quote["delivery_region"]["found_by"], json!("geocoded"));
    // The same house in other words.
    let other = delivered(&menu, ("H-9021", "GYŐR"), "baross gabor út", &number);
    for body in [body, other] {
        let made = order(&key, body).await.assert(201).json();
        assert_eq!(
            (&made["delivery_region_id"], &made["delivery_found_by"], &made["delivery_address_region_id"]),
            (&region["id"], &json!("geocoded"), &Value::Null)
        );
        assert_eq!((&made["coord_lat"], &made["coord_lng"]), (&json!(PLACE[0]), &json!(PLACE[1])));
    }
    let query = format!("?postcode=9021&city=Győr&street=Baross%20Gábor%20út%20{number}");
    for path in ["/delivery-regions/check", "/public/delivery/check"] {
        let found = admin.get(&format!("{path}{query}")).send().await.assert(200).json();
        assert_eq!((&found["geocoded"], &found["winner"]["by"]), (&json!(true), &json!("geocoded")));
    }
    // Number, street, town and country, and nothing of the guest.
    let asked = format!(
        "format=jsonv2&limit=5&street={number} {STREET}&countrycodes=hu&layer=address&addressdetails=1\
         &city=Győr&postalcode=9021"
    );
    assert_eq!(stand_in.queries(), [asked]);
    let sql = format!(
        "select count(*) as readable from {}.delivery_place p where p::text ilike '%baross%' or p::text ilike \
         '%' || $1 || '%'",
        place.schema
    );
    let row = place.kit.row(&sql, vec![number.clone().into()]).await;
    assert_eq!(row.try_get::<i64>("", "readable").unwrap(), 0, "no address lies in plain text");
    // In a trial of promotions, too.
    let mut trial = json!({"cart": super::cart(&delivered(&menu, GYOR, STREET, &number))});
    trial["cart"].as_object_mut().unwrap().remove("phone_1");
    let tried = admin.post("/discounts/try").json(trial).send().await.assert(200).json();
    assert_eq!(amount(&tried["now"]["delivery_price"]), 500);
    assert_eq!(stand_in.queries().len(), 1);
}

#[testkit::test]
async fn what_is_not_found_exactly_is_unknown() {
    // Of its own: what is kept is made older.
    let place = kit().await.partner().await;
    let (admin, menu, key) = prepared(&place).await;
    let region = region(&place, &admin).await;
    let (stand_in, address) = stand_in().await;
    let service = live(Guests::new(&address, "tests").unwrap()).await;
    let (admin, key, number) = (admin.at(&service), key.at(&service), number());
    let unknown = nowhere(json!("place_unknown"));
    // Nowhere; only the town is known.
    for (town, street) in [(("1000", "Sehol"), STREET), (GYOR, "Nincs utca")] {
        let body = delivered(&menu, town, street, &number);
        let before = stand_in.calls().len();
        for _ in 0..2 {
            assert_eq!(reasons(&quoted(&key, &body).await), unknown, "{street}");
        }
        assert_eq!(stand_in.calls().len(), before + 1, "that there is none is kept, too");
        // Staff choose a region; then nobody is asked.
        let phone = with(body, "platform", json!("phone"));
        let chosen = with(phone, "delivery_region_id", region["id"].clone());
        assert_eq!(quoted(&admin, &chosen).await["delivery_region"]["found_by"], json!("staff"));
    }
    let asked = stand_in.calls().len();
    // Known, and beside every shape.
    let far = delivered(&menu, ("4024", "Debrecen"), "Piac utca", &number);
    assert_eq!(reasons(&quoted(&key, &far).await), nowhere(Value::Null));
    let query = format!("postcode=4024&city=Debrecen&street=Piac%20utca%20{number}");
    let found = admin.get(&format!("/delivery-regions/check?{query}")).send().await.assert(200).json();
    assert_eq!(
        (&found["geocoded"], &found["reason"], &found["nearest"]["name"]),
        (&json!(true), &json!("no_delivery_there"), &json!("Közel"))
    );
    let anyway = with(with(far, "platform", json!("phone")), "override_reason", json!("útba esik"));
    let made = order(&admin, anyway).await.assert(201).json();
    assert_eq!((&made["delivery_found_by"], &made["coord_lat"]), (&json!("outside"), &json!(47.528_841)));
    assert_eq!(stand_in.calls().len(), asked + 1);
    // A postcode of another town is another place.
    let mixed = delivered(&menu, ("4024", "Győr"), STREET, &number);
    assert_eq!(reasons(&quoted(&key, &mixed).await), unknown);
    // A kept answer ends.
    let age = format!("update {}.delivery_place set kept_until = now()", place.schema);
    place.kit.run(&age, vec![]).await;
    quoted(&key, &mixed).await;
    assert_eq!(stand_in.calls().len(), asked + 3);
}

#[testkit::test]
async fn the_list_of_streets_goes_before_the_geocoder_where_it_names_the_street() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    region(&place, &admin).await;
    let (stand_in, address) = stand_in().await;
    let service = live(Guests::new(&address, "tests").unwrap()).await;
    let (admin, key, number) = (admin.at(&service), key.at(&service), number());
    let body = json!({"name": "Utcák", "price": 700, "min_order_price": 0});
    let listed = admin.post("/delivery-regions").json(body).send().await.assert(201).json();
    street(&admin, &listed, json!({"name": "*", "postcode": "9021"})).await;
    street(&admin, &listed, json!({"name": "*", "postcode": "4024"})).await;
    street(&admin, &listed, json!({"name": "Piac tér", "postcode": "4024"})).await;
    street(&admin, &listed, json!({"name": "Kossuth utca", "postcode": "9021"})).await;
    for (what, town, street, price, by, asked) in [
        ("a street that is named", GYOR, "Kossuth u.", 700, "street", 0),
        ("a shape goes before a whole postcode", GYOR, STREET, 500, "geocoded", 1),
        ("the list goes on where no shape is", ("4024", "Debrecen"), "Piac utca", 700, "street", 2),
    ] {
        let quote = quoted(&key, &delivered(&menu, town, street, &number)).await;
        assert_eq!(
            (amount(&quote["delivery_price"]), quote["delivery_region"]["found_by"].as_str()),
            (price, Some(by)),
            "{what}"
        );
        assert_eq!(stand_in.calls().len(), asked, "{what}");
    }
    let made = order(&key, delivered(&menu, ("4024", "Debrecen"), "Piac utca", &number)).await.assert(201);
    assert_eq!(made.json()["coord_lat"], Value::Null, "the geocoder's place did not price it");
}

#[testkit::test]
async fn nobody_is_asked_without_need() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let (stand_in, address) = stand_in().await;
    let guests_of = || Guests::new(&address, "tests").unwrap();
    let service = live(guests_of()).await;
    let body = delivered(&menu, GYOR, STREET, &number());
    quoted(&key.at(&service), &body).await;
    assert_eq!(stand_in.calls().len(), 0, "no regions");
    region(&place, &admin).await;
    // The geocoder for addresses of restaurants hears of no guest.
    let restaurants = || Capability::Geocoder(Arc::new(Nominatim::new(&address, "tests").unwrap()));
    let restaurants =
        testkit::plugins([(Environment::Live, restaurants()), (Environment::StandIn, restaurants())]);
    for (what, plugins) in
        [("none for guests", restaurants), ("only the stand-in", guests(Environment::StandIn, guests_of()))]
    {
        let service = place.kit.with_plugins(plugins);
        let refused = quoted(&key.at(&service), &body).await;
        assert_eq!(reasons(&refused), nowhere(json!("place_unknown")), "{what}");
    }
    let key = key.at(&service);
    let at = with(with(body.clone(), "coord_lat", json!(47.0)), "coord_lng", json!(19.0));
    let unplaced = |field: &str, value: &str| {
        let mut body = body.clone();
        body["delivery_data"][field] = json!(value);
        body
    };
    for (what, body) in [
        ("coordinates", at),
        ("fetched", with(body.clone(), "pickup", json!(true))),
        ("no number", unplaced("premise_number", "hrsz.")),
        ("more than an address", unplaced("street", "vendeg@example.com utca")),
        ("a phone", unplaced("street", "06 30 123 4567 utca")),
    ] {
        quoted(&key, &body).await;
        assert_eq!(stand_in.calls().len(), 0, "{what}");
    }
    let sql =
        format!("update {}.restaurant set delivery_method = 'street_based' where id = $1", place.schema);
    place.kit.run(&sql, vec![place.restaurant.into()]).await;
    assert_eq!(reasons(&quoted(&key, &body).await), nowhere(json!("place_unknown")), "by streets only");
    assert_eq!(stand_in.calls().len(), 0);
}

#[testkit::test]
async fn a_geocoder_that_fails_holds_orders_up_once() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    region(&place, &admin).await;
    let (stand_in, address) = stand_in().await;
    let unknown = nowhere(json!("place_unknown"));
    let down: Url = "http://127.0.0.1:1/".parse().unwrap();
    for (server, fault, calls, most) in [
        (&address, Some(Fault::Status(500)), 1, Duration::from_secs(1)),
        (&address, Some(Fault::Status(429)), 1, Duration::from_secs(1)),
        (&address, Some(Fault::Html), 1, Duration::from_secs(1)),
        (&down, None, 0, Duration::from_secs(1)),
        // The last: what a process does once is done by then.
        (&address, Some(Fault::Slow), 1, Duration::from_secs(3)),
    ] {
        let service = live(Guests::new(server, "tests").unwrap()).await;
        let key = key.at(&service);
        let before = stand_in.calls().len();
        fault.into_iter().for_each(|fault| stand_in.next(fault));
        for most in [most, Duration::from_secs(1), Duration::from_secs(1)] {
            let began = Instant::now();
            let body = delivered(&menu, GYOR, STREET, &number());
            assert_eq!(reasons(&quoted(&key, &body).await), unknown, "{fault:?}");
            assert!(began.elapsed() < most, "{fault:?}: {:?}", began.elapsed());
        }
        assert_eq!(stand_in.calls().len(), before + calls, "{fault:?}: it is left alone");
    }
    // What failed is not kept.
    let service = live(Guests::new(&address, "tests").unwrap()).await;
    let quote = quoted(&key.at(&service), &delivered(&menu, GYOR, STREET, &number())).await;
    assert_eq!(quote["delivery_region"]["found_by"], json!("geocoded"));
}

/// Answers when so many guests wait at once.
struct Crowd(Barrier);

#[async_trait]
impl GuestGeocoder for Crowd {
    async fn places(&self, _: &HouseAddress) -> Result<Vec<HousePlace>, CallError> {
        self.0.wait().await;
        Ok(vec![HousePlace {
            lat: PLACE[0],
            lng: PLACE[1],
            precision: Precision::House,
            country: Some("HU".into()),
            postcode: Some("9021".into()),
            cities: vec![],
        }])
    }
}

#[testkit::test]
async fn guests_who_wait_for_the_geocoder_hold_no_connection() {
    // More than the service has connections.
    const GUESTS: usize = 16;
    let place = kit().await.restaurant().await;
    let (admin, menu, _) = prepared(&place).await;
    region(&place, &admin).await;
    let service = live(Crowd(Barrier::new(GUESTS))).await;
    let admin = admin.at(&service);
    let bodies: Vec<Value> = (0..GUESTS).map(|_| delivered(&menu, GYOR, STREET, &number())).collect();
    let quotes = tokio::time::timeout(
        Duration::from_secs(10),
        join_all(bodies.iter().map(|body| quoted(&admin, body))),
    );
    for quote in quotes.await.expect("no quote waits for a connection of another one") {
        assert_eq!(quote["delivery_region"]["found_by"], json!("geocoded"));
    }
}

#[testkit::test]
async fn a_partner_that_is_not_live_asks_the_stand_in() {
    let place = kit().await.partner().await;
    let (admin, menu, key) = prepared(&place).await;
    region(&place, &admin).await;
    let ((real, of_real), (stand_in, of_stand_in)) = (self::stand_in().await, self::stand_in().await);
    let of = |address: &Url| Capability::GuestGeocoder(Arc::new(Guests::new(address, "tests").unwrap()));
    let service = place.kit.with_plugins(testkit::plugins([
        (Environment::Live, of(&of_real)),
        (Environment::StandIn, of(&of_stand_in)),
    ]));
    let sandbox = "update control.partner set mode = 'sandbox' where id = $1";
    place.kit.run(sandbox, vec![place.partner.into()]).await;
    let quote = quoted(&key.at(&service), &delivered(&menu, GYOR, STREET, "1")).await;
    assert_eq!(quote["delivery_region"]["found_by"], json!("geocoded"));
    assert_eq!((real.calls().len(), stand_in.calls().len()), (0, 1));
    // Answers are not kept without end.
    let many = format!(
        "insert into {}.delivery_place (address_key, kept_until) select decode(md5(n::text), 'hex'), now() + \
         n * interval '1 second' from generate_series(-10, 21000) n",
        place.schema
    );
    place.kit.run(&many, vec![]).await;
    place.kit.run("select control.prune_events($1)", vec![place.partner.into()]).await;
    let count = format!("select count(*) as kept from {}.delivery_place", place.schema);
    let row = place.kit.row(&count, vec![]).await;
    assert_eq!(row.try_get::<i64>("", "kept").unwrap(), 20_000);
}
