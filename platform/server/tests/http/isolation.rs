//! Isolation: every operation of a restaurant is called with ids of others and without a right to be there.
//! See `docs/decisions/security.md#isolation`.

use std::collections::BTreeMap;

use poem::{Endpoint, Request, http::Method};
use serde_json::{Value, json};
use server::document;
use testkit::{Client, Place, kit, operation};
use uuid::Uuid;

use super::{
    operations,
    samples::{body, references, with},
    strings,
};

const RESTAURANT: &str = "/api/v3/admin/partners/{partner_id}/restaurants/{restaurant_id}";
const PARTNER: &str = "/api/v3/admin/partners/{partner_id}";
const PUBLIC: &str = "/api/v3/partners/{partner_id}/restaurants/{restaurant_id}";

/// Fills the variables of a path: the place, then each further id from `ids` by the segment before it.
pub(crate) fn fill(path: &str, place: (&str, &str), ids: &BTreeMap<String, String>) -> String {
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

const FORM: &str = "multipart/form-data; boundary=b";

/// Whether the operation takes a form and no JSON.
fn takes_form(method: &str, path: &str) -> bool {
    let operation = operation(&method.parse().unwrap(), path.split('?').next().unwrap_or_default());
    operation.is_some_and(|operation| {
        operation["requestBody"]["content"]
            .as_object()
            .is_some_and(|content| content.len() == 1 && content.contains_key("multipart/form-data"))
    })
}

fn picture() -> Vec<u8> {
    const PNG: &str = "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8dfe00000044101c00cd1ed910000000049454e44ae426082";
    let bytes = (0..PNG.len()).step_by(2).map(|at| u8::from_str_radix(&PNG[at..at + 2], 16).unwrap());
    let head = "--b\r\nContent-Disposition: form-data; \
        name=\"name\"\r\n\r\nKép\r\n--b\r\nContent-Disposition: form-data; name=\"image\"; \
        filename=\"a\"\r\n\r\n";
    head.bytes().chain(bytes).chain("\r\n--b--\r\n".bytes()).collect()
}

async fn status(client: &Client<'_>, method: &str, path: &str, body: Option<Value>) -> (u16, String) {
    let call = client.call(method.parse::<Method>().unwrap(), path);
    let call = match body {
        Some(_) if takes_form(method, path) => call.header("content-type", FORM).raw("--b--\r\n"),
        Some(body) => call.json(body).key(&Uuid::now_v7().to_string()),
        None => call,
    };
    let answer = call.send().await;
    let code = if answer.status >= 400 {
        answer.json()["code"].as_str().unwrap_or_default().to_owned()
    } else {
        String::new()
    };
    (answer.status, code)
}

/// Ids by the path segment that stands before them.
pub(crate) type Rows = BTreeMap<String, String>;

/// A customer with an address, both known here alone, and the features that calls about customers need.
/// Through
/// the API it needs a PIN.
async fn customer(place: &Place<'_>) -> (Uuid, Uuid) {
    let (schema, customer, address) = (&place.schema, Uuid::now_v7(), Uuid::now_v7());
    let made = format!("insert into {schema}.shadow_customer (id, last_name) values ($1, 'Vendég')");
    place.kit.run(&made, vec![customer.into()]).await;
    let here = format!(
        "insert into {schema}.shadow_customer_restaurant (shadow_customer_id, restaurant_id) values ($1, $2)"
    );
    place.kit.run(&here, vec![customer.into(), place.restaurant.into()]).await;
    let lives = format!(
        "insert into {schema}.shadow_customer_address (id, shadow_customer_id, city, street, premise_number) \
         values ($1, $2, 'Pécs', 'Fő utca', '1')"
    );
    place.kit.run(&lives, vec![address.into(), customer.into()]).await;
    let features = format!(
        "insert into {schema}.restaurant_feature (restaurant_id, feature) \
         select $1, unnest(array['balance', 'loyalty']) on conflict do nothing"
    );
    place.kit.run(&features, vec![place.restaurant.into()]).await;
    (customer, address)
}

/// A customer named with a promotion. Through the API it needs a PIN.
async fn usage(place: &Place<'_>, discount: &str, customer: Uuid) -> String {
    let (schema, usage) = (&place.schema, Uuid::now_v7());
    let named = format!(
        "insert into {schema}.discount_usage (id, discount_id, shadow_customer_id) values ($1, $2, $3)"
    );
    let discount: Uuid = discount.parse().unwrap();
    place.kit.run(&named, vec![usage.into(), discount.into(), customer.into()]).await;
    usage.to_string()
}

/// One row of each kind in a restaurant.
pub(crate) async fn rows(place: &Place<'_>) -> Rows {
    let admin = place.admin().await;
    let make = |path: &'static str, body: Value| {
        let admin = admin.clone();
        async move {
            admin.post(path).json(body).send().await.assert(201).json()["id"].as_str().unwrap().to_owned()
        }
    };
    let category = make("/product-categories", json!({"name": "Levesek"})).await;
    let product = admin
        .post(&format!("/product-categories/{category}/products"))
        .json(json!({"name": "Gulyás", "subproducts": [{"name": "Adag", "price": 1800}]}))
        .send()
        .await
        .assert(201)
        .json();
    let featured = make("/featured-products", json!({"product_id": product["id"]})).await;
    let upsell = make("/product-category-upsells", json!({"suggested_category_id": category})).await;
    let rows = json!([{"level": "category", "id": category, "ntak_quantity_unit": "portion"}]);
    let ntak = make("/ntak-changes", json!({"rows": rows})).await;
    // Beer below the standard rate is what a mend is for.
    let beer =
        json!({"name": "Világos sör", "base_price": 900, "vat_id": "00000000-0000-7000-8000-000000000105"});
    let beer = admin.post(&format!("/product-categories/{category}/products")).json(beer).send().await;
    let beer = beer.assert(201).json()["id"].clone();
    let health = admin.get("/menu/health?rule=alcohol_vat").send().await.assert(200).json();
    let body =
        json!({"rule": "alcohol_vat", "catalogue_version": health["catalogue_version"], "ids": [beer]});
    let mend = make("/menu-mends", body).await;
    let group = make("/option-groups", json!({"name": "Köret", "type": "inclusive"})).await;
    let option = admin
        .post(&format!("/option-groups/{group}/options"))
        .json(json!({"name": "Rizs"}))
        .send()
        .await
        .assert(201)
        .json();
    let courier = make("/couriers", json!({"first_name": "Pál", "last_name": "Futár"})).await;
    let key = make("/api-keys", json!({"name": "kulcs"})).await;
    let kiosk = make("/kiosks", json!({"name": "Bejárat"})).await;
    let scheme = make("/terminal-schemes", json!({"terminal_id": "T-1", "restaurant_kiosk_id": kiosk})).await;
    let account = json!({"barion": {"email": "bolt@minta.example"}});
    admin.put("/payment-methods").json(account).send().await.assert(200);
    let accounts = admin.get("/payment-methods/provider-accounts").send().await.assert(200).json();
    let tv = make("/restaurant-tvs", json!({"name": "Pult felett"})).await;
    let device = admin
        .post("/devices")
        .json(json!({"name": "Kijelző", "kind": "kiosk", "restaurant_kiosk_id": kiosk}))
        .send()
        .await
        .assert(201)
        .json();
    let push = json!({"scheduled_at": "2099-01-01T00:00:00Z", "notification_title": "Ma",
        "notification_body": "Pizza"});
    let push = make("/push-notifications", push).await;
    let phone = make(
        "/public/push-devices",
        json!({"token": Uuid::now_v7().simple().to_string(), "platform": "web"}),
    )
    .await;
    let person = make(
        "/admins",
        json!({"email": format!("{}@pult.test", Uuid::now_v7().simple()), "name": "Minta Anna"}),
    )
    .await;
    let order = json!({
        "platform": "phone", "pickup": true, "last_name": "Vendég", "phone_1": "+36 1 555 0100",
        "items": [{"subproduct_id": product["subproducts"][0]["id"], "quantity": 1}],
    });
    let order = admin.post("/public/orders").json(order).send().await.assert(201).json();
    let image =
        admin.post("/images").header("content-type", FORM).raw(picture()).send().await.assert(201).json();
    let discount = json!({"name": "Ebéd", "discount_type": "discount", "platforms": ["browser"],
        "locked_customers": true, "ranges": [{}]});
    let discount = make("/discounts", discount).await;
    let region = json!({"name": "Belváros", "price": 500, "min_order_price": 0});
    let region = make("/delivery-regions", region).await;
    let streets = format!("/delivery-regions/{region}/streets");
    let street = admin.post(&streets).json(json!({"name": "Fő utca"})).send().await.assert(201).json();
    let circle = json!({"center_lat": 47.0, "center_lng": 19.0, "radius": 1000});
    let circle = json!({"delivery_region_id": region, "polygon_type": "circle", "polygon_data": circle});
    let polygon = make("/delivery-regions/polygons", circle).await;
    let filter = make("/order-filters", json!({"name": "Mai", "filter": {}})).await;
    let reason = make("/storno-reasons", json!({"name": "Elfogyott"})).await;
    let (customer, address) = customer(place).await;
    let usage = usage(place, &discount, customer).await;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    [
        ("storno-reasons", reason),
        ("discounts", discount),
        ("usages", usage),
        ("delivery-regions", region),
        ("streets", text(&street["id"])),
        ("polygons", polygon),
        ("shadow-customers", customer.to_string()),
        ("addresses", address.to_string()),
        ("product-categories", category),
        ("catalogue-changes", text(&product["id"])),
        ("products", text(&product["id"])),
        ("sellable-quantities", text(&product["subproducts"][0]["id"])),
        ("featured-products", featured),
        ("product-category-upsells", upsell),
        ("ntak-changes", ntak),
        ("menu-mends", mend),
        ("option-groups", group),
        ("options", text(&option["id"])),
        ("couriers", courier),
        ("api-keys", key),
        ("kiosks", kiosk),
        ("provider-accounts", text(&accounts[0]["id"])),
        ("terminal-schemes", scheme),
        ("restaurant-tvs", tv),
        ("devices", text(&device["id"])),
        ("push-notifications", push),
        ("push-devices", phone),
        ("admins", person),
        ("images", text(&image["id"])),
        ("orders", text(&order["id"])),
        ("order-filters", filter),
    ]
    .map(|(segment, id)| (segment.to_owned(), id))
    .into()
}

