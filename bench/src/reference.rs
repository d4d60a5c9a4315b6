//! The reference: a minimal server for the two measured requests. It runs the same statements in the same
//! unit of work over the same number of connections, and answers the same bytes. It has no permissions,
//! checks, pricing or log.

use std::{collections::HashMap, convert::Infallible, path::Path, sync::Arc};

use http_body_util::{BodyExt, Full};
use hyper::{
    Request, Response,
    body::{Bytes, Incoming},
    header,
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use rig::Result;
use sqlx::{PgPool, postgres::PgPoolOptions};
use tokio::net::TcpListener;

use crate::{record::Record, replay::Replay};

/// As the service's default.
const CONNECTIONS: u32 = 16;

struct ReferenceServer {
    pool: PgPool,
    by_path: HashMap<String, Replay>,
}

/// Serves the records of this file (path of the reference → record) until it is killed.
pub(crate) async fn serve(records: &Path, url: &str, port: &str, door: bool) -> Result<()> {
    let records: HashMap<String, Record> = serde_json::from_slice(&std::fs::read(records)?)?;
    let pool =
        PgPoolOptions::new().max_connections(CONNECTIONS).test_before_acquire(false).connect(url).await?;
    let mut by_path = HashMap::new();
    for (path, record) in records {
        by_path.insert(path, Replay::new(&pool, record, door).await?);
    }
    let served = Arc::new(ReferenceServer { pool, by_path });
    let listener = TcpListener::bind(("127.0.0.1", port.parse()?)).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let served = served.clone();
        tokio::spawn(async move {
            let service = service_fn(|request| served.answer(request));
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

impl ReferenceServer {
    async fn answer(
        &self, request: Request<Incoming>,
    ) -> std::result::Result<Response<Full<Bytes>>, Infallible> {
        Ok(self.work(request).await.unwrap_or_else(|error| {
            eprintln!("reference: {error}");
            let mut failed = Response::new(Full::new(Bytes::from(error.to_string())));
            *failed.status_mut() = hyper::StatusCode::INTERNAL_SERVER_ERROR;
            failed
        }))
    }

    async fn work(&self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>> {
        let path = request.uri().path().to_owned();
        let body = request.into_body().collect().await?.to_bytes();
        if !body.is_empty() {
            // A hand-written service would read it, too.
            let _: serde_json::Value = serde_json::from_slice(&body)?;
        }
        let replay = self.by_path.get(&path).ok_or("nothing was recorded under this path")?;
        let (status, body) = replay.run(&self.pool).await?;
        let answer = Response::builder()
            .status(status)
            .header(header::CONTENT_TYPE, "application/json; charset=utf-8");
        Ok(answer.body(Full::new(body.into()))?)
    }
}
