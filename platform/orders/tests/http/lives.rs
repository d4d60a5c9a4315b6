//! Random lives of orders: paid in parts, brought elsewhere, changed by partial stornos, given back, over two instances at once. Whatever
//! the way, the ledger is what guests paid, and at the end of a full storno nothing is left but tips that nobody named.
//! `PULT_LIVES` sets how many lives there are, `PULT_LIVES_SEED` repeats a run.

use futures_util::future::{join, join_all};
use serde_json::{Value, json};
use testkit::{Answer, Client};

use super::{
    changing::change, destinations::regions, payments::Till, pickup, promotion, promotions::with_pin, text,
    with,
};

/// A generator whose numbers a seed repeats.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// An amount in hundredths, exact for both currencies.
fn cents(value: &Value) -> i64 {
    let text = value.to_string();
    let (sign, text) = text.strip_prefix('-').map_or((1, text.as_str()), |text| (-1, text));
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let part = format!("{part:0<2}");
    sign * (whole.parse::<i64>().unwrap() * 100 + part.parse::<i64>().unwrap())
}

fn money(cents: i64, currency: &str) -> Value {
    if currency == "huf" { json!(cents / 100) } else { json!(format!("{}.{:02}", cents / 100, cents % 100)) }
}

struct Life<'a> {
    /// The same admin on two instances.
    hands: [Client<'a>; 2],
    id: String,
    currency: &'static str,
    pin: &'static str,
    random: Random,
}

