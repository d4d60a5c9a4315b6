//! Phone numbers: whole or not at all. See `docs/decisions/customers.md#phones-and-e-mails`.

use phonenumber::{Mode, country::Id as Country, metadata::DATABASE};

/// Reads the numbers of all countries, which the first question would wait for otherwise: a tenth of a second.
pub fn prepare() {
    let _ = DATABASE.by_id(HOME);
}

/// The country whose usual numbers are read without the table of all countries, with calling code and trunk prefix.
const HOME: &str = "HU";
const CODE: &str = "36";
const TRUNK: &str = "06";

/// A Hungarian mobile or fixed number that is dialled whole, in E.164: what the library would say, without its table. The
/// ranges are those of its metadata for HU.
fn usual(digits: &str, country: &str) -> Option<String> {
    let abroad = digits.strip_prefix("+36");
    let at_home = || digits.strip_prefix(TRUNK).or_else(|| digits.strip_prefix("0036"));
    let national = abroad.or_else(|| (country == HOME).then(at_home).flatten())?;
    let [first, second, ..] = *national.as_bytes() else { return None };
    let known = match national.len() {
        9 => matches!((first, second), (b'2' | b'3' | b'5' | b'7', b'0') | (b'3', b'1')),
        8 => matches!(
            (first, second),
            (b'1', _) | (b'2' | b'7', b'2'..=b'9') | (b'3', b'2'..=b'7') | (b'4', b'2' | b'4'..=b'9')
                | (b'5', b'2'..=b'7' | b'9') | (b'6', b'2' | b'3' | b'6' | b'8' | b'9')
                | (b'8', b'2'..=b'5' | b'7'..=b'9') | (b'9', b'2'..=b'6' | b'9')
        ),
        _ => false,
    };
    known.then(|| format!("+{CODE}{national}"))
}

/// The number that a text means, in E.164, by which a customer is known. None where it means none or more than
/// one. `country`: where a number without a calling code is from.
#[must_use]
pub fn e164(written: &str, country: &str) -> Option<String> {
    if let Some(number) = dialled(written).and_then(|digits| usual(&digits, country)) {
        return Some(number);
    }
    let home = country.parse().ok();
    let mut found: Option<String> = None;
    for digits in dialled(written).into_iter().chain(from_abroad(written)) {
        // Spreadsheets lose the first zero.
        let zero = (!digits.starts_with(['+', '0'])).then(|| format!("0{digits}"));
        for number in std::iter::once(digits).chain(zero).filter_map(|digits| read(&digits, home)) {
            if found.as_ref().is_some_and(|other| *other != number) {
                return None;
            }
            found = Some(number);
        }
    }
    found
}

/// The digits of `+36 (0) 30 …` without the zero, which calls from abroad leave out. Behind anything but a calling code it is
/// a digit of the number.
fn from_abroad(written: &str) -> Option<String> {
    let (before, after) = written.split_once("(0)")?;
    let prefix = dialled(before)?;
    let code = prefix.strip_prefix('+').or_else(|| prefix.strip_prefix("00"))?;
    code.parse().ok().filter(|code| DATABASE.by_code(code).is_some())?;
    dialled(&format!("{before}{after}"))
}

/// Whether a phone as it is kept is a number; else it is a text that identifies nobody.
#[must_use]
pub fn is_number(kept: &str) -> bool {
    kept.starts_with('+') && e164(kept, "").as_deref() == Some(kept)
}

/// The most digits of a number with calling code and prefixes.
const LONGEST: usize = 20;

fn read(digits: &str, home: Option<Country>) -> Option<String> {
    let home = if digits.starts_with('+') { None } else { Some(home?) };
    let number = phonenumber::parse(home, digits).ok().filter(phonenumber::is_valid)?;
    Some(number.format().mode(Mode::E164).to_string())
}

