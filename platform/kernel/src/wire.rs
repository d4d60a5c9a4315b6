//! Types of ours as types of the API: their schema, how they are read and how they are written.

use std::{borrow::Cow, fmt::Display, str::FromStr};

use poem_openapi::{
    registry::{MetaSchema, MetaSchemaRef},
    types::{ParseError, ParseFromJSON, ParseFromParameter, ParseResult, ToJSON, Type},
};
use rust_decimal::prelude::ToPrimitive;
use serde_json::Value;

use crate::{
    DomainName, Email, Id, Resource,
    money::{Money, Percent, Quantity, number, parse_json},
    time::{BusinessDay, CalendarDay, TimeOfDay, Timestamp},
};

/// The name of a type on the wire, its inline schema, how it is made of a JSON value, and how it becomes one.
macro_rules! wire_type {
    ($name:ty $([$($generics:tt)*])?, $wire:literal, $schema:expr, $read:expr, $write:expr) => {
        impl $(<$($generics)*>)? Type for $name {
            const IS_REQUIRED: bool = true;
            type RawValueType = Self;
            type RawElementValueType = Self;

            fn name() -> Cow<'static, str> {
                $wire.into()
            }
            fn schema_ref() -> MetaSchemaRef {
                MetaSchemaRef::Inline(Box::new($schema))
            }
            fn as_raw_value(&self) -> Option<&Self> {
                Some(self)
            }
            fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
                Box::new(std::iter::once(self))
            }
        }

        impl $(<$($generics)*>)? ParseFromJSON for $name {
            fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
                $read(value.unwrap_or_default())
            }
        }

        impl $(<$($generics)*>)? ToJSON for $name {
            fn to_json(&self) -> Option<Value> {
                Some($write(self))
            }
        }
    };
}

/// The same for a type that may also be a parameter, read by its `FromStr`.
macro_rules! parameter_type {
    ($name:ty $([$($generics:tt)*])?, $($wire:tt)*) => {
        wire_type!($name $([$($generics)*])?, $($wire)*);

        impl $(<$($generics)*>)? ParseFromParameter for $name {
            fn parse_from_parameter(value: &str) -> ParseResult<Self> {
                value.parse().map_err(ParseError::custom)
            }
        }
    };
}

fn read_text<T: Type, E: Display>(value: Value, parse: fn(&str) -> Result<T, E>) -> ParseResult<T> {
    match value {
        Value::String(text) => parse(&text).map_err(ParseError::custom),
        other => Err(ParseError::expected_type(other)),
    }
}

fn write_text(text: &impl ToString) -> Value {
    Value::String(text.to_string())
}

macro_rules! decimals {
    ($($name:ident $wire:literal;)*) => {$(
        parameter_type!(
            $name,
            $wire,
            MetaSchema {
                // Published, so that the form and the check of bodies name the field at fault.
                minimum: Self::MIN.to_f64(),
                maximum: Self::MAX.to_f64(),
                ..MetaSchema::new_with_format("number", "decimal")
            },
            |value| parse_json(&value).and_then(Self::checked).map_err(ParseError::custom),
            |value: &Self| Value::Number(number(value.0))
        );

        /// For `minimum` and `maximum` of a field.
        impl num_traits::AsPrimitive<f64> for $name {
            fn as_(self) -> f64 {
                self.0.to_f64().unwrap_or(f64::NAN)
            }
        }
    )*};
}

macro_rules! times {
    ($($name:ident $wire:literal $schema:expr;)*) => {
        $(parameter_type!($name, $wire, $schema, |value| read_text(value, Self::from_str), write_text);)*
    };
}

decimals! {
    Money "money";
    Quantity "quantity";
    Percent "percent";
}

times! {
    Timestamp "timestamp" MetaSchema::new_with_format("string", "date-time");
    TimeOfDay "time_of_day"
        MetaSchema { pattern: Some(TimeOfDay::PATTERN.into()), ..MetaSchema::new("string") };
    BusinessDay "business_day" MetaSchema::new_with_format("string", "date");
    CalendarDay "calendar_day" MetaSchema::new_with_format("string", "date");
}

parameter_type!(
    Id<T> [T: Resource],
    "string_uuid",
    // The title is how the resource's name reaches the export step, which turns it into `x-ref`.
    MetaSchema {
        title: Some(format!("ref:{}", T::NAME)),
        ..MetaSchema::new_with_format("string", "uuid")
    },
    |value| read_text(value, Self::from_str),
    write_text
);

wire_type!(
    Email,
    "string_email",
    MetaSchema { max_length: Some(Self::MAX_CHARS), ..MetaSchema::new_with_format("string", Self::FORMAT) },
    |value| read_text(value, |text| Self::parse(text).ok_or("not an e-mail address")),
    |email: &Self| Value::String(email.as_str().to_owned())
);

wire_type!(
    DomainName,
    "string_hostname",
    MetaSchema { max_length: Some(Self::MAX_SENT), ..MetaSchema::new_with_format("string", Self::FORMAT) },
    |value| read_text(value, |text| Self::parse(text).ok_or("not a domain name")),
    |name: &Self| Value::String(name.as_str().to_owned())
);
