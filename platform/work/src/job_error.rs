//! Why a job failed, and whether it is worth another try.

use std::fmt;

use kernel::Problem;
use sea_orm::DbErr;

/// Why a job failed. A super admin reads the sentence beside the job; it holds no personal data.
///
/// Errors of the database, of files and of the service's own calls convert: they may be over at the next
/// attempt. Errors that no retry fixes are made with [`JobError::give_up`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobError {
    reason: String,
    retry: bool,
}

impl JobError {
    /// Something that may be over at the next attempt.
    pub fn retry(reason: impl fmt::Display) -> Self {
        Self { reason: reason.to_string(), retry: true }
    }

    /// Something that no further attempt changes: the job is set aside at once.
    pub fn give_up(reason: impl fmt::Display) -> Self {
        Self { reason: reason.to_string(), retry: false }
    }

    /// Whether the job is tried again, as long as it has attempts left.
    #[must_use]
    pub fn retries(&self) -> bool {
        self.retry
    }
}

impl fmt::Display for JobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for JobError {}

impl From<DbErr> for JobError {
    fn from(error: DbErr) -> Self {
        Self::retry(error)
    }
}

impl From<Problem> for JobError {
    fn from(problem: Problem) -> Self {
        let reason = problem.reason();
        if reason.is_empty() {
            Self::retry(problem)
        } else {
            Self::retry(format!("{}: {reason}", problem.code_name()))
        }
    }
}

impl From<std::io::Error> for JobError {
    fn from(error: std::io::Error) -> Self {
        Self::retry(error)
    }
}

/// A task of the job's own that panicked or was cancelled.
impl From<tokio::task::JoinError> for JobError {
    fn from(error: tokio::task::JoinError) -> Self {
        Self::retry(error)
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Code, Fault};

    use super::*;

    #[test]
    fn a_failure_shows_its_known_reason() {
        for (error, reason) in [
            (JobError::from(Problem::new(Code::NOT_FOUND)), "NOT_FOUND"),
            (
                Problem::new(Code::VALIDATION_FAILED).key("name", Fault::Required).into(),
                "VALIDATION_FAILED: name: required",
            ),
            (Problem::new(Code::UNKNOWN_ERROR).detail("no such row").into(), "UNKNOWN_ERROR: no such row"),
            (JobError::give_up("the job has no partner"), "the job has no partner"),
        ] {
            assert_eq!(error.to_string(), reason);
        }
        assert!(JobError::retry("later").retries() && !JobError::give_up("never").retries());
    }
}
