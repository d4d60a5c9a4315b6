//! The components of a size, each with its number of pieces. One level deep: a size that is a part of
//! something has no components. See `docs/decisions/catalogue.md#components`.

use std::collections::{HashMap, HashSet};

use access::prelude::*;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{
    Subproducts,
    types::{ComponentRow, SubproductRow},
};

/// Whoever changes what consists of what does so one after the other, before any row is locked: two changes,
/// each right by itself, could make a circle.
const LOCK: &str = "select pg_advisory_xact_lock(hashtextextended('components ' || $1::text, 0))::text";

/// Lets nobody else change what the restaurant's sizes consist of until the transaction ends.
pub(crate) async fn lock(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
    tx.rows(LOCK, [restaurant.into()]).await?;
    Ok(())
}

#[derive(FromQueryResult)]
struct Link {
    subproduct_id: Uuid,
    component_id: Uuid,
    pieces: i32,
}

const OF: &str = "select subproduct_id, component_id, pieces from subproduct_component \
    where subproduct_id = any ($1) order by subproduct_id, ranking, component_id";

/// The components of these sizes, in their order.
pub(crate) async fn of(tx: &TenantTx, sizes: Vec<Uuid>) -> Result<HashMap<Uuid, Vec<ComponentRow>>> {
    let mut found: HashMap<Uuid, Vec<ComponentRow>> = HashMap::new();
    for Link { subproduct_id, component_id, pieces } in tx.all::<Link>(OF, [sizes.into()]).await? {
        let row = ComponentRow { subproduct_id: Id::from_uuid(component_id), pieces };
        found.entry(subproduct_id).or_default().push(row);
    }
    Ok(found)
}

const CLEAR: &str = "delete from subproduct_component where subproduct_id = any ($1)";
const ADD: &str = "insert into subproduct_component (restaurant_id, subproduct_id, component_id, pieces, \
    ranking) \
    select $1, l.subproduct_id, l.component_id, l.pieces, l.place \
    from unnest($2::uuid[], $3::uuid[], $4::int[], $5::int[]) l (subproduct_id, component_id, pieces, place)";

/// Gives each of these sizes exactly these components, in this order.
pub(crate) async fn set(
    tx: &TenantTx, restaurant: Id<Restaurant>, sets: &[(Id<Subproducts>, Vec<ComponentRow>)],
) -> Result<()> {
    let sizes: Vec<Uuid> = sets.iter().map(|(id, _)| id.uuid()).collect();
    tx.run(CLEAR, [sizes.into()]).await?;
    let (mut ids, mut components, mut pieces, mut places) = (vec![], vec![], vec![], vec![]);
    for (id, rows) in sets {
        for (row, place) in rows.iter().zip(0_i32..) {
            ids.push(id.uuid());
            components.push(row.subproduct_id.uuid());
            pieces.push(row.pieces);
            places.push(place);
        }
    }
    if !ids.is_empty() {
        let values = [restaurant.into(), ids.into(), components.into(), pieces.into(), places.into()];
        tx.run(ADD, values).await?;
    }
    Ok(())
}

/// What is known of the sizes that a save is about and of those that it names.
#[derive(Debug, Default)]
pub(super) struct KnownSizes {
    /// Live ones.
    live: HashSet<Uuid>,
    /// Those that have components, by the size that has them.
    links: Vec<(Uuid, Uuid)>,
    of_options: HashSet<Uuid>,
}

#[derive(FromQueryResult)]
struct KnownRow {
    live: Vec<Uuid>,
    menus: Vec<Uuid>,
    components: Vec<Uuid>,
    of_options: Vec<Uuid>,
}

const KNOWN: &str = "with links as (select l.subproduct_id, l.component_id \
        from subproduct_component l join subproduct s on s.id = l.subproduct_id and s.archived_at is null \
        where l.restaurant_id = $1 and (l.subproduct_id = any ($2) or l.component_id = any ($2))) \
    select array(select s.id from subproduct s join product p on p.id = s.product_id \
        where s.restaurant_id = $1 and s.id = any ($2) and s.archived_at is null and p.archived_at is null) live, \
    array(select subproduct_id from links order by subproduct_id, component_id) menus, \
    array(select component_id from links order by subproduct_id, component_id) components, \
    array(select o.subproduct_id from option o where o.restaurant_id = $1 and o.subproduct_id = any ($2) \
        and o.archived_at is null) of_options";

