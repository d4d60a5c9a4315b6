//! Payments on a provider's page: the cases that every plug-in passes by its abilities. Each case has the number
//! under which other suites of payments have it too.

use std::time::{Duration, Instant, SystemTime};

use async_trait::async_trait;
use contract::{
    Buyer, CallError, CallFault, Callback, Effect, Merchant, OnlinePayment, PageLanguage, PaymentRef, Proof,
    RawAnswer, RawMessage, RefundOrder, Secret, SeenRefund, SeenState, Snapshot, StartPayment,
    StartedPayment,
};
use futures_util::future::join;
use rust_decimal::Decimal;

use crate::Fault;

/// How a guest leaves the provider's page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Pays.
    Pay,
    /// Is refused by the bank.
    Decline,
    /// Goes back.
    GoBack,
    /// Does nothing until it is too late.
    LetExpire,
}

/// A plug-in and the stand-in of its provider.
#[async_trait]
pub trait Bench: Send + Sync {
    /// The plug-in, with a patience of less than a second.
    fn plug_in(&self) -> &dyn OnlinePayment;
    /// The same as a reader of messages.
    fn callback(&self) -> &dyn Callback;
    /// The same at an address that refuses connections.
    fn nowhere(&self) -> &dyn OnlinePayment;
    /// A good account in a currency; one in forints is always there.
    fn merchant(&self, currency: &str) -> Option<Merchant>;
    /// A good account for SZÉP cards.
    fn szep(&self) -> Option<Merchant>;
    /// An account that the provider does not know, as one of its other environment.
    fn unknown_merchant(&self) -> Merchant;
    /// The next call has this fault.
    fn next(&self, fault: Fault);
    /// The next refund is refused by the provider's rules.
    fn refuse_next_refund(&self);
    /// All calls of plug-ins since the last time, as `METHOD path`.
    fn calls(&self) -> Vec<String>;
    /// The amount of the last call that had one, in the digits of the wire.
    fn sent_amount(&self) -> String;
    /// The guest acts on the page.
    async fn act(&self, payment: &StartedPayment, act: Act);
    /// The provider puts the payment into a state that is not documented.
    fn odd_state(&self, reference: &str);
    /// The provider has another amount than we asked for.
    fn change_amount(&self, reference: &str, amount: Decimal);
    /// A refund bounces later. False: this provider has nothing of that kind.
    fn bounce(&self, refund: &str) -> bool;
    /// The hold ends by itself. False: this provider has nothing of that kind.
    fn end_hold(&self, reference: &str) -> bool;
    /// The message that the provider sends about a payment.
    fn message(&self, reference: &str) -> RawMessage;
    /// Whether the provider is content with the answer to its message.
    fn is_content(&self, message: &RawMessage, answer: &RawAnswer) -> bool;
    /// The query with which the browser comes back.
    fn return_query(&self, reference: &str) -> String;
}

/// The whole suite.
pub async fn run(bench: &dyn Bench) {
    item_01_paid(bench).await;
    item_02_declined(bench).await;
    item_03_the_guest_goes_back(bench).await;
    item_04_time_runs_out(bench).await;
    item_07_connection_refused(bench).await;
    item_08_answer_lost_after_the_work(bench).await;
    item_09_broken_answers(bench).await;
    item_10_limits_and_credentials(bench).await;
    item_11_exact_digits(bench).await;
    item_12_another_amount(bench).await;
    item_13_unknown_state(bench).await;
    item_14_slow_provider(bench).await;
    item_18_bad_signatures(bench).await;
    item_35_full_refund(bench).await;
    item_36_two_partial_refunds(bench).await;
    item_37_one_too_much_is_not_sent(bench).await;
    item_38_refund_answer_lost(bench).await;
    item_39_two_refunds_at_once(bench).await;
    item_40_refund_refused(bench).await;
    item_41_refund_bounces_later(bench).await;
    item_42_two_step(bench).await;
    item_53_secrets_are_not_shown(bench).await;
    item_54_accounts_are_apart(bench).await;
    item_55_environments_are_apart(bench).await;
}

