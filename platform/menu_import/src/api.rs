//! Operations on imports.

use access::prelude::*;
use catalogue::{
    bulk::{Menu, Undo},
    need,
};
use poem_openapi::payload::{Attachment, AttachmentType};
use serde_json::{Value, json};

use super::{
    columns::{MenuImportColumn, MenuImportField},
    compare::{MenuImportKind, MenuImportLine},
    jobs::{FORGET, READ},
    lines::MenuImportFault,
    rehearsal::{self, Choice, OptionsChoice, Rehearsal, Summary},
    sheet::{self, Sheet},
    sizes::is_same_size,
    store::{self, Import, MenuImportStatus, MenuImports},
    types::{DAY, MenuImport, MenuImportChange},
    upload::{Uploaded, shown},
};

const TEMPLATE_HU: &[u8] = include_bytes!("template-hu.xlsx");
const TEMPLATE_EN: &[u8] = include_bytes!("template-en.xlsx");

fn not_ready(detail: &'static str) -> Problem {
    Problem::new(Code::MENU_IMPORT_NOT_READY).detail(detail)
}

async fn begin_reading(tx: &TenantTx, id: Id<MenuImports>) -> Result<()> {
    work::enqueue(tx, READ, Some(&id.to_string()), json!({"import_id": id}), None).await
}

pub(crate) struct MenuImportsApi;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/menu-imports",
    tag = "Tag::Catalogue"
)]
impl MenuImportsApi {
    /// The newest imports.
    #[oai(path = "/", method = "get", operation_id = "menu_imports_list")]
    async fn list(&self, scope: In<Restaurant, perm::CatalogEdit>) -> Result<Page<MenuImport>> {
        let tx = scope.begin().await?;
        let rows = store::list(&tx, scope.restaurant()).await?;
        Ok(Page::unpaged(rows.into_iter().map(MenuImport::from).collect()))
    }

    /// One import: how far its rehearsal is, what was recognised, what would happen.
    ///
    /// codes: MENU_IMPORT_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "menu_imports_get")]
    async fn get(
        &self, scope: In<Restaurant, perm::CatalogEdit>, id: Path<Id<MenuImports>>,
    ) -> Result<Json<MenuImport>> {
        let tx = scope.begin().await?;
        Ok(Json(store::find(&tx, scope.restaurant(), *id).await?.into()))
    }

    /// Begins an import with a rehearsal. Nothing is written into the menu before it is applied.
    ///
    /// xlsx, xls, ods, csv (UTF-8, UTF-16 or Latin-2; semicolon, comma or tab) or tsv, at most 10 MB. What a
    /// file is, is told from its content. It may hold a menu, options for what is there, or both in two
    /// sheets.
    ///
    /// codes: TOO_LARGE, MEDIA_TYPE_NOT_SUPPORTED
    #[oai(path = "/", method = "post", operation_id = "menu_imports_create")]
    async fn create(
        &self, scope: In<Restaurant, perm::CatalogEdit>, file: Uploaded,
    ) -> Result<Created<MenuImport>> {
        let Uploaded { name, bytes } = file;
        if sheet::kind(&bytes).is_none() {
            return Err(Problem::new(Code::MEDIA_TYPE_NOT_SUPPORTED)
                .detail("the content is no xlsx, xls, ods, csv or tsv"));
        }
        let (id, name) = (Id::new(), shown(&name));
        let tx = scope.begin().await?;
        store::insert(&tx, scope.restaurant(), id, name.clone(), bytes, scope.caller().name()).await?;
        begin_reading(&tx, id).await?;
        forget_later(&tx, id, "file").await?;
        scope
            .audit(
                &tx,
                Some(scope.restaurant().uuid()),
                "menu_imports_create",
                id,
                json!({"file_name": [null, name]}),
            )
            .await?;
        let row = store::find(&tx, scope.restaurant(), id).await?;
        tx.commit().await?;
        Ok(Created(row.into()))
    }

