//! The figures of exports are those of the orders.

use calamine::Data;
use serde_json::json;
use testkit::{Client, kit};

use super::exports::{ordered, own_address, rows, with_pin};

/// A pizza of 2,000 Ft that carries a deposit, and promotions of 15 % and a free pizza from 6,000 Ft on.
async fn shop(admin: &Client<'_>) -> String {
    let made = async |path: &str, body: serde_json::Value| {
        admin.post(path).json(body).send().await.assert(201).json()
    };
    let category = made("/product-categories", json!({"name": "Pizzák"})).await;
    let products = format!("/product-categories/{}/products", category["id"].as_str().unwrap());
    let sizes = json!([{"name": "32 cm", "price": 2001, "deposit_pieces": 1}]);
    let product = made(&products, json!({"name": "Pizza", "subproducts": sizes})).await;
    let size = product["subproducts"][0]["id"].as_str().unwrap().to_owned();
    let till = json!({"service_fee": 10, "service_fee_mode": "all_items"});
    admin.put("/pos/configs").json(till).send().await.assert(200);
    for ranges in [
        json!([{"discount_value": 15}]),
        json!([{"price_from": 6000, "discount_value": 0, "gifts": [{"subproduct_id": size}]}]),
    ] {
        let body = json!({"name": "Ebéd", "discount_type": "discount", "platforms": ["browser"],
            "ranges": ranges});
        made("/discounts", body).await;
    }
    size
}

#[testkit::test]
async fn exports_show_the_figures_of_the_orders() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let size = shop(&admin).await;
    let mut made = Vec::new();
    for number in 1..=8 {
        let mut body = json!({"platform": "browser", "pickup": true, "last_name": "Vendég", "phone_1": "1",
            "tip": 10 * number, "items": [{"subproduct_id": size, "quantity": number}]});
        if number % 2 == 0 {
            body["table_name"] = json!("7");
        }
        let key = number.to_string();
        made.push(admin.post("/public/orders").key(&key).json(body).send().await.assert(201).json());
    }
    let client = with_pin(&place, &["order_export"], "470044").await;
    let exported = async |kind: &str| {
        let address = own_address();
        let day = |offset: i64| (kernel::clock::now() + chrono::Duration::days(offset)).format("%Y-%m-%d");
        let range = format!("from={}T00%3A00%3A00Z&till={}T00%3A00%3A00Z", day(-1), day(2));
        let form = format!("export_email={address}&export_type={kind}&filter_type=created_at&{range}");
        ordered(&client, Some("470044"), &form).await.assert(201);
        rows(&place, &address).await
    };
    let check = |rows: &[Vec<Data>], at: usize, from: &serde_json::Value, columns: &[(&str, &str)]| {
        for (heading, field) in columns {
            let heading = Data::String((*heading).to_owned());
            let column = rows[0].iter().position(|cell| *cell == heading).expect("a column");
            let amount: f64 = from[field].to_string().parse().unwrap();
            assert_eq!(rows[at][column], Data::Float(amount), "{field} of {from}");
        }
    };
    let orders = exported("order_export").await;
    for (at, order) in made.iter().enumerate() {
        let columns = [
            ("At list price", "original_price"),
            ("Discount", "discount_price"),
            ("Products", "products_price"),
            ("Delivery", "delivery_price"),
            ("Service fee", "service_fee"),
            ("Deposit", "deposit"),
            ("Tip", "tip"),
            ("System usage fee", "system_usage_fee"),
            ("Total", "total_price"),
        ];
        check(&orders, at + 1, order, &columns);
    }
    let items = exported("order_item_export").await;
    let lines: Vec<_> = made.iter().flat_map(|order| order["items"].as_array().unwrap()).collect();
    assert!(lines.iter().any(|line| !line["gift_of"].is_null()));
    assert_eq!(items.len(), 1 + lines.len(), "gifts too");
    for (at, line) in lines.into_iter().enumerate() {
        let columns = [
            ("Quantity", "quantity"),
            ("Unit price", "unit_price"),
            ("Total", "total_price"),
            ("Discount", "discount"),
            ("Paid", "paid_price"),
            ("Net", "net_price"),
            ("VAT", "vat_price"),
            ("Service fee", "service_fee"),
            ("Deposit", "deposit"),
        ];
        check(&items, at + 1, line, &columns);
    }
}
