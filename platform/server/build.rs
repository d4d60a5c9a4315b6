//! The built UI is embedded; without it the service starts with a page that says so.
fn main() {
    let dist = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../admin-ui/dist");
    if let Err(error) = std::fs::create_dir_all(&dist) {
        println!("cargo:warning=admin-ui/dist cannot be made: {error}");
    }
}
