//! Orders as answers: six statements for any number of them, one more where pieces are back. See
//! `docs/decisions/orders.md#reading`.

use std::{collections::HashMap, sync::LazyLock};

use access::prelude::*;
use checkout::{OrderPlatform, VatSum};
use kernel::money::{Money, Percent, Quantity};
use poem_openapi::types::ToJSON;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::{
    payments::{self, PayableTransaction, PaymentRefund},
    pays_with,
    row::{ItemRow, Lines, OptionRow, OrderRow, PartRow, Row},
    state::{self, Action, may_change},
    types::{
        LocalizedName, Order, OrderCustomer, OrderHistory, OrderItem, OrderItemOption, OrderItemPart,
        OrderStorno, PaymentMethod, RemovedItem,
    },
    values::{Amount, OrderId},
};

/// An order with its payment method, when it has one.
#[derive(FromQueryResult)]
struct PaidOrderRow {
    #[sea_orm(nested)]
    row: OrderRow,
    #[sea_orm(nested(prefix = "method_"))]
    method: Option<PaymentMethod>,
    #[sea_orm(nested(prefix = "guest_"))]
    guest: Option<OrderCustomer>,
    /// None without a partial storno.
    reversed_price: Option<Amount>,
    courier_name: Option<String>,
    replaces_counter: Option<String>,
    replaced_by_counter: Option<String>,
    changed_at: Option<Timestamp>,
    changed_fields: Vec<String>,
}

/// The pieces of a line that are back.
#[derive(FromQueryResult)]
struct ReversedItem {
    id: Uuid,
    quantity: i32,
    at: Timestamp,
}

/// The pieces of a line that the order before had.
#[derive(FromQueryResult)]
struct KeptItem {
    id: Uuid,
    quantity: i32,
}

static ORDERS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "select {}, m.id method_id, m.payment_key method_payment_key, m.payment_type method_payment_type, \
            m.name method_name, m.name_en method_name_en, m.paid_online method_paid_online, \
            g.id guest_id, g.name guest_name, g.order_number guest_order_number, \
            r.price reversed_price, n.name courier_name, \
            b.counter replaces_counter, l.counter replaced_by_counter, \
            c.changed_at, coalesce(c.changed_fields, '{{}}') changed_fields \
        from orders o left join ref.payment_method m on m.id = o.payment_method_id \
        left join courier_name n on n.id = o.courier_id \
        left join order_customer g on g.customer_id = o.customer_id and g.restaurant_id = o.restaurant_id \
        left join orders b on b.id = o.replaces_id left join orders l on l.id = o.replaced_by_id \
        left join (select order_parent_id, sum(total_price) price from orders \
            where order_parent_id = any ($2) group by order_parent_id) r on r.order_parent_id = o.id \
        left join (select c.order_id, max(c.created_at) changed_at, array_agg(distinct f order by f) changed_fields \
            from order_change c, unnest(c.fields) f where c.order_id = any ($2) and f <> 'courier_id' \
            group by c.order_id) c on c.order_id = o.id \
        where o.restaurant_id = $1 and o.id = any ($2)",
        OrderRow::columns("o.")
    )
});
static ITEMS: LazyLock<String> = LazyLock::new(|| {
    let columns = ItemRow::columns("i.");
    format!("select {columns} from order_item i where i.order_id = any ($1) order by i.order_id, i.ranking")
});
const REVERSED: &str = "select r.parent_item_id id, -sum(r.quantity)::int quantity, max(c.created_at) at from orders c \
    join order_item r on r.order_id = c.id and r.parent_item_id is not null \
    where c.order_parent_id = any ($1) group by r.parent_item_id";
const KEPT: &str = "select k.order_item_id id, sum(k.quantity)::int quantity from order_item_kept k \
    join order_item i on i.id = k.order_item_id where i.order_id = any ($1) group by k.order_item_id";
