//! Known bad crates and packages are found, so a check without findings is meaningful.

use serde_json::json;

use super::*;
use crate::{
    advisories::Snapshot, crates::findings as crate_findings, packages::findings as package_findings,
};

const CRATES: &str = r#"
[licenses]
allow = ["MIT", "Apache-2.0"]
exceptions = [
    { crate = "roots", allow = ["CDLA-Permissive-2.0"] }, # 2026-11-23: a list of certificates, no code
]
[bans]
deny = [
    { crate = "openssl", reason = "2026-11-23: rustls is what everything here uses" },
    { crate = "old", wrappers = ["framework"], reason = "2026-11-23: the framework has no other yet" },
]
"#;
/// What cargo says of crates whose manifests name no registry.
const REGISTRY: &str = "registry+https://index.example.com/default";

/// A tree that keeps the policy, and one more crate: its licence, its source, who uses it.
fn tree(name: &str, licence: Option<&str>, source: &str, user: &str) -> (crates::Metadata, crates::Lock) {
    let crates = [
        ("ours", Some("LicenseRef-Proprietary"), None),
        ("framework", Some("MIT OR GPL-3.0"), Some(REGISTRY)),
        ("old", Some("MIT"), Some(REGISTRY)),
        ("roots", Some("CDLA-Permissive-2.0"), Some(REGISTRY)),
        (name, licence, Some(source)),
    ];
    let packages = crates.map(|(name, license, source)| {
        let wanted = [json!({"source": null, "registry": null}),
            json!({"source": "registry+https://crates.example.com/index", "registry": "https://crates.example.com/index"}),
            json!({"source": REGISTRY, "registry": null})];
        json!({"id": name, "name": name, "version": "1.0.0", "license": license, "source": source,
            "dependencies": wanted})
    });
    let node = |id: &str, deps: &[&str]| {
        let deps: Vec<Value> =
            deps.iter().map(|dep| json!({"pkg": dep, "dep_kinds": [{"kind": null}]})).collect();
        json!({"id": id, "deps": deps})
    };
    let nodes = [node("ours", &["framework", "roots"]), node("framework", &["old"]), node(user, &[name])];
    let metadata =
        serde_json::from_value(json!({"packages": packages, "resolve": {"nodes": nodes}})).unwrap();
    let lock = crates.map(|(name, _, source)| {
        json!({"name": name, "version": "1.0.0", "source": source,
        "checksum": source.map(|_| "aa")})
    });
    (metadata, serde_json::from_value(json!({ "package": lock })).unwrap())
}

fn found(name: &str, licence: Option<&str>, source: &str, user: &str) -> String {
    let (metadata, lock) = tree(name, licence, source, user);
    crate_findings(&policy::parse(CRATES).unwrap(), &metadata, &lock).join("\n")
}

#[test]
fn a_known_bad_crate_is_found() {
    assert_eq!(found("good", Some("MIT"), REGISTRY, "ours"), "");
    for (name, licence, source, user, message) in [
        (
            "copyleft",
            Some("GPL-3.0-only"),
            REGISTRY,
            "ours",
            "copyleft 1.0.0: its licence is \"GPL-3.0-only\"",
        ),
        ("silent", None, REGISTRY, "ours", "silent 1.0.0: its licence is \"\""),
        ("certificates", Some("CDLA-Permissive-2.0"), REGISTRY, "ours", "certificates 1.0.0: its licence"),
        (
            "forked",
            Some("MIT"),
            "git+https://example.com/forked?rev=1#1",
            "ours",
            "forked 1.0.0: it comes from git+https://example.com/forked",
        ),
        (
            "elsewhere",
            Some("MIT"),
            "registry+https://crates.example.com/index",
            "ours",
            "elsewhere 1.0.0: it comes from registry+https://crates.example.com",
        ),
        ("openssl", Some("Apache-2.0"), REGISTRY, "ours", "openssl: it is banned"),
        ("old", Some("MIT"), REGISTRY, "ours", "old: ours may not use it"),
    ] {
        let found = found(name, licence, source, user);
        assert!(found.starts_with(message) && !found.contains('\n'), "{name}: {found}");
    }
    // An exception that is not needed fails.
    let policy = policy::parse(&CRATES.replace("\"roots\"", "\"gone\"")).unwrap();
    let (metadata, lock) = tree("good", Some("MIT"), REGISTRY, "ours");
    assert_eq!(crate_findings(&policy, &metadata, &lock).len(), 2);
}

