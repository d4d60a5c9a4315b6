//! Texts of the catalogue: outer blanks are removed, and an optional text without letters is empty.

use kernel::Clearable;
use kernel::{Fault, Problem};

pub(crate) fn clean(text: String) -> String {
    text.trim().to_owned()
}

/// An optional text; a blank one is none.
pub(crate) fn optional(text: Option<String>) -> Option<String> {
    text.map(clean).filter(|text| !text.is_empty())
}

/// The same in a change: a blank text clears.
pub(crate) fn change(text: Clearable<String>) -> Clearable<String> {
    match text {
        Clearable::Value(text) => optional(Some(text)).map_or(Clearable::Null, Clearable::Value),
        other => other,
    }
}

/// A required name, where one was sent: names the field when it would be empty.
pub(crate) fn name(problem: Problem, key: &str, name: Option<String>) -> (Problem, Option<String>) {
    let name = name.map(clean);
    let problem = if name.as_deref().is_some_and(kernel::text::is_blank) {
        problem.key(key, Fault::Required)
    } else {
        problem
    };
    (problem, name)
}

/// A pattern for `like` that finds this text anywhere.
pub(crate) fn contains(text: &str) -> String {
    let mut pattern = String::from("%");
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}