/// The digits of a number, behind a plus sign if there is one. None where something stands among or behind them
/// that is no mark between digits: a second number, an extension, a word, an exponent.
fn dialled(written: &str) -> Option<String> {
    let begin = written.find(|sign| plus(sign) || digit(sign).is_some())?;
    let mut digits = String::new();
    for sign in written[begin..].chars() {
        match digit(sign) {
            Some(digit) => digits.push(digit),
            None if plus(sign) && digits.is_empty() => digits.push('+'),
            None if between(sign) => {}
            None => return None,
        }
    }
    (digits.len() <= LONGEST).then_some(digits)
}

fn plus(sign: char) -> bool {
    matches!(sign, '+' | '\u{ff0b}')
}

/// What people and their devices write between digits: blanks, dashes, brackets, slashes, points, and signs that
/// are not seen.
fn between(sign: char) -> bool {
    sign.is_whitespace()
        || matches!(
            sign,
            '-' | '/' | '.' | '(' | ')' | '[' | ']'
                | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2010}'..='\u{2015}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{2069}' | '\u{2212}' | '\u{feff}'
                | '\u{ff08}' | '\u{ff09}' | '\u{ff0d}'..='\u{ff0f}'
        )
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

/// The fewest digits that a phone is searched by.
const SEARCHED: usize = 4;
/// So many digits that begin like the calling code begin with it.
const WITH_CODE: usize = 10;

