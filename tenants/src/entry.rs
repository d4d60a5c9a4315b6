//! The entry through the door: its caller, its refusals, and the facts that it returns.

use kernel::{Account, Admin, Id, Partner, Restaurant};
use sea_orm::{DbErr, FromQueryResult, QueryResult};
use uuid::Uuid;

/// A caller and its place.
#[derive(Debug, Clone)]
pub enum Entry {
    Session {
        session: Uuid,
        account: Id<Account>,
        partner: Id<Partner>,
        /// The restaurant of the path, unless the scope is the partner.
        restaurant: Option<Id<Restaurant>>,
        /// Version of the grants this process already knows; they are not sent again.
        known: Option<i64>,
    },
    Key {
        /// SHA-256 of the key.
        hash: Vec<u8>,
        partner: Id<Partner>,
        restaurant: Id<Restaurant>,
    },
    /// A paired device. Its secret alone says where it belongs.
    Device {
        /// SHA-256 of the secret.
        hash: Vec<u8>,
    },
    /// A provider that calls an address of ours. The token in it alone says where it belongs.
    Callback {
        /// SHA-256 of the token.
        hash: Vec<u8>,
    },
}

/// Why the door stays closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The session has ended, or its account is locked.
    Session,
    /// There is no such key, or it was revoked, has expired or was replaced.
    Key,
    /// There is no such device, or it was revoked.
    Device,
    /// The partner or restaurant does not exist, or not for this caller.
    Unknown,
    /// A super admin has no support access to this partner.
    Support,
    Suspended,
    /// The partner's schema is being worked on.
    Maintenance,
}

impl Refusal {
    pub(crate) fn parse(status: &str) -> Option<Self> {
        match status {
            "ok" => None,
            "session" => Some(Self::Session),
            "key" => Some(Self::Key),
            "device" => Some(Self::Device),
            "support" => Some(Self::Support),
            "suspended" => Some(Self::Suspended),
            "maintenance" => Some(Self::Maintenance),
            _ => Some(Self::Unknown),
        }
    }
}

/// The door's answer about a person.
#[derive(Debug, Clone, FromQueryResult)]
pub struct SessionFacts {
    /// The account's row at this partner; none for a super admin.
    #[sea_orm(from_alias = "admin_id")]
    pub admin: Option<Id<Admin>>,
    pub version: i64,
    /// The grants; none when the caller already has this version.
    pub permission_keys: Option<Vec<String>>,
    /// Holds all keys of the target.
    pub full_target_access: bool,
    /// Holds all keys everywhere.
    pub super_admin: bool,
    /// Where the session was opened: `admin`, `pos`, `lct`, `kiosk`.
    pub surface: String,
    /// The person's name, else the e-mail address.
    pub name: String,
    /// `Partner` or `Restaurant`: whether the row is for the whole partner.
    pub target_type: String,
    /// The support access under which a super admin is here.
    #[sea_orm(from_alias = "support_id")]
    pub support: Option<Uuid>,
    /// The support access is for reading only.
    pub read_only: bool,
}

impl SessionFacts {
    /// Whether the row is for the whole partner (else for some restaurants).
    #[must_use]
    pub fn whole_partner(&self) -> bool {
        self.target_type == "Partner"
    }
}

/// The door's answer about an API key.
#[derive(Debug, Clone, FromQueryResult)]
pub struct KeyFacts {
    #[sea_orm(from_alias = "key_id")]
    pub id: Uuid,
    /// What the key may do (`menu:read`, …).
    pub scopes: Vec<String>,
    /// `secret`, `browser` or `test`.
    pub kind: String,
    /// The name its owner gave it.
    pub name: String,
    /// Of a browser key: the pages that may call with it.
    pub origins: Vec<String>,
    /// How many times the usual limits it has.
    pub limit_factor: i32,
}

