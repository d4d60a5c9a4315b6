//! Each check on a small menu, and properties of all of them on random ones.

use chrono::TimeDelta;
use kernel::{
    Id,
    ids::Vats,
    money::{Money, Percent},
    time::{Day, OpeningHours, RangeDay, TimeRange, Timestamp},
};
use proptest::prelude::*;
use rust_decimal::Decimal;
use uuid::Uuid;

use super::{
    changes::{Change, Field, Table, back},
    look::{Input, Look, Tax},
    rules::{CheckResult, check, skipped},
    types::{MenuFinding, MenuFindingDetail as Detail, MenuHealthRule as Rule, MenuHealthSkip as Skip},
};
use crate::{
    menu::{
        preview::tests::{Random, option, option_group, shaken},
        rows::SubproductRow,
        store::Rows,
        tests::{category, facts, id, minutes, product, rows, subproduct, world},
        types::MenuChannel,
    },
    product_categories::entity::TimeRanges,
};

/// Categories, products and sizes of the small menu.
const FOOD: u128 = 100;
const DRINKS: u128 = 101;
const SOUP: u128 = 200;
const PIZZA: u128 = 201;
const COLA: u128 = 202;
const BEER: u128 = 203;
/// The only sizes.
const SOUP_SIZE: u128 = 1200;
const COLA_SIZE: u128 = 1202;
const BEER_SIZE: u128 = 1203;
const SMALL: u128 = 1201;
const LARGE: u128 = 1301;
const GROUP: u128 = 5000;
const CHEESE: u128 = 6000;
fn vat(percent: u128) -> Option<Id<Vats>> {
    Some(id(percent))
}

/// A soup, a pizza in two sizes with a required choice, a cola and a beer, all well.
fn healthy() -> Rows {
    let mut rows = rows(
        facts(vec![], vec![]),
        vec![category(FOOD, None, vec![], [None; 3]), category(DRINKS, None, vec![], [None; 3])],
        vec![
            product(SOUP, FOOD, [None; 3]),
            product(PIZZA, FOOD, [None; 3]),
            product(COLA, DRINKS, [None; 3]),
            product(BEER, DRINKS, [None; 3]),
        ],
        None,
    );
    rows.subproducts.push(subproduct(LARGE, PIZZA, None));
    let names = [(FOOD, "Konyha", "Kitchen"), (DRINKS, "Italok", "Drinks")];
    for (row, (_, name, second)) in rows.categories.iter_mut().zip(names) {
        row.name = name.to_owned();
        row.name_sec_lang = Some(second.to_owned());
    }
    let names = [("Gulyásleves", "Goulash"), ("Pizza", "Pizza"), ("Kóla", "Cola"), ("Világos sör", "Lager")];
    for (row, (name, second)) in rows.products.iter_mut().zip(names) {
        row.name = name.to_owned();
        row.name_sec_lang = Some(second.to_owned());
        row.image_id = Some(Uuid::nil());
    }
    for row in &mut rows.subproducts {
        row.name = if row.id == id(LARGE) { "Nagy" } else { "Kicsi" }.to_owned();
        row.name_sec_lang = Some(if row.id == id(LARGE) { "Large" } else { "Small" }.to_owned());
        row.allergenic_ids = vec![Uuid::nil()];
    }
    let mut group = option_group(GROUP, 1, 1);
    group.name_sec_lang = Some("Toppings".to_owned());
    rows.groups.push(group);
    let mut cheese = option(CHEESE, GROUP);
    cheese.name_sec_lang = Some("Cheese".to_owned());
    rows.options.push(cheese);
    for size in [SMALL, LARGE] {
        rows.links.insert(Uuid::from_u128(size), vec![Uuid::from_u128(GROUP)]);
    }
    rows.facts.secondary_language = Some("en");
    rows.facts.deposit = Some(Money::from(50));
    rows.facts.sit_in_vat_id = None;
    rows.defaults.sit_in_vat_id = None;
    rows.defaults.vats = [0_u128, 5, 18, 20, 27]
        .map(|percent| (Uuid::from_u128(percent), Percent(Decimal::from(u64::try_from(percent).unwrap()))))
        .into();
    rows
}

