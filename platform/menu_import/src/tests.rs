//! From sheets to lines, faults and differences, without a database.

mod ntak;
mod parts;
mod values;

use catalogue::{
    OptionGroupType,
    bulk::{Allergen, CategoryRow, Menu, OptionGroupRow, OptionRow, ProductRow, SubproductRow},
};
use kernel::money::Currency;
use rust_decimal::Decimal;
use uuid::Uuid;

use super::{
    columns::{MenuImportColumn, MenuImportField as Field},
    compare::MenuImportKind as Kind,
    lines::MenuImportReason as Reason,
    rehearsal::{Choice, Rehearsal, rehearse},
    sheet,
};

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

fn empty() -> Menu {
    let percents = [(1, 0), (2, 5), (3, 27)].map(|(vat, percent)| (id(vat), Decimal::from(percent)));
    let allergens =
        [(21, "gluten", "glutén", 1), (27, "milk", "tej", 7)].map(|(number, code, name, ranking)| {
            let (code, name, name_en) = (code.to_owned(), name.to_owned(), code.to_owned());
            (id(number), Allergen { id: id(number), code, name, name_en, ranking })
        });
    Menu {
        vat_id: id(3),
        sit_in_vat_id: Some(id(2)),
        currency: Currency::Huf,
        percents: percents.into(),
        allergens: allergens.into(),
        ..Menu::default()
    }
}

/// A menu with a soup and, below the drinks, a lemonade in two sizes.
fn menu() -> Menu {
    let mut menu = empty();
    for (number, parent, name) in [(100, None, "Levesek"), (101, None, "Italok"), (102, Some(101), "Üdítők")]
    {
        let parent_id = parent.map(id);
        let row = CategoryRow {
            id: id(number),
            parent_id,
            name: name.into(),
            name_sec_lang: None,
            ranking: 0,
            vat_id: None,
            sit_in_vat_id: None,
            ntak_category_id: None,
            ntak_quantity_unit: None,
            version: 3,
        };
        menu.categories.insert(row.id, row);
    }
    for (number, category, name, sizes) in [
        (200, 100, "Gulyásleves", vec![("Gulyásleves", 2490)]),
        (201, 102, "Limonádé", vec![("3 dl", 890), ("5 dl", 1290)]),
    ] {
        let row = ProductRow {
            id: id(number),
            product_category_id: id(category),
            name: name.into(),
            name_sec_lang: None,
            description: Some("régi".into()),
            description_sec_lang: None,
            ranking: 4,
            active: true,
            vat_id: None,
            sit_in_vat_id: None,
            ntak_category_id: None,
            ntak_quantity_unit: None,
            ean_code: None,
            version: 7,
        };
        menu.products.insert(row.id, row);
        let sizes = (0_i32..).zip(sizes).map(|(at, (name, price))| SubproductRow {
            id: id(number * 10 + u128::try_from(at).unwrap()),
            ranking: at,
            ..SubproductRow::new(id(number), name.into(), Decimal::from(price))
        });
        menu.subproducts.insert(id(number), sizes.collect());
    }
    menu
}

async fn rehearsed(file: &[u8], choice: Choice, menu: Menu) -> Rehearsal {
    rehearse(sheet::read(file).unwrap(), choice, menu).await.unwrap().0
}

async fn of(text: &str, menu: Menu) -> Rehearsal {
    rehearsed(text.as_bytes(), Choice::default(), menu).await
}

fn faults(done: &Rehearsal) -> Vec<(i32, Option<&str>, Field, Reason)> {
    done.faults.iter().map(|fault| (fault.row, fault.column.as_deref(), fault.key, fault.reason)).collect()
}

#[tokio::test]
async fn the_menus_of_two_restaurants_are_clean_as_they_are() {
    for (file, lines, categories) in [
        (&include_bytes!("../tests/files/bistro.tsv")[..], 199, 36),
        (include_bytes!("../tests/files/tavern.tsv"), 107, 12),
    ] {
        let done = rehearsed(file, Choice::default(), empty()).await;
        assert_eq!(faults(&done), vec![]);
        assert_eq!((done.plan.new_subproducts.len(), done.plan.new_products.len()), (lines, lines));
        assert_eq!(done.plan.new_categories.len(), categories, "a category that comes twice is one");
        assert!(done.lines.iter().all(|line| line.kind == Kind::New));
    }
}

#[tokio::test]
async fn other_headings_title_rows_and_prices_as_people_write_them() {
    let done =
        rehearsed(include_bytes!("../../sheets/tests/files/winter.xls"), Choice::default(), empty()).await;
    assert_eq!(faults(&done), vec![]);
    assert_eq!(done.summary.header_row, 4);
    let lines: Vec<_> = done
        .lines
        .iter()
        .map(|line| (line.category.as_str(), line.name.as_str(), line.price.to_string()))
        .collect();
    let wanted = [
        ("Levesek", "Húsleves", "1990"),
        ("Levesek", "Gyümölcsleves", "1490"),
        ("Desszertek", "Túrógombóc", "1290"),
    ];
    assert_eq!(lines, wanted.map(|(category, name, price)| (category, name, price.to_owned())));
}

