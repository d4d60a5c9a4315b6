//! The plug-in against the stand-in.
#![allow(clippy::unwrap_used)]

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use contract::{CallFault, Geocoder};
use nominatim::Nominatim;
use sandbox::nominatim::{Fault, StandIn, serve};
use tokio::net::TcpListener;

async fn start() -> (Arc<StandIn>, Nominatim) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let stand_in = Arc::new(StandIn::default());
    tokio::spawn(serve(listener, stand_in.clone()));
    (stand_in, Nominatim::with_patience(&address.parse().unwrap(), "tests", Duration::from_millis(400)).unwrap())
}

#[tokio::test]
async fn an_address_is_found_with_its_coordinates_the_right_way_round() {
    let (stand_in, nominatim) = start().await;
    let found = nominatim.search("1052 Budapest, Váci utca 12", "hu,en").await.unwrap();
    let first = &found[0];
    assert!(first.label.contains("Váci utca"), "{}", first.label);
    assert!((first.lat - 47.49).abs() < 0.02 && (first.lng - 19.05).abs() < 0.02, "{first:?}");
    assert!(nominatim.search("Sehol Nincs utca 1", "hu").await.unwrap().is_empty());
    let calls = stand_in.calls();
    assert!(calls.iter().all(|agent| agent == "Pult (tests)"), "{calls:?}");
}

#[tokio::test]
async fn calls_keep_their_pace_and_the_queue_is_short() {
    let (stand_in, nominatim) = start().await;
    let begun = Instant::now();
    let many = (0..5).map(|_| nominatim.search("Balatonfüred", "hu"));
    let answers = futures(many).await;
    assert!(begun.elapsed() >= Duration::from_secs(2), "{:?}", begun.elapsed());
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 3);
    let refused = answers.into_iter().find_map(Result::err).unwrap();
    assert_eq!(refused.fault, CallFault::RateLimited);
    assert!(refused.retry_after.is_some());
    assert_eq!(stand_in.calls().len(), 3);
}

#[tokio::test]
async fn what_goes_wrong_there_is_told_apart() {
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
        assert_eq!(nominatim.search("Balatonfüred", "hu").await.unwrap_err().fault, told, "{fault:?}");
        assert!(begun.elapsed() < Duration::from_secs(1));
    }
    let nobody = Nominatim::new(&"http://127.0.0.1:1/".parse().unwrap(), "tests").unwrap();
    assert_eq!(nobody.search("Balatonfüred", "hu").await.unwrap_err().fault, CallFault::Unreachable);
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
