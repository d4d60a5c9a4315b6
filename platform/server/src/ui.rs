//! The embedded interface; precompressed files are sent as they are.

mod page;
mod releases;

use std::borrow::Cow;

use poem::{
    Endpoint, IntoResponse, Request, Response, Result,
    error::ResponseError,
    http::{Method, StatusCode, header},
};
use rust_embed::RustEmbed;

pub use releases::Releases;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../admin-ui/dist"]
struct Files;

/// Where files with a hash in their name are.
const ASSETS: &str = "assets/";
const WORKER: &str = "sw.js";
/// Takes itself and all it keeps away.
const NO_WORKER: &str = "self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil((async () => {
  await caches.delete('pult');
  await self.registration.unregister();
})()));
";

/// The files of a release, by path.
type Embedded = fn(&str) -> Option<Cow<'static, [u8]>>;

/// Files of the UI, and its page for every other address that a browser opens.
pub struct Ui {
    files: Embedded,
    releases: Releases,
    service_worker: bool,
    cookie: &'static str,
}

impl Ui {
    /// The UI that is part of this binary.
    #[must_use]
    pub fn new(app: &access::App) -> Self {
        let settings = &app.settings;
        Self {
            files: |path| Files::get(path).map(|file| file.data),
            releases: Releases::of(&settings.files),
            service_worker: settings.service_worker,
            cookie: app.cookie_name(),
        }
    }

    async fn asset(&self, path: &str, accepted: &str) -> Option<Response> {
        const FOR_GOOD: &str = "public, max-age=31536000, immutable";
        if let Some(response) = self.file(path, accepted, FOR_GOOD) {
            return Some(response);
        }
        let name = path.strip_prefix(ASSETS)?;
        for (encoding, extension) in encodings(accepted) {
            if let Some(bytes) = self.releases.find(&format!("{name}{extension}")).await {
                return Some(answer(path, encoding, FOR_GOOD, bytes.into()));
            }
        }
        None
    }

    fn file(&self, path: &str, accepted: &str, caching: &str) -> Option<Response> {
        encodings(accepted).find_map(|(encoding, extension)| {
            Some(answer(path, encoding, caching, (self.files)(&format!("{path}{extension}"))?))
        })
    }
}

impl Endpoint for Ui {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let path = match request.uri().path().trim_start_matches('/') {
            // Files that a browser requests by itself.
            "favicon.ico" => "favicon.svg",
            path => path,
        };
        if !matches!(*request.method(), Method::GET | Method::HEAD) || path.starts_with("api/") {
            return Err(StatusCode::NOT_FOUND.into());
        }
        if path.split('/').any(|part| part == "..") {
            return Err(StatusCode::NOT_FOUND.into());
        }
        let accepted = request.header("accept-encoding").unwrap_or_default();
        if path.starts_with(ASSETS) {
            // Never the page, because a browser would run it as the requested script. Not cached, because
            // another instance may have the file.
            let unknown = || {
                kernel::Problem::new(kernel::Code::NOT_FOUND)
                    .as_response()
                    .with_header(header::CACHE_CONTROL, "no-store")
                    .into_response()
            };
            return Ok(self.asset(path, accepted).await.unwrap_or_else(unknown));
        }
        if path == WORKER && !self.service_worker {
            return Ok(answer(path, None, "no-cache", Cow::Borrowed(NO_WORKER.as_bytes())));
        }
        // The pages of guest TVs and kiosks are ones of their own: they have nothing of the admin's.
        let page = match path {
            "tv" | "tv.html" => "tv.html",
            "kiosk" | "kiosk.html" => "kiosk.html",
            _ => "index.html",
        };
        if path != page
            && let Some(response) = self.file(path, accepted, "no-cache")
        {
            return Ok(response);
        }
        let page_like = path == page || !path.rsplit('/').next().unwrap_or_default().contains('.');
        if !page_like {
            return Err(StatusCode::NOT_FOUND.into());
        }
        let session = request.header("cookie").into_iter().flat_map(|sent| sent.split("; "));
        let session = session.filter_map(|one| one.split_once('=')).any(|(name, _)| name == self.cookie);
        Ok((self.files)(page).map(|built| page::page(&built, session)).unwrap_or_else(|| {
            "The UI is not built yet: run `npm ci && npm run build` in admin-ui, or `cargo xtask up`."
                .with_status(StatusCode::NOT_FOUND)
                .into_response()
        }))
    }
}

/// The forms in which a file may lie there, the smallest first: name of the encoding, and how the file's name
/// ends.
fn encodings(accepted: &str) -> impl Iterator<Item = (Option<&'static str>, &'static str)> {
    let compressed =
        [("br", ".br"), ("gzip", ".gz")].into_iter().filter(move |(encoding, _)| accepted.contains(encoding));
    compressed.map(|(encoding, extension)| (Some(encoding), extension)).chain([(None, "")])
}