/// A payment of 2500 (forints, or of any currency), in half an hour, with a name of its own.
fn payment(amount: &str) -> StartPayment {
    use std::sync::atomic::{AtomicU32, Ordering};
    static COUNT: AtomicU32 = AtomicU32::new(1);
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a time");
    StartPayment {
        attempt: format!("{:x}-{:04}", since.as_nanos(), COUNT.fetch_add(1, Ordering::Relaxed)),
        amount: amount.parse().expect("an amount"),
        description: "Minta Étterem".to_owned(),
        buyer: Buyer {
            name: "Kiss Éva".to_owned(),
            email: "eva@example.com".to_owned(),
            phone: Some("+36301234567".to_owned()),
            country: "HU".to_owned(),
            postcode: "3300".to_owned(),
            city: "Eger".to_owned(),
            address: "Fő utca 1.".to_owned(),
        },
        language: PageLanguage::Hungarian,
        expires_at: SystemTime::now() + Duration::from_mins(30),
        return_url: "https://pult.test/back?order=1&shop=2".parse().expect("an address"),
        callback_url: "https://pult.test/callback".parse().expect("an address"),
        szep: false,
        hold: false,
    }
}

fn forints(bench: &dyn Bench) -> Merchant {
    bench.merchant("HUF").expect("an account in forints")
}

async fn seen_by(bench: &dyn Bench, merchant: &Merchant, attempt: &str, reference: &str) -> Snapshot {
    let asked = PaymentRef { attempt, reference: Some(reference) };
    let seen = bench.plug_in().status(merchant, asked).await.expect("a state").expect("a payment");
    assert_eq!((seen.attempt.as_str(), seen.reference.as_str()), (attempt, reference));
    assert_eq!(seen.currency, merchant.currency);
    assert!(!seen.provider_state.is_empty());
    let shown = seen.masked_card.iter().flat_map(|card| card.chars());
    assert!(shown.filter(char::is_ascii_digit).count() <= 10, "a card number is masked");
    seen
}

/// Starts a payment, and the guest does this.
async fn after(bench: &dyn Bench, merchant: &Merchant, payment: &StartPayment, act: Act) -> Snapshot {
    let started = bench.plug_in().start(merchant, payment).await.expect("a start");
    bench.act(&started, act).await;
    seen_by(bench, merchant, &payment.attempt, &started.reference).await
}

async fn again(bench: &dyn Bench, merchant: &Merchant, before: &Snapshot) -> Snapshot {
    seen_by(bench, merchant, &before.attempt, &before.reference).await
}

async fn paid(bench: &dyn Bench, amount: &str) -> Snapshot {
    let seen = after(bench, &forints(bench), &payment(amount), Act::Pay).await;
    assert_eq!((seen.state, seen.amount), (SeenState::Captured, amount.parse().expect("an amount")));
    assert_eq!((seen.refunded, seen.refunds.len()), (Decimal::ZERO, 0));
    seen
}

async fn refund(
    bench: &dyn Bench, before: &Snapshot, name: &str, amount: Decimal,
) -> Result<SeenRefund, CallError> {
    bench.plug_in().refund(&forints(bench), RefundOrder { refund: name, amount, before }).await
}

#[track_caller]
fn failed<T>(outcome: Result<T, CallError>, effect: Effect, fault: CallFault) -> CallError {
    let error = outcome.err().expect("a failure");
    assert_eq!((error.effect, error.fault), (effect, fault), "{error}");
    error
}

/// Pending, then captured, by every account.
pub async fn item_01_paid(bench: &dyn Bench) {
    let plug_in = bench.plug_in();
    for currency in plug_in.abilities().currencies {
        let Some(merchant) = bench.merchant(currency) else { continue };
        plug_in.check(&merchant).await.expect("a good account");
        let mut wanted = payment("2500");
        wanted.language = PageLanguage::English;
        let started = plug_in.start(&merchant, &wanted).await.expect("a start");
        let seen = seen_by(bench, &merchant, &wanted.attempt, &started.reference).await;
        assert_eq!((seen.state, seen.amount), (SeenState::Pending, 2500.into()));
        bench.act(&started, Act::Pay).await;
        let seen = seen_by(bench, &merchant, &wanted.attempt, &started.reference).await;
        assert_eq!((seen.state, seen.amount, seen.refunded), (SeenState::Captured, 2500.into(), 0.into()));
        assert_eq!(seen.decline_code, None);
    }
    assert_eq!(plug_in.abilities().szep, bench.szep().is_some());
    if let Some(merchant) = bench.szep() {
        let wanted = StartPayment { szep: true, ..payment("1990") };
        assert_eq!(after(bench, &merchant, &wanted, Act::Pay).await.state, SeenState::Captured);
    }
}

