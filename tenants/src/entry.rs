//! Who enters the door, why it refuses, and what it knows of the caller.

use kernel::{Account, Admin, Id, Partner, Restaurant};
use sea_orm::{DbErr, QueryResult};
use uuid::Uuid;

/// Who wants to come in, and where.
#[derive(Debug, Clone)]
pub enum Entry {
    /// A signed-in person.
    Session {
        /// The session of the token.
        session: Uuid,
        /// Its account.
        account: Id<Account>,
        /// The partner of the path.
        partner: Id<Partner>,
        /// The restaurant of the path, unless the scope is the partner.
        restaurant: Option<Id<Restaurant>>,
        /// Version of the grants this process already knows; they are not sent again.
        known: Option<i64>,
    },
    /// An API key.
    Key {
        /// SHA-256 of the key.
        hash: Vec<u8>,
        /// The partner of the path.
        partner: Id<Partner>,
        /// The restaurant of the path.
        restaurant: Id<Restaurant>,
    },
    /// A paired device. Its secret alone says where it belongs.
    Device {
        /// SHA-256 of the secret.
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
    /// The partner is suspended.
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

/// What the door learnt about a person.
#[derive(Debug, Clone)]
pub struct SessionFacts {
    /// The account's row at this partner; none for a super admin.
    pub admin: Option<Id<Admin>>,
    /// Version of the grants.
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
    /// Whether the row is for the whole partner (else for some restaurants).
    pub whole_partner: bool,
    /// The support access under which a super admin is here.
    pub support: Option<Uuid>,
    /// The support access is for reading only.
    pub read_only: bool,
}

/// What the door learnt about an API key.
#[derive(Debug, Clone)]
pub struct KeyFacts {
    /// Id of the key.
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

/// What the door learnt about a device.
#[derive(Debug, Clone)]
pub struct DeviceFacts {
    /// Id of the device.
    pub id: Uuid,
    /// `guest_tv`, `kiosk`, …: what it may call.
    pub kind: String,
    /// The name its restaurant gave it.
    pub name: String,
    /// The partner it belongs to.
    pub partner: Id<Partner>,
    /// The restaurant it stands in.
    pub restaurant: Id<Restaurant>,
    /// The guest TV or kiosk that it is.
    pub subject: Option<Uuid>,
    /// When it was seen last.
    pub last_seen_at: Option<chrono::DateTime<chrono::Utc>>,
}

/// An account without a partner.
#[derive(Debug, Clone)]
pub struct AccountFacts {
    /// E-mail address, in small letters.
    pub email: String,
    /// First name.
    pub first_name: String,
    /// Last name.
    pub last_name: String,
    /// `hu` or `en`.
    pub language: String,
    /// Whether the account may everything.
    pub super_admin: bool,
    /// Where the session was opened.
    pub surface: String,
    /// The place that was chosen last.
    pub last_target: Option<(Id<Partner>, Id<Restaurant>)>,
}

/// What an account is at one partner.
#[derive(Debug, Clone)]
pub struct Target {
    /// The admin row; none for a super admin.
    pub admin: Option<Id<Admin>>,
    /// `Partner` or `Restaurant`.
    pub target_type: String,
    /// The partner.
    pub partner: Id<Partner>,
    /// Its name.
    pub partner_name: String,
    /// `live`, `sandbox` or `demo`.
    pub mode: String,
    /// The restaurants of a `Restaurant` target; none means all.
    pub restaurant_ids: Option<Vec<Id<Restaurant>>>,
    /// What was granted.
    pub permission_keys: Vec<String>,
    /// Holds all keys of the target.
    pub full_target_access: bool,
    /// Has a PIN there.
    pub has_pin: bool,
    /// Holds all keys.
    pub super_admin: bool,
}

/// What the door found: facts about a person, a key or a device.
#[derive(Debug, Clone)]
pub enum Facts {
    /// A person.
    Session(SessionFacts),
    /// A key.
    Key(KeyFacts),
    /// A device.
    Device(DeviceFacts),
}

pub(crate) fn read_facts(entry: &Entry, row: Option<QueryResult>) -> Result<Result<Facts, Refusal>, DbErr> {
    let Some(row) = row else {
        return Ok(Err(Refusal::Unknown));
    };
    if let Some(refusal) = Refusal::parse(&row.try_get::<String>("", "status")?) {
        return Ok(Err(refusal));
    }
    Ok(Ok(match entry {
        Entry::Session { .. } => Facts::Session(SessionFacts {
            admin: row.try_get::<Option<Uuid>>("", "admin_id")?.map(Id::from_uuid),
            version: row.try_get("", "version")?,
            permission_keys: row.try_get("", "permission_keys")?,
            full_target_access: row.try_get("", "full_target_access")?,
            super_admin: row.try_get("", "super_admin")?,
            surface: row.try_get("", "surface")?,
            name: row.try_get::<Option<String>>("", "name")?.unwrap_or_default(),
            whole_partner: row.try_get::<String>("", "target_type")? == "Partner",
            support: row.try_get("", "support_id")?,
            read_only: row.try_get("", "read_only")?,
        }),
        Entry::Key { .. } => Facts::Key(KeyFacts {
            id: row.try_get("", "key_id")?,
            scopes: row.try_get("", "scopes")?,
            kind: row.try_get("", "kind")?,
            name: row.try_get("", "name")?,
            origins: row.try_get("", "origins")?,
            limit_factor: row.try_get("", "limit_factor")?,
        }),
        Entry::Device { .. } => Facts::Device(DeviceFacts {
            id: row.try_get("", "device_id")?,
            kind: row.try_get("", "kind")?,
            name: row.try_get("", "name")?,
            partner: row.try_get("", "partner_id")?,
            restaurant: row.try_get("", "restaurant_id")?,
            subject: row.try_get("", "subject_id")?,
            last_seen_at: row.try_get("", "last_seen_at")?,
        }),
    }))
}
