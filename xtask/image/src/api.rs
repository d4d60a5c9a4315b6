//! Both sides of the service: calls of a signed-in person, and a server that it calls.

use std::{
    io::{Read, Write},
    net::TcpListener,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};
use ureq::{Agent, Body, Error, http::Response};

use crate::{Result, arguments::Arguments};

/// Calls of somebody who has signed in.
pub struct Api {
    base: String,
    token: String,
    agent: Agent,
}

impl Api {
    pub fn sign_in(port: u16, email: &str, password: &str) -> Result<Self> {
        let agent: Agent = Agent::config_builder().http_status_as_error(false).build().into();
        let base = format!("http://127.0.0.1:{port}/api/v3");
        let body = json!({"admin": {"email": email, "password": password}});
        let mut answer = agent
            .post(format!("{base}/admins/sign_in"))
            .send_json(&body)
            .map_err(|error| format!("Signing in: {error}."))?;
        let token = answer.headers().get("authorization").and_then(|value| value.to_str().ok());
        match token.map(str::to_owned) {
            Some(token) if answer.status() == 200 => Ok(Self { base, token, agent }),
            _ => {
                let body = answer.body_mut().read_to_string().unwrap_or_default();
                Err(format!("Signing in as {email}: {} {body}.", answer.status()))
            }
        }
    }

    /// Status and body of a call.
    pub fn get(&self, path: &str) -> Result<(u16, Value)> {
        let call = self.agent.get(format!("{}/{path}", self.base)).header("authorization", &self.token);
        read(path, call.call())
    }

    pub fn put(&self, path: &str, body: &Value) -> Result<(u16, Value)> {
        let call = self.agent.put(format!("{}/{path}", self.base)).header("authorization", &self.token);
        read(path, call.send_json(body))
    }
}

fn read(path: &str, answer: std::result::Result<Response<Body>, Error>) -> Result<(u16, Value)> {
    let mut answer = answer.map_err(|error| format!("{path}: {error}."))?;
    Ok((answer.status().as_u16(), answer.body_mut().read_json().unwrap_or_default()))
}

/// A server with TLS that answers every search with nothing.
pub struct Geocoder {
    child: Child,
    pub port: u16,
    asked: Arc<Mutex<String>>,
}

impl Geocoder {
    /// Starts it with the certificate of the arguments.
    pub fn start(arguments: &Arguments) -> Result<Self> {
        const ANSWER: &[u8] =
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]";
        let port = free_port()?;
        let mut command = Command::new("openssl");
        command.args(["s_server", "-quiet", "-accept", &format!("127.0.0.1:{port}")]);
        command.arg("-cert").arg(arguments.path("certificate")?).arg("-key").arg(arguments.path("key")?);
        command.arg("-cert_chain").arg(arguments.path("certificate")?);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("openssl: {error}."))?;
        let asked = Arc::new(Mutex::new(String::new()));
        let (Some(mut input), Some(mut output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("openssl has no input.".into());
        };
        let seen = asked.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = output.read(&mut bytes) {
                let text = String::from_utf8_lossy(&bytes[..length]).into_owned();
                if let Ok(mut seen) = seen.lock() {
                    seen.push_str(&text);
                }
                if text.contains("\r\n\r\n") {
                    let _ = input.write_all(ANSWER).and_then(|()| input.flush());
                }
            }
        });
        Ok(Self { child, port, asked })
    }

    pub fn asked(&self) -> String {
        self.asked.lock().map(|text| text.clone()).unwrap_or_default()
    }
}

impl Drop for Geocoder {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A port that is free now.
pub fn free_port() -> Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0));
    let address = listener.and_then(|listener| listener.local_addr());
    address.map(|address| address.port()).map_err(|error| format!("No port is free: {error}."))
}
