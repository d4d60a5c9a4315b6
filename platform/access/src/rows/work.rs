//! The operations on the rows of a [`Table`].

use kernel::{Code, Fault, Id, Page, Paging, Problem, Resource, Result, clock};
use poem_openapi::types::ToJSON;
use sea_orm::{
    ActiveModelTrait, ActiveValue, ColumnTrait, EntityTrait, IntoActiveModel, ModelTrait, PaginatorTrait,
    QueryFilter, QuerySelect, Select, Value, sea_query::Expr,
};
use serde_json::{Value as Json, json};
use tenants::TenantTx;
use uuid::Uuid;

use super::{
    Answer, Change, Logged, Removal, Table, check_version, column,
    place::{Rows, Transaction},
};
use crate::{
    answers::Stored,
    audit::difference,
    idempotency::{Idempotency, IdempotencyKey},
};

/// A row that will be changed: locked, as it is and as it will be written.
pub struct Edit<E: Table> {
    pub before: E::Model,
    pub current: E::Answer,
    pub row: E::ActiveModel,
}

impl<E: Table> Edit<E> {
    /// Refuses a change that was made on an older version.
    pub async fn check(&self, tx: &E::Tx, version: Option<i64>) -> Result<()> {
        let logged = Logged::of::<E::Of>(Id::from_uuid(id_of::<E>(&self.before)?));
        check_version(tx, version, version_of::<E>(&self.before)?, &self.current, logged).await
    }
}

impl<'a, X: Transaction> Rows<'a, X> {
    /// The rows below this live row of `E`.
    /// Errors: As [`Self::find`]: `<ENTITY>_NOT_EXIST` of the row above.
    pub async fn below_live<E: Table<Tx = X>>(&self, parent: Id<E::Of>) -> Result<Self> {
        self.find::<E>(parent).await?;
        Ok(self.below(parent))
    }

    /// One live row.
    /// Errors: `<ENTITY>_NOT_EXIST`, also for a row of another place.
    pub async fn find<E: Table<Tx = X>>(&self, id: Id<E::Of>) -> Result<E::Model> {
        let found = self.live::<E>()?.filter(column::<E>("id")?.eq(id.uuid()));
        found.one(self.tx).await?.ok_or_else(Problem::not_exist::<E::Of>)
    }

    /// The same, locked until the end of the unit of work.
    pub async fn lock<E: Table<Tx = X>>(&self, id: Id<E::Of>) -> Result<E::Model> {
        let found = self.live::<E>()?.filter(column::<E>("id")?.eq(id.uuid())).lock(X::LOCK);
        found.one(self.tx).await?.ok_or_else(Problem::not_exist::<E::Of>)
    }

    /// What is wrong with a reference in a body: the row it names is not a live one of this place. Nothing
    /// when there is none (`key` is the field's name).
    pub async fn missing<E: Table<Tx = X>>(
        &self, key: &str, id: Option<Id<E::Of>>,
    ) -> Result<Option<(String, Fault)>> {
        let Some(id) = id else { return Ok(None) };
        let found = self.live::<E>()?.filter(column::<E>("id")?.eq(id.uuid()));
        Ok((found.count(self.tx).await? == 0).then(|| (key.to_owned(), Fault::NotExist)))
    }

    /// The answer of one live row.
    pub async fn get<E: Table<Tx = X>>(&self, id: Id<E::Of>) -> Result<E::Answer> {
        let row = self.find::<E>(id).await?;
        self.answer::<E>(row).await
    }

    pub async fn answer<E: Table<Tx = X>>(&self, row: E::Model) -> Result<E::Answer> {
        let answers = <E::Answer as Answer<E>>::of(self, vec![row]).await?;
        answers.into_iter().next().ok_or_else(Problem::not_exist::<E::Of>)
    }

    /// The answers of these rows in the table's order: one page, or all of a list that is short by nature.
    pub async fn list<E: Table<Tx = X>, const ENDLESS: bool>(
        &self, found: Select<E>, paging: Paging<ENDLESS>,
    ) -> Result<Page<E::Answer>> {
        let total = if paging.count { Some(found.clone().count(self.tx).await?) } else { None };
        let limit = paging.limit();
        let found = E::order(found)?.limit(limit).offset(paging.offset(limit)).all(self.tx).await?;
        Ok(Page { rows: <E::Answer as Answer<E>>::of(self, found).await?, total })
    }

