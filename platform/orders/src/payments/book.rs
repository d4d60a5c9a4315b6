//! Taking money for an order: a payment by hand is begun and, once the money has come, a row of the ledger. See
//! `docs/decisions/payments.md`.

use access::prelude::*;
use customers::{
    BalanceRow, BalanceTransactionType, Ledger, PointRow, PointTransactionType, add_balance, add_points,
};
use kernel::money::Money;
use poem_openapi::types::ToJSON;
use rust_decimal::prelude::ToPrimitive;
use serde_json::json;
use uuid::Uuid;

use super::{
    account::Account,
    checked::CheckedPayment,
    lists,
    rules::{Cash, Handed},
    store::{self, Attempt, End, LedgerRow, NewAttempt},
    till::{Own, Till, exact, invalid, is_own_money},
    types::{NewPayment, PaymentConfirmation, PaymentId, PaymentItem, PaymentState},
};
use crate::{events::Event, read, values::OrderId};

impl<'a> Till<'a> {
    /// Takes money for an order. What is asked is at most what nobody else is paying yet.
    /// Errors: `ORDER_NOT_EXIST`, `ORDER_STATE_CHANGED`, `PAYMENT_ABOVE_DUE`, `POINTS_NOT_ENOUGH`,
    /// `VALIDATION_FAILED`.
    pub async fn take(self, id: Id<OrderId>, sent: &NewPayment) -> Result<(Id<PaymentId>, Vec<Event>)> {
        let account = self.payable(id).await?;
        let wanted = self.checked(&account, sent).await?;
        let CheckedPayment { method, amount, tip, handed, items } = wanted;
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
            provider: None,
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
    /// Errors: `PAYMENT_NOT_EXIST`, `PAYMENT_STATE_CHANGED`, `VALIDATION_FAILED`.
    pub async fn confirm(
        self, id: Id<PaymentId>, sent: &PaymentConfirmation,
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
    /// Errors: `PAYMENT_NOT_EXIST`, `PAYMENT_STATE_CHANGED`.
    pub async fn cancel(self, id: Id<PaymentId>, reason: Option<&str>) -> Result<(Id<OrderId>, Vec<Event>)> {
        let (account, attempt) = self.waiting(id).await?;
        self.end(&account, &attempt, PaymentState::Cancelled, reason).await
    }

    /// Books, as assumed, what is due of an order of which nobody has said anything: with the method that the
    /// order names, dated at the time that was promised.
    pub async fn assume(
        self, account: &Account, method: (Uuid, &str), courier_id: Option<Uuid>, paid_at: Timestamp,
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
            provider: None,
        };
        self.begin(&attempt, &[], None).await?;
        self.book(account, &attempt, cash, paid_at).await
    }

    /// The order, locked, when money may be taken for it.
    async fn payable(&self, id: Id<OrderId>) -> Result<Account> {
        let account = Account::lock(self.tx, self.facts.id, id).await?;
        if account.is_alive() && account.order_parent_id.is_none() {
            return Ok(account);
        }
        let current = read::order(self.tx, self.facts.id, id).await?.to_json().unwrap_or_default();
        Err(Problem::new(Code::ORDER_STATE_CHANGED).with("current", current))
    }

    /// A payment that waits, and its order, locked.
    async fn waiting(&self, id: Id<PaymentId>) -> Result<(Account, Attempt)> {
        let seen = store::attempt(self.tx, self.facts.id, id).await?;
        let account = Account::lock(self.tx, self.facts.id, seen.order_id).await?;
        let attempt = store::attempt(self.tx, self.facts.id, id).await?;
        if attempt.state == PaymentState::Pending && attempt.provider.is_none() {
            return Ok((account, attempt));
        }
        let current = lists::payment(self.tx, self.facts.id, id).await?.to_json().unwrap_or_default();
        Err(Problem::new(Code::PAYMENT_STATE_CHANGED).with("current", current))
    }

    pub(super) async fn begin(
        &self, attempt: &Attempt, items: &[PaymentItem], info: Option<&str>,
    ) -> Result<()> {
        let restaurant = self.facts.id;
        NewAttempt { attempt, restaurant, items, info, actor: self.actor, now: self.now }
            .insert(self.tx)
            .await
    }

    /// The money has come: a row of the ledger, of the customer's balance or points, and the order is closed when
    /// nothing else is missing. `account` is the order as it was before.
    pub(super) async fn book(
        &self, account: &Account, attempt: &Attempt, cash: Cash, paid_at: Timestamp,
    ) -> Result<Vec<Event>> {
        let row = LedgerRow {
            restaurant: self.facts.id,
            attempt,
            refund: None,
            cash,
            courier: attempt.courier_id,
            day: self.facts.business_day(paid_at),
            paid_at,
            actor: self.actor,
        };
        row.insert(self.tx).await?;
        if account.counter.is_some() && account.payment_method_id != Some(attempt.payment_method_id) {
            // Lists find it by every method by which it was paid. An order that waits is in none yet.
            crate::store::write_entry(self.tx, account.id, None).await?;
        }
        self.move_own_money(account, &attempt.payment_key, -cash.value, Own::Spent).await?;
        let what = if attempt.assumed { "paid_assumed" } else { "paid" };
        store::history(self.tx, account.id, what, self.actor, self.told(attempt)).await?;
        let corrected = account.closed_at.is_some();
        let mut events = vec![Event::PaymentMade { order: account.event_order(), done: true }];
        let after = Account::read(self.tx, self.facts.id, account.id).await?;
        if corrected {
            self.settle_points(&after).await?;
            events.push(Event::Corrected(account.event_order()));
        } else {
            events.extend(self.close_settled(after).await?);
        }
        Ok(events)
    }

    /// Moves balance or points of the order's customer; nothing for other methods. Below zero is spent.
    pub(super) async fn move_own_money(
        &self, account: &Account, key: &str, value: Money, own: Own,
    ) -> Result<()> {
        let storno = own == Own::Returned;
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
        // Nobody pays with points that are not there; what was spent comes back whatever there is, and goes again to
        // the order that takes the place of the one that it had paid.
        let least = (own == Own::Spent).then_some(0);
        add_points(self.tx, ledger, PointRow { value: points, kind, comment: None, least }).await?;
        Ok(())
    }

    pub(super) fn ledger(&self, account: &Account, customer: Id<customers::ShadowCustomers>) -> Ledger<'a> {
        let (_, actor_id, actor_name, _) = self.actor.columns();
        Ledger {
            customer,
            restaurant: self.facts.id,
            actor_id,
            actor_name,
            order: Some(customers::Order(account.id.uuid())),
            at: self.now,
        }
    }

    /// Ends a payment that waits without money.
    async fn end(
        &self, account: &Account, attempt: &Attempt, state: PaymentState, reason: Option<&str>,
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
}
