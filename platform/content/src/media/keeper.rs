//! Making and keeping pictures for whoever takes them in a form.

use futures_util::{FutureExt, future::BoxFuture, future::try_join_all};
use kernel::Result;
use rand::RngCore;
use restaurants::pictures::{self, Keeper, Kept, Made};
use tenants::TenantTx;
use tokio::fs::File;

use super::{jobs, worker};
use crate::objects::Objects;

impl Keeper for Objects {
    fn make(&self, file: File) -> BoxFuture<'_, Result<Made>> {
        worker::pictures(file).boxed()
    }

    fn put(&self, tx: TenantTx, made: Made) -> BoxFuture<'_, Result<Kept>> {
        self.kept(tx, made).boxed()
    }
}

impl Objects {
    async fn kept(&self, tx: TenantTx, made: Made) -> Result<Kept> {
        let mut random = [0_u8; 16];
        rand::rng().fill_bytes(&mut random);
        let token = hex::encode(random);
        let partner = tx.partner();
        jobs::sweep(&tx, &token, true).await?;
        tx.commit().await?;
        let bytes = made.sizes.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        let puts = made.sizes.into_iter().map(|(size, bytes)| {
            let (objects, key) = (self.clone(), pictures::key(partner, &token, size));
            async move { objects.put(&key, "image/webp", bytes).await }
        });
        try_join_all(puts).await?;
        let fits = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        Ok(Kept {
            token,
            hash: made.hash,
            width: fits(made.width),
            height: fits(made.height),
            bytes: i64::try_from(bytes).unwrap_or(i64::MAX),
        })
    }
}
