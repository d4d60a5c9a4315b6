//! Partners beside the demo's, made through the console's calls, and orders to some of them.

use std::{
    net::SocketAddr,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use futures_util::{StreamExt, TryStreamExt, stream};
use rig::{Api, Connection, Result, request};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, PgConnection};
use uuid::Uuid;

/// What super admins call.
pub const PARTNERS: &str = "/api/v3/super-admin/partners";
/// So many parts has what guests ask for by turns.
pub const TURNS: usize = 8;
/// Made at the same time.
const AT_ONCE: usize = 3;

/// A partner with one restaurant.
#[derive(Debug, Clone)]
pub struct Neighbour {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its restaurant.
    pub restaurant: String,
}

/// Makes so many.
pub async fn make(console: &Api, count: usize) -> Result<Vec<Neighbour>> {
    stream::iter(0..count).map(|number| one(console, number)).buffered(AT_ONCE).try_collect().await
}

async fn one(console: &Api, number: usize) -> Result<Neighbour> {
    let name = format!("Szomszéd {number:04}");
    let admin =
        json!({"email": format!("n{number}@pult.example"), "first_name": "Anna", "last_name": "Minta"});
    let body = json!({"name": name, "restaurant_name": "Étterem", "admin": admin});
    let made = console.call("POST", PARTNERS, Some(&body)).await?;
    let id = text(&made["id"]);
    let row = settled(console, &id).await?;
    Ok(Neighbour { id, name, restaurant: text(&row["restaurant_list"][0]["id"]) })
}

