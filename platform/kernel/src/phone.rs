//! Phone numbers: whether two spellings are the same one. See `docs/decisions/orders.md#limits-for-guests`.

/// Calling codes of the countries whose numbers begin with a trunk prefix at home, and that prefix.
const HOME: &[(&str, &str, &str)] = &[
    ("HU", "36", "06"),
    ("AT", "43", "0"),
    ("CZ", "420", ""),
    ("DE", "49", "0"),
    ("GB", "44", "0"),
    ("HR", "385", "0"),
    ("RO", "40", "0"),
    ("RS", "381", "0"),
    ("SI", "386", "0"),
    ("SK", "421", "0"),
    ("UA", "380", "0"),
];
/// The fewest digits of a number with its calling code: a shorter one that begins like a code is one from
/// home.
const WITH_CODE: usize = 10;
const HUNGARY: &str = "36";
/// The fewest digits of a number within a town: with fewer, what follows is no extension.
const LOCAL: usize = 6;

/// A phone as it is compared: digits with the calling code, however it was written. A text without digits is
/// itself; none when it is empty.
#[must_use]
pub fn compared(written: &str, country: &str) -> Option<String> {
    let written = written.trim();
    let digits = dialled(written);
    if digits.is_empty() {
        return (!written.is_empty()).then(|| written.to_lowercase());
    }
    let number = with_code(written, digits, country);
    Some(match number.strip_prefix(HUNGARY) {
        Some(national) => format!("{HUNGARY}{}", &national[..national.len().min(significant(national))]),
        None => number,
    })
}

/// A phone in E.164, by which customers are known; none for what is no number, or one from home in a country
/// whose calling code is not known.
#[must_use]
pub fn e164(written: &str, country: &str) -> Option<String> {
    let digits = dialled(written.trim());
    let abroad = written.trim().starts_with(['+', '\u{ff0b}']) || digits.starts_with("00");
    if digits.is_empty() || !abroad && HOME.iter().all(|(home, ..)| *home != country) {
        return None;
    }
    let number = compared(written, country)?;
    (3..=15).contains(&number.len()).then(|| format!("+{number}"))
}

/// The fewest digits that a phone is searched by.
const SEARCHED: usize = 4;

/// Some digits of a phone, as they stand in every spelling of it: without calling code and trunk prefix. None
/// when the text has too few digits.
#[must_use]
pub fn part(written: &str, country: &str) -> Option<String> {
    let written = written.trim();
    let digits = dialled(written);
    if digits.len() < SEARCHED {
        return None;
    }
    let number = with_code(written, digits.clone(), country);
    let code = HOME.iter().find(|(home, ..)| *home == country).map_or("", |(_, code, _)| code);
    let national = number.strip_prefix(code).unwrap_or(&number);
    Some(if national.len() >= SEARCHED { national.to_owned() } else { digits })
}

/// The digits up to an extension (`ext 1`, `#2`); those of other scripts are digits too.
fn dialled(written: &str) -> String {
    let mut digits = String::new();
    for sign in written.chars() {
        match digit(sign) {
            Some(digit) => digits.push(digit),
            None if digits.len() >= LOCAL && (sign.is_alphabetic() || "#;,".contains(sign)) => break,
            None => {}
        }
    }
    digits
}

/// How many digits a Hungarian number has behind the calling code: what is dialled after them reaches the
/// same phone.
fn significant(national: &str) -> usize {
    if ["20", "21", "30", "31", "50", "70"].iter().any(|mobile| national.starts_with(mobile)) { 9 } else { 8 }
}

fn with_code(written: &str, digits: String, country: &str) -> String {
    let abroad = written
        .starts_with(['+', '\u{ff0b}'])
        .then_some(digits.as_str())
        .or_else(|| digits.strip_prefix("00"));
    if let Some(abroad) = abroad {
        return without_trunk(abroad.trim_start_matches('0'));
    }
    let Some((_, code, trunk)) = HOME.iter().find(|(home, ..)| *home == country) else { return digits };
    match digits.strip_prefix(trunk).filter(|_| !trunk.is_empty()) {
        Some(rest) => without_trunk(&format!("{code}{rest}")),
        None if digits.starts_with(code) && digits.len() >= WITH_CODE => without_trunk(&digits),
        None => without_trunk(&format!("{code}{digits}")),
    }
}

