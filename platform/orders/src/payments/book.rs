//! Taking money for an order: a payment by hand is begun and, once the money has come, a row of the ledger. See
//! `docs/decisions/payments.md`.

use access::prelude::*;
use customers::{
    BalanceRow, BalanceTransactionType, Ledger, PointRow, PointTransactionType, add_balance, add_points,
};
use kernel::money::{Currency, Money};
use poem_openapi::types::ToJSON;
use restaurants::Facts;
use rust_decimal::prelude::ToPrimitive;
use serde_json::json;
use uuid::Uuid;

use super::{
    account::Account,
    rules::{self, Cash, Handed, TooLittle},
    store::{self, Attempt, End, LedgerRow, NewAttempt},
    types::{NewPayment, PaymentConfirmation, PaymentId, PaymentItem, PaymentState},
};
use crate::{events::Event, read, state::Actor, values::OrderId};

/// Where and by whom money is moved.
#[derive(Clone, Copy)]
pub(crate) struct Till<'a> {
    pub tx: &'a TenantTx,
    pub restaurant: Id<Restaurant>,
    pub actor: Actor<'a>,
    pub now: Timestamp,
}

/// Keys of methods whose money lies at the restaurant itself.
pub(super) fn is_own_money(key: &str) -> bool {
    matches!(key, "balance" | "points")
}

fn invalid(field: &str, fault: Fault) -> Problem {
    Problem::new(Code::VALIDATION_FAILED).key(field, fault)
}

/// How an amount is to be paid.
struct Wanted {
    method: payments::ChosenMethod,
    amount: Money,
    tip: Money,
    handed: Handed,
    items: Vec<PaymentItem>,
}

impl<'a> Till<'a> {
    /// Takes money for an order. What is asked is at most what nobody else is paying yet.
    ///
    /// # Errors
    /// `ORDER_NOT_EXIST`, `ORDER_STATE_CHANGED`, `PAYMENT_ABOVE_DUE`, `POINTS_NOT_ENOUGH`, `VALIDATION_FAILED`.
    pub async fn take(self, id: Id<OrderId>, sent: &NewPayment) -> Result<(Id<PaymentId>, Vec<Event>)> {
        let account = self.payable(id).await?;
        let wanted = self.wanted(&account, sent).await?;
        let Wanted { method, amount, tip, handed, items } = wanted;
        let key = method.payment_key.as_str();
        let info = sent.payment_info.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let number = sent.authorisation_number.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let (state, cash) = if sent.confirmed {
            (PaymentState::Captured, self.cash(key, amount, tip, account.currency, handed)?)
        } else if matches!(key, "card" | "szep_kartya") {
            (PaymentState::Pending, exact(amount, tip))
        } else {
            return Err(invalid("confirmed", Fault::Invalid));
        };
        if key == "szep_kartya" && sent.confirmed && (number.is_none() || sent.issuer.is_none()) {
            let missing = [("authorisation_number", number.is_none()), ("issuer", sent.issuer.is_none())];
            let missing = missing.into_iter().filter(|(_, missing)| *missing);
            return Err(Problem::new(Code::VALIDATION_FAILED)
                .keys(missing.map(|(field, _)| (field.to_owned(), Fault::Required))));
        }
        let attempt = Attempt {
            id: Id::new(),
            order_id: id,
            payment_method_id: method.id,
            payment_key: key.to_owned(),
            amount: cash.value,
            tip,
            currency: account.currency,
            handed_currency: handed.currency,
            handed_over: (key == "cash").then_some(cash.handed_over),
            rate: (handed.currency != account.currency).then_some(handed.rate),
            issuer: sent.issuer,
            authorisation_number: number.map(str::to_owned),
            courier_id: sent.courier_id,
            state,
            assumed: false,
        };
        self.begin(&attempt, &items, info).await?;
        let events = if state == PaymentState::Captured {
            self.book(&account, &attempt, cash, self.now).await?
        } else {
            store::history(self.tx, id, "payment_begun", self.actor, self.told(&attempt)).await?;
            vec![Event::PaymentMade { order: account.event_order(), done: false }]
        };
        Ok((attempt.id, events))
    }

