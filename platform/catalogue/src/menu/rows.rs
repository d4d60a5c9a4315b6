//! The rows of a menu: only the columns it needs, read by position.
//!
//! Entities are not used: a menu has some 650 rows whose columns are mostly null, because they inherit.
//! Looking up columns by name and making an error text for each null was half of the cost of computing a menu
//! (`bench`).

use access::prelude::*;
use kernel::{
    money::Money,
    time::{TimeRange, Timestamp},
};
use sea_orm::{QueryResult, TryGetable, sqlx::Row, sqlx::ValueRef};
use uuid::Uuid;

use crate::{
    OptionGroups, ProductCategories,
    flags::{Inheritable, Visible, inherited},
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

/// The same of a table whose rows have a visibility of their own.
macro_rules! visible {
    (
        { $($(#[$_visible_doc:meta])* $visible:ident: $visible_type:ty,)* }
        $_own:tt
        $(#[$doc:meta])* $name:ident of $table:literal { $($fields:tt)* } maybe { $($nulls:tt)* }
    ) => {
        columns! {
            $(#[$doc])* $name of $table { $($fields)* } maybe { $($nulls)* $($visible: $visible_type,)* }
        }

        impl $name {
            /// Its own visibility.
            pub(crate) fn visible(&self) -> Visible {
                Visible { $($visible: self.$visible,)* }
            }
        }
    };
}

/// The same of a table whose rows inherit all.
macro_rules! inheriting {
    (
        { $($visible:tt)* }
        { $($(#[$_own_doc:meta])* $own:ident: $own_type:ty,)* }
        $(#[$doc:meta])* $name:ident of $table:literal { $($fields:tt)* } maybe { $($nulls:tt)* }
    ) => {
        visible! {
            { $($visible)* }
            {}
            $(#[$doc])* $name of $table { $($fields)* } maybe { $($nulls)* $($own: $own_type,)* }
        }

        impl $name {
            /// Its own values.
            pub(crate) fn inheritable(&self) -> Inheritable {
                Inheritable { $($own: self.$own,)* visible: self.visible() }
            }
        }
    };
}

inherited! {
    [inheriting]
    /// A category.
    CategoryRow of "product_category" {
        id: Id<ProductCategories>,
        origin_id: Uuid,
        name: String,
        active: bool,
    } maybe {
        parent_id: Id<ProductCategories>,
        name_sec_lang: String,
        description: String,
        description_sec_lang: String,
        available_from: Timestamp,
        available_to: Timestamp,
        expected_at: Timestamp,
        time_ranges: TimeRanges,
        image_web_id: Uuid,
        image_app_id: Uuid,
        image_desc_id: Uuid,
    }
}

inherited! {
    [inheriting]
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
        available_from: Timestamp,
        available_to: Timestamp,
        expected_at: Timestamp,
        image_id: Uuid,
    }
}

inherited! {
    [inheriting]
    /// A sub-product.
    SubproductRow of "subproduct" {
        id: Id<Subproducts>,
        origin_id: Uuid,
        product_id: Id<Products>,
        name: String,
        price: Money,
        active: bool,
        deposit_pieces: i32,
        allergenic_ids: Vec<Uuid>,
        allergen_free: bool,
    } maybe {
        name_sec_lang: String,
        description: String,
        description_sec_lang: String,
        sellable_quantity: i32,
    }
}

inherited! {
    [visible]
    /// An option.
    OptionRow of "option" {
        id: Id<Options>,
        option_group_id: Id<OptionGroups>,
        name: String,
        price: Money,
        active: bool,
        allergenic_ids: Vec<Uuid>,
        subproduct_pieces: i32,
    } maybe {
        name_sec_lang: String,
        subproduct_id: Uuid,
    }
}

impl CategoryRow {
    /// Its time ranges; none is no restriction.
    pub(crate) fn ranges(&self) -> &[TimeRange] {
        self.time_ranges.as_ref().map_or(&[], |ranges| &ranges.0)
    }
}
