//! Finds the customer of an order. See `docs/decisions/orders.md#customers`.

use access::prelude::*;
use customers::{FoundCustomer, Guest, ShadowCustomers, phone};
use kernel::Email;
use restaurants::Facts;

use crate::{
    input::{Cart, NewOrder},
    sent_by::SentBy,
};

/// What a cart says about its guest.
pub struct Identity {
    named: Option<Id<ShadowCustomers>>,
    /// E.164.
    phone: Option<String>,
    email: Option<String>,
    /// Somebody vouches for the guest.
    vouched: bool,
    /// It was sent by a page, which learns of no guest what others are told.
    in_a_page: bool,
}

/// The number, in E.164, and the e-mail, in lower case, by which a cart's guest is known. Any other phone says of
/// nobody who it is.
pub fn known_by(cart: &Cart, facts: &Facts) -> (Option<String>, Option<String>) {
    let phone = cart.phone_1.as_deref().and_then(|phone| phone::e164(phone, &facts.country));
    (phone, cart.email.as_ref().map(Email::lowercase))
}

impl Identity {
    /// Reads it from a cart.
    /// Errors: `VALIDATION_FAILED` at `customer_id` when its sender may not name one, or names nobody whom
    /// this restaurant knows.
    pub async fn of(tx: &TenantTx, facts: &Facts, sent_by: SentBy, cart: &Cart) -> Result<Self> {
        let refused = |fault| Err(Problem::new(Code::VALIDATION_FAILED).key("customer_id", fault));
        if let Some(named) = cart.customer_id {
            if sent_by == SentBy::Page {
                return refused(Fault::Invalid);
            }
            let seen_from = (!sent_by.sees_all_customers()).then_some(facts.id);
            if !customers::exists(tx, seen_from, named).await? {
                return refused(Fault::NotExist);
            }
        }
        let (phone, email) = known_by(cart, facts);
        Ok(Self {
            named: cart.customer_id,
            phone,
            email,
            vouched: sent_by.is_staff() || cart.customer_id.is_some(),
            in_a_page: sent_by == SentBy::Page,
        })
    }

    /// Of an order that was taken: its customer stays whosever phone and e-mail it says by now.
    pub fn kept(customer: Option<Id<ShadowCustomers>>, vouched: bool) -> Self {
        Self { named: customer, phone: None, email: None, vouched, in_a_page: false }
    }

    /// The customer as prices know one: also a guest whom nobody knows yet, who has no uses. None when
    /// nothing says who it is.
    pub fn priced(&self, found: Option<Id<ShadowCustomers>>) -> Option<pricing::Customer> {
        let said = self.named.is_some() || self.phone.is_some() || self.email.is_some();
        said.then(|| pricing::Customer { id: found.map(Id::uuid), vouched: self.vouched })
    }

    /// For a quote: the customer, when there is one already, as prices know one. A guest of a page is
    /// somebody without uses, whatever was typed, so a quote tells nothing about a number.
    pub async fn quoted(
        &self, tx: &TenantTx,
    ) -> Result<(Option<Id<ShadowCustomers>>, Option<pricing::Customer>)> {
        if self.in_a_page {
            return Ok((None, Some(pricing::Customer { id: None, vouched: false })));
        }
        let found = self.find(tx).await?;
        Ok((found, self.priced(found)))
    }

    /// The customer, when there is one already. Makes nobody and writes nothing.
    pub async fn find(&self, tx: &TenantTx) -> Result<Option<Id<ShadowCustomers>>> {
        match self.named {
            Some(named) => Ok(Some(named)),
            None => customers::find(tx, self.phone.as_deref(), self.email.as_deref()).await,
        }
    }

    /// Whether the order may fill what is empty at its customer.
    pub fn fills(&self, customer: FoundCustomer) -> bool {
        self.vouched || customer.made
    }

    /// The customer of an order that counts: found or made. Somebody who is known is filled where empty if the guest
    /// is vouched for.
    pub async fn make(
        &self, tx: &TenantTx, facts: &Facts, order: &NewOrder,
    ) -> Result<Option<FoundCustomer>> {
        let guest = Guest {
            id: self.named,
            first_name: order.first_name.as_deref(),
            last_name: order.last_name.as_deref(),
            phone_1: self.phone.as_deref(),
            email: self.email.as_deref(),
            vouched: self.vouched,
        };
        customers::find_or_create(tx, facts.id, guest).await
    }
}
