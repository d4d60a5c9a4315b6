//! A thousand addresses in ten spellings find their own row of a list, and no other.

use std::{collections::HashMap, time::Duration};

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use super::*;

/// Streets as lists have them; each stands in every town, beside all others.
const STREETS: [&str; 100] = [
    "Petőfi Sándor utca",
    "Petőfi Sándor tér",
    "Petőfi Sándor köz",
    "Petőfi Sándor sétány",
    "Petőfi utca",
    "II. Rákóczi Ferenc út",
    "II. Rákóczi Ferenc tér",
    "Rákóczi utca",
    "Rákóczi Ferenc fasor",
    "IV. Béla király útja",
    "IV. Béla utca",
    "Béla utca",
    "Szent István körút",
    "Szent István tér",
    "Szent István utca",
    "Szent István király utca",
    "Szent Imre herceg útja",
    "Bajcsy-Zsilinszky Endre út",
    "Bajcsy-Zsilinszky köz",
    "Szent-Györgyi Albert utca",
    "Szent-Györgyi A. út",
    "Szabó T. Attila utca",
    "Nagy T. utca",
    "Nagy utca",
    "T. Mérey László utca",
    "U. Szabó Gyula sor",
    "Dr. Batthyány-Strattmann László utca",
    "Dr. Batthyány László utca",
    "Id. Antall József rakpart",
    "Ifj. Kós Károly utca",
    "Kós Károly sétány",
    "Kossuth Lajos utca",
    "Kossuth Lajos tér",
    "Kossuth L. utca",
    "Kossuth utca",
    "Széchenyi István rakpart",
    "Széchenyi tér",
    "Széchenyi köz",
    "Fő utca",
    "Fő tér",
    "Fő út",
    "Fő köz",
    "Hősök tere",
    "Hősök útja",
    "Vértanúk tere",
    "Mártírok útja",
    "Erzsébet királyné útja",
    "Erzsébet körút",
    "Nagy Lajos király útja",
    "Október 6. utca",
    "Október 23. utca",
    "Március 15. tér",
    "Május 1. út",
    "48-as tér",
    "1848-as utca",
    "1956-os emléktér",
    "48-as dűlő",
    "3. dűlő",
    "13. dűlő",
    "Határ dűlő",
    "Kertek alja dűlő",
    "Szőlőhegyi dűlő",
    "Városligeti fasor",
    "Gesztenye fasor",
    "Gesztenye utca",
    "Fasor utca",
    "Sor utca",
    "Új sor",
    "Új utca",
    "Duna sor",
    "Alsó Duna sor",
    "Duna utca",
    "Dűlő út",
    "Körút köz",
    "Köz utca",
    "Tér utca",
    "Vasút sor",
    "Vasút utca",
    "Kút utca",
    "Kis köz",
    "Kis utca",
    "Malom köz",
    "Malom utca",
    "Malom-patak utca",
    "Margit körút",
    "Belső-Ferencváros utca",
    "Árpád fejedelem útja",
    "Árpád út",
    "Ady Endre utca",
    "Ady-liget utca",
    "Egri József lépcső",
    "Gyöngyösi lakótelep",
    "Béke lakótelep",
    "Béke tér",
    "Kálvin köz",
    "Őrház utca",
    "Üllői út",
    "Űrhajós utca",
    "Csík sétány",
    "Zöldfa sor",
];

const TOWNS: [(&str, &str); 10] = [
    ("9021", "Győr"),
    ("1052", "Budapest"),
    ("6720", "Szeged"),
    ("4024", "Debrecen"),
    ("7621", "Pécs"),
    ("8230", "Balatonfüred"),
    ("3200", "Gyöngyös"),
    ("6800", "Hódmezővásárhely"),
    ("2030", "Érd"),
    ("8360", "Keszthely"),
];

