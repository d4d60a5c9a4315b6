//! Guessing of coupon codes is limited. See `docs/decisions/orders.md#coupon-codes`.

use access::{Caller, attempts, prelude::*};

/// Codes that a guest may try within the minutes below.
const OF_GUEST: i32 = 20;
/// The same of all guests of a secret key that does not tell them apart.
const OF_KEY: i32 = 300;
const MINUTES: i32 = 15;

/// A code that was tried. It counts when it was looked for and not found; none where no code was sent.
#[derive(Default)]
pub(crate) struct Attempt(Option<attempts::Attempt>);

impl Attempt {
    /// Counts the code of a cart; `guest` is the guest's network address, where it is known.
    ///
    /// # Errors
    /// `TOO_MANY_REQUESTS`.
    pub async fn take<S, P>(scope: &In<S, P>, guest: Option<&str>, code: Option<&str>) -> Result<Self>
    where
        S: access::Scope<Target = Id<Restaurant>>,
    {
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
        attempts::Attempt::begin(scope.app(), &subject, most, MINUTES).await.map(Some).map(Self)
    }

    /// Nobody has the code here: the attempt stays counted, whatever is answered.
    pub fn was_in_vain(&self) {
        self.0.iter().for_each(attempts::Attempt::was_wrong);
    }

    /// Takes it off the count, unless it was in vain. What was answered stands, whatever becomes of the count.
    pub async fn end(self) {
        if let Some(attempt) = self.0
            && let Err(error) = attempt.end().await
        {
            tracing::warn!(%error, "an attempt at a coupon stays under way");
        }
    }
}
