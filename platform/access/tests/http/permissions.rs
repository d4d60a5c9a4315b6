//! The permission tree in code and database.

use std::{collections::BTreeSet, path::Path};

use access::{Policy, perm};
use serde_json::{Value, json};
use testkit::kit;

/// What brings `ref.permission` to the tree of `perm.rs`, for a new migration; empty when it is there.
async fn changes() -> String {
    let kit = kit().await;
    let sql = "select coalesce(jsonb_agg(jsonb_build_array(key, perm_type, parent_key, name_en, description_en, \
        name, description) order by ranking), '[]') rows from ref.permission";
    let before: Value = kit.row(sql, vec![]).await.try_get("", "rows").unwrap();
    let after: Vec<Value> = perm::TREE
        .iter()
        .map(|one| {
            let ([en, allows_en], [hu, allows_hu]) = (one.english, one.hungarian);
            json!([one.key, one.level.name(), one.parent, en, allows_en, hu, allows_hu])
        })
        .collect();
    if before == json!(after) {
        return String::new();
    }
    let text = |value: &Value| match value.as_str() {
        Some(text) => format!("'{}'", text.replace('\'', "''")),
        None => "null".to_owned(),
    };
    // A key keeps its id; a new one gets the next.
    let known: Vec<&str> = before.as_array().unwrap().iter().map(|row| row[0].as_str().unwrap()).collect();
    let mut next = known.len();
    let mut row = |(at, row): (usize, &Value)| {
        let columns: Vec<String> = row.as_array().unwrap().iter().map(text).collect();
        let number = known.iter().position(|key| row[0] == *key).unwrap_or_else(|| {
            next += 1;
            next - 1
        });
        let id = format!("00000000-0000-7000-8000-000000000{:03x}", 0x501 + number);
        format!("    ('{id}', {}, {})", at + 1, columns.join(", "))
    };
    let rows: Vec<String> = after.iter().enumerate().map(&mut row).collect();
    format!(
        "insert into ref.permission (id, ranking, key, perm_type, parent_key, name_en, description_en, name, \
         description) values\n{}\non conflict (key) do update set ranking = excluded.ranking, perm_type = \
         excluded.perm_type, parent_key = excluded.parent_key, name_en = excluded.name_en, description_en = \
         excluded.description_en, name = excluded.name, description = excluded.description;\n",
        rows.join(",\n")
    )
}

/// `PULT_GOLDEN=write` writes the migration.
#[testkit::test]
async fn the_reference_is_that_of_the_types() {
    let changes = changes().await;
    if std::env::var("PULT_GOLDEN").is_ok_and(|value| value == "write") && !changes.is_empty() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations/control");
        let numbers = std::fs::read_dir(&folder).unwrap().filter_map(|file| {
            file.unwrap().file_name().to_str().and_then(|name| name.get(1..5)?.parse::<u32>().ok())
        });
        let next = numbers.max().unwrap() + 1;
        std::fs::write(folder.join(format!("m{next:04}_permissions.sql")), &changes).unwrap();
    }
    assert!(changes.is_empty(), "a new migration of control is wanted:\n{changes}");
}

#[testkit::test]
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
            row["name_hu"],
            // Its name is the same in both languages.
            if key == "ntak" { Value::Null } else { row["name_en"].clone() },
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
