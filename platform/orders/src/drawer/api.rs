//! Operations on drawers.

use access::{Idempotency, prelude::*};
use serde_json::json;
use uuid::Uuid;

use super::{
    close, hand_in,
    store::{self, Moving, Place},
    types::{
        Drawer, DrawerClose, DrawerCloseId, DrawerMovement, MovementKind, NewDrawerClose, NewDrawerMovement,
    },
};
use crate::{actor::Actor, events::publish_all, payments::Till, rights::reads};

pub(crate) struct Drawers;

/// Who counts cash: whoever takes it, and whoever settles with couriers.
type Cashiers = AnyOf<(perm::OrderAccept, perm::PosCourierSummary)>;

/// The drawer that is meant.
async fn place(tx: &TenantTx, restaurant: Id<Restaurant>, courier: Option<Uuid>) -> Result<Place> {
    if let Some(courier) = courier {
        let sql = "select 1 from courier_name where id = $1 and restaurant_id = $2";
        if tx.row(sql, [courier.into(), restaurant.into()]).await?.is_none() {
            return Err(Problem::new(Code::VALIDATION_FAILED).key("courier_id", Fault::NotExist));
        }
    }
    Ok(Place { restaurant, courier })
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/drawer",
    tag = "Tag::Payments"
)]
impl Drawers {
    /// A drawer since its last close: what should be in it, who took what, what closing it would book as assumed.
    #[oai(path = "/", method = "get", operation_id = "drawer_get")]
    async fn get(
        &self, scope: In<Restaurant, Cashiers>, courier_id: QueryParam<Uuid>,
    ) -> Result<Json<Drawer>> {
        reads(&scope)?;
        let tx = scope.begin().await?;
        let place = place(&tx, scope.restaurant(), courier_id.0).await?;
        let facts = restaurants::facts(&tx, scope.restaurant()).await?;
        let may = |key: &str| scope.may(key);
        let actor = Actor::Caller(scope.caller(), &may);
        let till = Till { tx: &tx, facts: &facts, actor, now: Timestamp::now() };
        close::drawer(till, place).await.map(Json)
    }

    /// Puts cash into a drawer, takes some out, or takes from a courier what he hands in: no more than he holds,
    /// unless it is `confirmed`.
    ///
    /// codes: COURIER_HOLDS_LESS
    #[oai(path = "/movements", method = "post", operation_id = "drawer_movements_create")]
    async fn move_cash(
        &self, scope: In<Restaurant, Cashiers>, key: IdempotencyKey, body: Body<NewDrawerMovement>,
    ) -> Result<Stored<DrawerMovement>> {
        let tx = scope.begin().await?;
        let first = match key.begin(&scope, &tx, "drawer_movements_create", body.raw()).await? {
            Idempotency::Replay(answer) => return Ok(answer),
            Idempotency::First(first) => first,
        };
        let place = place(&tx, scope.restaurant(), body.courier_id).await?;
        let facts = restaurants::facts(&tx, scope.restaurant()).await?;
        let currency = body.currency.unwrap_or(facts.currency);
        let mut problem = Problem::new(Code::VALIDATION_FAILED);
        if body.value != body.value.round(currency) {
            problem = problem.key("value", Fault::Invalid);
        }
        if body.kind == MovementKind::HandIn && body.courier_id.is_none() {
            problem = problem.key("courier_id", Fault::Required);
        }
        let reason = body.reason.trim();
        if reason.is_empty() {
            problem = problem.key("reason", Fault::Required);
        }
        problem.if_any()?;
        let may = |key: &str| scope.may(key);
        let now = Timestamp::now();
        let till = Till { tx: &tx, facts: &facts, actor: Actor::Caller(scope.caller(), &may), now };
        let above_held =
            body.kind == MovementKind::HandIn && hand_in::is_above(till, place, &body, currency).await?;
        let moving = Moving {
            kind: body.kind,
            value: body.value,
            currency,
            reason,
            actor: till.actor,
            day: facts.business_day(now),
            now,
        };
        let moved = store::insert_movement(&tx, place, moving).await?;
        let mut details = json!({"kind": [null, body.kind.to_value()], "value": [null, body.value],
            "reason": [null, reason], "courier_id": [null, body.courier_id]});
        if above_held {
            details["above_held"] = json!([null, true]);
        }
        scope
            .audit(&tx, Some(scope.restaurant().uuid()), "drawer_movements_create", moved.id, details)
            .await?;
        let answer = Stored::new(201, &moved);
        first.keep(&tx, &answer).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Closes a drawer: books what nobody has booked as assumed, and counts everything since the last close. A close
    /// never changes; what is entered later is in the next one.
    ///
    /// codes: CONFLICT
    #[oai(path = "/closes", method = "post", operation_id = "drawer_closes_create")]
    async fn close(
        &self, scope: In<Restaurant, Cashiers>, key: IdempotencyKey, body: Body<NewDrawerClose>,
    ) -> Result<Stored<DrawerClose>> {
        reads(&scope)?;
        let tx = scope.begin().await?;
        let first = match key.begin(&scope, &tx, "drawer_closes_create", body.raw()).await? {
            Idempotency::Replay(answer) => return Ok(answer),
            Idempotency::First(first) => first,
        };
        let restaurant = scope.restaurant();
        let place = place(&tx, restaurant, body.courier_id).await?;
        let may = |key: &str| scope.may(key);
        let actor = Actor::Caller(scope.caller(), &may);
        let facts = restaurants::facts(&tx, restaurant).await?;
        let till = Till { tx: &tx, facts: &facts, actor, now: Timestamp::now() };
        let (id, events) = close::close(till, place, &body).await?;
        let closed = store::close(&tx, restaurant, id).await?;
        let cash: Vec<_> = closed
            .lines
            .iter()
            .map(|line| json!([line.line.payment_key, line.line.expected, line.counted]))
            .collect();
        let details = json!({"courier_id": [null, body.courier_id], "lines": [null, cash]});
        scope.audit(&tx, Some(restaurant.uuid()), "drawer_closes_create", id, details).await?;
        publish_all(&tx, &events).await?;
        let answer = Stored::new(201, &closed);
        first.keep(&tx, &answer).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Closes of drawers, newest first, as far back as the till's configuration says (`daily_close_limit`).
    #[oai(path = "/closes", method = "get", operation_id = "drawer_closes_list")]
    async fn closes(
        &self, scope: In<Restaurant, Cashiers>, courier_id: QueryParam<Uuid>, paging: Paging,
    ) -> Result<Page<DrawerClose>> {
        reads(&scope)?;
        let tx = scope.begin().await?;
        let facts = restaurants::facts(&tx, scope.restaurant()).await?;
        let days = chrono::Days::new(u64::try_from(facts.daily_close_limit).unwrap_or_default());
        let today = facts.business_day(Timestamp::now()).0;
        let from = today.checked_sub_days(days).unwrap_or(today);
        let place = Place { restaurant: scope.restaurant(), courier: courier_id.0 };
        store::closes(&tx, place, from, &paging).await
    }

    /// One close, with who took what and what was assumed.
    ///
    /// codes: DRAWER_CLOSE_NOT_EXIST
    #[oai(path = "/closes/:id", method = "get", operation_id = "drawer_closes_get")]
    async fn close_of(
        &self, scope: In<Restaurant, Cashiers>, id: Path<Id<DrawerCloseId>>,
    ) -> Result<Json<DrawerClose>> {
        reads(&scope)?;
        let tx = scope.begin().await?;
        store::close(&tx, scope.restaurant(), *id).await.map(Json)
    }
}
