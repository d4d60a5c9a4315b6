//! The computed menu: content, caching, ETag.

use std::time::Duration;

use kernel::clock;
use serde_json::{Value, json};
use testkit::{Client, kit};

use super::{GLUTEN, MILK, VAT_5, VAT_18, category, make, names, ordering::today, path, product, text};

async fn menu(client: &Client<'_>, query: &str) -> Value {
    client.get(&format!("/public/menu{query}")).send().await.assert(200).json()
}

fn find<'m>(menu: &'m Value, name: &str) -> Option<&'m Value> {
    let categories = menu["categories"].as_array().unwrap();
    let children = categories.iter().flat_map(|category| category["children"].as_array().unwrap());
    let products =
        categories.iter().chain(children).flat_map(|category| category["products"].as_array().unwrap());
    products.flat_map(|product| product["subproducts"].as_array().unwrap()).find(|row| row["name"] == name)
}

#[testkit::test]
async fn a_key_reads_the_menu_of_a_channel() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    admin
        .put("/general")
        .json(json!({"name": "Kispiac", "secondary_language": "en"}))
        .send()
        .await
        .assert(200);
    let drinks = category(&admin, "Italok", None).await;
    let beers = category(&admin, "Sörök", Some(&drinks)).await;
    category(&admin, "Üres", None).await;
    admin
        .put(&format!("/product-categories/{drinks}"))
        .json(json!({"vat_id": VAT_18, "sit_in_vat_id": VAT_5}))
        .send()
        .await
        .assert(200);
    let ice =
        make(&admin, "/option-groups", json!({"name": "Jég", "name_sec_lang": "Ice", "type": "exclusive"}))
            .await;
    let ice_options = format!("/option-groups/{}/options", text(&ice["id"]));
    make(
        &admin,
        &ice_options,
        json!({"name": "Jéggel", "name_sec_lang": "With ice", "price": 50, "allergenic_ids": [MILK]}),
    )
    .await;
    make(&admin, &ice_options, json!({"name": "Kioszk", "visible_online": false})).await;
    make(&admin, &ice_options, json!({"name": "Kifogyott", "active": false})).await;
    let hidden = text(
        &make(
            &admin,
            "/option-groups",
            json!({"name": "Belső", "type": "inclusive", "visible_online": false}),
        )
        .await["id"],
    );
    let unused = make(&admin, "/option-groups", json!({"name": "Senkié", "type": "inclusive"})).await;
    let body = json!({"name": "Világos", "name_sec_lang": "Lager", "description": "Csapolt", "subproducts": [
        {"name": "Pohár", "name_sec_lang": "Glass", "price": 600, "allergenic_ids": [MILK, GLUTEN],
            "option_group_ids": [hidden, ice["id"]]},
        {"name": "Korsó", "price": 990, "visible_online": false},
        {"name": "Üveg", "price": 800, "active": false}]});
    make(&admin, &format!("/product-categories/{beers}/products"), body).await;

    let key = place.api_key(&["menu:read"]).await;
    let online = menu(&key, "").await;
    assert_eq!((&online["channel"], &online["restaurant"]["name"]), (&json!("online"), &json!("Kispiac")));
    assert_eq!(
        (&online["restaurant"]["currency"], &online["restaurant"]["timezone"]),
        (&json!("huf"), &json!("Europe/Budapest"))
    );
    assert_eq!(
        (&online["restaurant"]["primary_language"], &online["restaurant"]["secondary_language"]),
        (&json!("hu"), &json!("en"))
    );
    assert_eq!(online["version"], super::version(&place).await);
    assert_eq!(names(&online["categories"]), ["Italok"], "nothing to show, nothing shown");
    let beers = &online["categories"][0]["children"][0];
    assert_eq!(
        (&beers["name"], &beers["products"][0]["name_sec_lang"], &beers["products"][0]["description"]),
        (&json!("Sörök"), &json!("Lager"), &json!("Csapolt"))
    );
    let glass = find(&online, "Pohár").unwrap();
    let expected = json!({"id": glass["id"], "name": "Pohár", "name_sec_lang": "Glass", "description": null,
        "description_sec_lang": null, "price": 600,
        "vat_percent": 18, "allergens": ["GLUTEN", "MILK"], "option_group_ids": [ice["id"]],
        "service_fee": false, "deposit_pieces": 0, "components": [], "sellable_quantity": null, "available": true});
    assert_eq!(glass, &expected);
    assert!(find(&online, "Korsó").is_none() && find(&online, "Üveg").is_none());
    assert_eq!(names(&online["option_groups"]), ["Jég"], "only groups that are offered and used: {unused}");
    let options = &online["option_groups"][0]["options"];
    assert_eq!(
        (names(options), &options[0]["allergens"], &options[0]["price"]),
        (vec!["Jéggel"], &json!(["MILK"]), &json!(50))
    );

    let kiosk = menu(&key, "?channel=kiosk_sit_in").await;
    assert_eq!(find(&kiosk, "Pohár").unwrap()["vat_percent"], 5);
    assert_eq!(find(&kiosk, "Korsó").unwrap()["price"], 990);
    assert_eq!(names(&kiosk["option_groups"]), ["Jég", "Belső"]);
    for (query, percent) in [
        ("?channel=sit_in", 5),
        ("?channel=sit_in&pickup=true", 18),
        ("?channel=phone", 18),
        ("?channel=kiosk_take_away", 18),
    ] {
        assert_eq!(find(&menu(&key, query).await, "Pohár").unwrap()["vat_percent"], percent, "{query}");
    }
    // A signed-in admin of the restaurant reads it without any key of the catalogue.
    assert_eq!(menu(&place.with_keys(&["admin_login", "courier"]).await, "").await, online);
}

