//! Teya POSLink: card terminals in Teya's cloud. See `docs/decisions/payments.md#card-terminals`.

mod http;

use std::time::Duration;

use async_trait::async_trait;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use contract::{
    Access, Authorization, CallError, CallFault, CardTerminal, Client, Secret, SignIn, Store, Terminal,
};
use reqwest::Method;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use url::{Url, form_urlencoded};

use crate::http::{Content, Http};

const SCOPES: &str = "poslink/stores/get poslink/stores/id/terminals/get poslink/payment-requests/create \
    poslink/payment-requests/id/get \
    poslink/payment-requests/id/update poslink/payment-requests/get poslink/refunds/create";
/// Seconds that a token holds where the answer does not say: less than any that is known.
const SHORT: u32 = 300;
/// All calls together take at most this long.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// Where Teya is, and who we are there: one client for the whole installation.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `https://api.teya.com`, staging `https://api.teya.xyz`.
    pub api: Url,
    /// `https://id.teya.com`, staging `https://id.teya.xyz`.
    pub identity: Url,
    /// Our id as an integrating partner.
    pub client_id: String,
    pub client_secret: Secret,
}

pub struct Teya {
    settings: Settings,
    http: Http,
}

#[derive(Deserialize)]
struct Tokens {
    access_token: Secret,
    refresh_token: Option<Secret>,
    expires_in: Option<u32>,
}

#[derive(Deserialize)]
struct Registered {
    client_id: String,
    client_secret: Secret,
}

#[derive(Deserialize)]
struct Stores {
    stores: Vec<AnswerStore>,
}

/// Fields that are not certain are read where they are there.
#[derive(Deserialize)]
struct AnswerStore {
    #[serde(alias = "id")]
    store_id: String,
    #[serde(default, alias = "store_name")]
    name: Option<String>,
    #[serde(default)]
    address: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Terminals {
    terminals: Vec<AnswerTerminal>,
}

#[derive(Deserialize)]
struct AnswerTerminal {
    #[serde(alias = "id")]
    terminal_id: String,
    #[serde(default, alias = "name")]
    terminal_name: Option<String>,
    #[serde(default, alias = "serial")]
    serial_number: Option<String>,
}

impl Teya {
    /// With the usual patience.
    pub fn new(settings: Settings) -> Result<Self, String> {
        Self::with_patience(settings, PATIENCE)
    }

    pub fn with_patience(settings: Settings, patience: Duration) -> Result<Self, String> {
        Ok(Self { settings, http: Http::new(patience)? })
    }

    /// An address below a host. An id is always one segment.
    fn url(base: &Url, segments: &[&str]) -> Result<Url, CallError> {
        let mut url = base.clone();
        let faulty = || CallError::harmless(CallFault::Invalid);
        // A segment of dots would be taken away.
        if segments.iter().any(|one| matches!(*one, "" | "." | "..")) {
            return Err(CallError::harmless(CallFault::NotFound));
        }
        url.path_segments_mut().map_err(|()| faulty())?.pop_if_empty().extend(segments);
        Ok(url)
    }

    async fn token(&self, client: (&str, &Secret), pairs: &[(&str, &str)]) -> Result<Tokens, CallError> {
        let own = [("client_id", client.0), ("client_secret", client.1.reveal())];
        let form =
            form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).extend_pairs(own).finish();
        let url = Self::url(&self.settings.identity, &["oauth", "v2", "oauth-token"])?;
        self.http.call(Method::POST, url, None, Content::Form(form)).await
    }

    /// A token of our own client, for somebody who signed in.
    async fn own(&self, pairs: &[(&str, &str)]) -> Result<SignIn, CallError> {
        let tokens = self.token((&self.settings.client_id, &self.settings.client_secret), pairs).await?;
        let access = Access { token: tokens.access_token, seconds: tokens.expires_in.unwrap_or(SHORT) };
        let refresh = tokens.refresh_token.ok_or_else(|| CallError::unknown(CallFault::Protocol))?;
        Ok(SignIn { access, refresh })
    }
}

/// The parts of an address in writing order, by any of their names.
fn one_line(address: &serde_json::Value) -> String {
    let text = |name: &str| {
        address.get(name).and_then(serde_json::Value::as_str).map(str::trim).filter(|text| !text.is_empty())
    };
    if let Some(whole) = address.as_str() {
        return cut(whole);
    }
    let first = |names: &[&str]| names.iter().find_map(|name| text(name));
    let town = [first(&["postal_code", "postcode", "zip"]), first(&["city", "town"])]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ");
    let street =
        [first(&["address_line_1", "line1", "street", "address"]), first(&["address_line_2", "line2"])];
    let parts =
        std::iter::once(town.as_str()).filter(|town| !town.is_empty()).chain(street.into_iter().flatten());
    cut(&parts.collect::<Vec<_>>().join(", "))
}

