//! CORS for browser keys: exactly their origins may call, never with our cookie. See
//! `docs/decisions/security.md#browsers`.

use kernel::{Code, Id, Partner, Problem, Restaurant};
use poem::{Request, Response, error::ResponseError, http::Method};

use crate::app::App;

/// Request headers that a page may send, besides the safelisted ones.
const HEADERS: &str =
    "authorization, x-api-key, content-type, idempotency-key, if-none-match, accept-language, prefer";
/// Response headers that a page may read.
pub(super) const READABLE: &str = "etag, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, \
    ratelimit-policy, x-request-id, x-ignored-fields, x-total-count";

/// The answer to a preflight for the public scope; none when the request is something else. A preflight
/// carries no key, so the page may call when any browser key of the restaurant names it; the call itself is
/// held against its own key.
pub async fn preflight(app: &App, request: &Request) -> Option<Response> {
    request.header("access-control-request-method").filter(|_| *request.method() == Method::OPTIONS)?;
    let origin = request.header("origin")?;
    let mut parts = request.uri().path().strip_prefix("/api/v3/partners/")?.split('/');
    let partner: Id<Partner> = parts.next()?.parse().ok()?;
    parts.next().filter(|part| *part == "restaurants")?;
    let restaurant: Id<Restaurant> = parts.next()?.parse().ok()?;
    let values = [partner.into(), restaurant.into(), origin.into()];
    let allowed = match app.door.is_true("select control.origin_allowed($1, $2, $3)", values).await {
        Ok(allowed) => allowed,
        Err(error) => return Some(Problem::from(error).as_response()),
    };
    if !allowed {
        let detail = "no browser key of this restaurant names this origin";
        return Some(Problem::new(Code::FOREIGN_ORIGIN).detail(detail).as_response());
    }
    Some(
        Response::builder()
            .status(poem::http::StatusCode::NO_CONTENT)
            .header("access-control-allow-origin", origin)
            .header("access-control-allow-methods", "GET, POST")
            .header("access-control-allow-headers", HEADERS)
            .header("access-control-max-age", "600")
            .header("vary", "origin")
            .finish(),
    )
}