#[tokio::test]
async fn headings_of_menus_made_for_print() {
    let done = of(
        "Étel megnevezése;Miből készül;Fogyasztói ár\nLEVESEK;;\nHúsleves;tyúkhús, zöldség;1 990 Ft\n",
        empty(),
    )
    .await;
    assert_eq!(faults(&done), vec![]);
    let lines: Vec<_> = done
        .lines
        .iter()
        .map(|line| (line.category.as_str(), line.name.as_str(), line.price.to_string()))
        .collect();
    assert_eq!(lines, [("LEVESEK", "Húsleves", "1990".to_owned())]);
}

#[tokio::test]
async fn titles_are_categories_where_no_column_is() {
    let done =
        of("Étel;Ár\nLEVESEK\nHúsleves;1.990,-\nÉtel;Ár\nDesszertek;\nPalacsinta;990 Ft\n", empty()).await;
    assert_eq!(faults(&done), vec![]);
    let lines: Vec<_> =
        done.lines.iter().map(|line| (line.row, line.category.as_str(), line.name.as_str())).collect();
    assert_eq!(lines, [(Some(3), "LEVESEK", "Húsleves"), (Some(6), "Desszertek", "Palacsinta")]);
}

#[tokio::test]
async fn each_faulty_row_says_where_and_why() {
    let long = "x".repeat(101);
    let text = format!(
        "Kategória;Név;Ár;Áfa;Allergének;Aktív\nLevesek;;990;27;;\nLevesek;{long};990;27;;\nLevesek;Bab;sok;26;réz;talán\n;Lencse;;27%;tej, 1;nem\n\
         Levesek;Zöldség;-5;27;;\nLevesek;LENCSE;1200;5;;\nlevesek;lencse;1300;5;;\n"
    );
    let done = of(&text, empty()).await;
    assert_eq!(
        faults(&done),
        [
            (2, Some("B"), Field::Name, Reason::Required),
            (3, Some("B"), Field::Name, Reason::TooLong),
            (4, Some("C"), Field::Price, Reason::Type),
            (4, Some("D"), Field::Vat, Reason::NotExist),
            (4, Some("E"), Field::Allergens, Reason::NotExist),
            (4, Some("F"), Field::Active, Reason::Type),
            (5, Some("C"), Field::Price, Reason::Required),
            (6, Some("C"), Field::Price, Reason::Min),
            (8, Some("B"), Field::Name, Reason::NotUnique),
        ]
    );
    assert_eq!(done.faults.last().unwrap().other_row, Some(7));
    assert_eq!(
        (done.summary.counts.rows, done.summary.counts.faulty_rows, done.plan.new_products.len()),
        (7, 6, 1)
    );
}

#[tokio::test]
async fn the_difference_names_new_changed_unchanged_and_missing() {
    let text = "Főkategória;Kategória;Név;Méret;Ár;Leírás\n;levesek;GULYÁSLEVES;;2690;\nItalok;Üdítők;Limonádé;3 dl;890;régi\nItalok;Üdítők;Limonádé;1 l;1990;régi\n\
                ;Levesek;Húsleves;;1990;\n";
    let done = of(text, menu()).await;
    assert_eq!(faults(&done), vec![]);
    let lines: Vec<_> =
        done.lines.iter().map(|line| (line.kind, line.name.as_str(), line.subproduct.as_deref())).collect();
    assert_eq!(
        lines,
        [
            (Kind::Changed, "GULYÁSLEVES", None),
            (Kind::Unchanged, "Limonádé", Some("3 dl")),
            (Kind::New, "Limonádé", Some("1 l")),
            (Kind::New, "Húsleves", None),
            (Kind::Missing, "Limonádé", Some("5 dl")),
        ]
    );
    let changed: Vec<_> = done.lines[0]
        .differences
        .iter()
        .map(|one| (one.field, one.before.as_deref(), one.after.as_deref()))
        .collect();
    assert_eq!(
        changed,
        [(Field::Name, Some("Gulyásleves"), Some("GULYÁSLEVES")), (Field::Price, Some("2490"), Some("2690"))]
    );
    assert!(done.plan.new_categories.is_empty());
    let [soup, lemonade] = &done.plan.products[..] else { panic!("two products are touched") };
    assert_eq!(
        (soup.name.as_str(), soup.description.as_deref()),
        ("GULYÁSLEVES", Some("régi")),
        "an empty cell changes nothing"
    );
    assert_eq!(lemonade.id, id(201));
    let ranks: Vec<i32> = done.plan.new_subproducts.iter().map(|row| row.ranking).collect();
    assert_eq!(ranks, [2, 0], "what is new stands last");
    assert_eq!(done.plan.new_products[0].ranking, 5);
}

