//! Queries about drawers.

use access::{audit, prelude::*};
use kernel::{
    money::{Currency, Money},
    time::BusinessDay,
};
use uuid::Uuid;

use super::types::{
    AssumedPayment, CourierCash, DrawerClose, DrawerCloseId, DrawerCloseLine, DrawerLine, DrawerMovement,
    DrawerPerson, MovementKind, UnpaidOrder, Waiting,
};
use crate::actor::Actor;

/// The most unpaid orders that are shown, and that one close books.
pub(super) const MOST_UNPAID: i64 = 1000;

/// A drawer: its restaurant, and the courier whose it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub restaurant: Id<Restaurant>,
    pub courier: Option<Uuid>,
}

impl Place {
    /// Under which its rows are counted.
    fn id(self) -> Uuid {
        self.courier.unwrap_or(self.restaurant.uuid())
    }

    fn values(self) -> [sea_orm::Value; 3] {
        [self.restaurant.into(), self.courier.into(), self.id().into()]
    }
}

/// Rows of a drawer, each as an amount of a method and currency. `$1` the restaurant, `$2` the courier, `$3` the
/// place. Cash in another currency is that money, and the change is of the order's.
macro_rules! rows {
    () => {
        "select t.id row_id, t.payment_key, o.currency, t.value + t.tip + t.rounding amount, \
            case when t.refunds_id is null then 'taken' else 'given_back' end kind, t.actor_name, t.created_at \
         from payable_transaction t join orders o on o.id = t.order_id \
         where t.restaurant_id = $1 and not o.is_test and not t.moved and t.courier_id is not distinct from $2 \
            and t.currency = o.currency \
         union all \
         select t.id, t.payment_key, t.currency, t.handed_over, 'taken', t.actor_name, t.created_at \
         from payable_transaction t join orders o on o.id = t.order_id \
         where t.restaurant_id = $1 and not o.is_test and not t.moved and t.courier_id is not distinct from $2 \
            and t.currency <> o.currency \
         union all \
         select t.id, t.payment_key, o.currency, -t.change_given, 'change', t.actor_name, t.created_at \
         from payable_transaction t join orders o on o.id = t.order_id \
         where t.restaurant_id = $1 and not o.is_test and not t.moved and t.courier_id is not distinct from $2 \
            and t.currency <> o.currency and t.change_given <> 0 \
         union all \
         select m.id, 'cash', m.currency, case when m.kind = 'out' or m.kind = 'hand_in' and $2::uuid is not null \
            then -m.value else m.value end, 'moved', m.actor_name, m.created_at \
         from drawer_movement m where m.restaurant_id = $1 \
            and (m.courier_id is not distinct from $2 or m.kind = 'hand_in' and $2::uuid is null) \
         union all \
         select b.id, b.payment_method, b.currency, b.value, 'moved', b.actor_name, b.created_at \
         from balance_payment b where b.restaurant_id = $1 and $2::uuid is null"
    };
}
/// Those that no close has counted. A row is committed within an hour after its time, so older ones than the last
/// close need not be looked at.
macro_rules! open {
    () => {
        concat!(
            "(select r.* from (",
            rows!(),
            ") r where r.created_at > coalesce((select max(c.created_at) from drawer_close c \
                where c.restaurant_id = $1 and c.courier_id is not distinct from $2) - interval '1 hour', '-infinity') \
             and not exists (select from drawer_close_row x where x.row_id = r.row_id and x.place = $3)) open"
        )
    };
}
/// Those that a close has counted: `$4`.
macro_rules! counted {
    () => {
        concat!(
            "(select r.* from (",
            rows!(),
            ") r join drawer_close_row x on x.row_id = r.row_id and x.place = $3 where x.close_id = $4) open"
        )
    };
}

