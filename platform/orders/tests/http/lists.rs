//! What lists of orders answer: rows, and the filters of the fresh ones.

use serde_json::{Value, json};
use testkit::Client;

use super::{amount, destinations::regions, payments::Till, pickup, promotion, text, with};

/// An order of a busy evening: from the web shop two lines with an e-mail, on the phone three; now and then a message.
/// Two of three are delivered, each second of them to a flat.
fn evening(menu: &super::Menu, at: usize) -> Value {
    let now_and_then = |text: &str| if at.is_multiple_of(4) { json!(text) } else { json!("") };
    let topped = |size: &str, message: Value| {
        json!({"subproduct_id": size, "quantity": 2, "message": message, "item_options": [
            {"option_id": menu.cheese, "quantity": 1}, {"option_id": menu.ham, "quantity": 1}]})
    };
    let mut order = json!({
        "platform": "phone", "pickup": false, "first_name": "Mária Magdolna", "last_name": "Kovács-Tóthné",
        "phone_1": format!("+36 30 555 {at:04}"), "email": format!("maria.magdolna.{at}@guest.test"),
        "payment_method": "cash", "message": now_and_then("Ne csengess, alszik a baba."),
        "delivery_data": {"country": "Magyarország", "postcode": "9021", "city": "Győr", "street": "Fő utca",
            "premise_number": "14/B", "building": "II.", "floor": "3", "door_number": "12", "doorbell": "Kovács",
            "address_notes": "A kapukód 1234."},
        "items": [topped(&menu.pizza, now_and_then("Vágjátok nyolcba.")), topped(&menu.large_pizza, json!("")),
            {"subproduct_id": menu.soup, "quantity": 1, "message": now_and_then("Kenyér nélkül.")}],
    });
    if at.is_multiple_of(2) {
        order["platform"] = json!("browser");
        order["items"].as_array_mut().unwrap().remove(1);
    } else {
        order["email"] = Value::Null;
    }
    if at.is_multiple_of(3) {
        order["pickup"] = json!(true);
        order["delivery_data"] = Value::Null;
    } else if at % 6 < 3 {
        for part in ["building", "floor", "door_number", "doorbell"] {
            order["delivery_data"].as_object_mut().unwrap().remove(part);
        }
    }
    order
}

async fn size(admin: &Client<'_>, path: &str) -> (usize, Value) {
    let rows = admin.get(path).send().await.assert(200).json();
    (rows.to_string().len(), rows)
}

#[testkit::test]
async fn forty_rows_have_at_most_forty_kilobytes() {
    let till = Till::open().await;
    let admin = &till.admin;
    regions(&till.place, admin, "street_based").await;
    promotion(admin, json!({"platforms": ["phone"]})).await;
    let mut ids = Vec::new();
    for at in 0..40_usize {
        // Most are sent by the web shop.
        let by = if at.is_multiple_of(2) { &till.key } else { admin };
        let made = super::order(by, evening(&till.menu, at)).await.assert(201).json();
        ids.push(text(&made["id"]));
        if at % 2 == 1 {
            admin.put(&format!("/orders/{}/accept", ids[at])).json(json!({})).send().await.assert(200);
        }
    }
    // Money, a storno and a change make rows longer too.
    for id in &ids[..10] {
        let path = format!("/orders/{id}");
        let pay = json!({"payment_method": "cash", "amount": 1000});
        admin.post(&format!("{path}/payments")).json(pay).send().await.assert(201);
    }
    for (path, whole) in [("/orders?limit=40", 40), ("/orders/fresh?limit=40", 40)] {
        let (long, orders) = size(admin, path).await;
        let (short, rows) = size(admin, &format!("{path}&view=row")).await;
        let (orders, rows) = (orders.as_array().unwrap(), rows.as_array().unwrap());
        assert_eq!((orders.len(), rows.len()), (whole, whole));
        assert!(short <= 40_000, "{path}: {short} bytes");
        assert!(long > 4 * short, "{path}: {long} and {short} bytes");
        for (order, row) in orders.iter().zip(rows) {
            is_part_of(row, order, path);
        }
    }
    let board = size(admin, "/orders/fresh?limit=2&view=row").await.1;
    assert_eq!(board[1]["items"][0]["item_options"][1]["option"]["name"], "Sonka");
    let previous = size(admin, "/orders?limit=40&view=row").await.1;
    let paid = previous.as_array().unwrap().iter().filter(|row| amount(&row["paid"]) == 1000).count();
    assert_eq!(paid, 10);
    assert!(previous[0]["items"].is_null(), "previous orders show none");
    for path in ["/orders/later?view=row", "/orders/ready?view=row"] {
        size(admin, path).await;
    }
    admin.get("/orders?view=column").send().await.assert(422);
}

/// A row says what the order says, under the same names; what is absent is null, false, empty or as usual there.
fn is_part_of(row: &Value, whole: &Value, at: &str) {
    match (row, whole) {
        (Value::Object(row), Value::Object(whole)) => {
            for (name, value) in row {
                is_part_of(value, whole.get(name).unwrap_or(&Value::Null), &format!("{at}.{name}"));
            }
        }
        (Value::Array(row), Value::Array(whole)) => {
            assert_eq!(row.len(), whole.len(), "{at}");
            for (row, whole) in row.iter().zip(whole) {
                is_part_of(row, whole, at);
            }
        }
        _ => assert_eq!(row, whole, "{at}"),
    }
}

