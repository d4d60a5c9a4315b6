//! Table `subproduct`.

use access::prelude::*;
use kernel::{
    ids::NtakCategories,
    money::{Money, Quantity},
    setting::NtakQuantityUnit,
};
use uuid::Uuid;

use super::{Products, Subproducts};
use crate::{
    effective::Own,
    flags::{Ntak, inherited, inheriting_entity},
    quantities::Stock,
};

inherited! {
    [inheriting_entity]
    #[sea_orm(table_name = "subproduct")]
    {
        #[sea_orm(primary_key, auto_increment = false)]
        id: Id<Subproducts>,
        restaurant_id: Id<Restaurant>,
        origin_id: Id<Subproducts>,
        product_id: Id<Products>,
        name: String,
        name_sec_lang: Option<String>,
        description: Option<String>,
        description_sec_lang: Option<String>,
        price: Money,
        ranking: i32,
        active: bool,
        allergenic_ids: Vec<Uuid>,
        allergen_free: bool,
        ean_code: Option<String>,
        ntak_category_id: Option<Id<NtakCategories>>,
        ntak_quantity_unit: Option<NtakQuantityUnit>,
        ntak_quantity: Option<Quantity>,
        sellable_quantity: Option<i32>,
        daily_quantity: Option<i32>,
        refill_at: Option<Timestamp>,
        off_until: Option<Timestamp>,
        quantity_version: i64,
        deposit_pieces: i32,
        archived_at: Option<Timestamp>,
    }
}

impl Model {
    /// As it holds at this moment: what the clock has ended is gone.
    pub(crate) fn at(mut self, now: Timestamp) -> Self {
        let Stock { quantity, off_until, .. } = self.stock().at(now);
        (self.sellable_quantity, self.off_until) = (quantity, off_until);
        self
    }

    pub(crate) fn stock(&self) -> Stock {
        Stock {
            quantity: self.sellable_quantity,
            daily: self.daily_quantity,
            refill_at: self.refill_at,
            off_until: self.off_until,
        }
    }

    pub(crate) fn own(&self) -> Own {
        Own {
            inheritable: self.inheritable(),
            ntak: Ntak { category: self.ntak_category_id, unit: self.ntak_quantity_unit },
        }
    }
}