#[testkit::test]
async fn nobody_without_a_right_to_be_there_gets_in() {
    let kit = kit().await;
    let (mine, sibling, stranger) = (kit.restaurant().await, kit.restaurant().await, kit.stranger().await);
    let (admin, nobody, useless) = (mine.admin().await, mine.nobody(), mine.with_keys(&[]).await);
    let document = document::full();
    for (method, path, operation) in operations(&document) {
        let name = format!("{method} {path}");
        let permissions = strings(&operation["x-permission"]);
        if permissions == ["public"] {
            continue;
        }
        let body = body(&document, &operation);
        let none = BTreeMap::new();
        let at = |place: &Place<'_>| {
            fill(&path, (&place.partner.to_string(), &place.restaurant.to_string()), &none)
        };
        assert_eq!(
            status(&nobody, &method, &at(&mine), body.clone()).await,
            (401, "USER_LOGIN_REQUIRED".into()),
            "{name}"
        );
        if path.starts_with(RESTAURANT) || path.starts_with(PUBLIC) {
            for place in [&sibling, &stranger] {
                assert_eq!(
                    status(&admin, &method, &at(place), body.clone()).await,
                    (404, "RESTAURANT_NOT_EXIST".into()),
                    "{name}"
                );
            }
        } else if path.starts_with(PARTNER) {
            assert_eq!(
                status(&admin, &method, &at(&stranger), body.clone()).await,
                (404, "PARTNER_NOT_EXIST".into()),
                "{name}"
            );
        }
        for short in strings(&operation["x-short-path"]) {
            let filled = fill(short.split('?').next().unwrap(), ("", ""), &none);
            let at = |client: &Client<'static>, target: String| client.clone().header("x-target", target);
            let named = |place: &Place<'_>| {
                if path.starts_with(RESTAURANT) {
                    place.restaurant.to_string()
                } else {
                    place.partner.to_string()
                }
            };
            let refused = status(&at(&nobody, named(&mine)), &method, &filled, body.clone()).await;
            assert_eq!(refused, (401, "USER_LOGIN_REQUIRED".into()), "{method} {short}");
            // A foreign place is answered as an unknown one is, of which nobody can say whether it is a
            // partner.
            let unknown =
                status(&at(&admin, Uuid::now_v7().to_string()), &method, &filled, body.clone()).await;
            assert!(
                unknown.0 == 404
                    && ["RESTAURANT_NOT_EXIST", "PARTNER_NOT_EXIST"].contains(&unknown.1.as_str()),
                "{method} {short}: {unknown:?}"
            );
            let others: &[&Place<'_>] =
                if path.starts_with(RESTAURANT) { &[&sibling, &stranger] } else { &[&stranger] };
            for place in others {
                assert_eq!(
                    status(&at(&admin, named(place)), &method, &filled, body.clone()).await,
                    unknown,
                    "{method} {short}"
                );
            }
        }
        let open = permissions == ["no_perm_required"];
        if !(open || path.contains("{partner_id}") && permissions == ["super_admin"]) {
            assert_eq!(
                status(&useless, &method, &at(&mine), body.clone()).await,
                (403, "USER_PERMISSION_REQUIRED".into()),
                "{name}"
            );
        }
    }
}