const REMOVED: &str = "select n.id order_id, i.id order_item_id, coalesce(i.name, i.product_name) name, \
        i.name_sec_lang, i.quantity - k.quantity quantity, p.options, p.options_sec_lang \
    from orders n join order_item i on i.order_id = n.replaces_id, \
    lateral (select coalesce(sum(k.quantity), 0)::int quantity from order_item_kept k where k.old_item_id = i.id) k, \
    lateral (select coalesce(array_agg(p.option_name order by p.ranking), '{}') options, \
        coalesce(array_agg(coalesce(p.option_name_sec_lang, p.option_name) order by p.ranking), '{}') options_sec_lang \
        from order_item_option p where p.order_item_id = i.id) p \
    where n.id = any ($1) and i.quantity > k.quantity order by n.id, i.ranking";
static OPTIONS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "select {} from order_item_option p join order_item i on i.id = p.order_item_id \
        where i.order_id = any ($1) order by p.order_item_id, p.ranking",
        OptionRow::columns("p.")
    )
});
static PARTS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "select {} from order_item_part p join order_item i on i.id = p.order_item_id \
        where i.order_id = any ($1) order by p.order_item_id, p.ranking",
        PartRow::columns("p.")
    )
});
/// The orders with these ids, in the order of the ids.
pub(crate) async fn orders(tx: &TenantTx, restaurant: Id<Restaurant>, ids: Vec<Uuid>) -> Result<Vec<Order>> {
    orders_with(tx, restaurant, ids, Depth::Whole).await
}

/// How much of an order is read; what is not stays empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Without lines and refunds.
    Head,
    /// With its lines, but for their parts, and without refunds.
    Lines,
    Whole,
}

/// The same, as far as they are wanted.
pub(crate) async fn orders_with(
    tx: &TenantTx, restaurant: Id<Restaurant>, ids: Vec<Uuid>, depth: Depth,
) -> Result<Vec<Order>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<PaidOrderRow> = tx.all(ORDERS.as_str(), [restaurant.into(), ids.clone().into()]).await?;
    let (mut options, mut parts) = (Vec::<OptionRow>::new(), Vec::<PartRow>::new());
    let mut lines: HashMap<Uuid, Vec<ItemRow>> = HashMap::new();
    if depth != Depth::Head {
        options = tx.all(OPTIONS.as_str(), [ids.clone().into()]).await?;
        for row in tx.all::<ItemRow>(ITEMS.as_str(), [ids.clone().into()]).await? {
            lines.entry(row.order_id.uuid()).or_default().push(row);
        }
    }
    if depth == Depth::Whole {
        parts = tx.all(PARTS.as_str(), [ids.clone().into()]).await?;
    }
    let mut reversed: HashMap<Uuid, (i32, Timestamp)> = HashMap::new();
    if depth != Depth::Head && rows.iter().any(|order| order.reversed_price.is_some()) {
        let found: Vec<ReversedItem> = tx.all(REVERSED, [ids.clone().into()]).await?;
        reversed.extend(found.into_iter().map(|item| (item.id, (item.quantity, item.at))));
    }
    let (mut kept, mut removed) = (HashMap::<Uuid, i32>::new(), HashMap::<Uuid, Vec<RemovedItem>>::new());
    if depth != Depth::Head && rows.iter().any(|order| order.row.replaces_id.is_some()) {
        let found: Vec<KeptItem> = tx.all(KEPT, [ids.clone().into()]).await?;
        kept.extend(found.into_iter().map(|item| (item.id, item.quantity)));
        for item in tx.all::<RemovedItem>(REMOVED, [ids.clone().into()]).await? {
            removed.entry(item.order_id).or_default().push(item);
        }
    }
    let mut of_item = OfItem::new(options, parts);
    let mut payments: HashMap<Uuid, Vec<PayableTransaction>> = HashMap::new();
    for payment in payments::transactions_of(tx, ids.clone()).await? {
        payments.entry(payment.order_id).or_default().push(payment);
    }
    let mut refunds: HashMap<Uuid, Vec<PaymentRefund>> = HashMap::new();
    let asked = depth == Depth::Whole;
    for refund in if asked { payments::refunds_of(tx, restaurant, ids.clone()).await? } else { Vec::new() } {
        refunds.entry(refund.order_id.uuid()).or_default().push(refund);
    }
    let mut orders: HashMap<Uuid, Order> = HashMap::new();
    for found in rows {
        let PaidOrderRow {
            row, method, guest, reversed_price, courier_name, changed_at, changed_fields, ..
        } = found;
        let PaidOrderRow { replaces_counter, replaced_by_counter, .. } = found;
        let id = row.id.uuid();
        let lines = lines.remove(&id).unwrap_or_default();
        let mut items = items(lines, &mut of_item, row.created_at);
        for item in &mut items {
            let back = reversed.get(&item.id);
            item.reversed_quantity = back.map(|(pieces, _)| *pieces).unwrap_or_default();
            let whole = back.filter(|(pieces, _)| *pieces == item.quantity);
            item.archived_at = whole.map(|(_, at)| *at).or(row.archived_at.filter(|_| item.quantity > 0));
            if row.replaces_id.is_some() {
                item.new_quantity = item.quantity - kept.get(&item.id).copied().unwrap_or_default();
            }
        }
        let mut order = Order::new(row, method, items);
        order.shadow_customer = guest;
        order.payable_transactions = payments.remove(&id).unwrap_or_default();
        for row in &mut order.payable_transactions {
            (row.pickup, row.platform) = (order.row.pickup, order.row.platform.clone());
        }
        order.refunds = refunds.remove(&id).unwrap_or_default();
        (order.courier_name, order.changed_at, order.changed_fields) =
            (courier_name, changed_at, changed_fields);
        (order.replaces_counter, order.replaced_by_counter) = (replaces_counter, replaced_by_counter);
        order.removed_items = removed.remove(&id).unwrap_or_default();
        if reversed_price.is_some() {
            order.allowed.retain(|action| action != "replace");
        }
        order.settle(reversed_price.map_or(Money::ZERO, |price| price.0));
        orders.insert(id, order);
    }
    Ok(ids.iter().filter_map(|id| orders.remove(id)).collect())
}

