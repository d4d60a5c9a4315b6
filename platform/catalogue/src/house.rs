//! What the catalogue needs of the restaurant itself: the end of every inheritance, the currency, and the
//! version of what guests see. These columns are the only ones of another crate's table that are read here.

use std::collections::HashMap;

use access::prelude::*;
use kernel::{
    ids::Vats,
    money::{Currency, Percent},
    setting::NtakQuantityUnit,
};
use rust_decimal::Decimal;
use uuid::Uuid;

/// The restaurant as the end of every inheritance.
#[derive(Debug, Clone)]
pub(crate) struct House {
    pub vat_id: Id<Vats>,
    pub sit_in_vat_id: Id<Vats>,
    /// Unit of the tax report of what no level sets; its category follows with the list of categories.
    pub ntak_unit: Option<NtakQuantityUnit>,
    pub currency: Currency,
    /// Whether the first language of its texts is Hungarian, and whether the second one is.
    pub hungarian: (bool, bool),
    /// Every VAT rate.
    pub vats: HashMap<Uuid, Percent>,
}

const HOUSE: &str = "select vat_id, sit_in_vat_id, ntak_quantity_unit, currency, primary_language, \
    secondary_language, \
                     array(select id from ref.vat order by id) vats, array(select percent from ref.vat order \
                     by id) percents \
                     from restaurant_facts where id = $1";

impl House {
    pub(crate) async fn load(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Self> {
        let row = tx.row(HOUSE, [restaurant.into()]).await?.ok_or_else(Problem::not_exist::<Restaurant>)?;
        let secondary: Option<String> = row.try_get("", "secondary_language")?;
        Ok(Self {
            vat_id: row.try_get("", "vat_id")?,
            sit_in_vat_id: row.try_get("", "sit_in_vat_id")?,
            ntak_unit: row.try_get("", "ntak_quantity_unit")?,
            currency: row.try_get("", "currency")?,
            hungarian: (
                row.try_get::<String>("", "primary_language")? == "hu",
                secondary.as_deref() == Some("hu"),
            ),
            vats: vats(&row)?,
        })
    }

    /// The percent of a rate. Rates are never deleted while in use; one that is gone all the same counts as
    /// exempt.
    pub(crate) fn percent(&self, id: Id<Vats>) -> Percent {
        self.vats.get(&id.uuid()).copied().unwrap_or(Percent::ZERO)
    }
}

/// The rates in the columns `vats` and `percents` of a row.
pub(crate) fn vats(row: &sea_orm::QueryResult) -> Result<HashMap<Uuid, Percent>> {
    let ids: Vec<Uuid> = row.try_get("", "vats")?;
    let percents: Vec<Decimal> = row.try_get("", "percents")?;
    Ok(ids.into_iter().zip(percents.into_iter().map(|percent| Percent(percent.normalize()))).collect())
}

/// Raises the version of what guests see. Every transaction that changes any of it calls this once, as its
/// last write: the restaurant's row stays locked from here to the commit.
///
/// # Errors
/// What the database says.
pub async fn touched(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
    restaurants::raise_catalogue_version(tx, restaurant).await
}
