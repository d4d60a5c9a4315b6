//! The health of a menu on the wire.

use kernel::{
    Id,
    money::Percent,
    time::{CalendarDay, Timestamp},
};
use poem_openapi::{Enum, Object};
use sea_orm::{DeriveActiveEnum, EnumIter};

use crate::menu::{index::MenuSubject, types::MenuChannel};

/// What is looked for, in the order in which it is told.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Enum,
    EnumIter,
    DeriveActiveEnum,
    strum::VariantArray,
)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum MenuHealthRule {
    /// A group asks for more options than can be chosen: what has it cannot be ordered.
    GroupUnmet,
    /// A menu, or something that must be chosen, of which a part is sold out.
    PartSoldOut,
    /// A part of a menu, or what an option stands for, is archived or switched off.
    PartOff,
    /// A price of 0.
    PriceZero,
    /// Time ranges that never open, or a time of sale that is over.
    NeverOpen,
    /// Hidden on every channel.
    HiddenEverywhere,
    /// A deposit without an amount, or counted twice.
    Deposit,
    /// Alcohol below the standard rate.
    AlcoholVat,
    /// A reduced rate on drinks that are taken away.
    DrinkVat,
    /// A sit-in rate that nobody chose.
    SitInVat,
    /// Rates that differ within a category.
    VatDiffers,
    /// The rate of the delivery fee.
    DeliveryVat,
    /// No category of the tax report.
    TaxCategoryMissing,
    /// A rate that cannot be reported.
    VatNotReportable,
    /// The same name twice.
    NameTwice,
    /// No text in the second language.
    SecondLanguage,
    /// No allergens.
    Allergens,
    /// No picture.
    Picture,
}

impl MenuHealthRule {
    pub(crate) const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// How much it matters.
    pub(crate) const fn weight(self) -> MenuHealthWeight {
        match self {
            Self::GroupUnmet | Self::PartSoldOut | Self::NeverOpen | Self::AlcoholVat => {
                MenuHealthWeight::Error
            }
            Self::SecondLanguage | Self::Allergens | Self::Picture | Self::NameTwice => {
                MenuHealthWeight::Hint
            }
            _ => MenuHealthWeight::Warning,
        }
    }
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum MenuHealthWeight {
    /// Something cannot be sold, or is taxed too low.
    Error,
    /// Probably a mistake.
    Warning,
    /// Guests would like it better.
    Hint,
}

/// Why a check did not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum MenuHealthSkip {
    /// The restaurant has no second language.
    NoSecondLanguage,
    /// No tax category is set anywhere: nothing is reported to the tax office.
    NoTaxReport,
    /// It is about the rates of Hungary.
    NotInHungary,
    /// The restaurant does not deliver.
    NoDelivery,
}

/// More precisely, what a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum MenuFindingDetail {
    /// `other` is archived.
    Archived,
    /// `other` is switched off.
    Inactive,
    /// The time ranges and those of `other` never hold together.
    Contradict,
    /// The time ranges lie outside the opening hours.
    OutsideHours,
    /// The time of sale ended at `at`.
    Over,
    /// No amount of a deposit is known on this day.
    NoAmount,
    /// The menu has a deposit of its own besides those of its parts.
    Twice,
    /// It is the name that is missing.
    Name,
    /// It is the description that is missing.
    Description,
    /// That it is such a drink is told by its name alone; it has no tax category.
    ByName,
    /// It is the rate here that differs.
    Here,
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub(crate) struct MenuFinding {
    pub subject: MenuSubject,
    /// What it is about besides.
    pub other: Option<MenuSubject>,
    pub detail: Option<MenuFindingDetail>,
    /// The channels on which it is so; empty: all, or none in particular.
    pub channels: Vec<MenuChannel>,
    /// The rate that is there.
    pub percent: Option<Percent>,
    /// The rate here.
    pub sit_in_percent: Option<Percent>,
    /// The rate that most others have, or that is right.
    pub expected_percent: Option<Percent>,
    /// How many sizes it concerns.
    pub count: Option<i32>,
    pub at: Option<Timestamp>,
    /// What a mend writes: a name, or a rate in percent. `null`: it is mended by hand.
    pub mend: Option<String>,
}

impl MenuFinding {
    pub(crate) fn of(subject: MenuSubject) -> Self {
        Self {
            subject,
            other: None,
            detail: None,
            channels: Vec::new(),
            percent: None,
            sit_in_percent: None,
            expected_percent: None,
            count: None,
            at: None,
            mend: None,
        }
    }
}

/// One check.
#[derive(Debug, Object)]
pub(crate) struct MenuHealthCheck {
    pub rule: MenuHealthRule,
    pub weight: MenuHealthWeight,
    /// Why it did not run; `null`: it ran.
    pub skipped: Option<MenuHealthSkip>,
    /// How many were found.
    pub total: i32,
    /// How many of them a mend would put right.
    pub mendable: i32,
    /// The first of them, in the order of the menu.
    pub findings: Vec<MenuFinding>,
}

/// What is wrong with a menu.
#[derive(Debug, Object)]
pub(crate) struct MenuHealth {
    /// Of the menu that was looked at; a mend sends it back.
    pub catalogue_version: i64,
    /// The day of the restaurant on which it was looked at.
    pub day: CalendarDay,
    /// How many products were looked at: those that are switched on.
    pub products: i32,
    pub checks: Vec<MenuHealthCheck>,
    /// The newest mends.
    pub mends: Vec<MenuMend>,
}

#[derive(Debug)]
pub(crate) struct MenuMends;

kernel::resource!(MenuMends, "menu_mends", "MENU_MEND");

/// A mend.
#[derive(Debug, Object)]
pub(crate) struct MenuMend {
    pub id: Id<MenuMends>,
    pub rule: MenuHealthRule,
    /// How many findings it put right.
    pub count: i32,
    pub actor_name: String,
    pub created_at: Timestamp,
    /// Until when it can be undone; `null`: no more.
    pub undo_until: Option<Timestamp>,
    pub undone_at: Option<Timestamp>,
}
