//! Bodies and answers about payment methods.

use access::prelude::*;
use kernel::{Email, money::Money};
use sea_orm::FromQueryResult;
use serde::Deserialize;

use super::{PaymentMethods, online::PageText, rules};
use crate::accounts::{Asking, Candidates, PaymentEnvironment, Provider, ProviderAccounts, ProviderOffer};

/// A way to pay: a row of the reference data, and whether the restaurant takes it.
#[derive(Debug, Clone, Object, FromQueryResult)]
pub(crate) struct RestaurantPaymentMethod {
    pub id: Id<PaymentMethods>,
    pub name: String,
    pub name_en: String,
    pub short_name: String,
    pub payment_key: String,
    pub payment_type: PaymentType,
    /// Cannot be switched off.
    pub always_available: bool,
    /// The provider's notification finishes the payment.
    pub has_callback: bool,
    /// Paid on a provider's page before the restaurant sees the order.
    pub paid_online: bool,
    /// Whether the restaurant takes it anywhere: `enabled_web` or `enabled_pos`.
    #[sea_orm(skip)]
    pub enabled: bool,
    /// Whether it is taken for orders of the web shop and the app. Never while something of `needs` is
    /// missing.
    pub enabled_web: bool,
    /// Whether it is taken for orders on the phone and in the restaurant. Never while something of `needs`
    /// is missing.
    pub enabled_pos: bool,
    /// What it waits for; any one is enough. While it waits for something it cannot be switched on, and
    /// nobody is offered it.
    #[sea_orm(skip)]
    pub needs: Vec<PaymentNeed>,
    /// On the web shop.
    pub type_web: bool,
    /// In the app.
    pub type_app: bool,
    /// Of orders taken on the phone.
    pub type_phone: bool,
    /// In the restaurant.
    pub type_in_place: bool,
    /// To the courier.
    pub type_delivery: bool,
    /// What the tax report (NTAK) calls it.
    pub ntak_payment_method: String,
    /// The account that was chosen to serve it, of what is paid online. Null: the first that fits, SimplePay's before
    /// Barion's.
    pub account_id: Option<Id<ProviderAccounts>>,
    /// Whose page the guest pays on now. Null: nobody's.
    #[sea_orm(skip)]
    pub provider: Option<Provider>,
    #[oai(skip)]
    pub candidates: Option<Candidates>,
}

/// The kind of a payment method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum, Deserialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum PaymentType {
    Cash,
    Card,
    CardOnline,
    SzepKartya,
    SzepKartyaOnline,
    Other,
}

impl RestaurantPaymentMethod {
    /// As it is answered in a partner of this mode: with what it waits for, and not enabled meanwhile.
    pub(super) fn with_needs(mut self, features: &[String], mode: &str, asking: Asking<'_>) -> Self {
        let account = self.candidates.take().and_then(|accounts| accounts.serving(mode, asking));
        self.provider = account.map(|(provider, _)| provider);
        let served = self.provider.is_some();
        self.needs = rules::needs(self.payment_type, &self.payment_key, features, served).to_vec();
        let works = self.needs.is_empty();
        self.enabled_web = self.enabled_web && works;
        self.enabled_pos = self.enabled_pos && works;
        self.enabled = self.enabled_web || self.enabled_pos;
        self
    }
}

/// What a payment method may wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum PaymentNeed {
    /// Paying through `SimplePay`.
    Simplepay,
    /// Paying through Barion.
    Barion,
    /// The feature `balance`.
    Balance,
    /// The feature `loyalty`.
    Loyalty,
}

/// The two screens of payment methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum PaymentView {
    /// For orders of the web shop and the app.
    Web,
    /// For orders on the phone and in the restaurant.
    Pos,
}

impl RestaurantPaymentMethod {
    /// Whether this screen shows it: some order of its channels can be paid with it.
    pub(crate) const fn is_of(&self, view: PaymentView) -> bool {
        match view {
            PaymentView::Web => self.type_web || self.type_app,
            PaymentView::Pos => self.type_phone || self.type_in_place,
        }
    }
}

