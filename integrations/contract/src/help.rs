//! The help page: its addresses, and signing people in at the help desk.

use crate::Secret;

/// Where people find help.
#[derive(Debug, Clone, Default)]
pub struct HelpContacts {
    /// Address for mail.
    pub email: Option<String>,
    /// Number to call.
    pub phone: Option<String>,
    /// Pages to read.
    pub knowledge_base_url: Option<String>,
}

/// The person who signs in at the help desk.
#[derive(Debug, Clone)]
pub struct HelpPerson {
    /// Stays the same when the address changes.
    pub id: String,
    /// First name first.
    pub name: String,
    /// Proven: an invitation or a provider has confirmed it.
    pub email: String,
}

/// Two tokens, short-lived, each good for its own door.
#[derive(Debug, Clone)]
pub struct HelpTokens {
    /// Signs the browser in at the help centre; sent there as a form.
    pub jwt: Secret,
    /// Signs the chat in.
    pub chat_jwt: Secret,
    /// Where the form goes.
    pub auth_server: String,
    /// Where the help centre shows its pages.
    pub default_return_to: String,
}

/// The entries of an installation's help page.
pub trait HelpDesk: Send + Sync {
    /// Where help is.
    fn contacts(&self) -> HelpContacts;
    /// Where sign-ins are sent to, as an origin; none when there is no live chat.
    fn sign_in_origin(&self) -> Option<String>;
    /// Tokens of a person; none when there is no live chat.
    fn sign_in(&self, person: &HelpPerson) -> Option<HelpTokens>;
}
