//! Filters of previous orders. See `docs/decisions/orders.md#previous-orders`.

use access::prelude::*;
use chrono::{Days, NaiveDate};
use customers::phone;
use kernel::time::BusinessDay;
use poem_openapi::types::{ParseFromJSON, ToJSON};
use restaurants::Facts;
use sea_orm::Value as Bound;
use serde_json::{Map, Value};
use uuid::Uuid;

/// Which stornos a list has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Enum)]
#[oai(rename_all = "snake_case")]
pub enum StornoFilter {
    /// Whether cancelled or not.
    #[default]
    All,
    /// What was cancelled whole.
    Only,
    /// Without what was cancelled whole.
    Except,
    /// Orders with partial stornos, and these: the same as `partial_storno`.
    PartialStorno,
}

/// Whether a promotion or staff took something off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Enum)]
#[oai(rename_all = "snake_case")]
pub enum DiscountFilter {
    /// Whether or not.
    #[default]
    All,
    /// Something was taken off.
    True,
    /// Nothing was taken off.
    False,
}

/// Which time of an order `from` and `till` look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Enum)]
#[oai(rename_all = "snake_case")]
pub enum DateFilter {
    /// When it was ordered.
    #[default]
    CreatedAt,
    /// When the kitchen should see it.
    ShowAt,
}

/// What orders are filtered by: all of it has to fit.
#[derive(Debug, Default, PartialEq, Object)]
pub struct OrderFilter {
    /// One search: the number, the beginnings of words of name, city or street, or at least four digits of the phone.
    #[oai(validator(max_length = 100))]
    pub(crate) q: Option<String>,
    pub(crate) id: Option<Uuid>,
    /// The number, with its prefix or without.
    #[oai(validator(max_length = 20))]
    pub(crate) counter: Option<String>,
    /// The beginnings of words of the guest's name.
    #[oai(validator(max_length = 100))]
    pub(crate) name: Option<String>,
    /// At least four digits in a row of the guest's phone.
    #[oai(validator(max_length = 40))]
    pub(crate) phone_1: Option<String>,
    #[oai(validator(max_length = 100))]
    pub(crate) city: Option<String>,
    #[oai(validator(max_length = 100))]
    pub(crate) street: Option<String>,
    #[oai(validator(max_length = 30))]
    pub(crate) premise_number: Option<String>,
    /// A business day (`2026-05-31`) or an instant.
    #[oai(validator(max_length = 40))]
    pub(crate) from: Option<String>,
    /// The same; it counts too.
    #[oai(validator(max_length = 40))]
    pub(crate) till: Option<String>,
    #[oai(default)]
    pub(crate) date_filter_by: DateFilter,
    #[oai(default)]
    pub(crate) storno: StornoFilter,
    /// Only orders with partial stornos, and these.
    #[oai(default)]
    pub(crate) partial_storno: bool,
    #[oai(default)]
    pub(crate) has_discount: DiscountFilter,
    /// Named by the order, or by which it was paid.
    #[oai(validator(max_items = 50))]
    pub(crate) payment_methods: Option<Vec<Uuid>>,
    #[oai(validator(max_items = 50))]
    pub(crate) platforms: Option<Vec<String>>,
}

/// The longest range: nobody looks further back, and every day of it is read.
const MOST_DAYS: u64 = 3660;

/// One end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// A date without a time: a business day.
    Day(BusinessDay),
    Instant(Timestamp),
}

impl End {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        text.parse().map(Self::Day).or_else(|_| text.parse().map(Self::Instant)).ok()
    }
}

/// What a statement compares with.
#[derive(Debug, PartialEq)]
struct Range {
    /// Business days, both of them within.
    days: [Option<NaiveDate>; 2],
    /// From the first instant to before the second.
    instants: [Option<Timestamp>; 2],
}

impl Range {
    /// Dates are business days; of `show_at` they are the instants at which these begin and end.
    fn of(from: Option<End>, till: Option<End>, by: DateFilter, facts: &Facts) -> Self {
        let (zone, reset) = (facts.schedule.zone, facts.order_reset_time);
        let mut range = Self { days: [None, None], instants: [None, None] };
        match (from, by) {
            (Some(End::Day(day)), DateFilter::CreatedAt) => range.days[0] = Some(day.0),
            (Some(End::Day(day)), DateFilter::ShowAt) => range.instants[0] = Some(day.start(zone, reset)),
            (Some(End::Instant(at)), _) => range.instants[0] = Some(at),
            (None, _) => {}
        }
        match (till, by) {
            (Some(End::Day(day)), DateFilter::CreatedAt) => range.days[1] = Some(day.0),
            (Some(End::Day(day)), DateFilter::ShowAt) => range.instants[1] = Some(day.end(zone, reset)),
            // The whole second that was named.
            (Some(End::Instant(at)), _) => {
                range.instants[1] = Some(Timestamp(at.0 + chrono::Duration::seconds(1)));
            }
            (None, _) => {}
        }
        range
    }

    /// Days outside of which no order of the range lies, so that the index needs not be read whole: an order's
    /// day is that of its time, give or take the day's end, and it is shown at most a year after.
    fn bounds(&self, by: DateFilter) -> [Option<NaiveDate>; 2] {
        let day = |at: Timestamp| at.0.date_naive();
        let ahead = Days::new(if by == DateFilter::ShowAt { 400 } else { 2 });
        let from = self.instants[0].and_then(|at| day(at).checked_sub_days(ahead));
        let till = self.instants[1].and_then(|at| day(at).checked_add_days(Days::new(2)));
        [self.days[0].max(from), [self.days[1], till].into_iter().flatten().min()]
    }
}