impl Order {
    /// An order that nothing has been paid of.
    pub fn new(mut row: OrderRow, payment_method: Option<PaymentMethod>, items: Vec<OrderItem>) -> Self {
        row.delivery_vat_percent = row.delivery_vat_percent.map(bare);
        row.system_usage_fee_vat_percent = row.system_usage_fee_vat_percent.map(bare);
        // A partial storno is finished.
        let over = row.archived_at.is_some() || row.order_parent_id.is_some();
        let allowed = state::allowed(row.status, over);
        let changeable = may_change(row.status, over);
        let change = changeable.then_some("change");
        let replace = (changeable && OrderPlatform::of(&row.platform).is_some()).then_some("replace");
        let allowed = allowed.map(Action::name).chain(change).chain(replace).map(str::to_owned).collect();
        let prices = row.delivery_prices.as_ref().filter(|_| row.courier_id.is_some() && !row.pickup);
        let courier_price = prices.and_then(|prices| prices.courier_price).map(Amount::from);
        let mut order = Self {
            row,
            payment_method,
            payment: None,
            items,
            payable_transactions: Vec::new(),
            refunds: Vec::new(),
            paid: Money::ZERO.into(),
            due: Money::ZERO.into(),
            change_due: None,
            reversed_price: Money::ZERO.into(),
            shadow_customer: None,
            courier_name: None,
            replaces_counter: None,
            replaced_by_counter: None,
            removed_items: Vec::new(),
            courier_price,
            changed_at: None,
            changed_fields: Vec::new(),
            allowed,
            history: None,
            stornos: None,
            vats_left: None,
        };
        order.settle(Money::ZERO);
        order
    }

    /// Says what is paid and what is due, once its payments are known and what partial stornos took off.
    fn settle(&mut self, reversed: Money) {
        let moved = self.payable_transactions.iter().filter(|row| row.status == "succeeded");
        let paid: Money = moved.map(|row| row.value.0).sum();
        let total = self.row.total_price.0 + reversed;
        let due = payments::due(self.row.status, self.row.archived_at.is_some(), total, paid);
        let is_child = self.row.order_parent_id.is_some();
        (self.paid, self.reversed_price) = (paid.into(), reversed.into());
        // What a child takes back is due, or not, with its parent.
        self.due = if is_child { Money::ZERO.into() } else { due.into() };
        let pays_with = self.row.pays_with.map(|amount| amount.0);
        self.change_due = pays_with::change(pays_with, self.due.0, self.row.currency).map(Amount::from);
    }
}