/// Texts of another company are shown, so they have an end.
fn cut(text: &str) -> String {
    text.trim().chars().filter(|one| !one.is_control()).take(200).collect()
}

#[async_trait]
impl CardTerminal for Teya {
    fn authorization_url(&self, request: Authorization<'_>) -> String {
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(request.verifier));
        let mut url = self.settings.identity.clone();
        url.set_path("oauth/v2/oauth-authorize");
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.settings.client_id)
            .append_pair("redirect_uri", request.redirect)
            .append_pair("scope", SCOPES)
            .append_pair("state", request.state)
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256");
        url.into()
    }

    async fn connect(&self, code: &str, verifier: &str, redirect: &str) -> Result<SignIn, CallError> {
        self.own(&[
            ("grant_type", "authorization_code"),
            ("code", code),
            ("code_verifier", verifier),
            ("redirect_uri", redirect),
        ])
        .await
    }

    async fn renew(&self, refresh: &Secret) -> Result<SignIn, CallError> {
        self.own(&[("grant_type", "refresh_token"), ("refresh_token", refresh.reveal())]).await
    }

    async fn stores(&self, access: &Secret) -> Result<Vec<Store>, CallError> {
        let url = Self::url(&self.settings.api, &["poslink", "v1", "stores"])?;
        let Stores { stores } = self.http.call(Method::GET, url, Some(access), Content::Nothing).await?;
        let known = stores.into_iter().map(|store| Store {
            name: cut(store
                .name
                .as_deref()
                .filter(|name| !name.trim().is_empty())
                .unwrap_or(&store.store_id)),
            address: store.address.as_ref().map(one_line).unwrap_or_default(),
            store_id: store.store_id,
        });
        Ok(known.collect())
    }

    async fn register(&self, access: &Secret, store_id: &str, ours: &str) -> Result<Client, CallError> {
        let url = Self::url(&self.settings.api, &["poslink", "v1", "epos", "register"])?;
        let body =
            serde_json::json!({"store_id": store_id, "epos_external_id": ours}).to_string().into_bytes();
        let Registered { client_id, client_secret } =
            self.http.call(Method::POST, url, Some(access), Content::Json(body)).await?;
        Ok(Client { id: client_id, secret: client_secret })
    }

    async fn enter(&self, client: &Client) -> Result<Access, CallError> {
        let tokens =
            self.token((&client.id, &client.secret), &[("grant_type", "client_credentials")]).await?;
        Ok(Access { token: tokens.access_token, seconds: tokens.expires_in.unwrap_or(SHORT) })
    }

    async fn terminals(&self, access: &Secret, store_id: &str) -> Result<Vec<Terminal>, CallError> {
        let url = Self::url(&self.settings.api, &["poslink", "v1", "stores", store_id, "terminals"])?;
        let Terminals { terminals } =
            self.http.call(Method::GET, url, Some(access), Content::Nothing).await?;
        let filled = |text: Option<String>| text.map(|text| cut(&text)).filter(|text| !text.is_empty());
        let known = terminals.into_iter().map(|one| {
            let serial = filled(one.serial_number);
            let name =
                filled(one.terminal_name).or_else(|| serial.clone()).unwrap_or_else(|| cut(&one.terminal_id));
            Terminal {
                terminal_name: name,
                serial_number: serial.unwrap_or_default(),
                terminal_id: one.terminal_id,
            }
        });
        Ok(known.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_others_stay_one_segment() {
        let base: Url = "https://api.example.com".parse().unwrap();
        let url = |id: &str| Teya::url(&base, &["stores", id, "terminals"]).map(String::from);
        assert_eq!(url("a/b?c#d").unwrap(), "https://api.example.com/stores/a%2Fb%3Fc%23d/terminals");
        assert_eq!(url("../x").unwrap(), "https://api.example.com/stores/..%2Fx/terminals");
        for absent in ["", ".", ".."] {
            assert_eq!(url(absent).unwrap_err().fault, CallFault::NotFound);
        }
    }

    #[test]
    fn addresses_are_read_however_they_are_written() {
        let read = |text: &str| one_line(&serde_json::from_str(text).unwrap());
        assert_eq!(
            read(r#"{"address_line_1": "Fő utca 1.", "city": "Eger", "postal_code": "3300"}"#),
            "3300 Eger, Fő utca 1."
        );
        assert_eq!(read(r#"{"city": "Eger"}"#), "Eger");
        assert_eq!(read(r#""3300 Eger""#), "3300 Eger");
        assert_eq!(read("{}"), "");
        assert_eq!(read("7"), "");
    }
}