/// What a walk over the document found: how many positions of ids there are, and what was answered otherwise
/// than it should.
#[derive(Default)]
pub(crate) struct Walk {
    pub walked: usize,
    pub faults: Vec<String>,
}

impl Walk {
    fn look(&mut self, sound: bool, fault: impl FnOnce() -> String) {
        if !sound {
            self.faults.push(fault());
        }
    }

    #[track_caller]
    fn assert(&self, least: usize) {
        assert!(self.walked >= least, "only {} positions have an id", self.walked);
        assert!(self.faults.is_empty(), "{:#?}", self.faults);
    }
}

/// Ids in paths: a foreign one is answered as an unknown one is, with 404. `foreign` ends with nothing, for
/// unknown ids.
pub(crate) async fn paths(
    document: &Value, admin: &Client<'_>, here: &Place<'_>, own: &Rows, foreign: &[Rows],
) -> Walk {
    let here = (here.partner.to_string(), here.restaurant.to_string());
    let mut walk = Walk::default();
    for (method, path, operation) in operations(document) {
        let below = path.strip_prefix(RESTAURANT).or_else(|| path.strip_prefix(PUBLIC));
        let Some(below) = below.filter(|below| below.contains('{')) else { continue };
        walk.walked += 1;
        let name = format!("{method} {path}");
        let body = body(document, &operation);
        let mut answers = Vec::new();
        for ids in foreign {
            let (status, code) =
                status(admin, &method, &fill(&path, (&here.0, &here.1), ids), body.clone()).await;
            walk.look(status == 404 && code.ends_with("_NOT_EXIST"), || {
                format!("{name} with a foreign id: {status} {code}")
            });
            answers.push((status, code));
        }
        walk.look(answers.windows(2).all(|two| two[0] == two[1]), || {
            format!("{name} tells foreign ids from unknown ones: {answers:?}")
        });
        // Where an id stands below another, each of the two is tried alone.
        if below.matches('{').count() == 2 {
            let segments: Vec<&str> =
                below.split('/').filter(|part| !part.is_empty() && !part.starts_with('{')).collect();
            for segment in &segments[..2] {
                let mut mixed = own.clone();
                mixed.insert((*segment).to_owned(), foreign[0][*segment].clone());
                let (status, code) =
                    status(admin, &method, &fill(&path, (&here.0, &here.1), &mixed), body.clone()).await;
                walk.look(status == 404 && code.ends_with("_NOT_EXIST"), || {
                    format!("{name} with a foreign {segment}: {status} {code}")
                });
            }
        }
    }
    walk
}

