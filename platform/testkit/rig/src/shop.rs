//! A restaurant that takes orders, prepared through the API, and the content of each order.

use std::net::SocketAddr;

use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor};

use crate::{Api, Installation, Result};

/// The partner of `pult demo`.
pub const PARTNER: &str = "01900000-0000-7000-8000-000000000001";
/// Its first restaurant, where the shop is.
pub const RESTAURANT: &str = "01900000-0000-7000-8000-00000000000b";
/// Pieces of the counted ones at the beginning: never sold out, also by two hundred thousand orders.
pub const PIECES: i64 = 100_000_000;
/// How many of the sub-products are counted: orders for them wait for each other, the others do not.
pub const COUNTED: usize = 2;
/// So many guests order by turns: orders of one guest wait for each other, because they change his figures.
const GUESTS: usize = 1000;

/// The body that opens a restaurant around the clock (`PUT …/opening-hours`).
#[must_use]
pub fn around_the_clock() -> Value {
    let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let hours: Vec<Value> =
        days.iter().map(|day| json!({"day": day, "open_at": "00:00", "close_at": "00:00"})).collect();
    json!({"opening_hours": hours})
}

/// A restaurant that takes orders around the clock.
#[derive(Debug, Clone)]
pub struct Shop {
    /// Of the sub-products; the counted ones first.
    pub items: Vec<String>,
    /// The `authorization` header of the API key.
    pub bearer: String,
    /// That of an admin.
    pub staff: String,
    seed: u64,
}

impl Shop {
    /// Opens around the clock, with eight dishes and an API key.
    pub async fn open(installation: &Installation, address: SocketAddr, seed: u64) -> Result<Self> {
        let admin = Api::sign_in(address, installation.account("partner admin")?).await?;
        let base = format!("/api/v3/admin/partners/{PARTNER}/restaurants/{RESTAURANT}");
        admin.call("PUT", &format!("{base}/opening-hours"), Some(&around_the_clock())).await?;
        let category = admin
            .call("POST", &format!("{base}/product-categories"), Some(&json!({"name": "Étlap"})))
            .await?;
        let products =
            format!("{base}/product-categories/{}/products", category["id"].as_str().unwrap_or_default());
        let mut items = Vec::new();
        for number in 0..8 {
            let pieces = if number < COUNTED { json!(1) } else { Value::Null };
            let dish = json!({"name": format!("Étel {number}"), "subproducts": [{"name": "Adag",
                "price": 990 + 370 * number, "sellable_quantity": pieces}]});
            let made = admin.call("POST", &products, Some(&dish)).await?;
            items.push(made["subproducts"][0]["id"].as_str().unwrap_or_default().to_owned());
        }
        let key = json!({"name": "próba", "scopes": ["orders:write", "menu:read"]});
        let made = admin.call("POST", &format!("{base}/api-keys"), Some(&key)).await?;
        let bearer = format!("Bearer {}", made["api_key"].as_str().unwrap_or_default());
        installation.lift_limits().await?;
        // More than the API takes.
        let mut owner = installation.owner().await?;
        let sql = "select role from control.partner where id = $1::text::uuid";
        let schema: String = sqlx::query_scalar(sql).bind(PARTNER).fetch_one(&mut owner).await?;
        let counted = format!(
            "update {schema}.subproduct set sellable_quantity = {PIECES} where sellable_quantity = 1"
        );
        owner.execute(AssertSqlSafe(counted)).await?;
        Ok(Self { items, bearer, staff: admin.bearer().to_owned(), seed })
    }

    /// The same with another seed: other orders.
    #[must_use]
    pub fn seeded(&self, seed: u64) -> Self {
        Self { seed, ..self.clone() }
    }

    /// Where orders are posted.
    #[must_use]
    pub fn orders() -> String {
        format!("/api/v3/partners/{PARTNER}/restaurants/{RESTAURANT}/orders")
    }

    /// What staff call of the restaurant.
    #[must_use]
    pub fn admin(path: &str) -> String {
        format!("/api/v3/admin/partners/{PARTNER}/restaurants/{RESTAURANT}{path}")
    }

    /// The body of a quote for a delivery to a house with this number.
    #[must_use]
    pub fn delivered(&self, number: usize) -> Value {
        let address = json!({"postcode": "1052", "city": "Budapest", "street": "Próba utca", "premise_number": number.to_string()});
        json!({
            "platform": "browser", "pickup": false, "delivery_data": address,
            "items": [{"subproduct_id": self.items[0], "quantity": 1}],
        })
    }

    /// The body of an intent: its number is its message, and always the same number asks for the same.
    #[must_use]
    pub fn order(&self, intent: usize) -> Value {
        let mut random = StdRng::seed_from_u64(self.seed ^ intent as u64);
        let lines = random.random_range(1..=4);
        let items: Vec<Value> = (0..lines)
            .map(|_| {
                json!({"subproduct_id": self.items[random.random_range(0..self.items.len())],
                "quantity": random.random_range(1..=3)})
            })
            .collect();
        json!({
            "platform": "browser", "pickup": true, "last_name": "Vendég",
            "phone_1": format!("+36 1 555 {:04}", intent % GUESTS),
            "payment_method": "cash",
            "message": intent.to_string(), "items": items,
        })
    }
}
