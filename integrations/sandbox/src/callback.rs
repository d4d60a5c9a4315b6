//! A provider that calls us: it signs time and body with HMAC-SHA256.

use std::time::{SystemTime, UNIX_EPOCH};

use aws_lc_rs::hmac;

/// The header of the signature of a message that is sent at this time: `t=<seconds>,v1=<hex>`.
#[must_use]
pub fn signature(secret: &str, at: SystemTime, body: &[u8]) -> String {
    let seconds = at.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let tag = hmac::sign(&key, &[format!("{seconds}.").as_bytes(), body].concat());
    let hex: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={seconds},v1={hex}")
}
