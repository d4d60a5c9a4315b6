//! Faults of the fields of a request.

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It is missing or empty.
    Required,
    /// It is of another JSON type, or not of the documented format.
    Type,
    /// It is none of the documented values.
    Enum,
    /// It is too short, or holds too few elements; at least this many.
    TooShort(usize),
    /// It is too long, or holds too many elements; at most this many.
    TooLong(usize),
    Min,
    Max,
    /// It does not have the documented form.
    Pattern,
    /// An element stands there twice, or the value is taken.
    NotUnique,
    /// The referred row does not exist.
    NotExist,
    /// It contradicts another field, or a rule of the operation.
    Invalid,
    /// The field or parameter is not known here.
    Unknown,
}

impl Fault {
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Type => "type",
            Self::Enum => "enum",
            Self::TooShort(_) => "too_short",
            Self::TooLong(_) => "too_long",
            Self::Min => "min",
            Self::Max => "max",
            Self::Pattern => "pattern",
            Self::NotUnique => "not_unique",
            Self::NotExist => "not_exist",
            Self::Invalid => "invalid",
            Self::Unknown => "unknown",
        }
    }

    /// The length that it names.
    #[must_use]
    pub const fn limit(&self) -> Option<usize> {
        match self {
            Self::TooShort(limit) | Self::TooLong(limit) => Some(*limit),
            _ => None,
        }
    }
}
