//! The event of a catalogue that changed. It stands here because pictures, which lie below restaurants, change what
//! menus show too.

use kernel::{Id, Restaurant};
use poem_openapi::Object;
use work::events::{self, LiveMessage, Message};

/// A transaction has raised the `catalogue_version` of this restaurant.
#[derive(Debug, Clone, Copy)]
pub struct CatalogueChanged(pub Id<Restaurant>);

/// The menu, or something that it is made of, is another: windows read their lists of the catalogue again. A window
/// gets at most one in three seconds; the last one is never left out.
#[derive(Debug, Object)]
pub struct CatalogueEvent {}

impl LiveMessage for CatalogueEvent {
    const KIND: &'static str = "TASK_CATALOGUE_RELOAD";
}

impl events::Event for CatalogueChanged {
    fn restaurant(&self) -> Id<Restaurant> {
        self.0
    }

    fn message(&self) -> Option<Message> {
        Some(Message::new(&CatalogueEvent {}))
    }
}
