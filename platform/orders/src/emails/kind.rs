//! The kinds of mails about orders, and their languages.

use access::prelude::*;

pub(crate) struct OrderEmails;

kernel::resource!(OrderEmails, "order_emails", "ORDER_EMAIL");

/// When a mail is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
#[oai(rename_all = "snake_case", rename = "OrderEmailKind")]
pub(crate) enum EmailKind {
    /// The restaurant has the order.
    Received,
    /// The restaurant has accepted it.
    Accepted,
    /// Its items were changed.
    Replaced,
    /// The acceptance was taken back; the time will be set again.
    TakenBack,
    /// The restaurant cannot take it.
    Refused,
    /// Money goes back by the provider that took it.
    Refunded,
    /// Tells the restaurant itself of a new order.
    Notification,
    /// Tells the restaurant that nobody accepts an order.
    NotAccepted,
}

impl EmailKind {
    pub(super) const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// Whether it is for the restaurant itself, else for the guest.
    pub(super) const fn is_for_restaurant(self) -> bool {
        matches!(self, Self::Notification | Self::NotAccepted)
    }

    /// The one that a path names.
    /// Errors: `ORDER_EMAIL_NOT_EXIST`.
    pub(super) fn of(name: &str) -> Result<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|kind| kind.name() == name)
            .ok_or_else(Problem::not_exist::<OrderEmails>)
    }

    pub(crate) const fn name(self) -> &'static str {
        self.into_str()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
/// Language of what a guest reads.
#[oai(rename_all = "snake_case", rename = "OrderEmailLanguage")]
pub enum Lang {
    Hu,
    En,
}

impl Lang {
    #[must_use]
    pub fn of(name: &str) -> Self {
        if name == "en" { Self::En } else { Self::Hu }
    }

    /// As orders have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hu => "hu",
            Self::En => "en",
        }
    }
}
