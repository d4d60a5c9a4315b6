//! Documents, announcements, release infos, TVs, push notifications, help.

mod announcements;
mod builders;
mod documentations;
pub mod events;
mod help;
mod html;
mod lang;
mod messages;
mod push;
mod release_infos;

use contract::Plugins;
use object_storage::Storage;
use poem_openapi::OpenApi;

/// The operations of this crate.
#[must_use]
pub fn api() -> impl OpenApi {
    (
        (
            announcements::Announcements,
            announcements::MyAnnouncements,
            release_infos::ReleaseInfos,
            release_infos::MyReleaseInfos,
        ),
        (push::PushNotifications, push::PushDevices, help::Help),
        (documentations::Documentations, documentations::DocumentationFiles, builders::Builders),
    )
}

/// The kinds of jobs of this crate.
#[must_use]
pub fn handlers(storage: &Storage, plugins: &Plugins) -> Vec<(&'static str, work::Handler)> {
    announcements::handlers()
        .into_iter()
        .chain([documentations::handler(storage), push::handler(plugins)])
        .collect()
}
