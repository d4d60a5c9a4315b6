//! The rehearsal of a file: recognised, read, compared. Nothing is written.

use std::collections::HashMap;

use access::prelude::*;
use catalogue::{
    OptionGroupType,
    bulk::{Menu, Plan},
};
use kernel::money::Currency;
use serde::{Deserialize, Serialize};

use super::{
    columns::{self, Mapping, MenuImportColumn, MenuImportField as Field, letters},
    compare::{MenuImportKind, MenuImportLine, compare},
    fold::fold,
    layouts,
    lines::{GroupLines, MenuImportFault, MenuNames, Read, groups_by_name},
    options, prices, reading,
    sheet::{self, Sheet, SheetFault},
    sizes::same_size,
};

/// The user's choices; absent ones are recognised.
#[derive(Debug, Clone, Default)]
pub(crate) struct Choice {
    pub sheet: Option<String>,
    pub header_row: Option<i32>,
    pub columns: Option<Vec<MenuImportColumn>>,
    /// The same of the options: which sheet, its headings and its columns.
    pub options: OptionsChoice,
}

/// The user's choices about the sheet with the options; absent ones are recognised.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct OptionsChoice {
    /// Empty: none of the sheets has options.
    pub sheet: Option<String>,
    pub header_row: Option<i32>,
    pub columns: Option<Vec<MenuImportColumn>>,
}

/// A column as the file has it.
#[derive(Debug, Clone, Object, Serialize, Deserialize)]
pub(crate) struct MenuImportColumnPreview {
    /// Which column, from 0.
    pub column: i32,
    /// As the spreadsheet calls it: A, B, … AA.
    pub letter: String,
    pub heading: String,
    /// What it holds; `null` is left out.
    pub field: Option<Field>,
    /// The size whose price it holds.
    pub size: Option<String>,
    /// The first things that stand in it.
    pub samples: Vec<String>,
    /// How many rows below the heading have something in it.
    #[serde(default)]
    pub rows: i32,
    /// It is left out, and its heading and cells are those of prices too: another price than the chosen one.
    #[serde(default)]
    pub could_be_price: bool,
}

/// A size that the file names, by its rows or by a column of its own.
#[derive(Debug, Clone, PartialEq, Eq, Object, Serialize, Deserialize)]
pub(crate) struct MenuImportSize {
    pub name: String,
    /// Lines with a price of this size.
    pub lines: i32,
}

/// An option group of the file, with its rule.
#[derive(Debug, Clone, PartialEq, Eq, Object, Serialize, Deserialize)]
pub(crate) struct MenuImportOptionGroup {
    pub name: String,
    /// How many options one piece takes.
    #[oai(rename = "type")]
    pub r#type: OptionGroupType,
    /// Fewest options; 0: none is needed.
    pub min_no_options: i32,
    /// Most options; 0: no limit.
    pub max_no_options: i32,
    /// The file says so. Else it is what the menu has, or any number in a new group.
    pub stated: bool,
    /// The menu has no group of this name yet.
    pub is_new: bool,
    /// Options that the file names in it.
    pub options: i32,
}

/// A column with content that the import leaves out.
#[derive(Debug, Clone, PartialEq, Eq, Object, Serialize, Deserialize)]
pub(crate) struct MenuImportUnusedColumn {
    /// Its sheet; `null` in a text file.
    pub sheet: Option<String>,
    /// As the spreadsheet calls it: A, B, … AA.
    pub letter: String,
    pub heading: String,
    /// The first things that stand in it.
    pub samples: Vec<String>,
}

/// How much of what.
#[derive(Debug, Clone, Default, Object, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct MenuImportCounts {
    /// Rows with something for sale.
    pub rows: i32,
    /// Of those the ones that are left out or have to be corrected.
    pub faulty_rows: i32,
    pub faults: i32,
    /// Lines: sizes of products (one for each price) and options.
    pub new: i32,
    pub changed: i32,
    pub unchanged: i32,
    /// On the menu and not in the file.
    pub missing: i32,
    /// Of the new lines the sizes; a product without sizes counts as one.
    pub new_sizes: i32,
    pub changed_sizes: i32,
    /// Of the new lines the options.
    pub new_options: i32,
    pub changed_options: i32,
    pub new_products: i32,
    pub new_categories: i32,
    pub new_option_groups: i32,
}

