//! The kind of a product, as far as rates depend on it: by the category of the tax report, else by
//! words of its names. Pure.

use crate::fold::fold;

/// What rates depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Kind {
    Food,
    /// Without alcohol, made here.
    MadeDrink,
    /// Without alcohol, in a bottle or can; or nobody knows.
    Drink,
    Alcohol,
    /// Nothing speaks for anything.
    Unknown,
}

impl Kind {
    pub(super) fn is_soft_drink(self) -> bool {
        matches!(self, Self::MadeDrink | Self::Drink)
    }

    /// By the word of the report's main category.
    pub(super) fn of_main_category(word: &str) -> Self {
        match word {
            "ETEL" => Self::Food,
            "ALKMENTESITAL_HELYBEN" => Self::MadeDrink,
            "ALKMENTESITAL_NEM_HELYBEN" => Self::Drink,
            "ALKOHOLOSITAL" => Self::Alcohol,
            _ => Self::Unknown,
        }
    }

    /// By its own name, else by those of the categories above, the nearest first. A word counts whole, so that a
    /// stew with wine is no wine.
    pub(super) fn of_names<'a>(own: &str, above: impl IntoIterator<Item = &'a str>) -> Self {
        let own = Words::new(own);
        if own.has(FREE) || own.has_part("alkoholmentes") {
            return Self::Drink;
        }
        if own.has(FOOD) {
            return Self::Food;
        }
        if own.has(ALCOHOL) {
            return Self::Alcohol;
        }
        if own.has(DRINK) {
            return Self::Drink;
        }
        for name in above {
            let name = Words::new(name);
            // The name of a category with both says nothing: drinks, beers and wines.
            match (name.has(ALCOHOL), name.has(DRINK) || name.has(FREE), name.has(FOOD)) {
                (true, false, false) => return Self::Alcohol,
                (false, true, false) => return Self::Drink,
                (false, false, true) => return Self::Food,
                (false, false, false) => {}
                _ => return Self::Unknown,
            }
        }
        Self::Unknown
    }
}

/// Folded words; those with a blank stand behind each other.
const ALCOHOL: &[&str] = &[
    "sor", "sorok", "soreink", "bor", "borok", "boraink", "vorosbor", "vorosborok", "feherbor", "feherborok",
    "rozebor", "pezsgo", "pezsgok", "palinka", "palinkak", "rovidital", "roviditalok", "likor", "likorok",
    "whisky", "whiskey", "whiskyk", "vodka", "vodkak", "gin", "ginek", "rum", "rumok", "tequila", "konyak",
    "cognac", "brandy", "unicum", "froccs", "froccsok", "spritz", "prosecco", "champagne", "cider",
    "ciderek", "koktel", "koktelok", "cocktail", "cocktails", "beer", "beers", "lager", "ipa", "wine",
    "wines", "spirits", "alkoholos italok", "alkohol", "tomenyek", "tomeny",
];
const DRINK: &[&str] = &[
    "udito", "uditok", "uditoital", "uditoitalok", "asvanyviz", "asvanyvizek", "viz", "vizek", "kola",
    "cola", "coca", "pepsi", "fanta", "sprite", "tonic", "limonade", "limonadek", "szorp", "szorpok", "kave",
    "kavek", "espresso", "cappuccino", "latte", "tea", "teak", "juice", "juices", "gyumcsole", "gyumolcsle",
    "gyumolcslevek", "water", "waters", "coffee", "coffees", "lemonade", "lemonades", "soft drinks",
    "drinks", "ital", "italok", "smoothie", "turmix", "forro csoki",
];
const FREE: &[&str] = &["alkoholmentes", "alcohol free", "non alcoholic", "nonalcoholic", "0 0"];
const FOOD: &[&str] = &[
    "pizza", "pizzak", "leves", "levesek", "foetel", "foetelek", "eloetel", "eloetelek", "desszert",
    "desszertek", "salata", "salatak", "koret", "koretek", "hamburger", "hamburgerek", "burger", "burgerek",
    "teszta", "tesztak", "szendvics", "szendvicsek", "torta", "tortak", "sutemeny", "sutemenyek", "fagylalt",
    "palacsinta", "palacsintak", "fozelek", "fozelekek", "gyros", "soup", "soups", "mains", "starters",
    "desserts", "salads", "sides", "pasta",
];

struct Words(String);

impl Words {
    fn new(name: &str) -> Self {
        let folded = fold(name);
        let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        Self(format!(" {} ", words.collect::<Vec<_>>().join(" ")))
    }

    fn has(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.has_whole(word))
    }

    fn has_whole(&self, word: &str) -> bool {
        self.0
            .match_indices(word)
            .any(|(at, _)| self.0[..at].ends_with(' ') && self.0[at + word.len()..].starts_with(' '))
    }

    fn has_part(&self, part: &str) -> bool {
        self.0.contains(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_is_drunk() {
        for (name, above, kind) in [
            ("Dreher", &["Sörök", "Italok"][..], Kind::Alcohol),
            ("Soproni sör 0,5", &["Italok"], Kind::Alcohol),
            ("Dreher alkoholmentes sör", &["Sörök"], Kind::Drink),
            ("Heineken 0,0%", &["Sörök"], Kind::Drink),
            ("Kóla", &["Italok"], Kind::Drink),
            ("Málnás fröccs", &["Limonádék"], Kind::Alcohol),
            ("Gin tonic", &["Koktélok"], Kind::Alcohol),
            ("Marhapörkölt vörösborban", &["Főételek"], Kind::Food),
            ("Boros kacsa", &["Ajánlat"], Kind::Unknown),
            ("Rumos torta", &["Desszertek"], Kind::Food),
            ("Aperol", &["Sörök és üdítők"], Kind::Unknown),
            ("Gulyásleves", &["Levesek"], Kind::Food),
            ("", &[], Kind::Unknown),
            ("🍺", &["Beers"], Kind::Alcohol),
        ] {
            assert_eq!(Kind::of_names(name, above.iter().copied()), kind, "{name}");
        }
    }

    #[test]
    fn the_tax_report_knows_better() {
        assert_eq!(Kind::of_main_category("ALKOHOLOSITAL"), Kind::Alcohol);
        assert_eq!(Kind::of_main_category("EGYEB"), Kind::Unknown);
    }
}
