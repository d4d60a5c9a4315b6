//! Operations of staff on orders: list fresh ones, accept, refuse, cancel. See
//! `docs/decisions/orders.md#accepting`.

mod lists;

use access::{Approver, Idempotency, Pin, prelude::*};
use contract::Plugins;
use kernel::SerializedPage;
use poem::web::Data;
use uuid::Uuid;

use crate::{
    actor::Actor,
    change::{Call, OrderEdit, change as change_order},
    events::publish_all,
    input::{Acceptance, AcceptanceUndo, Archiving, PartialStorno, Readiness},
    listed::{ListedOrder, OrderView, listed},
    partial_storno,
    payments::Till,
    previous::{self, DateFilter, DiscountFilter, OrderFilter, StornoFilter},
    read,
    rights::{Reads, STORNO, reads, storno_approver},
    state::{self, Change, Outcome},
    storno_reasons::SentReason,
    types::Order,
    values::OrderId,
};

pub(crate) struct Orders;

/// For so many hours a ready order is found where it can be called back.
const READY_HOURS: i64 = 2;
const MOST_READY: i64 = 40;

/// Changes the state of an order for a caller, and answers it.
async fn change<P: Sync>(
    scope: &In<Restaurant, P>, id: Id<OrderId>, approver: Option<&Approver>, what: Change,
) -> Result<Json<Order>> {
    reads(scope)?;
    let tx = scope.begin().await?;
    let restaurant = scope.restaurant();
    let may = |key: &str| scope.may(key) || (key == STORNO && approver.is_some());
    let actor = Actor::Caller(scope.caller(), &may);
    let (events, details) = match state::change(&tx, restaurant, id, &what, actor).await? {
        Outcome::Done { events, mut details } => {
            if let Some(approver) = approver {
                details["approved_by"] = approver.name.clone().into();
            }
            (events, details)
        }
        Outcome::Already => return Ok(Json(read::order(&tx, restaurant, id).await?)),
        Outcome::WrongState => return Err(read::changed(&tx, restaurant, id).await?),
    };
    scope.audit(&tx, Some(restaurant.uuid()), what.action().operation(), id, details).await?;
    let order = read::order(&tx, restaurant, id).await?;
    publish_all(&tx, &events).await?;
    tx.commit().await?;
    Ok(Json(order))
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/orders",
    tag = "Tag::Orders"
)]
impl Orders {
    /// Fresh orders: those to be accepted first, whoever waits longest at the top; then accepted ones, latest
    /// first.
    ///
    /// Preorders appear when the kitchen should see them (`show_at`). `till`, where it is an instant, cuts off what
    /// comes while one pages. With `status` only those in it; its total is theirs. The other parameters filter as
    /// those of `GET …/orders` do.
    #[oai(path = "/fresh", method = "get", operation_id = "orders_fresh")]
    #[allow(clippy::too_many_arguments, reason = "the filter is made of query parameters")]
    async fn fresh(
        &self, scope: In<Restaurant, perm::FreshOrder>, paging: Paging,
        status: QueryParam<lists::FreshStatus>, view: QueryParam<OrderView>,
        /// One search, of the number, the name, the phone, city or street.
        #[oai(validator(max_length = 100))]
        q: QueryParam<String>,
        id: QueryParam<Uuid>, #[oai(validator(max_length = 20))] counter: QueryParam<String>,
        #[oai(validator(max_length = 100))] name: QueryParam<String>,
        #[oai(validator(max_length = 40))] phone_1: QueryParam<String>,
        #[oai(validator(max_length = 100))] city: QueryParam<String>,
        #[oai(validator(max_length = 100))] street: QueryParam<String>,
        #[oai(validator(max_length = 30))] premise_number: QueryParam<String>,
        #[oai(validator(max_length = 40))] from: QueryParam<String>,
        /// An instant cuts off; a business day filters.
        #[oai(validator(max_length = 40))]
        till: QueryParam<String>,
        date_filter_by: QueryParam<DateFilter>, storno: QueryParam<StornoFilter>,
        partial_storno: QueryParam<bool>, has_discount: QueryParam<DiscountFilter>,
        #[oai(name = "payment_methods[]", validator(max_items = 50))] payment_methods: QueryParam<Vec<Uuid>>,
        #[oai(name = "platforms[]", validator(max_items = 50))] platforms: QueryParam<Vec<String>>,
    ) -> Result<SerializedPage<ListedOrder>> {
        let mut filter = OrderFilter {
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
        // Two seconds on top, so that an order of this very moment is not left out.
        let now = || Timestamp(kernel::clock::now() + chrono::Duration::seconds(2));
        let till = filter.take_cut_off().unwrap_or_else(now);
        let wanted = lists::Fresh { restaurant, till: till.into(), status: status.0 };
        let (ids, total) = if filter.finds_all() {
            let limit = paging.limit();
            let ids = lists::fresh(&tx, wanted, limit, paging.offset(limit)).await?;
            (ids, if paging.count { Some(lists::count_fresh(&tx, wanted).await?) } else { None })
        } else {
            let facts = restaurants::facts(&tx, restaurant).await?;
            let [_, till, status] = wanted.values();
            previous::fresh(&tx, filter.values(restaurant, &facts)?, [till, status], &paging).await?
        };
        Ok(SerializedPage(Page { rows: listed(&tx, restaurant, ids, view.0, true).await?, total }))
    }

    /// Orders that were called ready within the last two hours and are so still, latest first, at most 40.
    ///
    /// They have left the fresh ones; this is where a wrong call is found.
    #[oai(path = "/ready", method = "get", operation_id = "orders_ready")]
    async fn ready(
        &self, scope: In<Restaurant, perm::FreshOrder>, view: QueryParam<OrderView>,
    ) -> Result<SerializedPage<ListedOrder>> {
        let tx = scope.begin().await?;
        let since = kernel::clock::now() - chrono::Duration::hours(READY_HOURS);
        let ids = lists::ready(&tx, scope.restaurant(), since, MOST_READY).await?;
        Ok(SerializedPage(Page::unpaged(listed(&tx, scope.restaurant(), ids, view.0, false).await?)))
    }

    /// Orders for later that the kitchen should not see yet, soonest first.
    ///
    /// They join the fresh ones at their `show_at`.
    #[oai(path = "/later", method = "get", operation_id = "orders_later")]
    async fn later(
        &self, scope: In<Restaurant, perm::FreshOrder>, paging: Paging, view: QueryParam<OrderView>,
    ) -> Result<SerializedPage<ListedOrder>> {
        let tx = scope.begin().await?;
        let now = Timestamp::now();
        let limit = paging.limit();
        let ids = lists::later(&tx, scope.restaurant(), now, limit, paging.offset(limit)).await?;
        let total =
            if paging.count { Some(lists::count_later(&tx, scope.restaurant(), now).await?) } else { None };
        Ok(SerializedPage(Page { rows: listed(&tx, scope.restaurant(), ids, view.0, false).await?, total }))
    }

    /// One order with its history.
    ///
    /// codes: ORDER_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "orders_get")]
    async fn get(&self, scope: In<Restaurant, Reads>, id: Path<Id<OrderId>>) -> Result<Json<Order>> {
        let tx = scope.begin().await?;
        let mut order = read::order(&tx, scope.restaurant(), *id).await?;
        order.history = Some(read::history(&tx, *id).await?);
        order.stornos = Some(read::stornos(&tx, *id).await?);
        order.vats_left = Some(read::vats_left(&tx, *id).await?);
        Ok(Json(order))
    }

    /// Changes an order that is not prepared yet: contact, place, wanted time, payment method, message, courier.
    ///
    /// It needs the PIN of somebody with `pos_modify_order`, the caller's own or another person's. The delivery is
    /// priced anew where it goes elsewhere; goods are never priced again. What was paid and is no longer due is
    /// asked to be given back. What is the same already is no change; where nothing changes, nothing is written.
    ///
    /// With `dry_run` nothing is written, and the order is answered as it would be; no PIN is asked then.
    ///
    /// codes: ORDER_NOT_EXIST, ORDER_STATE_CHANGED, ORDER_NOT_ACCEPTABLE, PAYMENT_UNDER_WAY
    #[oai(path = "/:id", method = "put", operation_id = "orders_change")]
    #[allow(clippy::too_many_arguments, reason = "each is a part of the request")]
    async fn edit(
        &self, scope: In<Restaurant, Reads>, id: Path<Id<OrderId>>, dry_run: QueryParam<bool>, pin: Pin,
        key: IdempotencyKey, body: Body<OrderEdit>, plugins: Data<&Plugins>,
    ) -> Result<Stored<Order>> {
        let rehearsed = dry_run.0.unwrap_or_default();
        let call = Call { rehearsed, pin: &pin, key: &key, body: &body, plugins: &plugins };
        change_order(&scope, *id, call).await
    }

    /// Accepts an order, with the minutes until it is ready or delivered.
    ///
    /// codes: ORDER_NOT_EXIST, ORDER_STATE_CHANGED
    #[oai(path = "/:id/accept", method = "put", operation_id = "orders_accept")]
    async fn accept(
        &self, scope: In<Restaurant, perm::OrderAccept>, id: Path<Id<OrderId>>, body: Body<Acceptance>,
    ) -> Result<Json<Order>> {
        change(&scope, *id, None, Change::Accept(body.delivery_time_minute)).await
    }

    /// Takes an acceptance back: the order waits to be accepted again, and no time is promised any more.
    /// Until it is ready.
    ///
    /// The mail that says it was accepted goes out 8 seconds after accepting, so within these a guest hears
    /// nothing; one who has been told gets a mail that the time is being set anew. Taking back what is not
    /// accepted changes nothing.
    ///
    /// codes: ORDER_NOT_EXIST, ORDER_STATE_CHANGED
    #[oai(path = "/:id/take-back", method = "put", operation_id = "orders_take_back")]
    async fn take_back(
        &self, scope: In<Restaurant, perm::OrderAccept>, id: Path<Id<OrderId>>, body: Body<AcceptanceUndo>,
    ) -> Result<Json<Order>> {
        change(&scope, *id, None, Change::TakeBack(body.version)).await
    }

    /// Says that an accepted order is ready: boards call its number, and it leaves the fresh ones. With
    /// `prepared: false` it is being made again.
    ///
    /// Saying again what is so already changes nothing.
    ///
    /// codes: ORDER_NOT_EXIST, ORDER_STATE_CHANGED
    #[oai(path = "/:id/prepared", method = "put", operation_id = "orders_prepared")]
    async fn prepared(
        &self, scope: In<Restaurant, perm::OrderAccept>, id: Path<Id<OrderId>>, body: Body<Readiness>,
    ) -> Result<Json<Order>> {
        let what = if body.prepared { Change::Prepare } else { Change::Recall };
        change(&scope, *id, None, what).await
    }

    /// Refuses an order that is not accepted, or cancels one that is (storno). The order is archived, never
    /// deleted.
    ///
    /// A refusal is mailed to the guest. What could be sold is given back, and what was paid is asked to be given
    /// back. Who may not cancel orders sends the PIN of somebody with `pos_storno`.
    ///
    /// codes: ORDER_NOT_EXIST, ORDER_STATE_CHANGED
    #[oai(path = "/:id/archive", method = "put", operation_id = "orders_archive")]
    async fn archive(
        &self, scope: In<Restaurant, Reads>, id: Path<Id<OrderId>>, pin: Pin, body: Body<Archiving>,
    ) -> Result<Json<Order>> {
        let mut sent: SentReason = body.into_inner().into();
        let approver = storno_approver(&scope, &pin, "pos_storno").await?;
        sent.approved_by = approver.as_ref().map(|approver| approver.name.clone());
        change(&scope, *id, approver.as_ref(), Change::Archive(sent)).await
    }

    /// Cancels pieces of an order: a child order with negative quantities. Nothing is priced again, and what was
    /// paid and is no longer due is asked to be given back. With the last piece the whole order is cancelled.
    ///
    /// Who may not cancel orders sends the PIN of somebody with `pos_partial_storno`.
    ///
    /// codes: ORDER_NOT_EXIST, ORDER_STATE_CHANGED
    #[oai(path = "/:id/stornos", method = "post", operation_id = "orders_storno")]
    async fn storno(
        &self, scope: In<Restaurant, Reads>, id: Path<Id<OrderId>>, pin: Pin, key: IdempotencyKey,
        body: Body<PartialStorno>,
    ) -> Result<Stored<Order>> {
        let approver = storno_approver(&scope, &pin, "pos_partial_storno").await?;
        let tx = scope.begin().await?;
        let first = match key.begin(&scope, &tx, "orders_storno", body.raw()).await? {
            Idempotency::Replay(answer) => return Ok(answer),
            Idempotency::First(first) => first,
        };
        let restaurant = scope.restaurant();
        let may = |key: &str| scope.may(key) || key == STORNO;
        let actor = Actor::Caller(scope.caller(), &may);
        let facts = restaurants::facts(&tx, restaurant).await?;
        let till = Till { tx: &tx, facts: &facts, actor, now: Timestamp::now() };
        let done = partial_storno::reverse(till, *id, &body, approver.as_ref()).await?;
        scope.audit(&tx, Some(restaurant.uuid()), "orders_storno", *id, done.details).await?;
        let mut events = done.events;
        if done.last {
            let approved_by = approver.map(|approver| approver.name);
            let what = Change::Archive(SentReason { approved_by, ..body.sent_reason() });
            match state::change(&tx, restaurant, *id, &what, actor).await? {
                Outcome::Done { events: more, .. } => events.extend(more),
                Outcome::Already | Outcome::WrongState => {
                    return Err(read::changed(&tx, restaurant, *id).await?);
                }
            }
        }
        let order = read::order(&tx, restaurant, *id).await?;
        publish_all(&tx, &events).await?;
        let answer = Stored::new(201, &order);
        first.keep(&tx, &answer).await?;
        tx.commit().await?;
        Ok(answer)
    }
}
