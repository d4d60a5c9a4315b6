//! Reads cells: prices, VAT rates, allergens, yes or no.

use kernel::{Fault, money::Currency, setting::NtakQuantityUnit};
use rust_decimal::Decimal;

use super::{fold::fold, sheet::Value};

/// The most one piece may cost (as in the product's form).
const MAX: i64 = 10_000_000;

/// Longer texts are no prices: what a column holds is found out without reading whole descriptions.
const LONGEST_PRICE: usize = 40;

/// A price as people write it: `1 990 Ft`, `1.990,-`, `12,50 €`, `HUF 1990`, `1'990`. Three digits behind a
/// single point or comma are thousands: no price has three decimals.
pub(crate) fn price(value: &Value, currency: Currency) -> Result<Decimal, Fault> {
    let amount = match value {
        Value::Empty => return Err(Fault::Required),
        Value::Number(number) => *number,
        Value::Text(text) => match amount(text).ok_or(Fault::Type)? {
            (_, Some(sign)) if sign != currency => return Err(Fault::Invalid),
            (amount, _) => amount,
        },
        Value::Bool(_) | Value::Other(_) => return Err(Fault::Type),
    };
    if amount.is_sign_negative() && !amount.is_zero() {
        return Err(Fault::Min);
    }
    if amount > Decimal::from(MAX) {
        return Err(Fault::Max);
    }
    // A price smaller than the smallest coin was meant in another currency, or calculated: nobody should
    // guess.
    if amount.round_dp(currency.decimals()) == amount { Ok(amount.normalize()) } else { Err(Fault::Invalid) }
}

/// Whether a cell means that nothing is sold there: empty, or a dash.
pub(crate) fn not_sold(value: &Value) -> bool {
    match value {
        Value::Empty => true,
        Value::Text(text) => {
            text.len() < LONGEST_PRICE && matches!(fold(text).as_str(), "-" | "nincs" | "none")
        }
        Value::Number(_) | Value::Bool(_) | Value::Other(_) => false,
    }
}

/// The amount in a cell, whatever its currency; none where it is no price.
pub(crate) fn any_amount(value: &Value) -> Option<Decimal> {
    match value {
        Value::Number(number) => Some(*number),
        Value::Text(text) if text.len() < LONGEST_PRICE => amount(text).map(|(amount, _)| amount),
        Value::Text(_) => None,
        Value::Empty | Value::Bool(_) | Value::Other(_) => None,
    }
}

/// Whether a cell holds what may be a price in this currency: nothing costs a few forints.
pub(crate) fn likely_price(value: &Value, currency: Currency) -> bool {
    let least = if currency == Currency::Huf { Decimal::TEN } else { Decimal::ZERO };
    any_amount(value).is_some_and(|amount| amount >= least || amount.is_sign_negative())
}

/// Signs and names of currencies, folded; a longer one before one that it begins with.
const SIGNS: [(&str, Currency); 16] = [
    ("huf", Currency::Huf),
    ("forint", Currency::Huf),
    ("ft", Currency::Huf),
    ("euro", Currency::Eur),
    ("eur", Currency::Eur),
    ("€", Currency::Eur),
    ("us$", Currency::Usd),
    ("usd", Currency::Usd),
    ("$", Currency::Usd),
    ("gbp", Currency::Gbp),
    ("£", Currency::Gbp),
    ("dkk", Currency::Dkk),
    ("kr.", Currency::Dkk),
    ("kr", Currency::Dkk),
    ("pounds", Currency::Gbp),
    ("dollar", Currency::Usd),
];

