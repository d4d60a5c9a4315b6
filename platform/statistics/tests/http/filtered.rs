//! Exports of what a filter of previous orders finds.

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use serde_json::{Value, json};
use testkit::{Answer, Client, Place, kit};

use super::exports::{link, own_address, with_pin};

const VAT_5: &str = "00000000-0000-7000-8000-000000000105";
const PIN: &str = "470077";

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn number(value: &Value) -> f64 {
    value.to_string().parse().unwrap()
}

/// A restaurant with a soup (1,805 Ft, 5 %) and a pizza (2,000 Ft, 27 %), and somebody who exports.
struct Shop {
    place: Place<'static>,
    admin: Client<'static>,
    exporter: Client<'static>,
    soup: String,
    pizza: String,
}

impl Shop {
    async fn open() -> Self {
        let place = kit().await.restaurant().await;
        let admin = place.admin().await;
        let made =
            async |path: &str, body: Value| admin.post(path).json(body).send().await.assert(201).json();
        let category = made("/product-categories", json!({"name": "Étlap"})).await;
        let products = format!("/product-categories/{}/products", text(&category["id"]));
        let soup = json!([{"name": "Adag", "price": 1805, "vat_id": VAT_5}]);
        let soup = made(&products, json!({"name": "Leves", "subproducts": soup})).await;
        let pizza = json!([{"name": "32 cm", "price": 2000}]);
        let pizza = made(&products, json!({"name": "Pizza", "subproducts": pizza})).await;
        let ids = admin.get("/payment-methods").send().await.assert(200).json();
        let ids = ids.as_array().unwrap().iter();
        let ids: Vec<&Value> = ids
            .filter(|one| ["card", "voucher"].contains(&one["payment_key"].as_str().unwrap()))
            .map(|one| &one["id"])
            .collect();
        admin.put("/payment-methods").json(json!({"payment_method_ids": ids})).send().await.assert(200);
        let exporter = with_pin(&place, &["order_export", "all_order", "customer"], PIN).await;
        Self {
            soup: text(&soup["subproducts"][0]["id"]),
            pizza: text(&pizza["subproducts"][0]["id"]),
            place,
            admin,
            exporter,
        }
    }

    /// An order of two soups and a pizza (5,610 Ft) with other fields in their place.
    async fn order(&self, fields: Value) -> Value {
        let mut body = json!({"platform": "browser", "pickup": true, "last_name": "Vendég", "phone_1": "+36 1 555 0100",
            "payment_method": "cash", "items": [{"subproduct_id": self.soup, "quantity": 2},
            {"subproduct_id": self.pizza, "quantity": 1}]});
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let key = uuid::Uuid::now_v7().to_string();
        self.admin.post("/public/orders").key(&key).json(body).send().await.assert(201).json()
    }

    async fn pay(&self, order: &Value, body: Value) -> Value {
        let path = format!("/orders/{}/payments", text(&order["id"]));
        self.admin.post(&path).json(body).send().await.assert(201).json()
    }

    async fn storno(&self, order: &Value, line: usize) {
        let path = format!("/orders/{}/stornos", text(&order["id"]));
        let items = json!({"items": [{"order_item_id": order["items"][line]["id"], "quantity": 1}]});
        self.admin.post(&path).json(items).send().await.assert(201);
    }

    async fn archive(&self, order: &Value, text: &str) {
        let path = format!("/orders/{}/archive", order["id"].as_str().unwrap());
        let body = json!({"reason": "other", "reason_text": text});
        self.admin.put(&path).json(body).send().await.assert(200);
    }

    /// The file of an export of this filter, which `client` orders with the PIN: its answer, after the link came
    /// by mail.
    async fn file(&self, client: &Client<'_>, format: &str, filter: &Value) -> Answer {
        let address = own_address();
        let body = json!({"export_email": address, "format": format, "filter": filter});
        let made = client.post("/orders/exports").json(body).send().await.assert(201).json();
        assert_eq!((&made["export_type"], &made["format"]), (&json!("order_list_export"), &json!(format)));
        let mail = self.place.kit.mail_to(&address).await;
        self.place.nobody().get(&link(&mail)).send().await.assert(200)
    }

