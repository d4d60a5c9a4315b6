//! A restaurant and its features, as third parties and guests may read them.

use access::{answers::Tagged, prelude::*};
use kernel::{
    money::{Currency, Money, Percent},
    setting::ServiceFeeMode,
    time::SosClose,
};
use poem_openapi::{param::Header, types::Example};

use crate::{
    facts::{Facts, facts},
    features, legal,
    settings::MenuLanguage,
};

pub(crate) struct PublicRestaurants;
/// Its features. A type of its own because only the prefix of a path tells the scope which restaurant is
/// meant.
pub(crate) struct PublicFeatures;

/// What a guest may know of a restaurant. The menu, the hours and the addresses on the networks have calls of
/// their own.
#[derive(Debug, Object)]
#[oai(example)]
struct PublicRestaurant {
    id: Id<Restaurant>,
    name: String,
    phone_1: Option<String>,
    contact_email: Option<String>,
    /// Two letters (ISO 3166-1).
    country: String,
    postcode: Option<String>,
    city: String,
    street: String,
    premise_number: String,
    /// Degrees north.
    coord_lat: Option<f64>,
    /// Degrees east.
    coord_lng: Option<f64>,
    /// Host name of the restaurant's own site.
    domain: Option<String>,
    /// Zone of its wall time and calendar days.
    timezone: String,
    currency: Currency,
    primary_language: MenuLanguage,
    secondary_language: Option<MenuLanguage>,
    /// Delivers as soon as possible.
    normal_delivery: bool,
    /// Delivers at a wanted time.
    preorder_delivery: bool,
    /// Lets fetch as soon as possible.
    normal_pickup: bool,
    /// Lets fetch at a wanted time.
    preorder_pickup: bool,
    /// Fewest days between today and the wanted day; 0 allows today.
    min_days_to_preorder: i32,
    /// Most days between today and the wanted day.
    days_to_preorder: i32,
    /// Fewest minutes from now to the wanted time of a pickup; while the restaurant is busy at least
    /// `estimated_delivery_time`.
    min_preorder_pickup_diff: i32,
    /// The same of a delivery.
    min_preorder_delivery_diff: i32,
    /// Least value of the goods of a delivery; 0 is no minimum.
    min_order_price: Money,
    /// Minutes that an order for now takes, `busy_minutes` included.
    estimated_delivery_time: i32,
    /// Busy: what of `estimated_delivery_time` is more than usual; null while nothing is.
    busy_minutes: Option<i32>,
    /// When that ends by itself.
    busy_until: Option<Timestamp>,
    /// Percent of the goods that a guest gets back as points; null without the feature `loyalty`.
    point_cash_ratio: Option<Percent>,
    /// Guests can tip the courier: an order for delivery may carry `courier_tip`.
    is_courier_tip_available: bool,
    /// Percent of the goods, charged for service on what is eaten here and, with `take_away_service_fee`, on
    /// `take_away` and `kiosk_take_away`. The menu says which items carry it.
    service_fee: Percent,
    service_fee_mode: ServiceFeeMode,
    take_away_service_fee: bool,
    /// Percent to be preselected where tips are asked; null: none.
    default_tip: Option<Percent>,
    /// The `tip` of an order at a table is the waiter's: the order has it as `employee_tip`.
    employee_tip: bool,
    /// Deposit of one bottle or can today; null where none is charged. The menu says how many an item has.
    deposit: Option<Money>,
    /// Deposits are charged on what is eaten here too.
    deposit_here: bool,
    /// Charged for each order of the web shop and the apps.
    system_usage_fee: Money,
    /// VAT of the delivery fee, in percent.
    delivery_vat_percent: Percent,
    /// Orders are taken now: within the hours of the day, and no SOS close.
    open_now: bool,
    /// While it is open: the last minute in which orders are taken.
    open_until: Option<Timestamp>,
    /// While it is closed: when orders are taken again, as far as that is known.
    next_opening: Option<Timestamp>,
    /// SOS close: no orders are taken, whatever the hours say.
    temp_no_orders: bool,
    /// When SOS close ends by itself.
    temp_no_orders_until: Option<Timestamp>,
    /// The company behind it, for the imprint; null as long as it is not entered.
    company: Option<PublicCompany>,
}

/// The company behind a restaurant.
#[derive(Debug, Object)]
struct PublicCompany {
    company_name: String,
    tax_num: String,
    address: String,
}

impl Example for PublicRestaurant {
    fn example() -> Self {
        let at = |text: &str| text.parse::<Timestamp>().ok();
        Self {
            id: Id::from_uuid(uuid::Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0001)),
            name: "Kékfrankos".to_owned(),
            phone_1: Some("+36 1 555 0100".to_owned()),
            contact_email: Some("hello@kekfrankos.example".to_owned()),
            country: "HU".to_owned(),
            postcode: Some("1051".to_owned()),
            city: "Budapest".to_owned(),
            street: "Minta utca".to_owned(),
            premise_number: "1/B".to_owned(),
            coord_lat: Some(47.4979),
            coord_lng: Some(19.0402),
            domain: Some("kekfrankos.example".to_owned()),
            timezone: "Europe/Budapest".to_owned(),
            currency: Currency::Huf,
            primary_language: MenuLanguage::Hu,
            secondary_language: Some(MenuLanguage::En),
            normal_delivery: true,
            preorder_delivery: true,
            normal_pickup: true,
            preorder_pickup: false,
            min_days_to_preorder: 0,
            days_to_preorder: 3,
            min_preorder_pickup_diff: 30,
            min_preorder_delivery_diff: 60,
            min_order_price: Money::from(2000),
            estimated_delivery_time: 45,
            busy_minutes: None,
            busy_until: None,
            point_cash_ratio: Some(Percent(5.into())),
            is_courier_tip_available: true,
            service_fee: Percent(12.into()),
            service_fee_mode: ServiceFeeMode::AllItems,
            take_away_service_fee: false,
            default_tip: None,
            employee_tip: false,
            deposit: Some(Money::from(50)),
            deposit_here: true,
            system_usage_fee: Money::from(0),
            delivery_vat_percent: Percent(27.into()),
            open_now: true,
            open_until: at("2026-03-14T20:00:00Z"),
            next_opening: None,
            temp_no_orders: false,
            temp_no_orders_until: None,
            company: Some(PublicCompany {
                company_name: "Kékfrankos Vendéglátó Kft.".to_owned(),
                tax_num: "12345678-2-41".to_owned(),
                address: "1051 Budapest, Minta utca 1/B".to_owned(),
            }),
        }
    }
}

