//! One option group for many sizes at once.

use serde_json::{Value, json};
use testkit::kit;

use super::{NOBODY, audited, category, make, path, text, version};

/// A product of these sizes; the whole row.
async fn sized(admin: &testkit::Client<'_>, category: &str, name: &str, sizes: &[&str]) -> Value {
    let sizes: Vec<Value> = sizes.iter().map(|size| json!({"name": size, "price": 990})).collect();
    let body = json!({"name": name, "subproducts": sizes});
    make(admin, &format!("/product-categories/{category}/products"), body).await
}

fn ids(product: &Value) -> Vec<Value> {
    product["subproducts"].as_array().unwrap().iter().map(|size| size["id"].clone()).collect()
}

#[testkit::test]
async fn a_group_is_given_to_five_hundred_sizes_in_one_version() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Pizzák", None).await;
    let names: Vec<String> = (1..=50).map(|size| format!("{size} cm")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut sizes = Vec::new();
    for pizza in 0..10 {
        sizes.extend(ids(&sized(&admin, &home, &format!("Pizza {pizza}"), &names).await));
    }
    let group =
        text(&make(&admin, "/option-groups", json!({"name": "Feltét", "type": "inclusive"})).await["id"]);
    let before = version(&place).await;
    let change = format!("/option-groups/{group}/sizes");
    let given = admin.put(&change).json(json!({"add": sizes})).send().await.assert(200).json();
    assert_eq!((&given["subproduct_count"], &given["version"]), (&json!(500), &json!(1)));
    assert_eq!(version(&place).await, before + 1);
    assert_eq!(
        audited(&place).await,
        ("option_groups_sizes".into(), json!({"subproducts_attached": 500, "subproducts_detached": 0}))
    );
    // The same again changes nothing, and says nothing.
    admin.put(&change).json(json!({"add": sizes, "remove": []})).send().await.assert(200);
    admin.put(&change).json(json!({})).send().await.assert(200);
    assert_eq!(version(&place).await, before + 1);
    let (gone, rest) = sizes.split_at(120);
    let taken = admin.put(&change).json(json!({"add": rest, "remove": gone})).send().await.assert(200).json();
    assert_eq!(taken["subproduct_count"], 380);
    assert_eq!(version(&place).await, before + 2);
    assert_eq!(audited(&place).await.1, json!({"subproducts_attached": 0, "subproducts_detached": 120}));
}

#[testkit::test]
async fn the_group_comes_last_and_open_editors_learn_of_it() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Pizzák", None).await;
    let ham = sized(&admin, &home, "Sonkás", &["30 cm", "45 cm"]).await;
    let other = sized(&admin, &home, "Gombás", &["30 cm"]).await;
    let group = |name: &'static str| {
        let admin = admin.clone();
        async move {
            let body = json!({"name": name, "type": "inclusive"});
            text(&make(&admin, "/option-groups", body).await["id"])
        }
    };
    let (first, second) = (group("Tészta").await, group("Feltét").await);
    let [small, large] = &ids(&ham)[..] else { panic!("{ham}") };
    let give = |group: &str, body: Value| {
        let (admin, path) = (admin.clone(), format!("/option-groups/{group}/sizes"));
        async move { admin.put(&path).json(body).send().await.assert(200).json() }
    };
    give(&second, json!({"add": [small]})).await;
    give(&first, json!({"add": [small, large]})).await;
    let now = admin.get(&path(&ham)).send().await.assert(200).json();
    assert_eq!(now["subproducts"][0]["option_group_ids"], json!([second, first]), "as the last one");
    assert_eq!(now["subproducts"][1]["option_group_ids"], json!([first]));
    // A save that was begun before would take the groups away again.
    assert_eq!(now["version"], 3);
    admin
        .put(&path(&ham))
        .json(json!({"name": "Sonkás pizza", "version": ham["version"]}))
        .send()
        .await
        .assert_problem(409, "CONFLICT");
    assert_eq!(admin.get(&path(&other)).send().await.json()["version"], 1, "it was not named");
    give(&first, json!({"remove": [small, ids(&other)[0]]})).await;
    let now = admin.get(&path(&ham)).send().await.json();
    assert_eq!(now["subproducts"][0]["option_group_ids"], json!([second]));
}

#[testkit::test]
async fn each_wrong_size_is_named_and_nothing_is_written() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Pizzák", None).await;
    let ham = sized(&admin, &home, "Sonkás", &["30 cm", "45 cm"]).await;
    let gone = sized(&admin, &home, "Régi", &["30 cm"]).await;
    admin.delete(&path(&gone)).send().await.assert(204);
    let foreign = {
        let place = kit().await.restaurant().await;
        let admin = place.admin().await;
        let home = category(&admin, "Pizzák", None).await;
        ids(&sized(&admin, &home, "Idegen", &["30 cm"]).await).remove(0)
    };
    let [small, large] = &ids(&ham)[..] else { panic!("{ham}") };
    let mut groups = Vec::new();
    for at in 0..51 {
        let body = json!({"name": format!("Csoport {at}"), "type": "inclusive"});
        groups.push(text(&make(&admin, "/option-groups", body).await["id"]));
    }
    let full = json!({"subproducts": [{"id": large}, {"id": small, "option_group_ids": groups[..50]}]});
    admin.put(&path(&ham)).json(full).send().await.assert(200);
    let change = format!("/option-groups/{}/sizes", groups[50]);
    let body = json!({"add": [large, NOBODY, foreign, ids(&gone)[0], small], "remove": [large, NOBODY]});
    let before = version(&place).await;
    admin
        .put(&change)
        .json(body)
        .send()
        .await
        .assert_keys(&["add.1", "add.2", "add.3", "add.4", "remove.0", "remove.1"]);
    assert_eq!(version(&place).await, before);
    assert_eq!(
        admin.get("/option-groups").send().await.json()[50]["subproduct_count"],
        0,
        "all of them or none"
    );
    admin.put(&change).json(json!({"add": [large, large]})).send().await.assert_keys(&["add"]);
    let nobody = format!("/option-groups/{NOBODY}/sizes");
    admin.put(&nobody).json(json!({})).send().await.assert_problem(404, "OPTION_GROUP_NOT_EXIST");
    let reader = place.with_keys(&["order", "catalog_activate"]).await;
    reader.put(&change).json(json!({})).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    let stranger = kit().await.stranger().await.admin().await;
    stranger.put(&change).json(json!({})).send().await.assert_problem(404, "OPTION_GROUP_NOT_EXIST");
}
