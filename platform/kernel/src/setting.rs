//! Types of a restaurant's settings that several crates name.

use sea_orm::{DeriveActiveEnum, EnumIter};
use serde::{Deserialize, Serialize};

/// Units in which the tax authority wants quantities.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    poem_openapi::Enum,
    EnumIter,
    DeriveActiveEnum,
)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum NtakQuantityUnit {
    /// By volume.
    Liter,
    /// By weight.
    Kilogram,
    /// Any other unit.
    Unit,
    /// By the piece.
    Piece,
    /// A portion.
    Portion,
}

/// How the region of a delivery is found.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    poem_openapi::Enum,
    EnumIter,
    DeriveActiveEnum,
)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum DeliveryMethod {
    /// By coordinates.
    GpsBased,
    /// By postcode and street.
    StreetBased,
}

/// What holds of deliveries where no region is active.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    poem_openapi::Enum,
    EnumIter,
    DeriveActiveEnum,
)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum NoRegion {
    /// Nothing is delivered.
    Nowhere,
    /// Every address is delivered to, without a fee.
    Everywhere,
}

/// Which items carry a service fee.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    poem_openapi::Enum,
    EnumIter,
    DeriveActiveEnum,
)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum ServiceFeeMode {
    /// None.
    Off,
    /// All but those whose flag is off.
    AllItems,
    /// Those whose flag is on.
    FlaggedItems,
}
