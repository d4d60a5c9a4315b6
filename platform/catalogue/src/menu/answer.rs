//! The answer of the menu: cached bytes with their ETag, or "not modified".

use bytes::Bytes;
use poem::{IntoResponse, Response, http::StatusCode};
use poem_openapi::{
    ApiResponse,
    payload::{Json, Payload},
    registry::{MetaHeader, MetaMediaType, MetaResponse, MetaResponses, Registry},
    types::Type,
};

use super::{cache::matches, types::Menu};

/// See the module.
#[derive(Debug)]
pub(crate) enum MenuAnswer {
    /// 200 with the menu.
    Fresh(Bytes, String),
    /// 304: the client's copy is the menu.
    Same(String),
}

impl MenuAnswer {
    /// The menu, or that the client's copy (`known`: its `If-None-Match`) is still right.
    pub fn of(body: Bytes, etag: String, known: Option<&str>) -> Self {
        if known.is_some_and(|known| matches(known, &etag)) {
            Self::Same(etag)
        } else {
            Self::Fresh(body, etag)
        }
    }
}

impl IntoResponse for MenuAnswer {
    fn into_response(self) -> Response {
        // A copy may be kept, but has to be asked about each time: a menu can change at any moment.
        let response = Response::builder()
            .header("cache-control", "private, no-cache")
            .header("vary", "authorization, x-api-key, cookie");
        match self {
            Self::Fresh(body, etag) => {
                response.header("etag", etag).content_type(Json::<Menu>::CONTENT_TYPE).body(body)
            }
            Self::Same(etag) => response.header("etag", etag).status(StatusCode::NOT_MODIFIED).finish(),
        }
    }
}

impl ApiResponse for MenuAnswer {
    fn meta() -> MetaResponses {
        let etag = || MetaHeader {
            name: "ETag".to_owned(),
            description: Some(
                "Send it as If-None-Match to hear only whether the menu has changed.".to_owned(),
            ),
            required: true,
            deprecated: false,
            schema: String::schema_ref(),
        };
        let content =
            vec![MetaMediaType { content_type: Json::<Menu>::CONTENT_TYPE, schema: Menu::schema_ref() }];
        MetaResponses {
            responses: vec![
                MetaResponse {
                    description: "",
                    status: Some(200),
                    status_range: None,
                    content,
                    headers: vec![etag()],
                },
                MetaResponse {
                    description: "The menu that If-None-Match names is still right.",
                    status: Some(304),
                    status_range: None,
                    content: vec![],
                    headers: vec![etag()],
                },
            ],
        }
    }
    fn register(registry: &mut Registry) {
        Menu::register(registry);
    }
}
