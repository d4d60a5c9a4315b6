//! Restaurant groups.

use serde_json::{Value, json};
use testkit::{Place, kit};
use uuid::Uuid;

fn at(place: &Place<'_>) -> String {
    format!("/api/v3/admin/partners/{}/restaurant-groups", place.partner)
}

#[testkit::test]
async fn only_admins_of_the_whole_company_create_rename_and_delete_groups() {
    let kit = kit().await;
    let place = kit.partner().await;
    let owner = place.partner_admin().await;
    let list = at(&place);
    let first = owner.get(&list).send().await.assert(200).json()[0].clone();
    assert_eq!((&first["restaurants"], &first["currency"]), (&json!(1), &json!("huf")));
    let made = owner
        .post(&list)
        .json(json!({"name": " Balaton ", "currency": "eur"}))
        .send()
        .await
        .assert(201)
        .json();
    assert_eq!(
        (&made["name"], &made["currency"], &made["restaurants"]),
        (&json!("Balaton"), &json!("eur"), &json!(0))
    );
    let one = format!("{list}/{}", made["id"].as_str().unwrap());
    let renamed = owner
        .put(&one)
        .json(json!({"name": "Tihany", "version": made["version"]}))
        .send()
        .await
        .assert(200)
        .json();
    let stale = owner
        .put(&one)
        .json(json!({"name": "Másik", "version": made["version"]}))
        .send()
        .await
        .assert_problem(409, "CONFLICT")
        .json();
    assert_eq!(stale["current"]["name"], renamed["name"]);
    assert_eq!(
        owner.get(&format!("{list}?name=tihany")).send().await.assert(200).json().as_array().unwrap().len(),
        1
    );

    for (body, keys) in [
        (json!({"name": ""}), &["name"][..]),
        (json!({"name": "  "}), &["name"]),
        (json!({"name": "x".repeat(201)}), &["name"]),
        (json!({"name": null}), &["name"]),
        (json!({"name": "Jó", "currency": "btc"}), &["currency"]),
        (json!({}), &["name"]),
    ] {
        owner.post(&list).json(body).send().await.assert_keys(keys);
    }

    // A group with restaurants keeps its currency and cannot be deleted.
    let full = format!("{list}/{}", first["id"].as_str().unwrap());
    owner.put(&full).json(json!({"currency": "eur"})).send().await.assert_problem(409, "IN_USE");
    owner.delete(&full).send().await.assert_problem(409, "IN_USE");
    owner.delete(&one).send().await.assert(204);
    owner.delete(&one).send().await.assert_problem(404, "RESTAURANT_GROUP_NOT_EXIST");

    // Admins of single restaurants may only read, even with all keys.
    for client in [place.admin().await, place.with_keys(&["restaurant_general"]).await] {
        client.get(&list).send().await.assert(200);
        client
            .post(&list)
            .json(json!({"name": "Enyém"}))
            .send()
            .await
            .assert_problem(403, "USER_PERMISSION_REQUIRED");
        client
            .put(&full)
            .json(json!({"name": "Enyém"}))
            .send()
            .await
            .assert_problem(403, "USER_PERMISSION_REQUIRED");
        client.delete(&full).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    }
    let lines = kit
        .row(
            &format!(
                "select count(*) n from {}.audit where action like 'restaurant\\_groups\\_%'",
                place.schema
            ),
            vec![],
        )
        .await;
    assert_eq!(lines.try_get::<i64>("", "n").unwrap(), 3);
}

