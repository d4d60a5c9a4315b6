//! Bodies and answers about payments and refunds.

use access::prelude::*;
use kernel::{
    Message,
    money::{Currency, Money},
};
use sea_orm::FromQueryResult;
use serde::Serialize;
use uuid::Uuid;

use crate::{
    row::row,
    values::{Amount, OrderId},
};

/// Marker of ids of payments: attempts, which a payment by hand has too.
#[derive(Debug)]
pub enum PaymentId {}
kernel::resource!(PaymentId, "payments", "PAYMENT");

/// Marker of ids of refunds.
#[derive(Debug)]
pub enum RefundId {}
kernel::resource!(RefundId, "refunds", "REFUND");

/// State of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum PaymentState {
    /// Begun; nobody has been asked for the money yet.
    Created,
    /// The guest acts: at a terminal, or on a provider's page.
    Pending,
    /// The money is held for us.
    Authorised,
    /// The money is ours.
    Captured,
    /// Refused.
    Failed,
    /// Given up, or the hold was released.
    Cancelled,
    /// The time is over.
    Expired,
    /// All of it was given back.
    Refunded,
    /// Nobody can say yet.
    Unknown,
}

/// State of a refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum, Serialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum RefundState {
    /// Asked; nobody has given the money back yet.
    Created,
    /// Under way at a provider.
    Pending,
    /// The money is back.
    Succeeded,
    Failed,
    /// Nobody can say yet.
    Unknown,
}

/// Who issued a SZÉP card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum Issuer {
    Otp,
    Mbh,
    Kh,
}

/// Money that is taken for an order.
#[derive(Debug, Object)]
pub(crate) struct NewPayment {
    pub payment_method_id: Option<Uuid>,
    /// The method by its key (`cash`, `card`), instead of its id.
    #[oai(validator(max_length = 40))]
    pub payment_method: Option<String>,
    /// How much of the order it covers, in the order's currency. Without `amount`, `items` and `parts` all that is
    /// due.
    #[oai(validator(minimum(value = "0", exclusive = "true"), maximum(value = "1000000000")))]
    pub amount: Option<Money>,
    /// The lines that are paid, by pieces: with options, discount, service fee and deposit.
    #[oai(validator(min_items = 1, max_items = 200))]
    pub items: Option<Vec<PaymentItem>>,
    /// The first of so many even parts of what is due.
    #[oai(validator(minimum(value = "1"), maximum(value = "100")))]
    pub parts: Option<i32>,
    /// Beside the amount; it stays with the payment and goes back only when named.
    #[oai(validator(minimum(value = "0"), maximum(value = "10000000")))]
    pub tip: Option<Money>,
    /// Cash: what the guest gives, in `currency`. Without it exactly what is to be paid.
    #[oai(validator(minimum(value = "0", exclusive = "true"), maximum(value = "1000000000")))]
    pub handed_over: Option<Money>,
    /// Cash: the order's currency when absent; euros for an order in forints, at the restaurant's rate.
    pub currency: Option<Currency>,
    /// Of a SZÉP card; needed when it is confirmed by hand.
    pub issuer: Option<Issuer>,
    /// Needed for a SZÉP card that is confirmed by hand.
    #[oai(validator(max_length = 40, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    pub authorisation_number: Option<String>,
    /// The courier who holds the money, when it is not in the restaurant.
    pub courier_id: Option<Uuid>,
    /// Whether the money has come. `false` for cards: the terminal is still at work, and the payment is confirmed
    /// or cancelled later.
    #[oai(default = "rows::yes")]
    pub confirmed: bool,
    /// A remark of staff.
    #[oai(validator(max_length = 200))]
    pub payment_info: Option<Message>,
}

/// Pieces of a line.
#[derive(Debug, Clone, Copy, Object)]
pub(crate) struct PaymentItem {
    pub order_item_id: Uuid,
    #[oai(validator(minimum(value = "1"), maximum(value = "999")))]
    pub quantity: i32,
}

