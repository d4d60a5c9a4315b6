//! Table `product`.

use access::prelude::*;
use kernel::ids::{Images, Vats};

use super::Products;
use crate::{
    ProductCategories,
    effective::Own,
    flags::{Ntak, inheritable_of},
    reference::PosColors,
};

#[derive(Debug, Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "product")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<Products>,
    pub restaurant_id: Id<Restaurant>,
    pub origin_id: Id<Products>,
    pub product_category_id: Id<ProductCategories>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub description: Option<String>,
    pub description_sec_lang: Option<String>,
    pub ranking: i32,
    pub active: bool,
    pub visible_online: Option<bool>,
    pub visible_sit_in: Option<bool>,
    pub visible_phone: Option<bool>,
    pub visible_kiosk_sit_in: Option<bool>,
    pub visible_kiosk_take_away: Option<bool>,
    pub available_from: Option<Timestamp>,
    pub available_to: Option<Timestamp>,
    pub expected_at: Option<Timestamp>,
    pub has_tip: Option<bool>,
    pub vat_id: Option<Id<Vats>>,
    pub sit_in_vat_id: Option<Id<Vats>>,
    pub pos_color_id: Option<Id<PosColors>>,
    pub ean_code: Option<String>,
    pub image_id: Option<Id<Images>>,
    pub version: i64,
    pub archived_at: Option<Timestamp>,
}

entity!(pub(crate));

impl Model {
    /// What this level says.
    pub(crate) fn own(&self) -> Own {
        Own { inheritable: inheritable_of!(self), ntak: Ntak::default() }
    }
}
