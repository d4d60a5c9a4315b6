//! Category, unit and quantity of the tax report from a sheet.

use catalogue::bulk::NtakCategoryRow;
use kernel::setting::NtakQuantityUnit as Unit;

use super::*;

/// The menu with some categories of the report; `ended` can no longer be chosen.
fn reported(ended: bool) -> Menu {
    let mut menu = menu();
    for (number, main, sub, names, valid) in [
        (1, "ETEL", "LEVES", ["Étel", "leves", "Food", "soup"], true),
        (2, "ETEL", "SAVANYUSAG_SALATA", ["Étel", "savanyúság/saláta", "Food", "pickles, salad"], true),
        (3, "ETEL", "EGYEB", ["Étel", "egyéb", "Food", "other"], true),
        (
            4,
            "ALKMENTESITAL_HELYBEN",
            "KAVE",
            ["Helyben készített alkoholmentes ital", "kávé", "Drink", "coffee"],
            !ended,
        ),
        (5, "EGYEB", "EGYEB", ["Egyéb", "egyéb", "Other", "other"], true),
    ] {
        let [main_category_name, sub_category_name, main_category_name_en, sub_category_name_en] =
            names.map(str::to_owned);
        let row = NtakCategoryRow {
            id: id(900 + number),
            main_category: main.to_owned(),
            main_category_name,
            main_category_name_en,
            sub_category: sub.to_owned(),
            sub_category_name,
            sub_category_name_en,
            valid,
        };
        menu.ntak_categories.insert(row.id, row);
    }
    menu
}

#[tokio::test]
async fn categories_are_named_by_words_and_by_names() {
    for (written, category) in [
        ("ETEL/LEVES", Some(1)),
        ("etel leves", Some(1)),
        ("Étel – leves", Some(1)),
        ("Food / soup", Some(1)),
        ("leves", Some(1)),
        ("SAVANYUSAG_SALATA", Some(2)),
        ("savanyúság/saláta", Some(2)),
        ("Étel > egyéb", Some(3)),
        ("EGYEB/EGYEB", Some(5)),
        ("kávé", Some(4)),
    ] {
        let done =
            of(&format!("név;ár;kategória;NTAK-kategória\nTea;500;Teák;\"{written}\""), reported(false))
                .await;
        assert_eq!(faults(&done), vec![], "{written}");
        let own = done.plan.new_products[0].ntak_category_id;
        assert_eq!(own, category.map(|number| id(900 + number)), "{written}");
    }
    for (written, reason) in [
        ("ETEL", Reason::Invalid),
        ("egyéb", Reason::Invalid),
        ("Étel", Reason::Invalid),
        ("LEVESEK", Reason::NotExist),
        ("ETEL/KAVE", Reason::NotExist),
        ("901", Reason::NotExist),
    ] {
        let done = of(&format!("név;ár;kategória;ntak\nTea;500;Teák;{written}"), reported(false)).await;
        assert_eq!(faults(&done), vec![(2, Some("D"), Field::NtakCategory, reason)], "{written}");
        assert!(done.plan.is_empty());
    }
}

