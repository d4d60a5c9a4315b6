//! Columns with the prices of one size each: `30 cm`, `Ár (40 cm)`, `Kicsi`, `0,5 l`. Their heading names the
//! size.

use kernel::money::Currency;

use super::{
    fold::fold,
    prices,
    sheet::{Row, Sheet},
};

/// Units of a measure, folded, alone behind a number or written together with it.
const UNITS: [&str; 42] = [
    "mm", "cm", "cm-es", "cmes", "inch", "inches", "in", "col", "ml", "cl", "dl", "dl-es", "deci", "decis",
    "l", "l-es", "liter", "literes", "litre", "g", "gr", "g-os", "gramm", "grammos", "dkg", "dag", "deka",
    "kg", "kg-os", "oz", "db", "db-os", "pc", "pcs", "piece", "pieces", "szelet", "szeletes", "szemelyes",
    "fo", "fos", "person",
];

/// Words that name a size, folded.
const WORDS: [&str; 42] = [
    "xxs", "xs", "s", "m", "l", "xl", "xxl", "xxxl", "mini", "midi", "maxi", "kis", "kicsi", "kozepes",
    "nagy", "orias", "csaladi", "normal", "fel", "egesz", "szimpla", "dupla", "gyerek", "gyermek", "felnott",
    "small", "medium", "large", "regular", "giant", "jumbo", "family", "party", "half", "full", "single",
    "double", "kids", "pohar", "uveg", "glass", "bottle",
];

/// Words that stand beside a size and name none.
const NEUTRAL: [&str; 9] = ["pizza", "adag", "meret", "meretu", "size", "portion", "ø", "⌀", "∅"];

/// Words of a price: they do not belong to the name of the size.
const PRICE: [&str; 15] = [
    "ar", "ara", "arak", "price", "brutto", "gross", "ft", "huf", "forint", "eur", "euro", "€", "-", "/", "=",
];

/// The longest name of a size.
pub(crate) const LONGEST: usize = 100;

/// What a size is compared by: accents, case, and blanks between a number and its unit do not count.
pub(crate) fn same_size(name: &str) -> String {
    let folded = fold(name);
    let mut key = String::with_capacity(folded.len());
    let mut letters = folded.chars().peekable();
    while let Some(letter) = letters.next() {
        let glued = letter == ' '
            && key.chars().last().is_some_and(|before| before.is_ascii_digit())
            && letters.peek().is_some_and(|after| after.is_alphabetic());
        if !glued {
            key.push(letter);
        }
    }
    key
}

/// Whether two names mean one size.
pub(crate) fn is_same_size(one: &str, other: &str) -> bool {
    same_size(one) == same_size(other)
}

/// The size that a heading names, as it is written there; none where it names no size.
pub(crate) fn of_heading(heading: &str) -> Option<String> {
    // Beside the name there are a few words of the price at most.
    if heading.chars().nth(2 * LONGEST).is_some() {
        return None;
    }
    let words: Vec<&str> = heading
        .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']'))
        .map(|word| word.trim_matches(|c| matches!(c, ':' | '*' | ';' | '!' | ',')))
        .map(|word| word.trim_end_matches('.'))
        .map(|word| ["/Ft", "/ft", "/FT"].iter().fold(word, |word, unit| word.trim_end_matches(unit)))
        .filter(|word| !word.is_empty() && !PRICE.contains(&fold(word).as_str()))
        .collect();
    let name = words.join(" ");
    (names_size(&words) && name.chars().count() <= LONGEST).then_some(name)
}

/// Whether every word belongs to a size, and one of them names it.
fn names_size(words: &[&str]) -> bool {
    let (mut named, mut number) = (false, false);
    for word in words.iter().map(|word| fold(word)) {
        // `30 cm`: a number needs its unit.
        if number {
            if !UNITS.contains(&word.as_str()) {
                return false;
            }
            (named, number) = (true, false);
        } else if is_number(&word) {
            number = true;
        } else if is_measure(&word) || WORDS.contains(&word.as_str()) {
            named = true;
        } else if !NEUTRAL.contains(&word.as_str()) {
            return false;
        }
    }
    named && !number
}

/// `30`, `0,5`, `1/2`, `2-3`.
fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
        && word.ends_with(|c: char| c.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '/' | '-'))
}

/// `30cm`, `ø32`, `32"`.
fn is_measure(word: &str) -> bool {
    if let Some(number) = word.strip_prefix(['ø', '⌀', '∅']) {
        let digits = number.trim_end_matches("cm");
        return is_number(digits);
    }
    let Some(end) = word.rfind(|c: char| c.is_ascii_digit()) else { return false };
    let (number, unit) = word.split_at(end + 1);
    is_number(number) && (UNITS.contains(&unit) || matches!(unit, "\"" | "''"))
}

