//! References in comments and pages: every page and heading that they name exists, and none names a document
//! from elsewhere.

use std::{
    collections::{BTreeSet, HashMap},
    fs,
    path::{Component, Path, PathBuf},
};

/// Folders with files that somebody else wrote or that are made anew.
const LEFT_OUT: &[&str] = &["target", "node_modules", "generated", "dist", "golden", "test-results"];

const KINDS: &[&str] = &["rs", "ts", "tsx", "mjs", "css", "sql", "md", "toml", "sh", "py"];

/// Words that, with a number or a section behind them, name a document that is not here.
const OUTSIDE: &[&str] = &["document ", "decision ", "decisions ", "security ", "reliability "];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn texts(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with('.') || LEFT_OUT.contains(&name.as_str()) || path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            texts(&path, found);
        } else if KINDS.iter().any(|kind| path.extension().is_some_and(|found| found == *kind)) {
            found.push((path.clone(), fs::read_to_string(&path).unwrap()));
        }
    }
}

/// The text without the marks of comments, so that a reference may be wrapped.
fn unwrapped(text: &str) -> String {
    let marks = |c: char| c.is_whitespace() || matches!(c, '/' | '!' | '*' | '-' | '#');
    text.lines().map(|line| line.trim_start_matches(marks).trim_end()).collect::<Vec<_>>().join(" ")
}

/// A section of a document from elsewhere, as "document 1", "security 12" or a section sign that follows no
/// RFC.
fn outside(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let mut found = Vec::new();
    let mut note = |at: usize| {
        let end = lower[at..].char_indices().nth(24).map_or(lower.len(), |(end, _)| at + end);
        found.push(lower[at..end].to_owned());
    };
    for (at, _) in lower.match_indices('§') {
        if !lower[..at].trim_end().ends_with(|c: char| c.is_ascii_digit()) || !rfc(&lower[..at]) {
            note(at);
        }
    }
    for word in OUTSIDE {
        for (at, _) in lower.match_indices(word) {
            let starts = !lower[..at].ends_with(|c: char| c.is_alphanumeric());
            let rest = lower[at + word.len()..].trim_start_matches(['d', 's']);
            let number = rest.chars().take_while(char::is_ascii_digit).count();
            let ends = !rest[number..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
            if starts && (1..=2).contains(&number) && ends {
                note(at);
            }
        }
    }
    found
}

fn rfc(before: &str) -> bool {
    before.trim_end().rsplit(' ').nth(1).is_some_and(|word| word.ends_with("rfc"))
}

/// Headings as addresses name them, and anchors that are written out.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in page.lines() {
        if line.starts_with('#') {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            found.insert(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
        }
        found
            .extend(line.split("id=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned));
    }
    found
}

/// Pages that a text names: `docs/….md`, in a page also the targets of its links.
fn named(path: &Path, text: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("docs/") {
        let before = text[..at].chars().next_back();
        let rest: String = text[at..]
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '#'))
            .collect();
        let (page, anchor) = rest.split_once('#').unwrap_or((&rest, ""));
        let ours = before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '/' | '.' | '-' | '_'));
        if ours && page.trim_end_matches('.').ends_with(".md") {
            found.push((root().join(page.trim_end_matches('.')), anchor.trim_end_matches('.').to_owned()));
        }
    }
    if path.extension().is_some_and(|kind| kind == "md") {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ', '\n']).next()) {
            let (page, anchor) = link.split_once('#').unwrap_or((link, ""));
            if link.contains("://") || link.starts_with("mailto:") || link.is_empty() {
                continue;
            }
            let page =
                if page.is_empty() { path.to_owned() } else { plain(&path.parent().unwrap().join(page)) };
            found.push((page, anchor.to_owned()));
        }
    }
    found
}

/// The path without `..`.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut kept, part| {
        if part == Component::ParentDir {
            kept.pop();
        } else {
            kept.push(part);
        }
        kept
    })
}

#[test]
fn comments_and_pages_name_only_what_is_here() {
    let mut found = Vec::new();
    texts(&root(), &mut found);
    let mut faults = Vec::new();
    let mut pages: HashMap<PathBuf, BTreeSet<String>> = HashMap::new();
    for (path, text) in found.iter().filter(|(path, _)| !path.ends_with(file!().rsplit('/').next().unwrap()))
    {
        let place = path.strip_prefix(root()).unwrap().display();
        faults.extend(outside(&unwrapped(text)).iter().map(|what| format!("{place}: {what}")));
        for (page, anchor) in named(path, text) {
            if !page.exists() {
                faults.push(format!("{place}: no {}", page.display()));
            } else if !anchor.is_empty() {
                let known = pages
                    .entry(page.clone())
                    .or_insert_with(|| anchors(&fs::read_to_string(&page).unwrap_or_default()));
                if !known.contains(&anchor) {
                    faults.push(format!("{place}: no #{anchor} in {}", page.display()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_reference_to_elsewhere_is_found() {
    for text in
        ["(document 2 §2.9)", "see security 12.", "Security D7:", "decisions 4", "reliability 33", "§7a"]
    {
        assert!(!outside(text).is_empty(), "{text}");
    }
    for text in ["RFC 5321 §4.5.2", "a document of 2 MB", "security 2000", "the document 404s"] {
        assert!(outside(text).is_empty(), "{text}");
    }
    assert!(
        anchors("## Order of refusals\n<a id=\"x\"></a>")
            .is_superset(&BTreeSet::from(["order-of-refusals".to_owned(), "x".to_owned(),]))
    );
}

/// `python3 docs/architecture.py` draws the map anew.
#[test]
fn the_map_shows_every_crate() {
    let map = fs::read_to_string(root().join("docs/architecture.svg")).unwrap();
    for crates in ["platform", "integrations"] {
        for entry in fs::read_dir(root().join(crates)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            // Tools for tests and development stand beside the service.
            if path.join("Cargo.toml").exists() && !["testkit", "sandbox"].contains(&name.as_str()) {
                assert!(map.contains(&format!(">{name}</text>")), "{name} is not on the map");
            }
        }
    }
}

/// Hungarian texts are worded so that the article before an inserted name or number is never open.
#[test]
fn no_text_leaves_the_article_open() {
    let mut found = Vec::new();
    for folder in ["platform", "integrations", "tenants", "admin-ui/src"] {
        texts(&root().join(folder), &mut found);
    }
    let open = ["a", "A"].map(|article| format!("{article}(z)"));
    let files: Vec<_> = found
        .iter()
        .filter(|(_, text)| open.iter().any(|article| text.contains(article)))
        .map(|(path, _)| path.display().to_string())
        .collect();
    assert_eq!(files, [""; 0]);
}
