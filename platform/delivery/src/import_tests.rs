use super::*;

fn read(text: &str) -> Vec<Sheet> {
    sheets::read(text.as_bytes()).unwrap()
}

fn streets_of(sheets: Vec<Sheet>) -> Result<Vec<StreetRow>> {
    street_rows(sheets, Currency::Huf)
}

fn towns_of(sheets: Vec<Sheet>) -> Result<Vec<TownRow>> {
    town_rows(sheets, Currency::Huf)
}

fn faults(problem: &Problem) -> Vec<(i64, String, String)> {
    let rows = problem.body()["rows"].as_array().cloned().unwrap_or_default();
    let text = |value: &Json| value.as_str().unwrap().to_owned();
    rows.iter().map(|row| (row["row"].as_i64().unwrap(), text(&row["key"]), text(&row["fault"]))).collect()
}

#[test]
fn streets_in_either_language() {
    let rows = streets_of(read(
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
    let few = streets_of(read("name,city\nFő utca,Győr\n")).unwrap();
    assert_eq!((few[0].price, few[0].active), (None, None), "columns that are not there change nothing");
}

#[test]
fn faults_are_told_by_row() {
    let problem = streets_of(read(
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
    let none = streets_of(read("valami,más\n1,2\n")).unwrap_err();
    assert_eq!(faults(&none), [(1, "name".to_owned(), "required".to_owned())]);
    let many = format!("name\n{}", "Fő utca\n".repeat(5_001));
    assert!(streets_of(read(&many)).unwrap_err().reason().contains("5000"));
    assert!(streets_of(read("name\n")).is_err(), "nothing below the headings");
}

#[test]
fn towns_with_fee_and_minimum() {
    let rows = towns_of(read(
        "Település;Szállítási díj;Minimum;Irsz.\nGyőr;490;3000;9021\nGyőr;490;3000;9022\nAbda;990;4000;\n",
    ))
    .unwrap();
    let shown: Vec<_> =
        rows.iter().map(|row| (row.row, row.city.as_str(), row.postcode.as_deref())).collect();
    assert_eq!(shown, [(2, "Győr", Some("9021")), (3, "Győr", Some("9022")), (4, "Abda", None)]);
    let problem = towns_of(read(
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
    assert!(towns_of(read("city,price\nGyőr,1\n")).is_err(), "the column of the minimum is missing");
    // As the screens name the columns, with thousands as people write them.
    let rows = towns_of(read(
        "Település;Díj;Legkisebb rendelés\nGyőr;5.500 Ft;12.000\nAbda;1 500,-;1.234.500 Ft\nPér;0,5;0.500\n",
    ))
    .unwrap();
    let amounts: Vec<String> =
        rows.iter().map(|row| format!("{} {}", row.price.value(), row.min_order_price.value())).collect();
    assert_eq!(amounts, ["5500 12000", "1500 1234500", "0.5 0.500"]);
}

#[test]
fn an_empty_minimum_is_none() {
    let rows =
        towns_of(read("Település;Díj;Minimum\nGyőr;490;\nAbda;990;4000\nPér;0; \nÖttevény;1;-0\n")).unwrap();
    let least: Vec<String> =
        rows.iter().map(|row| row.min_order_price.value().normalize().to_string()).collect();
    assert_eq!(least, ["0", "4000", "0", "0"]);
    let problem = towns_of(read("city,price,minimum\nAbda,1,sok\nGyőr,1,-5\n")).unwrap_err();
    let expected = [(2, "min_order_price", "type"), (3, "min_order_price", "min")];
    let expected: Vec<_> = expected.map(|(row, key, fault)| (row, key.to_owned(), fault.to_owned())).into();
    assert_eq!(faults(&problem), expected);
}

#[test]
fn cells_that_a_spreadsheet_has_changed_are_faults() {
    let problem = streets_of(read(
        "name,postcode,city,price,active\n02.jan,9021,Győr,1,1\nFő utca,\"9,021E+03\",Győr,1,1\n\
         #HIV!,9021,Győr,1,1\nKis köz,9021,#N/A,1,1\nNagy köz,9021,Győr,Err:502,1\nÚj út,9021,Győr,1e5,#SPILL!\n",
    ))
    .unwrap_err();
    let expected = [
        (2, "name", "type"),
        (3, "postcode", "type"),
        (4, "name", "type"),
        (5, "city", "type"),
        (6, "price", "type"),
        (7, "price", "type"),
        (7, "active", "type"),
    ];
    let expected: Vec<_> = expected.map(|(row, key, fault)| (row, key.to_owned(), fault.to_owned())).into();
    assert_eq!(faults(&problem), expected);
    // An error in a column that is not used is none.
    assert_eq!(streets_of(read("name,city,megjegyzés\nFő utca,Győr,#GETTING_DATA\n")).unwrap().len(), 1);
}

#[test]
fn the_sign_of_another_currency_is_a_fault() {
    let of = |amount: &str, currency| {
        amount_of(&Value::Text(amount.to_owned()), currency)
            .map(|amount| amount.map(|one| one.value().to_string()))
    };
    for (written, currency) in [
        ("490 €", Currency::Huf),
        ("£4", Currency::Eur),
        ("4 Ft", Currency::Eur),
        ("$4", Currency::Gbp),
        ("4 kr.", Currency::Eur),
    ] {
        assert_eq!(of(written, currency), Err(Fault::Invalid), "{written}");
    }
    for (written, currency, read) in [
        ("490 Ft", Currency::Huf, "490"),
        ("€ 4,50", Currency::Eur, "4.50"),
        ("4.50 EUR", Currency::Eur, "4.50"),
        ("£4", Currency::Gbp, "4"),
        ("40 kr.", Currency::Dkk, "40"),
    ] {
        assert_eq!(of(written, currency), Ok(Some(read.to_owned())), "{written}");
    }
}

fn amount_of(value: &Value, currency: Currency) -> Result<Option<Money>, Fault> {
    amount(Some(value), currency)
}
