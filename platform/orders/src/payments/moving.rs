//! Money of an order whose items are changed goes to the order that takes its place. See
//! `docs/decisions/payments.md#moved`.

use access::prelude::*;
use kernel::money::Money;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{
    account::Account,
    store::{self, Attempt, LedgerRow},
    till::{Own, Till, exact},
    types::PaymentState,
};
use crate::values::OrderId;

/// What a customer's balance or points had paid of an order.
#[derive(Debug, FromQueryResult)]
pub(crate) struct OwnMoney {
    payment_method_id: Uuid,
    payment_key: String,
    value: Money,
}

/// Why the money of an order cannot go to another now: somebody is at work on it.
const UNDER_WAY: &str = "select case when exists (select from payment_attempt a where a.order_id = $1 \
            and a.state in ('created', 'pending', 'authorised', 'unknown')) then 'payment_under_way' \
        when exists (select from payment_refund f where f.order_id = $1 and (f.state in ('pending', 'unknown') \
            or f.state = 'created' and not f.by_storno)) then 'refund_under_way' end reason";

const OWN: &str = "select payment_method_id, payment_key, sum(value) as value from payable_transaction \
    where order_id = $1 and payment_key in ('balance', 'points') group by payment_method_id, payment_key \
    having sum(value) > 0 order by min(created_at), payment_key";

/// Off the old order: what is left of each payment, but for what a customer's balance and points paid and for what
/// was only assumed.
const OFF: &str = "insert into payable_transaction (id, restaurant_id, order_id, attempt_id, refunds_id, \
        payment_method_id, payment_key, value, rounding, tip, currency, courier_id, issuer, \
        authorisation_number, provider_ref, business_day, paid_at, moved, actor_kind, actor_id, actor_name, surface) \
    select gen_random_uuid(), t.restaurant_id, t.order_id, t.attempt_id, t.id, t.payment_method_id, t.payment_key, \
        -t.value - b.value, -t.rounding - b.rounding, -t.tip - b.tip, o.currency, t.courier_id, t.issuer, \
        t.authorisation_number, t.provider_ref, $2, $3, true, $4, $5, $6, $7 \
    from payable_transaction t join orders o on o.id = t.order_id, \
    lateral (select coalesce(sum(b.value), 0) as value, coalesce(sum(b.rounding), 0) rounding, \
        coalesce(sum(b.tip), 0) tip from payable_transaction b where b.refunds_id = t.id) b \
    where t.order_id = $1 and t.refunds_id is null and not t.assumed \
        and t.payment_key is distinct from 'balance' and t.payment_key is distinct from 'points' \
        and (t.value + b.value <> 0 or t.tip + b.tip <> 0)";

/// Onto the new one, as it had been paid.
const ONTO: &str = "with gone as (select m.id from payable_transaction m where m.order_id = $1 and m.moved \
        and m.refunds_id is not null), \
    a as (update payment_attempt set order_id = $2, version = version + 1 where id in \
        (select m.attempt_id from payable_transaction m join gone on gone.id = m.id)) \
    insert into payable_transaction (id, restaurant_id, order_id, attempt_id, payment_method_id, payment_key, value, \
        rounding, tip, currency, handed_over, rate, change_given, courier_id, issuer, authorisation_number, \
        provider_ref, payment_info, business_day, paid_at, moved, actor_kind, actor_id, actor_name, surface) \
    select gen_random_uuid(), m.restaurant_id, $2, m.attempt_id, m.payment_method_id, m.payment_key, -m.value, \
        -m.rounding, -m.tip, t.currency, t.handed_over, t.rate, t.change_given, m.courier_id, m.issuer, \
        m.authorisation_number, m.provider_ref, t.payment_info, m.business_day, m.paid_at, true, m.actor_kind, \
        m.actor_id, m.actor_name, m.surface \
    from gone join payable_transaction m on m.id = gone.id join payable_transaction t on t.id = m.refunds_id";