fn size(rows: &mut Rows, number: u128) -> &mut SubproductRow {
    rows.subproducts.iter_mut().find(|row| row.id == id(number)).unwrap()
}

fn found(rows: &Rows, tax: &Tax, rule: Rule) -> Vec<CheckResult> {
    let input = Input { rows, gone: &[], tax, standard: vat(27), at: minutes(0) };
    check(&Look::new(&input), rule)
}

/// What a check finds on the small menu after a change: the numbers of the rows.
fn told(rule: Rule, change: impl FnOnce(&mut Rows, &mut Tax)) -> Vec<MenuFinding> {
    let (mut rows, mut tax) = (healthy(), Tax::default());
    change(&mut rows, &mut tax);
    found(&rows, &tax, rule).into_iter().map(|found| found.finding).collect()
}

/// Number of the row, what exactly, and what a mend writes.
type BriefFinding = (u128, Option<Detail>, Option<String>);

fn brief(findings: &[MenuFinding]) -> Vec<BriefFinding> {
    let number = |one: &MenuFinding| one.subject.id.map_or(0, |id| id.as_u128());
    findings.iter().map(|one| (number(one), one.detail, one.mend.clone())).collect()
}

type Case = (Rule, fn(&mut Rows, &mut Tax), &'static [(u128, Option<Detail>, Option<&'static str>)]);

fn range(day: RangeDay, from: &str, till: &str) -> Option<TimeRanges> {
    Some(TimeRanges(vec![TimeRange { day, from: from.parse().unwrap(), till: till.parse().unwrap() }]))
}

fn tax(tax: &mut Tax, row: u128, category: u128, main: &str) {
    tax.own.insert(Uuid::from_u128(row), id(category));
    tax.mains.insert(Uuid::from_u128(category), main.to_owned());
}

#[test]
fn a_healthy_menu_has_nothing() {
    for &rule in Rule::ALL {
        let found = told(rule, |_, _| ());
        assert!(found.is_empty(), "{rule:?}: {found:?}");
    }
}

