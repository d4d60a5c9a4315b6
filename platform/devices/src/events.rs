//! The events of devices, and their messages to open windows.

use kernel::{Id, Restaurant};
use poem_openapi::Object;
use work::events::{self, LiveMessage, Message};

/// Something that happened to the devices of a restaurant.
#[derive(Debug, Clone, Copy)]
pub enum Event {
    /// One was paired, renewed, revoked or set up anew.
    Changed(Id<Restaurant>),
}

/// A device is another one: lists are read again, and devices ask whether they are still let in.
#[derive(Debug, Object)]
pub struct DeviceEvent {}

impl LiveMessage for DeviceEvent {
    const KIND: &'static str = "TASK_DEVICES_RELOAD";
}

impl events::Event for Event {
    fn restaurant(&self) -> Id<Restaurant> {
        let Self::Changed(restaurant) = self;
        *restaurant
    }

    fn message(&self) -> Option<Message> {
        Some(Message::new(&DeviceEvent {}))
    }
}