/// What was recognised and counted.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Summary {
    pub sheet: String,
    pub sheets: Vec<String>,
    pub options_sheet: Option<String>,
    /// The sheet is one of options, and there is no menu.
    #[serde(default)]
    pub only_options: bool,
    pub header_row: u32,
    pub columns: Vec<MenuImportColumnPreview>,
    /// Number of the row with the headings of the options.
    #[serde(default)]
    pub options_header_row: Option<u32>,
    #[serde(default)]
    pub options_columns: Vec<MenuImportColumnPreview>,
    /// The most frequent sizes.
    #[serde(default)]
    pub sizes: Vec<MenuImportSize>,
    #[serde(default)]
    pub option_groups: Vec<MenuImportOptionGroup>,
    /// Columns with content that hold no field, in all sheets that are imported.
    #[serde(default)]
    pub unused_columns: Vec<MenuImportUnusedColumn>,
    /// Filled sheets that are not imported.
    #[serde(default)]
    pub unused_sheets: Vec<String>,
    /// Fields that a menu needs and no column holds.
    pub missing_fields: Vec<Field>,
    pub counts: MenuImportCounts,
}

pub(crate) struct Rehearsal {
    pub summary: Summary,
    pub faults: Vec<MenuImportFault>,
    pub lines: Vec<MenuImportLine>,
    pub plan: Plan,
}

/// Files that are being read, each with all its text in memory: two at a time, the others wait.
static READING: tokio::sync::Semaphore = tokio::sync::Semaphore::const_new(2);

/// Reads a file away from the requests' threads.
pub(crate) async fn read(file: Vec<u8>) -> Result<Vec<Sheet>, SheetFault> {
    let _turn = READING.acquire().await;
    // A reader that panics over a hostile file ends here too.
    tokio::task::spawn_blocking(move || sheet::read(&file)).await.unwrap_or(Err(SheetFault::Broken))
}

/// Recognises, reads and compares, away from the requests' threads.
pub(crate) async fn rehearse(
    mut sheets: Vec<Sheet>, choice: Choice, menu: Menu,
) -> Result<(Rehearsal, Menu), SheetFault> {
    sheets.iter_mut().for_each(layouts::flatten);
    let work = move || rehearsed(&sheets, &choice, &menu).map(|done| (done, menu));
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(SheetFault::Broken))
}

/// The sheet that was chosen; else the one that looks most like a menu, the first of equals.
fn chosen<'a>(sheets: &'a [Sheet], choice: &Choice, currency: Currency) -> Option<&'a Sheet> {
    let named = choice.sheet.as_ref().and_then(|name| sheets.iter().find(|sheet| sheet.name == *name));
    let filled = || sheets.iter().rev().filter(|sheet| !sheet.rows.is_empty());
    named.or_else(|| filled().max_by_key(|sheet| columns::match_score(sheet, currency)))
}

/// The recognised columns, overridden by the user's choices.
fn with_choice(
    mut mapping: Mapping, header_row: Option<i32>, columns: Option<&Vec<MenuImportColumn>>,
) -> Mapping {
    if let Some(row) = header_row.and_then(|row| u32::try_from(row).ok()) {
        mapping.header_row = row;
    }
    if let Some(columns) = columns {
        mapping.chosen = true;
        mapping.fields.fill(None);
        mapping.sizes.clear();
        for column in columns {
            let Ok(at) = usize::try_from(column.column) else { continue };
            if let Some(place) = mapping.fields.get_mut(at) {
                *place = column.field;
                mapping.sizes.extend(column.size.iter().map(|size| (at, size.trim().to_owned())));
            }
        }
    }
    mapping
}

