//! Customers from and into spreadsheets.

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use serde_json::{Value, json};
use testkit::{
    form::{FORM, form},
    kit,
};

use super::{Person, address, manager, path, person, text};

async fn send(anna: &Person<'_>, file: &[u8], dry: bool) -> testkit::Answer {
    let texts: &[(&str, &str)] = if dry { &[("dry_run", "true")] } else { &[] };
    let body = form(texts, Some(("file", "vendégek.csv", file)));
    anna.post("/shadow-customers/import").header(FORM.0, FORM.1).raw(body).send().await
}

fn counts(answer: &Value) -> [i64; 3] {
    ["added", "filled", "same"].map(|name| answer[name].as_i64().unwrap())
}

const TABLE: &str = "Vezetéknév;Keresztnév;Telefon;E-mail;Megjegyzés;Irányítószám;Város;Utca;Házszám\n\
    Kis;Anna;06 30 555 0101;anna@guest.test;törzsvendég;1111;Budapest;Fő utca;1\n\
    Nagy;Béla;0036305550102;;;;;;\n\
    Csak;Név;;;;;;;\n";

#[testkit::test]
async fn a_table_is_tried_imported_and_imported_again() {
    let place = kit().await.partner().await;
    let anna = manager(&place).await;
    let known =
        anna.enter(json!({"last_name": "Régi", "first_name": "Béla", "phone_1": "06 30 555 0102"})).await;
    let tried = send(&anna, TABLE.as_bytes(), true).await.assert(200).json();
    assert_eq!(counts(&tried), [2, 0, 1]);
    assert_eq!((&tried["rows"][1]["row"], &tried["rows"][1]["what"]), (&json!(3), &json!("same")));
    assert_eq!(anna.names("").await, ["Régi Béla"], "a rehearsal writes nothing");
    let done = send(&anna, TABLE.as_bytes(), false).await.assert(200).json();
    assert_eq!(counts(&done), [2, 0, 1]);
    assert_eq!(anna.names("").await, ["Csak Név", "Kis Anna", "Régi Béla"], "nothing is replaced");
    let again = send(&anna, TABLE.as_bytes(), false).await.assert(200).json();
    assert_eq!(counts(&again), [0, 0, 3]);
    let more = TABLE.replace("Béla;0036305550102;", "Béla;0036305550102;bela@guest.test");
    assert_eq!(counts(&send(&anna, more.as_bytes(), false).await.assert(200).json()), [0, 1, 2]);
    let read = anna.get(&path(&known)).send().await.assert(200).json();
    assert_eq!((&read["email"], &read["name"]), (&json!("bela@guest.test"), &json!("Régi Béla")));
    let row = &done["rows"][0];
    let read = anna.get(&format!("/shadow-customers/{}", text(&row["id"]))).send().await.assert(200).json();
    assert_eq!(read["addresses"].as_array().unwrap().len(), 1, "each address once");
    assert_eq!(read["comment"], "törzsvendég");
}

