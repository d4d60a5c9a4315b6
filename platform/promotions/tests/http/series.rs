//! Series of codes.

use std::collections::HashSet;

use calamine::{Data, Reader, Xlsx};
use serde_json::{Value, json};
use testkit::{Client, kit};
use tokio::task::JoinSet;

use super::{
    discount, id, make, path,
    uses::{loaded, order, undo},
};

const DAY: &str = "2026-01-05";

async fn coupon(admin: &Client<'_>, fields: Value) -> Value {
    let mut body = json!({"discount_type": "coupon", "code": "ALAP"});
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    make(admin, body).await
}

async fn codes(admin: &Client<'_>, row: &Value) -> Vec<String> {
    let listed = admin.get(&format!("{}/series?limit=200", path(row))).send().await.assert(200).json();
    listed.as_array().unwrap().iter().map(|code| code["code"].as_str().unwrap().to_owned()).collect()
}

#[testkit::test]
async fn each_code_of_a_series_is_good_for_one_order() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let made = coupon(&admin, json!({"customer_max_use_qty": 5})).await;
    let series = format!("{}/series", path(&made));
    let body = json!({"quantity": 3, "prefix": "NYAR-"});
    let send = || admin.post(&series).key("egy").json(body.clone()).send();
    let answer = send().await.assert(201).json();
    assert_eq!(
        (&answer["series_qty"], &answer["used_qty"], &answer["code"]),
        (&json!(3), &json!(0), &json!("ALAP"))
    );
    assert_eq!(send().await.assert(201).json(), answer, "a repeat makes no more");
    let codes = codes(&admin, &made).await;
    assert_eq!(codes.len(), 3);
    assert!(codes.iter().all(|code| code.starts_with("NYAR-")));

    let who = Some(super::customer(&place, "Kis").await);
    let typed = format!(" {} ", codes[0].to_lowercase());
    let promotion = id(&made);
    let asked = loaded(&place, who, Some(&typed), DAY).await;
    assert_eq!(asked.names[&promotion].code.as_deref(), Some(codes[0].as_str()));
    assert_eq!(asked.promotions[0].code.as_deref(), Some(codes[0].as_str()));
    assert_eq!(asked.promotions[0].all_max_use_qty, None);

    // Ten orders at once with one code: one has it.
    let mut orders = JoinSet::new();
    for _ in 0..10 {
        let (place, typed) = (place.clone(), typed.clone());
        orders.spawn(async move { order(&place, DAY, who, Some(&typed), &[promotion]).await });
    }
    let found = orders.join_all().await;
    let taken: Vec<_> = found.into_iter().filter_map(Result::ok).collect();
    assert_eq!(taken.len(), 1);
    let used = loaded(&place, who, Some(&typed), DAY).await;
    assert_eq!(used.promotions[0].all_max_use_qty, Some(0), "used up");
    order(&place, DAY, who, Some(&codes[1]), &[promotion]).await.unwrap();
    order(&place, DAY, who, Some("alap"), &[promotion]).await.unwrap();
    undo(&place, taken[0]).await;
    order(&place, DAY, who, Some(&codes[0]), &[promotion]).await.unwrap();
    let row = admin.get(&path(&made)).send().await.assert(200).json();
    assert_eq!((&row["use_qty"], &row["series_qty"]), (&json!(3), &json!(3)));
}

#[testkit::test]
async fn the_coupons_own_code_can_go_and_no_other_coupon_gets_one_of_the_series() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let made = coupon(&admin, json!({})).await;
    let series = format!("{}/series", path(&made));
    let no_code = json!({"code": null});
    admin.put(&path(&made)).json(no_code.clone()).send().await.assert_keys(&["code"]);
    let body = json!({"quantity": 2, "keep_code": false});
    assert_eq!(admin.post(&series).json(body).send().await.assert(201).json()["code"], Value::Null);
    assert_eq!(admin.get(&path(&made)).send().await.json()["code"], Value::Null);
    assert!(loaded(&place, None, Some("ALAP"), DAY).await.promotions[0].code.is_none());
    // It needs none any more.
    admin.put(&path(&made)).json(no_code).send().await.assert(200);
    let taken = codes(&admin, &made).await.remove(0).to_lowercase();
    let other = discount(json!({"discount_type": "coupon", "code": taken}));
    admin.post("/discounts").json(other).send().await.assert_keys(&["code"]);
    coupon(&admin, json!({})).await;
}

#[testkit::test]
async fn ten_thousand_codes_come_in_a_workbook() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let made = coupon(&admin, json!({})).await;
    let series = format!("{}/series", path(&made));
    for quantity in [0, 10_001] {
        admin.post(&series).json(json!({"quantity": quantity})).send().await.assert_keys(&["quantity"]);
    }
    admin.post(&series).json(json!({"quantity": 1, "prefix": "é"})).send().await.assert_keys(&["prefix"]);
    admin.post(&series).json(json!({"quantity": 10_000})).send().await.assert(201);
    admin.post(&series).json(json!({"quantity": 1})).send().await.assert_keys(&["quantity"]);
    let counted = admin.get(&format!("{series}?count=true&limit=1")).send().await.assert(200);
    assert_eq!(counted.header("x-total-count"), Some("10000"));
    let file = admin.get(&format!("{series}/export")).send().await.assert(200);
    assert!(file.header("content-disposition").unwrap().contains(".xlsx"));
    let mut book = Xlsx::new(std::io::Cursor::new(file.body)).unwrap();
    let rows: Vec<Vec<Data>> = book.worksheet_range("Codes").unwrap().rows().map(<[Data]>::to_vec).collect();
    assert_eq!(rows[0][0], Data::String("Code".into()));
    let codes: HashSet<String> = rows[1..].iter().map(|row| row[0].to_string()).collect();
    assert_eq!(codes.len(), 10_000);
    let plain = make(&admin, json!({})).await;
    let refused = admin.post(&format!("{}/series", path(&plain))).json(json!({"quantity": 1})).send().await;
    refused.assert_keys(&["quantity"]);
    admin.get("/discounts/00000000-0000-7000-8000-000000000000/series").send().await.assert(404);
}
