//! The result of a check.

use crate::health::{changes::Change, types::MenuFinding};

/// A finding with what would mend it; nothing where somebody has to think.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::health) struct CheckResult {
    pub finding: MenuFinding,
    pub changes: Vec<Change>,
}

impl From<MenuFinding> for CheckResult {
    fn from(finding: MenuFinding) -> Self {
        Self { finding, changes: Vec::new() }
    }
}