/// An account that is told by a merchant id (SimplePay).
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub(crate) struct MerchantAccount {
    pub merchant_id: String,
    /// Whether its secret key is kept; the key itself is never shown.
    pub has_secret_key: bool,
}

/// An account that is told by an e-mail address (Barion).
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub(crate) struct PayeeAccount {
    pub email: String,
    /// Whether its POS key is kept; the key itself is never shown.
    pub has_pos_key: bool,
}

/// Everything that the screens of payment methods show.
#[derive(Debug, Clone, Object)]
pub(crate) struct PaymentSettings {
    pub payment_methods: Vec<RestaurantPaymentMethod>,
    /// Forints for one euro in cash.
    pub eur_huf_rate: Money,
    /// Null when there is none.
    pub simplepay: Option<MerchantAccount>,
    /// Null when there is none.
    pub barion: Option<PayeeAccount>,
    /// Where orders are paid that no key for tests sends.
    pub environment: PaymentEnvironment,
    /// Payments on a provider's page are only held until the order is accepted, and taken then, where the provider can
    /// hold them (not SZÉP cards).
    pub charge_when_accepted: bool,
    /// What a storno gives back by a provider waits until a person lets it go.
    pub ask_before_refunds: bool,
    /// Texts on the page after a payment, in place of the standard ones.
    pub page_texts: Vec<PageText>,
    /// What accounts can be made for.
    pub offers: Vec<ProviderOffer>,
    pub version: i64,
}

/// A merchant id and its secret.
#[derive(Object)]
pub(crate) struct MerchantAccountChange {
    #[oai(validator(min_length = 1, max_length = 100, pattern = r"^\s*[^\s\x00-\x1F\x7F-\x9F]+\s*$"))]
    pub merchant_id: String,
    /// Absent or empty: the one that is kept stays, as long as the merchant id stays.
    #[oai(validator(max_length = 500))]
    pub secret_key: Option<String>,
}

/// A payee and the key of its shop.
#[derive(Object)]
pub(crate) struct PayeeAccountChange {
    pub email: Email,
    /// Absent or empty: the one that is kept stays, as long as the address stays.
    #[oai(validator(max_length = 500))]
    pub pos_key: Option<String>,
}

/// Which account serves a method that is paid online.
#[derive(Debug, Object)]
pub(crate) struct MethodAccount {
    pub payment_method_id: Id<PaymentMethods>,
    /// Null: the first that fits.
    pub account_id: Option<Id<ProviderAccounts>>,
}

/// A change of what the screens of payment methods show. Every part may be absent.
#[derive(Object)]
pub(crate) struct PaymentMethodsChange {
    /// All methods that are to be enabled, in both views; with `view`, in that one.
    #[oai(validator(max_items = 100, unique_items))]
    pub payment_method_ids: Option<Vec<Id<PaymentMethods>>>,
    /// Only what is enabled in this view changes.
    pub view: Option<PaymentView>,
    /// The accounts that serve these methods; of others they stay.
    #[oai(validator(max_items = 100))]
    pub method_accounts: Option<Vec<MethodAccount>>,
    /// Forints for one euro in cash, at most two decimals.
    #[oai(validator(minimum(value = "0", exclusive = true), maximum(value = "1000000", exclusive = true)))]
    pub eur_huf_rate: Option<Money>,
    pub charge_when_accepted: Option<bool>,
    pub ask_before_refunds: Option<bool>,
    /// All of them: what is not sent has the standard text again.
    #[oai(validator(max_items = 20))]
    pub page_texts: Option<Vec<PageText>>,
    /// Null removes the account.
    pub simplepay: Clearable<MerchantAccountChange>,
    /// Null removes the account.
    pub barion: Clearable<PayeeAccountChange>,
    pub version: Option<i64>,
}
