//! The object store of an installation: a bucket of any server that speaks S3. What is public lies below
//! `public/` and is read by everybody at its address; everything else only the service reads.
//!
//! The client that speaks S3 is `s3_client`. The server hands it to [`Storage`], so that no domain crate is
//! compiled after it.

use std::{fmt, pin::Pin, sync::Arc};

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use kernel::{Code, Id, Partner, Problem};
use tokio::io::AsyncRead;
use url::Url;

/// How many objects are removed at once.
const REMOVALS: usize = 8;

/// Where objects lie, and how they are reached.
#[derive(Clone)]
pub struct Settings {
    pub endpoint: Url,
    pub bucket: String,
    pub region: String,
    pub access_key: String,
    pub secret_key: String,
    /// Below this address everybody reads what lies under `public/` in the bucket.
    pub public_url: Url,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("endpoint", &self.endpoint.as_str())
            .field("bucket", &self.bucket)
            .finish_non_exhaustive()
    }
}

/// The store does not answer, or refuses.
#[derive(Debug)]
pub struct Unavailable(String);

impl Unavailable {
    /// With what went wrong. The text is logged: it must not contain a secret or a signature.
    pub fn new(error: impl fmt::Display) -> Self {
        Self(error.to_string())
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the object store: {}", self.0)
    }
}

impl std::error::Error for Unavailable {}

impl From<Unavailable> for Problem {
    fn from(error: Unavailable) -> Self {
        tracing::warn!(error = error.0, "the object store does not answer");
        Problem::new(Code::STORAGE_UNAVAILABLE).retry_after(30)
    }
}

/// An object that is being read.
pub struct Object {
    /// Its length, when the server says it.
    pub bytes: Option<u64>,
    pub content: Pin<Box<dyn AsyncRead + Send>>,
}

/// The key below which everybody reads the objects of a partner.
#[must_use]
pub fn public_prefix(partner: Id<Partner>) -> String {
    format!("public/{partner}/")
}

/// What sends requests to the bucket. Each of them may be sent twice.
#[async_trait]
pub trait Client: fmt::Debug + Send + Sync {
    /// Stores these bytes under this key, to be served with these headers.
    async fn put(
        &self, key: &str, content_type: &str, cache_control: &str, bytes: Bytes,
    ) -> Result<(), Unavailable>;

    /// The object under this key; none when there is no such object.
    async fn get(&self, key: &str) -> Result<Option<Object>, Unavailable>;

    /// Removes the object under this key, if there is one.
    async fn remove(&self, key: &str) -> Result<(), Unavailable>;

    /// The first keys, at most some hundred, that begin with this.
    async fn list(&self, prefix: &str) -> Result<Vec<String>, Unavailable>;
}

/// The bucket of this installation. Clones share their connections.
#[derive(Clone, Debug)]
pub struct Storage {
    client: Arc<dyn Client>,
}

impl Storage {
    /// The bucket that this client reaches.
    #[must_use]
    pub fn new(client: impl Client + 'static) -> Self {
        Self { client: Arc::new(client) }
    }

    /// Stores these bytes under this key. Browsers keep what is public for ever: its key never gets other
    /// bytes.
    pub async fn put(&self, key: &str, content_type: &str, bytes: Vec<u8>) -> Result<(), Unavailable> {
        let caching = if key.starts_with("public/") {
            "public, max-age=31536000, immutable"
        } else {
            "private, no-store"
        };
        self.client.put(key, content_type, caching, bytes.into()).await
    }

    /// The object under this key; none when there is no such object.
    pub async fn get(&self, key: &str) -> Result<Option<Object>, Unavailable> {
        self.client.get(key).await
    }

    /// Removes the object under this key, if there is one.
    pub async fn remove(&self, key: &str) -> Result<(), Unavailable> {
        self.client.remove(key).await
    }

    /// Removes everything whose key begins with this.
    /// Errors: The store does not answer; some of it may be gone.
    pub async fn remove_below(&self, prefix: &str) -> Result<(), Unavailable> {
        loop {
            let keys = self.client.list(prefix).await?;
            if keys.is_empty() {
                return Ok(());
            }
            let removals = stream::iter(keys).map(|key| async move { self.remove(&key).await });
            removals.buffer_unordered(REMOVALS).try_collect::<()>().await?;
        }
    }

    /// Removes all public objects of a partner: it is being removed for good.
    pub async fn remove_partner(&self, partner: Id<Partner>) -> Result<(), Unavailable> {
        self.remove_below(&public_prefix(partner)).await
    }
}
