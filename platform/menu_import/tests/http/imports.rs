//! Imports of menus through HTTP.

use rust_xlsxwriter::{Format, Workbook};
use serde_json::{Value, json};
use testkit::{Answer, Client, Place, kit};

const BISTRO: &[u8] = include_bytes!("../files/bistro.tsv");

async fn upload(client: &Client<'_>, name: &str, bytes: &[u8]) -> Answer {
    let border = "x-border-x";
    let head = format!(
        "--{border}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\ncontent-type: \
         text/plain\r\n\r\n"
    );
    let body = [head.as_bytes(), bytes, format!("\r\n--{border}--\r\n").as_bytes()].concat();
    client
        .post("/menu-imports")
        .header("content-type", format!("multipart/form-data; boundary={border}"))
        .raw(body)
        .send()
        .await
}

/// The import once its rehearsal is done; another process may be the one that does it.
async fn settled(place: &Place<'_>, client: &Client<'_>, id: &str) -> Value {
    for _ in 0..200 {
        place.kit.run_jobs().await;
        let import = client.get(&format!("/menu-imports/{id}")).send().await.assert(200).json();
        if !matches!(import["status"].as_str(), Some("waiting" | "reading")) {
            return import;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the rehearsal never ended");
}

async fn rehearsed(place: &Place<'_>, client: &Client<'_>, name: &str, bytes: &[u8]) -> Value {
    let import = upload(client, name, bytes).await.assert(201).json();
    settled(place, client, import["id"].as_str().unwrap()).await
}

async fn post(client: &Client<'_>, import: &Value, verb: &str) -> Answer {
    client.post(&format!("/menu-imports/{}/{verb}", import["id"].as_str().unwrap())).send().await
}

/// The whole menu as the API shows it, without versions: they only go up.
async fn menu(client: &Client<'_>) -> Value {
    let mut menu = client.get("/product-categories?all_products=true").send().await.assert(200).json();
    fn strip(value: &mut Value) {
        match value {
            Value::Object(map) => {
                map.remove("version");
                map.values_mut().for_each(strip);
            }
            Value::Array(rows) => rows.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut menu);
    menu
}

async fn version(place: &Place<'_>) -> i64 {
    let sql = format!("select catalogue_version v from {}.restaurant where id = $1", place.schema);
    place.kit.row(&sql, vec![place.restaurant.into()]).await.try_get("", "v").unwrap()
}

#[testkit::test]
async fn a_menu_is_rehearsed_applied_and_undone() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    let import = rehearsed(&place, &client, "../../etlap.tsv", BISTRO).await;
    assert_eq!(import["status"], "ready", "{import}");
    assert_eq!(
        (&import["file_name"], &import["can_apply"], &import["progress"]),
        (&json!("etlap.tsv"), &json!(true), &json!(100))
    );
    assert_eq!(import["counts"]["new"], 199);
    assert_eq!(menu(&client).await, json!([]), "a rehearsal writes nothing");
    let before = version(&place).await;
    let applied = post(&client, &import, "apply").await.assert(200).json();
    assert_eq!(applied["status"], "applied");
    assert!(applied["undo_until"].is_string());
    assert_eq!(version(&place).await, before + 1, "once per transaction");
    let made = menu(&client).await;
    assert_eq!(made.as_array().unwrap().len(), 36);
    assert_eq!(made[0]["name"], "Levesek");
    assert_eq!(made[0]["products"][2]["name"], "Marhapofa gulyás");
    assert_eq!(made[0]["products"][2]["base_price"], 1800);
    let vats: Vec<&Value> = made
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|category| category["products"].as_array().into_iter().flatten())
        .map(|product| &product["effective"]["sit_in_vat"]["percent"])
        .collect();
    assert!(!vats.is_empty() && vats.iter().all(|vat| **vat == 27), "nobody chose a lower rate: {vats:?}");
    post(&client, &import, "apply").await.assert_problem(409, "MENU_IMPORT_NOT_READY");

    // The same file again: nothing to do.
    let again = rehearsed(&place, &client, "etlap.tsv", BISTRO).await;
    assert_eq!((&again["counts"]["unchanged"], &again["counts"]["new"]), (&json!(199), &json!(0)));

    // Other prices: changed, with before and after; undone, everything is as it was.
    let dearer = String::from_utf8(BISTRO.to_vec()).unwrap().replace("\t1800\n", "\t1 990 Ft\n");
    let import = rehearsed(&place, &client, "etlap.tsv", dearer.as_bytes()).await;
    assert_eq!(import["counts"]["changed"], 4, "{import}");
    let path = format!("/menu-imports/{}/lines?kind=changed&count=true", import["id"].as_str().unwrap());
    let lines = client.get(&path).send().await.assert(200);
    assert_eq!(lines.header("x-total-count"), Some("4"));
    assert_eq!(
        lines.json()[0]["differences"],
        json!([{"field": "price", "before": "1800", "after": "1990"}])
    );
    post(&client, &import, "apply").await.assert(200);
    assert_ne!(menu(&client).await, made);
    let undone = post(&client, &import, "undo").await.assert(200).json();
    assert_eq!((&undone["status"], &undone["undo_until"]), (&json!("undone"), &Value::Null));
    assert_eq!(menu(&client).await, made, "exactly what was");
    post(&client, &import, "undo").await.assert_problem(409, "MENU_IMPORT_NOT_READY");
    post(&client, &applied, "undo").await.assert_problem(409, "MENU_IMPORT_CHANGED");
}

#[testkit::test]
async fn an_undo_takes_new_rows_away_and_refuses_when_somebody_changed_them() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    let file = "Kategória;Név;Ár\nLevesek;Bableves;900\n".as_bytes();
    let import = rehearsed(&place, &client, "a.csv", file).await;
    post(&client, &import, "apply").await.assert(200);
    post(&client, &import, "undo").await.assert(200);
    assert_eq!(menu(&client).await, json!([]));
    // Deleted rows are not the file's: it imports anew.
    let import = rehearsed(&place, &client, "a.csv", file).await;
    assert_eq!(import["counts"]["new"], 1);
    post(&client, &import, "apply").await.assert(200);
    let category = menu(&client).await[0]["id"].as_str().unwrap().to_owned();
    let product = json!({"name": "Kézzel", "base_price": 100});
    client.post(&format!("/product-categories/{category}/products")).json(product).send().await.assert(201);
    let refused = post(&client, &import, "undo").await.assert_problem(409, "MENU_IMPORT_CHANGED").json();
    assert_eq!(refused["changed"], json!(["Kézzel"]));
}

