//! Workbooks through calamine. A formula counts by its saved value; nothing is calculated.

use std::io::Cursor;

use calamine::{
    Cell, Data, DataRef, DataType, Dimensions, Ods, Range, Reader, SheetType, SheetVisible, Xls, Xlsx,
    XlsxError,
};

use super::{MOST_CELLS, MOST_COLUMNS, MOST_ROWS, MOST_TEXT, Row, Sheet, SheetFault, Value};

/// The most sheets that are looked at.
const MOST_SHEETS: usize = 30;

impl From<&Data> for Value {
    fn from(data: &Data) -> Self {
        match data {
            Data::Empty => Self::Empty,
            Data::String(text) => Self::text(text),
            #[allow(clippy::cast_precision_loss, reason = "no menu has numbers of 16 digits")]
            Data::Int(number) => Self::number(*number as f64),
            Data::Float(number) => Self::number(*number),
            Data::Bool(value) => Self::Bool(*value),
            Data::DateTime(moment) if !moment.is_duration() => {
                let (year, month, day, ..) = moment.to_ymd_hms_milli();
                Self::Other(format!("{year}-{month:02}-{day:02}"))
            }
            other => Self::Other(other.to_string()),
        }
    }
}

/// The remaining memory budget of all sheets of a file.
struct MemoryBudget {
    cells: usize,
    text: usize,
}

impl MemoryBudget {
    fn new() -> Self {
        Self { cells: MOST_CELLS, text: MOST_TEXT }
    }

    /// Puts a value at a place of a row; empty cells before it take room too.
    fn put(&mut self, cells: &mut Vec<Value>, column: usize, value: Value) -> Result<(), SheetFault> {
        if let Value::Text(text) | Value::Other(text) = &value {
            self.text = self.text.checked_sub(text.len()).ok_or(SheetFault::TooLarge)?;
        }
        if cells.len() <= column {
            self.cells = self.cells.checked_sub(column + 1 - cells.len()).ok_or(SheetFault::TooLarge)?;
            cells.reserve_exact(column + 1 - cells.len());
            cells.resize(column + 1, Value::Empty);
        }
        if let Some(cell) = cells.get_mut(column) {
            *cell = value;
        }
        Ok(())
    }
}

/// Rows that are filled cell by cell, in any order.
struct Building<'a> {
    rows: std::collections::BTreeMap<u32, Vec<Value>>,
    room: &'a mut MemoryBudget,
}

impl<'a> Building<'a> {
    fn new(room: &'a mut MemoryBudget) -> Self {
        Self { rows: std::collections::BTreeMap::new(), room }
    }

    fn put(&mut self, row: u32, column: u32, value: Value) -> Result<(), SheetFault> {
        let column = usize::try_from(column).unwrap_or(usize::MAX);
        if value.is_empty() || column >= MOST_COLUMNS {
            return Ok(());
        }
        self.room.put(self.rows.entry(row).or_default(), column, value)?;
        if self.rows.len() > MOST_ROWS { Err(SheetFault::TooLarge) } else { Ok(()) }
    }

    /// A cell that is merged downwards holds for each of its rows.
    fn spread(&mut self, merged: &[Dimensions]) -> Result<(), SheetFault> {
        // Each row that a merged cell reaches; no menu has more of them than it may have cells.
        let mut left = MOST_CELLS;
        for region in merged.iter().filter(|region| region.end.0 > region.start.0) {
            let column = usize::try_from(region.start.1).unwrap_or(usize::MAX);
            let Some(value) = self
                .rows
                .get(&region.start.0)
                .and_then(|cells| cells.get(column))
                .filter(|value| !value.is_empty())
                .cloned()
            else {
                continue;
            };
            for (_, cells) in self.rows.range_mut(region.start.0.saturating_add(1)..=region.end.0) {
                left = left.checked_sub(1).ok_or(SheetFault::TooLarge)?;
                if cells.get(column).is_none_or(Value::is_empty) {
                    self.room.put(cells, column, value.clone())?;
                }
            }
        }
        Ok(())
    }

