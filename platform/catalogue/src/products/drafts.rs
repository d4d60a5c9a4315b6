//! The sub-products of a save, checked and turned into rows before anything is written.

use std::collections::HashMap;

use access::prelude::*;
use kernel::money::Money;
use sea_orm::{IntoActiveModel, TryIntoModel};
use uuid::Uuid;

use super::{
    Products, Subproducts,
    answer::Links,
    components,
    rules::{ntak_quantity_fault, only_price},
    store,
    subproduct::{ActiveModel, Model},
    types::{ComponentRow, SubproductOptionGroup, SubproductRow},
};
use crate::{
    external_ids::{ExternalIds, SubproductIdsChange},
    flags::Inheritable,
    option_groups::OptionGroupType,
    price::SalePrice,
    reference::ReferenceData,
    restaurant_defaults::RestaurantDefaults,
    text,
};

/// One sub-product as it will be.
#[derive(Debug)]
pub(crate) struct Draft {
    pub row: ActiveModel,
    pub new: bool,
    pub groups: Option<Vec<Uuid>>,
    pub components: Option<Vec<ComponentRow>>,
    /// Its ids in other systems, as far as they were sent.
    pub ids: SubproductIdsChange,
}

/// The product that the sub-products belong to.
pub(crate) struct Parent<'a> {
    pub restaurant: Id<Restaurant>,
    pub id: Id<Products>,
    pub name: &'a str,
    pub name_sec_lang: Option<&'a str>,
}

/// Turns what was sent into rows in their order; names every fault with its place.
pub(crate) fn drafts(
    mut problem: Problem, parent: &Parent<'_>, (sent, base_price): (Vec<SubproductRow>, Option<SalePrice>),
    existing: &[Model], known: &ReferenceData, defaults: &RestaurantDefaults,
) -> (Problem, Vec<Draft>) {
    let only = sent.len() == 1;
    let mut unused: HashMap<Uuid, &Model> = existing.iter().map(|row| (row.id.uuid(), row)).collect();
    let mut drafts = Vec::with_capacity(sent.len());
    for ((at, sent), ranking) in sent.into_iter().enumerate().zip(0_i32..) {
        let key = format!("subproducts.{at}.");
        let current = match sent.id {
            None => None,
            Some(id) => {
                let found = unused.remove(&id.uuid());
                if found.is_none() {
                    let twice = existing.iter().any(|row| row.id == id);
                    problem = problem
                        .key(format!("{key}id"), if twice { Fault::NotUnique } else { Fault::NotExist });
                }
                found
            }
        };
        problem = check(problem, &key, &sent, current, known);
        let (found, price) = price(problem, &key, (only, base_price), sent.price, current, defaults);
        problem = found;
        drafts.push(draft(parent, sent, current, price, ranking));
    }
    (problem, drafts)
}

/// Rules that look at one row alone.
fn check(
    problem: Problem, key: &str, sent: &SubproductRow, current: Option<&Model>, known: &ReferenceData,
) -> Problem {
    let mut problem = known.inheritable_change(problem, key, &sent.own);
    problem = known.ntak(
        problem,
        key,
        sent.ntak_category_id.value().copied(),
        current.and_then(|row| row.ntak_category_id),
    );
    let uuids = |ids: Option<&[Uuid]>| ids.unwrap_or_default().to_vec();
    let groups: Option<Vec<Uuid>> =
        sent.option_group_ids.as_ref().map(|ids| ids.iter().map(|id| id.uuid()).collect());
    let allergens: Option<Vec<Uuid>> =
        sent.allergenic_ids.as_ref().map(|ids| ids.iter().map(|id| id.uuid()).collect());
    problem = known.groups(problem, key, &uuids(groups.as_deref()));
    problem = known.allergens(problem, key, &uuids(allergens.as_deref()));
    let fault = sent.ntak_quantity.value().copied().and_then(ntak_quantity_fault);
    problem.keys(fault.map(|fault| (format!("{key}ntak_quantity"), fault)))
}

/// The price of one row. A price of zero stands in for one that is at fault: nothing is written then.
fn price(
    problem: Problem, key: &str, (only, base_price): (bool, Option<SalePrice>), own: Option<SalePrice>,
    current: Option<&Model>, defaults: &RestaurantDefaults,
) -> (Problem, Money) {
    let current = current.map(|row| row.price);
    let (place, found) = if only {
        let place = if base_price.is_none() && own.is_some() {
            format!("{key}price")
        } else {
            "base_price".to_owned()
        };
        (place, only_price(base_price.map(|price| price.0), own.map(|price| price.0), current))
    } else {
        (format!("{key}price"), own.map(|price| price.0).or(current).ok_or(Fault::Required))
    };
    match found.and_then(|price| SalePrice(price).fault(defaults.currency).map_or(Ok(price), Err)) {
        Ok(price) => (problem, price),
        Err(fault) => (problem.key(place, fault), Money::ZERO),
    }
}

