//! The languages in which people use the product.

use access::prelude::*;

/// A language of the product: who uses it in this one reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum MessageLanguage {
    Hu,
    En,
}
