//! Streets that were saved under earlier rules of spelling get today's keys: a job that a migration orders. See
//! `docs/decisions/delivery.md#streets`.

use std::sync::Arc;

use access::prelude::*;
use futures_util::FutureExt;
use sea_orm::FromQueryResult;
use uuid::Uuid;
use work::{Handler, Job, JobContext, JobError};

use crate::street::Keys;

const KIND: &str = "delivery_street_keys";
/// So many rows are read and changed in one transaction.
const BATCH: i64 = 500;

const READ: &str = "select id, name, postcode, city, name_key, postcode_key, city_key from delivery_street \
    where archived_at is null and id > $1 order by id limit $2";
/// A street that its region has already under these keys, spelt otherwise, keeps its own: nothing finds it then.
const WRITE: &str = "update delivery_street s set name_key = $2, postcode_key = $3, city_key = $4 \
    where s.id = $1 and s.archived_at is null and not exists (select from delivery_street o \
        where o.delivery_region_id = s.delivery_region_id and o.archived_at is null and o.id <> s.id \
            and o.name_key = $2 and o.postcode_key is not distinct from $3 and o.city_key is not distinct from $4)";

#[derive(FromQueryResult)]
struct StreetRow {
    id: Uuid,
    name: String,
    postcode: Option<String>,
    city: Option<String>,
    name_key: String,
    postcode_key: Option<String>,
    city_key: Option<String>,
}

pub(crate) fn handlers() -> Vec<(&'static str, Handler)> {
    vec![(KIND, Arc::new(|context, job| rekey(context, job).boxed()))]
}

async fn rekey(context: JobContext, job: Job) -> Result<(), JobError> {
    let mut after = Uuid::nil();
    loop {
        let tx = context.begin(&job).await?;
        let rows: Vec<StreetRow> = tx.all(READ, [after.into(), BATCH.into()]).await?;
        let Some(last) = rows.last() else { return Ok(tx.commit().await?) };
        after = last.id;
        for row in rows {
            let keys = Keys::of_row(&row.name, row.postcode.as_deref(), row.city.as_deref());
            if (&keys.name, &keys.postcode, &keys.city) != (&row.name_key, &row.postcode_key, &row.city_key) {
                let values = [row.id.into(), keys.name.into(), keys.postcode.into(), keys.city.into()];
                tx.run(WRITE, values).await?;
            }
        }
        tx.commit().await?;
    }
}
