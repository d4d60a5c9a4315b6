//! The middleware of every request: an id, the caller's language, limits, errors as problems, headers.

use std::{
    any::Any,
    collections::BTreeMap,
    io,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use access::{App, KeyUse};
use console::load;
use kernel::{
    Code, Problem,
    request::{Current, Rank},
};
use opentelemetry::{KeyValue, trace::SpanKind};
use poem::{
    Endpoint, EndpointExt, IntoResponse, PathPattern, Request, RequestParts, Response,
    error::ResponseError,
    http::{HeaderValue, Method, StatusCode, Uri, header},
    middleware::{CatchPanic, CookieJarManager, PanicHandler},
};
use poem_openapi::error::{ParseMultipartError, ParseParamError, ParsePathError, ParseRequestPayloadError};
use rand::Rng;
use rustix::io::Errno;
use telemetry::{measures, trace::Work};
use uuid::Uuid;

use crate::{
    bearers::Bearers, document, edge::LONGEST_HEADERS, headers::Headers, observe::Active, routes::SOCKETS,
};

const LONGEST_URI: usize = 8_000;
const LONGEST_REQUEST: Duration = Duration::from_secs(30);
/// How often a request is done again that the database gave up in favour of another.
const MAX_REPEATS: u64 = 3;
/// An archive to be restored may be large and come over a slow line.
const LONGEST_UPLOAD: Duration = Duration::from_secs(1800);
const UPLOAD: &str = "/api/v3/super-admin/partners/restore";
/// The most bytes such an archive may have, with what a form puts around it (`tenants::archive::Limits`).
const LARGEST_UPLOAD: u64 = 10_000_100_000;

#[derive(Clone)]
struct PanicResponse;
impl PanicHandler for PanicResponse {
    type Response = Response;
    fn get_response(&self, error: Box<dyn Any + Send + 'static>) -> Response {
        let text = error
            .downcast_ref::<&str>()
            .map(ToString::to_string)
            .or_else(|| error.downcast_ref::<String>().cloned());
        tracing::error!(
            request_id = kernel::request::id(),
            panic = text.unwrap_or_default(),
            "a handler panicked"
        );
        Problem::new(Code::UNKNOWN_ERROR).as_response()
    }
}

/// Puts everything around the routes.
pub(crate) fn wrap<E: Endpoint + 'static>(
    routes: E, app: &App, headers: Arc<Headers>, bearers: Arc<Bearers>,
) -> impl Endpoint + use<E> {
    let app = app.clone();
    let inner =
        Arc::new(routes.with(CatchPanic::new().with_handler(PanicResponse)).with(CookieJarManager::new()));
    poem::endpoint::make(move |mut request: Request| {
        let inner = inner.clone();
        let (app, headers, bearers) = (app.clone(), headers.clone(), bearers.clone());
        async move {
            access::hide_query_pin(&mut request);
            let hungarian = hungarian(request.headers().get(header::ACCEPT_LANGUAGE));
            let path = request.uri().path().to_owned();
            let method = request.method().clone();
            let (bearer, known) = bearers.of(&path, request.headers());
            let current =
                Current::new(Uuid::now_v7().simple().to_string(), hungarian, rank(&method, &path), known);
            let _active = Active::begin();
            let trace = Work::begin(
                SpanKind::Server,
                measures::method(method.as_str()),
                request.header("traceparent"),
            )
            .logged_with([KeyValue::new("request_id", current.id.clone())]);
            let begun = std::time::Instant::now();
            let key_use = KeyUse::of(&request);
            request.set_data(key_use.clone());
            // In a box: each of the futures around it would be as large again, and is moved.
            let work = Box::pin(async {
                if headers_size(&request) > LONGEST_HEADERS {
                    return Problem::new(Code::HEADERS_TOO_LARGE).as_response();
                }
                let mut response = match access::preflight(&app, &request).await {
                    Some(response) => response,
                    None => answer(&*inner, request, &current, &app).await,
                };
                app.recent.answered(&method, &path, response.status());
                key_use.finish(&app, method.as_str(), &path, &mut response);
                response
            });
            let mut response = current.clone().scope(trace.scope(work)).await;
            if let (Some(bearer), Some(partner), None) = (bearer, current.partner(), known) {
                bearers.learn(bearer, partner);
            }
            headers.dress(&mut response, &current, &path);
            if response.status() == StatusCode::METHOD_NOT_ALLOWED
                && let Ok(methods) = HeaderValue::from_str(document::allow(&path))
            {
                response.headers_mut().insert(header::ALLOW, methods);
            }
            let (status, took) = (response.status().as_u16(), begun.elapsed());
            let is_known = known.or(current.partner()).is_some();
            let route = route(&response, &path);
            let counted = counted(&route, &method, response.status(), is_known);
            let label = measures::method(method.as_str());
            measures::request(label, &counted, status, took);
            load::answered(label, &route, current.partner(), took, status >= 500);
            if status == StatusCode::TOO_MANY_REQUESTS.as_u16() {
                measures::throttled(is_known);
            }
            trace.within(|| {
                tracing::info!(%method, path = %logged(&path, &route), status, ms = took.as_secs_f64() * 1e3, "request");
            });
            let known = || {
                let facts = [
                    ("http.request.method", label.to_owned()),
                    ("http.route", route.to_string()),
                    ("http.response.status_code", status.to_string()),
                    ("pult.request_id", current.id.clone()),
                ];
                (Some(format!("{label} {route}")), facts)
            };
            trace.end(known, (status >= 500).then_some("status"));
            Ok::<_, poem::Error>(response)
        }
    })
}

