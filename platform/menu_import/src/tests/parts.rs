//! Components of sizes, deposits, and sizes of options, from a file.

use super::*;

/// Components of the planned sizes, by the sizes' names: places of what the file makes, and ids.
fn consist(done: &Rehearsal, name: &str) -> Vec<(String, i32)> {
    let plan = &done.plan;
    let product = plan.new_products.iter().find(|row| row.name == name).unwrap();
    let size = plan.new_subproducts.iter().find(|row| row.product_id == product.id).unwrap();
    let names = |id: &Uuid| {
        let before = menu();
        let sizes = || plan.new_subproducts.iter().chain(before.subproducts.values().flatten());
        sizes().find(|row| row.id == *id).map(|row| row.name.clone()).unwrap()
    };
    size.component_ids.iter().map(names).zip(size.component_pieces.iter().copied()).collect()
}

#[tokio::test]
async fn a_menu_names_sizes_that_are_there_and_those_that_the_file_makes_below_it() {
    let file = "kategória;név;méret;ár;betétdíjas darab;menü részei\n\
        Menük;Ebéd;;3490;;\"Gulyásleves, 2 × limonádé (3dl); kóla\"\n\
        Menük;Páros;;4490;0;2 db Gulyásleves + 7 Up 0,33 l\n\
        Italok > Üdítők;Kóla;0,5 l;900;1;\n\
        Italok > Üdítők;7 Up;0,33 l;700;;\n\
        Italok > Üdítők;7 Up;0,5 l;900;;";
    let done = of(file, menu()).await;
    assert_eq!(faults(&done), vec![]);
    let part = |name: &str, pieces: i32| (name.to_owned(), pieces);
    assert_eq!(
        consist(&done, "Ebéd"),
        [part("Gulyásleves", 1), part("3 dl", 2), part("0,5 l", 1)],
        "the only size of a product goes by its name"
    );
    assert_eq!(consist(&done, "Páros"), [part("Gulyásleves", 2), part("0,33 l", 1)]);
    let deposits: Vec<_> =
        done.plan.new_subproducts.iter().map(|row| (row.price.to_string(), row.deposit_pieces)).collect();
    assert!(
        deposits.contains(&("900".to_owned(), Some(1))) && deposits.contains(&("4490".to_owned(), Some(0)))
    );
    let places: Vec<_> = done
        .plan
        .new_products
        .iter()
        .filter(|row| ["Ebéd", "Páros"].contains(&row.name.as_str()))
        .map(|row| row.ranking)
        .collect();
    assert_eq!(places, [0, 1], "in the order of the file, although they are compared last");
}

#[tokio::test]
async fn whatever_comes_first_in_the_file_all_sizes_are_known_by_name() {
    let file = "kategória;név;méret;ár;menü részei\n\
        Levesek;Ebéd;;2490;-\n\
        Menük;Páros;;4490;Gulyásleves + Fröccs\n\
        Italok > Üdítők;Fröccs;;900;";
    let done = of(file, with_lunch()).await;
    assert_eq!(faults(&done), vec![]);
    assert_eq!(consist(&done, "Páros"), [("Gulyásleves".to_owned(), 1), ("Fröccs".to_owned(), 1)]);
    assert_eq!(done.plan.subproducts[0].component_ids, Vec::<Uuid>::new());

    // A size beside one with components, of which the option stands for the plain one.
    let menu_rows =
        ["Kategória|Név|Méret|Ár|Menü részei", "Menük|Tál|nagy|900|Gulyásleves", "Menük|Tál|kicsi|500|"];
    let options = ["Csoport|Típus|Opció|Felár|Melyik méret", "Köret|egy|Kis tál||Tál kicsi"];
    let done = rehearsed(&workbook(&menu_rows, &options), Choice::default(), menu_with_sauces()).await;
    assert_eq!(faults(&done), vec![]);
    let small = done.plan.new_subproducts.iter().find(|row| row.name == "kicsi").unwrap().id;
    assert_eq!(done.plan.new_options[0].subproduct_id, Some(small));
}

fn with_lunch() -> Menu {
    let mut menu = menu();
    let mut product = menu.products[&id(200)].clone();
    (product.id, product.name) = (id(210), "Ebéd".into());
    let mut size = menu.subproducts[&id(200)][0].clone();
    (size.id, size.product_id, size.name) = (id(2100), id(210), "Ebéd".into());
    (size.component_ids, size.component_pieces) = (vec![id(2000)], vec![1]);
    menu.products.insert(product.id, product);
    menu.subproducts.insert(id(210), vec![size]);
    menu
}

