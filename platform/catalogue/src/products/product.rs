//! Table `product`.

use access::prelude::*;
use kernel::{
    ids::{Depots, Images, NtakCategories},
    setting::NtakQuantityUnit,
};

use super::Products;
use crate::{
    ProductCategories,
    effective::Own,
    flags::{Ntak, inherited, inheriting_entity},
    reference::PosColors,
};

inherited! {
    [inheriting_entity]
    #[sea_orm(table_name = "product")]
    {
        #[sea_orm(primary_key, auto_increment = false)]
        id: Id<Products>,
        restaurant_id: Id<Restaurant>,
        origin_id: Id<Products>,
        product_category_id: Id<ProductCategories>,
        name: String,
        name_sec_lang: Option<String>,
        description: Option<String>,
        description_sec_lang: Option<String>,
        ranking: i32,
        active: bool,
        available_from: Option<Timestamp>,
        available_to: Option<Timestamp>,
        expected_at: Option<Timestamp>,
        ntak_category_id: Option<Id<NtakCategories>>,
        ntak_quantity_unit: Option<NtakQuantityUnit>,
        pos_color_id: Option<Id<PosColors>>,
        depot_id: Option<Id<Depots>>,
        ean_code: Option<String>,
        image_id: Option<Id<Images>>,
        version: i64,
        archived_at: Option<Timestamp>,
    }
}

impl Model {
    pub(crate) fn own(&self) -> Own {
        Own {
            inheritable: self.inheritable(),
            ntak: Ntak { category: self.ntak_category_id, unit: self.ntak_quantity_unit },
        }
    }
}
