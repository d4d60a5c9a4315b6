//! Table `option`.

use access::prelude::*;
use kernel::money::Money;
use uuid::Uuid;

use super::Options;
use crate::{
    OptionGroups, Subproducts,
    flags::{inherited, visible_entity},
};

inherited! {
    [visible_entity]
    #[sea_orm(table_name = "option")]
    {
        #[sea_orm(primary_key, auto_increment = false)]
        id: Id<Options>,
        restaurant_id: Id<Restaurant>,
        origin_id: Id<Options>,
        option_group_id: Id<OptionGroups>,
        name: String,
        name_sec_lang: Option<String>,
        price: Money,
        ranking: i32,
        active: bool,
        allergenic_ids: Vec<Uuid>,
        subproduct_id: Option<Id<Subproducts>>,
        subproduct_pieces: i32,
        version: i64,
        archived_at: Option<Timestamp>,
    }
}
