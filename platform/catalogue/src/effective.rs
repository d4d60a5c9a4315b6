//! Inheritance: the nearest level with a value wins: sub-product, product, category, parent category,
//! restaurant. So a visible product is on the menu although its category is hidden. Pure. Answers show each
//! value with its origin; menu and orders use the same values. See `docs/decisions/catalogue.md#inheritance`.

use kernel::{
    Id,
    ids::{NtakCategories, Vats},
    money::Percent,
    setting::NtakQuantityUnit,
};
use poem_openapi::{Enum, Object};
use pricing::Visibility;

use crate::{
    flags::{Inheritable, Ntak, Visible},
    restaurant_defaults::RestaurantDefaults,
};

/// The level that an effective value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum ValueOrigin {
    /// The sub-product itself.
    Subproduct,
    /// The product.
    Product,
    /// The category: of the product, or the row itself.
    Category,
    /// The category above it.
    ParentCategory,
    /// The restaurant, or the rule that holds where nobody says anything.
    Restaurant,
}

/// The value of one level.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Own {
    pub inheritable: Inheritable,
    pub ntak: Ntak,
}

/// Levels from the row itself outwards.
pub(crate) type Levels<'a> = &'a [(ValueOrigin, Own)];

/// The nearest value, and where it stands.
fn nearest<T>(levels: Levels<'_>, of: impl Fn(&Own) -> Option<T>) -> Option<(T, ValueOrigin)> {
    levels.iter().find_map(|(origin, own)| of(own).map(|value| (value, *origin)))
}

fn flag(levels: Levels<'_>, of: impl Fn(&Visible) -> Option<bool>) -> EffectiveFlag {
    // Where nobody says anything a row is shown.
    let (value, from) =
        nearest(levels, |own| of(&own.inheritable.visible)).unwrap_or((true, ValueOrigin::Restaurant));
    EffectiveFlag { value, from }
}

/// An effective VAT rate.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub(crate) struct EffectiveVat {
    pub id: Id<Vats>,
    pub percent: Percent,
    pub from: ValueOrigin,
}

/// An effective visibility.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Object)]
pub(crate) struct EffectiveFlag {
    pub value: bool,
    pub from: ValueOrigin,
}

/// The effective service-fee flag; `null` where nobody says anything: then the restaurant's service-fee mode
/// decides.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub(crate) struct EffectiveTip {
    pub value: Option<bool>,
    pub from: ValueOrigin,
}

/// The effective category of the tax report; `null` where none is set.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub(crate) struct EffectiveNtakCategory {
    pub id: Option<Id<NtakCategories>>,
    pub from: ValueOrigin,
}

/// The effective unit of the tax report; `null` where none is set.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub(crate) struct EffectiveNtakUnit {
    pub value: Option<NtakQuantityUnit>,
    pub from: ValueOrigin,
}

/// The values that hold, each with the level it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub(crate) struct Effective {
    pub vat: EffectiveVat,
    pub sit_in_vat: EffectiveVat,
    pub has_tip: EffectiveTip,
    pub visible_online: EffectiveFlag,
    pub visible_sit_in: EffectiveFlag,
    pub visible_phone: EffectiveFlag,
    pub visible_kiosk_sit_in: EffectiveFlag,
    pub visible_kiosk_take_away: EffectiveFlag,
    pub ntak_category: EffectiveNtakCategory,
    pub ntak_quantity_unit: EffectiveNtakUnit,
}

/// The values that hold for the row with these levels.
pub(crate) fn effective(levels: Levels<'_>, defaults: &RestaurantDefaults) -> Effective {
    let rate = |(id, from)| EffectiveVat { id, percent: defaults.percent(id), from };
    let vat = nearest(levels, |own| own.inheritable.vat_id);
    let vat = vat.unwrap_or((defaults.vat_id, ValueOrigin::Restaurant));
    let sit_in = nearest(levels, |own| own.inheritable.sit_in_vat_id);
    let of_restaurant = defaults.sit_in_vat_id.map(|id| (id, ValueOrigin::Restaurant));
    let or_restaurant = |found: Option<ValueOrigin>| found.unwrap_or(ValueOrigin::Restaurant);
    let tip = nearest(levels, |own| own.inheritable.has_tip);
    let category = nearest(levels, |own| own.ntak.category);
    let unit = nearest(levels, |own| own.ntak.unit);
    Effective {
        vat: rate(vat),
        // Where no level has one, its own VAT holds here too.
        sit_in_vat: rate(sit_in.or(of_restaurant).unwrap_or(vat)),
        has_tip: EffectiveTip {
            value: tip.map(|(value, _)| value),
            from: or_restaurant(tip.map(|(_, from)| from)),
        },
        visible_online: flag(levels, |own| own.visible_online),
        visible_sit_in: flag(levels, |own| own.visible_sit_in),
        visible_phone: flag(levels, |own| own.visible_phone),
        visible_kiosk_sit_in: flag(levels, |own| own.visible_kiosk_sit_in),
        visible_kiosk_take_away: flag(levels, |own| own.visible_kiosk_take_away),
        ntak_category: EffectiveNtakCategory {
            id: category.map(|(id, _)| id).or(defaults.ntak_category),
            from: or_restaurant(category.map(|(_, from)| from)),
        },
        ntak_quantity_unit: EffectiveNtakUnit {
            value: unit.map(|(unit, _)| unit).or(defaults.ntak_unit),
            from: or_restaurant(unit.map(|(_, from)| from)),
        },
    }
}

