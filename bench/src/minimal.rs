//! The lowest cost of an order: the same rows as the service has written, by the statements that anybody would
//! write by hand. One for the order, one each for its lines, their options and their parts from arrays, one for
//! a payment, one for two lines of history; all keys and indexes are there. No catalogue, price, number, event
//! or idempotency.

use rig::Result;
use sqlx::{AssertSqlSafe, PgConnection, Row};
use uuid::Uuid;

use crate::record::{Record, Statement};

/// A record that a reference can serve in place of the service's: its first statement is the service's door.
pub(crate) async fn order(owner: &mut PgConnection, schema: &str, recorded: &Record) -> Result<Record> {
    let body: serde_json::Value = serde_json::from_str(&recorded.body)?;
    let order = body["id"].as_str().ok_or("the recorded answer has no id")?.to_owned();
    let mut ids = vec![order.clone()];
    let mut statements = vec![recorded.statements.first().ok_or("nothing was recorded")?.clone()];
    let of_items = "order_item_id in (select id from order_item where order_id = $1::uuid)";
    for (table, of) in [
        ("orders", "id = $1::uuid"),
        ("order_item", "order_id = $1::uuid"),
        ("order_item_option", of_items),
        ("order_item_part", of_items),
    ] {
        let of = of.replace("from order_item", &format!("from {schema}.order_item"));
        let sql = format!("select id::text from {schema}.{table} where {of}");
        ids.extend(
            sqlx::query_scalar::<_, String>(AssertSqlSafe(sql)).bind(&order).fetch_all(&mut *owner).await?,
        );
        statements.push(copy(owner, schema, table, &of, &order).await?);
    }
    // Its number must be new as well, so it becomes one of the ids.
    let number = Uuid::now_v7().to_string();
    if let (Some(counter), Some(insert)) = (body["counter"].as_str(), statements.get_mut(1)) {
        let counter = format!("{{{counter}}}");
        for value in insert.values.iter_mut().flatten().filter(|value| **value == counter) {
            *value = format!("{{{number}}}");
        }
    }
    ids.push(number);
    let own = |sql: &str| Statement { sql: sql.to_owned(), values: vec![Some(order.clone())], ms: 0.0 };
    statements.push(own(
        "insert into payable_transaction (id, order_id, value, status) values (gen_random_uuid(), $1, 1000, 'new')",
    ));
    statements.push(own("insert into order_history (order_id, status, actor_kind, actor_name, surface) \
         values ($1, 'succeeded', 'key', 'bench', 'api'), ($1, 'processed', 'person', 'bench', 'web')"));
    ids.sort_unstable();
    ids.dedup();
    Ok(Record { statements, status: recorded.status, body: recorded.body.clone(), ids, key: None })
}

/// Inserts these rows of a table again: one array a column, in the columns that have a value.
async fn copy(
    owner: &mut PgConnection, schema: &str, table: &str, of: &str, order: &str,
) -> Result<Statement> {
    let sql = "select a.attname::text, format_type(a.atttypid, a.atttypmod) from pg_attribute a \
        where a.attrelid = ($1 || '.' || $2)::regclass and a.attnum > 0 and not a.attisdropped \
        and a.attgenerated = '' and a.attidentity = '' order by a.attnum";
    let columns: Vec<(String, String)> =
        sqlx::query_as(sql).bind(schema).bind(table).fetch_all(&mut *owner).await?;
    let arrays: Vec<String> = columns
        .iter()
        .map(|(name, _)| {
            format!("case when count({name}) > 0 then array_agg({name}::text order by ctid)::text end")
        })
        .collect();
    let sql = format!("select {} from {schema}.{table} where {of}", arrays.join(", "));
    let row = sqlx::query(AssertSqlSafe(sql)).bind(order).fetch_one(owner).await?;
    let (mut names, mut typed, mut arrays, mut values) = (vec![], vec![], vec![], vec![]);
    for (at, (name, kind)) in columns.iter().enumerate() {
        if let Some(array) = row.try_get::<Option<String>, _>(at)? {
            values.push(Some(array));
            names.push(name.clone());
            typed.push(format!("{name}::{kind}"));
            arrays.push(format!("${}::text::text[]", values.len()));
        }
    }
    let names = names.join(", ");
    let sql = format!(
        "insert into {table} ({names}) select {} from unnest({}) as given ({names})",
        typed.join(", "),
        arrays.join(", ")
    );
    Ok(Statement { sql, values, ms: 0.0 })
}