/// Whether the caller reads Hungarian.
pub(crate) fn hungarian(languages: Option<&HeaderValue>) -> bool {
    languages.is_some_and(|languages| languages.as_bytes().trim_ascii_start().starts_with(b"hu"))
}

/// Who goes first: orders and payments, what the counter waits for. Statistics, exports and logs can wait.
pub(crate) fn rank(method: &Method, path: &str) -> Rank {
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    let sums = |part| matches!(part, "statistics" | "exports" | "export" | "audit" | "usage" | "totals");
    if parts.any(sums) {
        return Rank::Last;
    }
    let sells = |part| matches!(part, "orders" | "payments" | "refunds" | "stornos");
    if !access::reads(method, path) && path.split('/').any(sells) { Rank::First } else { Rank::Usual }
}

/// The route of a call that none answered.
const UNKNOWN: &str = "/api/{unknown}";

/// A route as a label. What is refused to somebody unknown, and methods that a path does not have, are one: else a
/// stranger could make as many series as there are paths, methods and statuses.
fn counted(route: &Arc<str>, method: &Method, status: StatusCode, known: bool) -> Arc<str> {
    let refused = status.is_client_error() && !known
        || status == StatusCode::METHOD_NOT_ALLOWED
        || measures::method(method.as_str()) == measures::OTHER;
    if refused && route.starts_with("/api") { "/api/{refused}".into() } else { route.clone() }
}

/// The template of the path: that of the route that answered; files of the interface are one.
fn route(response: &Response, path: &str) -> Arc<str> {
    /// Each template in the form of the document.
    static TEMPLATES: RwLock<BTreeMap<Arc<str>, Arc<str>>> = RwLock::new(BTreeMap::new());
    let Some(PathPattern(pattern)) = response.data::<PathPattern>() else {
        return if path.starts_with("/api/") { UNKNOWN } else { "/{file}" }.into();
    };
    let known = TEMPLATES.read().unwrap_or_else(PoisonError::into_inner).get(pattern).cloned();
    known.unwrap_or_else(|| {
        let shown: Arc<str> = if pattern.contains('*') || pattern.len() < 2 {
            "/{file}".into()
        } else {
            document::named(document::plain_path(pattern)).into()
        };
        TEMPLATES.write().unwrap_or_else(PoisonError::into_inner).insert(pattern.clone(), shown.clone());
        shown
    })
}

/// The bytes of the headers as they came, with `: ` and the end of the line.
fn headers_size(request: &Request) -> usize {
    request.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum()
}

async fn answer(inner: &impl Endpoint, request: Request, current: &Current, app: &App) -> Response {
    if request.uri().to_string().len() > LONGEST_URI {
        return Problem::new(Code::TOO_LARGE).detail("the address is too long").as_response();
    }
    if let Some(key) = nul(request.uri()) {
        return Problem::new(Code::VALIDATION_FAILED).key(key, kernel::Fault::Pattern).as_response();
    }
    let upload = request.uri().path() == UPLOAD;
    if upload
        && request
            .header("content-length")
            .and_then(|length| length.parse().ok())
            .is_some_and(|length: u64| length > LARGEST_UPLOAD)
    {
        return Problem::new(Code::TOO_LARGE).as_response();
    }
    let Some(patience) = patience(request.method(), request.uri().path()) else {
        return once(inner, request).await;
    };
    let away = |why: &'static str| Problem::new(Code::UNAVAILABLE_SERVER).detail(why).as_response();
    tokio::select! {
        // What needs no database is answered in any case.
        biased;
        outcome = tokio::time::timeout(patience, persistent(inner, request, current)) => {
            outcome.unwrap_or_else(|_| away("the request took too long"))
        }
        () = app.door.silent() => away("the database does not answer"),
    }
}

