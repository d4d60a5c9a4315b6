//! Kinds of paired devices.

use poem_openapi::Enum;
use sea_orm::{DeriveActiveEnum, EnumIter};

/// What a device is, which fixes what it may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum DeviceKind {
    /// A display for guests.
    GuestTv,
    /// Where guests order by themselves.
    Kiosk,
}

impl DeviceKind {
    pub const ALL: [Self; 2] = [Self::GuestTv, Self::Kiosk];

    /// As it lies in the database and stands in the document.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::GuestTv => "guest_tv",
            Self::Kiosk => "kiosk",
        }
    }

    /// The kind with this name; none for one of a later release, which must never be taken for another.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
