//! Error codes: each one of the table can be answered.

use std::{fmt::Write, fs, path::Path};

use kernel::Code;

/// The shipped code of a folder: without comments, and without the tests at the end of a file.
fn shipped(folder: &Path, found: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            shipped(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                writeln!(found, "{line}").unwrap();
            }
        }
    }
}

/// Whether a text has the word, not a longer one that begins with it.
fn has(text: &str, word: &str) -> bool {
    let longer = |after: char| after.is_alphanumeric() || after == '_';
    text.match_indices(word).any(|(at, _)| !text[at + word.len()..].starts_with(longer))
}

/// A code that nothing raises has texts and documentation for what never happens. `<ENTITY>_NOT_EXIST` is
/// also raised by the name of an entity.
#[test]
fn every_code_is_raised_somewhere() {
    let mut code = String::new();
    for crate_folder in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap() {
        let source = crate_folder.unwrap().path().join("src");
        if source.is_dir() {
            shipped(&source, &mut code);
        }
    }
    let raised = |name: &str| {
        let of_entity = name.strip_suffix("_NOT_EXIST").is_some_and(|entity| {
            let named = format!(", \"{entity}\");");
            has(&code, &format!("ENTITY: &'static str = \"{entity}\""))
                || has(&code, &format!("\" \"{entity}\""))
                || code.lines().any(|line| line.starts_with("kernel::resource!(") && line.ends_with(&named))
        });
        of_entity || has(&code, &format!("Code::{name}"))
    };
    let dead: Vec<_> = Code::ALL.iter().map(|one| one.name()).filter(|name| !raised(name)).collect();
    assert_eq!(dead, Vec::<&str>::new());
}