/// Where NUL stands in an address: what Postgres cannot keep does not get as far.
fn nul(uri: &Uri) -> Option<String> {
    let query = uri.query().unwrap_or_default();
    if !uri.path().contains("%00") && !query.contains("%00") {
        return None;
    }
    let found = form_urlencoded::parse(query.as_bytes())
        .find(|(key, value)| key.contains('\0') || value.contains('\0'));
    Some(found.map_or_else(|| "path".to_owned(), |(key, _)| key.replace('\0', "\u{fffd}")))
}

/// How long a request may take. Only sockets may last: who asks for an upgrade elsewhere gets none.
fn patience(method: &Method, path: &str) -> Option<Duration> {
    match path {
        UPLOAD => Some(LONGEST_UPLOAD),
        path if method == Method::GET && SOCKETS.contains(&path) => None,
        _ => Some(LONGEST_REQUEST),
    }
}

/// Answers, and again when two requests were in each other's way and the database chose this one to give up:
/// it was rolled back whole. A form with files is not kept for that; its sender gets the 503.
async fn persistent(inner: &impl Endpoint, request: Request, current: &Current) -> Response {
    let (mut parts, ()) = poem::http::Request::new(()).into_parts();
    parts.method = request.method().clone();
    parts.uri = request.uri().clone();
    parts.headers = request.headers().clone();
    parts.extensions = request.extensions().clone();
    let from = (request.local_addr().clone(), request.remote_addr().clone(), request.scheme().clone());
    let length = request.header("content-length").unwrap_or("0");
    let empty = length == "0" && request.header("transfer-encoding").is_none();
    let mut response = once(inner, request).await;
    for attempt in 1..=MAX_REPEATS {
        if response.status() != StatusCode::SERVICE_UNAVAILABLE || !current.collided() {
            break;
        }
        let Some(body) = current.body().or_else(|| empty.then(Default::default)) else { break };
        let pause = rand::rng().random_range(5..30) * attempt;
        tokio::time::sleep(Duration::from_millis(pause)).await;
        let parts = RequestParts::from((parts.clone(), from.0.clone(), from.1.clone(), from.2.clone()));
        response = once(inner, Request::from_parts(parts, body.into())).await;
    }
    response
}

async fn once(inner: &impl Endpoint, request: Request) -> Response {
    match inner.call(request).await {
        Ok(response) => response.into_response(),
        Err(error) => {
            let pattern = error.data::<PathPattern>().cloned();
            let mut response = refusal(error);
            if let Some(pattern) = pattern {
                response.set_data(pattern);
            }
            response
        }
    }
}

/// The framework's own errors become problems too.
fn refusal(error: poem::Error) -> Response {
    if let Some(problem) = error.downcast_ref::<Problem>() {
        return problem.as_response();
    }
    if error.is_from_response() {
        return error.into_response();
    }
    let problem = if let Some(error) = error.downcast_ref::<ParseParamError>() {
        Problem::new(Code::VALIDATION_FAILED).key(error.name, kernel::Fault::Type)
    } else if error.is::<ParsePathError>() {
        Problem::new(Code::NOT_FOUND)
    } else if error.downcast_ref::<ParseMultipartError>().is_some_and(|fault| is_full(&fault.reason)) {
        Problem::new(Code::STORAGE_FULL)
    } else if error.is::<ParseRequestPayloadError>() {
        Problem::new(Code::BAD_REQUEST)
    } else {
        match error.status() {
            StatusCode::NOT_FOUND => Problem::new(Code::NOT_FOUND),
            StatusCode::METHOD_NOT_ALLOWED => Problem::new(Code::METHOD_NOT_ALLOWED),
            StatusCode::PAYLOAD_TOO_LARGE => Problem::new(Code::TOO_LARGE),
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Problem::new(Code::MEDIA_TYPE_NOT_SUPPORTED),
            status if status.is_client_error() => Problem::new(Code::BAD_REQUEST),
            _ => {
                tracing::error!(request_id = kernel::request::id(), %error, "unexpected");
                Problem::new(Code::UNKNOWN_ERROR)
            }
        }
    };
    problem.as_response()
}

/// Whether a form could not be kept because the folder for temporary files has no room: the framework hands on
/// only the text of the system's error.
fn is_full(reason: &str) -> bool {
    reason.contains(&io::Error::from(Errno::NOSPC).to_string())
}