#[test]
#[rustfmt::skip]
fn each_check_finds_what_it_is_for() {
    let cases: &[Case] = &[
        (Rule::GroupUnmet, |r, _| r.options[0].active = false, &[(GROUP, None, None)]),
        (Rule::GroupUnmet, |r, _| r.options[0].visible_phone = Some(false), &[(GROUP, None, None)]),
        (Rule::GroupUnmet, |r, _| { r.options.clear(); r.groups[0].min_no_options = 0 }, &[]),
        (Rule::GroupUnmet, |r, _| { r.options.clear(); r.groups[0].active = false }, &[]),
        (Rule::GroupUnmet, |r, _| { r.options.clear(); r.products[1].active = false }, &[]),
        (Rule::PartSoldOut, |r, _| { r.components.insert(Uuid::from_u128(SOUP_SIZE), vec![(Uuid::from_u128(COLA_SIZE), 2)]); size(r, COLA_SIZE).sellable_quantity = Some(1) }, &[(SOUP_SIZE, None, None)]),
        (Rule::PartSoldOut, |r, _| { r.components.insert(Uuid::from_u128(SOUP_SIZE), vec![(Uuid::from_u128(COLA_SIZE), 2)]); size(r, COLA_SIZE).sellable_quantity = Some(2) }, &[]),
        (Rule::PartSoldOut, |r, _| { r.options[0].subproduct_id = Some(Uuid::from_u128(COLA_SIZE)); size(r, COLA_SIZE).sellable_quantity = Some(0) }, &[(SMALL, None, None), (LARGE, None, None)]),
        (Rule::PartOff, |r, _| { r.components.insert(Uuid::from_u128(SOUP_SIZE), vec![(Uuid::from_u128(COLA_SIZE), 1)]); r.products[2].active = false }, &[(SOUP_SIZE, Some(Detail::Inactive), None)]),
        (Rule::PartOff, |r, _| { r.options[0].subproduct_id = Some(Uuid::from_u128(COLA_SIZE)); size(r, COLA_SIZE).active = false }, &[(CHEESE, Some(Detail::Inactive), None)]),
        (Rule::PriceZero, |r, _| { size(r, SOUP_SIZE).price = Money::ZERO; size(r, SMALL).price = Money::ZERO }, &[(SOUP_SIZE, None, None), (SMALL, None, None)]),
        (Rule::PriceZero, |r, _| { size(r, SMALL).price = Money::ZERO; r.options[0].price = Money::from(100) }, &[]),
        (Rule::PriceZero, |r, _| { size(r, SOUP_SIZE).price = Money::ZERO; size(r, SOUP_SIZE).active = false }, &[]),
        (Rule::NeverOpen, |r, _| { r.categories[1].parent_id = Some(id(FOOD)); r.categories[0].time_ranges = range(RangeDay::Mon, "10:00", "12:00"); r.categories[1].time_ranges = range(RangeDay::Mon, "12:01", "13:00") }, &[(DRINKS, Some(Detail::Contradict), None)]),
        (Rule::NeverOpen, |r, _| { r.facts.schedule.hours = vec![OpeningHours { day: Day::Mon, open_at: "11:00".parse().unwrap(), close_at: "15:00".parse().unwrap() }]; r.categories[0].time_ranges = range(RangeDay::Tue, "11:00", "15:00") }, &[(FOOD, Some(Detail::OutsideHours), None)]),
        (Rule::NeverOpen, |r, _| r.categories[0].time_ranges = range(RangeDay::Tue, "11:00", "15:00"), &[]),
        (Rule::NeverOpen, |r, _| { r.categories[0].available_to = Some(minutes(-1)); r.products[2].available_to = Some(minutes(-5)) }, &[(FOOD, Some(Detail::Over), None), (COLA, Some(Detail::Over), None)]),
        (Rule::HiddenEverywhere, |r, _| hide(size(r, COLA_SIZE)), &[(COLA, None, None)]),
        (Rule::HiddenEverywhere, |r, _| hide(size(r, SMALL)), &[(SMALL, None, None)]),
        (Rule::HiddenEverywhere, |r, _| { hide(size(r, COLA_SIZE)); r.options[0].subproduct_id = Some(Uuid::from_u128(COLA_SIZE)) }, &[]),
        (Rule::Deposit, |r, _| { size(r, COLA_SIZE).deposit_pieces = 1; r.facts.deposit = None }, &[(COLA_SIZE, Some(Detail::NoAmount), None)]),
        (Rule::Deposit, |r, _| { size(r, COLA_SIZE).deposit_pieces = 1; size(r, SOUP_SIZE).deposit_pieces = 1; r.components.insert(Uuid::from_u128(SOUP_SIZE), vec![(Uuid::from_u128(COLA_SIZE), 1)]); }, &[(SOUP_SIZE, Some(Detail::Twice), None)]),
        (Rule::AlcoholVat, |r, _| r.products[3].vat_id = vat(5), &[(BEER, Some(Detail::ByName), Some("27"))]),
        (Rule::AlcoholVat, |r, _| r.products[3].sit_in_vat_id = vat(5), &[(BEER, Some(Detail::ByName), Some("27"))]),
        (Rule::AlcoholVat, |r, t| { r.products[2].vat_id = vat(5); tax(t, DRINKS, 9, "ALKOHOLOSITAL") }, &[(COLA, None, Some("27"))]),
        (Rule::AlcoholVat, |r, t| { r.products[3].vat_id = vat(5); tax(t, BEER_SIZE, 9, "ETEL") }, &[]),
        (Rule::AlcoholVat, |r, _| { r.facts.country = "SK".to_owned(); r.products[3].vat_id = vat(5) }, &[]),
        (Rule::DrinkVat, |r, _| r.products[2].vat_id = vat(5), &[(COLA, Some(Detail::ByName), Some("27"))]),
        (Rule::DrinkVat, |r, _| r.products[2].sit_in_vat_id = vat(5), &[]),
        (Rule::DrinkVat, |r, _| { r.products[1].name = "Kóla".into(); r.products[1].vat_id = vat(5); size(r, SMALL).sit_in_vat_id = vat(5) }, &[(LARGE, Some(Detail::ByName), Some("27")), (SMALL, Some(Detail::ByName), Some("27"))]),
        (Rule::SitInVat, |r, _| { r.defaults.sit_in_vat_id = vat(5) }, &[]),
        (Rule::SitInVat, |r, _| { r.defaults.sit_in_vat_id = vat(5); r.categories[1].vat_id = vat(27) }, &[(DRINKS, None, Some("27"))]),
        // It reaches food with a lower rate of its own, switched off or not.
        (Rule::SitInVat, |r, t| { tax(t, SOUP, 77, "ETEL"); r.defaults.sit_in_vat_id = vat(5); r.categories[1].vat_id = vat(27); r.products[0].product_category_id = id(DRINKS); r.products[0].vat_id = vat(5); r.products[0].active = false }, &[(DRINKS, None, None)]),
        (Rule::SitInVat, |r, _| { r.defaults.sit_in_vat_id = vat(5); r.products[2].vat_id = vat(27); r.categories[0].vat_id = vat(27) }, &[(FOOD, None, None), (COLA, None, Some("27"))]),
        (Rule::SitInVat, |r, _| { r.defaults.sit_in_vat_id = vat(5); r.products[2].vat_id = vat(27); r.products[2].sit_in_vat_id = vat(5) }, &[]),
        (Rule::VatDiffers, |r, _| { r.products[1].vat_id = vat(18); r.products.push(product(210, FOOD, [None; 3])); r.products[4].name = "Halászleves".to_owned(); r.subproducts.push(subproduct(1210, 210, None)) }, &[(PIZZA, None, None)]),
        (Rule::VatDiffers, |r, _| r.products[3].vat_id = vat(18), &[]),
        (Rule::VatDiffers, |r, _| { r.products[1].sit_in_vat_id = vat(5); r.products.push(product(210, FOOD, [None; 3])); r.products[4].name = "Halászleves".to_owned(); r.subproducts.push(subproduct(1210, 210, None)) }, &[(PIZZA, Some(Detail::Here), None)]),
        (Rule::DeliveryVat, |r, _| r.facts.delivery_vat = Percent(Decimal::from(5)), &[(0, None, None)]),
        (Rule::TaxCategoryMissing, |_, t| tax(t, DRINKS, 9, "ALKOHOLOSITAL"), &[(SOUP, None, None), (PIZZA, None, None)]),
        (Rule::TaxCategoryMissing, |_, _| (), &[]),
        (Rule::VatNotReportable, |r, t| { tax(t, DRINKS, 9, "ALKOHOLOSITAL"); r.products[0].vat_id = vat(20); r.facts.delivery_vat = Percent(Decimal::from(20)) }, &[(SOUP, None, None), (0, None, None)]),
        (Rule::VatNotReportable, |r, _| r.products[0].vat_id = vat(20), &[]),
        (Rule::NameTwice, |r, _| { r.products[1].name = "gulyasleves ".to_owned(); size(r, LARGE).name = "KICSI".to_owned() }, &[(PIZZA, None, None), (LARGE, None, None)]),
        (Rule::NameTwice, |r, _| r.products[2].name = "Gulyásleves".to_owned(), &[]),
        (Rule::SecondLanguage, |r, _| { r.products[0].name_sec_lang = None; r.products[0].description = Some("Forró".to_owned()); size(r, SOUP_SIZE).name_sec_lang = None }, &[(SOUP, Some(Detail::Name), None), (SOUP, Some(Detail::Description), None)]),
        (Rule::SecondLanguage, |r, _| { size(r, SMALL).name_sec_lang = Some(" ".to_owned()); r.options[0].name = "kicsi".to_owned(); r.options[0].name_sec_lang = Some("small".to_owned()) }, &[(SMALL, Some(Detail::Name), Some("small"))]),
        (Rule::SecondLanguage, |r, _| { size(r, SMALL).name = "30 cm".to_owned(); size(r, SMALL).name_sec_lang = None }, &[]),
        (Rule::Allergens, |r, _| r.subproducts.iter_mut().for_each(|row| row.allergenic_ids.clear()), &[(SOUP, None, Some("none")), (PIZZA, None, Some("none"))]),
        (Rule::Allergens, |r, _| { size(r, SMALL).allergenic_ids.clear(); size(r, LARGE).allergenic_ids.clear(); size(r, LARGE).allergen_free = true }, &[(SMALL, None, Some("none"))]),
        (Rule::Picture, |r, _| { r.products[0].image_id = None; r.products[1].image_id = None; r.products[1].active = false }, &[(SOUP, None, None)]),
    ];
    for (at, (rule, change, expected)) in cases.iter().enumerate() {
        let told = told(*rule, change);
        let expected: Vec<BriefFinding> = expected.iter().map(|(row, detail, mend)| (*row, *detail, mend.map(str::to_owned))).collect();
        assert_eq!(brief(&told), expected, "case {at}: {rule:?}: {told:?}");
    }
}

