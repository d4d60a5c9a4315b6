//! Push notifications: one message to one device, and its outcome.

use async_trait::async_trait;

use crate::Secret;

/// The content shown on the device.
#[derive(Debug, Clone)]
pub struct PushMessage {
    /// At most 65 characters.
    pub title: String,
    /// At most 240 characters.
    pub body: String,
    /// Which notification it is: an app shows one that comes twice once.
    pub id: String,
}

/// The outcome of a message to one device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PushOutcome {
    /// It will be delivered.
    Accepted,
    /// The device takes no notifications or belongs to another project: forget its token.
    Unregistered,
    /// It never will be, for this reason (the other side's own code).
    Failed(String),
    /// Not sent; try later, after this many seconds if the other side gives them.
    Later(Option<u64>),
    /// It cannot be told whether it was sent, so it must not be sent again.
    Unknown,
}

/// A company that brings notifications to devices.
#[async_trait]
pub trait Push: Send + Sync {
    /// Sends one message to one device, once.
    async fn send(&self, message: &PushMessage, token: &Secret) -> PushOutcome;
}
