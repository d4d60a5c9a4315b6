//! Words of addresses as they are compared. Pure.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// A text with neither accents nor capitals.
pub(crate) fn fold(text: &str) -> String {
    text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect()
}

/// A run of letters and digits; digits behind letters begin a new one: `Bp5`, `u12`.
#[derive(Debug, Clone)]
pub(crate) struct Word<'a> {
    /// As it is compared.
    pub key: String,
    pub text: &'a str,
    /// Where it begins in its text.
    pub at: usize,
    /// A comma stands behind it.
    pub comma: bool,
}

impl AsRef<Self> for Word<'_> {
    fn as_ref(&self) -> &Self {
        self
    }
}

pub(crate) fn words(text: &str) -> Vec<Word<'_>> {
    let inside = |c: char| c.is_alphanumeric() || is_combining_mark(c);
    let mut found: Vec<Word<'_>> = Vec::new();
    let mut rest = text;
    while let Some(begin) = rest.find(inside) {
        if let Some(last) = found.last_mut() {
            last.comma |= rest[..begin].contains(',');
        }
        let at = text.len() - rest.len() + begin;
        let mut letters = false;
        let end = text[at..].find(|c: char| {
            let turns = letters && c.is_ascii_digit();
            letters = c.is_alphabetic();
            turns || !inside(c)
        });
        let end = end.map_or(text.len(), |length| at + length);
        let key: String = fold(&text[at..end]).chars().filter(|c| c.is_alphanumeric()).collect();
        if !key.is_empty() {
            found.push(Word { key, text: &text[at..end], at, comma: false });
        }
        rest = &text[end..];
    }
    found
}

pub(crate) fn keys(words: &[Word<'_>]) -> Vec<String> {
    words.iter().map(|word| word.key.clone()).collect()
}
