//! Values that do not fit their headings: sizes, prices, barcodes, allergens, exports of shops.

use super::*;

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/");

fn in_currency(currency: Currency) -> Menu {
    let mut menu = empty();
    menu.currency = currency;
    for (number, code, name) in
        [(25, "peanuts", "földimogyoró"), (28, "nuts", "diófélék"), (23, "eggs", "tojás")]
    {
        let ranking = i32::try_from(number - 20).unwrap();
        let (code, name_en, name) = (code.to_owned(), code.to_owned(), name.to_owned());
        menu.allergens.insert(id(number), Allergen { id: id(number), code, name, name_en, ranking });
    }
    menu
}

async fn case(name: &str, currency: Currency) -> Rehearsal {
    let file = std::fs::read(format!("{CASES}{name}")).unwrap();
    rehearsed(&file, Choice::default(), in_currency(currency)).await
}

/// Name, size and price of the lines, in their order.
fn prices(done: &Rehearsal) -> Vec<String> {
    let line = |line: &crate::compare::MenuImportLine| {
        let size = line.subproduct.as_ref().map(|size| format!(" {size}")).unwrap_or_default();
        format!("{}{size} {}", line.name, line.price)
    };
    done.lines.iter().map(line).collect()
}

/// The columns that hold a price or a size, with how many rows they fill.
fn sources(done: &Rehearsal) -> Vec<(&str, Field, i32)> {
    let shown =
        done.summary.columns.iter().filter_map(|one| Some((one.heading.as_str(), one.field?, one.rows)));
    shown
        .filter(|(_, field, _)| matches!(field, Field::Price | Field::SizePrice | Field::Subproduct))
        .collect()
}

fn other_prices(done: &Rehearsal) -> Vec<&str> {
    done.summary.columns.iter().filter(|one| one.could_be_price).map(|one| one.heading.as_str()).collect()
}

#[tokio::test]
async fn a_heading_alone_makes_no_price() {
    let done = case("menu-regular-sale.csv", Currency::Eur).await;
    assert_eq!(faults(&done), vec![]);
    assert_eq!(prices(&done), ["Goulash 18", "Beans 18", "Steak 30"]);
    assert_eq!(
        sources(&done),
        [("Regular price", Field::Price, 3)],
        "shown before it is applied, with its rows"
    );
    assert_eq!(other_prices(&done), ["Sale price"], "the other one is named");
    let done = case("menu-flag-columns.csv", Currency::Eur).await;
    assert_eq!(
        (faults(&done), prices(&done)),
        (vec![], vec!["Tofu bowl 12".to_owned(), "Soup 8".to_owned()])
    );
    assert_eq!(done.summary.sizes, vec![]);
    let done = case("menu-unit-price-first.csv", Currency::Huf).await;
    assert_eq!(
        (faults(&done), prices(&done)),
        (vec![], vec!["Soproni 0,5 l 990".to_owned(), "Furmint 1 dl 690".to_owned()])
    );
    assert_eq!(other_prices(&done), ["Egységár"]);

    // Marks below headings of sizes, in the ways in which people mark.
    for marks in ["1;1", "x;x", "igen;nem", "✓;✓", "ja;nein", "+;+", "1;0", "X;-", "true;false", "2;3", "●;●"]
    {
        let text = format!("Kategória;Név;Ár;L;M\nVegán;Tofu;3490;{marks}\nVegán;Leves;1890;{marks}\n");
        let done = of(&text, in_currency(Currency::Huf)).await;
        assert_eq!((faults(&done), done.summary.sizes.len()), (vec![], 0), "{marks}");
        assert_eq!(prices(&done), ["Tofu 3490", "Leves 1890"], "{marks}");
    }
    // Hotness from 1 to 3 is no price beside one, in a currency in which it could be.
    let done = of(
        "Category,Name,Price,S\nMains,Curry,12,3\nMains,Dal,10,2\nMains,Rice,9,1\n",
        in_currency(Currency::Eur),
    )
    .await;
    assert_eq!(prices(&done), ["Curry 12", "Dal 10", "Rice 9"]);
    // Prices below the same headings are sizes.
    for text in [
        "Category,Name,S,M,L\nPizza,Ham,8,10,12\nPizza,Tuna,9,11,13\n",
        "Category,Name,Price,S,M,L\nPizza,Ham,,8,10,12\nPizza,Tuna,,9,11,13\n",
    ] {
        let done = of(text, in_currency(Currency::Eur)).await;
        assert_eq!((faults(&done), done.plan.new_subproducts.len()), (vec![], 6), "{text}");
        assert_eq!(done.summary.sizes[0].lines, 2);
    }
}

