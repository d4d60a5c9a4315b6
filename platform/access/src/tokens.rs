//! Access tokens: a JWT with account, session and key id, and no rights.

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use kernel::{Account, Code, Id, Problem, Result, clock};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::secrets::{Secrets, derive};

/// How long a sign-in lasts.
pub const DAYS: i64 = 14;
/// So many seconds before its making a token is valid already: another instance's clock may be that far behind.
/// When a session begins and ends the database says.
const CLOCKS_APART: i64 = 2 * 3600;
const TYPE: &str = "at+jwt";
const NAME: &str = "pult";

/// Makes and reads tokens.
pub struct Tokens {
    key_id: String,
    encode: EncodingKey,
    /// By key id; those of older secrets are read as well.
    decode: Vec<(String, DecodingKey)>,
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

impl Tokens {
    /// Tokens signed with a key derived from the installation's newest secret (`PULT_SECRET_KEY`).
    #[must_use]
    pub fn new(secrets: &Secrets) -> Self {
        let key = |secret: &[u8]| derive(secret, "access token 1");
        let key_id = |key: &[u8]| hex::encode(&derive(key, "key id")[..4]);
        let newest = key(secrets.newest());
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_audience(&[NAME]);
        validation.set_issuer(&[NAME]);
        validation.set_required_spec_claims(&["iss", "aud", "sub", "exp", "nbf"]);
        validation.validate_nbf = true;
        validation.leeway = 30;
        Self {
            key_id: key_id(&newest),
            encode: EncodingKey::from_secret(&newest),
            decode: secrets
                .all()
                .map(key)
                .map(|key| (key_id(&key), DecodingKey::from_secret(&key)))
                .collect(),
            validation,
        }
    }

    pub fn issue(&self, account: Id<Account>, session: Uuid) -> Result<String> {
        let now = clock::now().timestamp();
        let claims = Claims {
            iss: NAME.into(),
            aud: NAME.into(),
            sub: account.uuid(),
            sid: session,
            iat: now,
            nbf: now - CLOCKS_APART,
            exp: now + DAYS * 86_400,
        };
        let mut header = Header::new(Algorithm::HS256);
        header.typ = Some(TYPE.into());
        header.kid = Some(self.key_id.clone());
        jsonwebtoken::encode(&header, &claims, &self.encode).map_err(|_| Code::UNKNOWN_ERROR.into())
    }

    /// Account and session of a token.
    /// Errors: `USER_TOKEN_EXPIRED`, or `USER_INVALID_TOKEN` for whatever else is wrong with it.
    pub fn read(&self, token: &str) -> Result<(Id<Account>, Uuid)> {
        let invalid = || Problem::new(Code::USER_INVALID_TOKEN);
        let header = jsonwebtoken::decode_header(token).map_err(|_| invalid())?;
        if header.typ.as_deref() != Some(TYPE) {
            return Err(invalid());
        }
        let (_, key) =
            self.decode.iter().find(|(id, _)| header.kid.as_ref() == Some(id)).ok_or_else(invalid)?;
        match jsonwebtoken::decode::<Claims>(token, key, &self.validation) {
            Ok(token) => Ok((token.claims.sub.into(), token.claims.sid)),
            Err(error) if matches!(error.kind(), jsonwebtoken::errors::ErrorKind::ExpiredSignature) => {
                Err(Code::USER_TOKEN_EXPIRED.into())
            }
            Err(_) => Err(invalid()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    use serde_json::json;

    fn of(newest: &[u8], older: &[&[u8]]) -> Tokens {
        Tokens::new(&Secrets::new(newest.to_vec(), older.iter().map(|one| one.to_vec()).collect()))
    }

    #[test]
    fn tokens_of_older_secrets_are_read_and_none_is_made() {
        let token = of(b"old", &[]).issue(Id::new(), Uuid::now_v7()).unwrap();
        let rotated = of(b"new", &[b"old"]);
        assert!(rotated.read(&token).is_ok() && of(b"new", &[]).read(&token).is_err());
        assert!(of(b"new", &[]).read(&rotated.issue(Id::new(), Uuid::now_v7()).unwrap()).is_ok());
    }

    #[test]
    fn a_token_comes_back() {
        let tokens = of(b"a secret of the installation", &[]);
        let (account, session) = (Id::new(), Uuid::now_v7());
        assert_eq!(tokens.read(&tokens.issue(account, session).unwrap()).unwrap(), (account, session));
    }

    #[test]
    fn a_token_is_good_where_the_clock_is_an_hour_behind() {
        let token = of(b"a secret of the installation", &[]).issue(Id::new(), Uuid::now_v7()).unwrap();
        let claims = URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap()).unwrap();
        let claims: serde_json::Value = serde_json::from_slice(&claims).unwrap();
        let (begins, made) = (claims["nbf"].as_i64().unwrap(), claims["iat"].as_i64().unwrap());
        assert!(begins <= made - 3660, "{claims}");
        assert!((made - clock::now().timestamp()).abs() < 60);
    }

    #[test]
    fn forged_tokens_are_refused() {
        let tokens = of(b"a secret of the installation", &[]);
        let good = tokens.issue(Id::new(), Uuid::now_v7()).unwrap();
        let [header, claims, signature] = good.split('.').collect::<Vec<_>>().try_into().unwrap();
        let encode = |value: serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = |header: Header, claims: serde_json::Value| {
            jsonwebtoken::encode(&header, &claims, &tokens.encode).unwrap()
        };
        let header_with = |change: fn(&mut Header)| {
            let mut header = Header::new(Algorithm::HS256);
            header.typ = Some(TYPE.into());
            header.kid = Some(tokens.key_id.clone());
            change(&mut header);
            header
        };
        let now = clock::now().timestamp();
        let base = json!({"iss": NAME, "aud": NAME, "sub": Uuid::nil(), "sid": Uuid::nil(), "iat": now,
            "nbf": now, "exp": now + 60});
        assert!(
            tokens.read(&signed(header_with(|_| ()), base.clone())).is_ok(),
            "the control must be let in"
        );
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
            format!(
                "{}.{claims}.{signature}",
                encode(json!({"alg": "RS256", "typ": TYPE, "kid": tokens.key_id}))
            ),
            of(b"another secret", &[]).issue(Id::new(), Uuid::now_v7()).unwrap(),
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
        assert_eq!(
            tokens.read(&with("exp", json!(now - 3600))).unwrap_err().code(),
            Code::USER_TOKEN_EXPIRED
        );
    }
}
