//! Who may do what: accounts, sessions, the permission tree, API keys, the audit log,
//! and [`In`], which every handler asks for first.

pub mod answers;
mod api_keys;
pub mod app;
mod audit;
mod credential;
mod grants;
mod me;
mod once;
pub mod passwords;
mod people;
pub mod perm;
mod permissions;
pub mod rows;
mod scope;
mod sessions;
mod tokens;

pub use answers::{Created, Done, Stored};
pub use app::{App, Settings};
pub use audit::{Actor, difference, write as write_audit};
pub use credential::{Credential, check_origin, digest};
pub use grants::{Grants, Policy};
pub use once::{IdempotencyKey, Once};
pub use people::{Anyone, Platform, SignedIn};
pub use scope::{AnyOf, Caller, In, Permission, Public, marker};
pub use tokens::Tokens;

use poem_openapi::OpenApi;

/// What a resource's file needs.
pub mod prelude {
    pub use crate::{AnyOf, Created, Done, IdempotencyKey, In, Public, Stored, answers::Tag, apply, fill, perm, rows};
    pub use kernel::{Body, Code, Fault, Id, Page, Paging, Partner, Problem, Resource, Restaurant, Result, Whole, time::Timestamp};
    pub use poem_openapi::{
        Enum, Object, OpenApi,
        param::{Path, Query},
        payload::Json,
        types::MaybeUndefined,
    };
    pub use sea_orm::{ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder, entity::prelude::*};
    pub use tenants::TenantTx;
}

/// The operations of this crate.
#[must_use]
pub fn api() -> impl OpenApi {
    (sessions::Sessions, me::MeApi, permissions::Permissions, api_keys::ApiKeys)
}