#[testkit::test]
async fn only_those_read_it_who_may() {
    let kit = kit().await;
    let (place, other) = (kit.restaurant().await, kit.restaurant().await);
    place.nobody().get("/public/menu").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    place.nobody().bearer("pk_wrong").get("/public/menu").send().await.assert_problem(401, "API_KEY_INVALID");
    place
        .api_key(&["orders:write"])
        .await
        .get("/public/menu")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    let key = place.api_key(&["menu:read"]).await;
    let foreign = format!("/api/v3/partners/{}/restaurants/{}/menu", other.partner, other.restaurant);
    key.get(&foreign).send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    key.get("/product-categories").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    key.get("/public/menu?channel=smoke").send().await.assert_keys(&["channel"]);
    // A revoked key is dead at once, also for what is kept.
    menu(&key, "").await;
    let admin = place.admin().await;
    for row in admin.get("/api-keys").send().await.json().as_array().unwrap() {
        admin.delete(&format!("/api-keys/{}", text(&row["id"]))).send().await.assert(204);
    }
    key.get("/public/menu").send().await.assert_problem(401, "API_KEY_INVALID");
}

#[testkit::test]
async fn one_inactive_level_hides_and_the_nearest_flag_decides() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let drinks = category(&admin, "Italok", None).await;
    let beers = category(&admin, "Sörök", Some(&drinks)).await;
    let beer = product(&admin, &beers, "Világos", 600).await;
    let (beer, beers, drinks) =
        (path(&beer), format!("/product-categories/{beers}"), format!("/product-categories/{drinks}"));
    let shown = || async { find(&menu(&admin, "").await, "Világos").is_some() };
    assert!(shown().await);
    for place in [&beer, &beers, &drinks] {
        admin.put(place).json(json!({"active": false})).send().await.assert(200);
        assert!(!shown().await, "{place}");
        admin.put(place).json(json!({"active": true})).send().await.assert(200);
        assert!(shown().await, "{place}");
    }
    admin.put(&drinks).json(json!({"visible_online": false})).send().await.assert(200);
    assert!(!shown().await);
    admin.put(&beers).json(json!({"visible_online": true})).send().await.assert(200);
    assert!(shown().await);
    admin.put(&beer).json(json!({"visible_online": false})).send().await.assert(200);
    assert!(!shown().await);
}

