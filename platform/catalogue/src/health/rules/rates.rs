//! VAT rates that look wrong, and fields that the tax report lacks.

use std::collections::BTreeMap;

use kernel::money::Percent;
use rust_decimal::Decimal;
use uuid::Uuid;

use super::CheckResult;
use crate::{
    effective::ValueOrigin,
    health::{
        changes::{Change, Field, Table, set_rate},
        kinds::Kind,
        look::{Look, STANDARD, Size},
        types::{MenuFinding, MenuFindingDetail as Detail},
    },
    menu::index::MenuSubject,
};

/// Percents that the tax report has a word for.
const REPORTABLE: [i64; 4] = [0, 5, 18, 27];

fn is_reportable(percent: Percent) -> bool {
    REPORTABLE.iter().any(|rate| percent.0 == Decimal::from(*rate))
}

/// A finding about the rates of sizes of one product, of which the first speaks for all.
fn rated(subject: MenuSubject, sizes: &[&Size<'_>]) -> MenuFinding {
    let Some(first) = sizes.first() else { return MenuFinding::of(subject) };
    MenuFinding {
        percent: Some(first.values.vat.percent),
        sit_in_percent: Some(first.values.sit_in_vat.percent),
        detail: (!first.is_kind_sure).then_some(Detail::ByName),
        ..MenuFinding::of(subject)
    }
}

/// A finding that sizes get the standard rate, with the changes that give it to them.
fn to_standard(look: &Look<'_>, found: MenuFinding, changes: Vec<Change>) -> CheckResult {
    let mend = (look.input.standard.is_some() && !changes.is_empty()).then(|| STANDARD.to_string());
    CheckResult { finding: MenuFinding { expected_percent: Some(STANDARD), mend, ..found }, changes }
}

/// Sizes are told apart by their rates and by whether the second one follows the first, because a mend says one rate
/// before and one after.
fn alike<'s, 'a>(look: &Look<'a>, sizes: Vec<&'s Size<'a>>) -> Vec<Vec<&'s Size<'a>>> {
    let mut groups: BTreeMap<(Percent, Percent, bool), Vec<&Size<'_>>> = BTreeMap::new();
    for size in sizes {
        let (vat, sit_in) = (size.values.vat.percent, size.values.sit_in_vat.percent);
        groups.entry((vat, sit_in, has_sit_in_rate(look, size))).or_default().push(size);
    }
    groups.into_values().collect()
}

/// The subjects of products whose sizes have the same rates.
fn subjects<'s, 'a>(
    look: &Look<'a>, found: impl IntoIterator<Item = &'s Size<'a>>,
) -> Vec<(MenuSubject, Vec<&'s Size<'a>>)>
where
    'a: 's,
{
    let mut all = Vec::new();
    for (subject, sizes) in look.by_product(found) {
        let mut groups = alike(look, sizes);
        if groups.len() == 1 {
            all.extend(groups.pop().map(|sizes| (subject, sizes)));
        } else {
            let sizes = groups.into_iter().flatten();
            all.extend(sizes.map(|size| (look.index.size(size.row), vec![size])));
        }
    }
    all
}

/// Sold by itself: a menu has the rates of its parts.
fn is_plain(look: &Look<'_>, size: &Size<'_>) -> bool {
    look.components(size).is_empty()
}

/// Alcohol below the standard rate, here or taken away.
pub(super) fn alcohol(look: &Look<'_>) -> Vec<CheckResult> {
    let low = look.active().filter(|size| {
        let rates = [size.values.vat.percent, size.values.sit_in_vat.percent];
        size.kind == Kind::Alcohol && is_plain(look, size) && rates.iter().any(|rate| *rate < STANDARD)
    });
    let found = subjects(look, low).into_iter().map(|(subject, sizes)| {
        let changes = look.input.standard.map_or_else(Vec::new, |rate| {
            let mut changes = Vec::new();
            let values = &sizes[0].values;
            if values.vat.percent < STANDARD {
                changes.extend(set_rate(look, &sizes, Field::VatId, rate));
            }
            // One that follows the other rate comes along with it.
            if values.sit_in_vat.percent < STANDARD && has_sit_in_rate(look, sizes[0]) {
                changes.extend(set_rate(look, &sizes, Field::SitInVatId, rate));
            }
            changes
        });
        to_standard(look, rated(subject, &sizes), changes)
    });
    found.collect()
}

/// Some level or the restaurant says a rate for what is eaten here; else the other one holds.
fn has_sit_in_rate(look: &Look<'_>, size: &Size<'_>) -> bool {
    let levels = [size.row.sit_in_vat_id, size.product.sit_in_vat_id, size.category.sit_in_vat_id];
    levels.iter().any(Option::is_some)
        || size.parent.is_some_and(|parent| parent.sit_in_vat_id.is_some())
        || look.input.rows.defaults.sit_in_vat_id.is_some()
}

/// Drinks without alcohol below the standard rate where they are taken away. What holds here stays.
pub(super) fn drinks_taken_away(look: &Look<'_>) -> Vec<CheckResult> {
    let low = look.active().filter(|size| {
        size.kind.is_soft_drink() && is_plain(look, size) && size.values.vat.percent < STANDARD
    });
    let found = subjects(look, low).into_iter().map(|(subject, sizes)| {
        let changes = look.input.standard.map_or_else(Vec::new, |rate| {
            let mut changes = set_rate(look, &sizes, Field::VatId, rate);
            if !has_sit_in_rate(look, sizes[0]) {
                changes.extend(set_rate(look, &sizes, Field::SitInVatId, sizes[0].values.vat.id));
            }
            changes
        });
        to_standard(look, rated(subject, &sizes), changes)
    });
    found.collect()
}

/// Rows that say their rate themselves, while a lower one for what is eaten here comes from further away: who set
/// the one has not chosen the other. The rate of the restaurant for a row that says nothing is chosen. Alcohol is
/// told by its own check.
pub(super) fn sit_in_of_nobody(look: &Look<'_>) -> Vec<CheckResult> {
    let mut found: Vec<(Uuid, CheckResult)> = Vec::new();
    for size in look.active().filter(|size| size.kind != Kind::Alcohol && is_plain(look, size)) {
        let (vat, sit_in) = (&size.values.vat, &size.values.sit_in_vat);
        if sit_in.percent >= vat.percent || distance(sit_in.from) <= distance(vat.from) {
            continue;
        }
        let (table, id, subject, own) = match vat.from {
            ValueOrigin::Subproduct => {
                (Table::Subproduct, size.id(), look.index.size(size.row), size.row.sit_in_vat_id)
            }
            ValueOrigin::Product => {
                let row = size.product;
                (Table::Product, row.id.uuid(), look.index.product(row), row.sit_in_vat_id)
            }
            ValueOrigin::Category => {
                let row = size.category;
                (Table::ProductCategory, row.id.uuid(), look.index.category(row), row.sit_in_vat_id)
            }
            ValueOrigin::ParentCategory => {
                let Some(row) = size.parent else { continue };
                (Table::ProductCategory, row.id.uuid(), look.index.category(row), row.sit_in_vat_id)
            }
            ValueOrigin::Restaurant => continue,
        };
        if let Some((_, told)) = found.iter_mut().find(|(told, _)| *told == id) {
            told.finding.count = told.finding.count.map(|count| count + 1);
            continue;
        }
        let change = Change {
            table,
            id,
            field: Field::SitInVatId,
            before: own.map(|id| id.to_string()),
            after: Some(vat.id.to_string()),
        };
        // Where it reaches more than drinks, these may have the lower rate here, switched off or not.
        let drinks =
            look.sizes.iter().filter(|other| is_below(other, id) && is_plain(look, other)).all(|other| {
                other.kind.is_soft_drink()
                    || other.kind == Kind::Alcohol
                    || distance(other.values.sit_in_vat.from) <= distance(vat.from)
            });
        let finding = MenuFinding {
            expected_percent: Some(vat.percent),
            count: Some(1),
            mend: drinks.then(|| vat.percent.to_string()),
            detail: None,
            ..rated(subject, &[size])
        };
        found.push((id, CheckResult { finding, changes: if drinks { vec![change] } else { Vec::new() } }));
    }
    found.into_iter().map(|(_, found)| found).collect()
}

fn is_below(size: &Size<'_>, row: Uuid) -> bool {
    let above = [size.id(), size.product.id.uuid(), size.category.id.uuid()];
    above.contains(&row) || size.parent.is_some_and(|parent| parent.id.uuid() == row)
}

/// How far a value comes from.
fn distance(from: ValueOrigin) -> u8 {
    match from {
        ValueOrigin::Subproduct => 0,
        ValueOrigin::Product => 1,
        ValueOrigin::Category => 2,
        ValueOrigin::ParentCategory => 3,
        ValueOrigin::Restaurant => 4,
    }
}

/// Products whose rates differ from those that most of their category have, among what is of one kind.
pub(super) fn differing(look: &Look<'_>) -> Vec<CheckResult> {
    type Rates = (Percent, Percent);
    let rates = |size: &Size<'_>| (size.values.vat.percent, size.values.sit_in_vat.percent);
    let mut counts: BTreeMap<(Uuid, Kind), BTreeMap<Rates, usize>> = BTreeMap::new();
    let plain = || look.active().filter(|size| is_plain(look, size));
    // What no name speaks for is food as a rule.
    let kind = |size: &Size<'_>| if size.kind == Kind::Unknown { Kind::Food } else { size.kind };
    for size in plain() {
        let of_kind = counts.entry((size.category.id.uuid(), kind(size))).or_default();
        *of_kind.entry(rates(size)).or_default() += 1;
    }
    // Of several that are as frequent the highest is the usual one.
    let usual: BTreeMap<(Uuid, Kind), Rates> = counts
        .into_iter()
        .filter(|(_, rates)| rates.len() > 1)
        .filter_map(|(key, rates)| {
            let most = rates.into_iter().max_by_key(|(rate, count)| (*count, *rate))?;
            Some((key, most.0))
        })
        .collect();
    let usual_of = |size: &Size<'_>| usual.get(&(size.category.id.uuid(), kind(size))).copied();
    let other = plain().filter(|size| usual_of(size).is_some_and(|usual| usual != rates(size)));
    let found = subjects(look, other).into_iter().map(|(subject, sizes)| {
        let told = sizes.first().and_then(|size| {
            let (vat, sit_in) = usual_of(size)?;
            let here = vat == size.values.vat.percent;
            Some((if here { sit_in } else { vat }, here.then_some(Detail::Here)))
        });
        let (expected, detail) = told.unzip();
        let detail = detail.flatten();
        MenuFinding { expected_percent: expected, detail, ..rated(subject, &sizes) }.into()
    });
    found.collect()
}

/// The delivery fee below the standard rate.
pub(super) fn delivery(look: &Look<'_>) -> Vec<CheckResult> {
    let percent = look.input.rows.facts.delivery_vat;
    let finding = MenuFinding {
        percent: Some(percent),
        expected_percent: Some(STANDARD),
        ..MenuFinding::of(MenuSubject::RESTAURANT)
    };
    if percent == STANDARD { Vec::new() } else { vec![finding.into()] }
}

/// Sizes without a category of the tax report. Of menus each part is reported.
pub(super) fn without_tax_category(look: &Look<'_>) -> Vec<CheckResult> {
    let without = look.active().filter(|size| size.values.ntak_category.id.is_none() && is_plain(look, size));
    look.by_product(without).into_iter().map(|(subject, _)| MenuFinding::of(subject).into()).collect()
}

/// Rates that the tax report has no word for, the delivery fee's among them.
pub(super) fn not_reportable(look: &Look<'_>) -> Vec<CheckResult> {
    let wrong = look.active().filter(|size| {
        let rates = [size.values.vat.percent, size.values.sit_in_vat.percent];
        is_plain(look, size) && !rates.into_iter().all(is_reportable)
    });
    let of_sizes = subjects(look, wrong)
        .into_iter()
        .map(|(subject, sizes)| MenuFinding { detail: None, ..rated(subject, &sizes) }.into());
    let percent = look.input.rows.facts.delivery_vat;
    let delivery = MenuFinding { percent: Some(percent), ..MenuFinding::of(MenuSubject::RESTAURANT) };
    of_sizes.chain((!is_reportable(percent)).then(|| delivery.into())).collect()
}