    /// Says what became of a payment that waits.
    ///
    /// # Errors
    /// `PAYMENT_NOT_EXIST`, `PAYMENT_STATE_CHANGED`, `VALIDATION_FAILED`.
    pub async fn confirm(
        self,
        id: Id<PaymentId>,
        sent: &PaymentConfirmation,
    ) -> Result<(Id<OrderId>, Vec<Event>)> {
        let (account, attempt) = self.waiting(id).await?;
        let reason = sent.reason.as_deref().map(str::trim).filter(|text| !text.is_empty());
        if !sent.paid {
            if reason.is_none() {
                return Err(invalid("reason", Fault::Required));
            }
            return self.end(&account, &attempt, PaymentState::Failed, reason).await;
        }
        let number = sent.authorisation_number.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let number = number.or(attempt.authorisation_number.as_deref());
        let issuer = sent.issuer.or(attempt.issuer);
        let szep = attempt.payment_key == "szep_kartya";
        if szep && (number.is_none() || issuer.is_none()) {
            let field = if number.is_none() { "authorisation_number" } else { "issuer" };
            return Err(invalid(field, Fault::Required));
        }
        let end = End {
            state: PaymentState::Captured,
            issuer,
            authorisation_number: number,
            body: json!({ "reason": reason }),
            actor: self.actor,
            now: self.now,
        };
        store::end(self.tx, attempt.id, end).await?;
        let attempt = Attempt { authorisation_number: number.map(str::to_owned), issuer, ..attempt.clone() };
        let cash = exact(attempt.amount, attempt.tip);
        let mut events = self.book(&account, &attempt, cash, self.now).await?;
        if !account.is_alive() {
            store::mark_late(self.tx, attempt.id).await?;
        }
        // The order, or pieces of it, was cancelled meanwhile: the money came, and what is not owed goes back.
        events.extend(self.settle_storno(account.id).await?);
        Ok((account.id, events))
    }

    /// Gives up a payment that waits.
    ///
    /// # Errors
    /// `PAYMENT_NOT_EXIST`, `PAYMENT_STATE_CHANGED`.
    pub async fn cancel(self, id: Id<PaymentId>, reason: Option<&str>) -> Result<(Id<OrderId>, Vec<Event>)> {
        let (account, attempt) = self.waiting(id).await?;
        self.end(&account, &attempt, PaymentState::Cancelled, reason).await
    }

    /// Books, as assumed, what is due of an order of which nobody has said anything: with the method that the
    /// order names, dated at the time that was promised.
    ///
    /// # Errors
    /// What the database says.
    pub async fn assume(
        self,
        account: &Account,
        method: (Uuid, &str),
        courier_id: Option<Uuid>,
        paid_at: Timestamp,
    ) -> Result<Vec<Event>> {
        let (id, key) = method;
        let handed = Handed { currency: account.currency, amount: None, rate: Money::from(1) };
        let cash = self.cash(key, account.free(), Money::ZERO, account.currency, handed)?;
        let attempt = Attempt {
            id: Id::new(),
            order_id: account.id,
            payment_method_id: id,
            payment_key: key.to_owned(),
            amount: cash.value,
            tip: Money::ZERO,
            currency: account.currency,
            handed_currency: account.currency,
            handed_over: (key == "cash").then_some(cash.handed_over),
            rate: None,
            issuer: None,
            authorisation_number: None,
            courier_id,
            state: PaymentState::Captured,
            assumed: true,
        };
        self.begin(&attempt, &[], None).await?;
        self.book(account, &attempt, cash, paid_at).await
    }