#[testkit::test]
async fn an_undo_is_refused_while_something_consists_of_its_rows() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    let of_day = json!({"name": "Menü"});
    let of_day = client.post("/product-categories").json(of_day).send().await.assert(201).json();
    let import =
        rehearsed(&place, &client, "a.csv", "Kategória;Név;Ár\nLevesek;Bableves;900\n".as_bytes()).await;
    post(&client, &import, "apply").await.assert(200);
    let all = menu(&client).await;
    let soups = all.as_array().unwrap().iter().find(|category| category["name"] == "Levesek").unwrap();
    let soup = &soups["products"][0]["subproducts"][0]["id"];
    let parts = json!([{"subproduct_id": soup, "pieces": 1}]);
    let body =
        json!({"name": "Napi", "subproducts": [{"name": "Kis napi", "price": 900, "components": parts}]});
    let products = format!("/product-categories/{}/products", of_day["id"].as_str().unwrap());
    let made = client.post(&products).json(body).send().await.assert(201).json();
    let group = json!({"name": "Leves", "type": "exclusive"});
    let group = client.post("/option-groups").json(group).send().await.assert(201).json();
    let options = format!("/option-groups/{}/options", group["id"].as_str().unwrap());
    let option = json!({"name": "Babos", "subproduct_id": soup});
    let option = client.post(&options).json(option).send().await.assert(201).json();
    let refused = post(&client, &import, "undo").await.assert_problem(409, "MENU_IMPORT_CHANGED").json();
    assert_eq!(refused["changed"], json!(["Babos", "Kis napi"]));
    client.delete(&format!("{options}/{}", option["id"].as_str().unwrap())).send().await.assert(204);
    client.delete(&format!("{products}/{}", made["id"].as_str().unwrap())).send().await.assert(204);
    post(&client, &import, "undo").await.assert(200);
}

/// What the menu consists of, with pieces; and which sizes and pieces the option stands for.
async fn parts(client: &Client<'_>) -> (Value, Value) {
    let all = menu(client).await;
    let lunch = all.as_array().unwrap().iter().find(|category| category["name"] == "Menük").unwrap();
    let size = &lunch["products"][0]["subproducts"][0];
    let pieces = size["components"].as_array().unwrap().iter().map(|part| part["pieces"].clone());
    (json!([size["deposit_pieces"], pieces.collect::<Vec<_>>()]), json!(size["components"]))
}