/// A refused card is a state, not an error.
pub async fn item_02_declined(bench: &dyn Bench) {
    let seen = after(bench, &forints(bench), &payment("2500"), Act::Decline).await;
    assert_eq!((seen.state, seen.refunded), (SeenState::Failed, 0.into()));
    failed(refund(bench, &seen, "r", 1.into()).await, Effect::None, CallFault::Invalid);
}

/// The guest gives up.
pub async fn item_03_the_guest_goes_back(bench: &dyn Bench) {
    let seen = after(bench, &forints(bench), &payment("2500"), Act::GoBack).await;
    assert_eq!((seen.state, seen.refunded), (SeenState::Cancelled, 0.into()));
}

/// The guest is too late.
pub async fn item_04_time_runs_out(bench: &dyn Bench) {
    let seen = after(bench, &forints(bench), &payment("2500"), Act::LetExpire).await;
    assert_eq!((seen.state, seen.refunded), (SeenState::Expired, 0.into()));
}

/// A refused connection means that nothing has happened.
pub async fn item_07_connection_refused(bench: &dyn Bench) {
    let (plug_in, merchant, wanted) = (bench.nowhere(), forints(bench), payment("2500"));
    let asked = PaymentRef { attempt: &wanted.attempt, reference: Some("7") };
    failed(plug_in.start(&merchant, &wanted).await, Effect::None, CallFault::Unreachable);
    failed(plug_in.status(&merchant, asked).await, Effect::None, CallFault::Unreachable);
    failed(plug_in.check(&merchant).await, Effect::None, CallFault::Unreachable);
    let before = paid(bench, "2500").await;
    let order = RefundOrder { refund: "r", amount: 1.into(), before: &before };
    failed(plug_in.refund(&merchant, order).await, Effect::None, CallFault::Unreachable);
    // The attempt may be started under its name after all.
    bench.plug_in().start(&merchant, &wanted).await.expect("a start");
}

/// Our name finds the payment where the provider can be asked by it; else no call is sent.
pub async fn item_08_answer_lost_after_the_work(bench: &dyn Bench) {
    let (plug_in, merchant, wanted) = (bench.plug_in(), forints(bench), payment("2500"));
    bench.calls();
    bench.next(Fault::CloseAfterWork);
    failed(plug_in.start(&merchant, &wanted).await, Effect::Unknown, CallFault::Unreachable);
    assert_eq!(bench.calls().len(), 1, "a start is not repeated");
    let asked = PaymentRef { attempt: &wanted.attempt, reference: None };
    match plug_in.status(&merchant, asked).await {
        Ok(seen) => {
            let seen = seen.expect("the payment is there");
            assert_eq!((seen.attempt, seen.state), (wanted.attempt.clone(), SeenState::Pending));
            let other = PaymentRef { attempt: &payment("1").attempt, reference: None };
            assert_eq!(plug_in.status(&merchant, other).await, Ok(None), "an unknown name is no error");
        }
        Err(error) => {
            assert_eq!((error.effect, error.fault), (Effect::None, CallFault::Invalid), "{error}");
            assert!(bench.calls().is_empty(), "a question without the id is not sent");
        }
    }
}