fn hide(row: &mut SubproductRow) {
    row.visible_online = Some(false);
    row.visible_sit_in = Some(false);
    row.visible_phone = Some(false);
    row.visible_kiosk_sit_in = Some(false);
    row.visible_kiosk_take_away = Some(false);
}

#[test]
fn channels_and_numbers_are_told() {
    let unmet = told(Rule::GroupUnmet, |rows, _| {
        rows.options[0].visible_phone = Some(false);
        rows.options[0].visible_online = Some(false);
        size(rows, SMALL).visible_online = Some(false);
        size(rows, LARGE).visible_online = Some(false);
    });
    assert_eq!((&unmet[0].channels, unmet[0].count), (&vec![MenuChannel::Phone], Some(2)));
    let low = told(Rule::AlcoholVat, |rows, _| rows.products[3].vat_id = vat(5));
    let percent = |value: u64| Some(Percent(Decimal::from(value)));
    assert_eq!((low[0].percent, low[0].sit_in_percent), (percent(5), percent(5)));
    assert_eq!(low[0].expected_percent, percent(27));
}

#[test]
fn a_check_that_does_not_run_says_why() {
    let why = |rule, change: fn(&mut Rows)| {
        let (mut rows, tax) = (healthy(), Tax::default());
        change(&mut rows);
        let input = Input { rows: &rows, gone: &[], tax: &tax, standard: None, at: minutes(0) };
        skipped(&Look::new(&input), rule)
    };
    assert_eq!(
        why(Rule::SecondLanguage, |rows| rows.facts.secondary_language = None),
        Some(Skip::NoSecondLanguage)
    );
    assert_eq!(why(Rule::TaxCategoryMissing, |_| ()), Some(Skip::NoTaxReport));
    assert_eq!(why(Rule::AlcoholVat, |rows| rows.facts.country = "RO".to_owned()), Some(Skip::NotInHungary));
    assert_eq!(why(Rule::DeliveryVat, |rows| rows.facts.normal_delivery = false), Some(Skip::NoDelivery));
    assert_eq!(why(Rule::Picture, |_| ()), None);
}

