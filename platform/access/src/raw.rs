//! Routes outside the document, which domain crates bring: other companies' servers call them, and browsers on their
//! way back from another company's page. The frame in `server` keeps their limits.

use std::{collections::BTreeMap, sync::Arc};

use contract::Plugins;
use futures_util::future::BoxFuture;
use kernel::Result;
use poem::{
    Response,
    http::{HeaderMap, Method},
};

use crate::App;

/// A route with its limits.
#[derive(Clone)]
pub struct RawRoute {
    /// The one method that it has.
    pub method: Method,
    /// The path, with variables as `/callbacks/:token`.
    pub path: &'static str,
    /// The most bytes of a body, of any content type. A longer one is refused with `TOO_LARGE` before it is read.
    pub longest_body: usize,
    /// Calls from one address in a minute, at all instances together. More are refused with `TOO_MANY_REQUESTS`.
    pub per_minute: i32,
    /// Answers a call within the limits.
    pub answer: RawHandler,
}

/// Answers a call of a [`RawRoute`].
pub type RawHandler = Arc<dyn Fn(RawCall) -> BoxFuture<'static, Result<Response>> + Send + Sync>;

/// A call of a [`RawRoute`]: nothing of it is read or checked yet, but for its limits.
pub struct RawCall {
    /// The state shared by the process.
    pub app: App,
    /// Plug-ins for other companies' services.
    pub plugins: Plugins,
    /// The variables of the path.
    pub variables: BTreeMap<&'static str, String>,
    /// The query, without `?`.
    pub query: String,
    /// The headers.
    pub headers: HeaderMap,
    /// The raw bytes.
    pub body: Vec<u8>,
}

impl RawRoute {
    /// A route that this function answers.
    pub fn new<F>(
        (method, path): (Method, &'static str), longest_body: usize, per_minute: i32,
        answer: impl Fn(RawCall) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<Response>> + Send + 'static,
    {
        let answer: RawHandler = Arc::new(move |call| Box::pin(answer(call)));
        Self { method, path, longest_body, per_minute, answer }
    }
}
