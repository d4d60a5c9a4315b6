//! The few calls the loader needs, over one kept-alive connection.

use std::time::Duration;

use serde_json::{Value, json};
use ureq::{Agent, Body, http::Response};

use crate::Result;

/// How long one call may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// Where, and as whom.
pub struct SignIn<'a> {
    /// `http://host:port`; there is no TLS here, the loader runs beside the service.
    pub url: &'a str,
    pub email: &'a str,
    pub password: &'a str,
}

pub struct Api {
    agent: Agent,
    base: String,
    bearer: String,
}

impl Api {
    /// Signs in as any other program does: the token comes in the answer's `authorization` header.
    pub fn sign_in(account: &SignIn) -> Result<(Self, Value)> {
        let config =
            Agent::config_builder().http_status_as_error(false).timeout_global(Some(PATIENCE)).build();
        let agent = Agent::new_with_config(config);
        let base = format!("{}/api/v3", account.url.trim_end_matches('/'));
        let body = json!({"admin": {"email": account.email, "password": account.password}});
        let answer = agent.post(format!("{base}/admins/sign_in")).send_json(&body);
        let what = format!("sign in as {}", account.email);
        let mut answer = answer.map_err(|error| format!("{what}: {error}"))?;
        let token =
            answer.headers().get("authorization").and_then(|value| value.to_str().ok()).map(str::to_owned);
        let me = read(&what, &mut answer)?;
        let token = token.ok_or_else(|| format!("{what}: the answer has no authorization header"))?;
        let bearer = if token.starts_with("Bearer ") { token } else { format!("Bearer {token}") };
        Ok((Self { agent, base, bearer }, me))
    }

    /// Every row of a list, page by page.
    pub fn list(&self, path: &str) -> Result<Vec<Value>> {
        const PAGE: usize = 100;
        let mut rows: Vec<Value> = Vec::new();
        for page in 0.. {
            let separator = if path.contains('?') { '&' } else { '?' };
            let address = format!("{path}{separator}limit={PAGE}&page={page}");
            let answer = self
                .agent
                .get(format!("{}{address}", self.base))
                .header("authorization", &self.bearer)
                .call();
            let what = format!("GET {address}");
            let found = read(&what, &mut answer.map_err(|error| format!("{what}: {error}"))?)?;
            let Value::Array(found) = found else {
                return Err(format!("{what}: the answer is not a list"));
            };
            // A list without pages answers the same rows again.
            let repeated = found.first().is_some_and(|row| rows.iter().any(|seen| seen["id"] == row["id"]));
            let last = found.len() < PAGE;
            if !repeated {
                rows.extend(found);
            }
            if repeated || last {
                break;
            }
        }
        Ok(rows)
    }

    pub fn post(&self, path: &str, body: &Value, row: &str) -> Result<Value> {
        let answer = self
            .agent
            .post(format!("{}{path}", self.base))
            .header("authorization", &self.bearer)
            .send_json(body);
        let what = format!("{row} (POST {path})");
        read(&what, &mut answer.map_err(|error| format!("{what}: {error}"))?)
    }

    pub fn put(&self, path: &str, body: &Value, row: &str) -> Result<Value> {
        let answer = self
            .agent
            .put(format!("{}{path}", self.base))
            .header("authorization", &self.bearer)
            .send_json(body);
        let what = format!("{row} (PUT {path})");
        read(&what, &mut answer.map_err(|error| format!("{what}: {error}"))?)
    }

    /// Posts to a stand-in, which knows no sign-in.
    pub fn tell(&self, address: &str, body: &Value) -> Result<()> {
        let what = format!("POST {address}");
        let answer = self.agent.post(address).send_json(body);
        read(&what, &mut answer.map_err(|error| format!("{what}: {error}"))?).map(drop)
    }
}

/// The answer's body, or its problem as a sentence. Ignored fields are printed.
fn read(what: &str, answer: &mut Response<Body>) -> Result<Value> {
    let status = answer.status();
    if let Some(ignored) = answer.headers().get("x-ignored-fields") {
        println!("{what}: the service does not know {}", ignored.to_str().unwrap_or("some fields"));
    }
    let text = answer.body_mut().read_to_string().map_err(|error| format!("{what}: {error}"))?;
    let body: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
    if status.is_success() {
        return Ok(body);
    }
    Err(format!("{what}: {}", problem(status.as_u16(), &body, &text)))
}

fn problem(status: u16, body: &Value, text: &str) -> String {
    let Some(code) = body["code"].as_str() else {
        return format!("{status} {text}");
    };
    let keys: Vec<&str> = body["keys"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let at = if keys.is_empty() { String::new() } else { format!(" at {}", keys.join(", ")) };
    format!("{status} {code}{at}. {}", body["detail"].as_str().unwrap_or_default())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_shown_with_its_fields() {
        let body =
            json!({"code": "VALIDATION", "detail": "Too long.", "keys": ["name", "subproducts.0.price"]});
        assert_eq!(problem(422, &body, ""), "422 VALIDATION at name, subproducts.0.price. Too long.");
        assert_eq!(problem(502, &Value::Null, "Bad gateway"), "502 Bad gateway");
    }
}
