//! Answers that are more than a JSON body.

use std::marker::PhantomData;

use poem::{IntoResponse, Response, http::StatusCode};
use poem_openapi::{
    ApiResponse, Tags,
    payload::{Json, Payload},
    registry::{MetaMediaType, MetaResponse, MetaResponses, Registry},
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
    /// Couriers and customers.
    People,
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

/// 201 with what was made.
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
        MetaResponses { responses: vec![MetaResponse { description: "", status: Some(204), status_range: None, content: vec![], headers: vec![] }] }
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

    pub(crate) fn again(status: u16, body: String) -> Self {
        Self { status, body, answer: PhantomData }
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
