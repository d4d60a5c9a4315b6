//! Places at the door: who waits for a connection, for how long, and who goes first. See
//! `docs/decisions/reliability.md#overload`.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use kernel::request::{self, Rank, Turn};
use sea_orm::{ConnAcquireErr, DbErr};
use tokio::sync::oneshot;

/// So many may wait. One more would not be served in time either.
const WAITING: usize = 4096;
/// So many of one turn, so that one partner's flood leaves room for others to wait.
const WAITING_OF_ONE: usize = 512;
/// For so long after another partner's last unit of work a partner leaves half of the places to others.
const LATELY: Duration = Duration::from_secs(1);

/// As many places as the pool has connections, shared by rank.
#[derive(Debug)]
pub(crate) struct Places {
    state: Mutex<State>,
    patience: Duration,
}

/// A place that was taken; it is given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    of: Option<Arc<Places>>,
    rank: Rank,
    turn: Turn,
}

impl Place {
    /// Of a connection that is none of the pool's.
    pub(crate) fn elsewhere() -> Self {
        Self { of: None, rank: Rank::Last, turn: Turn::Platform }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(places) = &self.of {
            places.give_back(self.rank, self.turn);
        }
    }
}

#[derive(Debug)]
struct Waiter {
    number: u64,
    turn: Turn,
    since: Instant,
    called: oneshot::Sender<Place>,
}

/// Those of one rank who wait.
#[derive(Debug, Default)]
struct Queue {
    /// Requests of which a unit of work has begun: what is begun is finished before something new begins.
    under_way: VecDeque<Waiter>,
    /// The others, by turn; within a turn, who came first goes first.
    new: HashMap<Turn, VecDeque<Waiter>>,
    /// Whose turn is next.
    order: VecDeque<Turn>,
}

impl Queue {
    fn push(&mut self, waiter: Waiter, under_way: bool) {
        if under_way {
            return self.under_way.push_back(waiter);
        }
        let waiting = self.new.entry(waiter.turn).or_default();
        if waiting.is_empty() {
            self.order.push_back(waiter.turn);
        }
        waiting.push_back(waiter);
    }

    /// How long the one has waited who is next in this turn.
    fn waited(&self, turn: Turn, now: Instant) -> Duration {
        let first = self.new.get(&turn).and_then(VecDeque::front);
        first.map_or(Duration::ZERO, |first| now.saturating_duration_since(first.since))
    }

    /// The next one whose turn may have one more place.
    fn next(&mut self, may: impl Fn(Turn) -> bool) -> Option<Waiter> {
        if let Some(found) = self.under_way.iter().position(|waiter| may(waiter.turn)) {
            return self.under_way.remove(found);
        }
        let turn = self.order.remove(self.order.iter().position(|turn| may(*turn))?)?;
        let waiting = self.new.get_mut(&turn)?;
        let waiter = waiting.pop_front();
        if waiting.is_empty() {
            self.new.remove(&turn);
        } else {
            self.order.push_back(turn);
        }
        waiter
    }

    /// Takes out one who does not wait any more; whether he did.
    fn leave(&mut self, number: u64, turn: Turn) -> bool {
        let take = |waiting: &mut VecDeque<Waiter>| {
            let found = waiting.iter().position(|waiter| waiter.number == number);
            found.and_then(|found| waiting.remove(found)).is_some()
        };
        if take(&mut self.under_way) {
            return true;
        }
        let Some(waiting) = self.new.get_mut(&turn) else { return false };
        let left = take(waiting);
        if waiting.is_empty() {
            self.new.remove(&turn);
            self.order.retain(|other| *other != turn);
        }
        left
    }
}