/// An unreadable answer leaves everything open. The plug-in repeats nothing.
pub async fn item_09_broken_answers(bench: &dyn Bench) {
    let (plug_in, merchant) = (bench.plug_in(), forints(bench));
    let known = after(bench, &merchant, &payment("2500"), Act::Pay).await;
    let asked = PaymentRef { attempt: &known.attempt, reference: Some(&known.reference) };
    let mut faults = vec![
        (Fault::Refuse, CallFault::Unreachable),
        (Fault::CloseAfterWork, CallFault::Unreachable),
        (Fault::Status(500), CallFault::Broken),
        (Fault::Status(503), CallFault::Broken),
        (Fault::Status(302), CallFault::Protocol),
        (Fault::CutBody, CallFault::Unreachable),
        (Fault::Garbage, CallFault::Protocol),
        (Fault::Endless, CallFault::Protocol),
    ];
    if plug_in.abilities().signs {
        faults.push((Fault::WrongSignature, CallFault::Protocol));
    }
    for (fault, says) in faults {
        bench.calls();
        bench.next(fault);
        failed(plug_in.start(&merchant, &payment("2500")).await, Effect::Unknown, says);
        bench.next(fault);
        failed(plug_in.status(&merchant, asked).await, Effect::Unknown, says);
        bench.next(fault);
        failed(refund(bench, &known, &format!("{fault:?}"), 1.into()).await, Effect::Unknown, says);
        assert_eq!(bench.calls().len(), 3, "{fault:?}: no call is repeated by the plug-in");
    }
}

/// Too many calls, and accounts that are refused.
pub async fn item_10_limits_and_credentials(bench: &dyn Bench) {
    let (plug_in, merchant) = (bench.plug_in(), forints(bench));
    bench.next(Fault::Status(429));
    let error =
        failed(plug_in.start(&merchant, &payment("2500")).await, Effect::None, CallFault::RateLimited);
    assert_eq!(error.retry_after, Some(7), "as the stand-in says");
    let wrong = Merchant { secret: Secret::new("another-secret"), ..merchant.clone() };
    for refused in [&wrong, &bench.unknown_merchant()] {
        failed(plug_in.check(refused).await, Effect::None, CallFault::Credentials);
        failed(plug_in.start(refused, &payment("2500")).await, Effect::None, CallFault::Credentials);
    }
    plug_in.check(&merchant).await.expect("a good account");
}

/// Exact digits of each currency; nothing is rounded.
pub async fn item_11_exact_digits(bench: &dyn Bench) {
    let plug_in = bench.plug_in();
    for (currency, amount, sent) in [
        ("HUF", "2500", Some("2500")),
        ("HUF", "2500.00", Some("2500")),
        ("HUF", "12.5", None),
        ("HUF", "0", None),
        ("HUF", "-5", None),
        ("EUR", "12.5", Some("12.50")),
        ("EUR", "0.1", Some("0.10")),
        ("EUR", "12.345", None),
        ("USD", "7", Some("7.00")),
        ("USD", "1234567.89", Some("1234567.89")),
    ] {
        let Some(merchant) = bench.merchant(currency) else { continue };
        bench.calls();
        let started = plug_in.start(&merchant, &payment(amount)).await;
        let Some(sent) = sent else {
            failed(started, Effect::None, CallFault::Invalid);
            assert!(bench.calls().is_empty(), "{amount} {currency} is refused before it is sent");
            continue;
        };
        started.expect("a start");
        // As a text with all decimals, or as a number without noughts at its end.
        let (wire, exact) = (bench.sent_amount(), sent.parse::<Decimal>().expect("an amount"));
        assert!(wire == sent || wire == exact.normalize().to_string(), "{amount} {currency}: {wire}");
    }
}

/// The amount of the provider counts, not ours.
pub async fn item_12_another_amount(bench: &dyn Bench) {
    let seen = paid(bench, "2500").await;
    bench.change_amount(&seen.reference, 2499.into());
    let seen = again(bench, &forints(bench), &seen).await;
    assert_eq!((seen.state, seen.amount), (SeenState::Captured, 2499.into()));
}

/// A word that is not documented is not guessed.
pub async fn item_13_unknown_state(bench: &dyn Bench) {
    let seen = paid(bench, "2500").await;
    bench.odd_state(&seen.reference);
    let odd = again(bench, &forints(bench), &seen).await;
    assert_eq!(odd.state, SeenState::Unknown);
    assert_ne!(odd.provider_state, seen.provider_state);
}

