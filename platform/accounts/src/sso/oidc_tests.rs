//! Published examples of the specifications, and answers of a hostile provider.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{EncodingKey, Header};
use serde_json::json;

use super::*;

/// OpenID Connect Core 1.0, appendix A.2 and A.7: an ID token and the key that signed it.
const CORE_KEY: &str = "w7Zdfmece8iaB0kiTY8pCtiBtzbptJmP28nSWwtdjRu0f2GFpajvWE4VhfJAjEsOcwYzay7XGN0b-X84BfC8\
    hmCTOj2b2eHT7NsZegFPKRUQzJ9wW8ipn_aDJWMGDuB1XyqT1E7DYqjUCEOD1b4FLpy_xPn6oV_TYOfQ9fZdbE5HGxJUzekuGcOKqOQ8\
    M7wfYHhHHLxGpQVgL0apWuP2gDDOdTtpuld4D2LK1MZK99s9gaSjRHE8JDb1Z4IGhEcEyzkxswVdPndUWzfvWBBWXWxtSUvQGBRkuy1B\
    HOa4sP6FKjWEeeF7gm7UMs2Nm2QUgNZw6xvEDGaLk4KASdIxRQ";
const CORE_TOKEN: &str = "eyJraWQiOiIxZTlnZGs3IiwiYWxnIjoiUlMyNTYifQ.ewogImlzcyI6ICJodHRwOi8vc2VydmVyLmV4YW1\
    wbGUuY29tIiwKICJzdWIiOiAiMjQ4Mjg5NzYxMDAxIiwKICJhdWQiOiAiczZCaGRSa3F0MyIsCiAibm9uY2UiOiAibi0wUzZfV3pBMk1\
    qIiwKICJleHAiOiAxMzExMjgxOTcwLAogImlhdCI6IDEzMTEyODA5NzAsCiAibmFtZSI6ICJKYW5lIERvZSIsCiAiZ2l2ZW5fbmFtZSI\
    6ICJKYW5lIiwKICJmYW1pbHlfbmFtZSI6ICJEb2UiLAogImdlbmRlciI6ICJmZW1hbGUiLAogImJpcnRoZGF0ZSI6ICIwMDAwLTEwLTM\
    xIiwKICJlbWFpbCI6ICJqYW5lZG9lQGV4YW1wbGUuY29tIiwKICJwaWN0dXJlIjogImh0dHA6Ly9leGFtcGxlLmNvbS9qYW5lZG9lL21\
    lLmpwZyIKfQ.rHQjEmBqn9Jre0OLykYNnspA10Qql2rvx4FsD00jwlB0Sym4NzpgvPKsDjn_wMkHxcp6CilPcoKrWHcipR2iAjzLvDNAR\
    eF97zoJqq880ZD1bwY82JDauCXELVR9O6_B0w3K-E7yM2macAAgNCUwtik6SjoSUZRcf-O5lygIyLENx882p6MtmwaL1hd6qn5RZOQ0TL\
    rOYu0532g9Exxcm-ChymrB4xLykpDj3lUivJt63eEGGN6DH5K6o33TcxkIjNrCD4XB1CKKumZvCedgHHF3IAK4dVEDSUoGlH9z4pP_eWY\
    NXvqQOjGs-rDaQzUHl6cQQWNiDpWOl_lxXjQEvQ";
/// RFC 7515, appendices A.1 to A.3: the same claims under HS256, RS256 and ES256.
const RFC_CLAIMS: &str =
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
const RFC_RS_KEY: &str = "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPM\
    EzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexM\
    dbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8\
    NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ";
const RFC_RS_SIGNATURE: &str = "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc\
    _lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBM\
    Hlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8\
    np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw";
const RFC_ES_SIGNATURE: &str =
    "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";
/// The published private key of RFC 7515, appendix A.3, in PKCS #8.
const RFC_ES_PRIVATE: &str = "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI";
const RFC_ES_X: &str = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";
const RFC_ES_Y: &str = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0";

fn provider(issuer: &str, client: &str) -> Provider {
    Provider {
        partner: Id::new(),
        issuer: issuer.to_owned(),
        client_id: client.to_owned(),
        client_secret: Some("client-secret".to_owned()),
        redirect: "https://pult.test/sso".to_owned(),
    }
}

fn keys(keys: Value) -> JwkSet {
    serde_json::from_value(json!({ "keys": keys })).unwrap()
}

fn rsa(kid: &str, n: &str) -> Value {
    json!({"kty": "RSA", "kid": kid, "use": "sig", "n": n, "e": "AQAB"})
}

fn ec(kid: &str) -> Value {
    json!({"kty": "EC", "crv": "P-256", "kid": kid, "use": "sig", "x": RFC_ES_X, "y": RFC_ES_Y})
}

