//! Category, unit and quantity of the tax report: on every level, by proposals and in one step for a whole menu.

use futures_util::future::join;
use serde_json::{Value, json};
use testkit::{Client, kit};

use super::{NOBODY, VAT_27, audited, category, make, path, product, text, version};

const ALL: &str = "/api/v3/admin/ntak-categories";
const PROPOSALS: &str = "/ntak-proposals";
const CHANGES: &str = "/ntak-changes";

/// The id of a pair of the reference data.
async fn id(client: &Client<'_>, main: &str, sub: &str) -> Value {
    let rows = client.get(ALL).send().await.assert(200).json();
    let rows = rows.as_array().unwrap().clone();
    let found = rows.into_iter().find(|row| row["main_category"] == main && row["sub_category"] == sub);
    found.unwrap_or_else(|| panic!("{main}/{sub}"))["id"].clone()
}

async fn proposals(client: &Client<'_>, query: &str) -> Vec<Value> {
    let found = client.get(&format!("{PROPOSALS}{query}")).send().await.assert(200).json();
    found["proposals"].as_array().unwrap().clone()
}

/// The rows of a change that takes these proposals.
fn taken(proposals: &[Value]) -> Value {
    let row = |one: &Value| {
        let mut row = json!({"level": one["level"], "id": one["id"]});
        for field in ["ntak_category_id", "ntak_quantity_unit", "ntak_quantity"] {
            if !one[field].is_null() {
                row[field] = one[field].clone();
            }
        }
        row
    };
    proposals.iter().map(row).collect()
}

#[testkit::test]
async fn the_list_has_forty_pairs_and_opens_to_every_editor() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let rows = admin.get(ALL).send().await.assert(200).json();
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 40);
    assert_eq!(
        (&rows[3]["main_category_name"], &rows[3]["sub_category_name"], &rows[3]["state"]),
        (&json!("Étel"), &json!("leves"), &json!("valid"))
    );
    let mut mains: Vec<&str> = rows.iter().map(|row| row["main_category"].as_str().unwrap()).collect();
    mains.dedup();
    assert_eq!(
        mains,
        ["ETEL", "ALKMENTESITAL_HELYBEN", "ALKMENTESITAL_NEM_HELYBEN", "ALKOHOLOSITAL", "EGYEB"],
        "each main category stands together"
    );
    let one = format!("{ALL}/{}", text(&rows[0]["id"]));
    let editor = place.with_keys(&["catalog_edit"]).await;
    assert_eq!(editor.get(&one).send().await.assert(200).json(), rows[0]);
    editor.get(&format!("{ALL}/{NOBODY}")).send().await.assert_problem(404, "NTAK_CATEGORY_NOT_EXIST");
    place.nobody().get(ALL).send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    for client in [&editor, &admin, &place.partner_admin().await] {
        client.post(ALL).json(json!({})).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
        client.put(&one).json(json!({})).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    }
}

