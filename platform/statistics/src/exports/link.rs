//! The address of an export's file: owner and expiry, sealed with the installation's secret. It needs no
//! session, except for an export that a super admin ordered, which is for that account only. See
//! `docs/decisions/exports.md#links`.

use std::path::PathBuf;

use access::App;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use uuid::Uuid;

use super::file::ExportFormat;

const SEAL: usize = 32;

fn seal(secret: &[u8], payload: &[u8]) -> Option<Hmac<Sha256>> {
    let mut seal = <Hmac<Sha256> as Mac>::new_from_slice(secret).ok()?;
    seal.update(b"export request ");
    seal.update(payload);
    Some(seal)
}

/// The owner of the file.
pub(crate) struct Opened {
    pub partner: Uuid,
    pub id: Uuid,
    /// The account to which alone it opens.
    pub only_for: Option<Uuid>,
}

/// The address under which a partner's file can be fetched until then.
pub(crate) fn link(app: &App, file: &Opened, until: DateTime<Utc>) -> String {
    let only_for = file.only_for.iter().flat_map(|account| *account.as_bytes()).collect::<Vec<_>>();
    let payload =
        [&file.partner.as_bytes()[..], file.id.as_bytes(), &until.timestamp().to_be_bytes(), &only_for]
            .concat();
    let seal = seal(app.settings.secrets.newest(), &payload)
        .map(|seal| seal.finalize().into_bytes().to_vec())
        .unwrap_or_default();
    let token = URL_SAFE_NO_PAD.encode([payload, seal].concat());
    format!("{}/api/v3/export-files/{token}", app.settings.public_url.as_str().trim_end_matches('/'))
}

pub(crate) fn opened(app: &App, token: &str, now: DateTime<Utc>) -> Option<Opened> {
    let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
    let (payload, sealed) = bytes.split_at_checked(bytes.len().checked_sub(SEAL)?)?;
    let holds = |secret| seal(secret, payload).is_some_and(|seal| seal.verify_slice(sealed).is_ok());
    if !app.settings.secrets.all().any(holds) {
        return None;
    }
    let id = |at: usize| Uuid::from_slice(payload.get(at..at + 16)?).ok();
    let until = i64::from_be_bytes(payload.get(32..40)?.try_into().ok()?);
    (until > now.timestamp()).then_some(Opened { partner: id(0)?, id: id(16)?, only_for: id(40) })
}

/// Where a partner's files lie: with its other exports, so that they go with it. Ids only: no name ever
/// builds a path.
pub(crate) fn folder(app: &App, partner: Uuid) -> PathBuf {
    app.settings.files.join("exports").join(partner.simple().to_string())
}

pub(crate) fn file(app: &App, partner: Uuid, id: Uuid, format: ExportFormat) -> PathBuf {
    folder(app, partner).join(format!("{}.{}", id.simple(), format.key()))
}
