//! A sender of push notifications for tests. The beginning of a device's token determines the outcome, as in
//! the sandbox. Sent messages lie in a folder, because tests of a database share its jobs.

use std::{path::PathBuf, sync::Arc};

use contract::{Capability, Environment, Plugins, Push, PushMessage, PushOutcome, Secret};

/// See the module.
pub(crate) struct Pushes;

/// The plug-ins of all tests.
pub(crate) fn plugins() -> Plugins {
    let push = || Capability::Push(Arc::new(Pushes));
    crate::plugins::plugins([(Environment::Live, push()), (Environment::StandIn, push())])
}

fn folder() -> PathBuf {
    std::env::temp_dir().join(format!("pult-test-pushes-{:016x}", migrations::fingerprint()))
}

/// How often a notification was sent to this device.
pub(crate) fn sent(token: &str) -> usize {
    tries(token).into_iter().filter(|name| name.ends_with(".sent")).count()
}

fn tries(token: &str) -> Vec<String> {
    let found = std::fs::read_dir(folder())
        .into_iter()
        .flatten()
        .filter_map(|file| file.ok()?.file_name().into_string().ok());
    found.filter(|name| name.starts_with(&format!("{token}."))).collect()
}

#[async_trait::async_trait]
impl Push for Pushes {
    async fn send(&self, _message: &PushMessage, token: &Secret) -> PushOutcome {
        let token = token.reveal();
        let first = tries(token).is_empty();
        let outcome = match token.split('-').next().unwrap_or_default() {
            "gone" => PushOutcome::Unregistered,
            "apns" => PushOutcome::Failed("THIRD_PARTY_AUTH_ERROR".to_owned()),
            "busy" if first => PushOutcome::Later(Some(1)),
            "never" => PushOutcome::Later(None),
            "lost" => PushOutcome::Unknown,
            _ => PushOutcome::Accepted,
        };
        let ending =
            if matches!(outcome, PushOutcome::Accepted | PushOutcome::Unknown) { "sent" } else { "try" };
        let _ = std::fs::create_dir_all(folder());
        let _ = std::fs::write(folder().join(format!("{token}.{}.{ending}", uuid::Uuid::now_v7())), "");
        outcome
    }
}
