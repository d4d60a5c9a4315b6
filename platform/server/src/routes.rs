//! What answers where: the API, the socket, the document, the UI.

use std::sync::Arc;

use access::{Anyone, App, answers::Tag};
use kernel::Result;
use poem::{EndpointExt, IntoEndpoint, Route, endpoint::BoxEndpoint, get, handler, web::Data};
use poem_openapi::{Object, OpenApi, OpenApiService, payload::Json};
use work::Hub;

use crate::{
    document::{self, Documents},
    html, middleware,
    socket::{self, Sessions},
    ui,
};

/// The start-up call (document 1 §7), outside `/api/v3`.
pub struct StartUp;

/// What a client needs to know before it can do anything.
#[derive(Debug, Object)]
#[allow(non_snake_case)]
struct ClientConfiguration {
    #[oai(rename = "REST_API_URL")]
    REST_API_URL: String,
    #[oai(rename = "OPEN_STREET_MAP_URL")]
    OPEN_STREET_MAP_URL: String,
    #[oai(rename = "STAT_API_URL")]
    STAT_API_URL: String,
    /// Always empty; statistics need no key of their own here.
    #[oai(rename = "STAT_API_KEY")]
    STAT_API_KEY: String,
    #[oai(rename = "SOCKET_URL")]
    SOCKET_URL: String,
    /// Whether this is a development installation: the UI shows a red strip.
    development: bool,
    version: String,
}

#[OpenApi(tag = "Tag::Session")]
impl StartUp {
    /// The client's configuration.
    #[oai(path = "/api/rest", method = "get", operation_id = "start_up_get")]
    async fn get(&self, anyone: Anyone) -> Result<Json<ClientConfiguration>> {
        let settings = &anyone.app.settings;
        let base = settings.public_url.as_str().trim_end_matches('/').to_owned();
        Ok(Json(ClientConfiguration {
            REST_API_URL: format!("{base}/api/v3"),
            OPEN_STREET_MAP_URL: String::new(),
            STAT_API_URL: format!("{base}/api/v3"),
            STAT_API_KEY: String::new(),
            SOCKET_URL: format!("{}/fresh-orders", base.replacen("http", "ws", 1)),
            development: settings.development,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }))
    }
}

/// The whole service as one endpoint.
#[must_use]
pub fn service(app: App, hub: Hub, sessions: Sessions) -> BoxEndpoint<'static> {
    let documents = Arc::new(Documents::make());
    let api = OpenApiService::new(crate::api(), document::TITLE, env!("CARGO_PKG_VERSION"));
    let pages = Route::new()
        .at("/api/openapi.json", get(whole_document))
        .at("/api/public.json", get(public_document))
        .at("/api/docs", get(html::docs))
        .at("/api/docs/public", get(html::public_docs))
        .at("/api/docs/viewer.js", get(html::viewer))
        .at("/api/problems", get(html::problems))
        .at("/api/problems/:code", get(html::problem))
        .at("/fresh-orders", get(socket::fresh_orders))
        .nest_no_strip("/api", api.into_endpoint())
        .nest_no_strip("/", ui::Ui);
    let dressed = middleware::wrap(pages, &app);
    dressed.data(documents).data(hub).data(sessions).data(app).map_to_response().boxed()
}

#[handler]
fn whole_document(documents: Data<&Arc<Documents>>) -> poem::Response {
    json(documents.whole.clone())
}

#[handler]
fn public_document(documents: Data<&Arc<Documents>>) -> poem::Response {
    json(documents.public.clone())
}

fn json(text: String) -> poem::Response {
    poem::Response::builder().content_type("application/json").body(text)
}
