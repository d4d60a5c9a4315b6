//! Password hashing: Argon2id with bounded concurrency. See `docs/decisions/accounts.md#passwords`.

use std::sync::{
    LazyLock,
    atomic::{AtomicU64, Ordering},
};

use argon2::{
    Argon2, Params, PasswordHash, PasswordHasher, PasswordVerifier,
    password_hash::{SaltString, rand_core::OsRng},
};
use kernel::{Code, Problem, Result};
use tokio::{sync::Semaphore, task::spawn_blocking};

/// As many at once as there are cores: each takes 19 MiB and all of a core.
static TURNS: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(std::thread::available_parallelism().map_or(2, std::num::NonZero::get)));

static EVALUATED: AtomicU64 = AtomicU64::new(0);

/// Runs work that takes a core for a while, beside the threads that answer requests.
/// Errors: `UNKNOWN_ERROR` when the work yields nothing or panics.
pub async fn hashing<T: Send + 'static>(work: impl FnOnce() -> Option<T> + Send + 'static) -> Result<T> {
    let failed = |_| Problem::new(Code::UNKNOWN_ERROR);
    let _turn = TURNS.acquire().await.map_err(|_| Problem::new(Code::UNAVAILABLE_SERVER))?;
    spawn_blocking(work).await.map_err(failed)?.ok_or_else(|| Code::UNKNOWN_ERROR.into())
}

/// The hash to keep.
/// Errors: `UNKNOWN_ERROR` when hashing fails.
pub async fn hash(password: String) -> Result<String> {
    hashing(move || {
        Some(
            Argon2::default()
                .hash_password(password.as_bytes(), &SaltString::generate(&mut OsRng))
                .ok()?
                .to_string(),
        )
    })
    .await
}

/// How many passwords this process has looked at, for proofs and measurements.
#[must_use]
pub fn evaluated() -> u64 {
    EVALUATED.load(Ordering::Relaxed)
}

/// Whether the password fits the hash. Without a hash the same work is done, so timing reveals nothing.
/// Errors: `UNKNOWN_ERROR` when hashing fails.
pub async fn verify(password: String, hash: Option<String>) -> Result<bool> {
    EVALUATED.fetch_add(1, Ordering::Relaxed);
    hashing(move || {
        let Some(hash) = hash else {
            let _ = Argon2::default().hash_password(password.as_bytes(), &SaltString::generate(&mut OsRng));
            return Some(false);
        };
        let parsed = PasswordHash::new(&hash).ok()?;
        Some(Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok())
    })
    .await
}

/// Whether a hash was made with other parameters than are used now; then it is made anew at the next sign-in.
#[must_use]
pub fn is_outdated(hash: &str) -> bool {
    let used = PasswordHash::new(hash)
        .ok()
        .filter(|hash| hash.algorithm == argon2::ARGON2ID_IDENT)
        .and_then(|hash| Params::try_from(&hash).ok());
    let now = Params::DEFAULT;
    used.is_none_or(|used| {
        (used.m_cost(), used.t_cost(), used.p_cost()) != (now.m_cost(), now.t_cost(), now.p_cost())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_hash_is_argon2id_of_at_least_19_mib() {
        let hash = hash("szilvás gombóc".into()).await.unwrap();
        let parsed = PasswordHash::new(&hash).unwrap();
        assert_eq!(parsed.algorithm.as_str(), "argon2id");
        assert!(
            parsed.params.get_decimal("m").unwrap() >= 19 * 1024
                && parsed.params.get_decimal("t").unwrap() >= 2
        );
        assert!(verify("szilvás gombóc".into(), Some(hash.clone())).await.unwrap());
        assert!(!is_outdated(&hash) && is_outdated(&hash.replace("t=2", "t=1")) && is_outdated(""));
        assert!(!verify("almás rétes".into(), Some(hash)).await.unwrap());
        assert!(!verify("almás rétes".into(), None).await.unwrap());
    }
}
