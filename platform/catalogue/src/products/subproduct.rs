//! Table `subproduct`.

use access::prelude::*;
use kernel::{
    ids::{NtakCategories, Vats},
    money::{Money, Quantity},
    setting::NtakQuantityUnit,
};
use uuid::Uuid;

use super::{Products, Subproducts};
use crate::{
    effective::Own,
    flags::{Ntak, inheritable_of},
};

#[derive(Debug, Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "subproduct")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<Subproducts>,
    pub restaurant_id: Id<Restaurant>,
    pub origin_id: Id<Subproducts>,
    pub product_id: Id<Products>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub description: Option<String>,
    pub description_sec_lang: Option<String>,
    pub price: Money,
    pub ranking: i32,
    pub active: bool,
    pub visible_online: Option<bool>,
    pub visible_sit_in: Option<bool>,
    pub visible_phone: Option<bool>,
    pub visible_kiosk_sit_in: Option<bool>,
    pub visible_kiosk_take_away: Option<bool>,
    pub has_tip: Option<bool>,
    pub vat_id: Option<Id<Vats>>,
    pub sit_in_vat_id: Option<Id<Vats>>,
    pub allergenic_ids: Vec<Uuid>,
    pub ean_code: Option<String>,
    pub ntak_category_id: Option<Id<NtakCategories>>,
    pub ntak_quantity_unit: Option<NtakQuantityUnit>,
    pub ntak_quantity: Option<Quantity>,
    pub sellable_quantity: Option<i32>,
    pub archived_at: Option<Timestamp>,
}

entity!(pub(crate));

impl Model {
    /// What this level says.
    pub(crate) fn own(&self) -> Own {
        Own {
            inheritable: inheritable_of!(self),
            ntak: Ntak { category: self.ntak_category_id, unit: self.ntak_quantity_unit },
        }
    }
}