/// Ids in queries: a foreign one finds what an unknown one finds.
pub(crate) async fn queries(
    document: &Value, admin: &Client<'_>, here: &Place<'_>, own: &Rows, foreign: &[Rows],
) -> Walk {
    let place = (here.partner.to_string(), here.restaurant.to_string());
    let mut walk = Walk::default();
    for (method, path, operation) in operations(document) {
        if !path.starts_with(PARTNER) && !path.starts_with(PUBLIC) {
            continue;
        }
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        for parameter in
            parameters.iter().filter(|one| one["in"] == "query" && one["schema"]["format"] == "uuid")
        {
            walk.walked += 1;
            let (filled, field) =
                (fill(&path, (&place.0, &place.1), own), parameter["name"].as_str().unwrap());
            let ask = async |id: &str| {
                let answer = admin
                    .call(method.parse::<Method>().unwrap(), &format!("{filled}?{field}={id}"))
                    .send()
                    .await;
                let mut body = answer.json();
                body.as_object_mut().map(|problem| problem.remove("request_id"));
                (answer.status, answer.header("x-total-count").map(str::to_owned), body)
            };
            let unknown = ask(&Uuid::now_v7().to_string()).await;
            let kind = parameter["schema"]["x-ref"].as_str().map(|kind| kind.replace('_', "-"));
            for (segment, id) in foreign
                .iter()
                .flatten()
                .filter(|(segment, _)| kind.as_ref().is_none_or(|kind| kind == *segment))
            {
                let answer = ask(id).await;
                walk.look(answer == unknown, || {
                    format!(
                        "{method} {path}?{field} with a foreign id of \
                    {segment}: {answer:?}, unknown: {unknown:?}"
                    )
                });
            }
        }
    }
    walk
}