#[tokio::test]
async fn of_two_prices_the_regular_one_is_proposed_and_the_other_named() {
    for (headings, row, price, named) in [
        ("Akciós ár;Ár", "990;1290", "1290", "Akciós ár"),
        ("Eredeti ár;Akciós ár", "1290;990", "1290", "Akciós ár"),
        ("Nettó ár;Bruttó ár", "1016;1290", "1290", "Nettó ár"),
        ("Nettó;Bruttó", "1016;1290", "1290", "Nettó"),
        ("Price excl. tax;Price incl. tax", "1016;1290", "1290", "Price excl. tax"),
        ("Egységár;Fogyasztói ár", "2580;1290", "1290", "Egységár"),
        ("Bruttó egységár (Ft/l);Ár (Ft)", "2580;1290", "1290", ""),
        ("Sale price;Regular price", "990;1290", "1290", "Sale price"),
        ("Beszerzési ár;Eladási ár", "500;1290", "1290", "Beszerzési ár"),
        ("Régi ár;Új ár", "1190;1290", "1290", "Régi ár"),
        ("Kedvezményes ár;Normál ár", "990;1290", "1290", "Kedvezményes ár"),
        // An empty column is no price, however its heading reads.
        ("Bruttó ár;Ár", ";1290", "1290", ""),
        ("Ár;Egységár", "igen;1290", "1290", ""),
    ] {
        let done =
            of(&format!("Kategória;Név;{headings}\nLevesek;Bab;{row}\n"), in_currency(Currency::Huf)).await;
        assert_eq!((faults(&done), prices(&done)), (vec![], vec![format!("Bab {price}")]), "{headings}");
        assert_eq!(other_prices(&done).join(" "), named, "{headings}");
    }
    // A price without tax, or what the restaurant pays, is a question.
    for heading in ["Nettó ár", "Beszerzési ár", "Price excl. VAT", "Árrés", "Régi ár"] {
        let done =
            of(&format!("Kategória;Név;{heading}\nLevesek;Bab;1290\n"), in_currency(Currency::Huf)).await;
        assert_eq!(done.summary.missing_fields, [Field::Price], "{heading}");
    }
}

#[tokio::test]
async fn exports_of_square_are_read_by_their_headings() {
    let done = case("menu-square-layout.csv", Currency::Gbp).await;
    assert_eq!(faults(&done), vec![]);
    assert_eq!(prices(&done), ["Coffee Large 3.5", "Coffee Small 2.5", "Toast 4.2"]);
    assert_eq!(sources(&done), [("Variation Name", Field::Subproduct, 2), ("Price", Field::Price, 3)]);
    let done = case("menu-square-layout.csv", Currency::Eur).await;
    assert_eq!(faults(&done), [(4, Some("F"), Field::Price, Reason::Invalid)], "another currency");
    let text = "Reference Handle,Token,Item Name,Variation Name,SKU,Categories,GTIN,Price,Online Sale Price,Archived\n\
                ,t1,Tea,Regular,,\"Hot, Drinks\",,£2.10,£1.90,N\n,t2,Cake,Slice,,Food,,3.40,,Y\n";
    let done = of(text, in_currency(Currency::Gbp)).await;
    assert_eq!(
        (faults(&done), prices(&done)),
        (vec![], vec!["Tea 2.1".to_owned(), "Cake Slice 3.4".to_owned()])
    );
    let active: Vec<bool> = done.plan.new_products.iter().map(|row| row.active).collect();
    assert_eq!((active, done.lines[0].category.as_str()), (vec![true, false], "Hot"));
}

#[tokio::test]
async fn exports_of_woo_commerce_are_read_by_their_headings() {
    let done = case("menu-woo-layout.csv", Currency::Eur).await;
    assert_eq!(faults(&done), vec![]);
    assert_eq!(
        prices(&done),
        ["Gulyás 18", "Bableves 18", "Pizza 30 cm 20", "Pizza 40 cm 30", "Rejtett 9"],
        "the row of the product is no size"
    );
    let lines: Vec<_> = done.lines.iter().map(|line| line.category.as_str()).collect();
    assert_eq!(lines, ["Ételek > Levesek", "Ételek > Levesek", "Pizzák", "Pizzák", "Italok"]);
    let hidden: Vec<_> =
        done.plan.new_products.iter().filter(|row| !row.active).map(|row| row.name.as_str()).collect();
    assert_eq!((hidden, other_prices(&done)), (vec!["Rejtett"], vec!["Sale price"]));
    // In Hungarian; parents by id, a size by its name alone, drafts, and one that is hidden.
    let text = "Azonosító,Típus,Cikkszám,Név,Közzétéve,Katalógusban való láthatóság,Akciós ár,Normál ár,Kategóriák,Szülő\n\
                1,variable,,Pizza,1,visible,,,Pizzák,\n2,variation,,Pizza - Kicsi,1,visible,,1990,,id:1\n\
                3,variation,,Pizza - Nagy,1,visible,,2990,,id:1\n4,simple,,Leves,-1,visible,,990,Levesek,\n\
                5,\"simple, virtual\",,Utalvány,1,hidden,,5000,Egyéb,\n";
    let done = of(text, in_currency(Currency::Huf)).await;
    assert_eq!(faults(&done), vec![]);
    assert_eq!(done.plan.new_products.iter().filter(|row| row.active).count(), 1);
    assert_eq!(done.plan.new_products.len(), 3);
    assert!(prices(&done).iter().all(|line| !line.starts_with("Pizza - ")), "{:?}", prices(&done));
    assert_eq!(done.plan.new_subproducts.len(), 4);
}

