//! Ids of menu rows in other systems: delivery platforms, the ordering integration, a till. One
//! table has them all; the API shows each as a field of its row. See
//! `docs/decisions/catalogue.md#external-ids`.

use std::collections::{HashMap, HashSet};

use access::prelude::*;
use poem_openapi::Enum;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::text;

/// A system that gives ids to rows of the menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Enum, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
#[oai(rename_all = "snake_case")]
pub(crate) enum Platform {
    Wolt,
    Foodora,
    Bolt,
    /// The ordering integration.
    Ordering,
    /// The till of `HioPos`: products, sizes and groups.
    Hiopos,
    /// Its sizes that options are.
    HioposSize,
    /// Its products that options are; several options may be one.
    HioposProduct,
}

impl Platform {
    /// As it lies in the database and stands in addresses.
    pub(crate) const fn key(self) -> &'static str {
        self.into_str()
    }

    /// Whether one row of a kind has an id alone.
    const fn is_unique(self) -> bool {
        !matches!(self, Self::HioposProduct)
    }
}

pub(crate) trait ExternalIds: Clone + Default + Send + Sync {
    const KIND: &'static str;
    /// The same in a body: absent stays, `null` and blanks clear.
    type Change: Send + Sync;

    /// Takes what was found over.
    fn of(found: impl Fn(Platform) -> Option<String>) -> Self;
    /// Each field with its system and its id.
    fn fields(&self) -> Vec<(&'static str, Platform, Option<&str>)>;
    /// As it will be after the change.
    fn changed(self, change: Self::Change) -> Self;
    /// Whether nothing was sent.
    fn is_absent(change: &Self::Change) -> bool;
}

macro_rules! external_ids {
    ($kind:literal $own:ident $change:ident { $($field:ident = $platform:ident: $doc:literal,)* }) => {
        /// Its ids in other systems.
        #[derive(Debug, Clone, Default, PartialEq, Eq, Object)]
        pub(crate) struct $own {
            $(#[doc = $doc] pub $field: Option<String>,)*
        }

        /// The same in a body: absent stays, `null` clears.
        #[derive(Debug, Clone, Default, Object)]
        pub(crate) struct $change {
            $(
                #[doc = $doc]
                #[oai(validator(max_length = 100, pattern = "^[ -~]*$"))]
                pub $field: Clearable<String>,
            )*
        }

        impl ExternalIds for $own {
            const KIND: &'static str = $kind;
            type Change = $change;

            fn of(found: impl Fn(Platform) -> Option<String>) -> Self {
                Self { $($field: found(Platform::$platform),)* }
            }

            fn fields(&self) -> Vec<(&'static str, Platform, Option<&str>)> {
                vec![$((stringify!($field), Platform::$platform, self.$field.as_deref()),)*]
            }

            fn changed(self, change: $change) -> Self {
                Self { $($field: text::change(change.$field).or(self.$field),)* }
            }

            fn is_absent(change: &$change) -> bool {
                true $(&& change.$field.is_undefined())*
            }
        }
    };
}

external_ids!("product" ProductIds ProductIdsChange {
    hiopos_id = Hiopos: "Id in the till of `HioPos`; no other product has it.",
});
external_ids!("subproduct" SubproductIds SubproductIdsChange {
    wolt_id = Wolt: "Id at Wolt; no other size has it.",
    foodora_id = Foodora: "Id at Foodora; no other size has it.",
    bolt_id = Bolt: "Id at Bolt Food; no other size has it.",
    ordering_id = Ordering: "Id in the ordering integration; no other size has it.",
    hiopos_id = Hiopos: "Id in the till of `HioPos`; no other size has it.",
});
external_ids!("option_group" OptionGroupIds OptionGroupIdsChange {
    hiopos_id = Hiopos: "Id in the till of `HioPos`; no other group has it.",
});
external_ids!("option" OptionIds OptionIdsChange {
    wolt_id = Wolt: "Id at Wolt; no other option has it.",
    foodora_id = Foodora: "Id at Foodora; no other option has it.",
    bolt_id = Bolt: "Id at Bolt Food; no other option has it.",
    ordering_id = Ordering: "Id in the ordering integration; no other option has it.",
    hiopos_size_id = HioposSize: "Id of the size in the till of `HioPos`; no other option has it.",
    hiopos_product_id = HioposProduct: "Id of the product in the till of `HioPos`; several options may have one.",
});

#[derive(FromQueryResult)]
struct StoredId {
    entity_id: Uuid,
    platform: String,
    value: String,
}

const OF: &str = "select entity_id, platform, value from external_id where entity_id = any ($1)";

/// Ids of rows of any kinds, by the row.
#[derive(Debug, Default)]
pub(crate) struct Loaded(HashMap<Uuid, HashMap<String, String>>);

impl Loaded {
    pub(crate) async fn load(tx: &TenantTx, rows: Vec<Uuid>) -> Result<Self> {
        let mut found: HashMap<Uuid, HashMap<String, String>> = HashMap::new();
        for StoredId { entity_id, platform, value } in tx.all(OF, [rows.into()]).await? {
            found.entry(entity_id).or_default().insert(platform, value);
        }
        Ok(Self(found))
    }

    pub(crate) fn of<T: ExternalIds>(&self, row: Uuid) -> T {
        self.0.get(&row).map_or_else(T::default, |ids| T::of(|platform| ids.get(platform.key()).cloned()))
    }
}

/// A row with its ids as they will be, and where its fields stand in the body.
pub(crate) struct RowIds<T> {
    pub prefix: String,
    pub row: Uuid,
    pub ids: T,
}

const TAKEN: &str = "select entity_id, platform, value from external_id \
    where restaurant_id = $1 and entity_kind = $2 and value = any ($3) and entity_id <> all ($4) \
    and platform = any ($5)";

/// Names the fields with an id that another row of the kind has, in the body or in the restaurant. `leaving`
/// have none any more when this is written. The caller has [`crate::products::components::lock`], so that
/// nobody else takes an id meanwhile.
pub(crate) async fn faults<T: ExternalIds>(
    tx: &TenantTx, restaurant: Id<Restaurant>, problem: Problem, wanted: &[RowIds<T>], leaving: &[Uuid],
) -> Result<Problem> {
    let ids = || {
        wanted.iter().flat_map(|row| {
            let ids = row.ids.fields().into_iter();
            let ids = ids.filter_map(|(field, platform, id)| Some((field, platform, id?.to_owned())));
            ids.filter(|(_, platform, _)| platform.is_unique()).map(move |found| (row, found))
        })
    };
    let (platforms, values): (Vec<String>, Vec<String>) =
        ids().map(|(_, (_, platform, id))| (platform.key().to_owned(), id)).unzip();
    if values.is_empty() {
        return Ok(problem);
    }
    let own: Vec<Uuid> = wanted.iter().map(|row| row.row).chain(leaving.iter().copied()).collect();
    let others: Vec<StoredId> = tx
        .all(TAKEN, [restaurant.into(), T::KIND.into(), values.into(), own.into(), platforms.into()])
        .await?;
    let mut taken: HashSet<(String, String)> =
        others.into_iter().map(|row| (row.platform, row.value)).collect();
    let mut faults = Vec::new();
    for (row, (field, platform, id)) in ids() {
        if !taken.insert((platform.key().to_owned(), id)) {
            faults.push((format!("{}{field}", row.prefix), Fault::NotUnique));
        }
    }
    Ok(problem.keys(faults))
}

/// What is not wanted goes first: two rows of one save may have changed their ids for each other's.
const KEEP: &str = "delete from external_id e where e.entity_id = any ($1) \
    and (e.entity_id, e.platform, e.value) not in ( \
        select w.entity_id, w.platform, w.value from unnest($2::uuid[], $3::text[], $4::text[]) w (entity_id, platform, value))";
const ADD: &str = "insert into external_id (restaurant_id, entity_kind, entity_id, platform, value) \
    select $1, $2, t.entity_id, t.platform, t.value \
    from unnest($3::uuid[], $4::text[], $5::text[]) t (entity_id, platform, value) \
    where not exists (select from external_id e where e.entity_id = t.entity_id and e.platform = t.platform)";

/// Gives these rows exactly these ids; those that they have are not written again.
pub(crate) async fn set<T: ExternalIds>(
    tx: &TenantTx, restaurant: Id<Restaurant>, wanted: &[RowIds<T>],
) -> Result<()> {
    if wanted.is_empty() {
        return Ok(());
    }
    let (mut rows, mut platforms, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for RowIds { row, ids, .. } in wanted {
        for (_, platform, id) in ids.fields() {
            if let Some(id) = id {
                rows.push(*row);
                platforms.push(platform.key().to_owned());
                values.push(id.to_owned());
            }
        }
    }
    let all: Vec<Uuid> = wanted.iter().map(|row| row.row).collect();
    let kept = [all.into(), rows.clone().into(), platforms.clone().into(), values.clone().into()];
    tx.run(KEEP, kept).await?;
    if !rows.is_empty() {
        let values = [restaurant.into(), T::KIND.into(), rows.into(), platforms.into(), values.into()];
        tx.run(ADD, values).await?;
    }
    Ok(())
}

/// Rows that are archived have no ids any more: others may get them.
pub(crate) async fn forget(tx: &TenantTx, rows: Vec<Uuid>) -> Result<()> {
    if !rows.is_empty() {
        tx.run("delete from external_id where entity_id = any ($1)", [rows.into()]).await?;
    }
    Ok(())
}
