//! Copies fields of bodies to columns, one by one or as a whole (`new!`, `change!`).

use kernel::Clearable;
use sea_orm::{ActiveValue, Value};

/// What sea-orm wants beside a `Model` that has neither relations nor hooks: `entity!()`, or
/// `entity!(pub(crate))` where it is.
#[macro_export]
macro_rules! entity {
    () => { $crate::entity!(pub); };
    ($vis:vis) => {
        #[derive(Debug, Clone, Copy, sea_orm::EnumIter, sea_orm::DeriveRelation)]
        $vis enum Relation {}
        impl sea_orm::ActiveModelBehavior for ActiveModel {}
    };
}

/// For `#[oai(default = "rows::yes")]`: what is absent is on.
#[must_use]
pub fn yes() -> bool {
    true
}

/// How a field of a `POST` fills a column: a value sets it; what is absent gets the table's default.
pub trait Fill<T: Into<Value>> {
    /// The column's value.
    fn fill(self) -> ActiveValue<T>;
}

impl<T: Into<Value>> Fill<T> for T {
    fn fill(self) -> ActiveValue<T> {
        ActiveValue::Set(self)
    }
}

impl<T: Into<Value>> Fill<T> for Option<T> {
    fn fill(self) -> ActiveValue<T> {
        self.map_or(ActiveValue::NotSet, ActiveValue::Set)
    }
}

/// Fills the named columns of a new row from fields of the same names: `fill!(row: name, price, note)`.
/// Destructure the body before, so that a field that is forgotten does not compile.
#[macro_export]
macro_rules! fill {
    ($row:ident: $($field:ident),* $(,)?) => { $( $row.$field = $crate::rows::Fill::fill($field); )* };
}

/// How a field of a `PUT` acts on a column: absent leaves it, `null` clears it, a value sets it.
pub trait Apply<T: Into<Value>> {
    /// Sets `column` when the field was sent.
    fn apply(self, column: &mut ActiveValue<T>);
}

impl<T: Into<Value>> Apply<T> for Option<T> {
    fn apply(self, column: &mut ActiveValue<T>) {
        if let Some(value) = self {
            *column = ActiveValue::Set(value);
        }
    }
}

/// A column that may be empty from the start, but cannot be emptied.
impl<T> Apply<Option<T>> for Option<T>
where
    Option<T>: Into<Value>,
{
    fn apply(self, column: &mut ActiveValue<Option<T>>) {
        if self.is_some() {
            *column = ActiveValue::Set(self);
        }
    }
}

impl<T> Apply<Option<T>> for Clearable<T>
where
    Option<T>: Into<Value>,
{
    fn apply(self, column: &mut ActiveValue<Option<T>>) {
        match self {
            Self::Undefined => {}
            Self::Null => *column = ActiveValue::Set(None),
            Self::Value(value) => *column = ActiveValue::Set(Some(value)),
        }
    }
}

/// Applies the named fields of a change to the columns of the same names: `apply!(row: name, price, note)`,
/// or `apply!(edit.row: name)`. Destructure the change before, so that a new field that is forgotten does not
/// compile.
#[macro_export]
macro_rules! apply {
    ($row:ident: $($field:ident),* $(,)?) => { $( $crate::rows::Apply::apply($field, &mut $row.$field); )* };
    ($edit:ident.$row:ident: $($field:ident),* $(,)?) => {
        $( $crate::rows::Apply::apply($field, &mut $edit.$row.$field); )*
    };
}

/// The body of a `POST` whose fields are columns: `new!(struct NewCourier of ActiveModel { … })` declares it
/// as an object with these fields, and `fill`, which makes a row of them. What stands after a `;` is no
/// column of that name and type: the handler takes it.
#[macro_export]
macro_rules! new {
    (
        $(#[$meta:meta])* $vis:vis struct $name:ident of $row:ty {
            $( $(#[$own:meta])* $fvis:vis $field:ident: $type:ty ),* $(,)?
            $(; $( $(#[$other:meta])* $avis:vis $apart:ident: $atype:ty ),* $(,)? )?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, poem_openapi::Object)]
        $vis struct $name {
            $( $(#[$own])* $fvis $field: $type, )*
            $( $( $(#[$other])* $avis $apart: $atype, )* )?
        }

        impl $name {
            /// A row with these fields.
            $vis fn fill(self) -> $row {
                let mut row = <$row as ::std::default::Default>::default();
                $( row.$field = $crate::rows::Fill::fill(self.$field); )*
                row
            }
        }
    };
}

/// The body of a `PUT` whose fields are columns: `change!(struct CourierChange of ActiveModel { … })`
/// declares it as an object with these fields and a `version`, and `apply`, which sets the columns that were
/// sent. What stands after a `;` is no column of that name and type: the handler takes it.
#[macro_export]
macro_rules! change {
    (
        $(#[$meta:meta])* $vis:vis struct $name:ident of $row:ty {
            $( $(#[$own:meta])* $fvis:vis $field:ident: $type:ty ),* $(,)?
            $(; $( $(#[$other:meta])* $avis:vis $apart:ident: $atype:ty ),* $(,)? )?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, poem_openapi::Object)]
        $vis struct $name {
            $( $(#[$own])* $fvis $field: $type, )*
            $( $( $(#[$other])* $avis $apart: $atype, )* )?
            $vis version: Option<i64>,
        }

        impl $name {
            /// Sets the columns whose fields were sent.
            $vis fn apply(self, row: &mut $row) {
                $( $crate::rows::Apply::apply(self.$field, &mut row.$field); )*
            }
        }
    };
}
