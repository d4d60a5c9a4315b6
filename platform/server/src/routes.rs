//! The routes: the API, sockets, documents, the interface.

use std::sync::Arc;

use access::{Anyone, App, answers::Tag, raw::RawRoute};
use contract::{Environment, Plugins};
use kernel::{Result, paging::Filters};
use media::PictureStore;
use poem::{EndpointExt, IntoEndpoint, Route, endpoint::BoxEndpoint, get, handler};
use poem_openapi::{Object, OpenApi, OpenApiService, payload::Json};
use work::Hub;

use crate::{
    bearers::Bearers,
    document,
    domains::{DOMAINS, raw_routes},
    edge::Shortcut,
    headers::Headers,
    html, middleware, raw,
    short::Rewriting,
    socket::{self, Sessions},
    turn_away::TurnAway,
    ui,
};

/// The start-up call, outside `/api/v3`.
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
    /// Whether browsers keep the page and its files in a service worker; when not, the page takes away one
    /// that is there.
    service_worker: bool,
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
            OPEN_STREET_MAP_URL: settings.map_tiles.clone().unwrap_or_default(),
            STAT_API_URL: format!("{base}/api/v3"),
            STAT_API_KEY: String::new(),
            SOCKET_URL: format!("{}/fresh-orders", base.replacen("http", "ws", 1)),
            development: settings.development,
            service_worker: settings.service_worker,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }))
    }
}

pub(crate) const SOCKETS: [&str; 2] = ["/fresh-orders", "/tv-board"];

#[must_use]
pub fn service(app: App, hub: Hub, sessions: Sessions, plugins: Plugins) -> BoxEndpoint<'static> {
    with_shortcut(app, hub, sessions, plugins).0
}

/// The same, with what turns requests away before it when there is too much to do.
#[must_use]
pub fn with_shortcut(
    app: App, hub: Hub, sessions: Sessions, plugins: Plugins,
) -> (BoxEndpoint<'static>, Shortcut) {
    with_routes(app, hub, sessions, plugins, raw_routes())
}

/// The same with these routes beside the document, for tests that bring their own.
#[must_use]
pub fn with_routes(
    app: App, hub: Hub, sessions: Sessions, plugins: Plugins, raw: Vec<RawRoute>,
) -> (BoxEndpoint<'static>, Shortcut) {
    work::subscriptions::install(crate::subscriptions());
    let storage = s3_client::storage(&app.settings.objects);
    let api = OpenApiService::new(crate::api(), document::TITLE, env!("CARGO_PKG_VERSION"));
    let pages = raw::mount(Route::new(), raw, &app, &plugins)
        .at("/api/openapi.json", get(full_document))
        .at("/api/public.json", get(public_document))
        .at("/api/docs", get(html::docs))
        .at("/api/docs/public", get(html::public_docs))
        .at("/api/docs/viewer.js", get(html::viewer))
        .at("/api/docs/page.css", get(html::style))
        .at("/api/problems", get(html::problems))
        .at("/api/problems/:code", get(html::problem))
        .at(SOCKETS[0], get(socket::fresh_orders))
        .at(SOCKETS[1], get(devices::tv_board))
        .nest_no_strip("/api", Rewriting(api.into_endpoint()))
        .nest_no_strip("/", ui::Ui::new(&app));
    let help = plugins.help_desk(Environment::Live).and_then(|desk| desk.sign_in_origin());
    let (headers, bearers) = (Arc::new(Headers::new(&app, help.as_deref())), Arc::new(Bearers::default()));
    let turn_away = TurnAway::new(&app, &headers, bearers.clone());
    let shortcut: Shortcut =
        Arc::new(move |method, uri, headers| turn_away.as_ref()?.answer(method, uri, headers));
    let dressed = middleware::wrap(pages, &app, headers, bearers);
    let service = dressed
        .data(PictureStore::new(storage.clone(), picture_codec::encode))
        .data(storage)
        .data(hub)
        .data(sessions)
        .data(plugins)
        .data(Filters(document::filters))
        .data(DOMAINS)
        .data(app)
        .map_to_response()
        .boxed();
    (service, shortcut)
}

#[handler]
fn full_document() -> poem::Response {
    json(document::FULL)
}

#[handler]
fn public_document() -> poem::Response {
    json(document::PUBLIC)
}

fn json(text: &'static str) -> poem::Response {
    poem::Response::builder().content_type("application/json").body(text)
}