#[tokio::test]
async fn cells_that_a_spreadsheet_has_changed_are_faults_of_their_cells() {
    let done = case("menu-ean-scientific.csv", Currency::Huf).await;
    assert_eq!(
        faults(&done),
        [(2, Some("D"), Field::EanCode, Reason::Type), (3, Some("D"), Field::EanCode, Reason::Type)]
    );
    let done = case("menu-error-cell.xlsx", Currency::Huf).await;
    assert_eq!((faults(&done), prices(&done)), (vec![], vec!["Ragu 1500".to_owned(), "Bab 1905".to_owned()]));
    for (row, column, field) in [
        ("02.jan;Bab;990;;", "A", Field::Category),
        ("L;Jan-02;990;;", "B", Field::Name),
        ("L;#HIV!;990;;", "B", Field::Name),
        ("L;Bab;#SPILL!;;", "C", Field::Price),
        ("L;Bab;Err:502;;", "C", Field::Price),
        ("L;Bab;1,99E+03;;", "C", Field::Price),
        ("L;Bab;990;#N/A;", "D", Field::Allergens),
        ("L;Bab;990;;Hiba:502", "E", Field::Description),
        ("L;Bab;990;;H\u{fffd}s", "E", Field::Description),
    ] {
        let done = of(
            &format!("Kategória;Név;Ár;Allergének;Leírás\n{row}\nL;Lencse;890;;\nL;Borsó;790;;\n"),
            in_currency(Currency::Huf),
        )
        .await;
        let found: Vec<_> =
            done.faults.iter().map(|fault| (fault.row, fault.column.as_deref(), fault.key)).collect();
        assert_eq!(found, [(2, Some(column), field)], "{row}");
    }
}

#[tokio::test]
async fn hungarian_letters_survive_every_code_page() {
    let done = case("menu-cp852.csv", Currency::Huf).await;
    assert_eq!(
        (faults(&done), prices(&done)),
        (
            vec![],
            vec![
                "Húsleves gyöngytyúkból 1990".to_owned(),
                "Töltött káposzta 2990".to_owned(),
                "Őszibaracklé 590".to_owned()
            ]
        )
    );
    assert_eq!(done.lines[1].category, "Főételek");
    // Letters that no Hungarian word has: the page is not certain, so nothing is guessed.
    let text =
        encoding_rs::WINDOWS_1252.encode("Kategória;Név;Ár\nDesszert;Crème brûlée;1990\n").0.into_owned();
    let done = rehearsed(&text, Choice::default(), in_currency(Currency::Huf)).await;
    assert_eq!(faults(&done), [(2, Some("B"), Field::Name, Reason::Type)]);
}

#[tokio::test]
async fn allergens_are_those_of_the_annex_or_a_fault() {
    let done = case("menu-allergen-word.csv", Currency::Huf).await;
    assert_eq!(faults(&done), vec![]);
    let allergens: Vec<_> = done.plan.new_subproducts.iter().map(|row| row.allergenic_ids.clone()).collect();
    assert_eq!(allergens, [vec![id(28)], vec![id(28)]], "nuts, never peanuts");
    for (written, wanted) in [
        ("földimogyoró", Some(vec![25])),
        ("mogyorós, földimogyorós", Some(vec![25, 28])),
        ("peanuts; eggs", Some(vec![23, 25])),
        ("tojásos", Some(vec![23])),
        ("3 8", Some(vec![23, 28])),
        ("5,8", Some(vec![25, 28])),
        ("gluténmentes", None),
        ("shellfish", None),
        ("nyomokban mogyorót tartalmazhat", None),
        ("gesztenye", None),
        ("tojas?", None),
    ] {
        let done = of(
            &format!("Kategória;Név;Ár;Allergének\nD;Torta;990;\"{written}\"\n"),
            in_currency(Currency::Huf),
        )
        .await;
        let found = done.plan.new_subproducts.first().map(|row| row.allergenic_ids.clone());
        let wanted = wanted.map(|numbers| numbers.into_iter().map(id).collect::<Vec<_>>());
        assert_eq!((found, faults(&done).is_empty()), (wanted.clone(), wanted.is_some()), "{written}");
    }
}

