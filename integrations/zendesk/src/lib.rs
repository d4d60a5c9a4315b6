//! Zendesk: tokens for the help centre and its chat.

use std::time::{SystemTime, UNIX_EPOCH};

use contract::{HelpContacts, HelpDesk, HelpPerson, HelpTokens, Secret};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};
use uuid::Uuid;

/// Seconds that a token holds: Zendesk takes none older than three minutes.
const LIFE: u64 = 180;

/// A Zendesk of ours.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `{subdomain}.zendesk.com`.
    pub subdomain: String,
    /// Shared secret of the help centre's single sign-on.
    pub sso_key: Secret,
    /// Id of the messaging key.
    pub chat_key_id: String,
    /// The messaging key.
    pub chat_key: Secret,
}

/// The plug-in. Without a Zendesk it has the addresses only.
pub struct Zendesk {
    pub contacts: HelpContacts,
    pub desk: Option<Settings>,
}

impl Settings {
    fn origin(&self) -> String {
        format!("https://{}.zendesk.com", self.subdomain)
    }
}

fn signed(header: &Header, claims: &Value, key: &Secret) -> Option<Secret> {
    jsonwebtoken::encode(header, claims, &EncodingKey::from_secret(key.reveal().as_bytes()))
        .ok()
        .map(Secret::new)
}

impl HelpDesk for Zendesk {
    fn contacts(&self) -> HelpContacts {
        self.contacts.clone()
    }

    fn sign_in_origin(&self) -> Option<String> {
        self.desk.as_ref().map(Settings::origin)
    }

    fn sign_in(&self, person: &HelpPerson) -> Option<HelpTokens> {
        let desk = self.desk.as_ref()?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
        let id = format!("account:{}", person.id);
        let enter = json!({
            "iat": now, "exp": now + LIFE, "jti": Uuid::new_v4().simple().to_string(),
            "external_id": id, "name": person.name, "email": person.email,
        });
        let chat = json!({
            "scope": "user", "iat": now, "exp": now + LIFE,
            "external_id": id, "name": person.name, "email": person.email, "email_verified": true,
        });
        let messaging = Header { kid: Some(desk.chat_key_id.clone()), ..Header::new(Algorithm::HS256) };
        Some(HelpTokens {
            jwt: signed(&Header::new(Algorithm::HS256), &enter, &desk.sso_key)?,
            chat_jwt: signed(&messaging, &chat, &desk.chat_key)?,
            auth_server: format!("{}/access/jwt", desk.origin()),
            default_return_to: format!("{}/hc", desk.origin()),
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use jsonwebtoken::{DecodingKey, Validation, decode, decode_header};

    use super::*;

    #[test]
    fn each_token_opens_its_own_door() {
        let settings = Settings {
            subdomain: "minta".into(),
            sso_key: Secret::new("a".repeat(32)),
            chat_key_id: "key-1".into(),
            chat_key: Secret::new("b".repeat(32)),
        };
        let desk = Zendesk { contacts: HelpContacts::default(), desk: Some(settings) };
        let person =
            HelpPerson { id: "1".into(), name: "Éva Minta".into(), email: "eva@example.com".into() };
        let (one, two) = (desk.sign_in(&person).unwrap(), desk.sign_in(&person).unwrap());
        let read = |token: &Secret, key: &str| {
            decode::<Value>(
                token.reveal(),
                &DecodingKey::from_secret(key.as_bytes()),
                &Validation::new(Algorithm::HS256),
            )
        };
        let enter = read(&one.jwt, &"a".repeat(32)).unwrap().claims;
        assert_eq!(
            (&enter["external_id"], &enter["email"]),
            (&json!("account:1"), &json!("eva@example.com"))
        );
        assert_ne!(enter["jti"], read(&two.jwt, &"a".repeat(32)).unwrap().claims["jti"]);
        let chat = read(&one.chat_jwt, &"b".repeat(32)).unwrap().claims;
        assert_eq!((&chat["scope"], &chat["email_verified"]), (&json!("user"), &json!(true)));
        assert_eq!(decode_header(one.chat_jwt.reveal()).unwrap().kid.as_deref(), Some("key-1"));
        assert!(read(&one.chat_jwt, &"a".repeat(32)).is_err() && read(&one.jwt, &"b".repeat(32)).is_err());
        assert_eq!(
            (one.auth_server.as_str(), one.default_return_to.as_str()),
            ("https://minta.zendesk.com/access/jwt", "https://minta.zendesk.com/hc")
        );
        assert!(Zendesk { contacts: HelpContacts::default(), desk: None }.sign_in(&person).is_none());
    }
}
