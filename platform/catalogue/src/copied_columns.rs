//! The columns that the copy of a row takes over unchanged: all of its table but those that are named, so that
//! a new column is copied without being named anywhere.

use sea_orm::{EntityTrait, IdenStatic, Iterable};

/// The columns of a table apart from these, each after `prefix`, separated by commas.
pub(crate) fn copied_columns<E: EntityTrait>(prefix: &str, apart: &[&str]) -> String {
    let columns = E::Column::iter().filter(|column| !apart.contains(&column.as_str()));
    columns.map(|column| format!("{prefix}{}", column.as_str())).collect::<Vec<_>>().join(", ")
}
