//! Searching by one text, as somebody types it.

use poem_openapi::Object;

/// The most rows of one kind that such a search answers: more letters find the rest.
pub const HITS: i64 = 8;

/// What is searched for. It travels in a body: it may be the name or the phone of a guest, which must not be
/// in an address, where logs and histories keep it.
#[derive(Debug, Object)]
pub struct SearchText {
    /// As typed.
    #[oai(validator(min_length = 1, max_length = 100))]
    pub text: String,
}

impl SearchText {
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        self.text.split_whitespace().map(str::to_owned).collect()
    }
}
