//! Promotions through HTTP and as orders use them, against a real Postgres.

mod drafts;
mod editing;
mod pages;
mod scope;
mod series;
mod usages;
mod uses;

use serde_json::{Value, json};
use tenants::{AdminSpec, PlatformProof, TenantTx};
use testkit::{Client, Place};
use uuid::Uuid;

/// A discount of 20 % in the web shop, with other fields in their place.
pub fn discount(fields: Value) -> Value {
    let mut body = json!({"name": "Ebéd", "discount_type": "discount", "platforms": ["browser"],
        "ranges": [{"discount_value": 20}]});
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    body
}

/// Adds a promotion.
pub async fn make(client: &Client<'_>, fields: Value) -> Value {
    client.post("/discounts").json(discount(fields)).send().await.assert(201).json()
}

pub fn path(row: &Value) -> String {
    format!("/discounts/{}", row["id"].as_str().unwrap())
}

pub fn id(row: &Value) -> Uuid {
    row["id"].as_str().unwrap().parse().unwrap()
}

/// A category with one product of one size.
pub struct Menu {
    pub category: Value,
    pub product: String,
    pub size: Value,
}

pub async fn menu(admin: &Client<'_>) -> Menu {
    let category =
        admin.post("/product-categories").json(json!({"name": "Pizzák"})).send().await.assert(201).json();
    let products = format!("/product-categories/{}/products", category["id"].as_str().unwrap());
    let body = json!({"name": "Margherita", "subproducts": [{"name": "32 cm", "price": 2500}]});
    let product = admin.post(&products).json(body).send().await.assert(201).json();
    Menu {
        category: category["id"].clone(),
        product: format!("{products}/{}", product["id"].as_str().unwrap()),
        size: product["subproducts"][0]["id"].clone(),
    }
}

/// A unit of work in the partner's data, as orders have one.
pub async fn begin(place: &Place<'_>) -> TenantTx {
    let begun = place.kit.app.door.begin_job(&PlatformProof::runner(), place.partner).await;
    begun.unwrap().expect("a partner")
}

/// An admin of some restaurants of one partner who may everything there.
pub async fn admin_of<'k>(places: &[&Place<'k>]) -> Client<'k> {
    let admin = AdminSpec {
        email: format!("{}@pult.test", Uuid::now_v7().simple()),
        first_name: "Próba".into(),
        last_name: "Teszt".into(),
        password_hash: None,
        super_admin: false,
        target: Some((places[0].partner, Some(places.iter().map(|place| place.restaurant).collect()))),
        permission_keys: vec![],
        full_target_access: true,
        surfaces: vec!["admin".into()],
    };
    let (_, _, token) = places[0].kit.sign_in(admin).await;
    places[0].nobody().bearer(token)
}

/// Somebody with these keys and a PIN; the whole partner's if `whole`.
pub async fn with_pin<'k>(place: &Place<'k>, whole: bool, pin: &str) -> Client<'k> {
    let owner = place.partner_admin().await;
    let mut body = json!({"email": format!("{}@pult.test", Uuid::now_v7().simple()), "name": "Kovács Éva",
        "password": "szilvásgombóc", "password_again": "szilvásgombóc", "full_target_access": true,
        "surfaces": ["admin"], "pin": pin, "has_pin": true});
    body["target_type"] = json!(if whole { "Partner" } else { "Restaurant" });
    if !whole {
        body["restaurant_ids"] = json!([place.restaurant]);
    }
    let admins = format!("/api/v3/admin/partners/{}/admins", place.partner);
    let made = owner.post(&admins).json(body).send().await.assert(201).json();
    let sql = "select account_id from control.admin where id = $1";
    let account: Uuid = place.kit.row(sql, vec![id(&made).into()]).await.try_get("", "account_id").unwrap();
    let session = Uuid::now_v7();
    let sql = "insert into control.session (id, account_id, surface, second_factor, expires_at, partner_id, \
        held) values ($1, $2, 'admin', false, now() + interval '1 day', $3, true)";
    place.kit.run(sql, vec![session.into(), account.into(), place.partner.into()]).await;
    let token = place.kit.app.tokens.issue(account.into(), session).unwrap();
    place.nobody().bearer(token)
}

/// A customer who was entered at this restaurant.
pub async fn customer(place: &Place<'_>, name: &str) -> Uuid {
    let (id, schema) = (Uuid::now_v7(), &place.schema);
    let sql = format!(
        "with c as (insert into {schema}.shadow_customer (id, last_name, first_name) values ($1, $3, 'Anna') \
         returning id) insert into {schema}.shadow_customer_restaurant (shadow_customer_id, restaurant_id) \
         select id, $2 from c"
    );
    place.kit.run(&sql, vec![id.into(), place.restaurant.into(), name.into()]).await;
    id
}