#[tokio::test]
async fn a_rate_stands_where_it_holds_for_all_sizes() {
    let text = "Kategória;Név;Méret;Ár;Áfa\nLevesek;Bableves;kicsi;900;5\nLevesek;Bableves;nagy;1200;5%\nLevesek;Gulyásleves;;2490;0,27\nLevesek;Vegyes;a;1;5\nLevesek;Vegyes;b;1;27\n";
    let done = of(text, menu()).await;
    let product = |name: &str| done.plan.new_products.iter().find(|row| row.name == name).unwrap();
    assert_eq!(product("Bableves").vat_id, Some(id(2)));
    assert_eq!(product("Vegyes").vat_id, None);
    let own: Vec<_> = done.plan.new_subproducts.iter().map(|row| row.vat_id).collect();
    assert_eq!(own, [None, None, Some(id(2)), None]);
    assert!(done.plan.products.is_empty(), "a rate that holds already changes nothing");
}

#[tokio::test]
async fn a_category_opens_either_products_or_categories() {
    let text = "Főkategória;Kategória;Név;Ár\n;Italok;Víz;300\nLevesek;Krémlevesek;Brokkoli;900\n;Üdítők;Kóla;500\nÚj;Újabb;Jó;1\n;Új;Rossz;1\n";
    let done = of(text, menu()).await;
    assert_eq!(
        faults(&done),
        [
            (2, Some("B"), Field::Category, Reason::Invalid),
            (3, Some("A"), Field::ParentCategory, Reason::Invalid),
            (6, Some("B"), Field::Category, Reason::Invalid),
        ]
    );
    assert_eq!(done.lines[0].category, "Italok > Üdítők", "the only lower category of a name is meant");
    let made: Vec<_> = done.plan.new_categories.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(made, ["Új", "Újabb"], "no category is made for faulty rows");
}

#[tokio::test]
async fn columns_can_be_chosen() {
    let text = "a;b;c\nLevesek;Bableves;900\n";
    let done = of(text, empty()).await;
    assert_eq!(done.summary.missing_fields, [Field::Name, Field::Price]);
    let columns = [Field::Category, Field::Name, Field::Price]
        .into_iter()
        .zip(0..)
        .map(|(field, column)| MenuImportColumn { column, field: Some(field), size: None });
    let choice = Choice { header_row: Some(1), columns: Some(columns.collect()), ..Choice::default() };
    let done = rehearsed(text.as_bytes(), choice, empty()).await;
    assert_eq!(
        (done.summary.counts.new, done.summary.columns[2].samples.as_slice()),
        (1, &["900".to_owned()][..])
    );
}

/// A line as kind, row, name, size and price.
type Shown<'a> = (Kind, Option<i32>, &'a str, Option<&'a str>, String);

fn sizes(done: &Rehearsal) -> Vec<Shown<'_>> {
    let line = |line: &super::compare::MenuImportLine| line.price.to_string();
    done.lines
        .iter()
        .map(|one| (one.kind, one.row, one.name.as_str(), one.subproduct.as_deref(), line(one)))
        .collect()
}

