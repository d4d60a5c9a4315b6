//! Names of two real menus, and proposals for whole menus.

use std::collections::{HashMap, HashSet};

use kernel::{Clearable, Id, money::Quantity, setting::NtakQuantityUnit as Unit};
use proptest::prelude::*;
use rust_decimal::Decimal;
use uuid::Uuid;

use super::{
    change::plan,
    guess::{Names, guess},
    propose::{Place, Proposal, propose},
    types::{NtakChangeRow, NtakLevel},
};
use crate::bulk::{CategoryRow, Menu, NtakCategoryRow, ProductRow, SubproductRow};

/// Dishes and drinks of two real menus: category, product, description; and what they speak for.
/// `PULT_GOLDEN=write` writes it: look at the difference.
const NAMES: &str = include_str!("names.tsv");

fn told(names: &Names<'_>) -> String {
    guess(names).map_or_else(
        || "-\t-\t-".to_owned(),
        |found| {
            let quantity = found.quantity.map_or_else(|| "-".to_owned(), |quantity| quantity.to_string());
            format!("{}/{}\t{:?}\t{quantity}", found.pair.0, found.pair.1, found.unit)
        },
    )
}

#[test]
fn the_names_of_two_menus() {
    let mut found = String::new();
    for line in NAMES.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let [category, product, description, ..] = cells[..] else { panic!("{line}") };
        let description = Some(description).filter(|text| !text.is_empty());
        let names = Names { category, parent: None, product, description, size: product };
        found += &cells[..3].join("\t");
        found += &format!("\t{}\n", told(&names));
    }
    if std::env::var("PULT_GOLDEN").is_ok_and(|word| word == "write") {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ntak/names.tsv");
        std::fs::write(path, &found).unwrap();
    }
    assert!(NAMES.lines().count() >= 300);
    for (line, expected) in found.lines().zip(NAMES.lines()) {
        assert_eq!(line, expected);
    }
}

#[test]
fn names_without_help_of_their_category() {
    let table = [
        ("leves", "ETEL/LEVES\tPortion\t-"),
        ("Levesek", "ETEL/LEVES\tPortion\t-"),
        ("sör 0,5", "ALKOHOLOSITAL/SOR\tLiter\t0.5"),
        ("Korsó sör", "ALKOHOLOSITAL/SOR\tLiter\t0.5"),
        ("Meggysör 3 dl", "ALKOHOLOSITAL/SOR\tLiter\t0.3"),
        ("Alkoholmentes sör 0,5 l", "ALKMENTESITAL_NEM_HELYBEN/SZENSAVAS_UDITO\tLiter\t0.5"),
        ("Gyömbérsör 0,2l", "ALKMENTESITAL_NEM_HELYBEN/SZENSAVAS_UDITO\tLiter\t0.2"),
        ("Kóla 0,33", "ALKMENTESITAL_NEM_HELYBEN/SZENSAVAS_UDITO\tLiter\t0.33"),
        ("Jeges tea 0,5 l", "ALKMENTESITAL_NEM_HELYBEN/SZENSAVMENTES_UDITO\tLiter\t0.5"),
        ("Házi limonádé", "ALKMENTESITAL_HELYBEN/LIMONADE_SZORP_FACSART\tPiece\t-"),
        ("Kávé", "ALKMENTESITAL_HELYBEN/KAVE\tPiece\t-"),
        ("Jegeskávé 3 dl", "ALKMENTESITAL_HELYBEN/KAVE\tPiece\t-"),
        ("Ásványvíz 500 ml", "ALKMENTESITAL_NEM_HELYBEN/VIZ\tLiter\t0.5"),
        ("Vörösbor 1 dl", "ALKOHOLOSITAL/BOR\tLiter\t0.1"),
        ("Barackpálinka 4 cl", "ALKOHOLOSITAL/PARLAT\tLiter\t0.04"),
        ("Prosecco", "ALKOHOLOSITAL/PEZSGO\tPiece\t-"),
        ("Alkoholmentes mojito", "ALKMENTESITAL_HELYBEN/ALKOHOLMENTES_KOKTEL\tPiece\t-"),
        ("Virgin mojito", "ALKMENTESITAL_HELYBEN/ALKOHOLMENTES_KOKTEL\tPiece\t-"),
        ("Gulyás", "ETEL/LEVES\tPortion\t-"),
        ("Hátszín steak", "ETEL/FOETEL\tPortion\t-"),
        ("Bécsi szelet hasábburgonyával", "ETEL/FOETEL_KORETTEL\tPortion\t-"),
        ("Rántott csirkemell rizzsel", "ETEL/FOETEL_KORETTEL\tPortion\t-"),
        ("Paprikás krumpli", "ETEL/FOETEL\tPortion\t-"),
        ("Sült krumpli", "ETEL/KORET\tPortion\t-"),
        ("Hamburger", "ETEL/SZENDVICS\tPortion\t-"),
        ("Lúdláb torta", "ETEL/DESSZERT\tPortion\t-"),
        ("Kenyér", "ETEL/PEKSUTEMENY\tPortion\t-"),
        ("Ketchup", "ETEL/EGYEB\tPortion\t-"),
        ("Kiszállítás", "EGYEB/KISZALLITASI_DIJ\tPiece\t-"),
        ("Csomagolás", "EGYEB/KORNYEZETBARAT_CSOMAGOLAS\tPiece\t-"),
        ("Chicken soup", "ETEL/LEVES\tPortion\t-"),
        // What only looks like something else.
        ("Sörtésztában sült karfiol", "-\t-\t-"),
        ("Borjúmáj", "-\t-\t-"),
        ("Teatrum", "-\t-\t-"),
        ("Titok", "-\t-\t-"),
        ("", "-\t-\t-"),
        ("🍕", "-\t-\t-"),
        ("\u{200b}", "-\t-\t-"),
        ("شوربة", "-\t-\t-"),
    ];
    for (product, expected) in table {
        assert_eq!(told(&Names { product, size: product, ..Names::default() }), expected, "{product}");
    }
}

