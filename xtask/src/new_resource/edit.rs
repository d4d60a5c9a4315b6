//! Small edits of files that people also edit: a module, an element of a tuple, dependencies.

/// The crate's `lib.rs` with the module and its operations; none when it has no `api()` that answers a tuple.
pub(super) fn with_resource(lib: &str, module: &str, api: &str) -> Option<String> {
    let text = with_module(lib, module);
    let body = text.find("fn api()")?;
    let open = body + text[body..].find('{')? + 1;
    let open = open + text[open..].find('(').filter(|at| text[open..open + at].trim().is_empty())?;
    let close = open + closing(&text[open..])?;
    let elements = text[open + 1..close].trim_end().trim_end_matches(',');
    if elements.trim().is_empty() {
        return Some(format!("{}({module}::{api}, ()){}", &text[..open], &text[close + 1..]));
    }
    // A tuple of one is none of poem's: the empty API stands beside a single one, always last.
    let alone = |rest: &&str| rest.trim_end().ends_with(',');
    let (elements, end) = match elements.strip_suffix("()").filter(alone) {
        Some(rest) => (rest.trim_end().trim_end_matches(','), ", ()"),
        None => (elements, ""),
    };
    Some(format!("{}({elements}, {module}::{api}{end}){}", &text[..open], &text[close + 1..]))
}

/// Where the parenthesis that `text` begins with is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_i32;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// With `mod NAME;` among the others, in the order of the alphabet.
pub(super) fn with_module(text: &str, name: &str) -> String {
    let line = format!("mod {name};");
    let lines: Vec<&str> = text.lines().collect();
    if lines.contains(&line.as_str()) {
        return text.to_owned();
    }
    let is_module = |one: &str| one.starts_with("mod ") && one.ends_with(';');
    let after = lines.iter().position(|one| is_module(one) && **one > *line.as_str());
    let end = lines.iter().rposition(|one| is_module(one)).map(|at| at + 1);
    // A file without modules has them after its first comment and attributes.
    let head =
        lines.iter().position(|one| !one.starts_with("//!") && !one.starts_with("#!")).unwrap_or(lines.len());
    let at = after.or(end).unwrap_or(head);
    let mut with: Vec<String> = lines.iter().map(|one| (*one).to_owned()).collect();
    if after.or(end).is_none() {
        with.insert(at, String::new());
        with.insert(at + 1, line);
    } else {
        with.insert(at, line);
    }
    with.join("\n") + "\n"
}

/// The root of a crate's tests through HTTP.
pub(super) fn new_tests(krate: &str) -> String {
    format!("//! The crate `{krate}` through HTTP, against a real Postgres.\n")
}

/// A target of the tests through HTTP with those of this crate.
pub(super) fn with_tests_of(target: &str, krate: &str) -> String {
    let line = format!("mod {krate};\n");
    if target.contains(&line) {
        return target.to_owned();
    }
    let end =
        target.rfind("\nmod ").map_or(0, |at| at + 1 + target[at + 1..].find('\n').map_or(0, |to| to + 1));
    format!("{}#[path = \"../../{krate}/tests/http/mod.rs\"]\n{line}{}", &target[..end], &target[end..])
}

/// The manifest with these crates of the workspace among its dependencies.
pub(super) fn with_dependencies(manifest: &str, needed: &[&str]) -> String {
    let header = "[dependencies]\n";
    let mut text = manifest.to_owned();
    for dependency in needed {
        let own = text.split_once(header).map_or("", |(_, rest)| rest.split("\n[").next().unwrap_or(rest));
        let known = |line: &str| {
            line.starts_with(&format!("{dependency}.")) || line.starts_with(&format!("{dependency} "))
        };
        if !own.lines().any(known) {
            text = text.replacen(header, &format!("{header}{dependency}.workspace = true\n"), 1);
        }
    }
    text
}
