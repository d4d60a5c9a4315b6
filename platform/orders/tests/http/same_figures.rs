//! Quote, order, its page and its rows show the same figures, whatever was ordered.

use serde_json::{Value, json};
use testkit::{Client, kit};

use super::{Menu, amount, coupon, order, pickup, prepared, promotion, quoted, with};

/// How many orders; `PULT_ORDERS` sets another number for a long run.
fn orders() -> usize {
    std::env::var("PULT_ORDERS").ok().and_then(|number| number.parse().ok()).unwrap_or(120)
}

/// Numbers that are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn one_of<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        let at = self.below(of.len() as u64);
        &of[usize::try_from(at).unwrap()]
    }
}

/// Fees, deposits, a menu of components, promotions of every kind; the sizes to choose from.
async fn world(admin: &Client<'_>, super_admin: &Client<'_>, restaurant: &str, menu: &Menu) -> Vec<Value> {
    let till = json!({"service_fee": 12.5, "service_fee_mode": "all_items", "employee_tip": true});
    admin.put("/pos/configs").json(till).send().await.assert(200);
    let switches = format!("/api/v3/super-admin/restaurants/{restaurant}/switches");
    super_admin.put(&switches).json(json!({"system_usage_fee": 99})).send().await.assert(200);
    let bottles =
        json!({"subproducts": [{"id": menu.soup, "name": "Adag", "price": 1801, "deposit_pieces": 1}]});
    admin.put(&menu.soup_product).json(bottles).send().await.assert(200);
    let components =
        json!([{"subproduct_id": menu.soup, "pieces": 1}, {"subproduct_id": menu.pizza, "pieces": 2}]);
    let size = json!({"name": "Menü", "price": 4999, "components": components});
    let products = format!("/product-categories/{}/products", menu.category);
    let lunch = admin.post(&products).json(json!({"name": "Menü", "subproducts": [size]})).send().await;
    let all = json!(["browser", "ios", "android", "take_away", "sit_in", "phone"]);
    let on_all = |fields: Value| with(fields, "platforms", all.clone());
    promotion(admin, on_all(json!({"ranges": [{"price_from": 4000, "discount_value": 7}]}))).await;
    promotion(
        admin,
        on_all(json!({"apply_type": "apply_per_item", "products_for": "inclusion",
            "subproduct_ids": [menu.pizza], "ranges": [{"discount_value": 333, "discount_type": "amount"}]})),
    )
    .await;
    promotion(
        admin,
        on_all(json!({"range_filter_type": "by_quantity", "ranges": [{"price_from": 4, "discount_value": 0,
            "gifts": [{"subproduct_id": menu.soup}]}]})),
    )
    .await;
    promotion(
        admin,
        on_all(json!({"stackable": false, "ranges": [{"price_from": 9000, "discount_value": 11,
        "apply_on_options": true}]})),
    )
    .await;
    coupon(admin, "FELE", on_all(json!({"ranges": [{"discount_value": 50}]}))).await;
    vec![
        json!(menu.soup),
        json!(menu.pizza),
        json!(menu.large_pizza),
        lunch.assert(201).json()["subproducts"][0]["id"].clone(),
    ]
}

fn random(numbers: &mut Numbers, menu: &Menu, sizes: &[Value]) -> Value {
    let mut body = pickup(menu);
    let items: Vec<Value> = (0..=numbers.below(4))
        .map(|_| {
            let size = numbers.one_of(sizes).clone();
            let options = [&menu.cheese, &menu.ham];
            let with_options = size == json!(menu.pizza) || size == json!(menu.large_pizza);
            let count = if with_options { numbers.below(3) } else { 0 };
            let options: Vec<Value> = options
                .iter()
                .take(usize::try_from(count).unwrap())
                .map(|id| json!({"option_id": id}))
                .collect();
            json!({"subproduct_id": size, "quantity": 1 + numbers.below(3), "item_options": options})
        })
        .collect();
    body["items"] = json!(items);
    body["platform"] = json!(numbers.one_of(&["browser", "ios", "take_away", "sit_in", "phone"]));
    if numbers.below(3) == 0 {
        body["table_name"] = json!("7");
    }
    if numbers.below(3) == 0 {
        body["coupon_code"] = json!("fele");
    }
    if numbers.below(2) == 0 {
        body["tip"] = json!(numbers.below(500));
    }
    body
}