/// No call outlives the limit.
pub async fn item_14_slow_provider(bench: &dyn Bench) {
    let (plug_in, merchant) = (bench.plug_in(), forints(bench));
    for fault in [Fault::Slow, Fault::Endless] {
        bench.next(fault);
        let begun = Instant::now();
        let error = plug_in.start(&merchant, &payment("2500")).await.expect_err("a failed call");
        assert_eq!(error.effect, Effect::Unknown, "{fault:?}");
        assert!(begun.elapsed() < Duration::from_secs(5), "{fault:?} took {:?}", begun.elapsed());
    }
}

/// Messages: a signed one is believed and answered, an altered one is not; one that is not signed is a hint.
pub async fn item_18_bad_signatures(bench: &dyn Bench) {
    let (callback, merchant, now) = (bench.callback(), forints(bench), SystemTime::now());
    let seen = paid(bench, "2500").await;
    let message = bench.message(&seen.reference);
    let notice = bench.plug_in().read_message(&message).expect("a notice");
    assert!(notice.attempt.is_some() || notice.reference.is_some());
    assert!(notice.attempt.is_none_or(|attempt| attempt == seen.attempt));
    assert!(notice.reference.is_none_or(|reference| reference == seen.reference));
    assert!(notice.merchant.is_none_or(|name| name == merchant.name));
    assert_eq!(bench.plug_in().read_message(&RawMessage::default()), None);
    let proof = callback.proof(&merchant.secret, &message, now);
    assert!(bench.is_content(&message, &callback.answer(&merchant.secret, &message, now)));
    let hint = bench.plug_in().read_return(&merchant, &bench.return_query(&seen.reference)).expect("a hint");
    assert!(hint.attempt.is_some() || hint.reference.is_some());
    assert!(hint.reference.is_none_or(|reference| reference == seen.reference));
    if !bench.plug_in().abilities().signs {
        assert_eq!(proof, Ok(Proof::Hint));
        return;
    }
    assert_eq!(proof, Ok(Proof::Signed));
    let another = Secret::new("another-secret");
    assert!(callback.proof(&another, &message, now).is_err(), "another account's key");
    for at in 0..message.body.len() {
        let mut altered = message.clone();
        altered.body[at] ^= 1;
        assert!(callback.proof(&merchant.secret, &altered, now).is_err(), "byte {at}");
    }
    let mut bare = message.clone();
    bare.headers.clear();
    assert!(callback.proof(&merchant.secret, &bare, now).is_err(), "no signature");
    let mut twice = message.clone();
    twice.headers.extend(message.headers.clone());
    assert!(callback.proof(&merchant.secret, &twice, now).is_err(), "two signatures");
    let other = Merchant { secret: another, ..merchant };
    assert_eq!(bench.plug_in().read_return(&other, &bench.return_query(&seen.reference)), None);
}

/// All goes back.
pub async fn item_35_full_refund(bench: &dyn Bench) {
    let seen = paid(bench, "2500").await;
    let given = refund(bench, &seen, "r-35", 2500.into()).await.expect("a refund");
    assert_eq!((given.amount, given.succeeded), (2500.into(), true));
    let seen = again(bench, &forints(bench), &seen).await;
    assert_eq!((seen.state, seen.amount), (SeenState::Captured, 2500.into()));
    assert_eq!(seen.refunded, 2500.into());
    assert!(seen.refunds.iter().all(|one| one.succeeded && one.amount == 2500.into()));
}

/// Two parts to zero.
pub async fn item_36_two_partial_refunds(bench: &dyn Bench) {
    if !bench.plug_in().abilities().partial_refund {
        return;
    }
    let mut seen = paid(bench, "2500").await;
    for (name, amount, refunded) in [("r-36-1", 1000, 1000), ("r-36-2", 1500, 2500)] {
        let given = refund(bench, &seen, name, amount.into()).await.expect("a refund");
        assert_eq!(given.amount, amount.into());
        seen = again(bench, &forints(bench), &seen).await;
        assert_eq!((seen.state, seen.amount), (SeenState::Captured, 2500.into()));
        assert_eq!(seen.refunded, refunded.into());
        assert!(seen.refunds.is_empty() || seen.refunds.iter().any(|one| one.reference == given.reference));
    }
}

