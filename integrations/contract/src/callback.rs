//! Messages that a provider sends us, as a plug-in reads them. It looks at bytes and has no database: who called, and
//! what becomes of the message, the crate `callbacks` knows.

use std::time::SystemTime;

use crate::Secret;

/// A message as it came.
#[derive(Debug, Clone, Default)]
pub struct RawMessage {
    /// Names in small letters. A header that came twice stands here twice.
    pub headers: Vec<(String, String)>,
    /// The query of the address, without `?`.
    pub query: String,
    /// The raw bytes.
    pub body: Vec<u8>,
}

impl RawMessage {
    /// The value of a header, if it came once.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(header, _)| header == name);
        match (found.next(), found.next()) {
            (Some((_, value)), None) => Some(value),
            _ => None,
        }
    }
}

/// The weight of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// The provider has signed exactly these bytes: they may be believed.
    Signed,
    /// The provider signs nothing: the message only makes us ask.
    Hint,
}

/// The provider signs its messages, and this one is not signed as it should be: altered, too late or by another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotSigned;

/// The answer that a provider waits for.
#[derive(Debug, Clone, Default)]
pub struct RawAnswer {
    /// Beside the status 200.
    pub headers: Vec<(String, String)>,
    /// The bytes.
    pub body: Vec<u8>,
}

/// A provider that calls us.
pub trait Callback: Send + Sync {
    /// Reads the signature over the raw bytes, in constant time, with the account's secret.
    ///
    /// # Errors
    /// [`NotSigned`]: it is refused and not kept.
    fn proof(&self, secret: &Secret, message: &RawMessage, now: SystemTime) -> Result<Proof, NotSigned>;

    /// The answer to a message that is kept. The provider may check it.
    fn answer(&self, secret: &Secret, message: &RawMessage, now: SystemTime) -> RawAnswer;
}