#[test]
fn a_known_bad_package_is_found() {
    let policy = r#"
        allow = ["MIT"]
        allow_tools = ["MPL-2.0"]
        exceptions = [{ package = "map", licence = "Hippocratic-2.1", reason = "2026-11-23: the owner's choice" }]
        deny = [{ package = "left-pad", reason = "2026-11-23: taken away once before" }]
    "#;
    let found = |name: &str, entry: Value| {
        let map = json!({"version": "1.0.0", "license": "Hippocratic-2.1", "integrity": "sha512-x"});
        let packages = json!({"": {"dependencies": {"map": "1.0.0"}}, "node_modules/map": map,
            format!("node_modules/map/node_modules/{name}"): entry});
        let lock = serde_json::from_value(json!({"lockfileVersion": 3, "packages": packages})).unwrap();
        let wanted = serde_json::from_value(json!({"dependencies": {"map": "1.0.0"}})).unwrap();
        package_findings(&policy::parse(policy).unwrap(), &lock, &wanted).join("\n")
    };
    let good = json!({"version": "1.0.0", "license": "MIT", "integrity": "sha512-x"});
    let but = |field: &str, value: Value| {
        let mut one = good.clone();
        one[field] = value;
        one
    };
    assert_eq!(found("@scope/good", good.clone()), "");
    let mut tool = but("license", json!("MPL-2.0"));
    assert_eq!(found("tool", tool.clone()).lines().count(), 1, "it is delivered");
    tool["dev"] = json!(true);
    assert_eq!(found("tool", tool), "");
    for (name, entry, message) in [
        ("bad", but("license", json!("Hippocratic-2.1")), "bad 1.0.0: its licence is \"Hippocratic-2.1\""),
        ("bad", but("license", Value::Null), "bad 1.0.0: its licence is \"\""),
        (
            "bad",
            but("resolved", json!("https://mirror.example.com/bad-1.0.0.tgz")),
            "bad 1.0.0: it comes from https://mirror.example.com",
        ),
        ("bad", but("integrity", json!("sha1-x")), "bad 1.0.0: package-lock.json has no SHA-512"),
        ("left-pad", good.clone(), "left-pad 1.0.0: it is banned"),
    ] {
        let found = found(name, entry);
        assert!(found.starts_with(message) && !found.contains('\n'), "{name}: {found}");
    }
    // A lock file that is not that of package.json.
    let lock = serde_json::from_value(
        json!({"lockfileVersion": 3, "packages": {"": {"dependencies": {"map": "1.0.0"}}}}),
    )
    .unwrap();
    let wanted = serde_json::from_value(json!({"dependencies": {"map": "2.0.0"}})).unwrap();
    let empty = policy::parse(r#"allow = ["MIT"]"#).unwrap();
    assert!(package_findings(&empty, &lock, &wanted)[0].contains("package.json"));
}

#[test]
fn a_known_fault_is_found_unless_it_is_borne_with() {
    let text = "# RustSec as of \
        2026-08-21\nRUSTSEC-2020-0001\tframework\tvulnerability\t>=1.0.1;<0.9\nRUSTSEC-2020-0002\told\tunmaintained\t\nRUSTSEC-2020-0003\tours\tunsound\t>=2\n";
    let snapshot = Snapshot::parse(text).unwrap();
    let (_, lock) = tree("good", Some("MIT"), REGISTRY, "ours");
    let both =
        ["framework 1.0.0: RUSTSEC-2020-0001 (vulnerability)", "old 1.0.0: RUSTSEC-2020-0002 (unmaintained)"];
    assert_eq!(snapshot.findings(&lock, &[]), both);
    let known = |id: &str| policy::AcceptedAdvisory { id: id.to_owned(), reason: String::new() };
    assert_eq!(snapshot.findings(&lock, &[known("RUSTSEC-2020-0002")]), both[..1]);
    let needless = snapshot.findings(
        &lock,
        &[known("RUSTSEC-2020-0001"), known("RUSTSEC-2020-0002"), known("RUSTSEC-2020-0003")],
    );
    assert_eq!(needless, ["RUSTSEC-2020-0003: nothing here has it any more"]);
    // After a week it does not say any more that all is good; what it knows still holds.
    let made = snapshot.age(0).abs();
    assert_eq!(made, 20_686, "2026-08-21");
    let old = |days: i64, found: &[&str]| {
        known_faults(&snapshot, found.iter().map(|one| (*one).to_owned()).collect(), made + days)
    };
    for days in [0, 1, 7] {
        assert!(matches!(old(days, &[]), Outcome::Passed(_)), "{days}");
    }
    for days in [8, 101, -1, -400] {
        assert!(matches!(old(days, &[]), Outcome::NotRun(_)), "{days}");
    }
    assert!(matches!(old(101, &both), Outcome::Failed(_)));
    // Without a date it says nothing, without a file it was not looked at.
    assert!(Snapshot::parse(&text.replace("as of", "of")).is_err());
    assert!(Snapshot::read(Path::new("nowhere.tsv")).unwrap().is_none());
}

#[test]
fn an_exception_without_date_or_reason_is_found() {
    let packages = policy::parse(r#"allow = ["MIT"]"#).unwrap();
    let found = |text: &str| policy::without_reason(text, &policy::parse(text).unwrap(), &packages).len();
    assert_eq!(found(CRATES), 0);
    assert_eq!(found(&CRATES.replace("# 2026-11-23: a list", "# a list")), 1);
    assert_eq!(found(&CRATES.replace("2026-11-23: rustls is what everything here uses", "rustls")), 1);
    assert_eq!(found(&CRATES.replace("2026-11-23: the framework has no other yet", "2026-11-23: ")), 1);
}

#[test]
fn a_missing_answer_of_the_registry_does_not_pass() {
    let policy = policy::parse(r#"allow = ["MIT"]"#).unwrap();
    for silent in ["", "<html>", r#"{"message": "405 Method Not Allowed"}"#, r#"{"error": {}}"#] {
        assert!(matches!(npm_advisories(silent.as_bytes(), &policy), Outcome::NotRun(_)), "{silent}");
    }
    assert!(matches!(npm_advisories(br#"{"vulnerabilities": {}}"#, &policy), Outcome::Passed(_)));
    assert!(matches!(
        npm_advisories(br#"{"vulnerabilities": {"x": {"severity": "low"}}}"#, &policy),
        Outcome::Failed(_)
    ));
}

/// The lists contain delivered packages, and no build tools.
#[test]
fn the_lists_name_what_is_delivered() {
    let inputs = Inputs::new(&root()).unwrap();
    let names = |bom: &Value| -> Vec<String> {
        bom["components"].as_array().unwrap().iter().map(|one| one["name"].to_string()).collect()
    };
    let (service, interface) =
        (names(&sbom::service(&inputs.metadata, &inputs.lock)), names(&sbom::interface(&inputs.npm_lock)));
    for name in ["\"poem\"", "\"sqlx-postgres\""] {
        assert!(service.iter().any(|one| one == name), "{name}");
    }
    assert!(!service.iter().any(|one| one == "\"proptest\"" || one == "\"server\""));
    assert!(
        interface.iter().any(|one| one == "\"antd\"") && !interface.iter().any(|one| one == "\"vitest\"")
    );
}

/// A mirror, or the registry's own address, has no place in the tree: the tools know theirs. What cargo writes into its
/// lock file is its own.
#[test]
fn no_file_has_an_address_of_a_registry() {
    let hosts = [
        ["registry.", "npmjs"],
        ["registry.", "yarnpkg"],
        ["crates.", "io"],
        ["pypi.", "org"],
        ["files.", "pythonhosted"],
        ["proxy.", "golang"],
        ["deb.", "debian.org"],
    ];
    let mut search = Command::new("git");
    search.args(["grep", "-nIF"]).current_dir(root());
    for host in hosts.map(|parts| parts.concat()) {
        search.args(["-e", &host]);
    }
    let output = search.args(["--", ".", ":!Cargo.lock"]).output().unwrap();
    // 1: nothing found; without git there is nothing to look through.
    let found = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{found}{}", String::from_utf8_lossy(&output.stderr));
}