/// One forint too much is refused before it is sent.
pub async fn item_37_one_too_much_is_not_sent(bench: &dyn Bench) {
    let seen = paid(bench, "2500").await;
    bench.calls();
    for amount in ["2501", "0", "-1", "0.5"] {
        let amount = amount.parse().expect("an amount");
        failed(refund(bench, &seen, "r-37", amount).await, Effect::None, CallFault::Invalid);
    }
    assert!(bench.calls().is_empty());
    refund(bench, &seen, "r-37-1", 2500.into()).await.expect("a refund");
    let seen = again(bench, &forints(bench), &seen).await;
    bench.calls();
    failed(refund(bench, &seen, "r-37-2", 1.into()).await, Effect::None, CallFault::Invalid);
    assert!(bench.calls().is_empty());
}

/// The provider's totals tell that a refund is in them although its answer was lost.
pub async fn item_38_refund_answer_lost(bench: &dyn Bench) {
    let before = paid(bench, "2500").await;
    bench.calls();
    bench.next(Fault::CloseAfterWork);
    failed(refund(bench, &before, "r-38", 700.into()).await, Effect::Unknown, CallFault::Unreachable);
    assert_eq!(bench.calls().len(), 1, "a refund is not repeated");
    let seen = again(bench, &forints(bench), &before).await;
    assert_eq!(seen.refunded - before.refunded, 700.into());
    // The call never arrived: the totals are as before.
    bench.next(Fault::Refuse);
    failed(refund(bench, &seen, "r-38-2", 300.into()).await, Effect::Unknown, CallFault::Unreachable);
    assert_eq!(again(bench, &forints(bench), &before).await.refunded, 700.into());
}

/// Of two that are too much together one wins.
pub async fn item_39_two_refunds_at_once(bench: &dyn Bench) {
    let seen = paid(bench, "2500").await;
    let (one, two) =
        join(refund(bench, &seen, "r-39-1", 2000.into()), refund(bench, &seen, "r-39-2", 1900.into())).await;
    assert_eq!(usize::from(one.is_ok()) + usize::from(two.is_ok()), 1, "{one:?} {two:?}");
    let refunded = if one.is_ok() { 2000 } else { 1900 };
    let lost = one.err().or(two.err()).expect("a refusal");
    assert_eq!(lost.effect, Effect::None, "{lost}");
    assert_eq!(again(bench, &forints(bench), &seen).await.refunded, refunded.into());
}

/// A refund that the provider's rules forbid has no effect and a code.
pub async fn item_40_refund_refused(bench: &dyn Bench) {
    let seen = paid(bench, "2500").await;
    bench.refuse_next_refund();
    let error = refund(bench, &seen, "r-40", 100.into()).await.expect_err("a refusal");
    assert_eq!(error.effect, Effect::None, "{error}");
    assert!(matches!(error.fault, CallFault::Conflict | CallFault::Invalid), "{error}");
    assert!(error.code.is_some(), "staff see the provider's code");
    assert_eq!(again(bench, &forints(bench), &seen).await, seen);
}

/// A refund that bounces later is not in the sum any more.
pub async fn item_41_refund_bounces_later(bench: &dyn Bench) {
    let seen = paid(bench, "2500").await;
    let given = refund(bench, &seen, "r-41", 800.into()).await.expect("a refund");
    if !bench.bounce(&given.reference) {
        return;
    }
    let seen = again(bench, &forints(bench), &seen).await;
    assert_eq!((seen.state, seen.refunded), (SeenState::Captured, 0.into()));
    let row = seen.refunds.iter().find(|one| one.reference == given.reference);
    assert!(row.is_none_or(|row| !row.succeeded), "{row:?}");
}