    /// The order, locked, when money may be taken for it.
    async fn payable(&self, id: Id<OrderId>) -> Result<Account> {
        let account = Account::lock(self.tx, self.restaurant, id).await?;
        if account.is_alive() && account.order_parent_id.is_none() {
            return Ok(account);
        }
        let current = read::order(self.tx, self.restaurant, id).await?.to_json().unwrap_or_default();
        Err(Problem::new(Code::ORDER_STATE_CHANGED).with("current", current))
    }

    /// A payment that waits, and its order, locked.
    async fn waiting(&self, id: Id<PaymentId>) -> Result<(Account, Attempt)> {
        let seen = store::attempt(self.tx, self.restaurant, id).await?;
        let account = Account::lock(self.tx, self.restaurant, seen.order_id).await?;
        let attempt = store::attempt(self.tx, self.restaurant, id).await?;
        if attempt.state == PaymentState::Pending {
            return Ok((account, attempt));
        }
        let current = store::payment(self.tx, self.restaurant, id).await?.to_json().unwrap_or_default();
        Err(Problem::new(Code::PAYMENT_STATE_CHANGED).with("current", current))
    }

    /// Checks what was sent against the order and the restaurant's methods.
    async fn wanted(&self, account: &Account, sent: &NewPayment) -> Result<Wanted> {
        let field = if sent.payment_method_id.is_some() { "payment_method_id" } else { "payment_method" };
        let key = sent.payment_method.as_deref();
        let method = payments::chosen(self.tx, self.restaurant, sent.payment_method_id, key).await?;
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
            && self.tx.row("select 1 from courier_name where id = $1", [courier.into()]).await?.is_none()
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
        Ok(Wanted { method, amount, tip, handed, items })
    }

