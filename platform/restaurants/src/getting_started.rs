//! The steps that are left before a restaurant can take orders: a list computed from the data. See
//! `docs/decisions/restaurants.md#getting-started`.
//!
//! Only the domain that owns a table knows whether its step is done, so each domain crate brings its steps
//! ([`access::domain::Domain::steps`]).

use access::{
    domain::{Domains, NEEDED, Step},
    prelude::*,
};
use futures_util::FutureExt;
use poem::web::Data;
use serde_json::json;

/// The steps that this crate's tables answer.
pub(crate) fn own_steps() -> Vec<Step> {
    vec![
        Step {
            key: "contact",
            needed: NEEDED,
            done: |tx, restaurant| holds(tx, CONTACT, restaurant).boxed(),
        },
        Step {
            key: "address",
            needed: NEEDED,
            done: |tx, restaurant| holds(tx, ADDRESS, restaurant).boxed(),
        },
        Step {
            key: "legal_data",
            needed: NEEDED,
            done: |tx, restaurant| holds(tx, LEGAL, restaurant).boxed(),
        },
        Step {
            key: "opening_hours",
            needed: NEEDED,
            done: |tx, restaurant| holds(tx, HOURS, restaurant).boxed(),
        },
        Step {
            key: "delivery",
            needed: |tx, restaurant| holds(tx, NO_WAY, restaurant).boxed(),
            done: |tx, restaurant| holds(tx, DELIVERY, restaurant).boxed(),
        },
    ]
}

const CONTACT: &str = "select coalesce(phone_1, '') <> '' and coalesce(contact_email, '') <> '' done from \
    restaurant where id = $1";
const ADDRESS: &str =
    "select city <> '' and street <> '' and premise_number <> '' done from restaurant where id = $1";
const LEGAL: &str = "select exists (select 1 from restaurant_legal where restaurant_id = $1) done";
const HOURS: &str = "select exists (select 1 from opening_hours where restaurant_id = $1) done";
/// Where something is delivered, some address can be delivered to.
const DELIVERY: &str = "select r.delivery_set_at is not null and (r.normal_delivery or r.preorder_delivery or \
    r.normal_pickup or r.preorder_pickup) and (d.anywhere or not (r.normal_delivery or r.preorder_delivery)) done \
    from restaurant r join delivery_reach d on d.restaurant_id = r.id where r.id = $1";
const NO_WAY: &str = "select not (r.normal_pickup or r.preorder_pickup \
    or d.anywhere and (r.normal_delivery or r.preorder_delivery)) done \
    from restaurant r join delivery_reach d on d.restaurant_id = r.id where r.id = $1";

async fn holds(tx: &TenantTx, sql: &'static str, restaurant: Id<Restaurant>) -> Result<bool> {
    Ok(tx.value(sql, [restaurant.into()]).await?.unwrap_or(false))
}

pub(crate) struct GettingStartedApi;

/// What is missing before the restaurant can take orders.
#[derive(Debug, Object)]
struct GettingStarted {
    /// In the order in which they are best done.
    items: Vec<GettingStartedItem>,
    /// Everything that is needed is done.
    complete: bool,
    /// Somebody does not want to see the list any more.
    dismissed: bool,
}

/// One step.
#[derive(Debug, Object)]
struct GettingStartedItem {
    /// `contact`, `address`, `legal_data`, `opening_hours`, `delivery`, `payment_methods`, `menu`,
    /// `test_order`, `staff`, `pins`.
    key: String,
    /// Somebody has done it. What a new restaurant begins with was done by nobody.
    done: bool,
    /// Without it the restaurant cannot open as things are; the others are good advice.
    needed: bool,
}

#[derive(Debug, Object)]
struct GettingStartedChange {
    dismissed: bool,
}

const DISMISSED: &str =
    "select guide_dismissed_at is not null dismissed from restaurant where id = $1 and archived_at is null";
const DISMISS: &str = "update restaurant set guide_dismissed_at = case when $2 then now() end where id = $1";

async fn dismissed(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<bool> {
    tx.value(DISMISSED, [restaurant.into()]).await?.ok_or_else(Problem::not_exist::<Restaurant>)
}

async fn state(tx: &TenantTx, domains: Domains, restaurant: Id<Restaurant>) -> Result<GettingStarted> {
    let mut items = Vec::new();
    for step in domains.iter().flat_map(|domain| domain.steps()) {
        let (done, needed) = ((step.done)(tx, restaurant).await?, (step.needed)(tx, restaurant).await?);
        items.push(GettingStartedItem { key: step.key.to_owned(), done, needed });
    }
    let complete = items.iter().all(|item| item.done || !item.needed);
    Ok(GettingStarted { items, complete, dismissed: dismissed(tx, restaurant).await? })
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/getting-started",
    tag = "Tag::Restaurants"
)]
impl GettingStartedApi {
    /// What is missing before the restaurant can take orders, computed from its data.
    #[oai(path = "/", method = "get", operation_id = "getting_started_get")]
    async fn get(
        &self, scope: In<Restaurant, perm::NoPermRequired>, domains: Data<&Domains>,
    ) -> Result<Json<GettingStarted>> {
        let tx = scope.begin().await?;
        state(&tx, domains.0, scope.restaurant()).await.map(Json)
    }

    /// Puts the list away for everybody of the restaurant, or brings it back.
    #[oai(path = "/", method = "put", operation_id = "getting_started_update")]
    async fn update(
        &self, scope: In<Restaurant, perm::RestaurantGeneral>, domains: Data<&Domains>,
        body: Body<GettingStartedChange>,
    ) -> Result<Json<GettingStarted>> {
        let GettingStartedChange { dismissed: wanted } = body.into_inner();
        let restaurant = scope.restaurant();
        let tx = scope.begin().await?;
        let before = dismissed(&tx, restaurant).await?;
        if before != wanted {
            tx.run(DISMISS, [restaurant.into(), wanted.into()]).await?;
            let details = json!({"dismissed": [before, wanted]});
            scope.audit(&tx, Some(restaurant.uuid()), "getting_started_update", restaurant, details).await?;
        }
        let after = state(&tx, domains.0, restaurant).await?;
        tx.commit().await?;
        Ok(Json(after))
    }
}
