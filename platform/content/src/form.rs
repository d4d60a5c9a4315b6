//! What forms with a file have in common.

use kernel::{Fault, Problem, text};

/// A name as people write it: one line without blanks around it, 1 to 200 letters.
pub(crate) fn named(problem: Problem, key: &str, name: Option<&str>) -> (Problem, String) {
    let name = name.unwrap_or_default().trim().to_owned();
    let problem = match name.chars().count() {
        0 => problem.key(key, Fault::Required),
        201.. => problem.key(key, Fault::TooLong(200)),
        _ if !text::is_one_line(&name) => problem.key(key, Fault::Pattern),
        _ => problem,
    };
    (problem, name)
}