    /// In which money it is handed over.
    async fn handed(&self, account: &Account, sent: &NewPayment) -> Result<Handed> {
        let currency = sent.currency.unwrap_or(account.currency);
        let rate = match (account.currency, currency) {
            (own, other) if own == other => Money::from(1),
            (Currency::Huf, Currency::Eur) => payments::euro_rate(self.tx, self.restaurant).await?,
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

    fn cash(&self, key: &str, amount: Money, tip: Money, currency: Currency, handed: Handed) -> Result<Cash> {
        if key != "cash" {
            return Ok(exact(amount, tip));
        }
        rules::cash(amount, tip, currency, handed).map_err(|too_little| match too_little {
            TooLittle::Money => invalid("handed_over", Fault::Min),
            TooLittle::Tip => invalid("tip", Fault::Invalid).detail("what is handed over covers no tip"),
        })
    }

    async fn begin(&self, attempt: &Attempt, items: &[PaymentItem], info: Option<&str>) -> Result<()> {
        let new = NewAttempt {
            id: attempt.id,
            restaurant: self.restaurant,
            order: attempt.order_id,
            method: attempt.payment_method_id,
            key: &attempt.payment_key,
            amount: attempt.amount,
            tip: attempt.tip,
            currency: attempt.currency,
            handed_currency: attempt.handed_currency,
            handed_over: attempt.handed_over,
            rate: attempt.rate,
            issuer: attempt.issuer,
            authorisation_number: attempt.authorisation_number.as_deref(),
            courier: attempt.courier_id,
            info,
            state: attempt.state,
            assumed: attempt.assumed,
            items,
            actor: self.actor,
            now: self.now,
        };
        new.insert(self.tx).await
    }

    /// The money has come: a row of the ledger, of the customer's balance or points, and the order is closed when
    /// nothing else is missing. `account` is the order as it was before.
    async fn book(
        &self,
        account: &Account,
        attempt: &Attempt,
        cash: Cash,
        paid_at: Timestamp,
    ) -> Result<Vec<Event>> {
        let facts = restaurants::facts(self.tx, self.restaurant).await?;
        let row = LedgerRow {
            restaurant: self.restaurant,
            attempt,
            refund: None,
            cash,
            courier: attempt.courier_id,
            day: facts.business_day(paid_at),
            paid_at,
            actor: self.actor,
        };
        row.insert(self.tx).await?;
        if account.payment_method_id != Some(attempt.payment_method_id) {
            // Lists find it by every method by which it was paid.
            crate::store::write_entry(self.tx, account.id, None).await?;
        }
        self.move_own_money(account, &attempt.payment_key, -cash.value, false).await?;
        let what = if attempt.assumed { "paid_assumed" } else { "paid" };
        store::history(self.tx, account.id, what, self.actor, self.told(attempt)).await?;
        let corrected = account.closed_at.is_some();
        let mut events = vec![Event::PaymentMade { order: account.event_order(), done: true }];
        if corrected {
            events.push(Event::Corrected(account.event_order()));
        }
        events.extend(self.close(account.id).await?);
        Ok(events)
    }

    /// Moves balance or points of the order's customer; nothing for other methods. Below zero is spent.
    pub(super) async fn move_own_money(
        &self,
        account: &Account,
        key: &str,
        value: Money,
        storno: bool,
    ) -> Result<()> {
        if !is_own_money(key) {
            return Ok(());
        }
        let customer = account.customer_id.ok_or_else(|| invalid("payment_method", Fault::Invalid))?;
        if storno && !customers::exists(self.tx, None, customer).await? {
            // Anonymised since: there is nobody whose balance it could go back to.
            return Ok(());
        }
        let ledger = self.ledger(account, customer);
        if key == "balance" {
            let kind = if storno { BalanceTransactionType::Storno } else { BalanceTransactionType::Order };
            let row = BalanceRow { value, kind, payment_method: None, comment: None };
            add_balance(self.tx, ledger, row).await?;
            return Ok(());
        }
        let kind = if storno { PointTransactionType::Storno } else { PointTransactionType::Order };
        let points = (value.value() / account.currency.unit()).to_i64().unwrap_or_default();
        // Nobody pays with points that are not there; what was spent comes back whatever there is.
        let least = (points < 0).then_some(0);
        add_points(self.tx, ledger, PointRow { value: points, kind, comment: None, least }).await?;
        Ok(())
    }

    pub(super) fn ledger(&self, account: &Account, customer: Id<customers::ShadowCustomers>) -> Ledger<'a> {
        let (_, actor_id, actor_name, _) = self.actor.columns();
        Ledger {
            customer,
            restaurant: self.restaurant,
            actor_id,
            actor_name,
            order: Some(customers::Order(account.id.uuid())),
            at: self.now,
        }
    }

    /// Ends a payment that waits without money.
    async fn end(
        &self,
        account: &Account,
        attempt: &Attempt,
        state: PaymentState,
        reason: Option<&str>,
    ) -> Result<(Id<OrderId>, Vec<Event>)> {
        let end = End {
            state,
            issuer: None,
            authorisation_number: None,
            body: json!({ "reason": reason }),
            actor: self.actor,
            now: self.now,
        };
        store::end(self.tx, attempt.id, end).await?;
        let what = if state == PaymentState::Failed { "payment_failed" } else { "payment_cancelled" };
        store::history(self.tx, account.id, what, self.actor, self.told(attempt)).await?;
        Ok((account.id, vec![Event::PaymentMade { order: account.event_order(), done: false }]))
    }

    /// What a line of history says of a payment.
    fn told(&self, attempt: &Attempt) -> serde_json::Value {
        json!({"payment_key": attempt.payment_key, "amount": attempt.amount, "tip": attempt.tip})
    }

    /// The settings of the restaurant.
    pub(super) async fn facts(&self) -> Result<Facts> {
        restaurants::facts(self.tx, self.restaurant).await
    }
}

/// Money that is exactly what is to be paid.
fn exact(amount: Money, tip: Money) -> Cash {
    Cash { value: amount, tip, rounding: Money::ZERO, handed_over: amount + tip, change: Money::ZERO }
}