/// All that a place has, by table: sums over the rows of the partner's schema (of a restaurant's rows alone,
/// if not the `whole` partner is looked at) and over those of the directory. What others' background work may
/// touch is left out.
pub(crate) async fn checksum(place: &Place<'_>, whole: bool) -> BTreeMap<String, String> {
    let column = if whole { "id" } else { "restaurant_id" };
    let tables = format!(
        "select distinct table_schema || '.' || table_name from information_schema.columns \
         where table_schema = '{}' and ('{column}' = 'id' or column_name = '{column}') and table_name not \
         in ('audit_seal', 'record_name', 'courier_name') \
         union select table_schema || '.' || table_name from information_schema.columns \
         join information_schema.tables using (table_schema, table_name) \
         where '{column}' = 'id' and table_schema = 'control' and column_name = 'partner_id' \
         and table_type = 'BASE TABLE' and table_name not in ('job', 'audit_head')",
        place.schema
    );
    let mut sums = BTreeMap::new();
    for table in place.kit.texts(&tables).await {
        let only = match (table.starts_with("control."), whole) {
            (true, _) => format!("where partner_id = '{}'", place.partner),
            (false, false) => format!("where restaurant_id = '{}'", place.restaurant),
            (false, true) => String::new(),
        };
        let sql = format!(
            "select count(*) || ' ' || md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from \
             {table} t {only}"
        );
        let sum = place.kit.texts(&sql).await.remove(0);
        sums.insert(table, sum);
    }
    assert!(
        sums.len() > if whole { 30 } else { 10 } && sums.values().any(|sum| !sum.starts_with("0 ")),
        "{sums:?}"
    );
    sums
}

/// An admin of the restaurant who sends the own PIN with every call.
async fn admin_with_pin<'k>(place: &Place<'k>) -> Client<'k> {
    const PIN: &str = "471199";
    let (admin, owner) = (place.admin().await, place.partner_admin().await);
    let me = admin.get("/api/v3/admin/me").send().await.assert(200).json();
    let named = format!("/admins?name={}", me["email"].as_str().unwrap());
    let list = owner.get(&named).send().await.assert(200).json();
    let row = list.as_array().unwrap().iter().find(|row| row["email"] == me["email"]).unwrap();
    let path = format!("/admins/{}", row["id"].as_str().unwrap());
    owner.put(&path).json(json!({"pin": PIN, "has_pin": true})).send().await.assert(200);
    admin.header("x-pin", PIN)
}

#[testkit::test]
async fn ids_of_others_are_not_found() {
    let kit = kit().await;
    let (mine, sibling, stranger) = (kit.restaurant().await, kit.restaurant().await, kit.partner().await);
    let own = rows(&mine).await;
    let foreign = [rows(&sibling).await, rows(&stranger).await, BTreeMap::new()];
    let admin = admin_with_pin(&mine).await;
    let document = document::full();
    kit.run_jobs().await;
    let before = (checksum(&sibling, false).await, checksum(&stranger, true).await);
    paths(&document, &admin, &mine, &own, &foreign).await.assert(20);
    queries(&document, &admin, &mine, &own, &foreign[..2]).await.assert(3);
    queries(&document, &mine.partner_admin().await, &mine, &own, &foreign[1..2]).await.assert(5);
    bodies(&document, &admin, &mine, &own, &foreign[..2]).await.assert(6);
    assert_eq!(
        (checksum(&sibling, false).await, checksum(&stranger, true).await),
        before,
        "nothing of the others has changed"
    );
}