fn draft(
    parent: &Parent<'_>, sent: SubproductRow, current: Option<&Model>, price: Money, ranking: i32,
) -> Draft {
    let SubproductRow {
        id: _,
        name,
        name_sec_lang,
        description,
        description_sec_lang,
        price: _,
        active,
        own,
        option_group_ids,
        allergenic_ids,
        ean_code,
        ids,
        ntak_category_id,
        ntak_quantity_unit,
        ntak_quantity,
        sellable_quantity,
        deposit_pieces,
        components,
    } = sent;
    let mut row = current.map_or_else(|| blank(parent), |row| row.clone().into_active_model());
    // A blank name is none: a new sub-product is called like its product, an existing one keeps its name.
    let name = text::optional(name);
    let [name_sec_lang, description, description_sec_lang, ean_code] =
        [name_sec_lang, description, description_sec_lang, ean_code].map(text::change);
    let groups = option_group_ids.map(|ids| ids.into_iter().map(Id::uuid).collect());
    let allergenic_ids = allergenic_ids.map(|ids| ids.into_iter().map(Id::uuid).collect::<Vec<Uuid>>());
    access::apply!(row: name, name_sec_lang, description, description_sec_lang, active, allergenic_ids, ean_code, ntak_category_id,
                        ntak_quantity_unit, ntak_quantity, sellable_quantity, deposit_pieces);
    // Who names one says that there are some.
    if *row.allergen_free.as_ref() && !row.allergenic_ids.as_ref().is_empty() {
        row.allergen_free = Set(false);
    }
    row.apply_inheritable(own);
    if let Some(current) = current {
        set_stock(&mut row, current);
    }
    // Only changed rows are written, so a save does not lock rows that orders are selling.
    if row.price.as_ref() != &price {
        row.price = Set(price);
    }
    if row.ranking.as_ref() != &ranking {
        row.ranking = Set(ranking);
    }
    Draft { row, new: current.is_none(), groups, components, ids }
}

/// What follows from another quantity or switch: nothing refills that nobody counts, what is switched on is on, and
/// who has opened the size on the screen of quantities learns of it.
fn set_stock(row: &mut ActiveModel, current: &Model) {
    let counted = row.sellable_quantity.as_ref();
    let (counts, switch) = (*counted != current.sellable_quantity, *row.active.as_ref() != current.active);
    if counted.is_none() && current.daily_quantity.is_some() {
        (row.daily_quantity, row.refill_at) = (Set(None), Set(None));
    }
    if switch && current.off_until.is_some() {
        row.off_until = Set(None);
    }
    if counts || switch {
        row.quantity_version = Set(current.quantity_version + 1);
    }
}

fn blank(parent: &Parent<'_>) -> ActiveModel {
    let id = Id::new();
    let mut row = ActiveModel {
        id: Set(id),
        restaurant_id: Set(parent.restaurant),
        origin_id: Set(id),
        product_id: Set(parent.id),
        name: Set(parent.name.to_owned()),
        name_sec_lang: Set(parent.name_sec_lang.map(str::to_owned)),
        description: Set(None),
        description_sec_lang: Set(None),
        price: Set(Money::ZERO),
        ranking: Set(0),
        active: Set(true),
        allergenic_ids: Set(Vec::new()),
        allergen_free: Set(false),
        ean_code: Set(None),
        ntak_category_id: Set(None),
        ntak_quantity_unit: Set(None),
        ntak_quantity: Set(None),
        sellable_quantity: Set(None),
        daily_quantity: Set(None),
        refill_at: Set(None),
        off_until: Set(None),
        quantity_version: Set(1),
        deposit_pieces: Set(0),
        archived_at: Set(None),
        ..Default::default()
    };
    row.set_inheritable(Inheritable::default());
    row
}

/// Puts the groups, components and ids that were sent in place of the present ones, for comparing: groups by
/// their ids alone.
pub(crate) fn expect(drafts: &[Draft], links: &mut Links) {
    for draft in drafts {
        if let Some(id) = draft.row.id.try_as_ref() {
            let ids = links.size_ids.entry(id.uuid()).or_default();
            *ids = std::mem::take(ids).changed(draft.ids.clone());
        }
        if let (Some(components), Some(id)) = (&draft.components, draft.row.id.try_as_ref()) {
            links.components.insert(id.uuid(), components.clone());
        }
        if let (Some(ids), Some(id)) = (&draft.groups, draft.row.id.try_as_ref()) {
            let of = |id: &Uuid| SubproductOptionGroup {
                id: Id::from_uuid(*id),
                name: String::new(),
                r#type: OptionGroupType::MinMax,
                min_no_options: 0,
                max_no_options: 0,
            };
            links.groups.insert(id.uuid(), ids.iter().map(of).collect());
        }
    }
}

impl Draft {
    pub(crate) fn model(&self) -> Result<Model> {
        Ok(self.row.clone().try_into_model()?)
    }

    pub(crate) async fn write(self, tx: &TenantTx) -> Result<Model> {
        Ok(match self {
            Self { new: true, row, .. } => row.insert(tx).await?,
            Self { row, .. } if row.is_changed() => row.update(tx).await?,
            Self { row, .. } => row.try_into_model()?,
        })
    }
}

/// Writes the drafts with their groups and components; the answer of each is the row as it lies there now.
pub(super) async fn write(
    tx: &TenantTx, restaurant: Id<Restaurant>, drafts: Vec<Draft>,
) -> Result<Vec<Model>> {
    let mut rows = Vec::with_capacity(drafts.len());
    let mut sets: Vec<(Id<Subproducts>, Vec<Uuid>)> = Vec::new();
    let mut consisting: Vec<(Id<Subproducts>, Vec<ComponentRow>)> = Vec::new();
    for mut draft in drafts {
        let (groups, components) = (draft.groups.take(), draft.components.take());
        let row = draft.write(tx).await?;
        sets.extend(groups.map(|groups| (row.id, groups)));
        consisting.extend(components.map(|components| (row.id, components)));
        rows.push(row);
    }
    if !sets.is_empty() {
        store::set_groups(tx, restaurant, &sets).await?;
    }
    if !consisting.is_empty() {
        components::set(tx, restaurant, &consisting).await?;
    }
    Ok(rows)
}

/// Those of these sub-products that are not among the others.
pub(super) fn missing(of: &[Model], among: &[Model]) -> Vec<Uuid> {
    let missing = of.iter().filter(|row| among.iter().all(|other| other.id != row.id));
    missing.map(|row| row.id.uuid()).collect()
}
