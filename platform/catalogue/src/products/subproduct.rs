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
        ean_code: Option<String>,
        ntak_category_id: Option<Id<NtakCategories>>,
        ntak_quantity_unit: Option<NtakQuantityUnit>,
        ntak_quantity: Option<Quantity>,
        sellable_quantity: Option<i32>,
        deposit_pieces: i32,
        archived_at: Option<Timestamp>,
    }
}

impl Model {
    /// The value of this level.
    pub(crate) fn own(&self) -> Own {
        Own {
            inheritable: self.inheritable(),
            ntak: Ntak { category: self.ntak_category_id, unit: self.ntak_quantity_unit },
        }
    }
}