#[testkit::test]
async fn super_admins_add_pairs_and_end_others() {
    let kit = kit().await.beside("ntak").await;
    let place = kit.partner().await;
    let (admin, staff) = (place.super_admin().await, place.admin().await);
    let soup = id(&staff, "ETEL", "LEVES").await;
    let home = category(&staff, "Levesek", None).await;
    let bean = product(&staff, &home, "Bableves", 990).await;
    staff.put(&path(&bean)).json(json!({"ntak_category_id": soup})).send().await.assert(200);

    let new = json!({"main_category": "ETEL", "sub_category": "FAGYI", "sub_category_name": "fagylalt",
        "sub_category_name_en": "ice cream"});
    let made = admin.post(ALL).json(new.clone()).send().await.assert(201).json();
    assert_eq!((&made["main_category_name"], &made["version"]), (&json!("Étel"), &json!(1)));
    let rows = staff.get(ALL).send().await.assert(200).json();
    let subs: Vec<&str> =
        rows.as_array().unwrap().iter().map(|row| row["sub_category"].as_str().unwrap()).collect();
    assert_eq!(&subs[13..16], ["EGYEB", "FAGYI", "VIZ"], "it is the last of its main category");
    admin.post(ALL).json(new).send().await.assert_keys(&["sub_category"]);
    let other = json!({"main_category": "DOHANY", "sub_category": "SZIVAR", "sub_category_name": "szivar",
        "sub_category_name_en": "cigar"});
    admin
        .post(ALL)
        .json(other.clone())
        .send()
        .await
        .assert_keys(&["main_category_name", "main_category_name_en"]);
    let mut named = other;
    named["main_category_name"] = json!("Dohány");
    named["main_category_name_en"] = json!("Tobacco");
    admin.post(ALL).json(named).send().await.assert(201);
    for (field, value) in [
        ("main_category", json!("étel")),
        ("main_category", json!("")),
        ("sub_category", json!("LEVES; drop table")),
        ("sub_category", json!(null)),
        ("sub_category", json!(["LEVES"])),
        ("sub_category_name", json!(" ")),
        ("sub_category_name_en", json!("x".repeat(101))),
        ("main_category_name", json!("Ital")),
        ("valid_from", json!("2026-02-30")),
        ("valid_from", json!(20260101)),
    ] {
        let mut body = json!({"main_category": "ETEL", "sub_category": "UJ", "sub_category_name": "új",
            "sub_category_name_en": "new"});
        body[field] = value.clone();
        admin.post(ALL).json(body).send().await.assert_keys(&[field]);
    }
    let body = json!({"main_category": "ETEL", "sub_category": "UJ", "sub_category_name": "új",
        "sub_category_name_en": "new", "valid_from": "2026-02-01", "valid_until": "2026-01-31"});
    admin.post(ALL).json(body).send().await.assert_keys(&["valid_until"]);

    let own = format!("{ALL}/{}", text(&soup));
    let ended = admin
        .put(&own)
        .json(json!({"valid_until": "2020-12-31", "main_category": "EGYEB", "version": 1}))
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!(
        (&ended["state"], &ended["main_category"], &ended["valid_until"]),
        (&json!("ended"), &json!("ETEL"), &json!("2020-12-31")),
        "the words of a pair never change"
    );
    admin
        .put(&own)
        .json(json!({"valid_until": null, "version": 1}))
        .send()
        .await
        .assert_problem(409, "CONFLICT");
    admin.put(&own).json(json!({"valid_from": "2021-01-01"})).send().await.assert_keys(&["valid_until"]);
    assert_eq!(staff.get(ALL).send().await.json().as_array().unwrap().len(), 41);
    assert_eq!(staff.get(&format!("{ALL}?all=true")).send().await.json().as_array().unwrap().len(), 42);

    // It stays where it is, also when whole entities are sent back, and is chosen nowhere else.
    let now = staff.get(&path(&bean)).send().await.assert(200).json();
    assert_eq!(now["subproducts"][0]["effective"]["ntak_category"], json!({"id": soup, "from": "product"}));
    staff.put(&path(&bean)).json(json!({"name": "Bablé", "ntak_category_id": soup})).send().await.assert(200);
    let size = json!({"subproducts": [{"id": bean["subproducts"][0]["id"], "ntak_category_id": soup}]});
    staff.put(&path(&bean)).json(size).send().await.assert_keys(&["subproducts.0.ntak_category_id"]);
    staff
        .put(&format!("/product-categories/{home}"))
        .json(json!({"ntak_category_id": soup}))
        .send()
        .await
        .assert_keys(&["ntak_category_id"]);
    let products = format!("/product-categories/{home}/products");
    let body = json!({"name": "Lencseleves", "base_price": 1, "ntak_category_id": soup});
    staff.post(&products).json(body).send().await.assert_keys(&["ntak_category_id"]);
    let change = json!({"rows": [{"level": "category", "id": home, "ntak_category_id": soup},
        {"level": "product", "id": bean["id"], "ntak_category_id": soup}]});
    staff.post(CHANGES).json(change).send().await.assert_keys(&["rows.0.ntak_category_id"]);
    let switches = format!("/api/v3/super-admin/restaurants/{}/switches", place.restaurant);
    admin
        .put(&switches)
        .json(json!({"ntak_category_id": soup}))
        .send()
        .await
        .assert_keys(&["ntak_category_id"]);
    assert!(
        proposals(&staff, "?all=true").await.iter().all(|one| one["ntak_category_id"] != soup),
        "nobody proposes it"
    );
    // A copy of the product is no choice.
    let copy = staff.post(&format!("{}/copy", path(&bean))).key("copy").send().await.assert(201).json();
    assert_eq!(copy["ntak_category_id"], soup);
    admin.put(&own).json(json!({"valid_until": null})).send().await.assert(200);
    staff
        .put(&format!("/product-categories/{home}"))
        .json(json!({"ntak_category_id": soup}))
        .send()
        .await
        .assert(200);
    let log = admin.get(&format!("/api/v3/super-admin/audit?record_id={}", text(&soup))).send().await.json();
    let actions: Vec<_> =
        log.as_array().unwrap().iter().map(|line| line["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["ntak_categories_update", "ntak_categories_update"]);
}

#[testkit::test]
async fn every_level_has_its_own_value_and_the_one_that_holds() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let [soup, beer, other] = [("ETEL", "LEVES"), ("ALKOHOLOSITAL", "SOR"), ("EGYEB", "EGYEB")];
    let (soup, beer, other) = (
        id(&admin, soup.0, soup.1).await,
        id(&admin, beer.0, beer.1).await,
        id(&admin, other.0, other.1).await,
    );
    let top = category(&admin, "Italok", None).await;
    let home = category(&admin, "Sörök", Some(&top)).await;
    let body = json!({"name": "Csapolt", "ntak_category_id": soup, "ntak_quantity_unit": "liter", "subproducts": [
        {"name": "Korsó", "price": 900, "ntak_quantity": "0,5"},
        {"name": "Pohár", "price": 600, "ntak_category_id": beer, "ntak_quantity_unit": "piece"}]});
    let made = make(&admin, &format!("/product-categories/{home}/products"), body).await;
    assert_eq!((&made["ntak_category_id"], &made["ntak_quantity_unit"]), (&soup, &json!("liter")));
    let holds = |row: &Value| {
        (row["effective"]["ntak_category"].clone(), row["effective"]["ntak_quantity_unit"].clone())
    };
    let of = |id: &Value, from: &str| json!({"id": id, "from": from});
    let unit = |value: &str, from: &str| json!({"value": value, "from": from});
    assert_eq!(holds(&made["subproducts"][0]), (of(&soup, "product"), unit("liter", "product")));
    assert_eq!(holds(&made["subproducts"][1]), (of(&beer, "subproduct"), unit("piece", "subproduct")));
    assert_eq!(made["subproducts"][0]["ntak_quantity"].to_string(), "0.5");

    let cleared = json!({"ntak_category_id": null, "ntak_quantity_unit": null});
    let now = admin.put(&path(&made)).json(cleared).send().await.assert(200).json();
    assert_eq!(
        holds(&now["subproducts"][0]),
        (of(&Value::Null, "restaurant"), json!({"value": null, "from": "restaurant"}))
    );
    let switches = format!("/api/v3/super-admin/restaurants/{}/switches", place.restaurant);
    let before = version(&place).await;
    let default = json!({"ntak_category_id": other, "ntak_quantity_unit": "portion"});
    place.super_admin().await.put(&switches).json(default).send().await.assert(200);
    assert!(version(&place).await > before, "orders read it with the catalogue");
    let below = json!({"ntak_category_id": soup});
    admin.put(&format!("/product-categories/{top}")).json(below).send().await.assert(200);
    let now = admin.get(&path(&made)).send().await.assert(200).json();
    assert_eq!(holds(&now["subproducts"][0]), (of(&soup, "parent_category"), unit("portion", "restaurant")));

    let id = &made["subproducts"][0]["id"];
    for (field, value) in [
        ("ntak_category_id", json!(NOBODY)),
        ("ntak_category_id", json!(VAT_27)),
        ("ntak_category_id", made["id"].clone()),
        ("ntak_category_id", json!("ETEL/LEVES")),
        ("ntak_category_id", json!(["x"])),
        ("ntak_category_id", json!(4)),
        ("ntak_quantity_unit", json!("LITER")),
        ("ntak_quantity_unit", json!("")),
        ("ntak_quantity_unit", json!({"unit": "liter"})),
        ("ntak_quantity", json!(0)),
        ("ntak_quantity", json!("0.0")),
        ("ntak_quantity", json!(-0.5)),
        ("ntak_quantity", json!(0.00001)),
        ("ntak_quantity", json!("0,33333")),
        ("ntak_quantity", json!(100_000.5)),
        ("ntak_quantity", json!("fél")),
        ("ntak_quantity", json!("NaN")),
        ("ntak_quantity", json!(true)),
        ("ntak_quantity", json!([0.5])),
    ] {
        let mut row = json!({"id": id});
        row[field] = value;
        let key = format!("subproducts.0.{field}");
        admin.put(&path(&made)).json(json!({"subproducts": [row.clone()]})).send().await.assert_keys(&[&key]);
        let row = json!({"level": "subproduct", "id": id, field: row[field]});
        let key = format!("rows.0.{field}");
        admin.post(CHANGES).json(json!({"rows": [row]})).send().await.assert_keys(&[&key]);
    }
    assert_eq!(admin.get(&path(&made)).send().await.json(), now, "nothing was written");
}

/// A menu with soups, drinks in sizes, a lunch menu and a category that says nothing.
async fn bar(admin: &Client<'_>) -> [String; 4] {
    let soups = category(admin, "Levesek", None).await;
    product(admin, &soups, "Gulyás", 1800).await;
    let bean = product(admin, &soups, "Bableves", 1500).await;
    let drinks = category(admin, "Italok", None).await;
    let body = json!({"name": "Limonádé", "subproducts": [{"name": "3 dl", "price": 890}, {"name": "5 dl", "price": 1290}]});
    make(admin, &format!("/product-categories/{drinks}/products"), body).await;
    product(admin, &drinks, "Sör 0,5", 900).await;
    product(admin, &drinks, "Espresso", 600).await;
    let special = category(admin, "Ajánlatunk", None).await;
    product(admin, &special, "Titok", 1).await;
    let parts = json!([{"subproduct_id": bean["subproducts"][0]["id"], "pieces": 1}]);
    let lunch = category(admin, "Menü", None).await;
    let body = json!({"name": "Leves menü", "subproducts": [{"price": 1900, "components": parts}]});
    make(admin, &format!("/product-categories/{lunch}/products"), body).await;
    [soups, drinks, special, lunch]
}

#[testkit::test]
async fn one_step_takes_the_proposals_of_a_whole_menu_and_takes_them_back() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let [soups, drinks, ..] = bar(&admin).await;
    let found = proposals(&admin, "").await;
    let shown: Vec<String> = found
        .iter()
        .map(|one| {
            let name =
                one["subproduct"].as_str().or(one["product"].as_str()).or(one["category"].as_str()).unwrap();
            let unit = one["ntak_quantity_unit"].as_str().unwrap_or("-");
            format!(
                "{} {name}: {} {unit} {}",
                one["level"].as_str().unwrap(),
                one["ntak_category_id"].is_string(),
                one["ntak_quantity"]
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "category Levesek: true portion null",
            "product Limonádé: true liter null",
            "subproduct 3 dl: false - 0.3",
            "subproduct 5 dl: false - 0.5",
            "product Sör 0,5: true liter null",
            "subproduct Sör 0,5: false - 0.5",
            "product Espresso: true piece null",
        ],
        "a menu of others and what says nothing get none"
    );
    assert_eq!(found[0]["ntak_category_id"], id(&admin, "ETEL", "LEVES").await);
    assert_eq!(found[4]["ntak_category_id"], id(&admin, "ALKOHOLOSITAL", "SOR").await);
    assert_eq!((&found[1]["product_category_id"], &found[1]["replaces"]), (&json!(drinks), &json!(false)));

    let menu = async || admin.get("/product-categories?all_products=true").send().await.assert(200).json();
    let (start, before) = (menu().await, version(&place).await);
    let body = json!({"catalogue_version": before, "rows": taken(&found)});
    let made = admin.post(CHANGES).key("take").json(body.clone()).send().await.assert(201).json();
    assert_eq!(
        (&made["categories"], &made["products"], &made["subproducts"]),
        (&json!(1), &json!(3), &json!(3))
    );
    assert_eq!(admin.post(CHANGES).key("take").json(body.clone()).send().await.assert(201).json(), made);
    assert_eq!(version(&place).await, before + 1);
    assert_eq!(audited(&place).await.0, "ntak_changes_create");
    assert!(proposals(&admin, "").await.is_empty() && proposals(&admin, "?all=true").await.is_empty());
    admin.post(CHANGES).json(body).send().await.assert_problem(409, "NTAK_CHANGE_OUTDATED");
    let after = menu().await;
    let soup = after.as_array().unwrap().iter().find(|row| row["id"] == json!(soups)).unwrap();
    assert_eq!(
        soup["products"][0]["effective"]["ntak_category"],
        json!({"id": found[0]["ntak_category_id"], "from": "category"})
    );
    assert_eq!(admin.get(CHANGES).send().await.assert(200).json()[0], made);

    let undo = format!("{CHANGES}/{}/undo", text(&made["id"]));
    // Two who undo at once: one of them does.
    let (one, other) = join(admin.post(&undo).send(), admin.post(&undo).send()).await;
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    admin.post(&undo).send().await.assert_problem(409, "NTAK_CHANGE_NOT_READY");
    let mut back = menu().await;
    let mut start = start;
    for menu in [&mut back, &mut start] {
        strip(menu, "version");
    }
    assert_eq!(back, start);
    assert_eq!(audited(&place).await.0, "ntak_changes_undo");
    let other = kit().await.restaurant().await.admin().await;
    other.post(&undo).send().await.assert_problem(404, "NTAK_CHANGE_NOT_EXIST");
}

fn strip(value: &mut Value, key: &str) {
    match value {
        Value::Object(map) => {
            map.remove(key);
            map.values_mut().for_each(|value| strip(value, key));
        }
        Value::Array(rows) => rows.iter_mut().for_each(|value| strip(value, key)),
        _ => {}
    }
}

#[testkit::test]
async fn what_is_set_stays_unless_somebody_chooses_otherwise_and_undo_overwrites_nobody() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let [soups, drinks, special, _] = bar(&admin).await;
    let other = id(&admin, "ETEL", "EGYEB").await;
    let set = json!({"ntak_category_id": other, "ntak_quantity_unit": "piece"});
    for category in [&soups, &drinks] {
        admin.put(&format!("/product-categories/{category}")).json(set.clone()).send().await.assert(200);
    }
    assert!(proposals(&admin, "").await.is_empty(), "everything inherits something");
    let found = proposals(&admin, "?all=true").await;
    assert!(found.iter().filter(|one| one["level"] != "subproduct").all(|one| one["replaces"] == true));
    assert_eq!(found[0]["current_ntak_category_id"], other);
    let made = admin.post(CHANGES).json(json!({"rows": taken(&found)})).send().await.assert(201).json();

    // Rows without a proposal are set too, many at once; null inherits again.
    let secret =
        admin.get(&format!("/product-categories/{special}/products")).send().await.assert(200).json();
    let secret = &secret[0];
    let rows = json!([
        {"level": "product", "id": secret["id"], "ntak_category_id": other},
        {"level": "subproduct", "id": secret["subproducts"][0]["id"], "ntak_quantity_unit": "kilogram", "ntak_quantity": "0.25"},
        {"level": "category", "id": soups, "ntak_category_id": null, "ntak_quantity_unit": null}]);
    let second = admin.post(CHANGES).json(json!({"rows": rows})).send().await.assert(201).json();
    let now = admin.get(&path(secret)).send().await.json();
    assert_eq!(
        (&now["version"], &now["ntak_category_id"]),
        (&json!(2), &other),
        "one version for product and size"
    );
    assert_eq!(now["subproducts"][0]["ntak_quantity"].to_string(), "0.25");

    let changed = admin.post(&format!("{CHANGES}/{}/undo", text(&made["id"]))).send().await;
    let changed = changed.assert_problem(409, "NTAK_CHANGE_CHANGED").json();
    assert_eq!(changed["changed"], json!(["Levesek"]));
    admin.post(&format!("{CHANGES}/{}/undo", text(&second["id"]))).send().await.assert(200);
    // A day later the way back is gone.
    let sql = format!("update {}.ntak_change set created_at = created_at - interval '1 day'", place.schema);
    place.kit.run(&sql, vec![]).await;
    let over = admin.post(&format!("{CHANGES}/{}/undo", text(&made["id"]))).send().await;
    over.assert_problem(409, "NTAK_CHANGE_NOT_READY");
}

