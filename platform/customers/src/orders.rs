//! Orders of customers, as the crate `orders` publishes them for readers.

use access::{audit, prelude::*};
use kernel::money::{Currency, Money};
use sea_orm::{FromQueryResult, Value as Bound};
use serde::Deserialize;
use serde_json::Value as Json;
use uuid::Uuid;

use crate::{ShadowCustomers, seen::Seen};

/// State of an order. An archived order is a storno.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum CustomerOrderStatus {
    Received,
    Succeeded,
    Processed,
    Prepared,
    Canceled,
    Expired,
    Failed,
}

/// What was ordered.
#[derive(Debug, Clone, Object, Deserialize)]
pub(crate) struct CustomerOrderItem {
    subproduct_id: Uuid,
    name: String,
    quantity: i32,
}

/// An order of a customer; test orders are left out.
#[derive(Debug, Clone, Object, FromQueryResult)]
pub(crate) struct CustomerOrder {
    pub id: Uuid,
    restaurant_id: Id<Restaurant>,
    restaurant_name: String,
    counter: Option<String>,
    status: CustomerOrderStatus,
    platform: String,
    pickup: bool,
    is_preorder: bool,
    created_at: Timestamp,
    expected_at: Option<Timestamp>,
    total_price: Money,
    currency: Currency,
    payment_method_name: Option<String>,
    payment_method_name_en: Option<String>,
    /// Postcode, city and street; null when nothing was delivered.
    address: Option<String>,
    archived_at: Option<Timestamp>,
    #[sea_orm(skip)]
    pub items: Vec<CustomerOrderItem>,
}

macro_rules! orders {
    ($what:literal) => {
        concat!(
            "select ",
            $what,
            " from customer_order o join restaurant_facts r on r.id = o.restaurant_id \
             left join ref.payment_method m on m.id = o.payment_method_id \
             where o.placed and o.order_parent_id is null and o.replaced_by_id is null and o.restaurant_id = any ($2) \
             and o.customer_id in (select c.id from shadow_customer c where c.id = $1 or c.root_id = $1)"
        )
    };
}
const LIST: &str = concat!(
    orders!(
        "o.id, o.restaurant_id, r.name restaurant_name, o.counter, o.status, o.platform, o.pickup, \
        o.is_preorder, \
         o.created_at, o.expected_at, trim_scale(o.total_price) total_price, o.currency, \
         m.name payment_method_name, m.name_en payment_method_name_en, \
         nullif(concat_ws(' ', nullif(o.delivery_data->>'postcode', ''), nullif(o.delivery_data->>'city', \
         ''), \
            nullif(o.delivery_data->>'street', ''), nullif(o.delivery_data->>'premise_number', '')), '') \
            address, \
         o.archived_at"
    ),
    " order by o.created_at desc, o.id desc limit $3 offset $4"
);
const COUNT: &str = orders!("count(*) total");
const ITEMS: &str = "select i.order_id, jsonb_agg(jsonb_build_object('subproduct_id', i.subproduct_id, \
        'name', i.name, 'quantity', i.quantity) order by i.ranking, i.id) items \
    from customer_order_item i where i.order_id = any ($1) group by i.order_id";

/// What an order consists of.
#[derive(FromQueryResult)]
struct Items {
    order_id: Uuid,
    items: Json,
}

async fn with_items(tx: &TenantTx, mut orders: Vec<CustomerOrder>) -> Result<Vec<CustomerOrder>> {
    let ids: Vec<Uuid> = orders.iter().map(|order| order.id).collect();
    for Items { order_id, items } in tx.all(ITEMS, [ids.into()]).await? {
        let items: Vec<CustomerOrderItem> = serde_json::from_value(items).unwrap_or_default();
        if let Some(order) = orders.iter_mut().find(|order| order.id == order_id) {
            order.items = items;
        }
    }
    Ok(orders)
}

/// The newest orders of a customer at the restaurants that the caller may see.
pub(crate) async fn newest(
    tx: &TenantTx, seen: &Seen, id: Id<ShadowCustomers>, most: i64,
) -> Result<Vec<CustomerOrder>> {
    let values = [id.into(), seen.restaurants.clone().into(), most.into(), 0_i64.into()];
    with_items(tx, tx.all(LIST, values).await?).await
}

pub(crate) async fn page(
    tx: &TenantTx, seen: &Seen, id: Id<ShadowCustomers>, paging: &Paging,
) -> Result<Page<CustomerOrder>> {
    let place: [Bound; 2] = [id.into(), seen.restaurants.clone().into()];
    let total = if paging.count { audit::total(&tx.rows(COUNT, place.clone()).await?)? } else { None };
    let orders = tx.all(LIST, place.into_iter().chain(audit::limit_offset(paging))).await?;
    Ok(Page { rows: with_items(tx, orders).await?, total })
}