/// Some digits of a phone, as they stand in every spelling of it: without calling code and trunk prefix. None
/// when the text has too few digits. For searching alone: it says of nobody who it is.
#[must_use]
pub fn part(written: &str, country: &str) -> Option<String> {
    let digits: String = written.chars().filter_map(digit).collect();
    if digits.len() < SEARCHED {
        return None;
    }
    let (code, trunk) = if country == HOME {
        (CODE.to_owned(), TRUNK)
    } else {
        let home = DATABASE.by_id(country);
        let code = home.map(|home| home.country_code().to_string()).unwrap_or_default();
        (code, home.and_then(|home| home.national_prefix()).unwrap_or_default())
    };
    let abroad = if written.trim().starts_with(plus) { Some(&*digits) } else { digits.strip_prefix("00") };
    let national = match abroad {
        Some(abroad) => abroad.strip_prefix(&code).unwrap_or(abroad),
        None if digits.len() >= WITH_CODE => digits.strip_prefix(&code).unwrap_or(&digits),
        None => &digits,
    };
    let national = national.strip_prefix(trunk).unwrap_or(national).trim_start_matches('0');
    Some(if national.len() >= SEARCHED { national.to_owned() } else { digits })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        /// Who is known by a number is found by it wherever it is written again, and no digit of it is made up:
        /// what was written ends with it.
        #[test]
        fn a_number_is_taken_whole(
            written in "(\\+|00|0|06|36|43|420)?[0-9 /()-]{1,18}", country in "HU|AT|CZ|DE|IT|US",
            other in "HU|AT|CZ|DE|IT|US",
        ) {
            if let Some(number) = e164(&written, &country) {
                prop_assert_eq!(e164(&number, &other), Some(number.clone()), "{}", written);
                prop_assert!(is_number(&number));
                let digits: String = written.chars().filter_map(digit).collect();
                let national = phonenumber::parse(None, &number).unwrap().national().value().to_string();
                prop_assert!(digits.ends_with(&national), "{} is {}", written, number);
            }
        }

        /// Also where the library reads two numbers, or none.
        #[test]
        fn usual_numbers_are_those_of_the_library(
            written in "(\\+|00|06|\\+36|0036|\\+36\\(0\\)|)[1-9][0-9][0-9]{5,8}", country in "HU|AT|SK|DE",
        ) {
            let whole = |digits: String| read(&digits, country.parse().ok());
            if let Some(number) = dialled(&written).and_then(|digits| usual(&digits, &country)) {
                prop_assert_eq!(dialled(&written).and_then(whole), Some(number), "{}", written);
            }
        }

        #[test]
        fn any_text_is_read(written in "\\PC{0,40}", country in "\\PC{0,3}") {
            let _ = (e164(&written, &country), part(&written, &country), is_number(&written));
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
            "6 1 555 0100",
            " +36 (1) 555 0100 ",
            "+36 (06) 1 555 0100",
            "36 06 1 555 0100",
            "＋３６ １ ５５５ ０１００",
            "0\u{200b}6 1 555 0100",
            "\u{202a}+36 1 555\u{2011}0100\u{202c}",
            "+36 (0) 1 555 0100",
            "Tel.: 06 1 555 0100",
        ] {
            assert_eq!(e164(written, "HU").as_deref(), Some("+3615550100"), "{written}");
        }
        for (written, country, expected) in [
            ("6301234567", "HU", "+36301234567"),
            ("30/555-0100", "HU", "+36305550100"),
            ("62/555-010", "HU", "+3662555010"),
            ("+44 20 7946 0000", "HU", "+442079460000"),
            ("+44 (0) 20 7946 0000", "HU", "+442079460000"),
            ("020 7946 0000", "GB", "+442079460000"),
            ("+1 212 555 0100", "US", "+12125550100"),
            ("212 555 0100", "US", "+12125550100"),
            ("664 1234567", "AT", "+436641234567"),
            ("02 1234 5678", "IT", "+390212345678"),
            ("+39 (0)2 1234 5678", "HU", "+390212345678"),
            ("212345678", "IT", "+390212345678"),
            ("601 123 456", "CZ", "+420601123456"),
        ] {
            assert_eq!(e164(written, country).as_deref(), Some(expected), "{written}");
        }
    }

    #[test]
    fn what_cannot_be_one_number_is_none() {
        for written in [
            "+36 30",
            "+36-30",
            "06 1",
            "12",
            "",
            "+",
            "nincs",
            "112",
            "+36 30 123 456",
            "+36 30 123 45678",
            "06 30 123 4567/8",
            "06 30 123 4567, 06 30 123 4568",
            "06 30 123 4567 06 30 123 4568",
            "06 1 555 0100 ext 1",
            "06 1 555 0100 mellék 2",
            "06 1 555 0100 #2",
            "06 1 555 0100/12",
            "06 30 123 4567 (anya)",
            "+36 30 +36 20",
            "3.63012E+10",
            "3,63012E+10",
            "0 1 555 0100",
            "555-0100",
            "1052 Budapest, 06 30 123 4567",
            "+36 30 (0) 123 4567",
            "42000(0)000",
            "+99999999999999999",
            "+6301234567",
        ] {
            assert_eq!(e164(written, "HU"), None, "{written}");
        }
        assert_eq!(e164("06 1 555 0100", "XX"), None);
        assert!(!is_number("+363012345") && !is_number("+36 1 555 0100") && !is_number("+9000000000000"));
    }

    #[test]
    fn no_pair_of_people_has_one_number() {
        let cases: Value = serde_json::from_str(include_str!("../tests/cases/phones.json")).unwrap();
        let country = cases["country"].as_str().unwrap();
        for pair in cases["same_guest_must_be_false"].as_array().unwrap() {
            let [one, other] = [0, 1].map(|at| e164(pair[at].as_str().unwrap(), country));
            assert!(one.is_none() || one != other, "{pair}: {one:?}");
        }
    }

    #[test]
    fn a_part_is_searched_by_what_every_spelling_has() {
        for (written, expected) in [
            ("0630 555", "30555"),
            ("+36 30 555", "30555"),
            ("36305550100", "305550100"),
            ("5551", "5551"),
            ("+3620444", "20444"),
            ("0036 1 555", "1555"),
            ("06 1 555 0100 ext 1", "155501001"),
        ] {
            assert_eq!(part(written, "HU").as_deref(), Some(expected), "{written}");
        }
        assert_eq!(part("123", "HU"), None);
        assert_eq!(part("555 0100", "XX").as_deref(), Some("5550100"));
    }
}