    /// Sends the own PIN with every call.
    fn exporter(&self) -> Client<'static> {
        self.exporter.clone().header("x-pin", PIN)
    }

    async fn rows(&self, filter: &Value) -> Sheet {
        let file = self.file(&self.exporter(), "xlsx", filter).await;
        let mut book = Xlsx::new(Cursor::new(file.body)).unwrap();
        Sheet(book.worksheet_range_at(0).unwrap().unwrap().rows().map(<[Data]>::to_vec).collect())
    }
}

struct Sheet(Vec<Vec<Data>>);

impl Sheet {
    fn count(&self) -> usize {
        self.0.len() - 1
    }

    fn cells(&self, heading: &str) -> Vec<&Data> {
        let heading = Data::String(heading.to_owned());
        let column = self.0[0].iter().position(|cell| *cell == heading);
        let column = column.unwrap_or_else(|| panic!("{heading} in {:?}", self.0[0]));
        self.0[1..].iter().map(|row| row.get(column).unwrap_or(&Data::Empty)).collect()
    }

    fn numbers(&self, heading: &str) -> Vec<f64> {
        let number = |cell: &Data| if let Data::Float(number) = cell { *number } else { 0.0 };
        self.cells(heading).into_iter().map(number).collect()
    }

    fn sum(&self, heading: &str) -> f64 {
        self.numbers(heading).iter().sum()
    }
}

