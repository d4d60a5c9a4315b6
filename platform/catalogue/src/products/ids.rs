//! The ids that a product and its sub-products have in other systems, in a save.

use access::prelude::*;
use uuid::Uuid;

use super::{Products, answer::Links, drafts::Draft};
use crate::external_ids::{self, ExternalIds, ProductIds, RowIds, SubproductIds};

#[derive(Default)]
pub(super) struct Save {
    product: Vec<RowIds<ProductIds>>,
    sizes: Vec<RowIds<SubproductIds>>,
}

impl Save {
    /// Those of a product and of these drafts, of which `links` says how they will be; nothing where none
    /// were sent.
    pub(super) fn of(id: Id<Products>, product_sent: bool, drafts: &[Draft], links: &Links) -> Self {
        let product = RowIds {
            prefix: String::new(),
            row: id.uuid(),
            ids: links.product_ids.get(&id.uuid()).cloned().unwrap_or_default(),
        };
        let size = |(at, draft): (usize, &Draft)| {
            let row = draft.row.id.try_as_ref()?.uuid();
            let ids = links.size_ids.get(&row).cloned().unwrap_or_default();
            Some(RowIds { prefix: format!("subproducts.{at}."), row, ids })
        };
        let sizes_sent = drafts.iter().any(|draft| !SubproductIds::is_absent(&draft.ids));
        Self {
            product: if product_sent { vec![product] } else { vec![] },
            sizes: if sizes_sent { drafts.iter().enumerate().filter_map(size).collect() } else { vec![] },
        }
    }

    /// Names the ids that others have. The sub-products that leave lose theirs.
    pub(super) async fn faults(
        &self, tx: &TenantTx, restaurant: Id<Restaurant>, problem: Problem, leaving: &[Uuid],
    ) -> Result<Problem> {
        let problem = external_ids::faults(tx, restaurant, problem, &self.product, &[]).await?;
        external_ids::faults(tx, restaurant, problem, &self.sizes, leaving).await
    }

    pub(super) async fn write(
        self, tx: &TenantTx, restaurant: Id<Restaurant>, leaving: &[Uuid],
    ) -> Result<()> {
        external_ids::forget(tx, leaving.to_vec()).await?;
        external_ids::set(tx, restaurant, &self.product).await?;
        external_ids::set(tx, restaurant, &self.sizes).await
    }
}
