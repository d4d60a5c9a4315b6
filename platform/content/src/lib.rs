//! Media, documents, announcements, release infos, TVs, push notifications, help.

mod announcements;
mod builders;
mod documentations;
mod form;
mod help;
mod html;
mod lang;
mod media;
mod messages;
mod objects;
mod push;
mod release_infos;

use std::sync::Arc;

use contract::Plugins;
use futures_util::{FutureExt, future::BoxFuture};
use kernel::{Id, Partner};
use poem_openapi::OpenApi;

pub use objects::Objects;

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
        (
            media::ImagesApi,
            documentations::Documentations,
            documentations::DocumentationFiles,
            builders::Builders,
        ),
    )
}

/// The kinds of jobs of this crate.
#[must_use]
pub fn handlers(objects: &Objects, plugins: &Plugins) -> Vec<(&'static str, work::Handler)> {
    announcements::handlers()
        .into_iter()
        .chain([media::handler(objects), documentations::handler(objects), push::handler(plugins)])
        .collect()
}

/// Removes what a partner that is being removed for good keeps in the object store.
#[must_use]
pub fn removal(objects: &Objects) -> Removal {
    let objects = objects.clone();
    Arc::new(move |partner| {
        let objects = objects.clone();
        async move { objects.remove_partner(partner).await.map_err(work::JobError::retry) }.boxed()
    })
}

/// What runs before a partner's schema goes.
pub type Removal = Arc<dyn Fn(Id<Partner>) -> BoxFuture<'static, Result<(), work::JobError>> + Send + Sync>;
