//! A client of the service: paths relative to the restaurant; answers are checked against the document.

use std::{fs, path::Path, sync::LazyLock};

use kernel::{Id, Partner, Restaurant};
use poem::{
    Endpoint, Request, Response,
    endpoint::BoxEndpoint,
    http::{HeaderMap, Method},
};
use serde_json::Value;
use uuid::Uuid;

/// The published document.
pub static DOCUMENT: LazyLock<Value> = LazyLock::new(server::document::full);

/// The paths of the document with what each method's refusals may be: each refusal must be one that its
/// operation documents. Making the document takes longer than most tests, so each test binary keeps this
/// beside itself.
static CODES: LazyLock<Value> = LazyLock::new(|| {
    let binary = std::env::current_exe().expect("the test's binary");
    let (kept, own) =
        (binary.with_extension("codes"), binary.with_extension(format!("codes-{}", std::process::id())));
    let changed = |path: &Path| path.metadata().and_then(|file| file.modified()).ok();
    if changed(&kept) > changed(&binary)
        && let Ok(text) = fs::read(&kept)
    {
        return serde_json::from_slice(&text).expect("what was written below");
    }
    let mut paths = DOCUMENT["paths"].clone();
    for operation in paths
        .as_object_mut()
        .into_iter()
        .flatten()
        .flat_map(|(_, methods)| methods.as_object_mut().into_iter().flatten())
    {
        *operation.1 = operation.1["x-codes"].take();
    }
    // Whole or not at all: another process may be looking at it.
    fs::write(&own, paths.to_string())
        .and_then(|()| fs::rename(&own, &kept))
        .expect("beside the test's binary");
    paths
});

/// A client.
#[derive(Clone)]
pub struct Client<'k> {
    service: &'k BoxEndpoint<'static>,
    partner: Id<Partner>,
    restaurant: Id<Restaurant>,
    headers: Vec<(String, String)>,
    address: String,
}

impl<'k> Client<'k> {
    pub(crate) fn new(
        service: &'k BoxEndpoint<'static>, partner: Id<Partner>, restaurant: Id<Restaurant>,
    ) -> Self {
        // Each client has an address of its own, or one test's attempts would be counted with another's.
        let random = Uuid::now_v7().as_u128();
        let address = format!("10.{}.{}.{}", random >> 16 & 255, random >> 8 & 255, random & 255);
        Self { service, partner, restaurant, headers: vec![], address }
    }

    /// Sends this token or key.
    #[must_use]
    pub fn bearer(self, token: impl std::fmt::Display) -> Self {
        self.header("authorization", format!("Bearer {token}"))
    }

    /// Sends this header with every call.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// Calls another instance of the service.
    #[must_use]
    pub fn at<'s>(&self, service: &'s BoxEndpoint<'static>) -> Client<'s> {
        Client {
            service,
            partner: self.partner,
            restaurant: self.restaurant,
            headers: self.headers.clone(),
            address: self.address.clone(),
        }
    }

    /// Begins a call. A path that begins with `/api` is taken as it is, `/public…` is below the public scope
    /// of the restaurant, any other below its admin scope.
    #[must_use]
    pub fn call(&self, method: Method, path: &str) -> Call<'k> {
        let (partner, restaurant) = (self.partner, self.restaurant);
        let path = if path.starts_with("/api/") {
            path.to_owned()
        } else if let Some(rest) = path.strip_prefix("/public") {
            format!("/api/v3/partners/{partner}/restaurants/{restaurant}{rest}")
        } else {
            format!("/api/v3/admin/partners/{partner}/restaurants/{restaurant}{path}")
        };
        Call {
            service: self.service,
            method,
            path,
            headers: self.headers.clone(),
            address: self.address.clone(),
            body: None,
        }
    }

    /// Sends a call with this body, if there is one.
    pub async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let call = self.call(method, path);
        body.into_iter().fold(call, Call::json).send().await
    }

    /// GET.
    #[must_use]
    pub fn get(&self, path: &str) -> Call<'k> {
        self.call(Method::GET, path)
    }
    /// POST.
    #[must_use]
    pub fn post(&self, path: &str) -> Call<'k> {
        self.call(Method::POST, path)
    }
    /// PUT.
    #[must_use]
    pub fn put(&self, path: &str) -> Call<'k> {
        self.call(Method::PUT, path)
    }
    /// DELETE.
    #[must_use]
    pub fn delete(&self, path: &str) -> Call<'k> {
        self.call(Method::DELETE, path)
    }
}