#[testkit::test]
async fn fresh_orders_take_the_filters_of_previous_ones() {
    let till = Till::open().await;
    let admin = &till.admin;
    let guest = |last: &str, phone: &str| {
        with(with(pickup(&till.menu), "last_name", json!(last)), "phone_1", json!(phone))
    };
    let anna = till.another(guest("Kovács", "+36 30 555 1234")).await;
    let bela = till.another(with(guest("Nagy", "+36 20 444 9876"), "platform", json!("ios"))).await;
    admin.put(&format!("/orders/{bela}/accept")).json(json!({})).send().await.assert(200);
    let gone = till.another(guest("Kovács", "+36 70 333 1111")).await;
    admin.put(&format!("/orders/{gone}/archive")).json(json!({})).send().await.assert(200);
    let soup = till.read().await["items"][0]["id"].clone();
    let storno = json!({"items": [{"order_item_id": soup, "quantity": 1}]});
    admin.post(&format!("/orders/{}/stornos", till.id)).json(storno).send().await.assert(201);
    let (first, order) = (till.id.clone(), till.read().await);
    let (counter, method) = (text(&order["counter"]), text(&order["payment_method_id"]));
    let sql = format!("select business_day::text from {}.orders where id = '{first}'", till.place.schema);
    let day = till.place.kit.texts(&sql).await.remove(0);
    let ahead = (chrono::Utc::now() + chrono::Duration::hours(1)).format("%Y-%m-%dT%H:%M:%SZ").to_string();
    let all = [&first, &anna, &bela];
    for (query, expected) in [
        ("", all.to_vec()),
        ("name=kov", vec![&anna]),
        ("q=nagy", vec![&bela]),
        ("phone_1=5551", vec![&anna]),
        ("city=buda", vec![]),
        (&format!("counter={counter}"), vec![&first]),
        (&format!("id={bela}"), vec![&bela]),
        ("storno=all", all.to_vec()),
        ("storno=except", all.to_vec()),
        ("storno=only", vec![]),
        ("storno=partial_storno", vec![&first]),
        ("partial_storno=true", vec![&first]),
        ("has_discount=true", vec![]),
        ("has_discount=false", all.to_vec()),
        ("platforms[]=ios", vec![&bela]),
        ("platforms[]=ios&status=succeeded", vec![]),
        ("platforms[]=browser&platforms[]=ios&status=processed", vec![&bela]),
        (&format!("payment_methods[]={method}"), all.to_vec()),
        (&format!("from={day}&till={day}"), all.to_vec()),
        (&format!("from={day}&till={day}&date_filter_by=show_at&name=kov"), vec![&anna]),
        ("till=2020-01-01", vec![]),
        ("till=2020-01-01T00:00:00Z", vec![]),
        (&format!("till={ahead}&name=kov"), vec![&anna]),
        ("from=2020-01-01T00:00:00Z", all.to_vec()),
    ] {
        let answer = admin.get(&format!("/orders/fresh?count=true&{query}")).send().await.assert(200);
        let total = answer.header("x-total-count").unwrap().to_owned();
        let mut ids: Vec<String> =
            answer.json().as_array().unwrap().iter().map(|row| text(&row["id"])).collect();
        let mut expected: Vec<String> = expected.into_iter().cloned().collect();
        assert_eq!(total, expected.len().to_string(), "{query}");
        ids.sort();
        expected.sort();
        assert_eq!(ids, expected, "{query}");
    }
    // Those that wait come first, and pages have no gaps.
    let page = async |page: usize| {
        let path = format!("/orders/fresh?from={day}&limit=2&page={page}");
        let rows = admin.get(&path).send().await.assert(200).json();
        rows.as_array().unwrap().iter().map(|row| text(&row["id"])).collect::<Vec<_>>()
    };
    assert_eq!([page(0).await, page(1).await].concat(), [&first, &anna, &bela].map(String::as_str));
    admin
        .get("/orders/fresh?from=soon&till=later&phone_1=12")
        .send()
        .await
        .assert_keys(&["from", "till", "phone_1"]);
    admin.get("/orders/fresh?colour=red").send().await.assert_keys(&["colour"]);
}

#[testkit::test]
async fn an_order_tells_the_fee_of_its_courier() {
    let till = Till::open().await;
    let admin = &till.admin;
    regions(&till.place, admin, "street_based").await;
    let made = super::order(admin, evening(&till.menu, 1)).await.assert(201).json();
    assert_eq!(made["courier_price"], Value::Null, "nobody brings it yet");
    let body = json!({"first_name": "Béla", "last_name": "Futár", "phone_1": "+36 30 111 2222"});
    let courier = admin.post("/couriers").json(body).send().await.assert(201).json()["id"].clone();
    let path = format!("/orders/{}", text(&made["id"]));
    let sql = format!("update {}.orders set courier_id = $2::uuid where id = $1::uuid", till.place.schema);
    let id: uuid::Uuid = text(&made["id"]).parse().unwrap();
    let courier: uuid::Uuid = text(&courier).parse().unwrap();
    till.place.kit.run(&sql, vec![id.into(), courier.into()]).await;
    let read = admin.get(&path).send().await.assert(200).json();
    assert_eq!((amount(&read["courier_price"]), &read["courier_name"]), (250, &json!("Futár Béla")));
}
