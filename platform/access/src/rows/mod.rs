//! What resources do with their rows, written once. A resource says in [`Table`] where its rows live, what is
//! answered of them, their order and how they leave; [`Rows`] finds, lists, adds, changes, removes and ranks
//! them at one place. A [`Singleton`] is a table with one row for a restaurant. The functions below narrow
//! and order what is found, by the usual names of columns: `id`, `restaurant_id`, `archived_at`, `version`,
//! `ranking`.

mod fields;
mod place;
mod single;
mod table;
mod work;

pub use fields::{Apply, Fill, yes};
pub use place::{LastChange, Rows, Transaction};
pub use single::{EditOne, Singleton};
pub use table::{Answer, Change, Home, Removal, Table};
pub use work::Edit;

use kernel::{Code, Fault, Id, Page, Paging, Problem, Resource, Restaurant, Result, Unpaged, clock};
use poem_openapi::types::ToJSON;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Select, Value,
    sea_query::{CaseStatement, Expr},
};
use tenants::TenantTx;
use uuid::Uuid;

/// A column by its usual name.
/// Errors: `UNKNOWN_ERROR` when the entity has none of that name, which a test of the resource would meet at
/// once.
pub fn column<E: EntityTrait>(name: &str) -> Result<E::Column> {
    name.parse().map_err(|_| Problem::new(Code::UNKNOWN_ERROR).detail("the entity lacks a usual column"))
}

/// The restaurant's rows that are not archived.
pub fn live<E: EntityTrait>(restaurant: Id<Restaurant>) -> Result<Select<E>> {
    Ok(E::find()
        .filter(column::<E>("restaurant_id")?.eq(restaurant.uuid()))
        .filter(column::<E>("archived_at")?.is_null()))
}

/// Narrows to rows whose column holds this text; accents and case ignored.
#[must_use]
pub fn named<E: EntityTrait>(select: Select<E>, column: E::Column, name: Option<&str>) -> Select<E> {
    let Some(name) = name.map(str::trim).filter(|name| !name.is_empty()) else {
        return select;
    };
    let pattern: String = name
        .chars()
        .flat_map(|c| if matches!(c, '%' | '_' | '\\') { vec!['\\', c] } else { vec![c] })
        .collect();
    let found = Expr::cust_with_exprs(
        "ref.fold($1) like ref.fold($2)",
        [Expr::col((E::default(), column)), Expr::val(format!("%{pattern}%"))],
    );
    select.filter(found)
}

/// Narrows to rows whose column has this value, when one is given.
#[must_use]
pub fn matching<E: EntityTrait, V: Into<Value>>(
    select: Select<E>, column: E::Column, value: Option<V>,
) -> Select<E> {
    match value {
        Some(value) => select.filter(column.eq(value)),
        None => select,
    }
}

/// Orders by hand: as last ranked, newer rows after older ones.
pub fn ranked<E: EntityTrait>(select: Select<E>) -> Result<Select<E>> {
    Ok(select.order_by_asc(column::<E>("ranking")?).order_by_asc(column::<E>("id")?))
}

/// Orders by a text as people expect it (accents and case ignored), then by id so that pages do not overlap.
pub fn alphabetic<E: EntityTrait>(select: Select<E>, by: E::Column) -> Result<Select<E>> {
    let folded = Expr::cust_with_exprs("ref.fold($1)", [Expr::col((E::default(), by))]);
    Ok(select.order_by_asc(folded).order_by_asc(by).order_by_asc(column::<E>("id")?))
}

/// One page of a list that grows without end.
pub async fn page<E: EntityTrait>(tx: &TenantTx, select: Select<E>, paging: Paging) -> Result<Page<E::Model>>
where
    E::Model: FromQueryResult + Send + Sync,
{
    cut(tx, select, paging).await
}

/// A list that answers whole, unless the caller wants a page.
pub async fn whole<E: EntityTrait>(
    tx: &TenantTx, select: Select<E>, paging: Unpaged,
) -> Result<Page<E::Model>>
where
    E::Model: FromQueryResult + Send + Sync,
{
    cut(tx, select, paging).await
}

async fn cut<E: EntityTrait, const ENDLESS: bool>(
    tx: &TenantTx, select: Select<E>, paging: Paging<ENDLESS>,
) -> Result<Page<E::Model>>
where
    E::Model: FromQueryResult + Send + Sync,
{
    let total = if paging.count { Some(select.clone().count(tx).await?) } else { None };
    let limit = paging.limit();
    let rows = select.limit(limit).offset(paging.offset(limit)).all(tx).await?;
    Ok(Page { rows, total })
}

/// One live row of the restaurant.
/// Errors: `<ENTITY>_NOT_EXIST`, also for a row of another restaurant.
pub async fn find<E: EntityTrait, T: Resource>(
    tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<T>,
) -> Result<E::Model> {
    let row = live::<E>(restaurant)?.filter(column::<E>("id")?.eq(id.uuid())).one(tx).await?;
    row.ok_or_else(Problem::not_exist::<T>)
}