    /// Says which sheet, which columns, and whether faulty rows are left out; the rehearsal begins anew.
    ///
    /// codes: MENU_IMPORT_NOT_EXIST, MENU_IMPORT_NOT_READY, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "menu_imports_update")]
    async fn update(
        &self, scope: In<Restaurant, perm::CatalogEdit>, id: Path<Id<MenuImports>>,
        body: Body<MenuImportChange>,
    ) -> Result<Json<MenuImport>> {
        let change = body.into_inner();
        let (skip_faulty, version) = (change.skip_faulty, change.version);
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        let row = store::lock(&tx, restaurant, *id).await?;
        let logged = rows::Logged::of(*id);
        rows::check_version(&tx, version, row.version, &MenuImport::from(row.clone()), logged).await?;
        if matches!(row.status, MenuImportStatus::Applied | MenuImportStatus::Undone) || !row.has_file {
            return Err(not_ready("it was applied, or its file is gone: send the file again"));
        }
        change_faults(&change, row.summary.as_ref()).if_any()?;
        let skip = skip_faulty.unwrap_or(row.skip_faulty);
        if change.only_skips() {
            store::skip(&tx, *id, skip).await?;
        } else {
            let choice = chosen(change, row.choice, row.summary.as_ref());
            store::choose(&tx, *id, &choice, skip).await?;
            begin_reading(&tx, *id).await?;
        }
        let after = store::find(&tx, restaurant, *id).await?;
        scope
            .audit(
                &tx,
                Some(restaurant.uuid()),
                "menu_imports_update",
                *id,
                json!({"skip_faulty": [row.skip_faulty, skip]}),
            )
            .await?;
        tx.commit().await?;
        Ok(Json(after.into()))
    }

    /// The faulty cells of the rehearsal, by row.
    ///
    /// codes: MENU_IMPORT_NOT_EXIST
    #[oai(path = "/:id/faults", method = "get", operation_id = "menu_import_faults_list")]
    async fn faults(
        &self, scope: In<Restaurant, perm::CatalogEdit>, id: Path<Id<MenuImports>>, paging: Paging,
    ) -> Result<Page<MenuImportFault>> {
        let tx = scope.begin().await?;
        let row = store::find(&tx, scope.restaurant(), *id).await?;
        let total = row.summary.map(|summary| u64::try_from(summary.counts.faults).unwrap_or_default());
        Ok(Page { rows: store::faults(&tx, *id, &paging).await?, total: total.filter(|_| paging.count) })
    }

    /// What the rehearsal found line by line: new, changed with before and after, unchanged, missing in the
    /// file.
    ///
    /// codes: MENU_IMPORT_NOT_EXIST
    #[oai(path = "/:id/lines", method = "get", operation_id = "menu_import_lines_list")]
    async fn lines(
        &self, scope: In<Restaurant, perm::CatalogEdit>, id: Path<Id<MenuImports>>,
        /// Only those of this kind.
        kind: QueryParam<MenuImportKind>, paging: Paging,
    ) -> Result<Page<MenuImportLine>> {
        let tx = scope.begin().await?;
        store::find(&tx, scope.restaurant(), *id).await?;
        let kind = kind.0.map(|kind| match kind {
            MenuImportKind::New => "new",
            MenuImportKind::Changed => "changed",
            MenuImportKind::Unchanged => "unchanged",
            MenuImportKind::Missing => "missing",
        });
        let (rows, total) = store::lines(&tx, *id, kind, &paging).await?;
        Ok(Page { rows, total: paging.count.then_some(total) })
    }

    /// Writes what the rehearsal showed into the menu, all of it or nothing.
    ///
    /// It can be undone for 24 hours. Refused while rows are faulty, unless they are left out on purpose, and
    /// when the menu has changed since the rehearsal: then rehearse again.
    ///
    /// codes: MENU_IMPORT_NOT_EXIST, MENU_IMPORT_NOT_READY, MENU_IMPORT_OUTDATED, VALIDATION_FAILED
    #[oai(path = "/:id/apply", method = "post", operation_id = "menu_imports_apply")]
    async fn apply(
        &self, scope: In<Restaurant, perm::CatalogEdit>, id: Path<Id<MenuImports>>,
    ) -> Result<Json<MenuImport>> {
        let restaurant = scope.restaurant();
        let tx = scope.begin().await?;
        let seen = store::find(&tx, restaurant, *id).await?;
        check_clean(&tx, &seen).await?;
        let file =
            store::file(&tx, *id).await?.ok_or_else(|| not_ready("its file is gone: send it again"))?;
        // No connection is held while the file is read.
        tx.commit().await?;
        let sheets = rehearsal::read(file).await.map_err(|_| Problem::new(Code::MENU_IMPORT_OUTDATED))?;
        let tx = scope.begin().await?;
        let row = store::lock(&tx, restaurant, *id).await?;
        if row.version != seen.version || row.status != MenuImportStatus::Ready {
            return Err(not_ready("it was changed or applied meanwhile"));
        }
        let (done, menu) = again(&tx, restaurant, &row, sheets).await?;
        if done.plan.switches(&menu) {
            need(&scope, "catalog_activate")?;
        }
        if !done.plan.is_empty() {
            let outdated = Code::MENU_IMPORT_OUTDATED;
            catalogue::bulk::write(&tx, restaurant, &done.plan, menu.catalogue_version, outdated).await?;
        }
        let undo =
            serde_json::to_value(menu.undo(&done.plan)).map_err(|_| Problem::new(Code::UNKNOWN_ERROR))?;
        store::applied(&tx, *id, &done, undo).await?;
        forget_later(&tx, *id, "undo").await?;
        let counts = &done.summary.counts;
        let details = json!({
            "file_name": [null, row.file_name],
            "new_products": [null, counts.new_products],
            "new_sizes": [null, counts.new_sizes], "changed_sizes": [null, counts.changed_sizes],
            "new_options": [null, counts.new_options], "changed_options": [null, counts.changed_options],
            "new_categories": [null, counts.new_categories], "new_option_groups": [null,
                counts.new_option_groups], "left_out": [null, counts.faulty_rows],
        });
        scope.audit(&tx, Some(restaurant.uuid()), "menu_imports_apply", *id, details).await?;
        let after = store::find(&tx, restaurant, *id).await?;
        tx.commit().await?;
        Ok(Json(after.into()))
    }

