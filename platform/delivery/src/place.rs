//! Postcodes, cities and districts as they are compared. Pure. See `docs/decisions/delivery.md#postcode-and-city`.

use crate::words::{Word, fold, keys, words};

pub(crate) const BUDAPEST: &str = "budapest";

/// Where a street is, as far as a row or an address says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub postcode: Option<String>,
    /// Of Budapest, as it is written.
    pub district: Option<u8>,
    /// Without district and postcode, its abbreviation in full.
    pub city: Option<String>,
}

impl Place {
    /// What postcode and city say. The postcode goes before one that stands in the city.
    pub fn of(postcode: Option<&str>, city: Option<&str>) -> Self {
        let city = city.map(Self::of_city).unwrap_or_default();
        Self { postcode: postcode.and_then(postcode_key).or(city.postcode), ..city }
    }

    fn of_city(text: &str) -> Self {
        let found = words(text);
        let mut rest: Vec<&Word<'_>> = found.iter().collect();
        let mut place = Self::default();
        if let Some((at, count, code)) = (0..rest.len()).find_map(|at| {
            let (count, code) = four_digits(&rest[at..])?;
            Some((at, count, code))
        }) {
            rest.drain(at..at + count);
            place.postcode = Some(code);
        }
        let district = (0..rest.len()).find_map(|at| Some((at, district(&rest[at..])?)));
        if let Some((at, (number, count))) = district {
            rest.drain(at..at + count);
            place.district = Some(number);
        }
        if rest.iter().any(|word| is_budapest(&word.key)) {
            let alone = |word: &&Word<'_>| number(&word.key);
            place.district = place.district.or_else(|| rest.iter().find_map(alone));
            rest.clear();
            place.city = Some(BUDAPEST.to_owned());
        } else if rest.is_empty() && place.district.is_some() {
            place.city = Some(BUDAPEST.to_owned());
        } else {
            // Districts of other cities are in no postcode.
            place.district = None;
            let joined = rest.iter().map(|word| word.key.as_str()).collect::<Vec<_>>().join(" ");
            place.city = Some(in_full(joined)).filter(|city| !city.is_empty());
        }
        place
    }

    /// The same with what its street says besides.
    pub fn with(mut self, street: Self) -> Self {
        self.postcode = self.postcode.or(street.postcode);
        self.district = self.district.or(street.district);
        let of_district = street.district.map(|_| BUDAPEST.to_owned());
        self.city = self.city.or(street.city).or(of_district);
        if self.city.as_deref() != Some(BUDAPEST) {
            self.district = None;
        }
        self
    }

    /// By which its postcode is compared: `1051`, or `#5` of an address that names a district alone.
    pub fn post(&self) -> Option<String> {
        self.postcode.clone().or_else(|| self.district.map(district_key))
    }
}

fn district_key(district: u8) -> String {
    format!("#{district}")
}

/// The keys of rows that agree with a postcode or a district, its own first.
pub(crate) fn agreeing(post: &str) -> Vec<String> {
    let more: Vec<String> = match post.strip_prefix('#').map(str::parse::<u8>) {
        Some(Ok(district)) => (0..10).map(|last| format!("1{district:02}{last}")).collect(),
        _ => district_of(post).map(district_key).into_iter().collect(),
    };
    std::iter::once(post.to_owned()).chain(more).collect()
}

/// The city that a postcode tells by itself.
pub(crate) fn city_of(post: &str) -> Option<&'static str> {
    (post.starts_with('#') || post.len() == 4 && post.starts_with('1')).then_some(BUDAPEST)
}

/// The district of Budapest that a postcode tells: `1XXY` is that of XX.
fn district_of(postcode: &str) -> Option<u8> {
    let digits = postcode.len() == 4 && postcode.chars().all(|c| c.is_ascii_digit());
    let district = postcode.strip_prefix('1').filter(|_| digits)?.get(..2)?.parse().ok()?;
    (1..=DISTRICTS).contains(&district).then_some(district)
}

const DISTRICTS: u8 = 23;
const ROMAN: [&str; 23] = [
    "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv", "xvi",
    "xvii", "xviii", "xix", "xx", "xxi", "xxii", "xxiii",
];

