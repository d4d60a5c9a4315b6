//! What holds for every operation, tested by walking the published document.

mod architecture;
mod binary;
mod catalogue_live;
mod circles;
mod codes;
mod document;
mod edge;
mod edge_tls;
mod headers;
mod isolation;
mod matrix;
mod positions;
mod probes;
mod raw;
mod references;
mod revocation;
mod rules;
mod running;
mod samples;
mod servers;
mod sharding;
mod short;
mod slow_window;
mod socket;
mod sql;
mod statements;
mod targets;
mod turned_away;

use serde_json::Value;

/// Every operation: method in capitals, path, what the document says.
fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let paths = document["paths"].as_object().unwrap();
    let all = paths.iter().flat_map(|(path, item)| {
        item.as_object()
            .unwrap()
            .iter()
            .map(move |(method, operation)| (method.to_uppercase(), path.clone(), operation.clone()))
    });
    all.collect()
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}
