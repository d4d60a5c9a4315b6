//! Table `option_group`.

use access::prelude::*;

use super::{OptionGroups, rules::OptionGroupType};
use crate::flags::{Visible, visible_of};

#[derive(Debug, Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "option_group")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<OptionGroups>,
    pub restaurant_id: Id<Restaurant>,
    pub origin_id: Id<OptionGroups>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub r#type: OptionGroupType,
    pub min_no_options: i32,
    pub max_no_options: i32,
    pub ranking: i32,
    pub active: bool,
    pub visible_online: Option<bool>,
    pub visible_sit_in: Option<bool>,
    pub visible_phone: Option<bool>,
    pub visible_kiosk_sit_in: Option<bool>,
    pub visible_kiosk_take_away: Option<bool>,
    pub version: i64,
    pub archived_at: Option<Timestamp>,
}

entity!(pub(crate));

impl Model {
    /// Its own visibility.
    pub(crate) fn visible(&self) -> Visible {
        visible_of!(self)
    }
}
