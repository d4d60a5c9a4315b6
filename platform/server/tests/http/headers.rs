//! Security headers on every route and with every error.

use std::collections::BTreeSet;

use poem::{
    Endpoint, Request,
    http::{HeaderMap, Method},
};
use testkit::{DOCUMENT, kit};

use super::operations;

fn policy(headers: &HeaderMap) -> Vec<(String, Vec<String>)> {
    let text = headers["content-security-policy"].to_str().unwrap();
    let words = |directive: &str| directive.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    text.split(';').map(words).map(|mut words| (words.remove(0), words)).collect()
}

fn of<'p>(policy: &'p [(String, Vec<String>)], name: &str) -> &'p [String] {
    &policy.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("no {name} in {policy:?}")).1
}

/// What holds for everything; the reference alone makes styles that it has no nonce for.
fn check(what: &str, headers: &HeaderMap, reference: bool) {
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
    ] {
        assert_eq!(headers.get(name).unwrap_or_else(|| panic!("{what}: no {name}")), value, "{what}");
    }
    assert!(headers.contains_key("x-request-id"), "{what}");
    let allowed = headers["permissions-policy"].to_str().unwrap();
    for feature in ["camera=()", "microphone=()", "geolocation=()", "payment=()", "usb=()"] {
        assert!(allowed.contains(feature), "{what}: {allowed}");
    }
    let policy = policy(headers);
    let names: BTreeSet<&str> = policy.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names.len(), policy.len(), "{what}: a directive that stands there twice counts once");
    assert_eq!(of(&policy, "script-src"), ["'self'"], "{what}");
    for nothing in ["default-src", "object-src", "base-uri", "frame-ancestors"] {
        assert_eq!(of(&policy, nothing), ["'none'"], "{what}: {nothing}");
    }
    for named in ["connect-src", "worker-src", "img-src", "font-src", "form-action", "style-src-attr"] {
        assert!(!of(&policy, named).is_empty(), "{what}: {named}");
    }
    assert_eq!(of(&policy, "style-src-elem").iter().any(|one| one == "'unsafe-inline'"), reference, "{what}");
    assert!(
        !policy
            .iter()
            .flat_map(|(_, words)| words)
            .any(|word| matches!(word.as_str(), "'unsafe-eval'" | "*" | "https:" | "http:")),
        "{what}"
    );
}

struct Answer {
    status: u16,
    headers: HeaderMap,
    text: String,
}

async fn send(method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::builder().method(method.parse::<Method>().unwrap()).uri(path.parse().unwrap());
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let mut response = kit().await.service.get_response(request.finish()).await;
    let text = String::from_utf8_lossy(&response.take_body().into_vec().await.unwrap()).into_owned();
    Answer { status: response.status().as_u16(), headers: response.headers().clone(), text }
}

#[testkit::test]
async fn every_route_and_every_error_has_them() {
    let place = kit().await.restaurant().await;
    let mut seen = BTreeSet::new();
    let mut checked = |what: &str, answer: &Answer, reference: bool| {
        check(what, &answer.headers, reference);
        seen.insert(answer.status);
    };
    // Every operation, refused: most want somebody signed in, the others a body that makes sense.
    let own = format!("{}", uuid::Uuid::now_v7());
    for (method, path, _) in operations(&DOCUMENT) {
        let filled: Vec<&str> =
            path.split('/').map(|part| if part.starts_with('{') { own.as_str() } else { part }).collect();
        let answer = send(&method, &filled.join("/"), &[]).await;
        checked(&format!("{method} {path}"), &answer, false);
        assert_eq!(answer.headers["cache-control"], "no-store", "{method} {path}");
    }
    let outside = [
        "/", "/tv", "/bejelentkezes", "/gone.js", "/assets/gone.js", "/favicon.svg", "/favicon.ico",
        "/fresh-orders", "/tv-board", "/card-terminal/back", "/api/openapi.json", "/api/docs/viewer.js",
        "/api/docs/page.css", "/api/problems", "/api/problems/CONFLICT", "/api/problems/NO", "/api/no",
    ];
    for path in outside {
        checked(path, &send("GET", path, &[]).await, false);
        checked(path, &send("POST", path, &[]).await, false);
    }
    for path in ["/api/docs", "/api/docs/public"] {
        checked(path, &send("GET", path, &[]).await, true);
    }
    checked("a long address", &send("GET", &format!("/api/rest?{}", "a".repeat(9_000)), &[]).await, false);
    checked("large headers", &send("GET", "/api/rest", &[("x", &"a".repeat(17_000))]).await, false);
    let menu = format!("/api/v3/partners/{}/restaurants/{}/menu", place.partner, place.restaurant);
    let preflight = [("origin", "https://a.example"), ("access-control-request-method", "GET")];
    checked("a preflight", &send("OPTIONS", &menu, &preflight).await, false);
    let body = [("content-type", "application/json"), ("content-length", "2")];
    checked("a body that makes no sense", &send("POST", "/api/v3/admins/sign_in", &body).await, false);
    for status in [200, 400, 401, 403, 404, 405, 413, 431] {
        assert!(seen.contains(&status), "{status} was not among {seen:?}");
    }
}

#[testkit::test]
async fn each_page_has_a_nonce_of_its_own() {
    let mut nonces = BTreeSet::new();
    for path in ["/", "/", "/index.html", "/r/anything", "/tv", "/tv.html", "/kiosk"] {
        let answer = send("GET", path, &[("accept-encoding", "br, gzip")]).await;
        if answer.status == 404 {
            eprintln!("the UI is not built");
            return;
        }
        let policy = policy(&answer.headers);
        let [own, nonce] = of(&policy, "style-src-elem") else { panic!("{path}: {policy:?}") };
        assert_eq!(own, "'self'");
        let nonce = nonce.strip_prefix("'nonce-").and_then(|nonce| nonce.strip_suffix('\'')).unwrap();
        assert!(nonce.len() >= 22 && nonces.insert(nonce.to_owned()), "{path}: {nonce}");
        let page = &answer.text;
        assert!(
            page.contains(&format!("<style nonce=\"{nonce}\">")) && !page.contains("__NONCE__"),
            "{path}: {page}"
        );
        assert!(
            answer.headers["cache-control"] == "no-cache" && !answer.headers.contains_key("content-encoding"),
            "{path}"
        );
    }
    // A script that stands in a page would need a hash: none does.
    let page = send("GET", "/", &[]).await.text;
    assert!(
        !page.split("<script").skip(1).any(|script| !script.starts_with(" type=\"module\" crossorigin src=")),
        "{page}"
    );
}
