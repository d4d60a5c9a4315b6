//! The language of a person.

use poem_openapi::Enum;
use sea_orm::{DeriveActiveEnum, EnumIter};

/// Language of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum Language {
    Hu,
    En,
}
