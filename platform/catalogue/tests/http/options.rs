//! Option groups and options.

use serde_json::{Value, json};
use testkit::kit;

use super::{GLUTEN, NOBODY, audited, category, make, names, text, version};

const ALL: &str = "/option-groups";

#[testkit::test]
async fn types_fix_their_limits() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let limits =
        |row: &Value| (row["min_no_options"].as_i64().unwrap(), row["max_no_options"].as_i64().unwrap());
    let cases = [
        (json!({"type": "exclusive", "min_no_options": 0, "max_no_options": 5}), (1, 1)),
        (json!({"type": "inclusive", "min_no_options": 1}), (0, 0)),
        (json!({"type": "min_max"}), (1, 3)),
        (json!({"type": "min_max", "min_no_options": 2, "max_no_options": 0}), (2, 0)),
    ];
    for (mut body, expected) in cases {
        body["name"] = json!("Feltét");
        assert_eq!(limits(&make(&admin, ALL, body).await), expected);
    }
    let wrong = json!({"name": "Rossz", "type": "min_max", "min_no_options": 3, "max_no_options": 2});
    admin.post(ALL).json(wrong).send().await.assert_keys(&["max_no_options"]);
    admin
        .post(ALL)
        .json(json!({"name": "", "type": "other", "min_no_options": -1}))
        .send()
        .await
        .assert_keys(&["name", "type", "min_no_options"]);

    let group =
        make(&admin, ALL, json!({"name": "Köret", "type": "exclusive", "visible_kiosk_sit_in": false})).await;
    let own = format!("{ALL}/{}", text(&group["id"]));
    let change = |body: Value| async { admin.put(&own).json(body).send().await.assert(200).json() };
    let changed = change(json!({"type": "min_max", "version": 1})).await;
    assert_eq!(
        (limits(&changed), &changed["visible_kiosk_sit_in"]),
        ((1, 3), &json!(false)),
        "the limits of another type say nothing"
    );
    assert_eq!(limits(&change(json!({"max_no_options": 0, "min_no_options": 2})).await), (2, 0));
    assert_eq!(limits(&change(json!({"type": "inclusive"})).await), (0, 0));
    admin.put(&own).json(json!({"name": "Régi", "version": 1})).send().await.assert_problem(409, "CONFLICT");
    admin
        .put(&own)
        .json(json!({"type": "min_max", "min_no_options": 9, "max_no_options": 8}))
        .send()
        .await
        .assert_keys(&["max_no_options"]);
}

#[testkit::test]
async fn options_live_move_and_are_ranked() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let side = text(&make(&admin, ALL, json!({"name": "Köret", "type": "exclusive"})).await["id"]);
    let extra = text(&make(&admin, ALL, json!({"name": "Feltét", "type": "inclusive"})).await["id"]);
    let options = format!("{ALL}/{side}/options");
    let before = version(&place).await;
    let rice =
        make(&admin, &options, json!({"name": "Rizs", "name_sec_lang": "Rice", "allergenic_ids": [GLUTEN]}))
            .await;
    assert_eq!(
        (&rice["price"], &rice["active"], &rice["ranking"], &rice["version"]),
        (&json!(0), &json!(true), &json!(0), &json!(1))
    );
    let chips = make(&admin, &options, json!({"name": "Hasáb", "price": 300})).await;
    assert_eq!(version(&place).await, before + 2);
    let own = format!("{options}/{}", text(&chips["id"]));
    let changed = admin
        .put(&own)
        .json(json!({"price": null, "visible_online": false, "version": 1}))
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!(
        (&changed["price"], &changed["visible_online"], &changed["version"]),
        (&json!(0), &json!(false), &json!(2))
    );
    admin
        .put(&own)
        .json(json!({"price": 1.5, "allergenic_ids": [NOBODY]}))
        .send()
        .await
        .assert_keys(&["price", "allergenic_ids.0"]);
    admin.post(&options).json(json!({"name": " ", "price": -1})).send().await.assert_keys(&["name", "price"]);

    admin
        .put(&format!("{options}/ranking"))
        .json(json!({"option_ids": [chips["id"], rice["id"]]}))
        .send()
        .await
        .assert(204);
    assert_eq!(names(&admin.get(&options).send().await.json()), ["Hasáb", "Rizs"]);
    admin
        .put(&format!("{options}/ranking"))
        .json(json!({"option_ids": [rice["id"]]}))
        .send()
        .await
        .assert_keys(&["option_ids"]);
    assert_eq!(names(&admin.get(&options).send().await.json()), ["Hasáb", "Rizs"]);
    let groups = admin.get(&format!("{ALL}?all_options=true&name=koret")).send().await.json();
    assert_eq!(names(&groups[0]["options"]), ["Hasáb", "Rizs"]);
    assert!(admin.get(ALL).send().await.json()[0].get("options").is_none());

    let moved = admin
        .put(&format!("{own}/move"))
        .json(json!({"option_group_id": extra}))
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!((&moved["option_group_id"], &moved["ranking"]), (&json!(extra), &json!(0)));
    admin.get(&own).send().await.assert_problem(404, "OPTION_NOT_EXIST");
    let own = format!("{ALL}/{extra}/options/{}", text(&chips["id"]));
    admin
        .put(&format!("{own}/move"))
        .json(json!({"option_group_id": NOBODY}))
        .send()
        .await
        .assert_keys(&["option_group_id"]);
    admin
        .put(&format!("{options}/ranking"))
        .json(json!({"option_ids": [chips["id"]]}))
        .send()
        .await
        .assert_keys(&["option_ids.0"]);
    let found = admin.get(&format!("{ALL}/all/options?name=hasab")).send().await.assert(200).json();
    assert_eq!((names(&found), &found[0]["option_group_name"]), (vec!["Hasáb"], &json!("Feltét")));
    admin.delete(&own).send().await.assert(204);
    admin.delete(&own).send().await.assert_problem(404, "OPTION_NOT_EXIST");
    admin.get(&format!("{ALL}/{NOBODY}/options")).send().await.assert_problem(404, "OPTION_GROUP_NOT_EXIST");
}

