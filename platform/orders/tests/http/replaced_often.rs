//! Many orders whose items are changed, some by two people at once or cut off in the middle: uses, pieces, points and
//! money are those of the new orders alone. `PULT_REPLACED` sets how many there are (500 at
//! night), `PULT_REPLACED_SEED` repeats a run.

use std::time::Duration;

use futures_util::future::{join, join_all};
use serde_json::{Value, json};
use testkit::{Client, Place};
use uuid::Uuid;

use super::{coupon, lives::Random, payments::Till, pickup, promotion, promotions::with_pin, text, with};

const PIN: &str = "470081";

/// What one order goes through.
struct Life<'a> {
    till: &'a Till<'static>,
    hands: &'a [Client<'a>; 2],
    random: Random,
    /// The customer who has points.
    customer: Option<Value>,
}

impl Life<'_> {
    fn items(&mut self) -> Value {
        let menu = &self.till.menu;
        let sizes = [&menu.soup, &menu.pizza, &menu.large_pizza];
        let lines = (0..=self.random.below(2)).map(|_| {
            let size = sizes[usize::try_from(self.random.below(3)).unwrap()];
            json!({"subproduct_id": size, "quantity": self.random.below(3) + 1})
        });
        lines.collect()
    }

    async fn placed(&mut self) -> Option<String> {
        let mut body = with(pickup(&self.till.menu), "items", self.items());
        body["phone_1"] = json!(phone(&self.till.place, self.random.below(20)));
        if let Some(customer) = &self.customer {
            body["customer_id"] = customer.clone();
        }
        if self.random.below(4) == 0 {
            body["coupon_code"] = json!("KEVÉS");
        }
        let answer =
            self.till.key.post("/public/orders").key(&Uuid::now_v7().to_string()).json(body).send().await;
        (answer.status == 201).then(|| text(&answer.json()["id"]))
    }

    async fn pay(&mut self, id: &str) {
        let method =
            ["cash", "card", "voucher", "points", "balance"][usize::try_from(self.random.below(5)).unwrap()];
        let mut body = json!({"payment_method": method});
        if self.random.below(2) == 0 {
            body["parts"] = json!(2);
        }
        if method == "card" {
            body["tip"] = json!(150);
        }
        let answer = self.hands[0].post(&format!("/orders/{id}/payments")).json(body).send().await;
        assert!(matches!(answer.status, 201 | 409 | 422), "{}", answer.text());
    }

    /// Changes the items; perhaps two do it at once, or one hangs up in the middle. Answers what the order is by then.
    async fn replace(&mut self, id: String) -> String {
        let path = format!("/orders/{id}/replacement");
        let body = json!({"items": self.items()});
        let send = async |hand: &Client<'_>, body: &Value| {
            hand.post(&path)
                .header("x-pin", PIN)
                .key(&Uuid::now_v7().to_string())
                .json(body.clone())
                .send()
                .await
        };
        match self.random.below(4) {
            0 => {
                let other = json!({"items": self.items()});
                let (one, two) = join(send(&self.hands[0], &body), send(&self.hands[1], &other)).await;
                assert!(one.status == 409 || two.status == 409, "{} {}", one.text(), two.text());
                let made = [one, two].into_iter().find(|answer| answer.status == 201);
                return made.map_or(id, |answer| text(&answer.json()["id"]));
            }
            1 => {
                // The transaction goes with whoever asked for it.
                let patience = Duration::from_millis(self.random.below(40));
                drop(tokio::time::timeout(patience, send(&self.hands[1], &body)).await);
            }
            _ => {
                let answer = send(&self.hands[0], &body).await;
                assert!(matches!(answer.status, 201 | 409), "{}", answer.text());
                return if answer.status == 201 { text(&answer.json()["id"]) } else { id };
            }
        }
        // What was cut off is done, or is not.
        let read = self.hands[0].get(&format!("/orders/{id}")).send().await.assert(200).json();
        read["replaced_by_id"].as_str().map_or(id, str::to_owned)
    }

    async fn live(mut self) {
        let Some(mut id) = self.placed().await else { return };
        if self.random.below(2) == 0 {
            self.hands[0].put(&format!("/orders/{id}/accept")).json(json!({})).send().await.assert(200);
        }
        for _ in 0..self.random.below(2) {
            self.pay(&id).await;
        }
        for _ in 0..=self.random.below(4) / 3 {
            id = self.replace(id).await;
        }
        if self.random.below(3) == 0 {
            self.pay(&id).await;
        }
    }
}

/// A number that no guest of another restaurant has.
fn phone(place: &Place<'_>, guest: u64) -> String {
    let random = place.restaurant.uuid().as_u128() % 100_000;
    format!("+36 20 {random:05}{guest:02}")
}

