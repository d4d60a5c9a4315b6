//! Importing streets and towns.

use rust_xlsxwriter::Workbook;
use serde_json::{Value, json};
use testkit::{
    Answer, Client,
    form::{FORM, form},
    kit,
};

use super::{KEYS, at, region, street};

async fn send(client: &Client<'_>, path: &str, texts: &[(&str, &str)], file: &[u8]) -> Answer {
    let body = form(texts, Some(("file", "lista", file)));
    client.post(path).header(FORM.0, FORM.1).raw(body).send().await
}

fn workbook(rows: &[[&str; 4]]) -> Vec<u8> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for (row, cells) in (0_u32..).zip(rows) {
        for (column, cell) in (0_u16..).zip(cells) {
            match cell.parse::<f64>() {
                Ok(number) => sheet.write_number(row, column, number).unwrap(),
                Err(_) => sheet.write_string(row, column, *cell).unwrap(),
            };
        }
    }
    book.save_to_buffer().unwrap()
}

#[testkit::test]
async fn streets_come_from_a_spreadsheet_all_or_none() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(KEYS).await;
    let home = region(&admin, "Belváros", json!({})).await;
    street(&admin, &home, json!({"name": "Fő utca", "postcode": "9021", "price": 100})).await;
    street(&admin, &home, json!({"name": "Kis köz", "price": 100})).await;
    let path = format!("{}/streets/import", at(&home));
    let streets = async || {
        let rows = admin.get(&format!("{}/streets", at(&home))).send().await.assert(200).json();
        let rows = rows.as_array().unwrap().clone();
        rows.into_iter()
            .map(|row| (row["name"].as_str().unwrap().to_owned(), row["price"].clone()))
            .collect::<Vec<_>>()
    };
    let faulty = "utca;irsz;ár\nNagy utca;9021;700\nFő utca;9021;12,5\n;9021;1\n";
    let refused = send(&admin, &path, &[], faulty.as_bytes()).await;
    let rows = refused.assert_problem(422, "VALIDATION_FAILED").assert_keys(&["file"]).json()["rows"].clone();
    assert_eq!(rows, json!([{"row": 4, "key": "name", "fault": "required"}]));
    let half = "utca;irsz;ár\nNagy utca;9021;700\nFő utca;9021;12,5\n";
    let refused = send(&admin, &path, &[], half.as_bytes()).await;
    let rows = refused.assert_problem(422, "VALIDATION_FAILED").json()["rows"].clone();
    assert_eq!(rows, json!([{"row": 3, "key": "price", "fault": "invalid", "name": "Fő utca"}]), "no fillér");
    assert_eq!(streets().await.len(), 2);

    let book = workbook(&[
        ["Utca", "Irányítószám", "Ár", "Aktív"],
        ["Nagy utca", "9021", "700", "igen"],
        ["fő u.", "9021", "", "nem"],
        ["Kis köz", "", "100", ""],
    ]);
    let done = send(&admin, &path, &[], &book).await.assert(200).json();
    assert_eq!(done, json!({"added": 1, "changed": 1}));
    let expected: Vec<(String, Value)> =
        [("Fő utca", Value::Null), ("Kis köz", json!(100)), ("Nagy utca", json!(700))]
            .map(|(name, price)| (name.to_owned(), price))
            .into();
    assert_eq!(streets().await, expected);
    assert_eq!(send(&admin, &path, &[], &book).await.assert(200).json(), json!({"added": 0, "changed": 0}));
}