#[test]
fn rates_are_written_where_they_reach_just_what_was_found() {
    let changes = |change: fn(&mut Rows)| {
        let mut rows = healthy();
        change(&mut rows);
        let found = found(&rows, &Tax::default(), Rule::DrinkVat);
        found
            .into_iter()
            .flat_map(|found| found.changes)
            .map(|change| (change.table, change.id.as_u128(), change.field))
            .collect::<Vec<_>>()
    };
    // The product: all of its sizes inherit. What holds here stays, because the rate here was the same one.
    assert_eq!(
        changes(|rows| rows.products[2].vat_id = vat(5)),
        [(Table::Product, COLA, Field::VatId), (Table::Product, COLA, Field::SitInVatId)]
    );
    assert_eq!(
        changes(|rows| {
            rows.products[2].vat_id = vat(5);
            rows.products[2].sit_in_vat_id = vat(5);
        }),
        [(Table::Product, COLA, Field::VatId)]
    );
    // The size itself: it says the rate, and nobody else's may change.
    assert_eq!(
        changes(|rows| {
            size(rows, COLA_SIZE).vat_id = vat(5);
            size(rows, COLA_SIZE).sit_in_vat_id = vat(5);
        }),
        [(Table::Subproduct, COLA_SIZE, Field::VatId)]
    );
}

