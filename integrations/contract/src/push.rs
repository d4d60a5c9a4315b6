//! Push notifications: one message to one device, and its outcome.

use async_trait::async_trait;

use crate::Secret;

/// What is shown on the device.
#[derive(Debug, Clone)]
pub struct PushMessage {
    /// At most 65 characters.
    pub title: String,
    /// At most 240 characters.
    pub body: String,
    /// Which notification it is: an app shows one that comes twice once.
    pub id: String,
}

/// What became of a message to one device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PushOutcome {
    /// It will be delivered.
    Accepted,
    /// The device does not take notifications any more, or belongs to somebody else: its token is to be
    /// forgotten.
    Unregistered,
    /// It never will be, for this reason (the other side's own code).
    Failed(String),
    /// Not now; it has not been sent. After so many seconds, where the other side says so.
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
