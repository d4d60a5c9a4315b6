//! Answers that are more than a JSON body.

use std::marker::PhantomData;

use poem::{IntoResponse, Response, http::StatusCode};
use poem_openapi::{
    ApiResponse, Tags,
    payload::{Json, Payload},
    registry::{MetaHeader, MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry},
    types::{ToJSON, Type},
};

/// Groups of operations in the reference.
#[derive(Tags)]
pub enum Tag {
    /// Signing in and out, the own account.
    Session,
    /// Permissions and API keys.
    Access,
    /// Restaurants and their settings.
    Restaurants,
    /// Categories, products, options.
    Catalogue,
    /// Orders of the day.
    Orders,
    /// Payments and refunds of orders, drawers of cash.
    Payments,
    /// Couriers and customers.
    People,
    /// Guest TVs, kiosks and other devices that sign in by themselves.
    Devices,
    /// Pictures, documents, announcements.
    Content,
    /// Partners, jobs, support access: what super admins do.
    Platform,
    /// What an API key may call.
    Public,
}

fn json_meta<T: Type>(status: u16) -> MetaResponses {
    MetaResponses {
        responses: vec![MetaResponse {
            description: "",
            status: Some(status),
            status_range: None,
            content: vec![MetaMediaType { content_type: Json::<T>::CONTENT_TYPE, schema: T::schema_ref() }],
            headers: vec![],
        }],
    }
}

/// 201 with the new row.
#[derive(Debug)]
pub struct Created<T>(pub T);

impl<T: ToJSON> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        Json(self.0).with_status(StatusCode::CREATED).into_response()
    }
}
impl<T: ToJSON> ApiResponse for Created<T> {
    fn meta() -> MetaResponses {
        json_meta::<T>(201)
    }
    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

/// 200 with what is there, or with `null`: for the one of its kind that need not be there.
#[derive(Debug)]
pub struct Maybe<T>(pub Option<T>);

impl<T: ToJSON> IntoResponse for Maybe<T> {
    fn into_response(self) -> Response {
        Json(self.0).into_response()
    }
}
impl<T: ToJSON> ApiResponse for Maybe<T> {
    fn meta() -> MetaResponses {
        let mut meta = json_meta::<T>(200);
        for content in meta.responses.iter_mut().flat_map(|response| &mut response.content) {
            // Beside a reference nothing is read, so it stands in a part of its own.
            content.schema = MetaSchemaRef::Inline(Box::new(MetaSchema {
                nullable: true,
                all_of: vec![T::schema_ref()],
                ..MetaSchema::ANY
            }));
        }
        meta
    }
    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

/// An answer that sets a cookie too.
#[derive(Debug)]
pub struct WithCookie<T>(pub T, pub Option<String>);

impl<T: IntoResponse> IntoResponse for WithCookie<T> {
    fn into_response(self) -> Response {
        let mut response = self.0.into_response();
        if let Some(cookie) = self.1.and_then(|cookie| cookie.parse().ok()) {
            response.headers_mut().append("set-cookie", cookie);
        }
        response
    }
}
impl<T: ApiResponse> ApiResponse for WithCookie<T> {
    fn meta() -> MetaResponses {
        T::meta()
    }
    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

/// 204: done, nothing to say.
#[derive(Debug)]
pub struct Done;

impl IntoResponse for Done {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}
impl ApiResponse for Done {
    fn meta() -> MetaResponses {
        MetaResponses {
            responses: vec![MetaResponse {
                description: "",
                status: Some(204),
                status_range: None,
                content: vec![],
                headers: vec![],
            }],
        }
    }
    fn register(_: &mut Registry) {}
}

/// 201 with an answer that is kept under its idempotency key: a repeat gets the very same bytes.
#[derive(Debug)]
pub struct Stored<T> {
    status: u16,
    body: String,
    answer: PhantomData<fn() -> T>,
}

impl<T: ToJSON> Stored<T> {
    /// The first answer.
    #[must_use]
    pub fn new(status: u16, value: &T) -> Self {
        Self { status, body: value.to_json_string(), answer: PhantomData }
    }

