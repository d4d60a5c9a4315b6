//! Volumes and weights in names: `0,5 l`, `5dl`, `33 cl`, `1/2 l`, `50 dkg`.

use rust_decimal::Decimal;

/// A measure in the units of the tax report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    Litres(Decimal),
    Kilograms(Decimal),
}

/// What a name says about the quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MeasureResult {
    Nothing,
    /// Several that differ: nobody should guess which one is sold.
    Several,
    /// One, which may be written more than once.
    One(Measure),
}

/// Longer numbers are no measures.
const LONGEST: usize = 8;

/// A unit: what it measures, and how many of it make one litre or kilogram.
struct Unit {
    of: fn(Decimal) -> Measure,
    parts: i64,
}

fn unit(word: &str) -> Option<Unit> {
    let (of, parts): (fn(Decimal) -> Measure, i64) = match word {
        "ml" => (Measure::Litres, 1000),
        "cl" => (Measure::Litres, 100),
        "dl" | "deci" | "decis" => (Measure::Litres, 10),
        "l" | "lit" | "liter" | "literes" | "litre" | "litres" => (Measure::Litres, 1),
        "g" | "gr" | "gramm" | "grammos" => (Measure::Kilograms, 1000),
        "dkg" | "dag" | "deka" | "dekas" => (Measure::Kilograms, 100),
        "kg" | "kilo" | "kilos" => (Measure::Kilograms, 1),
        _ => return None,
    };
    Some(Unit { of, parts })
}

/// A number in a folded text.
struct Number<'a> {
    value: Decimal,
    decimal: bool,
    /// Something is glued to its front that makes it another number: `1/0,5`, `6x0,33`, `-0,5`.
    glued: bool,
    /// The letters behind it, after blanks.
    word: &'a str,
    /// What stands behind it, after blanks.
    rest: &'a str,
}

/// Digits with at most one point or comma among them.
fn digits(text: &str) -> &str {
    let mut end = 0;
    let mut signs = 0;
    for (at, c) in text.char_indices() {
        let sign = matches!(c, '.' | ',') && text[at + 1..].starts_with(|next: char| next.is_ascii_digit());
        signs += usize::from(sign);
        if !(c.is_ascii_digit() || sign && signs == 1) {
            break;
        }
        end = at + c.len_utf8();
    }
    &text[..end]
}

fn decimal(text: &str) -> Option<Decimal> {
    if text.len() > LONGEST { None } else { text.replace(',', ".").parse().ok() }
}

/// The numbers of a folded text with what stands around them.
fn numbers(text: &str) -> Vec<Number<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(|c: char| c.is_ascii_digit()).map(|start| at + start) {
        let number = digits(&text[start..]);
        at = start + number.len();
        let before = text[..start].chars().next_back();
        let mut value = decimal(number);
        // `1/2`: the fraction is one number.
        let mut end = at;
        if let Some(below) = text[at..].strip_prefix('/').map(digits).filter(|below| !below.is_empty()) {
            let divisor = decimal(below).filter(|below| !below.is_zero());
            value = value.zip(divisor).and_then(|(above, below)| above.checked_div(below));
            end = at + 1 + below.len();
            at = end;
        }
        let rest = text[end..].trim_start();
        let letters = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        if let Some(value) = value {
            found.push(Number {
                value,
                decimal: number.contains(['.', ',']),
                glued: before
                    .is_some_and(|c| c.is_alphanumeric() || matches!(c, '/' | '-' | '.' | ',' | '×')),
                word: &rest[..letters],
                rest,
            });
        }
    }
    found
}

/// A quantity that the report takes: more than nothing, with at most four decimals.
fn quantity(value: Decimal) -> Option<Decimal> {
    let value = value.normalize();
    (value > Decimal::ZERO && value <= Decimal::from(100_000) && value.scale() <= 4).then_some(value)
}

/// The one measure of a folded text.
pub(super) fn measure(text: &str) -> MeasureResult {
    let mut found = MeasureResult::Nothing;
    for Number { value, glued, word, .. } in numbers(text) {
        let Some(Unit { of, parts }) = unit(word) else { continue };
        // `3dl/5dl`: a slash behind a unit parts two sizes, and the second is a number of its own.
        let measure = quantity(value / Decimal::from(parts)).map(of).filter(|_| !glued || is_list(text));
        match (found, measure) {
            (MeasureResult::Nothing, Some(measure)) => found = MeasureResult::One(measure),
            (MeasureResult::One(one), Some(measure)) if one == measure => {}
            _ => return MeasureResult::Several,
        }
    }
    found
}

/// Sizes that are parted by slashes, with their units: `3dl/5dl`.
fn is_list(text: &str) -> bool {
    text.contains('/')
        && text.split('/').all(|part| numbers(part.trim()).iter().any(|number| unit(number.word).is_some()))
}