impl PublicRestaurant {
    fn of(facts: Facts, company: legal::Model, now: Timestamp) -> Self {
        let opening = facts.schedule.opening(now);
        let estimate = facts.estimate(now);
        let lead = [facts.min_preorder_pickup_diff, facts.min_preorder_delivery_diff];
        let [pickup_lead, delivery_lead] = lead.map(|least| facts.lead(least, now));
        let (busy_minutes, busy_until) = facts.busy(now).map(|busy| (busy.minutes, busy.until)).unzip();
        let sos = if facts.schedule.sos.holds(now) { facts.schedule.sos } else { SosClose::Off };
        let language = |name: &str| if name == "en" { MenuLanguage::En } else { MenuLanguage::Hu };
        let (name, tax_num, address) = (company.company_name, company.tax_num, company.address);
        Self {
            id: facts.id,
            name: facts.name,
            phone_1: facts.phone_1,
            contact_email: facts.contact_email,
            country: facts.country,
            postcode: facts.postcode,
            city: facts.city,
            street: facts.street,
            premise_number: facts.premise_number,
            coord_lat: facts.coord_lat,
            coord_lng: facts.coord_lng,
            domain: facts.domain,
            timezone: facts.schedule.zone.name().to_owned(),
            currency: facts.currency,
            primary_language: language(facts.primary_language),
            secondary_language: facts.secondary_language.map(language),
            normal_delivery: facts.normal_delivery,
            preorder_delivery: facts.preorder_delivery,
            normal_pickup: facts.normal_pickup,
            preorder_pickup: facts.preorder_pickup,
            min_days_to_preorder: facts.min_days_to_preorder,
            days_to_preorder: facts.days_to_preorder,
            min_preorder_pickup_diff: pickup_lead,
            min_preorder_delivery_diff: delivery_lead,
            min_order_price: facts.min_order_price,
            estimated_delivery_time: estimate,
            busy_minutes,
            busy_until,
            point_cash_ratio: facts.loyalty.then_some(facts.point_cash_ratio),
            is_courier_tip_available: facts.is_courier_tip_available,
            service_fee: facts.service_fee,
            service_fee_mode: facts.service_fee_mode,
            take_away_service_fee: facts.take_away_service_fee,
            default_tip: facts.default_tip,
            employee_tip: facts.employee_tip,
            deposit: facts.deposit,
            deposit_here: facts.deposit_here,
            system_usage_fee: facts.system_usage_fee.round(facts.currency),
            delivery_vat_percent: Percent(facts.delivery_vat.0.normalize()),
            open_now: opening.open_now,
            open_until: opening.open_until,
            next_opening: opening.next_opening,
            temp_no_orders: sos != SosClose::Off,
            temp_no_orders_until: sos.end(),
            company: name.zip(tax_num).zip(address).map(|((company_name, tax_num), address)| PublicCompany {
                company_name,
                tax_num,
                address,
            }),
        }
    }
}

#[OpenApi(prefix_path = "/api/v3/partners/:partner_id/restaurants/:restaurant_id", tag = "Tag::Public")]
impl PublicRestaurants {
    /// What a guest may know of the restaurant: name, place, contact, ways of getting food, whether orders
    /// are taken now.
    ///
    /// Send the `ETag` back as `If-None-Match`: as long as nothing has changed the answer is 304 without a
    /// body.
    #[oai(path = "/", method = "get", operation_id = "public_restaurants_get")]
    async fn get(
        &self, scope: In<Public, perm::MenuRead>,
        /// ETags of copies that the client has.
        #[oai(name = "If-None-Match")]
        known: Header<Option<String>>,
    ) -> Result<Tagged<PublicRestaurant>> {
        let tx = scope.begin().await?;
        let facts = facts(&tx, scope.restaurant()).await?;
        let company = scope.rows(&tx).get_one::<legal::Entity>().await?;
        Ok(Tagged::new(&PublicRestaurant::of(facts, company, Timestamp::now()), known.as_deref()))
    }
}

#[OpenApi(
    prefix_path = "/api/v3/partners/:partner_id/restaurants/:restaurant_id/features",
    tag = "Tag::Public"
)]
impl PublicFeatures {
    /// The features that are switched on for the restaurant.
    ///
    /// Send the `ETag` back as `If-None-Match`: as long as nothing has changed the answer is 304 without a
    /// body.
    #[oai(path = "/", method = "get", operation_id = "public_features_get")]
    async fn get(
        &self, scope: In<Public, perm::MenuRead>,
        /// ETags of copies that the client has.
        #[oai(name = "If-None-Match")]
        known: Header<Option<String>>,
    ) -> Result<Tagged<Vec<features::RestaurantFeature>>> {
        let tx = scope.begin().await?;
        Ok(Tagged::new(&features::read(&tx, scope.restaurant()).await?, known.as_deref()))
    }
}
