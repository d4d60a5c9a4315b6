//! The id of a payment in a message or in the address of a browser that comes back. Barion signs neither.

use contract::RawMessage;
use serde_json::{Map, Value};
use url::form_urlencoded;

const NAME: &str = "paymentid";

/// Barion's ids are GUIDs. They are compared, kept and sent in small letters without hyphens.
pub(crate) fn guid(text: &str) -> Option<String> {
    let plain: String =
        text.trim().chars().filter(|one| *one != '-').map(|one| one.to_ascii_lowercase()).collect();
    (plain.len() == 32 && plain.chars().all(|one| one.is_ascii_hexdigit())).then_some(plain)
}

/// The values of `paymentId`, however it is spelled.
fn values(form: &[u8]) -> impl Iterator<Item = String> {
    form_urlencoded::parse(form)
        .filter(|(name, _)| name.eq_ignore_ascii_case(NAME))
        .map(|(_, value)| value.into_owned())
}

/// One id, however often it stands there.
fn same(values: impl Iterator<Item = String>) -> Option<String> {
    let mut ids = values.map(|value| guid(&value));
    let first = ids.next()??;
    ids.all(|id| id.as_ref() == Some(&first)).then_some(first)
}

/// Of a query.
pub(crate) fn of_query(query: &str) -> Option<String> {
    same(values(query.as_bytes()))
}

/// Of a message: in its query or its body, which is a form or JSON. Where both have one, they agree.
pub(crate) fn of_message(message: &RawMessage) -> Option<String> {
    let body: Vec<String> = match serde_json::from_slice::<Map<String, Value>>(&message.body) {
        Ok(json) => json
            .into_iter()
            .filter(|(name, _)| name.eq_ignore_ascii_case(NAME))
            .map(|(_, value)| value.as_str().unwrap_or_default().to_owned())
            .collect(),
        Err(_) => values(&message.body).collect(),
    };
    same(values(message.query.as_bytes()).chain(body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_is_found_wherever_it_stands() {
        let id = "046a46b98838473684da452da7000001";
        let read = |query: &str, body: &str| {
            of_message(&RawMessage { query: query.to_owned(), body: body.into(), ..RawMessage::default() })
        };
        for (query, body) in [
            ("paymentId=046a46b98838473684da452da7000001", ""),
            ("a=b&PaymentId=046A46B9-8838-4736-84DA-452DA7000001", ""),
            ("", "PaymentId=046a46b98838473684da452da7000001"),
            ("", "paymentid=046a46b98838473684da452da7000001&x=1"),
            ("", r#"{"PaymentId": "046a46b98838473684da452da7000001"}"#),
            ("paymentId=046a46b98838473684da452da7000001", "PaymentId=046a46b9-8838-4736-84da-452da7000001"),
        ] {
            assert_eq!(read(query, body).as_deref(), Some(id), "{query} {body}");
        }
        for (query, body) in [
            ("", ""),
            ("paymentId=", ""),
            ("paymentId=../../v2", ""),
            ("id=046a46b98838473684da452da7000001", "{}"),
            ("", r#"{"PaymentId": 7}"#),
            ("paymentId=046a46b98838473684da452da7000001", "paymentId=046a46b98838473684da452da7000002"),
            ("", "\u{fffd}\u{0}"),
        ] {
            assert_eq!(read(query, body), None, "{query} {body}");
        }
    }
}
