//! Exports of shops whose rows need more than their headings: WooCommerce names a size in a row of its own below its
//! product, Square calls the only size of an item *Regular*. Their cells are put where a menu has them; rows and columns
//! stay where they are.

use std::collections::HashMap;

use super::{
    cells,
    fold::fold,
    sheet::{Row, Sheet, Value},
};

/// Headings stand within the first rows.
const SEARCHED: usize = 10;

/// Headings of one column of an export, folded, in the languages of the shop's users.
type Names = &'static [&'static str];

const TYPE: Names = &["type", "tipus"];
const ID: Names = &["id", "azonosito"];
const SKU: Names = &["sku", "cikkszam"];
const NAME: Names = &["name", "nev"];
const PUBLISHED: Names = &["published", "kozzeteve"];
const VISIBILITY: Names =
    &["visibility in catalog", "katalogusban valo lathatosag", "lathatosag a katalogusban"];
const CATEGORIES: Names = &["categories", "kategoriak"];
const PARENT: Names = &["parent", "szulo"];
const REGULAR: Names = &["regular price", "normal ar"];
const VALUES: Names = &[
    "attribute 1 value(s)",
    "tulajdonsag 1 erteke(i)",
    "1. tulajdonsag erteke(i)",
    "attributum 1 erteke(i)",
];

const TOKEN: Names = &["token", "reference handle"];
const ITEM: Names = &["item name"];
const VARIATION: Names = &["variation name"];
const ARCHIVED: Names = &["archived"];

/// Puts what an export says where a menu says it. Other sheets stay as they are.
pub(crate) fn flatten(sheet: &mut Sheet) {
    let found = (0..sheet.rows.len().min(SEARCHED)).find_map(|at| {
        let row = sheet.rows.get(at)?;
        let column = |names: Names| column(row, names);
        if let (Some(kind), Some(name), Some(parent), Some(_)) =
            (column(TYPE), column(NAME), column(PARENT), column(REGULAR))
        {
            return Some((at, Layout::Woo { kind, name, parent }));
        }
        let (name, size) = (column(ITEM)?, column(VARIATION)?);
        column(TOKEN).map(|_| (at, Layout::Square { name, size }))
    });
    match found {
        Some((at, Layout::Woo { kind, name, parent })) => woo(sheet, at, [kind, name, parent]),
        Some((at, Layout::Square { name, size })) => square(sheet, at, name, size),
        None => {}
    }
}

enum Layout {
    Woo { kind: usize, name: usize, parent: usize },
    Square { name: usize, size: usize },
}

fn column(row: &Row, names: Names) -> Option<usize> {
    row.filled().find(|(_, cell)| names.contains(&fold(&cell.shown()).as_str())).map(|(at, _)| at)
}

fn text(text: &str) -> Value {
    let text = text.trim();
    if text.is_empty() { Value::Empty } else { Value::Text(text.to_owned()) }
}

fn put(row: &mut Row, column: Option<usize>, value: Value) {
    let Some(column) = column else { return };
    if row.cells.len() <= column {
        row.cells.resize(column + 1, Value::Empty);
    }
    if let Some(cell) = row.cells.get_mut(column) {
        *cell = value;
    }
}

/// The first category of several: `Ételek > Levesek, Ajánlat`. A comma within a name has a stroke before it.
fn first_category(cell: &str) -> String {
    let marked = cell.replace("\\,", "\u{1f}");
    marked.split(',').next().unwrap_or_default().trim().replace('\u{1f}', ",")
}

/// Whether a row is on sale: published, and hidden nowhere.
fn is_shown(row: &Row, published: Option<usize>, visibility: Option<usize>) -> Option<bool> {
    let published = match published.map(|at| row.cell(at)) {
        Some(Value::Empty) | None => None,
        // -1 is a draft.
        Some(cell) if cell.shown() == "-1" => Some(false),
        Some(cell) => cells::flag(cell).ok().flatten(),
    };
    let hidden = visibility.is_some_and(|at| {
        matches!(fold(&row.cell(at).shown()).as_str(), "hidden" | "rejtett" | "search" | "kereses")
    });
    if hidden { Some(false) } else { published }
}

