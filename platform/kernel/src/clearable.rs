//! A field of a `PUT` that can be emptied.

use std::borrow::Cow;

use poem_openapi::{
    registry::{MetaSchema, MetaSchemaRef, Registry},
    types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type},
};
use serde_json::Value;

/// Absent leaves it, `null` clears it, a value sets it.
///
/// Unlike `Option`, whose schema is that of its value, it is `nullable` in the document. So [`crate::Body`]
/// can tell a field that cannot be emptied, and refuses `null` for it instead of doing nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clearable<T> {
    #[default]
    Undefined,
    /// Sent as `null`.
    Null,
    Value(T),
}

impl<T> Clearable<T> {
    /// The same state of another value.
    pub fn map<U>(self, of: impl FnOnce(T) -> U) -> Clearable<U> {
        match self {
            Self::Undefined => Clearable::Undefined,
            Self::Null => Clearable::Null,
            Self::Value(value) => Clearable::Value(of(value)),
        }
    }

    pub const fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Undefined | Self::Null => None,
        }
    }

    /// Whether it was not sent.
    pub const fn is_undefined(&self) -> bool {
        matches!(self, Self::Undefined)
    }

    /// The value after the change of `before`.
    pub fn or(self, before: Option<T>) -> Option<T> {
        match self {
            Self::Undefined => before,
            Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }
}

impl<T: Type> Type for Clearable<T> {
    const IS_REQUIRED: bool = false;
    type RawValueType = T::RawValueType;
    type RawElementValueType = T::RawElementValueType;

    fn name() -> Cow<'static, str> {
        format!("clearable_{}", T::name()).into()
    }

    fn schema_ref() -> MetaSchemaRef {
        T::schema_ref().merge(MetaSchema { nullable: true, ..MetaSchema::ANY })
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn as_raw_value(&self) -> Option<&Self::RawValueType> {
        self.value().and_then(Type::as_raw_value)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self::RawElementValueType> + 'a> {
        self.value().map_or_else(|| Box::new(std::iter::empty()) as _, Type::raw_element_iter)
    }

    fn is_none(&self) -> bool {
        self.value().is_none()
    }
}

impl<T: ParseFromJSON> ParseFromJSON for Clearable<T> {
    fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
        match value {
            None => Ok(Self::Undefined),
            Some(Value::Null) => Ok(Self::Null),
            Some(value) => T::parse_from_json(Some(value)).map(Self::Value).map_err(ParseError::propagate),
        }
    }
}

impl<T: ToJSON> ToJSON for Clearable<T> {
    fn to_json(&self) -> Option<Value> {
        match self {
            Self::Undefined => None,
            Self::Null => Some(Value::Null),
            Self::Value(value) => value.to_json(),
        }
    }
}
