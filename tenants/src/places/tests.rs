use std::collections::VecDeque;

use kernel::{Id, request::Current};
use rand::{Rng, SeedableRng, rngs::StdRng};

use super::*;

const HOUR: Duration = Duration::from_secs(3600);

fn places(connections: u32) -> Arc<Places> {
    Places::new(connections, Duration::from_millis(50), HOUR)
}

fn partners<const N: usize>() -> [Turn; N] {
    std::array::from_fn(|_| Turn::Partner(Id::new()))
}

async fn take(places: &Arc<Places>, rank: Rank, turn: Turn) -> Result<Place, DbErr> {
    let current = Current::new(String::new(), false, rank, None);
    current.scope(places.take_as(turn)).await
}

async fn taken(places: &Arc<Places>, rank: Rank, turn: Turn, most: usize) -> Vec<Place> {
    let mut taken = Vec::new();
    while taken.len() < most
        && let Ok(place) = take(places, rank, turn).await
    {
        taken.push(place);
    }
    taken
}

/// One who waits in this turn; the place, once it comes.
fn waits(places: &Arc<Places>, turn: Turn) -> tokio::task::JoinHandle<Result<Place, DbErr>> {
    let places = places.clone();
    tokio::spawn(async move { take(&places, Rank::Usual, turn).await })
}

