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
    again: Again,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Again {
    /// As long as it has attempts left.
    Counted,
    /// Until it works.
    Always,
    Never,
}

impl JobError {
    /// Something that may be over at the next attempt.
    pub fn retry(reason: impl fmt::Display) -> Self {
        Self { reason: reason.to_string(), again: Again::Counted }
    }

    /// What the job needs is away, which says nothing of the job: it is tried until that is back, every quarter of
    /// an hour at least.
    pub fn away(reason: impl fmt::Display) -> Self {
        Self { reason: reason.to_string(), again: Again::Always }
    }

    /// Something that no further attempt changes: the job is set aside at once.
    pub fn give_up(reason: impl fmt::Display) -> Self {
        Self { reason: reason.to_string(), again: Again::Never }
    }

    /// Whether the job is tried again, as long as it has attempts left.
    #[must_use]
    pub fn retries(&self) -> bool {
        self.again != Again::Never
    }

    /// Whether this attempt does not count.
    pub(crate) fn is_away(&self) -> bool {
        self.again == Again::Always
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
        match error {
            // The last one: of another release than the schema, until an upgrade or a rollback has ended.
            DbErr::Conn(_) | DbErr::ConnectionAcquire(_) | DbErr::Migration(_) => Self::away(error),
            _ => Self::retry(error),
        }
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
        let lost = DbErr::ConnectionAcquire(sea_orm::ConnAcquireErr::Timeout);
        assert!(JobError::from(lost).is_away() && !JobError::from(DbErr::Custom("wrong".into())).is_away());
    }
}
