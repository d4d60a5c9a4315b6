//! How addresses are compared: accents, case and the many ways of writing a street do not count. Pure. See
//! `docs/decisions/delivery.md#streets`.

use crate::rules::Exactness;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// The name of a row that stands for the whole of its postcode or city.
pub(crate) const WHOLE: &str = "*";

/// What follows a street's name and is no part of it.
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

    /// The whole word of an abbreviation.
    fn of_short(word: &str) -> Option<&'static str> {
        Some(match word {
            "u" => "utca",
            "t" => "tér",
            "krt" => "körút",
            _ => return None,
        })
    }
}

/// The one form of a word that ends a street's name and is part of it: such streets stand beside the `utca` of
/// the same name.
fn ending(word: &str) -> Option<&'static str> {
    Some(match word {
        "koz" | "koze" => "koz",
        "setany" | "setanya" | "stny" => "setany",
        "fasor" | "fasora" | "fs" => "fasor",
        "dulo" | "duloje" => "dulo",
        "sor" | "sora" => "sor",
        "rakpart" | "rakpartja" | "rkp" => "rakpart",
        "lakotelep" | "lakotelepe" | "ltp" => "lakotelep",
        "lepcso" | "lepcsoje" => "lepcso",
        _ => return None,
    })
}

/// A text with neither accents nor capitals.
pub(crate) fn fold(text: &str) -> String {
    text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect()
}

/// A run of letters and digits.
#[derive(Debug, Clone)]
struct Word<'a> {
    /// As it is compared.
    key: String,
    text: &'a str,
    /// Where it begins in its text.
    at: usize,
}

fn words(text: &str) -> Vec<Word<'_>> {
    let inside = |c: char| c.is_alphanumeric() || is_combining_mark(c);
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(begin) = rest.find(inside) {
        let at = text.len() - rest.len() + begin;
        let end = text[at..].find(|c| !inside(c)).map_or(text.len(), |length| at + length);
        let key: String = fold(&text[at..end]).chars().filter(|c| c.is_alphanumeric()).collect();
        if !key.is_empty() {
            found.push(Word { key, text: &text[at..end], at });
        }
        rest = &text[end..];
    }
    found
}

