//! The signed-in account: who it is, what it may do where, what it chose last.

use kernel::{Account, Body, Code, Id, Partner, Problem, Restaurant, Result};
use poem_openapi::{Enum, Object, OpenApi, payload::Json};
use uuid::Uuid;

use crate::{
    answers::{Done, Tag},
    app::App,
    people::SignedIn,
};

pub(crate) struct MeApi;

/// The signed-in account.
#[derive(Debug, Object)]
pub(crate) struct Me {
    id: Id<Account>,
    email: String,
    first_name: String,
    last_name: String,
    /// Last name first, as Hungarian names are written; the e-mail address when there is none.
    name: String,
    language: Language,
    super_admin: bool,
    /// The restaurant chosen last.
    last_target: Option<LastTarget>,
    targets: Vec<Target>,
}

/// Language of the interface.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
enum Language {
    Hu,
    En,
}

#[derive(Debug, Object)]
struct LastTarget {
    partner_id: Id<Partner>,
    restaurant_id: Id<Restaurant>,
}

/// What the account is at one partner.
#[derive(Debug, Object)]
#[oai(rename = "Target")]
struct Target {
    /// The admin row; null for a super admin.
    admin_id: Option<Id<kernel::Admin>>,
    /// `Partner`: all its restaurants. `Restaurant`: those in `restaurant_ids`.
    target_type: String,
    partner_id: Id<Partner>,
    partner_name: String,
    partner_mode: String,
    restaurant_ids: Option<Vec<Id<Restaurant>>>,
    /// Every key held, implied ones included.
    permissions: Vec<String>,
    full_target_access: bool,
}

#[derive(Debug, Object)]
struct LanguageChange {
    language: Language,
}

/// Loads the account of a living session.
pub(crate) async fn load(app: &App, account: Id<Account>, session: Uuid) -> Result<Me> {
    let facts = app.door.account(session, account).await?.ok_or_else(|| Problem::new(Code::USER_LOGIN_REQUIRED))?;
    let targets = app.door.targets(session, account).await?;
    let targets = targets.into_iter().map(|target| {
        let whole = target.full_target_access.then_some("full_target_access");
        let platform = target.super_admin.then_some("super_admin");
        let permissions = app.policy.evaluate(target.permission_keys.iter().map(String::as_str).chain(whole).chain(platform)).keys();
        Target {
            admin_id: target.admin,
            target_type: target.target_type,
            partner_id: target.partner,
            partner_name: target.partner_name,
            partner_mode: target.mode,
            restaurant_ids: target.restaurant_ids,
            permissions,
            full_target_access: target.full_target_access || target.super_admin,
        }
    });
    let name = format!("{} {}", facts.last_name, facts.first_name).trim().to_owned();
    Ok(Me {
        id: account,
        name: if name.is_empty() { facts.email.clone() } else { name },
        email: facts.email,
        first_name: facts.first_name,
        last_name: facts.last_name,
        language: if facts.language == "en" { Language::En } else { Language::Hu },
        super_admin: facts.super_admin,
        last_target: facts.last_target.map(|(partner_id, restaurant_id)| LastTarget { partner_id, restaurant_id }),
        targets: targets.collect(),
    })
}

#[OpenApi(prefix_path = "/api/v3/admin/me", tag = "Tag::Session")]
impl MeApi {
    /// The signed-in account with what it may do where.
    #[oai(path = "/", method = "get", operation_id = "me_get")]
    async fn get(&self, caller: SignedIn) -> Result<Json<Me>> {
        Ok(Json(load(&caller.app, caller.account, caller.session).await?))
    }

    /// Remembers the chosen restaurant for the next sign-in. Rights never depend on it.
    #[oai(path = "/target", method = "put", operation_id = "me_choose_target")]
    async fn choose_target(&self, caller: SignedIn, body: Body<LastTarget>) -> Result<Done> {
        let LastTarget { partner_id, restaurant_id } = body.into_inner();
        let values = [caller.session.into(), caller.account.uuid().into(), partner_id.uuid().into(), restaurant_id.uuid().into()];
        caller.app.door.call("select control.save_target($1, $2, $3, $4)::text", values).await?;
        Ok(Done)
    }

    /// Sets the language of the account's mails and of its next sign-in.
    #[oai(path = "/language", method = "put", operation_id = "me_choose_language")]
    async fn choose_language(&self, caller: SignedIn, body: Body<LanguageChange>) -> Result<Done> {
        let language = match body.language {
            Language::Hu => "hu",
            Language::En => "en",
        };
        let values = [caller.session.into(), caller.account.uuid().into(), language.into()];
        caller.app.door.call("select control.save_language($1, $2, $3)::text", values).await?;
        Ok(Done)
    }
}