#[derive(Debug)]
struct State {
    all: usize,
    /// The most that each rank may have: seven eighths, so that orders that wait for each other leave something to
    /// everybody else, three quarters, and a quarter.
    shares: [usize; 3],
    /// Taken by each rank.
    taken: [usize; 3],
    /// Taken by each turn.
    held: HashMap<Turn, usize>,
    queues: [Queue; 3],
    waiting: usize,
    waiting_of: HashMap<Turn, usize>,
    /// The two turns that were taken last, the later one first.
    lately: [Option<(Turn, Instant)>; 2],
    next_number: u64,
}

impl State {
    fn may(&self, rank: Rank, turn: Turn, now: Instant) -> bool {
        self.has_room(rank) && self.may_turn(turn, now)
    }

    fn has_room(&self, rank: Rank) -> bool {
        self.taken.iter().sum::<usize>() < self.all && self.taken[rank as usize] < self.shares[rank as usize]
    }

    /// Beside others a partner has at most half of the places.
    fn may_turn(&self, turn: Turn, now: Instant) -> bool {
        let beside = |(other, at): &(Turn, Instant)| *other != turn && now - *at < LATELY;
        turn == Turn::Platform
            || self.held.get(&turn).is_none_or(|held| *held < (self.all / 2).max(1))
            || !self.lately.iter().flatten().any(beside)
    }

    /// Whether a new one would wait in vain: the first of his turn has waited for long, or too many wait.
    fn is_in_vain(&self, rank: Rank, turn: Turn, now: Instant, patience: Duration) -> bool {
        let of_one = self.waiting_of.get(&turn).copied().unwrap_or_default();
        self.queues[rank as usize].waited(turn, now) > patience / 2
            || self.waiting >= WAITING
            || of_one >= WAITING_OF_ONE
    }

    fn note(&mut self, turn: Turn, now: Instant) {
        if turn == Turn::Platform {
            return;
        }
        if self.lately[0].is_some_and(|(last, _)| last != turn) {
            self.lately[1] = self.lately[0];
        }
        self.lately[0] = Some((turn, now));
    }

    fn take(&mut self, rank: Rank, turn: Turn) {
        self.taken[rank as usize] += 1;
        *self.held.entry(turn).or_default() += 1;
    }

    fn give_back(&mut self, rank: Rank, turn: Turn) {
        self.taken[rank as usize] -= 1;
        lessen(&mut self.held, turn);
    }

    fn left(&mut self, turn: Turn) {
        self.waiting -= 1;
        lessen(&mut self.waiting_of, turn);
    }

    /// The next one who gets a place, and his rank.
    fn next(&mut self, now: Instant) -> Option<(Rank, Waiter)> {
        for rank in [Rank::First, Rank::Usual, Rank::Last] {
            if !self.has_room(rank) {
                continue;
            }
            let mut queue = std::mem::take(&mut self.queues[rank as usize]);
            let found = queue.next(|turn| self.may_turn(turn, now));
            self.queues[rank as usize] = queue;
            if let Some(waiter) = found {
                self.left(waiter.turn);
                return Some((rank, waiter));
            }
        }
        None
    }
}

fn lessen(counts: &mut HashMap<Turn, usize>, turn: Turn) {
    if let Some(count) = counts.get_mut(&turn) {
        *count -= 1;
        if *count == 0 {
            counts.remove(&turn);
        }
    }
}

/// One who waits; he leaves the queue when he gives up.
struct Waiting<'a> {
    places: &'a Places,
    number: u64,
    rank: Rank,
    turn: Turn,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut state = self.places.lock();
        if state.queues[self.rank as usize].leave(self.number, self.turn) {
            state.left(self.turn);
        }
    }
}

fn turned_away() -> DbErr {
    DbErr::ConnectionAcquire(ConnAcquireErr::Timeout)
}

