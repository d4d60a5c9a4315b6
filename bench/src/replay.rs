//! Runs a recorded unit of work with sqlx: prepared statements, values bound in binary.

use std::str::FromStr;

use chrono::{DateTime, NaiveDate, Utc};
use rig::Result;
use serde_json::Value as Json;
use sqlx::{
    Either, Executor, PgPool, Postgres, SqlStr, Statement as _, TypeInfo, postgres::PgArguments, query::Query,
};
use uuid::Uuid;

use crate::record::Record;

/// A value, or null, in the type that its statement asks for.
#[derive(Debug, Clone)]
enum Value {
    Uuid(Option<Uuid>),
    Uuids(Option<Vec<Uuid>>),
    Text(Option<String>),
    Texts(Option<Vec<String>>),
    Int4(Option<i32>),
    Int4s(Option<Vec<i32>>),
    Int8(Option<i64>),
    Bool(Option<bool>),
    Bytes(Option<Vec<u8>>),
    Time(Option<DateTime<Utc>>),
    Date(Option<NaiveDate>),
    Json(Option<Json>),
}

/// A value and, when it names something that is new in each request, the text it is made from.
#[derive(Debug)]
struct Slot {
    kind: String,
    value: Value,
    template: Option<String>,
}

#[derive(Debug)]
struct Step {
    sql: &'static str,
    slots: Vec<Slot>,
}

/// A unit of work, ready to be run any number of times.
#[derive(Debug)]
pub(crate) struct Replay {
    steps: Vec<Step>,
    record: Record,
}

impl Replay {
    /// Prepares it. Without the door, the first statement (checking the caller, role, path) is left out.
    pub(crate) async fn new(pool: &PgPool, record: Record, door: bool) -> Result<Self> {
        let mut connection = pool.acquire().await?;
        if door {
            // The statements name tables of the partner: they are prepared behind the door.
            connection.execute("begin").await?;
        }
        let mut steps = Vec::new();
        for (number, statement) in record.statements.iter().enumerate() {
            if number == 0 && !door {
                continue;
            }
            let sql: &'static str = Box::leak(statement.sql.clone().into_boxed_str());
            let prepared = connection.prepare(SqlStr::from_static(sql)).await?;
            let kinds: Vec<String> = match prepared.parameters() {
                Some(Either::Left(kinds)) => kinds.iter().map(|kind| kind.name().to_owned()).collect(),
                _ => vec![],
            };
            let mut slots = Vec::new();
            for (kind, text) in kinds.iter().zip(&statement.values) {
                let changing = text
                    .as_deref()
                    .filter(|text| record.ids.iter().chain(&record.key).any(|id| text.contains(id.as_str())));
                let value = Value::parse(kind, text.as_deref())?;
                slots.push(Slot { kind: kind.clone(), value, template: changing.map(str::to_owned) });
            }
            let step = Step { sql, slots };
            if number == 0 {
                step.query(&[])?.execute(&mut *connection).await?;
            }
            steps.push(step);
        }
        if door {
            connection.execute("rollback").await?;
        }
        Ok(Self { steps, record })
    }

    /// Runs it once, in a transaction; gives the status and the body that the service gave.
    pub(crate) async fn run(&self, pool: &PgPool) -> Result<(u16, String)> {
        let fresh = self.fresh();
        let mut tx = pool.begin().await?;
        for step in &self.steps {
            step.query(&fresh)?.fetch_all(&mut *tx).await?;
        }
        tx.commit().await?;
        Ok((self.record.status, substitute(&self.record.body, &fresh)))
    }

    fn fresh(&self) -> Vec<(&str, String)> {
        self.record
            .ids
            .iter()
            .chain(&self.record.key)
            .map(|old| (old.as_str(), Uuid::now_v7().to_string()))
            .collect()
    }
}

fn substitute(text: &str, fresh: &[(&str, String)]) -> String {
    fresh.iter().fold(text.to_owned(), |text, (old, new)| text.replace(old, new))
}

impl Step {
    fn query(&self, fresh: &[(&str, String)]) -> Result<Query<'static, Postgres, PgArguments>> {
        let mut query = sqlx::query(self.sql);
        for slot in &self.slots {
            let value = match &slot.template {
                Some(text) => Value::parse(&slot.kind, Some(&substitute(text, fresh)))?,
                None => slot.value.clone(),
            };
            query = value.bind(query);
        }
        Ok(query)
    }
}

impl Value {
    fn parse(kind: &str, text: Option<&str>) -> Result<Self> {
        fn each<T: FromStr>(text: &str) -> std::result::Result<Vec<T>, T::Err> {
            text.trim_matches(['{', '}'])
                .split(',')
                .filter(|part| !part.is_empty())
                .map(|part| part.trim_matches('"').parse())
                .collect()
        }
        Ok(match kind {
            "UUID" => Self::Uuid(text.map(str::parse).transpose()?),
            "UUID[]" => Self::Uuids(text.map(each).transpose()?),
            "TEXT" | "VARCHAR" => Self::Text(text.map(str::to_owned)),
            "TEXT[]" => Self::Texts(text.map(each).transpose()?),
            "INT4" => Self::Int4(text.map(str::parse).transpose()?),
            "INT4[]" => Self::Int4s(text.map(each).transpose()?),
            "INT8" => Self::Int8(text.map(str::parse).transpose()?),
            "BOOL" => Self::Bool(text.map(|text| text == "t")),
            "BYTEA" => Self::Bytes(text.map(bytes).transpose()?),
            "TIMESTAMPTZ" => Self::Time(
                text.map(|text| DateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S%.f%#z"))
                    .transpose()?
                    .map(|time| time.to_utc()),
            ),
            "DATE" => Self::Date(text.map(str::parse).transpose()?),
            "JSONB" | "JSON" => Self::Json(text.map(serde_json::from_str).transpose()?),
            other => return Err(format!("a reference cannot bind {other} yet").into()),
        })
    }

    fn bind(self, query: Query<'static, Postgres, PgArguments>) -> Query<'static, Postgres, PgArguments> {
        match self {
            Self::Uuid(value) => query.bind(value),
            Self::Uuids(value) => query.bind(value),
            Self::Text(value) => query.bind(value),
            Self::Texts(value) => query.bind(value),
            Self::Int4(value) => query.bind(value),
            Self::Int4s(value) => query.bind(value),
            Self::Int8(value) => query.bind(value),
            Self::Bool(value) => query.bind(value),
            Self::Bytes(value) => query.bind(value),
            Self::Time(value) => query.bind(value),
            Self::Date(value) => query.bind(value),
            Self::Json(value) => query.bind(value),
        }
    }
}

/// Bytes as Postgres shows them: `\x00ff`.
fn bytes(text: &str) -> Result<Vec<u8>> {
    let digits = text.strip_prefix("\\x").ok_or("bytes do not begin with \\x")?;
    let pairs =
        digits.as_bytes().chunks(2).map(|pair| u8::from_str_radix(&String::from_utf8_lossy(pair), 16));
    Ok(pairs.collect::<std::result::Result<_, _>>()?)
}
