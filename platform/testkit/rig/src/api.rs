//! Calls that prepare a test: as an admin or with a key.

use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::{Account, Connection, Result, request};

/// A client of the service.
#[derive(Debug, Clone)]
pub struct Api {
    address: SocketAddr,
    bearer: String,
}

impl Api {
    /// Signs in.
    pub async fn sign_in(address: SocketAddr, account: &Account) -> Result<Self> {
        Self::sign_in_with(address, account, None).await
    }

    /// Signs in with the code of a second factor.
    pub async fn sign_in_with(address: SocketAddr, account: &Account, code: Option<&str>) -> Result<Self> {
        let mut admin = json!({"email": account.email, "password": account.password});
        if let Some(code) = code {
            admin["code"] = code.into();
        }
        let body = json!({"admin": admin}).to_string();
        let reply = Connection::open(address)
            .await?
            .call(&request("POST", "/api/v3/admins/sign_in", &[], Some(&body)))
            .await?;
        let token = reply
            .header("authorization")
            .ok_or_else(|| format!("sign-in was answered {}: {}", reply.status, reply.text()))?;
        Ok(Self { address, bearer: format!("Bearer {}", token.trim_start_matches("Bearer ")) })
    }

    /// With this value of the `authorization` header.
    #[must_use]
    pub fn with(address: SocketAddr, bearer: &str) -> Self {
        Self { address, bearer: bearer.to_owned() }
    }

    /// The value of the `authorization` header.
    #[must_use]
    pub fn bearer(&self) -> &str {
        &self.bearer
    }

    /// Sends a call with a body, if there is one, and expects it to succeed.
    pub async fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value> {
        let text = body.map(ToString::to_string);
        let bytes = request(method, path, &[("authorization", &self.bearer)], text.as_deref());
        let reply = Connection::open(self.address).await?.call(&bytes).await?;
        if !(200..300).contains(&reply.status) {
            return Err(format!("{method} {path} was answered {}: {}", reply.status, reply.text()).into());
        }
        if reply.body.is_empty() {
            return Ok(Value::Null);
        }
        Ok(serde_json::from_slice(&reply.body)?)
    }
}
