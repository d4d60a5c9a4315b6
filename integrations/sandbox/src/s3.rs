//! An S3 server on a folder. The service speaks real S3 to it; nothing in the service knows that it is not the real one.

use std::{env, fs, path::Path};

use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto::Builder,
};
use s3s::{
    S3Result,
    access::{S3Access, S3AccessContext},
    auth::SimpleAuth,
    path::S3Path,
    s3_error,
    service::{S3Service, S3ServiceBuilder},
};
use tokio::net::TcpListener;

use crate::Result;

/// Who may use it, and which bucket exists from the start.
pub struct Access {
    /// Access key id.
    pub key: String,
    /// Its secret.
    pub secret: String,
    /// Name of the bucket.
    pub bucket: String,
}

impl Access {
    /// The same variables that configure the service.
    ///
    /// # Errors
    /// A sentence naming the variable that is missing.
    pub fn from_environment() -> Result<Self> {
        let get = |name: &str| env::var(name).map_err(|_| format!("{name} is not set."));
        Ok(Self { key: get("PULT_S3_ACCESS_KEY")?, secret: get("PULT_S3_SECRET_KEY")?, bucket: get("PULT_S3_BUCKET")? })
    }
}

/// What a bucket's policy says in earnest: everybody reads the objects below `public/`; all else needs a signature.
struct PublicReading;

#[async_trait::async_trait]
impl S3Access for PublicReading {
    async fn check(&self, cx: &mut S3AccessContext<'_>) -> S3Result<()> {
        let public = matches!(cx.s3_path(), S3Path::Object { key, .. } if key.starts_with("public/"));
        let reading = matches!(cx.s3_op().name(), "GetObject" | "HeadObject");
        if cx.credentials().is_some() || (public && reading) { Ok(()) } else { Err(s3_error!(AccessDenied, "Signature is required")) }
    }
}

/// The service over `root`, which is made together with the bucket.
///
/// # Errors
/// When the folder cannot be used.
pub fn service(root: &Path, access: &Access) -> Result<S3Service> {
    let failed = |error: &dyn std::fmt::Display| format!("{} cannot be used: {error}.", root.display());
    fs::create_dir_all(root.join(&access.bucket)).map_err(|error| failed(&error))?;
    let files = s3s_fs::FileSystem::new(root).map_err(|error| failed(&format!("{error:?}")))?;
    let mut builder = S3ServiceBuilder::new(files);
    builder.set_auth(SimpleAuth::from_single(access.key.clone(), access.secret.clone()));
    builder.set_access(PublicReading);
    Ok(builder.build())
}

/// Serves until the program ends.
pub async fn serve(listener: TcpListener, service: S3Service) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            continue;
        };
        let service = service.clone();
        tokio::spawn(async move {
            // A connection that breaks is the client's affair.
            let _ = Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await;
        });
    }
}
