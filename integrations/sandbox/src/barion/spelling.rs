//! The ways in which a callback names its payment.

use url::{Url, form_urlencoded};

/// How a callback names the payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Spelling {
    /// `PaymentId` in the body and `paymentId` in the query.
    #[default]
    Both,
    /// `PaymentId` in the body alone.
    BodyPascal,
    /// `paymentId` in the body alone.
    BodyCamel,
    /// `paymentId` in the query alone.
    Query,
    /// `PaymentId` in a body of JSON.
    Json,
}

/// A try to call back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    pub payment: String,
    /// None: no answer.
    pub status: Option<u16>,
}

impl Spelling {
    /// The address, the type of the body and the body.
    pub(super) fn message(self, callback: &str, id: &str) -> Option<(String, &'static str, String)> {
        let mut url = Url::parse(callback).ok()?;
        if matches!(self, Self::Both | Self::Query) {
            url.query_pairs_mut().append_pair("paymentId", id);
        }
        let form =
            |name: &str| form_urlencoded::Serializer::new(String::new()).append_pair(name, id).finish();
        let (kind, body) = match self {
            Self::Both | Self::BodyPascal => ("application/x-www-form-urlencoded", form("PaymentId")),
            Self::BodyCamel => ("application/x-www-form-urlencoded", form("paymentId")),
            Self::Query => ("application/x-www-form-urlencoded", String::new()),
            Self::Json => ("application/json", serde_json::json!({ "PaymentId": id }).to_string()),
        };
        Some((url.into(), kind, body))
    }
}