/// The sums of these rows by method and currency, with what the close before `$4` left.
macro_rules! sums {
    ($rows:ident) => {
        concat!(
            "with before as (select l.payment_key, l.currency, l.left_over from drawer_close_line l \
                where l.close_id = (select c.id from drawer_close c where c.restaurant_id = $1 \
                    and c.courier_id is not distinct from $2 and c.id is distinct from $4::uuid \
                    order by c.created_at desc, c.id desc limit 1)), \
             since as (select payment_key, currency, \
                coalesce(sum(amount) filter (where kind = 'taken'), 0) taken, \
                coalesce(sum(amount) filter (where kind = 'given_back'), 0) given_back, \
                coalesce(sum(amount) filter (where kind = 'change'), 0) change_given, \
                coalesce(sum(amount) filter (where kind = 'moved'), 0) moved from ",
            $rows!(),
            " group by payment_key, currency) \
             select coalesce(s.payment_key, b.payment_key) payment_key, coalesce(s.currency, b.currency) currency, \
                coalesce(b.left_over, 0) left_before, coalesce(s.taken, 0) taken, \
                coalesce(s.given_back, 0) given_back, coalesce(s.change_given, 0) change_given, \
                coalesce(s.moved, 0) moved, \
                coalesce(b.left_over, 0) + coalesce(s.taken, 0) + coalesce(s.given_back, 0) \
                    + coalesce(s.change_given, 0) + coalesce(s.moved, 0) expected \
             from since s full join before b on b.payment_key = s.payment_key and b.currency = s.currency \
             order by coalesce(s.payment_key, b.payment_key) <> 'cash', 1, 2"
        )
    };
}
const LINES: &str = sums!(open);
const LINES_OF: &str = sums!(counted);
const PERSONS: &str = concat!(
    "select coalesce(actor_name, '') actor_name, payment_key, currency, sum(amount) total from ",
    open!(),
    " where kind <> 'moved' group by 1, 2, 3 order by 1, 2, 3"
);
const PERSONS_OF: &str = concat!(
    "select coalesce(actor_name, '') actor_name, payment_key, currency, sum(amount) total from ",
    counted!(),
    " where kind <> 'moved' group by 1, 2, 3 order by 1, 2, 3"
);
const OPEN: &str = concat!("select distinct row_id from ", open!());
const COUNT_ROWS: &str = "insert into drawer_close_row (row_id, place, close_id) select row_id, $2, $3 from unnest($1::uuid[]) row_id";

/// The sums of a drawer since its last close.
pub(super) async fn lines(tx: &TenantTx, place: Place) -> Result<Vec<DrawerLine>> {
    let none: Option<Uuid> = None;
    Ok(tx.all(LINES, place.values().into_iter().chain([none.into()])).await?)
}

/// Who took what since then.
pub(super) async fn persons(tx: &TenantTx, place: Place) -> Result<Vec<DrawerPerson>> {
    Ok(tx.all(PERSONS, place.values()).await?)
}

const LAST: &str = "select max(created_at) from drawer_close where restaurant_id = $1 \
    and courier_id is not distinct from $2";

/// When it was closed last.
pub(super) async fn last(tx: &TenantTx, place: Place) -> Result<Option<Timestamp>> {
    let at: Option<Option<Timestamp>> =
        tx.value(LAST, [place.restaurant.into(), place.courier.into()]).await?;
    Ok(at.flatten())
}

const MOVEMENTS: &str = "select m.id, m.kind, m.value, m.currency, m.reason, m.courier_id, m.actor_name, \
    m.created_at from drawer_movement m where m.restaurant_id = $1 \
    and (m.courier_id is not distinct from $2 or m.kind = 'hand_in' and $2::uuid is null) \
    and not exists (select from drawer_close_row x where x.row_id = m.id and x.place = $3) \
    order by m.created_at, m.id";

/// In and out since its last close, oldest first.
pub(super) async fn movements(tx: &TenantTx, place: Place) -> Result<Vec<DrawerMovement>> {
    Ok(tx.all(MOVEMENTS, place.values()).await?)
}

/// Accepted orders of which something is due and whose time has passed: `$2`. Those of one courier with `$3`.
const UNPAID: &str = "select o.id order_id, o.counter, d.due, coalesce(m.payment_key, 'cash') payment_key, \
        o.courier_id, coalesce(o.expected_at, o.created_at) promised_at \
    from (select id, counter, total_price, payment_method_id, courier_id, expected_at, created_at from orders \
            where restaurant_id = $1 and closed_at is null and archived_at is null \
                and status in ('processed', 'prepared') and not is_test and order_parent_id is null \
                and coalesce(expected_at, created_at) <= $2 \
        union all select id, counter, total_price, payment_method_id, courier_id, expected_at, created_at from orders \
            where restaurant_id = $1 and due_again and archived_at is null \
                and coalesce(expected_at, created_at) <= $2) o \
        left join ref.payment_method m on m.id = o.payment_method_id, \
    lateral (select o.total_price + coalesce((select sum(c.total_price) from orders c \
            where c.order_parent_id = o.id), 0) \
        - coalesce((select sum(p.value) from payable_transaction p where p.order_id = o.id), 0) due) d \
    where d.due > 0 \
        and not exists (select from payment_attempt a where a.order_id = o.id \
            and a.state in ('created', 'pending', 'authorised', 'unknown')) \
        and ($3::uuid is null or o.courier_id = $3) \
    order by coalesce(o.expected_at, o.created_at), o.id limit $4";