#[test]
fn categories_and_sizes_say_their_part() {
    let table = [
        (("Desszertek", None, "Déligyümölcs saláta", "Adag"), "ETEL/DESSZERT\tPortion\t-"),
        (("Szendvicsek", None, "Sonkás", "Nagy"), "ETEL/SZENDVICS\tPortion\t-"),
        (("Borok", None, "A ház pezsgője", "0,75 l"), "ALKOHOLOSITAL/PEZSGO\tLiter\t0.75"),
        (("Húsételek", None, "Borsodi sztrapacska", "Adag"), "ETEL/FOETEL\tPortion\t-"),
        (("Kávé, tea", None, "Kávé mellé", "Rizstej"), "ALKMENTESITAL_HELYBEN/TEA_FORROCSOKOLADE\tPiece\t-"),
        (("Levesek, előételek", None, "Bruschetta", "Adag"), "ETEL/ELOETEL\tPortion\t-"),
        (("Levesek, előételek", None, "A séf ajánlata", "Adag"), "ETEL/LEVES\tPortion\t-"),
        (
            ("Üdítők", Some("Italok"), "Valami", "0,3 l"),
            "ALKMENTESITAL_NEM_HELYBEN/SZENSAVAS_UDITO\tLiter\t0.3",
        ),
        (("Kicsik", Some("Whiskyk"), "Jameson", "3 cl"), "ALKOHOLOSITAL/PARLAT\tLiter\t0.03"),
        (("Sörök", None, "Dreher 0,5 l", "3 dl"), "ALKOHOLOSITAL/SOR\tLiter\t0.3"),
        (
            ("Üdítők", None, "Red Bull", "Doboz (0,25 l)"),
            "ALKMENTESITAL_NEM_HELYBEN/SZENSAVAS_UDITO\tLiter\t0.25",
        ),
        (("Sörök", None, "Dreher", "Pohár"), "ALKOHOLOSITAL/SOR\tLiter\t0.3"),
        (("Csemege", None, "Sonkás saláta", "25 dkg"), "ETEL/SAVANYUSAG_SALATA\tKilogram\t0.25"),
        (("Csemege", None, "Sonkás saláta (250 g)", "Adag"), "ETEL/SAVANYUSAG_SALATA\tPortion\t-"),
    ];
    for ((category, parent, product, size), expected) in table {
        let names = Names { category, parent, product, size, description: None };
        assert_eq!(told(&names), expected, "{category} {product} {size}");
    }
}

const PAIRS: [(&str, &str); 6] = [
    ("ETEL", "LEVES"),
    ("ETEL", "FOETEL"),
    ("ETEL", "FOETEL_KORETTEL"),
    ("ALKOHOLOSITAL", "SOR"),
    ("ALKMENTESITAL_HELYBEN", "KAVE"),
    ("ALKMENTESITAL_HELYBEN", "LIMONADE_SZORP_FACSART"),
];

fn id(number: usize) -> Uuid {
    Uuid::from_u128(u128::try_from(number).unwrap())
}

