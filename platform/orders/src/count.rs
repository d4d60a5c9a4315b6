//! The number of orders that wait to be accepted, which all screens of staff show.

use access::prelude::*;

use crate::store;

pub(crate) struct Waiting;

/// How many orders wait.
#[derive(Debug, Object)]
struct WaitingOrders {
    /// To be accepted, and the kitchen should see them by now.
    count: u64,
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/orders",
    tag = "Tag::Orders"
)]
impl Waiting {
    /// How many orders wait to be accepted.
    #[oai(path = "/waiting", method = "get", operation_id = "orders_waiting")]
    async fn waiting(&self, scope: In<Restaurant, perm::FreshOrder>) -> Result<Json<WaitingOrders>> {
        let tx = scope.begin().await?;
        Ok(Json(WaitingOrders {
            count: store::count_waiting(&tx, scope.restaurant(), kernel::clock::now()).await?,
        }))
    }
}
