//! Names, texts in the second language, allergens and pictures.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use super::CheckResult;
use crate::{
    fold::fold,
    health::{
        changes::{Change, Field, Table},
        kinds::Kind,
        look::{Look, Size},
        types::{MenuFinding, MenuFindingDetail as Detail},
    },
    menu::index::MenuSubject,
};

/// Active sizes of the menu, by product, in its order.
fn products<'l, 'a>(look: &'l Look<'a>) -> Vec<Vec<&'l Size<'a>>> {
    let mut found: Vec<Vec<&Size<'_>>> = Vec::new();
    for size in look.active() {
        match found.last_mut() {
            Some(last) if last[0].product.id == size.product.id => last.push(size),
            _ => found.push(vec![size]),
        }
    }
    found
}

/// The rows of one place with the same name, case, accents and blanks aside: each but the first, with the first.
fn twice<K: Eq + std::hash::Hash>(rows: impl Iterator<Item = (K, String, MenuSubject)>) -> Vec<CheckResult> {
    let mut first: HashMap<(K, String), MenuSubject> = HashMap::new();
    let mut found = Vec::new();
    for (place, name, subject) in rows {
        let name = fold(&name);
        if name.is_empty() {
            continue;
        }
        match first.entry((place, name)) {
            std::collections::hash_map::Entry::Occupied(there) => {
                let other = Some(there.get().clone());
                found.push(MenuFinding { other, ..MenuFinding::of(subject) }.into());
            }
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(subject);
            }
        }
    }
    found
}

/// Names that stand twice at one place: below one category, in one product, in one group. Switched-off rows do not
/// count.
pub(super) fn names_twice(look: &Look<'_>) -> Vec<CheckResult> {
    let products = products(look);
    let used: HashSet<Uuid> = look
        .active()
        .flat_map(|size| [Some(size.category.id.uuid()), size.parent.map(|parent| parent.id.uuid())])
        .flatten()
        .collect();
    let categories = look.categories.iter().filter(|row| used.contains(&row.id.uuid()));
    let mut found = twice(categories.map(|row| (row.parent_id, row.name.clone(), look.index.category(row))));
    let rows = products.iter().map(|sizes| sizes[0].product);
    found.extend(twice(rows.map(|row| (row.product_category_id, row.name.clone(), look.index.product(row)))));
    let sizes = look.active().map(|size| size.row);
    found.extend(twice(sizes.map(|row| (row.product_id, row.name.clone(), look.index.size(row)))));
    let groups = look.input.rows.groups.iter().filter(|group| group.active);
    found.extend(twice(groups.map(|row| ((), row.name.clone(), look.index.group(row)))));
    let options = look.input.rows.options.iter().filter(|option| option.active);
    found.extend(twice(options.map(|row| (row.option_group_id, row.name.clone(), look.index.option(row)))));
    found
}

/// A name that is the same in every language: a measure, a number, nothing but signs.
fn is_neutral(name: &str) -> bool {
    let folded = fold(name);
    let words = folded.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let measures = ["l", "dl", "cl", "ml", "g", "dkg", "kg", "cm", "db", "x", "xl", "xxl", "s", "m", "xs"];
    words.into_iter().all(|word| measures.contains(&word))
}

/// Names with their translations, where all rows of that name have the same one.
#[derive(Default)]
struct Translations(HashMap<String, Option<String>>);

impl Translations {
    fn learn(&mut self, name: &str, translation: Option<&str>) {
        let Some(translation) = translation.filter(|text| !text.trim().is_empty()) else { return };
        let known = self.0.entry(fold(name)).or_insert_with(|| Some(translation.to_owned()));
        if known.as_deref().is_some_and(|known| known != translation) {
            *known = None;
        }
    }

    fn of(&self, name: &str) -> Option<&str> {
        self.0.get(&fold(name))?.as_deref()
    }
}

struct Named<'a> {
    table: Table,
    subject: MenuSubject,
    name: &'a str,
    name_sec_lang: Option<&'a str>,
    /// Its description is missing in the second language.
    undescribed: bool,
}

/// What guests read, without a text in the second language. Where the same name has one elsewhere on the menu,
/// that is what a mend writes.
pub(super) fn second_language(look: &Look<'_>) -> Vec<CheckResult> {
    let named = named(look);
    let mut known = Translations::default();
    named.iter().for_each(|row| known.learn(row.name, row.name_sec_lang));
    let mut found = Vec::new();
    for row in named {
        let Named { table, subject, name, name_sec_lang, undescribed } = row;
        let Some(id) = subject.id else { continue };
        if name_sec_lang.is_none_or(|text| text.trim().is_empty()) && !is_neutral(name) {
            let mend = known.of(name).map(str::to_owned);
            let changes = mend.iter().map(|text| Change {
                table,
                id,
                field: Field::NameSecLang,
                before: name_sec_lang.map(str::to_owned),
                after: Some(text.clone()),
            });
            let changes = changes.collect();
            let finding =
                MenuFinding { detail: Some(Detail::Name), mend, ..MenuFinding::of(subject.clone()) };
            found.push(CheckResult { finding, changes });
        }
        if undescribed {
            found.push(MenuFinding { detail: Some(Detail::Description), ..MenuFinding::of(subject) }.into());
        }
    }
    found
}

