//! Permissions of the catalogue. See `docs/decisions/catalogue.md#rights`.

use serde_json::json;
use testkit::kit;

use super::{category, make, path, product, text};

#[testkit::test]
async fn switching_needs_another_key_than_editing() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let soups = category(&admin, "Levesek", None).await;
    let soup = product(&admin, &soups, "Gulyás", 1800).await;
    let group = make(&admin, "/option-groups", json!({"name": "Feltét", "type": "inclusive"})).await;
    let group_path = format!("/option-groups/{}", text(&group["id"]));
    let option = make(&admin, &format!("{group_path}/options"), json!({"name": "Tejföl"})).await;
    let rows = [
        (
            format!("/product-categories/{soups}"),
            admin.get(&format!("/product-categories/{soups}")).send().await.json(),
        ),
        (path(&soup), soup),
        (format!("{group_path}/options/{}", text(&option["id"])), option),
        (group_path, group),
    ];
    let switcher = place.with_keys(&["admin_login", "catalog_activate"]).await;
    let editor = place.with_keys(&["admin_login", "catalog_edit"]).await;
    let deleter = place.with_keys(&["admin_login", "catalog_delete"]).await;
    let reader = place.with_keys(&["admin_login", "order"]).await;
    let stranger = place.with_keys(&["admin_login", "courier"]).await;
    for (path, row) in rows {
        // Whole entities are sent back by other clients: what counts is what differs.
        let mut off = row.clone();
        off["active"] = json!(false);
        off.as_object_mut().unwrap().remove("version");
        switcher.put(&path).json(off.clone()).send().await.assert(200);
        let mut renamed = off.clone();
        renamed["name"] = json!("Más");
        let refusal = switcher
            .put(&path)
            .json(renamed.clone())
            .send()
            .await
            .assert_problem(403, "USER_PERMISSION_REQUIRED");
        assert_eq!(refusal.json()["permission"], json!(["catalog_edit"]));
        editor.put(&path).json(renamed.clone()).send().await.assert(200);
        renamed["active"] = json!(true);
        let refusal = editor
            .put(&path)
            .json(renamed.clone())
            .send()
            .await
            .assert_problem(403, "USER_PERMISSION_REQUIRED");
        assert_eq!(refusal.json()["permission"], json!(["catalog_activate"]));
        for client in [&deleter, &reader, &stranger] {
            client
                .put(&path)
                .json(json!({"active": true}))
                .send()
                .await
                .assert_problem(403, "USER_PERMISSION_REQUIRED");
        }
        for client in [&switcher, &editor, &reader, &stranger] {
            client.delete(&path).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
        }
        reader.get(&path).send().await.assert(200);
        stranger.get(&path).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    }
}

#[testkit::test]
async fn removing_a_size_is_deleting() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let drinks = category(&admin, "Italok", None).await;
    let body = json!({"name": "Kóla", "subproducts": [{"name": "Kicsi", "price": 500}, {"name": "Nagy",
        "price": 900}]});
    let cola = make(&admin, &format!("/product-categories/{drinks}/products"), body).await;
    let one = json!({"subproducts": [{"id": cola["subproducts"][0]["id"]}]});
    let editor = place.with_keys(&["admin_login", "catalog_edit"]).await;
    let refusal = editor
        .put(&path(&cola))
        .json(one.clone())
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    assert_eq!(refusal.json()["permission"], json!(["catalog_delete"]));
    let both = place.with_keys(&["admin_login", "catalog_edit", "catalog_delete"]).await;
    both.put(&path(&cola)).json(one).send().await.assert(200);
}

#[testkit::test]
async fn rows_of_others_do_not_exist() {
    let kit = kit().await;
    let (place, neighbour, stranger) = (kit.restaurant().await, kit.restaurant().await, kit.stranger().await);
    let admin = place.admin().await;
    let soups = category(&admin, "Levesek", None).await;
    let soup = product(&admin, &soups, "Gulyás", 1800).await;
    let group =
        text(&make(&admin, "/option-groups", json!({"name": "Feltét", "type": "inclusive"})).await["id"]);
    let option = text(
        &make(&admin, &format!("/option-groups/{group}/options"), json!({"name": "Tejföl"})).await["id"],
    );
    let paths = [
        (format!("/product-categories/{soups}"), "PRODUCT_CATEGORY_NOT_EXIST"),
        (path(&soup), "PRODUCT_NOT_EXIST"),
        (format!("/option-groups/{group}"), "OPTION_GROUP_NOT_EXIST"),
        (format!("/option-groups/{group}/options/{option}"), "OPTION_NOT_EXIST"),
    ];
    for client in [neighbour.admin().await, stranger.admin().await] {
        for (path, code) in &paths {
            client.get(path).send().await.assert_problem(404, code);
            client.put(path).json(json!({"name": "Enyém"})).send().await.assert_problem(404, code);
            client.delete(path).send().await.assert_problem(404, code);
        }
        let own = category(&client, "Enyém", None).await;
        client
            .put(&format!("{}/move", path(&soup)))
            .json(json!({"new_product_category_id": own}))
            .send()
            .await
            .assert_problem(404, "PRODUCT_NOT_EXIST");
        client
            .post(&format!("/product-categories/{soups}/products"))
            .json(json!({"name": "Hé", "base_price": 1}))
            .send()
            .await
            .assert_problem(404, "PRODUCT_CATEGORY_NOT_EXIST");
        client
            .post(&format!("/option-groups/{group}/copy"))
            .send()
            .await
            .assert_problem(404, "OPTION_GROUP_NOT_EXIST");
        client
            .put("/product-categories/ranking")
            .json(json!({"product_category_ids": [soups]}))
            .send()
            .await
            .assert_keys(&["product_category_ids.0"]);
        client
            .put("/option-groups/ranking")
            .json(json!({"option_group_ids": [group]}))
            .send()
            .await
            .assert_keys(&["option_group_ids.0"]);
        // In a body a foreign id is a fault at its key.
        let body = json!({"name": "Lopott", "subproducts": [{"price": 1, "option_group_ids": [group]}]});
        client
            .post(&format!("/product-categories/{own}/products"))
            .json(body)
            .send()
            .await
            .assert_keys(&["subproducts.0.option_group_ids.0"]);
        let mine = product(&client, &own, "Saját", 100).await;
        let body = json!({"subproducts": [{"id": soup["subproducts"][0]["id"], "price": 1}]});
        client.put(&path(&mine)).json(body).send().await.assert_keys(&["subproducts.0.id"]);
        client
            .put(&format!("{}/move", path(&mine)))
            .json(json!({"new_product_category_id": soups}))
            .send()
            .await
            .assert_keys(&["new_product_category_id"]);
    }
    assert_eq!(admin.get(&path(&soup)).send().await.json(), soup);
}
