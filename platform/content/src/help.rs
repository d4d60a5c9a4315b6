//! The help page: its addresses, and the tokens of the help desk.

use access::{SignedIn, prelude::*};
use contract::{Environment, HelpPerson, Plugins};
use poem::web::Data;

pub(crate) struct Help;

/// Where people find help.
#[derive(Debug, Default, Object)]
struct HelpCentre {
    /// Whether there is a help desk with a chat; without one its sign-in answers `FEATURE_NOT_AVAILABLE`.
    live_chat: bool,
    email: Option<String>,
    phone: Option<String>,
    knowledge_base_url: Option<String>,
}

/// Two tokens, good for three minutes.
#[derive(Debug, Object)]
struct HelpSignIn {
    /// For the help centre: sent as the field `jwt` of a form to `auth_server`, never in an address.
    jwt: String,
    /// For the chat: a page that embeds the help desk's messenger hands it over there. Our own pages run no
    /// foreign script, so they open the help centre only.
    chat_jwt: String,
    auth_server: String,
    /// Where the help centre goes on when the form names no `return_to`.
    default_return_to: String,
}

#[OpenApi(prefix_path = "/api/v3/admins", tag = "Tag::Session")]
impl Help {
    /// Where help is.
    #[oai(path = "/help", method = "get", operation_id = "help_centre_show")]
    async fn centre(&self, _caller: SignedIn, plugins: Data<&Plugins>) -> Result<Json<HelpCentre>> {
        // Help is the installation's own, for people of every partner: there is no stand-in of it.
        let Some(desk) = plugins.help_desk(Environment::Live) else { return Ok(Json(HelpCentre::default())) };
        let contacts = desk.contacts();
        Ok(Json(HelpCentre {
            live_chat: desk.sign_in_origin().is_some(),
            email: contacts.email,
            phone: contacts.phone,
            knowledge_base_url: contacts.knowledge_base_url,
        }))
    }

    /// Signs the caller in at the help desk: a token for the help centre and one for its chat.
    ///
    /// codes: FEATURE_NOT_AVAILABLE
    #[oai(path = "/zendesk/sso", method = "post", operation_id = "help_centre_sign_in")]
    async fn sign_in(&self, caller: SignedIn, plugins: Data<&Plugins>) -> Result<Json<HelpSignIn>> {
        let facts = &caller.facts;
        let name = format!("{} {}", facts.first_name, facts.last_name).trim().to_owned();
        let name = if name.is_empty() { facts.email.clone() } else { name };
        let person = HelpPerson { id: caller.account.to_string(), name, email: facts.email.clone() };
        let tokens = plugins.help_desk(Environment::Live).and_then(|desk| desk.sign_in(&person));
        let tokens = tokens.ok_or_else(|| {
            Problem::new(Code::FEATURE_NOT_AVAILABLE).detail("no help desk is set up on this installation")
        })?;
        Ok(Json(HelpSignIn {
            jwt: tokens.jwt.reveal().to_owned(),
            chat_jwt: tokens.chat_jwt.reveal().to_owned(),
            auth_server: tokens.auth_server,
            default_return_to: tokens.default_return_to,
        }))
    }
}
