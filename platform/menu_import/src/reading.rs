//! Reading the rows of a sheet: their cells as fields, and the lines that they make.

use std::collections::{HashMap, HashSet};

use kernel::{Fault, text};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::{
    allergens, cells,
    columns::{Mapping, MenuImportField as Field},
    fold::fold,
    lines::{At, Line, MenuNames, Read, ntak_key},
    parts,
    sheet::{Row, Sheet, Value},
    sizes::{self, is_same_size, same_size},
};

/// The heading that holds for the rows below it.
#[derive(Default)]
struct Heading {
    parent: Option<String>,
    category: Option<String>,
    category_sec_lang: Option<String>,
    /// It names the sizes again.
    sizes: bool,
}

/// A category by the folded names of the one above it and its own.
type CategoryKey = [String; 2];

fn category_key(parent: Option<&str>, category: &str) -> CategoryKey {
    [fold(parent.unwrap_or_default()), fold(category)]
}

/// The rows below the headings. Long lists repeat their headings on every page.
pub(crate) fn below<'a>(sheet: &'a Sheet, mapping: &'a Mapping) -> impl Iterator<Item = &'a Row> {
    let header: Vec<String> =
        sheet.rows.iter().filter(|row| row.number == mapping.header_row).flat_map(folded).collect();
    sheet
        .rows
        .iter()
        .filter(|row| row.number > mapping.header_row)
        .filter(move |row| folded(row).collect::<Vec<_>>() != header)
}

/// Reads the rows below the headings.
pub(crate) fn read(sheet: &Sheet, mapping: &Mapping, known: &MenuNames, found: &mut Read) {
    let mut heading = Heading::default();
    let mut sized = HashSet::new();
    for row in below(sheet, mapping) {
        if is_heading(row, mapping, &mut heading) || mapped(row, mapping).next().is_none() {
            continue;
        }
        let before = found.seen;
        let (name, lines) = Reading { row, mapping, known, found }.lines_of_row(&mut heading);
        if !found.count_row(lines.len().max(1)) {
            return;
        }
        if heading.sizes || names_other_size(row, mapping) {
            let of = |line: &Line| category_key(line.parent.as_deref(), &line.category);
            sized.extend(lines.iter().map(of));
        }
        if found.seen == before {
            found.lines.extend(lines);
        } else {
            found.faulty_rows += 1;
            found.faulty_names.insert(fold(&name));
        }
    }
    plain_prices(found, mapping, &sized);
    twins(found, mapping);
}

/// Whether something stands in the column of another size than the first one, be it that it is not sold.
fn names_other_size(row: &Row, mapping: &Mapping) -> bool {
    mapping.sizes.iter().skip(1).any(|(column, _)| !row.cell(*column).is_empty())
}

/// A list with columns of sizes alone has its plain prices (drinks below the pizzas) in the first of them.
/// Products of a category that names no other size therefore have none.
fn plain_prices(found: &mut Read, mapping: &Mapping, sized: &HashSet<CategoryKey>) {
    if mapping.has(Field::Price) || mapping.sizes.len() < 2 {
        return;
    }
    for line in &mut found.lines {
        if !sized.contains(&category_key(line.parent.as_deref(), &line.category)) {
            line.size = None;
        }
    }
}

fn folded(row: &Row) -> impl Iterator<Item = String> + '_ {
    row.filled().map(|(_, cell)| fold(&cell.shown()))
}

pub(crate) fn mapped<'a>(row: &'a Row, mapping: &'a Mapping) -> impl Iterator<Item = (Field, &'a Value)> {
    mapping
        .fields
        .iter()
        .enumerate()
        .filter_map(|(at, field)| field.map(|field| (field, row.cell(at))))
        .filter(|(_, cell)| !cell.is_empty())
}

