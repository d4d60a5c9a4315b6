//! Bodies and answers about API keys.

use sea_orm::FromQueryResult;
use uuid::Uuid;

use access::prelude::*;
use kernel::ids::ApiKeys;

/// A key with which a third party calls the public scope.
#[derive(Debug, Object)]
pub(crate) struct ApiKey {
    pub id: Id<ApiKeys>,
    pub name: String,
    pub kind: ApiKeyKind,
    /// The first characters, by which the key is recognised.
    pub prefix: String,
    /// What the key may do.
    pub scopes: Vec<String>,
    /// Where the key may be used. One for several restaurants is changed by admins of the whole partner only.
    pub restaurant_ids: Vec<Id<Restaurant>>,
    /// Of a browser key: the pages that may call with it (`https://shop.example`).
    pub origins: Vec<String>,
    /// The whole key in the answer that creates or rotates it; masked ever after.
    pub api_key: String,
    pub created_at: Timestamp,
    /// At most ten seconds late.
    pub last_used_at: Option<Timestamp>,
    /// From then on the key is refused.
    pub expires_at: Option<Timestamp>,
    /// Until then the secret before the last rotation is still good.
    pub rotated_until: Option<Timestamp>,
    /// From then on the key is refused for good. It cannot be changed or rotated.
    pub revoked_at: Option<Timestamp>,
    /// How many times the usual limits it has; the platform's operator sets it.
    pub limit_factor: i32,
    /// Raised with every change of name, origins or end.
    pub version: i64,
}

/// How a key is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Enum, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
#[oai(rename_all = "snake_case")]
pub(crate) enum ApiKeyKind {
    /// From server to server: nobody but the third party's server sees it.
    Secret,
    /// In a shop's page, where everybody can read it: only from its origins, only the menu and ordering,
    /// limits per guest.
    Browser,
    /// As `secret`; its orders are tests that ring and count nowhere.
    Test,
}

impl ApiKeyKind {
    pub const fn name(self) -> &'static str {
        self.into_str()
    }

    pub fn parse(name: &str) -> Self {
        match name {
            "browser" => Self::Browser,
            "test" => Self::Test,
            _ => Self::Secret,
        }
    }
}

/// What a key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Enum)]
pub(super) enum ApiScope {
    /// Reading the menu.
    #[oai(rename = "menu:read")]
    MenuRead,
    /// Asking for quotes and sending orders.
    #[oai(rename = "orders:write")]
    OrdersWrite,
    /// Reading the orders that the key has sent.
    #[oai(rename = "orders:read")]
    OrdersRead,
}

impl ApiScope {
    pub const fn name(self) -> &'static str {
        match self {
            Self::MenuRead => "menu:read",
            Self::OrdersWrite => "orders:write",
            Self::OrdersRead => "orders:read",
        }
    }
}

#[derive(Debug, Object)]
pub(super) struct NewApiKey {
    #[oai(validator(min_length = 1, max_length = 100, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    pub name: String,
    /// `secret` when absent.
    pub kind: Option<ApiKeyKind>,
    /// What the key may do; everything a key of its kind can when absent.
    #[oai(validator(min_items = 1, max_items = 20, unique_items))]
    pub scopes: Option<Vec<ApiScope>>,
    /// Of a browser key, at least one: the pages that may call with it, as `https://shop.example`.
    #[oai(validator(max_items = 20))]
    pub origins: Option<Vec<String>>,
    /// From then on the key is refused; never when absent.
    pub expires_at: Option<Timestamp>,
}

/// A key for several restaurants.
#[derive(Debug, Object)]
pub(super) struct NewPartnerApiKey {
    #[oai(validator(min_length = 1, max_length = 100, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    pub name: String,
    /// `secret` when absent.
    pub kind: Option<ApiKeyKind>,
    /// What the key may do; everything a key of its kind can when absent.
    #[oai(validator(min_items = 1, max_items = 20, unique_items))]
    pub scopes: Option<Vec<ApiScope>>,
    /// Where the key may be used.
    #[oai(validator(min_items = 1, max_items = 2000, unique_items))]
    pub restaurant_ids: Vec<Id<Restaurant>>,
    /// Of a browser key, at least one: the pages that may call with it, as `https://shop.example`.
    #[oai(validator(max_items = 20))]
    pub origins: Option<Vec<String>>,
    /// From then on the key is refused; never when absent.
    pub expires_at: Option<Timestamp>,
}

#[derive(Debug, Object)]
pub(super) struct ApiKeyChange {
    #[oai(validator(min_length = 1, max_length = 100, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    pub name: Option<String>,
    /// Of a browser key, at least one.
    #[oai(validator(max_items = 20))]
    pub origins: Option<Vec<String>>,
    pub expires_at: Clearable<Timestamp>,
    /// The version that was changed; another one is refused.
    pub version: Option<i64>,
}

#[derive(Debug, Object)]
pub(super) struct ApiKeyRotation {
    /// For how long the secret so far stays good; 0 ends it at once.
    #[oai(default = "a_day", validator(minimum(value = "0"), maximum(value = "168")))]
    pub overlap_hours: i32,
}

fn a_day() -> i32 {
    24
}

/// What became of the calls of a key.
#[derive(Debug, Object)]
pub(super) struct ApiKeyUsage {
    /// The key's name.
    pub name: String,
    /// Set when the key is revoked.
    pub revoked_at: Option<Timestamp>,
    /// The last 30 days, oldest first.
    pub days: Vec<ApiKeyDay>,
    /// The last 100 refusals, newest first.
    pub refusals: Vec<ApiKeyRefusal>,
}

/// A day's calls (UTC).
#[derive(Debug, Object, FromQueryResult)]
pub(super) struct ApiKeyDay {
    pub day: kernel::time::CalendarDay,
    pub calls: i64,
    /// Those that were answered with a problem.
    pub errors: i64,
}

/// A call that was refused.
#[derive(Debug, Object, FromQueryResult)]
pub(super) struct ApiKeyRefusal {
    pub at: Timestamp,
    pub method: String,
    pub path: String,
    pub status: i32,
    /// What it means stands at `/api/problems/{code}`.
    pub code: String,
    /// What exactly was wrong, with the fields at fault.
    pub detail: String,
    pub request_id: String,
}

/// Ids as the database takes them.
pub(super) fn plain(ids: &[Id<Restaurant>]) -> Vec<Uuid> {
    ids.iter().map(|id| id.uuid()).collect()
}