#[testkit::test]
async fn components_are_written_and_come_back_with_the_undo() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    let file = |cell: &str| {
        format!(
            "Kategória;Név;Ár;Betétdíjas darab;Menü részei\nMenük;Ebéd;2900;;{cell}\nLevesek;Bableves;900;;\n\
             Italok;Kóla;600;1;\n"
        )
    };
    let import = rehearsed(&place, &client, "a.csv", file("Bableves + 2 × Kóla").as_bytes()).await;
    assert_eq!(import["counts"]["faults"], 0, "{import}");
    post(&client, &import, "apply").await.assert(200);
    let first = parts(&client).await;
    assert_eq!(first.0, json!([0, [1, 2]]));

    let second = rehearsed(&place, &client, "a.csv", file("-").as_bytes()).await;
    assert_eq!(second["counts"]["changed"], 1, "{second}");
    post(&client, &second, "apply").await.assert(200);
    assert_eq!(parts(&client).await.0, json!([0, []]));
    post(&client, &second, "undo").await.assert(200);
    assert_eq!(parts(&client).await, first, "in their order, with their pieces");

    // What consisted of it meanwhile and is gone does not stand in the way.
    let again = rehearsed(&place, &client, "a.csv", file("-").as_bytes()).await;
    post(&client, &again, "apply").await.assert(200);
    let lunch = menu(&client).await;
    let lunch =
        lunch.as_array().unwrap().iter().find(|category| category["name"] == "Menük").unwrap().clone();
    let parts_of = json!([{"subproduct_id": lunch["products"][0]["subproducts"][0]["id"], "pieces": 1}]);
    let feast =
        json!({"name": "Lakoma", "subproducts": [{"name": "", "price": 9000, "components": parts_of}]});
    let products = format!("/product-categories/{}/products", lunch["id"].as_str().unwrap());
    let feast = client.post(&products).json(feast).send().await.assert(201).json();
    let refused = post(&client, &again, "undo").await.assert_problem(409, "MENU_IMPORT_CHANGED").json();
    assert_eq!(refused["changed"], json!(["Ebéd"]));
    client.delete(&format!("{products}/{}", feast["id"].as_str().unwrap())).send().await.assert(204);
    post(&client, &again, "undo").await.assert(200);
    assert_eq!(parts(&client).await, first);

    // Taken away again; what it consisted of consists of something itself since then, so it cannot come back.
    let third = rehearsed(&place, &client, "a.csv", file("-").as_bytes()).await;
    post(&client, &third, "apply").await.assert(200);
    let all = menu(&client).await;
    let of = |name: &str| {
        let found = all.as_array().unwrap().iter().find(|category| category["name"] == name).unwrap();
        let product = &found["products"][0];
        let path = format!(
            "/product-categories/{}/products/{}",
            found["id"].as_str().unwrap(),
            product["id"].as_str().unwrap()
        );
        (path, product["subproducts"][0]["id"].clone())
    };
    let ((soup, size), (_, cola)) = (of("Levesek"), of("Italok"));
    let nested = json!({"subproducts": [{"id": size, "components": [{"subproduct_id": cola, "pieces": 1}]}]});
    client.put(&soup).json(nested).send().await.assert(200);
    let refused = post(&client, &third, "undo").await.assert_problem(409, "MENU_IMPORT_CHANGED").json();
    assert_eq!(refused["changed"], json!(["Ebéd"]));
}

#[testkit::test]
async fn faulty_rows_are_named_and_left_out_on_purpose_only() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    let import = rehearsed(
        &place,
        &client,
        "a.csv",
        "Kategória;Név;Ár;Áfa\nLevesek;Bableves;900;27\nLevesek;Lencse;sok;26\n".as_bytes(),
    )
    .await;
    assert_eq!((&import["can_apply"], &import["counts"]["faulty_rows"]), (&json!(false), &json!(1)));
    let path = format!("/menu-imports/{}", import["id"].as_str().unwrap());
    let faults = client.get(&format!("{path}/faults?count=true")).send().await.assert(200);
    assert_eq!(faults.header("x-total-count"), Some("2"));
    let fault = &faults.json()[0];
    assert_eq!(
        (&fault["row"], &fault["column"], &fault["key"], &fault["reason"], &fault["value"]),
        (&json!(3), &json!("C"), &json!("price"), &json!("type"), &json!("sok"))
    );
    let refused = post(&client, &import, "apply").await.assert_keys(&["skip_faulty"]).json();
    assert_eq!(refused["rows"], json!([{"row": 3, "key": "price"}, {"row": 3, "key": "vat"}]));
    let import = client
        .put(&path)
        .json(json!({"skip_faulty": true, "version": import["version"]}))
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!((&import["can_apply"], &import["status"]), (&json!(true), &json!("ready")));
    post(&client, &import, "apply").await.assert(200);
    assert_eq!(menu(&client).await[0]["products"].as_array().unwrap().len(), 1);
    client.put(&path).json(json!({})).send().await.assert_problem(409, "MENU_IMPORT_NOT_READY");
}