#[testkit::test]
async fn an_export_has_the_rows_and_the_sums_of_the_list() {
    let shop = Shop::open().await;
    let anna = shop
        .order(json!({"last_name": "Kovács-Tóth", "first_name": "Anna", "phone_1": "+36 30 555 1234"}))
        .await;
    let bela = shop.order(json!({"last_name": "Nagy", "platform": "ios"})).await;
    let place =
        json!({"postcode": "1061", "city": "Budapest", "street": "Szív utca", "premise_number": "14/B"});
    shop.order(json!({"pickup": false, "delivery_data": place})).await;
    let promotion = json!({"name": "Ebéd", "discount_type": "discount", "platforms": ["browser"],
        "ranges": [{"discount_value": 20}]});
    shop.admin.post("/discounts").json(promotion).send().await.assert(201);
    shop.order(json!({"payment_method": "card"})).await;
    let tried = shop.order(json!({"is_test": true})).await;
    shop.storno(&anna, 0).await;
    let cash = shop.pay(&anna, json!({"payment_method": "cash", "amount": 1000})).await;
    shop.pay(&anna, json!({"payment_method": "card", "amount": 2000, "tip": 150})).await;
    let back = json!({"amount": 300});
    shop.admin.post(&format!("/payments/{}/refunds", text(&cash["id"]))).json(back).send().await.assert(201);
    shop.pay(&bela, json!({"payment_method": "voucher"})).await;
    shop.archive(&bela, "Elfogyott").await;
    let methods = shop.admin.get("/payment-methods").send().await.json();
    let card =
        methods.as_array().unwrap().iter().find(|one| one["payment_key"] == "card").unwrap()["id"].clone();
    let sql = format!(
        "select business_day::text from {}.orders where id = '{}'",
        shop.place.schema,
        text(&anna["id"])
    );
    let day = shop.place.kit.texts(&sql).await.remove(0);
    // Those of the list but for the test order, which every list has too.
    for (filter, tests) in [
        (json!({}), 1),
        (json!({"id": anna["id"]}), 0),
        (json!({"id": tried["id"]}), 0),
        // The test order's number is the same without its prefix.
        (json!({"counter": anna["counter"]}), 1),
        (json!({"name": "toth anna"}), 0),
        (json!({"phone_1": "5551234"}), 0),
        (json!({"city": "buda", "street": "sziv", "premise_number": "14"}), 0),
        (json!({"from": day, "till": day}), 1),
        (json!({"from": day, "date_filter_by": "show_at"}), 1),
        (json!({"till": "2020-01-01"}), 0),
        (json!({"storno": "only"}), 0),
        (json!({"storno": "except"}), 1),
        (json!({"partial_storno": true}), 0),
        (json!({"has_discount": "true", "storno": "except"}), 1),
        (json!({"has_discount": "false"}), 0),
        (json!({"payment_methods": [card]}), 0),
        (json!({"platforms": ["ios"]}), 0),
    ] {
        let totals = shop.admin.post("/orders/totals").json(filter.clone()).send().await.assert(200).json();
        let sheet = shop.rows(&filter).await;
        let listed = number(&totals["orders"]) + number(&totals["partial_stornos"]) - f64::from(tests);
        assert_eq!(sheet.count() as f64, listed, "{filter}");
        let left_out = f64::from(tests) * number(&tried["total_price"]);
        assert_eq!(sheet.sum("Total"), number(&totals["total_price"]) - left_out, "{filter}");
        // Neither tips nor deposits are among them: all of it bears VAT.
        let vat = ["Net 27%", "VAT 27%", "Net 5%", "VAT 5%"];
        if sheet.count() > 0 {
            let by_rate: f64 = vat.iter().map(|heading| sheet.sum(heading)).sum();
            assert!((by_rate - sheet.sum("Total")).abs() < 0.001, "{filter}");
        }
    }
    // Each row says what its order says.
    let sheet = shop.rows(&json!({})).await;
    let (numbers, parents) = (sheet.cells("Number"), sheet.cells("Partial storno of"));
    let (paid, due, totals) = (sheet.numbers("Paid"), sheet.numbers("Still due"), sheet.numbers("Total"));
    let list = shop.admin.get("/orders").send().await.assert(200).json();
    let list: Vec<&Value> =
        list.as_array().unwrap().iter().filter(|order| order["is_test"] == false).collect();
    for (at, order) in list.iter().enumerate() {
        let said = [&order["total_price"], &order["paid"], &order["due"]].map(number);
        assert_eq!([totals[at], paid[at], due[at]], said, "{order}");
        if order["order_parent_id"].is_null() {
            assert_eq!((numbers[at], parents[at]), (&Data::String(text(&order["counter"])), &Data::Empty));
        } else {
            assert_eq!((numbers[at], parents[at]), (&Data::Empty, &Data::String(text(&anna["counter"]))));
            assert_eq!((totals[at], sheet.numbers("Net 5%")[at] < 0.0), (-1805.0, true));
        }
    }
    let by = |name: &str| sheet.sum(&format!("Paid: {name}"));
    assert_eq!((by("Cash"), by("Bank card"), by("Voucher")), (700.0, 2000.0, 5610.0));
    assert_eq!((sheet.sum("Paid"), sheet.sum("Tips given with payments")), (8310.0, 150.0));
    let archived =
        sheet.cells("Archived").into_iter().filter(|cell| matches!(cell, Data::DateTime(_))).count();
    assert_eq!(archived, 1);
    // Orders of another restaurant are not there, also by their id.
    let other = Shop::open().await;
    assert_eq!(other.rows(&json!({"id": anna["id"]})).await.count(), 0);
}