/// What became of a payment that was waiting.
#[derive(Debug, Object)]
pub(crate) struct PaymentConfirmation {
    /// Whether the money has come.
    pub paid: bool,
    pub issuer: Option<Issuer>,
    /// Needed when a SZÉP card was paid.
    #[oai(validator(max_length = 40, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    pub authorisation_number: Option<String>,
    /// Why it was not paid, or how one knows that it was.
    #[oai(validator(max_length = 200))]
    pub reason: Option<Message>,
}

/// Giving up a payment that was waiting.
#[derive(Debug, Object)]
pub(crate) struct PaymentCancellation {
    #[oai(validator(max_length = 200))]
    pub reason: Option<Message>,
}

/// Money that goes back.
#[derive(Debug, Object)]
pub(crate) struct NewRefund {
    /// Of what the payment covered, in the order's currency; all that is left of it when absent.
    #[oai(validator(minimum(value = "0"), maximum(value = "1000000000")))]
    pub amount: Option<Money>,
    /// Of the payment's tip; it stays when absent.
    #[oai(validator(minimum(value = "0"), maximum(value = "1000000000")))]
    pub tip: Option<Money>,
    #[oai(validator(max_length = 200))]
    pub reason: Option<Message>,
    /// Whether the money has been given back. `false`: it stands among what is to be given back.
    #[oai(default = "rows::yes")]
    pub done: bool,
}

/// What became of a refund that was asked.
#[derive(Debug, Object)]
pub(crate) struct RefundConfirmation {
    /// Whether the money has been given back.
    pub done: bool,
    /// Why not.
    #[oai(validator(max_length = 200))]
    pub reason: Option<Message>,
}

/// A payment: one try to take money for an order, with what became of it.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct Payment {
    pub id: Id<PaymentId>,
    pub order_id: Id<OrderId>,
    /// The order's number.
    pub order_counter: Option<String>,
    /// `by_hand`, `online`, `terminal`.
    pub kind: String,
    pub payment_method_id: Uuid,
    /// The method's key: `cash`, `card`.
    pub payment_key: String,
    pub provider: Option<String>,
    /// Of a payment on a provider's page: `live`, `test_host`, `stand_in`.
    pub environment: Option<String>,
    /// How much of the order it covers.
    pub amount: Amount,
    pub tip: Amount,
    /// Of the order.
    pub currency: Currency,
    pub handed_currency: Currency,
    /// Cash: what the guest gave, in `handed_currency`.
    pub handed_over: Option<Amount>,
    /// Cash: what goes back to the guest, in `currency`; null until the money has come.
    pub change_given: Option<Amount>,
    /// Cash: what coins add to amount and tip; null until the money has come.
    pub rounding: Option<Amount>,
    pub rate: Option<Amount>,
    pub issuer: Option<Issuer>,
    pub authorisation_number: Option<String>,
    pub courier_id: Option<Uuid>,
    pub payment_info: Option<String>,
    pub state: PaymentState,
    pub provider_ref: Option<String>,
    /// Why it was refused: the provider's code.
    pub decline_code: Option<String>,
    /// Why not, as a person said; of a payment on a provider's page one of `not_enough_money`, `card_data`,
    /// `authentication`, `limit`, `suspicious`, `away`, `refused`.
    pub decline_text: Option<String>,
    /// How much of it came, and how much went back, tips included.
    pub captured: Amount,
    pub refunded: Amount,
    /// Money came for a try that was closed.
    pub late: bool,
    /// Another amount came than was asked.
    pub amount_mismatch: bool,
    /// The provider contradicts what is booked: staff have to look at its own page.
    pub conflict: bool,
    /// Money that was held for the order could not be taken.
    pub not_taken: bool,
    /// Somebody should look at it: it cannot be told how it ended, it came late, in another amount or against what is booked,
    /// or a refund of it has failed; and nobody has looked since.
    pub attention: bool,
    /// Nobody said so: it is believed because the day ended.
    pub assumed: bool,
    /// Who took it.
    pub actor_name: String,
    pub surface: String,
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub final_at: Option<Timestamp>,
    pub version: i64,
    /// Only where one payment is asked for.
    #[sea_orm(skip)]
    pub refunds: Option<Vec<PaymentRefund>>,
    /// What is still to be paid of the order; only where one payment is asked for.
    #[sea_orm(skip)]
    pub due: Option<Amount>,
    /// What was said about it in the last 90 days, oldest first; only where one payment is asked for.
    #[sea_orm(skip)]
    pub conversation: Option<Vec<PaymentEvent>>,
}

