//! Customers as a workbook, with the columns that an import reads.

use access::{Pin, prelude::*};
use poem_openapi::payload::{Attachment, AttachmentType};
use sea_orm::FromQueryResult;
use serde_json::json;
use sheets::{Cell, WriteFault};

use crate::{
    import::COLUMNS,
    seen::{Seen, seen_from},
};

pub(crate) struct Exports;

/// The most rows of one workbook.
const MOST: i64 = 200_000;

const ROWS: &str = "select c.last_name, c.first_name, c.phone_1, c.phone_2, c.email, c.note, c.comment, \
        a.country, a.postcode, a.city, a.street, a.premise_number, a.building, a.floor, a.door_number, \
        a.doorbell, \
        a.address_notes \
    from shadow_customer c left join lateral (select a.* from shadow_customer_address a \
        where a.shadow_customer_id = c.id order by a.last_used_at desc nulls last, a.created_at, a.id \
        limit 1) a on true \
    where c.archived_at is null and c.merged_into is null \
    and ($1::uuid is null or exists (select from shadow_customer_restaurant r where r.shadow_customer_id = \
    c.id \
        and r.restaurant_id = $1)) \
    order by ref.fold(c.name), c.id limit $2";

macro_rules! exported {
    ($($field:ident),*) => {
        #[derive(Debug, FromQueryResult)]
        struct Row { $($field: Option<String>),* }

        impl Row {
            fn cells(self) -> Vec<Cell> { vec![$(self.$field.into()),*] }
        }
    };
}
exported!(
    last_name, first_name, phone_1, phone_2, email, note, comment, country, postcode, city, street,
    premise_number, building, floor, door_number, doorbell, address_notes
);

fn workbook(rows: Vec<Row>, hungarian: bool) -> Result<Vec<u8>, WriteFault> {
    let columns = COLUMNS.iter().map(|column| (if hungarian { column.hu } else { column.en }.into(), 20.0));
    let title = if hungarian { "Vendégek" } else { "Customers" };
    sheets::write(title, columns.collect(), rows.into_iter().map(Row::cells))
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/shadow-customers",
    tag = "Tag::People"
)]
impl Exports {
    /// The customers whom the caller sees as a workbook (xlsx), with the columns that an import reads.
    ///
    /// Needs the own PIN. It is a line of the audit log.
    #[oai(path = "/export", method = "get", operation_id = "shadow_customers_export")]
    async fn export(
        &self, scope: In<Restaurant, perm::CustomerExport>, pin: Pin,
    ) -> Result<Attachment<Vec<u8>>> {
        pin.own(&scope).await?;
        let tx = scope.begin().await?;
        let seen = Seen::of(&tx, &scope).await?;
        let rows: Vec<Row> = tx.all(ROWS, [seen_from(&scope).map(Id::uuid).into(), MOST.into()]).await?;
        let details = json!({"customers": [null, rows.len()]});
        let place = scope.restaurant();
        scope.audit(&tx, Some(seen.restaurant), "shadow_customers_export", place, details).await?;
        tx.commit().await?;
        let hungarian = kernel::request::hungarian();
        let failed = |error: &dyn std::fmt::Display| {
            tracing::error!(%error, "a workbook of customers cannot be written");
            Problem::new(Code::UNKNOWN_ERROR)
        };
        let made = tokio::task::spawn_blocking(move || workbook(rows, hungarian)).await;
        let bytes = made.map_err(|error| failed(&error))?.map_err(|error| failed(&error))?;
        let name = if hungarian { "vendegek.xlsx" } else { "customers.xlsx" };
        Ok(Attachment::new(bytes).attachment_type(AttachmentType::Attachment).filename(name))
    }
}
