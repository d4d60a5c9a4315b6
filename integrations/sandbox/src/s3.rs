//! An S3 server on a folder. The service speaks S3 to it as to a real one.

use std::{
    env,
    error::Error,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use hyper::{Method, Request, body::Incoming, header::HeaderValue, service::Service};
use s3s::{
    S3Result,
    access::{S3Access, S3AccessContext},
    auth::SimpleAuth,
    path::S3Path,
    s3_error,
    service::{S3Service, S3ServiceBuilder},
};
use tokio::net::TcpListener;

use crate::{Result, http};

/// Its access keys, and the bucket that exists from the start.
pub struct Access {
    pub key: String,
    pub secret: String,
    pub bucket: String,
}

impl Access {
    /// The same variables that configure the service.
    pub fn from_environment() -> Result<Self> {
        let get = |name: &str| env::var(name).map_err(|_| format!("{name} is not set."));
        Ok(Self {
            key: get("PULT_S3_ACCESS_KEY")?,
            secret: get("PULT_S3_SECRET_KEY")?,
            bucket: get("PULT_S3_BUCKET")?,
        })
    }
}

/// What a bucket's policy says in earnest: everybody reads the objects below `public/`; all else needs a
/// signature. Nothing is put into a bucket that is not there; the library would make the folder.
struct PublicReading {
    root: PathBuf,
}

#[async_trait::async_trait]
impl S3Access for PublicReading {
    async fn check(&self, cx: &mut S3AccessContext<'_>) -> S3Result<()> {
        let public = matches!(cx.s3_path(), S3Path::Object { key, .. } if key.starts_with("public/"));
        let reading = matches!(cx.s3_op().name(), "GetObject" | "HeadObject");
        let there = cx.s3_path().get_bucket_name().is_none_or(|bucket| self.root.join(bucket).is_dir());
        if !there && cx.s3_op().name() == "PutObject" {
            return Err(s3_error!(NoSuchBucket));
        }
        if cx.credentials().is_some() || (public && reading) {
            Ok(())
        } else {
            Err(s3_error!(AccessDenied, "Signature is required"))
        }
    }
}

/// The service over a folder, which several processes may use at once (the tests of a database do).
#[derive(Clone)]
pub struct Store {
    files: S3Service,
    gate: PathBuf,
}

/// Held by the one process that writes: the library calls its temporary files by a counter of the process,
/// and removes those that it finds when it begins. The system lets go when the file is closed.
fn gate(path: &Path) -> io::Result<File> {
    let file = File::create(path)?;
    file.lock()?;
    Ok(file)
}

/// The service over `root`, which is made together with the bucket.
pub fn service(root: &Path, access: &Access) -> Result<Store> {
    let failed = |error: &dyn std::fmt::Display| format!("{} cannot be used: {error}.", root.display());
    fs::create_dir_all(root.join(&access.bucket)).map_err(|error| failed(&error))?;
    let path = root.join(".gate");
    let held = gate(&path).map_err(|error| failed(&error))?;
    let files = s3s_fs::FileSystem::new(root).map_err(|error| failed(&format!("{error:?}")))?;
    drop(held);
    let mut builder = S3ServiceBuilder::new(files);
    builder.set_auth(SimpleAuth::from_single(access.key.clone(), access.secret.clone()));
    builder.set_access(PublicReading { root: root.to_owned() });
    Ok(Store { files: builder.build(), gate: path })
}

/// Serves until the program ends.
pub async fn serve(listener: TcpListener, store: Store) {
    let answer = move |request: Request<Incoming>| {
        let Store { files, gate: path } = store.clone();
        async move {
            let _held = match *request.method() {
                Method::PUT | Method::POST => Some(tokio::task::spawn_blocking(move || gate(&path)).await??),
                _ => None,
            };
            let mut response = Service::call(&files, request).await?;
            // As a server of public buckets should.
            response.headers_mut().insert("x-content-type-options", HeaderValue::from_static("nosniff"));
            Ok::<_, Box<dyn Error + Send + Sync>>(response)
        }
    };
    http::serve(listener, answer).await;
}
