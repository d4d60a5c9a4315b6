//! Units of work that write at home and on the partner's server: both last, or neither. See
//! `docs/decisions/tenancy.md#servers`.

use std::sync::Arc;

use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, FromQueryResult};
use telemetry::trace;
use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::{
    door::{Door, code},
    places::Place,
    pool::{begin, retry_lost},
    servers::Server,
    tx::{all, is_true, statement, value},
};

const ENTER_HOME: &str = "select set_config('role', $1, true), set_config('search_path', '', true), \
    set_config('pult.trace', coalesce($2, ''), true), set_config('pult.prepared', 'perhaps', true)";
const UNDECIDED: &str = "select gid from control.undecided()";

/// What a unit of work of a partner elsewhere does at home: a transaction there, begun when it is first needed.
pub(crate) struct HomeSide {
    pool: DatabaseConnection,
    server: Arc<Server>,
    role: String,
    tx: OnceCell<DatabaseTransaction>,
    /// Of a transaction that began as one of the platform.
    _place: Option<Place>,
}

impl std::fmt::Debug for HomeSide {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HomeSide").field("server", &self.server.name).finish_non_exhaustive()
    }
}

impl HomeSide {
    pub(crate) fn new(pool: DatabaseConnection, server: Arc<Server>, role: String) -> Self {
        Self { pool, server, role, tx: OnceCell::new(), _place: None }
    }

    /// Goes on with a transaction that has begun at home.
    pub(crate) async fn begun(self, tx: DatabaseTransaction, place: Place) -> Result<Self, DbErr> {
        tx.query_one_raw(self.question()).await?;
        Ok(Self { tx: OnceCell::new_with(Some(tx)), _place: Some(place), ..self })
    }

    fn question(&self) -> sea_orm::Statement {
        statement(ENTER_HOME, [self.role.clone().into(), trace::header().into()])
    }

    pub(crate) async fn transaction(&self) -> Result<&DatabaseTransaction, DbErr> {
        // Not counted among the places: who has one on the partner's server would wait here with it in hand.
        let begun = self.tx.get_or_try_init(async || {
            let tx = begin(&self.pool).await?;
            tx.query_one_raw(self.question()).await?;
            Ok::<_, DbErr>(tx)
        });
        begun.await
    }

    /// Makes both last, or neither: what was written at home is prepared, the partner's server decides, and home
    /// follows. Nobody cuts it, and what is cut all the same is brought to an end by [`Door::settle`].
    pub(crate) async fn commit(self, there: DatabaseTransaction) -> Result<(), DbErr> {
        let Self { pool, server, tx, .. } = self;
        let Some(here) = tx.into_inner() else { return there.commit().await };
        let wrote = "select pg_current_xact_id_if_assigned() is not null";
        if !value(&here, wrote, []).await?.unwrap_or(false) {
            return there.commit().await;
        }
        let done = tokio::spawn(async move {
            let id = Uuid::new_v4();
            let name = prepared(&server.name, id);
            here.execute_unprepared("set local role none").await?;
            here.execute_unprepared(&format!("prepare transaction '{name}'")).await?;
            drop(here);
            let decided = async {
                let decision: Option<bool> =
                    value(&there, "select control.decide($1, true)", [id.into()]).await?;
                if decision != Some(true) {
                    return Err(DbErr::Custom("the unit of work was given up meanwhile".to_owned()));
                }
                there.commit().await
            };
            let decided = decided.await;
            // Whether it was committed, only the server knows now.
            match server.settle(&pool, &name, id).await {
                Ok(true) => {
                    // What is prepared cannot notify; without it runners look by themselves, seconds later.
                    if let Err(error) = pool.execute_unprepared("select pg_notify('pult_job', '')").await {
                        tracing::warn!(%error, "the runners of jobs were not woken");
                    }
                    Ok(())
                }
                Ok(false) => {
                    Err(decided.err().unwrap_or_else(|| DbErr::Custom("nothing was decided".to_owned())))
                }
                Err(error) => {
                    tracing::warn!(%error, name, "a prepared transaction waits to be settled");
                    decided
                }
            }
        });
        done.await.map_err(|error| DbErr::Custom(error.to_string()))?
    }
}

/// The name of a prepared transaction at home: who decides, and under which id.
fn prepared(server: &str, id: Uuid) -> String {
    format!("pult {server} {id}")
}

fn parse_prepared(name: &str) -> Option<(&str, Uuid)> {
    let (server, id) = name.strip_prefix("pult ")?.split_once(' ')?;
    Some((server, id.parse().ok()?))
}

impl Server {
    /// Ends a prepared transaction at home as this server has decided; one that it has not decided by now is given up.
    /// Whether it was committed.
    async fn settle(&self, home: &DatabaseConnection, name: &str, id: Uuid) -> Result<bool, DbErr> {
        let asked = statement("select control.decide($1, false)", [id.into()]);
        let committed = is_true(retry_lost(|| self.pool.query_one_raw(asked.clone())).await?.as_slice());
        let end = if committed { "commit" } else { "rollback" };
        // Made of a configured name and a UUID.
        match home.execute_unprepared(&format!("{end} prepared '{name}'")).await {
            // Somebody else has ended it so.
            Err(error) if code(&error).as_deref() == Some("42704") => Ok(committed),
            ended => ended.map(|_| committed),
        }
    }
}

impl Door {
    /// Ends prepared transactions that whoever made them has left behind, as their servers have decided. How many there
    /// were. Call it every few seconds.
    /// Errors: When the home server does not answer. One whose server does not answer waits for the next
    /// time.
    pub async fn settle(&self) -> Result<usize, DbErr> {
        #[derive(FromQueryResult)]
        struct Left {
            gid: String,
        }
        let left: Vec<Left> = all(&self.pool, UNDECIDED, []).await?;
        let mut settled = 0;
        for Left { gid } in left {
            let Some((server, id)) = parse_prepared(&gid) else { continue };
            let ended = match self.server(server) {
                Ok(server) => server.settle(&self.pool, &gid, id).await,
                Err(error) => Err(error),
            };
            match ended {
                Ok(committed) => {
                    tracing::info!(gid, committed, "a prepared transaction was settled");
                    settled += 1;
                }
                Err(error) => tracing::warn!(gid, %error, "a prepared transaction cannot be settled yet"),
            }
        }
        Ok(settled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_prepared_transaction_says_who_decides() {
        let id = Uuid::new_v4();
        assert_eq!(parse_prepared(&prepared("east-2", id)), Some(("east-2", id)));
        for other in ["", "pult", "pult east", "pult east 1", "other east 0190"] {
            assert_eq!(parse_prepared(other), None, "{other}");
        }
    }
}
