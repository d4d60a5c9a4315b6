//! Table `option`.

use access::prelude::*;
use kernel::money::Money;
use uuid::Uuid;

use super::Options;
use crate::{
    OptionGroups,
    flags::{Visible, visible_of},
};

#[derive(Debug, Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "option")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<Options>,
    pub restaurant_id: Id<Restaurant>,
    pub origin_id: Id<Options>,
    pub option_group_id: Id<OptionGroups>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub price: Money,
    pub ranking: i32,
    pub active: bool,
    pub visible_online: Option<bool>,
    pub visible_sit_in: Option<bool>,
    pub visible_phone: Option<bool>,
    pub visible_kiosk_sit_in: Option<bool>,
    pub visible_kiosk_take_away: Option<bool>,
    pub allergenic_ids: Vec<Uuid>,
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
