//! The drills. A new one is a module and a row of [`DRILLS`].

mod capacity;
mod clocks;
mod company_fails;
mod database;
mod dependencies;
mod disk_full;
mod flooding;
mod moving;
mod pooler;
mod replica;
mod restore_in_time;
mod restore_one_partner;
mod rolling;
mod secret_key;
mod soak;
mod stuck_migration;
mod windows;

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
        name: "windows-cut",
        sentence: "Windows of the counter are cut at random and instances are killed under load: each hears of every \
                   event once.",
        small: false,
        page: "docs/runbooks/rolling-restart.md",
        run: |context| Box::pin(windows::cut(context)),
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
        small: false,
        page: "docs/runbooks/database-away.md",
        run: |context| Box::pin(database::away(context)),
    },
    Drill {
        name: "database-read-only",
        sentence: "Postgres takes no writes for a while: orders are turned away in order and go on afterwards.",
        small: false,
        page: "docs/runbooks/database-away.md",
        run: |context| Box::pin(database::read_only(context)),
    },
    Drill {
        name: "pool-held",
        sentence: "Another session holds everything that connections wait for: refusals within 3 s, memory flat, all \
                   is well 5 s later.",
        small: false,
        page: "docs/runbooks/pool.md",
        run: |context| Box::pin(capacity::pool_held(context)),
    },
    Drill {
        name: "overload",
        sentence: "Up to ten times what the service can do: it goes on doing what it can and turns the rest away.",
        small: false,
        page: "docs/runbooks/overload.md",
        run: |context| Box::pin(capacity::overload(context)),
    },
    Drill {
        name: "flooding-partner",
        sentence: "One partner floods the service with requests and jobs; another goes on.",
        small: false,
        page: "docs/runbooks/flooding.md",
        run: |context| Box::pin(flooding::partner(context)),
    },
    Drill {
        name: "dependencies-away",
        sentence: "Object store and mail are away: orders go on, uploads say so, mail waits and is sent afterwards.",
        small: false,
        page: "docs/runbooks/outside.md",
        run: |context| Box::pin(dependencies::away(context)),
    },
    Drill {
        name: "company-fails",
        sentence: "A company that 30 % of the requests need hangs, drips, resets, fails, answers garbage and 100 MB: \
                   the others do not notice, and who needs it does not wait.",
        small: false,
        page: "docs/runbooks/outside.md",
        run: |context| Box::pin(company_fails::run(context)),
    },
    Drill {
        name: "clocks-apart",
        sentence: "Two instances with clocks a minute apart that jump by an hour: sessions, jobs and counters hold.",
        small: false,
        page: "docs/runbooks/clocks.md",
        run: |context| Box::pin(clocks::apart(context)),
    },
    Drill {
        name: "secret-key",
        sentence: "PULT_SECRET_KEY is changed under load: no request fails, sessions go on, sealed secrets open.",
        small: false,
        page: "docs/runbooks/key-loss.md",
        run: |context| Box::pin(secret_key::change(context)),
    },
    Drill {
        name: "soak",
        sentence: "Half of what the service can do, for long: memory, descriptors, connections and times stay flat.",
        small: true,
        page: "docs/runbooks/memory.md",
        run: |context| Box::pin(soak::soak(context)),
    },
    Drill {
        name: "restore-in-time",
        sentence: "The server and its files are lost: a base backup and the archived log bring back any moment.",
        small: true,
        page: "docs/runbooks/database-loss.md",
        run: |context| Box::pin(restore_in_time::run(context)),
    },
    Drill {
        name: "restore-one-partner",
        sentence: "One partner goes back to a moment in the past; the others take orders and stay as they are.",
        small: true,
        page: "docs/runbooks/restore-one-partner.md",
        run: |context| Box::pin(restore_one_partner::run(context)),
    },
    Drill {
        name: "read-replica",
        sentence: "Exports read a standby that follows; from one that is behind or away they go to the primary, and \
                   miss nothing.",
        small: false,
        page: "docs/runbooks/replica.md",
        run: |context| Box::pin(replica::read(context)),
    },
    Drill {
        name: "move-partner",
        sentence: "A partner is moved to a second database server and back under load, movers, instances and the second \
                   server are killed: it waits for less than 10 s, nothing is lost, changes over both servers are whole.",
        small: true,
        page: "docs/runbooks/servers.md",
        run: |context| Box::pin(moving::partner(context)),
    },
    Drill {
        name: "stuck-migration",
        sentence: "A migration is killed in the middle, meets a bad row and a second runner: all others are at work.",
        small: false,
        page: "docs/runbooks/stuck-migration.md",
        run: |context| Box::pin(stuck_migration::run(context)),
    },
    Drill {
        name: "disk-full",
        sentence: "The disks of the database, of its log, of the service and of the object store fill up and have \
                   room again.",
        small: false,
        page: "docs/runbooks/database-disk-full.md",
        run: |context| Box::pin(disk_full::run(context)),
    },
    Drill {
        name: "pooler",
        sentence: "PgBouncer that forgets prepared statements is refused at the start by name; one that keeps them \
                   works.",
        small: true,
        page: "docs/operating.md",
        run: |context| Box::pin(pooler::run(context)),
    },
];