fn woo(sheet: &mut Sheet, header: usize, [kind, name, parent]: [usize; 3]) {
    let Some(row) = sheet.rows.get(header) else { return };
    let [id, sku, published, visibility, categories] =
        [ID, SKU, PUBLISHED, VISIBILITY, CATEGORIES].map(|names| column(row, names));
    // Sizes without attributes get a column behind the last one.
    let behind = sheet.rows.iter().map(|row| row.cells.len()).max().unwrap_or_default();
    let size = column(row, VALUES).or(Some(behind));
    // Further attributes of a size: `Attribute 2 value(s)`.
    let values: Vec<usize> = row
        .filled()
        .filter(|(_, cell)| {
            let heading = fold(&cell.shown());
            let one: String =
                heading.chars().map(|sign| if sign.is_ascii_digit() { '1' } else { sign }).collect();
            VALUES.contains(&one.as_str())
        })
        .map(|(at, _)| at)
        .collect();
    let is = |row: &Row, what: &[&str]| {
        let kinds = fold(&row.cell(kind).shown());
        kinds.split(',').any(|kind| what.contains(&kind.trim()))
    };
    let mut parents: HashMap<String, Row> = HashMap::new();
    for row in sheet.rows.iter().skip(header + 1).filter(|row| !is(row, &["variation", "variacio"])) {
        for (at, prefix) in [(sku, ""), (id, "id:")] {
            let key = at.map(|at| row.cell(at).shown()).filter(|key| !key.is_empty());
            parents.extend(key.map(|key| (format!("{prefix}{}", fold(&key)), row.clone())));
        }
    }
    if let Some(row) = sheet.rows.get_mut(header) {
        // Elsewhere a heading *Típus* names the category.
        put(row, Some(kind), text("Type"));
        if size == Some(behind) {
            put(row, size, text(VALUES.first().copied().unwrap_or_default()));
        }
    }
    let mut sized: Vec<String> = Vec::new();
    for row in sheet.rows.iter_mut().skip(header + 1) {
        let mut shown = is_shown(row, published, visibility);
        let mut category = categories.map(|at| row.cell(at).shown()).unwrap_or_default();
        if is(row, &["variation", "variacio"]) {
            let key = fold(&row.cell(parent).shown());
            if let Some(above) = parents.get(&key) {
                let attributes: Vec<String> = values.iter().map(|at| row.cell(*at).shown()).collect();
                let attributes: Vec<&str> =
                    attributes.iter().map(String::as_str).filter(|one| !one.is_empty()).collect();
                let product = above.cell(name).shown();
                // `Pizza - 30 cm`, where no attribute says it.
                let rest = row.cell(name).shown();
                let rest = rest.strip_prefix(&product).unwrap_or(&rest).trim_start_matches([' ', '-', '–']);
                put(
                    row,
                    size,
                    text(&if attributes.is_empty() { rest.to_owned() } else { attributes.join(" / ") }),
                );
                put(row, Some(name), text(&product));
                if category.is_empty() {
                    category = categories.map(|at| above.cell(at).shown()).unwrap_or_default();
                }
                if is_shown(above, published, visibility) == Some(false) {
                    shown = Some(false);
                }
                sized.push(key);
            }
        } else {
            // Attributes of a product are those of all its sizes, and no size.
            put(row, size, Value::Empty);
        }
        put(row, categories, text(&first_category(&category)));
        put(row, published, shown.map_or(Value::Empty, Value::Bool));
    }
    // A product whose sizes have rows of their own is no size.
    let names_size = |row: &Row| {
        let keys = [(sku, ""), (id, "id:")];
        keys.iter().any(|(at, prefix)| {
            at.is_some_and(|at| sized.contains(&format!("{prefix}{}", fold(&row.cell(at).shown()))))
        })
    };
    let header_number = sheet.rows.get(header).map_or(0, |row| row.number);
    sheet
        .rows
        .retain(|row| row.number <= header_number || is(row, &["variation", "variacio"]) || !names_size(row));
}

fn square(sheet: &mut Sheet, header: usize, name: usize, size: usize) {
    let Some(row) = sheet.rows.get(header) else { return };
    let (archived, category) = (column(row, ARCHIVED), column(row, CATEGORIES));
    let mut sizes: HashMap<String, usize> = HashMap::new();
    for row in sheet.rows.iter().skip(header + 1) {
        *sizes.entry(fold(&row.cell(name).shown())).or_default() += 1;
    }
    for row in sheet.rows.iter_mut().skip(header + 1) {
        let only = sizes.get(&fold(&row.cell(name).shown())) == Some(&1);
        if only && matches!(fold(&row.cell(size).shown()).as_str(), "regular" | "normal" | "default" | "alap")
        {
            put(row, Some(size), Value::Empty);
        }
        if let Some(at) = category {
            let first = first_category(&row.cell(at).shown());
            put(row, Some(at), text(&first));
        }
    }
    // What is archived there is sold no more: the column says the contrary here.
    if let Some(at) = archived {
        for row in sheet.rows.iter_mut().skip(header + 1) {
            if let Ok(Some(gone)) = cells::flag(row.cell(at)) {
                put(row, archived, Value::Bool(!gone));
            }
        }
        sheet.rows.get_mut(header).into_iter().for_each(|row| put(row, archived, text("Active")));
    }
}
