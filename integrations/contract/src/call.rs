//! Calls to other companies' servers: what a failure must say, and secrets that no log prints.

use std::fmt;

use serde::{Deserialize, Serialize};
use telemetry::outgoing::Unread;

/// A secret. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Keeps a secret.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text, for the one place that sends it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// May something have happened on the other side?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: the call never arrived, or was refused in words that are documented.
    None,
    /// It cannot be told: the answer was lost, or could not be read.
    Unknown,
}

/// Why a call failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallFault {
    /// Sign-in, token or client are refused.
    Credentials,
    /// The named thing does not exist.
    NotFound,
    /// It contradicts the state of the other side.
    Conflict,
    /// Too many calls.
    RateLimited,
    /// The call itself was refused as wrong.
    Invalid,
    /// The other side does not answer, breaks off, or takes too long.
    Unreachable,
    /// It answers with an error of its own.
    Broken,
    /// Its answer is not what is documented.
    Protocol,
}

/// A failed call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallError {
    /// The possible effect of a failed call.
    pub effect: Effect,
    /// Why.
    pub fault: CallFault,
    /// The other side's own code, cut to what a code can be.
    pub code: Option<String>,
    /// Seconds after which the other side wants to be asked again.
    pub retry_after: Option<u64>,
}

impl From<Unread> for CallFault {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Broken => Self::Unreachable,
            Unread::TooLong => Self::Protocol,
        }
    }
}

impl CallError {
    /// Nothing happened.
    #[must_use]
    pub fn harmless(fault: CallFault) -> Self {
        Self { effect: Effect::None, fault, code: None, retry_after: None }
    }

    /// It cannot be told whether something happened.
    #[must_use]
    pub fn unknown(fault: CallFault) -> Self {
        Self { effect: Effect::Unknown, fault, code: None, retry_after: None }
    }

    /// With the other side's code. Anything but letters, digits, `_`, `-` and `.` is left out, and it ends
    /// after 60 characters.
    #[must_use]
    pub fn with_code(mut self, code: &str) -> Self {
        let sound: String =
            code.chars().filter(|one| one.is_ascii_alphanumeric() || "_-.".contains(*one)).take(60).collect();
        self.code = (!sound.is_empty()).then_some(sound);
        self
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} ({:?})", self.fault, self.effect)?;
        self.code.iter().try_for_each(|code| write!(f, " {code}"))
    }
}

impl std::error::Error for CallError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_not_printed_and_a_code_is_only_a_code() {
        let secret = Secret::new("kanari");
        assert_eq!((format!("{secret:?}"), secret.reveal()), ("***".to_owned(), "kanari"));
        let error = CallError::harmless(CallFault::Conflict).with_code("CONFLICT\n<script>");
        assert_eq!(error.to_string(), "Conflict (None) CONFLICTscript");
    }
}
