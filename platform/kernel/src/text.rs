//! Which characters a text may contain: one rule for all fields of bodies, one for texts of guests. See
//! `docs/decisions/api.md#texts`.

use std::{borrow::Cow, fmt, ops::Deref};

use poem_openapi::{
    registry::{MetaSchema, MetaSchemaRef, Registry},
    types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type},
};
use serde_json::Value;

/// What a field holds that says nothing of its own: one line without control characters.
pub const ONE_LINE: &str = r"^[^\x00-\x1F\x7F-\x9F]*$";
/// The pattern that a field of several lines declares: line breaks and tabs, no other control characters.
pub const LINES: &str = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$";

/// The same where there must be some text: blanks are none, a byte order mark neither.
#[must_use]
pub fn not_blank(pattern: &str) -> Option<&'static str> {
    match pattern {
        ONE_LINE => Some(r"^[^\x00-\x1F\x7F-\x9F]*[^\x00-\x1F\x7F-\x9F\s\uFEFF][^\x00-\x1F\x7F-\x9F]*$"),
        LINES => Some(
            r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*[^\x00-\x1F\x7F-\x9F\s\uFEFF][^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$",
        ),
        _ => None,
    }
}

/// Whether nothing can be read in it.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || c == '\u{feff}')
}

/// Whether it is one line without control characters.
#[must_use]
pub fn is_one_line(text: &str) -> bool {
    !text.contains(char::is_control)
}

/// Whether it has no control characters but line breaks and tabs.
#[must_use]
pub fn is_lines(text: &str) -> bool {
    !text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
}

/// As a guest's message is kept: every line break is one `\n`, tabs stay, other control characters are gone.
/// Nothing is refused, so that no order is lost over a character that nobody sees.
#[must_use]
pub fn cleaned(text: &str) -> String {
    text.replace("\r\n", "\n")
        .replace('\r', "\n")
        .chars()
        .filter(|c| matches!(c, '\n' | '\t') || !c.is_control())
        .collect()
}

/// A guest's message, [`cleaned`] as it is read.
#[derive(Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Message(String);

impl Message {
    /// How the schema says that any character may be sent.
    pub(crate) const FORMAT: &'static str = "message";
}

impl From<Message> for String {
    fn from(message: Message) -> Self {
        message.0
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Self(cleaned(text))
    }
}

impl AsRef<str> for Message {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Deref for Message {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Type for Message {
    const IS_REQUIRED: bool = true;
    type RawValueType = String;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        "string_message".into()
    }

    fn schema_ref() -> MetaSchemaRef {
        MetaSchemaRef::Inline(Box::new(MetaSchema::new_with_format("string", Self::FORMAT)))
    }

    fn register(_: &mut Registry) {}

    fn as_raw_value(&self) -> Option<&String> {
        Some(&self.0)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }
}

impl ParseFromJSON for Message {
    fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
        match value {
            Some(Value::String(text)) => Ok(Self(cleaned(&text))),
            other => Err(ParseError::expected_type(other.unwrap_or_default())),
        }
    }
}

impl ToJSON for Message {
    fn to_json(&self) -> Option<Value> {
        Some(Value::String(self.0.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(pattern: &str, text: &str) -> bool {
        regex::Regex::new(pattern).unwrap().is_match(text)
    }

    #[test]
    fn the_patterns_match_the_functions() {
        let samples = [
            "",
            " ",
            "a",
            "a b",
            " é ",
            "a\nb",
            "a\tb",
            "a\r\nb",
            "\n",
            "\u{feff}",
            "\u{a0}",
            "a\0",
            "\u{1b}[1m",
            "a\u{7f}",
            "a\u{85}b",
            "😀",
        ];
        for text in samples {
            assert_eq!(fits(ONE_LINE, text), is_one_line(text), "{text:?}");
            assert_eq!(fits(LINES, text), is_lines(text), "{text:?}");
            assert_eq!(
                fits(not_blank(ONE_LINE).unwrap(), text),
                is_one_line(text) && !is_blank(text),
                "{text:?}"
            );
            assert_eq!(fits(not_blank(LINES).unwrap(), text), is_lines(text) && !is_blank(text), "{text:?}");
        }
    }

    #[test]
    fn a_guests_message_loses_only_control_characters() {
        assert_eq!(
            cleaned("Csengő: 2\r\nkutya\tvan\0\u{1b}[0m\rkösz 😀\u{85}"),
            "Csengő: 2\nkutya\tvan[0m\nkösz 😀"
        );
    }
}
