//! Guessing of coupon codes is limited. See `docs/decisions/orders.md#coupon-codes`.

use access::{App, attempts, prelude::*};

/// Codes that a guest may try within the minutes below.
const OF_GUEST: i32 = 20;
/// The same of all guests of a client that does not tell them apart.
const OF_CLIENT: i32 = 300;
const MINUTES: i32 = 15;

/// A code that was tried. It counts when it was looked for and not found; none where no code was sent.
#[derive(Default)]
pub struct Attempt(Option<attempts::Attempt>);

/// Whose attempts are counted together.
pub struct Guesser {
    /// Of a person, a guest or a client; never two of them the same.
    pub name: String,
    /// It sends for guests whom it does not tell apart.
    pub is_shared: bool,
}

impl Attempt {
    /// Counts a code that is tried at a restaurant. Hold no transaction meanwhile.
    /// Errors: `TOO_MANY_REQUESTS`.
    pub async fn begin(app: &App, restaurant: Id<Restaurant>, by: &Guesser) -> Result<Self> {
        let subject = format!("coupon {restaurant} {}", by.name);
        let most = if by.is_shared { OF_CLIENT } else { OF_GUEST };
        attempts::Attempt::begin(app, &subject, most, MINUTES).await.map(Some).map(Self)
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