/// The amounts that stand in a quote and in an order under the same name.
const FIGURES: &[&str] = &[
    "products_price",
    "delivery_price",
    "delivery_original_price",
    "discount_price",
    "staff_discount",
    "original_price",
    "service_fee",
    "tip",
    "employee_tip",
    "courier_tip",
    "deposit",
    "deposit_pieces",
    "system_usage_fee",
    "total_price",
    "points_earned",
    "vats",
    "lines",
];
const OF_ITEM: &[&str] = &[
    "subproduct_id", "name", "gift_of", "quantity", "unit_price", "total_price", "discount", "paid_price",
    "vat_percent", "net_price", "vat_price", "service_fee", "deposit",
];

fn sum(rows: &Value, field: &str) -> i64 {
    rows.as_array().unwrap().iter().map(|row| amount(&row[field])).sum()
}

fn check_sums(order: &Value) {
    let figure = |field: &str| amount(&order[field]);
    let tips = figure("tip") + figure("employee_tip") + figure("courier_tip");
    let total = figure("products_price")
        + figure("delivery_price")
        + figure("service_fee")
        + figure("deposit")
        + tips
        + figure("system_usage_fee");
    assert_eq!(figure("total_price"), total, "{order}");
    assert_eq!(sum(&order["lines"], "amount"), total, "the explanation");
    assert_eq!(sum(&order["items"], "paid_price"), figure("products_price"), "the items");
    assert_eq!(sum(&order["items"], "service_fee"), figure("service_fee"), "the service fee");
    assert_eq!(sum(&order["items"], "deposit"), figure("deposit"), "the deposit");
    let net = sum(&order["items"], "net_price")
        + sum(&order["items"], "service_fee_net")
        + figure("delivery_net_price")
        + figure("system_usage_fee_net_price");
    assert_eq!(sum(&order["vats"], "net"), net, "the net of the rates");
    assert_eq!(sum(&order["vats"], "gross"), total - tips - figure("deposit"), "what is taxed");
    for item in order["items"].as_array().unwrap() {
        for field in ["total_price", "discount", "paid_price", "net_price", "vat_price", "service_fee"] {
            let parts = item["parts"].as_array().unwrap();
            assert!(
                parts.is_empty() || sum(&item["parts"], field) == amount(&item[field]),
                "{field} of {item}"
            );
        }
        assert_eq!(amount(&item["total_price"]) - amount(&item["discount"]), amount(&item["paid_price"]));
        assert!(amount(&item["paid_price"]) >= 0);
    }
    let taken = sum(&order["promotions"], "amount") + figure("staff_discount");
    assert_eq!(taken, figure("discount_price"), "the promotions");
}

#[testkit::test]
async fn quote_order_and_its_page_agree() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let super_admin = place.super_admin().await;
    let sizes = world(&admin, &super_admin, &place.restaurant.to_string(), &menu).await;
    let mut numbers = Numbers(20_261_125);
    for number in 0..orders() {
        // A key has 20 calls a second.
        let client = if number % 10 == 0 { &key } else { &admin };
        let body = random(&mut numbers, &menu, &sizes);
        let quote = quoted(client, &body).await;
        let items = quote["items"].as_array().unwrap().iter();
        let shown: Vec<Value> = items
            .map(|item| json!({"unit_price": item["unit_price"], "paid_price": item["paid_price"]}))
            .collect();
        let seen = json!({"lines": quote["lines"], "items": shown});
        let sent = with(with(body.clone(), "total_price", quote["total_price"].clone()), "quoted", seen);
        let made = order(client, sent).await;
        assert_eq!(made.status, 201, "{body}\n{quote}\n{}", made.text());
        let made = made.json();
        for field in FIGURES {
            assert_eq!(made[field], quote[field], "{field} of {body}");
        }
        let pairs = made["items"].as_array().unwrap().iter().zip(quote["items"].as_array().unwrap());
        for (ordered, quoted) in pairs {
            for field in OF_ITEM {
                assert_eq!(ordered[field], quoted[field], "{field} of an item of {body}");
            }
        }
        assert_eq!(made["items"].as_array().unwrap().len(), quote["items"].as_array().unwrap().len());
        check_sums(&made);
        let path = format!("/public/orders/{}", made["id"].as_str().unwrap());
        let mut page = client.get(&path).send().await.assert(200).json();
        // The answer to placing does not say how often the guest has ordered.
        page["shadow_customer"] = Value::Null;
        assert_eq!(page, made, "the page");
    }
}
