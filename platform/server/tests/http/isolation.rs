//! Security 1: every operation of a restaurant, walked with somebody else's ids and without a right to be there.

use std::collections::BTreeMap;

use poem::http::Method;
use serde_json::{Value, json};
use server::document;
use testkit::{Client, Place, kit};
use uuid::Uuid;

use crate::{operations, strings};

const RESTAURANT: &str = "/api/v3/admin/partners/{partner_id}/restaurants/{restaurant_id}";
const PUBLIC: &str = "/api/v3/partners/{partner_id}/restaurants/{restaurant_id}";

/// The smallest body that fits a schema.
fn sample(document: &Value, schema: &Value) -> Value {
    let schema = schema["allOf"].get(0).unwrap_or(schema);
    if let Some(name) = schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/components/schemas/")) {
        return sample(document, &document["components"]["schemas"][name]);
    }
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    match schema["type"].as_str().unwrap_or_default() {
        "object" => {
            let required = strings(&schema["required"]);
            let fields = required.into_iter().map(|name| {
                let value = sample(document, &schema["properties"][&name]);
                (name, value)
            });
            Value::Object(fields.collect())
        }
        "array" => {
            let least = schema["minItems"].as_u64().unwrap_or(0);
            (0..least).map(|_| sample(document, &schema["items"])).collect()
        }
        "integer" | "number" => schema.get("minimum").cloned().filter(|least| least.as_f64().is_some_and(|least| least > 0.0)).unwrap_or(json!(1)),
        "boolean" => json!(true),
        _ => match schema["format"].as_str() {
            Some("uuid") => json!(Uuid::now_v7()),
            Some("date-time") => json!("2026-01-01T10:00:00Z"),
            Some("date") => json!("2026-01-01"),
            _ if schema["pattern"].is_string() => json!("10:00"),
            _ => json!("minta"),
        },
    }
}

fn body(document: &Value, operation: &Value) -> Option<Value> {
    let content = operation["requestBody"]["content"].as_object()?;
    Some(sample(document, &content.values().next()?["schema"]))
}

/// Fills the variables of a path: the place, then each further id from `ids` by the segment before it.
fn fill(path: &str, place: (&str, &str), ids: &BTreeMap<String, String>) -> String {
    let mut filled = Vec::new();
    for part in path.split('/') {
        filled.push(match part {
            "{partner_id}" => place.0.to_owned(),
            "{restaurant_id}" => place.1.to_owned(),
            part if part.starts_with('{') => {
                let before: &String = filled.last().expect("a segment before the id");
                ids.get(before).cloned().unwrap_or_else(|| Uuid::now_v7().to_string())
            }
            part => part.to_owned(),
        });
    }
    filled.join("/")
}

async fn status(client: &Client<'_>, method: &str, path: &str, body: Option<Value>) -> (u16, String) {
    let call = client.call(method.parse::<Method>().unwrap(), path);
    let call = match body {
        Some(body) => call.json(body).key(&Uuid::now_v7().to_string()),
        None => call,
    };
    let answer = call.send().await;
    let code = if answer.status >= 400 { answer.json()["code"].as_str().unwrap_or_default().to_owned() } else { String::new() };
    (answer.status, code)
}

/// One row of each kind in a restaurant, by the path segment that stands before its id.
async fn rows(place: &Place<'_>) -> BTreeMap<String, String> {
    let admin = place.admin().await;
    let make = |path: &'static str, body: Value| {
        let admin = admin.clone();
        async move { admin.post(path).json(body).send().await.assert(201).json()["id"].as_str().unwrap().to_owned() }
    };
    let category = make("/product-categories", json!({"name": "Levesek"})).await;
    let product = admin
        .post(&format!("/product-categories/{category}/products"))
        .json(json!({"name": "Gulyás", "subproducts": [{"name": "Adag", "price": 1800}]}))
        .send()
        .await
        .assert(201)
        .json();
    let group = make("/option-groups", json!({"name": "Köret", "type": "inclusive"})).await;
    let option = admin.post(&format!("/option-groups/{group}/options")).json(json!({"name": "Rizs"})).send().await.assert(201).json();
    let courier = make("/couriers", json!({"first_name": "Pál", "last_name": "Futár"})).await;
    let key = make("/api-keys", json!({"name": "kulcs"})).await;
    let order = json!({
        "platform": "phone", "pickup": true, "last_name": "Vendég", "phone_1": "+36 1 555 0100",
        "items": [{"subproduct_id": product["subproducts"][0]["id"], "quantity": 1}],
    });
    let order = admin.post("/public/orders").json(order).send().await.assert(201).json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    [
        ("product-categories", category),
        ("products", text(&product["id"])),
        ("option-groups", group),
        ("options", text(&option["id"])),
        ("couriers", courier),
        ("api-keys", key),
        ("orders", text(&order["id"])),
    ]
    .map(|(segment, id)| (segment.to_owned(), id))
    .into()
}

