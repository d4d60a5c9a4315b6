//! Money that goes back: asked, done, or not. Only what is done is a row of the ledger. See
//! `docs/decisions/payments.md#refunds`.

use access::{Approver, prelude::*};
use customers::{PointRow, PointTransactionType, add_points};
use kernel::money::Money;
use poem_openapi::types::ToJSON;
use serde_json::json;

use super::{
    account::Account,
    lists, online,
    rules::{Cash, Received},
    store::{self, Attempt, LedgerRow, NewRefundRow, Taken},
    till::{Own, Till, is_own_money},
    types::{NewRefund, PaymentId, RefundId, RefundState},
};
use crate::{actor::Actor, events::Event, values::OrderId};

/// Hours after which a provider that has not been asked for a refund cannot be asked.
const ASKED_FOR: i64 = 24;

struct RefundRequest<'a> {
    amount: Money,
    tip: Money,
    reason: Option<&'a str>,
    by_storno: bool,
    waits: bool,
    approver: Option<&'a Approver>,
}

impl Till<'_> {
    /// Gives money back, or asks that somebody does. Balance and points go back at once.
    /// Errors: `PAYMENT_NOT_EXIST`, `REFUND_ABOVE_PAID`, `VALIDATION_FAILED`.
    pub async fn refund(
        self, id: Id<PaymentId>, sent: &NewRefund, approver: Option<&Approver>,
    ) -> Result<(Id<RefundId>, Vec<Event>)> {
        let seen = store::attempt(self.tx, self.facts.id, id).await?;
        let account = Account::lock(self.tx, self.facts.id, seen.order_id).await?;
        let attempt = store::attempt(self.tx, self.facts.id, id).await?;
        let Some(taken) = Taken::of(self.tx, account.id, id).await? else {
            return Err(above(Money::ZERO, Money::ZERO));
        };
        let tip = sent.tip.unwrap_or_default();
        // Nobody who names the tip alone means the rest of the amount too.
        let rest = if sent.tip.is_some() { Money::ZERO } else { taken.left() };
        let amount = sent.amount.unwrap_or(rest);
        let mut problem = Problem::new(Code::VALIDATION_FAILED);
        for (field, value) in [("amount", amount), ("tip", tip)] {
            if value.is_negative() {
                problem = problem.key(field, Fault::Min);
            } else if value != value.round(account.currency) {
                problem = problem.key(field, Fault::Invalid);
            }
        }
        problem.if_any()?;
        if amount > taken.left() || tip > taken.left_tip() || (amount + tip).is_zero() {
            return Err(above(taken.left(), taken.left_tip()));
        }
        let reason = sent.reason.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let asking = RefundRequest { amount, tip, reason, by_storno: false, waits: false, approver };
        let refund = self.ask(&attempt, &asking).await?;
        let mut events = vec![Event::RefundAsked(account.event_order())];
        // A provider is asked by a job: no person says that it has given back.
        let by_hand = sent.done && attempt.provider.is_none();
        if by_hand || is_own_money(&attempt.payment_key) || attempt.assumed {
            events = self.give_back(&account, &attempt, refund, (amount, tip), reason).await?;
            events.extend(self.withdraw(account.id).await?);
        }
        Ok((refund, events))
    }

    /// Says what became of a refund that was asked.
    /// Errors: `REFUND_NOT_EXIST`, `REFUND_STATE_CHANGED`, `VALIDATION_FAILED`.
    pub async fn confirm_refund(
        self, id: Id<RefundId>, done: bool, reason: Option<&str>,
    ) -> Result<(Id<OrderId>, Vec<Event>)> {
        let seen = lists::refund(self.tx, self.facts.id, id).await?;
        let account = Account::lock(self.tx, self.facts.id, seen.order_id).await?;
        let refund = lists::refund(self.tx, self.facts.id, id).await?;
        let attempt = store::attempt(self.tx, self.facts.id, refund.attempt_id).await?;
        // What the provider can tell no person says, but for one that could not be asked for a day; what still waits for a
        // person can be dropped.
        let is_away = self.now.0 - refund.created_at.0 > chrono::Duration::hours(ASKED_FOR);
        let by_provider = attempt.provider.is_some() && !is_away && (done || !refund.waits);
        if refund.state != RefundState::Created || by_provider {
            let current = refund.to_json().unwrap_or_default();
            return Err(Problem::new(Code::REFUND_STATE_CHANGED).with("current", current));
        }
        if done {
            let sums = (refund.amount.0, refund.tip.0);
            let mut events = self.give_back(&account, &attempt, id, sums, reason).await?;
            events.extend(self.withdraw(account.id).await?);
            return Ok((account.id, events));
        }
        if reason.is_none() {
            return Err(Problem::new(Code::VALIDATION_FAILED).key("reason", Fault::Required));
        }
        let by = self.actor.columns().2;
        store::end_refund(self.tx, id, RefundState::Failed, by, reason, self.now).await?;
        let details = json!({"payment_key": refund.payment_key, "amount": refund.amount, "tip": refund.tip});
        store::history(self.tx, account.id, "refund_failed", self.actor, details).await?;
        Ok((account.id, vec![Event::RefundFailed(account.event_order())]))
    }

    /// Lets a refund go to its provider that waited for a person.
    /// Errors: `REFUND_NOT_EXIST`, `REFUND_STATE_CHANGED`.
    pub async fn send_refund(self, id: Id<RefundId>) -> Result<(Id<OrderId>, Vec<Event>)> {
        let seen = lists::refund(self.tx, self.facts.id, id).await?;
        let account = Account::lock(self.tx, self.facts.id, seen.order_id).await?;
        if !store::let_go(self.tx, id).await? {
            let current = lists::refund(self.tx, self.facts.id, id).await?.to_json().unwrap_or_default();
            return Err(Problem::new(Code::REFUND_STATE_CHANGED).with("current", current));
        }
        let details = json!({"payment_key": seen.payment_key, "amount": seen.amount});
        store::history(self.tx, account.id, "refund_let_go", self.actor, details).await?;
        Ok((account.id, vec![Event::RefundAsked(account.event_order())]))
    }

    /// Whether what a person's storno gives back by this attempt's provider waits for a person.
    async fn asks_first(&self, attempt: &Attempt) -> Result<bool> {
        if attempt.provider.is_none() || !matches!(self.actor, Actor::Caller(..)) {
            return Ok(false);
        }
        Ok(payment_methods::online_settings(self.tx, self.facts.id).await?.ask_before_refunds)
    }

    /// After a storno: asks for the refund of what was paid and is no longer due, from the newest payment back,
    /// balance and points last and at once. What waits to be paid goes on: its money may come all the same.
    pub async fn settle_storno(self, id: Id<OrderId>) -> Result<Vec<Event>> {
        let mut events = self.withdraw(id).await?;
        let account = Account::read(self.tx, self.facts.id, id).await?;
        online::settle_held(self.tx, &account).await?;
        let mut left = account.to_ask();
        if left > Money::ZERO {
            for payment in store::refundable(self.tx, id).await? {
                let attempt = store::attempt(self.tx, self.facts.id, Id::from_uuid(payment)).await?;
                let Some(taken) = Taken::of(self.tx, id, attempt.id).await? else { continue };
                let amount = taken.left().min(left);
                if amount <= Money::ZERO {
                    continue;
                }
                left -= amount;
                let waits = self.asks_first(&attempt).await?;
                let tip = Money::ZERO;
                let asking =
                    RefundRequest { amount, tip, reason: None, by_storno: true, waits, approver: None };
                let refund = self.ask(&attempt, &asking).await?;
                if is_own_money(&attempt.payment_key) || attempt.assumed {
                    events.extend(
                        self.give_back(&account, &attempt, refund, (amount, Money::ZERO), None).await?,
                    );
                } else {
                    events.push(Event::RefundAsked(account.event_order()));
                }
            }
        }
        // Balance and points may have gone back.
        let account =
            if events.is_empty() { account } else { Account::read(self.tx, self.facts.id, id).await? };
        self.settle_points(&account).await?;
        Ok(events)
    }

    /// Takes back what was asked and is not owed any more: the order has become dearer again, or the money went back
    /// another way. Nobody hands it out twice.
    pub(super) async fn withdraw(self, id: Id<OrderId>) -> Result<Vec<Event>> {
        let account = Account::read(self.tx, self.facts.id, id).await?;
        let mut over = account.over_asked();
        let mut events = Vec::new();
        if over <= Money::ZERO {
            return Ok(events);
        }
        for refund in store::asked_by_storno(self.tx, id).await? {
            if over <= Money::ZERO {
                break;
            }
            over -= refund.amount;
            self.withdraw_one(id, &refund).await?;
            events.push(Event::RefundFailed(account.event_order()));
        }
        Ok(events)
    }

    pub(super) async fn withdraw_one(self, id: Id<OrderId>, refund: &store::AskedRefund) -> Result<()> {
        let by = self.actor.columns().2;
        store::end_refund(self.tx, refund.id, RefundState::Failed, by, None, self.now).await?;
        let details = json!({"payment_key": refund.payment_key, "amount": refund.amount});
        store::history(self.tx, id, "refund_withdrawn", self.actor, details).await
    }

    async fn ask(&self, attempt: &Attempt, asking: &RefundRequest<'_>) -> Result<Id<RefundId>> {
        let id = Id::new();
        let new = NewRefundRow {
            id,
            restaurant: self.facts.id,
            attempt,
            amount: asking.amount,
            tip: asking.tip,
            reason: asking.reason,
            by_storno: asking.by_storno,
            waits: asking.waits,
            approver: asking.approver,
            actor: self.actor,
            now: self.now,
        };
        new.insert(self.tx).await?;
        let details = json!({"payment_key": attempt.payment_key, "amount": asking.amount, "tip": asking.tip,
            "approved_by": asking.approver.map(|approver| &approver.name)});
        store::history(self.tx, attempt.order_id, "refund_asked", self.actor, details).await?;
        Ok(id)
    }

    /// The money is back: a negative row of the ledger. `account` is the order as it was before.
    pub(super) async fn give_back(
        &self, account: &Account, attempt: &Attempt, refund: Id<RefundId>, (amount, tip): (Money, Money),
        reason: Option<&str>,
    ) -> Result<Vec<Event>> {
        let taken = Taken::of(self.tx, account.id, attempt.id).await?.ok_or(Code::UNKNOWN_ERROR)?;
        let out = if attempt.payment_key == "cash" {
            let received = Received { covered: taken.value + taken.tip, rounding: taken.rounding };
            let back = taken.back + taken.back_tip + amount + tip;
            received.handed_out(back, account.currency) - taken.handed_out
        } else {
            amount + tip
        };
        let cash = Cash {
            value: -amount,
            tip: -tip,
            rounding: amount + tip - out,
            handed_over: -out,
            change: Money::ZERO,
        };
        // Money goes back in the order's currency, whatever was handed over for it.
        let own = Attempt { handed_currency: account.currency, rate: None, ..attempt.clone() };
        let row = LedgerRow {
            restaurant: self.facts.id,
            attempt: &own,
            refund: Some((refund, taken.row)),
            cash,
            courier: attempt.courier_id.filter(|_| attempt.assumed),
            day: self.facts.business_day(self.now),
            paid_at: self.now,
            actor: self.actor,
        };
        row.insert(self.tx).await?;
        let by = self.actor.columns().2;
        store::end_refund(self.tx, refund, RefundState::Succeeded, by, reason, self.now).await?;
        self.move_own_money(account, &attempt.payment_key, amount, Own::Returned).await?;
        let details = json!({"payment_key": attempt.payment_key, "amount": amount, "tip": tip});
        store::history(self.tx, account.id, "refunded", self.actor, details).await?;
        let mut events = vec![Event::Refunded(account.event_order())];
        if account.closed_at.is_some() {
            self.settle_points(&Account::read(self.tx, self.facts.id, account.id).await?).await?;
            events.push(Event::Corrected(account.event_order()));
        }
        Ok(events)
    }

    /// Closes an order that is accepted, whose time has come and of which nothing is left to pay: once. Its
    /// customer gets the points then.
    pub async fn close(&self, id: Id<OrderId>) -> Result<Option<Event>> {
        let account = Account::read(self.tx, self.facts.id, id).await?;
        online::settle_held(self.tx, &account).await?;
        self.close_settled(account).await
    }

    /// The same for an order whose figures are known.
    pub(super) async fn close_settled(&self, account: Account) -> Result<Option<Event>> {
        let settled = account.is_alive() && account.due() <= Money::ZERO && account.order_parent_id.is_none();
        let (Some(accepted_at), None, true) = (account.accepted_at, account.closed_at, settled) else {
            return Ok(None);
        };
        if account.show_at > self.now {
            return Ok(None);
        }
        let at = accepted_at.max(account.show_at).max(account.last_paid_at.unwrap_or(accepted_at));
        if !store::close(self.tx, account.id, at).await? {
            return Ok(None);
        }
        let account = Account { closed_at: Some(at), ..account };
        self.settle_points(&account).await?;
        store::history(self.tx, account.id, "closed", self.actor, json!({})).await?;
        Ok(Some(Event::Closed(account.event_order())))
    }

    /// Makes the points earned with an order what they are by now: none before it is closed and after a storno,
    /// else the share of its goods that points did not pay.
    pub(super) async fn settle_points(&self, account: &Account) -> Result<()> {
        let Some(customer) = account.customer_id.filter(|_| account.points_earned > 0) else { return Ok(()) };
        if !customers::exists(self.tx, None, customer).await? {
            // Anonymised since: there is nobody to get or lose points.
            return Ok(());
        }
        let goods = account.products_price.0 + account.reversed_goods.0 - account.by_points.0;
        let earned = if account.closed_at.is_some() && account.archived_at.is_none() {
            points(account.point_cash_ratio.of(goods.max(Money::ZERO)), account.currency.unit())
        } else {
            0
        };
        let has = customers::earned_points(self.tx, account.id.uuid()).await?;
        if earned != has {
            let kind = if earned > has { PointTransactionType::Earned } else { PointTransactionType::Storno };
            let row = PointRow { value: earned - has, kind, comment: None, least: None };
            add_points(self.tx, self.ledger(account, customer), row).await?;
        }
        Ok(())
    }
}

/// Whole points of an amount: one is the smallest unit of the currency.
fn points(amount: Money, unit: rust_decimal::Decimal) -> i64 {
    use rust_decimal::prelude::ToPrimitive;
    (amount.value() / unit).floor().to_i64().unwrap_or_default()
}

fn above(left: Money, left_tip: Money) -> Problem {
    Problem::new(Code::REFUND_ABOVE_PAID)
        .with("left", left.to_json().unwrap_or_default())
        .with("left_tip", left_tip.to_json().unwrap_or_default())
}
