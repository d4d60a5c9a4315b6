use super::*;
use crate::street::Keys;

#[test]
fn a_city_is_one_however_its_district_stands_in_it() {
    for (text, postcode, district) in [
        ("Budapest", None, None),
        ("Budapest V. kerület", None, Some(5)),
        ("BUDAPEST 5. ker.", None, Some(5)),
        ("Budapest, V. ker", None, Some(5)),
        ("Budapest, V. kerület", None, Some(5)),
        ("Budapest V.", None, Some(5)),
        ("Budapest 05", None, Some(5)),
        ("budapest xiii", None, Some(13)),
        ("Bp.", None, None),
        ("Bp V.", None, Some(5)),
        ("Bp. 5.ker.", None, Some(5)),
        ("BP5", None, Some(5)),
        ("Bp. Vker", None, Some(5)),
        ("1051 Bp.", Some("1051"), None),
        ("1051 Budapest", Some("1051"), None),
        ("H-1051 Budapest V. kerület", Some("1051"), Some(5)),
        ("Budapest 1051", Some("1051"), None),
        ("V. kerület", None, Some(5)),
        ("V-ik kerület, Budapest", None, Some(5)),
        ("Budapest XXI. kerület, Csepel", None, Some(21)),
    ] {
        let place = Place::of(None, Some(text));
        let found = (place.city.as_deref(), place.postcode.as_deref(), place.district);
        assert_eq!(found, (Some("budapest"), postcode, district), "{text}");
    }
    for (text, city, postcode) in [
        ("Győr", Some("gyor"), None),
        ("9021 Győr", Some("gyor"), Some("9021")),
        ("Győr II. kerület", Some("gyor"), None),
        ("Szfvár", Some("szekesfehervar"), None),
        ("Balatonfüred", Some("balatonfured"), None),
        ("Pécs-Somogy", Some("pecs somogy"), None),
        // Twenty-three districts there are.
        ("Kispest 24. ker.", Some("kispest 24 ker"), None),
        (" - ", None, None),
        ("", None, None),
    ] {
        let place = Place::of(None, Some(text));
        let found = (place.city.as_deref(), place.postcode.as_deref(), place.district);
        assert_eq!(found, (city, postcode, None), "{text}");
    }
    // The field goes before what stands in the city.
    assert_eq!(Place::of(Some("1061"), Some("1051 Budapest")).post().as_deref(), Some("1061"));
    assert_eq!(postcode_key("1051 Bp.").as_deref(), Some("1051"));
    assert_eq!(postcode_key("1234 AB").as_deref(), Some("1234ab"));
}

#[test]
fn a_district_follows_from_the_postcode() {
    assert_eq!(agreeing("1051"), ["1051", "#5"]);
    assert_eq!(agreeing("1239"), ["1239", "#23"]);
    for none in ["1007", "1240", "1900", "9021", "105", "10511", "1a51"] {
        assert_eq!(agreeing(none), [none]);
    }
    let district = agreeing("#13");
    assert_eq!((district.len(), district[1].as_str(), district[10].as_str()), (11, "1130", "1139"));
}

#[test]
fn what_stands_before_a_street_is_no_part_of_it() {
    for (street, post) in [
        ("Október 6. u. 12", None),
        ("V. ker. Október 6. u. 12", Some("#5")),
        ("V.ker.Október 6.u.12", Some("#5")),
        ("5. kerület, Október 6. utca 12", Some("#5")),
        ("Budapest, V. kerület, Október 6. u. 12", Some("#5")),
        ("Bp. V., Október 6. u. 12", Some("#5")),
        ("1051 Budapest, Október 6. u. 12", Some("1051")),
        ("1051 Bp. V. ker., OKTOBER 6. U 12", Some("1051")),
        ("H-1051 Bp Október 6 utca 12/B", Some("1051")),
        ("Október 6. u. 12, V. ker.", Some("#5")),
        ("október6. utca", None),
    ] {
        let keys = Keys::of_address(Some(street), None, Some("Budapest"));
        let found = (keys.name.as_str(), keys.city.as_deref(), keys.postcode.as_deref());
        assert_eq!(found, ("oktober 6", Some("budapest"), post), "{street}");
        // Nothing says the city but the street itself.
        let keys = Keys::of_address(Some(street), Some("1051"), None);
        assert_eq!((keys.name.as_str(), keys.postcode.as_deref()), ("oktober 6", Some("1051")), "{street}");
    }
    for (street, name) in [
        ("II. Rákóczi Ferenc út 3", "ii rakoczi ferenc"),
        ("Budapest II. Rákóczi Ferenc út 3", "ii rakoczi ferenc"),
        ("IV. Béla utca 1", "iv bela"),
        ("XIII. u. 5", "xiii"),
        ("Budapest utca 3", "budapest"),
        ("Budapesti út 3", "budapesti"),
        ("1848-as utca 2", "1848 as"),
    ] {
        assert_eq!(Keys::of_address(Some(street), None, Some("Budapest")).name, name, "{street}");
    }
}

#[test]
fn an_initial_is_no_kind_of_street() {
    for (street, name) in [
        ("Kis T. Pál utca 4", "kis t pal"),
        ("Kis T Pál u", "kis t pal"),
        ("Kis Gy. Pál utca 4", "kis gy pal"),
        ("Kis U. Pál tér 4", "kis u pal"),
        ("Szabó T. Attila köz 2", "szabo t attila koz"),
        ("Nagy T. utca 3", "nagy t"),
        ("Kis tér 4", "kis"),
        ("Kis ter 4", "kis"),
        ("Kis t. 4", "kis"),
        ("Kis t. fszt. 4", "kis"),
        ("Kossuth t. B lépcső 2", "kossuth"),
        ("Fő u. 4", "fo"),
        ("Fő u12", "fo"),
        ("Teréz krt. 12", "terez"),
    ] {
        assert_eq!(Keys::of_address(Some(street), None, None).name, name, "{street}");
    }
}

#[test]
fn districts_tell_towns_apart() {
    assert_ne!(city_key("Budapest V. kerület"), city_key("Budapest VI. kerület"));
    assert_eq!(city_key("Budapest V. kerület"), city_key("Bp. 5. ker."));
    assert_eq!(city_key("Bp."), city_key("BUDAPEST"));
}