/// The size of a column by its heading in this row, where prices stand below it. Letters (S, M, L) mark other things
/// too, as lactose and hotness: where the row has a price of its own in column `own`, theirs have to be like it.
pub(crate) fn of_column(
    sheet: &Sheet, row: &Row, column: usize, own: Option<usize>, currency: Currency,
) -> Option<String> {
    let size = of_heading(&row.cell(column).shown())?;
    let letters = size.chars().all(|sign| "sSmMlLxX".contains(sign));
    let like = own.filter(|_| letters).is_none_or(|own| prices::are_like(sheet, row.number, column, own));
    (prices::stand_below(sheet, row.number, column, currency) && like).then_some(size)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fields::MenuImportField as Field;

    #[test]
    fn headings_of_sizes() {
        for (heading, size) in [
            ("30cm", "30cm"),
            ("30 cm", "30 cm"),
            ("40 cm-es", "40 cm-es"),
            ("Ár (40 cm)", "40 cm"),
            ("50 cm ár", "50 cm"),
            ("50cm (Ft)", "50cm"),
            ("32 cm bruttó ár (Ft):", "32 cm"),
            ("Ø32", "Ø32"),
            ("ø 32 cm", "ø 32 cm"),
            ("12\"", "12\""),
            ("0,5 l", "0,5 l"),
            ("0.33l", "0.33l"),
            ("5 dl Ft", "5 dl"),
            ("10 db", "10 db"),
            ("6 pcs", "6 pcs"),
            ("2-3 személyes", "2-3 személyes"),
            ("1/2 adag", ""),
            ("Fél adag", "Fél adag"),
            ("Kicsi", "Kicsi"),
            ("NAGY ADAG", "NAGY ADAG"),
            ("Közepes (32 cm)", "Közepes 32 cm"),
            ("Price (small)", "small"),
            ("XL", "XL"),
            ("Családi pizza", "Családi pizza"),
            ("30", ""),
            ("30 pizza", ""),
            ("cm", ""),
            ("Ár", ""),
            ("Adag", ""),
            ("Pizza", ""),
            ("Mennyiség (g)", ""),
            ("30 cm fölött", ""),
            ("kcal", ""),
            ("2026-01-01", ""),
            ("Akciós ár", ""),
            ("Nettó 30 cm", ""),
            ("", ""),
        ] {
            assert_eq!(of_heading(heading).unwrap_or_default(), size, "{heading}");
        }
    }

    #[test]
    fn headings_of_fields_name_no_size() {
        for heading in Field::MENU.iter().chain(&Field::OPTIONS).flat_map(|field| field.headings()) {
            assert_eq!(of_heading(heading), None, "{heading}");
        }
    }

    #[test]
    fn words_are_compared_folded() {
        for word in UNITS.iter().chain(&WORDS).chain(&NEUTRAL).chain(&PRICE) {
            assert_eq!(fold(word), *word);
        }
    }

    #[test]
    fn sizes_are_the_same_without_blanks_and_accents() {
        assert_eq!(same_size("30 CM"), same_size("30cm"));
        assert_eq!(same_size("Közepes  (32 cm)"), same_size("kozepes (32cm)"));
        assert_ne!(same_size("30cm"), same_size("3 0cm"));
        assert_ne!(same_size("kis adag"), same_size("kisadag"));
    }

    proptest! {
        #[test]
        fn a_number_with_a_unit_is_a_size_however_it_is_written(
            number in "[1-9][0-9]{0,2}([,.][0-9]{1,2})?", unit in proptest::sample::select(UNITS.to_vec()),
            blank in "[ \u{a0}]{0,2}", (before, behind) in proptest::sample::select(vec![
                ("", ""), ("Ár ", ""), ("Ár (", ")"), ("", " (Ft)"), ("bruttó ", " ár:"), ("PRICE [", "]"),
            ]), upper in proptest::bool::ANY,
        ) {
            let size = format!("{number}{blank}{unit}");
            let size = if upper { size.to_uppercase() } else { size };
            let found = of_heading(&format!("{before}{size}{behind}"));
            prop_assert_eq!(found.map(|found| same_size(&found)), Some(same_size(&size)));
        }

        #[test]
        fn a_foreign_word_beside_a_size_makes_another_heading(word in "[b-df-hj-np-rt-wy-z]{6,12}") {
            prop_assert_eq!(of_heading(&format!("30 cm {word}")), None);
            prop_assert_eq!(of_heading(&word), None);
        }

        #[test]
        fn any_heading_is_looked_at_without_harm(heading in "\\PC{0,60}") {
            if let Some(size) = of_heading(&heading) {
                prop_assert!(!size.is_empty() && size.chars().count() <= LONGEST);
                // A name that was taken from a heading is a heading of the same size.
                prop_assert_eq!(of_heading(&size), Some(size));
            }
            prop_assert_eq!(same_size(&same_size(&heading)), same_size(&heading));
        }
    }
}
