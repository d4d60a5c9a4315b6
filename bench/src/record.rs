//! Records the statements that the service sends during one request, from Postgres's log. So the reference
//! always runs the present statements.

use std::{collections::BTreeMap, path::Path};

use rig::Result;
use serde::{Deserialize, Serialize};

/// A statement with its values as the log shows them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Statement {
    pub sql: String,
    /// None is null.
    pub values: Vec<Option<String>>,
    /// Milliseconds in Postgres: parsing, binding (which plans) and executing.
    pub ms: f64,
}

/// The statements of one request between BEGIN and COMMIT or ROLLBACK, and what it answered.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Record {
    pub statements: Vec<Statement>,
    pub status: u16,
    pub body: String,
    /// Ids that were made for this request: a replay makes new ones.
    pub ids: Vec<String>,
    /// The idempotency key, which must be new too.
    pub key: Option<String>,
}

impl Record {
    /// Reads what stands in the log from `offset` on: the last unit of work that came through the door.
    pub(crate) fn read(log: &Path, offset: u64) -> Result<Vec<Statement>> {
        let text = std::fs::read(log)?;
        let text = String::from_utf8_lossy(text.get(usize::try_from(offset)?..).unwrap_or_default());
        let mut open: BTreeMap<&str, UnitOfWork> = BTreeMap::new();
        let mut last = Vec::new();
        for line in text.lines() {
            let Some((process, rest)) = split(line) else { continue };
            let values = rest.strip_prefix("DETAIL:  ").and_then(|detail| detail.split_once("arameters: "));
            if let (Some((_, values)), Some(unit)) = (values, open.get_mut(process)) {
                unit.values(values);
                continue;
            }
            match timed(rest) {
                Some((_, "statement", "BEGIN")) => {
                    open.insert(process, UnitOfWork::default());
                }
                Some((_, "statement", "COMMIT" | "ROLLBACK")) => {
                    let done = open.remove(process).unwrap_or_default().done;
                    if done.first().is_some_and(|first| first.sql.contains("control.enter")) {
                        last = done;
                    }
                }
                Some((ms, step, sql)) => {
                    if let Some(unit) = open.get_mut(process) {
                        unit.step(ms, step, sql);
                    }
                }
                None => {}
            }
        }
        if last.is_empty() {
            Err("the log shows no unit of work; is log_min_duration_statement set?".into())
        } else {
            Ok(last)
        }
    }
}

/// The statements of one process since BEGIN.
#[derive(Default)]
struct UnitOfWork {
    done: Vec<Statement>,
    /// Milliseconds of parsing and binding the statement that will be executed next.
    waiting: f64,
    executed: bool,
}

impl UnitOfWork {
    fn step(&mut self, ms: f64, step: &str, sql: &str) {
        self.executed = step.starts_with("execute") || step == "statement";
        self.waiting += ms;
        if self.executed {
            self.done.push(Statement {
                sql: sql.to_owned(),
                values: vec![],
                ms: std::mem::take(&mut self.waiting),
            });
        }
    }

    /// The values stand behind "bind" and again behind "execute".
    fn values(&mut self, text: &str) {
        if let Some(last) = self.done.last_mut().filter(|_| self.executed) {
            last.values = parse_values(text);
        }
    }
}

/// The process and the rest of a line with Postgres's default prefix `%m [%p] `.
fn split(line: &str) -> Option<(&str, &str)> {
    let (prefix, rest) = line.split_once("] ")?;
    Some((prefix.split_once('[')?.1, rest))
}

/// Milliseconds, step and text of `LOG:  duration: 0.012 ms  execute sqlx_s_1: select 1`.
fn timed(rest: &str) -> Option<(f64, &str, &str)> {
    let (ms, rest) = rest.strip_prefix("LOG:  duration: ")?.split_once(" ms  ")?;
    let (step, sql) = rest.split_once(": ")?;
    Some((ms.parse().ok()?, step, sql))
}

/// `$1 = 'it''s', $2 = NULL`
fn parse_values(text: &str) -> Vec<Option<String>> {
    let mut values = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once(" = ") {
        if let Some(quoted) = after.strip_prefix('\'') {
            let mut value = String::new();
            let mut letters = quoted.char_indices().peekable();
            let mut end = quoted.len();
            while let Some((at, letter)) = letters.next() {
                match (letter, letters.peek()) {
                    ('\'', Some((_, '\''))) => {
                        letters.next();
                        value.push('\'');
                    }
                    ('\'', _) => {
                        end = at + 1;
                        break;
                    }
                    _ => value.push(letter),
                }
            }
            values.push(Some(value));
            rest = quoted.get(end..).unwrap_or_default();
        } else {
            values.push(None);
            rest = after.get("NULL".len()..).unwrap_or_default();
        }
    }
    values
}

/// The UUIDs in the values of two recordings of the same request that differ: those made for the request.
pub(crate) fn made_ids(first: &[Statement], second: &[Statement]) -> Vec<String> {
    let ids = |statements: &[Statement]| -> Vec<String> {
        statements
            .iter()
            .flat_map(|statement| statement.values.iter().flatten())
            .flat_map(|value| uuids(value))
            .collect()
    };
    let mut made: Vec<String> = ids(first)
        .into_iter()
        .zip(ids(second))
        .filter(|(first, second)| first != second)
        .map(|(_, second)| second)
        .collect();
    made.sort_unstable();
    made.dedup();
    made
}

fn uuids(text: &str) -> Vec<String> {
    text.split(|letter: char| !letter.is_ascii_hexdigit() && letter != '-')
        .filter(|part| uuid::Uuid::parse_str(part).is_ok())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::float_cmp)]
mod tests {
    use super::*;

    const LOG: &str = "2026-01-01 10:00:00.000 UTC [7] LOG:  duration: 0.010 ms  statement: BEGIN
2026-01-01 10:00:00.000 UTC [8] LOG:  duration: 0.010 ms  statement: BEGIN
2026-01-01 10:00:00.000 UTC [7] LOG:  duration: 0.100 ms  bind sqlx_s_1: select e.* from control.enter_key($1) e
2026-01-01 10:00:00.000 UTC [7] DETAIL:  parameters: $1 = '\\x00', $2 = NULL, $3 = 'it''s, $4 = so'
2026-01-01 10:00:00.000 UTC [8] LOG:  duration: 0.010 ms  statement: set local role pult_platform
2026-01-01 10:00:00.000 UTC [7] LOG:  duration: 0.200 ms  execute sqlx_s_1: select e.* from control.enter_key($1) e
2026-01-01 10:00:00.000 UTC [7] DETAIL:  parameters: $1 = '\\x00', $2 = NULL, $3 = 'it''s, $4 = so'
2026-01-01 10:00:00.000 UTC [8] LOG:  duration: 0.010 ms  statement: COMMIT
2026-01-01 10:00:00.000 UTC [7] LOG:  duration: 0.010 ms  statement: ROLLBACK
";

    #[test]
    fn the_unit_of_work_behind_the_door_is_found() {
        let file = std::env::temp_dir().join(format!("pult-record-{}", std::process::id()));
        std::fs::write(&file, LOG).unwrap();
        let found = Record::read(&file, 0).unwrap();
        std::fs::remove_file(&file).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].values, [Some("\\x00".to_owned()), None, Some("it's, $4 = so".to_owned())]);
        assert!((found[0].ms - 0.3).abs() < 1e-9);
    }
}
