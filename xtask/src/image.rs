//! `cargo xtask image`: the optimised binary, and the image around it, which `xtask/image` makes and tries.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    Result,
    node::{self, Node},
    process::{self, Output},
    progress::Step,
    project::{self, Project},
    report, stack, sys,
    test_steps::{self, Database, Tools},
    tls,
};

/// Builds what makes the image and lists its materials.
const OWN_PROGRAMS: &[&str] = &["build", "--quiet", "--package", "oci-image", "--package", "supply"];

/// The words after `image`.
#[derive(Default)]
pub struct Options {
    /// Try the image.
    check: bool,
    /// Build everything once more elsewhere and compare.
    twice: bool,
}

impl Options {
    /// As each night: tried, and built twice.
    pub fn night() -> Self {
        Self { check: true, twice: true }
    }

    pub fn read(words: &[String]) -> Result<Self> {
        let mut options = Self::default();
        for word in words {
            match word.as_str() {
                "--check" => options.check = true,
                "--twice" => options.twice = true,
                other => {
                    return Err(format!(
                        "`cargo xtask image` does not know {other}; see `cargo xtask help`."
                    ));
                }
            }
        }
        Ok(options)
    }
}

/// Makes the image of this commit below `target/image`.
pub fn run(options: &Options) -> Result<()> {
    let project = Project::find();
    let commit = Commit::of(&project)?;
    if options.twice && commit.changed {
        return Err("Only a commit can be built twice; commit what has changed first.".into());
    }
    let node = Node::find(&project)?;
    node::install(&project, &node)?;
    node::build(&project, &node)?;
    let binary = build(&project, &commit)?;
    test_steps::cargo(&project, OWN_PROGRAMS)?;
    let folder = project.target().join("image");
    let digest = make(&project, &commit, &binary, &folder, "6")?;
    if options.check {
        check(&project, &folder)?;
    }
    if options.twice {
        build_again(&project, &commit, &digest)?;
    }
    Ok(())
}

/// The image in a small form: around the unoptimised binary, built unless the tests have done so. It is tried
/// like the real one.
pub fn check_development(project: &Project, is_built: bool) -> Result<()> {
    if !is_built {
        stack::build(project, false)?;
        test_steps::cargo(project, OWN_PROGRAMS)?;
    }
    let folder = project.target().join("image/development");
    project::make_folder(&folder)?;
    let stripped = folder.join("pult");
    let mut step = Step::begin("strip", "leaving out what only a debugger reads");
    let mut strip = process::command("strip");
    strip.arg("-o").arg(&stripped).arg(project.binary("pult", false));
    process::run(&mut strip, &Output::Log(&folder.join("strip.log")), &mut step)?;
    step.done("pult");
    let commit = Commit::of(project).unwrap_or_else(|_| Commit::unknown());
    make(project, &commit, &stripped, &folder, "1")?;
    check(project, &folder)
}

/// What the image says of its source.
struct Commit {
    revision: String,
    /// Seconds since 1970; the time of everything in the image.
    time: String,
    /// The checkout has what no commit has.
    changed: bool,
}

impl Commit {
    fn of(project: &Project) -> Result<Self> {
        let git = |words: &[&str]| {
            let output = process::command("git").args(words).current_dir(&project.root).output().ok()?;
            output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let sentence = "The image has the number and the time of its commit; build it in a git checkout.";
        let commit = git(&["log", "-1", "--format=%H %ct"]).ok_or(sentence)?;
        let (revision, time) = commit.split_once(' ').ok_or(sentence)?;
        let changed = git(&["status", "--porcelain"]).is_none_or(|list| !list.is_empty());
        let revision = if changed { format!("{revision}-changed") } else { revision.to_owned() };
        Ok(Self { revision, time: time.to_owned(), changed })
    }

    /// For a try outside of git.
    fn unknown() -> Self {
        Self { revision: "unknown".into(), time: "0".into(), changed: true }
    }
}

/// Builds the optimised binary so that nothing of this machine's folders is in it.
fn build(project: &Project, commit: &Commit) -> Result<PathBuf> {
    // Its own folder: with other flags than `up --release` each would compile everything anew after the other.
    let target = project.target().join("image/build");
    let mut step = Step::begin_loud("Service", "cargo build --release (a quarter of an hour the first time)");
    let mut cargo = process::command("cargo");
    cargo.args(["build", "--release", "--locked", "--package", "server", "--bin", "pult", "--target-dir"]);
    cargo.arg(&target).current_dir(&project.root);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PROFILE_")
            || text.starts_with("CARGO_BUILD_")
            || text.starts_with("RUSTC_")
        {
            cargo.env_remove(&name);
        }
    }
    let renamed = renamed(project, &target)?;
    let mut flags: Vec<String> =
        renamed.iter().map(|(from, to)| format!("--remap-path-prefix={from}={to}")).collect();
    flags.push("-Clink-arg=-Wl,--build-id=none".into());
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    // The same for the libraries in C.
    let of_c: Vec<String> =
        renamed.iter().map(|(from, to)| format!("-ffile-prefix-map={from}={to}")).collect();
    for name in ["CFLAGS", "CXXFLAGS"] {
        cargo.env(name, of_c.join(" "));
    }
    cargo.env("SOURCE_DATE_EPOCH", &commit.time).env("LC_ALL", "C").env("TZ", "UTC");
    process::run(&mut cargo, &Output::Terminal, &mut step)?;
    step.done("built");
    let binary = target.join("release/pult");
    let bytes = fs::read(&binary).map_err(|error| format!("{}: {error}.", binary.display()))?;
    for (from, _) in &renamed {
        if bytes.windows(from.len()).any(|window| window == from.as_bytes()) {
            return Err(format!(
                "The binary names the folder {from}, so it would differ from machine to machine."
            ));
        }
    }
    Ok(binary)
}

