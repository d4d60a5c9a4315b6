//! The built UI, embedded; precompressed files are sent as they are.

use poem::{
    Endpoint, IntoResponse, Request, Response, Result,
    http::{Method, StatusCode},
};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../admin-ui/dist"]
struct Files;

/// Files of the UI, and its page for every other address that a browser opens.
pub struct Ui;

impl Endpoint for Ui {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let path = request.uri().path().trim_start_matches('/');
        if !matches!(*request.method(), Method::GET | Method::HEAD) || path.starts_with("api/") {
            return Err(StatusCode::NOT_FOUND.into());
        }
        if path.split('/').any(|part| part == "..") {
            return Err(StatusCode::NOT_FOUND.into());
        }
        let accepted = request.header("accept-encoding").unwrap_or_default();
        if let Some(response) = file(path, accepted, path.starts_with("assets/")) {
            return Ok(response);
        }
        let page_like = !path.rsplit('/').next().unwrap_or_default().contains('.');
        if !page_like {
            return Err(StatusCode::NOT_FOUND.into());
        }
        // The page of guest TVs is one of its own: it has nothing of the admin's.
        let page = if path == "tv" { "tv.html" } else { "index.html" };
        Ok(file(page, accepted, false).unwrap_or_else(|| {
            "The UI is not built yet: run `npm ci && npm run build` in admin-ui, or `cargo xtask up`."
                .with_status(StatusCode::NOT_FOUND)
                .into_response()
        }))
    }
}

fn file(path: &str, accepted: &str, immutable: bool) -> Option<Response> {
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    let kind = if kind.type_() == "text" { format!("{kind}; charset=utf-8") } else { kind.to_string() };
    let caching = if immutable { "public, max-age=31536000, immutable" } else { "no-cache" };
    let response = Response::builder().content_type(kind).header("cache-control", caching).header("vary", "accept-encoding");
    for (encoding, extension) in [("br", "br"), ("gzip", "gz")] {
        if accepted.contains(encoding)
            && let Some(file) = Files::get(&format!("{path}.{extension}"))
        {
            return Some(response.header("content-encoding", encoding).body(file.data.into_owned()));
        }
    }
    Files::get(path).map(|file| response.body(file.data.into_owned()))
}
