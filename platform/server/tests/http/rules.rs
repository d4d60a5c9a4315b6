//! Rules of all operations that the document states and the service keeps: characters of texts, numbers of
//! lists, required bodies.

use std::collections::BTreeSet;

use kernel::text;
use serde_json::{Value, json};
use server::document;
use testkit::kit;

use super::operations;

#[testkit::test]
async fn names_are_one_line_and_notes_have_several() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    for name in [
        "Kata\nKatalin",
        "Kata\r\nBcc: x@pult.test",
        "Kata\tK",
        "Kata\0",
        "\u{1b}[31mKata",
        "Kata\u{7f}",
        "Kata\u{85}",
    ] {
        let body = json!({"first_name": name, "last_name": "Futár"});
        admin.post("/couriers").json(body).send().await.assert_keys(&["first_name"]);
    }
    for blank in ["", "  ", "\u{a0}", "\u{feff}"] {
        let body = json!({"first_name": blank, "last_name": "Futár"});
        admin.post("/couriers").json(body).send().await.assert_keys(&["first_name"]);
    }
    let body = json!({"first_name": "Kata", "last_name": "Futár", "note": "két sor:\nsárga\tbicikli"});
    let made = admin.post("/couriers").json(body).send().await.assert(201).json();
    assert_eq!(made["note"], "két sor:\nsárga\tbicikli");
    let path = format!("/couriers/{}", made["id"].as_str().unwrap());
    for note in ["a\0", "\u{1b}[31m", "a\u{9b}"] {
        admin.put(&path).json(json!({"note": note})).send().await.assert_keys(&["note"]);
    }
}

#[testkit::test]
async fn a_name_that_comes_with_a_file_is_one_line_too() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let body = "--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nItal\nlap\r\n--b--\r\n";
    let form = |path: &'static str| {
        admin.post(path).header("content-type", "multipart/form-data; boundary=b").raw(body).send()
    };
    form("/product-categories").await.assert_keys(&["name"]);
    let keys = form("/images").await.assert_problem(422, "VALIDATION_FAILED").json()["keys"].clone();
    assert!(keys.as_array().unwrap().contains(&json!("name")), "{keys}");
    // What is no text at all is said at its field.
    let bytes = b"--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\n\xff\xfe\r\n--b--\r\n".to_vec();
    let sent = admin
        .post("/product-categories")
        .header("content-type", "multipart/form-data; boundary=b")
        .raw(bytes)
        .send();
    sent.await.assert_keys(&["name"]);
}

#[testkit::test]
async fn nul_in_an_address_does_not_reach_the_database() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    admin.get("/couriers?name=a%00b").send().await.assert_keys(&["name"]);
    admin.get("/couriers/%00").send().await.assert_keys(&["path"]);
    admin.get("/api/v3/admin/documentations/a%00b/download").send().await.assert_keys(&["path"]);
    admin.get("/couriers?name=a%250").send().await.assert(200);
}

#[testkit::test]
async fn a_list_takes_what_the_document_says() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    for (query, keys) in [
        ("count=null", &["count"][..]),
        ("count=", &["count"]),
        ("count=TRUE", &["count"]),
        ("page=-1", &["page"]),
        ("page=1000001", &["page"]),
        ("page=&limit=0", &["limit", "page"]),
        ("limit=1000001", &["limit"]),
        ("limit=1.5", &["limit"]),
    ] {
        admin.get(&format!("/audit?{query}")).send().await.assert_keys(keys);
    }
    for query in ["count=true", "count=1", "count=false", "page=1000000", "limit=1000000"] {
        admin.get(&format!("/audit?{query}")).send().await.assert(200);
    }
    // A number that its type cannot hold is said at its field, not of the whole body.
    let made = admin
        .post("/couriers")
        .json(json!({"first_name": "Kata", "last_name": "Futár"}))
        .send()
        .await
        .assert(201)
        .json();
    let path = format!("/couriers/{}", made["id"].as_str().unwrap());
    admin
        .put(&path)
        .json(json!({"version": 18_446_744_073_709_551_615_u64}))
        .send()
        .await
        .assert_keys(&["version"]);
}

