//! The answer to who would wait in vain at the door: as cheap as can be, so that what can be done is done. It has no
//! line in the log and no trace; it is counted. See `docs/decisions/reliability.md#overload`.

use std::{sync::Arc, time::Duration};

use access::App;
use futures_util::FutureExt;
use hyper::body::Bytes;
use kernel::{
    Code, Problem,
    request::{Current, Rank, Turn},
};
use poem::{
    error::ResponseError,
    http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, Uri, header},
};
use telemetry::measures;
use uuid::Uuid;

use crate::{
    bearers::Bearers,
    document,
    headers::Headers,
    middleware::{hungarian, rank},
};

const ID: HeaderName = HeaderName::from_static("x-request-id");

/// The answer in one language, around the id of the request.
#[derive(Debug)]
struct Template {
    status: StatusCode,
    headers: HeaderMap,
    before: String,
    after: String,
}

impl Template {
    /// None if the answer does not have the id of its request, or is not ready at once.
    fn of(headers: &Headers, hungarian: bool) -> Option<Self> {
        let id = Uuid::nil().simple().to_string();
        let current = Current::new(id.clone(), hungarian, Rank::Usual, None);
        let why = async {
            Problem::new(Code::UNAVAILABLE_SERVER).detail("too much to do at this moment").as_response()
        };
        let mut response = current.clone().scope(why).now_or_never()?;
        headers.dress(&mut response, &current, "/api/v3");
        let (parts, body) = response.into_parts();
        let text = body.into_string().now_or_never()?.ok()?;
        let (before, after) = text.split_once(&id)?;
        let (before, after) = (before.to_owned(), after.to_owned());
        Some(Self { status: parts.status, headers: parts.headers, before, after })
    }

    fn answer(&self, id: &str) -> Response<Bytes> {
        let mut response = Response::new(Bytes::from([&self.before, id, &self.after].concat()));
        *response.status_mut() = self.status;
        self.headers.clone_into(response.headers_mut());
        if let Ok(id) = HeaderValue::from_str(id) {
            response.headers_mut().insert(ID, id);
        }
        response
    }
}

pub(crate) struct TurnAway {
    app: App,
    bearers: Arc<Bearers>,
    english: Template,
    hungarian: Template,
}

impl TurnAway {
    /// None if the answers cannot be made beforehand.
    pub(crate) fn new(app: &App, headers: &Headers, bearers: Arc<Bearers>) -> Option<Self> {
        let (english, hungarian) = (Template::of(headers, false)?, Template::of(headers, true)?);
        Some(Self { app: app.clone(), bearers, english, hungarian })
    }

    /// The answer to a request that would wait in vain; none to any other.
    pub(crate) fn answer(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<Response<Bytes>> {
        let path = uri.path();
        if !needs_the_door(path) || self.app.door.nobody_waits() {
            return None;
        }
        let rank = rank(method, path);
        let turn = self.bearers.of(path, headers).1.map_or(Turn::Unknown, Turn::Partner);
        if !self.app.door.is_in_vain(rank, turn) {
            return None;
        }
        let template =
            if hungarian(headers.get(header::ACCEPT_LANGUAGE)) { &self.hungarian } else { &self.english };
        // The goal of orders and payments counts them.
        let route = if rank == Rank::First { document::template(path) } else { None };
        let route = route.unwrap_or("/api/{turned_away}").into();
        measures::request(method.as_str(), &route, template.status.as_u16(), Duration::ZERO);
        Some(template.answer(Uuid::now_v7().simple().encode_lower(&mut Uuid::encode_buffer())))
    }
}

/// Whether nothing can be answered without a unit of work. Menus are answered from memory.
fn needs_the_door(path: &str) -> bool {
    path.starts_with("/api/v3/") && !path.ends_with("/menu")
}