impl Life<'_> {
    fn hand(&mut self) -> Client<'_> {
        self.hands[usize::try_from(self.random.below(2)).unwrap()].clone()
    }

    async fn read(&mut self) -> Value {
        let path = format!("/orders/{}", self.id);
        self.hand().get(&path).send().await.assert(200).json()
    }

    async fn post(&mut self, path: &str, body: Value) -> Answer {
        self.hand().post(path).json(body).send().await
    }

    /// Pays some of what is due, or all, by one method; sometimes twice at once, of which one may be refused.
    async fn pay(&mut self) {
        let due = cents(&self.read().await["due"]);
        if due <= 0 {
            return;
        }
        let unit = if self.currency == "huf" { 100 } else { 1 };
        let part = (i64::try_from(self.random.below(u64::try_from(due / unit).unwrap())).unwrap() + 1) * unit;
        let method = ["cash", "card", "voucher", "balance"][usize::try_from(self.random.below(4)).unwrap()];
        let mut body = json!({"payment_method": method, "amount": money(part, self.currency)});
        if method == "card" && self.random.below(2) == 0 {
            body["tip"] = money(300 * unit, self.currency);
        }
        let path = format!("/orders/{}/payments", self.id);
        if self.random.below(4) == 0 {
            let [one, two] = &self.hands;
            let both =
                join(one.post(&path).json(body.clone()).send(), two.post(&path).json(body).send()).await;
            for answer in [both.0, both.1] {
                assert!(matches!(answer.status, 201 | 409), "{}", answer.text());
            }
        } else {
            self.post(&path, body).await.assert(201);
        }
    }

    /// Takes pieces back.
    async fn storno(&mut self) {
        let order = self.read().await;
        let left: Vec<(String, i64)> = order["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| {
                let left = item["quantity"].as_i64().unwrap() - item["reversed_quantity"].as_i64().unwrap();
                (text(&item["id"]), left)
            })
            .filter(|(_, left)| *left > 0)
            .collect();
        if left.is_empty() || order["archived_at"] != Value::Null {
            return;
        }
        let (id, most) = &left[usize::try_from(self.random.below(left.len() as u64)).unwrap()];
        let quantity = self.random.below(u64::try_from(*most).unwrap()) + 1;
        let path = format!("/orders/{}/stornos", self.id);
        self.post(&path, json!({"items": [{"order_item_id": id, "quantity": quantity}]})).await.assert(201);
    }

    /// Has it fetched, or brought to a street that is near or far.
    async fn change(&mut self) {
        let body = match self.random.below(3) {
            0 => json!({"pickup": true}),
            which => {
                let street = ["Fő utca", "Hosszú út"][usize::from(which == 2)];
                json!({"pickup": false, "override_reason": "kéri",
                    "delivery_data": {"postcode": "9021", "city": "Győr", "street": street, "premise_number": "3"}})
            }
        };
        let (id, pin) = (self.id.clone(), self.pin);
        let answer = change(&self.hand(), &id, pin, body).await;
        assert!(matches!(answer.status, 200 | 409), "{}", answer.text());
        if answer.status == 200 {
            let order = answer.json();
            let sum = |rows: &str, field: &str| {
                order[rows].as_array().unwrap().iter().map(|row| cents(&row[field])).sum::<i64>()
            };
            assert_eq!(sum("lines", "amount"), cents(&order["total_price"]), "{order}");
            let net = sum("items", "net_price") + cents(&order["delivery_net_price"]);
            assert_eq!(sum("vats", "net"), net, "{order}");
        }
    }

    /// Gives something of a payment back, and says that what was asked is done.
    async fn refund(&mut self) {
        let order = self.read().await;
        for refund in order["refunds"].as_array().unwrap().iter().filter(|one| one["state"] == "created") {
            let done = self.random.below(5) > 0;
            let body =
                if done { json!({"done": true}) } else { json!({"done": false, "reason": "nem vette át"}) };
            self.post(&format!("/refunds/{}/confirm", text(&refund["id"])), body).await.assert(200);
        }
        let payments: Vec<String> = order["payable_transactions"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|row| row["refunds_id"] == Value::Null)
            .map(|row| text(&row["attempt_id"]))
            .collect();
        if payments.is_empty() || self.random.below(3) > 0 {
            return;
        }
        let payment = &payments[usize::try_from(self.random.below(payments.len() as u64)).unwrap()];
        let answer = self.post(&format!("/payments/{payment}/refunds"), json!({})).await;
        assert!(matches!(answer.status, 201 | 409), "{}", answer.text());
    }

    /// The rows of the ledger, and what is due, agree in every moment.
    async fn check(&mut self) -> Value {
        let order = self.read().await;
        let rows = order["payable_transactions"].as_array().unwrap().iter();
        let moved = rows.filter(|row| row["status"] == "succeeded");
        let paid: i64 = moved.map(|row| cents(&row["value"])).sum();
        assert_eq!(paid, cents(&order["paid"]), "{order}");
        let owed = if order["archived_at"] == Value::Null {
            cents(&order["total_price"]) + cents(&order["reversed_price"])
        } else {
            0
        };
        assert_eq!(owed - paid, cents(&order["due"]), "{order}");
        assert!(paid >= 0 && owed >= 0, "{order}");
        order
    }

    /// Cancels what is left, and gives back what is asked until nothing is.
    async fn end(&mut self) {
        if self.random.below(2) == 0 {
            // Bit by bit.
            while self.read().await["archived_at"] == Value::Null {
                self.storno().await;
            }
        } else if self.read().await["archived_at"] == Value::Null {
            let path = format!("/orders/{}/archive", self.id);
            self.hand().put(&path).json(json!({"reason": "guest_request"})).send().await.assert(200);
        }
        let order = self.check().await;
        for refund in order["refunds"].as_array().unwrap().iter().filter(|one| one["state"] == "created") {
            let path = format!("/refunds/{}/confirm", text(&refund["id"]));
            self.post(&path, json!({"done": true})).await.assert(200);
        }
        // What could not be given back was said so: somebody does it now.
        let order = self.check().await;
        for row in order["payable_transactions"].as_array().unwrap() {
            if row["refunds_id"] == Value::Null {
                let path = format!("/payments/{}/refunds", text(&row["attempt_id"]));
                let answer = self.post(&path, json!({})).await;
                assert!(matches!(answer.status, 201 | 409), "{}", answer.text());
            }
        }
        let order = self.check().await;
        assert_eq!((cents(&order["paid"]), cents(&order["due"])), (0, 0), "{order}");
        let rows = order["payable_transactions"].as_array().unwrap();
        let of = |key: &str, field: &str| -> i64 {
            let rows = rows.iter().filter(|row| row["payment_key"] == key);
            rows.map(|row| cents(&row[field])).sum()
        };
        // Cash was handed out as it came in.
        assert_eq!(of("cash", "rounding"), 0, "{order}");
        self.vats(&order).await;
    }

    /// By rate, what the order and its partial stornos have is nothing, once they took all of it.
    async fn vats(&mut self, order: &Value) {
        let whole = order["items"].as_array().unwrap().iter();
        let reversed = whole.clone().all(|item| item["quantity"] == item["reversed_quantity"]);
        if !reversed {
            return;
        }
        let mut sums = std::collections::BTreeMap::<String, [i64; 3]>::new();
        let mut all = vec![order.clone()];
        for storno in order["stornos"].as_array().unwrap() {
            let path = format!("/orders/{}", text(&storno["id"]));
            all.push(self.hand().get(&path).send().await.assert(200).json());
        }
        for vat in all.iter().flat_map(|one| one["vats"].as_array().unwrap()) {
            let sum = sums.entry(vat["percent"].to_string()).or_default();
            for (sum, name) in sum.iter_mut().zip(["net", "vat", "gross"]) {
                *sum += cents(&vat[name]);
            }
        }
        assert!(sums.values().all(|sum| *sum == [0; 3]), "{sums:?} {order}");
    }

    async fn live(mut self) {
        let accepted = self.random.below(2) == 0;
        for step in 0..3 + self.random.below(4) {
            if accepted && step == 1 {
                let path = format!("/orders/{}/accept", self.id);
                let answer = self.hand().put(&path).json(json!({})).send().await;
                assert!(matches!(answer.status, 200 | 409), "{}", answer.text());
            }
            match self.random.below(6) {
                0 | 1 => self.pay().await,
                2 => self.storno().await,
                3 => self.refund().await,
                4 => self.change().await,
                _ => {
                    self.pay().await;
                    self.storno().await;
                }
            }
            self.check().await;
        }
        self.end().await;
    }
}

