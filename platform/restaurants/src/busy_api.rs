//! Saying that orders take longer, and for how long. See
//! `docs/decisions/orders.md#busy`.

use access::prelude::*;

use crate::{
    Event,
    busy::Busy,
    settings::{self, ActiveModel, Model, RestaurantDetails, changes::shown},
};

pub(crate) struct RestaurantBusy;

/// The longest time for which a restaurant is busy. Hours.
const LONGEST: i64 = 24;

/// How much longer orders take, and until when.
#[derive(Debug, Object)]
struct RestaurantBusyTime {
    /// 10, 20 or 30.
    #[oai(validator(minimum(value = "10"), maximum(value = "30")))]
    busy_minutes: i32,
    /// When it ends by itself: later than now, and at most 24 hours from now.
    busy_until: Timestamp,
}

impl RestaurantBusyTime {
    /// One of the choices, until an instant that is not far.
    fn checked(&self, now: Timestamp) -> Result<Busy> {
        let Self { busy_minutes: minutes, busy_until: until } = *self;
        // A schema's enum is of texts only.
        let minutes_fault = (minutes % 10 != 0).then_some(("busy_minutes", Fault::Invalid));
        let fault = if until <= now {
            Some(Fault::Min)
        } else if until > now.plus_minutes(LONGEST * 60) {
            Some(Fault::Max)
        } else {
            None
        };
        let faults = minutes_fault.into_iter().chain(fault.map(|fault| ("busy_until", fault)));
        Problem::new(Code::VALIDATION_FAILED)
            .keys(faults.map(|(key, fault)| (key.to_owned(), fault)))
            .if_any()?;
        Ok(Busy { minutes, until })
    }
}

/// Sets it, or ends it, and tells open windows. Saying what is so already changes nothing.
async fn set<P>(
    scope: &In<Restaurant, P>, action: &str, busy: impl FnOnce(Timestamp) -> Result<Option<Busy>>,
) -> Result<Json<RestaurantDetails>> {
    let tx = scope.begin().await?;
    let before = settings::lock(&tx, scope.restaurant()).await?;
    let busy = busy(Timestamp::now())?;
    if before.busy() == busy {
        return Ok(Json(RestaurantDetails::of(before, scope.partner())));
    }
    let after = save(&tx, before.clone(), busy).await?;
    let [before, after] = [before, after].map(|row| RestaurantDetails::of(row, scope.partner()));
    let changed = access::difference(&shown(&before), &shown(&after));
    scope.audit(&tx, Some(scope.restaurant().uuid()), action, scope.restaurant(), changed).await?;
    // Last, because it locks what every order needs.
    work::events::publish(&tx, &Event::Changed(scope.restaurant())).await?;
    tx.commit().await?;
    Ok(Json(after))
}

/// Menus say how long an order takes, so the version of what guests see rises. That of the settings does not: whoever
/// edits them meanwhile has not missed anything.
async fn save(tx: &TenantTx, before: Model, busy: Option<Busy>) -> Result<Model> {
    let version = before.catalogue_version;
    let mut row: ActiveModel = before.into_active_model();
    (row.busy_minutes, row.busy_until) =
        (Set(busy.map(|busy| busy.minutes)), Set(busy.map(|busy| busy.until)));
    row.catalogue_version = Set(version + 1);
    Ok(row.update(tx).await?)
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/busy",
    tag = "Tag::Restaurants"
)]
impl RestaurantBusy {
    /// Says that the restaurant is busy: until then orders for now take 10, 20 or 30 minutes more.
    ///
    /// Guests are told so with the restaurant, its menu and quotes, and accepting promises it. It ends by itself. Saying
    /// it again changes it.
    #[oai(path = "/", method = "put", operation_id = "restaurants_busy")]
    async fn set(
        &self, scope: In<Restaurant, perm::OrderAccept>, body: Body<RestaurantBusyTime>,
    ) -> Result<Json<RestaurantDetails>> {
        set(&scope, "restaurants_busy", |now| body.checked(now).map(Some)).await
    }

    /// Says that orders take as long as usual again.
    #[oai(path = "/", method = "delete", operation_id = "restaurants_busy_end")]
    async fn end(&self, scope: In<Restaurant, perm::OrderAccept>) -> Result<Json<RestaurantDetails>> {
        set(&scope, "restaurants_busy_end", |_| Ok(None)).await
    }
}