/// The sheets that are imported, with their columns: of the menu, of the options, or both.
struct Parts<'a> {
    menu: Option<(&'a Sheet, Mapping)>,
    options: Option<(&'a Sheet, Mapping)>,
}

fn parts<'a>(sheets: &'a [Sheet], choice: &Choice, currency: Currency) -> Option<Parts<'a>> {
    let sheet = chosen(sheets, choice, currency)?;
    let recognised = columns::recognise(sheet, currency);
    let of_options = |mapping: Mapping| {
        let OptionsChoice { header_row, columns, .. } = &choice.options;
        with_choice(mapping, *header_row, columns.as_ref())
    };
    // Columns chosen by the user are those of a menu, unless they were chosen as those of options.
    let no_menu = choice.columns.is_none() && !columns::missing(&recognised).is_empty();
    let named = choice.options.sheet.as_ref().is_some_and(|name| !name.is_empty() && *name == sheet.name);
    let only = choice.columns.is_none() && (named || sheets.len() == 1 && choice.options.columns.is_some());
    let options = if only { Some(columns::options_of(sheet)) } else { columns::options(sheet) };
    if let Some(options) = options.filter(|_| no_menu || only) {
        return Some(Parts { menu: None, options: Some((sheet, of_options(options))) });
    }
    let others = || sheets.iter().filter(|one| one.name != sheet.name);
    let options = match &choice.options.sheet {
        Some(name) => others().find(|one| one.name == *name).map(|one| (one, columns::options_of(one))),
        None => others().find_map(|one| Some((one, columns::options(one)?))),
    };
    let options = options.map(|(one, mapping)| (one, of_options(mapping)));
    let menu = with_choice(recognised, choice.header_row, choice.columns.as_ref());
    Some(Parts { menu: Some((sheet, menu)), options })
}

fn previews(sheet: &Sheet, mapping: &Mapping, currency: Currency) -> Vec<MenuImportColumnPreview> {
    let heading = sheet.rows.iter().find(|row| row.number == mapping.header_row);
    let cut = |text: String| text.chars().take(60).collect::<String>();
    let mut filled = vec![0; mapping.fields.len()];
    for row in reading::below(sheet, mapping) {
        for (column, rows) in filled.iter_mut().enumerate() {
            *rows += usize::from(!row.cell(column).is_empty());
        }
    }
    let preview = |(column, field): (usize, &Option<Field>)| {
        let below = sheet.rows.iter().filter(|row| row.number > mapping.header_row && !row.title);
        let mut samples: Vec<String> = Vec::new();
        for text in below.take(200).map(|row| cut(row.cell(column).shown())).filter(|text| !text.is_empty()) {
            if !samples.iter().any(|sample| fold(sample) == fold(&text)) {
                samples.push(text);
            }
            if samples.len() == 3 {
                break;
            }
        }
        MenuImportColumnPreview {
            column: i32::try_from(column).unwrap_or(i32::MAX),
            letter: letters(column),
            heading: heading.map(|row| cut(row.cell(column).shown())).unwrap_or_default(),
            field: *field,
            size: mapping.size(column).cloned(),
            samples,
            rows: count(filled.get(column).copied().unwrap_or_default()),
            could_be_price: field.is_none() && prices::could_be(sheet, mapping.header_row, column, currency),
        }
    };
    // Empty columns are of no use to anybody.
    mapping
        .fields
        .iter()
        .enumerate()
        .map(preview)
        .filter(|column| !column.heading.is_empty() || !column.samples.is_empty())
        .collect()
}

/// The columns that hold no field although something stands in them.
fn unused(sheet: &Sheet, columns: &[MenuImportColumnPreview]) -> Vec<MenuImportUnusedColumn> {
    let left_out = columns.iter().filter(|column| column.field.is_none() && !column.samples.is_empty());
    left_out
        .map(|column| MenuImportUnusedColumn {
            sheet: Some(sheet.name.clone()).filter(|name| !name.is_empty()),
            letter: column.letter.clone(),
            heading: column.heading.clone(),
            samples: column.samples.clone(),
        })
        .collect()
}

