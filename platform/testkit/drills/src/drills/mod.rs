//! The drills. A new one is a module and a row of [`DRILLS`].

mod database;
mod rolling;

use std::pin::Pin;

use rig::Result;

use crate::context::Context;

/// A running drill.
pub type Running<'a> = Pin<Box<dyn Future<Output = Result<()>> + 'a>>;

/// One drill.
pub struct Drill {
    /// As it is called.
    pub name: &'static str,
    /// What it does and proves.
    pub sentence: &'static str,
    /// Whether it has a short form that every change runs.
    pub small: bool,
    /// What to do when it happens.
    pub page: &'static str,
    /// Runs it. Damage is told to the context; an error means that it could not go on.
    pub run: for<'a> fn(&'a Context) -> Running<'a>,
}

/// All of them, in the order in which they run.
pub const DRILLS: &[Drill] = &[
    Drill {
        name: "rolling-restart",
        sentence: "Two instances behind a balancer are replaced under load, the first time with a new release: no \
                   request fails, no socket misses an event.",
        small: true,
        page: "docs/runbooks/rolling-restart.md",
        run: |context| Box::pin(rolling::restart(context)),
    },
    Drill {
        name: "upgrade-and-rollback",
        sentence: "The same behind PgBouncer: upgraded, rolled back and upgraded again without a failed request.",
        small: false,
        page: "docs/runbooks/rolling-restart.md",
        run: |context| Box::pin(rolling::upgrade_and_rollback(context)),
    },
    Drill {
        name: "database-restart",
        sentence: "Postgres is restarted under load: nobody waits long, nothing is lost, all is back within 10 s.",
        small: true,
        page: "docs/runbooks/database-away.md",
        run: |context| Box::pin(database::restart(context)),
    },
    Drill {
        name: "database-away",
        sentence: "The network to Postgres is parted for 20 s: refusals within 3 s, no hang, back within 10 s.",
        small: true,
        page: "docs/runbooks/database-away.md",
        run: |context| Box::pin(database::away(context)),
    },
    Drill {
        name: "database-read-only",
        sentence: "Postgres takes no writes for a while: orders are turned away in order and go on afterwards.",
        small: true,
        page: "docs/runbooks/database-away.md",
        run: |context| Box::pin(database::read_only(context)),
    },
];
