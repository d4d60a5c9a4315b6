//! Words for allergens: the fourteen of Annex II to Regulation (EU) No 1169/2011, with the names of its Hungarian and
//! English texts, the species that it names, and everyday words for the same. What is not here is not known: a word
//! that is taken for another allergen can kill.

/// Codes of allergens with their words, folded. The annex orders and numbers them like this.
const WORDS: [(&str, &[&str]); 14] = [
    // 1. Glutént tartalmazó gabonafélék: búza (tönköly, khorasan), rozs, árpa, zab.
    (
        "GLUTEN",
        &[
            "gluten",
            "glutent tartalmazo gabona",
            "glutent tartalmazo gabonafelek",
            "cereals containing gluten",
            "gluten tartalmu gabona",
            "buza",
            "tonkoly",
            "tonkolybuza",
            "khorasan",
            "kamut",
            "rozs",
            "arpa",
            "zab",
            "buzaliszt",
            "wheat",
            "spelt",
            "rye",
            "barley",
            "oat",
            "oats",
        ],
    ),
    // 2. Rákfélék.
    (
        "CRUSTACEANS",
        &[
            "rak", "rakok", "rakfelek", "rakfele", "garnela", "homar", "crustacean", "prawn", "shrimp",
            "crab", "lobster",
        ],
    ),
    // 3. Tojás.
    ("EGGS", &["tojas", "egg"]),
    // 4. Hal.
    ("FISH", &["hal", "halak", "halfelek", "fish"]),
    // 5. Földimogyoró.
    ("PEANUTS", &["foldimogyoro", "foldi mogyoro", "amerikai mogyoro", "peanut", "groundnut"]),
    // 6. Szójabab.
    ("SOY", &["szoja", "szojabab", "soy", "soya", "soybean", "soya bean"]),
    // 7. Tej, beleértve a laktózt.
    ("MILK", &["tej", "laktoz", "tejcukor", "tejfeherje", "tejtermek", "milk", "lactose", "dairy"]),
    // 8. Diófélék: mandula, mogyoró, dió, kesudió, pekándió, brazil dió, pisztácia, makadámia.
    (
        "NUTS",
        &[
            "dio", "diofelek", "diofele", "mandula", "mogyoro", "torokmogyoro", "kesudio", "kesu",
            "pekandio", "brazil dio", "brazildio", "paradio", "pisztacia", "makadamia", "makadamdio",
            "makadamiadio", "queenslandi dio", "nut", "tree nut", "almond", "hazelnut", "walnut", "cashew",
            "cashew nut", "pecan", "pecan nut", "brazil nut", "pistachio", "pistachio nut", "macadamia",
            "macadamia nut", "queensland nut",
        ],
    ),
    // 9. Zeller.
    ("CELERY", &["zeller", "celery", "celeriac"]),
    // 10. Mustár.
    ("MUSTARD", &["mustar", "mustard"]),
    // 11. Szezámmag.
    ("SESAME", &["szezam", "szezammag", "sesame", "sesame seed"]),
    // 12. Kén-dioxid és szulfitok.
    (
        "SULPHITES",
        &[
            "ken-dioxid",
            "kendioxid",
            "szulfit",
            "szulfitok",
            "ken-dioxid es szulfitok",
            "kendioxid es szulfitok",
            "so2",
            "sulphite",
            "sulfite",
            "sulphur dioxide",
            "sulfur dioxide",
            "sulphur dioxide and sulphites",
        ],
    ),
    // 13. Csillagfürt.
    ("LUPIN", &["csillagfurt", "lupin"]),
    // 14. Puhatestűek.
    (
        "MOLLUSCS",
        &[
            "puhatestu", "puhatestuek", "kagylo", "csiga", "tintahal", "polip", "mollusc", "mollusk",
            "mussel", "squid", "octopus",
        ],
    ),
];

/// Endings that make no other word of a name: plural, accusative, *with something in it*.
const ENDINGS: [&str; 14] =
    ["os", "es", "as", "s", "ok", "ek", "ak", "k", "ot", "et", "at", "t", "felek", "ek"];

/// The code of the allergen that a folded word means; none where the table has no such word.
pub(crate) fn code(word: &str) -> Option<&'static str> {
    let known = |word: &str| WORDS.iter().find(|(_, words)| words.contains(&word)).map(|(code, _)| *code);
    known(word).or_else(|| ENDINGS.iter().find_map(|ending| known(word.strip_suffix(ending)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::fold;

    #[test]
    fn words_of_the_annex_and_their_forms() {
        for (word, wanted) in [
            ("mogyoró", "NUTS"),
            ("mogyorós", "NUTS"),
            ("törökmogyoró", "NUTS"),
            ("földimogyoró", "PEANUTS"),
            ("földimogyorót", "PEANUTS"),
            ("földi mogyoró", "PEANUTS"),
            ("peanuts", "PEANUTS"),
            ("nuts", "NUTS"),
            ("hazelnuts", "NUTS"),
            ("diós", "NUTS"),
            ("mandulás", "NUTS"),
            ("tejes", "MILK"),
            ("tejet", "MILK"),
            ("tojásos", "EGGS"),
            ("eggs", "EGGS"),
            ("halas", "FISH"),
            ("gluténes", "GLUTEN"),
            ("búza", "GLUTEN"),
            ("rákfélék", "CRUSTACEANS"),
            ("zelleres", "CELERY"),
            ("szulfitok", "SULPHITES"),
            ("kén-dioxid és szulfitok", "SULPHITES"),
            ("szezámos", "SESAME"),
            ("puhatestűek", "MOLLUSCS"),
            ("molluscs", "MOLLUSCS"),
        ] {
            assert_eq!(code(&fold(word)), Some(wanted), "{word}");
        }
        for word in [
            "gluténmentes", "laktózmentes", "tejmentes", "shellfish", "réz", "gesztenye", "kókusz", "mák",
            "mogyoróolaj", "s", "liszt",
        ] {
            assert_eq!(code(&fold(word)), None, "{word}");
        }
    }

    #[test]
    fn no_word_means_two_allergens() {
        let mut all: Vec<&str> = WORDS.iter().flat_map(|(_, words)| words.iter().copied()).collect();
        assert!(all.iter().all(|word| fold(word) == *word), "words are compared folded");
        all.sort_unstable();
        assert!(all.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
