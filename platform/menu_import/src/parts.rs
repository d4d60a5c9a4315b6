//! Reads cells that name sizes: components of a size, the size of an option; and how many bottles and cans
//! are in one piece.

use kernel::Fault;

use super::{cells, sheet::Value};

/// Some pieces of a size that is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub pieces: i32,
    /// As it stands in the cell.
    pub name: String,
}

/// Bottles and cans in one piece.
pub(crate) fn deposit_pieces(value: &Value) -> Result<Option<i32>, Fault> {
    let pieces = cells::whole(value)?;
    if pieces.is_some_and(|pieces| pieces > MOST_PIECES) { Err(Fault::Max) } else { Ok(pieces) }
}

/// The most pieces of one part.
const MOST_PIECES: i32 = 999;
/// The most parts of one size.
const MOST_PARTS: usize = 50;

/// Sizes by name, each with its pieces, as people write them: `Húsleves; 2 × Kóla 0,5 l`. A dash means none of
/// them.
pub(crate) fn parts(value: &Value) -> Result<Option<Vec<Part>>, Fault> {
    let text = match value {
        Value::Empty => return Ok(None),
        Value::Text(text) => text,
        Value::Number(_) | Value::Bool(_) | Value::Other(_) => return Err(Fault::Type),
    };
    if cells::not_sold(value) {
        return Ok(Some(vec![]));
    }
    // A comma within a name (`0,5 l`) has no blank behind it.
    let names = text.replace(", ", ";");
    let names = names.split([';', '+', '\n']).map(str::trim).filter(|name| !name.is_empty());
    let parts = names.map(part).collect::<Result<Vec<_>, _>>()?;
    if parts.len() > MOST_PARTS { Err(Fault::Max) } else { Ok(Some(parts)) }
}

/// The same, at most one.
pub(crate) fn one_part(value: &Value) -> Result<Option<Vec<Part>>, Fault> {
    let parts = parts(value)?;
    if parts.as_ref().is_some_and(|parts| parts.len() > 1) { Err(Fault::Invalid) } else { Ok(parts) }
}

/// `2 × Kóla`, `2x Kóla`, `2 db Kóla`, `Kóla`. A name may begin with a number: `7 Up`.
fn part(text: &str) -> Result<Part, Fault> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
    let (number, rest) = (&text[..digits], text[digits..].trim_start());
    let marked = ["×", "x ", "X ", "*", "db ", "pcs "].iter().find_map(|mark| rest.strip_prefix(mark));
    match (number.parse::<i32>(), marked) {
        (Ok(pieces), Some(name)) if !name.trim().is_empty() => match pieces {
            1..=MOST_PIECES => Ok(Part { pieces, name: name.trim().to_owned() }),
            0 => Err(Fault::Min),
            _ => Err(Fault::Max),
        },
        (Err(_), Some(_)) if !number.is_empty() => Err(Fault::Max),
        _ => Ok(Part { pieces: 1, name: text.to_owned() }),
    }
}