#[tokio::test]
async fn a_pizzerias_price_list_with_a_column_for_each_size() {
    let file = include_bytes!("../tests/files/pizzeria.csv");
    let done = rehearsed(file, Choice::default(), empty()).await;
    assert_eq!(faults(&done), vec![]);
    assert_eq!(done.summary.missing_fields, vec![]);
    let counts = &done.summary.counts;
    assert_eq!((counts.rows, counts.new_products, counts.new_sizes, counts.new_categories), (20, 20, 45, 3));
    assert_eq!((counts.new, counts.new_options, counts.changed_sizes), (45, 0, 0));
    let of = |name: &str| -> Vec<(&str, String)> {
        let product = done.plan.new_products.iter().find(|row| row.name == name).unwrap();
        let sizes = done.plan.new_subproducts.iter().filter(|row| row.product_id == product.id);
        sizes.map(|row| (row.name.as_str(), row.price.to_string())).collect()
    };
    let wanted = |sizes: &[(&'static str, &str)]| -> Vec<(&str, String)> {
        sizes.iter().map(|(name, price)| (*name, (*price).to_owned())).collect()
    };
    assert_eq!(of("Margherita"), wanted(&[("30cm", "2190"), ("40cm", "3290"), ("50cm", "4990")]));
    assert_eq!(of("Tenger gyümölcsei"), wanted(&[("30cm", "3390"), ("40cm", "4790")]));
    assert_eq!(of("Nutellás"), wanted(&[("30cm", "2190")]), "a dash is a size that is not sold");
    assert_eq!(of("Carbonara"), wanted(&[("Carbonara", "2690")]));
    let unused: Vec<_> = done
        .summary
        .unused_columns
        .iter()
        .map(|column| (column.letter.as_str(), column.heading.as_str(), column.samples.len()))
        .collect();
    assert_eq!(unused, [("C", "Feltét", 3), ("H", "Megjegyzés a konyhának", 2)]);
}

#[tokio::test]
async fn columns_of_sizes_meet_the_sizes_that_are_there() {
    let text = "Kategória;Név;3dl ára;5 DL;1 l;Ár;Vonalkód;Aktív\nÜdítők;Limonádé;890;;1990;;123;nem\n\
                Levesek;Gulyásleves;;;;2490;;\n";
    let done = of(text, menu()).await;
    assert_eq!(faults(&done), vec![]);
    assert_eq!(
        sizes(&done),
        [
            (Kind::Changed, Some(2), "Limonádé", Some("3 dl"), "890".to_owned()),
            (Kind::New, Some(2), "Limonádé", Some("1 l"), "1990".to_owned()),
            (Kind::Unchanged, Some(3), "Gulyásleves", None, "2490".to_owned()),
            (Kind::Missing, None, "Limonádé", Some("5 dl"), "1290".to_owned()),
        ],
        "an empty cell changes nothing, and the names of sizes stay"
    );
    let [lemonade] = &done.plan.products[..] else { panic!("one product is touched") };
    assert_eq!((lemonade.ean_code.as_deref(), lemonade.active), (Some("123"), false));
    assert!(done.plan.subproducts.is_empty(), "what the row says holds for the product");
    assert!(done.plan.new_subproducts.iter().all(|row| row.ean_code.is_none() && row.active));
    let counts = &done.summary.counts;
    assert_eq!((counts.new_sizes, counts.changed_sizes, counts.new_products), (1, 1, 0));
}

#[tokio::test]
async fn each_faulty_price_of_a_size_says_where_and_why() {
    let text = "Kategória;Név;Méret;30 cm;40 cm\nPizzák;Sonkás;;2490;sok\n;Gombás;;-5;99 999 999\n\
                ;Hawaii;;;-\n;Magyaros;nagy;2990;\n;Margherita;;2190;3290\n;margherita;;2290;\n\
                ;Vegetáriánus;;;3190\n";
    let done = of(text, empty()).await;
    assert_eq!(
        faults(&done),
        [
            (2, Some("E"), Field::SizePrice, Reason::Type),
            (3, Some("D"), Field::SizePrice, Reason::Min),
            (3, Some("E"), Field::SizePrice, Reason::Max),
            (4, Some("D"), Field::SizePrice, Reason::Required),
            (5, Some("C"), Field::Subproduct, Reason::Invalid),
            (7, Some("D"), Field::SizePrice, Reason::NotUnique),
        ]
    );
    assert_eq!((done.faults[0].value.as_str(), done.faults[5].other_row), ("sok", Some(6)));
    let counts = &done.summary.counts;
    assert_eq!((counts.rows, counts.faulty_rows, counts.new_sizes), (7, 5, 3));
}

#[tokio::test]
async fn a_row_is_faulty_once_for_all_its_sizes() {
    let text = "Kategória;Név;30 cm;40 cm\nItalok;Sonkás;2490;3490\n";
    let done = of(text, menu()).await;
    assert_eq!(faults(&done), [(2, Some("A"), Field::Category, Reason::Invalid)]);
    assert_eq!((done.summary.counts.faulty_rows, done.summary.counts.new), (1, 0));
}

#[tokio::test]
async fn titles_may_name_the_sizes_again() {
    let text =
        "Név;30 cm;45 cm\nPIZZÁK;30cm;45cm\nSonkás;2490;4490\nDesszert pizzák;30 cm;\nNutellás;1990;\n";
    let done = of(text, empty()).await;
    assert_eq!(faults(&done), vec![]);
    let lines: Vec<_> = done
        .lines
        .iter()
        .map(|line| (line.category.as_str(), line.name.as_str(), line.subproduct.as_deref()))
        .collect();
    assert_eq!(
        lines,
        [
            ("PIZZÁK", "Sonkás", Some("30 cm")),
            ("PIZZÁK", "Sonkás", Some("45 cm")),
            ("Desszert pizzák", "Nutellás", Some("30 cm")),
        ]
    );
}

#[tokio::test]
async fn plain_prices_in_the_first_column_of_sizes_name_no_size() {
    let text = "Kategória;Név;30 cm;40 cm\nPizzák;Sonkás;2490;3690\nPizzák;Magyaros;2890;\nItalok;Kóla;690;\n\
                Szószok;Ketchup;290;\nDesszertek;Nutellás;1990;-\n";
    let done = of(text, empty()).await;
    assert_eq!(faults(&done), vec![]);
    let lines: Vec<_> =
        done.lines.iter().map(|line| (line.name.as_str(), line.subproduct.as_deref())).collect();
    assert_eq!(
        lines,
        [
            ("Sonkás", Some("30 cm")),
            ("Sonkás", Some("40 cm")),
            ("Magyaros", Some("30 cm")),
            ("Kóla", None),
            ("Ketchup", None),
            ("Nutellás", Some("30 cm")),
        ],
        "a dash says that the size is meant"
    );
    // Sizes that a heading names again hold below it, past a remark, until another category comes.
    let text = "Kategória;Név;30 cm;40 cm\nPizzák;Sonkás;2490;3690\nDesszertek;;30 cm;;\n;;;;vaníliafagyival\n\
                Desszertek;Nutellás;1990;\nItalok;Kóla;690;\n";
    let done = of(text, empty()).await;
    assert_eq!(faults(&done), vec![]);
    let size_of = |name: &str| {
        let line = done.lines.iter().find(|line| line.name == name).unwrap();
        (line.category.as_str(), line.subproduct.as_deref())
    };
    assert_eq!(size_of("Nutellás"), ("Desszertek", Some("30 cm")));
    assert_eq!(size_of("Kóla"), ("Italok", None));
}

#[tokio::test]
async fn columns_that_only_look_like_sizes_stay_out() {
    // Yes and no below the sizes; a size that no price follows; the size of the row itself.
    let text =
        "Kategória;Név;Ár;Kicsi;Nagy;Méret\nPizzák;Sonkás;2490;igen;nem;30 cm\n;Gombás;2290;nem;;40 cm\n";
    let done = of(text, empty()).await;
    assert_eq!(faults(&done), vec![]);
    let unused: Vec<_> = done.summary.unused_columns.iter().map(|column| column.letter.as_str()).collect();
    assert_eq!(unused, ["D", "E"]);
    assert_eq!(done.plan.new_subproducts[0].name, "30 cm");
}

#[tokio::test]
async fn sizes_can_be_given_to_columns() {
    let text = "Étel neve;Első;Második\nPIZZÁK\nSonkás;2490;3490\n";
    let done = of(text, empty()).await;
    assert_eq!(done.summary.missing_fields, [Field::Name, Field::Price], "one heading is none");
    let column = |column, field, size: Option<&str>| MenuImportColumn {
        column,
        field: Some(field),
        size: size.map(str::to_owned),
    };
    let columns = vec![
        column(0, Field::Name, None),
        column(1, Field::SizePrice, Some(" 30 cm ")),
        column(2, Field::SizePrice, Some("45 cm")),
    ];
    let choice = Choice { header_row: Some(1), columns: Some(columns), ..Choice::default() };
    let done = rehearsed(text.as_bytes(), choice, empty()).await;
    assert_eq!(faults(&done), vec![]);
    let names: Vec<_> = done.plan.new_subproducts.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["30 cm", "45 cm"]);
    let previews: Vec<_> = done.summary.columns.iter().map(|column| column.size.as_deref()).collect();
    assert_eq!(previews, [None, Some("30 cm"), Some("45 cm")]);
}