/// Held money is taken, taken in part, released, or its hold ends.
pub async fn item_42_two_step(bench: &dyn Bench) {
    let (plug_in, merchant) = (bench.plug_in(), forints(bench));
    let wanted = || StartPayment { hold: true, ..payment("2500") };
    if !plug_in.abilities().two_step {
        bench.calls();
        failed(plug_in.start(&merchant, &wanted()).await, Effect::None, CallFault::Invalid);
        assert!(bench.calls().is_empty());
        return;
    }
    let held = async || {
        let seen = after(bench, &merchant, &wanted(), Act::Pay).await;
        assert_eq!((seen.state, seen.amount), (SeenState::Authorised, 2500.into()));
        assert_eq!(seen.refunded, 0.into());
        seen
    };
    for (taken, given) in [(2500, 2500), (1800, 800)] {
        let seen = held().await;
        bench.calls();
        failed(plug_in.capture(&merchant, &seen, 2501.into()).await, Effect::None, CallFault::Invalid);
        failed(plug_in.capture(&merchant, &seen, 0.into()).await, Effect::None, CallFault::Invalid);
        assert!(bench.calls().is_empty(), "a wrong capture is not sent");
        plug_in.capture(&merchant, &seen, taken.into()).await.expect("a capture");
        let seen = again(bench, &merchant, &seen).await;
        assert_eq!((seen.state, seen.amount), (SeenState::Captured, taken.into()));
        assert_eq!(seen.refunded, 0.into(), "the released part is no refund");
        refund(bench, &seen, &format!("r-42-{taken}"), given.into()).await.expect("a refund");
        let seen = again(bench, &merchant, &seen).await;
        assert_eq!((seen.amount, seen.refunded), (taken.into(), given.into()));
    }
    let seen = held().await;
    plug_in.release(&merchant, &seen).await.expect("a release");
    assert_eq!(again(bench, &merchant, &seen).await.state, SeenState::Cancelled);
    let error = plug_in.capture(&merchant, &seen, 2500.into()).await.expect_err("it is released");
    assert_eq!(error.effect, Effect::None, "{error}");
    let lost = held().await;
    bench.next(Fault::CloseAfterWork);
    failed(plug_in.capture(&merchant, &lost, 2500.into()).await, Effect::Unknown, CallFault::Unreachable);
    assert_eq!(again(bench, &merchant, &lost).await.state, SeenState::Captured);
    let seen = held().await;
    if bench.end_hold(&seen.reference) {
        let state = again(bench, &merchant, &seen).await.state;
        assert!(matches!(state, SeenState::Cancelled | SeenState::Expired), "{state:?}");
    }
}

/// No printed text has the secret.
pub async fn item_53_secrets_are_not_shown(bench: &dyn Bench) {
    let merchant = forints(bench);
    let secret = merchant.secret.reveal().trim().to_owned();
    let mut printed = format!("{merchant:?}");
    for fault in [Fault::Refuse, Fault::Garbage, Fault::Status(401), Fault::Status(500)] {
        bench.next(fault);
        let error = bench.plug_in().check(&merchant).await.expect_err("a failure");
        printed += &format!("{error} {error:?}");
    }
    let error = bench.nowhere().check(&merchant).await.expect_err("a failure");
    printed += &format!("{error} {error:?}");
    assert!(!printed.contains(&secret), "{printed}");
}

/// The account of one payment says nothing about another's.
pub async fn item_54_accounts_are_apart(bench: &dyn Bench) {
    let seen = paid(bench, "2500").await;
    let Some(other) =
        bench.plug_in().abilities().currencies.iter().skip(1).find_map(|one| bench.merchant(one))
    else {
        return;
    };
    let asked = PaymentRef { attempt: &seen.attempt, reference: Some(&seen.reference) };
    let outcome = bench.plug_in().status(&other, asked).await;
    assert!(matches!(outcome, Ok(None) | Err(_)), "{outcome:?}");
    let mixed = Merchant { secret: other.secret, ..forints(bench) };
    if bench.plug_in().abilities().signs {
        failed(bench.plug_in().check(&mixed).await, Effect::None, CallFault::Credentials);
    }
}

/// An account of the other environment is refused, and nothing begins.
pub async fn item_55_environments_are_apart(bench: &dyn Bench) {
    let (plug_in, foreign) = (bench.plug_in(), bench.unknown_merchant());
    failed(plug_in.start(&foreign, &payment("2500")).await, Effect::None, CallFault::Credentials);
    failed(plug_in.check(&foreign).await, Effect::None, CallFault::Credentials);
}