/// A database that was brought back gives the numbers of the time that is lost once more, to other menus.
#[testkit::test]
async fn after_a_restore_no_shop_takes_a_lost_menu_for_the_present_one() {
    let kit = kit().await.beside("lostmenus").await;
    let place = kit.partner().await;
    let key = place.api_key(&["menu:read"]).await;
    let sql = format!("select catalogue_version n from {}.restaurant where id = $1", place.schema);
    let number =
        async || -> i64 { kit.row(&sql, vec![place.restaurant.into()]).await.try_get("", "n").unwrap() };
    let lost = key.get("/public/menu").send().await.assert(200).header("etag").unwrap().to_owned();
    let before = number().await;
    assert!(tenants::renumber(kit.setup()).await.unwrap() > 0);
    let after = number().await;
    assert!(after > before + 1_000_000, "ahead of all that edits of the lost time can have reached: {after}");
    tenants::renumber(kit.setup()).await.unwrap();
    assert!(number().await > after);
    // A pod that starts.
    let instance = kit.second_instance().await;
    key.at(&instance).get("/public/menu").header("if-none-match", lost).send().await.assert(200);
}

#[testkit::test]
async fn a_copy_is_asked_about_by_its_etag() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let soups = category(&admin, "Levesek", None).await;
    let soup = product(&admin, &soups, "Gulyás", 1800).await;
    let key = place.api_key(&["menu:read"]).await;
    let read = |known: Option<String>| {
        let call = key.get("/public/menu");
        async move { known.into_iter().fold(call, |call, tag| call.header("if-none-match", tag)).send().await }
    };
    let tag = |answer: &testkit::Answer| answer.header("etag").unwrap().to_owned();
    let first = read(None).await.assert(200);
    assert_eq!(
        (first.header("content-type"), first.header("cache-control")),
        (Some("application/json; charset=utf-8"), Some("private, no-cache"))
    );
    let same = read(Some(tag(&first))).await.assert(304);
    assert_eq!((tag(&same), same.body.len()), (tag(&first), 0));
    read(Some(format!("\"other\", {}", tag(&first).trim_start_matches("W/")))).await.assert(304);
    read(Some("*".to_owned())).await.assert(304);

    admin.put(&path(&soup)).json(json!({"base_price": 1900})).send().await.assert(200);
    let second = read(Some(tag(&first))).await.assert(200);
    assert_ne!(tag(&first), tag(&second));
    assert_eq!(find(&second.json(), "Gulyás").unwrap()["price"], 1900);
    // Another instance says the same of the same menu, and learns of a change within a second.
    let instance = place.kit.second_instance().await;
    let there = key.at(&instance);
    there.get("/public/menu").header("if-none-match", tag(&second)).send().await.assert(304);
    admin.put("/close").json(json!({"temp_no_orders": true})).send().await.assert(200);
    let changed = std::time::Instant::now();
    let third = loop {
        let answer = there.get("/public/menu").header("if-none-match", tag(&second)).send().await;
        if answer.status == 200 {
            break answer.json();
        }
        assert!(changed.elapsed() < Duration::from_millis(1200), "a menu is at most a second old");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!(third["restaurant"]["temp_no_orders"], true);
    // Channels are other menus.
    assert_ne!(
        key.get("/public/menu?channel=phone").send().await.header("etag"),
        read(None).await.header("etag")
    );
}