#[tokio::test]
async fn what_sizes_share_stands_on_the_product_and_only_where_it_is_not_inherited() {
    let file = "kategória;név;méret;ár;ntak kategória;ntak egység;ntak mennyiség\n\
        Levesek;Gulyásleves;;2490;ETEL/LEVES;adag;\n\
        Italok > Üdítők;Limonádé;3 dl;890;KAVE;liter;0,3\n\
        Italok > Üdítők;Limonádé;5 dl;1290;LEVES;liter;0.5";
    let mut before = reported(false);
    before.categories.get_mut(&id(100)).unwrap().ntak_category_id = Some(id(901));
    before.ntak_quantity_unit = Some(Unit::Portion);
    let done = of(file, before).await;
    assert_eq!(faults(&done), vec![]);
    let products: Vec<_> =
        done.plan.products.iter().map(|row| (row.id, row.ntak_category_id, row.ntak_quantity_unit)).collect();
    assert_eq!(products, vec![(id(201), None, Some(Unit::Liter))], "the soup inherits both");
    let sizes: Vec<_> = done
        .plan
        .subproducts
        .iter()
        .map(|row| {
            (
                row.ntak_category_id,
                row.ntak_quantity_unit,
                row.ntak_quantity.map(|quantity| quantity.to_string()),
            )
        })
        .collect();
    assert_eq!(
        sizes,
        vec![(Some(id(904)), None, Some("0.3".to_owned())), (Some(id(901)), None, Some("0.5".to_owned()))]
    );
    let changes: Vec<_> = done.lines[1]
        .differences
        .iter()
        .map(|one| (one.field, one.before.as_deref(), one.after.as_deref()))
        .collect();
    assert_eq!(
        changes,
        vec![
            (Field::NtakQuantityUnit, Some("portion"), Some("liter")),
            (Field::NtakCategory, None, Some("ALKMENTESITAL_HELYBEN/KAVE")),
            (Field::NtakQuantity, None, Some("0.3")),
        ]
    );
    // An empty cell changes nothing.
    let mut after = reported(false);
    after.products.get_mut(&id(200)).unwrap().ntak_category_id = Some(id(901));
    let done = of("név;ár;kategória;ntak kategória\nGulyásleves;2490;Levesek;", after).await;
    assert!(done.plan.is_empty() && done.lines[0].kind == Kind::Unchanged);
}

#[tokio::test]
async fn a_category_that_has_ended_stays_and_is_not_chosen() {
    let mut before = reported(true);
    let kave = Some(id(904));
    before.products.get_mut(&id(200)).unwrap().ntak_category_id = kave;
    let file = "név;ár;kategória;ntak kategória\nGulyásleves;2500;Levesek;kávé\nBableves;1900;Levesek;kávé";
    let done = of(file, before).await;
    assert_eq!(faults(&done), vec![(3, Some("D"), Field::NtakCategory, Reason::NotExist)]);
    assert_eq!(done.summary.counts.faulty_rows, 1);
    assert_eq!(done.plan.products[0].ntak_category_id, kave);
    assert!(done.plan.new_products.is_empty() && done.plan.new_categories.is_empty());
    let done = of("név;ár;kategória;ntak\nTea;500;Teák;kávé", reported(true)).await;
    assert_eq!(faults(&done), vec![(2, Some("D"), Field::NtakCategory, Reason::NotExist)], "nobody has it");
}

#[tokio::test]
async fn units_and_quantities_have_limits() {
    for (unit, quantity, fault) in [
        ("L", "0,33", None),
        ("db", "1", None),
        ("Adag.", "2.5", None),
        ("hordó", "1", Some((Field::NtakQuantityUnit, Reason::NotExist))),
        ("liter", "0", Some((Field::NtakQuantity, Reason::Min))),
        ("liter", "-1", Some((Field::NtakQuantity, Reason::Min))),
        ("liter", "0,33333", Some((Field::NtakQuantity, Reason::Invalid))),
        ("liter", "100001", Some((Field::NtakQuantity, Reason::Max))),
        ("liter", "fél", Some((Field::NtakQuantity, Reason::Type))),
        ("liter", "1e3", Some((Field::NtakQuantity, Reason::Type))),
        ("liter", "=1+1", Some((Field::NtakQuantity, Reason::Type))),
    ] {
        let file =
            format!("név;ár;kategória;mennyiségi egység;NTAK mennyiség\nTea;500;Teák;{unit};{quantity}");
        let done = of(&file, reported(false)).await;
        let found: Vec<_> = done.faults.iter().map(|fault| (fault.key, fault.reason)).collect();
        assert_eq!(found, fault.into_iter().collect::<Vec<_>>(), "{unit} {quantity}");
    }
}
