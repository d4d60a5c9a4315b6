//! [`Table`]: what a resource declares about its table.

use kernel::{Code, Problem, Resource, Result};
use poem_openapi::types::ToJSON;
use sea_orm::{
    ActiveModelBehavior, ColumnTrait, EntityTrait, IntoActiveModel, ModelTrait, QueryFilter, Select,
};
use uuid::Uuid;

use super::{
    column,
    place::{Rows, Transaction},
};

/// Where the rows of a table live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// In a restaurant: the column `restaurant_id` says in which.
    Restaurant,
    /// In a partner: the schema is the partner's.
    Partner,
    /// In the platform: a table of `control`.
    Platform,
    /// Below a row of another table, which this column names: an option of its group, a depot of its
    /// restaurant group. With a column `restaurant_id` in that restaurant alone.
    Below(&'static str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    /// It gets a time in `archived_at`, and no call finds it.
    Archive,
    Delete,
}

/// A change of the rows of a table.
#[derive(Debug)]
pub enum Change<'a, M> {
    /// This row was added.
    Created(&'a M),
    /// A changed row: before and after.
    Changed(&'a M, &'a M),
    /// The row with this id was archived or deleted.
    Removed(Uuid),
    /// The rows have another order.
    Ranked,
}

/// A table whose rows are a resource. Beside the columns that are named here the kit knows `id`, `version`,
/// `ranking` and `updated_at`, the last two where there are some.
pub trait Table:
    EntityTrait<
        Model: IntoActiveModel<<Self as EntityTrait>::ActiveModel> + Send + Sync,
        ActiveModel: ActiveModelBehavior + Send,
    >
{
    /// The resource: its name in addresses and in the audit log, the entity in error codes.
    type Of: Resource;
    /// The unit of work in which its rows are reached: a partner's, or the platform's.
    type Tx: Transaction;
    /// What calls answer of a row: the model itself, or a view with what belongs to it.
    type Answer: Answer<Self>;
    /// Where its rows live.
    const HOME: Home;
    const REMOVAL: Removal = Removal::Archive;
    /// Fields of the answer that come from elsewhere: the audit log of this row leaves them out.
    const DERIVED: &'static [&'static str] = &[];
    /// Fields of the answer that lie nowhere in the clear: neither in the audit log nor among the answers
    /// that are kept for repeated requests.
    const SECRET: &'static [&'static str] = &[];

    fn order(found: Select<Self>) -> Result<Select<Self>>;

    /// What else each change does, last in the same unit of work, such as telling open windows: it may lock
    /// what everybody needs.
    fn after(
        _rows: &Rows<'_, Self::Tx>, _change: Change<'_, Self::Model>,
    ) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }
}

/// What calls answer of the rows of `E`.
pub trait Answer<E: Table>: ToJSON + Send + Sync {
    /// The answers of these rows, in their order.
    fn of(rows: &Rows<'_, E::Tx>, found: Vec<E::Model>) -> impl Future<Output = Result<Vec<Self>>> + Send
    where
        Self: Sized;
}

impl<E, M> Answer<E> for M
where
    E: Table<Model = M>,
    M: ModelTrait + ToJSON + Send + Sync,
{
    async fn of(_: &Rows<'_, E::Tx>, found: Vec<M>) -> Result<Vec<M>> {
        Ok(found)
    }
}

impl<X: Transaction> Rows<'_, X> {
    /// The live rows of this place.
    /// Errors: `UNKNOWN_ERROR` when the table lives elsewhere, which a test of the resource would meet at
    /// once.
    pub fn live<E: Table<Tx = X>>(&self) -> Result<Select<E>> {
        let here = self.here::<E>()?;
        match E::REMOVAL {
            Removal::Archive => Ok(here.filter(column::<E>("archived_at")?.is_null())),
            Removal::Delete => Ok(here),
        }
    }

    /// The rows of this place, also those that are archived.
    pub fn here<E: Table<Tx = X>>(&self) -> Result<Select<E>> {
        let mut found = E::find();
        for (column, value) in self.place::<E>()? {
            found = found.filter(column.eq(value));
        }
        Ok(found)
    }

    /// The columns that say where a row lives, and their values at this place.
    pub(super) fn place<E: Table<Tx = X>>(&self) -> Result<Vec<(E::Column, Uuid)>> {
        let elsewhere = || Problem::new(Code::UNKNOWN_ERROR).detail("the table lives elsewhere");
        let mut place = Vec::new();
        let restaurant = column::<E>("restaurant_id").ok();
        match (E::HOME, restaurant) {
            (Home::Restaurant | Home::Below(_), Some(column)) => {
                place.push((column, self.restaurant.ok_or_else(elsewhere)?));
            }
            (Home::Below(_) | Home::Partner | Home::Platform, None) => {}
            _ => return Err(elsewhere()),
        }
        if let Home::Below(parent) = E::HOME {
            place.push((column::<E>(parent)?, self.parent.ok_or_else(elsewhere)?));
        }
        Ok(place)
    }
}
