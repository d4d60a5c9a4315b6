//! Cells that spreadsheet programs have changed: error values, scientific notation, dates. A reader of cells asks
//! here, so that every import calls the same cells faulty.

use super::Value;

/// Error values that are words, folded to upper case. The languages of Excel translate them; those that end
/// like [`is_error`] says are found without a list.
const ERRORS: &[&str] = &[
    // #N/A
    "#N/A", "#HIÁNYZIK", "#NV", "#N/D", "#N/DISP", "#ND", "#N.D.", "#I/T", "#PUUTTUU!", "#Н/Д", "#YOK", "#NA",
    // What Excel shows while it loads, or has not understood.
    "#GETTING_DATA", "#ADATBEOLVASÁS", "#BUSY!", "#UNKNOWN!", "#EXTERNAL!", "#PYTHON!",
];

/// Words between `#` and `!` or `?` that spreadsheets use, in the languages of their users, folded to upper case.
const WORDS: &[&str] = &[
    // English.
    "DIV/0", "NAME", "NULL", "NUM", "REF", "VALUE", "SPILL", "CALC", "FIELD", "BLOCKED", "CONNECT", "CIRC",
    "ERROR", "MACRO", "DATA", "UNKNOWN", "TIMEOUT", // Hungarian.
    "HIV", "ÉRTÉK", "ZÉRÓOSZTÓ", "NÉV", "NULLA", "SZÁM", "KIBONTÁS", "KIÖMLÉS", "SZÁMÍTÁS", "MEZŐ",
    "BLOKKOLVA", "KAPCSOLAT", "HIBA", // German.
    "BEZUG", "WERT", "ZAHL", "ÜBERLAUF", "KALK", "FELD", "BLOCKIERT", // French.
    "VALEUR", "NOM", "NOMBRE", "NUL", "EPARS", "PROPAGATION", "CHAMP",
    // Spanish, Portuguese, Italian.
    "¡REF", "¡VALOR", "¿NOMBRE", "¡NUM", "¡NULO", "¡DIV/0", "¡DESBORDAMIENTO", "¡CALC", "VALOR", "NOME",
    "NÚM", "NULO", "DESPEJAR", "VALORE", "RIF", "NULLO", "ESPANSIONE",
    // Polish, Czech, Slovak, Romanian, Dutch, Danish and others.
    "ARG", "LICZBA", "ADR", "NAZWA", "DZIEL/0", "ZERO", "HODNOTA", "ODKAZ", "NÁZEV", "NÁZOV", "ČÍSLO",
    "DĚLENÍ_NULOU", "DELENIE NULOU", "WAARDE", "NAAM", "GETAL", "VERW", "DEEL/0", "OVERLOOP", "VÆRDI",
    "NAVN", "REFERENCE", "NUMMER",
];

/// Whether a text is an error that a formula ended in: `#REF!`, `#HIV!`, `#SPILL!`, `Err:502`, `Hiba:502`; or
/// the hashes of a column that is too narrow.
pub(crate) fn is_error(text: &str) -> bool {
    if text.len() > 40 {
        return false;
    }
    let text = text.to_uppercase();
    if let Some(rest) = ["ERR:", "HIBA:", "ERROR:", "ERREUR:", "FEHLER:", "CHYBA:"]
        .iter()
        .find_map(|word| text.strip_prefix(word))
    {
        return rest.len() == 3 && rest.bytes().all(|byte| byte.is_ascii_digit());
    }
    let Some(rest) = text.strip_prefix('#') else { return false };
    ERRORS.contains(&text.as_str())
        || rest.strip_suffix(['!', '?']).is_some_and(|word| WORDS.contains(&word))
        || rest.len() >= 2 && rest.bytes().all(|byte| byte == b'#')
}

/// `3,63E+10`, `5.99887e12`.
fn is_scientific(text: &str) -> bool {
    let text = text.trim_start_matches(['+', '-', '\'']);
    let Some((number, power)) = text.split_once(['e', 'E']) else { return false };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = number.splitn(2, [',', '.']);
    parts.next().is_some_and(digits)
        && parts.next().is_none_or(|rest| rest.is_empty() || digits(rest))
        && digits(power.trim_start_matches(['+', '-']))
}

/// `36305550230.0`, `5998870000000,00`: digits that somebody's program took for an amount.
fn is_amount_of_digits(text: &str) -> bool {
    let Some((digits, zeros)) = text.split_once([',', '.']) else { return false };
    let digits = digits.trim_start_matches('+');
    digits.len() >= 7
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && matches!(zeros, "0" | "00" | "000")
}

/// The months as spreadsheets shorten them in Hungarian, English and German.
const MONTHS: [&str; 30] = [
    "jan", "feb", "febr", "mar", "márc", "mrz", "mär", "apr", "ápr", "may", "máj", "mai", "jun", "jún",
    "jul", "júl", "aug", "sep", "szept", "sept", "oct", "okt", "nov", "dec", "dez", "szep", "már", "juni",
    "juli", "ok",
];

/// The months in full, as they stand in long dates.
const LONG_MONTHS: &str = "január február március április május június július augusztus szeptember október november december january february \
    march april june july august september october november december januar februar märz oktober dezember";

