//! Types of option groups.

use kernel::Fault;
use poem_openapi::Enum;
use sea_orm::{DeriveActiveEnum, EnumIter};
use serde::{Deserialize, Serialize};

/// How many options of a group one piece takes.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, EnumIter, DeriveActiveEnum,
)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum OptionGroupType {
    /// Exactly one.
    Exclusive,
    /// Any number, also none.
    Inclusive,
    /// From the minimum to the maximum.
    MinMax,
}

/// The minimum and maximum of a group: fixed by the types `exclusive` (1, 1) and `inclusive` (0, 0 = no
/// limit); in `min_max` the sent values, else the present ones, else 1 and 3.
/// Errors: Which of them is at fault: a maximum other than 0 must not be below the minimum.
pub fn limits(
    kind: OptionGroupType, sent: (Option<i32>, Option<i32>), current: Option<(i32, i32)>,
) -> Result<(i32, i32), (&'static str, Fault)> {
    match kind {
        OptionGroupType::Exclusive => Ok((1, 1)),
        OptionGroupType::Inclusive => Ok((0, 0)),
        OptionGroupType::MinMax => {
            let (min, max) = current.unwrap_or((1, 3));
            let (min, max) = (sent.0.unwrap_or(min), sent.1.unwrap_or(max));
            if max != 0 && max < min { Err(("max_no_options", Fault::Min)) } else { Ok((min, max)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use OptionGroupType::{Exclusive, Inclusive, MinMax};

    #[test]
    fn presets() {
        let low = Err(("max_no_options", Fault::Min));
        let cases = [
            (Exclusive, (None, None), None, Ok((1, 1))),
            (Exclusive, (Some(0), Some(9)), Some((0, 0)), Ok((1, 1))),
            (Inclusive, (Some(1), Some(1)), None, Ok((0, 0))),
            (MinMax, (None, None), None, Ok((1, 3))),
            (MinMax, (Some(0), None), Some((2, 4)), Ok((0, 4))),
            (MinMax, (Some(2), Some(0)), None, Ok((2, 0))),
            (MinMax, (Some(4), Some(4)), None, Ok((4, 4))),
            (MinMax, (Some(4), Some(3)), None, low.clone()),
            (MinMax, (None, Some(1)), Some((2, 4)), low),
        ];
        for (kind, sent, current, result) in cases {
            assert_eq!(limits(kind, sent, current), result, "{kind:?} {sent:?} {current:?}");
        }
    }
}