#[testkit::test]
async fn texts_that_look_like_formulas_stand_on_the_menu_as_they_were_written() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    let file = workbook(&[(
        "Étlap",
        &["Kategória|Név|Leírás|Ár", "=Levesek|-5 fokos leves|@SUM(1+1)|900", "|+1 gombóc|=cmd!A1|300"],
    )]);
    let import = rehearsed(&place, &client, "a.xlsx", &file).await;
    post(&client, &import, "apply").await.assert(200);
    let written = menu(&client).await;
    let product = |at: usize| {
        (written[0]["products"][at]["name"].clone(), written[0]["products"][at]["description"].clone())
    };
    assert_eq!(written[0]["name"], "=Levesek");
    assert_eq!(
        [product(0), product(1)],
        [("-5 fokos leves", "@SUM(1+1)"), ("+1 gombóc", "=cmd!A1")]
            .map(|(name, text)| (json!(name), json!(text)))
    );
    // The same from a text file, as our own exports write it: nothing to do.
    let text = "\u{feff}Kategória;Név;Leírás;Ár\r\n\"'=Levesek\";\"'-5 fokos \
        leves\";\"'@SUM(1+1)\";900\r\n;\"'+1 gombóc\";\"'=cmd!A1\";300";
    let again = rehearsed(&place, &client, "a.csv", text.as_bytes()).await;
    assert_eq!((&again["counts"]["unchanged"], &again["counts"]["new"]), (&json!(2), &json!(0)));
}

#[testkit::test]
async fn sheets_and_columns_can_be_chosen() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    let mut book = Workbook::new();
    book.add_worksheet().set_name("Borítólap").unwrap().write(0, 0, "Üdv!").unwrap();
    let sheet = book.add_worksheet().set_name("Ételek").unwrap();
    sheet.merge_range(0, 0, 0, 2, "Étlapunk", &Format::new()).unwrap();
    sheet.write_row(1, 0, ["Fejezet", "Fogás neve nálunk", "Mennyi"]).unwrap();
    sheet.write_row(2, 0, ["Levesek", "Bableves", "1 990 Ft"]).unwrap();
    let import = rehearsed(&place, &client, "a.xlsx", &book.save_to_buffer().unwrap()).await;
    assert_eq!(
        (&import["sheets"], &import["missing_fields"]),
        (&json!(["Borítólap", "Ételek"]), &json!(["name", "price"]))
    );
    post(&client, &import, "apply").await.assert_keys(&["name", "price"]);
    let path = format!("/menu-imports/{}", import["id"].as_str().unwrap());
    let mapping = json!([{"column": 0, "field": "category"}, {"column": 1, "field": "name"}, {"column": 2,
        "field": "price"}]);
    client.put(&path).json(json!({"sheet": "Nincs"})).send().await.assert_keys(&["sheet"]);
    client
        .put(&path)
        .json(json!({"mapping": [{"column": 0, "field": "name"}, {"column": 0, "field": "name"}]}))
        .send()
        .await
        .assert_keys(&["mapping.1.field"]);
    client
        .put(&path)
        .json(json!({"sheet": "Ételek", "header_row": 2, "mapping": mapping}))
        .send()
        .await
        .assert(200);
    let import = settled(&place, &client, import["id"].as_str().unwrap()).await;
    assert_eq!(
        (&import["sheet"], &import["counts"]["new"], &import["can_apply"]),
        (&json!("Ételek"), &json!(1), &json!(true)),
        "{import}"
    );
    assert_eq!(import["columns"][1]["samples"], json!(["Bableves"]));
}

#[testkit::test]
async fn a_menu_that_changed_since_the_rehearsal_is_rehearsed_again() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    let import =
        rehearsed(&place, &client, "a.csv", "Kategória;Név;Ár\nLevesek;Bableves;900\n".as_bytes()).await;
    client.post("/product-categories").json(json!({"name": "Levesek"})).send().await.assert(201);
    post(&client, &import, "apply").await.assert_problem(409, "MENU_IMPORT_OUTDATED");
    client
        .put(&format!("/menu-imports/{}", import["id"].as_str().unwrap()))
        .json(json!({}))
        .send()
        .await
        .assert(200);
    let import = settled(&place, &client, import["id"].as_str().unwrap()).await;
    assert_eq!(import["counts"]["new_categories"], 0);
    post(&client, &import, "apply").await.assert(200);
}

