//! The object store: what is public lies below `public/` and is read by everybody at its address; everything
//! else only the service reads.

use std::time::Duration;

use access::ObjectStore;
use aws_sdk_s3::{
    Client,
    config::{
        BehaviorVersion, Credentials, Region, RequestChecksumCalculation, retry::RetryConfig,
        timeout::TimeoutConfig,
    },
    operation::get_object::{GetObjectError, GetObjectOutput},
    primitives::ByteStream,
    types::{Delete, ObjectIdentifier},
};
use kernel::{Code, Id, Partner, Problem};
use tenants::objects::Reading;
use tokio::io::AsyncRead;

use crate::media;

/// The bucket of this installation.
#[derive(Clone, Debug)]
pub struct Objects {
    client: Client,
    bucket: String,
}

/// The store does not answer, or refuses.
#[derive(Debug)]
pub struct Unavailable(String);

impl std::fmt::Display for Unavailable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the object store: {}", self.0)
    }
}

impl From<Unavailable> for Problem {
    fn from(error: Unavailable) -> Self {
        tracing::warn!(error = error.0, "the object store does not answer");
        Problem::new(Code::STORAGE_UNAVAILABLE).retry_after(30)
    }
}

fn said<E: std::error::Error + Send + Sync + 'static>(error: E) -> Unavailable {
    Unavailable(aws_sdk_s3::error::DisplayErrorContext(error).to_string())
}

impl Objects {
    /// The store that the settings name; nothing is sent yet.
    #[must_use]
    pub fn new(settings: &ObjectStore) -> Self {
        let timeouts = TimeoutConfig::builder()
            .connect_timeout(Duration::from_secs(2))
            .operation_attempt_timeout(Duration::from_secs(6))
            .operation_timeout(Duration::from_secs(10))
            .build();
        let config = aws_sdk_s3::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .endpoint_url(settings.endpoint.as_str())
            .region(Region::new(settings.region.clone()))
            .credentials_provider(Credentials::new(
                &settings.access_key,
                &settings.secret_key,
                None,
                None,
                "settings",
            ))
            .force_path_style(true)
            // Servers that are not Amazon's do not all know the newer checksums.
            .request_checksum_calculation(RequestChecksumCalculation::WhenRequired)
            .timeout_config(timeouts)
            .retry_config(RetryConfig::standard().with_max_attempts(2))
            .build();
        Self { client: Client::from_conf(config), bucket: settings.bucket.clone() }
    }

    /// Keeps these bytes under this key. What is public may be kept by browsers for ever: its key never gets
    /// other bytes.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn put(&self, key: &str, kind: &str, bytes: Vec<u8>) -> Result<(), Unavailable> {
        let caching = if key.starts_with("public/") {
            "public, max-age=31536000, immutable"
        } else {
            "private, no-store"
        };
        let put =
            self.client.put_object().bucket(&self.bucket).key(key).content_type(kind).cache_control(caching);
        put.body(ByteStream::from(bytes)).send().await.map(drop).map_err(said)
    }

    /// The bytes under this key, as they come; none when there is no such object.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn read(&self, key: &str) -> Result<Option<impl AsyncRead + Send + use<>>, Unavailable> {
        Ok(self.get(key).await?.map(|object| object.body.into_async_read()))
    }

    async fn get(&self, key: &str) -> Result<Option<GetObjectOutput>, Unavailable> {
        match self.client.get_object().bucket(&self.bucket).key(key).send().await {
            Ok(object) => Ok(Some(object)),
            Err(error) if error.as_service_error().is_some_and(GetObjectError::is_no_such_key) => Ok(None),
            Err(error) => Err(said(error)),
        }
    }

    /// Removes the object under this key, if there is one.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn remove(&self, key: &str) -> Result<(), Unavailable> {
        self.client.delete_object().bucket(&self.bucket).key(key).send().await.map(drop).map_err(said)
    }

    /// Removes everything whose key begins with this.
    ///
    /// # Errors
    /// The store does not answer; some of it may be gone.
    pub async fn remove_below(&self, prefix: &str) -> Result<(), Unavailable> {
        loop {
            let listed = self
                .client
                .list_objects_v2()
                .bucket(&self.bucket)
                .prefix(prefix)
                .max_keys(500)
                .send()
                .await
                .map_err(said)?;
            let keys = listed.contents().iter().filter_map(|object| object.key());
            let found: Vec<_> = keys
                .map(|key| ObjectIdentifier::builder().key(key).build())
                .collect::<Result<_, _>>()
                .map_err(said)?;
            if found.is_empty() {
                return Ok(());
            }
            let delete = Delete::builder().set_objects(Some(found)).quiet(true).build().map_err(said)?;
            let done = self
                .client
                .delete_objects()
                .bucket(&self.bucket)
                .delete(delete)
                .send()
                .await
                .map_err(said)?;
            if let Some(error) = done.errors().first() {
                return Err(Unavailable(error.message().unwrap_or("an object cannot be removed").to_owned()));
            }
        }
    }

    /// Removes all objects of a partner: it is being removed for good.
    ///
    /// # Errors
    /// The store does not answer.
    pub async fn remove_partner(&self, partner: Id<Partner>) -> Result<(), Unavailable> {
        self.remove_below(&format!("public/{partner}/")).await
    }
}

/// What archives of partners take and bring: pictures, as they lie in the store.
#[async_trait::async_trait]
impl tenants::objects::Objects for Objects {
    async fn reading(&self, partner: Id<Partner>, name: &str) -> Result<Option<Reading>, String> {
        let Some(object) =
            self.get(&format!("public/{partner}/{name}")).await.map_err(|error| error.to_string())?
        else {
            return Ok(None);
        };
        let bytes = object.content_length().and_then(|bytes| u64::try_from(bytes).ok());
        let bytes = bytes.ok_or("the object store: it does not say how long an object is")?;
        Ok(Some(Reading { bytes, from: Box::pin(object.body.into_async_read()) }))
    }

    async fn write(&self, partner: Id<Partner>, name: &str, bytes: Vec<u8>) -> Result<(), String> {
        self.put(&format!("public/{partner}/{name}"), media::KIND, bytes)
            .await
            .map_err(|error| error.to_string())
    }

    fn sweep(&self) -> &'static str {
        media::SWEEP
    }
}