#[testkit::test]
async fn towns_become_regions() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(KEYS).await;
    region(&admin, "Győr", json!({"price": 300})).await;
    let list =
        "Település;Díj;Minimum;Irányítószám\nGyőr;490;3000;9021\nGyőr;490;3000;9022\nAbda;990 Ft;4000;\n";
    let path = "/delivery-regions/import";
    let told = |done: &Value| -> Vec<(i64, String)> {
        let rows = done["rows"].as_array().unwrap().clone();
        rows.iter()
            .map(|row| (row["row"].as_i64().unwrap(), row["what"].as_str().unwrap().to_owned()))
            .collect()
    };
    let expected: Vec<_> =
        [(2, "changed"), (3, "changed"), (4, "added")].map(|(row, what)| (row, what.to_owned())).into();
    let dry = send(&admin, path, &[("dry_run", "true")], list.as_bytes()).await.assert(200).json();
    assert_eq!((told(&dry), &dry["added"], &dry["changed"]), (expected.clone(), &json!(1), &json!(1)));
    assert_eq!((place.count("delivery_region").await, place.count("delivery_street").await), (1, 0));
    let done = send(&admin, path, &[], list.as_bytes()).await.assert(200).json();
    assert_eq!(done, dry);
    let regions = admin.get("/delivery-regions").send().await.assert(200).json();
    let shown: Vec<Value> = regions
        .as_array()
        .unwrap()
        .iter()
        .map(|row| json!([row["name"], row["price"], row["min_order_price"], row["streets"]]))
        .collect();
    assert_eq!(json!(shown), json!([["Abda", 990, 4000, 1], ["Győr", 490, 3000, 2]]));
    let again = send(&admin, path, &[], list.as_bytes()).await.assert(200).json();
    assert!(told(&again).iter().all(|(_, what)| what == "same"), "{again}");
    let found = admin.get("/delivery-regions/check?postcode=9022&city=Győr&street=Bármi").send().await;
    assert_eq!(found.assert(200).json()["winner"]["name"], json!("Győr"));
    // Two regions of one name: nobody knows which is meant.
    region(&admin, "ABDA", json!({})).await;
    let refused =
        send(&admin, path, &[], list.as_bytes()).await.assert_problem(422, "VALIDATION_FAILED").json();
    assert_eq!(refused["rows"], json!([{"row": 4, "key": "city", "fault": "not_unique", "name": "Abda"}]));
    // Of a workbook as of a text; a row whose town cannot be read has none.
    let book = workbook(&[
        ["Település", "Díj", "Minimum", "Irányítószám"],
        ["Páty", "sok", "3000", ""],
        ["", "1", "1", ""],
        ["Érd", "1290", "", "2030"],
    ]);
    let refused = send(&admin, path, &[], &book).await.assert_problem(422, "VALIDATION_FAILED").json();
    assert_eq!(
        refused["rows"],
        json!([
            {"row": 2, "key": "price", "fault": "type", "name": "Páty"},
            {"row": 3, "key": "city", "fault": "required"},
        ])
    );
    send(&admin, path, &[("dry_run", "maybe")], list.as_bytes())
        .await
        .assert_problem(422, "VALIDATION_FAILED");
}

#[testkit::test]
async fn what_is_no_list_is_refused() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(KEYS).await;
    let home = region(&admin, "Belváros", json!({})).await;
    let streets = format!("{}/streets/import", at(&home));
    let many =
        format!("name\n{}", (0..5_001).map(|number| format!("Utca{number} köz\n")).collect::<String>());
    let large = vec![b'a'; 5_100_000];
    for path in [streets.as_str(), "/delivery-regions/import"] {
        for (file, status, code) in [
            (&b"%PDF-1.7 nothing"[..], 415, "MEDIA_TYPE_NOT_SUPPORTED"),
            (b"\x89PNG\r\n\x1a\n", 415, "MEDIA_TYPE_NOT_SUPPORTED"),
            (b"PK\x03\x04broken", 422, "VALIDATION_FAILED"),
            (b"", 422, "VALIDATION_FAILED"),
            (b"valami;mas\n1;2\n", 422, "VALIDATION_FAILED"),
            (&large, 413, "TOO_LARGE"),
        ] {
            let refused = send(&admin, path, &[], file).await;
            assert!(
                refused.status == status || file.is_empty() && refused.status == 415,
                "{path}: {} {code} {}",
                refused.status,
                refused.text()
            );
        }
        let none = admin.post(path).json(json!({"file": 1})).send().await;
        none.assert_problem(415, "MEDIA_TYPE_NOT_SUPPORTED");
    }
    send(&admin, &streets, &[], many.as_bytes())
        .await
        .assert_problem(422, "VALIDATION_FAILED")
        .assert_keys(&["file"]);
    // A region that is not there is told before its file is read.
    let elsewhere = format!("/delivery-regions/{}/streets/import", uuid::Uuid::now_v7());
    send(&admin, &elsewhere, &[], b"valami").await.assert_problem(404, "DELIVERY_REGION_NOT_EXIST");
    assert_eq!(place.count("delivery_street").await, 0);
}
