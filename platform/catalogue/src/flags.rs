//! The fields that rows of the menu may inherit. `null` means inherited.
//!
//! They are listed once, in [`inherited`]. Types of the API, entities, what the menu and the orders read, and
//! what a copy takes over are made of that list.

use access::rows::Apply;
use kernel::{Clearable, Id, ids::NtakCategories, setting::NtakQuantityUnit};
use poem_openapi::Object;
use sea_orm::FromQueryResult;

/// Calls the macro in brackets with the inherited fields (those of visibility, which options and their groups
/// have too, then those of categories, products and sub-products alone) and the rest of its own input.
macro_rules! inherited {
    ([$($macro:tt)*] $($rest:tt)*) => {
        $($macro)*! {
            {
                /// Web shop, apps, messenger and delivery platforms; `null` is inherited.
                visible_online: bool,
                /// Tables and till; `null` is inherited.
                visible_sit_in: bool,
                /// Orders taken by phone; `null` is inherited.
                visible_phone: bool,
                /// Kiosk, eaten here; `null` is inherited.
                visible_kiosk_sit_in: bool,
                /// Kiosk, taken away; `null` is inherited.
                visible_kiosk_take_away: bool,
            }
            {
                /// VAT of everything that is not eaten here; `null` is inherited.
                vat_id: kernel::Id<kernel::ids::Vats>,
                /// VAT of what is eaten here; `null` is inherited.
                sit_in_vat_id: kernel::Id<kernel::ids::Vats>,
                /// Whether the service fee is charged; `null` is inherited.
                has_tip: bool,
            }
            $($rest)*
        }
    };
}