#[testkit::test]
async fn a_price_list_with_a_column_for_each_size_is_applied_and_undone() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    let file = include_bytes!("../files/pizzeria.csv");
    let import = rehearsed(&place, &client, "pizzeria.csv", file).await;
    assert_eq!((&import["can_apply"], &import["missing_fields"]), (&json!(true), &json!([])), "{import}");
    assert_eq!(
        [&import["counts"]["new_products"], &import["counts"]["new_sizes"], &import["counts"]["rows"]],
        [20, 45, 20]
    );
    let sizes: Vec<&Value> = import["columns"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|column| column["field"] == "size_price")
        .map(|column| &column["size"])
        .collect();
    assert_eq!(sizes, ["30cm", "40cm", "50cm"]);
    assert_eq!(
        import["unused_columns"][0],
        json!({"sheet": null, "letter": "C", "heading": "Feltét", "samples": [
            "paradicsomszósz, mozzarella, bazsalikom", "paradicsomszósz, sonka, mozzarella",
            "paradicsomszósz, szalámi, mozzarella"]})
    );
    let before = version(&place).await;
    post(&client, &import, "apply").await.assert(200);
    assert_eq!(version(&place).await, before + 1);
    let made = menu(&client).await;
    let pizza = &made[0]["products"][0];
    let prices: Vec<(&str, i64)> = pizza["subproducts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|size| (size["name"].as_str().unwrap(), size["price"].as_i64().unwrap()))
        .collect();
    assert_eq!(prices, [("30cm", 2190), ("40cm", 3290), ("50cm", 4990)]);

    // One price more, and one other: an empty cell changes nothing.
    let again = "Kategória;Név;30 cm;40 cm;50 cm;60 cm\nPizzák;Margherita;2290;;;6990\n";
    let import = rehearsed(&place, &client, "a.csv", again.as_bytes()).await;
    assert_eq!([&import["counts"]["new_sizes"], &import["counts"]["changed_sizes"]], [1, 1], "{import}");
    let applied = post(&client, &import, "apply").await.assert(200).json();
    let pizza = &menu(&client).await[0]["products"][0];
    let prices: Vec<&Value> =
        pizza["subproducts"].as_array().unwrap().iter().map(|size| &size["price"]).collect();
    assert_eq!(prices, [2290, 3290, 4990, 6990]);
    post(&client, &applied, "undo").await.assert(200);
    assert_eq!(menu(&client).await, made, "exactly what was");
}

#[testkit::test]
async fn sizes_are_given_to_columns() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    let file = "Pizza;A;B\nSonkás;2490;3490\n".as_bytes();
    let import = rehearsed(&place, &client, "a.csv", file).await;
    assert_eq!(import["missing_fields"], json!(["name", "price"]));
    let path = format!("/menu-imports/{}", import["id"].as_str().unwrap());
    let mapped = |columns: Value| client.put(&path).json(json!({"header_row": 1, "mapping": columns})).send();
    let size = |column: i32, size: &str| json!({"column": column, "field": "size_price", "size": size});
    let name = json!({"column": 0, "field": "name"});
    mapped(json!([name, {"column": 1, "field": "size_price"}, size(2, "  ")]))
        .await
        .assert_keys(&["mapping.1.size", "mapping.2.size"]);
    mapped(json!([name, size(1, "30 cm"), size(2, "30CM")])).await.assert_keys(&["mapping.2.size"]);
    mapped(json!([name, size(1, "30 cm"), size(1, "40 cm")])).await.assert_keys(&["mapping.2.column"]);
    mapped(json!([{"column": 0, "field": "name", "size": "30 cm"}])).await.assert_keys(&["mapping.0.size"]);
    mapped(json!([{"column": 0, "field": "option"}])).await.assert_keys(&["mapping.0.field"]);
    mapped(json!([name, size(1, "30 cm"), size(2, "40 cm")])).await.assert(200);
    let import = settled(&place, &client, import["id"].as_str().unwrap()).await;
    assert_eq!(import["missing_fields"], json!([]));
    let faults = client.get(&format!("{path}/faults")).send().await.assert(200).json();
    assert_eq!((&faults[0]["key"], &faults[0]["reason"]), (&json!("category"), &json!("required")));
}

/// A workbook of sheets, each with its name and its rows.
fn workbook(sheets: &[(&str, &[&str])]) -> Vec<u8> {
    let mut book = Workbook::new();
    for (name, rows) in sheets {
        let sheet = book.add_worksheet().set_name(*name).unwrap();
        for (row, cells) in (0..).zip(*rows) {
            sheet.write_row(row, 0, cells.split('|')).unwrap();
        }
    }
    book.save_to_buffer().unwrap()
}

/// Option groups with their options, as people read them.
async fn groups(client: &Client<'_>) -> Value {
    let rows = client.get("/option-groups?all_options=true").send().await.assert(200).json();
    let option = |row: &Value| json!([row["name"], row["price"], row["active"]]);
    let group = |row: &Value| {
        let options: Vec<Value> = row["options"].as_array().unwrap().iter().map(option).collect();
        json!([
            row["name"], row["type"], row["min_no_options"], row["max_no_options"], row["subproduct_count"],
            options
        ])
    };
    rows.as_array().unwrap().iter().map(group).collect()
}

