//! What rows of the menu are called in other systems.

use std::collections::HashSet;

use futures_util::future::join_all;
use serde_json::{Value, json};
use testkit::{Client, kit};

use super::{audited, category, make, path, product, text};

const SIZE: [&str; 5] = ["wolt_id", "foodora_id", "bolt_id", "ordering_id", "hiopos_id"];
const OPTION: [&str; 6] =
    ["wolt_id", "foodora_id", "bolt_id", "ordering_id", "hiopos_size_id", "hiopos_product_id"];

async fn get(admin: &Client<'_>, path: &str) -> Value {
    admin.get(path).send().await.assert(200).json()
}

/// A group without options; its path.
async fn group(admin: &Client<'_>, name: &str) -> String {
    let group = make(admin, "/option-groups", json!({"name": name, "type": "inclusive"})).await;
    format!("/option-groups/{}", text(&group["id"]))
}

/// Changes the only size of a product.
async fn resize(admin: &Client<'_>, product: &Value, fields: Value) -> testkit::Answer {
    let mut row = json!({"id": product["subproducts"][0]["id"]});
    row.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    admin.put(&path(product)).json(json!({"subproducts": [row]})).send().await
}

#[testkit::test]
async fn each_row_has_its_ids_and_a_save_changes_only_what_it_sends() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Pizzák", None).await;
    let ids = |fields: &[&str]| -> Value {
        fields.iter().map(|field| ((*field).to_owned(), json!(format!("  {field}-1 ")))).collect()
    };
    let with = |mut body: Value, fields: &[&str]| {
        body.as_object_mut().unwrap().extend(ids(fields).as_object().unwrap().clone());
        body
    };
    let size = with(json!({"price": 1990}), &SIZE);
    let body = json!({"name": "Sonkás", "hiopos_id": "P1", "subproducts": [size]});
    let pizza = make(&admin, &format!("/product-categories/{home}/products"), body).await;
    assert_eq!(pizza["hiopos_id"], "P1");
    for field in SIZE {
        assert_eq!(pizza["subproducts"][0][field], format!("{field}-1"), "without outer blanks");
    }
    assert_eq!(audited(&place).await.1["subproducts"][0]["wolt_id"], "wolt_id-1");
    let topping = group(&admin, "Feltét").await;
    let named = admin.put(&topping).json(json!({"hiopos_id": "G1"})).send().await.assert(200).json();
    assert_eq!(named["hiopos_id"], "G1");
    let options = format!("{topping}/options");
    let cheese = make(&admin, &options, with(json!({"name": "Sajt"}), &OPTION)).await;
    for field in OPTION {
        assert_eq!(cheese[field], format!("{field}-1"));
    }

    // Absent stays; null and blanks clear; the log has what was before.
    let one = resize(&admin, &pizza, json!({"wolt_id": null, "bolt_id": " ", "price": 2090})).await;
    let one = one.assert(200).json()["subproducts"][0].clone();
    assert_eq!((&one["wolt_id"], &one["bolt_id"]), (&Value::Null, &Value::Null));
    assert_eq!(one["foodora_id"], "foodora_id-1");
    let renamed = admin.put(&path(&pizza)).json(json!({"name": "Sonkás pizza"})).send().await.assert(200);
    assert_eq!(renamed.json()["hiopos_id"], "P1");
    let at = format!("{options}/{}", text(&cheese["id"]));
    let body = json!({"hiopos_size_id": "x", "version": 1});
    let changed = admin.put(&at).json(body).send().await.assert(200).json();
    assert_eq!((&changed["hiopos_size_id"], &changed["version"]), (&json!("x"), &json!(2)));
    assert_eq!(audited(&place).await.1, json!({"hiopos_size_id": ["hiopos_size_id-1", "x"]}));
    admin.put(&at).json(json!({"wolt_id": "y", "version": 1})).send().await.assert_problem(409, "CONFLICT");
    let listed = get(&admin, "/option-groups?all_options=true").await;
    assert_eq!((&listed[0]["hiopos_id"], &listed[0]["options"][0]), (&json!("G1"), &changed));
    let other = group(&admin, "Másik").await;
    let body = json!({"option_group_id": other.rsplit('/').next().unwrap()});
    let moved = admin.put(&format!("{at}/move")).json(body).send().await.assert(200).json();
    assert_eq!(moved["hiopos_size_id"], "x");

    // Ids are a matter of who edits.
    let switcher = place.with_keys(&["order", "catalog_activate"]).await;
    for (path, body) in [(path(&pizza), json!({"hiopos_id": "P2"})), (other, json!({"hiopos_id": "G2"}))] {
        switcher.put(&path).json(body).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    }
}