/// The amount of a text, and the currency that it names. Two currencies are no amount.
fn amount(text: &str) -> Option<(Decimal, Option<Currency>)> {
    let folded = fold(text).replace(['\'', ' '], "");
    let (negative, folded) = match folded.strip_prefix('-') {
        Some(rest) => (true, rest.to_owned()),
        None => (false, folded),
    };
    let mut named = None;
    let mut digits = folded.as_str();
    digits = digits.strip_prefix('+').unwrap_or(digits);
    if let Some((rest, currency)) =
        SIGNS.iter().find_map(|(sign, one)| Some((digits.strip_prefix(sign)?, *one)))
    {
        (digits, named) = (rest, Some(currency));
    }
    digits = digits.strip_prefix('+').unwrap_or(digits);
    for unit in ["/adag", "/db", "/fo"] {
        digits = digits.strip_suffix(unit).unwrap_or(digits);
    }
    let mut ends = digits;
    // `kr.` before its point goes.
    for end in [digits, digits.trim_end_matches('.')] {
        if let Some((rest, currency)) =
            SIGNS.iter().find_map(|(sign, one)| Some((end.strip_suffix(sign)?, *one)))
        {
            if named.is_some_and(|named| named != currency) {
                return None;
            }
            (ends, named) = (rest, Some(currency));
            break;
        }
        ends = end;
    }
    digits = ends;
    // `1990,-` and `1990.-`
    digits = digits.trim_end_matches(['-', '=']).trim_end_matches([',', '.']);
    if digits.is_empty()
        || !digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
        || !digits.starts_with(|c: char| c.is_ascii_digit())
    {
        return None;
    }
    let number = match (digits.rfind('.'), digits.rfind(',')) {
        (None, None) => digits.to_owned(),
        // Both: the later one is the decimal sign.
        (Some(point), Some(comma)) => {
            let (thousands, decimal, at) = if point > comma { (',', '.', point) } else { ('.', ',', comma) };
            let whole = &digits[..at];
            if whole.contains(decimal) || !grouped(whole, thousands) {
                return None;
            }
            format!("{}.{}", whole.replace(thousands, ""), &digits[at + 1..])
        }
        (Some(at), None) | (None, Some(at)) => {
            let sign = if digits.contains('.') { '.' } else { ',' };
            let decimals = digits.len() - at - 1;
            if digits.matches(sign).count() > 1 || decimals == 3 {
                if !grouped(digits, sign) {
                    return None;
                }
                digits.replace(sign, "")
            } else if decimals <= 2 {
                digits.replace(sign, ".")
            } else {
                return None;
            }
        }
    };
    let number: Decimal = number.parse().ok()?;
    Some((if negative { -number } else { number }, named))
}

/// Whether digits stand in threes behind each of these signs.
fn grouped(digits: &str, sign: char) -> bool {
    let mut parts = digits.split(sign);
    parts.next().is_some_and(|first| (1..=3).contains(&first.len()) || !digits.contains(sign))
        && parts.all(|part| part.len() == 3)
}

/// A rate of VAT in percent: `27`, `27%`, `0,27` of a cell shown as percent, `AAM`.
pub(crate) fn percent(value: &Value) -> Result<Option<Decimal>, Fault> {
    let number = match value {
        Value::Empty => return Ok(None),
        Value::Number(number) => *number,
        Value::Text(text) => {
            let text = fold(text);
            if matches!(
                text.as_str(),
                "aam"
                    | "tam"
                    | "adomentes"
                    | "afamentes"
                    | "mentes"
                    | "alanyi adomentes"
                    | "exempt"
                    | "afa nelkul"
                    | "-"
            ) {
                return Ok(Some(Decimal::ZERO));
            }
            let has_sign = text.contains('%');
            let digits = text.replace("afa", "").replace("vat", "").replace('%', "").replace(',', ".");
            let number: Decimal = digits.trim().parse().map_err(|_| Fault::Type)?;
            if has_sign {
                return Ok(Some(number.normalize()));
            }
            number
        }
        Value::Bool(_) | Value::Other(_) => return Err(Fault::Type),
    };
    // 0.27 is a cell formatted as percent; no rate lies below one percent.
    let percent =
        if number > Decimal::ZERO && number < Decimal::ONE { number * Decimal::from(100) } else { number };
    Ok(Some(percent.normalize()))
}

