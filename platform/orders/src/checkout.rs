//! From the cart of a request to a priced one, shared by quotes and orders. See
//! `docs/decisions/pricing.md#one-function`.

use access::{Caller, prelude::*};
use catalogue::Snapshot;
use payments::ChosenMethod;
use pricing::{Config, Fulfilment, Priced, Reason};
use restaurants::Facts;

use crate::{
    cart::{self, CartInput},
    types::Quote,
    values::OrderPlatform,
};

/// A cart without faults, and the settings of its restaurant.
pub(crate) struct Checkout {
    pub facts: Facts,
    pub cart: pricing::Cart,
    config: Config,
}

/// A cart with its price, and every reason why it would not be taken now.
pub(crate) struct PricedCart {
    pub facts: Facts,
    pub cart: pricing::Cart,
    pub method: Option<ChosenMethod>,
    pub snapshot: Snapshot,
    pub priced: Priced,
    pub reasons: Vec<Reason>,
    /// The moment for which this holds.
    pub now: Timestamp,
}

impl Checkout {
    /// Checks the cart by itself.
    ///
    /// # Errors
    /// `VALIDATION_FAILED` with every field at fault.
    pub fn new(facts: Facts, caller: &Caller, sent: &CartInput<'_>) -> Result<Self> {
        let cart = sent.cart()?;
        let config = cart::config(&facts, taken_by_staff(caller, sent.platform));
        Problem::new(Code::VALIDATION_FAILED).keys(cart.faults(&config)).if_any()?;
        Ok(Self { facts, cart, config })
    }

    /// Prices the cart by the catalogue and the settings of this moment.
    ///
    /// # Errors
    /// `VALIDATION_FAILED` for a payment method that does not exist, and for more than any order costs.
    pub async fn price(self, tx: &TenantTx, sent: &CartInput<'_>) -> Result<PricedCart> {
        let Self { facts, cart, mut config } = self;
        let method = payments::chosen(tx, facts.id, sent.payment_method_id, sent.payment_method).await?;
        let snapshot = catalogue::snapshot(tx, facts.id, &sent.subproducts()).await?;
        config.payable = payable(method.as_ref(), sent.platform, &cart);
        let reasons = pricing::acceptable(&snapshot.catalogue, &[], &cart, &config);
        let priced = cart::price(&snapshot, &cart, &config)?;
        Ok(PricedCart { facts, cart, method, snapshot, priced, reasons, now: config.now })
    }
}

impl PricedCart {
    /// As it is answered.
    pub fn quote(&self) -> Quote {
        cart::quote(&self.facts, &self.snapshot, &self.priced, &self.reasons)
    }
}

/// Orders that staff take on the phone or at the till obey only the rules of items and delivery.
pub(crate) fn taken_by_staff(caller: &Caller, platform: OrderPlatform) -> bool {
    matches!(caller, Caller::Person { .. })
        && matches!(platform, OrderPlatform::Phone | OrderPlatform::TakeAway | OrderPlatform::SitIn)
}

/// Whether the cart may be paid as it is wanted. Without a method it is said later: at the table, at the
/// till.
fn payable(method: Option<&ChosenMethod>, platform: OrderPlatform, cart: &pricing::Cart) -> bool {
    method.is_none_or(|method| method.pays(platform.pays_as(), cart.fulfilment() == Fulfilment::Delivery))
}
