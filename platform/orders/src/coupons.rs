//! Guessing of coupon codes is limited. See `docs/decisions/orders.md#coupon-codes`.

use std::sync::atomic::{AtomicBool, Ordering};

use access::{
    App, Caller,
    attempts::{begin_attempt, end_attempt},
    prelude::*,
};

/// Codes that a guest may try within the minutes below.
const OF_GUEST: i32 = 20;
/// The same of all guests of a secret key that does not tell them apart.
const OF_KEY: i32 = 300;
const MINUTES: i32 = 15;

/// A code that was tried. It counts when it was looked for and not found.
#[derive(Default)]
pub(crate) struct Attempt {
    /// Whose, and how many may be in vain; none where no code was sent.
    counted: Option<(String, i32)>,
    in_vain: AtomicBool,
}

impl Attempt {
    /// Counts the code of a cart; `guest` is the guest's network address, where it is known.
    ///
    /// # Errors
    /// `TOO_MANY_REQUESTS`.
    pub async fn take<P>(scope: &In<Public, P>, guest: Option<&str>, code: Option<&str>) -> Result<Self> {
        if code.is_none() {
            return Ok(Self::default());
        }
        let (who, most) = match (scope.caller(), guest) {
            (Caller::Person { account, .. }, _) => (format!("account {account}"), OF_GUEST),
            (Caller::Key { .. }, Some(guest)) => (format!("guest {guest}"), OF_GUEST),
            (Caller::Key { id, .. }, None) => (format!("key {id}"), OF_KEY),
        };
        let subject = format!("coupon {} {who}", scope.restaurant());
        scope.release().await?;
        begin_attempt(scope.app(), &subject, most, MINUTES).await?;
        Ok(Self { counted: Some((subject, most)), in_vain: AtomicBool::new(false) })
    }

    /// Nobody has the code here: the attempt stays counted, whatever is answered.
    pub fn was_in_vain(&self) {
        self.in_vain.store(true, Ordering::Relaxed);
    }

    /// Takes it off the count, unless it was in vain. What was answered stands, whatever becomes of the count.
    pub async fn end(self, app: &App) {
        if let Some((subject, most)) = self.counted
            && let Err(error) = end_attempt(app, subject, most, self.in_vain.into_inner()).await
        {
            tracing::warn!(%error, "an attempt at a coupon stays under way");
        }
    }
}