#[tokio::test]
async fn lines_are_limited_however_many_sizes_a_row_has() {
    let sizes: Vec<String> = (1..=90).map(|size| format!("{size} cm")).collect();
    let mut text = format!("Kategória;Név;{}\n", sizes.join(";"));
    let prices = vec!["990"; 90].join(";");
    for row in 0..60 {
        text += &format!("Pizzák;Pizza {row};{prices}\n");
    }
    let sheets = sheet::read(text.as_bytes()).unwrap();
    let outcome = rehearse(sheets, Choice::default(), empty()).await;
    assert_eq!(outcome.err(), Some(sheet::SheetFault::TooLarge), "60 rows with 90 prices each");
    // Every heading a size, every cell long: no price stands in any column.
    let wide = vec!["x".repeat(300); 90].join(";");
    let text = format!("{}\n{}", sizes.join(";"), vec![wide; 200].join("\n"));
    let sheets = sheet::read(text.as_bytes()).unwrap();
    let done = rehearse(sheets, Choice::default(), empty()).await.unwrap().0;
    assert_eq!(done.summary.missing_fields, [Field::Name, Field::Price]);
}

/// The menu with a group of sauces of which one is taken.
fn menu_with_sauces() -> Menu {
    let mut menu = menu();
    let group = OptionGroupRow {
        id: id(300),
        name: "Szósz, öntet".into(),
        name_sec_lang: None,
        r#type: OptionGroupType::Exclusive,
        min_no_options: 1,
        max_no_options: 1,
        ranking: 2,
        version: 5,
    };
    menu.option_groups.insert(group.id, group);
    let options = [(301, "Ketchup", 0), (302, "Majonéz", 100)].map(|(number, name, price)| OptionRow {
        id: id(number),
        option_group_id: id(300),
        name: name.into(),
        name_sec_lang: None,
        price: Decimal::from(price),
        ranking: i32::try_from(number - 301).unwrap(),
        active: true,
        allergenic_ids: vec![],
        subproduct_id: None,
        subproduct_pieces: Some(1),
        version: 2,
    });
    menu.options.insert(id(300), options.to_vec());
    menu.subproducts.get_mut(&id(200)).unwrap()[0].option_group_ids = vec![id(300)];
    menu
}