#[tokio::test]
async fn each_group_of_options_is_shown_with_its_rule() {
    let rows = |done: &Rehearsal| -> Vec<String> {
        let groups = done.summary.option_groups.iter();
        let shown = |one: &crate::rehearsal::MenuImportOptionGroup| {
            let said = if one.stated { "" } else { " unsaid" };
            format!(
                "{} {:?} {}-{} {}{said}",
                one.name, one.r#type, one.min_no_options, one.max_no_options, one.options
            )
        };
        groups.map(shown).collect()
    };
    let done = of(
        "Csoport;Szabály;Opció;Felár\nÍz;pontosan 1;Citrom;0\nÍz;;Málna;100\nFeltét;max. 3;Sajt;200\nKöret;1-2;Rizs;0\n\
         Szósz;opcionális;Majonéz;150\nLeveles;;Saláta;90\n",
        empty(),
    )
    .await;
    assert_eq!(faults(&done), vec![]);
    assert_eq!(
        rows(&done),
        [
            "Íz Exclusive 1-1 2",
            "Feltét MinMax 0-3 1",
            "Köret MinMax 1-2 1",
            "Szósz Inclusive 0-0 1",
            "Leveles Inclusive 0-0 1 unsaid"
        ]
    );
    // A rule that is not understood, or that says too little, is a fault.
    for (text, fault) in [
        ("Csoport;Szabály;Opció;Felár\nÍz;talán;Citrom;0\n", (2, Some("B"), Field::OptionType, Reason::Type)),
        (
            "Csoport;Szabály;Opció;Felár\nÍz;kötelező;Citrom;0\n",
            (2, Some("B"), Field::OptionType, Reason::Type),
        ),
        (
            "Csoport;Kötelező;Opció;Felár\nÍz;igen;Citrom;0\n",
            (2, None, Field::MaxNoOptions, Reason::Required),
        ),
        (
            "Csoport;Kötelező;Max;Opció;Felár\nÍz;lehet;1;Citrom;0\n",
            (2, Some("B"), Field::OptionRequired, Reason::Type),
        ),
        (
            "Csoport;Hogyan választ;Opció;Felár\nÍz;egyet;Citrom;0\n",
            (2, None, Field::OptionType, Reason::Required),
        ),
    ] {
        let done = of(text, empty()).await;
        assert_eq!(faults(&done), [fault], "{text}");
    }
    let done = of(
        "Csoport;Kötelező;Max. választható;Opció;Felár\nÍz;igen;1;Citrom;0\nFeltét;nem;3;Sajt;0\n",
        empty(),
    )
    .await;
    assert_eq!(
        (faults(&done), rows(&done)),
        (vec![], vec!["Íz MinMax 1-1 1".to_owned(), "Feltét MinMax 0-3 1".to_owned()])
    );
}

#[tokio::test]
async fn columns_of_options_can_be_chosen_too() {
    let text = "Csoport;Hogyan választ;Opció;Felár\nÍz;egyet;Citrom;0\nÍz;;Málna;100\n";
    let column = |column, field| MenuImportColumn { column, field: Some(field), size: None };
    let columns = vec![
        column(0, Field::OptionGroup),
        column(1, Field::OptionType),
        column(2, Field::Option),
        column(3, Field::Price),
    ];
    let options = crate::rehearsal::OptionsChoice { columns: Some(columns), ..Default::default() };
    let done = rehearsed(text.as_bytes(), Choice { options, ..Choice::default() }, empty()).await;
    assert!(done.summary.only_options);
    assert_eq!((faults(&done), done.plan.new_option_groups[0].r#type), (vec![], OptionGroupType::Exclusive));
    // Beside a menu: a sheet without known headings, and one that is left out.
    let file = workbook(
        &["Kategória|Név|Ár|Opciócsoportok", "Italok|Limonádé|890|Íz"],
        &["a|b|c", "Íz|egy|Citrom", "Íz||Málna"],
    );
    let columns = vec![column(0, Field::OptionGroup), column(1, Field::OptionType), column(2, Field::Option)];
    let options = crate::rehearsal::OptionsChoice {
        sheet: Some("Feltétek".into()),
        header_row: Some(1),
        columns: Some(columns),
    };
    let done = rehearsed(&file, Choice { options, ..Choice::default() }, empty()).await;
    assert_eq!((faults(&done), done.summary.options_sheet.as_deref()), (vec![], Some("Feltétek")));
    assert_eq!((done.summary.option_groups[0].options, done.summary.options_columns.len()), (2, 3));
    assert_eq!(done.plan.new_subproducts[0].option_group_ids, [done.plan.new_option_groups[0].id]);
}
