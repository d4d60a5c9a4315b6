//! The events of restaurants, and their messages to open windows.

use kernel::{Id, Restaurant};
use poem_openapi::Object;
use work::events::{self, LiveMessage, Message};

/// Something that happened to a restaurant.
#[derive(Debug, Clone, Copy)]
pub enum Event {
    /// Some of its settings, SOS close or what is switched on are others.
    Changed(Id<Restaurant>),
}

/// The settings of the restaurant are others: windows read them again.
#[derive(Debug, Object)]
pub struct RestaurantEvent {}

impl LiveMessage for RestaurantEvent {
    const KIND: &'static str = "TASK_RESTAURANT_RELOAD";
}

impl events::Event for Event {
    fn restaurant(&self) -> Id<Restaurant> {
        let Self::Changed(restaurant) = self;
        *restaurant
    }

    fn message(&self) -> Option<Message> {
        Some(Message::new(&RestaurantEvent {}))
    }
}