fn undescribed(description: Option<&str>, second: Option<&str>) -> bool {
    let written = |text: Option<&str>| text.is_some_and(|text| !text.trim().is_empty());
    written(description) && !written(second)
}

/// Everything that guests read the name of, in the order of the menu. The only size of a product is not named.
fn named<'l>(look: &'l Look<'_>) -> Vec<Named<'l>> {
    let used: HashSet<Uuid> = look
        .active()
        .flat_map(|size| [Some(size.category.id.uuid()), size.parent.map(|parent| parent.id.uuid())])
        .flatten()
        .collect();
    let categories = look.categories.iter().filter(|row| used.contains(&row.id.uuid()));
    let mut named: Vec<Named<'_>> = categories
        .map(|row| Named {
            table: Table::ProductCategory,
            subject: look.index.category(row),
            name: &row.name,
            name_sec_lang: row.name_sec_lang.as_deref(),
            undescribed: undescribed(row.description.as_deref(), row.description_sec_lang.as_deref()),
        })
        .collect();
    for sizes in products(look) {
        let product = sizes[0].product;
        named.push(Named {
            table: Table::Product,
            subject: look.index.product(product),
            name: &product.name,
            name_sec_lang: product.name_sec_lang.as_deref(),
            undescribed: undescribed(product.description.as_deref(), product.description_sec_lang.as_deref()),
        });
        let alone = look.index.sizes_of.get(&product.id.uuid()).is_some_and(|all| all.len() == 1);
        let sizes = sizes.into_iter().filter(|size| !alone && fold(&size.row.name) != fold(&product.name));
        named.extend(sizes.map(|size| Named {
            table: Table::Subproduct,
            subject: look.index.size(size.row),
            name: &size.row.name,
            name_sec_lang: size.row.name_sec_lang.as_deref(),
            undescribed: undescribed(
                size.row.description.as_deref(),
                size.row.description_sec_lang.as_deref(),
            ),
        }));
    }
    let shown: HashSet<Uuid> = look.active().flat_map(|size| look.groups(size)).copied().collect();
    for group in look.input.rows.groups.iter().filter(|row| row.active && shown.contains(&row.id.uuid())) {
        named.push(Named {
            table: Table::OptionGroup,
            subject: look.index.group(group),
            name: &group.name,
            name_sec_lang: group.name_sec_lang.as_deref(),
            undescribed: false,
        });
        let options = look.index.options_of.get(&group.id.uuid()).into_iter().flatten();
        named.extend(options.filter(|option| option.active).map(|option| Named {
            table: Table::Option,
            subject: look.index.option(option),
            name: &option.name,
            name_sec_lang: option.name_sec_lang.as_deref(),
            undescribed: false,
        }));
    }
    named
}

/// Food without allergens of which nobody has said that it has none. Menus have those of their parts, and drinks
/// seldom have any. A mend says that there are none.
pub(super) fn without_allergens(look: &Look<'_>) -> Vec<CheckResult> {
    let without = look.active().filter(|size| {
        size.row.allergenic_ids.is_empty()
            && !size.row.allergen_free
            && look.components(size).is_empty()
            && size.is_visible()
            && size.kind != Kind::Alcohol
            && !size.kind.is_soft_drink()
    });
    let free = |size: &&Size<'_>| Change {
        table: Table::Subproduct,
        id: size.id(),
        field: Field::AllergenFree,
        before: Some(false.to_string()),
        after: Some(true.to_string()),
    };
    let found = look.by_product(without).into_iter().map(|(subject, sizes)| CheckResult {
        finding: MenuFinding { mend: Some("none".to_owned()), ..MenuFinding::of(subject) },
        changes: sizes.iter().map(free).collect(),
    });
    found.collect()
}

/// Products that guests see without a picture.
pub(super) fn without_picture(look: &Look<'_>) -> Vec<CheckResult> {
    let without = products(look)
        .into_iter()
        .filter(|sizes| sizes[0].product.image_id.is_none() && sizes.iter().any(|size| size.is_visible()));
    without.map(|sizes| MenuFinding::of(look.index.product(sizes[0].product)).into()).collect()
}
