//! The restaurant's own values that the catalogue needs: the end of every inheritance, the currency, and the
//! version of what guests see. These columns are the only ones of another crate's table that are read here.

use std::{collections::HashMap, sync::LazyLock};

use access::prelude::*;
use kernel::{
    ids::{NtakCategories, Vats},
    money::{Currency, Percent},
    setting::NtakQuantityUnit,
};
use rust_decimal::Decimal;
use sea_orm::FromQueryResult;
use uuid::Uuid;

/// The restaurant as the end of every inheritance.
#[derive(Debug, Clone)]
pub(crate) struct RestaurantDefaults {
    pub vat_id: Id<Vats>,
    /// None where an item's own rate holds for what is eaten here too.
    pub sit_in_vat_id: Option<Id<Vats>>,
    /// Category of the tax report of what no level sets.
    pub ntak_category: Option<Id<NtakCategories>>,
    pub ntak_unit: Option<NtakQuantityUnit>,
    pub currency: Currency,
    /// Whether the first language of its texts is Hungarian, and whether the second one is.
    pub hungarian: (bool, bool),
    pub vats: HashMap<Uuid, Percent>,
}

/// Its columns, of `restaurant_facts r`.
pub(crate) const COLUMNS: &str = "r.vat_id, r.sit_in_vat_id, r.ntak_category_id default_ntak_category_id, \
    r.ntak_quantity_unit default_ntak_unit, r.currency, \
    r.primary_language, r.secondary_language, array(select id from ref.vat order by id) vats, \
    array(select percent from ref.vat order by id) percents";

/// What these columns hold.
#[derive(Debug, FromQueryResult)]
pub(crate) struct DefaultsRow {
    vat_id: Id<Vats>,
    sit_in_vat_id: Option<Id<Vats>>,
    default_ntak_category_id: Option<Id<NtakCategories>>,
    default_ntak_unit: Option<NtakQuantityUnit>,
    pub currency: Currency,
    primary_language: String,
    secondary_language: Option<String>,
    vats: Vec<Uuid>,
    percents: Vec<Decimal>,
}

impl From<DefaultsRow> for RestaurantDefaults {
    fn from(row: DefaultsRow) -> Self {
        Self {
            vat_id: row.vat_id,
            sit_in_vat_id: row.sit_in_vat_id,
            ntak_category: row.default_ntak_category_id,
            ntak_unit: row.default_ntak_unit,
            currency: row.currency,
            hungarian: (row.primary_language == "hu", row.secondary_language.as_deref() == Some("hu")),
            vats: percents(row.vats, row.percents),
        }
    }
}

pub(crate) fn percents(vats: Vec<Uuid>, percents: Vec<Decimal>) -> HashMap<Uuid, Percent> {
    vats.into_iter().zip(percents.into_iter().map(|percent| Percent(percent.normalize()))).collect()
}

static RESTAURANT_DEFAULTS: LazyLock<String> =
    LazyLock::new(|| format!("select {COLUMNS} from restaurant_facts r where r.id = $1"));

impl RestaurantDefaults {
    pub(crate) async fn load(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Self> {
        let row: Option<DefaultsRow> = tx.one(RESTAURANT_DEFAULTS.as_str(), [restaurant.into()]).await?;
        row.map(Self::from).ok_or_else(Problem::not_exist::<Restaurant>)
    }

    /// The percent of a rate. Rates are never deleted while in use; a missing rate counts as exempt.
    pub(crate) fn percent(&self, id: Id<Vats>) -> Percent {
        self.vats.get(&id.uuid()).copied().unwrap_or(Percent::ZERO)
    }
}

/// Raises the version of what guests see. Every transaction that changes any of it calls this once, as its
/// last write: the restaurant's row stays locked from here to the commit.
pub async fn touched(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
    access::menu_changed(tx, restaurant).await
}
