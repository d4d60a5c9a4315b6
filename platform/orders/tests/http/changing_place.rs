//! An order that goes elsewhere: the delivery is priced anew, and nothing else.

use serde_json::{Value, json};

use super::{
    amount,
    changing::{change, last},
    destinations::{at, delivered, reasons, regions},
    payments::Till,
    promotion, text, with,
};

/// *Közel*: 500 Ft, 900 below 6,000 Ft, its *Fő utca* 300; *Távol*: 1,200 Ft from 8,000 on.
async fn opened(pin: &str, method: &str) -> Till<'static> {
    let till = Till::changeable(pin).await;
    regions(&till.place, &till.admin, method).await;
    let id = till.another(delivered(&till.menu, "Fő utca")).await;
    Till { id, ..till }
}

fn address(street: &str) -> Value {
    json!({"delivery_data": {"postcode": "9021", "city": "Győr", "street": street, "premise_number": "3"}})
}

fn adds_up(order: &Value) {
    let sum = |rows: &Value, field: &str| {
        rows.as_array().unwrap().iter().map(|row| amount(&row[field])).sum::<i64>()
    };
    let total = amount(&order["total_price"]);
    assert_eq!(sum(&order["lines"], "amount"), total, "{order}");
    let (items, vats) = (&order["items"], &order["vats"]);
    let fees: i64 = [
        "delivery_price", "service_fee", "tip", "employee_tip", "courier_tip", "deposit", "system_usage_fee",
    ]
    .iter()
    .map(|field| amount(&order[*field]))
    .sum();
    assert_eq!(sum(items, "paid_price") + fees, total);
    let net = sum(items, "net_price") + sum(items, "service_fee_net");
    let of_fees = amount(&order["delivery_net_price"]) + amount(&order["system_usage_fee_net_price"]);
    assert_eq!(sum(vats, "net"), net + of_fees);
    let taxed = amount(&order["products_price"])
        + amount(&order["delivery_price"])
        + amount(&order["service_fee"])
        + amount(&order["system_usage_fee"]);
    assert_eq!(sum(vats, "gross"), taxed);
    assert_eq!(
        amount(&order["original_price"]) - amount(&order["discount_price"]),
        amount(&order["products_price"]) + amount(&order["delivery_price"])
    );
}

#[testkit::test]
async fn another_region_is_another_fee_and_how_to_get_in_is_none() {
    let till = opened("470091", "street_based").await;
    let before = till.read().await;
    assert_eq!((amount(&before["delivery_price"]), amount(&before["total_price"])), (900, 6800));
    // The restaurant makes it dearer; who only says which floor pays what was said.
    let near = format!("/delivery-regions/{}", text(&before["delivery_region_id"]));
    till.admin.put(&near).json(json!({"price_under_threshold": 950})).send().await.assert(200);
    let mut floor = address("Fő utca");
    floor["delivery_data"]["floor"] = json!("2");
    let after = till.change("470091", floor).await.assert(200).json();
    assert_eq!(
        (&after["total_price"], &after["delivery_data"]["floor"]),
        (&before["total_price"], &json!("2"))
    );
    // Below the minimum of the other region: staff say why they deliver.
    let refused = till.change("470091", address("Hosszú út")).await;
    let refused = refused.assert_problem(409, "ORDER_NOT_ACCEPTABLE").json();
    assert_eq!(reasons(&refused), [("minimum_not_reached".to_owned(), json!("8000"))]);
    let anyway = with(address("Hosszú út"), "override_reason", json!("törzsvendég"));
    let rehearsed = till.rehearse(anyway.clone()).await.assert(200).json();
    assert_eq!(amount(&rehearsed["total_price"]), 7100);
    let after = till.change("470091", anyway).await.assert(200).json();
    adds_up(&after);
    for (field, expected) in [
        ("delivery_price", json!(1200)),
        ("delivery_original_price", json!(1200)),
        ("total_price", json!(7100)),
        ("due", json!(7100)),
        ("delivery_region_name", json!("Távol")),
        ("delivery_override_reason", json!("törzsvendég")),
        ("products_price", before["products_price"].clone()),
    ] {
        assert_eq!(after[field], expected, "{field}");
    }
    assert_eq!(after["items"], before["items"], "goods are not priced again");
    assert!(after["delivery_chosen_by_name"].is_string());
    let read = till.read().await;
    let told = &last(&read)["changes"];
    assert_eq!((&told["total_price"], &told["delivery_price"]), (&json!([6800, 7100]), &json!([900, 1200])));
    assert_eq!(told["delivery_region_id"], json!(["Közel", "Távol"]));
    // Another house of the same region is not below its minimum again.
    let mut house = address("Hosszú út");
    house["delivery_data"]["premise_number"] = json!("5");
    till.change("470091", house).await.assert(200);
    // Nobody delivers there.
    let nowhere = till.change("470091", address("Ismeretlen köz")).await;
    let nowhere = nowhere.assert_problem(409, "ORDER_NOT_ACCEPTABLE").json();
    assert_eq!(reasons(&nowhere)[0].0, "no_delivery_there");
    let near_id = before["delivery_region_id"].clone();
    let chosen = with(address("Ismeretlen köz"), "delivery_region_id", near_id.clone());
    let after = till.change("470091", chosen).await.assert(200).json();
    assert_eq!((&after["delivery_region_id"], &after["delivery_found_by"]), (&near_id, &json!("staff")));
    assert_eq!(amount(&after["delivery_price"]), 950);
    let foreign = json!({"delivery_region_id": uuid::Uuid::now_v7()});
    till.change("470091", foreign).await.assert_keys(&["delivery_region_id"]);
    adds_up(&after);
}

