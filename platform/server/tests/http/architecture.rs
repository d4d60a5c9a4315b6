//! The rules of `docs/architecture.md`: who may depend on whom, and what may stand where.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The crates of ours that each crate may name (besides the test kit).
const ALLOWED: &[(&str, &[&str])] = &[
    ("platform/kernel", &[]),
    ("platform/telemetry", &[]),
    // The list of migrations, brought along by those who open the owner's connection: nobody below them is
    // compiled anew for it.
    ("migrations", &["tenants"]),
    ("platform/pricing", &["kernel"]),
    ("platform/object_storage", &["kernel"]),
    // Libraries for the object store: only the server names it, so no domain crate is compiled after them.
    ("platform/s3_client", &["object_storage", "telemetry"]),
    ("tenants", &["kernel", "object_storage", "telemetry"]),
    ("platform/work", &["kernel", "tenants", "telemetry"]),
    ("platform/access", &["kernel", "contract", "object_storage", "tenants", "work"]),
    ("platform/accounts", &["kernel", "tenants", "work", "access"]),
    ("platform/media", &["kernel", "object_storage", "tenants", "work", "access"]),
    // Libraries for pictures: only the server names it, so no domain crate is compiled after them.
    ("platform/picture_codec", &["media"]),
    ("platform/restaurants", &["kernel", "tenants", "work", "access", "media"]),
    ("platform/catalogue", &["kernel", "tenants", "work", "access", "media", "restaurants", "pricing"]),
    // Reads spreadsheets for whoever imports them.
    ("platform/sheets", &["kernel"]),
    ("platform/menu_import", &["kernel", "tenants", "work", "access", "sheets", "catalogue"]),
    ("platform/customers", &["kernel", "tenants", "work", "access", "sheets", "restaurants"]),
    (
        "platform/promotions",
        &["kernel", "tenants", "access", "sheets", "restaurants", "catalogue", "customers", "pricing"],
    ),
    (
        "platform/checkout",
        &[
            "kernel", "tenants", "access", "restaurants", "catalogue", "customers", "promotions", "pricing",
            "payment_methods", "delivery",
        ],
    ),
    (
        "platform/orders",
        &[
            "kernel", "tenants", "work", "access", "callbacks", "restaurants", "catalogue", "customers",
            "promotions", "checkout", "pricing", "payment_methods", "delivery", "contract",
        ],
    ),
    ("integrations/contract", &["kernel", "telemetry"]),
    // For tests of plug-ins only: nothing but dev-dependencies names it.
    ("integrations/contract/conformance", &["contract", "sandbox"]),
    ("integrations/client", &["contract"]),
    ("integrations/nominatim", &["contract"]),
    ("integrations/teya", &["client", "contract"]),
    ("integrations/simplepay", &["client", "contract"]),
    ("integrations/barion", &["client", "contract"]),
    ("integrations/fcm", &["contract"]),
    ("integrations/zendesk", &["contract"]),
    (
        "platform/payment_methods",
        &["kernel", "tenants", "work", "access", "restaurants", "callbacks", "contract"],
    ),
    (
        "platform/online_payments",
        &[
            "kernel", "tenants", "work", "access", "callbacks", "restaurants", "payment_methods", "orders",
            "sheets", "contract",
        ],
    ),
    ("platform/callbacks", &["kernel", "telemetry", "tenants", "work", "access", "contract"]),
    ("platform/content", &["kernel", "object_storage", "tenants", "work", "access", "contract"]),
    // A guest TV shows the numbers of orders: one public function of `orders`.
    (
        "platform/devices",
        &["kernel", "telemetry", "tenants", "work", "access", "media", "restaurants", "orders", "contract"],
    ),
    ("platform/delivery", &["kernel", "tenants", "work", "access", "sheets", "restaurants", "contract"]),
    // Reads the tables of all domains. Of their crates it knows `orders` alone: an export has exactly the rows that
    // the list of previous orders has, so both ask one filter.
    (
        "platform/statistics",
        &["kernel", "tenants", "work", "access", "restaurants", "orders", "sheets", "contract"],
    ),
    (
        "platform/console",
        &["kernel", "object_storage", "tenants", "work", "access", "accounts", "restaurants"],
    ),
    (
        "platform/server",
        &[
            "kernel", "telemetry", "tenants", "migrations", "work", "access", "accounts", "object_storage",
            "s3_client", "media", "picture_codec", "restaurants", "catalogue", "menu_import", "customers",
            "promotions", "orders", "console", "payment_methods", "content", "devices", "delivery",
            "statistics", "online_payments", "contract", "nominatim", "teya", "fcm", "zendesk", "simplepay",
            "barion",
        ],
    ),
    (
        "platform/testkit",
        &[
            "kernel", "object_storage", "tenants", "migrations", "work", "access", "server", "contract",
            "sandbox",
        ],
    ),
    ("integrations/sandbox", &[]),
    ("xtask", &[]),
];

