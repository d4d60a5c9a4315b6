//! Sample bodies of operations, made from the schemas of the document.

use serde_json::{Value, json};
use uuid::Uuid;

use super::strings;

/// The smallest body that fits a schema.
fn sample(document: &Value, schema: &Value) -> Value {
    let schema = schema["allOf"].get(0).or(schema["anyOf"].get(0)).unwrap_or(schema);
    if let Some(name) = schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/components/schemas/")) {
        return sample(document, &document["components"]["schemas"][name]);
    }
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    match schema["type"].as_str().unwrap_or_default() {
        "object" => {
            let required = strings(&schema["required"]);
            let fields = required.into_iter().map(|name| {
                let value = sample(document, &schema["properties"][&name]);
                (name, value)
            });
            Value::Object(fields.collect())
        }
        "array" => {
            let least = schema["minItems"].as_u64().unwrap_or(0);
            (0..least).map(|_| sample(document, &schema["items"])).collect()
        }
        // The document writes a minimum as a fraction, which no whole number may be.
        "integer" => json!(schema["minimum"].as_f64().map_or(1, |least| (least as i64).max(1))),
        "number" => schema
            .get("minimum")
            .cloned()
            .filter(|least| least.as_f64().is_some_and(|least| least > 0.0))
            .unwrap_or(json!(1)),
        "boolean" => json!(true),
        _ => match schema["format"].as_str() {
            Some("uuid") => json!(Uuid::now_v7()),
            Some("date-time") => json!("2026-01-01T10:00:00Z"),
            Some("date") => json!("2026-01-01"),
            _ if schema["pattern"].is_string() => json!("10:00"),
            _ => json!("minta"),
        },
    }
}

/// The smallest body that the operation takes; none when it takes none.
pub(crate) fn body(document: &Value, operation: &Value) -> Option<Value> {
    let content = operation["requestBody"]["content"].as_object()?;
    Some(sample(document, &content.values().next()?["schema"]))
}

/// Where ids of a body stand: the way to each, and the path segment of what it refers to.
pub(crate) fn references(
    document: &Value, schema: &Value, way: &[String], found: &mut Vec<(Vec<String>, String)>,
) {
    let schema = schema["allOf"].get(0).or(schema["anyOf"].get(0)).unwrap_or(schema);
    if let Some(name) = schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/components/schemas/")) {
        return references(document, &document["components"]["schemas"][name], way, found);
    }
    if let Some(resource) = schema["x-ref"].as_str() {
        found.push((way.to_vec(), resource.replace('_', "-")));
    }
    if schema["items"].is_object() {
        references(document, &schema["items"], &[way, &["0".to_owned()]].concat(), found);
    }
    for (name, property) in schema["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(_, property)| property["readOnly"] != true)
    {
        references(document, property, &[way, std::slice::from_ref(name)].concat(), found);
    }
}

/// A body with this value at the end of the way, and what the schema requires on it.
pub(crate) fn with(document: &Value, schema: &Value, way: &[String], value: &Value) -> Value {
    let Some((step, rest)) = way.split_first() else { return value.clone() };
    let schema = schema["allOf"].get(0).or(schema["anyOf"].get(0)).unwrap_or(schema);
    if let Some(name) = schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/components/schemas/")) {
        return with(document, &document["components"]["schemas"][name], way, value);
    }
    if step == "0" {
        return json!([with(document, &schema["items"], rest, value)]);
    }
    let mut body = sample(document, schema);
    body[step] = with(document, &schema["properties"][step], rest, value);
    body
}
