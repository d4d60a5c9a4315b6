//! The frame of the routes that domain crates bring beside the document: it counts calls, limits bodies, and hands on
//! raw bytes.

use std::{collections::BTreeMap, sync::Arc};

use access::{
    App, client_address,
    raw::{RawCall, RawRoute},
    take_call,
};
use contract::Plugins;
use kernel::{Code, Problem, Result};
use poem::{
    Endpoint, EndpointExt, Request, Response, Route, RouteMethod, error::ReadBodyError, http::header,
};

/// Adds routes, each with its limits.
pub(crate) fn mount(to: Route, routes: Vec<RawRoute>, app: &App, plugins: &Plugins) -> Route {
    // A path may have several methods.
    let mut paths = BTreeMap::<&'static str, RouteMethod>::new();
    for route in routes {
        let (method, path) = (route.method.clone(), route.path);
        let methods = paths.remove(path).unwrap_or_default();
        let answered = endpoint(route, app.clone(), plugins.clone()).boxed();
        paths.insert(path, methods.method(method, answered));
    }
    paths.into_iter().fold(to, |to, (path, methods)| to.at(path, methods))
}

fn endpoint(route: RawRoute, app: App, plugins: Plugins) -> impl Endpoint<Output = Response> {
    let route = Arc::new(route);
    poem::endpoint::make(move |request: Request| {
        let (route, app, plugins) = (route.clone(), app.clone(), plugins.clone());
        async move { answer(&route, app, plugins, request).await.map_err(poem::Error::from) }
    })
}

async fn answer(route: &RawRoute, app: App, plugins: Plugins, mut request: Request) -> Result<Response> {
    let length = request.header(header::CONTENT_LENGTH).and_then(|length| length.parse::<usize>().ok());
    if length.is_some_and(|length| length > route.longest_body) {
        return Err(too_large(route));
    }
    let address = client_address(&request, &app.settings);
    let subject = format!("raw {} {address}", route.path);
    take_call(&app, subject, route.per_minute).await?;
    // A body may come without its length.
    let body =
        request.take_body().into_bytes_limit(route.longest_body).await.map_err(|fault| match fault {
            ReadBodyError::PayloadTooLarge => too_large(route),
            _ => Problem::new(Code::BAD_REQUEST).detail("the body breaks off"),
        })?;
    let names = route.path.split('/').filter_map(|part| part.strip_prefix(':'));
    let variables =
        names.map(|name| (name, request.raw_path_param(name).unwrap_or_default().to_owned())).collect();
    (route.answer)(RawCall {
        app,
        plugins,
        variables,
        query: request.uri().query().unwrap_or_default().to_owned(),
        headers: request.headers().clone(),
        body: body.into(),
    })
    .await
}

fn too_large(route: &RawRoute) -> Problem {
    Problem::new(Code::TOO_LARGE).detail(format!("at most {} bytes", route.longest_body))
}