macro_rules! types {
    (
        { $($(#[$visible_doc:meta])* $visible:ident: $visible_type:ty,)* }
        { $($(#[$own_doc:meta])* $own:ident: $own_type:ty,)* }
    ) => {
        /// Own visibility per channel; `null` is inherited.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Object, FromQueryResult)]
        pub(crate) struct Visible {
            $($(#[$visible_doc])* pub $visible: Option<$visible_type>,)*
        }

        /// The same in a change: absent stays, `null` inherits.
        #[derive(Debug, Clone, Default, Object)]
        pub(crate) struct VisibleChange {
            $($(#[$visible_doc])* pub $visible: Clearable<$visible_type>,)*
        }

        /// What categories, products and sub-products may set themselves; `null` is inherited.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Object, FromQueryResult)]
        pub(crate) struct Inheritable {
            $($(#[$own_doc])* pub $own: Option<$own_type>,)*
            #[oai(flatten)]
            #[sea_orm(nested)]
            pub visible: Visible,
        }

        /// The same in a change: absent stays, `null` inherits.
        #[derive(Debug, Clone, Default, Object)]
        pub(crate) struct InheritableChange {
            $($(#[$own_doc])* pub $own: Clearable<$own_type>,)*
            #[oai(flatten)]
            pub visible: VisibleChange,
        }

        impl Visible {
            /// Its columns.
            pub(crate) const COLUMNS: &[&str] = &[$(stringify!($visible)),*];
        }

        impl Inheritable {
            /// Its columns, those of the visibility among them.
            pub(crate) const COLUMNS: &[&str] = &[$(stringify!($own),)* $(stringify!($visible)),*];
        }
    };
}

inherited!([types]);

impl Visible {
    /// What it says about a channel; `None` is inherited.
    pub(crate) fn on(&self, channel: pricing::MenuChannel) -> Option<bool> {
        match channel {
            pricing::MenuChannel::Online => self.visible_online,
            pricing::MenuChannel::SitIn => self.visible_sit_in,
            pricing::MenuChannel::Phone => self.visible_phone,
            pricing::MenuChannel::KioskSitIn => self.visible_kiosk_sit_in,
            pricing::MenuChannel::KioskTakeAway => self.visible_kiosk_take_away,
        }
    }
}

/// The category and unit of the tax report that a row sets itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Ntak {
    pub category: Option<Id<NtakCategories>>,
    pub unit: Option<NtakQuantityUnit>,
}

/// The entity of a table whose rows have a visibility of their own: `visible`, `set_visible` and
/// `apply_visible` read and write it.
macro_rules! visible_entity {
    (
        { $($(#[$_visible_doc:meta])* $visible:ident: $visible_type:ty,)* }
        $_own:tt
        $(#[$meta:meta])* { $($(#[$attr:meta])* $field:ident: $type:ty,)* }
    ) => {
        #[derive(Debug, Clone, PartialEq, Eq, DeriveEntityModel)]
        $(#[$meta])*
        pub(crate) struct Model {
            $($(#[$attr])* pub $field: $type,)*
            $(pub $visible: Option<$visible_type>,)*
        }

        entity!(pub(crate));
        $crate::flags::visible_columns!($($visible)*);
    };
}

/// The entity of a table whose rows inherit all: `inheritable`, `set_inheritable` and `apply_inheritable`
/// read and write it.
macro_rules! inheriting_entity {
    (
        { $($(#[$_visible_doc:meta])* $visible:ident: $visible_type:ty,)* }
        { $($(#[$_own_doc:meta])* $own:ident: $own_type:ty,)* }
        $(#[$meta:meta])* { $($(#[$attr:meta])* $field:ident: $type:ty,)* }
    ) => {
        #[derive(Debug, Clone, PartialEq, Eq, DeriveEntityModel)]
        $(#[$meta])*
        pub(crate) struct Model {
            $($(#[$attr])* pub $field: $type,)*
            $(pub $visible: Option<$visible_type>,)*
            $(pub $own: Option<$own_type>,)*
        }

        entity!(pub(crate));
        $crate::flags::visible_columns!($($visible)*);

        impl Model {
            /// Its own values.
            pub(crate) fn inheritable(&self) -> $crate::flags::Inheritable {
                $crate::flags::Inheritable { $($own: self.$own,)* visible: self.visible() }
            }
        }

        impl ActiveModel {
            /// Sets the columns of a new row.
            pub(crate) fn set_inheritable(&mut self, own: $crate::flags::Inheritable) {
                $(self.$own = sea_orm::ActiveValue::Set(own.$own);)*
                self.set_visible(own.visible);
            }

            /// Applies a change to the columns.
            pub(crate) fn apply_inheritable(&mut self, change: $crate::flags::InheritableChange) {
                $($crate::flags::apply(change.$own, &mut self.$own);)*
                self.apply_visible(change.visible);
            }
        }
    };
}

/// What an entity with these columns of visibility does with them.
macro_rules! visible_columns {
    ($($visible:ident)*) => {
        impl Model {
            /// Its own visibility.
            pub(crate) fn visible(&self) -> $crate::flags::Visible {
                $crate::flags::Visible { $($visible: self.$visible,)* }
            }
        }

        impl ActiveModel {
            /// Sets the columns of a new row.
            pub(crate) fn set_visible(&mut self, visible: $crate::flags::Visible) {
                $(self.$visible = sea_orm::ActiveValue::Set(visible.$visible);)*
            }

            /// Applies a change to the columns.
            pub(crate) fn apply_visible(&mut self, change: $crate::flags::VisibleChange) {
                $($crate::flags::apply(change.$visible, &mut self.$visible);)*
            }
        }
    };
}

/// A row that leaves all of them to what is above it.
#[cfg(test)]
macro_rules! all_inherited {
    (
        { $($(#[$_visible_doc:meta])* $visible:ident: $visible_type:ty,)* }
        { $($(#[$_own_doc:meta])* $own:ident: $own_type:ty,)* }
        $row:ident { $($fields:tt)* }
    ) => {
        $row { $($fields)* $($visible: None,)* $($own: None,)* }
    };
}

pub(crate) fn apply<T>(change: Clearable<T>, column: &mut sea_orm::ActiveValue<Option<T>>)
where
    Option<T>: Into<sea_orm::Value>,
{
    change.apply(column);
}

#[cfg(test)]
pub(crate) use all_inherited;
pub(crate) use {inherited, inheriting_entity, visible_columns, visible_entity};