/// `+36 (06) 1 …` and `+36 (0) 1 …` are written with both.
fn without_trunk(digits: &str) -> String {
    let Some((code, trunk, rest)) =
        HOME.iter().find_map(|(_, code, trunk)| Some((code, trunk, digits.strip_prefix(code)?)))
    else {
        return digits.to_owned();
    };
    format!("{code}{}", rest.strip_prefix(trunk).unwrap_or(rest).trim_start_matches('0'))
}

/// The digit that a sign stands for, also in full width and Arabic.
fn digit(sign: char) -> Option<char> {
    let zero = match sign {
        '0'..='9' => '0',
        '\u{ff10}'..='\u{ff19}' => '\u{ff10}',
        '\u{660}'..='\u{669}' => '\u{660}',
        '\u{6f0}'..='\u{6f9}' => '\u{6f0}',
        _ => return None,
    };
    char::from_digit(u32::from(sign) - u32::from(zero), 10)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Who is known by a number is found by it wherever it is written again.
        #[test]
        fn a_number_in_e164_stays_so(
            written in "(\\+|00|0|06|36|43|420)?[0-9 /()-]{1,18}", country in "HU|AT|CZ|DE|US",
            other in "HU|AT|CZ|DE|US",
        ) {
            if let Some(number) = e164(&written, &country) {
                prop_assert_eq!(e164(&number, &other), Some(number.clone()), "{}", written);
                prop_assert!(number[1..].bytes().all(|digit| digit.is_ascii_digit()));
            }
        }
    }

    #[test]
    fn one_number_is_one_however_it_is_written() {
        for written in [
            "+36 1 555 0100",
            "+3615550100",
            "06 1 555-0100",
            "0036/1/555.0100",
            "36 1 555 0100",
            "1 555 0100",
            " +36 (1) 555 0100 ",
            "+36 (06) 1 555 0100",
            "＋３６ １ ５５５ ０１００",
            "0\u{200b}6 1 555 0100",
            "+36 (0) 1 555 0100",
            "+36 1 555 0100 ext 1",
            "06 1 555 0100/12",
            "+36 1 555 0100 #2",
        ] {
            assert_eq!(compared(written, "HU").as_deref(), Some("3615550100"), "{written}");
        }
        for (written, country, expected) in [
            ("+36 30 555 0100", "HU", Some("36305550100")),
            ("30/555-0100", "HU", Some("36305550100")),
            ("+36 (0) 30 555 0100/1", "HU", Some("36305550100")),
            ("tel. 30 555 0100 mellék 2", "HU", Some("36305550100")),
            ("62/555-010", "HU", Some("3662555010")),
            ("+44 20 7946 0000", "HU", Some("442079460000")),
            ("020 7946 0000", "GB", Some("442079460000")),
            ("3655", "HU", Some("363655")),
            ("0 1 555 0100", "HU", Some("3615550100")),
            ("36 06 1 555 0100", "HU", Some("3615550100")),
            ("555-0100", "US", Some("5550100")),
            ("nincs", "HU", Some("nincs")),
            ("  ", "HU", None),
        ] {
            assert_eq!(compared(written, country).as_deref(), expected, "{written}");
        }
    }

    #[test]
    fn customers_are_known_by_whole_numbers() {
        for (written, country, expected) in [
            ("06 1 555 0100", "HU", Some("+3615550100")),
            ("+36 (0) 30 555 0100/1", "HU", Some("+36305550100")),
            ("+1 212 555 0100", "US", Some("+12125550100")),
            ("0036/1/555.0100", "US", Some("+3615550100")),
            ("555-0100", "US", None),
            ("nincs", "HU", None),
            ("+", "HU", None),
            ("+99999999999999999", "HU", None),
        ] {
            assert_eq!(e164(written, country).as_deref(), expected, "{written}");
        }
    }
}