/// Orders whose time had passed by then and of which nobody has said anything, the longest first.
pub(super) async fn unpaid(
    tx: &TenantTx, place: Place, by: Timestamp, most: i64,
) -> Result<Vec<UnpaidOrder>> {
    let values = [place.restaurant.into(), by.into(), place.courier.into(), most.into()];
    Ok(tx.all(UNPAID, values).await?)
}

macro_rules! assumed {
    ($join:literal, $where:literal) => {
        concat!(
            "select t.attempt_id payment_id, t.order_id, o.counter, t.payment_key, t.value, t.paid_at \
             from payable_transaction t join orders o on o.id = t.order_id ",
            $join,
            " where t.restaurant_id = $1 and t.assumed and t.refunds_id is null \
                and t.courier_id is not distinct from $2 \
                and not exists (select from payable_transaction b where b.refunds_id = t.id) and ",
            $where,
            " order by t.paid_at, t.id"
        )
    };
}
const ASSUMED: &str =
    assumed!("", "not exists (select from drawer_close_row x where x.row_id = t.id and x.place = $3)");
const ASSUMED_OF: &str =
    assumed!("join drawer_close_row x on x.row_id = t.id and x.place = $3", "x.close_id = $4");

/// What is assumed since its last close and was not corrected.
pub(super) async fn assumed(tx: &TenantTx, place: Place) -> Result<Vec<AssumedPayment>> {
    Ok(tx.all(ASSUMED, place.values()).await?)
}

const COURIERS: &str = "select r.courier_id, c.name, r.currency, sum(r.amount) holds from ( \
        select t.courier_id, o.currency, t.value + t.tip + t.rounding amount, t.id, t.created_at \
        from payable_transaction t join orders o on o.id = t.order_id \
        where t.restaurant_id = $1 and t.courier_id is not null and t.payment_key = 'cash' and not o.is_test \
            and not t.moved \
        union all \
        select m.courier_id, m.currency, case when m.kind = 'in' then m.value else -m.value end, m.id, m.created_at \
        from drawer_movement m where m.restaurant_id = $1 and m.courier_id is not null) r \
    join courier_name c on c.id = r.courier_id \
    where not exists (select from drawer_close_row x where x.row_id = r.id and x.place = r.courier_id) \
    group by r.courier_id, c.name, r.currency having sum(r.amount) <> 0 order by c.name, r.currency";

