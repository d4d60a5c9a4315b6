//! The plug-in against the stand-in.
#![allow(clippy::unwrap_used)]

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use contract::{CallFault, Geocoder, GuestGeocoder, HouseAddress, Precision};
use nominatim::{CALLS, Guests, Nominatim};
use sandbox::nominatim::{Fault, StandIn, serve};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

async fn start() -> (Arc<StandIn>, Nominatim) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let stand_in = Arc::new(StandIn::default());
    tokio::spawn(serve(listener, stand_in.clone()));
    (
        stand_in,
        Nominatim::with_patience(&address.parse().unwrap(), "tests", Duration::from_millis(400)).unwrap(),
    )
}

#[tokio::test]
async fn an_address_is_found_with_its_coordinates_the_right_way_round() {
    let (stand_in, nominatim) = start().await;
    let found = nominatim.search("1052 Budapest, Váci utca 12", "hu,en", false).await.unwrap();
    let first = &found[0];
    assert!(first.label.contains("Váci utca"), "{}", first.label);
    assert!((first.lat - 47.49).abs() < 0.02 && (first.lng - 19.05).abs() < 0.02, "{first:?}");
    assert!(nominatim.search("Sehol Nincs utca 1", "hu", false).await.unwrap().is_empty());
    let calls = stand_in.calls();
    assert!(calls.iter().all(|agent| agent == "Pult (tests)"), "{calls:?}");
}

#[tokio::test]
async fn calls_keep_their_pace_and_the_queue_is_short() {
    let (stand_in, nominatim) = start().await;
    let begun = Instant::now();
    let many = (0..5).map(|_| nominatim.search("Balatonfüred", "hu", false));
    let answers = futures(many).await;
    assert!(begun.elapsed() >= Duration::from_secs(2), "{:?}", begun.elapsed());
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 3);
    let refused = answers.into_iter().find_map(Result::err).unwrap();
    assert_eq!(refused.fault, CallFault::RateLimited);
    assert!(refused.retry_after.is_some());
    assert_eq!(stand_in.calls().len(), 3);
}

#[tokio::test]
async fn faults_of_the_geocoder_are_distinguished() {
    for (fault, told) in [
        (Fault::Status(403), CallFault::RateLimited),
        (Fault::Status(429), CallFault::RateLimited),
        (Fault::Status(500), CallFault::Broken),
        (Fault::Status(302), CallFault::Protocol),
        (Fault::Html, CallFault::Protocol),
        (Fault::Slow, CallFault::Unreachable),
    ] {
        let (stand_in, nominatim) = start().await;
        stand_in.next(fault);
        let begun = Instant::now();
        assert_eq!(nominatim.search("Balatonfüred", "hu", false).await.unwrap_err().fault, told, "{fault:?}");
        assert!(begun.elapsed() < Duration::from_secs(1));
    }
    let nobody = Nominatim::new(&"http://127.0.0.1:1/".parse().unwrap(), "tests").unwrap();
    assert_eq!(nobody.search("Balatonfüred", "hu", false).await.unwrap_err().fault, CallFault::Unreachable);
}

fn house(street: &str) -> HouseAddress {
    HouseAddress {
        country: "HU".into(),
        postcode: Some("1052".into()),
        city: Some("Budapest".into()),
        street: street.into(),
        number: "12/B".into(),
    }
}

async fn guests() -> (Arc<StandIn>, Guests) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    let stand_in = Arc::new(StandIn::default());
    tokio::spawn(serve(listener, stand_in.clone()));
    (stand_in, Guests::with_patience(&address, "tests", Duration::from_millis(400)).unwrap())
}

#[tokio::test]
async fn a_guests_address_is_asked_for_by_its_parts() {
    let (stand_in, guests) = guests().await;
    let found = guests.places(&house("Váci utca")).await.unwrap();
    assert_eq!((found.len(), found[0].precision), (1, Precision::House));
    assert!((found[0].lat - 47.493_847).abs() < 1e-9 && (found[0].lng - 19.052_433).abs() < 1e-9);
    assert_eq!((found[0].country.as_deref(), found[0].postcode.as_deref()), (Some("HU"), Some("1052")));
    assert_eq!(found[0].cities, ["Budapest"]);
    let town = guests.places(&house("Nincs utca")).await.unwrap();
    assert_eq!((town.len(), town[0].precision), (1, Precision::Coarse));
    assert_eq!(
        stand_in.queries()[0],
        "format=jsonv2&limit=5&street=12/B Váci utca&countrycodes=hu&layer=address&addressdetails=1\
         &city=Budapest&postalcode=1052"
    );
}

