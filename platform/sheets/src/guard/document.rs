//! The content of an ods. Cells and rows have repetition counts; their expanded size is limited.

use std::io::{BufReader, Read};

use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};

use super::{MOST_CELLS, SheetFault};
use crate::MOST_TEXT;

/// How large a document gets when everything that is said several times is written out.
#[derive(Default)]
struct Extent {
    /// Of the sheets before this one.
    cells_before: u64,
    text: u64,
    // Rows and widest row of this sheet; blanks that nothing has followed yet do not count.
    rows: u64,
    widest: u64,
    blank_rows: u64,
    // This row.
    row_times: u64,
    width: u64,
    blank_cells: u64,
    row_text: u64,
    // This cell.
    cell_times: u64,
    cell_text: u64,
    in_cell: bool,
}

/// Walks through the content; what would be too large ends here.
pub(super) fn repeats(part: BufReader<&mut dyn Read>) -> Result<(), SheetFault> {
    let mut xml = Reader::from_reader(part);
    let mut buffer = Vec::new();
    let mut extent = Extent::default();
    loop {
        buffer.clear();
        let event = xml.read_event_into(&mut buffer).map_err(|_| SheetFault::Broken)?;
        let open = matches!(event, Event::Start(_));
        match event {
            Event::Eof => return Ok(()),
            Event::Start(tag) | Event::Empty(tag) => extent.begins(&tag, open)?,
            Event::End(tag) => extent.ends(tag.name().as_ref())?,
            Event::Text(text) => extent.says(text.len()),
            Event::CData(text) => extent.says(text.len()),
            Event::GeneralRef(_) => extent.says(4),
            _ => {}
        }
    }
}

impl Extent {
    fn begins(&mut self, tag: &BytesStart<'_>, open: bool) -> Result<(), SheetFault> {
        match tag.name().as_ref() {
            "table:table" => {
                self.cells_before = self.cells_before.saturating_add(self.rows.saturating_mul(self.widest));
                (self.rows, self.widest, self.blank_rows) = (0, 0, 0);
            }
            "table:table-row" => {
                self.row_times = times(tag, "table:number-rows-repeated")?;
                (self.width, self.blank_cells, self.row_text) = (0, 0, 0);
                if !open {
                    self.blank_rows = self.blank_rows.saturating_add(self.row_times);
                }
            }
            "table:table-cell" | "table:covered-table-cell" => {
                self.cell_times = times(tag, "table:number-columns-repeated")?;
                // A formula is kept with its cell, and so is a value that stands in the tag.
                let mut filled = open;
                self.cell_text = 0;
                for one in tag.attributes().flatten() {
                    let key = one.key.as_ref();
                    filled |= key.starts_with("office:") || key == "table:formula";
                    if key.starts_with("office:") || key == "table:formula" {
                        self.cell_text = self.cell_text.saturating_add(one.value.len() as u64);
                    }
                }
                if filled {
                    self.width = self.width.saturating_add(self.blank_cells).saturating_add(self.cell_times);
                    self.blank_cells = 0;
                } else {
                    self.blank_cells = self.blank_cells.saturating_add(self.cell_times);
                }
                self.in_cell = open;
                if !open {
                    self.cell_ends();
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn says(&mut self, bytes: usize) {
        if self.in_cell {
            self.cell_text = self.cell_text.saturating_add(bytes as u64);
        }
    }

    fn cell_ends(&mut self) {
        self.row_text = self.row_text.saturating_add(self.cell_text.saturating_mul(self.cell_times));
        self.in_cell = false;
    }

    fn ends(&mut self, name: &str) -> Result<(), SheetFault> {
        match name {
            "table:table-cell" | "table:covered-table-cell" => self.cell_ends(),
            "table:table-row" => {
                if self.width == 0 {
                    self.blank_rows = self.blank_rows.saturating_add(self.row_times);
                } else {
                    self.rows = self.rows.saturating_add(self.blank_rows).saturating_add(self.row_times);
                    self.blank_rows = 0;
                    self.widest = self.widest.max(self.width);
                }
                self.text = self.text.saturating_add(self.row_text.saturating_mul(self.row_times));
                let cells = self.cells_before.saturating_add(self.rows.saturating_mul(self.widest));
                if cells > MOST_CELLS as u64 || self.text > MOST_TEXT as u64 {
                    return Err(SheetFault::TooLarge);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

fn times(tag: &BytesStart<'_>, name: &str) -> Result<u64, SheetFault> {
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|_| SheetFault::Broken)?;
        if attribute.key.as_ref() == name {
            return attribute.value.trim().parse().map_err(|_| SheetFault::Broken);
        }
    }
    Ok(1)
}
