//! Node and the admin interface's packages: a current Node, `npm ci` when the lock file changed, a build when
//! sources did.

use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::{
    Result, postgres_find,
    process::{self, Output},
    progress::Step,
    project::{self, Project},
};

/// The oldest Node that the packages of the interface accept.
const OLDEST: (u32, u32) = (22, 12);

pub struct Node {
    /// To be put before PATH; none when the machine's own Node is used.
    folder: Option<PathBuf>,
}

impl Node {
    /// The machine's Node, or one fetched from npm into the ignored tools folder, once.
    pub fn find(project: &Project) -> Result<Self> {
        let mut step = Step::begin("Node", "asking for its version");
        let own = version(Path::new("node"));
        if version(Path::new("npm")).is_none() {
            return Err(
                "Node with npm is not installed: `apt-get install nodejs npm`, or see nodejs.org.".into()
            );
        }
        if let Some((version, text)) = &own
            && *version >= OLDEST
        {
            step.done(text);
            return Ok(Self { folder: None });
        }
        let architecture = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
        let folder = project.tools().join(format!("node/node_modules/node-linux-{architecture}/bin"));
        let has = own.map_or_else(|| "none".into(), |(_, text)| text);
        if version(&folder.join("node")).is_none_or(|(version, _)| version < OLDEST) {
            step.wait_for("a current Node from npm (download of 60 MB, once)");
            postgres_find::install_tool(project, "node", npm_of_the_machine(), &mut step)?;
        }
        let Some((_, text)) = version(&folder.join("node")) else {
            return Err(format!(
                "Node {}.{} or newer is needed, this machine has {has}, and the one from npm does not run \
                 here; install a current Node.",
                OLDEST.0, OLDEST.1
            ));
        };
        step.done(&format!("{text} from npm (the machine has {has})"));
        Ok(Self { folder: Some(folder) })
    }

    /// `npm` with the right Node first in PATH.
    pub fn npm(&self) -> Command {
        let mut npm = npm_of_the_machine();
        if let Some(folder) = &self.folder {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let all = std::iter::once(folder.clone()).chain(std::env::split_paths(&path));
            if let Ok(path) = std::env::join_paths(all) {
                npm.env("PATH", path);
            }
        }
        npm
    }
}

fn npm_of_the_machine() -> Command {
    let mut npm = process::command("npm");
    npm.env("npm_config_update_notifier", "false")
        .env("npm_config_fund", "false")
        .env("npm_config_audit", "false");
    // The browser is the system's; the package must not fetch another one.
    npm.env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
    npm
}

fn version(program: &Path) -> Option<((u32, u32), String)> {
    let output = process::command(program).arg("--version").stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().trim_start_matches('v').to_owned();
    let mut parts = text.split('.').map(|part| part.parse::<u32>());
    let number = (parts.next()?.ok()?, parts.next()?.ok()?);
    output.status.success().then_some((number, text))
}

/// `npm ci` in the interface's folder, unless what is installed is newer than the lock file.
pub fn install(project: &Project, node: &Node) -> Result<()> {
    let mut step = Step::begin("UI packages", "npm ci");
    let ui = project.ui();
    let changed = |name: &str| fs::metadata(ui.join(name)).and_then(|file| file.modified()).ok();
    // npm writes this copy of the lock file at the end of every installation, also of one made by hand.
    let installed = changed("node_modules/.package-lock.json");
    if installed.is_some()
        && installed >= changed("package.json")
        && installed >= changed("package-lock.json")
    {
        step.done("unchanged");
        return Ok(());
    }
    project::make_folder(&project.stamps())?;
    let mut npm = node.npm();
    npm.arg("ci").current_dir(&ui);
    process::run(&mut npm, &Output::Log(&project.stamps().join("npm-ci.log")), &mut step)?;
    step.done("installed");
    Ok(())
}

/// `npm run build`, unless its sources are those of the last build.
pub fn build(project: &Project, node: &Node) -> Result<()> {
    let mut step = Step::begin("UI", "comparing its sources");
    let ui = project.ui();
    let mut files = sources(&ui);
    files.push(project.root.join("openapi/openapi.json"));
    let wanted = hash_files(&files)?;
    let stamp = project.stamps().join("ui-built");
    if ui.join("dist/index.html").exists() && fs::read_to_string(&stamp).is_ok_and(|built| built == wanted) {
        step.done("unchanged");
        return Ok(());
    }
    step.wait_for("npm run build");
    project::make_folder(&project.stamps())?;
    let mut npm = node.npm();
    npm.args(["run", "build"]).current_dir(&ui);
    process::run(&mut npm, &Output::Log(&project.stamps().join("ui-build.log")), &mut step)?;
    write_stamp(&stamp, &wanted)?;
    step.done("built");
    Ok(())
}

fn write_stamp(stamp: &Path, text: &str) -> Result<()> {
    fs::write(stamp, text).map_err(|error| format!("{} cannot be written: {error}.", stamp.display()))
}

/// Every file of the folder that can change the build: neither what tools make nor the browser tests. The
/// build generates the client from the document.
fn sources(ui: &Path) -> Vec<PathBuf> {
    const NOT_SOURCES: [&str; 6] =
        ["node_modules", "dist", "e2e", "test-results", "playwright-report", "src/generated"];
    let mut found = Vec::new();
    let mut folders = vec![ui.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder && !NOT_SOURCES.iter().any(|name| entry.path() == ui.join(name)) {
                folders.push(entry.path());
            } else if !is_folder {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

/// A fingerprint of names and contents; only compared with one made on the same machine.
pub fn hash_files(files: &[PathBuf]) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.hash(&mut hasher);
        fs::read(file)
            .map_err(|error| format!("{} cannot be read: {error}.", file.display()))?
            .hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}
