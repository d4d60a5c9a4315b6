//! How a restaurant takes payments on providers' pages.

use access::prelude::*;
use sea_orm::FromQueryResult;
use serde::{Deserialize, Serialize};

use crate::accounts::Provider;

/// How a payment on a provider's page ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, Serialize, Deserialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum PaymentOutcome {
    /// The money has come.
    Paid,
    /// The bank has refused it.
    Refused,
    /// The guest has gone back.
    GivenUp,
    /// The time was over.
    TooLate,
}

/// A text on the page after a payment, in place of ours: providers prescribe some.
#[derive(Debug, Clone, PartialEq, Eq, Object, Serialize, Deserialize)]
pub struct PageText {
    pub(crate) provider: Provider,
    pub(crate) outcome: PaymentOutcome,
    /// In Hungarian; plain text.
    #[oai(validator(min_length = 1, max_length = 1000, pattern = r"^[^\x00-\x08\x0B-\x1F\x7F-\x9F]*$"))]
    pub(crate) hu: String,
    /// In English; without it English pages have our text.
    #[oai(validator(max_length = 1000, pattern = r"^[^\x00-\x08\x0B-\x1F\x7F-\x9F]*$"))]
    pub(crate) en: Option<String>,
}

/// How payments on providers' pages go.
#[derive(Debug, Clone, Default, FromQueryResult)]
pub struct OnlinePaymentSettings {
    /// The money is only held until the order is accepted, where the provider can hold it.
    pub charge_when_accepted: bool,
    /// What a storno gives back waits until a person lets it go.
    pub ask_before_refunds: bool,
    pub page_texts: sea_orm::JsonValue,
}

impl OnlinePaymentSettings {
    pub(super) fn texts(&self) -> Vec<PageText> {
        serde_json::from_value(self.page_texts.clone()).unwrap_or_default()
    }

    /// The restaurant's own text for this end at this provider.
    #[must_use]
    pub fn text(&self, provider: &str, outcome: PaymentOutcome, hungarian: bool) -> Option<String> {
        let texts = self.texts();
        let found =
            texts.into_iter().find(|one| one.provider.as_str() == provider && one.outcome == outcome)?;
        if hungarian { Some(found.hu) } else { found.en }.filter(|text| !text.trim().is_empty())
    }
}

const SETTINGS: &str = "select charge_when_accepted, ask_before_refunds, page_texts from payment_settings \
    where restaurant_id = $1";

/// As the restaurant has set it.
pub async fn online_settings(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<OnlinePaymentSettings> {
    Ok(tx.one(SETTINGS, [restaurant.into()]).await?.unwrap_or_default())
}
