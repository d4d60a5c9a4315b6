//! The one function that changes the state of an order, by the table of `rules.rs`.

use access::prelude::*;
use catalogue::Today;
use customers::ShadowCustomers;
use sea_orm::FromQueryResult;
use serde_json::{Value as Json, json};

use super::rules::{Action, Decision, Rule, decide};
use crate::{
    actor::Actor,
    arrival::Arrival,
    drawer,
    events::{Event, EventOrder, publish_all},
    number::Written,
    payments::Till,
    pieces, read,
    storno_reasons::{SentReason, Why},
    values::{OrderId, OrderStatus},
    wait::Wait,
};
use OrderStatus::{Prepared, Processed, Succeeded};
use restaurants::Facts;

/// An action with its parameters.
#[derive(Debug)]
pub(crate) enum Change {
    /// With the minutes until it is ready or delivered; without, those of the restaurant at this moment.
    Accept(Option<i32>),
    Prepare,
    /// With the version of the order that the caller has seen.
    TakeBack(Option<i64>),
    Recall,
    Archive(SentReason),
    Expire,
    Pay,
    PayLate,
    Fail,
    Cancel,
}

impl Change {
    pub const fn action(&self) -> Action {
        match self {
            Self::Accept(_) => Action::Accept,
            Self::Prepare => Action::Prepare,
            Self::TakeBack(_) => Action::TakeBack,
            Self::Recall => Action::Recall,
            Self::Archive(_) => Action::Archive,
            Self::Expire => Action::Expire,
            Self::Pay => Action::Pay,
            Self::PayLate => Action::PayLate,
            Self::Fail => Action::Fail,
            Self::Cancel => Action::Cancel,
        }
    }
}

/// The columns that a change of state reads and writes.
#[derive(Debug, Clone, FromQueryResult)]
struct State {
    status: OrderStatus,
    counter: Option<String>,
    is_preorder: bool,
    is_test: bool,
    /// A partial storno is no order of its own: nothing is done with it.
    is_child: bool,
    created_at: Timestamp,
    customer_id: Option<Id<ShadowCustomers>>,
    uses_promotions: bool,
    has_email: bool,
    /// Staff took it on the phone or at the till.
    by_hand: bool,
    expected_at: Option<Timestamp>,
    accepted_at: Option<Timestamp>,
    prepared_at: Option<Timestamp>,
    delivery_time_minute: Option<i32>,
    /// Which time it was accepted.
    acceptance: i32,
    /// Whether the guest was mailed about it.
    guest_told: bool,
    archived_at: Option<Timestamp>,
    /// Why it is archived now; not read.
    #[sea_orm(skip)]
    why: Why,
    version: i64,
    #[sea_orm(nested)]
    wait: Wait,
}

const LOCK: &str = "select status, counter, is_preorder, is_test, order_parent_id is not null is_child, \
    created_at, customer_id, promotions <> '[]' uses_promotions, \
    email is not null has_email, \
    api_key_id is null and platform in ('phone', 'take_away', 'sit_in') by_hand, expected_at, \
    accepted_at, prepared_at, delivery_time_minute, acceptance, guest_told, archived_at, version, \
    coalesce(visible_at, show_at) visible_at, accept_seconds, taken_back_at, escalation_level, escalated_at, \
    (select f.escalate_after_minutes from restaurant_facts f where f.id = orders.restaurant_id) escalate_after_minutes \
    from orders where restaurant_id = $1 and id = $2 for update";
const SAVE: &str = "with o as (update orders set status = $2, expected_at = $3, accepted_at = $4, \
        prepared_at = $5, delivery_time_minute = $6, acceptance = $7, guest_told = $8, archived_at = $9, \
        archive_reason = $10, archive_reason_text = $11, archive_reason_id = $12, archive_reason_name = $13, \
        archive_reason_name_sec_lang = $14, accept_seconds = $20, taken_back_at = $21, escalation_level = $22, \
        escalated_at = $23, version = version + 1 where id = $1) \
    insert into order_history (order_id, status, actor_kind, actor_id, actor_name, surface, details) \
    values ($1, $15, $16, $17, $18, $19, $24)";

/// So long after its acceptance nobody has eaten it.
const REFUSAL: chrono::Duration = chrono::Duration::minutes(10);