fn count(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

fn rehearsed(sheets: &[Sheet], choice: &Choice, menu: &Menu) -> Result<Rehearsal, SheetFault> {
    let currency = menu.currency;
    let Parts { menu: of_menu, options } = parts(sheets, choice, currency).ok_or(SheetFault::Empty)?;
    let (sheet, mapping) = of_menu.as_ref().or(options.as_ref()).ok_or(SheetFault::Empty)?;
    let columns = previews(sheet, mapping, currency);
    let mut unused_columns = unused(sheet, &columns);
    let options_columns =
        options.as_ref().map(|(sheet, mapping)| previews(sheet, mapping, currency)).unwrap_or_default();
    if of_menu.is_some()
        && let Some((sheet, _)) = &options
    {
        unused_columns.extend(unused(sheet, &options_columns));
    }
    let imported =
        |one: &Sheet| [&of_menu, &options].into_iter().flatten().any(|(sheet, _)| sheet.name == one.name);
    let left_out = sheets.iter().filter(|one| !one.rows.is_empty() && !imported(one));
    let mut summary = Summary {
        sheet: sheet.name.clone(),
        sheets: sheets.iter().map(|sheet| sheet.name.clone()).filter(|name| !name.is_empty()).collect(),
        options_sheet: of_menu.as_ref().and(options.as_ref()).map(|(sheet, _)| sheet.name.clone()),
        only_options: of_menu.is_none(),
        header_row: mapping.header_row,
        columns,
        options_header_row: options.as_ref().map(|(_, mapping)| mapping.header_row),
        options_columns,
        sizes: vec![],
        option_groups: vec![],
        unused_columns,
        unused_sheets: left_out.map(|sheet| sheet.name.clone()).collect(),
        missing_fields: of_menu.as_ref().map(|(_, mapping)| columns::missing(mapping)).unwrap_or_default(),
        counts: MenuImportCounts::default(),
    };
    if !summary.missing_fields.is_empty() {
        return Ok(Rehearsal { summary, faults: vec![], lines: vec![], plan: Plan::default() });
    }
    let mut known = MenuNames::new(menu);
    let mut read = Read { only_options: of_menu.is_none(), ..Read::default() };
    if let Some((sheet, mapping)) = &options {
        options::read(sheet, mapping, &known, menu, &mut read);
    }
    known.option_groups.extend(read.groups.iter().map(|group| fold(&group.name)));
    if let Some((sheet, mapping)) = &of_menu {
        reading::read(sheet, mapping, &known, &mut read);
    }
    if read.too_many {
        return Err(SheetFault::TooLarge);
    }
    summary.sizes = sizes(&read);
    summary.option_groups = option_groups(&read, menu);
    let of_options = options.as_ref().map_or(mapping, |(_, mapping)| mapping);
    let (plan, mut lines) = compare(&mut read, mapping, of_options, menu);
    lines.sort_by_key(|line| (line.option, line.row.unwrap_or(i32::MAX)));
    summary.counts = counts(&read, &plan, &lines);
    // Those of the menu first, then those of the options.
    let first = summary.sheet.as_str();
    read.faults.sort_by_key(|fault| (fault.sheet.as_deref().is_some_and(|sheet| sheet != first), fault.row));
    Ok(Rehearsal { summary, faults: read.faults, lines, plan })
}

/// The most sizes that are shown.
const MOST_SIZES: usize = 40;

/// The sizes of the lines, the most frequent ones first.
fn sizes(read: &Read) -> Vec<MenuImportSize> {
    let mut found: Vec<MenuImportSize> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for size in read.lines.iter().filter_map(|line| line.size.as_ref()) {
        let at = *places.entry(same_size(size)).or_insert_with(|| {
            found.push(MenuImportSize { name: size.clone(), lines: 0 });
            found.len() - 1
        });
        found.get_mut(at).into_iter().for_each(|size| size.lines += 1);
    }
    found.sort_by_key(|size| std::cmp::Reverse(size.lines));
    found.truncate(MOST_SIZES);
    found
}

/// The groups of the file, each with the rule that it will have.
fn option_groups(read: &Read, menu: &Menu) -> Vec<MenuImportOptionGroup> {
    let present = groups_by_name(menu);
    let shown = |group: &GroupLines| MenuImportOptionGroup {
        name: group.name.clone(),
        r#type: group.r#type,
        min_no_options: group.limits.0,
        max_no_options: group.limits.1,
        stated: group.stated,
        is_new: !present.contains_key(&fold(&group.name)),
        options: count(group.options.len()),
    };
    read.groups.iter().map(shown).collect()
}

fn counts(read: &Read, plan: &Plan, lines: &[MenuImportLine]) -> MenuImportCounts {
    let of = |kind| count(lines.iter().filter(|line| line.kind == kind).count());
    let options = |kind| count(lines.iter().filter(|line| line.kind == kind && line.option).count());
    let (new, changed) = (of(MenuImportKind::New), of(MenuImportKind::Changed));
    let (new_options, changed_options) = (options(MenuImportKind::New), options(MenuImportKind::Changed));
    MenuImportCounts {
        rows: count(read.rows),
        faulty_rows: count(read.faulty_rows),
        faults: count(read.faults.len()),
        new,
        changed,
        unchanged: of(MenuImportKind::Unchanged),
        missing: of(MenuImportKind::Missing),
        new_sizes: new - new_options,
        changed_sizes: changed - changed_options,
        new_options,
        changed_options,
        new_products: count(plan.new_products.len()),
        new_categories: count(plan.new_categories.len()),
        new_option_groups: count(plan.new_option_groups.len()),
    }
}
