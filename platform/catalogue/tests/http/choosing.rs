//! Short lists for choosing, and what uses an option group.

use serde_json::{Value, json};
use testkit::{Client, kit};

use super::{NOBODY, category, make, names, product, text};

async fn get(client: &Client<'_>, path: &str) -> Value {
    client.get(path).send().await.assert(200).json()
}

#[testkit::test]
async fn pickers_find_by_category_and_by_ids() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let admin = place.admin().await;
    let drinks = category(&admin, "Italok", None).await;
    let beers = category(&admin, "Sörök", Some(&drinks)).await;
    let soups = category(&admin, "Levesek", None).await;
    let beer = product(&admin, &beers, "Csapolt", 900).await;
    let soup = product(&admin, &soups, "Gulyás", 1800).await;
    let goulash = product(&admin, &soups, "Babgulyás", 1900).await;
    let [beer_id, soup_id, goulash_id] = [&beer, &soup, &goulash].map(|row| text(&row["id"]));
    let size = |row: &Value| text(&row["subproducts"][0]["id"]);
    let stranger = kit.stranger().await.admin().await;
    let foreign = product(&stranger, &category(&stranger, "Sörök", None).await, "Idegen", 1).await;
    let foreign_id = text(&foreign["id"]);

    let picks = |query: String| {
        let admin = &admin;
        async move { get(admin, &format!("/product-categories/all/products{query}")).await }
    };
    assert_eq!(names(&picks(String::new()).await), ["Csapolt", "Gulyás", "Babgulyás"]);
    for (query, found) in [
        (format!("?product_category_id={drinks}"), &["Csapolt"][..]),
        (format!("?product_category_id={beers}"), &["Csapolt"]),
        (format!("?product_category_id={soups}&name=bab"), &["Babgulyás"]),
        (format!("?product_category_id={NOBODY}"), &[]),
        (format!("?id={soup_id}"), &["Gulyás"]),
        (format!("?ids[]={goulash_id}&ids[]={beer_id}&ids[]={NOBODY}"), &["Csapolt", "Babgulyás"]),
        (format!("?id={soup_id}&ids[]={beer_id}"), &["Csapolt", "Gulyás"]),
        (format!("?ids[]={foreign_id}"), &[]),
        (format!("?ids[]={soup_id}&product_category_id={beers}"), &[]),
        (format!("/all/subproducts?product_category_id={drinks}"), &["Csapolt"]),
        (format!("/all/subproducts?id={}", size(&soup)), &["Gulyás"]),
        (format!("/all/subproducts?ids[]={}&ids[]={}", size(&goulash), size(&foreign)), &["Babgulyás"]),
        (format!("/all/subproducts?ids[]={soup_id}"), &[]),
    ] {
        assert_eq!(names(&picks(query.clone()).await), found, "{query}");
    }
    let topping = make(&admin, "/option-groups", json!({"name": "Feltét", "type": "inclusive"})).await;
    let dough = make(&admin, "/option-groups", json!({"name": "Tészta", "type": "exclusive"})).await;
    let option = |group: &Value, name: &'static str| {
        let (admin, path) = (&admin, format!("/option-groups/{}/options", text(&group["id"])));
        async move { make(admin, &path, json!({"name": name})).await }
    };
    let (cheese, _, thin) =
        (option(&topping, "Sajt").await, option(&topping, "Tojás").await, option(&dough, "Vékony").await);
    let (cheese, thin) = (text(&cheese["id"]), text(&thin["id"]));
    for (query, found) in [
        (format!("?option_group_id={}", text(&dough["id"])), &["Vékony"][..]),
        (format!("?id={cheese}"), &["Sajt"]),
        (format!("?ids[]={thin}&ids[]={cheese}"), &["Sajt", "Vékony"]),
        (format!("?ids[]={NOBODY}"), &[]),
    ] {
        assert_eq!(
            names(&get(&admin, &format!("/option-groups/all/options{query}")).await),
            found,
            "{query}"
        );
    }
    for path in ["/product-categories/all/products", "/option-groups/all/options"] {
        for (query, key) in [("id=x", "id"), ("ids[]=x", "ids[]")] {
            admin.get(&format!("{path}?{query}")).send().await.assert_keys(&[key]);
        }
    }
}

#[testkit::test]
async fn a_group_tells_what_uses_it() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let food = category(&admin, "Ételek", None).await;
    let pizzas = category(&admin, "Pizzák", Some(&food)).await;
    let soups = category(&admin, "Levesek", None).await;
    let group = make(&admin, "/option-groups", json!({"name": "Feltét", "type": "inclusive"})).await;
    assert_eq!((&group["subproducts"], &group["product_categories"]), (&json!([]), &json!([])));
    let at = format!("/option-groups/{}", text(&group["id"]));
    let soup = product(&admin, &soups, "Gulyás", 1800).await;
    let body = json!({"name": "Sonkás", "subproducts": [
        {"name": "30 cm", "price": 1990, "option_group_ids": [group["id"]]}, {"name": "45 cm", "price": 2990}]});
    let pizza = make(&admin, &format!("/product-categories/{pizzas}/products"), body).await;
    let body = json!({"add": [soup["subproducts"][0]["id"], pizza["subproducts"][1]["id"]]});
    let given = admin.put(&format!("{at}/sizes")).json(body).send().await.assert(200).json();
    let one = get(&admin, &at).await;
    assert_eq!(one, given);
    let used: Vec<_> = one["subproducts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|size| (size["product_name"].as_str().unwrap(), size["name"].as_str().unwrap()))
        .collect();
    assert_eq!(used, [("Sonkás", "30 cm"), ("Sonkás", "45 cm"), ("Gulyás", "Gulyás")]);
    assert_eq!(one["subproducts"][0]["product_category_id"], json!(pizzas));
    assert_eq!(
        one["product_categories"],
        json!([
            {"id": pizzas, "name": "Pizzák", "parent_name": "Ételek", "subproduct_count": 2},
            {"id": soups, "name": "Levesek", "parent_name": null, "subproduct_count": 1},
        ])
    );
    assert!(get(&admin, "/option-groups?all_options=true").await[0].get("subproducts").is_none());
    // Who only switches may send the whole group back.
    let switcher = place.with_keys(&["order", "catalog_activate"]).await;
    let body = json!({"name": "Feltét", "active": false, "hiopos_id": null});
    let off = switcher.put(&at).json(body).send().await.assert(200).json();
    assert_eq!((&off["active"], &off["product_categories"]), (&json!(false), &one["product_categories"]));
}