/// What may be told from memory: nothing that the same key asks for the second time is old after a change.
#[testkit::test]
async fn what_is_remembered_ends_with_the_next_change() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let soups = category(&admin, "Levesek", None).await;
    let size = json!([{"name": "", "price": 1800, "sellable_quantity": 2}]);
    let body = json!({"name": "Gulyás", "subproducts": size});
    let soup = make(&admin, &format!("/product-categories/{soups}/products"), body).await;
    let key = place.api_key(&["menu:read", "orders:write"]).await;
    let read = async || {
        // The second answer comes from memory.
        key.get("/public/menu").send().await.assert(200);
        key.get("/public/menu").send().await
    };
    let size = text(&find(&read().await.assert(200).json(), "Gulyás").unwrap()["id"]);
    let step = format!("/sellable-quantities/{size}/step");
    admin.post(&step).json(json!({"by": 1})).send().await.assert(200);
    assert_eq!(find(&read().await.json(), "Gulyás").unwrap()["sellable_quantity"], 3);
    let order = json!({"platform": "browser", "pickup": true, "last_name": "Kovács", "phone_1": "+36 1 555 0100",
        "payment_method": "cash", "items": [{"subproduct_id": size, "quantity": 2}]});
    key.post("/public/orders").key("remembered").json(order).send().await.assert(201);
    assert_eq!(
        find(&read().await.json(), "Gulyás").unwrap()["sellable_quantity"],
        1,
        "an order by the same key"
    );
    admin.put(&path(&soup)).json(json!({"base_price": 1900})).send().await.assert(200);
    assert_eq!(find(&read().await.json(), "Gulyás").unwrap()["price"], 1900);
    // What is remembered of a key is of one restaurant and of reading menus.
    let sibling = place.kit.restaurant_of(place.partner).await;
    let elsewhere = format!("/api/v3/partners/{}/restaurants/{}/menu", place.partner, sibling.restaurant);
    key.get(&elsewhere).send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    let foreign = place.kit.stranger().await;
    let elsewhere = format!("/api/v3/partners/{}/restaurants/{}/menu", foreign.partner, place.restaurant);
    read().await.assert(200);
    key.get(&elsewhere).send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
}

#[testkit::test]
async fn others_are_told_that_the_menu_has_changed_once_in_ten_seconds() {
    let kit = kit().await;
    let place = kit.partner().await;
    let admin = place.admin().await;
    kit.run_jobs().await;
    let told = async || {
        kit.run_jobs().await;
        let sql = format!(
            "select (data ->> 'version') from {}.event where restaurant_id = '{}' and kind = 'menu.changed' order by number",
            place.schema, place.restaurant
        );
        kit.texts(&sql).await
    };
    let soups = category(&admin, "Levesek", None).await;
    let soup = product(&admin, &soups, "Gulyás", 1800).await;
    let first = told().await;
    assert_eq!(first, [super::version(&place).await.to_string()], "two changes before the job are one event");
    for price in [1900, 2000, 2100] {
        admin.put(&path(&soup)).json(json!({"base_price": price})).send().await.assert(200);
        assert_eq!(told().await, first);
    }
    // The last change is told when the ten seconds are over.
    let pass = async || {
        let earlier = format!("update {}.event set created_at = created_at - interval '20 s'", place.schema);
        kit.run(&earlier, vec![]).await;
        let due = "update control.job set run_at = now() where kind = 'menu_changed' and partner_id = $1";
        kit.run(due, vec![place.partner.into()]).await;
    };
    pass().await;
    let second = told().await;
    assert_eq!(second, [first[0].clone(), super::version(&place).await.to_string()]);
    pass().await;
    assert_eq!(told().await, second, "nothing has changed since");
}

