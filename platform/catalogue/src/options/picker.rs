//! Short forms of options, for choosing one. See `docs/decisions/api.md#pickers`.

use access::prelude::*;
use kernel::money::{Currency, Money};
use sea_orm::FromQueryResult;

use super::Options;
use crate::{
    OptionGroups,
    price::SalePrice,
    products::{cut, wanted},
    text,
};

/// An option in short, for choosing.
#[derive(Debug, Object)]
struct OptionShort {
    id: Id<Options>,
    name: String,
    active: bool,
    option_group_id: Id<OptionGroups>,
    option_group_name: String,
    price: SalePrice,
}

#[derive(FromQueryResult)]
struct PickRow {
    id: Id<Options>,
    name: String,
    active: bool,
    option_group_id: Id<OptionGroups>,
    option_group_name: String,
    price: Money,
    currency: Currency,
}

impl From<PickRow> for OptionShort {
    fn from(row: PickRow) -> Self {
        let PickRow { id, name, active, option_group_id, option_group_name, price, currency } = row;
        let price = SalePrice::shown(price, currency);
        Self { id, name, active, option_group_id, option_group_name, price }
    }
}

const PICK: &str = "select o.id, o.name, o.active, o.price, g.id option_group_id, g.name option_group_name, \
    r.currency \
    from option o join option_group g on g.id = o.option_group_id join restaurant_facts r on r.id = \
    o.restaurant_id \
    where o.restaurant_id = $1 and o.archived_at is null and g.archived_at is null \
      and ($2::text is null or ref.fold(o.name) like ref.fold($2)) \
      and ($3::uuid is null or g.id = $3) and (cardinality($4::uuid[]) = 0 or o.id = any ($4)) \
    order by g.ranking, g.id, o.ranking, o.id";

pub(crate) struct OptionPicker;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/option-groups/all/options",
    tag = "Tag::Catalogue"
)]
impl OptionPicker {
    /// Every option in short, by group, for choosing.
    #[oai(path = "/", method = "get", operation_id = "options_pick")]
    async fn options(
        &self, scope: In<Restaurant, AnyOf<(perm::Order, perm::DepotRecipe)>>, paging: Unpaged,
        /// Only those whose name holds this; accents and case ignored.
        name: QueryParam<String>,
        /// Only those of this group.
        option_group_id: QueryParam<Id<OptionGroups>>,
        /// Only this one.
        id: QueryParam<Id<Options>>,
        /// Only these.
        #[oai(name = "ids[]", validator(max_items = 100))]
        ids: QueryParam<Vec<Id<Options>>>,
    ) -> Result<Page<OptionShort>> {
        let tx = scope.begin().await?;
        let pattern = name.as_deref().map(str::trim).filter(|name| !name.is_empty()).map(text::contains);
        let group = option_group_id.0.map(Id::uuid);
        let ids = wanted(id.0, ids.0);
        let values = [scope.restaurant().into(), pattern.into(), group.into(), ids.into()];
        let rows: Vec<PickRow> = tx.all(PICK, values).await?;
        Ok(cut(rows.into_iter().map(OptionShort::from).collect(), paging))
    }
}
