//! Nothing breaks for clients without a named exception: the document is compared with the one of the last
//! release. `openapi/released.json` is replaced with each release; until then an exception stands in
//! `openapi/breaking.txt`.

use std::{collections::BTreeSet, path::Path};

use serde_json::Value;
use server::document;

use crate::{operations, strings};

fn resolve<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
    let inner = schema["allOf"].get(0).unwrap_or(schema);
    match inner["$ref"].as_str().and_then(|name| name.strip_prefix("#/components/schemas/")) {
        Some(name) => &document["components"]["schemas"][name],
        None => inner,
    }
}

fn body_schema<'d>(document: &'d Value, content: &'d Value) -> &'d Value {
    content
        .as_object()
        .and_then(|content| content.values().next())
        .map_or(&Value::Null, |media| resolve(document, &media["schema"]))
}

struct Comparison<'d> {
    before: &'d Value,
    now: &'d Value,
    breaks: BTreeSet<String>,
}

impl<'d> Comparison<'d> {
    fn note(&mut self, place: &str, what: String) {
        self.breaks.insert(format!("{place}: {what}"));
    }

    /// What a client sends: nothing new may be required, no accepted value may go, nothing that was ignored
    /// may be refused.
    fn request(&mut self, place: &str, before: &'d Value, now: &'d Value, depth: usize) {
        let required = strings(&before["required"]);
        for name in strings(&now["required"]).iter().filter(|name| !required.contains(name)) {
            self.note(place, format!("{name} is now required"));
        }
        let accepted = strings(&now["enum"]);
        for value in strings(&before["enum"]).iter().filter(|value| !accepted.contains(value)) {
            self.note(place, format!("{value} is no longer accepted"));
        }
        if now["additionalProperties"] == false && before["additionalProperties"] != false {
            self.note(place, "what is not known is now refused".into());
        }
        self.deeper(place, before, now, depth, Self::request);
    }

    /// What a client reads: nothing may go or become null that was not.
    fn answer(&mut self, place: &str, before: &'d Value, now: &'d Value, depth: usize) {
        for (name, _) in before["properties"].as_object().into_iter().flatten() {
            if now["properties"].get(name).is_none() {
                self.note(place, format!("{name} is gone"));
            }
        }
        let required = strings(&now["required"]);
        for name in strings(&before["required"]).iter().filter(|name| !required.contains(name)) {
            self.note(place, format!("{name} may now be null"));
        }
        self.deeper(place, before, now, depth, Self::answer);
    }

    fn deeper(
        &mut self,
        place: &str,
        before: &'d Value,
        now: &'d Value,
        depth: usize,
        compare: fn(&mut Self, &str, &'d Value, &'d Value, usize),
    ) {
        if before["type"] != now["type"] {
            self.note(place, format!("{} became {}", before["type"], now["type"]));
        }
        if depth == 0 {
            return;
        }
        if before.get("items").is_some() && now.get("items").is_some() {
            compare(
                self,
                &format!("{place}[]"),
                resolve(self.before, &before["items"]),
                resolve(self.now, &now["items"]),
                depth - 1,
            );
        }
        for (name, schema) in before["properties"].as_object().into_iter().flatten() {
            if let Some(later) = now["properties"].get(name) {
                compare(
                    self,
                    &format!("{place}.{name}"),
                    resolve(self.before, schema),
                    resolve(self.now, later),
                    depth - 1,
                );
            }
        }
    }
}

fn breaks(before: &Value, now: &Value) -> BTreeSet<String> {
    let mut comparison = Comparison { before, now, breaks: BTreeSet::new() };
    for (method, path, operation) in operations(before) {
        let place = format!("{method} {path}");
        let later = &now["paths"][&path][method.to_lowercase()];
        if later.is_null() {
            comparison.note(&place, "is gone".into());
            continue;
        }
        let later_operation = &now["paths"][&path][method.to_lowercase()];
        for parameter in
            later["parameters"].as_array().into_iter().flatten().filter(|one| one["required"] == true)
        {
            let known = operation["parameters"]
                .as_array()
                .into_iter()
                .flatten()
                .any(|one| one["name"] == parameter["name"] && one["required"] == true);
            if !known {
                comparison.note(&place, format!("{} is now required", parameter["name"]));
            }
        }
        let (sent, sent_now) = (&before["paths"][&path][method.to_lowercase()], later_operation);
        comparison.request(
            &format!("{place} body"),
            body_schema(before, &sent["requestBody"]["content"]),
            body_schema(now, &sent_now["requestBody"]["content"]),
            6,
        );
        for status in ["200", "201"] {
            let (read, read_now) =
                (&sent["responses"][status]["content"], &sent_now["responses"][status]["content"]);
            if !read.is_null() {
                comparison.answer(
                    &format!("{place} {status}"),
                    body_schema(before, read),
                    body_schema(now, read_now),
                    6,
                );
            }
        }
    }
    comparison.breaks
}

#[test]
fn nothing_breaks_for_clients_without_a_named_exception() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openapi");
    let released: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("released.json")).unwrap()).unwrap();
    let approved = std::fs::read_to_string(folder.join("breaking.txt")).unwrap_or_default();
    let approved: BTreeSet<String> = approved
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect();
    let found = breaks(&released, &document::whole());
    let unnamed: Vec<_> = found.difference(&approved).collect();
    assert!(
        unnamed.is_empty(),
        "this breaks clients; name it in openapi/breaking.txt with its reason above it: {unnamed:#?}"
    );
    let idle: Vec<_> = approved.difference(&found).collect();
    assert!(idle.is_empty(), "these exceptions are not needed: {idle:#?}");
}

#[test]
fn a_break_is_found() {
    let before = document::whole();
    let mut now = before.clone();
    now["paths"].as_object_mut().unwrap().remove("/api/v3/admin/permissions");
    now["components"]["schemas"]["NewApiKey"]["required"] = serde_json::json!(["name", "scopes"]);
    now["components"]["schemas"]["Me"]["properties"].as_object_mut().unwrap().remove("targets");
    let found: Vec<_> = breaks(&before, &now).into_iter().collect();
    for expected in [
        "GET /api/v3/admin/permissions: is gone",
        "api-keys body: scopes is now required",
        "/api/v3/admin/me 200: targets is gone",
    ] {
        assert!(found.iter().any(|one| one.ends_with(expected)), "{expected} was not found in {found:#?}");
    }
}