#[testkit::test]
async fn a_menu_is_a_file_for_pages_that_are_built() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let soups = category(&admin, "Levesek", None).await;
    let body =
        json!({"name": "Gulyás", "subproducts": [{"name": "", "price": 1800, "allergenic_ids": [GLUTEN]}]});
    make(&admin, &format!("/product-categories/{soups}/products"), body).await;
    let key = place.api_key(&["menu:read"]).await;
    let answer = key.get("/public/menu/file?channel=phone").send().await.assert(200);
    let file = answer.json();
    assert_eq!(
        answer.header("content-disposition"),
        Some(format!("attachment; filename=\"menu-phone-{}.json\"", file["menu"]["version"]).as_str())
    );
    assert_eq!(file["menu"], menu(&admin, "?channel=phone").await);
    assert_eq!(
        (&file["allergens"][0]["code"], file["allergens"].as_array().unwrap().len()),
        (&json!("GLUTEN"), 1)
    );
    assert!(text(&file["allergens"][0]["image"]).ends_with("/allergens/GLUTEN.svg"));
    place.nobody().get("/public/menu/file").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    let orders = place.api_key(&["orders:write"]).await;
    orders.get("/public/menu/file").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
}

/// Ids by the order in which they come.
fn shorten(value: &mut Value, seen: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.values_mut().for_each(|value| shorten(value, seen)),
        Value::Array(rows) => rows.iter_mut().for_each(|value| shorten(value, seen)),
        Value::String(text) if uuid::Uuid::parse_str(text).is_ok() => {
            let place = seen.iter().position(|one| one == text).unwrap_or_else(|| {
                seen.push(text.clone());
                seen.len() - 1
            });
            *text = format!("id {}", place + 1);
        }
        _ => {}
    }
}

/// `PULT_GOLDEN=write` writes the example of `docs/menu.md` anew.
#[testkit::test]
async fn the_example_of_the_page_about_menus_is_a_menu() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let general = json!({"name": "Kispiac", "secondary_language": "en", "city": "Szeged", "street": "Fő tér",
        "postcode": "6720", "premise_number": "1"});
    admin.put("/general").json(general).send().await.assert(200);
    let beers = make(
        &admin,
        "/product-categories",
        json!({"name": "Sörök", "name_sec_lang": "Beers",
        "time_ranges": [{"day": "every_day", "from": "11:00", "till": "23:59"}]}),
    )
    .await;
    let group = json!({"name": "Pohár", "name_sec_lang": "Glass", "type": "exclusive"});
    let group = make(&admin, "/option-groups", group).await;
    let options = format!("/option-groups/{}/options", text(&group["id"]));
    make(&admin, &options, json!({"name": "Pohárral", "name_sec_lang": "With a glass", "price": 50})).await;
    let body = json!({"name": "Világos", "name_sec_lang": "Lager", "subproducts": [{"name": "0,5 l",
        "name_sec_lang": "0.5 l", "price": 900, "deposit_pieces": 1, "allergenic_ids": [GLUTEN],
        "option_group_ids": [group["id"]]}]});
    let beer = make(&admin, &format!("/product-categories/{}/products", text(&beers["id"])), body).await;
    make(&admin, "/featured-products", json!({"product_id": beer["id"]})).await;
    make(&admin, "/product-category-upsells", json!({"suggested_category_id": beers["id"]})).await;
    let mut menu = menu(&admin, "").await;
    // What depends on the moment.
    menu["valid_until"] = json!("2026-12-01T22:59:59.999Z");
    menu["categories"][0]["products"][0]["subproducts"][0]["available"] = json!(true);
    shorten(&mut menu, &mut Vec::new());
    let file = format!("{}/../../docs/menu.md", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(&file).unwrap();
    let (before, rest) = page.split_once("```json\n").unwrap();
    let (example, after) = rest.split_once("\n```\n").unwrap();
    if std::env::var("PULT_GOLDEN").is_ok_and(|value| value == "write") {
        let text = serde_json::to_string_pretty(&menu).unwrap();
        std::fs::write(&file, format!("{before}```json\n{text}\n```\n{after}")).unwrap();
        return;
    }
    assert_eq!(serde_json::from_str::<Value>(example).unwrap(), menu);
}

