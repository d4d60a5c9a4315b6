//! The last change of a row of the catalogue and its author, so that open editors can warn of it.

use access::{prelude::*, rows::Transaction};
use uuid::Uuid;

use crate::quantities::SellableQuantities;

/// The last change of a row of the catalogue.
pub(crate) struct CatalogueChanges;

kernel::resource!(CatalogueChanges, "catalogue_changes", "CATALOGUE_CHANGE");

/// Who changed a row last.
#[derive(Debug, Object)]
struct LastSaved {
    /// Of the row.
    id: Id<CatalogueChanges>,
    changed_by: String,
    changed_at: Timestamp,
}

/// What the row with this id is, by the names of its lines in the audit log. Of a size, what is left of it; the rest
/// is its product's.
const KIND: &str = "select 'products' kind from product where restaurant_id = $1 and id = $2 \
    union all select 'product_categories' from product_category where restaurant_id = $1 and id = $2 \
    union all select 'option_groups' from option_group where restaurant_id = $1 and id = $2 \
    union all select 'options' from option where restaurant_id = $1 and id = $2 \
    union all select $3 from subproduct where restaurant_id = $1 and id = $2";

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/catalogue-changes",
    tag = "Tag::Catalogue"
)]
impl CatalogueChanges {
    /// Who changed a category, product, option group, option or what is left of a size last, and when.
    ///
    /// codes: CATALOGUE_CHANGE_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "catalogue_changes_get")]
    async fn get(
        &self, scope: In<Restaurant, perm::Order>, id: Path<Id<CatalogueChanges>>,
    ) -> Result<Json<LastSaved>> {
        let tx = scope.begin().await?;
        let record: Uuid = id.uuid();
        let values = [scope.restaurant().into(), record.into(), SellableQuantities::NAME.into()];
        let kind: Option<String> = tx.value(KIND, values).await?;
        let resource = kind.ok_or_else(Problem::not_exist::<CatalogueChanges>)?;
        let change = tx.last_change(rows::Logged { resource: &resource, record }).await?;
        let rows::LastChange { actor_name, at } =
            change.ok_or_else(Problem::not_exist::<CatalogueChanges>)?;
        Ok(Json(LastSaved { id: *id, changed_by: actor_name, changed_at: at }))
    }
}
