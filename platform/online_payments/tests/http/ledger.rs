//! Many conversations with a provider, with faults of the line: our ledger equals its books.

use poem::http::Method;
use serde_json::json;

use super::Shop;

/// Chance that a seed repeats.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

impl Shop {
    /// Some things that happen to an order that is paid online, in some order, with faults of the line.
    async fn conversation(&self, dice: &mut Dice) {
        let (id, path) = self.ordered().await;
        for _ in 0..3 + dice.roll(5) {
            let last = self.payments(&id).await[0]["id"].as_str().map(str::to_owned);
            let last = last.unwrap_or_default();
            let company = &self.bench.simplepay;
            match dice.roll(9) {
                0 | 1 => {
                    if let Some(fault) =
                        [None, Some(sandbox::Fault::CloseAfterWork), Some(sandbox::Fault::Status(500))]
                            [usize::try_from(dice.roll(3)).unwrap()]
                    {
                        company.next(fault);
                    }
                    self.open_page(Method::POST, &path).await;
                    company.forget_faults();
                }
                2 | 3 => drop(company.pay(&last)),
                4 => drop(company.decline(&last, 2013)),
                5 => drop(company.go_back(&last)),
                6 => drop(company.refund_by_hand(&last, 10_000 * i64::try_from(1 + dice.roll(9)).unwrap())),
                7 => {
                    let archive = json!({"reason": "guest_request"});
                    self.admin.put(&format!("/orders/{id}/archive")).json(archive).send().await;
                }
                _ => self.ask(&path).await,
            }
        }
    }

    /// Lets every question and refund come, by two instances at once, until nothing is open.
    async fn settle(&self) {
        // Faults that were left over have stopped the calls for a while.
        let open = format!(
            "select count(*) open from {}.payment_attempt where state in ('created', 'pending', 'unknown')",
            self.place.schema
        );
        for round in 0..60 {
            let row = self.place.kit.row(&open, vec![]).await;
            if round > 6 && row.try_get::<i64>("", "open").unwrap() == 0 {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(500)).await;
            let later =
                "update control.job set run_at = now(), attempts = 0 where kind like 'online_payment%'";
            self.place.kit.run(later, vec![]).await;
            let schema = &self.place.schema;
            self.place.kit.run(&format!("update {schema}.payment_attempt set asked_at = null, claimed_at = claimed_at - interval '1 minute'"), vec![]).await;
            self.place
                .kit
                .run(
                    &format!("update {schema}.payment_refund set sent_at = sent_at - interval '5 minutes'"),
                    vec![],
                )
                .await;
            futures_util::future::join(self.run_jobs(), self.run_jobs()).await;
        }
    }

    /// Every payment at SimplePay stands here as there, and none is unknown.
    pub async fn assert_books(&self, what: &str) {
        let sql = format!(
            "select state, captured::bigint captured, refunded::bigint refunded, \
             (select coalesce(sum(t.value), 0)::bigint from {0}.payable_transaction t where t.attempt_id = a.id) kept \
             from {0}.payment_attempt a where id = $1::uuid",
            self.place.schema
        );
        for book in self.bench.simplepay.books() {
            let row = self.place.kit.row(&sql, vec![book.order_ref.clone().into()]).await;
            let number = |name: &str| row.try_get::<i64>("", name).unwrap();
            let ours = (number("captured"), number("refunded"), number("kept"));
            let state: String = row.try_get("", "state").unwrap();
            assert_eq!(ours, (book.taken, book.back, book.taken - book.back), "{what}: {state} {book:?}");
            let said = self.admin.get(&format!("/payments/{}", book.order_ref)).send().await.json();
            assert_ne!(state, "unknown", "{what}: {said}");
        }
    }
}

#[testkit::test]
async fn ledger_equals_the_providers_books() {
    let number = std::env::var("PULT_CONVERSATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(50);
    let seed = u64::from(uuid::Uuid::now_v7().as_fields().1) ^ 0x5eed;
    let shop = Shop::open("simplepay").await;
    let mut dice = Dice(seed);
    for _ in 0..number {
        shop.conversation(&mut dice).await;
    }
    // What no guest ends, time does.
    shop.bench.simplepay.wait(3_600);
    shop.settle().await;
    shop.assert_books(&format!("seed {seed}")).await;
    let schema = &shop.place.schema;
    let twice = format!(
        "select o.id::text from {schema}.orders o where (select coalesce(sum(t.value), 0) from {schema}.payable_transaction t \
         where t.order_id = o.id) > o.total_price"
    );
    assert_eq!(
        shop.place.kit.texts(&twice).await,
        Vec::<String>::new(),
        "seed {seed}: paid once or given back"
    );
}