impl State {
    /// After this change, by this rule.
    fn after(&self, rule: &Rule, change: &Change, minutes: i32, why: Why, now: Timestamp) -> Self {
        let mut after = Self { status: rule.to, why, ..self.clone() };
        match change {
            Change::Accept(_) => {
                after.accepted_at = Some(now);
                after.delivery_time_minute = Some(minutes);
                // A preorder keeps the time that the guest wanted.
                if !self.is_preorder {
                    after.expected_at = Some(now.plus_minutes(minutes.into()));
                }
                after.acceptance += 1;
                after.wait = self.wait.accepted(now);
                after.guest_told = false;
            }
            Change::TakeBack(_) => {
                (after.accepted_at, after.delivery_time_minute) = (None, None);
                if !self.is_preorder {
                    after.expected_at = None;
                }
                after.wait = self.wait.taken_back(now);
                after.guest_told = false;
            }
            Change::Prepare => after.prepared_at = Some(now),
            Change::Recall => after.prepared_at = None,
            Change::Archive(_) => after.archived_at = Some(now),
            Change::Expire | Change::Pay | Change::PayLate | Change::Fail | Change::Cancel => {}
        }
        after
    }

    /// Whether it is among the numbers and sums of its customer.
    fn counts(&self) -> bool {
        let placed = matches!(self.status, Succeeded | Processed | Prepared);
        placed && self.archived_at.is_none() && !self.is_test
    }

    /// Whether it was accepted just now and the guest has not been mailed about it: what is cancelled then is
    /// a refusal to the guest.
    fn guest_unaware(&self, now: Timestamp) -> bool {
        !self.guest_told && self.accepted_at.is_some_and(|at| now.0 - at.0 < REFUSAL)
    }

    async fn save(&self, tx: &TenantTx, id: Id<OrderId>, history: &str, actor: Actor<'_>) -> Result<()> {
        let (kind, actor_id, name, surface) = actor.columns();
        let values = [
            id.into(),
            self.status.name().into(),
            self.expected_at.into(),
            self.accepted_at.into(),
            self.prepared_at.into(),
            self.delivery_time_minute.into(),
            self.acceptance.into(),
            self.guest_told.into(),
            self.archived_at.into(),
            self.why.standard_name().into(),
            self.why.text.clone().into(),
            self.why.own.as_ref().map(|own| own.id).into(),
            self.why.own.as_ref().map(|own| own.name.clone()).into(),
            self.why.own.as_ref().and_then(|own| own.name_sec_lang.clone()).into(),
            history.into(),
            kind.into(),
            actor_id.into(),
            name.into(),
            surface.into(),
            self.wait.accept_seconds.into(),
            self.wait.taken_back_at.into(),
            self.wait.escalation_level.into(),
            self.wait.escalated_at.into(),
            self.why.approved_by.as_ref().map(|name| json!({"approved_by": name})).into(),
        ];
        tx.run(SAVE, values).await?;
        Ok(())
    }
}

pub(crate) enum Outcome {
    /// Written. What is left to the caller: the audit log, and publishing the events as the last statements. An order
    /// that arrives by it has been published already.
    Done {
        events: Vec<Event>,
        /// For the audit log.
        details: Json,
    },
    /// It is so already; nothing was written.
    Already,
    /// The order is in another state by now.
    WrongState,
}