fn refused(provider: &Provider, keys: &JwkSet, token: &str, nonce: &str) -> String {
    check(provider, keys, token, nonce).err().unwrap_or_else(|| "taken".to_owned())
}

/// The example's signature holds; what is wrong with it is that it was signed in 2011.
#[test]
fn the_example_of_the_specification_is_read() {
    let provider = provider("http://server.example.com", "s6BhdRkqt3");
    let published = keys(json!([rsa("another", RFC_RS_KEY), rsa("1e9gdk7", CORE_KEY)]));
    let reason = refused(&provider, &published, CORE_TOKEN, "n-0S6_WzA2Mj");
    assert_eq!(reason, "the ID token does not hold: ExpiredSignature");
    let forged = CORE_TOKEN.replace(".rHQj", ".rHQk");
    let reason = refused(&provider, &published, &forged, "n-0S6_WzA2Mj");
    assert_eq!(reason, "the ID token does not hold: InvalidSignature");
    let moved = keys(json!([rsa("1e9gdk7", RFC_RS_KEY)]));
    let reason = refused(&provider, &moved, CORE_TOKEN, "n-0S6_WzA2Mj");
    assert_eq!(reason, "the ID token does not hold: InvalidSignature");
}

/// The signatures of RFC 7515 hold, though its claims are none of an ID token; a shared secret is no proof.
#[test]
fn the_examples_of_signatures_are_read() {
    let provider = provider("joe", "client");
    let published = keys(json!([rsa("rsa", RFC_RS_KEY), ec("ec")]));
    for (header, signature, wanted) in [
        (json!({"alg": "RS256", "kid": "rsa"}), RFC_RS_SIGNATURE, "InvalidSignature"),
        (json!({"alg": "ES256", "kid": "ec"}), RFC_ES_SIGNATURE, "InvalidSignature"),
    ] {
        // The header is signed too: with a key's id in it the published signature is another message's.
        let token = format!("{}.{RFC_CLAIMS}.{signature}", URL_SAFE_NO_PAD.encode(header.to_string()));
        assert_eq!(
            refused(&provider, &published, &token, ""),
            format!("the ID token does not hold: {wanted}")
        );
    }
    for (key, header, signature) in [
        (rsa("rsa", RFC_RS_KEY), "eyJhbGciOiJSUzI1NiJ9", RFC_RS_SIGNATURE),
        (ec("ec"), "eyJhbGciOiJFUzI1NiJ9", RFC_ES_SIGNATURE),
    ] {
        let alone = keys(json!([key]));
        let reason = refused(&provider, &alone, &format!("{header}.{RFC_CLAIMS}.{signature}"), "");
        assert!(reason.contains("missing field `sub`"), "{reason}");
        let reason = refused(&provider, &published, &format!("{header}.{RFC_CLAIMS}.{signature}"), "");
        assert_eq!(reason, "the ID token's key is not published", "two keys, and none is named");
    }
    let shared = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9";
    let token = format!("{shared}.{RFC_CLAIMS}.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
    let secret =
        keys(json!([{"kty": "oct", "k": "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0i\
        PS4hcgUuTwjAzZr1Z9CAow"}]));
    let reason = refused(&provider, &secret, &token, "");
    assert_eq!(reason, "the ID token's signature is of a kind that is not taken");
}

/// Signed with the published key of RFC 7515.
fn signed(header: &Header, claims: &Value) -> String {
    // PKCS #8 around a P-256 key: version, algorithm and curve, the private part, the public point.
    let head = hex::decode("308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420");
    let (point, [private, x, y]) = (
        hex::decode("a14403420004"),
        [RFC_ES_PRIVATE, RFC_ES_X, RFC_ES_Y].map(|part| URL_SAFE_NO_PAD.decode(part).unwrap()),
    );
    let der = [head.unwrap(), private, point.unwrap(), x, y].concat();
    jsonwebtoken::encode(header, claims, &EncodingKey::from_ec_der(&der)).unwrap()
}

/// What the provider of these tests says of a person who signs in now.
fn claims() -> Value {
    let now = kernel::clock::now().timestamp();
    json!({"iss": "https://idp.test", "sub": "1", "aud": "pult", "nonce": "n", "iat": now, "exp": now + 300,
        "email": "anna@pelda.hu", "email_verified": true})
}

fn named(kid: &str) -> Header {
    Header { kid: Some(kid.to_owned()), ..Header::new(Algorithm::ES256) }
}

#[test]
fn a_hostile_providers_claims_are_refused() {
    let provider = provider("https://idp.test", "pult");
    let published = keys(json!([ec("1")]));
    let person = check(&provider, &published, &signed(&named("1"), &claims()), "n").ok().unwrap();
    assert_eq!((person.subject.as_str(), person.email.as_deref()), ("1", Some("anna@pelda.hu")));
    let now = kernel::clock::now().timestamp();
    for (claim, value, wanted) in [
        ("iss", json!("https://idp.test/"), "InvalidIssuer"),
        ("iss", json!("https://evil.test"), "InvalidIssuer"),
        ("iss", Value::Null, "Missing required claim: iss"),
        ("aud", json!("another"), "InvalidAudience"),
        ("aud", json!([]), "InvalidAudience"),
        ("aud", json!(["pult", "another"]), "for another client"),
        ("azp", json!("another"), "for another client"),
        ("nonce", json!("another"), "answers another question"),
        ("nonce", Value::Null, "answers another question"),
        ("exp", json!(now - 61), "ExpiredSignature"),
        ("exp", json!("never"), "exp"),
        ("exp", Value::Null, "exp"),
        ("nbf", json!(now + 61), "ImmatureSignature"),
        ("iat", json!(now - 601), "too old"),
        ("iat", json!(now + 120), "too old"),
        ("sub", json!(""), "names nobody"),
        ("sub", json!(7), "expected a string"),
    ] {
        let mut claims = claims();
        claims[claim] = value.clone();
        if value.is_null() {
            claims.as_object_mut().unwrap().remove(claim);
        }
        let reason = refused(&provider, &published, &signed(&named("1"), &claims), "n");
        assert!(reason.contains(wanted), "{claim} = {value}: {reason}");
    }
    for (claim, value) in [("azp", json!("pult")), ("aud", json!(["pult"])), ("exp", json!(now - 30))] {
        let mut claims = claims();
        claims[claim] = value;
        assert_eq!(refused(&provider, &published, &signed(&named("1"), &claims), "n"), "taken", "{claim}");
    }
    for verified in [json!(false), json!("false"), json!(1), Value::Null] {
        let mut claims = claims();
        claims["email_verified"] = verified;
        let person = check(&provider, &published, &signed(&named("1"), &claims), "n").ok().unwrap();
        assert_eq!(person.email, None, "an address that the provider has not verified");
    }
}

#[test]
fn a_hostile_providers_signatures_are_refused() {
    let provider = provider("https://idp.test", "pult");
    let published = keys(json!([ec("1"), rsa("2", RFC_RS_KEY)]));
    let part = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let bare = |header: Value| format!("{}.{}.", part(header), part(claims()));
    let shared = |secret: &[u8]| {
        let header = Header { kid: Some("1".to_owned()), ..Header::new(Algorithm::HS256) };
        jsonwebtoken::encode(&header, &claims(), &EncodingKey::from_secret(secret)).unwrap()
    };
    let critical = Header { crit: Some(vec!["exp".to_owned()]), ..named("1") };
    let with_own_key = Header { jwk: serde_json::from_value(ec("3")).ok(), ..named("3") };
    for (what, token) in [
        ("no token", String::new()),
        ("no token either", "a.b.c".to_owned()),
        ("no signature", bare(json!({"alg": "none", "kid": "1"}))),
        ("no signature, in capitals", bare(json!({"alg": "NONE", "kid": "1"}))),
        ("an empty signature", bare(json!({"alg": "ES256", "kid": "1"}))),
        ("the client's secret as key", shared(b"client-secret")),
        ("the public key as secret", shared(RFC_ES_X.as_bytes())),
        ("the public key of another kind as secret", shared(RFC_RS_KEY.as_bytes())),
        ("an unknown key", signed(&named("3"), &claims())),
        ("a key that the token brings along", signed(&with_own_key, &claims())),
        ("an extension that nobody here knows", signed(&critical, &claims())),
        ("no key named among two", signed(&Header::new(Algorithm::ES256), &claims())),
        ("a key of another kind", signed(&named("2"), &claims())),
    ] {
        assert_ne!(refused(&provider, &published, &token, "n"), "taken", "{what}");
    }
}

/// Key rotation of a provider: a key is accepted exactly while it is published.
#[test]
fn keys_are_those_that_are_published_now() {
    let provider = provider("https://idp.test", "pult");
    let token = signed(&named("new"), &claims());
    let (before, both, after) =
        (json!([rsa("old", CORE_KEY)]), json!([rsa("old", CORE_KEY), ec("new")]), json!([ec("new")]));
    assert_eq!(refused(&provider, &keys(before), &token, "n"), "the ID token's key is not published");
    assert_eq!(refused(&provider, &keys(both), &token, "n"), "taken");
    assert_eq!(refused(&provider, &keys(after), &token, "n"), "taken");
    let withdrawn = keys(json!([rsa("newer", CORE_KEY)]));
    assert_eq!(refused(&provider, &withdrawn, &token, "n"), "the ID token's key is not published");
    let other_key_same_id = keys(json!([rsa("new", CORE_KEY)]));
    assert_ne!(refused(&provider, &other_key_same_id, &token, "n"), "taken");
    assert_eq!(refused(&provider, &keys(json!([])), &token, "n"), "the ID token's key is not published");
}