/// A path as the log may have it. Of calls the ids are shown, and what is none is left out: one-time links carry their
/// token in a path, and whoever types one may write anything. Of everything else only the `route` is shown.
fn logged(path: &str, route: &str) -> String {
    let short = |part: &str| {
        part.len() <= 24 && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    let shown = |(name, part): (&str, &str)| match name.starts_with('{') {
        true if short(part) || part.parse::<Uuid>().is_ok() => part.to_owned(),
        true => "…".to_owned(),
        false => name.to_owned(),
    };
    // What was refused before its route was looked for may have one.
    let route = if route == UNKNOWN { document::template(path).unwrap_or(UNKNOWN) } else { route };
    if route == UNKNOWN || !route.starts_with("/api/") || route.split('/').count() != path.split('/').count()
    {
        return route.to_owned();
    }
    route.split('/').zip(path.split('/')).map(shown).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sockets_have_no_limit_of_time() {
        for path in SOCKETS {
            assert_eq!(patience(&Method::GET, path), None);
            assert_eq!(patience(&Method::POST, path), Some(LONGEST_REQUEST));
            assert_eq!(patience(&Method::GET, &format!("{path}/")), Some(LONGEST_REQUEST));
        }
        assert_eq!(patience(&Method::GET, "/api/rest"), Some(LONGEST_REQUEST));
        assert_eq!(patience(&Method::POST, UPLOAD), Some(LONGEST_UPLOAD));
    }

    #[test]
    fn who_goes_first() {
        let place = "/api/v3/partners/a/restaurants/b";
        for (method, path, first) in [
            (Method::POST, "/orders", Rank::First),
            (Method::POST, "/orders/quote", Rank::Usual),
            (Method::PUT, "/orders/c/status", Rank::First),
            (Method::POST, "/orders/c/payments", Rank::First),
            (Method::GET, "/orders", Rank::Usual),
            (Method::GET, "/menu", Rank::Usual),
            (Method::PUT, "/products/c", Rank::Usual),
            (Method::GET, "/statistics/turnover", Rank::Last),
            (Method::POST, "/orders/export", Rank::Last),
            (Method::GET, "/audit", Rank::Last),
        ] {
            assert_eq!(rank(&method, &format!("{place}{path}")), first, "{method} {path}");
        }
    }

    #[test]
    fn a_full_disk_is_known_by_its_text() {
        let form = |error: io::Error| format!("failed to parse field `archive`: {error}");
        assert!(is_full(&form(Errno::NOSPC.into())));
        assert!(!is_full(&form(Errno::PIPE.into())));
    }

    #[test]
    fn routes_have_the_names_of_the_document() {
        let of = |pattern: &str| document::named(document::plain_path(pattern));
        let products =
            of("/api/v3/admin/partners/:param0/restaurants/:param1/product-categories/:param2/products");
        assert!(document::FULL.contains(&format!("\"{products}\"")), "{products}");
        assert_eq!(of("/a/:b"), "/a/{b}");
        let refused = document::template("/api/v3/partners/a/restaurants/b/orders");
        assert!(refused.is_some_and(|template| template.ends_with("/restaurants/{restaurant_id}/orders")));
    }

    #[test]
    fn the_log_has_no_token_of_a_link() {
        let token = "htfbJx2qKYwyjIAcd_01DACLLF0Rmwzt";
        let account = "/api/v3/super-admin/accounts/01900000-0000-7000-8000-000000000001/second-factor";
        let reset = format!("/api/v3/admins/password-reset/{token}");
        for (path, route, shown) in [
            (reset.as_str(), "/api/v3/admins/password-reset/{token}", "/api/v3/admins/password-reset/…"),
            (&reset, UNKNOWN, "/api/v3/admins/password-reset/…"),
            (&format!("/api/v3/admins/invitations/{token}"), UNKNOWN, "/api/v3/admins/invitations/…"),
            (account, "/api/v3/super-admin/accounts/{id}/second-factor", account),
            (account, UNKNOWN, account),
            (
                "/api/v3/partners/vendeg@pult.example/restaurants/+36301234567/menu",
                UNKNOWN,
                "/api/v3/partners/…/restaurants/…/menu",
            ),
            ("/assets/a-file.js", "/{file}", "/{file}"),
            (&format!("/new-password/{token}"), "/{file}", "/{file}"),
            ("/vendeg@pult.example/+36301234567", "/{file}", "/{file}"),
            ("/api/vendeg@pult.example", UNKNOWN, UNKNOWN),
            ("/api/vendeg@pult.example", "/api", "/api"),
        ] {
            assert_eq!(logged(path, route), shown);
        }
    }
}
