//! Table `product_category`.

use access::prelude::*;
use kernel::{
    ids::{Images, NtakCategories, Vats},
    setting::NtakQuantityUnit,
    time::TimeRange,
};
use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};

use super::ProductCategories;
use crate::{
    effective::Own,
    flags::{Ntak, inheritable_of},
    reference::PosColors,
};

/// Time ranges as they lie in the database.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub(crate) struct TimeRanges(pub Vec<TimeRange>);

#[derive(Debug, Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "product_category")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<ProductCategories>,
    pub restaurant_id: Id<Restaurant>,
    pub origin_id: Id<ProductCategories>,
    pub parent_id: Option<Id<ProductCategories>>,
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
    #[sea_orm(column_type = "JsonBinary")]
    pub time_ranges: Option<TimeRanges>,
    pub has_tip: Option<bool>,
    pub vat_id: Option<Id<Vats>>,
    pub sit_in_vat_id: Option<Id<Vats>>,
    pub ntak_category_id: Option<Id<NtakCategories>>,
    pub ntak_quantity_unit: Option<NtakQuantityUnit>,
    pub pos_color_id: Option<Id<PosColors>>,
    pub image_web_id: Option<Id<Images>>,
    pub image_app_id: Option<Id<Images>>,
    pub image_desc_id: Option<Id<Images>>,
    pub version: i64,
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
