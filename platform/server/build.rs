//! Embeds the built interface; without it the service answers a page that says so. The documents of the API
//! are embedded without their white space, which is half of them.
use std::{env, error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let dist = root.join("admin-ui/dist");
    if let Err(error) = fs::create_dir_all(&dist) {
        println!("cargo:warning=admin-ui/dist cannot be made: {error}");
    }
    let out = env::var("OUT_DIR")?;
    for name in ["openapi.json", "public.json"] {
        let document = root.join("openapi").join(name);
        println!("cargo:rerun-if-changed={}", document.display());
        fs::write(Path::new(&out).join(name), compact(&fs::read_to_string(document)?))?;
    }
    Ok(())
}

/// JSON without the white space outside of its strings.
fn compact(json: &str) -> String {
    let (mut in_string, mut escaped) = (false, false);
    json.chars()
        .filter(|&letter| {
            if in_string {
                in_string = escaped || letter != '"';
                escaped = !escaped && letter == '\\';
                return true;
            }
            in_string = letter == '"';
            !letter.is_ascii_whitespace()
        })
        .collect()
}