#[testkit::test]
async fn a_group_is_copied_whole() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let body = json!({"name": "Köret", "name_sec_lang": "Side dish", "type": "min_max", "min_no_options": 0,
        "max_no_options": 2, "visible_phone": false});
    let group = make(&admin, ALL, body).await;
    let own = format!("{ALL}/{}", text(&group["id"]));
    for (name, price) in [("Rizs", 0), ("Hasáb", 300)] {
        make(
            &admin,
            &format!("{own}/options"),
            json!({"name": name, "price": price, "visible_online": false, "allergenic_ids": [GLUTEN]}),
        )
        .await;
    }
    let copy = admin.post(&format!("{own}/copy")).send().await.assert(201).json();
    assert_eq!(
        (&copy["name"], &copy["name_sec_lang"], &copy["version"]),
        (&json!("Köret (másolat)"), &json!("Side dish (copy)"), &json!(1))
    );
    assert_eq!(
        (&copy["type"], &copy["max_no_options"], &copy["visible_phone"], &copy["ranking"]),
        (&json!("min_max"), &json!(2), &json!(false), &json!(1))
    );
    assert_eq!(names(&copy["options"]), ["Rizs", "Hasáb"]);
    assert_eq!(
        (&copy["options"][1]["price"], &copy["options"][1]["allergenic_ids"]),
        (&json!(300), &json!([GLUTEN]))
    );
    let original = admin.get(&own).send().await.json();
    assert_ne!(original["options"][0]["id"], copy["options"][0]["id"]);
    let sql = format!(
        "select count(*) n from {schema}.option_group g join {schema}.option o on o.option_group_id = g.id \
         where g.restaurant_id = $1 and (g.origin_id <> g.id or o.origin_id <> o.id)",
        schema = place.schema
    );
    assert_eq!(
        place.kit.row(&sql, vec![place.restaurant.into()]).await.try_get::<i64>("", "n").unwrap(),
        0,
        "origins are their own"
    );
    let second = admin.post(&format!("{own}/copy")).send().await.assert(201).json();
    assert_eq!(second["name"], "Köret (másolat 2)");
    admin
        .put(&format!("{ALL}/ranking"))
        .json(json!({"option_group_ids": [second["id"], group["id"]]}))
        .send()
        .await
        .assert_keys(&["option_group_ids"]);
    admin
        .put(&format!("{ALL}/ranking"))
        .json(json!({"option_group_ids": [second["id"], copy["id"], group["id"]]}))
        .send()
        .await
        .assert(204);
    assert_eq!(names(&admin.get(ALL).send().await.json()), ["Köret (másolat 2)", "Köret (másolat)", "Köret"]);
}

#[testkit::test]
async fn a_deleted_group_leaves_every_sub_product() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let side = text(&make(&admin, ALL, json!({"name": "Köret", "type": "exclusive"})).await["id"]);
    let sauce = text(&make(&admin, ALL, json!({"name": "Szósz", "type": "inclusive"})).await["id"]);
    let option = text(&make(&admin, &format!("{ALL}/{side}/options"), json!({"name": "Rizs"})).await["id"]);
    let mains = category(&admin, "Főételek", None).await;
    let body = json!({"name": "Rántott szelet", "subproducts": [{"price": 3000, "option_group_ids": [side,
        sauce]}]});
    let dish = make(&admin, &format!("/product-categories/{mains}/products"), body).await;
    let before = version(&place).await;
    admin.delete(&format!("{ALL}/{side}")).send().await.assert(204);
    assert_eq!(version(&place).await, before + 1);
    let (action, details) = audited(&place).await;
    assert_eq!(
        (action.as_str(), details),
        ("option_groups_delete", json!({"name": "Köret", "subproducts_detached": 1}))
    );
    let dish = admin.get(&super::path(&dish)).send().await.json();
    assert_eq!(dish["subproducts"][0]["option_group_ids"], json!([sauce]));
    admin.get(&format!("{ALL}/{side}")).send().await.assert_problem(404, "OPTION_GROUP_NOT_EXIST");
    admin.get(&format!("{ALL}/{side}/options/{option}")).send().await.assert_problem(404, "OPTION_NOT_EXIST");
    assert_eq!(admin.get(&format!("{ALL}/all/options")).send().await.json(), json!([]));
    let stale = json!({"subproducts": [{"id": dish["subproducts"][0]["id"], "option_group_ids": [side]}]});
    admin
        .put(&super::path(&dish))
        .json(stale)
        .send()
        .await
        .assert_keys(&["subproducts.0.option_group_ids.0"]);
}
