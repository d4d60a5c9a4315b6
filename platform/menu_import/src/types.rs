//! Bodies and answers about imports.

use access::prelude::*;

use super::{
    columns::{MenuImportColumn, MenuImportField},
    rehearsal::{
        MenuImportColumnPreview, MenuImportCounts, MenuImportOptionGroup, MenuImportSize,
        MenuImportUnusedColumn,
    },
    store::{Import, MenuImportStatus, MenuImports},
};

/// Why a file cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum MenuImportError {
    /// The content is no table, whatever the file's name.
    Kind,
    /// It is damaged.
    Broken,
    /// It holds more than a menu may: 5,000 lines, 50,000 rows, 60 MB unpacked.
    TooLarge,
    /// It is protected with a password.
    Locked,
    /// There is nothing in it.
    Empty,
}

/// An import of a menu: the rehearsal and what became of it.
#[derive(Debug, Object)]
pub(crate) struct MenuImport {
    pub id: Id<MenuImports>,
    pub file_name: String,
    pub file_size: i32,
    pub status: MenuImportStatus,
    /// Percent.
    pub progress: i32,
    pub error: Option<MenuImportError>,
    /// The sheet that is imported; `null` in a text file.
    pub sheet: Option<String>,
    pub sheets: Vec<String>,
    /// The sheet that names option groups with their options; it is imported along with the other one.
    pub options_sheet: Option<String>,
    /// `sheet` names option groups with their options, and products stay as they are. `mapping` makes a menu
    /// of it.
    pub only_options: bool,
    /// Number of the row with the headings; 0: there is none.
    pub header_row: Option<i32>,
    /// What each column holds.
    pub columns: Vec<MenuImportColumnPreview>,
    /// Number of the row with the headings of the options; `null`: no options.
    pub options_header_row: Option<i32>,
    /// What each column of the sheet with the options holds; with `only_options` the same as `columns`.
    pub options_columns: Vec<MenuImportColumnPreview>,
    /// The sizes that the file names, the most frequent ones first, at most 40.
    pub sizes: Vec<MenuImportSize>,
    /// The option groups of the file, each with its rule.
    pub option_groups: Vec<MenuImportOptionGroup>,
    /// Columns with content that the import leaves out, also those of `options_sheet`.
    pub unused_columns: Vec<MenuImportUnusedColumn>,
    /// Sheets with content that the import leaves out.
    pub unused_sheets: Vec<String>,
    /// Fields that a menu needs and no column holds.
    pub missing_fields: Vec<MenuImportField>,
    /// Whether faulty rows are left out.
    pub skip_faulty: bool,
    pub counts: Option<MenuImportCounts>,
    /// Whether it can be applied as it is.
    pub can_apply: bool,
    /// Until when it can be undone.
    pub undo_until: Option<Timestamp>,
    pub applied_at: Option<Timestamp>,
    pub undone_at: Option<Timestamp>,
    /// Who imports.
    pub actor_name: String,
    pub created_at: Timestamp,
    pub version: i64,
}

/// For how long an import can be undone, and its file is kept.
pub(crate) const DAY: chrono::Duration = chrono::Duration::hours(24);

impl Import {
    /// Why it cannot be applied as it is, or nothing.
    pub(crate) fn clean(&self) -> bool {
        self.status == MenuImportStatus::Ready
            && self.has_file
            && self.summary.as_ref().is_some_and(|summary| {
                summary.missing_fields.is_empty()
                    && summary.counts.rows > 0
                    && (self.skip_faulty || summary.counts.faulty_rows == 0)
            })
    }

    pub(crate) fn undo_until(&self) -> Option<Timestamp> {
        let until = self.applied_at.map(|at| Timestamp::from(chrono::DateTime::from(at) + DAY));
        until.filter(|until| {
            self.has_undo && self.status == MenuImportStatus::Applied && *until > Timestamp::now()
        })
    }
}