/// Litres that are written without a unit, as on the lists of bars: `sör 0,5`. Only numbers with a decimal
/// sign between 2 cl and 2 l, and no percents.
pub(super) fn bare_litres(text: &str) -> Option<Decimal> {
    let mut bare = numbers(text).into_iter().filter(|number| {
        number.decimal && !number.glued && !number.rest.starts_with('%') && unit(number.word).is_none()
    });
    let (least, most) = (Decimal::new(2, 2), Decimal::from(2));
    let litres = bare.next().map(|number| number.value).filter(|value| (least..=most).contains(value))?;
    if bare.next().is_some() { None } else { quantity(litres) }
}

/// Whether a folded text consists of a measure and nothing else.
pub(super) fn is_only_measure(text: &str) -> bool {
    let known = |word: &str| {
        word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',')) || unit(word).is_some()
    };
    let apart = |c: char, next: char| c.is_ascii_digit() && next.is_alphabetic();
    let mut spaced = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        if spaced.chars().next_back().is_some_and(|before| apart(before, c)) {
            spaced.push(' ');
        }
        spaced.push(c);
    }
    matches!(measure(text), MeasureResult::One(_)) && spaced.split_whitespace().all(known)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fold::fold;

    fn litres(text: &str) -> MeasureResult {
        MeasureResult::One(Measure::Litres(text.parse().unwrap()))
    }

    #[test]
    fn measures_are_read_as_menus_write_them() {
        for (name, found) in [
            ("Szódavíz 0.1 l", litres("0.1")),
            ("San Benedetto 0,75 L", litres("0.75")),
            ("Házi szörpök 0.3l", litres("0.3")),
            ("5 dl", litres("0.5")),
            ("2.5 dl", litres("0.25")),
            ("3CL", litres("0.03")),
            ("330 ml", litres("0.33")),
            ("0,5l-es", litres("0.5")),
            ("1 literes kancsó", litres("1")),
            ("1/2 l", litres("0.5")),
            ("½ liter", MeasureResult::Nothing),
            ("LA TRAPPE QUADRUPEL 10% Trappista quadrupel 0.33l", litres("0.33")),
            ("Csapolt sör (0,4 l) 0,4l", litres("0.4")),
            ("3CL / 5Cl", MeasureResult::Several),
            ("3dl/5dl/1l", MeasureResult::Several),
            ("6x0,33 l", MeasureResult::Several),
            ("Campari 0.1dl", litres("0.01")),
            ("0 l", MeasureResult::Several),
            ("0,00001 l", MeasureResult::Several),
            ("Lagavulin 16 Years", MeasureResult::Nothing),
            ("Szentpéteri Irsai Olivér 2019", MeasureResult::Nothing),
            ("Pizza 32 cm", MeasureResult::Nothing),
            ("Rántott sajt (120g)", MeasureResult::One(Measure::Kilograms("0.12".parse().unwrap()))),
            ("50 dkg", MeasureResult::One(Measure::Kilograms("0.5".parse().unwrap()))),
            ("", MeasureResult::Nothing),
        ] {
            assert_eq!(measure(&fold(name)), found, "{name}");
        }
    }

    #[test]
    fn bars_leave_the_unit_out() {
        for (name, found) in [
            ("Sör 0,5", Some("0.5")),
            ("Kóla 0.33", Some("0.33")),
            ("Dreher 0,5 (csapolt)", Some("0.5")),
            ("Paulaner Salvator barna 7,9%", None),
            ("Paulaner 7,9 %", None),
            ("Menü 12,5", None),
            ("Whisky 12", None),
            ("Bor 0,1 / 0,75", None),
            ("6x0,33", None),
        ] {
            assert_eq!(bare_litres(&fold(name)), found.map(|litres| litres.parse().unwrap()), "{name}");
        }
    }

    #[test]
    fn some_texts_are_a_measure_and_nothing_else() {
        for (text, only) in [
            ("0,75l", true),
            ("2.5 dl", true),
            ("50 dkg", true),
            ("3cl / 5cl", false),
            ("kancso 1 l", false),
            ("uborka, citrom", false),
            ("", false),
        ] {
            assert_eq!(is_only_measure(text), only, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_volume_is_the_same_in_every_unit(millilitres in 1_i64..100_000) {
            let litres = Decimal::from(millilitres) / Decimal::from(1000);
            let found = MeasureResult::One(Measure::Litres(litres.normalize()));
            prop_assert_eq!(measure(&format!("bor {millilitres} ml")), found);
            for (unit, parts) in [("l", 1), ("dl", 10), ("cl", 100)] {
                let value = (litres * Decimal::from(parts)).normalize().to_string();
                if value.len() <= LONGEST {
                    prop_assert_eq!(measure(&format!("{value}{unit}")), found);
                    let comma = value.replace('.', ",");
                    prop_assert_eq!(measure(&format!("{comma} {unit} bor")), found);
                }
            }
        }

        #[test]
        fn any_text_is_looked_at_without_harm(text in "\\PC{0,80}") {
            let text = fold(&text);
            for found in [measure(&text)] {
                if let MeasureResult::One(Measure::Litres(value) | Measure::Kilograms(value)) = found {
                    prop_assert!(value > Decimal::ZERO && value.scale() <= 4);
                }
            }
            if let Some(value) = bare_litres(&text) {
                prop_assert!(value > Decimal::ZERO && value.scale() <= 4);
            }
            is_only_measure(&text);
        }
    }
}