#[testkit::test]
async fn guests_are_in_it_for_those_who_may_see_them() {
    let shop = Shop::open().await;
    let place =
        json!({"postcode": "1061", "city": "Kanárifalva", "street": "Kanári utca", "premise_number": "14/B"});
    let order = shop
        .order(json!({"last_name": "=Kanári", "first_name": "Éva;\"x\"", "phone_1": "+36 30 555 0199",
            "email": "kanari@vendeg.hu", "message": "Kanári üzen", "external_id": "kanari-7",
            "pickup": false, "delivery_data": place}))
        .await;
    shop.archive(&order, "Kanári kérte").await;
    let canaries = ["Kanári", "kanari", "5550199", "555 0199", "1061", "14/B"];
    let without =
        with_pin(&shop.place, &["order_export", "all_order"], "470078").await.header("x-pin", "470078");
    let filter = json!({"phone_1": "5550199", "name": "éva"});
    for format in ["csv", "xlsx"] {
        for (client, seen) in [(&without, false), (&shop.exporter(), true)] {
            let file = shop.file(client, format, &filter).await;
            let name = file.header("content-disposition").unwrap().to_owned();
            assert!(name.ends_with(&format!(".{format}\"")), "{name}");
            let cells = if format == "csv" {
                assert_eq!(file.header("content-type").unwrap(), "text/csv; charset=utf-8");
                String::from_utf8(file.body).unwrap()
            } else {
                assert!(file.header("content-type").unwrap().ends_with("spreadsheetml.sheet"));
                let mut book = Xlsx::new(Cursor::new(file.body)).unwrap();
                let range = book.worksheet_range_at(0).unwrap().unwrap();
                range.rows().flatten().map(|cell| format!("{cell};")).collect()
            };
            assert!(cells.contains(order["counter"].as_str().unwrap()), "{cells}");
            let found = canaries.iter().filter(|canary| cells.contains(**canary)).count();
            assert_eq!(found, if seen { 5 } else { 0 }, "{cells}");
        }
    }
    // Cells of text: a mark of UTF-8, semicolons, decimal commas, nothing that is a formula.
    let hungarian = shop.exporter().header("accept-language", "hu");
    let file = shop.file(&hungarian, "csv", &json!({"id": order["id"]})).await;
    let text = String::from_utf8(file.body).unwrap();
    let lines: Vec<&str> = text.strip_prefix('\u{feff}').unwrap().split_terminator("\r\n").collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].starts_with("Sorszám;Üzleti nap;") && lines[0].contains(";Nettó 5%;Áfa 5%"), "{text}");
    assert!(lines[1].contains(";'=Kanári;\"Éva;\"\"x\"\"\";kanari@vendeg.hu;'+36"), "{text}");
    assert!(lines[1].ends_with(";1575;425;3438;172"), "{text}");
    // What was looked for lies nowhere afterwards, nor in the log.
    let log = shop.place.admin().await.get("/audit?limit=200").send().await.assert(200).json().to_string();
    assert!(log.contains("order_list_export") && !log.contains("5550199"), "{log}");
    let sql = format!(
        "select count(*)::text from {}.export_request where filter is not null and status = 'ready'",
        shop.place.schema
    );
    assert_eq!(shop.place.kit.texts(&sql).await, ["0"]);
}

#[testkit::test]
async fn rights_and_rules_of_exports_of_a_filter() {
    let shop = Shop::open().await;
    let body = json!({"export_email": own_address(), "filter": {}});
    let send = async |client: &Client<'_>, pin: Option<&str>, body: &Value| {
        let call = client.post("/orders/exports").json(body.clone());
        if let Some(pin) = pin { call.header("x-pin", pin).send().await } else { call.send().await }
    };
    send(&shop.exporter, None, &body).await.assert_problem(403, "PIN_REQUIRED");
    send(&shop.exporter, Some("000000"), &body).await.assert_problem(403, "PIN_INVALID");
    for (keys, pin) in [
        (&["order_export"][..], "470088"),
        (&["all_order"], "470089"),
        (&["all_order", "customer_export"], "470090"),
    ] {
        let client = with_pin(&shop.place, keys, pin).await;
        send(&client, Some(pin), &body).await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    }
    send(&shop.exporter, Some(PIN), &json!({"format": "pdf", "filter": {"storno": "half"}}))
        .await
        .assert_keys(&["export_email", "filter.storno", "format"]);
    send(
        &shop.exporter,
        Some(PIN),
        &json!({"export_email": "a@b.hu", "filter": {"from": "tegnap", "phone_1": "1"}}),
    )
    .await
    .assert_keys(&["filter.from", "filter.phone_1"]);
    let form = "export_email=a@b.hu&export_type=order_list_export&filter_type=created_at&all_customers=true";
    let form = super::exports::ordered(&shop.exporter, Some(PIN), form).await;
    form.assert_problem(422, "EXPORT_REQUEST_MISSING_PARAM");
    // A workbook without being asked for; it stands in the list of whoever may export orders.
    let made = send(&shop.exporter, Some(PIN), &body).await.assert(201).json();
    assert_eq!((&made["format"], &made["status"]), (&json!("xlsx"), &json!("waiting")));
    let list = shop.exporter.get("/export-requests").send().await.assert(200).json();
    assert_eq!(list[0]["id"], made["id"]);
    let guests = shop.place.with_keys(&["customer_export"]).await;
    assert_eq!(guests.get("/export-requests").send().await.assert(200).json(), json!([]));
    // A super admin has no PIN: a support access that may write takes its place, and opens the link alone.
    let platform = shop.place.super_admin().await;
    let access = json!({"reason": "4711-es jegy", "writable": true});
    let path = format!("/api/v3/super-admin/partners/{}/access", shop.place.partner);
    platform.post(&path).json(access).send().await.assert(201);
    let address = own_address();
    send(&platform, None, &json!({"export_email": address, "filter": {}})).await.assert(201);
    let link = link(&shop.place.kit.mail_to(&address).await);
    shop.place.nobody().get(&link).send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    platform.get(&link).send().await.assert(200);
}

