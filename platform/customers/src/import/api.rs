//! The operation of an import.

use access::{Pin, prelude::*};
use serde_json::json;
use sheets::SheetFault;

use super::{
    form::Sent,
    rows::{self, Line, RowFault, TableFault},
    store::{self, ShadowCustomerImportRow, ShadowCustomerImportWhat},
};
use crate::seen::Here;

pub(crate) struct Imports;

/// How many rows an answer shows; all are counted.
const SHOWN: usize = 1_000;
/// How many faults a refusal shows.
const FAULTS: usize = 500;

/// What an import did, or would do.
#[derive(Debug, Object)]
struct ShadowCustomerImport {
    dry_run: bool,
    /// New customers.
    added: u32,
    /// Known ones with more than before.
    filled: u32,
    /// Known ones of whom the table says nothing new.
    same: u32,
    /// The first 1,000 rows.
    rows: Vec<ShadowCustomerImportRow>,
}

fn refused(fault: Fault, detail: &'static str) -> Problem {
    Problem::new(Code::VALIDATION_FAILED).key("file", fault).detail(detail)
}

/// Reads a file, which takes time: on a thread that may wait.
async fn read(bytes: Vec<u8>, country: String) -> Result<(Vec<Line>, Vec<RowFault>)> {
    let read = tokio::task::spawn_blocking(move || {
        let sheets = ::sheets::read(&bytes).map_err(|fault| match fault {
            SheetFault::Kind => Problem::new(Code::MEDIA_TYPE_NOT_SUPPORTED)
                .detail("the content is no xlsx, xls, ods, csv or tsv"),
            SheetFault::TooLarge => refused(Fault::Max, "unpacked the file would be too large"),
            SheetFault::Locked => refused(Fault::Invalid, "the file is locked with a password"),
            SheetFault::Broken => refused(Fault::Invalid, "the file breaks off"),
            SheetFault::Empty => refused(Fault::Required, "the file has no rows"),
        })?;
        rows::read(&sheets, &country).map_err(|fault| match fault {
            TableFault::Headings => refused(
                Fault::Pattern,
                "no row has headings of a name, a phone or an e-mail, as an export has them",
            ),
            TableFault::TooMany => refused(Fault::TooLong(rows::MOST), "a file has at most 10,000 rows"),
            TableFault::Empty => refused(Fault::Required, "there is no row below the headings"),
        })
    });
    read.await.map_err(|_| Problem::new(Code::UNKNOWN_ERROR))?
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/shadow-customers",
    tag = "Tag::People"
)]
impl Imports {
    /// Imports customers from a spreadsheet, all rows or none.
    ///
    /// Needs the own PIN. xlsx, xls, ods, csv or tsv, at most 5 MB and 10,000 rows, with the columns of an
    /// export in any order. Who is known by phone, else by e-mail, is filled where empty; nothing is
    /// replaced.
    /// With `dry_run` nothing is written. What is wrong stands in `rows` of the problem: `row`, `key`,
    /// `fault`.
    ///
    /// codes: TOO_LARGE, MEDIA_TYPE_NOT_SUPPORTED
    #[oai(path = "/import", method = "post", operation_id = "shadow_customers_import")]
    async fn import(&self, scope: Here, pin: Pin, sent: Sent) -> Result<Json<ShadowCustomerImport>> {
        pin.own(&scope).await?;
        let tx = scope.begin().await?;
        let country = restaurants::facts(&tx, scope.restaurant()).await?.country;
        tx.commit().await?;
        let (lines, faults) = read(sent.bytes, country).await?;
        if !faults.is_empty() {
            let shown = faults
                .iter()
                .take(FAULTS)
                .map(|one| json!({"row": one.row, "key": one.key, "fault": one.fault.name()}));
            let rows: Vec<_> = shown.collect();
            return Err(refused(Fault::Invalid, "some rows are at fault").with("rows", rows.into()));
        }
        let tx = scope.begin().await?;
        restaurants::facts_of_live(&tx, scope.restaurant()).await?;
        let rows = store::write(&tx, scope.restaurant().uuid(), lines, sent.dry_run).await?;
        let count =
            |what| u32::try_from(rows.iter().filter(|row| row.what == what).count()).unwrap_or(u32::MAX);
        let (added, filled, same) = (
            count(ShadowCustomerImportWhat::Added),
            count(ShadowCustomerImportWhat::Filled),
            count(ShadowCustomerImportWhat::Same),
        );
        // A rehearsal writes nothing else, and is logged too: it tells who is known.
        let place = scope.restaurant();
        let details =
            json!({"added": [null, added], "filled": [null, filled], "dry_run": [null, sent.dry_run]});
        scope.audit(&tx, Some(place.uuid()), "shadow_customers_import", place, details).await?;
        tx.commit().await?;
        let rows = rows.into_iter().take(SHOWN).collect();
        Ok(Json(ShadowCustomerImport { dry_run: sent.dry_run, added, filled, same, rows }))
    }
}
