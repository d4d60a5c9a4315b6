//! Who may do what: accounts, sessions, the permission tree, API keys, the audit log,
//! and [`In`], which every handler asks for first.

mod account_jobs;
mod admins;
pub mod answers;
mod api_keys;
pub mod app;
mod audit;
mod caller;
mod colleagues;
mod credential;
mod device;
mod grants;
mod guest;
mod idempotency;
mod invitations;
mod limits;
mod links;
mod me;
mod my_sessions;
pub mod paired;
mod password_rules;
pub mod passwords;
mod people;
pub mod perm;
mod permissions;
mod pin;
mod request_target;
mod role_templates;
pub mod rows;
mod scope;
pub mod sealed;
mod second_factor;
mod secrets;
mod sessions;
mod sign_in;
mod sso;
mod tickets;
mod tokens;

pub use admins::{mail::invite, types::AdminLanguage};
pub use answers::{Created, Done, Stored};
pub use api_keys::{calling::KeyUse, cors::preflight};
pub use app::{App, BuilderKind, Settings};
pub use audit::{Actor, SUPPORT_END, difference, enqueue_seals, seal_all, socket_step, write as write_audit};
pub use audit::{Line as AuditLine, lines as audit_lines, lines_since as audit_lines_since};
pub use caller::Caller;
pub use colleagues::has_colleagues;
pub use credential::{Credential, check_origin, client_address, digest};
pub use device::{describe, network};
pub use grants::{Grants, Policy};
pub use guest::GuestAddress;
pub use idempotency::{Idempotency, IdempotencyKey};
pub use paired::Paired;
pub use people::{Anyone, Opening, Platform, SignedIn};
pub use perm::{AnyOf, OfFeature, Permission, WholePartner};
pub use pin::{Approver, Pin, hide_query_pin};
pub use request_target::RequestTarget;
pub use role_templates::{ROLES, Role};
pub use scope::{In, Public, grants_at, marker};
pub use second_factor::{current_code, sealed_secret};
pub use secrets::Secrets;
pub use sign_in::take_attempt;
pub use tickets::opens;
pub use tokens::Tokens;

use poem_openapi::OpenApi;

/// What a resource's file needs.
pub mod prelude {
    pub use crate::{
        AnyOf, Created, Done, IdempotencyKey, In, OfFeature, Public, Stored, WholePartner, answers::Tag,
        apply, change, entity, fill, new, perm, perm::feature, rows,
    };
    pub use kernel::{
        Body, Clearable, Code, Fault, Id, Page, Paging, Partner, Problem, QueryParam, Resource, Restaurant,
        Result, Unpaged, time::Timestamp,
    };
    pub use poem_openapi::{
        Enum, Object, OpenApi,
        param::{Path, Query},
        payload::Json,
    };
    pub use sea_orm::{
        ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter,
        QueryOrder, entity::prelude::*,
    };
    pub use tenants::TenantTx;
}

/// Who does which kind of job.
#[must_use]
pub fn handlers(app: &App) -> Vec<(&'static str, work::Handler)> {
    account_jobs::handlers(app)
        .into_iter()
        .chain(audit::handlers())
        .chain([admins::mail::handler(&app.settings.public_url)])
        .collect()
}

/// The operations of this crate.
#[must_use]
pub fn api() -> impl OpenApi {
    let account = (
        sessions::Sessions,
        me::MeApi,
        my_sessions::MySessions,
        invitations::Invitations,
        tickets::Tickets,
        second_factor::SecondFactor,
        sso::Sso,
        sso::SignInProviders,
    );
    let keys = (api_keys::ApiKeysApi, api_keys::PartnerApiKeys);
    let audit = (audit::AuditApi, audit::PartnerAudit, audit::PlatformAudit);
    let people = (
        admins::PartnerAdmins,
        admins::RestaurantAdmins,
        admins::AdminPicker,
        pin::AccountPins,
        pin::RestaurantPins,
        pin::PartnerPins,
        role_templates::RoleTemplates,
    );
    (account, permissions::Permissions, keys, audit, people)
}