/// Yes or no.
pub(crate) fn flag(value: &Value) -> Result<Option<bool>, Fault> {
    let yes = match value {
        Value::Empty => return Ok(None),
        Value::Bool(value) => *value,
        Value::Number(number) if number.is_zero() || *number == Decimal::ONE => !number.is_zero(),
        Value::Text(text) => match fold(text).as_str() {
            "igen" | "i" | "yes" | "y" | "true" | "igaz" | "1" | "x" | "aktiv" | "active" | "be" | "on"
            | "van" | "+" | "✓" | "✔" | "☑" | "✅" | "√" | "●" | "•" | "*" | "ja" | "j" | "oui" | "si"
            | "da" | "ano" | "tak" => true,
            "nem" | "n" | "no" | "false" | "hamis" | "0" | "inaktiv" | "inactive" | "ki" | "off" | "-"
            | "nincs" | "✗" | "✘" | "☐" | "❌" | "nein" | "non" | "ne" | "nie" => false,
            _ => return Err(Fault::Type),
        },
        _ => return Err(Fault::Type),
    };
    Ok(Some(yes))
}

/// A unit of the tax report, by its word or an everyday one.
pub(crate) fn ntak_unit(value: &Value) -> Result<Option<NtakQuantityUnit>, Fault> {
    Ok(Some(match fold(&value.shown()).trim_end_matches('.') {
        "" => return Ok(None),
        "liter" | "l" | "litre" => NtakQuantityUnit::Liter,
        "kilogramm" | "kilogram" | "kg" => NtakQuantityUnit::Kilogram,
        "egyseg" | "egyeb egyseg" | "unit" | "other unit" => NtakQuantityUnit::Unit,
        "darab" | "db" | "piece" | "pcs" => NtakQuantityUnit::Piece,
        "adag" | "portion" => NtakQuantityUnit::Portion,
        _ => return Err(Fault::NotExist),
    }))
}

/// A quantity of the tax report: more than 0, at most 100,000, with at most 4 decimals.
pub(crate) fn ntak_quantity(value: &Value) -> Result<Option<Decimal>, Fault> {
    let number: Decimal = match value {
        Value::Empty => return Ok(None),
        Value::Number(number) => *number,
        Value::Text(text) => {
            let digits = fold(text).replace(',', ".");
            // `1e3` is a number to the parser, and no quantity to anybody else.
            let plain = digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '+'));
            if plain { digits.parse().map_err(|_| Fault::Type)? } else { return Err(Fault::Type) }
        }
        Value::Bool(_) | Value::Other(_) => return Err(Fault::Type),
    };
    catalogue::bulk::ntak_quantity_fault(number).map_or(Ok(Some(number.normalize())), Err)
}

/// A small whole number.
pub(crate) fn whole(value: &Value) -> Result<Option<i32>, Fault> {
    let number = match value {
        Value::Empty => return Ok(None),
        Value::Number(number) => *number,
        Value::Text(text) => fold(text).trim_end_matches("db").trim().parse().map_err(|_| Fault::Type)?,
        Value::Bool(_) | Value::Other(_) => return Err(Fault::Type),
    };
    if number.is_sign_negative() && !number.is_zero() {
        return Err(Fault::Min);
    }
    if number > Decimal::from(1_000) {
        return Err(Fault::Max);
    }
    number.normalize().to_string().parse().map(Some).map_err(|_| Fault::Type)
}

/// The known names of a list; none when one of them is not known. A name may have a comma in it: of what is
/// written, the longest name that is known counts.
pub(crate) fn names(value: &Value, known: impl Fn(&str) -> bool) -> Option<Vec<String>> {
    let mut found: Vec<String> = Vec::new();
    for part in value.shown().split([';', '|', '\n']) {
        let pieces: Vec<&str> = part.split(',').collect();
        let mut rest = &pieces[..];
        while let [first, after @ ..] = rest {
            let length = (1..=rest.len())
                .rev()
                .find(|length| rest.get(..*length).is_some_and(|words| known(&fold(&words.join(",")))));
            let Some(length) = length else {
                // A dash that is no name, and does not begin one either.
                if matches!(fold(first).as_str(), "" | "-" | "nincs" | "none") {
                    rest = after;
                    continue;
                }
                return None;
            };
            let (name, after) = rest.split_at(length);
            let name = fold(&name.join(","));
            if !found.contains(&name) {
                found.push(name);
            }
            rest = after;
        }
    }
    Some(found)
}

