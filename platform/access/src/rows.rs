//! What most resources of a restaurant do with their rows: find, list, lock, change, archive, rank. Plain
//! functions over the entity's columns by their usual names: `id`, `restaurant_id`, `archived_at`, `version`,
//! `ranking`.

use kernel::{
    Clearable, Code, Fault, Id, Page, Paging, Problem, Resource, Restaurant, Result, Unpaged, clock,
};
use poem_openapi::types::ToJSON;
use sea_orm::{
    ActiveModelBehavior, ActiveModelTrait, ActiveValue, ColumnTrait, EntityTrait, FromQueryResult,
    IntoActiveModel, ModelTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select, Value,
    sea_query::{CaseStatement, Expr},
};
use serde_json::{Value as Json, json};
use tenants::TenantTx;
use uuid::Uuid;

use crate::{
    answers::{Done, Stored},
    audit::difference,
    idempotency::{Idempotency, IdempotencyKey},
    scope::In,
};

/// A column by its usual name.
///
/// # Errors
/// `UNKNOWN_ERROR` when the entity has none of that name, which a test of the resource would meet at once.
pub fn column<E: EntityTrait>(name: &str) -> Result<E::Column> {
    name.parse().map_err(|_| Problem::new(Code::UNKNOWN_ERROR).detail("the entity lacks a usual column"))
}

/// The restaurant's rows that are not archived.
///
/// # Errors
/// As [`column`].
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
    select: Select<E>,
    column: E::Column,
    value: Option<V>,
) -> Select<E> {
    match value {
        Some(value) => select.filter(column.eq(value)),
        None => select,
    }
}

/// Orders by hand: as last ranked, newer rows after older ones.
///
/// # Errors
/// As [`column`].
pub fn ranked<E: EntityTrait>(select: Select<E>) -> Result<Select<E>> {
    Ok(select.order_by_asc(column::<E>("ranking")?).order_by_asc(column::<E>("id")?))
}

/// Orders by a text as people expect it (accents and case ignored), then by id so that pages do not overlap.
///
/// # Errors
/// As [`column`].
pub fn alphabetic<E: EntityTrait>(select: Select<E>, by: E::Column) -> Result<Select<E>> {
    let folded = Expr::cust_with_exprs("ref.fold($1)", [Expr::col((E::default(), by))]);
    Ok(select.order_by_asc(folded).order_by_asc(by).order_by_asc(column::<E>("id")?))
}

/// One page of a list that grows without end.
///
/// # Errors
/// What the database says.
pub async fn page<E: EntityTrait>(tx: &TenantTx, select: Select<E>, paging: Paging) -> Result<Page<E::Model>>
where
    E::Model: FromQueryResult + Send + Sync,
{
    cut(tx, select, paging).await
}

/// A list that answers whole, unless the caller wants a page.
///
/// # Errors
/// What the database says.
pub async fn whole<E: EntityTrait>(
    tx: &TenantTx,
    select: Select<E>,
    paging: Unpaged,
) -> Result<Page<E::Model>>
where
    E::Model: FromQueryResult + Send + Sync,
{
    cut(tx, select, paging).await
}

