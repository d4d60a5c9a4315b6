//! Security headers of every answer. See `docs/decisions/security.md#browsers`.

use access::App;
use base64::{Engine, engine::general_purpose::STANDARD};
use kernel::request::Current;
use poem::{
    Response,
    http::{HeaderName, HeaderValue},
};
use rand::RngCore;
use url::Url;

const REFERENCE: [&str; 2] = ["/api/docs", "/api/docs/public"];
/// What no page of ours uses, no script of ours or of anybody may.
const PERMISSIONS: &str = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), \
    hid=(), magnetometer=(), microphone=(), \
    midi=(), payment=(), serial=(), usb=(), autoplay=(self), fullscreen=(self), screen-wake-lock=(self)";
/// Where nothing may come from, and what becomes of forms and frames.
const NOTHING_ELSE: &str = "default-src 'none'; script-src 'self'; manifest-src 'self'; object-src 'none'; \
    frame-ancestors 'none'; base-uri 'none'";

/// Known to one page: its style elements carry it. Found by [`Headers::dress`] in what the answer carries
/// along.
#[derive(Clone)]
pub(crate) struct Nonce(String);

impl Nonce {
    pub fn new() -> Self {
        let mut random = [0; 16];
        rand::rng().fill_bytes(&mut random);
        Self(STANDARD.encode(random))
    }

    /// As it stands in the page.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

pub(crate) struct Headers {
    https: bool,
    /// The policy of everything, but for the styles.
    policy: String,
}

impl Headers {
    /// `sign_in` is where the only form goes that is sent elsewhere: it signs people in at the help desk.
    pub fn new(app: &App, sign_in: Option<&str>) -> Self {
        let settings = &app.settings;
        // Pictures come from the object store, those of maps from where the tiles are.
        let tiles = settings.map_tiles.as_deref().and_then(|template| Url::parse(template).ok());
        let elsewhere: String = [Some(&settings.objects.public_url), tiles.as_ref()]
            .into_iter()
            .flatten()
            .map(|url| format!(" {}", url.origin().ascii_serialization()))
            .collect();
        // Sockets are named: not every browser counts them as the same origin.
        let sockets = settings.public_url.origin().ascii_serialization().replacen("http", "ws", 1);
        let form = sign_in.map(|origin| format!(" {origin}")).unwrap_or_default();
        let policy = format!(
            "{NOTHING_ELSE}; font-src 'self'; connect-src 'self' {sockets}; img-src 'self' data: \
             blob:{elsewhere}; worker-src 'self'; form-action 'self'{form}; \
             style-src-attr 'unsafe-inline'; style-src-elem 'self'"
        );
        Self { https: settings.public_url.scheme() == "https", policy }
    }

    fn policy(&self, path: &str, nonce: Option<&Nonce>) -> String {
        if REFERENCE.contains(&path.trim_end_matches('/')) {
            // The viewer makes styles and fonts of its own, and knows no nonce.
            return format!(
                "{NOTHING_ELSE}; font-src 'self' data:; connect-src 'self'; img-src 'self' data:; worker-src \
                 'none'; form-action 'none'; \
                 style-src-attr 'unsafe-inline'; style-src-elem 'self' 'unsafe-inline'"
            );
        }
        match nonce {
            Some(Nonce(nonce)) => format!("{} 'nonce-{nonce}'", self.policy),
            None => self.policy.clone(),
        }
    }

    /// Puts them on an answer that has none of its own.
    pub fn dress(&self, response: &mut Response, current: &Current, path: &str) {
        let policy = self.policy(path, response.extensions().get::<Nonce>());
        let headers = response.headers_mut();
        let mut set = |name: &'static str, value: &str| {
            if let Ok(value) = HeaderValue::from_str(value) {
                headers.entry(HeaderName::from_static(name)).or_insert(value);
            }
        };
        set("x-request-id", &current.id);
        set("x-content-type-options", "nosniff");
        set("referrer-policy", "no-referrer");
        set("cross-origin-opener-policy", "same-origin");
        set("permissions-policy", PERMISSIONS);
        set("content-security-policy", &policy);
        if self.https {
            set("strict-transport-security", "max-age=31536000");
        }
        if path.starts_with("/api/v3") || path == "/api/rest" {
            set("cache-control", "no-store");
        }
        let ignored = current.ignored();
        if !ignored.is_empty() {
            set(
                "x-ignored-fields",
                &ignored.join(", ").replace(|c: char| !c.is_ascii_graphic() && c != ' ', "?"),
            );
        }
    }
}