fn keys(words: &[Word<'_>]) -> Vec<String> {
    words.iter().map(|word| word.key.clone()).collect()
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
    Some(keys(&words(city)).join(" ")).filter(|key| !key.is_empty())
}

/// A street's name as it is compared.
#[derive(Debug, PartialEq, Eq)]
struct Name {
    key: String,
    kind: Option<Kind>,
    /// How many words it takes, its kind among them.
    words: usize,
}

/// The name that these folded words begin with: up to its kind or its ending or, where it has neither, to its
/// first number.
fn name(words: &[String]) -> Name {
    let ends = |at: usize| at > 0 && words.get(at).is_some_and(|word| ends_name(word));
    let glued = |word: &String| word.strip_suffix("utca").is_some_and(|name| name.chars().count() > 1);
    let mut end = (0..words.len()).find(|at| ends(*at) || glued(&words[*at]));
    // `Nagy T. utca`, `Park sor utca`: the last of several.
    while let Some(at) = end.filter(|at| ends(at + 1)) {
        end = Some(at + 1);
    }
    let Some(at) = end else {
        let digits = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
        let count = words.iter().skip(1).position(digits).map_or(words.len(), |at| at + 1);
        return Name { key: words[..count].join(" "), kind: None, words: count };
    };
    let (before, last) = (&words[..at], &words[at]);
    let with = |last: &str| before.iter().map(String::as_str).chain([last]).collect::<Vec<_>>().join(" ");
    let (key, kind) = match (Kind::of(last), ending(last)) {
        (Some(kind), _) if at > 0 => (before.join(" "), Some(kind)),
        (_, Some(ending)) if at > 0 => (with(ending), None),
        // `Főutca`
        _ => (with(last.strip_suffix("utca").unwrap_or(last)), Some(Kind::Street)),
    };
    Name { key, kind, words: at + 1 }
}

fn ends_name(word: &str) -> bool {
    Kind::of(word).is_some() || ending(word).is_some()
}

/// The words of an address from its street on: guests write postcode and city before it once more.
fn from_street<'a, 'w>(
    words: &'w [Word<'a>],
    keys: &[String],
    postcode: Option<&str>,
    city: Option<&str>,
) -> &'w [Word<'a>] {
    let mut begin = 0;
    if let Some(postcode) = postcode {
        // `H-9021` is two words.
        begin = (1..=2.min(keys.len())).find(|count| is_postcode(&keys[..*count], postcode)).unwrap_or(0);
    }
    if let Some(city) = city {
        let city: Vec<&str> = city.split(' ').collect();
        let rest = &keys[begin..];
        let begins = rest.len() > city.len() && rest.iter().zip(&city).all(|(word, one)| word == one);
        // `Fót utca 2` in Fót is a street; in `Győr, Fasor utca 2` the name begins with such a word.
        let behind = &rest[city.len().min(rest.len())..];
        let is_street = behind.first().is_some_and(|word| ends_name(word))
            && behind.get(1).is_none_or(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        if begins && !is_street {
            begin += city.len();
        }
    }
    if begin == words.len() { words } else { &words[begin..] }
}

fn is_postcode(words: &[String], postcode: &str) -> bool {
    postcode_key(&words.concat()).as_deref() == Some(postcode)
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
        let Name { key: name, kind, .. } = self::name(&keys(&words(name)));
        Self { name, kind, postcode, city }
    }

    /// Of a guest's address.
    pub fn of_address(street: Option<&str>, postcode: Option<&str>, city: Option<&str>) -> Self {
        let (postcode, city) = (postcode.and_then(postcode_key), city.and_then(city_key));
        let words = words(street.unwrap_or_default());
        let rest = from_street(&words, &keys(&words), postcode.as_deref(), city.as_deref());
        let Name { key: name, kind, .. } = name(&keys(rest));
        Self { name, kind, postcode, city }
    }

    /// How exactly a row of the same name names an address.
    pub fn exactness(&self, asked: &Self) -> Exactness {
        match (self.kind, asked.kind) {
            _ if self.whole() => Exactness::Whole,
            (Some(own), Some(asked)) if own != asked => Exactness::OtherKind,
            _ => Exactness::Exact,
        }
    }

    /// It stands for the whole of a postcode or city.
    pub fn whole(&self) -> bool {
        self.name == WHOLE
    }
}

/// The house that an address names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct House {
    /// The street as it is written, its kind in full.
    pub street: String,
    /// As it is written: `12`, `12/B`, `12-14`.
    pub number: String,
    /// By which the same house is known, however it is written.
    pub key: String,
}

impl House {
    /// None where no number is known, nor where street and number seem to tell more than these: they leave the
    /// service.
    pub fn of(
        street: &str,
        number: Option<&str>,
        postcode: Option<&str>,
        city: Option<&str>,
    ) -> Option<Self> {
        const MOST_DIGITS: usize = 8;
        let (postcode, city) = (postcode.and_then(postcode_key), city.and_then(city_key));
        let words = words(street);
        let rest = from_street(&words, &keys(&words), postcode.as_deref(), city.as_deref());
        let name = name(&keys(rest));
        let (of_name, behind) = rest.split_at(name.words);
        let written = number.map(str::trim).filter(|number| !number.is_empty());
        // From its first digit to the next blank or comma.
        let number = written.or_else(|| behind.first().map(|word| &street[word.at..]))?;
        let number = number.split([' ', ',', ';']).next()?.trim_matches(|c: char| !c.is_alphanumeric());
        let line = line(of_name);
        let digits = line.chars().chain(number.chars()).filter(char::is_ascii_digit).count();
        let is_number = number.starts_with(|c: char| c.is_ascii_digit());
        if name.key.is_empty() || !is_number || digits > MOST_DIGITS || street.contains('@') {
            return None;
        }
        let parts = [postcode, city, Some(fold(&line)), Some(fold(number))];
        let key = parts.map(Option::unwrap_or_default).join("|");
        Some(Self { street: line, number: number.to_owned(), key })
    }
}

/// The words of a street, its kind in full.
fn line(words: &[Word<'_>]) -> String {
    let last = words.len().saturating_sub(1);
    let full = |(at, word): (usize, &Word<'_>)| {
        let full = Kind::of_short(&word.key).filter(|_| at == last && at > 0);
        full.map_or_else(|| word.text.to_owned(), str::to_owned)
    };
    words.iter().enumerate().map(full).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[path = "street_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "street_spellings_tests.rs"]
mod spellings;
