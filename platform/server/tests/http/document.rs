//! The published document is complete and current.

use std::{collections::BTreeSet, path::Path};

use kernel::Code;
use poem_openapi::OpenApi;
use serde_json::Value;
use server::document;

use super::{operations, strings};

fn metas<T: OpenApi>(_: &T) -> Vec<(String, String)> {
    T::meta()
        .into_iter()
        .flat_map(|api| api.paths)
        .flat_map(|path| {
            path.operations
                .into_iter()
                .map(move |operation| (path.path.clone(), operation.method.to_string()))
        })
        .collect()
}

#[test]
fn no_path_stands_twice() {
    let all = metas(&server::api());
    let mut seen = BTreeSet::new();
    for (path, method) in all {
        let shape: Vec<_> = path
            .split('/')
            .filter(|part| !part.is_empty())
            .map(|part| if part.starts_with([':', '{']) { "{}" } else { part })
            .collect();
        assert!(seen.insert((shape.join("/"), method.clone())), "{method} {path} is declared twice");
    }
}

#[test]
fn every_operation_says_what_it_is_and_who_may_call_it() {
    let document = document::full();
    for (method, path, operation) in operations(&document) {
        let name = format!("{method} {path}");
        assert!(
            !operation["operationId"].as_str().unwrap_or_default().is_empty(),
            "{name} has no operation_id"
        );
        assert!(!operation["summary"].as_str().unwrap_or_default().is_empty(), "{name} has no summary");
        let permissions = strings(&operation["x-permission"]);
        assert!(!permissions.is_empty(), "{name} names no permission");
        for permission in &permissions {
            let known = ["public", "super_admin", "no_perm_required", "device"]
                .contains(&permission.as_str())
                || access::perm::ALL.contains(&permission.as_str());
            assert!(known, "{name}: {permission} is no permission");
        }
        assert_eq!(
            permissions == ["device"],
            operation["x-device-kind"].is_array(),
            "{name}: which devices?"
        );
        for code in strings(&operation["x-codes"]) {
            assert!(
                Code::parse(&code).is_some() || code.ends_with("_NOT_EXIST"),
                "{name}: {code} is not in the table"
            );
        }
        assert!(
            !operation["x-resource"].as_str().unwrap().is_empty()
                && !operation["x-action"].as_str().unwrap().is_empty(),
            "{name}"
        );
        let raw = operation.to_string();
        assert!(!raw.contains("pult:"), "{name}: a marker was left in the document");
        let variables = path.matches('{').count();
        let documented =
            operation["parameters"].as_array().unwrap().iter().filter(|one| one["in"] == "path").count();
        assert_eq!(variables, documented, "{name}: its path parameters");
    }
}

#[test]
fn every_type_and_field_is_described_by_a_stable_name() {
    let document = document::full();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        for (field, _) in schema["properties"].as_object().into_iter().flatten() {
            let upper = field.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
            let lower =
                field.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
            // The specification's clients know a promotion's `isValid` under this name; an event for other systems
            // has its name as webhooks write them.
            let given = [("Discount", "isValid"), ("LiveEvents", "menu.changed")]
                .contains(&(name.as_str(), field.as_str()));
            assert!(lower || upper || given, "{name}.{field}");
        }
    }
    // A browser reads it whole, so it grows with the number of calls only.
    let paths = document["paths"].as_object().unwrap().values();
    let calls: usize = paths.map(|path| path.as_object().unwrap().len()).sum();
    assert!(document.to_string().len() < calls * 3_500, "the document is too large for a browser");
}

#[test]
fn the_committed_documents_are_current() {
    // The texts of error codes are not served: the interface is built with them.
    let published = [Some(document::PUBLIC), Some(document::FULL), None];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openapi");
    for ((file, text), published) in document::files().into_iter().zip(published) {
        let committed = std::fs::read_to_string(folder.join(file)).unwrap();
        assert!(committed == text, "openapi/{file} is stale: run cargo xtask openapi");
        let compact = serde_json::from_str::<Value>(&text).unwrap().to_string();
        assert!(published.is_none_or(|one| one == compact), "{file} is not served as it is committed");
    }
}

#[test]
fn third_parties_see_only_what_a_key_may_call() {
    let public = document::public(&document::full());
    let all = operations(&public);
    assert!(!all.is_empty());
    for (method, path, operation) in all {
        assert!(operation["x-api-scope"].is_string(), "{method} {path}");
        assert!(path.starts_with("/api/v3/partners/"), "{method} {path}");
    }
    let text = public.to_string();
    let schemas = public["components"]["schemas"].as_object().unwrap();
    for reference in
        text.match_indices("#/components/schemas/").map(|(at, prefix)| &text[at + prefix.len()..])
    {
        let name = reference.split('"').next().unwrap();
        assert!(schemas.contains_key(name), "{name} is missing");
    }
    assert!(!schemas.contains_key("ApiKey"), "what no public operation needs is left out");
    assert!(matches!(public["components"]["securitySchemes"], Value::Object(_)));
}