/// Writes changes into rows, as the service writes them into tables.
fn write(rows: &mut Rows, changes: &[Change]) {
    let rate = |text: &Option<String>| text.as_ref().map(|text| text.parse::<Id<Vats>>().unwrap());
    for change in changes {
        macro_rules! taxed {
            ($rows:ident) => {{
                let row = rows.$rows.iter_mut().find(|row| row.id.uuid() == change.id).unwrap();
                match change.field {
                    Field::NameSecLang => {
                        assert_eq!(row.name_sec_lang, change.before);
                        row.name_sec_lang.clone_from(&change.after);
                    }
                    Field::VatId => {
                        assert_eq!(row.vat_id, rate(&change.before));
                        row.vat_id = rate(&change.after);
                    }
                    Field::SitInVatId => {
                        assert_eq!(row.sit_in_vat_id, rate(&change.before));
                        row.sit_in_vat_id = rate(&change.after);
                    }
                    Field::AllergenFree => unreachable!("of sizes alone"),
                }
            }};
        }
        macro_rules! named {
            ($rows:ident) => {{
                let row = rows.$rows.iter_mut().find(|row| row.id.uuid() == change.id).unwrap();
                assert_eq!(row.name_sec_lang, change.before);
                row.name_sec_lang.clone_from(&change.after);
            }};
        }
        if change.field == Field::AllergenFree {
            let row = size(rows, change.id.as_u128());
            assert_eq!(Some(row.allergen_free.to_string()), change.before);
            row.allergen_free = change.after.as_deref() == Some("true");
            continue;
        }
        match change.table {
            Table::ProductCategory => taxed!(categories),
            Table::Product => taxed!(products),
            Table::Subproduct => taxed!(subproducts),
            Table::OptionGroup => named!(groups),
            Table::Option => named!(options),
        }
    }
}