#[testkit::test]
async fn what_was_paid_and_is_not_owed_goes_back() {
    let till = opened("470092", "gps_based").await;
    let far = with(at(delivered(&till.menu, "Hosszú út"), 47.05, 19.15), "courier_tip", json!(200));
    let sql =
        format!("update {}.restaurant set is_courier_tip_available = true where id = $1", till.place.schema);
    till.place.kit.run(&sql, vec![till.place.restaurant.into()]).await;
    let far = with(with(far, "platform", json!("phone")), "override_reason", json!("közel lakik"));
    let id = super::order(&till.admin, far).await.assert(201).json()["id"].clone();
    let till = Till { id: text(&id), ..till };
    till.accept().await;
    till.pay(json!({"payment_method": "card"})).await.assert(201);
    let closed = till.read().await;
    assert_eq!((amount(&closed["paid"]), amount(&closed["due"])), (7300, 0));
    assert!(closed["closed_at"].is_string());
    // To the near region, by its pin alone.
    let after =
        till.change("470092", json!({"coord_lat": 47.05, "coord_lng": 19.05})).await.assert(200).json();
    adds_up(&after);
    assert_eq!((amount(&after["delivery_price"]), amount(&after["due"])), (900, -300));
    assert_eq!(
        (amount(&after["refunds"][0]["amount"]), &after["refunds"][0]["state"]),
        (300, &json!("created"))
    );
    let steps = till.history().await;
    assert_eq!(steps[steps.len() - 2..], ["changed", "refund_asked"]);
    // The customer's figures are those of the orders.
    let sql = format!(
        "select (r.order_total_sum = (select sum(o.total_price) from {0}.orders o \
            where o.customer_id = r.shadow_customer_id and o.restaurant_id = r.restaurant_id))::text \
         from {0}.shadow_customer_restaurant r where shadow_customer_id = '{1}' and restaurant_id = '{2}'",
        till.place.schema,
        text(&after["customer_id"]),
        till.place.restaurant.uuid()
    );
    assert_eq!(till.place.kit.texts(&sql).await, ["true"]);
    // Fetched after all: neither fee nor courier's tip; the rest is asked back too.
    let after = till.change("470092", json!({"pickup": true})).await.assert(200).json();
    adds_up(&after);
    assert_eq!((amount(&after["total_price"]), amount(&after["due"])), (5900, -1400));
    assert_eq!(
        (&after["delivery_data"], &after["coord_lat"], &after["pickup"]),
        (&Value::Null, &Value::Null, &json!(true))
    );
    let asked: i64 = after["refunds"].as_array().unwrap().iter().map(|one| amount(&one["amount"])).sum();
    assert_eq!(asked, 1400);
    // Brought after all: it is owed again.
    till.change("470092", json!({"pickup": false})).await.assert_keys(&["delivery_data"]);
    let body = with(at(address("Hosszú út"), 47.05, 19.05), "pickup", json!(false));
    let after = till.change("470092", body).await.assert(200).json();
    adds_up(&after);
    assert_eq!((amount(&after["total_price"]), amount(&after["due"])), (6800, -500));
}

#[testkit::test]
async fn a_free_delivery_stays_free_and_an_amount_stays_at_most_the_fee() {
    let till = Till::changeable("470093").await;
    regions(&till.place, &till.admin, "street_based").await;
    let free = promotion(
        &till.admin,
        json!({"name": "Ingyen", "ranges": [{"price_from": 0, "discount_value": 0, "free_delivery": true}]}),
    )
    .await;
    let id = till.another(delivered(&till.menu, "Fő utca")).await;
    let till = Till { id, ..till };
    let before = till.read().await;
    assert_eq!((amount(&before["delivery_price"]), amount(&before["discount_price"])), (0, 900));
    let anyway = with(address("Hosszú út"), "override_reason", json!("ismerős"));
    let after = till.change("470093", anyway).await.assert(200).json();
    adds_up(&after);
    assert_eq!((amount(&after["total_price"]), amount(&after["discount_price"])), (5900, 1200));
    assert_eq!(after["promotions"][0]["amount"], json!(1200));
    let used = format!(
        "select trim_scale(amount)::text from {}.promotion_use where order_id = '{}'",
        till.place.schema, till.id
    );
    assert_eq!(till.place.kit.texts(&used).await, ["1200"]);
    // Fetched and brought again, it is still free.
    let after = till.change("470093", json!({"pickup": true})).await.assert(200).json();
    adds_up(&after);
    assert_eq!((amount(&after["discount_price"]), amount(&after["total_price"])), (0, 5900));
    let back = with(address("Fő utca"), "pickup", json!(false));
    let after = till.change("470093", back).await.assert(200).json();
    adds_up(&after);
    assert_eq!((amount(&after["discount_price"]), amount(&after["total_price"])), (900, 5900));
    till.admin.delete(&format!("/discounts/{free}")).send().await;
    // Half of goods and delivery: what it took of the fee stays.
    promotion(
        &till.admin,
        json!({"name": "Fele", "ranges": [{"discount_value": 50, "apply_on_options": true, "apply_on_delivery": true}]}),
    )
    .await;
    let id = till.another(delivered(&till.menu, "Fő utca")).await;
    let before = till.admin.get(&format!("/orders/{id}")).send().await.assert(200).json();
    assert_eq!(amount(&before["delivery_price"]), 450, "{before}");
    let anyway = with(address("Hosszú út"), "override_reason", json!("ismerős"));
    let after = change(&till.admin, &id, "470093", anyway).await.assert(200).json();
    adds_up(&after);
    assert_eq!(amount(&after["delivery_price"]), 750);
    assert_eq!(after["items"], before["items"]);
}

