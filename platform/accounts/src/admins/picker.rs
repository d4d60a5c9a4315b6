//! Short forms of admins, for choosing one. See `docs/decisions/api.md#pickers`.

use super::store;
use access::prelude::*;

/// Somebody in short, for choosing.
#[derive(Debug, Object)]
struct AdminShort {
    id: Id<kernel::Admin>,
    /// Last name first, as Hungarian names are written; the address of who has none yet.
    name: String,
}

pub(crate) struct AdminPicker;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/admins/picker",
    tag = "Tag::Access"
)]
impl AdminPicker {
    /// Those who may act in the restaurant, in short and by name, for choosing.
    #[oai(path = "/", method = "get", operation_id = "admins_pick")]
    async fn pick(
        &self,
        scope: In<Restaurant, AnyOf<(perm::User, perm::PaymentMethod, perm::PosPrint, perm::AdminTable)>>,
        paging: Unpaged,
        /// Only those whose name holds this; accents and case ignored.
        name: QueryParam<String>,
    ) -> Result<Page<AdminShort>> {
        let tx = scope.begin().await?;
        let (people, total) = store::pick(&tx, scope.restaurant(), name.0, &paging).await?;
        Ok(Page { rows: people.into_iter().map(|(id, name)| AdminShort { id, name }).collect(), total })
    }
}