/// A rate without the zeros that the column's scale adds.
fn bare(percent: Percent) -> Percent {
    Percent(percent.0.normalize())
}

/// Options and parts by the line they belong to.
pub(crate) struct OfItem {
    options: HashMap<Uuid, Vec<OrderItemOption>>,
    parts: HashMap<Uuid, Vec<OrderItemPart>>,
}

impl OfItem {
    /// Those of any number of lines.
    pub fn new(options: Vec<OptionRow>, parts: Vec<PartRow>) -> Self {
        let mut of_item = Self { options: HashMap::new(), parts: HashMap::new() };
        for row in options {
            of_item.options.entry(row.order_item_id).or_default().push(row.into());
        }
        for row in parts {
            of_item.parts.entry(row.order_item_id).or_default().push(row.into());
        }
        of_item
    }
}

/// The lines of an order that was placed then, with their options and parts.
pub(crate) fn items(rows: Vec<ItemRow>, of_item: &mut OfItem, placed_at: Timestamp) -> Vec<OrderItem> {
    rows.into_iter().map(|row| item(row, of_item, placed_at)).collect()
}

/// One order.
/// Errors: `ORDER_NOT_EXIST`.
pub(crate) async fn order(tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<OrderId>) -> Result<Order> {
    orders(tx, restaurant, vec![id.uuid()]).await?.pop().ok_or_else(Problem::not_exist::<OrderId>)
}

/// That the order is in another state by now; the current row goes with it.
pub(crate) async fn changed(tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<OrderId>) -> Result<Problem> {
    let current = order(tx, restaurant, id).await?;
    Ok(Problem::new(Code::ORDER_STATE_CHANGED).with("current", current.to_json().unwrap_or_default()))
}

/// The rows of one order as they lie in the database.
/// Errors: `ORDER_NOT_EXIST`.
pub(crate) async fn rows(
    tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<OrderId>,
) -> Result<(OrderRow, Lines)> {
    let ids = vec![id.uuid()];
    let order: Option<PaidOrderRow> =
        tx.one(ORDERS.as_str(), [restaurant.into(), ids.clone().into()]).await?;
    let items = tx.all(ITEMS.as_str(), [ids.clone().into()]).await?;
    let options = tx.all(OPTIONS.as_str(), [ids.clone().into()]).await?;
    let parts = tx.all(PARTS.as_str(), [ids.into()]).await?;
    let order = order.ok_or_else(Problem::not_exist::<OrderId>)?.row;
    Ok((order, Lines { items, options, parts }))
}

const STORNOS: &str = "select id, total_price, archive_reason, archive_reason_id, archive_reason_name, \
    archive_reason_name_sec_lang, archive_reason_text, admin_name \"by\", created_at \
    from orders where order_parent_id = $1 order by created_at, id";

/// The partial stornos of an order, oldest first.
pub(crate) async fn stornos(tx: &TenantTx, id: Id<OrderId>) -> Result<Vec<OrderStorno>> {
    Ok(tx.all(STORNOS, [id.into()]).await?)
}

const VATS_LEFT: &str = "select v.percent, sum(v.net) net, sum(v.vat) vat, sum(v.gross) gross from orders o, \
        jsonb_to_recordset(o.vats) v (percent numeric, net numeric, vat numeric, gross numeric) \
    where o.id = $1 or o.order_parent_id = $1 group by v.percent \
    having sum(v.gross) <> 0 order by v.percent";

/// The VAT of an order by rate, without what its partial stornos took back.
pub(crate) async fn vats_left(tx: &TenantTx, id: Id<OrderId>) -> Result<Vec<VatSum>> {
    Ok(tx.all(VATS_LEFT, [id.into()]).await?)
}

