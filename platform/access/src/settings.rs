//! Settings of the installation: addresses, secrets, stores, builders.

use std::num::NonZeroU32;

use url::Url;

use crate::secrets::Secrets;

/// Settings that concern who is let in.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address under which browsers reach the service (`PULT_PUBLIC_URL`).
    pub public_url: Url,
    /// `PULT_DEV`: plain http, the demo partner open to super admins.
    pub development: bool,
    /// Development that only this machine reaches: sign-in providers may stand on it too, and speak plain
    /// http.
    pub alone: bool,
    /// Hops whose `X-Forwarded-For` is believed (`PULT_TRUSTED_PROXIES`).
    pub trusted_proxies: Vec<ipnet::IpNet>,
    /// So many calls a second one session may make at this instance (`PULT_CALLS_PER_SESSION`).
    pub calls_per_session: NonZeroU32,
    /// The installation's secrets (`PULT_SECRET_KEY`).
    pub secrets: Secrets,
    /// Where files lie until the object store takes them: exports, archives to be restored
    /// (`PULT_FILES_DIR`).
    pub files: std::path::PathBuf,
    /// The object store (`PULT_S3_…`).
    pub objects: object_storage::Settings,
    /// External builders that have an address (`PULT_BUILDER_…_URL`).
    pub builders: Vec<(BuilderKind, Url)>,
    /// Template of the map's pictures (`PULT_MAP_TILES_URL`); none: maps are blank.
    pub map_tiles: Option<String>,
    /// Whether browsers keep the admin's page and files in a service worker (`PULT_SERVICE_WORKER`).
    pub service_worker: bool,
}

/// External programs that are opened with a one-time ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, poem_openapi::Enum)]
#[oai(rename_all = "snake_case")]
pub enum BuilderKind {
    /// Of the whole company: for its own admins and super admins.
    Partner,
    /// The restaurant's site.
    FrontSite,
    /// The restaurant's app.
    App,
    /// The shop within another site.
    Iframe,
    /// The page on which guests choose a restaurant.
    RestaurantSelector,
}

impl BuilderKind {
    /// Whether somebody may open it: the company's, who acts for the whole company; the others, super admins.
    #[must_use]
    pub fn opens_for(self, super_admin: bool, whole_partner: bool) -> bool {
        super_admin || (self == Self::Partner && whole_partner)
    }
}
