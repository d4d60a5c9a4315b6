//! The browser's device: a permanent cookie that tells an account's owner from strangers, and a name to show.
//!
//! An account knows a device after a sign-in on it. Attempts from known devices and from all others are
//! counted separately, so a stranger cannot lock the owner out. The cookie grants nothing. See
//! `docs/decisions/accounts.md#sign-in-attempts`.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use poem::Request;
use rand::RngCore;

use crate::{app::App, credential::digest};

/// A year, in seconds.
const LASTS: i64 = 365 * 86_400;

/// The device a request comes from.
#[derive(Debug, Clone)]
pub struct Device(String);

fn name(app: &App) -> &'static str {
    if app.settings.public_url.scheme() == "https" { "__Host-pult_device" } else { "pult_device" }
}

/// A random text of 192 bits for links, states and cookies.
#[must_use]
pub fn random() -> String {
    let mut random = [0_u8; 24];
    rand::rng().fill_bytes(&mut random);
    URL_SAFE_NO_PAD.encode(random)
}

impl Device {
    /// The device of a request; a new one when it brings none of ours.
    pub(crate) fn of(request: &Request, app: &App) -> Self {
        let cookie = request.cookie().get(name(app)).map(|cookie| cookie.value_str().to_owned());
        Self(cookie.filter(|value| value.len() == 32).unwrap_or_else(random))
    }

    /// What is kept of it.
    #[must_use]
    pub fn hash(&self) -> Vec<u8> {
        digest(&self.0)
    }

    /// The cookie that keeps it for another year.
    #[must_use]
    pub fn cookie(&self, app: &App) -> String {
        cookie(app, name(app), &self.0, LASTS)
    }
}

/// A cookie that no script reads and no foreign page sends.
#[must_use]
pub fn cookie(app: &App, name: &str, value: &str, seconds: i64) -> String {
    let secure = if app.settings.public_url.scheme() == "https" { "; Secure" } else { "" };
    format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}")
}

/// A name for people: browser and system, as far as the client's own word goes.
#[must_use]
pub fn describe(agent: &str) -> String {
    let first = |table: &[(&str, &'static str)]| {
        table.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| *name)
    };
    let browser = first(&[
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("SamsungBrowser", "Samsung Internet"),
        ("Firefox", "Firefox"),
        ("FxiOS", "Firefox"),
        ("Chrome", "Chrome"),
        ("CriOS", "Chrome"),
        ("Safari", "Safari"),
    ]);
    let system = first(&[
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("Windows", "Windows"),
        ("Mac OS", "macOS"),
        ("CrOS", "ChromeOS"),
        ("Linux", "Linux"),
    ]);
    match (browser, system) {
        (Some(browser), Some(system)) => format!("{browser}, {system}"),
        (Some(one), None) | (None, Some(one)) => one.to_owned(),
        // A program: its name without version and comment.
        (None, None) => agent.split(['/', ' ', '(']).next().unwrap_or_default().chars().take(40).collect(),
    }
}

/// The network of an address, coarse enough to be recognised by a person; empty when there is none.
#[must_use]
pub fn network(address: &str) -> String {
    match address.parse() {
        Ok(std::net::IpAddr::V4(address)) => {
            let [a, b, c, _] = address.octets();
            format!("{a}.{b}.{c}.0/24")
        }
        Ok(std::net::IpAddr::V6(_)) => address.to_owned(),
        // IPv6 is kept as its /64 already.
        Err(_) if address.ends_with("/64") => address.to_owned(),
        Err(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_about_a_device() {
        let table = [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
                "Edge, Windows",
            ),
            (
                "Mozilla/5.0 (Linux; Android 15; SM-X210) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/140.0.0.0 Safari/537.36",
                "Chrome, Android",
            ),
            (
                "Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                 Version/18.1 Safari/604.1",
                "Safari, iPad",
            ),
            ("curl/8.5.0", "curl"),
            ("", ""),
        ];
        for (agent, expected) in table {
            assert_eq!(describe(agent), expected);
        }
        for (address, expected) in
            [("203.0.113.7", "203.0.113.0/24"), ("2001:db8:1:2::/64", "2001:db8:1:2::/64"), ("unknown", "")]
        {
            assert_eq!(network(address), expected);
        }
    }
}
