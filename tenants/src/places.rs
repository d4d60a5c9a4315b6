//! Places at the door: the queue for connections, its limits and its order. See
//! `docs/decisions/reliability.md#overload`.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use kernel::{
    Id, Partner,
    request::{self, Rank, Turn},
};
use sea_orm::{ConnAcquireErr, DbErr};
use tokio::sync::oneshot;

use crate::wear::Wear;

/// So many may wait, with those of higher ranks. One more would not be served in time either.
const WAITING: usize = 4096;
/// So many of one turn, so that one partner's flood leaves room for others to wait.
const WAITING_OF_ONE: usize = 512;
/// The weight of the latest wait in the pace of a turn.
const LATEST: f64 = 0.1;
/// For so long after another partner's last unit of work a partner leaves half of the places to others.
const LATELY: Duration = Duration::from_secs(1);

/// As many places as the pool has connections, shared by rank.
#[derive(Debug)]
pub(crate) struct Places {
    state: Mutex<State>,
    patience: Duration,
    wear: Arc<Wear>,
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
    /// How many of the turn waited before him when he came.
    before: usize,
    called: oneshot::Sender<Place>,
}

/// How fast a turn goes, as those who had their place lately have seen it: the line through the beginning that fits
/// their waits best, by how many were before them.
#[derive(Debug, Default)]
struct Pace {
    served: usize,
    waits: f64,
    squares: f64,
}

impl Pace {
    fn note(&mut self, place: f64, waited: Duration) {
        self.served = self.served.saturating_add(1);
        self.waits = self.waits * (1.0 - LATEST) + waited.as_secs_f64() * place;
        self.squares = self.squares * (1.0 - LATEST) + place * place;
    }

    /// How long one at this place of the queue would wait. It is known once as many as there are places have had
    /// theirs: those who come free together tell only together how fast it goes.
    fn expected(&self, place: f64, places: usize) -> Option<Duration> {
        let known = self.served >= places;
        known.then(|| Duration::try_from_secs_f64(self.waits / self.squares * place).unwrap_or(Duration::MAX))
    }
}

/// Those of one turn of whom nothing has begun yet.
#[derive(Debug, Default)]
struct NewOnes {
    waiting: VecDeque<Waiter>,
    pace: Pace,
}

impl NewOnes {
    /// How long one who comes now would wait, as far as that is known.
    fn expected(&self, now: Instant, places: usize) -> Duration {
        let first = self.waiting.front().map(|first| now.saturating_duration_since(first.since));
        let last = self.pace.expected(place_after(self.waiting.len()), places);
        first.max(last).unwrap_or_default()
    }

    fn pop(&mut self, now: Instant) -> Option<Waiter> {
        let waiter = self.waiting.pop_front()?;
        self.pace.note(place_after(waiter.before), now.saturating_duration_since(waiter.since));
        Some(waiter)
    }
}

fn place_after(before: usize) -> f64 {
    u32::try_from(before + 1).unwrap_or(u32::MAX).into()
}

/// Those of one rank who wait.
#[derive(Debug, Default)]
struct Queue {
    /// Requests of which a unit of work has begun: what is begun is finished before something new begins.
    under_way: VecDeque<Waiter>,
    /// The others, by turn; within a turn, who came first goes first.
    new: HashMap<Turn, NewOnes>,
    order: VecDeque<Turn>,
}

impl Queue {
    fn push(&mut self, mut waiter: Waiter, under_way: bool) {
        if under_way {
            return self.under_way.push_back(waiter);
        }
        let new = self.new.entry(waiter.turn).or_default();
        if new.waiting.is_empty() {
            self.order.push_back(waiter.turn);
        }
        waiter.before = new.waiting.len();
        new.waiting.push_back(waiter);
    }

    /// The next one whose turn may have one more place.
    fn next(&mut self, may: impl Fn(Turn) -> bool, now: Instant) -> Option<Waiter> {
        if let Some(found) = self.under_way.iter().position(|waiter| may(waiter.turn)) {
            return self.under_way.remove(found);
        }
        let turn = self.order.remove(self.order.iter().position(|turn| may(*turn))?)?;
        let new = self.new.get_mut(&turn)?;
        let waiter = new.pop(now);
        if new.waiting.is_empty() {
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
        let Some(new) = self.new.get_mut(&turn) else { return false };
        let left = take(&mut new.waiting);
        if new.waiting.is_empty() {
            self.new.remove(&turn);
            self.order.retain(|other| *other != turn);
        }
        left
    }
}

/// How many of one rank wait, and of each turn.
#[derive(Debug, Default)]
struct Counts {
    all: usize,
    of: HashMap<Turn, usize>,
}

impl Counts {
    fn add(&mut self, turn: Turn) {
        self.all += 1;
        *self.of.entry(turn).or_default() += 1;
    }

    fn take_off(&mut self, turn: Turn) {
        self.all -= 1;
        lessen(&mut self.of, turn);
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
    waiting: [Counts; 3],
    /// The turns that were taken last, the latest first: a partner's own, one of those who have proved nothing, and
    /// another partner's.
    lately: [Option<(Turn, Instant)>; 3],
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
        turn == Turn::Platform
            || self.held.get(&turn).is_none_or(|held| *held < (self.all / 2).max(1))
            || !self.lately(now).any(|other| other != turn)
    }