impl Effective {
    /// The five flags as pricing wants them.
    pub(crate) fn visibility(&self) -> Visibility {
        Visibility {
            online: self.visible_online.value,
            sit_in: self.visible_sit_in.value,
            phone: self.visible_phone.value,
            kiosk_sit_in: self.visible_kiosk_sit_in.value,
            kiosk_take_away: self.visible_kiosk_take_away.value,
        }
    }
}

/// The visibility of an option group, or of an option with its group above it; shown where nobody says
/// anything.
pub(crate) fn visibility(levels: &[Visible]) -> Visibility {
    let on = |of: fn(&Visible) -> Option<bool>| levels.iter().find_map(of).unwrap_or(true);
    Visibility {
        online: on(|own| own.visible_online),
        sit_in: on(|own| own.visible_sit_in),
        phone: on(|own| own.visible_phone),
        kiosk_sit_in: on(|own| own.visible_kiosk_sit_in),
        kiosk_take_away: on(|own| own.visible_kiosk_take_away),
    }
}

#[cfg(test)]
mod tests {
    use kernel::money::Currency;
    use proptest::prelude::*;
    use rust_decimal::Decimal;
    use uuid::Uuid;

    use super::*;

    const ORIGINS: [ValueOrigin; 4] =
        [ValueOrigin::Subproduct, ValueOrigin::Product, ValueOrigin::Category, ValueOrigin::ParentCategory];

    fn vat(percent: u128) -> Id<Vats> {
        Id::from_uuid(Uuid::from_u128(percent))
    }

    fn ntak(id: u128) -> Id<NtakCategories> {
        Id::from_uuid(Uuid::from_u128(id))
    }

    fn defaults() -> RestaurantDefaults {
        RestaurantDefaults {
            vat_id: vat(27),
            sit_in_vat_id: Some(vat(5)),
            ntak_category: Some(ntak(9)),
            ntak_unit: Some(NtakQuantityUnit::Portion),
            currency: Currency::Huf,
            hungarian: (true, false),
            vats: [5_u128, 18, 27]
                .map(|percent| (Uuid::from_u128(percent), Percent(Decimal::from(percent as u64))))
                .into(),
        }
    }

    fn levels(own: [Inheritable; 4]) -> Vec<(ValueOrigin, Own)> {
        ORIGINS.into_iter().zip(own.map(|inheritable| Own { inheritable, ntak: Ntak::default() })).collect()
    }

    #[test]
    fn the_tax_report_inherits_up_to_the_restaurant() {
        let found = effective(&[], &defaults());
        let from = ValueOrigin::Restaurant;
        assert_eq!(found.ntak_category, EffectiveNtakCategory { id: Some(ntak(9)), from });
        let unit = Some(NtakQuantityUnit::Portion);
        assert_eq!(found.ntak_quantity_unit, EffectiveNtakUnit { value: unit, from });
        let none = RestaurantDefaults { ntak_category: None, ntak_unit: None, ..defaults() };
        let found = effective(&[], &none);
        assert_eq!(found.ntak_category, EffectiveNtakCategory { id: None, from });
        assert_eq!(found.ntak_quantity_unit, EffectiveNtakUnit { value: None, from });
    }

    #[test]
    fn the_nearest_level_wins_and_is_named() {
        let none = Inheritable::default();
        let set = |percent| Inheritable { vat_id: Some(vat(percent)), ..none };
        let cases = [
            ([set(18), set(5), set(5), set(5)], 18, ValueOrigin::Subproduct),
            ([none, set(18), set(5), none], 18, ValueOrigin::Product),
            ([none, none, set(18), set(5)], 18, ValueOrigin::Category),
            ([none, none, none, set(18)], 18, ValueOrigin::ParentCategory),
            ([none; 4], 27, ValueOrigin::Restaurant),
        ];
        for (own, percent, from) in cases {
            let found = effective(&levels(own), &defaults());
            assert_eq!(
                found.vat,
                EffectiveVat { id: vat(percent), percent: Percent(Decimal::from(percent as u64)), from }
            );
            assert_eq!(found.sit_in_vat.from, ValueOrigin::Restaurant, "each VAT inherits on its own");
            assert_eq!(found.sit_in_vat.id, vat(5));
        }
    }