/// Rates, names, translations, components and times at random.
fn ill(rows: Rows, seed: u64) -> (Rows, Tax) {
    let mut rows = shaken(rows, seed);
    let mut random = Random(seed ^ 0x5eed);
    let mut tax = Tax::default();
    rows.facts.secondary_language = Some("en");
    rows.defaults.vats = healthy().defaults.vats;
    rows.defaults.sit_in_vat_id = if random.once_in(2) { vat(5) } else { None };
    let rates = [5, 18, 27];
    let names = ["Sör", "Kóla", "Leves", "Pizza", "Kicsi", "30 cm", "🍕", ""];
    for (at, main) in ["ETEL", "ALKOHOLOSITAL", "ALKMENTESITAL_HELYBEN"].into_iter().enumerate() {
        tax.mains.insert(Uuid::from_u128(9000 + at as u128), main.to_owned());
    }
    macro_rules! shake {
        ($rows:ident) => {
            for row in &mut rows.$rows {
                row.name = names[usize::try_from(random.below(8)).unwrap()].to_owned();
                row.name_sec_lang = random.once_in(3).then(|| format!("{} EN", row.name));
                row.vat_id = if random.once_in(3) {
                    vat(rates[usize::try_from(random.below(3)).unwrap()])
                } else {
                    None
                };
                row.sit_in_vat_id = if random.once_in(5) {
                    vat(rates[usize::try_from(random.below(3)).unwrap()])
                } else {
                    None
                };
                if random.once_in(4) {
                    tax.own.insert(row.id.uuid(), id(9000 + u128::from(random.below(3))));
                }
            }
        };
    }
    shake!(categories);
    shake!(products);
    shake!(subproducts);
    (rows, tax)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]
    // Any menu is looked at without harm; a mend puts right what it names, breaks nothing that it does not name, and
    // its undo brings back what was there.
    #[test]
    fn a_mend_puts_right_what_it_names_and_can_be_taken_back(rows in world(), seed in any::<u64>()) {
        let (mut rows, tax) = ill(rows, seed);
        let before = format!("{:?}", (&rows.categories, &rows.products, &rows.subproducts, &rows.groups, &rows.options));
        for &rule in Rule::ALL {
            let all = found(&rows, &tax, rule);
            for one in &all {
                prop_assert_eq!(one.finding.mend.is_some(), !one.changes.is_empty(), "{:?} {:?}", rule, one);
                prop_assert!(one.finding.subject.id.is_some() || one.changes.is_empty());
            }
            let mendable: Vec<&CheckResult> = all.iter().filter(|one| one.finding.mend.is_some()).collect();
            if mendable.is_empty() {
                continue;
            }
            // Half of them: whatever somebody chooses.
            let chosen: Vec<&CheckResult> = mendable.iter().copied().enumerate().filter(|(at, _)| (seed >> (at % 60)) & 1 == 0).map(|(_, one)| one).collect();
            let changes: Vec<Change> = chosen.iter().flat_map(|one| one.changes.clone()).collect();
            write(&mut rows, &changes);
            let after = found(&rows, &tax, rule);
            let still = |one: &CheckResult| after.iter().any(|other| other.finding.subject == one.finding.subject && other.finding.detail == one.finding.detail && other.finding.mend.is_some());
            for one in &chosen {
                prop_assert!(!still(one), "{:?}: {:?} is still there", rule, one);
            }
            prop_assert!(after.len() <= all.len(), "{:?}: {:?} became {:?}", rule, all, after);
            write(&mut rows, &back(&changes));
            let now = format!("{:?}", (&rows.categories, &rows.products, &rows.subproducts, &rows.groups, &rows.options));
            prop_assert_eq!(&now, &before);
        }
    }
}

#[test]
fn thousands_of_products_and_options_are_looked_at_at_once() {
    let mut rows = healthy();
    for number in 0..3000 {
        rows.products.push(product(10_000 + number, FOOD, [None; 3]));
        rows.subproducts.push(subproduct(20_000 + number, 10_000 + number, Some(1)));
    }
    rows.options.extend((0..10_000).map(|number| option(100_000 + number, GROUP)));
    let begun = std::time::Instant::now();
    for &rule in Rule::ALL {
        found(&rows, &Tax::default(), rule);
    }
    // Without optimisation, and each check by itself; what squares would take minutes.
    assert!(begun.elapsed() < std::time::Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[test]
fn a_moment_far_away_does_no_harm() {
    let rows = healthy();
    let tax = Tax::default();
    for at in [Timestamp(minutes(0).0 + TimeDelta::days(2_900_000)), minutes(-1_000_000_000)] {
        let input = Input { rows: &rows, gone: &[], tax: &tax, standard: None, at };
        let look = Look::new(&input);
        assert!(Rule::ALL.iter().all(|rule| check(&look, *rule).is_empty()));
    }
}
