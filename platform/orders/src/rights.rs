//! Rights that several calls of orders ask for.

use access::{Approver, Permission, Pin, prelude::*};

/// The permissions that may read an order, which contains the guest's name, phone and address.
pub(crate) type Reads = AnyOf<(perm::FreshOrder, perm::AllOrder)>;

/// The answer of a change contains the order, so the caller needs the right to read it.
pub(crate) fn reads<P>(scope: &In<Restaurant, P>) -> Result<()> {
    let needed = <Reads as Permission>::keys();
    if needed.iter().any(|key| scope.may(key)) {
        return Ok(());
    }
    Err(Problem::new(Code::USER_PERMISSION_REQUIRED).with("permission", needed.into()))
}

/// Who allows a cancellation: the caller, who may in the back office, or whose PIN came with the call and who
/// holds `key`.
pub(crate) async fn storno_approver<P>(
    scope: &In<Restaurant, P>, pin: &Pin, key: &str,
) -> Result<Option<Approver>> {
    if scope.may(STORNO) {
        return Ok(None);
    }
    pin.approver(scope, key).await.map(Some)
}

/// The right of the back office to cancel and to give money back.
pub(crate) const STORNO: &str = "order_storno";