    /// Adds a row, the last in its order if it has one, with a line in the audit log. Its id is new unless
    /// the row has one.
    pub async fn insert<E: Table<Tx = X>>(&self, mut row: E::ActiveModel) -> Result<E::Answer> {
        let id = match row.get(column::<E>("id")?) {
            ActiveValue::Set(Value::Uuid(Some(id))) => id,
            _ => Uuid::now_v7(),
        };
        row.try_set(column::<E>("id")?, id.into())?;
        for (column, value) in self.place::<E>()? {
            row.try_set(column, value.into())?;
        }
        if let Ok(ranking) = column::<E>("ranking") {
            let last: Option<Option<i32>> =
                self.live::<E>()?.select_only().expr(ranking.max()).into_tuple().one(self.tx).await?;
            row.try_set(ranking, last.flatten().map_or(0, |last| last + 1).into())?;
        }
        let row = row.insert(self.tx).await?;
        let answer = self.answer::<E>(row.clone()).await?;
        self.audit::<E>("create", Some(id), difference(&json!({}), &audited::<E>(&answer))).await?;
        E::after(self, Change::Created(&row)).await?;
        Ok(answer)
    }

    /// The row that will be changed, locked.
    pub async fn edit<E: Table<Tx = X>>(&self, id: Id<E::Of>) -> Result<Edit<E>> {
        let before = self.lock::<E>(id).await?;
        let current = self.answer::<E>(before.clone()).await?;
        let row = before.clone().into_active_model();
        Ok(Edit { before, current, row })
    }

    /// The row that will be changed, when the change was made on its newest version.
    /// Errors: As [`Self::find`]; `CONFLICT` with the current row.
    pub async fn edit_version<E: Table<Tx = X>>(
        &self, id: Id<E::Of>, version: Option<i64>,
    ) -> Result<Edit<E>> {
        let edit = self.edit::<E>(id).await?;
        edit.check(self.tx, version).await?;
        Ok(edit)
    }

    /// Writes a changed row under the next version, and says in the audit log what differs. Where nothing
    /// does, the log has no line.
    pub async fn save<E: Table<Tx = X>>(&self, edit: Edit<E>) -> Result<E::Answer> {
        let Edit { before, current, mut row } = edit;
        row.try_set(column::<E>("version")?, (version_of::<E>(&before)? + 1).into())?;
        if let Ok(updated_at) = column::<E>("updated_at") {
            row.try_set(updated_at, clock::now().into())?;
        }
        let row = row.update(self.tx).await?;
        let answer = self.answer::<E>(row.clone()).await?;
        let details = difference(&audited::<E>(&current), &audited::<E>(&answer));
        self.audit::<E>("update", Some(id_of::<E>(&row)?), details).await?;
        E::after(self, Change::Changed(&before, &row)).await?;
        Ok(answer)
    }

    /// Archives or deletes a live row, and writes these details into the audit log.
    /// Errors: `<ENTITY>_NOT_EXIST`.
    pub async fn remove<E: Table<Tx = X>>(&self, id: Id<E::Of>, details: Json) -> Result<()> {
        let done = match E::REMOVAL {
            Removal::Archive => self.archive::<E>(id.uuid()).await?,
            Removal::Delete => {
                let mut gone = E::delete_many().filter(column::<E>("id")?.eq(id.uuid()));
                for (column, value) in self.place::<E>()? {
                    gone = gone.filter(column.eq(value));
                }
                gone.exec(self.tx).await?.rows_affected
            }
        };
        if done == 0 {
            return Err(Problem::not_exist::<E::Of>());
        }
        self.audit::<E>("delete", Some(id.uuid()), details).await?;
        E::after(self, Change::Removed(id.uuid())).await
    }

