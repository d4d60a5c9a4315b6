//! An object store of the drill's own, on a folder.

use std::path::Path;

use rig::{Installation, Result};
use sandbox::s3;
use tokio::net::TcpListener;

/// Serves one over this folder, and has the installation use it from now on.
pub async fn open(installation: &mut Installation, folder: &Path) -> Result<()> {
    let access =
        s3::Access { key: "drill".into(), secret: "secret-of-the-drill".into(), bucket: "pult".into() };
    let service = s3::service(folder, &access)?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    installation.set("PULT_S3_ENDPOINT", &format!("http://{}", listener.local_addr()?));
    installation.set("PULT_S3_ACCESS_KEY", &access.key);
    installation.set("PULT_S3_SECRET_KEY", &access.secret);
    installation.set("PULT_S3_BUCKET", &access.bucket);
    tokio::spawn(s3::serve(listener, service));
    Ok(())
}
