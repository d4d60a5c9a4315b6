//! The pipeline from code to the interface's client, and the checks that its committed results are those of
//! the code.

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
///
/// # Errors
/// When the service does not build or the generator fails.
pub fn run() -> Result<()> {
    run_beside(|| Ok(()))
}

/// The same; other work goes on beside the generator, which keeps one core busy.
///
/// # Errors
/// When the service does not build, or either of the two fails.
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
///
/// # Errors
/// A sentence naming the stale files.
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

/// Whether the generated client is what the document says; the folder is as before afterwards.
///
/// # Errors
/// A sentence naming what differs, or the generator's failure.
pub fn check_client(project: &Project, node: &Node) -> Result<()> {
    let folder = project.ui().join("src/generated");
    let read = || -> Vec<(PathBuf, Vec<u8>)> {
        files_below(&folder)
            .into_iter()
            .map(|file| (file.clone(), fs::read(folder.join(&file)).unwrap_or_default()))
            .collect()
    };
    let committed = read();
    let result = generate(project, node);
    let fresh = read();
    if fresh == committed {
        return result;
    }
    let restore = || -> std::io::Result<()> {
        for (file, _) in &fresh {
            fs::remove_file(folder.join(file))?;
        }
        for (file, content) in &committed {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap_or(&folder))?;
            fs::write(path, content)?;
        }
        Ok(())
    };
    restore().map_err(|error| format!("{} cannot be put back: {error}.", folder.display()))?;
    result?;
    let differs: Vec<String> = fresh
        .iter()
        .filter(|entry| !committed.contains(entry))
        .map(|(file, _)| file)
        .chain(
            committed
                .iter()
                .map(|(file, _)| file)
                .filter(|file| !fresh.iter().any(|(other, _)| other == *file)),
        )
        .take(5)
        .map(|file| file.display().to_string())
        .collect();
    Err(format!(
        "admin-ui/src/generated is not what openapi/ says: {} ... Run `cargo xtask openapi` and commit.",
        differs.join(", ")
    ))
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