/// A call to be sent.
pub struct Call<'k> {
    service: &'k BoxEndpoint<'static>,
    method: Method,
    path: String,
    headers: Vec<(String, String)>,
    address: String,
    body: Option<Vec<u8>>,
}

impl Call<'_> {
    /// Sends this JSON.
    #[must_use]
    pub fn json(self, body: Value) -> Self {
        self.header("content-type", "application/json").raw(body.to_string())
    }

    /// Sends these bytes as they are.
    #[must_use]
    pub fn raw(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// Sends this header.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// Sends this idempotency key.
    #[must_use]
    pub fn key(self, key: &str) -> Self {
        self.header("idempotency-key", key)
    }

    /// Sends the call.
    pub async fn send(self) -> Answer {
        let mut request =
            Request::builder().method(self.method.clone()).uri(self.path.parse().expect("a path"));
        for (name, value) in &self.headers {
            request = request.header(name.as_str(), value.as_str());
        }
        if !self.headers.iter().any(|(name, _)| name == "x-forwarded-for") {
            request = request.header("x-forwarded-for", &self.address);
        }
        let request = request.body(self.body.unwrap_or_default());
        let mut response: Response = self.service.get_response(request).await;
        let body = response.take_body().into_vec().await.expect("a body");
        let answer = Answer {
            call: format!("{} {}", self.method, self.path),
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body,
        };
        answer.check_documented(&self.method, &self.path);
        answer
    }
}

/// The answer.
#[derive(Debug)]
pub struct Answer {
    call: String,
    /// HTTP status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// Body.
    pub body: Vec<u8>,
}

impl Answer {
    /// The body as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| panic!("{} did not answer JSON: {}", self.call, self.text()))
    }

    /// The body as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// A header's value.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Expects this status.
    #[track_caller]
    pub fn assert(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}: {}", self.call, self.text());
        self
    }

    /// Expects a problem with this status and code.
    #[track_caller]
    pub fn assert_problem(self, status: u16, code: &str) -> Self {
        let answer = self.assert(status);
        assert_eq!(answer.json()["code"], code, "{}: {}", answer.call, answer.text());
        assert_eq!(answer.header("content-type"), Some("application/problem+json"));
        answer
    }

    /// Expects a refusal of exactly these fields.
    #[track_caller]
    pub fn assert_keys(self, keys: &[&str]) -> Self {
        let answer = self.assert_problem(422, "VALIDATION_FAILED");
        let body = answer.json();
        let mut found: Vec<_> =
            body["keys"].as_array().expect("keys").iter().filter_map(Value::as_str).collect();
        found.sort_unstable();
        let mut keys = keys.to_vec();
        keys.sort_unstable();
        assert_eq!(found, keys, "{}: {}", answer.call, answer.text());
        answer
    }

    fn check_documented(&self, method: &Method, path: &str) {
        if self.status < 400 || self.header("content-type") != Some("application/problem+json") {
            return;
        }
        let path = path.split('?').next().unwrap_or_default();
        let Some(codes) = find(&CODES, method, path) else { return };
        let code = self.json()["code"].clone();
        let documented = codes.as_array().is_some_and(|codes| codes.contains(&code));
        assert!(documented, "{} answers {code}, which its operation does not document", self.call);
    }
}

/// The operation of the document that a path belongs to.
#[must_use]
pub fn operation(method: &Method, path: &str) -> Option<&'static Value> {
    find(&DOCUMENT["paths"], method, path)
}

/// What `paths` says of a path; one without variables goes before one with them.
fn find(paths: &'static Value, method: &Method, path: &str) -> Option<&'static Value> {
    let parts: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    let fits = |pattern: &str| {
        let pattern: Vec<&str> = pattern.split('/').collect();
        pattern.len() == parts.len()
            && pattern.iter().zip(&parts).all(|(one, part)| one.starts_with('{') || one == part)
    };
    let mut found: Vec<_> = paths.as_object()?.iter().filter(|(pattern, _)| fits(pattern)).collect();
    found.sort_by_key(|(pattern, _)| pattern.matches('{').count());
    found.first()?.1.get(method.as_str().to_lowercase())
}