/// A date as spreadsheets write it: `2026-01-02`, `2026. 01. 02.`, `1/2/2026`, `12/31/99`, `02.jan`, `Jan-02`, `5-máj`,
/// `jan. 3.`, `2026. január 3.`
fn is_date(text: &str) -> bool {
    let text = text.to_lowercase();
    // A time may follow.
    let text =
        text.split_once([' ', 't']).filter(|(_, time)| time.contains(':')).map_or(&*text, |(day, _)| day);
    let parts: Vec<&str> =
        text.split(['-', '.', '/', ' ', ',']).map(str::trim).filter(|part| !part.is_empty()).collect();
    let number = |part: &str, most: u32| {
        part.len() <= 2 && part.parse::<u32>().is_ok_and(|number| (1..=most).contains(&number))
    };
    let year =
        |part: &str| part.len() == 4 && part.parse::<u32>().is_ok_and(|year| (1900..2200).contains(&year));
    let month = |part: &str| {
        number(part, 12) || MONTHS.contains(&part) || LONG_MONTHS.split(' ').any(|long| long == part)
    };
    match parts[..] {
        [first, second, third] => {
            let short =
                |part: &str| year(part) || part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
            year(first) && month(second) && number(third, 31)
                || number(first, 31) && month(second) && short(third) && (year(third) || !number(second, 12))
                || month(first) && number(second, 31) && (year(third) || text.contains('/') && short(third))
        }
        // Two parts are a date only with a month's name, and no blank or a point at the end: `5. jan` may be anything.
        [first, second] if !text.contains(' ') || text.ends_with('.') => {
            let named = |part: &str| MONTHS.contains(&part);
            named(first) && (number(second, 31) || number(second.trim_start_matches('0'), 31) || year(second))
                || named(second) && number(first, 31)
        }
        _ => false,
    }
}

impl Value {
    /// Whether digits that were meant here (a phone, a barcode, a postcode) are no longer as somebody typed
    /// them: scientific notation, decimals, a date, an error.
    #[must_use]
    pub fn lost_digits(&self) -> bool {
        match self {
            Self::Empty => false,
            // Spreadsheets keep fifteen digits.
            Self::Number(number) => !number.is_integer() || number.abs() >= 1_000_000_000_000_000_i64.into(),
            Self::Text(text) => is_scientific(text) || is_amount_of_digits(text),
            Self::Bool(_) | Self::Other(_) => true,
        }
    }

    /// Whether a name that was meant here has become a date, an error or a truth.
    #[must_use]
    pub fn lost_name(&self) -> bool {
        match self {
            Self::Empty | Self::Number(_) => false,
            Self::Text(text) => is_date(text) || is_scientific(text),
            Self::Bool(_) | Self::Other(_) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_spreadsheets_in_their_languages() {
        for error in [
            "#REF!", "#SPILL!", "#CALC!", "#GETTING_DATA", "#N/A", "#NAME?", "#DIV/0!", "#FIELD!", "#HIV!",
            "#ÉRTÉK!", "#ZÉRÓOSZTÓ!", "#NÉV?", "#HIÁNYZIK", "#SZÁM!", "#BEZUG!", "#WERT!", "#NV",
            "#ÜBERLAUF!", "#VALEUR!", "#NOM?", "#¡VALOR!", "#¿NOMBRE?", "#ARG!", "#HODNOTA!", "#WAARDE!",
            "#ref!", "Err:502", "Hiba:502", "#ERROR!", "########",
        ] {
            assert!(is_error(error), "{error}");
            assert_eq!(Value::text(error), Value::Other(error.to_owned()));
        }
        for text in ["#1 burger", "#", "##", "#YOLO!", "Err", "Err:ők", "1 #", "Hiba:", "#hashtag", "No. 5!"]
        {
            assert!(!is_error(text), "{text}");
        }
    }

    #[test]
    fn digits_that_a_spreadsheet_has_changed() {
        let text = |text: &str| Value::Text(text.to_owned());
        for changed in [
            "3,63E+10", "3.63E+10", "5,99887E+12", "5.99887e12", "6E+09", "-1,2E+5", "36305550230.0",
            "5998870000000,00",
        ] {
            assert!(text(changed).lost_digits(), "{changed}");
        }
        for kept in
            ["+36 30 555 0230", "06.30.555.0230", "5998870123456", "E5", "12E", "2,5", "1051", "06 1/2"]
        {
            assert!(!text(kept).lost_digits(), "{kept}");
        }
        let number = |text: &str| Value::Number(text.parse().unwrap_or_default());
        assert!(number("36305550230.5").lost_digits() && number("1000000000000000").lost_digits());
        assert!(!number("36305550230").lost_digits() && !Value::Empty.lost_digits());
        assert!(Value::Other("2026-01-02".to_owned()).lost_digits() && Value::Bool(true).lost_digits());
    }

    #[test]
    fn names_that_have_become_dates() {
        let lost = |text: &str| Value::Text(text.to_owned()).lost_name();
        for date in [
            "2026-01-02", "2026.01.02.", "2026. 01. 02.", "02.01.2026", "1/2/2026", "02.jan", "Jan-02",
            "5-máj", "márc.05", "2-Mar-26", "2026-01-02 00:00:00", "2026-01-02T00:00:00", "Jan-2026",
            "jan. 3.", "márc. 14.", "3. jan.", "2024. január 3.", "January 3, 2024", "3. Januar 2024",
            "12/31/99", "3,63E+10",
        ] {
            assert!(lost(date), "{date}");
        }
        for name in [
            "Május", "Anna", "7 Up", "1664", "2 személyes", "1-2", "1/2", "0.5", "Május 1", "10-es",
            "5. jan", "Kis-Nagy", "1.2.3", "12.30", "Dec", "3-in-1",
        ] {
            assert!(!lost(name), "{name}");
        }
    }
}