/// The single words of a list. Numbers need no more than blanks or points between them.
pub(crate) fn words(value: &Value) -> Vec<String> {
    let text = value.shown();
    let numbers =
        text.chars().all(|sign| sign.is_ascii_digit() || sign.is_whitespace() || ".,;/|".contains(sign));
    let numbers = numbers && matches!(value, Value::Text(_));
    let between = move |sign: char| {
        matches!(sign, ',' | ';' | '/' | '|' | '\n' | '+' | '&')
            || numbers && (sign.is_whitespace() || sign == '.')
    };
    let words = text.split(between).map(|word| fold(word.trim().trim_end_matches('.')));
    words.filter(|word| !word.is_empty() && word != "-" && word != "nincs" && word != "none").collect()
}

/// An EAN code as it was typed. Digits that a spreadsheet has rounded, or whose leading zeros it took, are a fault: the
/// till would find another product by them, or none.
pub(crate) fn ean(value: &Value) -> Result<(), Fault> {
    if value.lost_digits() {
        return Err(Fault::Type);
    }
    let shown = value.shown();
    let digits: Option<Vec<u32>> = shown.chars().map(|sign| sign.to_digit(10)).collect();
    let Some(digits) = digits.filter(|digits| digits.len() >= 7) else { return Ok(()) };
    let checked =
        digits.iter().rev().zip([1, 3].iter().cycle()).map(|(digit, weight)| digit * weight).sum::<u32>();
    let (whole, valid) = (matches!(digits.len(), 8 | 12 | 13 | 14), checked % 10 == 0);
    // 5998870000000 was 5,99887E+12 before; a code of 11 digits with a valid check digit has lost its zero.
    let rounded = shown.ends_with("00000") && !valid;
    if whole && rounded || !whole && valid && digits.len() < 12 { Err(Fault::Invalid) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    #[test]
    fn prices_are_read_as_people_write_them() {
        for written in [
            "1990", "1 990", "1\u{a0}990 Ft", "1\u{202f}990", "1.990,-", "1.990.-", "1990,-", "1,990",
            "1.990 Ft", "1990 HUF", "HUF 1990", "1'990", "1990.00", "1990,00 Ft", "1.990,00", "1,990.00",
            "1990 forint", "1990Ft.", "+1990", "1990,-Ft", "1990 Ft/adag",
        ] {
            assert_eq!(price(&text(written), Currency::Huf), Ok(Decimal::from(1990)), "{written}");
        }
        for (written, read) in [
            ("12,50 €", "12.5"),
            ("EUR 12.50", "12.5"),
            ("€12.5", "12.5"),
            ("1.234,56 EUR", "1234.56"),
            ("1 234 567", "1234567"),
            ("0", "0"),
        ] {
            assert_eq!(price(&text(written), Currency::Eur), Ok(read.parse().unwrap()), "{written}");
        }
        assert_eq!(price(&Value::Number(Decimal::from(650)), Currency::Huf), Ok(Decimal::from(650)));
    }

    #[test]
    fn cells_without_a_valid_price_are_faults() {
        let cases = [
            ("900 / 1200", Fault::Type),
            ("ingyenes", Fault::Type),
            ("1990-2490", Fault::Type),
            ("12.34.56", Fault::Type),
            ("1e5", Fault::Type),
            ("1.2345", Fault::Type),
            ("12,5", Fault::Invalid),
            ("-300", Fault::Min),
            ("99 999 999", Fault::Max),
        ];
        for (written, fault) in cases {
            assert_eq!(price(&text(written), Currency::Huf), Err(fault), "{written}");
        }
        for (written, currency) in [
            ("£4.20", Currency::Eur),
            ("4.20 €", Currency::Gbp),
            ("$4.20", Currency::Gbp),
            ("490 €", Currency::Huf),
            ("490 Ft", Currency::Eur),
            ("42 kr.", Currency::Eur),
        ] {
            assert_eq!(price(&text(written), currency), Err(Fault::Invalid), "{written}: another currency");
        }
        for (written, currency) in [
            ("£4.20", Currency::Gbp),
            ("4.20 GBP", Currency::Gbp),
            ("$4.20", Currency::Usd),
            ("US$ 4.20", Currency::Usd),
            ("4,20 kr.", Currency::Dkk),
            ("DKK 4,20", Currency::Dkk),
        ] {
            assert_eq!(price(&text(written), currency), Ok("4.2".parse().unwrap()), "{written}");
        }
        assert_eq!(price(&text("£4.20 €"), Currency::Gbp), Err(Fault::Type), "two currencies");
        assert_eq!(price(&Value::Empty, Currency::Huf), Err(Fault::Required));
        assert_eq!(price(&Value::Other("#REF!".to_owned()), Currency::Huf), Err(Fault::Type));
        assert_eq!(price(&Value::Number("0.1".parse().unwrap()), Currency::Huf), Err(Fault::Invalid));
    }

    #[test]
    fn rates_and_flags() {
        let rate = |value: &Value| percent(value).map(|rate| rate.map(|rate| rate.to_string()));
        for (written, read) in [
            ("27", "27"),
            ("27%", "27"),
            ("5 %", "5"),
            ("27 % áfa", "27"),
            ("0.27", "27"),
            ("AAM", "0"),
            ("0", "0"),
        ] {
            assert_eq!(rate(&text(written)), Ok(Some(read.to_owned())), "{written}");
        }
        assert_eq!(rate(&Value::Number("0.05".parse().unwrap())), Ok(Some("5".to_owned())));
        assert_eq!(rate(&text("sok")), Err(Fault::Type));
        for (written, read) in [("igen", true), ("NEM", false), ("x", true), ("Inaktív", false)] {
            assert_eq!(flag(&text(written)), Ok(Some(read)), "{written}");
        }
        assert_eq!(flag(&text("talán")), Err(Fault::Type));
        assert_eq!(words(&text("tej, glutén; 3/-")), ["tej", "gluten", "3"]);
        assert_eq!(words(&text("1 3. 7")), ["1", "3", "7"]);
        assert_eq!(words(&Value::Number("1.3".parse().unwrap())), ["1.3"], "a list that became a number");
    }

    #[test]
    fn barcodes_that_a_spreadsheet_has_changed() {
        let number = |digits: &str| Value::Number(digits.parse().unwrap());
        for changed in [
            text("5,99887E+12"),
            text("5.99887E+12"),
            text("5998870000000.0"),
            text("5998870000000"),
            number("5998870000000"),
            number("5998870.5"),
            number("12345678905"),
            text("2345673"),
            Value::Other("2026-01-02".to_owned()),
        ] {
            assert!(ean(&changed).is_err(), "{changed:?}");
        }
        for kept in [
            text("5998870123453"),
            number("5998870123453"),
            text("012345678905"),
            text("96385074"),
            text("123"),
            text("PLU-0042"),
            Value::Empty,
        ] {
            assert_eq!(ean(&kept), Ok(()), "{kept:?}");
        }
    }

    #[test]
    fn choices_and_names_of_groups() {
        assert_eq!(
            [whole(&text("3 db")), whole(&Value::Number(2.into())), whole(&Value::Empty)],
            [Ok(Some(3)), Ok(Some(2)), Ok(None)]
        );
        assert_eq!(
            [whole(&text("1,5")), whole(&text("-1")), whole(&text("1001"))],
            [Err(Fault::Type), Err(Fault::Min), Err(Fault::Max)]
        );
        let known = |name: &str| ["koret", "szosz, ontet", "feltet"].contains(&name);
        assert_eq!(
            names(&text("Köret, Feltét, köret"), known),
            Some(vec!["koret".to_owned(), "feltet".to_owned()])
        );
        assert_eq!(
            names(&text("Szósz, öntet; Köret"), known),
            Some(vec!["szosz, ontet".to_owned(), "koret".to_owned()])
        );
        assert_eq!(
            names(&text("Feltét, szósz, öntet"), known),
            Some(vec!["feltet".to_owned(), "szosz, ontet".to_owned()])
        );
        assert_eq!(names(&text("-"), known), Some(vec![]));
        assert_eq!(names(&text("Köret, Desszert"), known), None);
        let dashed = |name: &str| ["-, extra", "koret"].contains(&name);
        assert_eq!(
            names(&text("Köret, -, extra"), dashed),
            Some(vec!["koret".to_owned(), "-, extra".to_owned()])
        );
        assert_eq!(names(&text("-, Köret"), dashed), Some(vec!["koret".to_owned()]));
    }
}
