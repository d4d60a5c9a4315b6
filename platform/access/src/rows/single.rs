//! A table with one row per restaurant, which does not exist before the first change.

use kernel::{Id, Restaurant, Result};
use poem_openapi::types::ToJSON;
use sea_orm::{
    ActiveModelBehavior, ActiveModelTrait, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter,
};
use tenants::TenantTx;

use super::{Logged, Rows, Transaction, check_version, column, work::version_of};
use crate::audit::difference;

/// A table whose key is `restaurant_id`, with a `version` that is 0 before the row is there.
pub trait Singleton:
    EntityTrait<
        Model: IntoActiveModel<<Self as EntityTrait>::ActiveModel> + ToJSON + Send + Sync,
        ActiveModel: ActiveModelBehavior + Send,
    >
{
    /// Its name in the audit log, where a change is `<NAME>_update`.
    const NAME: &'static str;

    /// What is answered before anything is entered: version 0.
    fn none(restaurant: Id<Restaurant>) -> Self::Model;
}

/// The one row as it is and as it will be written. Nobody else changes it meanwhile.
pub struct EditOne<E: Singleton> {
    before: E::Model,
    pub row: E::ActiveModel,
}

/// Until the end of the unit of work: two first entries do not meet.
const LOCK: &str = "select pg_advisory_xact_lock(hashtextextended($1 || $2::text, 0))::text";

impl Rows<'_, TenantTx> {
    pub async fn get_one<E: Singleton>(&self) -> Result<E::Model> {
        let restaurant = self.restaurant()?;
        let found =
            E::find().filter(column::<E>("restaurant_id")?.eq(restaurant.uuid())).one(self.tx).await?;
        Ok(found.unwrap_or_else(|| E::none(restaurant)))
    }

    /// The row that will be changed, when the change was made on its newest version.
    /// Errors: `CONFLICT` with the current row.
    pub async fn edit_one<E: Singleton>(&self, version: Option<i64>) -> Result<EditOne<E>> {
        let restaurant = self.restaurant()?;
        self.tx.rows(LOCK, [E::NAME.into(), restaurant.into()]).await?;
        let before = self.get_one::<E>().await?;
        let logged = Logged { resource: E::NAME, record: restaurant.uuid() };
        check_version(self.tx, version, version_of::<E>(&before)?, &before, logged).await?;
        let row = before.clone().into_active_model();
        Ok(EditOne { before, row })
    }

    /// Writes the row under its next version, and says in the audit log what differs.
    pub async fn save_one<E: Singleton>(&self, edit: EditOne<E>) -> Result<E::Model> {
        let EditOne { before, mut row } = edit;
        let (restaurant, version) = (self.restaurant()?, version_of::<E>(&before)?);
        row.try_set(column::<E>("version")?, (version + 1).into())?;
        let after =
            if version == 0 { row.reset_all().insert(self.tx).await? } else { row.update(self.tx).await? };
        let details = difference(&before.to_json().unwrap_or_default(), &after.to_json().unwrap_or_default());
        let action = format!("{}_update", E::NAME);
        self.tx.audit(self.caller, self.restaurant, &action, Some(restaurant.uuid()), details).await?;
        Ok(after)
    }
}