fn schema<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
    match schema["$ref"].as_str() {
        Some(reference) => document.pointer(&reference[1..]).unwrap(),
        None => schema,
    }
}

/// A body is required where something in it is: older clients send none where nothing has to be
/// said.
#[test]
fn bodies_are_required_where_something_in_them_is() {
    let document = document::full();
    let mut seen = BTreeSet::new();
    for (method, path, operation) in operations(&document) {
        let content = &operation["requestBody"]["content"]["application/json; charset=utf-8"]["schema"];
        if content.is_null() {
            continue;
        }
        let asks = schema(&document, content)["required"].as_array().is_some_and(|names| !names.is_empty());
        let required = operation["requestBody"]["required"] == true;
        assert!(required || !asks, "{method} {path}");
        seen.insert(required);
    }
    assert_eq!(seen.len(), 2);
}

/// Each text that is sent has a pattern or a format, and no pattern lets a control character through.
#[test]
fn the_document_says_which_characters_a_text_may_hold() {
    fn walk(place: &str, value: &Value, open: &mut Vec<String>) {
        let free = value["type"] == "string" && value.get("enum").is_none();
        if free && value["format"] != "message" {
            let pattern = value["pattern"].as_str();
            let lets_through = |text: &str| {
                pattern.is_some_and(|pattern| regex::Regex::new(pattern).unwrap().is_match(text))
            };
            let samples = ["\0", "a\0", "\u{1b}", "a\u{1b}", "a\u{7f}", "a\u{85}a", "a@a.\u{1}a"];
            if pattern.is_none() && value.get("format").is_none()
                || samples.iter().any(|text| lets_through(text))
            {
                open.push(place.to_owned());
            }
            let lines = [Some(text::LINES), text::not_blank(text::LINES)].contains(&pattern);
            if lets_through("a\na") && !lines {
                open.push(format!("{place}: several lines"));
            }
        }
        for (name, property) in value["properties"].as_object().into_iter().flatten() {
            walk(&format!("{place}.{name}"), property, open);
        }
        if let Some(items) = value.get("items") {
            walk(&format!("{place}[]"), items, open);
        }
    }
    let document = document::full();
    let mut open = Vec::new();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        // By convention the names of bodies; what only is answered (a line of the history) says nothing of
        // characters.
        if name != "SettingsChange" && (name.starts_with("New") || name.ends_with("Change")) {
            walk(name, schema, &mut open);
        }
    }
    assert_eq!(open, Vec::<String>::new());
    for (method, path, operation) in operations(&document) {
        for parameter in operation["parameters"].as_array().unwrap() {
            let schema = &parameter["schema"];
            let bounded = ["pattern", "format", "enum"].iter().any(|rule| schema.get(rule).is_some());
            let reference = schema.get("$ref").is_some() || schema.get("allOf").is_some();
            assert!(
                schema["type"] != "string" || bounded || reference || parameter["in"] == "header",
                "{method} {path} {parameter}"
            );
        }
    }
}

#[testkit::test]
async fn a_parameter_that_nothing_reads_is_refused() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let groups = format!("/api/v3/admin/partners/{}/restaurant-groups?name=a&zzz=1", place.partner);
    place.partner_admin().await.get(&groups).send().await.assert_keys(&["zzz"]);
    admin.get("/couriers?naem=a").send().await.assert_keys(&["naem"]);
    admin.get("/api/v3/release-infos?show_only_news=true").send().await.assert(200);
    admin.get("/api/v3/release-infos?only_news=true").send().await.assert_keys(&["only_news"]);
    place
        .super_admin()
        .await
        .get("/api/v3/super-admin/documentations?nmae=a")
        .send()
        .await
        .assert_keys(&["nmae"]);
    let shop = place.api_key(&["menu:read", "orders:write"]).await;
    shop.get("/public/menu?chanel=online").send().await.assert_keys(&["chanel"]);
    shop.get("/public/menu?pickup=true").send().await.assert(200);
    shop.get("/public/opening-hours?x=1&y=2").send().await.assert_keys(&["x", "y"]);
}
