//! The preview on the wire.

use kernel::{
    Id,
    time::{TimeRange, Timestamp},
};
use media::Picture;
use poem_openapi::{Enum, Object};
use uuid::Uuid;

use crate::{
    OptionGroups, Options, ProductCategories, Products,
    menu::{
        index::MenuSubject,
        types::{MenuChannel, MenuRestaurant, MenuSubproduct},
    },
    option_groups::OptionGroupType,
    price::SalePrice,
};

/// Why something is not on sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum MenuPreviewCause {
    /// SOS close; `at` is when it ends by itself.
    TempNoOrders,
    /// Outside the opening hours; `at` is the next opening.
    Closed,
    /// The web shop does not deliver as soon as possible.
    NoDeliveryNow,
    /// The web shop does not let fetch as soon as possible.
    NoPickupNow,
    /// The subject is switched off.
    Inactive,
    /// The subject hides it on this channel.
    Hidden,
    /// The subject is published later, at `at`.
    NotPublished,
    /// The subject is sold from `at` on.
    NotYet,
    /// The subject was sold until `at`.
    Over,
    /// Outside the time ranges of the subject.
    OutOfHours,
    /// No piece of the subject is left; `left` are too few.
    SoldOut,
    /// It consists of the subject, of which no piece is left; `left` are too few.
    ComponentSoldOut,
    /// The subject asks for more options than there are on this channel.
    TooFewOptions,
    /// The subject must be chosen from, and too little of it is left.
    OptionsSoldOut,
    /// It has a deposit, and no amount is known for one on this day.
    DepositUnknown,
}

/// One reason, and the row or setting that it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub(crate) struct MenuPreviewReason {
    /// As the quote of such an order names it; `deposit` where the order is refused as invalid.
    pub reason: String,
    pub cause: MenuPreviewCause,
    pub subject: MenuSubject,
    pub at: Option<Timestamp>,
    /// The time ranges outside of which it is.
    pub time_ranges: Option<Vec<TimeRange>>,
    /// Pieces that are left.
    pub left: Option<i32>,
}

/// The menu as guests see it at a moment, and what they do not see of it.
#[derive(Debug, Object)]
pub(crate) struct MenuPreview {
    /// The moment.
    pub at: Timestamp,
    pub channel: MenuChannel,
    /// Eaten here: the sit-in VAT holds.
    pub here: bool,
    pub restaurant: MenuRestaurant,
    /// Why no order would be taken then, whatever is in it.
    pub reasons: Vec<MenuPreviewReason>,
    /// All of the restaurant, in their order.
    pub categories: Vec<MenuPreviewCategory>,
    /// All groups that a size has, in their order.
    pub option_groups: Vec<MenuPreviewOptionGroup>,
}

/// A category.
#[derive(Debug, Object)]
pub(crate) struct MenuPreviewCategory {
    pub id: Id<ProductCategories>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub description: Option<String>,
    pub description_sec_lang: Option<String>,
    pub image_web: Option<Picture>,
    /// Guests see it.
    pub shown: bool,
    pub children: Vec<MenuPreviewCategory>,
    pub products: Vec<MenuPreviewProduct>,
}

/// A product.
#[derive(Debug, Object)]
pub(crate) struct MenuPreviewProduct {
    pub id: Id<Products>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub description: Option<String>,
    pub description_sec_lang: Option<String>,
    pub image: Option<Picture>,
    /// Guests see it.
    pub shown: bool,
    pub subproducts: Vec<MenuPreviewSubproduct>,
}

/// A size.
#[derive(Debug, Object)]
pub(crate) struct MenuPreviewSubproduct {
    #[oai(flatten)]
    pub size: MenuSubproduct,
    /// Guests see it.
    pub shown: bool,
    /// One piece with `item_options` can be ordered, as far as it is about this size.
    pub on_sale: bool,
    /// Why not. They are those of the quote of one piece with `item_options`.
    pub reasons: Vec<MenuPreviewReason>,
    /// As few options as its groups ask for.
    pub item_options: Vec<MenuPreviewItemOption>,
}

/// An option of the order that a size was tried with.
#[derive(Debug, Object)]
pub(crate) struct MenuPreviewItemOption {
    pub option_id: Uuid,
    pub quantity: i32,
}

/// A group of options.
#[derive(Debug, Object)]
pub(crate) struct MenuPreviewOptionGroup {
    pub id: Id<OptionGroups>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub r#type: OptionGroupType,
    pub min_no_options: i32,
    pub max_no_options: i32,
    /// Guests see it.
    pub shown: bool,
    pub options: Vec<MenuPreviewOption>,
}

/// An option.
#[derive(Debug, Object)]
pub(crate) struct MenuPreviewOption {
    pub id: Id<Options>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    /// Gross, of one.
    pub price: SalePrice,
    /// Guests see it.
    pub shown: bool,
    /// One can be chosen.
    pub on_sale: bool,
    pub reasons: Vec<MenuPreviewReason>,
}
