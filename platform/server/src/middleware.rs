//! What every request passes: an id, the caller's language, limits, problems instead of errors, headers.

use std::{any::Any, sync::Arc, time::Duration};

use access::App;
use kernel::{Code, Problem, request::Current};
use poem::{
    Endpoint, EndpointExt, IntoResponse, Request, Response,
    error::ResponseError,
    http::{HeaderName, HeaderValue, StatusCode},
    middleware::{CatchPanic, CookieJarManager, PanicHandler},
};
use poem_openapi::error::{ParseParamError, ParsePathError, ParseRequestPayloadError};
use uuid::Uuid;

const LONGEST_URI: usize = 8_000;
const LONGEST_REQUEST: Duration = Duration::from_secs(30);

#[derive(Clone)]
struct Panicked;
impl PanicHandler for Panicked {
    type Response = Response;
    fn get_response(&self, error: Box<dyn Any + Send + 'static>) -> Response {
        let text = error.downcast_ref::<&str>().map(ToString::to_string).or_else(|| error.downcast_ref::<String>().cloned());
        tracing::error!(request_id = kernel::request::id(), panic = text.unwrap_or_default(), "a handler panicked");
        Problem::new(Code::UNKNOWN_ERROR).as_response()
    }
}

/// Puts everything around the routes.
pub fn wrap<E: Endpoint + 'static>(routes: E, app: &App) -> impl Endpoint + use<E> {
    let https = app.settings.public_url.scheme() == "https";
    let inner = Arc::new(routes.with(CatchPanic::new().with_handler(Panicked)).with(CookieJarManager::new()));
    poem::endpoint::make(move |request: Request| {
        let inner = inner.clone();
        async move {
            let hungarian = request.header("accept-language").is_some_and(|languages| languages.trim_start().starts_with("hu"));
            let current = Current::new(Uuid::now_v7().simple().to_string(), hungarian);
            let path = request.uri().path().to_owned();
            let method = request.method().clone();
            let begun = std::time::Instant::now();
            let mut response = current.clone().scope(answer(&*inner, request)).await;
            dress(&mut response, &current, &path, https);
            tracing::info!(request_id = current.id, %method, path, status = response.status().as_u16(), ms = begun.elapsed().as_secs_f64() * 1e3, "request");
            Ok::<_, poem::Error>(response)
        }
    })
}

async fn answer(inner: &impl Endpoint, request: Request) -> Response {
    if request.uri().to_string().len() > LONGEST_URI {
        return Problem::new(Code::TOO_LARGE).detail("the address is too long").as_response();
    }
    let websocket = request.header("upgrade").is_some();
    let work = inner.call(request);
    let outcome = if websocket { Ok(work.await) } else { tokio::time::timeout(LONGEST_REQUEST, work).await };
    match outcome {
        Ok(Ok(response)) => response.into_response(),
        Ok(Err(error)) => refusal(error),
        Err(_) => Problem::new(Code::UNAVAILABLE_SERVER).detail("the request took too long").as_response(),
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

fn dress(response: &mut Response, current: &Current, path: &str, https: bool) {
    let headers = response.headers_mut();
    let mut set = |name: &'static str, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.entry(HeaderName::from_static(name)).or_insert(value);
        }
    };
    set("x-request-id", &current.id);
    set("x-content-type-options", "nosniff");
    set("referrer-policy", "no-referrer");
    set("cross-origin-opener-policy", "same-origin");
    let viewer = path.starts_with("/api/docs");
    // The viewer of the reference brings styles and fonts of its own; everything else allows only our files.
    set(
        "content-security-policy",
        if viewer {
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'; base-uri 'none'"
        } else {
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
        },
    );
    if https {
        set("strict-transport-security", "max-age=31536000");
    }
    if path.starts_with("/api/v3") || path == "/api/rest" {
        set("cache-control", "no-store");
    }
    let ignored = current.ignored();
    if !ignored.is_empty() {
        set("x-ignored-fields", &ignored.join(", ").replace(|c: char| !c.is_ascii_graphic() && c != ' ', "?"));
    }
}