/// Whether one crate may name another, by itself or through others.
pub fn depends_on(one: &str, other: &str) -> bool {
    let below =
        |name: &str| ALLOWED.iter().find(|(path, _)| *path == name).map_or(&[][..], |(_, names)| names);
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let path = |wanted: &str| ALLOWED.iter().find(|(path, _)| name(path) == wanted).map(|(path, _)| *path);
    below(one).iter().filter_map(|next| path(next)).any(|next| next == other || depends_on(next, other))
}

/// Heavy dependencies, with the crates that may name them.
const HEAVY: &[(&str, &[&str])] = &[
    ("lettre", &["platform/work"]),
    ("reqwest", &["platform/work"]),
    ("oauth2", &["platform/accounts"]),
    ("totp-rs", &["platform/accounts"]),
    ("casbin", &["platform/access"]),
    ("argon2", &["platform/access"]),
    ("rust-embed", &["platform/server"]),
    ("calamine", &["platform/sheets"]),
    ("geo", &["platform/delivery"]),
    ("phonenumber", &["platform/customers"]),
    ("csv", &["platform/statistics"]),
    ("rust_xlsxwriter", &["platform/sheets"]),
    ("aws-sdk-s3", &["platform/s3_client"]),
    ("image", &["platform/picture_codec"]),
    ("webp", &["platform/picture_codec"]),
];

pub fn crates() -> impl Iterator<Item = &'static str> {
    ALLOWED.iter().map(|(path, _)| *path)
}

fn dependencies(crate_path: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(crate_path).join("Cargo.toml")).unwrap();
    let mut section = "";
    let mut found = Vec::new();
    for line in text.lines() {
        if line.starts_with('[') {
            section = line;
        } else if section == "[dependencies]" && line.contains(['=', '.']) {
            found.push(line.split(['.', '=', ' ']).next().unwrap().to_owned());
        }
    }
    found
}

#[test]
fn dependencies_point_one_way() {
    let ours: Vec<&str> = ALLOWED.iter().map(|(path, _)| path.rsplit('/').next().unwrap()).collect();
    for (path, allowed) in ALLOWED {
        for name in dependencies(path).iter().filter(|name| ours.contains(&name.as_str())) {
            assert!(allowed.contains(&name.as_str()), "{path} must not depend on {name}");
        }
    }
    let mut heavy: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    // Plug-ins call other companies' servers, each with a client of its own: that is what they are for.
    for (path, _) in ALLOWED.iter().filter(|(path, _)| !path.starts_with("integrations/")) {
        for (name, _) in HEAVY.iter().filter(|(name, _)| dependencies(path).iter().any(|one| one == name)) {
            heavy.entry(name).or_default().push(path);
        }
    }
    for (name, owners) in HEAVY {
        assert_eq!(heavy.get(name).map(Vec::as_slice), Some(*owners), "{name} belongs to {owners:?} alone");
    }
}

