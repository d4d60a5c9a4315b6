//! The checks. Each looks at the menu and answers what it finds, in the order of the menu. Pure.

mod rates;
mod result;
mod selling;
mod texts;

use super::{
    look::Look,
    types::{MenuHealthRule, MenuHealthSkip},
};
pub(super) use result::CheckResult;

/// Why a check does not run on this menu.
pub(super) fn skipped(look: &Look<'_>, rule: MenuHealthRule) -> Option<MenuHealthSkip> {
    use MenuHealthRule as Rule;
    let facts = &look.input.rows.facts;
    match rule {
        Rule::SecondLanguage if facts.secondary_language.is_none() => Some(MenuHealthSkip::NoSecondLanguage),
        Rule::AlcoholVat | Rule::DrinkVat | Rule::DeliveryVat if !look.is_in_hungary() => {
            Some(MenuHealthSkip::NotInHungary)
        }
        Rule::DeliveryVat if !facts.normal_delivery && !facts.preorder_delivery => {
            Some(MenuHealthSkip::NoDelivery)
        }
        Rule::TaxCategoryMissing | Rule::VatNotReportable if !look.is_taxed() => {
            Some(MenuHealthSkip::NoTaxReport)
        }
        _ => None,
    }
}

pub(super) fn check(look: &Look<'_>, rule: MenuHealthRule) -> Vec<CheckResult> {
    use MenuHealthRule as Rule;
    if skipped(look, rule).is_some() {
        return Vec::new();
    }
    match rule {
        Rule::GroupUnmet => selling::groups_unmet(look),
        Rule::PartSoldOut => selling::parts_sold_out(look),
        Rule::PartOff => selling::parts_off(look),
        Rule::PriceZero => selling::prices_of_zero(look),
        Rule::NeverOpen => selling::never_open(look),
        Rule::HiddenEverywhere => selling::hidden_everywhere(look),
        Rule::Deposit => selling::deposits(look),
        Rule::AlcoholVat => rates::alcohol(look),
        Rule::DrinkVat => rates::drinks_taken_away(look),
        Rule::SitInVat => rates::sit_in_of_nobody(look),
        Rule::VatDiffers => rates::differing(look),
        Rule::DeliveryVat => rates::delivery(look),
        Rule::TaxCategoryMissing => rates::without_tax_category(look),
        Rule::VatNotReportable => rates::not_reportable(look),
        Rule::NameTwice => texts::names_twice(look),
        Rule::SecondLanguage => texts::second_language(look),
        Rule::Allergens => texts::without_allergens(look),
        Rule::Picture => texts::without_picture(look),
    }
}
