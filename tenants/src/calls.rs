//! What the functions answer that the login role itself may call ([`Door::call`]), read.

use sea_orm::{DbErr, FromQueryResult, TryGetable, Value};

use crate::{
    door::Door,
    tx::{column, first, is_true, read},
};

impl Door {
    /// The rows of [`Self::call`], each as a `T`: every field from the column of its name.
    ///
    /// # Errors
    /// When the database does not answer, and when a column is missing or of another type.
    pub async fn all<T: FromQueryResult>(
        &self,
        sql: &'static str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Vec<T>, DbErr> {
        read(&self.call(sql, values).await?)
    }

    /// The first row of [`Self::call`] as a `T`.
    ///
    /// # Errors
    /// As [`Self::all`].
    pub async fn one<T: FromQueryResult>(
        &self,
        sql: &'static str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Option<T>, DbErr> {
        self.call(sql, values).await?.first().map(|row| T::from_query_result(row, "")).transpose()
    }

    /// The first column of the first row of [`Self::call`]; none without a row.
    ///
    /// # Errors
    /// When the database does not answer, and when the column is of another type, or null for a `T` that
    /// cannot be.
    pub async fn value<T: TryGetable>(
        &self,
        sql: &'static str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Option<T>, DbErr> {
        first(&self.call(sql, values).await?)
    }

    /// The first column of each row of [`Self::call`].
    ///
    /// # Errors
    /// As [`Self::value`].
    pub async fn values<T: TryGetable>(
        &self,
        sql: &'static str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Vec<T>, DbErr> {
        column(&self.call(sql, values).await?)
    }

    /// Whether the first column of the first row is `true`. No row, null and another type mean no.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn is_true(
        &self,
        sql: &'static str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<bool, DbErr> {
        Ok(is_true(&self.call(sql, values).await?))
    }

    /// Calls a function that tells in the first column whether it did something.
    ///
    /// # Errors
    /// When the database does not answer, and when the column is no boolean.
    pub async fn done(
        &self,
        sql: &'static str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<bool, DbErr> {
        Ok(self.value::<Option<bool>>(sql, values).await?.flatten().unwrap_or(false))
    }
}