#[tokio::test]
async fn what_cannot_be_a_part_is_a_fault_at_its_cell() {
    for (row, reason) in [
        ("Menük;Új;3490;Húsleves", Reason::NotExist),
        ("Menük;Új;3490;Limonádé", Reason::NotExist),
        ("Menük;Új;3490;Gulyásleves; gulyásleves", Reason::NotUnique),
        ("Menük;Új;3490;Ebéd", Reason::Invalid),
        ("Menük;Új;3490;Iker", Reason::Invalid),
        ("Levesek;Ebéd;3490;Ebéd", Reason::Invalid),
        ("Levesek;Gulyásleves;3490;Limonádé 3 dl", Reason::Invalid),
        ("Menük;Új;3490;0 × Gulyásleves", Reason::Min),
        ("Menük;Új;3490;1000 × Gulyásleves", Reason::Max),
        ("Menük;Új;3490;99999999999 × Gulyásleves", Reason::Max),
        ("Menük;Új;3490;5", Reason::NotExist),
    ] {
        let mut cells = row.splitn(4, ';');
        let mut next = || cells.next().unwrap();
        let row = format!("{};{};{};\"{}\"", next(), next(), next(), next());
        let file = format!("kategória;név;ár;menü részei\n{row}\nEgyik;Iker;500;\nMásik;Iker;500;");
        let done = of(&file, with_lunch()).await;
        assert_eq!(faults(&done), vec![(2, Some("D"), Field::Components, reason)], "{row}");
        assert_eq!(done.plan.new_products.len(), 2, "the row is left out whole: {row}");
    }
}

#[tokio::test]
async fn a_dash_takes_components_away_and_an_empty_cell_leaves_them() {
    for (cell, after) in
        [("", None), ("Gulyásleves", None), ("-", Some(vec![])), ("2 × Gulyásleves", Some(vec![2]))]
    {
        let file = format!("kategória;név;ár;menü részei\nLevesek;Ebéd;2490;{cell}");
        let done = of(&file, with_lunch()).await;
        assert_eq!(faults(&done), vec![], "{cell}");
        let planned = done.plan.subproducts.first().map(|row| row.component_pieces.clone());
        assert_eq!(planned, after, "{cell}");
        let differences: Vec<_> = done.lines[0].differences.iter().map(|one| one.field).collect();
        assert_eq!(differences, if planned.is_some() { vec![Field::Components] } else { vec![] }, "{cell}");
    }
}

#[tokio::test]
async fn an_option_stands_for_a_size_of_the_menu_or_of_the_file() {
    let menu_rows = ["Kategória|Név|Méret|Ár|Opciócsoportok", "Italok>Üdítők|Kóla|0,5 l|900|"];
    let options = [
        "Csoport|Típus|Opció|Felár|Melyik méret",
        "Ital|egy|Kóla||Kóla",
        "||Limonádé|100|2 × Limonádé 3 dl",
        "Szósz, öntet||Majonéz||Gulyásleves",
    ];
    let done = rehearsed(&workbook(&menu_rows, &options), Choice::default(), menu_with_sauces()).await;
    assert_eq!(faults(&done), vec![]);
    let cola = done.plan.new_subproducts[0].id;
    let stands = |rows: &[OptionRow]| -> Vec<_> {
        rows.iter().map(|row| (row.subproduct_id, row.subproduct_pieces)).collect()
    };
    assert_eq!(stands(&done.plan.new_options), [(Some(cola), Some(1)), (Some(id(2010)), Some(2))]);
    assert_eq!(stands(&done.plan.options), [(Some(id(2000)), Some(1))]);
    let changed = done.lines.iter().find(|line| line.name == "Majonéz").unwrap();
    assert_eq!((changed.kind, changed.differences[0].field), (Kind::Changed, Field::StandsFor));

    // What it cannot stand for: nothing, two, and a menu that the same file makes.
    let menu_rows = ["Kategória|Név|Ár|Menü részei", "Menük|Ebéd|900|Gulyásleves"];
    for (cell, reason) in [
        ("Húsleves", Reason::NotExist),
        ("Gulyásleves; Limonádé 3 dl", Reason::Invalid),
        ("Ebéd", Reason::Invalid),
    ] {
        let row = format!("Ital|egy|Kóla||{cell}");
        let options = ["Csoport|Típus|Opció|Felár|Melyik méret", &row];
        let done = rehearsed(&workbook(&menu_rows, &options), Choice::default(), menu_with_sauces()).await;
        assert_eq!(faults(&done), vec![(2, Some("E"), Field::StandsFor, reason)], "{cell}");
        assert_eq!(done.plan.new_options, vec![]);
    }
}
