//! Table `option_group`.

use access::prelude::*;

use super::{OptionGroups, rules::OptionGroupType};
use crate::flags::{inherited, visible_entity};

inherited! {
    [visible_entity]
    #[sea_orm(table_name = "option_group")]
    {
        #[sea_orm(primary_key, auto_increment = false)]
        id: Id<OptionGroups>,
        restaurant_id: Id<Restaurant>,
        origin_id: Id<OptionGroups>,
        name: String,
        name_sec_lang: Option<String>,
        r#type: OptionGroupType,
        min_no_options: i32,
        max_no_options: i32,
        ranking: i32,
        active: bool,
        version: i64,
        archived_at: Option<Timestamp>,
    }
}
