//! Delivery regions and the search for an address through HTTP, against a real Postgres.

mod check;
mod copies;
mod geocode;
mod imports;
mod places;
mod polygons;
mod regions;
mod streets;

use serde_json::{Value, json};
use testkit::{Client, Place};

pub const KEYS: &[&str] = &["admin_login", "system_delivery_region"];

/// A region of 500 Ft from 2,000 Ft on, with other fields in their place.
pub async fn region(client: &Client<'_>, name: &str, fields: Value) -> Value {
    let mut body = json!({"name": name, "price": 500, "min_order_price": 2000});
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    client.post("/delivery-regions").json(body).send().await.assert(201).json()
}

pub fn at(region: &Value) -> String {
    format!("/delivery-regions/{}", region["id"].as_str().unwrap())
}

pub async fn street(client: &Client<'_>, region: &Value, fields: Value) -> Value {
    client.post(&format!("{}/streets", at(region))).json(fields).send().await.assert(201).json()
}

/// A square whose corner in the south-west is here, some degrees wide.
pub fn square(lat: f64, lng: f64, size: f64) -> Value {
    let at = |lat: f64, lng: f64| json!({"lat": lat, "lng": lng});
    json!([at(lat, lng), at(lat, lng + size), at(lat + size, lng + size), at(lat + size, lng)])
}

pub async fn polygon(client: &Client<'_>, region: &Value, data: Value) -> Value {
    let body = json!({"delivery_region_id": region["id"], "polygon_type": "polygon", "polygon_data": data});
    client.post("/delivery-regions/polygons").json(body).send().await.assert(201).json()
}

/// How the restaurant finds regions.
pub async fn method(place: &Place<'_>, method: &str) {
    let sql = format!("update {}.restaurant set delivery_method = $2 where id = $1", place.schema);
    place.kit.run(&sql, vec![place.restaurant.into(), method.into()]).await;
}

/// The actions of the audit log about a record, in their order.
pub async fn actions(place: &Place<'_>, record: &Value) -> String {
    let sql = format!(
        "select coalesce(string_agg(action, ',' order by id), '') actions from {}.audit where record_id = $1",
        place.schema
    );
    let id: uuid::Uuid = record["id"].as_str().unwrap().parse().unwrap();
    place.kit.row(&sql, vec![id.into()]).await.try_get("", "actions").unwrap()
}
