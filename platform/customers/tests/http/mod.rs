//! Couriers and customers through HTTP, against a real Postgres.

mod anonymise;
mod by_phone;
mod couriers;
mod editor;
mod import;
mod ledger;
mod lists;
mod lists_alike;
mod merge;

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};
use tenants::AdminSpec;
use testkit::{Call, Client, Place};
use uuid::Uuid;

/// Somebody with a PIN.
pub struct Person<'k>(pub Client<'k>, pub String);

impl<'k> Person<'k> {
    pub fn get(&self, path: &str) -> Call<'k> {
        self.0.get(path).header("x-pin", &self.1)
    }
    pub fn post(&self, path: &str) -> Call<'k> {
        self.0.post(path).header("x-pin", &self.1)
    }
    pub fn put(&self, path: &str) -> Call<'k> {
        self.0.put(path).header("x-pin", &self.1)
    }
    pub fn delete(&self, path: &str) -> Call<'k> {
        self.0.delete(path).header("x-pin", &self.1)
    }

    /// The customers of a list, by name.
    pub async fn names(&self, query: &str) -> Vec<String> {
        let rows = self.get(&format!("/shadow-customers{query}")).send().await.assert(200).json();
        rows.as_array().unwrap().iter().map(|row| text(&row["name"])).collect()
    }

    /// Enters a customer.
    pub async fn enter(&self, fields: Value) -> Value {
        let mut body = json!({"last_name": "Kis", "first_name": "Anna"});
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        self.post("/shadow-customers").json(body).send().await.assert(201).json()
    }
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

pub fn path(customer: &Value) -> String {
    format!("/shadow-customers/{}", text(&customer["id"]))
}

pub fn id(row: &Value) -> Uuid {
    row["id"].as_str().unwrap().parse().unwrap()
}

/// Somebody with a PIN at these restaurants of one partner, or at all of them; with these keys, or all of
/// them.
pub async fn person<'k>(places: &[&Place<'k>], keys: &[&str], whole: bool) -> Person<'k> {
    let place = places[0];
    let admin = AdminSpec {
        email: format!("{}@pult.test", Uuid::now_v7().simple()),
        first_name: "Próba".into(),
        last_name: "Teszt".into(),
        password_hash: None,
        super_admin: false,
        target: Some((
            place.partner,
            (!whole).then(|| places.iter().map(|place| place.restaurant).collect()),
        )),
        permission_keys: keys.iter().map(|key| (*key).to_owned()).collect(),
        full_target_access: keys.is_empty(),
        surfaces: vec!["admin".into()],
    };
    let email = admin.email.clone();
    let (_, _, token) = place.kit.sign_in(admin).await;
    let client = place.nobody().bearer(token);
    let owner = place.partner_admin().await;
    let admins = format!("/api/v3/admin/partners/{}/admins", place.partner);
    let list = owner.get(&format!("{admins}?name={email}")).send().await.assert(200).json();
    let row = list.as_array().unwrap().iter().find(|row| row["email"] == json!(email)).unwrap();
    // A PIN belongs to one person of a restaurant.
    static NEXT: AtomicU32 = AtomicU32::new(471_300);
    let pin = NEXT.fetch_add(1, Ordering::Relaxed).to_string();
    let body = json!({"pin": pin, "has_pin": true});
    owner.put(&format!("{admins}/{}", text(&row["id"]))).json(body).send().await.assert(200);
    Person(client, pin)
}

/// Somebody who may everything at this restaurant.
pub async fn manager<'k>(place: &Place<'k>) -> Person<'k> {
    person(&[place], &[], false).await
}

/// Switches features of a restaurant off; a new one has all.
pub async fn without(place: &Place<'_>, features: &[&str]) {
    for feature in features {
        let sql = format!(
            "delete from {}.restaurant_feature where restaurant_id = $1 and feature = $2",
            place.schema
        );
        place.kit.run(&sql, vec![place.restaurant.into(), (*feature).into()]).await;
    }
}

/// Switches balance and points on again.
pub async fn with_features(place: &Place<'_>) {
    let sql = format!(
        "insert into {}.restaurant_feature (restaurant_id, feature) values ($1, 'balance'), ($1, 'loyalty')",
        place.schema
    );
    place.kit.run(&sql, vec![place.restaurant.into()]).await;
}

/// A size of 2,000 Ft.
pub async fn soup(place: &Place<'_>) -> String {
    let admin = place.admin().await;
    let category =
        admin.post("/product-categories").json(json!({"name": "Levesek"})).send().await.assert(201).json();
    let products = format!("/product-categories/{}/products", text(&category["id"]));
    let body = json!({"name": "Gulyás", "subproducts": [{"name": "Adag", "price": 2000}]});
    let product = admin.post(&products).json(body).send().await.assert(201).json();
    text(&product["subproducts"][0]["id"])
}

/// An order of one soup that staff take, with other fields in their place.
pub async fn order(place: &Place<'_>, soup: &str, fields: Value) -> Value {
    let mut body = json!({"platform": "phone", "pickup": true, "first_name": "Béla", "last_name": "Nagy",
        "phone_1": "06 30 555 0100", "items": [{"subproduct_id": soup, "quantity": 1}]});
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    place.admin().await.post("/public/orders").json(body).send().await.assert(201).json()
}

/// Where an order is delivered.
pub fn address(street: &str) -> Value {
    json!({"postcode": "1111", "city": "Budapest", "street": street, "premise_number": "1"})
}

/// Ends an order: accepted and ready.
pub async fn finish(place: &Place<'_>, order: &Value) {
    let admin = place.admin().await;
    let path = format!("/orders/{}", text(&order["id"]));
    admin.put(&format!("{path}/accept")).json(json!({})).send().await.assert(200);
    admin.put(&format!("{path}/prepared")).json(json!({})).send().await.assert(200);
}
