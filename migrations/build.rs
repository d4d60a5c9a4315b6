//! Collects the SQL files, so a new migration is one new file.
use std::{env, error::Error, fmt::Write, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let root = env::var("CARGO_MANIFEST_DIR")?;
    let mut code = String::new();
    for list in ["control", "tenant"] {
        println!("cargo:rerun-if-changed={list}");
        let mut files = Vec::new();
        for entry in fs::read_dir(Path::new(&root).join(list))? {
            files.push(entry?.path());
        }
        files.retain(|path| path.extension().is_some_and(|extension| extension == "sql"));
        files.sort();
        writeln!(code, "pub(crate) const {}: &[(&str, &str)] = &[", list.to_uppercase())?;
        for file in files {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            writeln!(code, "    ({name:?}, include_str!({file:?})),")?;
        }
        code.push_str("];\n");
    }
    Ok(fs::write(Path::new(&env::var("OUT_DIR")?).join("files.rs"), code)?)
}
