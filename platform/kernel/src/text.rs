//! Which characters a text may contain: one rule for all fields of bodies, one for texts of guests. See
//! `docs/decisions/api.md#texts`.

use std::{borrow::Cow, fmt, ops::Deref};

use poem_openapi::{
    registry::{MetaSchema, MetaSchemaRef, Registry},
    types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type},
};
use serde_json::Value;

/// What a field holds that says nothing of its own: one line without control characters.
///
/// A field that declares it by itself is one of which the handler says that it is blank, with all other faults that it
/// finds: the check of the body would be the only one to speak then. Such a handler must look.
pub const ONE_LINE: &str = r"^[^\x00-\x1F\x7F-\x9F]*$";
/// The pattern that a field of several lines declares: line breaks and tabs, no other control characters.
pub const LINES: &str = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$";

/// Characters that show nothing, as a part of a class: those of no width, marks of direction, fillers, variants.
macro_rules! unseen {
    () => {
        r"\xAD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF9-\uFFFB"
    };
}

/// The same where there must be some text: blanks are none, and what nobody sees neither.
#[must_use]
pub fn not_blank(pattern: &str) -> Option<&'static str> {
    match pattern {
        ONE_LINE => Some(concat!(
            r"^[^\x00-\x1F\x7F-\x9F]*[^\x00-\x1F\x7F-\x9F\s",
            unseen!(),
            r"][^\x00-\x1F\x7F-\x9F]*$"
        )),
        LINES => Some(concat!(
            r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*[^\x00-\x1F\x7F-\x9F\s",
            unseen!(),
            r"][^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"
        )),
        _ => None,
    }
}

/// Whether nothing can be read in it: blanks, and characters that show nothing.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_unseen(c))
}

/// Whether a character shows nothing: of no width, a mark of direction, a filler, a variant.
///
/// Beyond the basic plane there are tags and marks of music; patterns leave these out, for not every reader of the
/// document takes them.
#[must_use]
pub const fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
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
            "\u{200b}",
            " \u{2060}\u{ad} \u{200e}",
            "\u{202e}\u{3164}",
            "\u{2800}\u{fe0f}",
            "a\u{200b}",
            "\u{200d}👩",
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
    fn what_nobody_sees_is_no_text() {
        for text in ["", " \n", "\u{200b}", "\u{2060} \u{feff}", "\u{ad}\u{34f}", "\u{1160}", "\u{e0041}"] {
            assert!(is_blank(text), "{text:?}");
        }
        for text in ["a", "\u{200b}a", "👩\u{200d}👧", "。", "\u{301}"] {
            assert!(!is_blank(text), "{text:?}");
        }
        // Each one, as both say it.
        let pattern = regex::Regex::new(not_blank(ONE_LINE).unwrap()).unwrap();
        for c in ('\u{20}'..='\u{ffff}').filter(|c| !c.is_control()) {
            let text = c.to_string();
            assert_eq!(pattern.is_match(&text), !is_blank(&text), "{text:?}");
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