/// The kinds with their abbreviation and their possessive form.
const KINDS: &[(&str, &str, &str)] = &[
    ("utca", "u.", "utcája"),
    ("út", "út", "útja"),
    ("tér", "t.", "tere"),
    ("körút", "krt.", "körútja"),
    ("köz", "köz", "köze"),
    ("sétány", "stny.", "sétánya"),
    ("fasor", "fs.", "fasora"),
    ("dűlő", "dűlő", "dűlője"),
    ("sor", "sor", "sora"),
    ("rakpart", "rkp.", "rakpartja"),
    ("lakótelep", "ltp.", "lakótelepe"),
    ("lépcső", "lépcső", "lépcsője"),
];

/// The same address in ten spellings: street with number, and the postcode beside it.
fn spellings(street: &str, number: usize, (postcode, city): (&str, &str)) -> [(String, String); 10] {
    let (name, kind) = street.rsplit_once(' ').unwrap();
    let known = KINDS.iter().find(|(plain, _, possessive)| [*plain, *possessive].contains(&kind));
    let (_, short, possessive) = known.copied().unwrap_or((kind, kind, kind));
    let unaccented = |text: &str| text.nfkd().filter(|c| !is_combining_mark(*c)).collect::<String>();
    let pointless = |text: &str| text.replace('.', "");
    let floor = ["1. em. 3", "fszt. 2", "II. em. 5. ajtó", "III/14"][number % 4];
    let spelt = [
        format!("{street} {number}"),
        format!("{} {number}.", street.to_uppercase()),
        format!("{} {number}/b", unaccented(&street.to_lowercase())),
        format!("{name} {short} {number}/A."),
        format!("{} {} {number}-{}", pointless(name), pointless(short), number + 2),
        format!("{name} {possessive} {number}. {floor}"),
        format!("{postcode} {city}, {street} {number}."),
        format!("H-{postcode}  {},  {name}  {short}  {number}", city.to_uppercase()),
        format!("{} {}, {number}. szám {floor}", unaccented(city), street.replace('-', " ")),
        format!("  {}\t{} {number}. ", unaccented(&name.to_uppercase()), possessive.to_uppercase()),
    ];
    let beside =
        [postcode.to_owned(), format!("H-{postcode}"), format!(" {postcode} "), format!("HU{postcode}")];
    let mut at = 0;
    spelt.map(|street| {
        at += 1;
        (street, beside[at % 4].clone())
    })
}

/// What this thread has had of a processor: other processes on a busy machine do not count.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(text.split(' ').next().unwrap().parse().unwrap())
}

#[test]
fn a_thousand_addresses_in_ten_spellings_find_their_street() {
    let began = processor_time();
    let rows = TOWNS.iter().flat_map(|town| STREETS.map(|street| (street, *town)));
    let rows: Vec<_> = rows
        .map(|(street, (postcode, city))| {
            (street, (postcode, city), Keys::of_row(street, Some(postcode), Some(city)))
        })
        .collect();
    assert_eq!(rows.len(), 1_000);
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, (_, _, keys)) in rows.iter().enumerate() {
        by_name.entry(&keys.name).or_default().push(at);
    }
    let mut wrong = Vec::new();
    for (at, (street, town, _)) in rows.iter().enumerate() {
        for (spelt, postcode) in spellings(street, 1 + at * 7 % 189, *town) {
            let asked = Keys::of_address(Some(&spelt), Some(&postcode), Some(town.1));
            let found = by_name.get(asked.name.as_str()).into_iter().flatten().copied().filter(|row| {
                let keys = &rows[*row].2;
                keys.postcode == asked.postcode && keys.city == asked.city
            });
            let ranked: Vec<_> = found.map(|row| (rows[row].2.exactness(&asked), row)).collect();
            let best = ranked.iter().map(|(exactness, _)| *exactness).min();
            let best: Vec<usize> =
                ranked.into_iter().filter(|one| Some(one.0) == best).map(|one| one.1).collect();
            if best != [at] {
                let found: Vec<&str> = best.iter().map(|row| rows[*row].0).collect();
                wrong.push(format!("{spelt} is {street}, found {found:?} by {asked:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of 10,000:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
    let took = processor_time() - began;
    assert!(took.as_secs() < 2, "{took:?}");
}
