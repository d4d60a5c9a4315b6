//! Bodies of requests.

use access::prelude::*;
use uuid::Uuid;

use crate::{
    storno_reasons::{SentReason, StornoReasons},
    values::ArchiveReason,
};

/// Whether an accepted order is ready.
#[derive(Debug, Object)]
pub(crate) struct Readiness {
    /// `false` recalls an order that was called ready by mistake.
    #[oai(default = "rows::yes")]
    pub prepared: bool,
}

/// Pieces of an order that are cancelled.
#[derive(Debug, Object)]
pub(crate) struct PartialStorno {
    /// The lines, by pieces.
    #[oai(validator(max_items = 200), default)]
    pub items: Vec<StornoItem>,
    /// The delivery fee goes back too; with the last piece it always does.
    #[oai(default)]
    pub delivery: bool,
    /// The system usage fee goes back too; with the last piece it always does.
    #[oai(default)]
    pub system_usage_fee: bool,
    /// The order's tips go back too; with the last piece they always do.
    #[oai(default)]
    pub tips: bool,
    pub reason: Option<ArchiveReason>,
    /// One of the restaurant's own reasons, in place of `reason`: one of pieces.
    pub reason_id: Option<Id<StornoReasons>>,
    /// In one's own words.
    #[oai(validator(max_length = 500, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
    pub reason_text: Option<String>,
}

impl PartialStorno {
    pub fn sent_reason(&self) -> SentReason {
        let text = self.reason_text.clone();
        SentReason { standard: self.reason, own: self.reason_id, text, of_pieces: true, approved_by: None }
    }
}

/// Pieces of a line.
#[derive(Debug, Clone, Copy, Object)]
pub(crate) struct StornoItem {
    pub order_item_id: Uuid,
    #[oai(validator(minimum(value = "1"), maximum(value = "999")))]
    pub quantity: i32,
}

/// Accepting an order.
#[derive(Debug, Object)]
pub(crate) struct Acceptance {
    /// Minutes until it is ready or delivered; the restaurant's estimate when absent.
    #[oai(validator(minimum(value = "1"), maximum(value = "600")))]
    pub delivery_time_minute: Option<i32>,
}

/// Taking an acceptance back.
#[derive(Debug, Object)]
#[oai(rename = "TakingBack")]
pub(crate) struct AcceptanceUndo {
    /// The `version` of the accepted order: what somebody else has accepted anew meanwhile stays accepted.
    pub version: Option<i64>,
}

/// Refusing or cancelling an order.
#[derive(Debug, Object)]
pub(crate) struct Archiving {
    pub reason: Option<ArchiveReason>,
    /// One of the restaurant's own reasons, in place of `reason`.
    pub reason_id: Option<Id<StornoReasons>>,
    /// In one's own words; the guest reads it too.
    #[oai(validator(max_length = 500, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
    pub reason_text: Option<String>,
}

impl From<Archiving> for SentReason {
    fn from(Archiving { reason, reason_id, reason_text }: Archiving) -> Self {
        Self { standard: reason, own: reason_id, text: reason_text, of_pieces: false, approved_by: None }
    }
}