/// Placing has the reason why it was delivered against the rules. Lines never change, so it stands with the order, or
/// with the first change that replaced it, until the customer is anonymised.
const HISTORY: &str = "select h.status, h.at, h.actor_name, h.surface, c.old_and_new changes, \
        case when h.id = min(h.id) over () and why.reason is not null \
            then coalesce(h.details, '{}') || jsonb_build_object('override_reason', why.reason) else h.details end details \
    from order_history h left join order_change c on c.id = (h.details ->> 'change_id')::uuid \
    left join lateral (select reason from (\
            select 1 nth, f.created_at at, f.old_and_new -> 'delivery_override_reason' ->> 0 reason from order_change f \
            where f.order_id = $1 and 'delivery_override_reason' = any (f.fields) \
            union all select 2, o.created_at, o.delivery_override_reason from orders o where o.id = $1) known \
        order by nth, at limit 1) why on true \
    where h.order_id = $1 order by h.id";

/// What happened to an order, oldest first.
pub(crate) async fn history(tx: &TenantTx, id: Id<OrderId>) -> Result<Vec<OrderHistory>> {
    Ok(tx.all(HISTORY, [id.into()]).await?)
}

fn item(row: ItemRow, of_item: &mut OfItem, placed_at: Timestamp) -> OrderItem {
    let (product, subproduct) = (
        LocalizedName { name: row.product_name, name_sec_lang: row.product_name_sec_lang },
        LocalizedName { name: row.subproduct_name, name_sec_lang: row.subproduct_name_sec_lang },
    );
    let (name, name_sec_lang) = match row.name {
        Some(name) => (name, row.name_sec_lang),
        // Of an earlier release: whether it was its product's only size is not known.
        None => catalogue::ordered_name(
            (&product.name, product.name_sec_lang.as_deref()),
            (&subproduct.name, subproduct.name_sec_lang.as_deref()),
            false,
        ),
    };
    OrderItem {
        id: row.id,
        order_id: row.order_id,
        parent_item_id: row.parent_item_id,
        reversed_quantity: 0,
        subproduct_id: row.subproduct_id,
        product,
        subproduct,
        name,
        name_sec_lang,
        gift_of: row.gift_of,
        quantity: row.quantity,
        unit_price: row.unit_price,
        total_price: row.total_price,
        discount: row.discount,
        paid_price: row.paid_price.unwrap_or(row.total_price),
        vat_percent: row.vat_percent.map(bare),
        net_price: row.net_price,
        vat_price: row.vat_price,
        service_fee: row.service_fee,
        service_fee_net: row.service_fee_net,
        service_fee_vat: row.service_fee_vat,
        deposit: row.deposit,
        deposit_pieces: row.deposit_pieces,
        ntak_category_id: row.ntak_category_id,
        ntak_quantity_unit: row.ntak_quantity_unit,
        ntak_quantity: row.ntak_quantity.map(exact),
        created_at: row.created_at.unwrap_or(placed_at),
        message: row.message,
        is_new: row.is_new,
        new_quantity: 0,
        archived_at: None,
        item_options: of_item.options.remove(&row.id).unwrap_or_default(),
        parts: of_item.parts.remove(&row.id).unwrap_or_default(),
    }
}

/// A quantity without the zeros that the column's scale adds.
fn exact(quantity: Quantity) -> Quantity {
    Quantity(quantity.0.normalize())
}

impl From<PartRow> for OrderItemPart {
    fn from(row: PartRow) -> Self {
        Self {
            kind: row.kind,
            subproduct_id: row.subproduct_id,
            option_id: row.option_id,
            name: row.name,
            name_sec_lang: row.name_sec_lang,
            quantity: row.quantity,
            total_price: row.total_price,
            discount: row.discount,
            paid_price: row.paid_price,
            vat_percent: bare(row.vat_percent),
            net_price: row.net_price,
            vat_price: row.vat_price,
            service_fee: row.service_fee,
            service_fee_net: row.service_fee_net,
            service_fee_vat: row.service_fee_vat,
            ntak_category_id: row.ntak_category_id,
            ntak_quantity_unit: row.ntak_quantity_unit,
            ntak_quantity: row.ntak_quantity.map(exact),
        }
    }
}

impl From<OptionRow> for OrderItemOption {
    fn from(row: OptionRow) -> Self {
        Self {
            option_id: row.option_id,
            option: LocalizedName { name: row.option_name, name_sec_lang: row.option_name_sec_lang },
            group_name: row.group_name,
            quantity: row.quantity,
            unit_price: row.unit_price,
            total_price: row.total_price,
        }
    }
}