/// A number of a district, Roman or Arabic: `v`, `5`, `05`.
pub(crate) fn number(word: &str) -> Option<u8> {
    roman(word).or_else(|| {
        let short = word.len() <= 2 && word.chars().all(|c| c.is_ascii_digit());
        word.parse().ok().filter(|number| short && (1..=DISTRICTS).contains(number))
    })
}

pub(crate) fn roman(word: &str) -> Option<u8> {
    let at = ROMAN.iter().position(|one| *one == word)?;
    u8::try_from(at + 1).ok()
}

fn is_district_word(word: &str) -> bool {
    matches!(word, "ker" | "kerulet" | "kerulete")
}

/// The district that these words begin with, and how many of them say it: `V. ker.`, `5. kerület`, `Vker`.
pub(crate) fn district<'a>(words: &[impl AsRef<Word<'a>>]) -> Option<(u8, usize)> {
    let key = |at: usize| words.get(at).map(|word| word.as_ref().key.as_str());
    let first = key(0)?;
    if let Some(number) = number(first) {
        // `V-ik kerület`
        let ending = usize::from(key(1).is_some_and(|word| matches!(word, "ik" | "os" | "es" | "as")));
        return key(1 + ending).filter(|word| is_district_word(word)).map(|_| (number, 2 + ending));
    }
    let glued = ["kerulet", "ker"].into_iter().find_map(|word| first.strip_suffix(word));
    glued.and_then(number).map(|number| (number, 1))
}

/// The four digits of a postcode that these words begin with, also behind `H-`, and how many words they take.
pub(crate) fn four_digits<'a>(words: &[impl AsRef<Word<'a>>]) -> Option<(usize, String)> {
    let key = |at: usize| words.get(at).map(|word| word.as_ref().key.as_str());
    let prefix = usize::from(key(0).is_some_and(|word| matches!(word, "h" | "hu")));
    let code = key(prefix)?;
    let is_code = code.len() == 4 && code.chars().all(|c| c.is_ascii_digit());
    is_code.then(|| (prefix + 1, code.to_owned()))
}

pub(crate) fn is_budapest(word: &str) -> bool {
    matches!(word, BUDAPEST | "bp" | "bpest")
}

/// What cities are called for short.
fn in_full(city: String) -> String {
    let full = match city.as_str() {
        "szfvar" | "szfehervar" | "sz fehervar" | "szekesfvar" => "szekesfehervar",
        "hmvhely" | "hodmvhely" | "hodmezovhely" => "hodmezovasarhely",
        "nyhaza" | "nyiregyh" => "nyiregyhaza",
        "bcsaba" | "bekescs" => "bekescsaba",
        "szhely" => "szombathely",
        "zeg" => "zalaegerszeg",
        "movar" | "m ovar" | "mosonmovar" => "mosonmagyarovar",
        _ => return city,
    };
    full.to_owned()
}

/// A postcode as it is compared: `H-1051` is `1051`, and so is `1051 Bp.`.
pub(crate) fn postcode_key(postcode: &str) -> Option<String> {
    let found = words(postcode);
    if let Some((count, code)) = four_digits(&found)
        && found.get(count).is_some_and(|word| is_budapest(&word.key))
    {
        return Some(code);
    }
    let key: String = fold(postcode).chars().filter(|c| c.is_alphanumeric()).collect();
    let national = key.strip_prefix("hu").or_else(|| key.strip_prefix('h'));
    let national = national.filter(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()));
    Some(national.unwrap_or(&key).to_owned()).filter(|key| !key.is_empty())
}

pub(crate) fn city(text: &str) -> Option<String> {
    Place::of_city(text).city
}

/// A city by which towns are told apart: each district of Budapest is one.
pub(crate) fn city_key(city: &str) -> Option<String> {
    let place = Place::of_city(city);
    let city = place.city.or_else(|| Some(keys(&words(city)).join(" ")).filter(|key| !key.is_empty()))?;
    Some(match place.district {
        Some(district) => format!("{city} {district}"),
        None => city,
    })
}

#[cfg(test)]
#[path = "place_tests.rs"]
mod tests;
