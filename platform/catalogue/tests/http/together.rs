//! Several users who edit at once.

use futures_util::future::join_all;
use serde_json::json;
use testkit::kit;

use super::{category, make, path, text};

/// Saving a product and deleting its option groups lock rows in one order, so they cannot deadlock.
#[testkit::test]
async fn saving_and_deleting_do_not_lock_each_other_out() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let mains = category(&admin, "Főételek", None).await;
    for _ in 0..4 {
        let mut groups = Vec::new();
        for name in ["A", "B"] {
            groups.push(text(
                &make(&admin, "/option-groups", json!({"name": name, "type": "inclusive"})).await["id"],
            ));
        }
        let body = json!({"name": "Étel", "subproducts": [{"price": 1, "option_group_ids": groups},
            {"price": 2, "option_group_ids": groups}]});
        let dish = make(&admin, &format!("/product-categories/{mains}/products"), body).await;
        let rows = |first: usize| json!({"subproducts": dish["subproducts"].as_array().unwrap().iter().map(|row| json!({"id": row["id"], "option_group_ids": [groups[first], groups[1 - first]]})).collect::<Vec<_>>()});
        let saves = [0, 1].map(|first| admin.put(&path(&dish)).json(rows(first)).send());
        let deletions = groups.iter().map(|group| admin.delete(&format!("/option-groups/{group}")).send());
        let (saved, deleted) = tokio::join!(join_all(saves), join_all(deletions));
        for answer in saved {
            assert!(matches!(answer.status, 200 | 422), "{}", answer.text());
        }
        for answer in deleted {
            answer.assert(204);
        }
        let left = admin.get(&path(&dish)).send().await.assert(200).json();
        assert_eq!(left["subproducts"][0]["option_group_ids"], json!([]), "nothing deleted is left");
    }
}

/// A category cannot get products and sub-categories at the same time.
#[testkit::test]
async fn categories_are_never_mixed() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    for _ in 0..4 {
        let drinks = category(&admin, "Italok", None).await;
        let (product, child) = tokio::join!(
            admin
                .post(&format!("/product-categories/{drinks}/products"))
                .json(json!({"name": "Víz", "base_price": 1}))
                .send(),
            admin.post("/product-categories").json(json!({"name": "Sörök", "parent_id": drinks})).send()
        );
        let mut statuses = [product.status, child.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 422]);
    }
}

/// Of two that save the same version one learns of the other.
#[testkit::test]
async fn the_second_of_two_gets_a_conflict() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let soups = category(&admin, "Levesek", None).await;
    let soup = super::product(&admin, &soups, "Gulyás", 1800).await;
    let saves = (0..4).map(|number| {
        admin.put(&path(&soup)).json(json!({"version": 1, "base_price": 1000 + number})).send()
    });
    let answers = join_all(saves).await;
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409]);
    for late in answers.into_iter().filter(|answer| answer.status == 409) {
        let problem = late.json();
        assert!(problem["changed_by"].is_string() && problem["changed_at"].is_string(), "{problem}");
    }
}