/// A category with its products and their sizes, by their names.
type List = (&'static str, Vec<(&'static str, Vec<&'static str>)>);

/// A menu of one category for each list of products, each with sizes; `own` gives each row a pair and a unit, or none.
fn menu(lists: &[List], mut own: impl FnMut() -> (Option<usize>, Option<Unit>)) -> Menu {
    let mut menu = Menu::default();
    for (at, (main, sub)) in PAIRS.into_iter().enumerate() {
        let row = NtakCategoryRow {
            id: id(900 + at),
            main_category: main.to_owned(),
            main_category_name: String::new(),
            main_category_name_en: String::new(),
            sub_category: sub.to_owned(),
            sub_category_name: String::new(),
            sub_category_name_en: String::new(),
            valid: true,
        };
        menu.ntak_categories.insert(row.id, row);
    }
    let mut number = 1000;
    let mut next = || {
        number += 1;
        id(number)
    };
    for (ranking, (name, products)) in (0..).zip(lists) {
        let category = next();
        let (pair, unit) = own();
        let row = CategoryRow {
            id: category,
            parent_id: None,
            name: (*name).to_owned(),
            name_sec_lang: None,
            ranking,
            vat_id: None,
            sit_in_vat_id: None,
            ntak_category_id: pair.map(|pair| id(900 + pair)),
            ntak_quantity_unit: unit,
            version: 1,
        };
        menu.categories.insert(category, row);
        for (ranking, (name, sizes)) in (0..).zip(products) {
            let product = next();
            let (pair, unit) = own();
            let row = ProductRow {
                id: product,
                product_category_id: category,
                name: (*name).to_owned(),
                name_sec_lang: None,
                description: None,
                description_sec_lang: None,
                ranking,
                active: true,
                vat_id: None,
                sit_in_vat_id: None,
                ntak_category_id: pair.map(|pair| id(900 + pair)),
                ntak_quantity_unit: unit,
                ean_code: None,
                version: 1,
            };
            menu.products.insert(product, row);
            let of_size = |(ranking, size): (i32, &&str)| {
                let (pair, unit) = own();
                SubproductRow {
                    id: next(),
                    ranking,
                    ntak_category_id: pair.map(|pair| id(900 + pair)),
                    ntak_quantity_unit: unit,
                    ..SubproductRow::new(product, (*size).to_owned(), Decimal::ONE)
                }
            };
            menu.subproducts.insert(product, (0..).zip(sizes).map(of_size).collect());
        }
    }
    menu
}

fn nothing() -> (Option<usize>, Option<Unit>) {
    (None, None)
}

fn row(proposal: &Proposal) -> NtakChangeRow {
    let (level, id) = match proposal.place {
        Place::Category(id) => (NtakLevel::Category, id),
        Place::Product(id) => (NtakLevel::Product, id),
        Place::Subproduct(id) => (NtakLevel::Subproduct, id),
    };
    fn set<T>(value: Option<T>) -> Clearable<T> {
        value.map_or(Clearable::Undefined, Clearable::Value)
    }
    NtakChangeRow {
        level,
        id,
        ntak_category_id: set(proposal.set.category.map(Id::from_uuid)),
        ntak_quantity_unit: set(proposal.set.unit),
        ntak_quantity: set(proposal.quantity.map(Quantity)),
    }
}

/// The menu once these proposals are taken.
fn taken(menu: Menu, proposals: &[Proposal]) -> Menu {
    let (plan, _) = plan(&menu, proposals.iter().map(row).collect()).unwrap();
    let mut menu = menu;
    menu.categories.extend(plan.categories.into_iter().map(|row| (row.id, row)));
    menu.products.extend(plan.products.into_iter().map(|row| (row.id, row)));
    let sizes: HashMap<Uuid, SubproductRow> = plan.subproducts.into_iter().map(|row| (row.id, row)).collect();
    for row in menu.subproducts.values_mut().flatten() {
        if let Some(changed) = sizes.get(&row.id) {
            row.clone_from(changed);
        }
    }
    menu
}

/// What holds for a size: category, unit, quantity.
type Holds = (Option<Uuid>, Option<Unit>, Option<Decimal>);

fn holding(menu: &Menu) -> HashMap<Uuid, Holds> {
    let sizes = menu.subproducts.values().flatten();
    sizes
        .map(|size| {
            let product = &menu.products[&size.product_id];
            let category = &menu.categories[&product.product_category_id];
            let pair = size.ntak_category_id.or(product.ntak_category_id).or(category.ntak_category_id);
            let unit = size.ntak_quantity_unit.or(product.ntak_quantity_unit).or(category.ntak_quantity_unit);
            let holds =
                (pair.or(menu.ntak_category_id), unit.or(menu.ntak_quantity_unit), size.ntak_quantity);
            (size.id, holds)
        })
        .collect()
}

#[test]
fn a_menu_gets_few_values_and_inheritance_does_the_rest() {
    let lists = [
        ("Levesek", vec![("Gulyás", vec!["Adag"]), ("Bableves", vec!["Kicsi", "Nagy"])]),
        (
            "Italok",
            vec![("Sör", vec!["3 dl", "5 dl"]), ("Kávé", vec!["Kávé"]), ("Limonádé", vec!["Kancsó", "4 dl"])],
        ),
        ("Főételek", vec![("Csirke rizzsel", vec!["Adag"]), ("Rántott sajt", vec!["Adag"])]),
    ];
    let menu = menu(&lists, nothing);
    let found = propose(&menu, &HashSet::new(), false);
    let name = |place: Place| match place {
        Place::Category(id) => menu.categories[&id].name.clone(),
        Place::Product(id) => menu.products[&id].name.clone(),
        Place::Subproduct(id) => {
            menu.subproducts.values().flatten().find(|row| row.id == id).unwrap().name.clone()
        }
    };
    let shown: Vec<String> = found
        .iter()
        .map(|one| {
            let pair = one.set.category.map(|id| menu.ntak_categories[&id].sub_category.clone());
            let unit = one.set.unit.map(|unit| format!("{unit:?}"));
            let quantity = one.quantity.map(|quantity| quantity.to_string());
            let words: Vec<String> = [pair, unit, quantity].into_iter().flatten().collect();
            format!("{}: {}", name(one.place), words.join(" "))
        })
        .collect();
    assert_eq!(
        shown,
        [
            "Levesek: LEVES Portion",
            "Sör: SOR Liter",
            "3 dl: 0.3",
            "5 dl: 0.5",
            "Kávé: KAVE Piece",
            "Limonádé: LIMONADE_SZORP_FACSART",
            "Kancsó: Piece",
            "4 dl: Liter 0.4",
            "Főételek: FOETEL Portion",
            "Csirke rizzsel: FOETEL_KORETTEL",
        ]
    );
    // A category that has ended is proposed to nobody, and sizes of others are left alone.
    let mut ended = menu;
    ended.ntak_categories.get_mut(&id(900)).unwrap().valid = false;
    let beer: HashSet<Uuid> = ended
        .subproducts
        .values()
        .flatten()
        .filter(|row| row.name.ends_with("dl"))
        .map(|row| row.id)
        .collect();
    let found = propose(&ended, &beer, false);
    assert!(found.iter().all(|one| one.set.category != Some(id(900)) && one.quantity.is_none()));
}

/// Products of all kinds, some of which say nothing.
const PRODUCTS: [&str; 10] = [
    "Gulyásleves", "Sör 0,5", "Sör", "Kávé", "Limonádé 3 dl", "Rántott sajt", "Csirkemell rizzsel", "Titok",
    "Margherita", "Bor 1 dl",
];
const CATEGORIES: [&str; 6] = ["Levesek", "Italok", "Főételek", "Sörök", "Ajánlat", "Levesek, főételek"];
const SIZES: [&str; 5] = ["Adag", "3 dl", "0,5 l", "Nagy", "1 kg"];
const UNITS: [Unit; 3] = [Unit::Liter, Unit::Piece, Unit::Portion];

fn lists() -> impl Strategy<Value = Vec<List>> {
    let sizes = proptest::sample::subsequence(&SIZES[..], 1..=3);
    let product = (proptest::sample::select(&PRODUCTS[..]), sizes);
    let products = proptest::collection::vec(product, 0..4);
    proptest::collection::vec((proptest::sample::select(&CATEGORIES[..]), products), 1..4)
}

proptest! {
    #[test]
    fn proposals_that_are_taken_leave_none_and_change_nothing_that_held(
        lists in lists(), own in proptest::collection::vec((proptest::option::weighted(0.3, 0..PAIRS.len()), proptest::option::weighted(0.3, 0..UNITS.len())), 1..12),
        restaurant in proptest::option::weighted(0.2, 0..UNITS.len()), all in any::<bool>(),
    ) {
        let mut turn = own.iter().cycle();
        let mut menu = menu(&lists, || {
            let (pair, unit) = turn.next().copied().unwrap_or_default();
            (pair, unit.map(|unit| UNITS[unit]))
        });
        menu.ntak_quantity_unit = restaurant.map(|unit| UNITS[unit]);
        let before = holding(&menu);
        let found = propose(&menu, &HashSet::new(), all);
        let places: HashSet<Place> = found.iter().map(|one| one.place).collect();
        prop_assert_eq!(places.len(), found.len(), "each row once");
        if !all {
            prop_assert!(found.iter().all(|one| !one.replaces));
        }
        let after = taken(menu, &found);
        prop_assert_eq!(propose(&after, &HashSet::new(), all), vec![]);
        for (size, (pair, unit, quantity)) in holding(&after) {
            let (had_pair, had_unit, _) = before[&size];
            if !all {
                prop_assert!(had_pair.is_none() || had_pair == pair);
                prop_assert!(had_unit.is_none() || had_unit == unit);
            }
            // Nobody gets one litre unseen.
            if unit == Some(Unit::Liter) && had_unit != Some(Unit::Liter) {
                prop_assert!(quantity.is_some());
            }
        }
    }
}
