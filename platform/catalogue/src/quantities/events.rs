//! Events about quantities, for open windows.

use access::prelude::*;
use work::events::LiveMessage;

/// The topic of [`work::Hub`] that each change of a quantity wakes. It has no event with a number: a window that
/// missed one reads the quantities when it is back, and an order locks nothing for it.
pub const QUANTITIES: &str = "quantities";

/// Pieces were taken, given back or set: windows that show them read them again. A window gets at most one in a
/// second; the last one is never left out. Its `id` is that of the last event before it.
#[derive(Debug, Object)]
pub struct QuantitiesEvent {}

impl LiveMessage for QuantitiesEvent {
    const KIND: &'static str = "TASK_QUANTITIES_RELOAD";
}

/// Wakes windows that show quantities, when the transaction is committed.
pub(super) async fn tell(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
    let payload = format!("{restaurant} {QUANTITIES}");
    tx.rows("select pg_notify('pult_event', $1)::text", [payload.into()]).await?;
    Ok(())
}