impl From<Import> for MenuImport {
    fn from(row: Import) -> Self {
        let (can_apply, undo_until) = (row.clean(), row.undo_until());
        let summary = row.summary;
        let counts = summary.as_ref().map(|summary| summary.counts.clone());
        Self {
            id: row.id,
            file_name: row.file_name,
            file_size: row.file_size,
            status: row.status,
            progress: row.progress,
            error: row.error.as_deref().map(|error| match error {
                "kind" => MenuImportError::Kind,
                "too_large" => MenuImportError::TooLarge,
                "locked" => MenuImportError::Locked,
                "empty" => MenuImportError::Empty,
                _ => MenuImportError::Broken,
            }),
            sheet: summary.as_ref().map(|summary| summary.sheet.clone()).filter(|name| !name.is_empty()),
            sheets: summary.as_ref().map(|summary| summary.sheets.clone()).unwrap_or_default(),
            options_sheet: summary.as_ref().and_then(|summary| summary.options_sheet.clone()),
            only_options: summary.as_ref().is_some_and(|summary| summary.only_options),
            header_row: summary.as_ref().and_then(|summary| i32::try_from(summary.header_row).ok()),
            missing_fields: summary
                .as_ref()
                .map(|summary| summary.missing_fields.clone())
                .unwrap_or_default(),
            unused_columns: summary
                .as_ref()
                .map(|summary| summary.unused_columns.clone())
                .unwrap_or_default(),
            unused_sheets: summary.as_ref().map(|summary| summary.unused_sheets.clone()).unwrap_or_default(),
            options_header_row: summary
                .as_ref()
                .and_then(|summary| i32::try_from(summary.options_header_row?).ok()),
            options_columns: summary
                .as_ref()
                .map(|summary| summary.options_columns.clone())
                .unwrap_or_default(),
            sizes: summary.as_ref().map(|summary| summary.sizes.clone()).unwrap_or_default(),
            option_groups: summary.as_ref().map(|summary| summary.option_groups.clone()).unwrap_or_default(),
            columns: summary.map(|summary| summary.columns).unwrap_or_default(),
            skip_faulty: row.skip_faulty,
            counts,
            can_apply,
            undo_until,
            applied_at: row.applied_at,
            undone_at: row.undone_at,
            actor_name: row.actor_name,
            created_at: row.created_at,
            version: row.version,
        }
    }
}

/// What is to be done otherwise. Everything but `skip_faulty` begins a new rehearsal, and so does an empty
/// change.
#[derive(Debug, Object)]
pub(crate) struct MenuImportChange {
    /// Another sheet; its columns are recognised anew unless `mapping` is sent too.
    #[oai(validator(max_length = 200))]
    pub sheet: Option<String>,
    /// Number of the row with the headings; 0: there is none.
    #[oai(validator(minimum(value = "0"), maximum(value = "50000")))]
    pub header_row: Option<i32>,
    /// What the columns hold; one that is not named is left out.
    #[oai(validator(max_items = 100))]
    pub mapping: Option<Vec<MenuImportColumn>>,
    /// The sheet with the options; empty: none of them. `sheet` itself where it holds nothing else.
    #[oai(validator(max_length = 200))]
    pub options_sheet: Option<String>,
    /// Number of the row with the headings of the options; 0: there is none.
    #[oai(validator(minimum(value = "0"), maximum(value = "50000")))]
    pub options_header_row: Option<i32>,
    /// What the columns of the options hold; one that is not named is left out.
    #[oai(validator(max_items = 100))]
    pub options_mapping: Option<Vec<MenuImportColumn>>,
    /// Leave faulty rows out.
    pub skip_faulty: Option<bool>,
    pub version: Option<i64>,
}

impl MenuImportChange {
    /// Whether it says nothing but what becomes of faulty rows.
    pub(crate) fn only_skips(&self) -> bool {
        let Self { sheet, header_row, mapping, options_sheet, options_header_row, options_mapping, .. } =
            self;
        let nothing = sheet.is_none() && header_row.is_none() && mapping.is_none();
        let no_options = options_sheet.is_none() && options_header_row.is_none() && options_mapping.is_none();
        self.skip_faulty.is_some() && nothing && no_options
    }
}