async fn lives(currency: &'static str, number: u64, seed: u64) {
    let till = Till::open().await;
    if currency == "eur" {
        let sql = format!("update {}.restaurant set currency = 'eur' where id = $1", till.place.schema);
        till.place.kit.run(&sql, vec![till.place.restaurant.into()]).await;
        // Balances of a group are kept in one currency.
        till.place.own_group().await;
    }
    promotion(&till.admin, json!({"ranges": [{"discount_value": 33, "apply_on_options": true}]})).await;
    regions(&till.place, &till.admin, "street_based").await;
    let pin = if currency == "huf" { "470098" } else { "470099" };
    with_pin(&till.place, &["admin_login", "pos_modify_order"], pin, Value::Null).await;
    let second = till.place.kit.second_instance().await;
    let mut random = Random(seed);
    for round in 0..number.div_ceil(4) {
        let mut some = Vec::new();
        for one in 0..4 {
            let lines = json!([
                {"subproduct_id": till.menu.soup, "quantity": random.below(4) + 1},
                {"subproduct_id": till.menu.pizza, "quantity": random.below(3) + 1,
                    "item_options": [{"option_id": till.menu.cheese}]},
            ]);
            let phone = format!("+36 30 7{:02} {:04}", round % 100, one * 1000 + random.below(999));
            let body = with(with(pickup(&till.menu), "items", lines), "phone_1", json!(phone));
            let id = till.another(with(body, "tip", money(13_700, currency))).await;
            let hands = [till.admin.clone(), till.admin.at(&second)];
            some.push(Life { hands, id, currency, pin, random: Random(seed ^ (round * 4 + one + 1)) });
        }
        join_all(some.into_iter().map(Life::live)).await;
    }
    // What the drawer says of all of them is what the ledger says.
    let drawer = till.admin.get("/drawer").send().await.assert(200).json();
    let lines = drawer["lines"].as_array().unwrap().iter();
    let lines = lines.map(|line| (text(&line["payment_key"]), cents(&line["expected"])));
    for (key, expected) in lines.filter(|(key, _)| key != "card") {
        assert_eq!(expected, 0, "{key}: {drawer}");
    }
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[testkit::test]
async fn whatever_happens_to_an_order_its_money_adds_up() {
    let seed = setting("PULT_LIVES_SEED", u64::from(std::process::id()) + 1);
    eprintln!("PULT_LIVES_SEED={seed}");
    let number = setting("PULT_LIVES", 16);
    join(lives("huf", number, seed), lives("eur", number / 3, seed ^ 77)).await;
}
