//! The golden matrix: operations × callers → the answer of the permission model. A difference changes
//! somebody's rights, so review it before `PULT_GOLDEN=write cargo xtask test -p server -- matrix` writes the
//! file. See `docs/decisions/permissions.md#declared-keys`.

use std::fmt::Write;

use access::{Grants, Policy, perm};
use accounts::ROLES;
use serde_json::Value;
use server::document;

use super::{operations, strings};

fn person(operation: &Value, grants: &Grants) -> u16 {
    let allowed = strings(&operation["x-permission"])
        .iter()
        .any(|key| matches!(key.as_str(), "public" | "no_perm_required") || grants.has(key));
    if allowed { 200 } else { 403 }
}

fn key(operation: &Value, grants: &Grants) -> u16 {
    let open = strings(&operation["x-permission"]).iter().any(|key| key == "public");
    let allowed = operation["x-api-scope"].as_str().is_some_and(|scope| grants.has(&format!("api:{scope}")));
    if open || allowed { 200 } else { 403 }
}

#[testkit::test]
async fn who_may_call_what() {
    let policy = Policy::load().await.unwrap();
    let document = document::full();
    let mut text =
        String::from("# operation: the single keys that are enough; roles; what else may call it\n");
    for (method, path, operation) in operations(&document) {
        let single: Vec<&str> = perm::ALL
            .iter()
            .copied()
            .filter(|one| person(&operation, &policy.evaluate([*one])) == 200)
            .collect();
        let everybody = single.len() == perm::ALL.len();
        let roles: Vec<&str> = ROLES
            .iter()
            .filter(|role| person(&operation, &policy.evaluate(role.keys.iter().copied())) == 200)
            .map(|role| role.key)
            .collect();
        let mut others: Vec<String> = Vec::new();
        if strings(&operation["x-permission"]).iter().any(|key| key == "public") {
            others.push("nobody".into());
        }
        if person(&operation, &Grants::default()) == 200 {
            others.push("no key".into());
        }
        for (name, grant) in [("full access", "full_target_access"), ("super admin", "super_admin")] {
            if person(&operation, &policy.evaluate([grant])) == 200 {
                others.push(name.into());
            }
        }
        for scope in perm::API_SCOPES {
            if key(&operation, &policy.evaluate([format!("scope:{scope}").as_str()])) == 200 {
                others.push(format!("api {scope}"));
            }
        }
        for surface in ["admin", "pos", "lct", "kiosk"] {
            // A surface is where one signs in; it grants nothing by itself.
            let grants = policy.evaluate([format!("surface:{surface}").as_str()]);
            assert_eq!(
                person(&operation, &grants),
                person(&operation, &Grants::default()),
                "{method} {path}: {surface}"
            );
        }
        let keys = if everybody { "any".to_owned() } else { single.join(" ") };
        writeln!(
            text,
            "{method} {path}\n  keys: {keys}\n  roles: {}\n  also: {}",
            roles.join(" "),
            others.join(", ")
        )
        .unwrap();
    }
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/matrix.txt");
    if std::env::var("PULT_GOLDEN").is_ok_and(|value| value == "write") {
        std::fs::write(&file, &text).unwrap();
    }
    let golden = std::fs::read_to_string(&file).unwrap_or_default();
    let difference: Vec<_> =
        text.lines().zip(golden.lines()).filter(|(now, before)| now != before).take(3).collect();
    assert!(text == golden, "the matrix has changed, first: {difference:#?}");
}
