//! Writes document and client from the code, and checks that the committed document is current.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    Result,
    node::{self, Node},
    postgres,
    process::{self, Output},
    progress::Step,
    project::Project,
    stack,
};

/// `cargo xtask openapi`.
pub fn run() -> Result<()> {
    run_beside(|| Ok(()))
}

/// The same; other work goes on beside the generator, which keeps one core busy.
pub fn run_beside(other: impl FnOnce() -> Result<()> + Send) -> Result<()> {
    let project = Project::find();
    export(&project, &project.root.join("openapi"))?;
    let node = Node::find(&project)?;
    node::install(&project, &node)?;
    std::thread::scope(|scope| {
        let other = scope.spawn(other);
        let generated = generate(&project, &node);
        generated.and(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

fn export(project: &Project, folder: &Path) -> Result<()> {
    // As `up` and the tests build it: alone it would take fewer features, and all below it would be compiled
    // once more.
    stack::build(project, false)?;
    let mut step = Step::begin_loud("Document", "pult openapi");
    process::run(
        process::command(project.binary("pult", false)).arg("openapi").arg(folder),
        &Output::Terminal,
        &mut step,
    )?;
    step.done("written");
    Ok(())
}

fn generate(project: &Project, node: &Node) -> Result<()> {
    let mut step = Step::begin_loud("Client", "npm run generate");
    process::run(
        node.npm().args(["run", "generate"]).current_dir(project.ui()),
        &Output::Terminal,
        &mut step,
    )?;
    step.done("generated");
    Ok(())
}

/// Whether `openapi/` is what the code says now. Files in it that the service does not write are left alone.
pub fn check_document(project: &Project) -> Result<()> {
    let fresh = postgres::throw_away_folder()?;
    let result = export(project, &fresh).and_then(|()| {
        let stale: Vec<String> = files_below(&fresh)
            .into_iter()
            .filter(|file| {
                fs::read(fresh.join(file)).ok() != fs::read(project.root.join("openapi").join(file)).ok()
            })
            .map(|file| format!("openapi/{}", file.display()))
            .collect();
        if stale.is_empty() {
            Ok(())
        } else {
            Err(format!(
                "Not what the code says: {}. Run `cargo xtask openapi` and commit.",
                stale.join(", ")
            ))
        }
    });
    let _ = fs::remove_dir_all(&fresh);
    result
}

/// All files below a folder, relative to it, in order.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(relative) = path.strip_prefix(folder) {
                found.push(relative.to_path_buf());
            }
        }
    }
    found.sort();
    found
}
