//! A page of the interface: its style elements need a nonce, which is new in every answer.

use poem::Response;

use crate::headers::Nonce;

/// The placeholder of the nonce in the built page.
const PLACE: &str = "__NONCE__";

/// The page with a nonce of its own. It is small and goes uncompressed.
pub(super) fn page(built: &[u8]) -> Response {
    let nonce = Nonce::new();
    let text = String::from_utf8_lossy(built).replace(PLACE, nonce.as_str());
    let response =
        Response::builder().content_type("text/html; charset=utf-8").header("cache-control", "no-cache");
    response.extension(nonce).body(text)
}