#[testkit::test]
async fn option_groups_are_written_and_undone_with_the_menu() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    let first = workbook(&[
        (
            "Étlap",
            &[
                "Kategória|Név|Méret|Ár|Opciócsoportok",
                "Pizza|Margherita|32 cm|2990|Feltét",
                "Pizza|Margherita|45 cm|4990|",
            ],
        ),
        (
            "Opciók",
            &[
                "Opciócsoport|Választható|Legalább|Legfeljebb|Opció|Felár",
                "Feltét|tól-ig|0|3|Sajt|400",
                "|||| Sonka|500",
            ],
        ),
    ]);
    let import = rehearsed(&place, &client, "a.xlsx", &first).await;
    assert_eq!(
        (&import["options_sheet"], &import["counts"]["new"], &import["counts"]["new_option_groups"]),
        (&json!("Opciók"), &json!(4), &json!(1))
    );
    assert_eq!(groups(&client).await, json!([]), "a rehearsal writes nothing");
    post(&client, &import, "apply").await.assert(200);
    let made = groups(&client).await;
    assert_eq!(made, json!([["Feltét", "min_max", 0, 3, 2, [["Sajt", 400, true], ["Sonka", 500, true]]]]));
    let (menu_before, version_before) = (menu(&client).await, version(&place).await);

    // Other prices, one option more, another group in front: changed, and exactly as before when undone.
    let second = workbook(&[
        ("Étlap", &["Kategória|Név|Méret|Ár|Opciócsoportok", "Pizza|Margherita|32 cm|2990|Tészta; Feltét"]),
        (
            "Opciók",
            &[
                "Opciócsoport|Választható|Legfeljebb|Opció|Felár|Aktív",
                "Feltét||5|Sajt|450|",
                "Feltét|||Gomba|300|",
                "Feltét|||Sonka||nem",
                "Tészta|egy||Vékony||",
            ],
        ),
    ]);
    let import = rehearsed(&place, &client, "b.xlsx", &second).await;
    let path = format!("/menu-imports/{}/lines?kind=changed", import["id"].as_str().unwrap());
    let lines = client.get(&path).send().await.assert(200).json();
    let cheese = lines.as_array().unwrap().iter().find(|line| line["name"] == "Sajt").unwrap();
    assert_eq!((&cheese["option"], &cheese["category"]), (&json!(true), &json!("Feltét")));
    assert_eq!(
        cheese["differences"],
        json!([{"field": "max_no_options", "before": "3", "after": "5"}, {"field": "price", "before": "400",
            "after": "450"}])
    );
    let editor = place.with_keys(&["catalog_edit"]).await;
    post(&editor, &import, "apply").await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    let applied = post(&client, &import, "apply").await.assert(200).json();
    assert_eq!(version(&place).await, version_before + 1);
    assert_eq!(
        groups(&client).await,
        json!([
            [
                "Feltét",
                "min_max",
                0,
                5,
                2,
                [["Sajt", 450, true], ["Sonka", 500, false], ["Gomba", 300, true]]
            ],
            ["Tészta", "exclusive", 1, 1, 1, [["Vékony", 0, true]]],
        ])
    );
    post(&client, &applied, "undo").await.assert(200);
    assert_eq!(groups(&client).await, made);
    assert_eq!(menu(&client).await, menu_before, "exactly what was");
}

#[testkit::test]
async fn options_alone_are_rehearsed_written_and_undone() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    let first = workbook(&[
        ("Étlap", &["Kategória|Név|Ár|Opciócsoportok", "Pizza|Margherita|2990|Feltét"]),
        ("Opciók", &["Opciócsoport|Opció|Felár", "Feltét|Sajt|400", "Feltét|Sonka|500"]),
    ]);
    post(&client, &rehearsed(&place, &client, "a.xlsx", &first).await, "apply").await.assert(200);
    let (made, menu_before) = (groups(&client).await, menu(&client).await);

    let file = workbook(&[(
        "Opciók",
        &["Opciócsoport|Választható|Opció|Felár", "Feltét||Sajt|450", "||Gomba|300", "Szósz|egy|Ketchup|0"],
    )]);
    let import = rehearsed(&place, &client, "opciok.xlsx", &file).await;
    assert_eq!(
        (&import["only_options"], &import["sheet"], &import["can_apply"]),
        (&json!(true), &json!("Opciók"), &json!(true)),
        "{import}"
    );
    assert_eq!(
        [
            &import["counts"]["new"],
            &import["counts"]["changed"],
            &import["counts"]["missing"],
            &import["counts"]["new_option_groups"]
        ],
        [2, 1, 1, 1]
    );
    assert_eq!(groups(&client).await, made, "a rehearsal writes nothing");
    let applied = post(&client, &import, "apply").await.assert(200).json();
    assert_eq!(
        groups(&client).await,
        json!([
            [
                "Feltét",
                "inclusive",
                0,
                0,
                1,
                [["Sajt", 450, true], ["Sonka", 500, true], ["Gomba", 300, true]]
            ],
            ["Szósz", "exclusive", 1, 1, 0, [["Ketchup", 0, true]]],
        ])
    );
    post(&client, &applied, "undo").await.assert(200);
    assert_eq!((groups(&client).await, menu(&client).await), (made, menu_before), "exactly what was");

    // A text file too; its faulty rows are named and left out on purpose only.
    let text = "Opciócsoport;Opció;Felár\nFeltét;Olajbogyó;ingyen\nFeltét;Hagyma;200\n";
    let import = rehearsed(&place, &client, "opciok.csv", text.as_bytes()).await;
    assert_eq!(
        (&import["only_options"], &import["sheet"], &import["can_apply"]),
        (&json!(true), &Value::Null, &json!(false)),
        "{import}"
    );
    let refused = post(&client, &import, "apply").await.assert_keys(&["skip_faulty"]).json();
    assert_eq!(refused["rows"], json!([{"row": 2, "key": "price"}]));
    let path = format!("/menu-imports/{}", import["id"].as_str().unwrap());
    client.put(&path).json(json!({"skip_faulty": true})).send().await.assert(200);
    post(&client, &import, "apply").await.assert(200);
    assert_eq!(groups(&client).await[0][5][2], json!(["Hagyma", 200, true]));
}

