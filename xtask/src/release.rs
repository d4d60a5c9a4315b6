//! `cargo xtask release VERSION`: one version in crates, chart, image, interface and documents, and what has changed
//! since the release before, in `CHANGELOG.md`.

use std::{collections::BTreeMap, fmt::Write, fs, path::Path};

use crate::{Result, process, project::Project};

const CHANGELOG: &str = "CHANGELOG.md";
const HEADING: &str = "# Changelog\n\nWhat has changed from release to release, by area.\n";
/// So begins the subject of the commit of a release.
const SUBJECT: &str = "release: ";
/// Of a commit that names no area.
const NO_AREA: &str = "other";

/// The files that name the version, and how often they do at their beginning. The image takes it from the crates.
const FILES: &[(&str, Form)] = &[
    ("Cargo.toml", Form::First("version = \"", 1)),
    ("Cargo.lock", Form::OwnPackages),
    ("helm/Chart.yaml", Form::Chart),
    ("admin-ui/package.json", Form::First("\"version\": \"", 1)),
    ("admin-ui/package-lock.json", Form::First("\"version\": \"", 2)),
    ("openapi/openapi.json", Form::First("\"version\": \"", 1)),
    ("openapi/public.json", Form::First("\"version\": \"", 1)),
];

/// Where the version stands in a file.
enum Form {
    /// So many times, behind this and the number that was.
    First(&'static str, usize),
    /// In every package of a lock file that comes from this checkout.
    OwnPackages,
    /// The chart's own number, and that of what it deploys.
    Chart,
}

/// Makes a release of this checkout.
/// Errors: One sentence with what to do; then nothing has changed.
pub fn run(words: &[String]) -> Result<()> {
    let [version] = words else {
        return Err("`cargo xtask release` takes the version, such as 1.2.0.".into());
    };
    make(&Project::find().root, version)?;
    println!(
        "Committed as `{SUBJECT}{version}` with the tag v{version}. Then: `git push --follow-tags`, `cargo xtask image`, and \
         docs/operating.md#upgrading-and-rolling-back."
    );
    Ok(())
}

fn make(root: &Path, version: &str) -> Result<()> {
    let new = number(version).ok_or_else(|| format!("{version} is no version; one is as 1.2.0."))?;
    let changed = git(root, &["status", "--porcelain"])?;
    if !changed.is_empty() {
        return Err(format!("A release has what is committed; commit or remove first:\n{changed}"));
    }
    let read = |name: &str| {
        fs::read_to_string(root.join(name)).map_err(|error| format!("{name} cannot be read: {error}."))
    };
    let cargo = read("Cargo.toml")?;
    let old = cargo.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    let old = old.ok_or("Cargo.toml names no version.")?;
    let log = read(CHANGELOG).unwrap_or_else(|_| HEADING.to_owned());
    if log.contains(&format!("\n## {version} ")) || number(old).is_none_or(|old| new < old) {
        return Err(format!("{version} was released, or is before {old}; take a higher version."));
    }
    let mut files: Vec<(&str, String)> = Vec::new();
    for (name, form) in FILES {
        let text = form.replace(&read(name)?, old, version);
        files.push((name, text.ok_or_else(|| format!("{name} does not name {old} where it should."))?));
    }
    let entry = entry(root, version)?;
    let (heading, earlier) = log.split_at(log.find("\n## ").unwrap_or(log.len()));
    files.push((CHANGELOG, format!("{heading}\n{entry}{earlier}")));
    for (name, text) in &files {
        fs::write(root.join(name), text).map_err(|error| format!("{name} cannot be written: {error}."))?;
    }
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    git(root, &[&["add", "--"], &names[..]].concat())?;
    git(root, &["commit", "--quiet", "-m", &format!("{SUBJECT}{version}")])?;
    git(root, &["tag", "-a", "-m", &format!("Pult {version}"), &format!("v{version}")]).map(drop)
}

/// What was committed since the release before, by area: the part of a subject before its colon. A commit of several
/// areas stands in each.
fn entry(root: &Path, version: &str) -> Result<String> {
    let before = git(root, &["log", "-1", "--format=%H", &format!("--grep=^{SUBJECT}[0-9]")])?;
    let range = if before.is_empty() { "HEAD".to_owned() } else { format!("{before}..HEAD") };
    let subjects = git(root, &["log", "--no-merges", "--reverse", "--format=%s", &range])?;
    let mut areas: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for subject in subjects.lines().filter(|subject| !subject.starts_with(SUBJECT)) {
        let (named, what) = subject.split_once(": ").unwrap_or((NO_AREA, subject));
        // An area is a word or several with commas between; anything else is a sentence with a colon.
        let is_area = named.split(", ").all(|area| !area.is_empty() && !area.contains(' '));
        let (named, what) = if is_area { (named, what) } else { (NO_AREA, subject) };
        for area in named.split(", ") {
            areas.entry(area.to_lowercase()).or_default().push(what);
        }
    }
    let day = git(root, &["log", "-1", "--format=%cs"])?;
    let mut text = format!("## {version} ({day})\n");
    for (area, changes) in &areas {
        let _ = write!(text, "\n### {area}\n\n");
        for change in changes {
            let _ = writeln!(text, "- {change}");
        }
    }
    Ok(text)
}

/// A version as numbers, to compare.
fn number(version: &str) -> Option<[u32; 3]> {
    let parts: Vec<u32> = version.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let number: [u32; 3] = parts.try_into().ok()?;
    (number.map(|part| part.to_string()).join(".") == version).then_some(number)
}

impl Form {
    fn replace(&self, text: &str, old: &str, new: &str) -> Option<String> {
        match self {
            Self::First(before, times) => {
                let (was, is) = (format!("{before}{old}\""), format!("{before}{new}\""));
                (text.matches(&was).count() >= *times).then(|| text.replacen(&was, &is, *times))
            }
            Self::OwnPackages => {
                let (was, is) = (format!("\nversion = \"{old}\"\n"), format!("\nversion = \"{new}\"\n"));
                let own = |block: &&str| !block.contains("\nsource = ");
                text.contains(&was).then(|| {
                    let blocks = text.split("[[package]]");
                    let blocks = blocks
                        .map(|block| if own(&block) { block.replace(&was, &is) } else { block.to_owned() });
                    blocks.collect::<Vec<_>>().join("[[package]]")
                })
            }
            Self::Chart => {
                let lines: Vec<String> = text
                    .lines()
                    .map(|line| match line.split_once(": ") {
                        Some(("version", _)) => format!("version: {new}"),
                        Some(("appVersion", _)) => format!("appVersion: \"{new}\""),
                        _ => line.to_owned(),
                    })
                    .collect();
                text.contains(&format!("\nappVersion: \"{old}\"\n")).then(|| lines.join("\n") + "\n")
            }
        }
    }
}

fn git(root: &Path, words: &[&str]) -> Result<String> {
    let output = process::command("git").args(words).current_dir(root).output();
    let output = output.map_err(|error| format!("git cannot be started: {error}."))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    Err(format!("`git {}`: {}", words.join(" "), String::from_utf8_lossy(&output.stderr).trim()))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// The files of this checkout that name the version, in a repository of their own.
    struct Copy(PathBuf);

    impl Drop for Copy {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    impl Copy {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("pult-release-{name}-{}", std::process::id()));
            let copy = Self(folder);
            for (name, _) in FILES {
                let to = copy.0.join(name);
                fs::create_dir_all(to.parent().unwrap()).unwrap();
                fs::copy(Project::find().root.join(name), to).unwrap();
            }
            for words in [
                &["init", "--quiet", "--initial-branch=main"][..],
                &["config", "user.name", "Test"],
                &["config", "user.email", "test@pult.test"],
                &["config", "commit.gpgsign", "false"],
                &["add", "."],
            ] {
                copy.git(words);
            }
            copy.commit("orders: number a day's orders from 1");
            copy
        }

        fn git(&self, words: &[&str]) -> String {
            git(&self.0, words).unwrap()
        }

        fn commit(&self, subject: &str) {
            self.git(&["commit", "--quiet", "--allow-empty", "-m", subject]);
        }

        fn read(&self, name: &str) -> String {
            fs::read_to_string(self.0.join(name)).unwrap()
        }
    }