    /// Brings the menu back to what it was before the import, within 24 hours.
    ///
    /// Refused when somebody has changed a row of the import since; `changed` names them.
    ///
    /// codes: MENU_IMPORT_NOT_EXIST, MENU_IMPORT_NOT_READY, MENU_IMPORT_CHANGED
    #[oai(path = "/:id/undo", method = "post", operation_id = "menu_imports_undo")]
    async fn undo(
        &self, scope: In<Restaurant, perm::CatalogEdit>, id: Path<Id<MenuImports>>,
    ) -> Result<Json<MenuImport>> {
        let restaurant = scope.restaurant();
        let tx = scope.begin().await?;
        let row = store::lock(&tx, restaurant, *id).await?;
        let undo = if row.undo_until().is_some() { store::undo(&tx, *id).await? } else { None };
        let undo = undo
            .ok_or_else(|| not_ready("it was not applied within the last 24 hours, or is undone already"))?;
        let undo: Undo = serde_json::from_value(undo).map_err(|_| Problem::new(Code::UNKNOWN_ERROR))?;
        undo.write(&tx, restaurant, Code::MENU_IMPORT_CHANGED).await?;
        store::undone(&tx, *id).await?;
        scope
            .audit(
                &tx,
                Some(restaurant.uuid()),
                "menu_imports_undo",
                *id,
                json!({"file_name": [row.file_name, null]}),
            )
            .await?;
        let after = store::find(&tx, restaurant, *id).await?;
        tx.commit().await?;
        Ok(Json(after.into()))
    }

    /// A spreadsheet to fill in, with every column that is known and some rows as an example.
    ///
    /// Its second sheet names option groups with their options; products take them by name.
    #[oai(path = "/template", method = "get", operation_id = "menu_imports_template")]
    async fn template(&self, scope: In<Restaurant, perm::CatalogEdit>) -> Result<Attachment<Vec<u8>>> {
        drop(scope);
        let (name, bytes) = if kernel::request::hungarian() {
            ("etlap-minta.xlsx", TEMPLATE_HU)
        } else {
            ("menu-template.xlsx", TEMPLATE_EN)
        };
        Ok(Attachment::new(bytes.to_vec()).attachment_type(AttachmentType::Attachment).filename(name))
    }
}

/// The choices so far with those of the change. Another sheet has other columns.
fn chosen(change: MenuImportChange, previous: Choice, summary: Option<&Summary>) -> Choice {
    let mut previous = if change.sheet.is_some() { Choice::default() } else { previous };
    if change.options_sheet.is_some() {
        previous.options = OptionsChoice::default();
    }
    // The columns of one sheet are those of a menu or of options.
    if change.mapping.is_some() && previous.options.sheet == previous.sheet {
        previous.options.sheet = None;
    }
    // Of one sheet alone the later choice counts.
    if change.options_mapping.is_some() && summary.is_none_or(|summary| summary.options_sheet.is_none()) {
        previous.columns = None;
    }
    Choice {
        sheet: change.sheet.or(previous.sheet),
        header_row: change.header_row.or(previous.header_row),
        columns: change.mapping.or(previous.columns),
        options: OptionsChoice {
            sheet: change.options_sheet.or(previous.options.sheet),
            header_row: change.options_header_row.or(previous.options.header_row),
            columns: change.options_mapping.or(previous.options.columns),
        },
    }
}