#[testkit::test]
async fn a_group_of_an_import_that_somebody_gave_to_another_product_is_not_taken_away() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    let category =
        client.post("/product-categories").json(json!({"name": "Saláták"})).send().await.assert(201).json();
    let category = category["id"].as_str().unwrap();
    let file = workbook(&[
        ("Étlap", &["Kategória|Név|Ár|Opciócsoportok", "Pizza|Margherita|2990|Feltét"]),
        ("Opciók", &["Opciócsoport|Opció|Felár", "Feltét|Sajt|400"]),
    ]);
    let import = rehearsed(&place, &client, "a.xlsx", &file).await;
    post(&client, &import, "apply").await.assert(200);
    let group = client.get("/option-groups").send().await.assert(200).json()[0]["id"].clone();
    let product = json!({"name": "Cézár", "subproducts": [{"name": "Cézár", "price": 100,
        "option_group_ids": [group]}]});
    client.post(&format!("/product-categories/{category}/products")).json(product).send().await.assert(201);
    let refused = post(&client, &import, "undo").await.assert_problem(409, "MENU_IMPORT_CHANGED").json();
    assert_eq!(refused["changed"], json!(["Cézár"]));
}

#[testkit::test]
async fn hostile_files_are_refused_or_fail_without_harm() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    upload(&client, "menu.xlsx", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
        .await
        .assert_problem(415, "MEDIA_TYPE_NOT_SUPPORTED");
    upload(&client, "menu.csv", b"").await.assert_problem(415, "MEDIA_TYPE_NOT_SUPPORTED");
    upload(&client, "menu.csv", &vec![b'a'; 10_000_001]).await.assert_problem(413, "TOO_LARGE");
    client.post("/menu-imports").json(json!({})).send().await.assert_problem(415, "MEDIA_TYPE_NOT_SUPPORTED");
    // Sixty rows with the prices of ninety sizes each.
    let sizes: Vec<String> = (1..=90).map(|size| format!("{size} cm")).collect();
    let wide = format!("Név;{}\n{}", sizes.join(";"), format!("a{}\n", ";990".repeat(90)).repeat(60));
    for (bytes, error) in [
        (wide.as_bytes(), "too_large"),
        (&b"PK\x03\x04 and then nothing"[..], "broken"),
        (include_bytes!("../../../sheets/tests/files/corners.xls"), "too_large"),
        (b"a;b\n", "ready"),
    ] {
        let import = rehearsed(&place, &client, "menu.xlsx", bytes).await;
        let outcome = if error == "ready" { &import["status"] } else { &import["error"] };
        assert_eq!(outcome, error, "{import}");
        assert!(post(&client, &import, "apply").await.status >= 400);
    }
    assert_eq!(menu(&client).await, json!([]));
}

#[testkit::test]
async fn switching_by_import_needs_the_right_to_switch() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    let import =
        rehearsed(&place, &client, "a.csv", "Kategória;Név;Ár\nLevesek;Bableves;900\n".as_bytes()).await;
    post(&client, &import, "apply").await.assert(200);
    let editor = place.with_keys(&["catalog_edit"]).await;
    let import =
        rehearsed(&place, &editor, "a.csv", "Kategória;Név;Ár;Aktív\nLevesek;Bableves;900;nem\n".as_bytes())
            .await;
    post(&editor, &import, "apply").await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    post(&client, &import, "apply").await.assert(200);
    place
        .with_keys(&["catalog_delete"])
        .await
        .get("/menu-imports")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn two_thousand_rows_take_less_than_three_seconds() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    let mut text = String::from("Kategória;Név;Leírás;Ár;Áfa\n");
    for at in 0..2_000 {
        text += &format!("Fejezet {};Étel {at};só, bors, sok minden;{};27\n", at / 50, 1000 + at);
    }
    let begun = std::time::Instant::now();
    let import = rehearsed(&place, &client, "nagy.csv", text.as_bytes()).await;
    let read = begun.elapsed();
    post(&client, &import, "apply").await.assert(200);
    let all = begun.elapsed();
    eprintln!("2,000 rows: rehearsal {read:?}, with apply {all:?}");
    assert_eq!(menu(&client).await.as_array().unwrap().len(), 40);
    let undone = std::time::Instant::now();
    post(&client, &import, "undo").await.assert(200);
    eprintln!("2,000 rows: undo {:?}", undone.elapsed());
    // The limit is that of a release build on an idle machine; this one is neither.
    assert!(all.as_secs() < 15, "{all:?}");
}

