//! Destinations of orders, for the map of regions.

use access::prelude::*;
use chrono::{Days, NaiveDate};
use kernel::time::CalendarDay;
use sea_orm::FromQueryResult;

use crate::regions::DeliveryRegions;

pub(crate) struct DeliveryOrdersMap;

/// The most days between the first and the last, both counted.
const MOST_DAYS: i64 = 366;
/// Days before the last one where the first is not said.
const DEFAULT_DAYS: u64 = 30;

/// Orders at one place. Places are rounded to about 100 m, so that no house is shown.
#[derive(Debug, Object, FromQueryResult)]
struct DeliveryOrderPlace {
    /// Degrees north.
    lat: f64,
    /// Degrees east.
    lng: f64,
    /// The region they were delivered as; null where there was none.
    delivery_region_id: Option<Id<DeliveryRegions>>,
    /// How many orders.
    count: i64,
}

/// Of the newest orders.
const PLACES: &str = "select o.lat, o.lng, o.delivery_region_id, count(*) count \
    from (select round(p.coord_lat::numeric, 3)::float8 lat, round(p.coord_lng::numeric, 3)::float8 lng, \
            p.delivery_region_id \
        from order_place p where p.restaurant_id = $1 and p.business_day between $2 and $3 \
        order by p.created_at desc, p.id limit 5000) o \
    group by o.lat, o.lng, o.delivery_region_id order by count desc, o.lat, o.lng, o.delivery_region_id";

fn days(
    from: Option<NaiveDate>, till: Option<NaiveDate>, today: NaiveDate,
) -> Result<(NaiveDate, NaiveDate)> {
    let till = till.unwrap_or_else(|| from.map_or(today, |from| from.max(today)));
    let from = from.or_else(|| till.checked_sub_days(Days::new(DEFAULT_DAYS))).unwrap_or(till);
    let problem = Problem::new(Code::VALIDATION_FAILED);
    if from > till {
        return Err(problem.key("from", Fault::Invalid).detail("`from` is after `till`"));
    }
    if (till - from).num_days() >= MOST_DAYS {
        return Err(problem.key("from", Fault::Invalid).detail("at most a year"));
    }
    Ok((from, till))
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/delivery-regions",
    tag = "Tag::Restaurants"
)]
impl DeliveryOrdersMap {
    /// Where orders went, without names: of the newest 5,000 that had coordinates.
    ///
    /// By business day, the last month when nothing is said, at most a year. Tests and cancelled orders are left
    /// out.
    #[oai(path = "/orders-map", method = "get", operation_id = "delivery_regions_orders_map")]
    async fn orders_map(
        &self, scope: In<Restaurant, perm::SystemDeliveryRegion>,
        /// First business day.
        from: QueryParam<CalendarDay>,
        /// Last business day.
        till: QueryParam<CalendarDay>,
    ) -> Result<Page<DeliveryOrderPlace>> {
        let tx = scope.begin().await?;
        let facts = restaurants::facts(&tx, scope.restaurant()).await?;
        let today = Timestamp::now().0.with_timezone(&facts.schedule.zone).date_naive();
        let (from, till) = days(from.0.map(|day| day.0), till.0.map(|day| day.0), today)?;
        let places = tx.all(PLACES, [scope.restaurant().into(), from.into(), till.into()]).await?;
        Ok(Page::unpaged(places))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_at_most_and_a_month_when_nothing_is_said() {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let today = day("2026-11-25");
        for (from, till, expected) in [
            (None, None, Some(("2026-10-26", "2026-11-25"))),
            (None, Some("2026-03-31"), Some(("2026-03-01", "2026-03-31"))),
            (Some("2026-11-01"), None, Some(("2026-11-01", "2026-11-25"))),
            (Some("2026-12-01"), None, Some(("2026-12-01", "2026-12-01"))),
            (Some("2025-11-25"), Some("2026-11-25"), Some(("2025-11-25", "2026-11-25"))),
            (Some("2025-11-24"), Some("2026-11-25"), None),
            (Some("2026-11-26"), Some("2026-11-25"), None),
        ] {
            let found = days(from.map(day), till.map(day), today).ok();
            assert_eq!(found, expected.map(|(from, till)| (day(from), day(till))), "{from:?} {till:?}");
        }
    }
}