/// What is wrong with the choices of a change.
fn change_faults(change: &MenuImportChange, summary: Option<&Summary>) -> Problem {
    let mut problem = Problem::new(Code::VALIDATION_FAILED);
    let unknown = |name: &String| summary.is_some_and(|summary| !summary.sheets.contains(name));
    if change.sheet.as_ref().is_some_and(unknown) {
        problem = problem.key("sheet", Fault::NotExist);
    }
    if change.options_sheet.as_ref().is_some_and(|name| !name.is_empty() && unknown(name)) {
        problem = problem.key("options_sheet", Fault::NotExist);
    }
    let (menu, options) = (change.mapping.as_deref(), change.options_mapping.as_deref());
    problem
        .keys(mapping_faults("mapping", menu.unwrap_or_default(), MenuImportField::is_of_menu))
        .keys(mapping_faults("options_mapping", options.unwrap_or_default(), MenuImportField::is_of_options))
}

/// The faults of columns that were chosen: each column and each field once, and each size once; `takes` says which
/// fields their sheet has.
fn mapping_faults(
    name: &str, mapping: &[MenuImportColumn], takes: fn(MenuImportField) -> bool,
) -> Vec<(String, Fault)> {
    let mut found = Vec::new();
    for (at, column) in mapping.iter().enumerate() {
        let mut fault = |key: &str, fault| found.push((format!("{name}.{at}.{key}"), fault));
        let others = || mapping.iter().take(at);
        let size = column.size.as_deref().map(str::trim).unwrap_or_default();
        let is_size = column.field == Some(MenuImportField::SizePrice);
        if column.field.is_some_and(|field| !takes(field)) {
            fault("field", Fault::Invalid);
        }
        if is_size && size.is_empty() {
            fault("size", Fault::Required);
        } else if !is_size && column.size.is_some() {
            fault("size", Fault::Invalid);
        } else if is_size
            && others().any(|other| other.size.as_deref().is_some_and(|one| is_same_size(one, size)))
        {
            fault("size", Fault::NotUnique);
        }
        if !is_size && column.field.is_some() && others().any(|other| other.field == column.field) {
            fault("field", Fault::NotUnique);
        } else if others().any(|other| other.column == column.column) {
            fault("column", Fault::NotUnique);
        }
    }
    found
}

/// Refuses what is not to be written as it is. Faulty rows are named with their fields.
async fn check_clean(tx: &TenantTx, row: &Import) -> Result<()> {
    if row.clean() {
        return Ok(());
    }
    let Some(summary) =
        row.summary.as_ref().filter(|_| row.status == MenuImportStatus::Ready && row.has_file)
    else {
        return Err(not_ready("there is no finished rehearsal"));
    };
    let missing = summary.missing_fields.iter().copied().map(MenuImportField::key);
    let problem = Problem::new(Code::VALIDATION_FAILED);
    problem.clone().keys(missing.map(|key| (key.to_owned(), Fault::Required))).if_any()?;
    if summary.counts.rows == 0 {
        return Err(problem.detail("the sheet has no row to import").key("sheet", Fault::Required));
    }
    let faults: Vec<MenuImportFault> = store::all_faults(tx, row.id).await?;
    let rows: Vec<Value> =
        faults.iter().map(|fault| json!({"row": fault.row, "key": fault.key.key()})).collect();
    Err(problem.key("skip_faulty", Fault::Invalid).with("rows", rows.into()))
}

/// Repeats the rehearsal against the present menu; the result must equal the one that was shown.
async fn again(
    tx: &TenantTx, restaurant: Id<Restaurant>, row: &Import, sheets: Vec<Sheet>,
) -> Result<(Rehearsal, Menu)> {
    let menu = Menu::load(tx, restaurant).await?;
    if row.catalogue_version != Some(menu.catalogue_version) {
        return Err(Code::MENU_IMPORT_OUTDATED.into());
    }
    rehearsal::rehearse(sheets, row.choice.clone(), menu).await.map_err(|_| Code::MENU_IMPORT_OUTDATED.into())
}

/// A day later what is of no more use goes.
async fn forget_later(tx: &TenantTx, id: Id<MenuImports>, what: &str) -> Result<()> {
    let at = kernel::clock::now() + DAY;
    work::enqueue(tx, FORGET, Some(&format!("{id} {what}")), json!({"import_id": id}), Some(at)).await
}