impl KnownSizes {
    pub(super) async fn load(tx: &TenantTx, restaurant: Id<Restaurant>, sizes: Vec<Uuid>) -> Result<Self> {
        let row: Option<KnownRow> = tx.one(KNOWN, [restaurant.into(), sizes.into()]).await?;
        Ok(row.map_or_else(Self::default, |row| Self {
            live: row.live.into_iter().collect(),
            links: row.menus.into_iter().zip(row.components).collect(),
            of_options: row.of_options.into_iter().collect(),
        }))
    }

    /// What is wrong with the component at `place` of the size `id`: a size that lives, once, and neither the size
    /// itself nor one with components.
    pub(super) fn fault(&self, id: Option<Uuid>, components: &[ComponentRow], place: usize) -> Option<Fault> {
        let (earlier, size) = (&components[..place], components[place].subproduct_id);
        if !self.live.contains(&size.uuid()) {
            Some(Fault::NotExist)
        } else if earlier.iter().any(|other| other.subproduct_id == size) {
            Some(Fault::NotUnique)
        } else {
            (Some(size.uuid()) == id || self.has_components(size.uuid())).then_some(Fault::Invalid)
        }
    }

    fn has_components(&self, size: Uuid) -> bool {
        self.links.iter().any(|(menu, _)| *menu == size)
    }

    fn is_part(&self, size: Uuid) -> bool {
        self.of_options.contains(&size) || self.links.iter().any(|(_, component)| *component == size)
    }
}

/// Names what is wrong with the components in a save of these sizes, whose `id`s are known to exist. The
/// caller has the [`lock`].
pub(super) async fn check(
    tx: &TenantTx, restaurant: Id<Restaurant>, sent: &[SubproductRow], mut problem: Problem,
) -> Result<Problem> {
    let rows = || sent.iter().filter_map(|row| row.components.as_ref());
    if rows().all(Vec::is_empty) {
        return Ok(problem);
    }
    let own = sent.iter().filter_map(|row| row.id.map(Id::uuid));
    let named = rows().flatten().map(|row| row.subproduct_id.uuid());
    let mut known = KnownSizes::load(tx, restaurant, own.clone().chain(named).collect()).await?;
    // As it will be: what is sent stands instead of what is there.
    let sets = sent.iter().filter_map(|row| Some((row.id?.uuid(), row.components.as_ref()?)));
    for (menu, components) in sets {
        known.links.retain(|(other, _)| *other != menu);
        known.links.extend(components.iter().map(|row| (menu, row.subproduct_id.uuid())));
    }
    for (at, row) in sent.iter().enumerate() {
        let Some(components) = row.components.as_ref().filter(|components| !components.is_empty()) else {
            continue;
        };
        let key = format!("subproducts.{at}.components");
        let id = row.id.map(Id::uuid);
        let names_itself = components.iter().any(|row| Some(row.subproduct_id.uuid()) == id);
        if id.is_some_and(|id| known.is_part(id)) && !names_itself {
            problem = problem.key(key.clone(), Fault::Invalid);
        }
        for place in 0..components.len() {
            let fault = known.fault(id, components, place);
            problem = problem.keys(fault.map(|fault| (format!("{key}.{place}.subproduct_id"), fault)));
        }
    }
    Ok(problem)
}

/// What is wrong with a size that an option is to stand for: it is there, and has no components. The caller
/// has the [`lock`].
pub(crate) async fn option_fault(
    tx: &TenantTx, restaurant: Id<Restaurant>, size: Option<Id<Subproducts>>,
) -> Result<Option<Fault>> {
    let Some(size) = size.map(Id::uuid) else { return Ok(None) };
    let known = KnownSizes::load(tx, restaurant, vec![size]).await?;
    Ok(if !known.live.contains(&size) {
        Some(Fault::NotExist)
    } else {
        known.has_components(size).then_some(Fault::Invalid)
    })
}

const USED: &str = "select p.name from subproduct_component l join subproduct s on s.id = l.subproduct_id \
        join product p on p.id = s.product_id \
    where l.component_id = any ($1) and s.archived_at is null and s.id <> all ($1) \
    union select o.name from option o join option_group g on g.id = o.option_group_id \
    where o.subproduct_id = any ($1) and o.archived_at is null and g.archived_at is null order by 1 limit 20";

/// Refuses to archive sizes that something else consists of, or that options stand for. The caller has the
/// [`lock`].
/// Errors: `IN_USE` with the names of what uses them.
pub(super) async fn check_unused(tx: &TenantTx, sizes: Vec<Uuid>) -> Result<()> {
    let names: Vec<String> = tx.values(USED, [sizes.into()]).await?;
    if names.is_empty() {
        return Ok(());
    }
    Err(Problem::new(Code::IN_USE).with("used_by", names.into()))
}
