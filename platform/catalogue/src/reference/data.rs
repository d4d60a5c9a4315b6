//! Which ids a body of the catalogue may refer to. A foreign or unknown id is a fault at its key.

use std::collections::HashSet;

use access::prelude::*;
use kernel::ids::NtakCategories;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::flags::{Inheritable, InheritableChange};

use super::PosColors;

/// Ids that exist for a restaurant.
#[derive(Debug, Default)]
pub(crate) struct ReferenceData {
    vats: HashSet<Uuid>,
    allergens: HashSet<Uuid>,
    colors: HashSet<Uuid>,
    groups: HashSet<Uuid>,
    ntak: HashSet<Uuid>,
}

/// An archived rate can be named only where the restaurant uses it: whole entities are sent back.
const KNOWN: &str = "select array(select v.id from ref.vat v where v.archived_at is null or v.id in ( \
        select unnest(array[vat_id, sit_in_vat_id]) from restaurant_facts where id = $1 \
        union all select unnest(array[vat_id, sit_in_vat_id]) from product_category \
            where restaurant_id = $1 and archived_at is null \
        union all select unnest(array[vat_id, sit_in_vat_id]) from product \
            where restaurant_id = $1 and archived_at is null \
        union all select unnest(array[vat_id, sit_in_vat_id]) from subproduct \
            where restaurant_id = $1 and archived_at is null)) vats, \
    array(select id from ref.allergen) allergens, \
    array(select id from ref.pos_color) colors, \
    array(select id from option_group where restaurant_id = $1 and archived_at is null) groups, \
    array(select id from ref.ntak_category where ref.ntak_valid(valid_from, valid_until, $2)) ntak";

#[derive(FromQueryResult)]
struct KnownRow {
    vats: Vec<Uuid>,
    allergens: Vec<Uuid>,
    colors: Vec<Uuid>,
    groups: Vec<Uuid>,
    ntak: Vec<Uuid>,
}

impl ReferenceData {
    /// Reads them all in one statement: they are few.
    pub(crate) async fn load(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Self> {
        let found: Option<KnownRow> = tx.one(KNOWN, [restaurant.into(), kernel::clock::now().into()]).await?;
        Ok(found.map_or_else(Self::default, |row| Self {
            vats: row.vats.into_iter().collect(),
            allergens: row.allergens.into_iter().collect(),
            colors: row.colors.into_iter().collect(),
            groups: row.groups.into_iter().collect(),
            ntak: row.ntak.into_iter().collect(),
        }))
    }

    pub(crate) fn inheritable(&self, problem: Problem, prefix: &str, own: &Inheritable) -> Problem {
        let problem = self.vat(problem, prefix, "vat_id", own.vat_id.map(Id::uuid));
        self.vat(problem, prefix, "sit_in_vat_id", own.sit_in_vat_id.map(Id::uuid))
    }

    pub(crate) fn inheritable_change(
        &self, problem: Problem, prefix: &str, own: &InheritableChange,
    ) -> Problem {
        let problem = self.vat(problem, prefix, "vat_id", own.vat_id.value().copied().map(Id::uuid));
        self.vat(problem, prefix, "sit_in_vat_id", own.sit_in_vat_id.value().copied().map(Id::uuid))
    }

    fn vat(&self, problem: Problem, prefix: &str, key: &str, id: Option<Uuid>) -> Problem {
        one(problem, &self.vats, format!("{prefix}{key}"), id)
    }

    pub(crate) fn color(&self, problem: Problem, id: Option<Id<PosColors>>) -> Problem {
        one(problem, &self.colors, "pos_color_id".to_owned(), id.map(Id::uuid))
    }

    /// A category of the tax report that has ended stays on the row that has it (`present`), and is chosen
    /// nowhere else.
    pub(crate) fn ntak(
        &self, problem: Problem, prefix: &str, id: Option<Id<NtakCategories>>,
        present: Option<Id<NtakCategories>>,
    ) -> Problem {
        let chosen = id.filter(|id| Some(*id) != present);
        one(problem, &self.ntak, format!("{prefix}ntak_category_id"), chosen.map(Id::uuid))
    }

    pub(crate) fn allergens(&self, problem: Problem, prefix: &str, ids: &[Uuid]) -> Problem {
        many(problem, &self.allergens, &format!("{prefix}allergenic_ids"), ids)
    }

    pub(crate) fn groups(&self, problem: Problem, prefix: &str, ids: &[Uuid]) -> Problem {
        many(problem, &self.groups, &format!("{prefix}option_group_ids"), ids)
    }
}

fn one(problem: Problem, known: &HashSet<Uuid>, key: String, id: Option<Uuid>) -> Problem {
    if id.is_some_and(|id| !known.contains(&id)) { problem.key(key, Fault::NotExist) } else { problem }
}

fn many(problem: Problem, known: &HashSet<Uuid>, key: &str, ids: &[Uuid]) -> Problem {
    let unknown = ids.iter().enumerate().filter(|(_, id)| !known.contains(id));
    problem.keys(unknown.map(|(at, _)| (format!("{key}.{at}"), Fault::NotExist)))
}
