//! Answers of imports of regions and streets.

use access::prelude::*;
use kernel::money::Money;

/// What becomes of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, poem_openapi::Enum)]
#[oai(rename = "DeliveryRegionImportWhat", rename_all = "snake_case")]
pub(crate) enum Imported {
    /// A new region, or a new street row in one.
    Added,
    /// The region was there, and has other prices.
    Changed,
    /// Nothing.
    Same,
}

/// A row of an import.
#[derive(Debug, Clone, Object)]
pub(crate) struct DeliveryRegionImportRow {
    /// As the spreadsheet shows it, from 1.
    pub row: i32,
    /// The town, and the name of its region.
    pub name: String,
    pub postcode: Option<String>,
    pub price: Money,
    pub min_order_price: Money,
    pub what: Imported,
}

/// What an import did, or would do.
#[derive(Debug, Object)]
pub(crate) struct DeliveryRegionImport {
    /// New regions.
    pub added: i32,
    /// Regions that were there and are different now.
    pub changed: i32,
    pub rows: Vec<DeliveryRegionImportRow>,
}

/// What an import did.
#[derive(Debug, Object)]
pub(crate) struct DeliveryStreetImport {
    /// New streets.
    pub added: i32,
    /// Streets that were there and are different now.
    pub changed: i32,
}