/// A line of the conversation about a payment. It has no secret, no card and nothing of the guest.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct PaymentEvent {
    pub at: Timestamp,
    /// `call`: we called the provider; `query`: we asked it; `callback`: it sent a message; `person`; `terminal`.
    pub source: String,
    /// What it said of the payment, in our words.
    pub state: String,
    pub actor_name: Option<String>,
    /// Which call: `start`, `refund`, `settle`.
    pub call: Option<String>,
    /// The provider's own word for the state.
    pub provider_state: Option<String>,
    /// The fault of a call, or the provider's code for a refusal.
    pub error: Option<String>,
    pub amount: Option<Amount>,
    /// All that had gone back by then.
    pub refunded: Option<Amount>,
    /// What the provider keeps for itself.
    pub fee: Option<Amount>,
    pub reason: Option<String>,
    /// The provider's id of the payment or refund.
    pub reference: Option<String>,
}

/// A refund.
#[derive(Debug, Object, FromQueryResult, Serialize)]
pub(crate) struct PaymentRefund {
    pub id: Id<RefundId>,
    pub order_id: Id<OrderId>,
    /// The order's number.
    pub order_counter: Option<String>,
    /// The payment it takes back.
    pub attempt_id: Id<PaymentId>,
    /// The method by which it goes back.
    pub payment_method_id: Uuid,
    pub payment_key: String,
    /// The provider by which it goes back; null: by hand.
    pub provider: Option<String>,
    pub currency: Currency,
    pub amount: Amount,
    pub tip: Amount,
    pub state: RefundState,
    pub reason: Option<String>,
    /// A storno asked for it.
    pub by_storno: bool,
    /// It goes back by its provider once a person lets it go (*ask before refunds*).
    pub waits: bool,
    pub provider_ref: Option<String>,
    /// Why the provider did not give it back: its code, `never_arrived` or `bounced`.
    pub decline_code: Option<String>,
    /// Who asked for it, and whose PIN allowed that.
    pub actor_name: String,
    pub approved_by_name: Option<String>,
    /// Who said that it is done, or that it did not work.
    pub done_by_name: Option<String>,
    pub created_at: Timestamp,
    pub final_at: Option<Timestamp>,
    pub version: i64,
}

row! {
    /// A row of an order's list of payments: money that has moved, or a payment that waits.
    #[derive(Object)]
    PayableTransaction {
        id: Uuid,
        #[oai(skip)]
        #[serde(skip)]
        order_id: Uuid,
        /// The payment; null in rows of earlier releases.
        attempt_id: Option<Uuid>,
        /// The refund that this row is.
        refund_id: Option<Uuid>,
        /// The row that it takes back.
        refunds_id: Option<Uuid>,
        /// How much of the order it covers; a refund is below zero.
        value: Amount,
        /// What coins add to value and tip.
        rounding: Amount,
        tip: Amount,
        /// `succeeded`, or the state of a payment that waits.
        status: String,
        payment_method_id: Option<Uuid>,
        payment_key: Option<String>,
        payment_info: Option<String>,
        /// Of the order.
        pickup: bool,
        /// Of the order.
        platform: String,
        /// In which currency cash was handed over.
        currency: Option<Currency>,
        handed_over: Option<Amount>,
        rate: Option<Amount>,
        /// In the order's currency.
        change_given: Amount,
        courier_id: Option<Uuid>,
        issuer: Option<String>,
        authorisation_number: Option<String>,
        provider_ref: Option<String>,
        actor_name: Option<String>,
        surface: Option<String>,
        business_day: Option<kernel::time::BusinessDay>,
        /// Nobody said so: it is believed because the day ended.
        assumed: bool,
        /// It went from an order whose items were changed to the one that took its place, or came from there.
        moved: bool,
        paid_at: Option<Timestamp>,
    }
}
