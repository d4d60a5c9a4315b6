//! The catalogue through HTTP, against a real Postgres.

mod categories;
mod choosing;
mod components;
mod copies;
mod depots;
mod external_ids;
mod group_sizes;
mod health;
mod menu;
mod moves;
mod ntak;
mod options;
mod ordering;
mod pictures;
mod preview;
mod products;
mod quantities;
mod reference;
mod repeats;
mod rights;
mod suggestions;
mod together;
mod vats;

use serde_json::{Value, json};
use testkit::{Client, Place};

/// The VAT rates of the reference data: their ids end in the percent.
pub const VAT_27: &str = "00000000-0000-7000-8000-00000000011b";
pub const VAT_18: &str = "00000000-0000-7000-8000-000000000112";
pub const VAT_5: &str = "00000000-0000-7000-8000-000000000105";
pub const GLUTEN: &str = "00000000-0000-7000-8000-000000000201";
pub const MILK: &str = "00000000-0000-7000-8000-000000000207";
pub const SAGE: &str = "00000000-0000-7000-8000-000000000301";
pub const NOBODY: &str = "00000000-0000-7000-8000-0000000000ff";

pub fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

pub fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect()
}

/// Makes a row through the API.
pub async fn make(admin: &Client<'_>, path: &str, body: Value) -> Value {
    admin.post(path).json(body).send().await.assert(201).json()
}

/// A category; its id.
pub async fn category(admin: &Client<'_>, name: &str, parent: Option<&str>) -> String {
    text(&make(admin, "/product-categories", json!({"name": name, "parent_id": parent})).await["id"])
}

/// A product with one size; the whole row.
pub async fn product(admin: &Client<'_>, category: &str, name: &str, price: i64) -> Value {
    make(
        admin,
        &format!("/product-categories/{category}/products"),
        json!({"name": name, "base_price": price}),
    )
    .await
}

pub fn path(product: &Value) -> String {
    format!(
        "/product-categories/{}/products/{}",
        product["product_category_id"].as_str().unwrap(),
        product["id"].as_str().unwrap()
    )
}

/// The version of what guests see.
pub async fn version(place: &Place<'_>) -> i64 {
    let sql = format!("select catalogue_version n from {}.restaurant where id = $1", place.schema);
    place.kit.row(&sql, vec![place.restaurant.into()]).await.try_get("", "n").unwrap()
}

/// The newest line of the audit log of the restaurant, with its details.
pub async fn audited(place: &Place<'_>) -> (String, Value) {
    let sql = format!(
        "select a.action, d.details from {schema}.audit a join {schema}.audit_detail d on d.audit_id = a.id \
         where a.restaurant_id = $1 order by a.id desc limit 1",
        schema = place.schema
    );
    let row = place.kit.row(&sql, vec![place.restaurant.into()]).await;
    (row.try_get("", "action").unwrap(), row.try_get("", "details").unwrap())
}
