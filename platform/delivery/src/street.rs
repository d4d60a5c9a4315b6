//! Comparing addresses: accents, case and the many ways of writing a street do not count. Pure. See
//! `docs/decisions/delivery.md#streets`.

use crate::{
    place::{self, BUDAPEST, Place, is_budapest},
    words::{Word, fold, keys, words},
};

/// How exactly a row of a region names a place; the better goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exactness {
    /// A shape, or a street with name and kind.
    Exact,
    /// A street by its name alone: `Fő tér` for `Fő utca`.
    OtherKind,
    /// The whole of a postcode or city.
    Whole,
}

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
    let ends = |at: usize| at > 0 && words.get(at).is_some_and(|word| ends_name(word)) && !initial(words, at);
    let glued = |word: &String| word.strip_suffix("utca").is_some_and(|name| name.chars().count() > 1);
    let mut end = (0..words.len()).find(|at| ends(*at) || glued(&words[*at]));
    // `Nagy T. utca`, `Park sor utca`: the last of several.
    while let Some(at) = end.filter(|at| ends(at + 1)) {
        end = Some(at + 1);
    }
    let Some(at) = end else {
        let count = words.iter().skip(1).position(begins_with_digit).map_or(words.len(), |at| at + 1);
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

#[allow(clippy::ptr_arg, reason = "it is called with items of a list of texts")]
fn begins_with_digit(word: &String) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// The `T.` of `Kis T. Pál utca` is no square: a name goes on behind it, up to a kind of its own and before any
/// number. The stairs of `Kossuth t. B lépcső` are no street.
fn initial(words: &[String], at: usize) -> bool {
    let short = words.get(at).is_some_and(|word| Kind::of_short(word).is_some() && word.len() == 1);
    let behind = words.get(at + 1..).unwrap_or_default();
    let name = behind.iter().take_while(|word| !begins_with_digit(word)).collect::<Vec<_>>();
    let stairs = |at: usize| ending(name[at]) == Some("lepcso") && name[at - 1].chars().count() < 3;
    short && (1..name.len()).any(|at| ends_name(name[at]) && !stairs(at)) && !ends_name(name[0])
}

fn ends_name(word: &str) -> bool {
    Kind::of(word).is_some() || ending(word).is_some()
}

/// The words of an address from its street on, and what stands around it once more: guests write postcode, city
/// and district there. `known`: what the other fields say.
fn from_street<'a, 'w>(words: &'w [Word<'a>], known: &Place) -> (&'w [Word<'a>], Place) {
    let mut said = Place::default();
    let mut begin = 0;
    while begin < words.len() {
        let rest = &words[begin..];
        let behind_city = said.city.is_some();
        let roman =
            || place::roman(&rest[0].key).or_else(|| place::number(&rest[0].key).filter(|_| behind_city));
        if let Some((count, code)) = postcode_before(rest, known) {
            said.postcode = said.postcode.or(Some(code));
            begin += count;
        } else if let Some(count) = city_before(rest, known).filter(|_| said.city.is_none()) {
            said.city = known.city.clone().or_else(|| Some(BUDAPEST.to_owned()));
            begin += count;
        } else if let Some((district, count)) = place::district(rest) {
            said.district = said.district.or(Some(district));
            begin += count;
        } else if let Some(district) = roman().filter(|_| rest[0].comma && rest.len() > 1) {
            // `Budapest V., Október 6. utca`
            said.district = said.district.or(Some(district));
            begin += 1;
        } else {
            break;
        }
    }
    if begin == words.len() {
        // Nothing but these: then they are the street.
        return (words, said);
    }
    let rest = &words[begin..];
    // Behind the street: `Október 6. u. 12, V. ker.`
    let behind = (1..rest.len()).find_map(|at| Some((at, place::district(&rest[at..])?)));
    let Some((at, (district, _))) = behind else { return (rest, said) };
    said.district = said.district.or(Some(district));
    (&rest[..at], said)
}

/// How many words say the postcode that they begin with. `H-9021` is two words. A number that is not the known
/// postcode is one before *Budapest* alone: streets begin with numbers, too.
fn postcode_before(words: &[Word<'_>], known: &Place) -> Option<(usize, String)> {
    let (count, code) = place::four_digits(words)?;
    let same = known.postcode.as_deref() == Some(code.as_str());
    let budapest = words.get(count).is_some_and(|word| is_budapest(&word.key));
    (same || budapest).then_some((count, code))
}

/// How many words say the city that they begin with: the known one, or Budapest where none is.
fn city_before(words: &[Word<'_>], known: &Place) -> Option<usize> {
    let city = known.city.as_deref().unwrap_or(BUDAPEST);
    let named: Vec<&str> = city.split(' ').collect();
    let begins = words.iter().zip(&named).filter(|(word, one)| word.key == **one).count() == named.len();
    let short = city == BUDAPEST && is_budapest(&words.first()?.key);
    let count = if begins { named.len() } else { usize::from(short) };
    // `Fót utca 2` in Fót is a street; in `Győr, Fasor utca 2` the name begins with such a word.
    let behind = words.get(count..)?;
    let is_street = behind.first().is_none_or(|word| ends_name(&word.key))
        && behind.get(1).is_none_or(|word| begins_with_digit(&word.key));
    (count > 0 && !is_street).then_some(count)
}

/// What of a row or an address is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Keys {
    /// The street's name; `*` for a whole postcode or city, nothing where no street is known.
    pub name: String,
    pub kind: Option<Kind>,
    /// The postcode; `#5` for a district without one.
    pub postcode: Option<String>,
    pub city: Option<String>,
}

impl Keys {
    pub fn of_row(name: &str, postcode: Option<&str>, city: Option<&str>) -> Self {
        let place = Place::of(postcode, city);
        if name.trim() == WHOLE {
            return Self::new(Name { key: WHOLE.to_owned(), kind: None, words: 1 }, &place);
        }
        Self::read(name, place)
    }

    /// Of a guest's address.
    pub fn of_address(street: Option<&str>, postcode: Option<&str>, city: Option<&str>) -> Self {
        Self::read(street.unwrap_or_default(), Place::of(postcode, city))
    }

    fn read(street: &str, place: Place) -> Self {
        let words = words(street);
        let (rest, said) = from_street(&words, &place);
        Self::new(name(&keys(rest)), &place.with(said))
    }

    fn new(name: Name, place: &Place) -> Self {
        Self { name: name.key, kind: name.kind, postcode: place.post(), city: place.city.clone() }
    }

    /// How exactly a row of the same name names an address.
    pub fn exactness(&self, asked: &Self) -> Exactness {
        match (self.kind, asked.kind) {
            _ if self.whole() => Exactness::Whole,
            (Some(own), Some(asked)) if own != asked => Exactness::OtherKind,
            _ => Exactness::Exact,
        }
    }

    /// An address that names a district at most.
    pub fn without_postcode(&self) -> bool {
        self.postcode.as_ref().is_none_or(|post| post.starts_with('#'))
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
        street: &str, number: Option<&str>, postcode: Option<&str>, city: Option<&str>,
    ) -> Option<Self> {
        const MOST_DIGITS: usize = 8;
        let place = Place::of(postcode, city);
        let words = words(street);
        let (rest, said) = from_street(&words, &place);
        let place = place.with(said);
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
        let parts = [place.post(), place.city, Some(fold(&line)), Some(fold(number))];
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
