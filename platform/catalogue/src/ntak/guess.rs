//! Guesses category, unit and quantity of the tax report from a name. Pure.

use kernel::setting::NtakQuantityUnit;
use rust_decimal::Decimal;

use super::{
    measure::{Measure, MeasureResult, bare_litres, is_only_measure, measure},
    words::{Pair, RULES, Rule, SIDES, Weight},
};
use crate::fold::fold;

/// What a size is called: its own name, its product's and the description, its category's and that of the one
/// above.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Names<'a> {
    pub category: &'a str,
    pub parent: Option<&'a str>,
    pub product: &'a str,
    pub description: Option<&'a str>,
    pub size: &'a str,
}

/// A proposal for one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Guess {
    pub pair: Pair,
    pub unit: NtakQuantityUnit,
    /// None counts as 1.
    pub quantity: Option<Decimal>,
}

/// A name that is compared with the words of the rules.
struct Heard {
    /// Its words with single blanks around each.
    text: String,
    words: Vec<String>,
    /// The words, and what they are without the endings of a plural or a possession.
    heads: Vec<String>,
}

/// Endings, folded, the longest first.
const ENDINGS: [&str; 12] =
    ["jeink", "jaink", "eink", "aink", "jei", "jai", "ek", "ok", "ak", "ei", "ai", "je"];

fn heads(word: &str) -> Vec<String> {
    let mut heads = vec![word.to_owned()];
    heads.extend(ENDINGS.iter().filter_map(|ending| word.strip_suffix(ending)).map(str::to_owned));
    // Plurals of words that end in a vowel: `pálinkák`, `saláták`.
    heads.extend(word.strip_suffix('k').map(str::to_owned));
    heads.retain(|head| head.len() > 1);
    heads
}

impl Heard {
    fn new(name: &str) -> Self {
        let folded = fold(name);
        let words: Vec<String> = folded
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        let heads = words.iter().flat_map(|word| heads(word)).collect();
        Self { text: format!(" {} ", words.join(" ")), words, heads }
    }

    fn says(&self, word: &str) -> bool {
        if let Some(whole) = word.strip_prefix('=') {
            self.heads.iter().any(|head| head == whole)
        } else if let Some(beginning) = word.strip_suffix('*') {
            self.words.iter().any(|word| word.starts_with(beginning))
        } else if word.contains(' ') {
            self.text.contains(&format!(" {word} "))
        } else {
            self.heads.iter().any(|head| head.ends_with(word))
        }
    }

    /// The rules with a word of the name, in their order.
    fn rules(&self) -> impl Iterator<Item = &'static Rule> {
        RULES.iter().filter(|rule| rule.words.iter().any(|word| self.says(word)))
    }

    fn begins(&self, beginnings: &[&str]) -> bool {
        self.words.iter().any(|word| beginnings.iter().any(|beginning| word.starts_with(beginning)))
    }
}

/// What belongs together: a word of one kind does not overrule a category of another.
#[derive(PartialEq, Eq, Clone, Copy)]
enum Kind {
    Food,
    Soft,
    Alcohol,
    Other,
}

fn kind(pair: Pair) -> Kind {
    match pair.0 {
        "ETEL" => Kind::Food,
        "ALKOHOLOSITAL" => Kind::Alcohol,
        "EGYEB" => Kind::Other,
        _ => Kind::Soft,
    }
}

/// Drinks that say of themselves whether they have alcohol.
fn as_it_says(pair: Pair, names: &[&Heard]) -> Pair {
    const BOTTLED: &str = "ALKMENTESITAL_NEM_HELYBEN";
    let any = |beginnings: &[&str]| names.iter().any(|name| name.begins(beginnings));
    let says = |phrase: &str| names.iter().any(|name| name.says(phrase));
    let free = any(&["alkoholment"]) || ["=virgin", "alcohol free", "non alcoholic"].into_iter().any(says);
    match (kind(pair), pair.1) {
        (Kind::Alcohol, "KOKTEL") if free => ("ALKMENTESITAL_HELYBEN", "ALKOHOLMENTES_KOKTEL"),
        (Kind::Alcohol, "SOR" | "PEZSGO") if free => (BOTTLED, "SZENSAVAS_UDITO"),
        (Kind::Alcohol, _) if free => (BOTTLED, "SZENSAVMENTES_UDITO"),
        // `Alkoholos limonádék`, also where it is misspelt.
        (Kind::Soft, _) if !free && any(&["alkoholos", "alkoloh", "alkohos"]) => ("ALKOHOLOSITAL", "KOKTEL"),
        _ => pair,
    }
}

/// What the name of a category says: the pair, how much it says, and whether dishes come with sides.
fn of_category(category: &Heard, parent: Option<&Heard>) -> Option<(Pair, Weight, bool)> {
    // A category that may be anything of a kind says less than the one above it that is exact.
    let exact = |name: &Heard| name.rules().find(|rule| rule.weight != Weight::Weak);
    let rule = exact(category)
        .or_else(|| parent.and_then(exact))
        .or_else(|| category.rules().next())
        .or_else(|| parent?.rules().next())?;
    // `Levesek, előételek`: each of them is one or the other.
    let mixed =
        |name: &Heard| name.rules().any(|other| other.weight != Weight::Weak && other.pair != rule.pair);
    let weight = if exact(category).is_some() && mixed(category) { Weight::Weak } else { rule.weight };
    let names: Vec<&Heard> = std::iter::once(category).chain(parent).collect();
    Some((as_it_says(rule.pair, &names), weight, rule.sides))
}

