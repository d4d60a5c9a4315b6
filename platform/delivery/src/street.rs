//! How addresses are compared: accents, case and the many ways of writing a street do not count. Pure. See
//! `docs/decisions/delivery.md#streets`.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// The name of a row that stands for the whole of its postcode or city.
pub(crate) const WHOLE: &str = "*";

/// What follows a street's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Street,
    Road,
    Square,
    Boulevard,
}

impl Kind {
    /// The kind that a folded word says.
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            "u" | "utca" | "utcaja" | "utcza" => Self::Street,
            "ut" | "utja" => Self::Road,
            "t" | "ter" | "tere" => Self::Square,
            "krt" | "korut" | "korutja" => Self::Boulevard,
            _ => return None,
        })
    }
}

/// A text with neither accents nor capitals.
pub(crate) fn fold(text: &str) -> String {
    text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect()
}

/// The words of a text, folded: runs of letters and digits.
fn words(text: &str) -> Vec<String> {
    let folded = fold(text);
    let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// A postcode as it is compared: `H-1051` is `1051`.
pub(crate) fn postcode_key(postcode: &str) -> Option<String> {
    let key: String = fold(postcode).chars().filter(|c| c.is_alphanumeric()).collect();
    let national = key.strip_prefix("hu").or_else(|| key.strip_prefix('h'));
    let national = national.filter(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()));
    Some(national.unwrap_or(&key).to_owned()).filter(|key| !key.is_empty())
}

/// A city as it is compared.
pub(crate) fn city_key(city: &str) -> Option<String> {
    Some(words(city).join(" ")).filter(|key| !key.is_empty())
}

/// A street's name as it is compared, and its kind: without the kind, without what follows it or, where it has
/// none, without what follows its first number.
fn name_key(words: &[String]) -> (String, Option<Kind>) {
    let digits = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    for (at, word) in words.iter().enumerate() {
        if at > 0
            && let Some(kind) = Kind::of(word)
        {
            return (words[..at].join(" "), Some(kind));
        }
        // `Főutca`
        if let Some(name) = word.strip_suffix("utca").filter(|name| name.chars().count() > 1) {
            let before = words[..at].iter().map(String::as_str);
            return (before.chain([name]).collect::<Vec<_>>().join(" "), Some(Kind::Street));
        }
    }
    let number = words.iter().skip(1).position(|word| digits(word)).map_or(words.len(), |at| at + 1);
    (words[..number].join(" "), None)
}

/// What of a row or an address is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Keys {
    /// The street's name; `*` for a whole postcode or city, nothing where no street is known.
    pub name: String,
    pub kind: Option<Kind>,
    pub postcode: Option<String>,
    pub city: Option<String>,
}

impl Keys {
    /// Of a row of a region.
    pub fn of_row(name: &str, postcode: Option<&str>, city: Option<&str>) -> Self {
        let (postcode, city) = (postcode.and_then(postcode_key), city.and_then(city_key));
        if name.trim() == WHOLE {
            return Self { name: WHOLE.to_owned(), kind: None, postcode, city };
        }
        let (name, kind) = name_key(&words(name));
        Self { name, kind, postcode, city }
    }

    /// Of a guest's address, who may have written postcode and city before the street once more.
    pub fn of_address(street: Option<&str>, postcode: Option<&str>, city: Option<&str>) -> Self {
        let (postcode, city) = (postcode.and_then(postcode_key), city.and_then(city_key));
        let all = words(street.unwrap_or_default());
        let mut rest = all.as_slice();
        if let [first, tail @ ..] = rest
            && !tail.is_empty()
            && postcode.as_deref() == Some(first.as_str())
        {
            rest = tail;
        }
        if let Some(city) = &city {
            let city: Vec<&str> = city.split(' ').collect();
            let begins = rest.len() > city.len() && rest.iter().zip(&city).all(|(word, one)| word == one);
            // `Fő utca` in a town called Fő is a street.
            let kind_follows = rest.get(city.len()).is_some_and(|word| Kind::of(word).is_some());
            if begins && !kind_follows {
                rest = &rest[city.len()..];
            }
        }
        let (name, kind) = name_key(rest);
        Self { name, kind, postcode, city }
    }

    /// It stands for the whole of a postcode or city.
    pub fn whole(&self) -> bool {
        self.name == WHOLE
    }
}

#[cfg(test)]
#[path = "street_tests.rs"]
mod tests;