fn answer(path: &str, encoding: Option<&str>, caching: &str, bytes: Cow<'static, [u8]>) -> Response {
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    let kind = if kind.type_() == "text" { format!("{kind}; charset=utf-8") } else { kind.to_string() };
    let mut response = Response::builder()
        .content_type(kind)
        .header("cache-control", caching)
        .header("vary", "accept-encoding");
    if let Some(encoding) = encoding {
        response = response.header("content-encoding", encoding);
    }
    response.body(bytes.into_owned())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::{fs, path::PathBuf, time::Duration};

    use poem::http::HeaderMap;

    use super::*;

    fn older(path: &str) -> Option<Cow<'static, [u8]>> {
        Some(Cow::Borrowed(match path {
            "index.html" => b"older".as_slice(),
            "assets/main-Old1.js" => b"old()",
            "assets/main-Old1.js.br" => b"old() in brotli",
            "sw.js" => b"worker",
            _ => return None,
        }))
    }

    fn newer(path: &str) -> Option<Cow<'static, [u8]>> {
        Some(Cow::Borrowed(match path {
            "index.html" => b"newer".as_slice(),
            "assets/main-New2.js" => b"new()",
            _ => return None,
        }))
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("pult-ui-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    async fn get(ui: &Ui, path: &str, accepted: &str) -> (u16, HeaderMap, String) {
        let request =
            Request::builder().uri(path.parse().unwrap()).header("accept-encoding", accepted).finish();
        let response = ui.get_response(request).await;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        (status, headers, response.into_body().into_string().await.unwrap())
    }

    #[tokio::test]
    async fn two_releases_behind_one_address_answer_for_each_others_files_for_seven_days() {
        let folder = folder("two");
        let releases = Releases::of(&folder);
        let instance = |files: Embedded| Ui {
            files,
            releases: releases.clone(),
            service_worker: true,
            cookie: "session",
        };
        let (old, new) = (instance(older), instance(newer));
        releases.put("main-Old1.js", b"old()").await.unwrap();
        releases.put("main-Old1.js.br", b"old() in brotli").await.unwrap();
        releases.put("main-New2.js", b"new()").await.unwrap();

        // Whichever instance a page came from, its scripts come from either.
        for ui in [&old, &new] {
            for (path, body) in [("/assets/main-Old1.js", "old()"), ("/assets/main-New2.js", "new()")] {
                let (status, headers, text) = get(ui, path, "identity").await;
                assert_eq!((status, text.as_str()), (200, body));
                assert_eq!(headers["cache-control"], "public, max-age=31536000, immutable");
                assert!(headers["content-type"].to_str().unwrap().contains("javascript"), "{headers:?}");
            }
            let (_, headers, text) = get(ui, "/assets/main-Old1.js", "gzip, br").await;
            assert_eq!(
                (headers["content-encoding"].to_str().unwrap(), text.as_str()),
                ("br", "old() in brotli")
            );
        }

        // The days count from when it was last current.
        let days = |days: u64| std::time::SystemTime::now() + Duration::from_secs(days * 86_400);
        releases.tidy(days(6)).await;
        assert_eq!(get(&new, "/assets/main-Old1.js", "").await.0, 200);
        releases.tidy(days(8)).await;
        assert_eq!(get(&new, "/assets/main-Old1.js", "").await.0, 404);
        assert_eq!(get(&old, "/assets/main-Old1.js", "").await.0, 200, "its own");
        fs::remove_dir_all(folder).unwrap();
    }

    #[tokio::test]
    async fn an_unknown_file_is_never_the_page_and_nothing_beside_the_folder_is_read() {
        let folder = folder("unknown");
        let releases = Releases::of(&folder);
        releases.put("main-Old1.js", b"old()").await.unwrap();
        fs::write(folder.join("secret.txt"), "secret").unwrap();
        let ui = Ui { files: newer, releases, service_worker: true, cookie: "session" };
        for path in [
            "/assets/gone-1a2b3c4d.js",
            "/assets/gone",
            "/assets/",
            "/assets/x/main-Old1.js",
            "/assets/..%2fsecret.txt",
            "/assets/.hidden",
            "/assets/secret.txt",
        ] {
            let (status, headers, text) = get(&ui, path, "br").await;
            assert_eq!(
                (status, headers["cache-control"].to_str().unwrap()),
                (404, "no-store"),
                "{path}: {text}"
            );
            assert!(!text.contains("newer") && !text.contains("secret"), "{path}: {text}");
        }
        assert_eq!(get(&ui, "/r/some/page", "").await.2, "newer");
        fs::remove_dir_all(folder).unwrap();
    }

    #[tokio::test]
    async fn the_service_worker_can_be_switched_off() {
        let folder = folder("worker");
        let ui = |service_worker| Ui {
            files: older,
            releases: Releases::of(&folder),
            service_worker,
            cookie: "session",
        };
        let (_, headers, text) = get(&ui(true), "/sw.js", "").await;
        assert_eq!((headers["cache-control"].to_str().unwrap(), text.as_str()), ("no-cache", "worker"));
        let (status, headers, text) = get(&ui(false), "/sw.js", "br").await;
        assert!(status == 200 && text.contains("unregister"), "{text}");
        assert!(headers["content-type"].to_str().unwrap().contains("javascript"), "{headers:?}");
    }
}
