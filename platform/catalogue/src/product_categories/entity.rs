//! Table `product_category`.

use access::prelude::*;
use kernel::{
    ids::{Depots, Images, NtakCategories},
    setting::NtakQuantityUnit,
    time::TimeRange,
};
use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};

use super::ProductCategories;
use crate::{
    effective::Own,
    flags::{Ntak, inherited, inheriting_entity},
    reference::PosColors,
};

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub(crate) struct TimeRanges(pub Vec<TimeRange>);

inherited! {
    [inheriting_entity]
    #[sea_orm(table_name = "product_category")]
    {
        #[sea_orm(primary_key, auto_increment = false)]
        id: Id<ProductCategories>,
        restaurant_id: Id<Restaurant>,
        origin_id: Id<ProductCategories>,
        parent_id: Option<Id<ProductCategories>>,
        name: String,
        name_sec_lang: Option<String>,
        description: Option<String>,
        description_sec_lang: Option<String>,
        ranking: i32,
        active: bool,
        available_from: Option<Timestamp>,
        available_to: Option<Timestamp>,
        expected_at: Option<Timestamp>,
        #[sea_orm(column_type = "JsonBinary")]
        time_ranges: Option<TimeRanges>,
        ntak_category_id: Option<Id<NtakCategories>>,
        ntak_quantity_unit: Option<NtakQuantityUnit>,
        pos_color_id: Option<Id<PosColors>>,
        depot_id: Option<Id<Depots>>,
        image_web_id: Option<Id<Images>>,
        image_app_id: Option<Id<Images>>,
        image_desc_id: Option<Id<Images>>,
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
