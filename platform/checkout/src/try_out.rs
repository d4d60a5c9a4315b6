//! The price of a cart with other promotions, or at another moment. See `docs/decisions/promotions.md#trying-out`.

use access::prelude::*;
use promotions::Discounts;

use crate::{
    checkout::{self, Checkout},
    coupons::Attempt,
    input::Cart,
    sent_by::SentBy,
    types::Quote,
};

/// What is priced, with and without the draft.
pub struct Trial<'a> {
    pub restaurant: Id<Restaurant>,
    pub sent_by: SentBy,
    pub cart: &'a Cart,
    /// The moment of ordering; none is now.
    pub ordered_at: Option<Timestamp>,
    /// Where its address was found, if somebody was asked.
    pub geocoded: Option<(f64, f64)>,
}

impl Trial<'_> {
    /// The quote; with a promotion that is `tried`, whatever became of it.
    pub async fn price(&self, tx: &TenantTx, tried: Option<Id<Discounts>>) -> Result<Quote> {
        let Self { restaurant, sent_by, cart, ordered_at, geocoded } = *self;
        let settings = checkout::settings(tx, restaurant, cart, false, false).await?;
        let mut checkout = Checkout::new(settings, sent_by, cart, None, geocoded)?.trying(tried);
        if let Some(moment) = ordered_at {
            checkout = checkout.at(moment);
        }
        checkout.quote(tx, sent_by, cart, &Attempt::default()).await
    }
}
