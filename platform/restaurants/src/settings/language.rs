//! Languages of menus.

use access::prelude::*;

/// A language in which a menu can be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum MenuLanguage {
    /// Hungarian.
    Hu,
    /// English.
    En,
}