fn workbook(menu: &[&str], options: &[&str]) -> Vec<u8> {
    let mut book = rust_xlsxwriter::Workbook::new();
    for (name, rows) in [("Étlap", menu), ("Feltétek", options)] {
        let sheet = book.add_worksheet().set_name(name).unwrap();
        for (row, cells) in (0..).zip(rows) {
            sheet.write_row(row, 0, cells.split('|')).unwrap();
        }
    }
    book.save_to_buffer().unwrap()
}

#[tokio::test]
async fn option_groups_come_from_a_sheet_of_their_own() {
    let file = workbook(
        &[
            "Kategória|Név|Méret|Ár|Opciócsoportok",
            "Levesek|Húsleves||1990|Feltét, szósz, öntet",
            "Italok>Üdítők|Limonádé|3 dl|890|Íz",
            "Italok>Üdítők|Limonádé|5 dl|1290|",
        ],
        &[
            "Csoport|Típus|Min|Max|Opció|Felár|Allergének|Aktív",
            "Feltét|tól-ig|0|2|Sajt|250 Ft|tej|igen",
            "||||Bacon|300||",
            "Szósz, öntet||||Majonéz|120||nem",
            "Íz||||Málna|||",
        ],
    );
    let done = rehearsed(&file, Choice::default(), menu_with_sauces()).await;
    assert_eq!(faults(&done), vec![]);
    assert_eq!(done.summary.options_sheet.as_deref(), Some("Feltétek"));
    let groups: Vec<_> = done
        .plan
        .new_option_groups
        .iter()
        .map(|row| (row.name.as_str(), row.r#type, row.min_no_options, row.max_no_options, row.ranking))
        .collect();
    assert_eq!(
        groups,
        [("Feltét", OptionGroupType::MinMax, 0, 2, 3), ("Íz", OptionGroupType::Inclusive, 0, 0, 4)]
    );
    let options: Vec<_> = done
        .plan
        .new_options
        .iter()
        .map(|row| (row.name.as_str(), row.price.to_string(), row.ranking))
        .collect();
    assert_eq!(
        options,
        [("Sajt", "250".to_owned(), 0), ("Bacon", "300".to_owned(), 1), ("Málna", "0".to_owned(), 0)]
    );
    let lines: Vec<_> = done
        .lines
        .iter()
        .filter(|line| line.option)
        .map(|line| (line.kind, line.row, line.category.as_str(), line.name.as_str()))
        .collect();
    assert_eq!(
        lines,
        [
            (Kind::New, Some(2), "Feltét", "Sajt"),
            (Kind::New, Some(3), "Feltét", "Bacon"),
            (Kind::Changed, Some(4), "Szósz, öntet", "Majonéz"),
            (Kind::New, Some(5), "Íz", "Málna"),
            (Kind::Missing, None, "Szósz, öntet", "Ketchup"),
        ]
    );
    let mayonnaise = done.lines.iter().find(|line| line.name == "Majonéz").unwrap();
    let changed: Vec<_> = mayonnaise
        .differences
        .iter()
        .map(|one| (one.field, one.before.as_deref(), one.after.as_deref()))
        .collect();
    assert_eq!(
        changed,
        [(Field::Price, Some("100"), Some("120")), (Field::Active, Some("true"), Some("false"))]
    );
    assert!(done.plan.switches(&menu_with_sauces()));
    // The soup asks for both in their order; both sizes of the lemonade for what one of them says.
    let soup = &done.plan.new_subproducts[0];
    assert_eq!(soup.option_group_ids, [done.plan.new_option_groups[0].id, id(300)]);
    let flavour = done.plan.new_option_groups[1].id;
    assert!(
        done.plan.subproducts.iter().all(|row| row.option_group_ids == [flavour])
            && done.plan.subproducts.len() == 2
    );
    let small = done.lines.iter().find(|line| line.subproduct.as_deref() == Some("3 dl")).unwrap();
    assert_eq!(small.differences[0].field, Field::OptionGroups);
    assert_eq!(
        (small.differences[0].before.as_deref(), small.differences[0].after.as_deref()),
        (None, Some("Íz"))
    );
}

#[tokio::test]
async fn a_file_may_hold_nothing_but_options() {
    let rows = [
        "Opciócsoport|Választható|Opció|Ár|Aktív",
        "szosz, öntet||Majonéz|150|",
        "|| Mustár|sok|",
        "Köret|több|Rizs|0|",
        "Köret||rizs|1|",
    ];
    let text = rows.join("\n").replace('|', ";");
    for file in [workbook(&[], &rows), text.into_bytes()] {
        let done = rehearsed(&file, Choice::default(), menu_with_sauces()).await;
        assert!(done.summary.only_options && done.summary.options_sheet.is_none());
        assert_eq!(
            faults(&done),
            [(3, Some("D"), Field::Price, Reason::Type), (5, Some("C"), Field::Option, Reason::NotUnique)],
            "each faulty row says where and why"
        );
        assert_eq!(
            (
                done.summary.counts.rows,
                done.summary.counts.faulty_rows,
                done.summary.counts.new_option_groups
            ),
            (4, 2, 1)
        );
        let lines: Vec<_> =
            done.lines.iter().map(|line| (line.kind, line.category.as_str(), line.name.as_str())).collect();
        assert_eq!(
            lines,
            [
                (Kind::Changed, "Szósz, öntet", "Majonéz"),
                (Kind::New, "Köret", "Rizs"),
                (Kind::Missing, "Szósz, öntet", "Ketchup")
            ],
            "nothing is said about products, so none is missing"
        );
        let columns: Vec<_> = done.summary.columns.iter().filter_map(|column| column.field).collect();
        assert_eq!(
            columns,
            [Field::OptionGroup, Field::OptionType, Field::Option, Field::Price, Field::Active]
        );
        assert_eq!(done.plan.options[0].id, id(302));
        assert!(
            done.plan.products.is_empty()
                && done.plan.subproducts.is_empty()
                && done.plan.new_products.is_empty()
        );
    }
    // Columns chosen by the user are those of a menu.
    let columns = vec![MenuImportColumn { column: 2, field: Some(Field::Name), size: None }];
    let choice = Choice { columns: Some(columns), ..Choice::default() };
    let done = rehearsed(&workbook(&[], &rows), choice, menu_with_sauces()).await;
    assert_eq!((done.summary.only_options, done.summary.missing_fields), (false, vec![Field::Price]));
}

#[tokio::test]
async fn a_menu_with_unknown_headings_is_preferred_to_the_options_sheet() {
    let file = workbook(
        &["Fejezet|Fogás nálunk|Mennyi", "Levesek|Húsleves|1990"],
        &["Opciócsoport|Opció|Ár", "Köret|Rizs|0"],
    );
    let done = rehearsed(&file, Choice::default(), menu_with_sauces()).await;
    assert_eq!(
        (done.summary.sheet.as_str(), done.summary.missing_fields),
        ("Étlap", vec![Field::Name, Field::Price])
    );
    let choice = Choice { sheet: Some("Feltétek".into()), ..Choice::default() };
    let done = rehearsed(&file, choice, menu_with_sauces()).await;
    assert_eq!(
        (done.summary.only_options, done.plan.new_options.len()),
        (true, 1),
        "the options alone can be chosen"
    );
    assert_eq!(done.summary.unused_sheets, ["Étlap"], "what is left out is named");
}

/// A list of extras with a price for each size is no sheet of options.
#[tokio::test]
async fn a_sheet_that_nobody_understands_is_named() {
    let file =
        workbook(&["Kategória|Név|Ár", "Levesek|Húsleves|1990"], &["Feltét|32 cm|40 cm", "Sajt|390|590"]);
    let done = rehearsed(&file, Choice::default(), menu_with_sauces()).await;
    assert_eq!((done.summary.options_sheet, done.summary.unused_sheets), (None, vec!["Feltétek".to_owned()]));
    let file = workbook(&["Kategória|Név|Ár", "Levesek|Húsleves|1990"], &[]);
    let done = rehearsed(&file, Choice::default(), menu_with_sauces()).await;
    assert_eq!(done.summary.unused_sheets, Vec::<String>::new(), "an empty sheet loses nothing");
}

#[tokio::test]
async fn a_text_file_may_name_groups_that_are_there() {
    let done = of(
        "Kategória;Név;Ár;Opciók\nLevesek;Gulyásleves;2490;-\nLevesek;Bableves;990;szosz, \
         ontet\nLevesek;Lencse;990;Nincsilyen\n",
        menu_with_sauces(),
    )
    .await;
    assert_eq!(faults(&done), [(4, Some("D"), Field::OptionGroups, Reason::NotExist)]);
    assert_eq!(done.plan.subproducts[0].option_group_ids, Vec::<Uuid>::new(), "a dash takes them away");
    assert_eq!(done.plan.new_subproducts[0].option_group_ids, [id(300)]);
    let done = of("Kategória;Név;Ár;Opciók\nLevesek;Gulyásleves;2490;\n", menu_with_sauces()).await;
    assert_eq!(done.lines[0].kind, Kind::Unchanged, "an empty cell changes nothing");
}

#[tokio::test]
async fn each_faulty_option_says_where_and_why() {
    let file = workbook(
        &[
            "Kategória|Név|Ár|Opciócsoportok",
            "Levesek|Húsleves|1990|Köret",
            "Levesek|Bableves|990|Elromlott",
            "Levesek|Lencse|990|Feltét",
        ],
        &[
            "Opciócsoport|Választható|Legalább|Legfeljebb|Opció|Ár|Allergének",
            "Köret|egy|||Rizs|0|",
            "Köret|több|||Krumpli|sok|réz",
            "Köret||||rizs|100|",
            "Köret||||||",
            "Elromlott|tól-ig|3|2|Valami|1|",
            "Elromlott||||Más|-1|",
            "Feltét|talán|x|1001|Sajt||",
        ],
    );
    let done = rehearsed(&file, Choice::default(), empty()).await;
    let options: Vec<_> =
        done.faults.iter().filter(|fault| fault.sheet.as_deref() == Some("Feltétek")).collect();
    let found: Vec<_> = options
        .iter()
        .map(|fault| (fault.row, fault.column.as_deref().unwrap(), fault.key, fault.reason))
        .collect();
    assert_eq!(
        found,
        [
            (3, "B", Field::OptionType, Reason::Invalid),
            (3, "F", Field::Price, Reason::Type),
            (3, "G", Field::Allergens, Reason::NotExist),
            (4, "E", Field::Option, Reason::NotUnique),
            (5, "E", Field::Option, Reason::Required),
            (6, "D", Field::MaxNoOptions, Reason::Min),
            (7, "F", Field::Price, Reason::Min),
            (8, "B", Field::OptionType, Reason::Type),
            (8, "C", Field::MinNoOptions, Reason::Type),
            (8, "D", Field::MaxNoOptions, Reason::Max),
        ]
    );
    assert_eq!(options[3].other_row, Some(2));
    // A product with a group that cannot be made is faulty, too.
    let menu: Vec<_> = done
        .faults
        .iter()
        .filter(|fault| fault.sheet.as_deref() == Some("Étlap"))
        .map(|fault| (fault.row, fault.key, fault.reason))
        .collect();
    assert_eq!(
        menu,
        [(3, Field::OptionGroups, Reason::NotExist), (4, Field::OptionGroups, Reason::NotExist)]
    );
    assert_eq!((done.summary.counts.rows, done.summary.counts.faulty_rows), (10, 8));
    assert_eq!(
        (done.plan.new_option_groups.len(), done.plan.new_options.len(), done.plan.new_products.len()),
        (1, 1, 1)
    );
}

#[tokio::test]
async fn rows_beyond_the_listed_faults_are_still_counted_as_faulty() {
    let mut text = String::from("Kategória;Név;Ár;Áfa;Aktív\n");
    for row in 0..4_000 {
        text += &format!("Levesek;Leves {row};sok;26;talán\n");
    }
    let done = of(&text, empty()).await;
    assert_eq!(
        (done.faults.len(), done.summary.counts.faulty_rows, done.plan.new_products.len()),
        (10_000, 4_000, 0)
    );
}

#[tokio::test]
async fn tables_as_people_keep_them() {
    // Merged titles, numbers as texts, decimal commas, a unit behind the price, and the encoding of old
    // Excel.
    let text = "ÉTLAP 2026;;\n;;\nFogás;Ár;Áfa\nLEVESEK;;\nHúsleves tésztával;\"1 990 \
        Ft\";27%\nGyümölcsleves;1.490,00;5,0\nKenyér;150,- Ft;0,05\n";
    let latin = encoding_rs::WINDOWS_1250.encode(text).0.into_owned();
    let done = rehearsed(&latin, Choice::default(), empty()).await;
    assert_eq!(faults(&done), vec![]);
    let lines: Vec<_> = done
        .lines
        .iter()
        .map(|line| (line.category.as_str(), line.name.as_str(), line.price.to_string()))
        .collect();
    let wanted = [
        ("LEVESEK", "Húsleves tésztával", "1990"),
        ("LEVESEK", "Gyümölcsleves", "1490"),
        ("LEVESEK", "Kenyér", "150"),
    ];
    assert_eq!(lines, wanted.map(|(category, name, price)| (category, name, price.to_owned())));
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    sheet.write_row(0, 0, ["Kategória", "Név", "Ár", "Áfa"]).unwrap();
    sheet.write_row(1, 0, ["Levesek", "Szövegként", "1990", "27"]).unwrap();
    sheet.write_row(2, 0, ["Levesek", "=1+1", "@12"]).unwrap();
    let done = rehearsed(&book.save_to_buffer().unwrap(), Choice::default(), empty()).await;
    assert_eq!(faults(&done), [(3, Some("C"), Field::Price, Reason::Type)]);
    assert_eq!(done.lines[0].price.to_string(), "1990");
}
