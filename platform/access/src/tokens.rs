//! Access tokens: a JWT with account, session and key id, and no rights (decisions §5; security 13).

use hmac::{Hmac, Mac};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use kernel::{Account, Code, Id, Problem, Result, clock};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use uuid::Uuid;

/// How long a sign-in lasts (document 1 §9).
pub const DAYS: i64 = 14;
const TYPE: &str = "at+jwt";
const NAME: &str = "pult";

/// Makes and reads tokens.
pub struct Tokens {
    key_id: String,
    encode: EncodingKey,
    decode: DecodingKey,
    validation: Validation,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    sub: Uuid,
    sid: Uuid,
    iat: i64,
    nbf: i64,
    exp: i64,
}

/// A key for one purpose, derived from the installation's secret.
#[must_use]
pub fn derive(secret: &[u8], purpose: &str) -> [u8; 32] {
    // HMAC takes keys of any length, so this cannot fail.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret) else { return [0; 32] };
    mac.update(purpose.as_bytes());
    mac.finalize().into_bytes().into()
}

impl Tokens {
    /// Tokens signed with a key derived from the installation's secret (`PULT_SECRET_KEY`).
    #[must_use]
    pub fn new(secret: &[u8]) -> Self {
        let key = derive(secret, "access token 1");
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_audience(&[NAME]);
        validation.set_issuer(&[NAME]);
        validation.set_required_spec_claims(&["iss", "aud", "sub", "exp", "nbf"]);
        validation.validate_nbf = true;
        validation.leeway = 30;
        Self {
            key_id: hex::encode(&derive(&key, "key id")[..4]),
            encode: EncodingKey::from_secret(&key),
            decode: DecodingKey::from_secret(&key),
            validation,
        }
    }

    /// A token for this session.
    ///
    /// # Errors
    /// When it cannot be signed.
    pub fn issue(&self, account: Id<Account>, session: Uuid) -> Result<String> {
        let now = clock::now().timestamp();
        let claims = Claims { iss: NAME.into(), aud: NAME.into(), sub: account.uuid(), sid: session, iat: now, nbf: now, exp: now + DAYS * 86_400 };
        let mut header = Header::new(Algorithm::HS256);
        header.typ = Some(TYPE.into());
        header.kid = Some(self.key_id.clone());
        jsonwebtoken::encode(&header, &claims, &self.encode).map_err(|_| Code::UNKNOWN_ERROR.into())
    }

    /// Account and session of a token.
    ///
    /// # Errors
    /// `USER_TOKEN_EXPIRED`, or `USER_INVALID_TOKEN` for whatever else is wrong with it.
    pub fn read(&self, token: &str) -> Result<(Id<Account>, Uuid)> {
        let invalid = || Problem::new(Code::USER_INVALID_TOKEN);
        let header = jsonwebtoken::decode_header(token).map_err(|_| invalid())?;
        if header.typ.as_deref() != Some(TYPE) || header.kid.as_deref() != Some(&self.key_id) {
            return Err(invalid());
        }
        match jsonwebtoken::decode::<Claims>(token, &self.decode, &self.validation) {
            Ok(token) => Ok((token.claims.sub.into(), token.claims.sid)),
            Err(error) if matches!(error.kind(), jsonwebtoken::errors::ErrorKind::ExpiredSignature) => Err(Code::USER_TOKEN_EXPIRED.into()),
            Err(_) => Err(invalid()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    use serde_json::json;

    #[test]
    fn a_token_comes_back() {
        let tokens = Tokens::new(b"a secret of the installation");
        let (account, session) = (Id::new(), Uuid::now_v7());
        assert_eq!(tokens.read(&tokens.issue(account, session).unwrap()).unwrap(), (account, session));
    }

    #[test]
    fn forged_tokens_are_refused() {
        let tokens = Tokens::new(b"a secret of the installation");
        let good = tokens.issue(Id::new(), Uuid::now_v7()).unwrap();
        let [header, claims, signature] = good.split('.').collect::<Vec<_>>().try_into().unwrap();
        let encode = |value: serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = |header: Header, claims: serde_json::Value| jsonwebtoken::encode(&header, &claims, &tokens.encode).unwrap();
        let header_with = |change: fn(&mut Header)| {
            let mut header = Header::new(Algorithm::HS256);
            header.typ = Some(TYPE.into());
            header.kid = Some(tokens.key_id.clone());
            change(&mut header);
            header
        };
        let now = clock::now().timestamp();
        let base = json!({"iss": NAME, "aud": NAME, "sub": Uuid::nil(), "sid": Uuid::nil(), "iat": now, "nbf": now, "exp": now + 60});
        assert!(tokens.read(&signed(header_with(|_| ()), base.clone())).is_ok(), "the control must be let in");
        let with = |key: &str, value: serde_json::Value| {
            let mut claims = base.clone();
            claims[key] = value;
            signed(header_with(|_| ()), claims)
        };
        let without = |key: &str| {
            let mut claims = base.clone();
            claims.as_object_mut().unwrap().remove(key);
            signed(header_with(|_| ()), claims)
        };
        let forged = [
            String::new(),
            "a.b.c".into(),
            "ééé".into(),
            format!("{header}.{claims}"),
            format!("{header}.{claims}."),
            format!("{header}.{claims}.{}", URL_SAFE_NO_PAD.encode("wrong")),
            format!("{header}.{}.{signature}", encode(base.clone())),
            format!("{}.{claims}.", encode(json!({"alg": "none", "typ": TYPE, "kid": tokens.key_id}))),
            format!("{}.{claims}.{signature}", encode(json!({"alg": "RS256", "typ": TYPE, "kid": tokens.key_id}))),
            Tokens::new(b"another secret").issue(Id::new(), Uuid::now_v7()).unwrap(),
            signed(header_with(|header| header.typ = Some("JWT".into())), base.clone()),
            signed(header_with(|header| header.typ = None), base.clone()),
            signed(header_with(|header| header.kid = None), base.clone()),
            signed(header_with(|header| header.kid = Some("other".into())), base.clone()),
            with("iss", json!("else")),
            with("aud", json!("else")),
            with("nbf", json!(now + 3600)),
            with("exp", json!(now - 3600)),
            with("exp", json!("soon")),
            with("sub", json!("me")),
            with("sid", json!(7)),
            without("iss"),
            without("aud"),
            without("exp"),
            without("sid"),
        ];
        for token in forged {
            assert!(tokens.read(&token).is_err(), "{token}");
        }
    }
}
