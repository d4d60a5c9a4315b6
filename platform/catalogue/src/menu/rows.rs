//! The rows of a menu: only the columns it needs, read by position.
//!
//! Entities are not used: a menu has some 650 rows whose columns are mostly null, because they inherit.
//! Looking up columns by name and making an error text for each null was half of the cost of computing a menu
//! (`bench`).

use access::prelude::*;
use kernel::{
    ids::Vats,
    money::Money,
    time::{TimeRange, Timestamp},
};
use sea_orm::{QueryResult, TryGetable, sqlx::Row, sqlx::ValueRef};
use uuid::Uuid;

use crate::{
    OptionGroups, ProductCategories,
    effective::Own,
    flags::{Ntak, Visible, inheritable_of, visible_of},
    options::Options,
    product_categories::entity::TimeRanges,
    products::{Products, Subproducts},
};

/// The value at a place, `None` where it is null.
fn maybe<T: TryGetable>(row: &QueryResult, at: usize) -> Result<Option<T>> {
    let raw = row.try_as_pg_row().map(|row| row.try_get_raw(at).map(|value| value.is_null()));
    Ok(if matches!(raw, Some(Ok(true))) { None } else { Some(row.try_get_by_index(at)?) })
}

/// A struct of columns, how they are selected (the restaurant's living rows in their order), and how they are
/// read.
macro_rules! columns {
    ($(#[$doc:meta])* $name:ident of $table:literal { $($field:ident: $type:ty,)* } maybe { $($null:ident: $of:ty,)* }) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name {
            $(pub $field: $type,)*
            $(pub $null: Option<$of>,)*
        }

        impl $name {
            const SELECT: &str = concat!(
                "select ", $(stringify!($field), ", ",)* $(stringify!($null), ", ",)*
                "ranking from ", $table, " where restaurant_id = $1 and archived_at is null order by \
                    ranking, id"
            );

            /// All of a restaurant, in their order.
            pub(crate) async fn all(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Vec<Self>> {
                tx.rows(Self::SELECT, [restaurant.into()]).await?.iter().map(Self::read).collect()
            }

            fn read(row: &QueryResult) -> Result<Self> {
                let mut at = 0..;
                let mut next = || at.next().unwrap_or_default();
                // Fields are evaluated in the order in which they stand here, which is that of the select.
                Ok(Self { $($field: row.try_get_by_index(next())?,)* $($null: maybe(row, next())?,)* })
            }
        }
    };
}

columns! {
    /// A category.
    CategoryRow of "product_category" {
        id: Id<ProductCategories>,
        name: String,
        active: bool,
    } maybe {
        parent_id: Id<ProductCategories>,
        name_sec_lang: String,
        description: String,
        description_sec_lang: String,
        visible_online: bool,
        visible_sit_in: bool,
        visible_phone: bool,
        visible_kiosk_sit_in: bool,
        visible_kiosk_take_away: bool,
        available_from: Timestamp,
        available_to: Timestamp,
        expected_at: Timestamp,
        time_ranges: TimeRanges,
        has_tip: bool,
        vat_id: Id<Vats>,
        sit_in_vat_id: Id<Vats>,
        image_web_id: Uuid,
        image_app_id: Uuid,
        image_desc_id: Uuid,
    }
}

columns! {
    /// A product.
    ProductRow of "product" {
        id: Id<Products>,
        product_category_id: Id<ProductCategories>,
        name: String,
        active: bool,
    } maybe {
        name_sec_lang: String,
        description: String,
        description_sec_lang: String,
        visible_online: bool,
        visible_sit_in: bool,
        visible_phone: bool,
        visible_kiosk_sit_in: bool,
        visible_kiosk_take_away: bool,
        available_from: Timestamp,
        available_to: Timestamp,
        expected_at: Timestamp,
        has_tip: bool,
        vat_id: Id<Vats>,
        sit_in_vat_id: Id<Vats>,
        image_id: Uuid,
    }
}

columns! {
    /// A sub-product.
    SubproductRow of "subproduct" {
        id: Id<Subproducts>,
        product_id: Id<Products>,
        name: String,
        price: Money,
        active: bool,
        allergenic_ids: Vec<Uuid>,
    } maybe {
        name_sec_lang: String,
        description: String,
        description_sec_lang: String,
        visible_online: bool,
        visible_sit_in: bool,
        visible_phone: bool,
        visible_kiosk_sit_in: bool,
        visible_kiosk_take_away: bool,
        has_tip: bool,
        vat_id: Id<Vats>,
        sit_in_vat_id: Id<Vats>,
        sellable_quantity: i32,
    }
}

columns! {
    /// An option.
    OptionRow of "option" {
        id: Id<Options>,
        option_group_id: Id<OptionGroups>,
        name: String,
        price: Money,
        active: bool,
        allergenic_ids: Vec<Uuid>,
    } maybe {
        name_sec_lang: String,
        visible_online: bool,
        visible_sit_in: bool,
        visible_phone: bool,
        visible_kiosk_sit_in: bool,
        visible_kiosk_take_away: bool,
    }
}

impl CategoryRow {
    /// What this level says; the tax report's fields are no matter of the menu.
    pub(crate) fn own(&self) -> Own {
        Own { inheritable: inheritable_of!(self), ntak: Ntak::default() }
    }

    /// Its time ranges; none is no restriction.
    pub(crate) fn ranges(&self) -> &[TimeRange] {
        self.time_ranges.as_ref().map_or(&[], |ranges| &ranges.0)
    }
}

impl ProductRow {
    /// What this level says.
    pub(crate) fn own(&self) -> Own {
        Own { inheritable: inheritable_of!(self), ntak: Ntak::default() }
    }
}

impl SubproductRow {
    /// What this level says.
    pub(crate) fn own(&self) -> Own {
        Own { inheritable: inheritable_of!(self), ntak: Ntak::default() }
    }
}

impl OptionRow {
    /// Its own visibility.
    pub(crate) fn visible(&self) -> Visible {
        visible_of!(self)
    }
}
