//! A server that speaks Nominatim's protocol, as HTTP reaches it.

use std::time::Duration;

use contract::{Call, CallError, CallFault, read_answer};
use reqwest::{Body, Response, redirect::Policy};
use serde::de::DeserializeOwned;
use url::Url;

/// So many places are asked for, and more are not believed.
pub(crate) const MOST: usize = 5;

pub(crate) struct Server {
    search: Url,
    client: reqwest::Client,
}

impl Server {
    /// The server at this address, which has so long for an answer; `us` says who calls.
    pub fn new(server: &Url, us: &str, patience: Duration) -> Result<Self, String> {
        let mut search = server.clone();
        search
            .path_segments_mut()
            .map_err(|()| "the geocoder's address cannot have a path".to_owned())?
            .pop_if_empty()
            .push("search");
        let client = reqwest::Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .user_agent(format!("Pult ({us})"))
            .connect_timeout(patience)
            .timeout(patience)
            .build()
            .map_err(|error| format!("no HTTP client can be made: {error}"))?;
        Ok(Self { search, client })
    }

    /// The places that it answers to a search by these parameters, read up to `limit` bytes.
    pub async fn find<T: DeserializeOwned>(
        &self, parameters: &[(&str, &str)], limit: usize,
    ) -> Result<Vec<T>, CallError> {
        let mut url = self.search.clone();
        url.query_pairs_mut()
            .extend_pairs([("format", "jsonv2"), ("limit", &MOST.to_string())])
            .extend_pairs(parameters);
        // The library's message may contain the address, so only the kind of the error is used.
        let call = Call::begin("GET", url.host_str().unwrap_or_default().to_owned());
        let sent = self.client.get(url).headers(call.headers()).send().await;
        let Ok(response) = sent else {
            call.end(None);
            return Err(CallError::harmless(CallFault::Unreachable));
        };
        let status = response.status().as_u16();
        let found = read(response, limit).await;
        call.end_read(status, status != 200 || found.is_ok());
        match status {
            200 => found,
            403 | 429 => {
                Err(CallError { retry_after: Some(60), ..CallError::harmless(CallFault::RateLimited) })
            }
            400..=499 => Err(CallError::harmless(CallFault::Invalid)),
            500..=599 => Err(CallError::harmless(CallFault::Broken)),
            _ => Err(CallError::harmless(CallFault::Protocol)),
        }
    }
}

/// The places in an answer of at most so many bytes.
async fn read<T: DeserializeOwned>(response: Response, limit: usize) -> Result<Vec<T>, CallError> {
    let body = read_answer(Body::from(response), limit).await;
    let body = body.map_err(|unread| CallError::harmless(unread.into()))?;
    serde_json::from_slice(&body).map_err(|_| CallError::harmless(CallFault::Protocol))
}

/// Degrees as they stand in an answer; none for what are none.
pub(crate) fn degrees(text: &str, most: f64) -> Option<f64> {
    text.parse::<f64>().ok().filter(|degrees| degrees.abs() <= most)
}
