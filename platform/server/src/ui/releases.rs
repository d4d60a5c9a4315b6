//! Files of other releases of the interface. A page that is open for days, or that another instance served
//! during a deployment, requests files that this binary does not have. Each instance copies its own files to
//! a shared folder. See `docs/decisions/reliability.md#deployment`.

use std::{
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, SystemTime},
};

use tokio::fs;

use super::{ASSETS, Files};

/// So long a file is answered after the last instance that had it has stopped.
const RETENTION: Duration = Duration::from_secs(7 * 86_400);
/// How often an instance says that its files are current, and removes what is too old.
const OFTEN: Duration = Duration::from_secs(3600);

/// The folder that all instances and later releases share.
#[derive(Debug, Clone)]
pub struct Releases {
    folder: PathBuf,
}

impl Releases {
    /// Below `PULT_FILES_DIR`.
    #[must_use]
    pub fn of(files: &Path) -> Self {
        Self { folder: files.join("ui") }
    }

    /// Puts the files of this binary there. When that does not work the service goes on without: it has its
    /// own files.
    pub async fn publish(&self) {
        for path in Files::iter() {
            let Some(name) = path.strip_prefix(ASSETS) else { continue };
            let Some(file) = Files::get(&path) else { continue };
            if let Err(error) = self.put(name, &file.data).await {
                tracing::warn!(%error, folder = %self.folder.display(), "files of the interface cannot be \
                    kept for other instances and later releases");
                return;
            }
        }
    }

    /// Says every hour that they are current, and removes what has not been so for seven days; for ever.
    pub async fn keep(self) {
        loop {
            self.tidy(SystemTime::now()).await;
            tokio::time::sleep(OFTEN).await;
            self.publish().await;
        }
    }

    /// Writes a file, or marks it as current. Its name contains its hash, so it is never written twice.
    pub(super) async fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let path = self.folder.join(name);
        if fs::metadata(&path).await.is_ok_and(|file| file.len() == bytes.len() as u64) {
            let file = fs::OpenOptions::new().append(true).open(&path).await?.into_std().await;
            return file.set_modified(SystemTime::now());
        }
        fs::create_dir_all(&self.folder).await?;
        // A concurrent reader sees the complete file or none.
        let unfinished =
            self.folder.join(format!(".{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
        fs::write(&unfinished, bytes).await?;
        fs::rename(&unfinished, &path).await
    }

    /// A file of any release of the last days.
    pub(super) async fn find(&self, name: &str) -> Option<Vec<u8>> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
        if name.is_empty() || name.len() > 200 || name.starts_with('.') || !name.bytes().all(plain) {
            return None;
        }
        fs::read(self.folder.join(name)).await.ok()
    }

    /// Removes what was not current within seven days.
    pub(super) async fn tidy(&self, now: SystemTime) {
        let Ok(mut entries) = fs::read_dir(&self.folder).await else { return };
        while let Ok(Some(entry)) = entries.next_entry().await {
            let Ok(modified) = entry.metadata().await.and_then(|file| file.modified()) else { continue };
            if now.duration_since(modified).is_ok_and(|age| age > RETENTION) {
                // Another instance may have been quicker.
                let _ = fs::remove_file(entry.path()).await;
            }
        }
    }
}
