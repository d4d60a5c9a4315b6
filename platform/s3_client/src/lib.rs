//! Speaks S3 for [`Storage`], with Amazon's client. Only the server names this crate, so no domain crate is
//! compiled after it.

use std::time::Duration;

use async_trait::async_trait;
use aws_sdk_s3::{
    Client,
    config::{
        BehaviorVersion, Credentials, Region, RequestChecksumCalculation, ResponseChecksumValidation,
        StalledStreamProtectionConfig,
        http::{HttpRequest, HttpResponse},
        retry::RetryConfig,
        timeout::TimeoutConfig,
    },
    error::{DisplayErrorContext, ProvideErrorMetadata, SdkError},
    operation::get_object::GetObjectError,
    primitives::ByteStream,
};
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};
use bytes::Bytes;
use http::HeaderMap;
use object_storage::{Object, Settings, Storage, Unavailable};
use telemetry::outgoing::Call;

/// Until a connection is there.
const CONNECT: Duration = Duration::from_secs(2);
/// From a request to the head of its answer.
const ATTEMPT: Duration = Duration::from_secs(6);
/// Between two pieces of an object.
const PIECE: Duration = Duration::from_secs(10);

/// The store that the settings name; nothing is sent yet.
#[must_use]
pub fn storage(settings: &Settings) -> Storage {
    Storage::new(S3Client::new(settings))
}

#[derive(Debug)]
struct S3Client {
    client: Client,
    bucket: String,
    /// What calls are measured as.
    host: String,
}

impl S3Client {
    fn new(settings: &Settings) -> Self {
        // Given here because the client that is the default reads proxies from the environment.
        let http = aws_smithy_http_client::Builder::new()
            .tls_provider(Provider::Rustls(CryptoMode::AwsLc))
            .build_https();
        let timeouts =
            TimeoutConfig::builder().connect_timeout(CONNECT).operation_attempt_timeout(ATTEMPT).build();
        let credentials =
            Credentials::new(&settings.access_key, &settings.secret_key, None, None, "settings");
        let config = aws_sdk_s3::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .http_client(http)
            .endpoint_url(settings.endpoint.as_str())
            .region(Region::new(settings.region.clone()))
            .credentials_provider(credentials)
            .force_path_style(true)
            // Servers that are not Amazon's do not all know the newer checksums.
            .request_checksum_calculation(RequestChecksumCalculation::WhenRequired)
            .response_checksum_validation(ResponseChecksumValidation::WhenRequired)
            .timeout_config(timeouts)
            .stalled_stream_protection(StalledStreamProtectionConfig::enabled().grace_period(PIECE).build())
            .retry_config(RetryConfig::standard().with_max_attempts(2))
            .build();
        let host = settings.endpoint.host_str().unwrap_or_default().to_owned();
        Self { client: Client::from_conf(config), bucket: settings.bucket.clone(), host }
    }

    /// Sends a request with the headers of its call, and measures that with both of its attempts.
    async fn call<O, E, F>(
        &self, method: &str, send: impl FnOnce(HeaderMap) -> F,
    ) -> Result<O, Box<SdkError<E, HttpResponse>>>
    where
        F: Future<Output = Result<O, SdkError<E, HttpResponse>>>,
    {
        let call = Call::begin(method, self.host.clone());
        let outcome = send(call.headers()).await;
        call.end(match &outcome {
            Ok(_) => Some(200),
            Err(error) => error.raw_response().map(|answer| answer.status().as_u16()),
        });
        outcome.map_err(Box::new)
    }
}

fn failed<E: std::error::Error + Send + Sync + 'static>(error: E) -> Unavailable {
    Unavailable::new(DisplayErrorContext(error))
}

/// Whether there is no bucket yet: then it has nothing that could be removed. Reading and writing fail, because there
/// it would be a name that is wrong.
fn has_no_bucket<E: ProvideErrorMetadata, R>(error: &SdkError<E, R>) -> bool {
    error.as_service_error().and_then(ProvideErrorMetadata::code) == Some("NoSuchBucket")
}

/// Puts these headers into a request, before that is signed.
fn with(headers: HeaderMap) -> impl Fn(&mut HttpRequest) + Send + Sync + 'static {
    move |request| {
        for (name, value) in &headers {
            if let Ok(value) = value.to_str() {
                request.headers_mut().insert(name.as_str().to_owned(), value.to_owned());
            }
        }
    }
}

#[async_trait]
impl object_storage::Client for S3Client {
    async fn put(
        &self, key: &str, content_type: &str, cache_control: &str, bytes: Bytes,
    ) -> Result<(), Unavailable> {
        let put = self.client.put_object().bucket(&self.bucket).key(key);
        let put = put.content_type(content_type).cache_control(cache_control).body(ByteStream::from(bytes));
        let send = |headers| put.customize().mutate_request(with(headers)).send();
        self.call("PUT", send).await.map(drop).map_err(failed)
    }

    async fn get(&self, key: &str) -> Result<Option<Object>, Unavailable> {
        let get = self.client.get_object().bucket(&self.bucket).key(key);
        match self.call("GET", |headers| get.customize().mutate_request(with(headers)).send()).await {
            Ok(object) => {
                let bytes = object.content_length().and_then(|bytes| u64::try_from(bytes).ok());
                Ok(Some(Object { bytes, content: Box::pin(object.body.into_async_read()) }))
            }
            Err(error) if error.as_service_error().is_some_and(GetObjectError::is_no_such_key) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    async fn remove(&self, key: &str) -> Result<(), Unavailable> {
        let remove = self.client.delete_object().bucket(&self.bucket).key(key);
        let send = |headers| remove.customize().mutate_request(with(headers)).send();
        match self.call("DELETE", send).await {
            Err(error) if has_no_bucket(&error) => Ok(()),
            removed => removed.map(drop).map_err(failed),
        }
    }

    async fn list(&self, prefix: &str) -> Result<Vec<String>, Unavailable> {
        let list = self.client.list_objects_v2().bucket(&self.bucket).prefix(prefix).max_keys(500);
        let send = |headers| list.customize().mutate_request(with(headers)).send();
        let listed = match self.call("GET", send).await {
            Err(error) if has_no_bucket(&error) => return Ok(vec![]),
            listed => listed.map_err(failed)?,
        };
        Ok(listed.contents().iter().filter_map(|object| object.key().map(str::to_owned)).collect())
    }
}
