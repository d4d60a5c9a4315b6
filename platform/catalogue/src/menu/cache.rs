//! Computed menus, cached by restaurant and view until the version rises or a time boundary passes. Sellable
//! quantities are applied to a cached menu, so an order never invalidates one. See
//! `docs/decisions/reliability.md#memories`.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{
        Arc, LazyLock, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use bytes::Bytes;
use kernel::{Code, Problem, Result, time::Timestamp};
use uuid::Uuid;

use super::{builder::View, store::State, types::Menu};

/// The most bytes of serialised menus that are kept; the rows they are laid over take about twice as much
/// again.
const CAPACITY: usize = 32 << 20;

type Key = (Uuid, View);

/// `PULT_MENU_CACHE=off` computes every menu, so `bench` can measure the cost.
static OFF: LazyLock<bool> =
    LazyLock::new(|| std::env::var("PULT_MENU_CACHE").is_ok_and(|value| value == "off"));

/// Menus that have been computed.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    menus: Mutex<HashMap<Key, Arc<Computed>>>,
    clock: AtomicU64,
}

#[derive(Debug)]
pub(crate) struct Computed {
    version: i64,
    until: Option<Timestamp>,
    size: usize,
    /// When it was last used, in calls.
    used: AtomicU64,
    latest: Mutex<MenuWithQuantities>,
}

/// The menu with the quantities that were laid over it last.
#[derive(Debug)]
struct MenuWithQuantities {
    menu: Menu,
    quantities: Vec<(Uuid, i32)>,
    body: Bytes,
    etag: String,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Cache {
    /// The kept menu of this version, unless time has passed its boundary.
    pub(crate) fn find(
        &self, restaurant: Uuid, view: View, version: i64, now: Timestamp,
    ) -> Option<Arc<Computed>> {
        if *OFF {
            return None;
        }
        let found = locked(&self.menus).get(&(restaurant, view)).cloned()?;
        found.used.store(self.clock.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        (found.version == version && found.until.is_none_or(|until| now < until)).then_some(found)
    }

    /// Keeps a menu; the least recently used ones make room.
    pub(crate) fn keep(&self, restaurant: Uuid, view: View, computed: Computed) -> Arc<Computed> {
        self.keep_within(CAPACITY, restaurant, view, computed)
    }

    pub(super) fn keep_within(
        &self, capacity: usize, restaurant: Uuid, view: View, computed: Computed,
    ) -> Arc<Computed> {
        let computed = Arc::new(computed);
        computed.used.store(self.clock.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        let mut menus = locked(&self.menus);
        menus.insert((restaurant, view), computed.clone());
        let mut total: usize = menus.values().map(|one| one.size).sum();
        while total > capacity {
            let Some(oldest) =
                menus.iter().min_by_key(|(_, one)| one.used.load(Ordering::Relaxed)).map(|(key, _)| *key)
            else {
                break;
            };
            total -= menus.remove(&oldest).map_or(0, |one| one.size);
        }
        computed
    }
}

impl Computed {
    /// A menu with these quantities.
    /// Errors: `UNKNOWN_ERROR` when it cannot be written as JSON, which no menu can cause.
    pub(crate) fn new(menu: Menu, view: View, state: &State) -> Result<Self> {
        let mut latest =
            MenuWithQuantities { menu, quantities: Vec::new(), body: Bytes::new(), etag: String::new() };
        latest.lay(view, &state.quantities)?;
        let (version, until) = (latest.menu.version, latest.menu.valid_until);
        Ok(Self {
            version,
            until,
            size: latest.body.len(),
            used: AtomicU64::new(0),
            latest: Mutex::new(latest),
        })
    }

    /// Bytes of the serialised menu.
    #[cfg(test)]
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// The bytes and the ETag with these quantities.
    pub(crate) fn answer(&self, view: View, state: &State) -> Result<(Bytes, String)> {
        let mut latest = locked(&self.latest);
        if latest.quantities != state.quantities {
            latest.lay(view, &state.quantities)?;
        }
        Ok((latest.body.clone(), latest.etag.clone()))
    }
}

impl MenuWithQuantities {
    fn lay(&mut self, view: View, quantities: &[(Uuid, i32)]) -> Result<()> {
        let left: HashMap<Uuid, i32> = quantities.iter().copied().collect();
        for subproduct in self.menu.subproducts_mut() {
            subproduct.lay(|id| left.get(&id).copied());
        }
        let body = serde_json::to_vec(&self.menu).map_err(|error| {
            tracing::error!(%error, "a menu cannot be written");
            Problem::new(Code::UNKNOWN_ERROR)
        })?;
        self.body = body.into();
        self.etag = etag(&self.menu, view, quantities);
        self.quantities = quantities.to_vec();
        Ok(())
    }
}

/// Made of version, boundary in time and quantities. Weak: compression may change the bytes.
fn etag(menu: &Menu, view: View, quantities: &[(Uuid, i32)]) -> String {
    let mut hasher = DefaultHasher::new();
    (view, quantities).hash(&mut hasher);
    let until = menu.valid_until.map_or(0, |until| until.0.timestamp_millis());
    format!("W/\"{}-{until:x}-{:016x}\"", menu.version, hasher.finish())
}

/// Whether a client's `If-None-Match` names this ETag; compared weakly, as the header demands.
pub(crate) fn matches(header: &str, etag: &str) -> bool {
    let plain = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    header.trim() == "*" || header.split(',').any(|tag| plain(tag) == plain(etag))
}