/// The category that the name of a category of the menu speaks for.
pub(super) fn category(name: &str, parent: Option<&str>) -> Option<Pair> {
    of_category(&Heard::new(name), parent.map(Heard::new).as_ref()).map(|(pair, ..)| pair)
}

/// The pair of a size, and whether it is a dish that may come with a side.
fn pair(names: &Names<'_>) -> Option<(Pair, bool)> {
    let (leaf, above) = (Heard::new(names.category), names.parent.map(Heard::new));
    let product = Heard::new(names.product);
    let around: Vec<&Heard> = [&product, &leaf].into_iter().chain(&above).collect();
    let category = of_category(&leaf, above.as_ref());
    let of_category = |(pair, _, sides)| (pair, sides);
    // A word of another kind than the category means something else there: `Borsodi` among the dishes.
    let fits = |found: Pair| {
        let extra = kind(found) == Kind::Other || found == ("ETEL", "EGYEB");
        extra || category.is_none_or(|(pair, ..)| kind(pair) == kind(found))
    };
    // A size that is an article of its own says more than its product: milk beside the coffees.
    let size = Heard::new(names.size);
    let is_article = |rule: &&Rule| rule.weight == Weight::Strong && kind(rule.pair) != Kind::Other;
    let articles = size.rules().filter(is_article);
    let own: Vec<(Pair, bool, Weight)> = articles
        .chain(product.rules())
        .map(|rule| (as_it_says(rule.pair, &around), rule.sides, rule.weight))
        .filter(|(pair, ..)| fits(*pair))
        .collect();
    let strong = own.iter().find(|(.., weight)| *weight == Weight::Strong);
    strong
        .map(|(pair, sides, _)| (*pair, *sides))
        .or_else(|| category.filter(|(_, weight, _)| *weight != Weight::Weak).map(of_category))
        .or_else(|| own.first().map(|(pair, sides, _)| (*pair, *sides)))
        .or_else(|| category.map(of_category))
}

/// Whether a dish comes with a side: its description names one, or its name has one in the right case.
fn has_side(names: &Names<'_>) -> bool {
    let described = names.description.is_some_and(|text| Heard::new(text).begins(&SIDES));
    let with = |word: &String| {
        let case = ["val", "vel", "zsel", "tel", "gel"].iter().any(|ending| word.ends_with(ending));
        case && SIDES.iter().any(|side| word.starts_with(side))
    };
    described || Heard::new(names.product).words.iter().any(with)
}

/// The measure that a size is sold by: its own name's, its product's, or a description that says nothing else.
fn sold_by(names: &Names<'_>) -> MeasureResult {
    let [size, product] = [names.size, names.product].map(fold);
    let description = names.description.map(fold).filter(|text| is_only_measure(text));
    let own = if size == product { None } else { Some(measure(&size)) };
    own.into_iter()
        .chain([measure(&product)])
        .chain(description.map(|text| measure(&text)))
        .find(|found| *found != MeasureResult::Nothing)
        .unwrap_or(MeasureResult::Nothing)
}

fn glass(name: &str) -> Option<Decimal> {
    let name = Heard::new(name);
    [("=korso", 50), ("=pohar", 30), ("=pikolo", 20)]
        .into_iter()
        .find(|(word, _)| name.says(word))
        .map(|(_, centilitres)| Decimal::new(centilitres, 2).normalize())
}

/// Litres of a drink, where its names tell them.
fn litres(pair: Pair, names: &Names<'_>) -> Option<Decimal> {
    match sold_by(names) {
        MeasureResult::One(Measure::Litres(litres)) => Some(litres),
        MeasureResult::One(Measure::Kilograms(_)) | MeasureResult::Several => None,
        MeasureResult::Nothing => {
            let bare = || bare_litres(&fold(names.size)).or_else(|| bare_litres(&fold(names.product)));
            let glass = || glass(names.size).or_else(|| glass(names.product)).filter(|_| pair.1 == "SOR");
            bare().or_else(glass)
        }
    }
}

/// Drinks by the litre where their volume is known, coffee by the piece, dishes by the portion, and what is sold
/// by its weight by the kilogram.
fn unit(pair: Pair, names: &Names<'_>) -> (NtakQuantityUnit, Option<Decimal>) {
    match (kind(pair), pair.1) {
        (Kind::Soft | Kind::Alcohol, sub) if !matches!(sub, "KAVE" | "ITALCSOMAG") => litres(pair, names)
            .map_or((NtakQuantityUnit::Piece, None), |litres| (NtakQuantityUnit::Liter, Some(litres))),
        (Kind::Food, _) => match sold_by(names) {
            MeasureResult::One(Measure::Kilograms(weight)) if is_only_measure(&fold(names.size)) => {
                (NtakQuantityUnit::Kilogram, Some(weight))
            }
            _ => (NtakQuantityUnit::Portion, None),
        },
        _ => (NtakQuantityUnit::Piece, None),
    }
}

/// What these names speak for; nothing where they say nothing.
pub(super) fn guess(names: &Names<'_>) -> Option<Guess> {
    let (mut pair, sides) = pair(names)?;
    if sides && pair == ("ETEL", "FOETEL") && has_side(names) {
        pair = ("ETEL", "FOETEL_KORETTEL");
    }
    let (unit, quantity) = unit(pair, names);
    Some(Guess { pair, unit, quantity })
}