/// `pricing` computes: what it is built with has neither HTTP nor a database nor phone numbers.
#[test]
fn pricing_builds_without_the_service() {
    let mut tree = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    tree.args("tree --offline --locked --package pricing --edges normal --prefix none".split(' '));
    let output = tree.current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).unwrap();
    let names: Vec<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(names.contains(&"kernel") && names.contains(&"rust_decimal"), "{names:?}");
    for heavy in ["poem", "poem-openapi", "sea-orm", "sqlx", "tokio", "phonenumber"] {
        assert!(!names.contains(&heavy), "pricing must not depend on {heavy}");
    }
}

pub fn sources(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
}

#[test]
fn the_door_is_the_only_way_in() {
    let mut found = Vec::new();
    for (path, _) in
        ALLOWED.iter().filter(|(path, _)| path.starts_with("platform/") && *path != "platform/testkit")
    {
        sources(&root().join(path).join("src"), &mut found);
    }
    for (path, text) in &found {
        let place = path.display().to_string();
        for forbidden in
            ["Database::connect", "DatabaseConnection", "set_config(", "set local", "search_path", "DISCARD"]
        {
            assert!(!text.contains(forbidden), "{place} uses {forbidden}");
        }
        let lower = text.to_lowercase();
        assert!(
            !lower.contains("select *") || lower.contains("from control.") || lower.contains("from ref."),
            "{place} selects all columns"
        );
        let proof = text.contains("PlatformProof::");
        assert!(!proof || place.contains("platform/work/"), "{place} makes a proof of the platform");
    }
    assert!(found.len() > 30, "the sources were not found");
}

#[test]
fn each_resource_is_declared_once() {
    let mut found = Vec::new();
    for (path, _) in ALLOWED.iter().filter(|(path, _)| path.starts_with("platform/")) {
        sources(&root().join(path).join("src"), &mut found);
    }
    let mut declared: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in &found {
        for line in text.lines() {
            let written = line.trim().strip_prefix("const NAME: &'static str = \"");
            let called = line.strip_prefix("kernel::resource!(").and_then(|rest| rest.split_once(", \""));
            let name = written.or(called.map(|(_, rest)| rest));
            // The ids of `kernel` and the reference data stand in a table: `Vats = "vats" "VAT";`.
            let listed =
                line.split_once(" = \"").filter(|(_, rest)| rest.ends_with("\";") && rest.contains("\" \""));
            if let Some(rest) = name.or(listed.map(|(_, rest)| rest))
                && let Some((name, _)) = rest.split_once('"')
            {
                declared.entry(name.to_owned()).or_default().push(path.display().to_string());
            }
        }
    }
    assert!(declared.len() > 30, "{declared:?}");
    declared.retain(|_, places| places.len() > 1);
    assert!(declared.is_empty(), "an id that several crates name belongs to kernel::ids: {declared:?}");
}

/// `test = false` saves compiling a crate a second time for no test; one that comes later must be run.
#[test]
fn a_crate_without_a_test_harness_has_no_tests_inside() {
    let mut without = 0;
    for folder in ["platform", "platform/testkit", "integrations", "integrations/contract", "."] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let manifest = fs::read_to_string(path.join("Cargo.toml")).unwrap_or_default();
            if !manifest.contains("[lib]\ntest = false") {
                continue;
            }
            without += 1;
            let mut found = Vec::new();
            sources(&path.join("src"), &mut found);
            for (file, text) in found {
                let inside = text.contains("#[test]") || text.contains("#[tokio::test");
                assert!(!inside, "{}: remove `test = false` from the manifest", file.display());
            }
        }
    }
    assert!(without >= 10, "{without} manifests were found");
}

#[testkit::test]
async fn every_subscriber_has_a_handler() {
    let kit = testkit::kit().await;
    let handlers = server::handlers(&kit.app, &contract::Plugins::default());
    for kind in server::subscriptions().kinds() {
        assert!(handlers.iter().any(|(handled, _)| *handled == kind), "nobody handles {kind}");
    }
}