/// A row with nothing but one text is a title; beside it the sizes may be named again. Where no column holds
/// the category, titles are the categories; where one does, a text in that column is the category of the rows
/// below it.
fn is_heading(row: &Row, mapping: &Mapping, heading: &mut Heading) -> bool {
    let is_size = |column: usize, cell: &Value| {
        let named = || sizes::of_heading(&cell.shown());
        mapping.size(column).is_some_and(|size| named().is_some_and(|named| is_same_size(size, &named)))
    };
    let mut filled = row.filled().filter(|(column, cell)| !is_size(*column, cell));
    let (Some((column, Value::Text(text))), None) = (filled.next(), filled.next()) else { return false };
    let sizes = row.filled().any(|(column, cell)| is_size(column, cell));
    let field = mapping.fields.get(column).copied().flatten();
    match field {
        field if !mapping.has(Field::Category) || field == Some(Field::Category) => {
            heading.category = Some(text.clone());
            heading.sizes = sizes;
        }
        Some(Field::ParentCategory) => {
            *heading = Heading { parent: Some(text.clone()), ..Heading::default() }
        }
        _ if row.title => {}
        // A lone remark beside the menu's columns.
        None => {}
        Some(_) => return false,
    }
    true
}

/// One row and what is made of its cells.
pub(crate) struct Reading<'a> {
    pub row: &'a Row,
    pub mapping: &'a Mapping,
    pub known: &'a MenuNames,
    pub found: &'a mut Read,
}

