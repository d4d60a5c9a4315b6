//! Prepares the data: the demo partner with its menus, an API key, and an order that is accepted at any hour.

use std::{net::SocketAddr, path::Path, process::Stdio};

use rig::{Api, Installation, Result};
use serde_json::{Value, json};
use tokio::process::Command;

use crate::load::{GUEST, Request};

const PARTNER: &str = "01900000-0000-7000-8000-000000000001";
const RESTAURANT: &str = "01900000-0000-7000-8000-00000000000b";
/// Lines of the order.
const ITEMS: usize = 5;
/// Active promotions beside which a quote is measured.
const PROMOTIONS: usize = 40;

/// Requests of a third party.
pub(crate) struct Requests {
    pub menu: Request,
    pub quote: Request,
    pub order: Request,
}

/// Loads the demo menus and makes the requests.
pub(crate) async fn prepare(
    installation: &Installation, sandbox: &Path, address: SocketAddr,
) -> Result<Requests> {
    let account = installation.account("partner admin")?;
    let mut demo = Command::new(sandbox);
    demo.args([
        "demo",
        "--url",
        &format!("http://{address}"),
        "--email",
        &account.email,
        "--password",
        &account.password,
    ]);
    demo.arg("--data")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../integrations/sandbox/demo"))
        .stdout(Stdio::null());
    if !demo.status().await?.success() {
        return Err("the demo menus cannot be loaded".into());
    }
    let admin = Api::sign_in(address, account).await?;
    let base = format!("/api/v3/admin/partners/{PARTNER}/restaurants/{RESTAURANT}");
    admin.call("PUT", &format!("{base}/opening-hours"), Some(&rig::around_the_clock())).await?;
    let key = json!({"name": "bench", "scopes": ["menu:read", "orders:write", "orders:read"]});
    let key = admin.call("POST", &format!("{base}/api-keys"), Some(&key)).await?;
    let bearer = format!("Bearer {}", key["api_key"].as_str().unwrap_or_default());
    installation.lift_limits().await?;

    let public = format!("/api/v3/partners/{PARTNER}/restaurants/{RESTAURANT}");
    let get = |path: &str| Request {
        method: "GET",
        path: format!("{public}{path}"),
        bearer: bearer.clone(),
        headers: vec![],
        body: None,
        status: 200,
    };
    let post = |path: &str, body: &Value, status| Request {
        method: "POST",
        body: Some(body.to_string()),
        status,
        ..get(path)
    };
    let menu = get("/menu");
    let shown: Value = serde_json::from_slice(&menu.once(address).await?.body)?;
    let mut items: Vec<Value> = Vec::new();
    for candidate in candidates(&shown) {
        let cart = json!({"platform": "browser", "pickup": true, "items": [candidate]});
        let reply = post("/orders/quote", &cart, 200).once(address).await?;
        if serde_json::from_slice::<Value>(&reply.body)?["acceptable"] == true {
            items.push(candidate);
        }
        if items.len() == ITEMS {
            break;
        }
    }
    if items.len() < ITEMS {
        return Err("the demo menu has not enough that can be ordered now".into());
    }
    let cart = json!({"platform": "browser", "pickup": true, "items": items});
    let mut order = cart.clone();
    let phone = format!("+36 30 555 {GUEST}");
    for (field, value) in [("last_name", "Vendég"), ("phone_1", &phone), ("payment_method", "cash")] {
        order[field] = value.into();
    }
    let counted = json!({"name": "bench", "discount_type": "discount", "platforms": ["browser"],
        "all_max_use_qty": 10_000_000, "ranges": [{"discount_value": 10}]});
    admin.call("POST", &format!("{base}/discounts"), Some(&counted)).await?;
    Ok(Requests { menu, quote: post("/orders/quote", &cart, 200), order: post("/orders", &order, 201) })
}

/// Sub-products with their required options, those with options first.
fn candidates(menu: &Value) -> Vec<Value> {
    fn walk<'a>(categories: &'a Value, found: &mut Vec<&'a Value>) {
        for category in categories.as_array().into_iter().flatten() {
            for product in category["products"].as_array().into_iter().flatten() {
                found.extend(product["subproducts"].as_array().into_iter().flatten());
            }
            walk(&category["children"], found);
        }
    }
    let groups = menu["option_groups"].as_array().map_or(&[][..], Vec::as_slice);
    let options = |ids: &Value| -> Vec<Value> {
        let of = |id: &Value| groups.iter().find(|group| group["id"] == *id);
        let chosen = ids.as_array().into_iter().flatten().filter_map(of).flat_map(|group| {
            let least = if group["type"] == "exclusive" {
                1
            } else {
                group["min_no_options"].as_u64().unwrap_or(0).max(1)
            };
            group["options"].as_array().into_iter().flatten().take(usize::try_from(least).unwrap_or(1))
        });
        chosen.map(|option| json!({"option_id": option["id"], "quantity": 1})).collect()
    };
    let mut found = Vec::new();
    walk(&menu["categories"], &mut found);
    let mut items: Vec<Value> = found
        .into_iter()
        .filter(|item| item["available"] == true && item["sellable_quantity"].is_null())
        .map(|item| {
            json!({"subproduct_id": item["id"], "quantity": 2,
            "item_options": options(&item["option_group_ids"])})
        })
        .collect();
    // Most with options and one without, as guests order.
    items.sort_by_key(|item| std::cmp::Reverse(item["item_options"].as_array().map_or(0, Vec::len)));
    if let Some(plain) = items.pop() {
        items.insert(items.len().min(ITEMS - 1), plain);
    }
    items
}

/// Adds promotions of every kind until so many are active: by hours, by items, by the height of the cart, with
/// gifts' and delivery's conditions that this cart meets or misses.
pub(crate) async fn add_promotions(installation: &Installation, address: SocketAddr) -> Result<()> {
    let admin = Api::sign_in(address, installation.account("partner admin")?).await?;
    let path = format!("/api/v3/admin/partners/{PARTNER}/restaurants/{RESTAURANT}/discounts");
    for number in 1..PROMOTIONS {
        let percent = 1 + number % 9;
        let range = match number % 4 {
            0 => json!([{"price_from": 1000 * number, "discount_value": percent}]),
            1 => json!([{"discount_value": percent, "apply_on_options": true}]),
            2 => json!([{"price_from": 500 * number, "discount_type": "amount", "discount_value": 100}]),
            _ => json!([{"discount_value": 0, "free_delivery": true}]),
        };
        let body = json!({"name": format!("bench {number}"), "discount_type": "discount",
            "platforms": ["browser"], "stackable": number % 3 == 0, "ranges": range});
        admin.call("POST", &path, Some(&body)).await?;
    }
    Ok(())
}