async fn until_waiting(places: &Places, count: usize) {
    while places.waiting() != count {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn each_rank_has_its_share() {
    let [one] = partners();
    for (connections, all, usual, last) in
        [(1, 1, 1, 1), (2, 2, 2, 1), (4, 4, 3, 1), (16, 14, 12, 4), (40, 35, 30, 10)]
    {
        for (rank, share) in [(Rank::First, all), (Rank::Usual, usual), (Rank::Last, last)] {
            let found = taken(&places(connections), rank, one, 100).await.len();
            assert_eq!(found, share, "{connections} {rank:?}");
        }
    }
}

#[tokio::test]
async fn an_order_finds_a_place_while_all_others_wait() {
    let ([one], places) = (partners(), places(8));
    let (usual, last) =
        (taken(&places, Rank::Usual, one, 100).await, taken(&places, Rank::Last, one, 100).await);
    assert_eq!((usual.len(), last.len()), (6, 2));
    // All are taken: one who goes first is served as soon as any is given back.
    drop(last);
    assert_eq!(taken(&places, Rank::First, one, 100).await.len(), 2);
    drop(usual);
    assert_eq!(
        taken(&places, Rank::Last, one, 100).await.len(),
        2,
        "a place that is given back can be taken"
    );
    assert_eq!(places.waiting(), 0);
}

#[tokio::test]
async fn who_leaves_while_waiting_is_not_counted_any_more() {
    let ([one, other], places) = (partners(), places(1));
    let held = take(&places, Rank::First, one).await.unwrap();
    let waiting = waits(&places, one);
    until_waiting(&places, 1).await;
    waiting.abort();
    assert!(waiting.await.is_err());
    assert_eq!(places.waiting(), 0);
    places.lock().waiting[Rank::Usual as usize].of.insert(one, WAITING_OF_ONE);
    let begun = Instant::now();
    assert!(take(&places, Rank::First, one).await.is_err());
    assert!(begun.elapsed() >= Duration::from_millis(50), "an order goes before all those, so it may wait");
    places.lock().waiting[Rank::First as usize].of.insert(one, WAITING_OF_ONE);
    let begun = Instant::now();
    assert!(take(&places, Rank::First, one).await.is_err(), "too many of its own wait already");
    assert!(begun.elapsed() < Duration::from_millis(40), "who is turned away knows it at once");
    assert!(take(&places, Rank::First, other).await.is_err());
    assert!(begun.elapsed() >= Duration::from_millis(50), "another one may wait for its turn");
    drop(held);
    assert!(take(&places, Rank::First, other).await.is_ok());
}

#[tokio::test]
async fn who_would_wait_in_vain_is_turned_away_at_once() {
    let ([one, other], places) = (partners(), Places::new(1, Duration::from_millis(400), HOUR));
    let held = take(&places, Rank::Usual, one).await.unwrap();
    let first = waits(&places, one);
    until_waiting(&places, 1).await;
    tokio::time::sleep(Duration::from_millis(220)).await;
    let begun = Instant::now();
    assert!(take(&places, Rank::Usual, one).await.is_err());
    assert!(begun.elapsed() < Duration::from_millis(100));
    let next = waits(&places, other);
    until_waiting(&places, 2).await;
    drop(held);
    for waiting in [first, next] {
        assert!(waiting.await.unwrap().is_ok());
    }
}

#[tokio::test]
async fn who_would_wait_in_vain_by_the_pace_of_those_before_is_turned_away_at_once() {
    let ([one, other], places) = (partners(), Places::new(5, Duration::from_millis(400), HOUR));
    let _slow = taken(&places, Rank::Usual, one, 3).await;
    let mut held = take(&places, Rank::Usual, one).await.unwrap();
    let mut waiting = VecDeque::new();
    for number in 1..=100 {
        waiting.push_back(waits(&places, one));
        until_waiting(&places, number).await;
    }
    for served in 0..5 {
        assert!(!places.is_in_vain(Rank::Usual, one), "{served} are too few to know how long each takes");
        tokio::time::sleep(Duration::from_millis(10)).await;
        drop(held);
        held = waiting.pop_front().unwrap().await.unwrap().unwrap();
    }
    // 95 wait, 10 ms each; the first of them has not waited for half of the patience.
    assert!(places.is_in_vain(Rank::Usual, one));
    assert!(!places.is_in_vain(Rank::First, one), "an order goes before them");
    assert!(!places.is_in_vain(Rank::Usual, other), "it is another one's turn");
    drop(held);
    for last in waiting {
        last.await.unwrap().unwrap();
    }
    assert!(!places.is_in_vain(Rank::Usual, one), "nobody waits any more");
}

/// Those who hold all places when a burst comes end almost at once, after having been slow: the first of those who
/// wait saw nobody before him, and waited as long as the others.
#[tokio::test]
async fn a_burst_behind_a_slow_beginning_is_served() {
    let ([one], places) = (partners(), Places::new(32, Duration::from_millis(400), HOUR));
    let held = taken(&places, Rank::Usual, one, 100).await;
    let mut waiting = Vec::new();
    for number in 1..=60 {
        waiting.push(waits(&places, one));
        until_waiting(&places, number).await;
    }
    tokio::time::sleep(Duration::from_millis(80)).await;
    let mut ended = 0;
    for place in held {
        drop(place);
        ended += 1;
        assert!(!places.is_in_vain(Rank::Usual, one), "after {ended}");
    }
    for last in waiting {
        last.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn partners_take_turns_however_many_of_one_wait() {
    let ([flood, small], places) = (partners(), Places::new(1, Duration::from_secs(10), HOUR));
    let held = take(&places, Rank::Usual, flood).await.unwrap();
    let served = Arc::new(Mutex::new(Vec::new()));
    let mut tasks = Vec::new();
    for (waiting, turn) in [flood; 20].into_iter().chain([small; 3]).enumerate() {
        let (taking, served) = (places.clone(), served.clone());
        tasks.push(tokio::spawn(async move {
            let place = take(&taking, Rank::Usual, turn).await.unwrap();
            served.lock().unwrap().push(turn);
            drop(place);
        }));
        until_waiting(&places, waiting + 1).await;
    }
    drop(held);
    for task in tasks {
        task.await.unwrap();
    }
    let first = [flood, small, flood, small, flood, small, flood];
    assert_eq!(served.lock().unwrap()[..7], first);
}

#[tokio::test]
async fn beside_others_a_partner_has_half_of_the_places() {
    let ([flood, small], places) = (partners(), places(8));
    assert_eq!(taken(&places, Rank::Usual, flood, 100).await.len(), 6, "alone it has the whole share");
    drop(take(&places, Rank::Usual, small).await.unwrap());
    let half = taken(&places, Rank::Usual, flood, 100).await;
    assert_eq!(half.len(), 4);
    assert_eq!(taken(&places, Rank::First, small, 100).await.len(), 4);
    assert_eq!(taken(&places, Rank::Usual, Turn::Platform, 100).await.len(), 2, "it is nobody's rival");
}

#[tokio::test]
async fn a_partner_is_beside_another_for_a_second() {
    let [one, other] = [Id::new(), Id::new()];
    let places = places(8);
    for turn in [Turn::Partner(one), Turn::Unknown, Turn::Platform, Turn::Partner(one)] {
        drop(take(&places, Rank::Usual, turn).await.unwrap());
        assert!(!places.serves_beside(one), "alone");
    }
    for turn in [Turn::Partner(other), Turn::Unknown, Turn::Partner(one)] {
        drop(take(&places, Rank::Usual, turn).await.unwrap());
        assert!(places.serves_beside(one) && places.serves_beside(other));
    }
    tokio::time::sleep(LATELY).await;
    assert!(!places.serves_beside(one));
}

#[tokio::test]
async fn what_is_begun_is_finished_before_something_new_begins() {
    let ([one], places) = (partners(), places(1));
    let held = take(&places, Rank::Usual, one).await.unwrap();
    let new = waits(&places, one);
    until_waiting(&places, 1).await;
    let current = Current::new(String::new(), false, Rank::Usual, None);
    let begun = tokio::spawn({
        let places = places.clone();
        current.scope(async move {
            request::note_under_way();
            places.take_as(one).await
        })
    });
    until_waiting(&places, 2).await;
    drop(held);
    let place = begun.await.unwrap().unwrap();
    assert!(!new.is_finished());
    drop(place);
    assert!(new.await.unwrap().is_ok());
}

/// Whoever comes, waits, gives up or holds in whatever order: shares hold, and in the end all are free.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_place_is_lost_or_given_twice() {
    let turns: [Turn; 3] = partners();
    let places = Places::new(5, Duration::from_millis(8), HOUR);
    let tasks = (0..400_u64).map(|seed| {
        let (places, turn) = (places.clone(), turns[seed as usize % 3]);
        tokio::spawn(async move {
            let mut random = StdRng::seed_from_u64(seed);
            for _ in 0..10 {
                let rank = [Rank::First, Rank::Usual, Rank::Last][random.random_range(0..3)];
                let patience = Duration::from_micros(random.random_range(0..12_000));
                let hold = Duration::from_micros(random.random_range(0..400));
                let place = tokio::time::timeout(patience, take(&places, rank, turn)).await;
                {
                    let state = places.lock();
                    assert!(state.taken.iter().sum::<usize>() <= 5);
                    assert!(state.taken[1] <= 4 && state.taken[2] <= 1);
                }
                tokio::time::sleep(hold).await;
                drop(place);
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    let state = places.lock();
    assert_eq!((state.taken, state.waiting_till(Rank::Last)), ([0; 3], 0));
    assert!(state.held.is_empty() && state.waiting.iter().all(|waiting| waiting.of.is_empty()));
    assert!(
        state
            .queues
            .iter()
            .all(|queue| { queue.under_way.is_empty() && queue.new.is_empty() && queue.order.is_empty() })
    );
}