async fn cut<E: EntityTrait, const ENDLESS: bool>(
    tx: &TenantTx,
    select: Select<E>,
    paging: Paging<ENDLESS>,
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
///
/// # Errors
/// `<ENTITY>_NOT_EXIST`, also for a row of another restaurant.
pub async fn find<E: EntityTrait, T: Resource>(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    id: Id<T>,
) -> Result<E::Model> {
    let row = live::<E>(restaurant)?.filter(column::<E>("id")?.eq(id.uuid())).one(tx).await?;
    row.ok_or_else(Problem::not_exist::<T>)
}

/// The same, locked until the end of the transaction.
///
/// # Errors
/// `<ENTITY>_NOT_EXIST`.
pub async fn lock<E: EntityTrait, T: Resource>(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    id: Id<T>,
) -> Result<E::Model> {
    let row =
        live::<E>(restaurant)?.filter(column::<E>("id")?.eq(id.uuid())).lock_exclusive().one(tx).await?;
    row.ok_or_else(Problem::not_exist::<T>)
}

/// What is wrong with a reference in a body: the row it names is not a live one of the restaurant. Nothing
/// when there is none.
///
/// # Errors
/// What the database says.
pub async fn missing<E: EntityTrait, T: Resource>(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    key: &str,
    id: Option<Id<T>>,
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

/// The row that is to be changed, locked, as it is and as it will be written.
///
/// # Errors
/// `<ENTITY>_NOT_EXIST`; `CONFLICT` when the change was made on an older version.
pub async fn edit<E: EntityTrait, T: Resource>(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    id: Id<T>,
    version: Option<i64>,
) -> Result<(E::Model, E::ActiveModel)>
where
    E::Model: IntoActiveModel<E::ActiveModel> + ToJSON,
{
    let before = lock::<E, T>(tx, restaurant, id).await?;
    check_version(version, version_of::<E>(&before)?, &before)?;
    Ok((before.clone(), before.into_active_model()))
}

fn version_of<E: EntityTrait>(row: &E::Model) -> Result<i64> {
    match row.get(column::<E>("version")?) {
        Value::BigInt(Some(version)) => Ok(version),
        _ => Err(Problem::new(Code::UNKNOWN_ERROR).detail("a usual column has another type")),
    }
}

/// Refuses a change that was made on an older version; the current row goes with the refusal.
///
/// # Errors
/// `CONFLICT` with `current`.
pub fn check_version<T: ToJSON>(sent: Option<i64>, current: i64, row: &T) -> Result<()> {
    if sent.is_some_and(|sent| sent != current) { Err(conflict(row)) } else { Ok(()) }
}

/// The refusal of a change that was made on an older version than this row's.
pub fn conflict<T: ToJSON>(row: &T) -> Problem {
    Problem::new(Code::CONFLICT).with("current", row.to_json().unwrap_or_default())
}

/// Archives a live row.
///
/// # Errors
/// `<ENTITY>_NOT_EXIST`.
pub async fn archive<E: EntityTrait, T: Resource>(
    tx: &TenantTx,
    restaurant: Id<Restaurant>,
    id: Id<T>,
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

/// The row that an active model stands for once it is written.
type Written<A> = <<A as ActiveModelTrait>::Entity as EntityTrait>::Model;

/// Adds a row to the restaurant under a new id, the last in its order if it has one, and says so in the audit
/// log. A request that is repeated with the same key and body gets the first answer and adds nothing.
///
/// # Errors
/// Those of [`IdempotencyKey::begin`]; what the database says.
pub async fn create<T, A, P>(
    tx: &TenantTx,
    scope: &In<Restaurant, P>,
    key: &IdempotencyKey,
    body: &Json,
    mut row: A,
) -> Result<Stored<Written<A>>>
where
    T: Resource,
    A: ActiveModelTrait + ActiveModelBehavior + Send,
    Written<A>: IntoActiveModel<A> + ToJSON,
{
    let first = match key.begin(scope, tx, T::NAME, body).await? {
        Idempotency::First(first) => first,
        Idempotency::Replay(answer) => return Ok(answer),
    };
    let id = Uuid::now_v7();
    row.try_set(column::<A::Entity>("id")?, id.into())?;
    row.try_set(column::<A::Entity>("restaurant_id")?, scope.restaurant().into())?;
    if let Ok(ranking) = "ranking".parse::<<A::Entity as EntityTrait>::Column>() {
        let last: Option<Option<i32>> = live::<A::Entity>(scope.restaurant())?
            .select_only()
            .expr(ranking.max())
            .into_tuple()
            .one(tx)
            .await?;
        row.try_set(ranking, last.flatten().map_or(0, |last| last + 1).into())?;
    }
    let row = row.insert(tx).await?;
    let details = difference(&json!({}), &row.to_json().unwrap_or_default());
    scope.audit(tx, Some(scope.restaurant().uuid()), &format!("{}_create", T::NAME), id, details).await?;
    let answer = Stored::new(201, &row);
    first.keep(tx, &answer).await?;
    Ok(answer)
}

/// Writes a change of the row `before`, which is locked, under the next version, and says in the audit log
/// what differs.
///
/// # Errors
/// What the database says.
pub async fn change<T, A, P>(
    tx: &TenantTx,
    scope: &In<Restaurant, P>,
    before: &Written<A>,
    mut row: A,
) -> Result<Written<A>>
where
    T: Resource,
    A: ActiveModelTrait + ActiveModelBehavior + Send,
    Written<A>: IntoActiveModel<A> + ToJSON,
{
    let Value::Uuid(Some(id)) = before.get(column::<A::Entity>("id")?) else {
        return Err(Problem::new(Code::UNKNOWN_ERROR).detail("a usual column has another type"));
    };
    row.try_set(column::<A::Entity>("version")?, (version_of::<A::Entity>(before)? + 1).into())?;
    let after = row.update(tx).await?;
    let details = difference(&before.to_json().unwrap_or_default(), &after.to_json().unwrap_or_default());
    scope.audit(tx, Some(scope.restaurant().uuid()), &format!("{}_update", T::NAME), id, details).await?;
    Ok(after)
}

/// Archives a live row, and says so in the audit log.
///
/// # Errors
/// `<ENTITY>_NOT_EXIST`.
pub async fn remove<E: EntityTrait, T: Resource, P>(
    tx: &TenantTx,
    scope: &In<Restaurant, P>,
    id: Id<T>,
) -> Result<()> {
    archive::<E, T>(tx, scope.restaurant(), id).await?;
    scope.audit(tx, Some(scope.restaurant().uuid()), &format!("{}_delete", T::NAME), id, json!({})).await
}

/// Archives a live row, in a unit of work of its own.
///
/// # Errors
/// `<ENTITY>_NOT_EXIST`.
pub async fn delete<E: EntityTrait, T: Resource, P>(scope: &In<Restaurant, P>, id: Id<T>) -> Result<Done> {
    let tx = scope.begin().await?;
    remove::<E, T, P>(&tx, scope, id).await?;
    tx.commit().await?;
    Ok(Done)
}

/// Gives the rows the order in which their ids stand, in one statement. The ids are those of all rows among
/// `among`, each once: with some of them left out, two rows would share a place.
///
/// # Errors
/// `VALIDATION_FAILED` with the places of ids that are not there, or there twice, else with `key`, the
/// field's name, when some are missing.
pub async fn rank<E: EntityTrait>(tx: &TenantTx, among: Select<E>, key: &str, ids: &[Uuid]) -> Result<()> {
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

/// Gives the restaurant's rows the order in which their ids stand, in a unit of work of its own, and says so
/// in the audit log (`key` is the field's name).
///
/// # Errors
/// As [`rank`].
pub async fn rank_all<E: EntityTrait, T: Resource, P>(
    scope: &In<Restaurant, P>,
    key: &str,
    ids: &[Id<T>],
) -> Result<Done> {
    let plain: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
    let tx = scope.begin().await?;
    rank(&tx, live::<E>(scope.restaurant())?, key, &plain).await?;
    let (place, action) = (scope.restaurant().uuid(), format!("{}_rank", T::NAME));
    scope.audit(&tx, Some(place), &action, place, json!({ key: plain })).await?;
    tx.commit().await?;
    Ok(Done)
}

/// What sea-orm wants beside a `Model` that has neither relations nor hooks: `entity!()`, or
/// `entity!(pub(crate))` where it is.
#[macro_export]
macro_rules! entity {
    () => { $crate::entity!(pub); };
    ($vis:vis) => {
        #[derive(Debug, Clone, Copy, sea_orm::EnumIter, sea_orm::DeriveRelation)]
        $vis enum Relation {}
        impl sea_orm::ActiveModelBehavior for ActiveModel {}
    };
}

/// For `#[oai(default = "rows::yes")]`: what is absent is on.
#[must_use]
pub fn yes() -> bool {
    true
}

/// How a field of a `POST` fills a column: a value sets it; what is absent gets the table's default.
pub trait Fill<T: Into<Value>> {
    /// The column's value.
    fn fill(self) -> ActiveValue<T>;
}

impl<T: Into<Value>> Fill<T> for T {
    fn fill(self) -> ActiveValue<T> {
        ActiveValue::Set(self)
    }
}

impl<T: Into<Value>> Fill<T> for Option<T> {
    fn fill(self) -> ActiveValue<T> {
        self.map_or(ActiveValue::NotSet, ActiveValue::Set)
    }
}

/// Fills the named columns of a new row from fields of the same names: `fill!(row: name, price, note)`.
/// Destructure the body before, so that a field that is forgotten does not compile.
#[macro_export]
macro_rules! fill {
    ($row:ident: $($field:ident),* $(,)?) => { $( $row.$field = $crate::rows::Fill::fill($field); )* };
}

/// How a field of a `PUT` acts on a column: absent leaves it, `null` clears it, a value sets it.
pub trait Apply<T: Into<Value>> {
    /// Sets `column` when the field was sent.
    fn apply(self, column: &mut ActiveValue<T>);
}

impl<T: Into<Value>> Apply<T> for Option<T> {
    fn apply(self, column: &mut ActiveValue<T>) {
        if let Some(value) = self {
            *column = ActiveValue::Set(value);
        }
    }
}

/// A column that may be empty from the start, but cannot be emptied.
impl<T> Apply<Option<T>> for Option<T>
where
    Option<T>: Into<Value>,
{
    fn apply(self, column: &mut ActiveValue<Option<T>>) {
        if self.is_some() {
            *column = ActiveValue::Set(self);
        }
    }
}

impl<T> Apply<Option<T>> for Clearable<T>
where
    Option<T>: Into<Value>,
{
    fn apply(self, column: &mut ActiveValue<Option<T>>) {
        match self {
            Self::Undefined => {}
            Self::Null => *column = ActiveValue::Set(None),
            Self::Value(value) => *column = ActiveValue::Set(Some(value)),
        }
    }
}

/// Applies the named fields of a change to the columns of the same names: `apply!(row: name, price, note)`.
/// Destructure the change before, so that a new field that is forgotten does not compile.
#[macro_export]
macro_rules! apply {
    ($row:ident: $($field:ident),* $(,)?) => { $( $crate::rows::Apply::apply($field, &mut $row.$field); )* };
}
