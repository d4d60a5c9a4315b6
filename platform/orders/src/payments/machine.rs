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

    /// A payment at the provider: what is true.
    #[derive(Debug, Clone, Copy, Default)]
    struct There {
        state: u8,
        taken: i64,
        back: i64,
    }

    /// What the provider said at some moment: the news, and its sums.
    type Word = (News, i64, i64);

    impl There {
        fn word(self) -> Word {
            let news = [
                News::SeenPending,
                News::SeenCaptured,
                News::SeenFailed,
                News::SeenCancelled,
                News::SeenExpired,
            ];
            (news[usize::from(self.state)], self.taken, self.back)
        }
    }

    /// Our side: the state and a ledger of rows.
    #[derive(Debug, Clone)]
    struct Here {
        state: PaymentState,
        rows: Vec<i64>,
    }

    impl Here {
        /// As `online::seen` does: money that has come is a row once, and what went back beyond what is known is one.
        fn hear(&mut self, (news, taken, back): Word) {
            let next = match step(self.state, news) {
                Step::To(next) | Step::Late(next) => next,
                Step::Stays | Step::Conflict | Step::Refused => self.state,
            };
            if next == Captured && !matches!(self.state, Captured | Refunded) {
                self.rows.push(taken);
            }
            self.state = next;
            let known: i64 = -self.rows.iter().filter(|row| **row < 0).sum::<i64>();
            if matches!(self.state, Captured | Refunded) && back > known {
                self.rows.push(known - back);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 10_000, ..ProptestConfig::default() })]

        /// A guest pays, refuses or leaves, the provider gives back, and words about it come twice, late, in another order or
        /// never; once the provider has been asked at the end, the ledger has its sums.
        #[test]
        fn ledger_equals_the_providers_books(acts in prop::collection::vec((0_u8..8, 0_usize..6, 1_i64..500), 0..30)) {
            let (mut there, mut here) = (There::default(), Here { state: Created, rows: vec![] });
            let mut said: Vec<Word> = vec![there.word()];
            for (act, which, amount) in acts {
                match act {
                    0 if there.state == 0 => (there.state, there.taken) = (1, 1_000),
                    1 if there.state == 0 => there.state = 2,
                    2 if there.state == 0 => there.state = 3,
                    3 if there.state == 0 => there.state = 4,
                    4 if there.state == 1 => there.back = (there.back + amount).min(there.taken),
                    // An answer of some earlier moment arrives.
                    5 => here.hear(said[said.len() - 1 - which.min(said.len() - 1)]),
                    // The answer to a call is lost.
                    6 => here.hear((News::Lost, 0, 0)),
                    _ => here.hear(there.word()),
                }
                said.push(there.word());
            }
            here.hear(there.word());
            prop_assert_eq!(here.rows.iter().sum::<i64>(), there.taken - there.back, "{:?} {:?}", there, here);
            prop_assert!(here.rows.iter().filter(|row| **row > 0).count() <= 1);
            prop_assert!(here.state != Unknown, "{:?}", there);
        }
    }
}
