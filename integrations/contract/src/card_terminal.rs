//! Card terminals of another company: a user signs in there and chooses a store, whose terminals are then
//! known. See `docs/decisions/payments.md#card-terminals`.

use async_trait::async_trait;

use crate::{CallError, Secret};

/// The parameters of the redirect to the company's page.
#[derive(Debug, Clone, Copy)]
pub struct Authorization<'a> {
    /// The address to which the company sends people back; it is registered there.
    pub redirect: &'a str,
    /// Comes back as it is.
    pub state: &'a str,
    /// Proves at the exchange that the one who exchanges is the one who began (PKCE).
    pub verifier: &'a str,
}

/// A right to call that ends.
#[derive(Debug, Clone)]
pub struct Access {
    /// Sent with each call.
    pub token: Secret,
    /// Seconds that it holds from now.
    pub seconds: u32,
}

/// A person has signed in.
#[derive(Debug, Clone)]
pub struct SignIn {
    /// In that person's name.
    pub access: Access,
    /// For the next access. It is good for one renewal, and each one brings another.
    pub refresh: Secret,
}

/// A client that is registered for one store. Its access can be had any number of times, so a lost answer
/// loses nothing.
#[derive(Debug, Clone)]
pub struct Client {
    /// Its name.
    pub id: String,
    /// Its secret.
    pub secret: Secret,
}

/// A place of business.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    /// Its id at the company.
    pub store_id: String,
    /// Its name.
    pub name: String,
    /// Its address in one line; empty when unknown.
    pub address: String,
}

/// A card terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terminal {
    /// Its id at the company.
    pub terminal_id: String,
    /// Its name, else its serial number.
    pub terminal_name: String,
    /// Printed on it; empty when unknown.
    pub serial_number: String,
}

/// A company with card terminals. Holds no state but its HTTP client; no secret of a restaurant.
#[async_trait]
pub trait CardTerminal: Send + Sync {
    /// The page on which somebody signs in and agrees. No call.
    fn authorization_url(&self, request: Authorization<'_>) -> String;

    /// Exchanges what the page gave for a sign-in. A code works once.
    /// Errors: `Credentials` when the code is not taken.
    async fn connect(&self, code: &str, verifier: &str, redirect: &str) -> Result<SignIn, CallError>;

    /// Renews a sign-in. The refresh token that was sent is used up, also when the answer is lost.
    /// Errors: `Credentials` when it is used up, revoked or too old: somebody has to sign in again.
    async fn renew(&self, refresh: &Secret) -> Result<SignIn, CallError>;

    /// The stores of the signed-in person.
    /// Errors: Of the call.
    async fn stores(&self, access: &Secret) -> Result<Vec<Store>, CallError>;

    /// Registers our client for a store, in the name of the signed-in person. The same name gives the same
    /// client again.
    /// Errors: `NotFound` when there is no such store, `Conflict` when it cannot be registered.
    async fn register(&self, access: &Secret, store_id: &str, ours: &str) -> Result<Client, CallError>;

    /// Access for a registered client.
    /// Errors: `Credentials` when the client is no longer known.
    async fn enter(&self, client: &Client) -> Result<Access, CallError>;

    /// The terminals of a store.
    /// Errors: `NotFound` when there is no such store, `Credentials` when the access has ended.
    async fn terminals(&self, access: &Secret, store_id: &str) -> Result<Vec<Terminal>, CallError>;
}