/// The door's answer about a device.
#[derive(Debug, Clone, FromQueryResult)]
pub struct DeviceFacts {
    #[sea_orm(from_alias = "device_id")]
    pub id: Uuid,
    /// `guest_tv`, `kiosk`, …: what it may call.
    pub kind: String,
    /// The name its restaurant gave it.
    pub name: String,
    #[sea_orm(from_alias = "partner_id")]
    pub partner: Id<Partner>,
    #[sea_orm(from_alias = "restaurant_id")]
    pub restaurant: Id<Restaurant>,
    /// The guest TV or kiosk that it is.
    #[sea_orm(from_alias = "subject_id")]
    pub subject: Option<Uuid>,
    pub last_seen_at: Option<chrono::DateTime<chrono::Utc>>,
}

/// The door's answer about a provider that calls.
#[derive(Debug, Clone, FromQueryResult)]
pub struct CallbackFacts {
    /// The partner whose address it is.
    #[sea_orm(from_alias = "partner_id")]
    pub partner: Id<Partner>,
    /// Its restaurant.
    #[sea_orm(from_alias = "restaurant_id")]
    pub restaurant: Id<Restaurant>,
    /// The provider, as plug-ins are registered.
    pub provider: String,
    /// The account at the provider.
    #[sea_orm(from_alias = "account_id")]
    pub account: Uuid,
    /// `live`, `sandbox` or `demo`.
    pub mode: String,
}

/// An account without a partner.
#[derive(Debug, Clone, FromQueryResult)]
pub struct AccountFacts {
    /// E-mail address, in small letters.
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    /// `hu` or `en`.
    pub language: String,
    pub super_admin: bool,
    /// Where the session was opened.
    pub surface: String,
    /// The partner that was chosen last.
    pub last_partner_id: Option<Id<Partner>>,
    /// The restaurant that was chosen last.
    pub last_restaurant_id: Option<Id<Restaurant>>,
}

impl AccountFacts {
    /// The place that was chosen last.
    #[must_use]
    pub fn last_target(&self) -> Option<(Id<Partner>, Id<Restaurant>)> {
        self.last_partner_id.zip(self.last_restaurant_id)
    }
}

#[derive(Debug, Clone, FromQueryResult)]
pub struct Target {
    /// The admin row; none for a super admin.
    #[sea_orm(from_alias = "admin_id")]
    pub admin: Option<Id<Admin>>,
    /// `Partner` or `Restaurant`.
    pub target_type: String,
    #[sea_orm(from_alias = "partner_id")]
    pub partner: Id<Partner>,
    pub partner_name: String,
    /// `live`, `sandbox` or `demo`.
    pub mode: String,
    /// The restaurants of a `Restaurant` target; none means all.
    pub restaurant_ids: Option<Vec<Id<Restaurant>>>,
    pub permission_keys: Vec<String>,
    /// Holds all keys of the target.
    pub full_target_access: bool,
    pub has_pin: bool,
    /// Holds all keys.
    pub super_admin: bool,
}

/// What the door found: facts about a person, a key, a device or a provider.
#[derive(Debug, Clone)]
pub enum Facts {
    Session(SessionFacts),
    Key(KeyFacts),
    Device(DeviceFacts),
    /// A provider that calls.
    Callback(CallbackFacts),
}

/// What every answer of the door begins with.
#[derive(FromQueryResult)]
struct Answer {
    status: String,
}

pub(crate) fn read_facts(entry: &Entry, row: Option<QueryResult>) -> Result<Result<Facts, Refusal>, DbErr> {
    let Some(row) = row else {
        return Ok(Err(Refusal::Unknown));
    };
    if let Some(refusal) = Refusal::parse(&Answer::from_query_result(&row, "")?.status) {
        return Ok(Err(refusal));
    }
    Ok(Ok(match entry {
        Entry::Session { .. } => Facts::Session(SessionFacts::from_query_result(&row, "")?),
        Entry::Key { .. } => Facts::Key(KeyFacts::from_query_result(&row, "")?),
        Entry::Device { .. } => Facts::Device(DeviceFacts::from_query_result(&row, "")?),
        Entry::Callback { .. } => Facts::Callback(CallbackFacts::from_query_result(&row, "")?),
    }))
}
