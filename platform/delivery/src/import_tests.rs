#![allow(clippy::unwrap_used)]

use super::*;

fn read(text: &str) -> Vec<Sheet> {
    sheets::read(text.as_bytes()).unwrap()
}

fn faults(problem: &Problem) -> Vec<(i64, String, String)> {
    let rows = problem.body()["rows"].as_array().cloned().unwrap_or_default();
    let text = |value: &Json| value.as_str().unwrap().to_owned();
    rows.iter().map(|row| (row["row"].as_i64().unwrap(), text(&row["key"]), text(&row["fault"]))).collect()
}

#[test]
fn streets_in_either_language() {
    let rows = street_rows(read(
        "Utca;Irányítószám;Település;Ár;Aktív\nFő utca;9021;Győr;490;igen\nKis köz;;;1 990 Ft;\n*;9022;;;nem\n",
    ))
    .unwrap();
    let row =
        |row, name: &str, postcode: Option<&str>, city: Option<&str>, price: Option<i64>, active| StreetRow {
            row,
            name: name.to_owned(),
            postcode: postcode.map(str::to_owned),
            city: city.map(str::to_owned),
            price: Some(price.map(Money::from)),
            active,
        };
    assert_eq!(
        rows,
        [
            row(2, "Fő utca", Some("9021"), Some("Győr"), Some(490), Some(true)),
            row(3, "Kis köz", None, None, Some(1990), None),
            row(4, "*", Some("9022"), None, None, Some(false)),
        ]
    );
    let few = street_rows(read("name,city\nFő utca,Győr\n")).unwrap();
    assert_eq!((few[0].price, few[0].active), (None, None), "columns that are not there change nothing");
}

#[test]
fn faults_are_told_by_row() {
    let problem = street_rows(read(
        "name,postcode,price,active\n,9021,1,1\nFő utca,9021,sok,1\nFő u. 3,9021,-5,talán\n*,,1,1\nFő tér,9021,99999999,1\n...,1,1,1\n",
    ))
    .unwrap_err();
    let expected = [
        (2, "name", "required"),
        (3, "price", "type"),
        (4, "price", "min"),
        (4, "active", "type"),
        (4, "name", "not_unique"),
        (5, "postcode", "required"),
        (6, "price", "max"),
        (6, "name", "not_unique"),
        (7, "name", "invalid"),
    ];
    let expected: Vec<_> = expected.map(|(row, key, fault)| (row, key.to_owned(), fault.to_owned())).into();
    assert_eq!(faults(&problem), expected);
    let none = street_rows(read("valami,más\n1,2\n")).unwrap_err();
    assert_eq!(faults(&none), [(1, "name".to_owned(), "required".to_owned())]);
    let many = format!("name\n{}", "Fő utca\n".repeat(5_001));
    assert!(street_rows(read(&many)).unwrap_err().reason().contains("5000"));
    assert!(street_rows(read("name\n")).is_err(), "nothing below the headings");
}

#[test]
fn towns_with_fee_and_minimum() {
    let rows = town_rows(read(
        "Település;Szállítási díj;Minimum;Irsz.\nGyőr;490;3000;9021\nGyőr;490;3000;9022\nAbda;990;4000;\n",
    ))
    .unwrap();
    let shown: Vec<_> =
        rows.iter().map(|row| (row.row, row.city.as_str(), row.postcode.as_deref())).collect();
    assert_eq!(shown, [(2, "Győr", Some("9021")), (3, "Győr", Some("9022")), (4, "Abda", None)]);
    let problem = town_rows(read(
        "city,price,minimum,postcode\nAbda,1,1,\nabda,2,1,9000\nGyőr,1,1,9021\nGYOR,1,1,9021\n,1,1,\nPér,,1,\n",
    ))
    .unwrap_err();
    let expected = [
        (3, "city", "not_unique"),
        (5, "city", "not_unique"),
        (6, "city", "required"),
        (7, "price", "required"),
    ];
    let expected: Vec<_> = expected.map(|(row, key, fault)| (row, key.to_owned(), fault.to_owned())).into();
    assert_eq!(faults(&problem), expected);
    assert!(town_rows(read("city,price\nGyőr,1\n")).is_err(), "the minimum is missing");
    // As the screens name the columns, with thousands as people write them.
    let rows = town_rows(read(
        "Település;Díj;Legkisebb rendelés\nGyőr;5.500 Ft;12.000\nAbda;1 500,-;1.234.500 Ft\nPér;0,5;0.500\n",
    ))
    .unwrap();
    let amounts: Vec<String> =
        rows.iter().map(|row| format!("{} {}", row.price.value(), row.min_order_price.value())).collect();
    assert_eq!(amounts, ["5500 12000", "1500 1234500", "0.5 0.500"]);
}
