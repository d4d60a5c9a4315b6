//! Orders through HTTP, against a real Postgres.

mod at_once;
mod busy;
mod changing;
mod changing_place;
mod changing_time;
mod collisions;
mod count;
mod counters;
mod coupons;
mod customers;
mod destinations;
mod doors;
mod drawer;
mod emails;
mod escalation;
mod events;
mod fees;
mod geocoded;
mod lists;
mod lives;
mod names;
mod ntak;
mod online;
mod partial_storno;
mod payments;
mod pays_with;
mod phones;
mod placing;
mod preview;
mod previous;
pub mod promotions;
mod ready;
mod reasons;
mod replaced_often;
mod replacing;
mod rules;
mod same_figures;
mod saved_filters;
mod search;
mod sos;
mod staff;
mod storno_reasons;
mod taking_back;
mod try_out;
mod waiting;

use serde_json::{Value, json};
use testkit::{Client, Place};

/// A restaurant with a soup (1,800 Ft) and a pizza in two sizes (2,000 and 3,000 Ft) that takes up to two
/// toppings.
pub struct Menu {
    pub soup: String,
    pub pizza: String,
    pub large_pizza: String,
    pub toppings: String,
    pub cheese: String,
    pub ham: String,
    pub side: String,
    pub rice: String,
    pub soup_product: String,
    pub category: String,
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// Makes that menu through the API.
pub async fn menu(admin: &Client<'_>) -> Menu {
    let make = |path: String, body: Value| {
        let admin = admin.clone();
        async move { admin.post(&path).json(body).send().await.assert(201).json() }
    };
    let category = text(
        &make("/product-categories".into(), json!({"name": "Étlap", "name_sec_lang": "Menu"})).await["id"],
    );
    let group = make(
        "/option-groups".into(),
        json!({"name": "Feltét", "type": "min_max", "min_no_options": 0, "max_no_options": 2}),
    )
    .await;
    let options = format!("/option-groups/{}/options", text(&group["id"]));
    let cheese = make(options.clone(), json!({"name": "Sajt", "price": 300})).await;
    let ham = make(options, json!({"name": "Sonka", "price": 400})).await;
    let side = make("/option-groups".into(), json!({"name": "Köret", "type": "exclusive"})).await;
    let rice = make(format!("/option-groups/{}/options", text(&side["id"])), json!({"name": "Rizs"})).await;
    let products = format!("/product-categories/{category}/products");
    let soup = make(
        products.clone(),
        json!({"name": "Gulyás", "name_sec_lang": "Goulash",
        "subproducts": [{"name": "Adag", "price": 1800}]}),
    )
    .await;
    let groups = json!([group["id"]]);
    let sizes = json!([{"name": "32 cm", "price": 2000, "option_group_ids": groups}, {"name": "45 cm",
        "price": 3000, "option_group_ids": groups}]);
    let pizza = make(products.clone(), json!({"name": "Pizza", "subproducts": sizes})).await;
    Menu {
        soup: text(&soup["subproducts"][0]["id"]),
        pizza: text(&pizza["subproducts"][0]["id"]),
        large_pizza: text(&pizza["subproducts"][1]["id"]),
        toppings: text(&group["id"]),
        cheese: text(&cheese["id"]),
        ham: text(&ham["id"]),
        side: text(&side["id"]),
        rice: text(&rice["id"]),
        soup_product: format!("{products}/{}", text(&soup["id"])),
        category,
    }
}

/// An order to be fetched: two soups and a small pizza with cheese, 5,900 Ft.
pub fn pickup(menu: &Menu) -> Value {
    json!({
        "platform": "browser", "pickup": true, "first_name": "Vendég", "last_name": "Próba",
        "phone_1": "+36 1 555 0100", "payment_method": "cash",
        "items": [
            {"subproduct_id": menu.soup, "quantity": 2, "message": "csípősen"},
            {"subproduct_id": menu.pizza, "quantity": 1, "item_options": [{"option_id": menu.cheese,
                "quantity": 1}]},
        ],
    })
}

pub fn with(mut body: Value, field: &str, value: Value) -> Value {
    body[field] = value;
    body
}

/// Takes these payment methods, besides what is always taken.
pub async fn takes(admin: &Client<'_>, keys: &[&str]) {
    let all = admin.get("/payment-methods").send().await.assert(200).json();
    let chosen =
        all.as_array().unwrap().iter().filter(|one| keys.contains(&one["payment_key"].as_str().unwrap()));
    let ids: Vec<&Value> = chosen.map(|one| &one["id"]).collect();
    assert_eq!(ids.len(), keys.len());
    admin.put("/payment-methods").json(json!({ "payment_method_ids": ids })).send().await.assert(200);
}

/// An admin, the menu and an API key of a new restaurant.
pub async fn prepared(place: &Place<'static>) -> (Client<'static>, Menu, Client<'static>) {
    let admin = place.admin().await;
    let menu = menu(&admin).await;
    let key = place.api_key(&["menu:read", "orders:write", "orders:read"]).await;
    (admin, menu, key)
}

/// A promotion of 20 % in the web shop, with other fields in their place.
pub async fn promotion(admin: &Client<'_>, fields: Value) -> String {
    let mut body = json!({"name": "Ebéd", "discount_type": "discount", "platforms": ["browser"],
        "ranges": [{"discount_value": 20, "apply_on_options": true}]});
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    text(&admin.post("/discounts").json(body).send().await.assert(201).json()["id"])
}

/// The same, for whoever knows the code.
pub async fn coupon(admin: &Client<'_>, code: &str, fields: Value) -> String {
    let mut body = json!({"discount_type": "coupon", "code": code});
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    promotion(admin, body).await
}

pub async fn order(client: &Client<'_>, body: Value) -> testkit::Answer {
    client.post("/public/orders").key(&uuid::Uuid::now_v7().to_string()).json(body).send().await
}

/// The fields of an order that a quote takes too.
pub fn cart(order: &Value) -> Value {
    let mut cart = order.clone();
    for other in
        ["first_name", "last_name", "message", "locale", "total_price", "quoted", "external_id", "is_test"]
    {
        cart.as_object_mut().unwrap().remove(other);
    }
    cart
}

pub async fn quoted(client: &Client<'_>, order: &Value) -> Value {
    client.post("/public/orders/quote").json(cart(order)).send().await.assert(200).json()
}

pub fn amount(value: &Value) -> i64 {
    value.to_string().parse().unwrap_or_else(|_| panic!("{value}"))
}
