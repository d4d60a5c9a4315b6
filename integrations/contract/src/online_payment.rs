//! Payments on a provider's page: the guest is sent there, and the provider says what became of it.

use std::time::SystemTime;

use async_trait::async_trait;
use rust_decimal::Decimal;
use url::Url;

use crate::{CallError, RawMessage, Secret};

/// An account of a restaurant at a provider.
#[derive(Debug, Clone)]
pub struct Merchant {
    /// Who it is there: SimplePay's merchant id, the e-mail of Barion's payee.
    pub name: String,
    /// SimplePay's key, Barion's POSKey.
    pub secret: Secret,
    /// The only currency of the account, as `HUF`.
    pub currency: String,
}

/// What a plug-in can do. A screen offers nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one ability")]
pub struct OnlineAbilities {
    /// Holds money first and takes it later.
    pub two_step: bool,
    /// Gives back a part of a payment.
    pub partial_refund: bool,
    /// Takes SZÉP cards, by an account of their own.
    pub szep: bool,
    /// Signs its messages.
    pub signs: bool,
    /// Its address of messages is typed in on the provider's page, not sent with each payment.
    pub address_by_hand: bool,
    /// The currencies of its accounts.
    pub currencies: &'static [&'static str],
}

/// The language of the provider's page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageLanguage {
    /// `hu`
    Hungarian,
    /// `en`
    English,
}

/// Who pays, as the provider wants to know it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Buyer {
    /// Of the guest.
    pub name: String,
    /// Of the guest; the provider may write to it.
    pub email: String,
    /// As `+36301234567`.
    pub phone: Option<String>,
    /// Two letters: `HU`.
    pub country: String,
    /// Postcode.
    pub postcode: String,
    /// Town.
    pub city: String,
    /// Street and number.
    pub address: String,
}

/// A payment as it is begun.
#[derive(Debug, Clone)]
pub struct StartPayment {
    /// Our name of it: the attempt's id. It is never used for a second payment.
    pub attempt: String,
    /// In the account's currency. More decimals than the currency has are refused (`Invalid`), not rounded.
    pub amount: Decimal,
    /// What it is for, in a few words that the guest sees: the restaurant's name.
    pub description: String,
    /// Who pays.
    pub buyer: Buyer,
    /// Of the provider's page.
    pub language: PageLanguage,
    /// When the guest is too late (UTC).
    pub expires_at: SystemTime,
    /// Where the guest comes back to, whatever happened.
    pub return_url: Url,
    /// Where the provider sends its messages, if it takes this with a payment.
    pub callback_url: Url,
    /// With a SZÉP card.
    pub szep: bool,
    /// Only hold the money: [`OnlinePayment::capture`] takes it.
    pub hold: bool,
}

/// A payment that the provider knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartedPayment {
    /// The provider's id of it.
    pub reference: String,
    /// Where the guest pays.
    pub page: Url,
}

/// A payment that is asked about.
#[derive(Debug, Clone, Copy)]
pub struct PaymentRef<'a> {
    /// Our name of it.
    pub attempt: &'a str,
    /// The provider's, once it is known.
    pub reference: Option<&'a str>,
}

/// The state of a payment at the provider, in our words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeenState {
    /// The guest acts, or the provider still checks.
    Pending,
    /// The money is held.
    Authorised,
    /// The money is the restaurant's, refunds included.
    Captured,
    /// Refused.
    Failed,
    /// Given up by the guest, or the hold was released.
    Cancelled,
    /// The time is over.
    Expired,
    /// The provider says something that is not documented.
    Unknown,
}

impl SeenState {
    /// As it is kept and answered.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Authorised => "authorised",
            Self::Captured => "captured",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
            Self::Unknown => "unknown",
        }
    }
}

/// Why a payment was refused, as far as a guest can do something about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decline {
    /// There is not enough money on the card.
    NotEnoughMoney,
    /// Number, date or code of the card are wrong, or the card is not good any more.
    CardData,
    /// The guest was not known for certain (3-D Secure).
    Authentication,
    /// A limit of the card.
    Limit,
    /// Somebody else's card, it is feared.
    Suspicious,
    /// The bank cannot be reached.
    Away,
    /// Any other reason.
    Refused,
}

impl Decline {
    /// As the database has it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotEnoughMoney => "not_enough_money",
            Self::CardData => "card_data",
            Self::Authentication => "authentication",
            Self::Limit => "limit",
            Self::Suspicious => "suspicious",
            Self::Away => "away",
            Self::Refused => "refused",
        }
    }
}

