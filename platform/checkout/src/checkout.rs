//! From the cart of a request to a priced one, shared by quotes and orders. See
//! `docs/decisions/pricing.md#one-function`.

use std::collections::HashMap;

use access::{Approver, prelude::*};
use catalogue::{Snapshot, SnapshotRequest};
use customers::ShadowCustomers;
use kernel::time::BusinessDay;
use payment_methods::{ChosenMethod, NamedMethod};
use pricing::{Config, Fulfilment, Priced, Promotion, Reason};
use promotions::{Discounts, PromotionName, PromotionQuery};
use restaurants::Facts;
use uuid::Uuid;

use crate::{
    coupons::Attempt, customer::Identity, destination::Destination, input::Cart, sent_by::SentBy,
    types::Quote, values::OrderPlatform,
};

/// A cart without faults, and the settings of its restaurant.
pub struct Checkout {
    pub facts: Facts,
    /// Faults of the cart by itself are told before one of the method.
    method: Result<Option<ChosenMethod>>,
    pub cart: pricing::Cart,
    config: Config,
    approver: Option<Approver>,
    tried: Option<Id<Discounts>>,
    geocoded: Option<(f64, f64)>,
    /// Pieces of what can be sold that come back with the order.
    returned: Vec<(Uuid, i32)>,
}

/// What an order needs of its restaurant: settings, and the payment method that it names.
pub type Settings = (Facts, Result<Option<ChosenMethod>>);

/// Reads them; `live`: until the transaction ends the restaurant cannot be archived; `test_key`: a key for tests sends
/// the order, so it is paid where tests are.
/// Errors: `RESTAURANT_NOT_EXIST`; what the database says.
pub async fn settings(
    tx: &TenantTx, restaurant: Id<Restaurant>, cart: &Cart, live: bool, test_key: bool,
) -> Result<Settings> {
    let named =
        NamedMethod::new(cart.payment_method_id, cart.payment_method.as_deref()).of_test_key(test_key);
    payment_methods::facts_and_chosen(tx, restaurant, named, live).await
}

/// A cart with its price, and every reason why it would not be taken now.
pub struct PricedCart {
    pub facts: Facts,
    pub cart: pricing::Cart,
    pub method: Option<ChosenMethod>,
    pub snapshot: Snapshot,
    pub promotions: Vec<Promotion>,
    pub promotion_names: HashMap<Uuid, PromotionName>,
    pub priced: Priced,
    pub reasons: Vec<Reason>,
    pub customer: Option<Id<ShadowCustomers>>,
    pub destination: Destination,
    pub approver: Option<Approver>,
    /// The moment for which this holds.
    pub now: Timestamp,
    pub day: BusinessDay,
}

impl Checkout {
    /// Checks the cart by itself. `approver`: who allows its staff discount, as far as that is known;
    /// `geocoded`: where its address was found, if somebody was asked.
    /// Errors: `VALIDATION_FAILED` with every field at fault.
    pub fn new(
        settings: Settings, sent_by: SentBy, sent: &Cart, approver: Option<Approver>,
        geocoded: Option<(f64, f64)>,
    ) -> Result<Self> {
        // Every guest hears what a page hears and can send what it sends: no guest is a till, a kiosk or somebody
        // at the phone, with the promotions and rules of these.
        let in_a_page = sent_by == SentBy::Page;
        if in_a_page && sent.priced_by(&settings.0).is_ok_and(|cart| !cart.platform.is_own_online()) {
            return Err(Problem::new(Code::VALIDATION_FAILED).key("platform", Fault::Enum));
        }
        Self::of(settings, (sent_by.takes(sent.platform), in_a_page), sent, approver, geocoded)
    }

    /// The same for an order whose items staff change: like one that they take, wherever it came from.
    pub fn by_staff(settings: Settings, sent: &Cart, geocoded: Option<(f64, f64)>) -> Result<Self> {
        Self::of(settings, (true, false), sent, None, geocoded)
    }

    fn of(
        (facts, method): Settings, (staff, in_a_page): (bool, bool), sent: &Cart, approver: Option<Approver>,
        geocoded: Option<(f64, f64)>,
    ) -> Result<Self> {
        let cart = sent.priced_by(&facts)?;
        let mut config = catalogue::order_config(&facts, staff, in_a_page, Timestamp::now());
        config.max_discount_percent = approver.as_ref().and_then(|approver| approver.max_discount);
        let faults = cart.faults(&config).into_iter().chain(sent.place_faults(config.staff));
        Problem::new(Code::VALIDATION_FAILED).keys(faults).if_any()?;
        Ok(Self { facts, method, cart, config, approver, tried: None, geocoded, returned: Vec::new() })
    }

    /// Tells of this promotion also when it is over.
    pub fn trying(mut self, promotion: Option<Id<Discounts>>) -> Self {
        self.tried = promotion;
        self
    }

    /// With these pieces of what can be sold, which another order gives back.
    pub fn returning(mut self, pieces: Vec<(Uuid, i32)>) -> Self {
        self.returned = pieces;
        self
    }

    pub fn at(mut self, moment: Timestamp) -> Self {
        let Config { staff, conceal_customers, max_discount_percent, .. } = self.config;
        self.config = catalogue::order_config(&self.facts, staff, conceal_customers, moment);
        self.config.max_discount_percent = max_discount_percent;
        self
    }

