//! From which depot products are taken.

use serde_json::{Value, json};
use testkit::{Client, kit};

use super::{NOBODY, audited, category, make, names, path, product, text, version};

const CATEGORIES: &str = "/product-categories/depot";
const PRODUCTS: &str = "/products/depot";

async fn get(client: &Client<'_>, path: &str) -> Value {
    client.get(path).send().await.assert(200).json()
}

/// The depots of a product as the list has it: its own, the one that counts, and where that comes from.
async fn of(client: &Client<'_>, product: &Value) -> (Value, Value, Value) {
    let all = get(client, PRODUCTS).await;
    let row = all.as_array().unwrap().iter().find(|row| row["id"] == product["id"]).unwrap().clone();
    (row["depot_id"].clone(), row["effective"]["id"].clone(), row["effective"]["from"].clone())
}

async fn choose(client: &Client<'_>, row: &str, depot: &Value) -> Value {
    client.put(&format!("{row}/depot")).json(json!({"depot_id": depot})).send().await.assert(200).json()
}

#[testkit::test]
async fn the_nearest_level_says_from_where_a_product_is_taken() {
    let place = kit().await.partner().await;
    let admin = place.admin().await;
    let clerk = place.with_keys(&["depot_product_relation"]).await;
    let drinks = category(&admin, "Italok", None).await;
    let beers = category(&admin, "Sörök", Some(&drinks)).await;
    let beer = product(&admin, &beers, "Csapolt", 900).await;
    let depots = get(&clerk, "/depots").await;
    assert_eq!(names(&depots), ["Főraktár"], "each group has one from its beginning");
    let main = depots[0]["id"].clone();
    let cellar = json!(uuid::Uuid::now_v7());
    let add = format!(
        "insert into {0}.depot (id, restaurant_group_id, name) select $1, restaurant_group_id, 'Pince' \
         from {0}.restaurant where id = $2",
        place.schema
    );
    let id: uuid::Uuid = text(&cellar).parse().unwrap();
    place.kit.run(&add, vec![id.into(), place.restaurant.into()]).await;
    assert_eq!(names(&get(&clerk, "/depots").await), ["Főraktár", "Pince"]);
    let before = (version(&place).await, get(&admin, &path(&beer)).await);

    let levels = [
        format!("/product-categories/{drinks}"),
        format!("/product-categories/{beers}"),
        format!("/products/{}", text(&beer["id"])),
    ];
    assert_eq!(of(&clerk, &beer).await, (Value::Null, main.clone(), json!("group")));
    choose(&clerk, &levels[0], &cellar).await;
    assert_eq!(of(&clerk, &beer).await, (Value::Null, cellar.clone(), json!("parent_category")));
    let row = choose(&clerk, &levels[1], &main).await;
    assert_eq!(
        (&row["name"], &row["parent_id"], &row["depot_id"], &row["effective"]["from"]),
        (&json!("Sörök"), &json!(drinks), &main, &json!("category"))
    );
    assert_eq!(of(&clerk, &beer).await, (Value::Null, main.clone(), json!("category")));
    let row = choose(&clerk, &levels[2], &cellar).await;
    assert_eq!((&row["name"], &row["restaurant_id"]), (&json!("Csapolt"), &json!(place.restaurant)));
    assert_eq!(of(&clerk, &beer).await, (cellar.clone(), cellar.clone(), json!("product")));
    assert_eq!(audited(&place).await, ("products_depot".into(), json!({"depot_id": [null, cellar]})));
    let lines = place.count("audit").await;
    choose(&clerk, &levels[2], &cellar).await;
    assert_eq!(place.count("audit").await, lines, "what is so already is no change");
    let categories = get(&clerk, CATEGORIES).await;
    assert_eq!(names(&categories), ["Italok", "Sörök"]);
    assert_eq!(categories[0]["effective"], json!({"id": cellar, "from": "category"}));
    // Guests see none of it, and an editor that is open saves as it would have.
    assert_eq!((version(&place).await, get(&admin, &path(&beer)).await), before);

    // A copy of a product is taken from the same depot.
    let copy = admin.post(&format!("{}/copy", path(&beer))).send().await.assert(201).json();
    assert_eq!(of(&clerk, &copy).await.0, cellar);
    let found = get(&clerk, &format!("{PRODUCTS}?name=CSAPOLT&product_category_id={beers}")).await;
    assert_eq!(found.as_array().unwrap().len(), 2);
    assert_eq!(get(&clerk, &format!("{PRODUCTS}?product_category_id={drinks}")).await, json!([]));
    assert_eq!(get(&clerk, &format!("{PRODUCTS}?name=%25")).await, json!([]));
    choose(&clerk, &levels[2], &Value::Null).await;
    assert_eq!(of(&clerk, &beer).await, (Value::Null, main, json!("category")));
}