/// A text without blanks around it; none when nothing is left.
fn filled(text: Option<&String>) -> Option<String> {
    text.map(|text| text.trim()).filter(|text| !text.is_empty()).map(str::to_owned)
}

impl OrderFilter {
    /// A filter as it was kept; what cannot be read any more is left out, so a list never fails for it.
    pub(crate) fn kept(stored: &Value) -> Self {
        if let Ok(whole) = Self::parse_from_json(Some(stored.clone())) {
            return whole;
        }
        let fields = stored.as_object().into_iter().flatten();
        let readable: Map<String, Value> = fields
            .filter(|(name, value)| {
                let alone = Map::from_iter([((*name).clone(), (*value).clone())]);
                Self::parse_from_json(Some(alone.into())).is_ok()
            })
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        Self::parse_from_json(Some(readable.into())).unwrap_or_default()
    }

    /// The filter as it is kept: what was named.
    #[must_use]
    pub fn to_keep(&self) -> Value {
        let mut json = self.to_json().unwrap_or_default();
        if let Some(fields) = json.as_object_mut() {
            fields.retain(|_, value| !value.is_null());
        }
        json
    }

    /// Refuses what no list would take.
    /// Errors: `VALIDATION_FAILED` with every field at fault, below `member`.
    pub async fn check(&self, tx: &TenantTx, restaurant: Id<Restaurant>, member: &str) -> Result<()> {
        let facts = restaurants::facts(tx, restaurant).await?;
        self.values(restaurant, &facts).map(drop).map_err(|problem| problem.below(member))
    }

    /// Takes `till` out where it is an instant: until then fresh orders are listed, whatever else is asked.
    pub(crate) fn take_cut_off(&mut self) -> Option<Timestamp> {
        match filled(self.till.as_ref()).and_then(|till| End::parse(&till))? {
            End::Day(_) => None,
            End::Instant(at) => {
                self.till = None;
                Some(at)
            }
        }
    }

    /// Whether it lets every order through, so that nothing of it needs to be read.
    pub(crate) fn finds_all(&self) -> bool {
        *self == Self::default()
    }

    /// The values of the statements, in their order from `$1`.
    /// Errors: `VALIDATION_FAILED` with every field at fault.
    pub(crate) fn values(&self, restaurant: Id<Restaurant>, facts: &Facts) -> Result<Vec<Bound>> {
        let mut problem = Problem::new(Code::VALIDATION_FAILED);
        let mut end = |field: &str, text: &Option<String>| {
            let text = filled(text.as_ref())?;
            let end = End::parse(&text);
            if end.is_none() {
                problem = std::mem::replace(&mut problem, Problem::new(Code::VALIDATION_FAILED))
                    .key(field, Fault::Invalid);
            }
            end
        };
        let (from, till) = (end("from", &self.from), end("till", &self.till));
        let range = Range::of(from, till, self.date_filter_by, facts);
        let [first, last] = range.bounds(self.date_filter_by);
        if let (Some(first), Some(last)) = (first, last) {
            if last < first && self.is_crossed(from, till) {
                problem = problem.key("till", Fault::Min);
            } else if first.checked_add_days(Days::new(MOST_DAYS + 402)).is_some_and(|most| last > most) {
                problem = problem.key("till", Fault::Max);
            }
        }
        let phone = filled(self.phone_1.as_ref());
        let digits = phone.as_deref().map(|phone| phone::part(phone, &facts.country));
        if digits == Some(None) {
            problem = problem.key("phone_1", Fault::TooShort(4));
        }
        problem.if_any()?;
        let counter = filled(self.counter.as_ref()).map(|text| text.trim_start_matches('#').to_uppercase());
        let q = filled(self.q.as_ref());
        let dialled =
            q.as_ref().filter(|text| text.chars().all(|c| c.is_ascii_digit() || " +-/().".contains(c)));
        let q_digits = dialled.and_then(|text| phone::part(text, &facts.country));
        let q_counter = q.as_ref().map(|text| text.trim_matches(['#', '.']).to_uppercase());
        let texts =
            [&self.name, &self.city, &self.street, &self.premise_number].map(|text| filled(text.as_ref()));
        let searches = texts.iter().any(Option::is_some) || digits.is_some() || counter.is_some();
        let [name, city, street, premise] = texts;
        let by_show = self.date_filter_by == DateFilter::ShowAt;
        let discount = match self.has_discount {
            DiscountFilter::All => None,
            DiscountFilter::True => Some(true),
            DiscountFilter::False => Some(false),
        };
        let storno = match self.storno {
            StornoFilter::All | StornoFilter::PartialStorno => None,
            StornoFilter::Only => Some(true),
            StornoFilter::Except => Some(false),
        };
        let methods = self.payment_methods.clone().filter(|methods| !methods.is_empty());
        let platforms = self.platforms.clone().filter(|platforms| !platforms.is_empty());
        Ok(vec![
            restaurant.into(),
            first.into(),
            last.into(),
            range.days[0].into(),
            range.days[1].into(),
            range.instants[0].into(),
            range.instants[1].into(),
            by_show.into(),
            searches.into(),
            name.into(),
            digits.flatten().into(),
            city.into(),
            street.into(),
            premise.into(),
            counter.into(),
            self.id.into(),
            storno.into(),
            (self.partial_storno || self.storno == StornoFilter::PartialStorno).into(),
            discount.into(),
            methods.into(),
            platforms.into(),
            q.into(),
            q_digits.into(),
            q_counter.into(),
        ])
    }

    /// Whether the range ends before it begins.
    fn is_crossed(&self, from: Option<End>, till: Option<End>) -> bool {
        match (from, till) {
            (Some(End::Day(from)), Some(End::Day(till))) => till < from,
            (Some(End::Instant(from)), Some(End::Instant(till))) => till < from,
            _ => true,
        }
    }
}
