//! The object store of an installation: a bucket of any server that speaks S3. What is public lies below
//! `public/` and is read by everybody at its address; everything else only the service reads.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    sync::{Arc, OnceLock},
    time::Duration,
};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use kernel::{Code, Id, Partner, Problem};
use reqwest::{Client, Method, Response, StatusCode, header, redirect::Policy};
use rusty_s3::{Bucket, Credentials, S3Action, UrlStyle, actions::ListObjectsV2};
use tokio::{io::AsyncRead, time::timeout};
use tokio_util::io::StreamReader;
use url::Url;

/// How long a signed address holds: a request is sent at once.
const SIGNED_FOR: Duration = Duration::from_secs(60);
/// From a request to the head of its answer.
const ATTEMPT: Duration = Duration::from_secs(6);
/// Between two pieces of an object.
const PIECE: Duration = Duration::from_secs(10);
/// How many objects are removed at once.
const REMOVALS: usize = 8;

/// Where objects lie, and how they are reached.
#[derive(Clone)]
pub struct Settings {
    /// Address of the server.
    pub endpoint: Url,
    /// Bucket that holds everything.
    pub bucket: String,
    /// Region.
    pub region: String,
    /// Key id.
    pub access_key: String,
    /// Secret.
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

fn unavailable(error: impl fmt::Display) -> Unavailable {
    Unavailable(error.to_string())
}

/// What reqwest reports, with its causes and without the address: that is signed.
fn failed(error: reqwest::Error) -> Unavailable {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut source = std::error::Error::source(&error);
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    Unavailable(text)
}

/// An object that is being read.
pub struct Object {
    /// Its length, when the server says it.
    pub bytes: Option<u64>,
    /// Its content as it comes.
    pub content: Pin<Box<dyn AsyncRead + Send>>,
}

/// The key below which everybody reads the objects of a partner.
#[must_use]
pub fn public_prefix(partner: Id<Partner>) -> String {
    format!("public/{partner}/")
}

/// The bucket of this installation. Clones share their connections.
#[derive(Clone, Debug)]
pub struct Storage {
    settings: Settings,
    connected: Arc<OnceLock<Connected>>,
}

#[derive(Debug)]
struct Connected {
    client: Client,
    bucket: Bucket,
    credentials: Credentials,
}

impl Connected {
    fn new(settings: &Settings) -> Result<Self, Unavailable> {
        let client = Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .connect_timeout(Duration::from_secs(2))
            .read_timeout(PIECE)
            .build()
            .map_err(failed)?;
        let (name, region) = (settings.bucket.clone(), settings.region.clone());
        let bucket = Bucket::new(settings.endpoint.clone(), UrlStyle::Path, name, region);
        let credentials = Credentials::new(&settings.access_key, &settings.secret_key);
        Ok(Self { client, bucket: bucket.map_err(unavailable)?, credentials })
    }
}

impl Storage {
    /// The store that the settings name; nothing is sent yet.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        Self { settings: settings.clone(), connected: Arc::default() }
    }

    /// Made with the first request: certificates of the system are read for it.
    fn connected(&self) -> Result<&Connected, Unavailable> {
        if let Some(connected) = self.connected.get() {
            return Ok(connected);
        }
        let new = Connected::new(&self.settings)?;
        Ok(self.connected.get_or_init(|| new))
    }

