//! Checks a new payment: its body against the order and the restaurant's methods.

use access::prelude::*;
use kernel::money::{Currency, Money};
use poem_openapi::types::ToJSON;

use super::{
    account::Account,
    rules::{self, Cash, Handed, TooLittle},
    store,
    till::{Till, exact, invalid, is_own_money},
    types::{NewPayment, PaymentItem},
};

/// How an amount is to be paid.
pub(super) struct CheckedPayment {
    pub method: payment_methods::ChosenMethod,
    pub amount: Money,
    pub tip: Money,
    pub handed: Handed,
    pub items: Vec<PaymentItem>,
}

const COURIER: &str = "select 1 from courier_name where id = $1 and restaurant_id = $2";

impl Till<'_> {
    /// Checks what was sent against the order and the restaurant's methods.
    pub(super) async fn checked(&self, account: &Account, sent: &NewPayment) -> Result<CheckedPayment> {
        let field = if sent.payment_method_id.is_some() { "payment_method_id" } else { "payment_method" };
        let key = sent.payment_method.as_deref();
        let method = payment_methods::chosen(self.tx, self.facts.id, sent.payment_method_id, key).await?;
        let method = method.ok_or_else(|| invalid("payment_method", Fault::Required))?;
        if !method.is_taken_by_hand() {
            return Err(invalid(field, Fault::Invalid)
                .detail("the restaurant does not take this method from the hand of its staff"));
        }
        let cash = method.payment_key == "cash";
        let tip = sent.tip.unwrap_or_default();
        let mut problem = Problem::new(Code::VALIDATION_FAILED);
        if is_own_money(&method.payment_key) {
            if account.customer_id.is_none() || account.is_test {
                problem = problem
                    .key(field, Fault::Invalid)
                    .detail("the order has no customer whose balance and points could be taken");
            }
            if !tip.is_zero() {
                problem = problem.key("tip", Fault::Invalid);
            }
        }
        let unit = |money: Money| money == money.round(account.currency);
        if !unit(tip) {
            problem = problem.key("tip", Fault::Invalid);
        }
        if !cash {
            let unwanted =
                [("handed_over", sent.handed_over.is_some()), ("currency", sent.currency.is_some())];
            let unwanted = unwanted.into_iter().filter(|(_, sent)| *sent);
            problem = problem.keys(unwanted.map(|(field, _)| (field.to_owned(), Fault::Invalid)));
        }
        if let Some(courier) = sent.courier_id
            && self.tx.row(COURIER, [courier.into(), self.facts.id.into()]).await?.is_none()
        {
            problem = problem.key("courier_id", Fault::NotExist);
        }
        problem.if_any()?;
        let handed = self.handed(account, sent).await?;
        let (amount, items) = self.amount(account, sent).await?;
        if !unit(amount) {
            return Err(invalid("amount", Fault::Invalid));
        }
        if sent.amount.is_some() && amount <= Money::ZERO {
            return Err(invalid("amount", Fault::Min));
        }
        if amount > account.free() || amount.is_zero() {
            return Err(Problem::new(Code::PAYMENT_ABOVE_DUE)
                .with("due", account.due().to_json().unwrap_or_default())
                .with("waiting", account.held.0.to_json().unwrap_or_default()));
        }
        Ok(CheckedPayment { method, amount, tip, handed, items })
    }

    /// In which money it is handed over.
    async fn handed(&self, account: &Account, sent: &NewPayment) -> Result<Handed> {
        let currency = sent.currency.unwrap_or(account.currency);
        let rate = match (account.currency, currency) {
            (own, other) if own == other => Money::from(1),
            (Currency::Huf, Currency::Eur) => payment_methods::euro_rate(self.tx, self.facts.id).await?,
            _ => return Err(invalid("currency", Fault::Invalid).detail("this currency is not taken")),
        };
        let amount = sent.handed_over;
        let coins = |money: Money| match currency {
            // Own money is handed over in coins that there are.
            Currency::Huf => rules::in_coins(money, currency) == money,
            other => money == money.round(other),
        };
        if amount.is_some_and(|amount| amount <= Money::ZERO || !coins(amount)) {
            return Err(invalid("handed_over", Fault::Invalid));
        }
        if amount.is_none() && currency != account.currency {
            return Err(invalid("handed_over", Fault::Required));
        }
        Ok(Handed { currency, amount, rate })
    }

    /// How much of the order is to be covered: an amount, pieces of lines, an even part, or all of the rest.
    async fn amount(&self, account: &Account, sent: &NewPayment) -> Result<(Money, Vec<PaymentItem>)> {
        match (sent.amount, &sent.items, sent.parts) {
            (None, None, None) => Ok((account.free(), vec![])),
            (Some(amount), None, None) => Ok((amount, vec![])),
            (None, None, Some(parts)) => {
                let parts = u32::try_from(parts).unwrap_or(1);
                Ok((rules::even_part(account.free(), parts, account.currency), vec![]))
            }
            (None, Some(items), None) => {
                let amount = self.pieces(account, items).await?;
                // What a line costs may be more than what is left to pay, when an amount was paid before.
                Ok((amount.min(account.free()), items.clone()))
            }
            _ => Err(invalid("amount", Fault::Invalid).detail("one of amount, items and parts")),
        }
    }

    /// What pieces of lines cost that nobody has paid for.
    async fn pieces(&self, account: &Account, items: &[PaymentItem]) -> Result<Money> {
        let lines = store::items(self.tx, account.id).await?;
        let mut sum = Money::ZERO;
        let mut problem = Problem::new(Code::VALIDATION_FAILED);
        for (at, item) in items.iter().enumerate() {
            let twice = items.iter().take(at).any(|other| other.order_item_id == item.order_item_id);
            let Some(line) = lines.iter().find(|line| line.id == item.order_item_id && !twice) else {
                let fault = if twice { Fault::NotUnique } else { Fault::NotExist };
                problem = problem.key(format!("items.{at}.order_item_id"), fault);
                continue;
            };
            let before = line.paid + line.reversed;
            if before + item.quantity > line.quantity {
                problem = problem.key(format!("items.{at}.quantity"), Fault::Max);
            } else {
                sum += rules::share(line.price, line.quantity, before, item.quantity, account.currency);
            }
        }
        problem.if_any()?;
        Ok(sum)
    }

    /// What comes of the money that is handed over.
    /// Errors: `VALIDATION_FAILED` when it is too little.
    pub(super) fn cash(
        &self, key: &str, amount: Money, tip: Money, currency: Currency, handed: Handed,
    ) -> Result<Cash> {
        if key != "cash" {
            return Ok(exact(amount, tip));
        }
        rules::cash(amount, tip, currency, handed).map_err(|too_little| match too_little {
            TooLittle::Money => invalid("handed_over", Fault::Min),
            TooLittle::Tip => invalid("tip", Fault::Invalid).detail("what is handed over covers no tip"),
        })
    }
}