/// Changes the state of an order. The order is locked until the end of the transaction.
/// Errors: `ORDER_NOT_EXIST`, `USER_PERMISSION_REQUIRED`.
pub(crate) async fn change(
    tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<OrderId>, change: &Change, actor: Actor<'_>,
) -> Result<Outcome> {
    let before: Option<State> = tx.one(LOCK, [restaurant.into(), id.into()]).await?;
    let before = before.ok_or_else(Problem::not_exist::<OrderId>)?;
    let over = before.archived_at.is_some() || before.is_child;
    let rule = match decide(change.action(), before.status, over, actor) {
        Decision::Do(rule) => rule,
        Decision::Already => return Ok(Outcome::Already),
        Decision::WrongState => return Ok(Outcome::WrongState),
        Decision::NotPermitted => return Err(Code::USER_PERMISSION_REQUIRED.into()),
    };
    if matches!(change, Change::TakeBack(Some(version)) if *version != before.version) {
        return Ok(Outcome::WrongState);
    }
    let why = match change {
        Change::Archive(sent) => sent.check(tx, restaurant, before.status == Succeeded).await?,
        _ => Why::default(),
    };
    let now = Timestamp::now();
    // The other actions move no money and promise nothing.
    let facts = match change {
        Change::Prepare | Change::TakeBack(_) | Change::Recall => None,
        // What is paid is paid, also at a restaurant that was archived meanwhile.
        _ if matches!(actor, Actor::Provider(_)) => Some(restaurants::facts_of_any(tx, restaurant).await?),
        _ => Some(restaurants::facts(tx, restaurant).await?),
    };
    let mut minutes = 0;
    if let (Change::Accept(promised), Some(facts)) = (change, &facts) {
        minutes = promised.unwrap_or_else(|| facts.estimate(now));
        let end = facts.business_day(now).end(facts.schedule.zone, facts.order_reset_time);
        drawer::wait_for_the_end(tx, restaurant, end).await?;
    }
    let after = before.after(rule, change, minutes, why, now);
    after.save(tx, id, rule.history, actor).await?;
    if let Some(customer) = before.customer_id.filter(|_| before.counts() != after.counts()) {
        customers::count_orders(tx, customer, restaurant).await?;
    }
    if rule.gives_back && !before.is_test {
        if before.uses_promotions {
            promotions::give_back(tx, id.uuid(), now).await?;
        }
        if let Some(facts) = &facts
            && pieces::return_to_sale(before.status, before.created_at, facts, now)
        {
            pieces::give_back(tx, restaurant, id, pieces::LEFT, Today::of(facts, now)).await?;
        }
    }
    if matches!(change, Change::Archive(_)) {
        tx.run(ARCHIVE_CHILDREN, [id.into(), now.into()]).await?;
    }
    let details = match change {
        Change::Accept(_) => json!({"delivery_time_minute": minutes}),
        Change::Archive(_) => after.why.details(),
        _ => json!({"status": [rule.from.name(), rule.to.name()]}),
    };
    let mut events = Vec::from_iter(event(restaurant, id, change, &before, &after, now));
    if let Some(facts) = &facts {
        let till = Till { tx, facts, actor, now };
        match change {
            Change::Pay | Change::PayLate => arrive(tx, facts, id, &after, now).await?,
            Change::Accept(_) => events.extend(till.close(id).await?),
            _ => events.extend(till.settle_storno(id).await?),
        }
    }
    Ok(Outcome::Done { events, details })
}

/// An order that was paid online reaches the restaurant, and waits to be accepted from now on.
async fn arrive(tx: &TenantTx, facts: &Facts, id: Id<OrderId>, paid: &State, now: Timestamp) -> Result<()> {
    let State { status, has_email, is_test, is_preorder, .. } = *paid;
    let show_at = paid.wait.visible_at.max(now);
    tx.run(SHOW, [id.into(), show_at.into()]).await?;
    let has_address = facts.contact_email.as_deref().is_some_and(|address| !address.is_empty());
    let tell_restaurant = has_address && !paid.by_hand;
    let order = EventOrder { id, restaurant: facts.id, counter: None, status, has_email };
    let day = facts.business_day(now);
    let arrival = Arrival { order, is_test, is_preorder, show_at, waits: true, tell_restaurant, now, day };
    arrival.give(tx, facts, Written::Before(id)).await?;
    Ok(())
}

/// The effects of a change; none where the order arrives by it, which is an event of its own.
fn event(
    restaurant: Id<Restaurant>, id: Id<OrderId>, change: &Change, before: &State, after: &State,
    now: Timestamp,
) -> Option<Event> {
    let State { status, counter, has_email, acceptance, wait, .. } = after.clone();
    let order = EventOrder { id, restaurant, counter, status, has_email };
    Some(match change {
        Change::Accept(_) => Event::Accepted { order, at: now, acceptance },
        Change::TakeBack(_) => {
            let escalate_at = wait.escalate_at();
            Event::TakenBack { order, acceptance, guest_told: before.guest_told, escalate_at }
        }
        Change::Prepare => Event::Prepared(order),
        Change::Recall => Event::Recalled(order),
        Change::Archive(_) if before.status == Succeeded => Event::Refused(order),
        Change::Archive(_) => Event::Stornoed { order, guest_unaware: before.guest_unaware(now) },
        Change::Expire | Change::Fail | Change::Cancel => Event::Unpaid(order),
        Change::Pay | Change::PayLate => return None,
    })
}