/// What does not add up, in words, with the rows at fault. `{s}` is the schema; of its tables only the rows of the
/// restaurant are read (see [`OWN`]), for other tests have theirs beside them.
const FAULTS: &[(&str, &str)] = &[
    (
        "an order that was replaced is archived, and replaced once",
        "select o.id::text from {s}.orders o where o.replaced_by_id is not null and (o.archived_at is null \
            or not exists (select from {s}.orders n where n.id = o.replaced_by_id and n.replaces_id = o.id))",
    ),
    (
        "nothing is left of its money",
        "select o.id::text from {s}.orders o join {s}.payable_transaction t on t.order_id = o.id \
            where o.replaced_by_id is not null group by o.id \
            having sum(t.value) <> 0 or sum(t.tip) <> 0 or sum(t.rounding) <> 0",
    ),
    (
        "nothing of it is asked back",
        "select f.id::text from {s}.payment_refund f join {s}.orders o on o.id = f.order_id \
            where o.replaced_by_id is not null and f.state = 'created'",
    ),
    (
        "money that moved came where it went",
        "select n.id::text from {s}.orders n where n.replaces_id is not null and \
            (select coalesce(sum(t.value + t.tip + t.rounding), 0) from {s}.payable_transaction t \
                where t.order_id = n.replaces_id and t.moved and t.refunds_id is not null) <> \
            -(select coalesce(sum(t.value + t.tip + t.rounding), 0) from {s}.payable_transaction t \
                where t.order_id = n.id and t.moved and t.refunds_id is null)",
    ),
    (
        "what was paid too much is asked back",
        "select o.id::text from {s}.orders o where o.archived_at is null and \
            greatest((select coalesce(sum(t.value), 0) from {s}.payable_transaction t where t.order_id = o.id) \
                - o.total_price, 0) <> \
            (select coalesce(sum(f.amount), 0) from {s}.payment_refund f where f.order_id = o.id and f.state = 'created')",
    ),
    (
        "attempts lie with the order that has their money",
        "select a.id::text from {s}.payment_attempt a join {s}.orders o on o.id = a.order_id \
            where o.replaced_by_id is not null and a.payment_key not in ('balance', 'points') and a.captured > a.refunded",
    ),
    (
        "uses are those of living orders",
        "select u.order_id::text from {s}.promotion_use u join {s}.orders o on o.id = u.order_id \
            where (u.given_back_at is null) <> (o.archived_at is null)",
    ),
    (
        "an order costs less by what it has used",
        "select o.id::text from {s}.orders o where o.archived_at is null and o.discount_price <> \
            (select coalesce(sum(u.amount), 0) from {s}.promotion_use u where u.order_id = o.id and u.given_back_at is null)",
    ),
    (
        "counters count uses",
        "select c.discount_id::text from {s}.discount_counter c where c.business_day = '-infinity' \
            and c.customer_id = '00000000-0000-0000-0000-000000000000' \
            and exists (select from {s}.promotion_use x where x.discount_id = c.discount_id) and c.qty <> (select count(*) \
            from {s}.promotion_use u where u.discount_id = c.discount_id and u.given_back_at is null)",
    ),
    (
        "no limit is passed",
        "select d.id::text from {s}.discount d where d.all_max_use_qty < (select count(*) from {s}.promotion_use u \
            where u.discount_id = d.id and u.given_back_at is null)",
    ),
    (
        "pieces are those of living orders",
        "select s.id::text from {s}.subproduct s where s.sellable_quantity is not null and 1000 - s.sellable_quantity <> \
            (select coalesce(sum(i.quantity), 0) from {s}.order_item i join {s}.orders o on o.id = i.order_id \
                where i.subproduct_id = s.id and o.archived_at is null)",
    ),
    (
        "balances are what living orders were paid",
        "select a.shadow_customer_id::text from {s}.shadow_customer_account a where a.balance <> \
            (select coalesce(-sum(t.value), 0) from {s}.payable_transaction t join {s}.orders o on o.id = t.order_id \
                where t.payment_key = 'balance' and o.archived_at is null and o.customer_id = a.shadow_customer_id)",
    ),
    (
        "points are those that were entered, and what living orders have earned and were paid",
        "select a.shadow_customer_id::text from {s}.shadow_customer_account a where a.points <> \
            (select coalesce(sum(p.value) filter (where p.type = 'entered'), 0) from {s}.shadow_customer_point p \
                where p.shadow_customer_id = a.shadow_customer_id) + \
            (select coalesce(sum(case when o.closed_at is not null and o.points_earned > 0 \
                    then floor((o.products_price - p.paid) * o.point_cash_ratio / 100) else 0 end - p.paid), 0) \
                from {s}.orders o, lateral (select coalesce(sum(t.value), 0) paid from {s}.payable_transaction t \
                    where t.order_id = o.id and t.payment_key = 'points') p \
                where o.archived_at is null and o.customer_id = a.shadow_customer_id)",
    ),
    (
        "figures of customers are those of living orders",
        "select c.shadow_customer_id::text from {s}.shadow_customer_restaurant c where \
            (c.order_number, c.order_total_sum) <> (select count(*), coalesce(sum(o.total_price), 0) from {s}.orders o \
                where o.customer_id = c.shadow_customer_id and o.archived_at is null)",
    ),
    (
        "numbers have no gaps",
        "select r.restaurant_id::text from {s}.order_numbering r where r.order_number <> (select count(*) \
            from {s}.orders o where o.restaurant_id = r.restaurant_id and o.counter is not null)",
    ),
    (
        "each piece of a new order stayed or came",
        "select k.old_item_id::text from {s}.order_item_kept k join {s}.order_item i on i.id = k.old_item_id \
            group by k.old_item_id, i.quantity having sum(k.quantity) > i.quantity",
    ),
];