#[tokio::test]
async fn nobody_without_a_right_to_be_there_gets_in() {
    let kit = kit().await;
    let (mine, sibling, stranger) = (kit.restaurant().await, kit.restaurant().await, kit.stranger().await);
    let (admin, nobody, useless) = (mine.admin().await, mine.nobody(), mine.with_keys(&[]).await);
    let document = document::whole();
    for (method, path, operation) in operations(&document) {
        let name = format!("{method} {path}");
        let permissions = strings(&operation["x-permission"]);
        if permissions == ["public"] {
            continue;
        }
        let body = body(&document, &operation);
        let none = BTreeMap::new();
        let at = |place: &Place<'_>| fill(&path, (&place.partner.to_string(), &place.restaurant.to_string()), &none);
        assert_eq!(status(&nobody, &method, &at(&mine), body.clone()).await, (401, "USER_LOGIN_REQUIRED".into()), "{name}");
        if path.starts_with(RESTAURANT) || path.starts_with(PUBLIC) {
            for place in [&sibling, &stranger] {
                assert_eq!(status(&admin, &method, &at(place), body.clone()).await, (404, "RESTAURANT_NOT_EXIST".into()), "{name}");
            }
        }
        let open = permissions == ["no_perm_required"];
        if !(open || path.contains("{partner_id}") && permissions == ["super_admin"]) {
            assert_eq!(status(&useless, &method, &at(&mine), body.clone()).await, (403, "USER_PERMISSION_REQUIRED".into()), "{name}");
        }
    }
}

#[tokio::test]
async fn what_belongs_to_somebody_else_does_not_exist() {
    let kit = kit().await;
    let (mine, sibling, stranger) = (kit.restaurant().await, kit.restaurant().await, kit.stranger().await);
    let own = rows(&mine).await;
    let foreign = [rows(&sibling).await, rows(&stranger).await, BTreeMap::new()];
    let admin = mine.admin().await;
    let document = document::whole();
    let here = (mine.partner.to_string(), mine.restaurant.to_string());
    let mut walked = 0;
    for (method, path, operation) in operations(&document) {
        let below = path.strip_prefix(RESTAURANT).or_else(|| path.strip_prefix(PUBLIC));
        let Some(below) = below.filter(|below| below.contains('{')) else { continue };
        walked += 1;
        let name = format!("{method} {path}");
        let body = body(&document, &operation);
        for ids in &foreign {
            let filled = fill(&path, (&here.0, &here.1), ids);
            let (status, code) = status(&admin, &method, &filled, body.clone()).await;
            assert!(status == 404 && code.ends_with("_NOT_EXIST"), "{name} with a foreign id: {status} {code}");
        }
        // Where an id stands below another, each of the two is tried alone.
        if below.matches('{').count() == 2 {
            let segments: Vec<&str> = below.split('/').filter(|part| !part.is_empty() && !part.starts_with('{')).collect();
            for at in 0..2 {
                let mut mixed = own.clone();
                mixed.insert(segments[at].to_owned(), foreign[0][segments[at]].clone());
                let filled = fill(&path, (&here.0, &here.1), &mixed);
                let (status, code) = status(&admin, &method, &filled, body.clone()).await;
                assert!(status == 404 && code.ends_with("_NOT_EXIST"), "{name} with a foreign {}: {status} {code}", segments[at]);
            }
        }
    }
    assert!(walked > 20, "only {walked} operations have an id");
    // Nothing of the strangers has changed.
    for (place, before) in [(&sibling, &foreign[0]), (&stranger, &foreign[1])] {
        let courier = place.admin().await.get(&format!("/couriers/{}", before["couriers"])).send().await;
        courier.assert(200);
        assert_eq!((place.count("product").await, place.count("orders").await), (1, 1));
    }
}
