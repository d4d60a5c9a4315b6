//! The end of a process: the signal, and what becomes of connections while the service drains. See
//! `docs/decisions/reliability.md`.

use std::{sync::Arc, time::Duration};

use poem::{
    Endpoint, EndpointExt, IntoResponse, Response,
    http::{HeaderValue, StatusCode, Version, header},
};

use telemetry::measures::Window;
use work::Hub;

use crate::{edge::Shortcut, probes::Readiness};

/// How long windows have to hear that the service stops.
const GOODBYE: Duration = Duration::from_secs(1);

/// Ends with the next signal to stop that comes after this call.
pub(crate) fn stop_signal() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()));
    async move {
        match signals {
            (Ok(mut terminate), Ok(mut interrupt)) => {
                tokio::select! { _ = terminate.recv() => (), _ = interrupt.recv() => () }
            }
            _ => std::future::pending().await,
        }
    }
}

/// Tells windows and displays to come back, to another instance, and waits a moment until they have heard it.
pub(crate) async fn send_away(hub: &Hub) {
    hub.close();
    let told = async {
        while Window::open_ones() > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let _ = tokio::time::timeout(GOODBYE, told).await;
}

/// The service, which tells its clients while it drains that it closes their connections: otherwise a proxy could
/// send a request on one in the moment in which it is closed.
pub(crate) fn closing(
    service: impl Endpoint + 'static, is_draining: impl Fn() -> bool + Send + Sync + 'static,
) -> impl Endpoint<Output = Response> {
    let is_draining = Arc::new(is_draining);
    service.around(move |service, request| {
        let is_draining = is_draining.clone();
        async move {
            let plain = request.version() <= Version::HTTP_11;
            let mut response = service.call(request).await?.into_response();
            if plain && is_draining() && response.status() != StatusCode::SWITCHING_PROTOCOLS {
                response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Ok(response)
        }
    })
}

/// The shortcut; not while the service drains, because connections are closed by what goes through all of it.
pub(crate) fn unless_draining(shortcut: Shortcut, readiness: Readiness) -> Shortcut {
    Arc::new(
        move |method, uri, headers| {
            if readiness.is_draining() { None } else { shortcut(method, uri, headers) }
        },
    )
}

#[cfg(test)]
mod tests {
    use poem::Request;

    use super::*;

    #[tokio::test]
    async fn an_answer_closes_its_connection_only_while_the_service_drains() {
        let asked = |version| Request::builder().version(version).finish();
        for (draining, version, status, closes) in [
            (false, Version::HTTP_11, StatusCode::OK, false),
            (true, Version::HTTP_11, StatusCode::OK, true),
            (true, Version::HTTP_11, StatusCode::NOT_FOUND, true),
            (true, Version::HTTP_11, StatusCode::SWITCHING_PROTOCOLS, false),
            (true, Version::HTTP_2, StatusCode::OK, false),
        ] {
            let service = closing(poem::endpoint::make_sync(move |_| status), move || draining);
            let response = service.get_response(asked(version)).await;
            let closed = response.header("connection") == Some("close");
            assert_eq!(closed, closes, "{draining} {version:?} {status}");
        }
    }
}
