//! The events of announcements and notifications, and their messages to open windows.

use kernel::{Id, Restaurant};
use poem_openapi::Object;
use uuid::Uuid;
use work::events::{self, LiveMessage, Message};

/// An event of announcements or of notifications to guests.
#[derive(Debug, Clone, Copy)]
pub enum Event {
    /// There is an announcement to be read, or there is none any more.
    Announced(Id<Restaurant>),
    PushNotification(Id<Restaurant>, Uuid),
}

/// Announcements are others: windows read them again.
#[derive(Debug, Object)]
pub struct AnnouncementEvent {}

impl LiveMessage for AnnouncementEvent {
    const KIND: &'static str = "TASK_ANNOUNCEMENT";
}

/// A push notification is in another state.
#[derive(Debug, Object)]
pub struct PushNotificationEvent {
    id: Uuid,
}

impl LiveMessage for PushNotificationEvent {
    const KIND: &'static str = "TASK_PUSH_NOTIFICATION_RELOAD";
}

impl events::Event for Event {
    fn restaurant(&self) -> Id<Restaurant> {
        let (Self::Announced(restaurant) | Self::PushNotification(restaurant, _)) = self;
        *restaurant
    }

    fn message(&self) -> Option<Message> {
        Some(match self {
            Self::Announced(_) => Message::new(&AnnouncementEvent {}),
            Self::PushNotification(_, id) => Message::new(&PushNotificationEvent { id: *id }),
        })
    }
}
