//! The currencies and how precise they are.

use std::{fmt, str::FromStr};

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// The currencies a restaurant may keep its prices in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(
    feature = "service",
    derive(poem_openapi::Enum, sea_orm::DeriveValueType),
    oai(rename_all = "lowercase"),
    sea_orm(value_type = "String")
)]
pub enum Currency {
    /// Hungarian forint.
    #[default]
    Huf,
    /// Euro.
    Eur,
    /// US dollar.
    Usd,
    /// Danish krone.
    Dkk,
    /// Pound sterling.
    Gbp,
}

impl Currency {
    /// Every currency, in the order in which they are offered.
    pub const ALL: [Self; 5] = [Self::Huf, Self::Eur, Self::Usd, Self::Dkk, Self::Gbp];

    /// The name on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Huf => "huf",
            Self::Eur => "eur",
            Self::Usd => "usd",
            Self::Dkk => "dkk",
            Self::Gbp => "gbp",
        }
    }

    /// Decimals of a price: the forint has no smaller coin, the others have a hundredth.
    pub const fn decimals(self) -> u32 {
        match self {
            Self::Huf => 0,
            Self::Eur | Self::Usd | Self::Dkk | Self::Gbp => 2,
        }
    }

    /// The smallest amount: 1 or 0.01.
    pub fn unit(self) -> Decimal {
        Decimal::new(1, self.decimals())
    }

    /// The symbol that people write beside an amount.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Huf => "Ft",
            Self::Eur => "€",
            Self::Usd => "$",
            Self::Dkk => "Kr",
            Self::Gbp => "£",
        }
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that is no currency we know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a known currency")]
pub struct UnknownCurrency;

impl FromStr for Currency {
    type Err = UnknownCurrency;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|c| c.as_str() == text).ok_or(UnknownCurrency)
    }
}
