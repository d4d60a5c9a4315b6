//! Uses of a promotion, and the revenue of the orders that used it.

use access::prelude::*;
use kernel::{
    money::{Currency, Money},
    time::BusinessDay,
};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::{
    api::{Here, find},
    entity::Discounts,
    store::Places,
};

/// What a promotion did at one restaurant.
#[derive(Debug, Object, FromQueryResult)]
struct DiscountRevenue {
    restaurant_id: Id<Restaurant>,
    restaurant_name: String,
    currency: Currency,
    /// Orders that used it.
    use_qty: i64,
    /// Orders that used it and were undone; they count nowhere else.
    given_back_qty: i64,
    /// What it took from the orders.
    discount_price: Money,
    /// What the orders came to, without what was cancelled of them.
    total_price: Money,
}

const REVENUE: &str = "select r.id restaurant_id, r.name restaurant_name, r.currency, \
        count(*) filter (where u.given_back_at is null) use_qty, \
        count(*) filter (where u.given_back_at is not null) given_back_qty, \
        coalesce(sum(u.amount) filter (where u.given_back_at is null), 0) discount_price, \
        coalesce(sum(o.total_price) filter (where u.given_back_at is null), 0) total_price \
    from promotion_use u join restaurant_facts r on r.id = u.restaurant_id \
        left join order_total o on o.id = u.order_id \
    where u.discount_id = $1 and u.restaurant_id = any ($2) \
        and ($3::date is null or u.business_day >= $3) and ($4::date is null or u.business_day <= $4) \
    group by r.id, r.name, r.currency order by ref.fold(r.name), r.id";

pub(crate) struct RevenueApi;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/discounts",
    tag = "Tag::Orders"
)]
impl RevenueApi {
    /// Uses of a promotion and the revenue of the orders that used it, by restaurant.
    ///
    /// The caller's restaurants only.
    ///
    /// codes: DISCOUNT_NOT_EXIST
    #[oai(path = "/:id/revenue", method = "get", operation_id = "discounts_revenue")]
    async fn revenue(
        &self, scope: Here, id: Path<Id<Discounts>>,
        /// First business day.
        from: QueryParam<BusinessDay>,
        /// Last business day.
        till: QueryParam<BusinessDay>,
    ) -> Result<Json<Vec<DiscountRevenue>>> {
        let tx = scope.begin().await?;
        find(&scope.rows(&tx), *id).await?;
        let places = Places::of(&tx, scope.caller()).await?;
        let mine: Vec<Uuid> = places.mine().map(|place| place.id).collect();
        Ok(Json(tx.all(REVENUE, [(*id).into(), mine.into(), from.0.into(), till.0.into()]).await?))
    }
}