#[testkit::test]
async fn an_id_that_another_row_has_is_named() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Pizzák", None).await;
    let products = format!("/product-categories/{home}/products");
    let [ham, mushroom] =
        [product(&admin, &home, "Sonkás", 1990).await, product(&admin, &home, "Gombás", 1990).await];
    admin.put(&path(&ham)).json(json!({"hiopos_id": "1"})).send().await.assert(200);
    resize(&admin, &ham, json!({"wolt_id": "1", "hiopos_id": "1"})).await.assert(200);
    admin.put(&path(&mushroom)).json(json!({"hiopos_id": "1"})).send().await.assert_keys(&["hiopos_id"]);
    resize(&admin, &mushroom, json!({"wolt_id": "1"})).await.assert_keys(&["subproducts.0.wolt_id"]);
    // Another system, and another kind of row, are no matter.
    resize(&admin, &mushroom, json!({"bolt_id": "1"})).await.assert(200);
    let topping = group(&admin, "Feltét").await;
    admin.put(&topping).json(json!({"hiopos_id": "1"})).send().await.assert(200);
    let body = json!({"name": "Másik", "type": "inclusive", "hiopos_id": "1"});
    admin.post("/option-groups").json(body).send().await.assert_keys(&["hiopos_id"]);
    let options = format!("{topping}/options");
    let cheese =
        make(&admin, &options, json!({"name": "Sajt", "wolt_id": "1", "hiopos_product_id": "7"})).await;
    // Several options are one product of that till.
    make(&admin, &options, json!({"name": "Dupla sajt", "hiopos_product_id": "7"})).await;
    let egg = make(&admin, &options, json!({"name": "Tojás"})).await;
    let egg = format!("{options}/{}", text(&egg["id"]));
    admin.put(&egg).json(json!({"wolt_id": "1 "})).send().await.assert_keys(&["wolt_id"]);
    assert_eq!(get(&admin, &egg).await["wolt_id"], Value::Null);
    // Twice in one body; exchanged in one body.
    let body = json!({"name": "Új", "subproducts": [
        {"name": "a", "price": 1, "wolt_id": "8"}, {"name": "b", "price": 1, "wolt_id": "8", "bolt_id": "1"}]});
    admin
        .post(&products)
        .json(body)
        .send()
        .await
        .assert_keys(&["subproducts.1.wolt_id", "subproducts.1.bolt_id"]);
    let body = json!({"name": "Új", "subproducts": [
        {"name": "a", "price": 1, "wolt_id": "8"}, {"name": "b", "price": 1, "wolt_id": "9"}]});
    let both = make(&admin, &products, body).await;
    let [a, b] = [0, 1].map(|at| both["subproducts"][at]["id"].clone());
    let body = json!({"subproducts": [{"id": a, "wolt_id": "9"}, {"id": b, "wolt_id": "8"}]});
    let swapped = admin.put(&path(&both)).json(body).send().await.assert(200).json();
    assert_eq!(swapped["subproducts"][0]["wolt_id"], "9");
    let body = json!({"subproducts": [{"id": a, "wolt_id": "8"}, {"id": b}]});
    admin.put(&path(&both)).json(body).send().await.assert_keys(&["subproducts.1.wolt_id"]);
    // The one that leaves in the same save leaves its id to the other.
    let body = json!({"subproducts": [{"id": a, "wolt_id": "8"}]});
    admin.put(&path(&both)).json(body).send().await.assert(200);

    // What is archived leaves its ids to others.
    admin.delete(&path(&ham)).send().await.assert(204);
    admin.put(&path(&mushroom)).json(json!({"hiopos_id": "1"})).send().await.assert(200);
    resize(&admin, &mushroom, json!({"wolt_id": "1"})).await.assert(200);
    admin.delete(&format!("{options}/{}", text(&cheese["id"]))).send().await.assert(204);
    admin.put(&egg).json(json!({"wolt_id": "1"})).send().await.assert(200);
    admin.delete(&topping).send().await.assert(204);
    let again = group(&admin, "Feltét").await;
    let body = json!({"hiopos_id": "1"});
    admin.put(&again).json(body).send().await.assert(200);
    make(&admin, &format!("{again}/options"), json!({"name": "Tojás", "wolt_id": "1"})).await;

    // Another restaurant has ids of its own.
    let sisters = kit.restaurant_of(place.partner).await.admin().await;
    let theirs = product(&sisters, &category(&sisters, "Pizzák", None).await, "Sonkás", 1990).await;
    sisters.put(&path(&theirs)).json(json!({"hiopos_id": "1"})).send().await.assert(200);
}

