//! Ids: UUIDv7 made in the service, one Rust type per entity. See `docs/decisions/api.md#ids`.

use std::{fmt, marker::PhantomData, str::FromStr};

use sea_orm::{
    ActiveValue, ColIdx, ColumnType, DbErr, IntoActiveValue, QueryResult, TryFromU64, TryGetError,
    TryGetable, Value,
    sea_query::{ArrayType, Nullable, ValueType, ValueTypeErr},
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

/// The entity of an id.
pub trait Resource: Send + Sync + 'static {
    /// Name of the resource in the published document, plural (`option_groups`).
    const NAME: &'static str;
    /// The word that stands before `_NOT_EXIST` in its error code (`OPTION_GROUP`).
    const ENTITY: &'static str;
}

/// Makes a type an entity, by its name in the document and its word in error codes:
/// `resource!(OptionGroups, "option_groups", "OPTION_GROUP")`.
#[macro_export]
macro_rules! resource {
    ($type:ty, $name:literal, $entity:literal) => {
        impl $crate::Resource for $type {
            const NAME: &'static str = $name;
            const ENTITY: &'static str = $entity;
        }
    };
}

/// The id of a `T`. In the published document its schema carries `x-ref` with the resource's name.
pub struct Id<T>(Uuid, PhantomData<fn() -> T>);

impl<T> Id<T> {
    /// A new id, later than every id made before in this process.
    #[must_use]
    pub fn new() -> Self {
        Self(Uuid::now_v7(), PhantomData)
    }

    #[must_use]
    pub const fn from_uuid(uuid: Uuid) -> Self {
        Self(uuid, PhantomData)
    }

    #[must_use]
    pub const fn uuid(self) -> Uuid {
        self.0
    }
}

impl<T> Default for Id<T> {
    fn default() -> Self {
        Self::new()
    }
}
impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<T> Eq for Id<T> {}
impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}
impl<T> std::hash::Hash for Id<T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}
impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
impl<T> fmt::Display for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
impl<T> From<Uuid> for Id<T> {
    fn from(uuid: Uuid) -> Self {
        Self::from_uuid(uuid)
    }
}
impl<T> From<Id<T>> for Uuid {
    fn from(id: Id<T>) -> Self {
        id.0
    }
}
impl<T> FromStr for Id<T> {
    type Err = uuid::Error;
    fn from_str(text: &str) -> Result<Self, uuid::Error> {
        Uuid::parse_str(text).map(Self::from_uuid)
    }
}
impl<T> Serialize for Id<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}
impl<'de, T> Deserialize<'de> for Id<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Uuid::deserialize(deserializer).map(Self::from_uuid)
    }
}

impl<T> From<Id<T>> for Value {
    fn from(id: Id<T>) -> Self {
        id.0.into()
    }
}
// Derived rows read ids as the uuids they are.
impl<T> TryGetable for Id<T> {
    fn try_get_by<I: ColIdx>(row: &QueryResult, index: I) -> Result<Self, TryGetError> {
        Uuid::try_get_by(row, index).map(Self::from_uuid)
    }
}
impl<T> sea_orm::TryGetableArray for Id<T> {
    fn try_get_by<I: ColIdx>(row: &QueryResult, index: I) -> Result<Vec<Self>, TryGetError> {
        <Vec<Uuid> as TryGetable>::try_get_by(row, index)
            .map(|ids| ids.into_iter().map(Self::from_uuid).collect())
    }
}
impl<T> ValueType for Id<T> {
    fn try_from(value: Value) -> Result<Self, ValueTypeErr> {
        <Uuid as ValueType>::try_from(value).map(Self::from_uuid)
    }
    fn type_name() -> String {
        "Id".to_owned()
    }
    fn array_type() -> ArrayType {
        ArrayType::Uuid
    }
    fn column_type() -> ColumnType {
        ColumnType::Uuid
    }
}
impl<T> Nullable for Id<T> {
    fn null() -> Value {
        <Uuid as Nullable>::null()
    }
}
impl<T> IntoActiveValue<Id<T>> for Id<T> {
    fn into_active_value(self) -> ActiveValue<Self> {
        ActiveValue::Set(self)
    }
}
impl<T> TryFromU64 for Id<T> {
    fn try_from_u64(_: u64) -> Result<Self, DbErr> {
        Err(DbErr::ConvertFromU64("Id"))
    }
}
