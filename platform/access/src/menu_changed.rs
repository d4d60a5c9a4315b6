//! The menu changed: the version of what guests see of a restaurant, and the event of its change. All who change a part
//! of a menu call these functions; pictures too, which lie below restaurants, so they stand here.

use kernel::{Id, Restaurant, Result};
use poem_openapi::Object;
use tenants::TenantTx;
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

/// Raises the version and tells open windows. Every transaction that changes a part of the menu calls this once, as its
/// last write: the restaurant's row and its counter of events stay locked from here to the commit.
pub async fn menu_changed(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
    menu_changed_silently(tx, restaurant).await?;
    events::publish(tx, &CatalogueChanged(restaurant)).await
}

/// The same for changes of settings: windows hear of those by an event of their own.
pub async fn menu_changed_silently(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
    tx.rows("select raise_catalogue_version($1)::text", [restaurant.into()]).await?;
    Ok(())
}

/// The same for a change that was prepared on this version; false, and nothing raised, when another came between.
pub async fn menu_changed_from(tx: &TenantTx, restaurant: Id<Restaurant>, version: i64) -> Result<bool> {
    let sql = "select raise_catalogue_version_from($1, $2)";
    let raised = tx.value(sql, [restaurant.into(), version.into()]).await?.unwrap_or(false);
    if raised {
        events::publish(tx, &CatalogueChanged(restaurant)).await?;
    }
    Ok(raised)
}
