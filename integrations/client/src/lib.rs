//! The HTTP client of plug-ins: no redirects, limits of time and size, each call sent once and measured, and failures by
//! their possible effect.

use std::time::Duration;

use contract::{Call, CallError, CallFault, Effect, read_answer};
use reqwest::{Body, Method, RequestBuilder, header::HeaderMap, redirect::Policy};
use serde::de::IgnoredAny;

/// The most bytes of an answer that are read.
const LIMIT: usize = 1_000_000;
/// Seconds to wait where a refusal for too many calls does not say how long.
const MINUTE: u64 = 60;

/// The client of one plug-in.
#[derive(Debug, Clone)]
pub struct Client(reqwest::Client);

/// An answer with any status.
pub struct Answer {
    pub status: u16,
    headers: HeaderMap,
    /// An error where it broke off, took too long, or is longer than a million bytes.
    pub body: Result<Vec<u8>, CallError>,
}

impl Client {
    /// `connect`: until the connection stands. `patience`: until the answer is read.
    pub fn new(connect: Duration, patience: Duration) -> Result<Self, String> {
        let client = reqwest::Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .connect_timeout(connect.min(patience))
            .timeout(patience)
            .pool_max_idle_per_host(4)
            .build();
        client.map(Self).map_err(|error| format!("no HTTP client can be made: {error}"))
    }

    /// A request for [`Self::send`].
    pub fn request(&self, method: Method, url: impl reqwest::IntoUrl) -> RequestBuilder {
        self.0.request(method, url).header("accept", "application/json")
    }

    /// Sends a call, once. `is_sound` says whether the answer is one at all: in the measures its status alone says nothing.
    ///
    /// # Errors
    /// `Unreachable`: without effect where no connection was made.
    pub async fn send(
        &self, request: RequestBuilder, is_sound: impl FnOnce(&Answer) -> bool,
    ) -> Result<Answer, CallError> {
        // The library's message may contain the address, so only the kind of the error is used.
        let mut request = request.build().map_err(|_| CallError::harmless(CallFault::Unreachable))?;
        let host = request.url().host_str().unwrap_or_default().to_owned();
        let call = Call::begin(request.method().as_str(), host);
        request.headers_mut().extend(call.headers());
        let response = match self.0.execute(request).await {
            Ok(response) => response,
            Err(error) => {
                call.end(None);
                return Err(CallError {
                    effect: if error.is_connect() { Effect::None } else { Effect::Unknown },
                    ..CallError::unknown(CallFault::Unreachable)
                });
            }
        };
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = read_answer(Body::from(response), LIMIT).await;
        let answer =
            Answer { status, headers, body: body.map_err(|unread| CallError::unknown(unread.into())) };
        call.end_read(status, is_sound(&answer));
        Ok(answer)
    }
}

impl Answer {
    /// A refusal, or JSON.
    #[must_use]
    pub fn is_json(&self) -> bool {
        let is_json = |body: &Vec<u8>| serde_json::from_slice::<IgnoredAny>(body).is_ok();
        self.body.as_ref().is_ok_and(|body| self.status >= 300 || is_json(body))
    }

    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The refusal for too many calls: how long to wait, in seconds, a minute where it does not say.
    #[must_use]
    pub fn rate_limited(&self) -> CallError {
        let seconds = self.header("retry-after").and_then(|value| value.trim().parse().ok());
        CallError {
            retry_after: Some(seconds.unwrap_or(MINUTE)),
            ..CallError::harmless(CallFault::RateLimited)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_for_too_many_calls_says_how_long_to_wait() {
        let limited = |after: Option<&str>| {
            let headers = after.map(|after| ("retry-after".parse().unwrap(), after.parse().unwrap()));
            let answer = Answer { status: 429, headers: headers.into_iter().collect(), body: Ok(vec![]) };
            answer.rate_limited()
        };
        assert_eq!((limited(None).retry_after, limited(Some("7")).retry_after), (Some(60), Some(7)));
        assert_eq!(limited(Some("soon")).retry_after, Some(60));
        assert_eq!((limited(None).effect, limited(None).fault), (Effect::None, CallFault::RateLimited));
    }
}