/// How much memory this process has at most had, in MB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok()).unwrap_or(0) / 1024
}

#[testkit::test(alone)]
#[ignore = "a measurement: cargo xtask test -p statistics -- --run-ignored only a_filter_finds --no-capture"]
async fn memory_and_time_of_a_hundred_thousand_orders_that_a_filter_finds() {
    let shop = Shop::open().await;
    let schema = &shop.place.schema;
    for sql in [
        "insert into {}.orders (id, restaurant_id, counter, business_day, timezone, status, platform, pickup, \
            first_name, last_name, email, phone_1, currency, products_price, original_price, total_price, vats, \
            explanation, show_at, created_at) \
         select gen_random_uuid(), $1, n::text, '2026-06-01', 'Europe/Budapest', 'succeeded', 'web', false, 'Anna', \
            'Vendég ' || n, 'v' || n % 5000 || '@vendeg.hu', '+36 30 111', 'huf', n, n, n, \
            jsonb_build_array(jsonb_build_object('percent', 27, 'net', n, 'vat', 0, 'gross', n), \
                jsonb_build_object('percent', 5, 'net', 0, 'vat', 0, 'gross', 0)), '[]', now(), \
            timestamptz '2026-06-01 00:00+00' + n * interval '10 seconds' from generate_series(1, 100000) n",
        "insert into {}.payable_transaction (id, order_id, value, paid_at, payment_method_id, payment_key) \
         select gen_random_uuid(), o.id, o.total_price, now(), m.id, m.payment_key from {}.orders o, \
            ref.payment_method m where m.payment_key = 'cash' and o.restaurant_id = $1",
        "insert into {}.order_entry (order_id, restaurant_id, business_day, created_at, show_at, is_test, has_discount, \
            platform, total_price, words) select o.id, o.restaurant_id, o.business_day, o.created_at, o.show_at, false, \
            false, o.platform, o.total_price, '' from {}.orders o where o.restaurant_id = $1",
    ] {
        shop.place.kit.run(&sql.replace("{}", schema), vec![shop.place.restaurant.into()]).await;
    }
    for format in ["csv", "xlsx"] {
        shop.place.kit.run_jobs().await;
        let (before, begun) = (peak(), std::time::Instant::now());
        let body = json!({"export_email": own_address(), "format": format, "filter": {}});
        shop.exporter.post("/orders/exports").header("x-pin", PIN).json(body).send().await.assert(201);
        shop.place.kit.run_jobs().await;
        let export = shop.exporter.get("/export-requests").send().await.assert(200).json()[0].clone();
        assert_eq!(export["row_count"], 100_000, "{export}");
        let grown = peak() - before;
        eprintln!(
            "100,000 orders as {format}: {:?}, {} bytes, memory grew by {grown} MB to {} MB",
            begun.elapsed(),
            export["size_bytes"],
            peak()
        );
        assert!(grown < 64, "{grown} MB");
    }
}