    fn sheet(mut self, name: &str, merged: &[Dimensions]) -> Result<Sheet, SheetFault> {
        if merged.len() > MOST_ROWS {
            return Err(SheetFault::TooLarge);
        }
        self.spread(merged)?;
        let wide: std::collections::HashSet<(u32, u32)> =
            merged.iter().filter(|region| region.end.1 > region.start.1).map(|region| region.start).collect();
        let rows = self.rows.into_iter().map(|(index, cells)| {
            let mut filled = cells.iter().zip(0_u32..).filter(|(cell, _)| !cell.is_empty());
            let title = match (filled.next(), filled.next()) {
                (Some((_, column)), None) => wide.contains(&(index, column)),
                _ => false,
            };
            Row { number: index.saturating_add(1), cells, title }
        });
        Ok(Sheet { name: name.to_owned(), rows: rows.collect() })
    }
}

fn visible(sheets: &[calamine::Sheet]) -> Vec<String> {
    let shown = sheets
        .iter()
        .filter(|sheet| sheet.typ == SheetType::WorkSheet && sheet.visible == SheetVisible::Visible);
    shown.take(MOST_SHEETS).map(|sheet| sheet.name.clone()).collect()
}

fn refused(error: &XlsxError) -> SheetFault {
    if matches!(error, XlsxError::Password) { SheetFault::Locked } else { SheetFault::Broken }
}

pub(super) fn xlsx(bytes: &[u8]) -> Result<Vec<Sheet>, SheetFault> {
    let mut book = Xlsx::new(Cursor::new(bytes)).map_err(|error| refused(&error))?;
    let (mut sheets, mut room) = (Vec::new(), MemoryBudget::new());
    for name in visible(book.sheets_metadata()) {
        let merged = book.merge_cells_by_sheet_name(&name).unwrap_or_default();
        let mut building = Building::new(&mut room);
        let mut cells = book.worksheet_cells_reader(&name).map_err(|error| refused(&error))?;
        // Cell by cell: as a range, two cells in far corners would be gigabytes.
        while let Some(cell) = cells.next_cell().map_err(|error| refused(&error))? {
            let (row, column) = cell.get_position();
            building.put(row, column, value(&cell))?;
        }
        sheets.push(building.sheet(&name, &merged)?);
    }
    Ok(sheets)
}

fn value(cell: &Cell<DataRef<'_>>) -> Value {
    match cell.get_value() {
        DataRef::SharedString(text) => Value::text(text),
        other if other.is_empty() => Value::Empty,
        other => Value::from(&Data::from(other.clone())),
    }
}

fn from_range(
    name: &str, range: &Range<Data>, merged: &[Dimensions], room: &mut MemoryBudget,
) -> Result<Sheet, SheetFault> {
    let (top, left) = range.start().unwrap_or_default();
    let mut building = Building::new(room);
    for (row, column, data) in range.used_cells() {
        let at = |offset: usize, start: u32| u32::try_from(offset).unwrap_or(u32::MAX).saturating_add(start);
        building.put(at(row, top), at(column, left), data.into())?;
    }
    building.sheet(name, merged)
}

/// After [`super::guard`] has looked through it.
pub(super) fn ods(bytes: &[u8]) -> Result<Vec<Sheet>, SheetFault> {
    let mut book = Ods::new(Cursor::new(bytes)).map_err(|_| SheetFault::Broken)?;
    let (names, mut room) = (visible(book.sheets_metadata()), MemoryBudget::new());
    names
        .iter()
        .map(|name| {
            from_range(name, &book.worksheet_range(name).map_err(|_| SheetFault::Broken)?, &[], &mut room)
        })
        .collect()
}

/// After [`super::guard`] has looked through it.
pub(super) fn xls(bytes: &[u8]) -> Result<Vec<Sheet>, SheetFault> {
    let mut book = Xls::new(Cursor::new(bytes)).map_err(|error| match error {
        calamine::XlsError::Password => SheetFault::Locked,
        _ => SheetFault::Broken,
    })?;
    let (names, mut room) = (visible(book.sheets_metadata()), MemoryBudget::new());
    let read = |name: &String| {
        let range = book.worksheet_range(name).map_err(|_| SheetFault::Broken)?;
        let merged = book.merge_cells_by_sheet_name(name).unwrap_or_default();
        from_range(name, &range, &merged, &mut room)
    };
    names.iter().map(read).collect()
}