#[testkit::test]
async fn a_restaurant_moves_within_its_company_only() {
    let kit = kit().await;
    let (place, other) = (kit.partner().await, kit.partner().await);
    let (owner, stranger) = (place.partner_admin().await, other.partner_admin().await);
    let made = owner.post(&at(&place)).json(json!({"name": "Másik csoport"})).send().await.assert(201).json();
    let foreign = stranger.get(&at(&other)).send().await.assert(200).json()[0]["id"].clone();
    for wrong in [foreign.clone(), json!(Uuid::now_v7())] {
        owner
            .put("/group")
            .json(json!({"restaurant_group_id": wrong}))
            .send()
            .await
            .assert_keys(&["restaurant_group_id"]);
    }
    owner
        .put("/group")
        .json(json!({"restaurant_group_id": "x"}))
        .send()
        .await
        .assert_keys(&["restaurant_group_id"]);
    place
        .admin()
        .await
        .put("/group")
        .json(json!({"restaurant_group_id": made["id"]}))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    owner.put("/group").json(json!({"restaurant_group_id": made["id"]})).send().await.assert(204);
    owner.put("/group").json(json!({"restaurant_group_id": made["id"]})).send().await.assert(204);
    let here: Value = owner.get("").send().await.assert(200).json();
    assert_eq!(here["restaurant_group_id"], made["id"]);
    let directory =
        kit.row("select group_id from control.restaurant where id = $1", vec![place.restaurant.into()]).await;
    assert_eq!(directory.try_get::<Uuid>("", "group_id").unwrap().to_string(), made["id"].as_str().unwrap());

    // Ids of another company, in every place where one can stand.
    let foreign = foreign.as_str().unwrap();
    for id in [foreign, &Uuid::now_v7().to_string()] {
        owner
            .put(&format!("{}/{id}", at(&place)))
            .json(json!({"name": "x"}))
            .send()
            .await
            .assert_problem(404, "RESTAURANT_GROUP_NOT_EXIST");
        owner
            .delete(&format!("{}/{id}", at(&place)))
            .send()
            .await
            .assert_problem(404, "RESTAURANT_GROUP_NOT_EXIST");
    }
    owner.get(&at(&other)).send().await.assert_problem(404, "PARTNER_NOT_EXIST");
    owner.post(&at(&other)).json(json!({"name": "x"})).send().await.assert_problem(404, "PARTNER_NOT_EXIST");
    assert_eq!(stranger.get(&at(&other)).send().await.assert(200).json().as_array().unwrap().len(), 1);
}

#[testkit::test]
async fn concurrent_deletions_of_the_last_two_groups_keep_one() {
    let kit = kit().await;
    let place = kit.partner().await;
    let owner = place.partner_admin().await;
    let (one, two) = (place.partner_admin().await, place.partner_admin().await);
    kit.run(&format!("update {}.restaurant set archived_at = now()", place.schema), vec![]).await;
    owner.post(&at(&place)).json(json!({"name": "Második"})).send().await.assert(201);
    let groups = owner.get(&at(&place)).send().await.assert(200).json();
    let path = |number: usize| format!("{}/{}", at(&place), groups[number]["id"].as_str().unwrap());
    let (a, b) = (path(0), path(1));
    let (first, second) = tokio::join!(one.delete(&a).send(), two.delete(&b).send());
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 409]);
}

