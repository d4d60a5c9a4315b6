//! What a super admin's call in this crate does: a unit of work for the platform, what most rows in `control`
//! have done to them there, and its line in the platform's log. The columns have the usual names, as in
//! `access::rows`.

use access::{Platform, SignedIn, difference, prelude::*};
use kernel::{clock, request};
use poem_openapi::types::ToJSON;
use sea_orm::{ActiveModelBehavior, ModelTrait, PaginatorTrait, QuerySelect, Select, sea_query::LockType};
use serde_json::{Value as Json, json};
use tenants::ControlTx;
use uuid::Uuid;

/// A unit of work in `control`, checked once more in the same round trip.
pub(crate) async fn begin(caller: &Platform) -> Result<ControlTx> {
    let Platform(caller) = caller;
    caller
        .app
        .door
        .begin_super_admin(caller.session, caller.account)
        .await?
        .ok_or_else(|| Problem::new(Code::USER_LOGIN_REQUIRED))
}

/// The caller's name, last name first.
fn name(caller: &Platform) -> String {
    let facts = &caller.0.facts;
    let name = format!("{} {}", facts.last_name, facts.first_name).trim().to_owned();
    if name.is_empty() { facts.email.clone() } else { name }
}

/// One line of what happened on the platform.
pub(crate) async fn audit(
    tx: &ControlTx,
    caller: &Platform,
    action: &str,
    record: Uuid,
    details: Json,
) -> Result<()> {
    let values = [
        "admin".into(),
        caller.0.account.into(),
        name(caller).into(),
        action.into(),
        None::<Uuid>.into(),
        record.into(),
        request::id().into(),
        details.into(),
    ];
    tx.rows("select control.audit($1, $2, $3, $4, $5, $6, $7, $8)::text", values).await?;
    Ok(())
}

/// The row that an active model stands for once it is written.
type Written<A> = <<A as ActiveModelTrait>::Entity as EntityTrait>::Model;

/// A text without blanks around it; one that has nothing else is noted under its key.
pub(crate) fn written(faults: &mut Vec<(String, Fault)>, key: impl Into<String>, text: String) -> String {
    let text = text.trim().to_owned();
    if text.is_empty() {
        faults.push((key.into(), Fault::Required));
    }
    text
}

/// One page of rows.
pub(crate) async fn page<E: EntityTrait>(
    tx: &ControlTx,
    select: Select<E>,
    paging: Paging,
) -> Result<Page<E::Model>>
where
    E::Model: Send + Sync,
{
    let total = if paging.count { Some(select.clone().count(tx).await?) } else { None };
    let limit = paging.limit();
    Ok(Page { rows: select.limit(limit).offset(paging.offset(limit)).all(tx).await?, total })
}

/// One row that is not archived, locked until the end of the transaction.
pub(crate) async fn lock<E: EntityTrait, T: Resource>(tx: &ControlTx, id: Id<T>) -> Result<E::Model> {
    let found = E::find().filter(rows::column::<E>("id")?.eq(id.uuid()));
    let found = match rows::column::<E>("archived_at") {
        Ok(archived_at) => found.filter(archived_at.is_null()),
        Err(_) => found,
    };
    found.lock(LockType::NoKeyUpdate).one(tx).await?.ok_or_else(Problem::not_exist::<T>)
}

/// Adds a row under a new id.
pub(crate) async fn create<T: Resource, A>(
    tx: &ControlTx,
    caller: &Platform,
    mut row: A,
) -> Result<Written<A>>
where
    A: ActiveModelTrait + ActiveModelBehavior + Send,
    Written<A>: IntoActiveModel<A> + ToJSON,
{
    let id = Uuid::now_v7();
    row.try_set(rows::column::<A::Entity>("id")?, id.into())?;
    let row = row.insert(tx).await?;
    audit(tx, caller, &format!("{}_create", T::NAME), id, changed(None, &row)).await?;
    Ok(row)
}

/// Writes a change of the row `before`, which is locked, under the next version.
pub(crate) async fn change<T: Resource, A>(
    tx: &ControlTx,
    caller: &Platform,
    id: Id<T>,
    before: &Written<A>,
    row: A,
) -> Result<Written<A>>
where
    A: ActiveModelTrait + ActiveModelBehavior + Send,
    Written<A>: IntoActiveModel<A> + ToJSON,
{
    let after = write(tx, before, row).await?;
    audit(tx, caller, &format!("{}_update", T::NAME), id.uuid(), changed(Some(before), &after)).await?;
    Ok(after)
}

/// Archives a row.
pub(crate) async fn archive<T: Resource, A>(tx: &ControlTx, caller: &Platform, id: Id<T>) -> Result<()>
where
    A: ActiveModelTrait + ActiveModelBehavior + Send,
    Written<A>: IntoActiveModel<A>,
{
    let before = lock::<A::Entity, T>(tx, id).await?;
    let mut row: A = before.clone().into_active_model();
    row.try_set(rows::column::<A::Entity>("archived_at")?, clock::now().into())?;
    write(tx, &before, row).await?;
    audit(tx, caller, &format!("{}_delete", T::NAME), id.uuid(), json!({})).await
}

async fn write<A>(tx: &ControlTx, before: &Written<A>, mut row: A) -> Result<Written<A>>
where
    A: ActiveModelTrait + ActiveModelBehavior + Send,
    Written<A>: IntoActiveModel<A>,
{
    let version = rows::column::<A::Entity>("version")?;
    let sea_orm::Value::BigInt(Some(old)) = before.get(version) else {
        return Err(Problem::new(Code::UNKNOWN_ERROR).detail("a usual column has another type"));
    };
    row.try_set(version, (old + 1).into())?;
    if let Ok(updated_at) = rows::column::<A::Entity>("updated_at") {
        row.try_set(updated_at, clock::now().into())?;
    }
    Ok(row.update(tx).await?)
}

/// Whoever is signed in has read a message; twice is once. The statement says whether there is one (`known`).
pub(crate) async fn confirm<T: Resource>(caller: &SignedIn, sql: &'static str, id: Id<T>) -> Result<Done> {
    let rows = caller.app.door.call(sql, [caller.session.into(), caller.account.into(), id.into()]).await?;
    let known: bool = rows.first().map(|row| row.try_get("", "known")).transpose()?.unwrap_or_default();
    if known { Ok(Done) } else { Err(Problem::not_exist::<T>()) }
}

fn changed<M: ToJSON>(before: Option<&M>, after: &M) -> Json {
    let before = before.map_or_else(|| Some(json!({})), ToJSON::to_json);
    difference(&before.unwrap_or_default(), &after.to_json().unwrap_or_default())
}