/// Waits until a partner is active; its row.
pub async fn settled(console: &Api, partner: &str) -> Result<Value> {
    for _ in 0..6_000 {
        let row = console.call("GET", &format!("{PARTNERS}/{partner}"), None).await?;
        match row["status"].as_str() {
            Some("active") if row["error"].is_null() => return Ok(row),
            Some("active" | "creating") if !row["error"].is_null() => {
                return Err(format!("{}: {}", row["name"], row["error"]).into());
            }
            _ => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
    Err("a partner does not become active".into())
}

/// A JSON text.
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// A restaurant that takes orders around the clock, and what became of them.
#[derive(Debug)]
pub struct Stall {
    /// Whose it is.
    pub partner: Neighbour,
    bearer: String,
    item: String,
    address: SocketAddr,
    taken: Mutex<Vec<String>>,
    faults: Mutex<Vec<String>>,
    slowest: Mutex<Duration>,
}

impl Stall {
    /// Opens one in this partner's restaurant, under a support access.
    pub async fn open(console: &Api, address: SocketAddr, partner: &Neighbour) -> Result<Self> {
        let access = json!({"reason": "drill", "writable": true});
        console.call("POST", &format!("{PARTNERS}/{}/access", partner.id), Some(&access)).await?;
        let base = format!("/api/v3/admin/partners/{}/restaurants/{}", partner.id, partner.restaurant);
        console.call("PUT", &format!("{base}/opening-hours"), Some(&rig::around_the_clock())).await?;
        let category = console
            .call("POST", &format!("{base}/product-categories"), Some(&json!({"name": "Étlap"})))
            .await?;
        let dish = json!({"name": "Étel", "subproducts": [{"name": "Adag", "price": 1990}]});
        let products = format!("{base}/product-categories/{}/products", text(&category["id"]));
        let made = console.call("POST", &products, Some(&dish)).await?;
        let key = json!({"name": "próba", "scopes": ["orders:write", "menu:read"]});
        let key = console.call("POST", &format!("{base}/api-keys"), Some(&key)).await?;
        Ok(Self {
            partner: partner.clone(),
            bearer: format!("Bearer {}", text(&key["api_key"])),
            item: text(&made["subproducts"][0]["id"]),
            address,
            taken: Mutex::default(),
            faults: Mutex::default(),
            slowest: Mutex::default(),
        })
    }

    /// Sends one order; its answer.
    pub async fn order(&self) -> Result<rig::Reply> {
        Ok(Connection::open(self.address).await?.call(&self.asks(0)).await?)
    }

    /// What its guests ask for by turns, in eight parts: an order, its price, the menu, when it is open and how it
    /// is paid.
    pub fn asks(&self, turn: usize) -> Vec<u8> {
        let base = format!("/api/v3/partners/{}/restaurants/{}", self.partner.id, self.partner.restaurant);
        let guest = [("authorization", self.bearer.as_str())];
        let cart = json!({"platform": "browser", "pickup": true,
            "items": [{"subproduct_id": self.item, "quantity": 1}]});
        match turn % TURNS {
            0 => {
                let mut order = cart;
                order["last_name"] = "Vendég".into();
                order["phone_1"] = "+36 1 555 0100".into();
                order["payment_method"] = "cash".into();
                let key = Uuid::new_v4().to_string();
                let headers = [guest[0], ("idempotency-key", key.as_str())];
                request("POST", &format!("{base}/orders"), &headers, Some(&order.to_string()))
            }
            1 | 2 => request("POST", &format!("{base}/orders/quote"), &guest, Some(&cart.to_string())),
            3..=5 => request("GET", &format!("{base}/menu"), &guest, None),
            6 => request("GET", &format!("{base}/opening-hours"), &guest, None),
            _ => request("GET", &format!("{base}/payment-methods"), &guest, None),
        }
    }

    /// Orders with this pause between until told to stop. Everything but an order that was taken is a fault.
    pub async fn trade(&self, pause: Duration, stop: &AtomicBool) {
        while !stop.load(Ordering::Relaxed) {
            let begun = Instant::now();
            let outcome = self.order().await;
            self.waited(begun.elapsed());
            match outcome {
                Ok(reply) if reply.status == 201 => {
                    let order: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
                    self.taken.lock().unwrap_or_else(PoisonError::into_inner).push(text(&order["id"]));
                }
                Ok(reply) => self.fault(format!("{} {}", reply.status, reply.text())),
                Err(error) => self.fault(error.to_string()),
            }
            tokio::time::sleep(pause).await;
        }
    }

    fn waited(&self, took: Duration) {
        let mut slowest = self.slowest.lock().unwrap_or_else(PoisonError::into_inner);
        *slowest = took.max(*slowest);
    }

    fn fault(&self, what: String) {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).push(what);
    }

    /// The first faults, how many orders were taken, and the longest wait for an answer.
    pub fn outcome(&self) -> (Vec<String>, usize, Duration) {
        let faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner).len();
        (faults, taken, *self.slowest.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How many of the orders that were taken are not there once.
    pub async fn lost(&self, owner: &mut PgConnection) -> Result<i64> {
        let schema = schema(owner, &self.partner.id).await?;
        let taken: Vec<Uuid> = {
            let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
            taken.iter().map(|id| id.parse()).collect::<std::result::Result<_, _>>()?
        };
        let sql = format!(
            "select count(*) from unnest($1::uuid[]) t where not exists (select from {schema}.orders o join \
             {schema}.event e on e.data ->> 'order_id' = o.id::text where o.id = t)"
        );
        Ok(sqlx::query_scalar(AssertSqlSafe(sql)).bind(taken).fetch_one(owner).await?)
    }
}

/// The schema of a partner.
pub async fn schema(owner: &mut PgConnection, partner: &str) -> Result<String> {
    let sql = "select role from control.partner where id = $1::text::uuid";
    Ok(sqlx::query_scalar(sql).bind(partner).fetch_one(owner).await?)
}

/// A sum over every row of a partner's schema, and of what `control` holds of the partner.
pub async fn content(owner: &mut PgConnection, partner: &str) -> Result<String> {
    let schema = schema(owner, partner).await?;
    let sql = "select n.nspname::text, c.relname::text from pg_class c join pg_namespace n on n.oid = \
        c.relnamespace where c.relkind = 'r' and (n.nspname = $1 or n.nspname = 'control' and c.relname <> 'job' \
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'partner_id' and not \
        a.attisdropped)) order by 1, 2";
    let tables: Vec<(String, String)> = sqlx::query_as(sql).bind(&schema).fetch_all(&mut *owner).await?;
    let parts: Vec<String> = tables
        .iter()
        .map(|(space, table)| {
            let only =
                if space == "control" { format!("where partner_id = '{partner}'") } else { String::new() };
            format!(
                "select '{table}' || coalesce(md5(string_agg(t::text, ' ' order by t::text)), '') part from \
                 {space}.{table} t {only}"
            )
        })
        .collect();
    let sql =
        format!("select md5(string_agg(part, ' ' order by part)) from ({}) p", parts.join(" union all "));
    Ok(sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(owner).await?)
}

/// Waits until no job is due or under way: what new partners cause is done.
pub async fn quiet(owner: &mut PgConnection) -> Result<()> {
    let sql = "select count(*) from control.job where state = 'running' or state = 'waiting' and run_at <= now() \
        and attempts = 0";
    for _ in 0..1_200 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        if sqlx::query_scalar::<_, i64>(sql).fetch_one(&mut *owner).await? == 0 {
            return Ok(());
        }
    }
    Err("the service's background work does not come to an end".into())
}