#[testkit::test]
async fn quantities_lie_over_the_kept_menu() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let soups = category(&admin, "Levesek", None).await;
    let body = json!({"name": "Leves", "subproducts": [{"name": "Gulyás", "price": 1800,
        "sellable_quantity": 2}, {"name": "Húsleves", "price": 1500}]});
    make(&admin, &format!("/product-categories/{soups}/products"), body).await;
    let first = admin.get("/public/menu").send().await.assert(200);
    let state = |menu: &Value| {
        (
            find(menu, "Gulyás").unwrap()["sellable_quantity"].clone(),
            find(menu, "Gulyás").unwrap()["available"].clone(),
        )
    };
    assert_eq!(state(&first.json()), (json!(2), json!(true)));
    let version = super::version(&place).await;
    let id: uuid::Uuid = text(&find(&first.json(), "Gulyás").unwrap()["id"]).parse().unwrap();
    for (pieces, left, available) in [(1, 1, true), (1, 0, false), (-2, 2, true)] {
        let tx = super::ordering::unit_of_work(&place).await;
        if pieces > 0 {
            assert!(
                catalogue::take_quantities(&tx, place.restaurant, &[(id, pieces)], today())
                    .await
                    .unwrap()
                    .is_empty()
            );
        } else {
            catalogue::give_back(&tx, place.restaurant, &[(id, -pieces)], today()).await.unwrap();
        }
        tx.commit().await.unwrap();
        let next = admin.get("/public/menu").send().await.assert(200);
        assert_eq!(state(&next.json()), (json!(left), json!(available)));
        assert_eq!(
            next.header("etag") == first.header("etag"),
            left == 2,
            "the same quantities are the same menu"
        );
    }
    assert_eq!(super::version(&place).await, version, "orders throw no computed menu away");
}

/// `HH:MM` in Budapest, so many minutes from now.
fn local(minutes: i64) -> String {
    let at = clock::now() + chrono::TimeDelta::minutes(minutes);
    at.with_timezone(&chrono_tz::Europe::Budapest).format("%H:%M").to_string()
}

fn instant(minutes: i64) -> String {
    (clock::now() + chrono::TimeDelta::minutes(minutes)).format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[testkit::test(alone)]
async fn the_menu_changes_with_time_alone() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let range = json!([{"day": "every_day", "from": local(-60), "till": local(60)}]);
    let lunch =
        text(&make(&admin, "/product-categories", json!({"name": "Ebéd", "time_ranges": range})).await["id"]);
    product(&admin, &lunch, "Menü", 2000).await;
    let always = category(&admin, "Mindig", None).await;
    let all = format!("/product-categories/{always}/products");
    make(&admin, &all, json!({"name": "Hamarosan", "base_price": 1, "expected_at": instant(30)})).await;
    make(
        &admin,
        &all,
        json!({"name": "Idény", "base_price": 1, "available_from": instant(-30),
        "available_to": instant(45)}),
    )
    .await;
    make(&admin, &all, json!({"name": "Jövő idény", "base_price": 1, "available_from": instant(90)})).await;
    let state = |menu: &Value| {
        let available = find(menu, "Menü").map(|row| row["available"] == json!(true));
        (
            available,
            find(menu, "Hamarosan").is_some(),
            find(menu, "Idény").is_some(),
            find(menu, "Jövő idény").is_some(),
        )
    };
    let start = clock::now();
    let mut tags = Vec::new();
    let steps = [
        (0, (Some(true), false, true, false)),
        (31, (Some(true), true, true, false)),
        (46, (Some(true), true, false, false)),
        (62, (Some(false), true, false, false)),
        (91, (Some(false), true, false, true)),
    ];
    for (minutes, expected) in steps {
        clock::set(start + chrono::TimeDelta::minutes(minutes));
        let answer = admin.get("/public/menu").send().await.assert(200);
        assert_eq!(state(&answer.json()), expected, "after {minutes} minutes");
        tags.push(answer.header("etag").unwrap().to_owned());
    }
    let count = tags.len();
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), count, "each state has its own ETag");
}

