//! `Idempotency-Key`: key, hash of the body and answer are rows of the transaction that does the work. So
//! work without its answer, or an answer without its work, cannot exist. See
//! `docs/decisions/api.md#idempotency`.

use kernel::{Account, Code, Id, Problem, Result, error::is_lock_timeout};
use poem::{Request, RequestBody};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions, types::ToJSON};
use rust_decimal::Decimal;
use sea_orm::FromQueryResult;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tenants::TenantTx;

use crate::{answers::Stored, caller::Caller, scope::marker};

/// The `Idempotency-Key` header of a request, with the path it was sent to: the same key elsewhere is another
/// request.
#[derive(Debug, Clone)]
pub struct IdempotencyKey {
    key: Option<String>,
    path: String,
}

impl<'a> ApiExtractor<'a> for IdempotencyKey {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn security_schemes() -> Vec<&'static str> {
        vec![marker::IDEMPOTENT]
    }

    async fn from_request(
        request: &'a Request, _: &mut RequestBody, _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let path = request.uri().path().to_owned();
        let Some(value) = request.headers().get("idempotency-key") else {
            return Ok(Self { key: None, path });
        };
        match value.to_str() {
            Ok(key) if key.len() <= 200 && !key.trim().is_empty() && !key.contains('\t') => {
                Ok(Self { key: Some(key.trim().to_owned()), path })
            }
            _ => Err(Problem::new(Code::BAD_REQUEST)
                .detail("Idempotency-Key must have 1 to 200 printable characters")
                .into()),
        }
    }
}

/// Whether this request is the first with its key.
pub enum Idempotency<T> {
    /// It is: do the work, then [`First::keep`] the answer.
    First(First),
    /// It is not: this was the answer.
    Replay(Stored<T>),
}

/// The work of a key has begun in this transaction.
pub struct First(Option<(String, &'static str, String)>);

/// Waits at most 5 s for another transaction with the key. Later waits of the transaction are not limited by
/// it.
const TAKE: &str = "with patience as (select control.lock_patience(5000)), \
    taken as (insert into idempotency_key (caller, operation, key, body_hash) select $1, $2, $3, $4 from \
    patience on conflict do nothing returning 1) \
    select count(*) > 0 first, control.lock_patience(0) from taken";
const LOOK: &str =
    "select body_hash, status, answer from idempotency_key where caller = $1 and operation = $2 and key = $3";
const KEEP: &str =
    "update idempotency_key set status = $4, answer = $5 where caller = $1 and operation = $2 and key = $3";

/// A key that was taken; without status and answer while its work runs.
#[derive(FromQueryResult)]
struct StoredKey {
    body_hash: Vec<u8>,
    status: Option<i32>,
    answer: Option<String>,
}

impl IdempotencyKey {
    /// The key as it is kept beside a row of its own (a partner, which has no schema yet), and the hash of
    /// the body: the same key with another hash is another request.
    #[must_use]
    pub fn of(&self, account: Id<Account>, body: &Value) -> Option<(String, Vec<u8>)> {
        self.key.as_ref().map(|key| (format!("account:{account} {key}"), canonical_hash(&self.path, body)))
    }

    /// Takes the key for this operation. A copy that arrives while the first runs waits for it, at most 5 s.
    /// API keys must send one.
    /// Errors: `IDEMPOTENCY_KEY_REQUIRED`, `IDEMPOTENCY_KEY_REUSED`, `IDEMPOTENCY_IN_PROGRESS`.
    pub async fn begin<T: ToJSON>(
        &self, caller: &impl AsRef<Caller>, tx: &TenantTx, operation: &'static str, body: &Value,
    ) -> Result<Idempotency<T>> {
        let Some(key) = &self.key else {
            return match caller.as_ref() {
                Caller::Key { .. } => Err(Code::IDEMPOTENCY_KEY_REQUIRED.into()),
                Caller::Person { .. } => Ok(Idempotency::First(First(None))),
            };
        };
        let caller = caller.as_ref().owner();
        let hash = canonical_hash(&self.path, body);
        let taken = match tx
            .value(TAKE, [caller.clone().into(), operation.into(), key.clone().into(), hash.clone().into()])
            .await
        {
            Err(error) if is_lock_timeout(&error) => {
                return Err(Problem::new(Code::IDEMPOTENCY_IN_PROGRESS).retry_after(2));
            }
            taken => taken?,
        };
        if taken.unwrap_or(false) {
            return Ok(Idempotency::First(First(Some((caller, operation, key.clone())))));
        }
        let row: Option<StoredKey> =
            tx.one(LOOK, [caller.into(), operation.into(), key.clone().into()]).await?;
        let row = row.ok_or_else(|| Problem::new(Code::IDEMPOTENCY_IN_PROGRESS).retry_after(1))?;
        if row.body_hash != hash {
            return Err(Code::IDEMPOTENCY_KEY_REUSED.into());
        }
        let (status, answer) = row
            .status
            .and_then(|status| u16::try_from(status).ok())
            .zip(row.answer)
            .ok_or_else(|| Problem::new(Code::IDEMPOTENCY_IN_PROGRESS))?;
        Ok(Idempotency::Replay(Stored::written(status, answer)))
    }
}

impl First {
    /// Keeps the answer; call it last before the commit.
    pub async fn keep<T: ToJSON>(self, tx: &TenantTx, answer: &Stored<T>) -> Result<()> {
        if let Some((caller, operation, key)) = self.0 {
            let (status, body) = answer.parts();
            tx.run(
                KEEP,
                [caller.into(), operation.into(), key.into(), i32::from(status).into(), body.into()],
            )
            .await?;
        }
        Ok(())
    }
}

/// Equal for bodies that mean the same: order of keys and the spelling of numbers do not count.
fn canonical_hash(path: &str, body: &Value) -> Vec<u8> {
    fn feed(hash: &mut Sha256, value: &Value) {
        match value {
            Value::Object(map) => {
                let mut entries: Vec<_> = map.iter().collect();
                entries.sort_by_key(|(key, _)| key.as_str());
                hash.update([b'{']);
                for (key, value) in entries {
                    hash.update(Value::String(key.clone()).to_string());
                    feed(hash, value);
                }
                hash.update([b'}']);
            }
            Value::Array(items) => {
                hash.update([b'[']);
                items.iter().for_each(|item| feed(hash, item));
                hash.update([b']']);
            }
            Value::Number(number) => {
                let text = number.to_string();
                let plain = text.parse::<Decimal>().map_or(text, |decimal| decimal.normalize().to_string());
                hash.update(plain);
                hash.update([b',']);
            }
            other => hash.update(other.to_string()),
        }
    }
    let mut hash = Sha256::new();
    hash.update(path);
    feed(&mut hash, body);
    hash.finalize().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::from_str;

    #[test]
    fn bodies_that_mean_the_same_have_one_hash() {
        let hash = |text: &str| canonical_hash("/a", &from_str(text).unwrap());
        assert_eq!(hash(r#"{"a":1.10,"b":[1,2]}"#), hash(r#"{"b":[1.0,2],"a":1.1}"#));
        assert_ne!(hash("[1,2]"), hash("[12]"));
        assert_ne!(
            hash("{}"),
            canonical_hash("/b", &from_str("{}").unwrap()),
            "sent elsewhere it is another request"
        );
        assert_ne!(hash(r#"{"a":1}"#), hash(r#"{"a":"1"}"#));
        assert_ne!(hash(r#"{"a":null}"#), hash("{}"));
    }
}