    /// Stores these bytes under this key. Browsers keep what is public for ever: its key never gets other
    /// bytes.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn put(&self, key: &str, content_type: &str, bytes: Vec<u8>) -> Result<(), Unavailable> {
        let Connected { client, bucket, credentials } = self.connected()?;
        let caching = if key.starts_with("public/") {
            "public, max-age=31536000, immutable"
        } else {
            "private, no-store"
        };
        let mut action = bucket.put_object(Some(credentials), key);
        action.headers_mut().insert("content-type", content_type);
        action.headers_mut().insert("cache-control", caching);
        // A clone costs no memory: a second attempt sends the same bytes.
        let bytes = Bytes::from(bytes);
        let send = || {
            client
                .request(Method::PUT, action.sign(SIGNED_FOR))
                .header(header::CONTENT_TYPE, content_type)
                .header(header::CACHE_CONTROL, caching)
                .body(bytes.clone())
                .send()
        };
        accepted(twice(send).await?)
    }

    /// The object under this key; none when there is no such object.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn get(&self, key: &str) -> Result<Option<Object>, Unavailable> {
        let Connected { client, bucket, credentials } = self.connected()?;
        let action = bucket.get_object(Some(credentials), key);
        let response = twice(|| client.get(action.sign(SIGNED_FOR)).send()).await?;
        if response.status() == StatusCode::NOT_FOUND {
            return Ok(None);
        }
        let response = checked(response)?;
        let bytes = response.content_length();
        let pieces = stream::try_unfold(response, |mut response| async move {
            let piece = response.chunk().await.map_err(|error| std::io::Error::other(failed(error)))?;
            Ok::<_, std::io::Error>(piece.map(|piece| (piece, response)))
        });
        Ok(Some(Object { bytes, content: Box::pin(StreamReader::new(Box::pin(pieces))) }))
    }

    /// Removes the object under this key, if there is one.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn remove(&self, key: &str) -> Result<(), Unavailable> {
        let Connected { client, bucket, credentials } = self.connected()?;
        let action = bucket.delete_object(Some(credentials), key);
        let response = twice(|| client.delete(action.sign(SIGNED_FOR)).send()).await?;
        if response.status() == StatusCode::NOT_FOUND { Ok(()) } else { accepted(response) }
    }

    /// Removes everything whose key begins with this.
    ///
    /// # Errors
    /// The store does not answer; some of it may be gone.
    pub async fn remove_below(&self, prefix: &str) -> Result<(), Unavailable> {
        loop {
            let keys = self.list(prefix).await?;
            if keys.is_empty() {
                return Ok(());
            }
            let removals = stream::iter(keys).map(|key| async move { self.remove(&key).await });
            removals.buffer_unordered(REMOVALS).try_collect::<()>().await?;
        }
    }

    /// The first keys that begin with this.
    async fn list(&self, prefix: &str) -> Result<Vec<String>, Unavailable> {
        let Connected { client, bucket, credentials } = self.connected()?;
        let mut action = bucket.list_objects_v2(Some(credentials));
        action.with_prefix(prefix);
        action.with_max_keys(500);
        let response = checked(twice(|| client.get(action.sign(SIGNED_FOR)).send()).await?)?;
        let text = timeout(PIECE, response.text()).await.map_err(unavailable)?.map_err(failed)?;
        let listed = ListObjectsV2::parse_response(&text).map_err(unavailable)?;
        Ok(listed.contents.into_iter().map(|object| object.key).collect())
    }

    /// Removes all public objects of a partner: it is being removed for good.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn remove_partner(&self, partner: Id<Partner>) -> Result<(), Unavailable> {
        self.remove_below(&public_prefix(partner)).await
    }
}

/// Sends a request, and once more when there is no answer or the server cannot serve it now. Each request
/// here may come twice.
async fn twice<F>(send: impl Fn() -> F) -> Result<Response, Unavailable>
where
    F: Future<Output = reqwest::Result<Response>>,
{
    let again = |status: StatusCode| status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
    if let Ok(Ok(response)) = timeout(ATTEMPT, send()).await
        && !again(response.status())
    {
        return Ok(response);
    }
    timeout(ATTEMPT, send()).await.map_err(|_| unavailable("no answer in time"))?.map_err(failed)
}

fn checked(response: Response) -> Result<Response, Unavailable> {
    if response.status().is_success() {
        Ok(response)
    } else {
        Err(Unavailable(format!("it answers {}", response.status())))
    }
}

fn accepted(response: Response) -> Result<(), Unavailable> {
    checked(response).map(drop)
}
