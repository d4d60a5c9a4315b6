//! A cache in this process of the catalogue rows that orders read, by restaurant and `catalogue_version`. A writer that
//! changes a row raises the version, so a row of a version never changes, and an old version goes when others
//! need its room. Rows are kept under the version that their own statement has read with them. See
//! `docs/decisions/reliability.md#memories`.

use std::{
    num::NonZeroUsize,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use access::prelude::*;
use kernel::Partner;
use lru::LruCache;
use uuid::Uuid;

use super::types::{KeptGroup, KeptItem, Snapshot, SnapshotRequest, groups_of};

/// The most sub-products, and the most groups, that are kept; a thousand of them take about a megabyte.
const CAPACITY: NonZeroUsize = NonZeroUsize::new(16_384).unwrap();

/// Whose catalogue it is: ids are those of one partner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub partner: Id<Partner>,
    pub restaurant: Id<Restaurant>,
}

type Key = (Place, i64, Uuid);

struct Cache {
    items: LruCache<Key, Arc<KeptItem>>,
    /// None: archived.
    groups: LruCache<Key, Option<Arc<KeptGroup>>>,
}

static KEPT: LazyLock<Mutex<Cache>> =
    LazyLock::new(|| Mutex::new(Cache { items: LruCache::new(CAPACITY), groups: LruCache::new(CAPACITY) }));

/// All that is wanted, if all of it is kept.
pub(super) fn find(place: Place, version: i64, wanted: SnapshotRequest<'_>) -> Option<Snapshot> {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let mut item = |id: Uuid| kept.items.get(&(place, version, id)).cloned();
    let listed = wanted.subproducts.iter().chain(wanted.gifts);
    let listed: Vec<(Uuid, Arc<KeptItem>)> =
        listed.map(|id| Some((*id, item(*id)?))).collect::<Option<_>>()?;
    let mut found = Snapshot::default();
    for (id, kept) in &listed {
        found.add_item(*id, kept, wanted);
    }
    let of_id = |id| listed.iter().find(|(one, _)| *one == id).map(|(_, item)| &**item);
    for id in groups_of(wanted, of_id) {
        found.add_group(kept.groups.get(&(place, version, id))?.as_deref());
    }
    let components = listed.iter().flat_map(|(_, kept)| &kept.item.components);
    let options = found.catalogue.option_groups.values().flat_map(|group| &group.options);
    let sizes = options
        .filter(|option| wanted.options.contains(&option.id))
        .filter_map(|option| option.size.as_ref());
    let parts: Vec<Uuid> = components.chain(sizes).map(|part| part.subproduct_id).collect();
    for id in parts {
        found.add_item(id, &*kept.items.get(&(place, version, id)).cloned()?, wanted);
    }
    Some(found)
}

/// Keeps what was read, each under its version.
pub(super) fn keep(
    place: Place, items: Vec<(i64, Uuid, Arc<KeptItem>)>, groups: Vec<(i64, Uuid, Option<Arc<KeptGroup>>)>,
) {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    for (version, id, item) in items {
        kept.items.put((place, version, id), item);
    }
    for (version, id, group) in groups {
        kept.groups.put((place, version, id), group);
    }
}