#[testkit::test]
async fn a_fee_that_went_back_is_not_asked_again() {
    let till = opened("470094", "street_based").await;
    let fee = json!({"items": [], "delivery": true, "reason": "guest_request"});
    till.admin.post(&format!("/orders/{}/stornos", till.id)).json(fee).send().await.assert(201);
    assert_eq!(amount(&till.read().await["due"]), 5900);
    let anyway = with(address("Hosszú út"), "override_reason", json!("ismerős"));
    let after = till.change("470094", anyway).await.assert(200).json();
    assert_eq!((amount(&after["due"]), &after["delivery_region_name"]), (5900, &json!("Távol")));
    let after = till.change("470094", json!({"pickup": true})).await.assert(200).json();
    assert_eq!((amount(&after["due"]), &after["pickup"]), (5900, &json!(true)));
}

#[testkit::test]
async fn what_is_eaten_here_goes_nowhere() {
    let till = Till::changeable("470095").await;
    let table = with(super::pickup(&till.menu), "table_name", json!("4"));
    let table = with(with(table, "platform", json!("sit_in")), "pickup", json!(false));
    let id = text(&super::order(&till.admin, table).await.assert(201).json()["id"]);
    for (body, key) in [
        (json!({"pickup": true}), "pickup"),
        (address("Fő utca"), "delivery_data"),
        (json!({"delivery_region_id": uuid::Uuid::now_v7()}), "delivery_region_id"),
    ] {
        change(&till.admin, &id, "470095", body).await.assert_keys(&[key]);
    }
    // Nobody needs a phone there.
    change(&till.admin, &id, "470095", json!({"phone_1": null, "first_name": null})).await.assert(200);
}

#[testkit::test]
async fn a_mistake_moves_no_money_twice_and_what_is_owed_again_is_found() {
    let till = opened("470096", "street_based").await;
    till.accept().await;
    let payment = till.pay(json!({"payment_method": "card"})).await.assert(201).json();
    assert!(till.read().await["closed_at"].is_string());
    let fetched = async || till.change("470096", json!({"pickup": true})).await.assert(200).json();
    let brought = async || {
        let back = with(address("Fő utca"), "pickup", json!(false));
        till.change("470096", back).await.assert(200).json()
    };
    let states = |order: &Value| {
        let refunds = order["refunds"].as_array().unwrap().iter();
        let mut states: Vec<String> = refunds.map(|refund| text(&refund["state"])).collect();
        states.sort();
        states
    };
    let after = fetched().await;
    assert_eq!((amount(&after["due"]), states(&after)), (-900, vec!["created".to_owned()]));
    // It was a mistake: nobody may hand the 900 Ft out any more.
    let after = brought().await;
    assert_eq!((amount(&after["due"]), states(&after)), (0, vec!["failed".to_owned()]));
    // Given back by hand while it is asked: not twice.
    fetched().await;
    till.refund(&payment, json!({"amount": 900, "done": true})).await.assert(201);
    let after = till.read().await;
    assert_eq!(
        (amount(&after["due"]), states(&after)),
        (0, ["failed", "failed", "succeeded"].map(Into::into).to_vec())
    );
    // Another message asks for no money.
    let after = till.change("470096", json!({"message": "kapucsengő 3"})).await.assert(200).json();
    assert_eq!(states(&after).len(), 3);
    // A closed order that owes again stands where nobody overlooks it.
    assert_eq!(amount(&brought().await["due"]), 900);
    let sql = format!(
        "update {}.orders set expected_at = now() - interval '1 hour' where id = $1::uuid",
        till.place.schema
    );
    till.place.kit.run(&sql, vec![till.id.clone().into()]).await;
    let drawer = till.admin.get("/drawer").send().await.assert(200).json();
    let unpaid = drawer["unpaid"].as_array().unwrap();
    assert_eq!(unpaid.len(), 1, "{drawer}");
    assert_eq!((&unpaid[0]["order_id"], amount(&unpaid[0]["due"])), (&json!(till.id), 900));
}
