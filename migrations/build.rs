//! Collects the SQL files, so that a new migration is one new file and nothing else.
#![allow(clippy::expect_used, reason = "a build that lacks its files has to stop")]
use std::{env, fmt::Write, fs, path::Path};

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let mut code = String::new();
    for list in ["control", "tenant"] {
        println!("cargo:rerun-if-changed={list}");
        let mut files: Vec<_> = fs::read_dir(Path::new(&root).join(list))
            .expect("the folder is part of the crate")
            .map(|entry| entry.expect("a readable folder").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "sql"))
            .collect();
        files.sort();
        let _ = writeln!(code, "pub(crate) const {}: &[(&str, &str)] = &[", list.to_uppercase());
        for file in files {
            let name = file.file_stem().expect("it has a name").to_string_lossy().into_owned();
            let _ = writeln!(code, "    ({name:?}, include_str!({file:?})),");
        }
        code.push_str("];\n");
    }
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("files.rs");
    fs::write(out, code).expect("the build folder is writable");
}