    /// The cart's quote for this sender. Makes no customer and writes nothing.
    pub async fn quote(
        self, tx: &TenantTx, sent_by: SentBy, sent: &Cart, attempt: &Attempt,
    ) -> Result<Quote> {
        let identity = Identity::of(tx, &self.facts, sent_by, sent).await?;
        let customer = identity.quoted(tx).await?;
        Ok(Quote::new(&self.price(tx, sent, customer, attempt).await?, sent_by))
    }

    /// Prices the cart by the catalogue, the promotions and the settings of this moment, for this customer, who may
    /// be priced as somebody whom nobody knows.
    /// `attempt` hears when nobody has the cart's code.
    /// Errors: `VALIDATION_FAILED` for a time that nobody means, a payment method or a chosen region that
    /// does not exist, a choice of what is no gift or of a promotion that never was here, a deposit whose
    /// amount nobody knows, and for more than any order costs.
    pub async fn price(
        self, tx: &TenantTx, sent: &Cart,
        (customer, priced_as): (Option<Id<ShadowCustomers>>, Option<pricing::Customer>), attempt: &Attempt,
    ) -> Result<PricedCart> {
        let Self { facts, method, mut cart, mut config, approver, tried, geocoded, returned } = self;
        cart.customer = priced_as;
        let (now, restaurant) = (config.now, facts.id);
        refuse_far(cart.expected_at, now)?;
        let day = BusinessDay::of(now, facts.schedule.zone, facts.order_reset_time);
        let (guest, code) = (customer.map(Id::uuid), sent.code());
        let asking = PromotionQuery { restaurant, now, day, customer: guest, code, tried };
        let loaded = promotions::load(tx, asking).await?;
        if sent.code().is_some_and(|code| !loaded.has_code(code)) {
            attempt.was_in_vain();
        }
        config.uses = loaded.uses;
        let promotions = loaded.promotions;
        let method = method?;
        config.payable = payable(method.as_ref(), sent.platform, &cart);
        let destination = Destination::find(tx, &facts, sent, &cart, geocoded, &mut config).await?;
        let (subproducts, options, gifts) = (sent.subproducts(), sent.options(), gifts(&promotions));
        let wanted = SnapshotRequest { subproducts: &subproducts, options: &options, gifts: &gifts };
        let mut snapshot = catalogue::snapshot(tx, restaurant, facts.catalogue_version, wanted).await?;
        for (id, pieces) in returned {
            let item = snapshot.catalogue.items.get_mut(&id);
            if let Some(left) = item.and_then(|item| item.sellable_quantity.as_mut()) {
                *left = left.saturating_add(pieces);
            }
        }
        let reasons = pricing::acceptable(&snapshot.catalogue, &promotions, &cart, &config);
        let priced = pricing::price(&snapshot.catalogue, &promotions, &cart, &config);
        let strangers = strangers(tx, restaurant, &promotions, &cart).await?;
        Problem::new(Code::VALIDATION_FAILED).keys(priced.faults()).keys(strangers).if_any()?;
        let promotion_names = loaded.names;
        Ok(PricedCart {
            facts,
            cart,
            method,
            snapshot,
            promotions,
            promotion_names,
            priced,
            reasons,
            customer,
            destination,
            approver,
            now,
            day,
        })
    }
}

impl PricedCart {
    pub fn promotion_name(&self, id: Uuid) -> String {
        self.promotion_names.get(&id).map(|promotion| promotion.name.clone()).unwrap_or_default()
    }
}

const DAY: i64 = 24 * 60;

/// Refuses a wanted time that nobody means: more than a day ago, or in more than a year. Rules of preorders
/// bind guests only; staff may note an order after it was eaten, or for a wedding.
pub fn refuse_far(expected_at: Option<Timestamp>, now: Timestamp) -> Result<()> {
    let (earliest, latest) = (now.plus_minutes(-DAY), now.plus_minutes(366 * DAY));
    let far = expected_at.is_some_and(|at| at < earliest || at > latest);
    if far { Err(Problem::new(Code::VALIDATION_FAILED).key("expected_at", Fault::Invalid)) } else { Ok(()) }
}

/// Choices about promotions that this restaurant never had. What is over since the guest chose is no fault.
async fn strangers(
    tx: &TenantTx, restaurant: Id<Restaurant>, promotions: &[Promotion], cart: &pricing::Cart,
) -> Result<Vec<(String, Fault)>> {
    let known = |id: &Uuid| promotions.iter().any(|promotion| promotion.id == *id);
    let named = cart.gift_choices.iter().map(|choice| choice.promotion_id).filter(|id| !known(id));
    let strangers = promotions::unknown(tx, restaurant, named.collect()).await?;
    let choices = cart.gift_choices.iter().enumerate();
    let wrong = choices.filter(|(_, choice)| strangers.contains(&choice.promotion_id));
    Ok(wrong.map(|(at, _)| (format!("gift_choices.{at}.promotion_id"), Fault::NotExist)).collect())
}

/// The sizes that promotions give.
fn gifts(promotions: &[Promotion]) -> Vec<Uuid> {
    let ranges = promotions.iter().flat_map(|promotion| &promotion.ranges);
    let mut gifts: Vec<Uuid> = ranges.flat_map(|range| &range.gifts).map(|gift| gift.subproduct_id).collect();
    gifts.sort_unstable();
    gifts.dedup();
    gifts
}

/// Whether the cart may be paid as it is wanted. Without a method it is said later: at the table, at the
/// till.
fn payable(method: Option<&ChosenMethod>, platform: OrderPlatform, cart: &pricing::Cart) -> bool {
    method.is_none_or(|method| method.pays(platform.pays_as(), cart.fulfilment() == Fulfilment::Delivery))
}