#[testkit::test]
async fn a_restaurant_takes_only_from_depots_of_its_group() {
    let kit = kit().await;
    let place = kit.partner().await;
    let admin = place.admin().await;
    let owner = place.partner_admin().await;
    let home = category(&admin, "Italok", None).await;
    let beer = product(&admin, &home, "Csapolt", 900).await;
    let at = format!("/product-categories/{home}");
    let first = get(&admin, "/depots").await[0]["id"].clone();
    choose(&admin, &at, &first).await;
    choose(&admin, &format!("/products/{}", text(&beer["id"])), &first).await;

    let partner = format!("/api/v3/admin/partners/{}", place.partner);
    let restaurants = format!("{partner}/restaurants");
    let groups = format!("{partner}/restaurant-groups");
    let group = make(&owner, &groups, json!({"name": "Balaton"})).await["id"].clone();
    // In the same group a copy takes from the same depots, in another one from those of that group.
    let body = json!({"name": "Másolat", "copy_from": place.restaurant});
    let copy = text(&make(&owner, &restaurants, body).await["id"]);
    let copied = get(&owner, &format!("{restaurants}/{copy}{PRODUCTS}")).await;
    assert_eq!(copied[0]["depot_id"], first);
    let body = json!({"name": "Tópart", "copy_from": place.restaurant, "restaurant_group_id": group,
        "primary_language": "en", "secondary_language": "hu"});
    let shore = format!("{restaurants}/{}", text(&make(&owner, &restaurants, body).await["id"]));
    let depots = get(&owner, &format!("{shore}/depots")).await;
    assert_eq!(names(&depots), ["Main store"]);
    assert_ne!(depots[0]["id"], first);
    let copied = get(&owner, &format!("{shore}{PRODUCTS}")).await;
    assert_eq!(
        (&copied[0]["depot_id"], &copied[0]["effective"]),
        (&Value::Null, &json!({"id": depots[0]["id"], "from": "group"}))
    );

    // A restaurant that moves takes from the depots of its new group.
    let moved = json!({"restaurant_group_id": group});
    owner.put("/group").json(moved).send().await.assert(204);
    assert_eq!(of(&admin, &beer).await, (Value::Null, depots[0]["id"].clone(), json!("group")));

    let stranger = kit.stranger().await.admin().await;
    let foreign = get(&stranger, "/depots").await[0]["id"].clone();
    let product = format!("/products/{}", text(&beer["id"]));
    for row in [&at, &product] {
        let path = format!("{row}/depot");
        for wrong in [&first, &foreign, &json!(NOBODY), &json!("depot"), &json!(1), &json!([first])] {
            admin.put(&path).json(json!({"depot_id": wrong})).send().await.assert_keys(&["depot_id"]);
        }
        admin.put(&path).json(json!({})).send().await.assert_keys(&["depot_id"]);
        let reader = place.with_keys(&["order", "catalog_edit", "depot"]).await;
        reader
            .put(&path)
            .json(json!({"depot_id": null}))
            .send()
            .await
            .assert_problem(403, "USER_PERMISSION_REQUIRED");
    }
    admin.delete(&path(&beer)).send().await.assert(204);
    let null = json!({"depot_id": null});
    admin
        .put(&format!("{product}/depot"))
        .json(null.clone())
        .send()
        .await
        .assert_problem(404, "PRODUCT_NOT_EXIST");
    let nowhere = format!("/product-categories/{NOBODY}/depot");
    admin.put(&nowhere).json(null).send().await.assert_problem(404, "PRODUCT_CATEGORY_NOT_EXIST");
}
