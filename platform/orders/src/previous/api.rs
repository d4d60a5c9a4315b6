//! Operations on previous orders.

use access::{ReadTogether, prelude::*};
use kernel::SerializedPage;
use uuid::Uuid;

use super::{
    filter::{DateFilter, DiscountFilter, OrderFilter, StornoFilter},
    store::{self, OrderTotals},
};
use crate::listed::{ListedOrder, OrderView, listed};

#[derive(Default)]
pub(crate) struct PreviousOrders {
    sums: ReadTogether<(Id<Restaurant>, String), OrderTotals>,
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/orders",
    tag = "Tag::Orders"
)]
impl PreviousOrders {
    /// Orders of any time, newest business day first, with partial stornos as rows of their own; 40 on a page.
    ///
    /// `from` and `till` are business days (`2026-05-31`) or instants; both ends count.
    #[oai(path = "/", method = "get", operation_id = "orders_list")]
    #[allow(clippy::too_many_arguments, reason = "the filter is made of query parameters")]
    async fn list(
        &self, scope: In<Restaurant, perm::AllOrder>,
        /// One search, of the number, the name, the phone, city or street.
        #[oai(validator(max_length = 100))]
        q: QueryParam<String>,
        id: QueryParam<Uuid>,
        /// The number, with its prefix or without.
        #[oai(validator(max_length = 20))]
        counter: QueryParam<String>,
        /// The beginnings of words of the guest's name.
        #[oai(validator(max_length = 100))]
        name: QueryParam<String>,
        /// At least four digits in a row of the guest's phone.
        #[oai(validator(max_length = 40))]
        phone_1: QueryParam<String>,
        #[oai(validator(max_length = 100))] city: QueryParam<String>,
        #[oai(validator(max_length = 100))] street: QueryParam<String>,
        #[oai(validator(max_length = 30))] premise_number: QueryParam<String>,
        #[oai(validator(max_length = 40))] from: QueryParam<String>,
        #[oai(validator(max_length = 40))] till: QueryParam<String>, date_filter_by: QueryParam<DateFilter>,
        storno: QueryParam<StornoFilter>,
        /// Only orders with partial stornos, and these.
        partial_storno: QueryParam<bool>,
        has_discount: QueryParam<DiscountFilter>,
        /// Named by the order, or by which it was paid.
        #[oai(name = "payment_methods[]", validator(max_items = 50))]
        payment_methods: QueryParam<Vec<Uuid>>,
        #[oai(name = "platforms[]", validator(max_items = 50))] platforms: QueryParam<Vec<String>>,
        paging: Paging, view: QueryParam<OrderView>,
    ) -> Result<SerializedPage<ListedOrder>> {
        let filter = OrderFilter {
            q: q.0,
            id: id.0,
            counter: counter.0,
            name: name.0,
            phone_1: phone_1.0,
            city: city.0,
            street: street.0,
            premise_number: premise_number.0,
            from: from.0,
            till: till.0,
            date_filter_by: date_filter_by.0.unwrap_or_default(),
            storno: storno.0.unwrap_or_default(),
            partial_storno: partial_storno.0.unwrap_or_default(),
            has_discount: has_discount.0.unwrap_or_default(),
            payment_methods: payment_methods.0.filter(|methods| !methods.is_empty()),
            platforms: platforms.0.filter(|platforms| !platforms.is_empty()),
        };
        let (tx, restaurant) = (scope.begin().await?, scope.restaurant());
        if filter.finds_all() && !paging.count {
            let ids = store::newest(&tx, restaurant, &paging).await?;
            let rows = listed(&tx, restaurant, ids, view.0, false).await?;
            return Ok(SerializedPage(Page { rows, total: None }));
        }
        let facts = restaurants::facts(&tx, restaurant).await?;
        let values = filter.values(restaurant, &facts)?;
        let total = if paging.count { store::count(&tx, values.clone()).await? } else { None };
        let ids = if filter.finds_all() {
            store::newest(&tx, restaurant, &paging).await?
        } else {
            store::ids(&tx, values, &paging).await?
        };
        Ok(SerializedPage(Page { rows: listed(&tx, restaurant, ids, view.0, false).await?, total }))
    }

    /// The sums of what a filter finds: of the rows that the list has with it.
    #[oai(path = "/totals", method = "post", operation_id = "orders_totals")]
    async fn totals(
        &self, scope: In<Restaurant, perm::AllOrder>, body: Body<OrderFilter>,
    ) -> Result<Json<OrderTotals>> {
        let restaurant = scope.restaurant();
        let read = async {
            let tx = scope.begin().await?;
            let facts = restaurants::facts(&tx, restaurant).await?;
            store::totals(&tx, body.values(restaurant, &facts)?).await
        };
        // Sums of hundreds of thousands of orders are dear, and several windows of a restaurant ask for the same.
        scope.release().await?;
        self.sums.read((restaurant, body.to_keep().to_string()), read).await.map(Json)
    }
}
