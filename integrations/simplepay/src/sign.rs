//! The signature of bodies: HMAC-SHA384 over the raw bytes, in base64.

use base64::{Engine, engine::general_purpose::STANDARD};
use contract::Secret;
use hmac::{Hmac, Mac};
use sha2::Sha384;

/// SimplePay leaves out white space around a copied key, so we do too.
fn mac(secret: &Secret, bytes: &[u8]) -> Option<Hmac<Sha384>> {
    let mut mac = Hmac::<Sha384>::new_from_slice(secret.reveal().trim().as_bytes()).ok()?;
    mac.update(bytes);
    Some(mac)
}

pub(crate) fn sign(secret: &Secret, bytes: &[u8]) -> String {
    // A key of any length is one.
    mac(secret, bytes).map_or_else(String::new, |mac| STANDARD.encode(mac.finalize().into_bytes()))
}

/// Compares in constant time.
pub(crate) fn is_signed(secret: &Secret, bytes: &[u8], signature: &str) -> bool {
    let signature = STANDARD.decode(signature.trim());
    // With an empty key any sender could sign.
    !secret.reveal().trim().is_empty()
        && signature
            .is_ok_and(|signature| mac(secret, bytes).is_some_and(|mac| mac.verify_slice(&signature).is_ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples of public libraries (rrd108/simplepay-js-sdk, connorhu/simplepay-lib), made by SimplePay's own kit.
    #[test]
    fn signatures_agree_with_published_vectors() {
        let public = "FxDa5w314kLlNseq2sKuVwaqZshZT5d6";
        for (secret, body, signature) in [
            (
                public,
                r#"{"salt":"c1ca1d0e9fc2323b3dda7cf145e36f5e","merchant":"PUBLICTESTHUF","orderRef":"101010516348232058105","currency":"HUF","customerEmail":"sdk_test@otpmobil.com","language":"HU","sdkVersion":"SimplePayV2.1_Payment_PHP_SDK_2.0.7_190701:dd236896400d7463677a82a47f53e36e","methods":["CARD"],"total":"25","timeout":"2021-10-30T12:30:11+00:00","url":"https:\/\/sdk.simplepay.hu\/back.php"}"#,
                "gcDJ8J7TyT1rC/Ygj/8CihXaLwniMWRav09QSEMQUnv5TbYaEDvQAuBE1mW3plvZ",
            ),
            (
                "P085602",
                r#"{"transactionId":"504226393","orderRef":"ORDER124","merchant":"P085602","timeout":"2024-11-29T13:29:17+01:00","total":"1000","paymentUrl":"https:\/\/sb-checkout.simplepay.hu\/trx\/cJZs3UUc48FlGu7Mfa1M0tcTWO53oA5RxS0OUMPqA17Fe3HGBr","currency":"HUF","salt":"R0ZBm2gdCXuTmxpOkqB4s0aAhZxZwSWG"}"#,
                "W98O/EdHobsWJTw2U1xUuUWXtCaJnTnzq5Na8ddCKE4gm2IW7vro33tGAW55YPf6",
            ),
            (
                " \tFxDa5w314kLlNseq2sKuVwaqZshZT5d6\n",
                r#"{"salt":"abcdefghijklmnopqrstuvwxyz012345","merchant":"PUBLICTESTHUF"}"#,
                "2jhhXDkc6/cJna/lMvut1qRt+a1t1AakfzqiovFTkuweGmMTsj3qSjYzfpcNcWU2",
            ),
        ] {
            let secret = Secret::new(secret);
            assert_eq!(sign(&secret, body.as_bytes()), signature);
            assert!(is_signed(&secret, body.as_bytes(), &format!(" {signature}\r\n")));
            assert!(!is_signed(&secret, format!("{body} ").as_bytes(), signature));
            assert!(!is_signed(&Secret::new("another"), body.as_bytes(), signature));
        }
    }

    #[test]
    fn nothing_is_signed_without_a_key_or_by_half() {
        let none = Secret::new(" ");
        assert!(!is_signed(&none, b"{}", &sign(&none, b"{}")));
        let secret = Secret::new("key");
        let half = &sign(&secret, b"{}")[..32];
        for signature in ["", "no base64!", half] {
            assert!(!is_signed(&secret, b"{}", signature));
        }
    }
}