#[testkit::test]
async fn the_template_imports_as_it_is() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    let template =
        client.get("/menu-imports/template").header("accept-language", "hu").send().await.assert(200);
    assert!(template.header("content-disposition").unwrap().contains("etlap-minta.xlsx"));
    let import = rehearsed(&place, &client, "etlap-minta.xlsx", &template.body).await;
    assert_eq!((&import["can_apply"], &import["counts"]["new"]), (&json!(true), &json!(13)), "{import}");
    assert_eq!(import["unused_columns"], json!([]));
    assert_eq!(
        [&import["counts"]["new_products"], &import["counts"]["new_sizes"], &import["counts"]["new_options"]],
        [5, 9, 4]
    );
    post(&client, &import, "apply").await.assert(200);
    let menu = menu(&client).await;
    assert_eq!(menu[0]["name_sec_lang"], "Soups");
    let lunch = menu.as_array().unwrap().iter().find(|category| category["name"] == "Napi menü").unwrap();
    let parts = &lunch["products"][0]["subproducts"][0]["components"];
    assert_eq!(parts.as_array().map(Vec::len), Some(2), "{lunch}");
}

#[testkit::test]
async fn columns_of_options_are_chosen_and_each_rule_is_shown() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    let file = "Csoport;Hogyan választ;Opció;Felár\nÍz;egyet;Citrom;0\nÍz;;Málna;100\n".as_bytes();
    let import = rehearsed(&place, &client, "opciok.csv", file).await;
    assert_eq!(
        (&import["only_options"], &import["can_apply"], &import["counts"]["faults"]),
        (&json!(true), &json!(false), &json!(2)),
        "nothing says how many, and a column is left out: {import}"
    );
    let path = format!("/menu-imports/{}", import["id"].as_str().unwrap());
    let change = |field: &str| {
        json!({"options_mapping": [{"column": 0, "field": "option_group"}, {"column": 1, "field": field},
            {"column": 2, "field": "option"}, {"column": 3, "field": "price"}]})
    };
    for (body, keys) in [
        (change("size_price"), &["options_mapping.1.field", "options_mapping.1.size"][..]),
        (change("option"), &["options_mapping.2.field"]),
        (json!({"options_sheet": "Nincs ilyen"}), &["options_sheet"]),
        (json!({"mapping": [{"column": 0, "field": "option_type"}]}), &["mapping.0.field"]),
    ] {
        client.put(&path).json(body).send().await.assert_keys(keys);
    }
    client.put(&path).json(change("option_type")).send().await.assert(200);
    let import = settled(&place, &client, import["id"].as_str().unwrap()).await;
    assert_eq!(
        import["option_groups"],
        json!([{"name": "Íz", "type": "exclusive", "min_no_options": 1, "max_no_options": 1, "stated": true,
            "is_new": true, "options": 2}])
    );
    assert_eq!(
        (&import["options_columns"][1]["field"], &import["options_columns"][1]["rows"]),
        (&json!("option_type"), &json!(1))
    );
    post(&client, &import, "apply").await.assert(200);
    let groups = client.get("/option-groups").send().await.assert(200).json();
    assert_eq!((&groups[0]["name"], &groups[0]["type"]), (&json!("Íz"), &json!("exclusive")));
}

#[testkit::test]
async fn what_becomes_a_price_is_shown_before_it_is_applied() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    let file = "Kategória;Név;Egységár;Ár;L\nSör;Soproni;1980;990;1\nSör;Dreher;1780;890;\n".as_bytes();
    let import = rehearsed(&place, &client, "arak.csv", file).await;
    let columns: Vec<Value> = import["columns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| json!([one["heading"], one["field"], one["rows"], one["could_be_price"]]))
        .collect();
    assert_eq!(
        columns[2..],
        [json!(["Egységár", null, 2, true]), json!(["Ár", "price", 2, false]), json!(["L", null, 1, false])]
    );
    post(&client, &import, "apply").await.assert(200);
    let made = menu(&client).await;
    assert_eq!(
        (&made[0]["products"][0]["base_price"], &made[0]["products"][1]["base_price"]),
        (&json!(990), &json!(890))
    );
}