#[testkit::test]
async fn rows_of_another_partner_do_not_exist() {
    let kit = kit().await;
    let (mine, stranger) = (kit.partner().await, kit.partner().await);
    let (owner, other) = (mine.partner_admin().await, stranger.partner_admin().await);
    let there = PARTNER.replace("{partner_id}", &stranger.partner.to_string());
    let mut foreign = BTreeMap::new();
    for (segment, body) in [
        (
            "admins",
            json!({"email": format!("{}@pult.test", Uuid::now_v7().simple()), "name": "Minta Anna",
                "target_type": "Partner"}),
        ),
        (
            "api-keys",
            json!({"name": "kulcs", "scopes": ["menu:read"], "restaurant_ids": [stranger.restaurant]}),
        ),
        ("restaurant-groups", json!({"name": "Csoport"})),
    ] {
        let made = other.post(&format!("{there}/{segment}")).json(body).send().await.assert(201).json();
        foreign.insert(segment.to_owned(), made["id"].as_str().unwrap().to_owned());
    }
    let lists = async || {
        let mut lists = Vec::new();
        for segment in foreign.keys() {
            let mut rows = other.get(&format!("{there}/{segment}")).send().await.assert(200).json();
            // That the caller has just been here is no change.
            rows.as_array_mut().unwrap().iter_mut().for_each(|row| row["last_active_at"] = Value::Null);
            lists.push(rows);
        }
        lists
    };
    let before = lists().await;
    let document = document::full();
    let mut walked = 0;
    for (method, path, operation) in operations(&document) {
        let Some(below) = path
            .strip_prefix(PARTNER)
            .filter(|below| below.contains('{') && !below.contains("{restaurant_id}"))
        else {
            continue;
        };
        walked += 1;
        let body = body(&document, &operation);
        let mut answers = Vec::new();
        for ids in [&foreign, &BTreeMap::new()] {
            let filled = fill(&path, (&mine.partner.to_string(), &mine.restaurant.to_string()), ids);
            let (status, code) = status(&owner, &method, &filled, body.clone()).await;
            assert!(
                status == 404 && code.ends_with("_NOT_EXIST"),
                "{method} {below} with a foreign id: {status} {code}"
            );
            answers.push(code);
        }
        assert_eq!(answers[0], answers[1], "{method} {below}: a foreign id is answered like an unknown one");
    }
    assert!(walked > 8, "only {walked} operations have an id");
    assert_eq!(lists().await, before, "nothing of the stranger has changed");
}

/// Ids in bodies: 422 at the key, for a foreign one as for an unknown one.
pub(crate) async fn bodies(
    document: &Value, admin: &Client<'_>, here: &Place<'_>, own: &Rows, foreign: &[Rows],
) -> Walk {
    let mut walk = Walk::default();
    for (method, path, operation) in operations(document) {
        let Some(content) =
            operation["requestBody"]["content"].as_object().filter(|_| path.starts_with(RESTAURANT))
        else {
            continue;
        };
        let schema = &content.values().next().unwrap()["schema"];
        let mut found = Vec::new();
        references(document, schema, &[], &mut found);
        for (way, segment) in found {
            let Some(ids) = foreign.iter().map(|rows| rows.get(&segment)).collect::<Option<Vec<_>>>() else {
                continue;
            };
            walk.walked += 1;
            let name = format!("{method} {path} {}", way.join("."));
            let filled = fill(&path, (&here.partner.to_string(), &here.restaurant.to_string()), own);
            let mut answers = Vec::new();
            for id in ids.into_iter().cloned().chain([Uuid::now_v7().to_string()]) {
                let call = admin.call(method.parse::<Method>().unwrap(), &filled).json(with(
                    document,
                    schema,
                    &way,
                    &json!(id),
                ));
                let answer = call.key(&Uuid::now_v7().to_string()).send().await;
                let problem = answer.json();
                let keys: Vec<String> = strings(&problem["keys"]);
                let sound =
                    answer.status == 422 && keys.iter().any(|key| way.join(".").starts_with(key.as_str()));
                walk.look(sound, || format!("{name}: {}", answer.text()));
                answers.push((problem["code"].clone(), problem["keys"].clone(), problem["faults"].clone()));
            }
            walk.look(answers.windows(2).all(|two| two[0] == two[1]), || {
                format!("{name} tells foreign ids from unknown ones: {answers:?}")
            });
        }
    }
    walk
}

/// Routes beside the document have no permission to walk: a stranger gets nothing from any of them, whatever stands in
/// the variables of the path.
#[testkit::test]
async fn a_raw_route_tells_a_stranger_nothing() {
    let place = kit().await.restaurant().await;
    for route in server::raw_routes() {
        let ids = [place.partner.to_string(), place.restaurant.to_string(), "x".into(), "%00".into()];
        for id in ids {
            let filled = |part: &str| if part.starts_with(':') { id.clone() } else { part.to_owned() };
            let path = route.path.split('/').map(filled).collect::<Vec<_>>().join("/");
            let request = Request::builder().method(route.method.clone()).uri(path.parse().unwrap()).finish();
            let status = place.kit.service.get_response(request).await.status().as_u16();
            // How a page looks and asks is no secret.
            let is_asset = (path.ends_with(".css") || path.ends_with(".js")) && status == 200;
            assert!(is_asset || (300..500).contains(&status), "{} {path}: {status}", route.method);
        }
    }
}