#[testkit::test]
async fn a_table_with_a_fault_changes_nothing() {
    let place = kit().await.partner().await;
    let anna = manager(&place).await;
    let faulty = "Vezetéknév;Telefon;E-mail\nKis;06 30 555 0101;\nNagy;nincs;rossz\nMás;+36305550101;\n";
    let refused = send(&anna, faulty.as_bytes(), false).await.assert_keys(&["file"]).json();
    let rows: Vec<(i64, String)> = refused["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["row"].as_i64().unwrap(), format!("{}:{}", text(&row["key"]), text(&row["fault"]))))
        .collect();
    assert_eq!(
        rows,
        [(3, "phone_1:pattern".into()), (3, "email:pattern".into()), (4, "phone_1:not_unique".into())]
    );
    assert_eq!(anna.names("").await, Vec::<String>::new());
    send(&anna, b"Term\xc3\xa9k;\xc3\x81r\nLeves;1\n", false).await.assert_keys(&["file"]);
    send(&anna, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", false)
        .await
        .assert_problem(415, "MEDIA_TYPE_NOT_SUPPORTED");
    send(&anna, &vec![b'a'; 5_100_000], false).await.assert_problem(413, "TOO_LARGE");
    let without =
        anna.post("/shadow-customers/import").header(FORM.0, FORM.1).raw(form(&[], None)).send().await;
    without.assert_problem(415, "MEDIA_TYPE_NOT_SUPPORTED");
    let body = form(&[("dry_run", "talán")], Some(("file", "a.csv", TABLE.as_bytes())));
    anna.post("/shadow-customers/import")
        .header(FORM.0, FORM.1)
        .raw(body)
        .send()
        .await
        .assert_keys(&["dry_run"]);
    let body = form(&[], Some(("file", "a.csv", TABLE.as_bytes())));
    anna.0
        .post("/shadow-customers/import")
        .header(FORM.0, FORM.1)
        .raw(body)
        .send()
        .await
        .assert_problem(403, "PIN_REQUIRED");
}

#[testkit::test]
async fn a_phone_is_a_whole_number_or_a_fault_of_its_row() {
    let place = kit().await.partner().await;
    let anna = manager(&place).await;
    // Excel took the first zero of both.
    let file = include_bytes!("../cases/guests-lost-zero.xlsx");
    let done = send(&anna, file, false).await.assert(200).json();
    assert_eq!(counts(&done), [2, 0, 0]);
    let mut phones = Vec::new();
    for row in done["rows"].as_array().unwrap() {
        let one = format!("/shadow-customers/{}", text(&row["id"]));
        phones.push(text(&anna.get(&one).send().await.assert(200).json()["phone_1"]));
    }
    assert_eq!(phones, ["+36301234567", "+36301234599"]);
    let cut = [
        "+36 30",
        "06 1",
        "12",
        "3.63012E+10",
        "3,63012E+10",
        "06 30 555 0100/2",
        "06 30 555 0100 mellék 2",
        "06305550100, 06305550101",
        "+363012345",
        "nincs",
    ];
    let rows: String = cut.iter().map(|phone| format!("Kis\t{phone}\n")).collect();
    let table = format!("Vezetéknév\tTelefon\n{rows}");
    let spoiled: &[u8] = include_bytes!("../cases/guests-scientific.csv");
    for (file, phones) in [(table.as_bytes(), cut.len()), (spoiled, 2)] {
        let refused = send(&anna, file, false).await.assert_keys(&["file"]).json();
        let faults = refused["rows"].as_array().unwrap();
        assert_eq!(faults.len(), phones, "{refused}");
        for (at, fault) in faults.iter().enumerate() {
            assert_eq!((&fault["row"], &fault["key"]), (&json!(at + 2), &json!("phone_1")), "{refused}");
        }
    }
}

#[testkit::test]
async fn what_is_exported_is_imported_as_it_was() {
    let place = kit().await.partner().await;
    let anna = person(&[&place], &["admin_login", "customer", "customer_export"], false).await;
    anna.enter(json!({"last_name": "=cmd|calc", "phone_1": "06 30 555 0101", "note": "@SUM(1+1)",
        "addresses": [address("Fő utca")]}))
        .await;
    anna.enter(json!({"last_name": "Más", "email": "mas@guest.test"})).await;
    let file = anna.get("/shadow-customers/export").send().await.assert(200);
    assert!(file.header("content-disposition").unwrap().contains(".xlsx"));
    let mut book = Xlsx::new(Cursor::new(file.body.clone())).unwrap();
    let name = book.sheet_names()[0].clone();
    assert_eq!(book.worksheet_formula(&name).unwrap().used_cells().count(), 0);
    let range = book.worksheet_range(&name).unwrap();
    let rows: Vec<&[Data]> = range.rows().collect();
    assert_eq!(rows[1][0], Data::String("=cmd|calc".into()));
    assert_eq!(rows[1][2], Data::String("+36305550101".into()));
    let back = send(&anna, &file.body, false).await.assert(200).json();
    assert_eq!(counts(&back), [0, 0, 2]);
    let clerk = person(&[&place], &["admin_login", "customer"], false).await;
    clerk.get("/shadow-customers/export").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
}
