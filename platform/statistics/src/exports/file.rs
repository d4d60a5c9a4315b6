//! The file of an export in either format.

use std::path::Path;

use access::prelude::*;
use sheets::{Cell, Column, SheetWriter};
use work::JobError;

use super::{columns::Export, delimited::TextWriter};

/// What kind of file an export is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum ExportFormat {
    /// A workbook.
    #[default]
    Xlsx,
    /// Text in UTF-8 with semicolons between cells.
    Csv,
}

impl ExportFormat {
    pub(crate) const ALL: [Self; 2] = [Self::Xlsx, Self::Csv];

    /// Its name, which files end with.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Xlsx => "xlsx",
            Self::Csv => "csv",
        }
    }

    pub(crate) const fn content_type(self) -> &'static str {
        match self {
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Self::Csv => "text/csv; charset=utf-8",
        }
    }
}

/// A file that is being written row by row.
pub(crate) enum FileWriter {
    Sheet(Box<SheetWriter>),
    Text(Box<TextWriter>),
}

impl FileWriter {
    /// Begins the file of an export at `part`; a workbook lies in pieces beside it until it is finished.
    pub(crate) fn begin(export: &Export, columns: Vec<Column>, part: &Path) -> Result<Self, JobError> {
        Ok(match export.format {
            ExportFormat::Xlsx => {
                let folder = part.parent().unwrap_or(part);
                let sheet = SheetWriter::begin(Some(folder), export.title(), columns);
                Self::Sheet(Box::new(sheet.map_err(JobError::retry)?))
            }
            ExportFormat::Csv => {
                let text = TextWriter::begin(part, &columns, export.english);
                Self::Text(Box::new(text.map_err(JobError::retry)?))
            }
        })
    }

    pub(crate) fn row(&mut self, cells: &[Cell]) -> Result<(), JobError> {
        match self {
            Self::Sheet(sheet) => sheet.row(cells).map_err(JobError::retry),
            Self::Text(text) => text.row(cells).map_err(JobError::retry),
        }
    }

    pub(crate) fn finish(self, part: &Path) -> Result<(), JobError> {
        match self {
            Self::Sheet(sheet) => sheet.finish(part).map_err(JobError::retry),
            Self::Text(text) => text.finish().map_err(JobError::retry),
        }
    }
}