/// What couriers have and have not handed in.
pub(super) async fn couriers(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Vec<CourierCash>> {
    Ok(tx.all(COURIERS, [restaurant.into()]).await?)
}

const WAITING: &str = "select count(*) count, coalesce(sum(amount), 0) total from payment_attempt \
    where restaurant_id = $1 and state in ('created', 'pending', 'authorised', 'unknown')";
const ASKED: &str = "select count(*) count, coalesce(sum(amount + tip), 0) total from payment_refund \
    where restaurant_id = $1 and state in ('created', 'pending', 'unknown')";

/// Payments and refunds of the restaurant that wait.
pub(super) async fn waiting(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<[Waiting; 2]> {
    let one = async |sql| {
        let row: Option<Waiting> = tx.one(sql, [restaurant.into()]).await?;
        row.ok_or_else(|| Problem::from(Code::UNKNOWN_ERROR))
    };
    Ok([one(WAITING).await?, one(ASKED).await?])
}

/// Two closes of one drawer wait for each other.
const LOCK: &str = "select pg_advisory_xact_lock(hashtextextended($1::uuid::text, 7307))::text";

pub(super) async fn lock(tx: &TenantTx, place: Place) -> Result<()> {
    tx.rows(LOCK, [place.id().into()]).await?;
    Ok(())
}

const MOVE: &str = "insert into drawer_movement (id, restaurant_id, kind, value, currency, reason, courier_id, \
    actor_kind, actor_id, actor_name, business_day, created_at) \
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) \
    returning id, kind, value, currency, reason, courier_id, actor_name, created_at";

/// Cash that goes in or out.
pub(super) struct Moving<'a> {
    pub kind: MovementKind,
    pub value: Money,
    pub currency: Currency,
    pub reason: &'a str,
    pub actor: Actor<'a>,
    pub day: BusinessDay,
    pub now: Timestamp,
}

pub(super) async fn insert_movement(
    tx: &TenantTx, place: Place, moving: Moving<'_>,
) -> Result<DrawerMovement> {
    let (kind, actor, name, _) = moving.actor.columns();
    let values = [
        Uuid::now_v7().into(),
        place.restaurant.into(),
        moving.kind.to_value().into(),
        moving.value.into(),
        moving.currency.as_str().into(),
        moving.reason.into(),
        place.courier.into(),
        kind.into(),
        actor.into(),
        name.into(),
        moving.day.into(),
        moving.now.into(),
    ];
    tx.one(MOVE, values).await?.ok_or_else(|| Code::UNKNOWN_ERROR.into())
}

const CLOSE: &str = "insert into drawer_close (id, restaurant_id, courier_id, business_day, note, actor_kind, \
    actor_id, actor_name, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp())";
const CLOSE_LINE: &str = "insert into drawer_close_line (close_id, payment_key, currency, left_before, taken, \
    given_back, change_given, moved, expected, counted, left_over) \
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";

pub(super) struct ClosedLine {
    pub line: DrawerLine,
    pub counted: Option<Money>,
    pub left_over: Money,
}

/// Writes a close and which rows it counts; answers the sums of exactly these.
pub(super) async fn insert_close(
    tx: &TenantTx, place: Place, id: Id<DrawerCloseId>, note: Option<&str>, day: BusinessDay,
    actor: Actor<'_>,
) -> Result<Vec<DrawerLine>> {
    let [restaurant, courier, here] = place.values();
    let (kind, by, name, _) = actor.columns();
    // First the rows: those since the last close are looked for by its time.
    let open: Vec<Uuid> = tx.values(OPEN, place.values()).await?;
    let close =
        [id.into(), restaurant, courier, day.into(), note.into(), kind.into(), by.into(), name.into()];
    tx.run(CLOSE, close).await?;
    tx.run(COUNT_ROWS, [open.into(), here, id.into()]).await?;
    Ok(tx.all(LINES_OF, place.values().into_iter().chain([id.into()])).await?)
}

pub(super) async fn insert_lines(tx: &TenantTx, id: Id<DrawerCloseId>, lines: &[ClosedLine]) -> Result<()> {
    for ClosedLine { line, counted, left_over } in lines {
        let values = [
            id.into(),
            line.payment_key.clone().into(),
            line.currency.as_str().into(),
            line.left_before.0.into(),
            line.taken.0.into(),
            line.given_back.0.into(),
            line.change_given.0.into(),
            line.moved.0.into(),
            line.expected.0.into(),
            (*counted).into(),
            (*left_over).into(),
        ];
        tx.run(CLOSE_LINE, values).await?;
    }
    Ok(())
}

macro_rules! closes {
    ($where:literal) => {
        concat!(
            "select d.id, d.courier_id, c.name courier_name, d.business_day, d.note, d.actor_name, d.created_at \
             from drawer_close d left join courier_name c on c.id = d.courier_id where d.restaurant_id = $1 and ",
            $where
        )
    };
}
const LIST: &str = closes!(
    "d.business_day >= $2 and ($3::uuid is null or d.courier_id = $3) order by d.created_at desc, d.id desc \
     limit $4 offset $5"
);
const COUNT_CLOSES: &str = "select count(*) total from drawer_close d where d.restaurant_id = $1 \
    and d.business_day >= $2 and ($3::uuid is null or d.courier_id = $3)";
const CLOSE_LINES: &str = "select payment_key, currency, left_before, taken, given_back, change_given, moved, expected, \
    counted, counted - expected difference, left_over from drawer_close_line where close_id = $1 \
    order by payment_key <> 'cash', payment_key, currency";

async fn with_lines(tx: &TenantTx, mut close: DrawerClose) -> Result<DrawerClose> {
    close.lines = tx.all::<DrawerCloseLine>(CLOSE_LINES, [close.id.into()]).await?;
    Ok(close)
}

/// Closes from this day on, the newest first.
pub(super) async fn closes(
    tx: &TenantTx, place: Place, from: chrono::NaiveDate, paging: &Paging,
) -> Result<Page<DrawerClose>> {
    let filter: [sea_orm::Value; 3] = [place.restaurant.into(), from.into(), place.courier.into()];
    let total =
        if paging.count { audit::total(&tx.rows(COUNT_CLOSES, filter.clone()).await?)? } else { None };
    let found: Vec<DrawerClose> = tx.all(LIST, filter.into_iter().chain(audit::limit_offset(paging))).await?;
    let mut rows = Vec::with_capacity(found.len());
    for close in found {
        rows.push(with_lines(tx, close).await?);
    }
    Ok(Page { rows, total })
}

pub(super) async fn close(
    tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<DrawerCloseId>,
) -> Result<DrawerClose> {
    let row: Option<DrawerClose> = tx.one(closes!("d.id = $2"), [restaurant.into(), id.into()]).await?;
    let mut close = with_lines(tx, row.ok_or_else(Problem::not_exist::<DrawerCloseId>)?).await?;
    let place = Place { restaurant, courier: close.courier_id };
    let values = || place.values().into_iter().chain([id.into()]);
    close.persons = Some(tx.all(PERSONS_OF, values()).await?);
    close.assumed = Some(tx.all(ASSUMED_OF, values()).await?);
    Ok(close)
}
