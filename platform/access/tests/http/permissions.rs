use std::collections::BTreeSet;

use access::{Policy, perm};
use serde_json::Value;
use testkit::kit;

#[tokio::test]
async fn the_tree_is_the_same_in_types_policy_and_reference() {
    let place = kit().await.restaurant().await;
    let tree = place.with_keys(&[]).await.get("/api/v3/admin/permissions").send().await.assert(200).json();
    let rows = tree.as_array().unwrap();
    let keys: Vec<&str> = rows.iter().map(|row| row["key"].as_str().unwrap()).collect();
    assert_eq!(keys, perm::ALL);
    let policy = Policy::load().await.unwrap();
    for row in rows {
        let key = row["key"].as_str().unwrap();
        assert_ne!(
            row["name"]["hu"].to_string(),
            if key == "ntak" { String::new() } else { row["name"]["en"].to_string() },
            "{key}"
        );
        let parent =
            rows.iter().find(|other| other["id"] == row["parent_id"] && row["parent_id"] != Value::Null);
        let expected: BTreeSet<String> = [Some(key), parent.map(|parent| parent["key"].as_str().unwrap())]
            .into_iter()
            .flatten()
            .map(str::to_owned)
            .collect();
        assert_eq!(policy.evaluate([key]).keys(), expected.into_iter().collect::<Vec<_>>(), "{key}");
    }
}
