//! Makes unused ids for rows of the menu in other systems. See
//! `docs/decisions/catalogue.md#external-ids`.

use std::collections::HashSet;

use access::prelude::*;
use poem_openapi::param::Query;
use rand::Rng;

use crate::external_ids::Platform;

/// How many are tried at once.
const TRIED: usize = 16;

/// An id that is free.
#[derive(Debug, Object)]
struct RemoteId {
    /// Digits. It is not reserved: the row that is saved first with it has it.
    remote_id: String,
}

const TAKEN: &str =
    "select value from external_id where restaurant_id = $1 and platform = $2 and value = any ($3)";

/// Nine digits, so that two people who ask at the same time get different ones.
fn candidates(skip: &HashSet<String>) -> Vec<String> {
    let mut random = rand::rng();
    let drawn = std::iter::repeat_with(|| random.random_range(100_000_000..1_000_000_000_u32).to_string());
    drawn.filter(|id| !skip.contains(id)).take(TRIED).collect()
}

pub(crate) struct RemoteIds;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id",
    tag = "Tag::Catalogue"
)]
impl RemoteIds {
    /// An id that no row of the restaurant's menu has in this system.
    #[oai(path = "/generate-remote-id", method = "get", operation_id = "remote_ids_generate")]
    async fn generate(
        &self, scope: In<Restaurant, perm::CatalogEdit>,
        /// The system: the name of the field without `_id`.
        platform_id: Query<Platform>,
        /// Ids that are not wanted either, such as those of an editor that are not saved yet.
        #[oai(name = "skip_ids[]", validator(max_items = 100))]
        skip_ids: QueryParam<Vec<String>>,
    ) -> Result<Json<RemoteId>> {
        let skip: HashSet<String> = skip_ids.0.into_iter().flatten().collect();
        let tx = scope.begin().await?;
        loop {
            let mut free = candidates(&skip);
            let values = [scope.restaurant().into(), platform_id.0.key().into(), free.clone().into()];
            let taken: Vec<String> = tx.values(TAKEN, values).await?;
            free.retain(|id| !taken.contains(id));
            if let Some(remote_id) = free.pop() {
                return Ok(Json(RemoteId { remote_id }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_skipped_is_not_drawn() {
        let skip: HashSet<String> = candidates(&HashSet::new()).into_iter().collect();
        let drawn = candidates(&skip);
        assert_eq!(drawn.len(), TRIED);
        assert!(drawn.iter().all(|id| id.len() == 9 && !skip.contains(id)), "{drawn:?}");
    }
}
