//! Rules for the fields of a key.

use std::collections::HashSet;

use url::Url;

use super::types::{ApiKeyKind, ApiScope};
use access::prelude::*;

const ALL: [ApiScope; 3] = [ApiScope::MenuRead, ApiScope::OrdersWrite, ApiScope::OrdersRead];
/// What everybody who opens a shop's page may do with the key that stands in it.
const BROWSER: [ApiScope; 2] = [ApiScope::MenuRead, ApiScope::OrdersWrite];

/// The key's name without the blanks around it.
pub(super) fn name(wanted: &str, faults: &mut Vec<(String, Fault)>) -> String {
    if kernel::text::is_blank(wanted) {
        faults.push(("name".to_owned(), Fault::Required));
    }
    wanted.trim().to_owned()
}

/// What a key of this kind holds; all it can when nothing was said. Faults are added to the problem.
pub(super) fn scopes(
    kind: ApiKeyKind, wanted: Option<Vec<ApiScope>>, faults: &mut Vec<(String, Fault)>,
) -> Vec<ApiScope> {
    let possible: &[ApiScope] = if kind == ApiKeyKind::Browser { &BROWSER } else { &ALL };
    let wanted = wanted.unwrap_or_else(|| possible.to_vec());
    let beyond = wanted.iter().enumerate().filter(|(_, scope)| !possible.contains(scope));
    faults.extend(beyond.map(|(at, _)| (format!("scopes.{at}"), Fault::Invalid)));
    wanted
}

/// The origins of a key of this kind in the form that browsers send: some for a browser key, none for others.
pub(super) fn origins(kind: ApiKeyKind, wanted: &[String], faults: &mut Vec<(String, Fault)>) -> Vec<String> {
    match (kind, wanted.is_empty()) {
        (ApiKeyKind::Browser, true) => faults.push(("origins".to_owned(), Fault::Required)),
        (ApiKeyKind::Browser, false) | (_, true) => {}
        (_, false) => faults.push(("origins".to_owned(), Fault::Invalid)),
    }
    let mut seen = HashSet::new();
    let mut read = Vec::new();
    for (at, text) in wanted.iter().enumerate() {
        match origin(text) {
            Some(origin) if seen.insert(origin.clone()) => read.push(origin),
            Some(_) => faults.push((format!("origins.{at}"), Fault::NotUnique)),
            None => faults.push((format!("origins.{at}"), Fault::Pattern)),
        }
    }
    read
}

/// An origin: https, a host, perhaps a port, and nothing more. No wildcards.
fn origin(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let bare = url.username().is_empty()
        && url.password().is_none()
        && url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none();
    let host = url.host_str().filter(|host| !host.contains('*'))?;
    (url.scheme() == "https" && bare && !host.is_empty() && text.len() <= 300)
        .then(|| url.origin().ascii_serialization())
}

/// An expiry lies ahead.
pub(super) fn expiry(expires_at: Option<Timestamp>, now: Timestamp, faults: &mut Vec<(String, Fault)>) {
    if expires_at.is_some_and(|expires_at| expires_at <= now) {
        faults.push(("expires_at".to_owned(), Fault::Min));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_an_origin() {
        for (text, expected) in [
            ("https://shop.example", Some("https://shop.example")),
            ("https://shop.example/", Some("https://shop.example")),
            ("https://SHOP.example:443", Some("https://shop.example")),
            ("https://shop.example:8443", Some("https://shop.example:8443")),
            ("https://étterem.hu", Some("https://xn--tterem-9ua.hu")),
            ("http://shop.example", None),
            ("https://shop.example/menu", None),
            ("https://shop.example?x", None),
            ("https://shop.example#x", None),
            ("https://user@shop.example", None),
            ("https://*.shop.example", None),
            ("https://", None),
            ("shop.example", None),
            ("null", None),
            ("*", None),
            ("", None),
            ("javascript:alert(1)", None),
        ] {
            assert_eq!(origin(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn rights_that_a_browser_key_cannot_have() {
        let mut faults = vec![];
        assert_eq!(scopes(ApiKeyKind::Browser, None, &mut faults), BROWSER);
        assert_eq!(scopes(ApiKeyKind::Test, None, &mut faults), ALL);
        assert!(faults.is_empty());
        scopes(ApiKeyKind::Browser, Some(vec![ApiScope::MenuRead, ApiScope::OrdersRead]), &mut faults);
        origins(ApiKeyKind::Browser, &[], &mut faults);
        origins(ApiKeyKind::Secret, &["https://a.example".into()], &mut faults);
        origins(
            ApiKeyKind::Browser,
            &["https://a.example".into(), "https://a.example:443".into(), "x".into()],
            &mut faults,
        );
        let faults: Vec<_> = faults.iter().map(|(key, fault)| (key.as_str(), fault.name())).collect();
        let expected = [
            ("scopes.1", "invalid"),
            ("origins", "required"),
            ("origins", "invalid"),
            ("origins.1", "not_unique"),
            ("origins.2", "pattern"),
        ];
        assert_eq!(faults, expected);
    }
}