/// Folders that the compilers write into what they make, and what they shall write. Of two that fit the last
/// one counts.
fn renamed(project: &Project, target: &Path) -> Result<Vec<(String, &'static str)>> {
    let said = |command: &mut Command| {
        let output = command.output().map_err(|error| format!("rustc cannot be started: {error}."))?;
        Ok::<_, String>(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let toolchain = said(process::command("rustc").args(["--print", "sysroot"]).current_dir(&project.root))?;
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let cargo = std::env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
    let text = |path: &Path| path.to_string_lossy().into_owned();
    Ok(vec![
        (format!("{toolchain}/lib/rustlib"), "/rust"),
        (text(&cargo), "/cargo"),
        (text(&project.root), "/pult"),
        (text(target), "/target"),
    ])
}

/// Has the image made; its digest.
fn make(project: &Project, commit: &Commit, binary: &Path, folder: &Path, level: &str) -> Result<String> {
    project::make_folder(folder)?;
    let materials = folder.join("materials");
    let mut step = Step::begin("Materials", "what the image is made of");
    let mut supply = process::command(project.binary("supply", false));
    supply.arg("sbom").arg(&materials).current_dir(&project.root);
    process::run(&mut supply, &Output::Log(&folder.join("materials.log")), &mut step)?;
    step.done("listed");
    let mut step = Step::begin_loud("Image", "layers");
    let mut image = process::command(project.binary("oci-image", false));
    image.arg("make").arg("--binary").arg(binary).arg("--output").arg(folder);
    image.arg("--checkout").arg(&project.root).arg("--materials").arg(&materials);
    image.args(["--revision", &commit.revision, "--time", &commit.time, "--level", level]);
    process::run(&mut image, &Output::Terminal, &mut step)?;
    step.done("made");
    let digest = folder.join("digest");
    fs::read_to_string(&digest).map_err(|error| format!("{}: {error}.", digest.display()))
}

/// Has the image tried, with a database of its own.
fn check(project: &Project, folder: &Path) -> Result<()> {
    namespaces().map_err(|why| report::not_run("image", &why))?;
    let mut database = Database::start(project, &Tools::none())?;
    let certificate = tls::ensure(&folder.join("https"))?;
    let mut step = Step::begin_loud("Image", "started in namespaces of its own");
    let mut image = process::command(project.binary("oci-image", false));
    image.arg("check").arg("--image").arg(folder).args(["--database", &database.url]);
    image.arg("--authority").arg(&certificate.authority);
    image.arg("--certificate").arg(&certificate.chain).arg("--key").arg(&certificate.key);
    process::run(&mut image, &Output::Terminal, &mut step)
        .map_err(|reason| format!("{reason} {}", database.ended().unwrap_or_default()))?;
    step.done("works");
    Ok(())
}

/// Whether this machine lets us start something in namespaces of its own; many containers do not.
fn namespaces() -> Result<()> {
    let mut unshare = process::command("unshare");
    if !sys::is_root() {
        unshare.args(["--user", "--map-root-user"]);
    }
    unshare.args(["--mount", "--pid", "--ipc", "--uts", "--fork", "--mount-proc", "true"]);
    let output = unshare.output().map_err(|error| format!("unshare: {error}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).trim().replace('\n', " "))
    }
}

/// The same commit from a fresh clone in another folder must become the same image.
fn build_again(project: &Project, commit: &Commit, digest: &str) -> Result<()> {
    let clone = project.target().join("image/again");
    let _ = fs::remove_dir_all(&clone);
    let mut step = Step::begin_loud("Again", "the same commit in another folder");
    let mut git = process::command("git");
    git.args(["clone", "--quiet", "--shared", "--no-checkout"]).arg(&project.root).arg(&clone);
    process::run(&mut git, &Output::Terminal, &mut step)?;
    let mut git = process::command("git");
    git.args(["checkout", "--quiet", "--detach", &commit.revision]).current_dir(&clone);
    process::run(&mut git, &Output::Terminal, &mut step)?;
    // Node need not be downloaded once more.
    project::make_folder(&clone.join(".pult"))?;
    symlink(project.tools(), clone.join(".pult/tools")).map_err(|error| error.to_string())?;
    let mut cargo = process::command("cargo");
    cargo.args(["xtask", "image"]).current_dir(&clone).env_remove("CARGO_TARGET_DIR");
    process::run(&mut cargo, &Output::Terminal, &mut step)?;
    let file = clone.join("target/image/digest");
    let other = fs::read_to_string(&file).map_err(|error| format!("{}: {error}.", file.display()))?;
    if other != digest {
        return Err(format!(
            "The same commit became {} here and {} in {}.",
            digest.trim(),
            other.trim(),
            clone.display()
        ));
    }
    let _ = fs::remove_dir_all(&clone);
    step.done("the same image");
    Ok(())
}
