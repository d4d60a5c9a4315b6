//! Accounts: signing in and out, sessions, second factors, sign-in providers, invitations, passwords,
//! tickets, the people of a partner, roles, PINs, the management of API keys, and the reading of the audit
//! log.

mod account_jobs;
mod admins;
mod api_keys;
mod audit;
mod colleagues;
mod details;
mod invitations;
mod language;
mod links;
mod me;
mod my_sessions;
pub mod password_rules;
mod permissions;
mod pins;
mod profile;
mod role_templates;
mod second_factor;
mod sessions;
mod sign_in;
mod sign_in_log;
mod sign_in_rules;
mod sso;
mod super_admins;
mod tickets;

pub use admins::types::AdminLanguage;
pub use api_keys::LimitedKey;
pub use role_templates::{ROLES, Role};
pub use second_factor::{current_code, sealed_secret};

use access::domain::{ADVISED, Services, SettingsOf, Step};
use futures_util::FutureExt;
use poem_openapi::OpenApi;

/// This crate in the server's list.
pub struct Domain;

impl access::domain::Domain for Domain {
    fn api() -> impl OpenApi {
        let account = (
            sessions::Sessions,
            me::MeApi,
            my_sessions::MySessions,
            invitations::Invitations,
            tickets::Tickets,
            second_factor::SecondFactor,
            sso::Sso,
            sso::SignInProviders,
            sign_in_rules::SignInRulesApi,
        );
        let keys = (api_keys::ApiKeysApi, api_keys::PartnerApiKeys);
        let audit = (audit::AuditApi, audit::PartnerAudit, audit::PlatformAudit);
        let people = (
            admins::PartnerAdmins,
            admins::RestaurantAdmins,
            admins::AdminPicker,
            pins::AccountPins,
            pins::RestaurantPins,
            pins::PartnerPins,
            role_templates::RoleTemplates,
            super_admins::SuperAdminsApi,
        );
        (account, permissions::Permissions, keys, audit, people)
    }

    fn jobs(&self, services: &Services) -> Vec<(&'static str, work::Handler)> {
        let app = &services.app;
        account_jobs::handlers(app)
            .into_iter()
            .chain([admins::mail::handler(&app.settings.public_url)])
            .collect()
    }

    fn settings(&self) -> Vec<SettingsOf> {
        vec![sign_in_rules::history()]
    }

    fn steps(&self) -> Vec<Step> {
        vec![
            Step {
                key: "staff",
                needed: ADVISED,
                done: |tx, restaurant| colleagues::has_colleagues(tx, restaurant).boxed(),
            },
            Step {
                key: "pins",
                needed: ADVISED,
                done: |tx, restaurant| colleagues::has_pin(tx, restaurant).boxed(),
            },
        ]
    }
}