impl Reading<'_> {
    pub(crate) fn cell(&self, field: Field) -> &Value {
        self.mapping
            .fields
            .iter()
            .position(|one| *one == Some(field))
            .map_or(&Value::Empty, |column| self.row.cell(column))
    }

    pub(crate) fn fault(&mut self, field: Field, fault: &Fault) {
        let value = self.cell(field).shown();
        self.fault_at(None, &value, field, fault);
    }

    fn fault_at(&mut self, column: Option<usize>, value: &str, field: Field, fault: &Fault) {
        let at = At { mapping: self.mapping, row: self.row.number, column, value };
        self.found.fault(at, field, fault, None);
    }

    /// One line of text: what was wrapped in its cell is put together again.
    pub(crate) fn text(&mut self, field: Field, longest: usize) -> Option<String> {
        let text = self.lines(field, longest)?;
        let words = text.split(['\r', '\n', '\t']).map(str::trim).filter(|line| !line.is_empty());
        Some(words.collect::<Vec<_>>().join(" "))
    }

    pub(crate) fn lines(&mut self, field: Field, longest: usize) -> Option<String> {
        let text = match self.cell(field) {
            Value::Empty => return None,
            Value::Other(_) => {
                self.fault(field, &Fault::Type);
                return None;
            }
            cell => cell.shown(),
        };
        // What was copied from a web page.
        let text =
            text.replace("&amp;", "&").replace("&quot;", "\"").replace("&#39;", "'").replace("&nbsp;", " ");
        let text = text.trim().to_owned();
        if text.chars().count() > longest {
            self.fault(field, &Fault::TooLong(longest));
        }
        if !text::is_lines(&text) {
            self.fault(field, &Fault::Pattern);
        }
        (!text.is_empty()).then_some(text)
    }

    /// The value of the cell, or nothing with its fault.
    pub(crate) fn take<T: Default>(&mut self, field: Field, read: impl Fn(&Value) -> Result<T, Fault>) -> T {
        match read(self.cell(field)) {
            Ok(value) => value,
            Err(fault) => {
                self.fault(field, &fault);
                T::default()
            }
        }
    }

    fn vat(&mut self, field: Field) -> Option<Uuid> {
        let percent = self.take(field, cells::percent)?;
        let found = self.known.vats.get(&percent).copied();
        if found.is_none() {
            self.fault(field, &Fault::NotExist);
        }
        found
    }

    pub(crate) fn allergens(&mut self) -> Option<Vec<Uuid>> {
        let cell = self.cell(Field::Allergens);
        if cell.is_empty() {
            return None;
        }
        let of = |word: &String| {
            let coded = allergens::code(word).map(fold);
            self.known.allergens.get(word).or_else(|| self.known.allergens.get(&coded?)).copied()
        };
        let written = cells::words(cell);
        let found: Option<Vec<Uuid>> = written.iter().map(of).collect();
        let found = found.filter(|_| !matches!(cell, Value::Other(_) | Value::Bool(_)));
        if found.is_none() {
            self.fault(Field::Allergens, &Fault::NotExist);
        }
        let mut found = found.unwrap_or_default();
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    fn ean_code(&mut self) -> Option<String> {
        if let Err(fault) = cells::ean(self.cell(Field::EanCode)) {
            self.fault(Field::EanCode, &fault);
            return None;
        }
        self.text(Field::EanCode, 50)
    }

    /// A name: no date, and nothing else that a spreadsheet makes of one.
    pub(crate) fn name(&mut self, field: Field) -> Option<String> {
        if self.cell(field).lost_name() {
            self.fault(field, &Fault::Type);
            return None;
        }
        self.text(field, 100)
    }

    fn ntak_category(&mut self) -> Option<Uuid> {
        let cell = self.cell(Field::NtakCategory);
        if cell.is_empty() {
            return None;
        }
        match self.known.ntak.get(&ntak_key(&cell.shown())) {
            Some(Some(id)) => return Some(*id),
            Some(None) => self.fault(Field::NtakCategory, &Fault::Invalid),
            None => self.fault(Field::NtakCategory, &Fault::NotExist),
        }
        None
    }

    fn option_groups(&mut self) -> Option<Vec<String>> {
        let cell = self.cell(Field::OptionGroups);
        if cell.is_empty() {
            return None;
        }
        let found = cells::names(cell, |name| self.known.option_groups.contains(name));
        if found.is_none() {
            self.fault(Field::OptionGroups, &Fault::NotExist);
        }
        found
    }

    /// The prices of the row: its own one, and one of each size that is sold. A size whose cell is empty is
    /// not sold, and nothing is said about it.
    fn prices(&mut self) -> Vec<SizePrice> {
        let (row, mapping, currency) = (self.row, self.mapping, self.known.currency);
        let size = self.name(Field::Subproduct);
        let sold: Vec<&(usize, String)> =
            mapping.sizes.iter().filter(|(column, _)| !cells::not_sold(row.cell(*column))).collect();
        // Nobody should guess which of the two names the size.
        if size.is_some() && !sold.is_empty() {
            self.fault(Field::Subproduct, &Fault::Invalid);
        }
        let mut found = Vec::with_capacity(sold.len() + 1);
        if !self.cell(Field::Price).is_empty() {
            let price = self.take(Field::Price, |cell| cells::price(cell, currency));
            found.push(SizePrice { column: None, size, price });
        } else if sold.is_empty() {
            self.fault(
                if mapping.has(Field::Price) { Field::Price } else { Field::SizePrice },
                &Fault::Required,
            );
        }
        for (column, size) in sold {
            match cells::price(row.cell(*column), currency) {
                Ok(price) => {
                    found.push(SizePrice { column: Some(*column), size: Some(size.clone()), price });
                }
                Err(fault) => {
                    self.fault_at(Some(*column), &row.cell(*column).shown(), Field::SizePrice, &fault);
                }
            }
        }
        found
    }

    /// The category of the row and the one above it, from its cells or from the heading that holds for it.
    fn categories(&mut self, heading: &mut Heading) -> Heading {
        let mut parent = self.name(Field::ParentCategory);
        let mut category = self.name(Field::Category);
        let mut category_sec_lang = self.text(Field::CategorySecLang, 100);
        if let Some((above, below)) =
            category.as_deref().and_then(|path| path.split_once('>')).filter(|_| parent.is_none())
        {
            (parent, category) = (
                Some(above.trim().to_owned()),
                Some(below.trim().to_owned()).filter(|name| !name.is_empty()),
            );
        }
        match &category {
            Some(category) => {
                // Where a heading names the upper category, the rows below it belong there.
                parent = parent.or_else(|| {
                    heading.parent.clone().filter(|_| self.cell(Field::ParentCategory).is_empty())
                });
                *heading = Heading {
                    parent: heading.parent.clone(),
                    sizes: heading.sizes && heading.category.as_ref() == Some(category),
                    category: Some(category.clone()),
                    category_sec_lang: category_sec_lang.clone(),
                };
            }
            None => {
                category.clone_from(&heading.category);
                parent = parent.or_else(|| heading.parent.clone());
                category_sec_lang = category_sec_lang.or_else(|| heading.category_sec_lang.clone());
            }
        }
        match &category {
            None if self.cell(Field::Category).is_empty() => self.fault(Field::Category, &Fault::Required),
            None => {}
            Some(name) if name.chars().count() > 100 => self.fault(Field::Category, &Fault::TooLong(100)),
            Some(_) => {}
        }
        Heading { parent, category, category_sec_lang, sizes: heading.sizes }
    }

    /// The name of the row, and a line for each of its prices.
    fn lines_of_row(mut self, heading: &mut Heading) -> (String, Vec<Line>) {
        let Heading { parent, category, category_sec_lang, .. } = self.categories(heading);
        let name = self.name(Field::Name);
        if name.is_none() && !self.cell(Field::Name).lost_name() {
            self.fault(Field::Name, &Fault::Required);
        }
        let name = name.unwrap_or_default();
        let (name_sec_lang, description, description_sec_lang) = (
            self.text(Field::NameSecLang, 100),
            self.lines(Field::Description, 2_000),
            self.lines(Field::DescriptionSecLang, 2_000),
        );
        let prices = self.prices();
        let line = Line {
            row: self.row.number,
            parent,
            category: category.unwrap_or_default(),
            category_sec_lang,
            name: name.clone(),
            name_sec_lang,
            description,
            description_sec_lang,
            size: None,
            size_column: None,
            price: Decimal::ZERO,
            vat: self.vat(Field::Vat),
            sit_in_vat: self.vat(Field::SitInVat),
            allergens: self.allergens(),
            option_groups: self.option_groups(),
            ean_code: self.ean_code(),
            active: self.take(Field::Active, cells::flag),
            ntak_category: self.ntak_category(),
            ntak_unit: self.take(Field::NtakQuantityUnit, cells::ntak_unit),
            ntak_quantity: self.take(Field::NtakQuantity, cells::ntak_quantity),
            deposit_pieces: self.take(Field::DepositPieces, parts::deposit_pieces),
            components: self.take(Field::Components, parts::parts),
        };
        let of =
            |SizePrice { column, size, price }| Line { size, size_column: column, price, ..line.clone() };
        (name, prices.into_iter().map(of).collect())
    }
}