/// The pieces that the moved payments are for, as far as they stayed: each line's pieces stand in a row, those of the
/// payments and those that were kept, and each payment has the new lines that lie under its part.
const PIECES: &str = "with paid as (select p.attempt_id, p.order_item_id old, p.quantity pieces, \
            sum(p.quantity) over (partition by p.order_item_id order by p.attempt_id) till \
        from payment_attempt_item p join order_item i on i.id = p.order_item_id \
            join payment_attempt a on a.id = p.attempt_id where i.order_id = $1 and a.order_id = $2), \
    kept as (select k.order_item_id new, k.old_item_id old, k.quantity pieces, \
            sum(k.quantity) over (partition by k.old_item_id order by k.order_item_id) till \
        from order_item_kept k join order_item i on i.id = k.old_item_id where i.order_id = $1) \
    insert into payment_attempt_item (attempt_id, order_item_id, quantity) \
    select paid.attempt_id, kept.new, \
        sum(least(paid.till, kept.till) - greatest(paid.till - paid.pieces, kept.till - kept.pieces))::int \
    from paid join kept on kept.old = paid.old \
        and least(paid.till, kept.till) > greatest(paid.till - paid.pieces, kept.till - kept.pieces) \
    group by paid.attempt_id, kept.new";

/// Why the money of a locked order cannot go to another one now; none when it can.
pub(crate) async fn under_way(tx: &TenantTx, order: Id<OrderId>) -> Result<Option<String>> {
    Ok(tx.value::<Option<String>>(UNDER_WAY, [order.into()]).await?.flatten())
}

impl Till<'_> {
    /// Takes all money off an order that is archived because another takes its place. Balance and points go back to
    /// their customer, what was assumed is taken back, and the points that it had earned are. Answers what balance
    /// and points had paid.
    pub async fn take_off(self, id: Id<OrderId>) -> Result<Vec<OwnMoney>> {
        for refund in store::asked_by_storno(self.tx, id).await? {
            self.withdraw_one(id, &refund).await?;
        }
        let own: Vec<OwnMoney> = self.tx.all(OWN, [id.into()]).await?;
        let (kind, actor, name, surface) = self.actor.columns();
        let values = [
            id.into(),
            self.facts.business_day(self.now).into(),
            self.now.into(),
            kind.into(),
            actor.into(),
            name.into(),
            surface.into(),
        ];
        self.tx.run(OFF, values).await?;
        self.settle_storno(id).await?;
        Ok(own)
    }

    /// Puts what was taken off the old order onto the new one, whose lines are tied to the old ones; balance and points pay
    /// as before, at most its total.
    pub async fn put_onto(self, old: Id<OrderId>, new: Id<OrderId>, own: &[OwnMoney]) -> Result<()> {
        self.tx.run(ONTO, [old.into(), new.into()]).await?;
        self.tx.run(PIECES, [old.into(), new.into()]).await?;
        let account = Account::read(self.tx, self.facts.id, new).await?;
        let mut left = account.total_price.0;
        for money in own {
            let amount = money.value.min(left);
            if amount <= Money::ZERO {
                continue;
            }
            left -= amount;
            self.spend_again(&account, money, amount).await?;
        }
        Ok(())
    }

    async fn spend_again(self, account: &Account, money: &OwnMoney, amount: Money) -> Result<()> {
        let attempt = Attempt {
            id: Id::new(),
            order_id: account.id,
            payment_method_id: money.payment_method_id,
            payment_key: money.payment_key.clone(),
            amount,
            tip: Money::ZERO,
            currency: account.currency,
            handed_currency: account.currency,
            handed_over: None,
            rate: None,
            issuer: None,
            authorisation_number: None,
            courier_id: None,
            state: PaymentState::Captured,
            assumed: false,
            provider: None,
        };
        self.begin(&attempt, &[], None).await?;
        let row = LedgerRow {
            restaurant: self.facts.id,
            attempt: &attempt,
            refund: None,
            cash: exact(amount, Money::ZERO),
            courier: None,
            day: self.facts.business_day(self.now),
            paid_at: self.now,
            actor: self.actor,
        };
        row.insert(self.tx).await?;
        self.move_own_money(account, &money.payment_key, -amount, Own::Again).await
    }
}
