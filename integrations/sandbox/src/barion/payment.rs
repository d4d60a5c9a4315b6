//! Shops and their payments, by Barion's rules of money.

use rust_decimal::Decimal;
use serde_json::Value;
use url::Url;

/// A shop: its key, the e-mail of its payee, its only currency.
pub struct Account {
    pub pos_key: &'static str,
    pub payee: &'static str,
    pub currency: &'static str,
}

/// The shop in forints.
pub const POS_KEY: &str = "9c165cfccbd1452f830721a3a9cee664";
pub const PAYEE: &str = "bolt@pult.example";
/// The shop in euros.
pub const POS_KEY_EUR: &str = "5d2f6c1e0b8a4c7f9e3d1a2b4c6d8e0f";
pub const PAYEE_EUR: &str = "bolt-eur@pult.example";
/// The shop in dollars.
pub const POS_KEY_USD: &str = "71b0c9d8e7f64a5b8c3d2e1f0a9b8c7d";
pub const PAYEE_USD: &str = "bolt-usd@pult.example";
/// A good key of the live environment, which is a wrong one here.
pub const OTHER_ENVIRONMENT: &str = "0a1b2c3d4e5f40718293a4b5c6d7e8f9";

pub const ACCOUNTS: &[Account] = &[
    Account { pos_key: POS_KEY, payee: PAYEE, currency: "HUF" },
    Account { pos_key: POS_KEY_EUR, payee: PAYEE_EUR, currency: "EUR" },
    Account { pos_key: POS_KEY_USD, payee: PAYEE_USD, currency: "USD" },
];

/// Transactions of money that goes back, and of money that did not arrive there.
pub(super) const REFUND: &str = "RefundToBankCard";
pub(super) const BOUNCE: &str = "StornoUnSuccessfulRefundToBankCard";

#[derive(Clone)]
pub(super) struct Row {
    pub id: String,
    pub pos_id: Option<String>,
    pub kind: &'static str,
    pub total: Decimal,
    pub related: Option<String>,
    pub comment: Option<String>,
}

pub(super) struct Payment {
    pub account: &'static Account,
    pub request_id: String,
    pub pos_id: String,
    pub transaction: String,
    pub hold: bool,
    pub asked: Decimal,
    /// What was taken, once it was.
    pub taken: Decimal,
    pub currency: String,
    pub status: String,
    pub created: u64,
    pub window_s: u64,
    pub hold_s: u64,
    pub redirect: String,
    pub callback: String,
    pub description: String,
    pub hungarian: bool,
    pub result: Option<&'static str>,
    pub rows: Vec<Row>,
}

/// A GUID as Barion writes it.
pub(super) fn guid() -> String {
    let mut bytes = [0_u8; 16];
    // Without chance there is nothing to stand in for.
    if aws_lc_rs::rand::fill(&mut bytes).is_err() {
        std::process::abort();
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Payment {
    /// Where the browser goes back to, whatever happened.
    pub fn back(&self, id: &str) -> String {
        let url = Url::parse(&self.redirect).map(|mut url| {
            url.query_pairs_mut().append_pair("paymentId", id);
            String::from(url)
        });
        url.unwrap_or_default()
    }

    pub fn open(&self) -> bool {
        matches!(self.status.as_str(), "Prepared" | "Started" | "InProgress" | "Waiting")
    }

    pub fn refunded(&self) -> Decimal {
        let sum = |kind: &str| -> Decimal {
            self.rows.iter().filter(|row| row.kind == kind).map(|row| row.total).sum()
        };
        sum(REFUND) - sum(BOUNCE)
    }

    pub fn add(&mut self, kind: &'static str, total: Decimal, related: String) -> &mut Row {
        let row = Row { id: guid(), pos_id: None, kind, total, related: Some(related), comment: None };
        self.rows.push(row);
        let last = self.rows.len() - 1;
        &mut self.rows[last]
    }

    /// The money is the shop's: Barion's fees appear. The one of the gateway has our id too, so that an amount is
    /// found by its type.
    pub fn take(&mut self, total: Decimal) {
        self.status = "Succeeded".to_owned();
        self.taken = total;
        let decimals = if self.currency == "HUF" { 0 } else { 2 };
        let fee = |hundredths: i64| (total * Decimal::new(hundredths, 4)).round_dp(decimals);
        let (ours, pos) = (self.transaction.clone(), self.pos_id.clone());
        self.add("GatewayFee", fee(100), ours.clone()).pos_id = Some(pos);
        self.add("CardProcessingFee", fee(50), ours);
    }

    pub fn refund(&mut self, amount: Decimal, pos_id: &str, comment: &str) -> Row {
        let ours = self.transaction.clone();
        let row = self.add(REFUND, amount, ours);
        row.pos_id = Some(pos_id.to_owned());
        row.comment = Some(comment.to_owned());
        row.clone()
    }
}

/// A number or the same as text, with its exact digits.
pub(super) fn amount(value: &Value) -> Option<Decimal> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        _ => return None,
    };
    Decimal::from_str_exact(&text).ok()
}