struct SizePrice {
    /// The column of its size; none is the row's own price.
    column: Option<usize>,
    size: Option<String>,
    price: Decimal,
}

/// Rows with the same thing: the later row is at fault with all its lines, and says where the first one
/// stands.
fn twins(found: &mut Read, mapping: &Mapping) {
    let mut first: HashMap<[String; 4], u32> = HashMap::new();
    let mut faulty: HashSet<u32> = HashSet::new();
    let lines = std::mem::take(&mut found.lines);
    for line in &lines {
        let size = line.size.as_deref().unwrap_or_default();
        let key = [
            fold(line.parent.as_deref().unwrap_or_default()),
            fold(&line.category),
            fold(&line.name),
            same_size(size),
        ];
        match first.entry(key) {
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(line.row);
            }
            std::collections::hash_map::Entry::Occupied(place) => {
                let (key, value) = match (line.size_column, &line.size) {
                    (Some(_), Some(size)) => (Field::SizePrice, size),
                    (None, Some(size)) => (Field::Subproduct, size),
                    _ => (Field::Name, &line.name),
                };
                let at = At { mapping, row: line.row, column: line.size_column, value };
                found.fault(at, key, &Fault::NotUnique, Some(*place.get()));
                faulty.insert(line.row);
                found.faulty_names.insert(fold(&line.name));
            }
        }
    }
    found.faulty_rows += faulty.len();
    found.lines = lines.into_iter().filter(|line| !faulty.contains(&line.row)).collect();
}