    /// The first answer, as it was kept.
    #[must_use]
    pub(crate) fn written(status: u16, body: String) -> Self {
        Self { status, body, answer: PhantomData }
    }

    /// The same with more fields, which are not kept: what may be read now and must lie nowhere in the clear.
    #[must_use]
    pub fn with(self, fields: impl IntoIterator<Item = (&'static str, serde_json::Value)>) -> Self {
        let mut body: serde_json::Value = serde_json::from_str(&self.body).unwrap_or_default();
        for (name, value) in fields {
            body[name] = value;
        }
        Self { body: body.to_string(), ..self }
    }

    /// The same without these fields: what is kept.
    pub(crate) fn without(&self, fields: &[&str]) -> Self {
        if fields.is_empty() {
            return Self { status: self.status, body: self.body.clone(), answer: PhantomData };
        }
        let mut body: serde_json::Value = serde_json::from_str(&self.body).unwrap_or_default();
        if let Some(body) = body.as_object_mut() {
            body.retain(|name, _| !fields.contains(&name.as_str()));
        }
        let body = body.to_string();
        Self { status: self.status, body, answer: PhantomData }
    }

    #[must_use]
    pub fn field(&self, name: &str) -> serde_json::Value {
        serde_json::from_str::<serde_json::Value>(&self.body).unwrap_or_default()[name].take()
    }

    /// The id of the row that was answered.
    #[must_use]
    pub fn id(&self) -> Option<uuid::Uuid> {
        self.field("id").as_str().and_then(|id| id.parse().ok())
    }

    pub(crate) fn parts(&self) -> (u16, &str) {
        (self.status, &self.body)
    }
}

impl<T: Send> IntoResponse for Stored<T> {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::OK);
        Response::builder().status(status).content_type("application/json; charset=utf-8").body(self.body)
    }
}
impl<T: ToJSON> ApiResponse for Stored<T> {
    fn meta() -> MetaResponses {
        json_meta::<T>(201)
    }
    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

/// 200 with an `ETag` made of the body, or 304 when the caller's `If-None-Match` names it.
#[derive(Debug)]
pub struct Tagged<T> {
    etag: String,
    /// None for 304.
    body: Option<String>,
    answer: PhantomData<fn() -> T>,
}

impl<T: ToJSON> Tagged<T> {
    /// The answer to a caller who has the copies that `known` names.
    #[must_use]
    pub fn new(value: &T, known: Option<&str>) -> Self {
        let body = value.to_json_string();
        let etag = format!("\"{}\"", &hex::encode(crate::credential::digest(&body))[..32]);
        let same = known.is_some_and(|known| names(known, &etag));
        Self { etag, body: (!same).then_some(body), answer: PhantomData }
    }
}

/// Whether an `If-None-Match` names this ETag; compared weakly, as the header demands.
fn names(header: &str, etag: &str) -> bool {
    header.trim() == "*" || header.split(',').any(|tag| tag.trim().trim_start_matches("W/") == etag)
}

impl<T: Send> IntoResponse for Tagged<T> {
    fn into_response(self) -> Response {
        // A copy may be kept, but has to be asked about each time: a setting can change at any moment.
        let response = Response::builder()
            .header("cache-control", "private, no-cache")
            .header("vary", "authorization, x-api-key, cookie");
        let response = response.header("etag", self.etag);
        match self.body {
            Some(body) => response.content_type("application/json; charset=utf-8").body(body),
            None => response.status(StatusCode::NOT_MODIFIED).finish(),
        }
    }
}
impl<T: ToJSON> ApiResponse for Tagged<T> {
    fn meta() -> MetaResponses {
        let etag = || MetaHeader {
            name: "ETag".to_owned(),
            description: Some(
                "Send it as If-None-Match to hear only whether something has changed.".to_owned(),
            ),
            required: true,
            deprecated: false,
            schema: String::schema_ref(),
        };
        let mut meta = json_meta::<T>(200);
        meta.responses.iter_mut().for_each(|response| response.headers.push(etag()));
        meta.responses.push(MetaResponse {
            description: "What If-None-Match names is still right.",
            status: Some(304),
            status_range: None,
            content: vec![],
            headers: vec![etag()],
        });
        meta
    }
    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}