#[testkit::test]
async fn the_restaurants_of_a_group_have_its_currency() {
    let kit = kit().await;
    let place = kit.partner().await;
    let sibling = kit.restaurant_of(place.partner).await;
    let (owner, admin) = (place.partner_admin().await, place.admin().await);
    let group = async |name: &str, currency: &str| {
        let body = json!({"name": name, "currency": currency});
        owner.post(&at(&place)).json(body).send().await.assert(201).json()["id"].clone()
    };
    let currency = async |id: &Value| {
        let rows = owner.get(&at(&place)).send().await.assert(200).json();
        rows.as_array().unwrap().iter().find(|row| row["id"] == *id).unwrap()["currency"].clone()
    };
    let (forints, euros) = (group("Forint", "huf").await, group("Euró", "eur").await);
    let here = owner.get("").send().await.assert(200).json()["restaurant_group_id"].clone();
    for path in ["/general", "/system"] {
        owner.put(path).json(json!({"currency": "eur"})).send().await.assert_keys(&["currency"]);
        owner.put(path).json(json!({"currency": "huf"})).send().await.assert(200);
    }
    for (path, body, keys) in [
        ("/group", json!({"restaurant_group_id": euros}), ["restaurant_group_id"]),
        ("/system", json!({"restaurant_group_id": euros}), ["restaurant_group_id"]),
        ("/system", json!({"restaurant_group_id": forints, "currency": "eur"}), ["currency"]),
        ("/system", json!({"restaurant_group_id": Uuid::now_v7()}), ["restaurant_group_id"]),
    ] {
        owner.put(path).json(body).send().await.assert_keys(&keys);
    }
    // Another group is for admins of the whole company.
    admin
        .put("/system")
        .json(json!({"restaurant_group_id": forints}))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    admin
        .put("/system")
        .json(json!({"restaurant_group_id": here, "currency": "huf"}))
        .send()
        .await
        .assert(200);

    // Both at once.
    let both = json!({"restaurant_group_id": euros, "currency": "eur"});
    let now = owner.put("/system").json(both).send().await.assert(200).json();
    assert_eq!((&now["restaurant_group_id"], &now["currency"]), (&euros, &json!("eur")));
    let sql = "select group_id::text g, currency c from control.restaurant where id = $1";
    let line = kit.row(sql, vec![place.restaurant.into()]).await;
    let line = (line.try_get::<String>("", "g").unwrap(), line.try_get::<String>("", "c").unwrap());
    assert_eq!(line, (euros.as_str().unwrap().to_owned(), "eur".to_owned()));
    // Alone in its group it takes the group along, and the minimum price must exist in the new currency.
    owner.put("/general").json(json!({"min_order_price": "12.50"})).send().await.assert(200);
    owner.put("/system").json(json!({"currency": "huf"})).send().await.assert_keys(&["currency"]);
    owner.put("/general").json(json!({"min_order_price": 12})).send().await.assert(200);
    owner.put("/system").json(json!({"currency": "gbp"})).send().await.assert(200);
    assert_eq!(currency(&euros).await, "gbp");
    // One that could be brought back is company.
    owner.put("/general").json(json!({"currency": "huf"})).send().await.assert(200);
    sibling
        .partner_admin()
        .await
        .put("/group")
        .json(json!({"restaurant_group_id": euros}))
        .send()
        .await
        .assert(204);
    let name = sibling.admin().await.get("").send().await.assert(200).json()["name"].clone();
    let gone = sibling.partner_admin().await;
    gone.delete("").json(json!({"confirm": name})).send().await.assert(204);
    owner.put("/general").json(json!({"currency": "eur"})).send().await.assert_keys(&["currency"]);

    // A restaurant from before the rule stays as it is and can be put right.
    let old = format!("update {}.restaurant set currency = 'dkk' where id = $1", place.schema);
    kit.run(&old, vec![place.restaurant.into()]).await;
    owner.put("/general").json(json!({"currency": "dkk", "name": "Régi"})).send().await.assert(200);
    owner.put("/system").json(json!({"currency": "huf"})).send().await.assert(200);
}

#[testkit::test]
async fn the_currency_is_fixed_once_there_are_products_or_orders() {
    let kit = kit().await;
    for what in ["product", "order"] {
        let place = kit.restaurant().await;
        place.own_group().await;
        let owner = place.partner_admin().await;
        let category = owner
            .post("/product-categories")
            .json(json!({"name": "Levesek"}))
            .send()
            .await
            .assert(201)
            .json();
        owner.put("/general").json(json!({"currency": "eur"})).send().await.assert(200);
        let products = format!("/product-categories/{}/products", category["id"].as_str().unwrap());
        let soup = json!({"name": "Gulyás", "subproducts": [{"name": "Adag", "price": 18}]});
        let soup = owner.post(&products).json(soup).send().await.assert(201).json();
        if what == "order" {
            let order = json!({"platform": "phone", "pickup": true, "last_name": "Vendég",
                "phone_1": "+36 1 555 0100",
                "items": [{"subproduct_id": soup["subproducts"][0]["id"], "quantity": 1}]});
            owner.post("/public/orders").json(order).send().await.assert(201);
            owner.delete(&format!("{products}/{}", soup["id"].as_str().unwrap())).send().await.assert(204);
        }
        for path in ["/general", "/system"] {
            owner
                .put(path)
                .json(json!({"currency": "huf"}))
                .send()
                .await
                .assert_problem(409, "CURRENCY_FIXED");
            owner.put(path).json(json!({"currency": "eur"})).send().await.assert(200);
        }
        if what == "product" {
            owner.delete(&format!("{products}/{}", soup["id"].as_str().unwrap())).send().await.assert(204);
            owner.put("/system").json(json!({"currency": "huf"})).send().await.assert(200);
        }
    }
}