#[testkit::test(alone)]
async fn it_says_whether_the_restaurant_is_open() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let open = || async { menu(&admin, "").await["restaurant"]["open_now"].clone() };
    assert_eq!(open().await, true);
    admin.put("/opening-hours").json(json!({"opening_hours": []})).send().await.assert(200);
    assert_eq!(open().await, false);
    let hours: Vec<Value> = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        .iter()
        .map(|day| json!({"day": day, "open_at": local(30), "close_at": local(90)}))
        .collect();
    admin.put("/opening-hours").json(json!({"opening_hours": hours})).send().await.assert(200);
    assert_eq!(open().await, false);
    let start = clock::now();
    for (minutes, expected) in [(31, true), (92, false)] {
        clock::set(start + chrono::TimeDelta::minutes(minutes));
        assert_eq!(open().await, expected, "after {minutes} minutes");
    }
}

#[testkit::test]
async fn a_size_with_an_unsatisfiable_group_is_unavailable() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let pizzas = category(&admin, "Pizzák", None).await;
    let group = make(&admin, "/option-groups", json!({"name": "Tészta", "type": "exclusive"})).await;
    let options = format!("/option-groups/{}/options", text(&group["id"]));
    let thin = make(&admin, &options, json!({"name": "Vékony"})).await;
    let free = make(&admin, "/option-groups", json!({"name": "Feltét", "type": "inclusive"})).await;
    let body = json!({"name": "Sonkás", "subproducts": [
        {"name": "Nagy", "price": 3000, "option_group_ids": [group["id"], free["id"]]}, {"name": "Kicsi",
            "price": 2000, "option_group_ids": [free["id"]]}]});
    make(&admin, &format!("/product-categories/{pizzas}/products"), body).await;
    let available = async |channel: &str| {
        let menu = menu(&admin, &format!("?channel={channel}")).await;
        ["Nagy", "Kicsi"].map(|name| find(&menu, name).unwrap()["available"] == true)
    };
    assert_eq!(available("online").await, [true, true]);
    let option = format!("{options}/{}", text(&thin["id"]));
    admin.put(&option).json(json!({"active": false})).send().await.assert(200);
    assert_eq!(available("online").await, [false, true], "nothing to choose from");
    admin.put(&option).json(json!({"active": true, "visible_phone": false})).send().await.assert(200);
    assert_eq!(
        (available("online").await, available("phone").await),
        ([true, true], [false, true]),
        "on the channel where it is hidden"
    );
    // A group that is not offered binds nobody.
    admin
        .put(&format!("/option-groups/{}", text(&group["id"])))
        .json(json!({"active": false}))
        .send()
        .await
        .assert(200);
    assert_eq!(available("phone").await, [true, true]);
}

#[testkit::test]
async fn the_unit_of_the_tax_report_comes_from_the_restaurant() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let soups = category(&admin, "Levesek", None).await;
    let soup = product(&admin, &soups, "Gulyás", 1800).await;
    let unit = async || {
        admin.get(&path(&soup)).send().await.assert(200).json()["subproducts"][0]["effective"]["ntak_quantity_unit"].clone()
    };
    assert_eq!(unit().await, json!({"value": null, "from": "restaurant"}));
    let switches = format!("/api/v3/super-admin/restaurants/{}/switches", place.restaurant);
    let operator = place.super_admin().await;
    operator
        .put(&switches)
        .json(json!({"ntak_quantity_unit": "karton"}))
        .send()
        .await
        .assert_keys(&["ntak_quantity_unit"]);
    operator.put(&switches).json(json!({"ntak_quantity_unit": "portion"})).send().await.assert(200);
    assert_eq!(unit().await, json!({"value": "portion", "from": "restaurant"}));
    admin
        .put(&format!("/product-categories/{soups}"))
        .json(json!({"ntak_quantity_unit": "liter"}))
        .send()
        .await
        .assert(200);
    assert_eq!(unit().await, json!({"value": "liter", "from": "category"}));
}