    #[test]
    fn a_release_has_one_version_and_says_what_changed() {
        let copy = Copy::new("whole");
        let before = copy.read("Cargo.lock");
        for subject in [
            "kernel, pricing: check weeks over clock changes",
            "orders: take two at once",
            "Mend the thing that was: broken",
            "No area at all",
        ] {
            copy.commit(subject);
        }
        make(&copy.0, "77.0.1").unwrap();
        assert_eq!(copy.git(&["status", "--porcelain"]), "");
        assert_eq!(copy.git(&["describe", "--tags"]), "v77.0.1");
        assert!(copy.read("Cargo.toml").contains("\nversion = \"77.0.1\"\n"));
        let chart = copy.read("helm/Chart.yaml");
        assert!(
            chart.contains("\nversion: 77.0.1\n") && chart.contains("\nappVersion: \"77.0.1\"\n"),
            "{chart}"
        );
        assert!(copy.read("admin-ui/package.json").contains("\"version\": \"77.0.1\""));
        assert_eq!(copy.read("admin-ui/package-lock.json").matches("\"version\": \"77.0.1\"").count(), 2);
        for name in ["openapi/openapi.json", "openapi/public.json"] {
            assert_eq!(copy.read(name).matches("\"version\": \"77.0.1\"").count(), 1, "{name}");
        }
        // Every package of this checkout, and no other one.
        let lock = copy.read("Cargo.lock");
        let with = |text: &str, own: bool| -> Vec<String> {
            text.split("[[package]]")
                .filter(|block| block.contains("\nsource = ") != own)
                .map(str::to_owned)
                .collect()
        };
        assert_eq!(with(&lock, false), with(&before, false));
        assert!(with(&lock, true)[1..].iter().all(|block| block.contains("version = \"77.0.1\"")));

        let day = copy.git(&["log", "-1", "--format=%cs"]);
        let expected = format!(
            "{HEADING}\n## 77.0.1 ({day})\n\n### kernel\n\n- check weeks over clock changes\n\n### orders\n\n\
             - number a day's orders from 1\n- take two at once\n\n### other\n\n- Mend the thing that was: broken\n\
             - No area at all\n\n### pricing\n\n- check weeks over clock changes\n"
        );
        assert_eq!(copy.read(CHANGELOG), expected);

        // The next one has only what came later, above it.
        copy.commit("helm: wait longer");
        make(&copy.0, "77.1.0").unwrap();
        let log = copy.read(CHANGELOG);
        let next = format!("{HEADING}\n## 77.1.0 ({day})\n\n### helm\n\n- wait longer\n\n## 77.0.1 ");
        assert!(log.starts_with(&next), "{log}");
        assert!(log.ends_with(&expected[HEADING.len()..]), "{log}");
    }

