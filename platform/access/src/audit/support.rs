//! Lines about a support access that no request writes: its end after an hour, and sockets that open and
//! close.

use std::sync::Arc;

use futures_util::FutureExt;
use kernel::{Id, Partner, Restaurant};
use sea_orm::DbErr;
use serde_json::json;
use uuid::Uuid;
use work::{Handler, JobError};

use super::seal;
use crate::app::App;

/// The job that is due when a support access ends by itself; `support_id` is its argument, its key too.
pub const SUPPORT_END: &str = "support_end";

/// The job that logs the end of a support access.
pub(crate) fn handler() -> (&'static str, Handler) {
    let handler: Handler = Arc::new(|context, job| {
        async move {
            let id: Uuid = job.arg("support_id")?;
            let tx = context.begin_platform().await?;
            let partner: Option<Uuid> = tx
                .value("select control.end_support($1) partner", [id.into()])
                .await?
                .ok_or_else(|| JobError::retry("the database answered nothing"))?;
            tx.commit().await?;
            partner.into_iter().for_each(|partner| seal::note_unsealed(partner.into()));
            Ok(())
        }
        .boxed()
    });
    (SUPPORT_END, handler)
}

/// Writes into the partner's log that a socket under this support access was `opened` or `closed`; the access
/// may have ended meanwhile.
pub async fn socket_step(
    app: &App, support: Uuid, restaurant: Id<Restaurant>, step: &str, request: &str,
) -> Result<(), DbErr> {
    let details = json!({"method": [null, "SOCKET"], "path": [null, "/fresh-orders"], "step": [null, step]});
    let sql = "select control.support_line($1, $2, 'support_step', $3, $4) partner";
    let values = [support.into(), restaurant.into(), request.into(), details.into()];
    let partner: Option<Id<Partner>> = app.door.value(sql, values).await?.flatten();
    partner.into_iter().for_each(seal::note_unsealed);
    Ok(())
}
