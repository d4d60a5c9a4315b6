//! Texts that a spreadsheet could take for formulas come back unchanged: through the writer of the templates,
//! and from the csv of the screens. See `docs/decisions/exports.md#cells`.

use catalogue::bulk::{Menu, Plan};
use kernel::money::Currency;
use proptest::prelude::*;

use super::{
    rehearsal::{Choice, rehearse},
    sheet, template,
};

/// The menu from a file, without a present menu. It names no rate and no allergen.
fn planned(file: &[u8]) -> Plan {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let menu = Menu { currency: Currency::Huf, ..Menu::default() };
    let done = runtime.block_on(rehearse(sheet::read(file).unwrap(), Choice::default(), menu)).unwrap().0;
    assert_eq!(done.faults, vec![]);
    done.plan
}

/// One that begins as a formula does, of at most so many characters. An entity is what was copied from a web
/// page, and is read as its character; the signs of lost letters are a fault.
fn formula(longest: usize) -> impl Strategy<Value = String> {
    let text = format!("[=+\\-@][=+\\-@'\"0-9A-Z(!|;,<>á \\PC]{{0,{}}}", longest - 1);
    proptest::string::string_regex(&text)
        .unwrap()
        .prop_map(|text| text.trim().replace('&', "+").replace(['\u{fffd}', 'Ã', 'Ă', 'Å', 'Ĺ', 'Â'], "?"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn texts_that_look_like_formulas_are_imported_unchanged(
        names in proptest::collection::vec(formula(100), 12), descriptions in proptest::array::uniform2((formula(900), formula(900))), ean in formula(50),
    ) {
        // A description may have several lines.
        let [description, second] = descriptions.map(|(first, second)| format!("{first}\n{second}"));
        let [parent, category, category_2, name, name_2, size, group, group_2, option, option_2, other, other_2] = &names[..] else { unreachable!() };
        // Names of groups do not contain the separator.
        let group = &group.replace([';', '|'], "/");
        let menu = vec![parent, category, category_2, name, name_2, &description, &second, size, "990", "", "", "", "", "", "", group, &ean, ""];
        let options = [vec![group, group_2, "", "", "", option, option_2, "0"], vec!["", "", "", "", "", other, other_2, "+10"]];
        prop_assume!(super::fold::fold(option) != super::fold::fold(other));
        let plan = planned(&template::filled(true, [menu].into_iter(), options.into_iter()).unwrap());
        let some = |text: &str| Some(text.to_owned());
        let [above, below] = &plan.new_categories[..] else { panic!("{:?}", plan.new_categories) };
        prop_assert_eq!((&above.name, &below.name, &below.name_sec_lang), (parent, category, &some(category_2)));
        let [product] = &plan.new_products[..] else { panic!("{:?}", plan.new_products) };
        prop_assert_eq!((&product.name, &product.name_sec_lang, &product.ean_code), (name, &some(name_2), &some(&ean)));
        prop_assert_eq!((&product.description, &product.description_sec_lang), (&some(&description), &some(&second)));
        prop_assert_eq!(&plan.new_subproducts[0].name, size);
        let [new] = &plan.new_option_groups[..] else { panic!("{:?}", plan.new_option_groups) };
        prop_assert_eq!((&new.name, &new.name_sec_lang), (group, &some(group_2)));
        prop_assert_eq!(&plan.new_subproducts[0].option_group_ids, &[new.id]);
        let made: Vec<_> = plan.new_options.iter().map(|row| (row.name.as_str(), row.name_sec_lang.clone(), row.price.to_string())).collect();
        prop_assert_eq!(made, vec![(option.as_str(), some(option_2), "0".to_owned()), (other.as_str(), some(other_2), "10".to_owned())]);
    }
}

/// `formulas.csv` is what the screens' own writer makes of `formulas.json`: its test compares the two files
/// (`admin-ui/src/features/menu-import/download.test.ts`).
#[test]
fn csv_of_the_screens_is_read_as_it_was_written() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let payloads: Vec<[String; 2]> =
        serde_json::from_slice(&std::fs::read(folder.join("formulas.json")).unwrap()).unwrap();
    assert!(payloads.len() >= 100, "{}", payloads.len());
    let sheets = sheet::read(&std::fs::read(folder.join("formulas.csv")).unwrap()).unwrap();
    let read: Vec<Vec<String>> =
        sheets[0].rows.iter().map(|row| row.cells.iter().map(sheet::Value::shown).collect()).collect();
    assert_eq!(read, payloads.iter().map(|row| row.to_vec()).collect::<Vec<_>>());
}