    #[test]
    fn without_a_sit_in_rate_on_any_level_the_own_vat_holds_here_too() {
        let none = RestaurantDefaults { sit_in_vat_id: None, ..defaults() };
        let own = Inheritable { vat_id: Some(vat(18)), ..Inheritable::default() };
        let found = effective(&levels([Inheritable::default(), own, own, own]), &none);
        assert_eq!(found.sit_in_vat, found.vat);
        assert_eq!((found.vat.id, found.vat.from), (vat(18), ValueOrigin::Product));
        assert_eq!(effective(&[], &none).sit_in_vat.id, vat(27));
        let here = Inheritable { sit_in_vat_id: Some(vat(5)), ..Inheritable::default() };
        let found = effective(&levels([own, own, here, own]), &none);
        assert_eq!((found.sit_in_vat.id, found.sit_in_vat.from), (vat(5), ValueOrigin::Category));
    }

    #[test]
    fn without_a_value_a_row_is_visible_and_its_fee_flag_open() {
        let found = effective(&[], &defaults());
        assert_eq!(found.visibility(), Visibility::ALL);
        assert_eq!(found.has_tip, EffectiveTip { value: None, from: ValueOrigin::Restaurant });
        assert_eq!(visibility(&[]), Visibility::ALL);
    }

    #[test]
    fn a_product_may_be_shown_although_its_category_is_hidden() {
        let mut own = [Inheritable::default(); 4];
        own[2].visible.visible_online = Some(false);
        assert!(!effective(&levels(own), &defaults()).visible_online.value);
        own[1].visible.visible_online = Some(true);
        assert_eq!(
            effective(&levels(own), &defaults()).visible_online,
            EffectiveFlag { value: true, from: ValueOrigin::Product }
        );
    }

    proptest! {
        #[test]
        fn category_and_unit_of_the_tax_report_each_come_from_the_nearest_level(
            categories in proptest::array::uniform4(proptest::option::of(1_u128..5)),
            litres in proptest::array::uniform4(any::<Option<bool>>()),
        ) {
            let units = litres.map(|own| own.map(|litre| {
                if litre { NtakQuantityUnit::Liter } else { NtakQuantityUnit::Piece }
            }));
            let levels: Vec<_> = ORIGINS.into_iter().enumerate().map(|(at, origin)| {
                let ntak = Ntak { category: categories[at].map(ntak), unit: units[at] };
                (origin, Own { inheritable: Inheritable::default(), ntak })
            }).collect();
            let found = effective(&levels, &defaults());
            // The reference: the first of four, else the restaurant's.
            let at = categories.iter().position(Option::is_some);
            let id = at.and_then(|at| categories[at]).map_or(Some(ntak(9)), |id| Some(ntak(id)));
            prop_assert_eq!(found.ntak_category.id, id);
            prop_assert_eq!(found.ntak_category.from, at.map_or(ValueOrigin::Restaurant, |at| ORIGINS[at]));
            let at = units.iter().position(Option::is_some);
            let unit = at.and_then(|at| units[at]).or(Some(NtakQuantityUnit::Portion));
            prop_assert_eq!(found.ntak_quantity_unit.value, unit);
            prop_assert_eq!(found.ntak_quantity_unit.from, at.map_or(ValueOrigin::Restaurant, |at| ORIGINS[at]));
        }

        #[test]
        fn every_value_is_that_of_its_origin(tips in proptest::array::uniform4(any::<Option<bool>>()), flags in proptest::array::uniform4(any::<Option<bool>>())) {
            let mut own = [Inheritable::default(); 4];
            for (at, level) in own.iter_mut().enumerate() {
                level.has_tip = tips[at];
                level.visible.visible_phone = flags[at];
            }
            let found = effective(&levels(own), &defaults());
            let place = |from| ORIGINS.iter().position(|origin| *origin == from);
            match place(found.has_tip.from) {
                Some(at) => { prop_assert_eq!(found.has_tip.value, tips[at]); prop_assert!(tips[..at].iter().all(Option::is_none)); }
                None => prop_assert!(found.has_tip.value.is_none() && tips.iter().all(Option::is_none)),
            }
            match place(found.visible_phone.from) {
                Some(at) => { prop_assert_eq!(Some(found.visible_phone.value), flags[at]); prop_assert!(flags[..at].iter().all(Option::is_none)); }
                None => prop_assert!(found.visible_phone.value && flags.iter().all(Option::is_none)),
            }
            let same = visibility(&own.map(|level| level.visible));
            prop_assert_eq!(same, found.visibility(), "options resolve as products do");
        }
    }
}