/// So long after it was placed an order whose payment came late is still wanted.
const STILL_WANTED: chrono::Duration = chrono::Duration::hours(2);

/// What decides whether an order that is over can still be made.
#[derive(FromQueryResult)]
struct Over {
    uses_promotions: bool,
    created_at: Timestamp,
    expected_at: Option<Timestamp>,
}

const OVER: &str = "select promotions <> '[]' uses_promotions, created_at, expected_at from orders \
    where restaurant_id = $1 and id = $2 and status in ('expired', 'failed', 'canceled') and archived_at is null";

/// The money of an order has come after its end: it reaches the restaurant if that can still make it. It was placed on this
/// business day, within two hours; the restaurant is open; what it had taken of limited pieces is there again; and it
/// used no promotion, whose use was given back and may be another's by now. The order is locked. False: nothing was
/// done. Nothing that locks may follow.
pub(crate) async fn pay_late(
    tx: &TenantTx, facts: &Facts, id: Id<OrderId>, provider: &str, now: Timestamp,
) -> Result<bool> {
    let Some(over) = tx.one::<Over>(OVER, [facts.id.into(), id.into()]).await? else { return Ok(false) };
    let today = facts.business_day(over.created_at) == facts.business_day(now);
    let wanted = now.0 - over.created_at.0 < STILL_WANTED && over.expected_at.is_none_or(|at| at > now);
    let open = facts.schedule.within_hours(now) && !facts.schedule.sos.holds(now);
    if over.uses_promotions || !today || !wanted || !open {
        return Ok(false);
    }
    match restaurants::facts(tx, facts.id).await {
        Err(problem) if problem.code() == Code::RESTAURANT_NOT_EXIST => return Ok(false),
        archived => archived.map(drop)?,
    }
    let pieces = pieces::of(tx, id, pieces::LEFT).await?;
    let missing = catalogue::take_quantities(tx, facts.id, &pieces, Today::of(facts, now)).await?;
    if !missing.is_empty() {
        let taken: Vec<_> = pieces.into_iter().filter(|(id, _)| !missing.contains(id)).collect();
        catalogue::give_back(tx, facts.id, &taken, Today::of(facts, now)).await?;
        return Ok(false);
    }
    let changed = change(tx, facts.id, id, &Change::PayLate, Actor::Provider(provider)).await?;
    let Outcome::Done { events, .. } = changed else { return Ok(false) };
    publish_all(tx, &events).await?;
    Ok(true)
}

const SHOW: &str = "update orders set show_at = $2, visible_at = $2 where id = $1";

/// With an order its partial stornos go.
const ARCHIVE_CHILDREN: &str = "with children as (update orders set archived_at = $2 where order_parent_id = $1 \
        returning id) \
    update order_entry set archived = true where order_id in (select id from children union all select $1::uuid)";

/// How an online payment ended, as its provider says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnlinePayment {
    /// The money has come: the order reaches the restaurant.
    Paid,
    /// It failed: the order is over.
    Failed,
    /// The guest gave it up: the order is over.
    Canceled,
}

/// Ends the online payment of an order that waits for it, and publishes. It moves the order and no money: the capture is
/// booked in the same transaction, before. The order is locked until its end; nothing that locks may follow. False where
/// it had ended so before, whatever has become of the order since.
/// Errors: `ORDER_NOT_EXIST`; `ORDER_STATE_CHANGED` where it had ended otherwise, or has expired.
pub async fn end_online_payment(
    tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<OrderId>, end: OnlinePayment, provider: &str,
) -> Result<bool> {
    let wanted = match end {
        OnlinePayment::Paid => Change::Pay,
        OnlinePayment::Failed => Change::Fail,
        OnlinePayment::Canceled => Change::Cancel,
    };
    match change(tx, restaurant, id, &wanted, Actor::Provider(provider)).await? {
        Outcome::Done { events, .. } => {
            publish_all(tx, &events).await?;
            Ok(true)
        }
        Outcome::Already => Ok(false),
        Outcome::WrongState => Err(read::changed(tx, restaurant, id).await?),
    }
}
