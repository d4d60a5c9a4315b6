//! The states of an attempt: one table, for payments online and by hand. See `docs/decisions/payments.md#states`.

use super::types::PaymentState::{
    self, Authorised, Cancelled, Captured, Created, Expired, Failed, Pending, Refunded, Unknown,
};

/// News of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
pub(super) enum News {
    /// The provider has taken it: the guest acts.
    Started,
    SeenPending,
    SeenAuthorised,
    SeenCaptured,
    SeenFailed,
    SeenCancelled,
    SeenExpired,
    /// The answer to a call that moves money is lost: it may have done its work.
    Lost,
    /// A person says that the money has come.
    SaidPaid,
    /// A person says that it has not.
    SaidUnpaid,
    /// All that was captured has been given back.
    AllBack,
}

/// The effect of news.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    To(PaymentState),
    /// Nothing new.
    Stays,
    /// Money for an attempt that was closed: it is recorded, and marked.
    Late(PaymentState),
    /// The provider contradicts what is written: the state stays, and a person has to look.
    Conflict,
    /// Not in this state: only a person can ask for it.
    Refused,
}

/// The effect of this news on an attempt in this state.
pub(super) fn step(state: PaymentState, news: News) -> Step {
    use Step::{Conflict, Late, Refused, Stays, To};
    let is_open = matches!(state, Created | Pending | Authorised | Unknown);
    let is_closed = matches!(state, Failed | Cancelled | Expired);
    match news {
        News::Started if state == Created => To(Pending),
        News::SeenPending if matches!(state, Created | Unknown) => To(Pending),
        News::SeenAuthorised if matches!(state, Created | Pending | Unknown) => To(Authorised),
        News::SeenAuthorised if is_closed => Late(Authorised),
        News::SeenCaptured if is_open => To(Captured),
        News::SeenCaptured if is_closed => Late(Captured),
        News::SeenFailed if is_open => To(Failed),
        News::SeenCancelled if is_open => To(Cancelled),
        News::SeenExpired if is_open => To(Expired),
        News::SeenFailed | News::SeenCancelled | News::SeenExpired
            if matches!(state, Captured | Refunded) =>
        {
            Conflict
        }
        News::Lost if matches!(state, Created | Pending | Authorised) => To(Unknown),
        News::SaidPaid if is_open => To(Captured),
        News::SaidUnpaid if is_open => To(Cancelled),
        News::SaidPaid | News::SaidUnpaid => Refused,
        News::AllBack if state == Captured => To(Refunded),
        _ => Stays,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use sea_orm::Iterable;
    use strum::VariantArray;

    use super::*;

    #[test]
    fn the_table_is_that_of_the_facts() {
        use News::{
            AllBack, Lost, SaidPaid, SaidUnpaid, SeenAuthorised, SeenCancelled, SeenCaptured, SeenExpired,
            SeenFailed, SeenPending, Started,
        };
        use Step::{Conflict, Late, Refused, Stays, To};
        let columns = [
            Started, SeenPending, SeenAuthorised, SeenCaptured, SeenFailed, SeenCancelled, SeenExpired, Lost,
            SaidPaid, SaidUnpaid, AllBack,
        ];
        let open = |started, pending, authorised, lost| {
            [
                started,
                pending,
                authorised,
                To(Captured),
                To(Failed),
                To(Cancelled),
                To(Expired),
                lost,
                To(Captured),
                To(Cancelled),
                Stays,
            ]
        };
        let closed = [
            Stays,
            Stays,
            Late(Authorised),
            Late(Captured),
            Stays,
            Stays,
            Stays,
            Stays,
            Refused,
            Refused,
            Stays,
        ];
        let paid = |all_back| {
            [Stays, Stays, Stays, Stays, Conflict, Conflict, Conflict, Stays, Refused, Refused, all_back]
        };
        for (state, row) in [
            (Created, open(To(Pending), To(Pending), To(Authorised), To(Unknown))),
            (Pending, open(Stays, Stays, To(Authorised), To(Unknown))),
            (Authorised, open(Stays, Stays, Stays, To(Unknown))),
            (Unknown, open(Stays, To(Pending), To(Authorised), Stays)),
            (Failed, closed),
            (Cancelled, closed),
            (Expired, closed),
            (Captured, paid(To(Refunded))),
            (Refunded, paid(Stays)),
        ] {
            for (news, expected) in columns.into_iter().zip(row) {
                assert_eq!(step(state, news), expected, "{state:?} {news:?}");
            }
        }
    }

    proptest! {
        /// Whatever is heard in whatever order: captured money is never forgotten, and what was said once more
        /// changes nothing.
        #[test]
        fn item_56_any_order_of_news_keeps_the_money(heard in prop::collection::vec(prop::sample::select(News::VARIANTS), 0..40)) {
            let (mut state, mut has_come) = (Created, false);
            for news in heard {
                let next = match step(state, news) {
                    Step::To(next) | Step::Late(next) => next,
                    Step::Stays | Step::Conflict | Step::Refused => state,
                };
                has_come |= next == Captured;
                prop_assert!(!has_come || matches!(next, Captured | Refunded), "{state:?} {news:?} {next:?}");
                prop_assert!(matches!(step(next, news), Step::Stays | Step::Conflict | Step::Refused), "{next:?} {news:?}");
                state = next;
            }
            prop_assert!(PaymentState::iter().any(|one| one == state));
        }
    }
}
