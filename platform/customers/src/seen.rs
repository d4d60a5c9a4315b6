//! The customers that a caller may see: those of the restaurant, with figures of the restaurants where the
//! caller may act. See `docs/decisions/customers.md#who-sees-whom`.

use access::{Pin, prelude::*};
use kernel::{
    money::Currency,
    time::{CalendarDay, TimeOfDay, Tz, first_instant},
};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::{ShadowCustomers, exists};

/// Where customers are edited.
pub(crate) type Here = In<Restaurant, perm::Customer>;

#[derive(Debug, FromQueryResult)]
struct Place {
    id: Uuid,
    restaurant_group_id: Uuid,
    currency: Currency,
    timezone: String,
    features: Vec<String>,
    /// The caller may act there.
    mine: bool,
}

const PLACES: &str = "select r.id, r.restaurant_group_id, r.currency, r.timezone, r.features, \
        $1 or r.id = any ($2) mine from restaurant_facts r";

/// The restaurant of a call and what its caller may see.
#[derive(Debug)]
pub(crate) struct Seen {
    pub restaurant: Uuid,
    pub group: Uuid,
    pub currency: Currency,
    pub zone: Tz,
    /// The caller acts for the whole partner.
    pub whole: bool,
    /// Where the caller may act.
    pub restaurants: Vec<Uuid>,
    /// Those of them with the currency of this one: their figures are added up.
    pub summed: Vec<Uuid>,
    /// All restaurants of the partner have the same currency.
    pub one_currency: bool,
    /// The features of this restaurant.
    pub balance: bool,
    pub loyalty: bool,
}

impl Seen {
    /// What this caller sees at this restaurant.
    /// Errors: `RESTAURANT_NOT_EXIST`; what the database says.
    pub async fn of<P>(tx: &TenantTx, scope: &In<Restaurant, P>) -> Result<Self> {
        let caller = scope.caller();
        let whole = caller.whole_partner();
        let own = caller.restaurants(tx).await?;
        let places: Vec<Place> = tx.all(PLACES, [whole.into(), own.into()]).await?;
        let restaurant = scope.restaurant().uuid();
        let here = places.iter().find(|place| place.id == restaurant);
        let here = here.ok_or_else(Problem::not_exist::<Restaurant>)?;
        // Where the caller acts now is always among them, also for support.
        let mine = |place: &&Place| place.mine || place.id == restaurant;
        let ids = |summed: bool| {
            let fits = |place: &&Place| mine(place) && (!summed || place.currency == here.currency);
            places.iter().filter(fits).map(|place| place.id).collect::<Vec<_>>()
        };
        let has = |feature: &str| here.features.iter().any(|one| one == feature);
        Ok(Self {
            restaurant,
            group: here.restaurant_group_id,
            currency: here.currency,
            zone: here.timezone.parse().map_err(|_| Code::UNKNOWN_ERROR)?,
            whole,
            restaurants: ids(false),
            summed: ids(true),
            one_currency: places.iter().all(|place| place.currency == here.currency),
            balance: has("balance"),
            loyalty: has("loyalty"),
        })
    }

    /// The first instant of this day here.
    pub fn begin(&self, day: CalendarDay) -> Timestamp {
        first_instant(self.zone, day.0, TimeOfDay::MIDNIGHT)
    }

    /// The first instant after this day.
    pub fn end(&self, day: CalendarDay) -> Timestamp {
        let next = day.0.succ_opt().unwrap_or(day.0);
        first_instant(self.zone, next, TimeOfDay::MIDNIGHT)
    }
}

/// Whose customers the caller finds: those of this restaurant, or all of the partner.
pub(crate) fn seen_from<P>(scope: &In<Restaurant, P>) -> Option<Id<Restaurant>> {
    (!scope.caller().whole_partner()).then(|| scope.restaurant())
}

/// Begins a unit of work about a customer: what is not there is said first, then the PIN is asked for.
/// Errors: `SHADOW_CUSTOMER_NOT_EXIST`; those of [`Pin::own`].
pub(crate) async fn open<P>(
    scope: &In<Restaurant, P>, pin: &Pin, id: Id<ShadowCustomers>,
) -> Result<TenantTx> {
    let tx = scope.begin().await?;
    find(&tx, scope, id).await?;
    tx.commit().await?;
    pin.own(scope).await?;
    scope.begin().await
}

/// Refuses a customer whom the caller cannot find here.
/// Errors: `SHADOW_CUSTOMER_NOT_EXIST`.
pub(crate) async fn find<P>(tx: &TenantTx, scope: &In<Restaurant, P>, id: Id<ShadowCustomers>) -> Result<()> {
    let found = exists(tx, seen_from(scope), id).await?;
    if found { Ok(()) } else { Err(Problem::not_exist::<ShadowCustomers>()) }
}
