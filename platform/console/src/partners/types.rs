//! Bodies and answers about partners.

use access::prelude::*;
use accounts::AdminLanguage;
use kernel::{Email, Group, money::Currency};
use sea_orm::FromQueryResult;

/// What a partner is for: outside `live` nothing is sent to other companies or guests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case", rename = "PartnerMode")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum Mode {
    Live,
    Sandbox,
    Demo,
}

impl Mode {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Sandbox => "sandbox",
            Self::Demo => "demo",
        }
    }
}

/// Where a partner is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum PartnerStatus {
    /// Being made: its row and the job that makes the rest are there.
    Creating,
    Active,
    /// Nobody of it gets in; everything is kept.
    Suspended,
    /// Its schema is being worked on, or its migration failed.
    Maintenance,
    /// Deleted; until `delete_at` it can be undone.
    Deleting,
}

impl PartnerStatus {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Creating => "creating",
            Self::Active => "active",
            Self::Suspended => "suspended",
            Self::Maintenance => "maintenance",
            Self::Deleting => "deleting",
        }
    }
}

/// A partner in the list.
#[derive(Debug, Clone, Object, FromQueryResult)]
pub(crate) struct PartnerRow {
    pub id: Id<Partner>,
    pub name: String,
    pub mode: Mode,
    pub status: PartnerStatus,
    /// How many restaurants it has.
    pub restaurants: i64,
    /// How many people may sign in to it, invited ones included.
    pub users: i64,
    /// Bytes of its tables and indexes; null where they are on another database server.
    pub size_bytes: Option<i64>,
    /// The database server that they are on; null for the one with the directory.
    pub server: Option<String>,
    /// Version of its schema; null while it is being made.
    pub schema_version: Option<String>,
    /// Whether that is the newest version.
    pub current: bool,
    /// When one of its people or keys was last here.
    pub last_activity_at: Option<Timestamp>,
    pub created_at: Timestamp,
    /// When a deleted partner is removed for good.
    pub delete_at: Option<Timestamp>,
    /// Why its creation, migration, restore or removal failed the last time.
    pub error: Option<String>,
    #[oai(skip)]
    pub suspended_reason: Option<String>,
}

/// A partner with its groups and restaurants.
#[derive(Debug, Object)]
#[oai(rename = "Partner")]
pub(super) struct PartnerDetails {
    #[oai(flatten)]
    pub row: PartnerRow,
    pub groups: Vec<PartnerGroup>,
    pub restaurant_list: Vec<PartnerRestaurant>,
    /// Newest first. The partner brings them back (`…/archived-restaurants`), or who supports it.
    pub archived_restaurants: Vec<PartnerArchivedRestaurant>,
    /// Why it is suspended.
    pub suspended_reason: Option<String>,
}

#[derive(Debug, Object, FromQueryResult)]
pub(super) struct PartnerGroup {
    pub id: Id<Group>,
    pub name: String,
}

#[derive(Debug, Object, FromQueryResult)]
pub(super) struct PartnerRestaurant {
    pub id: Id<Restaurant>,
    pub name: String,
    pub group_id: Id<Group>,
    pub city: String,
}

#[derive(Debug, Object, FromQueryResult)]
pub(super) struct PartnerArchivedRestaurant {
    pub id: Id<Restaurant>,
    pub name: String,
    pub city: String,
    pub archived_at: Timestamp,
    /// Name of who archived it.
    pub archived_by: String,
    pub restorable_until: Timestamp,
    pub restorable: bool,
}

/// A new partner with its first group, restaurant and admin.
#[derive(Debug, Object)]
pub(super) struct NewPartner {
    #[oai(validator(min_length = 1, max_length = 200))]
    pub name: String,
    /// `live` when absent.
    pub mode: Option<Mode>,
    /// Name of the first restaurant group; the partner's when absent.
    #[oai(validator(max_length = 200))]
    pub group_name: Option<String>,
    /// Name of the first restaurant.
    #[oai(validator(min_length = 1, max_length = 200))]
    pub restaurant_name: String,
    /// Currency of group and restaurant; forints when absent.
    pub currency: Option<Currency>,
    pub admin: NewPartnerAdmin,
}

/// Who gets the invitation.
#[derive(Debug, Object)]
pub(super) struct NewPartnerAdmin {
    pub email: Email,
    #[oai(validator(max_length = 100))]
    pub first_name: Option<String>,
    #[oai(validator(max_length = 100))]
    pub last_name: Option<String>,
    /// Of the invitation, and of the account when it is made for it; Hungarian when absent.
    pub language: Option<AdminLanguage>,
}

#[derive(Debug, Object)]
pub(super) struct PartnerChange {
    #[oai(validator(min_length = 1, max_length = 200))]
    pub name: Option<String>,
}

#[derive(Debug, Object)]
pub(super) struct PartnerSuspension {
    /// Why; shown to super admins and kept in the partner's audit log.
    #[oai(validator(
        min_length = 3,
        max_length = 300,
        pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"
    ))]
    pub reason: String,
}

#[derive(Debug, Object)]
pub(super) struct PartnerDeletion {
    /// The partner's name, typed by whoever deletes it.
    #[oai(validator(max_length = 200))]
    pub confirm: String,
}

#[derive(Debug, Object)]
pub(super) struct PartnerClone {
    /// The clone's name.
    #[oai(validator(min_length = 1, max_length = 200))]
    pub name: String,
}