    /// Whose turns were taken within the last second.
    fn lately(&self, now: Instant) -> impl Iterator<Item = Turn> {
        self.lately.iter().flatten().filter(move |(_, at)| now - *at < LATELY).map(|(turn, _)| *turn)
    }

    /// Whether a new one would wait in vain: the first of his turn has waited for long, or he would by the pace of
    /// those before him, or too many wait. Those of lower ranks do not count: he goes before them.
    fn is_in_vain(&self, rank: Rank, turn: Turn, now: Instant, patience: Duration) -> bool {
        let of_one = |waiting: &Counts| waiting.of.get(&turn).copied().unwrap_or_default();
        self.queues[rank as usize]
            .new
            .get(&turn)
            .is_some_and(|new| new.expected(now, self.all) > patience / 2)
            || self.waiting_till(rank) >= WAITING
            || self.waiting[..=rank as usize].iter().map(of_one).sum::<usize>() >= WAITING_OF_ONE
    }

    /// How many wait in this rank and in those before it.
    fn waiting_till(&self, rank: Rank) -> usize {
        self.waiting[..=rank as usize].iter().map(|waiting| waiting.all).sum()
    }

    fn note(&mut self, turn: Turn, now: Instant) {
        if turn == Turn::Platform {
            return;
        }
        let of_turn = |last: &Option<(Turn, Instant)>| last.is_some_and(|(last, _)| last == turn);
        let place = self.lately.iter().position(of_turn).unwrap_or(self.lately.len() - 1);
        self.lately[..=place].rotate_right(1);
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

    /// The next one who gets a place, and his rank.
    fn next(&mut self, now: Instant) -> Option<(Rank, Waiter)> {
        for rank in [Rank::First, Rank::Usual, Rank::Last] {
            if !self.has_room(rank) {
                continue;
            }
            let mut queue = std::mem::take(&mut self.queues[rank as usize]);
            let found = queue.next(|turn| self.may_turn(turn, now), now);
            self.queues[rank as usize] = queue;
            if let Some(waiter) = found {
                self.waiting[rank as usize].take_off(waiter.turn);
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
            state.waiting[self.rank as usize].take_off(self.turn);
        }
    }
}

fn turned_away() -> DbErr {
    DbErr::ConnectionAcquire(ConnAcquireErr::Timeout)
}

impl Places {
    /// For a pool of so many connections, each of which lives for so long at most.
    pub(crate) fn new(connections: u32, patience: Duration, lifetime: Duration) -> Arc<Self> {
        let all = usize::try_from(connections.max(1)).unwrap_or(1);
        let state = State {
            all,
            shares: [all - all / 8, (all * 3).div_ceil(4), (all / 4).max(1)],
            taken: [0; 3],
            held: HashMap::new(),
            queues: Default::default(),
            waiting: Default::default(),
            lately: [None; 3],
            next_number: 0,
        };
        let wear = Arc::new(Wear::new(connections, lifetime));
        Arc::new(Self { state: Mutex::new(state), patience, wear })
    }

    /// How worn the connections are that are taken with these places.
    pub(crate) fn wear(&self) -> Arc<Wear> {
        self.wear.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn waiting(&self) -> usize {
        self.lock().waiting_till(Rank::Last)
    }

    /// The partners who wait at this moment.
    pub(crate) fn partners_waiting(&self) -> Vec<Id<Partner>> {
        let state = self.lock();
        let turns = state.waiting.iter().flat_map(|waiting| waiting.of.keys());
        let partners = turns.filter_map(|turn| match turn {
            Turn::Partner(partner) => Some(*partner),
            Turn::Unknown | Turn::Platform => None,
        });
        partners.collect()
    }

    /// Whether a request of which nothing has begun would wait in vain for a place.
    pub(crate) fn is_in_vain(&self, rank: Rank, turn: Turn) -> bool {
        self.lock().is_in_vain(rank, turn, Instant::now(), self.patience)
    }

    /// Whether another partner had a place lately.
    pub(crate) fn serves_beside(&self, partner: Id<Partner>) -> bool {
        let another = |turn| matches!(turn, Turn::Partner(other) if other != partner);
        self.lock().lately(Instant::now()).any(another)
    }

    /// Waits for a place in the turn of the request under way.
    pub(crate) async fn take(self: &Arc<Self>) -> Result<Place, DbErr> {
        self.take_as(request::turn()).await
    }

    /// Waits for a place in this turn. What is begun goes before what is new, the higher rank before the lower,
    /// and within a rank turns go round.
    pub(crate) async fn take_as(self: &Arc<Self>, turn: Turn) -> Result<Place, DbErr> {
        let begun = Instant::now();
        let place = self.turn_comes(request::rank(), turn, begun).await;
        // Who is turned away would have waited longer than anybody may.
        let waited = if place.is_ok() { begun.elapsed() } else { begun.elapsed().max(self.patience) };
        telemetry::measures::connection_wait(waited);
        if place.is_ok() {
            request::note_under_way();
        }
        place
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
            // What is begun has as much room again: nothing new may keep it from its end.
            let full = state.waiting_till(rank) >= WAITING * 2;
            if full || !under_way && state.is_in_vain(rank, turn, now, self.patience) {
                return Err(turned_away());
            }
            let (called, receiver) = oneshot::channel();
            let number = state.next_number;
            state.next_number += 1;
            state.waiting[rank as usize].add(turn);
            state.queues[rank as usize]
                .push(Waiter { number, turn, since: now, before: 0, called }, under_way);
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
mod tests;
