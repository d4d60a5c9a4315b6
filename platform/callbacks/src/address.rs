//! The tokens in addresses that providers call.

use access::digest;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use kernel::{Id, Restaurant, Result, time::Timestamp};
use tenants::TenantTx;
use uuid::Uuid;

/// Prefix of every token.
pub(crate) const PREFIX: &str = "pc_";

const SET: &str = "select control.set_callback_address($1, $2, $3, $4, $5)";

/// Gives an account an address and answers its token, which is kept as a digest only. The one before is dead with the
/// commit.
pub async fn open(
    tx: &TenantTx, restaurant: Id<Restaurant>, provider: &str, account: Uuid,
) -> Result<String> {
    open_until(tx, restaurant, provider, account, None).await
}

/// The same for something that ends, as one payment: after `ends_at` the address is taken away.
pub async fn open_until(
    tx: &TenantTx, restaurant: Id<Restaurant>, provider: &str, account: Uuid, ends_at: Option<Timestamp>,
) -> Result<String> {
    let token = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>()));
    let values = [restaurant.into(), provider.into(), account.into(), digest(&token).into(), ends_at.into()];
    tx.run(SET, values).await?;
    Ok(token)
}

/// Takes an account's address away.
pub async fn close(tx: &TenantTx, restaurant: Id<Restaurant>, account: Uuid) -> Result<()> {
    tx.run(
        SET,
        [restaurant.into(), "".into(), account.into(), None::<Vec<u8>>.into(), None::<Timestamp>.into()],
    )
    .await?;
    Ok(())
}