    async fn archive<E: Table<Tx = X>>(&self, id: Uuid) -> Result<u64> {
        let archived_at = column::<E>("archived_at")?;
        let mut gone = E::update_many()
            .col_expr(archived_at, Expr::val(clock::now()))
            .filter(column::<E>("id")?.eq(id))
            .filter(archived_at.is_null());
        for (column, value) in self.place::<E>()? {
            gone = gone.filter(column.eq(value));
        }
        if let Ok(updated_at) = column::<E>("updated_at") {
            gone = gone.col_expr(updated_at, Expr::val(clock::now()));
        }
        Ok(gone.exec(self.tx).await?.rows_affected)
    }

    /// Archives or deletes a live row.
    /// Errors: `<ENTITY>_NOT_EXIST`.
    pub async fn delete<E: Table<Tx = X>>(&self, id: Id<E::Of>) -> Result<()> {
        self.remove::<E>(id, json!({})).await
    }

    /// Gives the live rows of this place the order in which their ids stand: all of them, each once (`key` is
    /// the field's name).
    pub async fn rank<E: Table<Tx = X>>(&self, key: &str, ids: &[Id<E::Of>]) -> Result<()> {
        let ids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
        super::rank(self.tx, self.live::<E>()?, key, &ids).await?;
        self.audit::<E>("rank", self.parent.or(self.restaurant), json!({ key: ids })).await?;
        E::after(self, Change::Ranked).await
    }

    async fn audit<E: Table<Tx = X>>(&self, verb: &str, record: Option<Uuid>, details: Json) -> Result<()> {
        let action = format!("{}_{verb}", E::Of::NAME);
        self.tx.audit(self.caller, self.restaurant, &action, record, details).await
    }
}

impl Rows<'_, TenantTx> {
    /// Adds a row as [`Self::insert`] does. A request that is repeated with the same key and body gets the
    /// first answer and adds nothing; `row`, which checks the body and makes the row, then does not run.
    pub async fn create<E: Table<Tx = TenantTx>>(
        &self, key: &IdempotencyKey, body: &Json, row: impl Future<Output = Result<E::ActiveModel>> + Send,
    ) -> Result<Stored<E::Answer>> {
        let first = match key.begin(self.caller, self.tx, E::Of::NAME, body).await? {
            Idempotency::First(first) => first,
            Idempotency::Replay(kept) => return self.replayed::<E>(kept).await,
        };
        let answer = self.insert::<E>(row.await?).await?;
        let stored = Stored::new(201, &answer);
        first.keep(self.tx, &stored.without(E::SECRET)).await?;
        Ok(stored)
    }

    /// The kept answer with the secret fields of the row, which were not kept.
    async fn replayed<E: Table<Tx = TenantTx>>(&self, kept: Stored<E::Answer>) -> Result<Stored<E::Answer>> {
        let id = kept.id();
        let (Some(id), false) = (id, E::SECRET.is_empty()) else { return Ok(kept) };
        let Some(row) = self.live::<E>()?.filter(column::<E>("id")?.eq(id)).one(self.tx).await? else {
            return Ok(kept);
        };
        let now = self.answer::<E>(row).await?.to_json().unwrap_or_default();
        Ok(kept.with(E::SECRET.iter().map(|field| (*field, now[*field].clone()))))
    }
}

/// What the audit log compares: the fields that are the row's own.
fn audited<E: Table>(answer: &E::Answer) -> Json {
    let mut json = answer.to_json().unwrap_or_default();
    if let Some(fields) = json.as_object_mut() {
        fields.retain(|name, _| !E::DERIVED.contains(&name.as_str()) && !E::SECRET.contains(&name.as_str()));
    }
    json
}

pub(super) fn version_of<E: EntityTrait>(row: &E::Model) -> Result<i64> {
    match row.get(column::<E>("version")?) {
        Value::BigInt(Some(version)) => Ok(version),
        _ => Err(Problem::new(Code::UNKNOWN_ERROR).detail("a usual column has another type")),
    }
}

fn id_of<E: EntityTrait>(row: &E::Model) -> Result<Uuid> {
    match row.get(column::<E>("id")?) {
        Value::Uuid(Some(id)) => Ok(id),
        _ => Err(Problem::new(Code::UNKNOWN_ERROR).detail("a usual column has another type")),
    }
}