#[testkit::test]
async fn hostile_changes_are_named_row_by_row_and_write_nothing() {
    let place = kit().await.restaurant().await;
    let (admin, stranger) = (place.admin().await, kit().await.restaurant().await.admin().await);
    let soups = category(&admin, "Levesek", None).await;
    let foreign = category(&stranger, "Másé", None).await;
    let soup = product(&admin, &soups, "Gulyás", 1800).await;
    let gone = product(&admin, &soups, "Volt", 1800).await;
    admin.delete(&path(&gone)).send().await.assert(204);
    let size = &soup["subproducts"][0]["id"];
    let rows = json!([
        {"level": "category", "id": foreign, "ntak_quantity_unit": "liter"},
        {"level": "category", "id": soup["id"], "ntak_quantity_unit": "liter"},
        {"level": "product", "id": size, "ntak_quantity_unit": "liter"},
        {"level": "product", "id": gone["id"], "ntak_quantity_unit": "liter"},
        {"level": "subproduct", "id": gone["subproducts"][0]["id"], "ntak_quantity_unit": "liter"},
        {"level": "product", "id": soup["id"], "ntak_category_id": soup["id"], "ntak_quantity": 1},
        {"level": "subproduct", "id": size, "ntak_quantity": 0.5},
        {"level": "subproduct", "id": size, "ntak_quantity": 0.5}]);
    let before = version(&place).await;
    admin.post(CHANGES).json(json!({"rows": rows})).send().await.assert_keys(&[
        "rows.0.id",
        "rows.1.id",
        "rows.2.id",
        "rows.3.id",
        "rows.4.id",
        "rows.5.ntak_category_id",
        "rows.5.ntak_quantity",
        "rows.7.id",
    ]);
    for (body, keys) in [
        (json!({}), vec!["rows"]),
        (json!({"rows": []}), vec!["rows"]),
        (json!({"rows": "all"}), vec!["rows"]),
        (json!({"rows": [1]}), vec!["rows.0"]),
        (json!({"rows": [{"id": soups}]}), vec!["rows.0.level"]),
        (json!({"rows": [{"level": "menu", "id": soups}]}), vec!["rows.0.level"]),
        (json!({"rows": [{"level": "category", "id": "' or 1=1"}]}), vec!["rows.0.id"]),
        (json!({"rows": [{"level": "category", "id": null}]}), vec!["rows.0.id"]),
        (
            json!({"catalogue_version": "x", "rows": [{"level": "category", "id": soups}]}),
            vec!["catalogue_version"],
        ),
    ] {
        admin.post(CHANGES).json(body).send().await.assert_keys(&keys);
    }
    assert_eq!((version(&place).await, place.count("ntak_change").await), (before, 0));
    admin.get(&format!("{PROPOSALS}?all=perhaps")).send().await.assert(422);
    let viewer = place.with_keys(&["order"]).await;
    viewer.get(PROPOSALS).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    let change = json!({"rows": [{"level": "category", "id": soups, "ntak_quantity_unit": "liter"}]});
    viewer.post(CHANGES).json(change.clone()).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    // A row that changes nothing is none.
    let none = json!({"rows": [{"level": "category", "id": soups}]});
    let made = admin.post(CHANGES).json(none).send().await.assert(201).json();
    assert_eq!((&made["categories"], version(&place).await), (&json!(0), before));
    // Two who write the same menu at once: nobody's change is lost.
    let (one, other) = join(
        admin.post(CHANGES).json(change.clone()).send(),
        admin.put(&path(&soup)).json(json!({"name": "Gulyásleves"})).send(),
    )
    .await;
    assert!([201, 409].contains(&one.status));
    other.assert(200);
}