#[testkit::test]
async fn of_many_at_once_one_gets_the_id() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Pizzák", None).await;
    let topping = group(&admin, "Feltét").await;
    let options = format!("{topping}/options");
    let calls = (0..6).flat_map(|at| {
        let (admin, home, options) = (&admin, &home, &options);
        let at = at.to_string();
        let call = |path: String, body: Value| admin.post(&path).json(body).send();
        [
            call(
                format!("/product-categories/{home}/products"),
                json!({"name": at, "subproducts": [{"price": 1, "wolt_id": "one"}]}),
            ),
            call(options.clone(), json!({"name": at, "wolt_id": "one"})),
            call("/option-groups".to_owned(), json!({"name": at, "type": "inclusive", "hiopos_id": "one"})),
        ]
    });
    let answers = join_all(calls).await;
    for (at, key) in [(0, "subproducts.0.wolt_id"), (1, "wolt_id"), (2, "hiopos_id")] {
        let of_kind = answers.iter().skip(at).step_by(3);
        let refused: Vec<_> = of_kind.filter(|answer| answer.status != 201).collect();
        assert_eq!(refused.len(), 5);
        for answer in refused {
            assert_eq!((answer.status, &answer.json()["keys"]), (422, &json!([key])), "{}", answer.text());
        }
    }
}

#[testkit::test]
async fn what_is_no_id_is_named() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Pizzák", None).await;
    let pizza = product(&admin, &home, "Sonkás", 1990).await;
    let topping = group(&admin, "Feltét").await;
    let options = format!("{topping}/options");
    let wrong = [
        json!("x".repeat(101)),
        json!("🍕"),
        json!("a\u{200b}b"),
        json!("a\u{202e}b"),
        json!("ő"),
        json!("a\nb"),
        json!("a\0b"),
        json!(12),
        json!(true),
        json!(["a"]),
        json!({"id": "a"}),
    ];
    for wrong in wrong {
        admin.put(&path(&pizza)).json(json!({"hiopos_id": wrong})).send().await.assert_keys(&["hiopos_id"]);
        resize(&admin, &pizza, json!({"ordering_id": wrong}))
            .await
            .assert_keys(&["subproducts.0.ordering_id"]);
        admin.put(&topping).json(json!({"hiopos_id": wrong})).send().await.assert_keys(&["hiopos_id"]);
        let body = json!({"name": "Sajt", "hiopos_product_id": wrong});
        admin.post(&options).json(body).send().await.assert_keys(&["hiopos_product_id"]);
    }
    let longest = "~".repeat(100);
    let body = json!({"hiopos_id": longest});
    assert_eq!(admin.put(&path(&pizza)).json(body).send().await.assert(200).json()["hiopos_id"], longest);
    assert_eq!(place.count("external_id").await, 1);
}

#[testkit::test]
async fn copies_have_no_ids() {
    let place = kit().await.partner().await;
    let admin = place.admin().await;
    let home = category(&admin, "Pizzák", None).await;
    let pizza = product(&admin, &home, "Sonkás", 1990).await;
    admin.put(&path(&pizza)).json(json!({"hiopos_id": "1"})).send().await.assert(200);
    resize(&admin, &pizza, json!({"wolt_id": "1"})).await.assert(200);
    let topping = group(&admin, "Feltét").await;
    admin.put(&topping).json(json!({"hiopos_id": "1"})).send().await.assert(200);
    make(&admin, &format!("{topping}/options"), json!({"name": "Sajt", "hiopos_product_id": "1"})).await;
    let copy = admin.post(&format!("{}/copy", path(&pizza))).send().await.assert(201).json();
    assert_eq!((&copy["hiopos_id"], &copy["subproducts"][0]["wolt_id"]), (&Value::Null, &Value::Null));
    let copy = admin.post(&format!("{topping}/copy")).send().await.assert(201).json();
    assert_eq!((&copy["hiopos_id"], &copy["options"][0]["hiopos_product_id"]), (&Value::Null, &Value::Null));
    assert_eq!(place.count("external_id").await, 4);

    let restaurants = format!("/api/v3/admin/partners/{}/restaurants", place.partner);
    let owner = place.partner_admin().await;
    let body = json!({"name": "Másolat", "copy_from": place.restaurant});
    let made = owner.post(&restaurants).json(body).send().await.assert(201).json();
    let own = format!("{restaurants}/{}", text(&made["id"]));
    let menu = get(&owner, &format!("{own}/product-categories?all_products=true")).await;
    let pizza = &menu[0]["products"][0];
    assert_eq!(
        (&pizza["name"], &pizza["hiopos_id"], &pizza["subproducts"][0]["wolt_id"]),
        (&json!("Sonkás"), &Value::Null, &Value::Null)
    );
    assert_eq!(get(&owner, &format!("{own}/option-groups")).await[0]["hiopos_id"], Value::Null);
}

