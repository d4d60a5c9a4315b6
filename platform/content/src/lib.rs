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

use access::domain::Services;
use poem_openapi::OpenApi;
use work::events::{DescribeMessage, describe_message};

/// This crate in the server's list.
pub struct Domain;

impl access::domain::Domain for Domain {
    fn api() -> impl OpenApi {
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

    fn jobs(&self, services: &Services) -> Vec<(&'static str, work::Handler)> {
        let Services { storage, plugins, .. } = services;
        announcements::handlers()
            .into_iter()
            .chain([documentations::handler(storage), push::handler(plugins)])
            .collect()
    }

    fn messages(&self) -> Vec<DescribeMessage> {
        vec![describe_message::<events::AnnouncementEvent>, describe_message::<events::PushNotificationEvent>]
    }
}