/// The same, locked until the end of the transaction.
/// Errors: `<ENTITY>_NOT_EXIST`.
pub async fn lock<E: EntityTrait, T: Resource>(
    tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<T>,
) -> Result<E::Model> {
    let row =
        live::<E>(restaurant)?.filter(column::<E>("id")?.eq(id.uuid())).lock_exclusive().one(tx).await?;
    row.ok_or_else(Problem::not_exist::<T>)
}

/// What is wrong with a reference in a body: the row it names is not a live one of the restaurant. Nothing
/// when there is none.
pub async fn missing<E: EntityTrait, T: Resource>(
    tx: &TenantTx, restaurant: Id<Restaurant>, key: &str, id: Option<Id<T>>,
) -> Result<Option<(String, Fault)>> {
    let Some(id) = id else { return Ok(None) };
    let column = column::<E>("id")?;
    let known: Option<Uuid> = live::<E>(restaurant)?
        .filter(column.eq(id.uuid()))
        .select_only()
        .column(column)
        .into_tuple()
        .one(tx)
        .await?;
    Ok(known.is_none().then(|| (key.to_owned(), Fault::NotExist)))
}

/// The lines of the audit log about a row.
#[derive(Debug, Clone, Copy)]
pub struct Logged<'a> {
    /// Their actions begin with this name and an underscore.
    pub resource: &'a str,
    pub record: Uuid,
}

impl Logged<'static> {
    /// Those about a row of a resource.
    #[must_use]
    pub fn of<T: Resource>(id: Id<T>) -> Self {
        Self { resource: T::NAME, record: id.uuid() }
    }
}

/// Refuses a change that was made on an older version; the current row goes with the refusal, and who changed
/// it last.
/// Errors: `CONFLICT` with `current`, `changed_by` and `changed_at`.
pub async fn check_version<X: Transaction, T: ToJSON + Sync>(
    tx: &X, sent: Option<i64>, current: i64, row: &T, logged: Logged<'_>,
) -> Result<()> {
    match sent {
        Some(sent) if sent != current => Err(conflict(tx, row, logged).await?),
        _ => Ok(()),
    }
}

/// The refusal of a change that was made on an older version than this row's.
pub async fn conflict<X: Transaction, T: ToJSON + Sync>(
    tx: &X, row: &T, logged: Logged<'_>,
) -> Result<Problem> {
    let problem = Problem::new(Code::CONFLICT).with("current", row.to_json().unwrap_or_default());
    Ok(match tx.last_change(logged).await? {
        Some(LastChange { actor_name, at }) => {
            problem.with("changed_by", actor_name.into()).with("changed_at", at.to_json().unwrap_or_default())
        }
        None => problem,
    })
}

/// Archives a live row.
/// Errors: `<ENTITY>_NOT_EXIST`.
pub async fn archive<E: EntityTrait, T: Resource>(
    tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<T>,
) -> Result<()> {
    let done = E::update_many()
        .col_expr(column::<E>("archived_at")?, Expr::val(clock::now()))
        .filter(column::<E>("restaurant_id")?.eq(restaurant.uuid()))
        .filter(column::<E>("archived_at")?.is_null())
        .filter(column::<E>("id")?.eq(id.uuid()))
        .exec(tx)
        .await?;
    if done.rows_affected == 0 { Err(Problem::not_exist::<T>()) } else { Ok(()) }
}

/// Gives the rows the order in which their ids stand, in one statement. The ids are those of all rows among
/// `among`, each once: with some of them left out, two rows would share a place.
/// Errors: `VALIDATION_FAILED` with the places of ids that are not there, or there twice, else with `key`,
/// the field's name, when some are missing.
pub async fn rank<E: EntityTrait>(
    tx: &impl ConnectionTrait, among: Select<E>, key: &str, ids: &[Uuid],
) -> Result<()> {
    let id = column::<E>("id")?;
    let known: Vec<Uuid> = among.select_only().column(id).into_tuple().all(tx).await?;
    let faulty = ids.iter().enumerate().filter_map(|(at, one)| {
        let fault = if ids[..at].contains(one) {
            Fault::NotUnique
        } else if !known.contains(one) {
            Fault::NotExist
        } else {
            return None;
        };
        Some((format!("{key}.{at}"), fault))
    });
    Problem::new(Code::VALIDATION_FAILED).keys(faulty).if_any()?;
    if known.len() > ids.len() {
        let missing = Problem::new(Code::VALIDATION_FAILED).key(key, Fault::Required);
        return Err(missing.detail("send the ids of all rows, each once"));
    }
    if ids.is_empty() {
        return Ok(());
    }
    let places = ids
        .iter()
        .zip(0_i32..)
        .fold(CaseStatement::new(), |case, (one, place)| case.case(id.eq(*one), place));
    E::update_many()
        .col_expr(column::<E>("ranking")?, places.into())
        .filter(id.is_in(ids.iter().copied()))
        .exec(tx)
        .await?;
    Ok(())
}
