use proptest::prelude::*;

use super::*;
use crate::place::{city_key, postcode_key};

fn address(street: &str) -> Keys {
    Keys::of_address(Some(street), Some("9021"), Some("Győr"))
}

#[test]
fn many_spellings_are_one_street() {
    let row = Keys::of_row("Petőfi Sándor utca", None, None);
    for spelling in [
        "Petőfi Sándor utca",
        "petőfi sándor u.",
        "PETŐFI SÁNDOR UTCA 12",
        "Petofi Sandor u 12/B",
        "Petőfi Sándor út 3.",
        "Petőfi-Sándor utca 5. III. em. 2.",
        "  Petőfi   Sándor utca  ",
        "Petőfi Sándor tér",
        "Petőfi Sándor krt. 8",
        "Petőfi Sándor körút 8 (sarok)",
        "Petőfi Sándor 12.",
        "Petőfi Sándor utcája 1",
        "9021 Győr, Petőfi Sándor u. 4",
        "Győr Petőfi Sándor utca 4",
        "Peto\u{301}fi Sa\u{301}ndor utca",
    ] {
        assert_eq!(address(spelling).name, row.name, "{spelling}");
    }
    for other in ["Petőfi utca", "Petőfi Sándorné utca", "Sándor Petőfi utca", "Arany János utca", ""]
    {
        assert_ne!(address(other).name, row.name, "{other}");
    }
}

#[test]
fn numbers_of_a_name_stay() {
    for (street, name, kind) in [
        ("Október 6. utca 12", "oktober 6", Some(Kind::Street)),
        ("48-as tér 3", "48 as", Some(Kind::Square)),
        ("Fő u. 1", "fo", Some(Kind::Street)),
        ("Főutca 1", "fo", Some(Kind::Street)),
        ("Dózsa György út 84/a", "dozsa gyorgy", Some(Kind::Road)),
        ("Hősök tere", "hosok", Some(Kind::Square)),
        ("Duna sor 5", "duna sor", None),
        ("Rákóczi", "rakoczi", None),
        ("Út utca 2", "ut", Some(Kind::Street)),
        ("Utca", "utca", None),
        ("16", "16", None),
        ("...", "", None),
    ] {
        let keys = address(street);
        assert_eq!((keys.name.as_str(), keys.kind), (name, kind), "{street}");
    }
    // The town's name is the street's, too.
    assert_eq!(Keys::of_address(Some("Fót utca 2"), None, Some("Fót")).name, "fot");
}

#[test]
fn postcodes_and_cities() {
    for (postcode, key) in [
        ("9021", Some("9021")),
        (" 90 21 ", Some("9021")),
        ("H-9021", Some("9021")),
        ("HU 9021", Some("9021")),
        ("SW1A 1AA", Some("sw1a1aa")),
        ("hx1", Some("hx1")),
        ("-", None),
    ] {
        assert_eq!(postcode_key(postcode).as_deref(), key, "{postcode}");
    }
    assert_eq!(city_key("GYŐR"), city_key(" győr "));
    assert_eq!(city_key("Pécs-Somogy"), city_key("Pecs Somogy"));
    let whole = Keys::of_row(" * ", Some("9021"), None);
    assert!(whole.whole() && whole.postcode.as_deref() == Some("9021"));
    assert!(!address("*").whole(), "no address is everything");
}

#[test]
fn the_house_of_an_address() {
    let of = |street: &str, number: Option<&str>| House::of(street, number, Some("9021"), Some("Győr"));
    for (street, number, expected) in [
        ("Petőfi Sándor u.", Some("12."), Some(("Petőfi Sándor utca", "12"))),
        ("Petőfi Sándor u. 12/B. II. em. 3", None, Some(("Petőfi Sándor utca", "12/B"))),
        ("9021 Győr, Szent István krt. 12-14, csengő: Vendég", None, Some(("Szent István körút", "12-14"))),
        ("Hősök tere 3", None, Some(("Hősök tere", "3"))),
        ("Október 6. utca", Some("3"), Some(("Október 6 utca", "3"))),
        ("Petőfi 4", None, Some(("Petőfi", "4"))),
        ("48-as tér", None, None),
        ("Petőfi utca", Some(" "), None),
        ("Petőfi utca", Some("A épület"), None),
        ("vendeg@example.com utca 3", None, None),
        ("Vendég 06301234567 utca 3", None, None),
        ("", Some("3"), None),
    ] {
        let house = of(street, number);
        let found = house.as_ref().map(|house| (house.street.as_str(), house.number.as_str()));
        assert_eq!(found, expected, "{street}");
    }
    let key = |street: &str, number| of(street, number).map(|house| house.key);
    assert_eq!(key("petofi sandor u. 12/b", None), key("Győr,  Petőfi Sándor utca", Some("12/B")));
    assert_ne!(key("Petőfi utca 12", None), key("Petőfi utca 13", None));
}

proptest! {
    /// Any text has a key, and a name does not change by its key being made again.
    #[test]
    fn any_text(street in "\\PC{0,60}", postcode in "\\PC{0,10}", city in "\\PC{0,20}") {
        let keys = Keys::of_address(Some(&street), Some(&postcode), Some(&city));
        prop_assert!(!keys.whole());
        prop_assert!(keys.name.chars().all(|c| c.is_alphanumeric() || c == ' '));
    }

    /// A house number never matters.
    #[test]
    fn house_numbers(name in "[A-Z][a-z]{3,9}( [A-Z][a-z]{3,9})?", number in 1_u16..999) {
        prop_assume!(!fold(&name).contains("utca"));
        let plain = address(&format!("{name} utca"));
        prop_assert_eq!(&address(&format!("{name} u. {number}")).name, &plain.name);
        prop_assert_eq!(&address(&format!("{name} utca {number}/B")).name, &plain.name);
    }
}