/// A refund as the provider has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenRefund {
    /// The provider's id of it.
    pub reference: String,
    /// Our refund's id, where the provider repeats it.
    pub ours: Option<String>,
    /// Above zero.
    pub amount: Decimal,
    /// False: it bounced.
    pub succeeded: bool,
}

/// What the provider says of a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// Our name of it, as the provider has it. Not ours: the payment is of somebody else.
    pub attempt: String,
    /// The provider's id.
    pub reference: String,
    /// In our words.
    pub state: SeenState,
    /// The provider's own word for the state.
    pub provider_state: String,
    /// What was asked for, before any refund; the part that was taken, if only a part was.
    pub amount: Decimal,
    /// As `HUF`.
    pub currency: String,
    /// All that went back.
    pub refunded: Decimal,
    /// Each refund, as far as the provider tells them apart. Empty where it tells only the sum.
    pub refunds: Vec<SeenRefund>,
    /// Why it was refused: the provider's code.
    pub decline_code: Option<String>,
    /// The same in our words.
    pub decline: Option<Decline>,
    /// Not more than the first six and the last four digits of a card.
    pub masked_card: Option<String>,
    /// What the provider keeps for itself, where it tells.
    pub fee: Option<Decimal>,
    /// The provider's ids that later calls need: Barion's `TransactionId`.
    pub part: Option<String>,
}

/// A refund as it is asked for.
#[derive(Debug, Clone, Copy)]
pub struct RefundOrder<'a> {
    /// Our refund's id.
    pub refund: &'a str,
    /// Above zero.
    pub amount: Decimal,
    /// The payment as the provider had it last: after a lost answer it tells whether the refund is in it.
    pub before: &'a Snapshot,
}

/// What a browser that comes back says. It is a hint: nothing is believed but by asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnHint {
    /// Our name of the payment, where the provider says it.
    pub attempt: Option<String>,
    /// The provider's.
    pub reference: Option<String>,
}

/// What a message of the provider is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Our name of the payment, where the provider says it.
    pub attempt: Option<String>,
    /// The provider's id of it.
    pub reference: Option<String>,
    /// The merchant that the message names; another one than the account's is refused.
    pub merchant: Option<String>,
}

/// A provider with a page on which guests pay. It translates: it has no rule and no database.
///
/// A refused card is no error but a [`Snapshot`] with [`SeenState::Failed`]. An error is about the call, and its
/// `effect` says whether something may have happened. Nothing is repeated inside.
#[async_trait]
pub trait OnlinePayment: Send + Sync {
    /// What it can do.
    fn abilities(&self) -> OnlineAbilities;

    /// Whether the account is good: its name, its secret and its currency belong together.
    ///
    /// # Errors
    /// `Credentials` when it is not; anything else says nothing about it.
    async fn check(&self, merchant: &Merchant) -> Result<(), CallError>;

    /// Begins a payment. It is never repeated by itself.
    async fn start(&self, merchant: &Merchant, payment: &StartPayment) -> Result<StartedPayment, CallError>;

    /// What became of a payment. `None` where the provider does not know it: it may not know it *yet*.
    ///
    /// # Errors
    /// `Invalid` where it can be asked by the provider's id alone, and there is none.
    async fn status(
        &self, merchant: &Merchant, payment: PaymentRef<'_>,
    ) -> Result<Option<Snapshot>, CallError>;

    /// All payments that were begun in this time (UTC); none where the provider does not tell them.
    async fn list(
        &self, _merchant: &Merchant, _from: SystemTime, _till: SystemTime,
    ) -> Result<Option<Vec<Snapshot>>, CallError> {
        Ok(None)
    }

    /// Takes money that is held, or a part of it; the rest is released.
    async fn capture(
        &self, merchant: &Merchant, payment: &Snapshot, amount: Decimal,
    ) -> Result<(), CallError>;

    /// Releases money that is held.
    async fn release(&self, merchant: &Merchant, payment: &Snapshot) -> Result<(), CallError>;

    /// Gives money back. After an unknown effect ask [`Self::status`] before it is sent again.
    async fn refund(&self, merchant: &Merchant, order: RefundOrder<'_>) -> Result<SeenRefund, CallError>;

    /// Reads the query of a browser that comes back. `None`: it is not one of the provider's, or not signed as it
    /// should be.
    fn read_return(&self, merchant: &Merchant, query: &str) -> Option<ReturnHint>;

    /// Reads a message whose signature is checked already, or that has none. `None`: it cannot be read.
    fn read_message(&self, message: &RawMessage) -> Option<Notice>;

    /// Seconds after its start in which a payment may be unknown to the provider though it has it.
    fn settles_after(&self) -> u32;
}
