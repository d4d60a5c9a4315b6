//! Which region delivers to a place. Pure. See `docs/decisions/delivery.md#the-winner`.

use kernel::{Id, money::Money, time::Timestamp};

use crate::{regions::DeliveryRegions, street::Exactness, streets::DeliveryStreets};

/// A region as far as choosing and pricing need it.
#[derive(Debug, Clone, PartialEq)]
pub struct RegionFacts {
    pub id: Id<DeliveryRegions>,
    pub name: String,
    /// In the second language of the menu.
    pub name_sec_lang: Option<String>,
    pub active: bool,
    /// What a delivery costs.
    pub price: Money,
    /// Least list value of an order.
    pub min_order_price: Money,
    /// Strictly below this list value the delivery costs at least `price_under_threshold`.
    pub threshold_price: Option<Money>,
    /// See `threshold_price`.
    pub price_under_threshold: Option<Money>,
    /// What a courier gets for a delivery.
    pub courier_price: Option<Money>,
    pub created_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq)]
pub struct StreetFacts {
    pub id: Id<DeliveryStreets>,
    /// As it is written in the region.
    pub name: String,
    /// None: the region's.
    pub price: Option<Money>,
    pub active: bool,
}

/// A region in which a place lies, by a shape or a street.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub region: RegionFacts,
    /// The street by which it was found; none for a shape.
    pub street: Option<StreetFacts>,
    pub exactness: Exactness,
}

/// Why a region delivers to a place, or does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, poem_openapi::Enum)]
#[oai(rename = "DeliveryMatchWhy", rename_all = "snake_case")]
pub enum Why {
    /// It delivers: no other one does.
    Only,
    /// It delivers: it costs less than the others.
    LowestPrice,
    /// It delivers: the price is equal, and its minimum is lower.
    LowerMinimum,
    /// It delivers: price and minimum are equal, and it is older.
    Older,
    /// Its price is higher.
    HigherPrice,
    /// The price is equal, and its minimum is higher.
    HigherMinimum,
    /// Price and minimum are equal, and it is younger.
    Younger,
    /// Another one names the street more exactly.
    LessExact,
    /// Another region has the street as well, and the address has no postcode that would tell.
    PostcodeMissing,
    /// The region is switched off.
    Inactive,
    /// The street is switched off.
    StreetInactive,
}

impl Why {
    /// Whether it is that of the region that delivers.
    #[must_use]
    pub const fn wins(self) -> bool {
        matches!(self, Self::Only | Self::LowestPrice | Self::LowerMinimum | Self::Older)
    }
}

/// A region in which a place lies, and why it delivers or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    pub candidate: Candidate,
    pub why: Why,
}

impl Candidate {
    /// The price of a delivery: the street's, else the region's.
    #[must_use]
    pub fn price(&self) -> Money {
        self.street.as_ref().and_then(|street| street.price).unwrap_or(self.region.price)
    }

    fn switched_off(&self) -> Option<Why> {
        if !self.region.active {
            Some(Why::Inactive)
        } else if self.street.as_ref().is_some_and(|street| !street.active) {
            Some(Why::StreetInactive)
        } else {
            None
        }
    }

    /// The lowest of all delivers.
    fn rank(&self) -> impl Ord + use<> {
        let street = self.street.as_ref().map(|street| street.id.uuid());
        let region = &self.region;
        let prices = (self.price().value(), region.min_order_price.value());
        (self.exactness, prices, region.created_at, region.id.uuid(), street)
    }

    /// Why this one goes before another, or after it.
    fn before(&self, other: &Self) -> Why {
        if self.price() < other.price() {
            Why::LowestPrice
        } else if self.region.min_order_price < other.region.min_order_price {
            Why::LowerMinimum
        } else {
            Why::Older
        }
    }
}

/// Orders the regions in which a place lies: the one that delivers first, those that are switched off last.
/// A region that was found more than once by its shapes must stand here once.
#[must_use]
pub fn choose(mut found: Vec<Candidate>) -> Vec<Match> {
    found.sort_by_cached_key(|one| (one.switched_off().is_some(), one.rank()));
    let Some(winner) = found.first().filter(|one| one.switched_off().is_none()).cloned() else {
        let off = |one: Candidate| Match { why: one.switched_off().unwrap_or(Why::Inactive), candidate: one };
        return found.into_iter().map(off).collect();
    };
    // Against the next region of the same exactness; another row of its own region is no rival.
    let rival = found[1..].iter().find(|one| {
        one.switched_off().is_none() && one.exactness == winner.exactness && one.region.id != winner.region.id
    });
    let first = rival.map_or(Why::Only, |rival| winner.before(rival));
    let why = |(at, one): (usize, &Candidate)| match one.switched_off() {
        _ if at == 0 => first,
        Some(off) => off,
        None if one.exactness > winner.exactness => Why::LessExact,
        None => match winner.before(one) {
            Why::LowestPrice => Why::HigherPrice,
            Why::LowerMinimum => Why::HigherMinimum,
            _ => Why::Younger,
        },
    };
    let whys: Vec<Why> = found.iter().enumerate().map(why).collect();
    found.into_iter().zip(whys).map(|(candidate, why)| Match { candidate, why }).collect()
}

/// The same of regions that were found by an address. Without a postcode it is in none of them as soon as those
/// that name it best are several.
#[must_use]
pub fn choose_street(found: Vec<Candidate>, without_postcode: bool) -> Vec<Match> {
    let mut matches = choose(found);
    let first = matches.first().filter(|first| without_postcode && first.why.wins());
    let Some((best, region)) = first.map(|first| (first.candidate.exactness, first.candidate.region.id))
    else {
        return matches;
    };
    let is_best = |one: &Match| one.candidate.exactness == best && one.candidate.switched_off().is_none();
    if matches.iter().any(|one| is_best(one) && one.candidate.region.id != region) {
        for one in matches.iter_mut().filter(|one| is_best(one)) {
            one.why = Why::PostcodeMissing;
        }
    }
    matches
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
