use super::*;

#[test]
fn only_a_house_or_street_of_the_town_is_believed() {
    let asked = HouseAddress {
        country: "HU".into(),
        postcode: Some("9021".into()),
        city: Some("Győr".into()),
        street: "Baross Gábor út".into(),
        number: "8".into(),
    };
    let found = HousePlace {
        lat: 47.685_316_04,
        lng: 17.6,
        precision: Precision::House,
        country: Some("HU".into()),
        postcode: Some("H-9021".into()),
        cities: vec!["Győr".into()],
    };
    let postcode = |postcode: Option<&str>, city: &str| HousePlace {
        postcode: postcode.map(str::to_owned),
        cities: vec![city.to_owned()],
        ..found.clone()
    };
    for (what, found, expected) in [
        ("a house", found.clone(), true),
        ("a street", HousePlace { precision: Precision::Street, ..found.clone() }, true),
        ("a town", HousePlace { precision: Precision::Coarse, ..found.clone() }, false),
        ("another country", HousePlace { country: Some("AT".into()), ..found.clone() }, false),
        ("no country", HousePlace { country: None, ..found.clone() }, false),
        ("another postcode", postcode(Some("9022"), "Győr"), false),
        ("only the city", postcode(None, "GYOR"), true),
        ("another city", postcode(None, "Pér"), false),
        ("the postcode goes before the city", postcode(Some("9021"), "Nagy-Győr"), true),
        ("no place", HousePlace { lat: f64::NAN, ..found.clone() }, false),
    ] {
        assert_eq!(believed(&asked, &found).is_some(), expected, "{what}");
    }
    let point = believed(&asked, &found);
    assert_eq!(point, Point::new(47.685_316, 17.6));
    let far = Point::new(47.68, 19.1);
    assert!(point.is_some_and(|at| is_near(at, None) && is_near(at, point) && !is_near(at, far)));
}