/// The tables with rows of several restaurants, each with the condition that leaves those of one.
const OWN: [(&str, &str); 6] = [
    ("orders", "restaurant_id = {r}"),
    ("promotion_use", "restaurant_id = {r}"),
    ("subproduct", "restaurant_id = {r}"),
    ("shadow_customer_restaurant", "restaurant_id = {r}"),
    ("order_numbering", "restaurant_id = {r}"),
    (
        "shadow_customer_account",
        "shadow_customer_id in (select x.customer_id from {t}.orders x where x.restaurant_id = {r} \
            and x.phone_1 like '+36 20 %')",
    ),
];

#[testkit::test]
async fn replacing_an_order_counts_once() {
    let set = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (orders, seed) =
        (set("PULT_REPLACED").unwrap_or(60), set("PULT_REPLACED_SEED").unwrap_or_else(rand_seed));
    println!("{orders} orders, PULT_REPLACED_SEED={seed}");
    let till = Till::open().await;
    till.archive().await;
    with_pin(&till.place, &["admin_login", "pos_modify_order"], PIN, Value::Null).await;
    let ratio = format!("update {}.restaurant set point_cash_ratio = 10 where id = $1", till.place.schema);
    till.place.kit.run(&ratio, vec![till.place.restaurant.into()]).await;
    let boss = with_pin(&till.place, &["admin_login", "customer"], "470082", Value::Null).await;
    let guest = with(pickup(&till.menu), "phone_1", json!(phone(&till.place, 99)));
    let first = super::order(&till.key, guest).await.assert(201).json();
    till.admin
        .put(&format!("/orders/{}/archive", text(&first["id"])))
        .json(json!({}))
        .send()
        .await
        .assert(200);
    let loyal = first["customer_id"].clone();
    let points = format!("/shadow-customers/{}/points", text(&loyal));
    let many = json!({"value": 1_000_000, "comment": "ajándék"});
    boss.post(&points).header("x-pin", "470082").key("points").json(many).send().await.assert(201);
    promotion(&till.admin, json!({"all_max_use_qty": orders / 2, "name": "Az elsőknek"})).await;
    promotion(&till.admin, json!({"customer_max_use_qty": 4, "ranges": [{"discount_value": 5}]})).await;
    coupon(&till.admin, "KEVÉS", json!({"all_max_use_qty": 20, "platforms": ["browser", "phone"]})).await;
    let sql = format!(
        "update {}.subproduct set sellable_quantity = 1000 where restaurant_id = $1",
        till.place.schema
    );
    till.place.kit.run(&sql, vec![till.place.restaurant.into()]).await;
    let other = till.place.kit.second_instance().await;
    let hands = [till.admin.clone(), till.admin.at(&other)];
    let limits = json!({"max_waiting_per_phone": 1000, "max_waiting_per_guest": 1000});
    till.admin.put("/system").json(limits).send().await.assert(200);
    let mut seeds = Random(seed | 1);
    let begun = std::time::Instant::now();
    for some in (0..orders).collect::<Vec<_>>().chunks(8) {
        let lives = some.iter().map(|number| {
            let random = Random(seeds.below(u64::MAX) | 1);
            let customer = (number % 2 == 0).then(|| loyal.clone());
            Life { till: &till, hands: &hands, random, customer }.live()
        });
        join_all(lives).await;
    }
    println!("{} ms each", begun.elapsed().as_millis() / u128::from(orders));
    // What was cut off may be under way still.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let count = |sql: &str| {
        let own = OWN.iter().fold(sql.to_owned(), |sql, (table, rows)| {
            sql.replace(&format!("{{s}}.{table} "), &format!("(select * from {{t}}.{table} where {rows}) "))
        });
        let sql = own.replace("{s}", &till.place.schema).replace("{t}", &till.place.schema);
        let sql = sql.replace("{r}", &format!("'{}'", till.place.restaurant));
        let kit = till.place.kit;
        async move { kit.texts(&sql).await }
    };
    let changed = count("select o.id::text from {s}.orders o where o.replaces_id is not null").await.len();
    assert!(u64::try_from(changed).unwrap() > orders / 2, "only {changed} of {orders} were changed");
    let mut found = Vec::new();
    for (what, sql) in FAULTS {
        let rows = count(sql).await;
        if !rows.is_empty() {
            found.push(format!("not so: {what} ({} rows, {})", rows.len(), rows[0]));
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

fn rand_seed() -> u64 {
    u64::from(std::process::id()) * 7919 + 1
}