#[tokio::test]
async fn a_rank_says_how_exact_a_place_is() {
    let of = |rank: &str| format!(r#"[{{"lat": "47.5", "lon": "19.1"{rank}}}]"#);
    for (rank, precision) in [
        (r#", "place_rank": 30"#, Precision::House),
        (r#", "place_rank": 29"#, Precision::Street),
        (r#", "place_rank": 26"#, Precision::Street),
        (r#", "place_rank": 25"#, Precision::Coarse),
        ("", Precision::Coarse),
    ] {
        let server = hostile_address("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n", of(rank), false).await;
        let guests = Guests::new(&server, "tests").unwrap();
        assert_eq!(guests.places(&house("Váci utca")).await.unwrap()[0].precision, precision, "{rank}");
    }
}

#[tokio::test]
async fn few_guests_wait_at_once_and_a_server_that_failed_is_left_alone() {
    let (stand_in, guests) = guests().await;
    for _ in 0..CALLS {
        stand_in.next(Fault::Slow);
    }
    let begun = Instant::now();
    let asked = house("Váci utca");
    let answers = futures((0..CALLS + 3).map(|_| guests.places(&asked))).await;
    let faults: Vec<CallFault> = answers.into_iter().map(|answer| answer.unwrap_err().fault).collect();
    assert_eq!(faults.iter().filter(|fault| **fault == CallFault::Unreachable).count(), CALLS);
    assert_eq!(faults.iter().filter(|fault| **fault == CallFault::RateLimited).count(), 3);
    let refused = guests.places(&asked).await.unwrap_err();
    assert_eq!((refused.fault, refused.retry_after), (CallFault::RateLimited, Some(10)));
    assert_eq!(stand_in.calls().len(), CALLS);
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    // A fault of one address is not the server's.
    let (stand_in, guests) = self::guests().await;
    stand_in.next(Fault::Status(400));
    assert_eq!(guests.places(&asked).await.unwrap_err().fault, CallFault::Invalid);
    assert!(guests.places(&asked).await.is_ok());
}

/// A server that answers every call with these bytes, optionally repeated without end.
async fn hostile(head: &'static str, body: String, endless: bool) -> Nominatim {
    let address = hostile_address(head, body, endless).await;
    Nominatim::with_patience(&address, "tests", Duration::from_secs(5)).unwrap()
}

async fn hostile_address(head: &'static str, body: String, endless: bool) -> url::Url {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 4096];
            let _ = stream.read(&mut request).await;
            let _ = stream.write_all(head.as_bytes()).await;
            while stream.write_all(body.as_bytes()).await.is_ok() && endless {}
        }
    });
    address.parse().unwrap()
}

#[tokio::test]
async fn hostile_answers_of_a_server_are_refused() {
    const OK: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";
    let place =
        |lat: &str, label: &str| format!(r#"{{"display_name": "{label}", "lat": "{lat}", "lon": "19.1"}}"#);
    let begun = Instant::now();
    for (head, body, endless) in [
        (OK, "[".repeat(900_000), false),
        (OK, r#"{"display_name": 1}"#.to_owned(), false),
        (OK, r#"[{"display_name": "x", "lat": 47.5, "lon": 19.1}]"#.to_owned(), false),
        (OK, " ".repeat(65_536), true),
        (OK, format!("[{}]", place("47.5", &"x".repeat(1_000_000))), false),
        ("HTTP/1.1 200 OK\r\ncontent-length: 9000000000\r\n\r\n", "[]".to_owned(), false),
        ("HTTP/1.1 200 OK\r\nx: ", "x".repeat(65_536), true),
        ("HTTP/1.1 999 Nonsense\r\n\r\n", String::new(), false),
        ("SSH-2.0-OpenSSH\r\n", String::new(), false),
        ("", String::new(), false),
    ] {
        let what = format!("{head:?} {:?} {endless}", &body[..body.len().min(40)]);
        let answer = hostile(head, body, endless).await.search("Balatonfüred", "hu", false).await;
        assert!(
            matches!(
                answer.as_ref().map_err(|error| error.fault),
                Err(CallFault::Protocol | CallFault::Unreachable)
            ),
            "{what}: {answer:?}"
        );
    }
    // Invalid coordinates and places beyond the limit are left out.
    let nowhere = ["NaN", "inf", "91", "-1e309", "", "0x10", "47,5"].map(|lat| place(lat, "x")).join(",");
    let long = place("47.5", &"á".repeat(1001));
    let many = vec![place("47.5", "x"); 2_000].join(",");
    for (places, wanted) in [(nowhere, 0), (long, 0), (many, 5)] {
        let found = hostile(OK, format!("[{places}]"), false)
            .await
            .search("Balatonfüred", "hu", false)
            .await
            .unwrap();
        assert_eq!(found.len(), wanted);
    }
    assert!(begun.elapsed() < Duration::from_secs(30));
}

/// All at once, in their order.
async fn futures<F: Future>(all: impl Iterator<Item = F>) -> Vec<F::Output> {
    let mut all: Vec<_> = all.map(Box::pin).collect();
    let mut done: Vec<Option<F::Output>> = all.iter().map(|_| None).collect();
    std::future::poll_fn(|context| {
        for (future, slot) in all.iter_mut().zip(&mut done) {
            if slot.is_none()
                && let std::task::Poll::Ready(output) = future.as_mut().poll(context)
            {
                *slot = Some(output);
            }
        }
        if done.iter().all(Option::is_some) { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    done.into_iter().flatten().collect()
}