#[testkit::test]
async fn ten_thousand_options_have_ids() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let topping = group(&admin, "Feltét").await;
    let options = format!("{topping}/options");
    let first = make(&admin, &options, json!({"name": "Sajt", "wolt_id": "0"})).await;
    let fill = format!(
        "insert into {schema}.option (id, restaurant_id, origin_id, option_group_id, name, ranking) \
         select n.id, o.restaurant_id, n.id, o.option_group_id, 'Opció ' || n.n, n.n from {schema}.option o, \
         (select gen_random_uuid() id, n from generate_series(1, 9999) n) n where o.id = '{id}'",
        schema = place.schema,
        id = text(&first["id"]),
    );
    place.kit.run(&fill, vec![]).await;
    let ids = format!(
        "insert into {schema}.external_id (restaurant_id, entity_kind, entity_id, platform, value) \
         select restaurant_id, 'option', id, 'wolt', ranking::text from {schema}.option \
         where restaurant_id = $1 and ranking > 0",
        schema = place.schema,
    );
    place.kit.run(&ids, vec![place.restaurant.into()]).await;
    let mut all = Vec::new();
    for page in 0..5 {
        let part = get(&admin, &format!("{options}?limit=2000&page={page}")).await;
        all.extend(part.as_array().unwrap().clone());
    }
    assert_eq!((all.len(), &all[9999]["wolt_id"]), (10_000, &json!("9999")));
    admin
        .put(&format!("{options}/{}", text(&all[9999]["id"])))
        .json(json!({"wolt_id": "5000"}))
        .send()
        .await
        .assert_keys(&["wolt_id"]);
    let order: Vec<&Value> = all.iter().rev().map(|option| &option["id"]).collect();
    // More than a list shows at once are not sorted.
    let ranking = format!("{options}/ranking");
    admin.put(&ranking).json(json!({"option_ids": order})).send().await.assert_keys(&["option_ids"]);
    let copy = admin.post(&format!("{topping}/copy")).send().await.assert(201).json();
    assert_eq!(copy["options"].as_array().unwrap().len(), 10_000);
    assert_eq!(copy["options"][9999]["name"], "Opció 9999");
}

#[testkit::test]
async fn a_drawn_id_is_free() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let home = category(&admin, "Pizzák", None).await;
    let pizza = product(&admin, &home, "Sonkás", 1990).await;
    let draw = async |query: &str| get(&admin, &format!("/generate-remote-id?{query}")).await;
    let mut seen = HashSet::new();
    for platform in ["wolt", "foodora", "bolt", "ordering", "hiopos", "hiopos_size", "hiopos_product"] {
        let skip: String = seen.iter().map(|id| format!("&skip_ids[]={id}")).collect();
        let id = text(&draw(&format!("platform_id={platform}{skip}")).await["remote_id"]);
        assert!(id.len() == 9 && id.bytes().all(|c| c.is_ascii_digit()), "{id}");
        assert!(seen.insert(id));
    }
    let id = text(&draw("platform_id=wolt").await["remote_id"]);
    resize(&admin, &pizza, json!({"wolt_id": id})).await.assert(200);
    for (query, key) in [
        ("", "platform_id"),
        ("platform_id=", "platform_id"),
        ("platform_id=uber", "platform_id"),
        ("platform_id=wolt_id", "platform_id"),
    ] {
        admin.get(&format!("/generate-remote-id?{query}")).send().await.assert_keys(&[key]);
    }
    let many = "&skip_ids[]=1".repeat(101);
    admin
        .get(&format!("/generate-remote-id?platform_id=wolt{many}"))
        .send()
        .await
        .assert_keys(&["skip_ids[]"]);
    let reader = place.with_keys(&["order", "catalog_activate"]).await;
    let call = "/generate-remote-id?platform_id=wolt";
    reader.get(call).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    let stranger = kit().await.stranger().await.admin().await;
    stranger.get(call).send().await.assert(200);
}
