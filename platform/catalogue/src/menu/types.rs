//! The menu on the wire. The same types make the published schema and, through serde, the cached bytes.

use kernel::{
    Id, Restaurant,
    money::{Currency, Money, Percent},
    time::{TimeRange, Timestamp},
};
use media::Picture;
use poem_openapi::{Enum, Object};
use serde::Serialize;
use uuid::Uuid;

use crate::{
    OptionGroups, Options, ProductCategories, Products, Subproducts, option_groups::OptionGroupType,
    price::SalePrice,
};

/// Which visibility flag counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Enum, Serialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(crate) enum MenuChannel {
    /// Web shop, apps, messenger and delivery platforms.
    Online,
    /// Tables and till.
    SitIn,
    /// Orders taken by phone.
    Phone,
    /// Kiosk, eaten here.
    KioskSitIn,
    /// Kiosk, taken away.
    KioskTakeAway,
}

impl From<MenuChannel> for pricing::MenuChannel {
    fn from(channel: MenuChannel) -> Self {
        match channel {
            MenuChannel::Online => Self::Online,
            MenuChannel::SitIn => Self::SitIn,
            MenuChannel::Phone => Self::Phone,
            MenuChannel::KioskSitIn => Self::KioskSitIn,
            MenuChannel::KioskTakeAway => Self::KioskTakeAway,
        }
    }
}

/// What guests see of a restaurant on one channel, now.
#[derive(Debug, Clone, Object, Serialize)]
pub(crate) struct Menu {
    pub restaurant: MenuRestaurant,
    pub channel: MenuChannel,
    /// Raised with every change of what guests see, except sellable quantities.
    pub version: i64,
    /// Until when nothing changes by itself: no opening, no time range, no publication. `null`: never.
    pub valid_until: Option<Timestamp>,
    /// In their order. Categories without anything to show are left out.
    pub categories: Vec<MenuCategory>,
    /// The groups that the sub-products name, in their order.
    pub option_groups: Vec<MenuOptionGroup>,
    /// Products of this menu that the restaurant puts first, in its order.
    pub featured_product_ids: Vec<Id<Products>>,
    /// Categories of this menu that the restaurant suggests, in the order of the menu.
    pub category_upsells: Vec<MenuCategoryUpsell>,
    /// Promotions that are offered with the cart, in the web shop and the apps. The quote says what a cart gets; a
    /// gift is accepted in its `gift_choices`.
    pub upsells: Vec<MenuUpsell>,
}

/// A promotion that is offered with the cart.
#[derive(Debug, Clone, Object, Serialize)]
pub(crate) struct MenuUpsell {
    /// Names it in `gift_choices`.
    pub promotion_id: Uuid,
    pub name: String,
    /// What `price_from` is compared with: `by_price` (the list value of the cart) or `by_quantity` (its pieces).
    pub range_filter_type: String,
    /// The highest one that the cart reaches holds.
    pub ranges: Vec<MenuUpsellRange>,
}

/// What an upsell offers from a value of the cart on.
#[derive(Debug, Clone, Object, Serialize)]
pub(crate) struct MenuUpsellRange {
    pub price_from: Money,
    /// `percent`, `amount`, or `overwritten_value`: the price becomes this.
    pub discount_type: String,
    /// 0: nothing is taken off the cart.
    pub discount_value: Money,
    pub free_delivery: bool,
    pub gifts: Vec<MenuUpsellGift>,
}

/// A size that an upsell offers. It need not stand in the menu by itself.
#[derive(Debug, Clone, Object, Serialize)]
pub(crate) struct MenuUpsellGift {
    pub subproduct_id: Id<Subproducts>,
    /// As an order names it.
    pub name: String,
    pub name_sec_lang: Option<String>,
    /// List price of one.
    pub price: SalePrice,
    pub quantity: i32,
    /// `per_cart`, or `per_item`: for each piece that counts.
    pub quantity_type: String,
    /// How much of its price is given; 100 is free.
    pub discount_percentage: Percent,
}

/// A category that is suggested to guests.
#[derive(Debug, Clone, Object, Serialize)]
pub(crate) struct MenuCategoryUpsell {
    /// Suggested when the cart has something of this category, or of one below it; `null`: to every cart.
    pub product_category_id: Option<Id<ProductCategories>>,
    /// What is suggested.
    pub suggested_category_id: Id<ProductCategories>,
}

/// The restaurant of a menu.
#[derive(Debug, Clone, Object, Serialize)]
pub(crate) struct MenuRestaurant {
    pub id: Id<Restaurant>,
    pub name: String,
    pub currency: Currency,
    /// Name of the zone of its wall time (`Europe/Budapest`).
    pub timezone: String,
    /// Language of the first names.
    pub primary_language: String,
    /// Language of the second names (`…_sec_lang`).
    pub secondary_language: Option<String>,
    pub phone_1: Option<String>,
    pub postcode: Option<String>,
    pub city: String,
    pub street: String,
    pub premise_number: String,
    /// Takes orders now: within its hours and holidays, and no SOS close.
    pub open_now: bool,
    /// SOS close: takes no orders at all.
    pub temp_no_orders: bool,
    /// Minutes that an order for now takes, with what the restaurant adds while it is busy.
    pub estimated_delivery_time: i32,
    /// Least value of a delivery; 0 is no minimum.
    pub min_order_price: SalePrice,
    pub normal_delivery: bool,
    pub preorder_delivery: bool,
    pub normal_pickup: bool,
    pub preorder_pickup: bool,
    /// Percent of what is paid for items with `service_fee`, charged for service on this channel; 0: none.
    pub service_fee: Percent,
    /// Deposit of one bottle or can on this channel; `null`: none is charged.
    pub deposit: Option<SalePrice>,
    /// Charged for each order of this channel; 0: none.
    pub system_usage_fee: SalePrice,
    /// Percent to be preselected where tips are asked; `null`: none.
    pub default_tip: Option<Percent>,
    /// Such a tip is the waiter's (`employee_tip`), else the house's (`tip`).
    pub employee_tip: bool,
}

