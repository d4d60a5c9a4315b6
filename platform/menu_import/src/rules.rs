//! How many options of a group one piece takes, as people write it: `egy`, `0-2`, `legfeljebb 3`, `kötelező 1`.

use catalogue::OptionGroupType;
use kernel::Fault;

use super::{cells, fold::fold, sheet::Value};

/// A rule of a group. What it does not say is none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Rule {
    pub r#type: Option<OptionGroupType>,
    pub min: Option<i32>,
    pub max: Option<i32>,
}

impl Rule {
    const fn of(r#type: OptionGroupType) -> Self {
        Self { r#type: Some(r#type), min: None, max: None }
    }

    const fn between(min: i32, max: Option<i32>) -> Self {
        Self { r#type: Some(OptionGroupType::MinMax), min: Some(min), max }
    }
}

/// The rule in a cell; an empty one has none.
pub(crate) fn rule(value: &Value) -> Result<Rule, Fault> {
    let text = match value {
        Value::Empty => return Ok(Rule::default()),
        Value::Text(_) | Value::Number(_) => fold(&value.shown()),
        Value::Bool(_) | Value::Other(_) => return Err(Fault::Type),
    };
    match text.as_str() {
        "egy" | "egyet" | "pontosan egy" | "pontosan egyet" | "one" | "exactly one" | "single"
        | "exclusive" | "1" => Ok(Rule::of(OptionGroupType::Exclusive)),
        "tobb" | "tobbet" | "barmennyi" | "barmennyit" | "tetszoleges" | "any" | "any number" | "many"
        | "multiple" | "inclusive" | "opcionalis" | "optional" | "nem kotelezo" => {
            Ok(Rule::of(OptionGroupType::Inclusive))
        }
        "tol-ig" | "-tol -ig" | "min-max" | "min_max" | "min/max" | "from-to" | "range"
        | "hatarok kozott" => Ok(Rule::of(OptionGroupType::MinMax)),
        _ => counted(&text).ok_or(Fault::Type),
    }
}

/// Words that say nothing about how many.
const BESIDE: [&str; 20] = [
    "db", "darab", "pcs", "piece", "pieces", "option", "options", "opcio", "opciot", "valaszthato",
    "valasztando", "valasztas", "choose", "select", "kell", "lehet", "and", "es", "-", "feltet",
];

/// A rule with numbers: `1-3`, `max 3`, `legalabb 1, legfeljebb 2`, `pontosan 2`, `kotelezo 1`.
fn counted(text: &str) -> Option<Rule> {
    let text = text.replace("..", "-").replace("-tol", "-").replace("-ig", " ");
    let spaced: String = text
        .chars()
        .flat_map(|sign| match sign {
            '-' => vec![' ', '-', ' '],
            '(' | ')' | ',' | ';' | ':' | '.' | '/' => vec![' '],
            sign => vec![sign],
        })
        .collect();
    let (mut least, mut most, mut exact, mut plain) = (None, None, None, Vec::new());
    let mut meaning = "";
    for word in spaced.split_whitespace() {
        if let Ok(number) = word.parse::<i32>() {
            let place = match meaning {
                "least" => &mut least,
                "most" => &mut most,
                "exact" => &mut exact,
                _ => {
                    plain.push(number);
                    continue;
                }
            };
            if place.replace(number).is_some() {
                return None;
            }
            meaning = "";
        } else {
            meaning = match word {
                "min" | "minimum" | "legalabb" => "least",
                "max" | "maximum" | "legfeljebb" => "most",
                "pontosan" | "exactly" | "kotelezo" | "required" | "mandatory" => "exact",
                _ if BESIDE.contains(&word) => meaning,
                _ => return None,
            };
        }
    }
    let exactly = |number| match number {
        1 => Rule::of(OptionGroupType::Exclusive),
        number => Rule::between(number, Some(number)),
    };
    let rule = match (least, most, exact, plain[..].first().copied(), plain.get(1).copied()) {
        (None, None, Some(number), None, None) if meaning.is_empty() => exactly(number),
        // `1 kotelezo`
        (None, None, None, Some(number), None) if meaning == "exact" => exactly(number),
        (None, None, None, Some(min), Some(max)) if plain.len() == 2 && text.contains('-') => {
            Rule::between(min, Some(max))
        }
        (Some(min), max, None, None, None) if meaning.is_empty() => Rule::between(min, max.or(Some(0))),
        (None, Some(max), None, None, None) if meaning.is_empty() => Rule::between(0, Some(max)),
        _ => return None,
    };
    let fits = |number: Option<i32>| number.is_none_or(|number| (0..=1_000).contains(&number));
    (fits(rule.min) && fits(rule.max)).then_some(rule)
}

pub(crate) fn required(value: &Value) -> Result<Option<i32>, Fault> {
    let required = match fold(&value.shown()).as_str() {
        "kotelezo" | "required" | "mandatory" => Some(true),
        "nem kotelezo" | "opcionalis" | "optional" | "valaszthato" => Some(false),
        _ => cells::flag(value)?,
    };
    Ok(required.map(i32::from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use OptionGroupType::{Exclusive, Inclusive, MinMax};

    #[test]
    fn rules_as_people_write_them() {
        let of = |text: &str| rule(&Value::Text(text.to_owned()));
        for (written, kind, min, max) in [
            ("Egy", Exclusive, None, None),
            ("pontosan 1", Exclusive, None, None),
            ("Kötelező (1 db)", Exclusive, None, None),
            ("1 kötelező", Exclusive, None, None),
            ("bármennyi", Inclusive, None, None),
            ("Opcionális", Inclusive, None, None),
            ("nem kötelező", Inclusive, None, None),
            ("min–max", MinMax, None, None),
            ("0-2", MinMax, Some(0), Some(2)),
            ("1 – 3 db", MinMax, Some(1), Some(3)),
            ("1..3", MinMax, Some(1), Some(3)),
            ("1-től 3-ig", MinMax, Some(1), Some(3)),
            ("max. 3", MinMax, Some(0), Some(3)),
            ("legfeljebb 2 db", MinMax, Some(0), Some(2)),
            ("választható (max 3)", MinMax, Some(0), Some(3)),
            ("min 1, max 2", MinMax, Some(1), Some(2)),
            ("legalább 1", MinMax, Some(1), Some(0)),
            ("exactly 2", MinMax, Some(2), Some(2)),
        ] {
            assert_eq!(of(written), Ok(Rule { r#type: Some(kind), min, max }), "{written}");
        }
        for written in
            ["talán", "kötelező", "2", "3 vagy 4", "max", "1-2-3", "max 2 max 3", "max 99999", "sok"]
        {
            assert_eq!(of(written), Err(Fault::Type), "{written}");
        }
        assert_eq!(rule(&Value::Empty), Ok(Rule::default()));
        assert_eq!(rule(&Value::Other("2026-01-03".to_owned())), Err(Fault::Type), "1-3 that became a date");
    }
}
