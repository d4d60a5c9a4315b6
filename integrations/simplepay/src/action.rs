//! The calls of SimplePay.

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Start,
    Query,
    Refund,
    Finish,
}

impl Action {
    pub(crate) const fn path(self) -> &'static str {
        match self {
            Self::Start => "payment/v2/start",
            Self::Query => "payment/v2/query",
            Self::Refund => "payment/v2/refund",
            Self::Finish => "payment/v2/finish",
        }
    }

    pub(crate) const fn moves_money(self) -> bool {
        matches!(self, Self::Refund | Self::Finish)
    }
}
