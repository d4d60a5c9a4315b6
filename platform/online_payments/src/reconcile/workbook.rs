//! The workbook of what moved through providers.

use std::collections::HashMap;

use access::prelude::*;
use kernel::time::BusinessDay;
use orders::online::{self, Movement};
use restaurants::Facts;
use sheets::{Cell, Column, write};
use uuid::Uuid;

use super::{
    rules::Difference,
    store::{self, Remark},
};

/// Days of one workbook.
pub(super) const MOST_DAYS: i64 = 31;
/// Rows of one workbook: more have their days named.
const MOST_ROWS: i64 = 50_000;

pub(super) fn days(from: BusinessDay, till: BusinessDay) -> i64 {
    (till.0 - from.0).num_days() + 1
}

fn word(hungarian: bool, hu: &'static str, en: &'static str) -> &'static str {
    if hungarian { hu } else { en }
}

fn columns(hu: bool) -> Vec<Column> {
    let column = |h: &'static str, e: &'static str, width: f64| (word(hu, h, e).into(), width);
    vec![
        column("Időpont", "Time", 17.0),
        column("Üzleti nap", "Business day", 12.0),
        column("Rendelés", "Order", 12.0),
        column("Fizetési mód", "Method", 20.0),
        column("Szolgáltató", "Provider", 12.0),
        column("Környezet", "Environment", 12.0),
        column("Fizetés vagy visszatérítés", "Payment or refund", 18.0),
        column("Összeg", "Amount", 14.0),
        column("A szolgáltató díja", "Provider's fee", 14.0),
        column("A szolgáltató azonosítója", "Provider's id", 36.0),
        column("Saját azonosító", "Our id", 38.0),
        column("Eltérés", "Difference", 30.0),
        column("Magyarázat", "Explanation", 40.0),
    ]
}

fn said(hu: bool, difference: Difference) -> &'static str {
    match difference {
        Difference::MissingThere => word(hu, "a szolgáltatónál nincs meg", "the provider does not know it"),
        Difference::MissingHere => word(hu, "csak a szolgáltatónál van meg", "only the provider knows it"),
        Difference::State => word(hu, "csak az egyik helyen van kifizetve", "paid at one side alone"),
        Difference::Amount => word(hu, "más összeg", "another amount"),
        Difference::Refunded => word(hu, "más összeg ment vissza", "another sum went back"),
        Difference::NotAsked => word(hu, "a szolgáltató nem felelt", "the provider did not answer"),
    }
}

/// Errors: `VALIDATION_FAILED` at `till` where there are too many rows for one workbook.
pub(super) async fn of(tx: &TenantTx, facts: &Facts, days: (BusinessDay, BusinessDay)) -> Result<Vec<u8>> {
    let rows = online::moved(tx, facts.id, days, MOST_ROWS + 1).await?;
    if i64::try_from(rows.len()).unwrap_or(i64::MAX) > MOST_ROWS {
        return Err(Problem::new(Code::VALIDATION_FAILED).key("till", Fault::Max));
    }
    let remarks = store::remarks(tx, facts.id, rows.iter().map(|row| row.attempt_id).collect()).await?;
    let remarks: HashMap<Uuid, Remark> = remarks.into_iter().map(|one| (one.attempt_id, one)).collect();
    let hu = kernel::request::hungarian();
    let zone = facts.schedule.zone;
    let cells = rows.iter().map(|row| {
        let remark = remarks.get(&row.attempt_id);
        line(row, remark, hu, zone)
    });
    let title = word(hu, "Online fizetések", "Online payments");
    write(title, columns(hu), cells).map_err(|error| {
        tracing::error!(%error, "a workbook of payments");
        Code::UNKNOWN_ERROR.into()
    })
}

fn line(row: &Movement, remark: Option<&Remark>, hu: bool, zone: chrono_tz::Tz) -> Vec<Cell> {
    let is_refund = row.value.is_negative();
    let explained = remark.and_then(|one| one.explained.clone());
    let explained = explained.map(|text| match text.as_str() {
        "booked" => word(hu, "az összevetés könyvelte", "booked by the comparison").to_owned(),
        _ => text,
    });
    vec![
        row.paid_at.0.with_timezone(&zone).naive_local().into(),
        row.business_day.map(|day| day.0).into(),
        row.counter.clone().into(),
        row.payment_key.clone().into(),
        row.provider.clone().into(),
        row.environment.clone().into(),
        word(
            hu,
            if is_refund { "visszatérítés" } else { "fizetés" },
            if is_refund { "refund" } else { "payment" },
        )
        .to_owned()
        .into(),
        Cell::Money(row.value, row.currency),
        row.fee.map_or(Cell::Empty, |fee| Cell::Money(fee, row.currency)),
        row.refund_reference.clone().filter(|_| is_refund).or(row.reference.clone()).into(),
        row.attempt_id.to_string().into(),
        remark.map(|one| said(hu, one.difference).to_owned()).into(),
        explained.into(),
    ]
}