    #[test]
    fn what_is_not_committed_or_not_newer_is_refused_and_nothing_changes() {
        let copy = Copy::new("refused");
        make(&copy.0, "77.0.1").unwrap();
        let (head, log) = (copy.git(&["rev-parse", "HEAD"]), copy.read(CHANGELOG));
        for version in [
            "77.0.1", "77.0.0", "0.9.9", "v77.2.0", "77.2", "77.2.0-rc1", "77.02.0", "", "77.2.0 ",
            "77.2.0.1",
        ] {
            assert!(make(&copy.0, version).is_err(), "{version}");
        }
        for name in ["README.md", "Cargo.toml"] {
            fs::write(copy.0.join(name), "[workspace.package]\nversion = \"77.0.1\"\n").unwrap();
            let why = make(&copy.0, "77.2.0").unwrap_err();
            assert!(why.contains(name) && why.contains("commit or remove"), "{why}");
            copy.git(&["stash", "--quiet", "--include-untracked"]);
        }
        // A file that does not say what it should: nothing is written.
        fs::write(copy.0.join("helm/Chart.yaml"), "name: pult\n").unwrap();
        copy.git(&["commit", "--quiet", "-am", "helm: break the chart"]);
        assert!(make(&copy.0, "77.2.0").unwrap_err().contains("helm/Chart.yaml"));
        assert_eq!((copy.git(&["rev-parse", "HEAD~1"]), copy.read(CHANGELOG)), (head, log));
        assert_eq!(copy.git(&["status", "--porcelain"]), "");
    }
}