impl Places {
    pub(crate) fn new(connections: u32, patience: Duration) -> Arc<Self> {
        let all = usize::try_from(connections.max(1)).unwrap_or(1);
        let state = State {
            all,
            shares: [all - all / 8, (all * 3).div_ceil(4), (all / 4).max(1)],
            taken: [0; 3],
            held: HashMap::new(),
            queues: Default::default(),
            waiting: 0,
            waiting_of: HashMap::new(),
            lately: [None; 2],
            next_number: 0,
        };
        Arc::new(Self { state: Mutex::new(state), patience })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many wait at this moment.
    pub(crate) fn waiting(&self) -> usize {
        self.lock().waiting
    }

    /// Whether the request under way, of which nothing has begun, would wait in vain for a place.
    pub(crate) fn is_in_vain(&self) -> bool {
        self.lock().is_in_vain(request::rank(), request::turn(), Instant::now(), self.patience)
    }

    /// Waits for a place in the turn of the request under way.
    pub(crate) async fn take(self: &Arc<Self>) -> Result<Place, DbErr> {
        self.take_as(request::turn()).await
    }

    /// Waits for a place in this turn. What is begun goes before what is new, the higher rank before the lower,
    /// and within a rank turns go round.
    pub(crate) async fn take_as(self: &Arc<Self>, turn: Turn) -> Result<Place, DbErr> {
        let begun = Instant::now();
        let place = self.turn_comes(request::rank(), turn, begun).await?;
        request::note_under_way();
        telemetry::measures::connection_wait(begun.elapsed());
        Ok(place)
    }

    async fn turn_comes(self: &Arc<Self>, rank: Rank, turn: Turn, now: Instant) -> Result<Place, DbErr> {
        let under_way = request::under_way();
        let (receiver, _waiting) = {
            let mut state = self.lock();
            state.note(turn, now);
            // Whoever waits already may not have one now: a place that comes free is given at once.
            if state.may(rank, turn, now) {
                state.take(rank, turn);
                return Ok(Place { of: Some(self.clone()), rank, turn });
            }
            if !under_way && state.is_in_vain(rank, turn, now, self.patience) || state.waiting >= WAITING * 2
            {
                return Err(turned_away());
            }
            let (called, receiver) = oneshot::channel();
            let number = state.next_number;
            state.next_number += 1;
            state.waiting += 1;
            *state.waiting_of.entry(turn).or_default() += 1;
            state.queues[rank as usize].push(Waiter { number, turn, since: now, called }, under_way);
            (receiver, Waiting { places: self, number, rank, turn })
        };
        let place = tokio::time::timeout(self.patience, receiver).await;
        place.map_err(|_| turned_away())?.map_err(|_| turned_away())
    }

    fn give_back(self: &Arc<Self>, rank: Rank, turn: Turn) {
        let now = Instant::now();
        let mut state = self.lock();
        state.give_back(rank, turn);
        while let Some((rank, waiter)) = state.next(now) {
            state.take(rank, waiter.turn);
            let place = Place { of: Some(self.clone()), rank, turn: waiter.turn };
            if let Err(mut place) = waiter.called.send(place) {
                // He has just given up. Dropping it would lock what is locked.
                place.of = None;
                state.give_back(rank, place.turn);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Id, request::Current};
    use rand::{Rng, SeedableRng, rngs::StdRng};

    use super::*;

    fn places(connections: u32) -> Arc<Places> {
        Places::new(connections, Duration::from_millis(50))
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
        places.lock().waiting_of.insert(one, WAITING_OF_ONE);
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
        let ([one, other], places) = (partners(), Places::new(1, Duration::from_millis(400)));
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
    async fn partners_take_turns_however_many_of_one_wait() {
        let ([flood, small], places) = (partners(), Places::new(1, Duration::from_secs(10)));
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
        let places = Places::new(5, Duration::from_millis(8));
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
        assert_eq!((state.taken, state.waiting), ([0; 3], 0));
        assert!(state.held.is_empty() && state.waiting_of.is_empty());
        assert!(
            state.queues.iter().all(|queue| {
                queue.under_way.is_empty() && queue.new.is_empty() && queue.order.is_empty()
            })
        );
    }
}