/// A category with its sub-categories or products.
#[derive(Debug, Clone, Object, Serialize)]
pub(crate) struct MenuCategory {
    pub id: Id<ProductCategories>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub description: Option<String>,
    pub description_sec_lang: Option<String>,
    /// When its products can be had, in the restaurant's wall time; empty is always. Those of the parent hold
    /// too.
    pub time_ranges: Vec<TimeRange>,
    /// Addresses of the picture of the web shop.
    pub image_web: Option<Picture>,
    /// Addresses of the picture of the app.
    pub image_app: Option<Picture>,
    /// Addresses of the picture beside the description.
    pub image_desc: Option<Picture>,
    pub children: Vec<MenuCategory>,
    pub products: Vec<MenuProduct>,
}

/// A product with the sub-products that are shown.
#[derive(Debug, Clone, Object, Serialize)]
pub(crate) struct MenuProduct {
    pub id: Id<Products>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub description: Option<String>,
    pub description_sec_lang: Option<String>,
    /// Addresses of the picture.
    pub image: Option<Picture>,
    pub subproducts: Vec<MenuSubproduct>,
}

/// What is ordered.
#[derive(Debug, Clone, Object, Serialize)]
pub(crate) struct MenuSubproduct {
    pub id: Id<Subproducts>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub description: Option<String>,
    pub description_sec_lang: Option<String>,
    /// Gross, without options.
    pub price: SalePrice,
    /// VAT on this channel; `null` where what it consists of has several rates.
    pub vat_percent: Option<Percent>,
    /// The service fee of this channel is charged on it.
    pub service_fee: bool,
    /// Bottles and cans with a deposit in one piece, those of its components counted; options have their own.
    pub deposit_pieces: i32,
    /// What one piece consists of; empty for anything but a menu.
    pub components: Vec<MenuComponent>,
    /// Codes. The picture of each is at `/allergens/{code}.svg` of this service.
    pub allergens: Vec<String>,
    /// What is chosen with it, in the order in which guests are asked.
    pub option_group_ids: Vec<Id<OptionGroups>>,
    /// Pieces that may still be sold, as far as it and its components last; `null`: nobody counts.
    pub sellable_quantity: Option<i32>,
    /// Whether it can be had now: within its time ranges, not sold out, and with as many options to choose
    /// from as its groups want.
    pub available: bool,
    /// All of `available` but the quantity, which is laid over the kept menu.
    #[oai(skip)]
    #[serde(skip)]
    pub orderable: bool,
}

impl MenuSubproduct {
    /// Lays the pieces that are left over it: its own, and those of what it consists of.
    pub(crate) fn lay(&mut self, left: impl Fn(Uuid) -> Option<i32>) {
        let own = left(self.id.uuid());
        let of_components = self
            .components
            .iter()
            .filter_map(|component| Some(left(component.subproduct_id.uuid())? / component.pieces.max(1)));
        self.sellable_quantity = own.into_iter().chain(of_components).min();
        self.available = self.orderable && self.sellable_quantity != Some(0);
    }
}

/// A size within another.
#[derive(Debug, Clone, Object, Serialize)]
pub(crate) struct MenuComponent {
    pub subproduct_id: Id<Subproducts>,
    /// As an order names it.
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub pieces: i32,
}

/// A group of options that is offered on this channel.
#[derive(Debug, Clone, Object, Serialize)]
pub(crate) struct MenuOptionGroup {
    pub id: Id<OptionGroups>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub r#type: OptionGroupType,
    /// Fewest options of one piece.
    pub min_no_options: i32,
    /// Most options of one piece; 0: no limit.
    pub max_no_options: i32,
    pub options: Vec<MenuOption>,
}

/// An option that is offered on this channel.
#[derive(Debug, Clone, Object, Serialize)]
pub(crate) struct MenuOption {
    pub id: Id<Options>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    /// Gross, of one.
    pub price: SalePrice,
    /// Bottles and cans with a deposit in one.
    pub deposit_pieces: i32,
    /// Codes. The picture of each is at `/allergens/{code}.svg` of this service.
    pub allergens: Vec<String>,
}

impl Menu {
    /// Codes of allergens of everything on it, some of them often.
    pub(crate) fn allergens(&self) -> impl Iterator<Item = &str> {
        fn products(category: &MenuCategory) -> Vec<&MenuProduct> {
            category.products.iter().chain(category.children.iter().flat_map(products)).collect()
        }
        let of_sizes = self.categories.iter().flat_map(products).flat_map(|product| &product.subproducts);
        let of_options = self.option_groups.iter().flat_map(|group| &group.options);
        of_sizes
            .map(|size| &size.allergens)
            .chain(of_options.map(|option| &option.allergens))
            .flatten()
            .map(String::as_str)
    }

    pub(crate) fn subproducts_mut(&mut self) -> impl Iterator<Item = &mut MenuSubproduct> {
        fn products(category: &mut MenuCategory) -> Vec<&mut MenuProduct> {
            let MenuCategory { children, products: own, .. } = category;
            own.iter_mut().chain(children.iter_mut().flat_map(products)).collect()
        }
        self.categories.iter_mut().flat_map(products).flat_map(|product| product.subproducts.iter_mut())
    }
}
