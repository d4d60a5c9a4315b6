//! Conditions for moving a partner to another database server. See `docs/decisions/tenancy.md#servers`.

use sea_orm::{DbErr, FromQueryResult};

use crate::{
    relocate::{Relocation, Row, refused},
    servers::HOME,
    setup::{Setup, check_apart},
    tx::{one, value},
};

#[derive(FromQueryResult, PartialEq)]
struct Installation {
    name: String,
    schema_version: String,
}

/// Instances that could not serve a partner on a server of this name. Each says three times in this time that it is
/// there, and which servers it reaches.
const NOT_KNOWN: &str = "select count(*) from control.instance where seen_at > now() - interval '30 seconds' \
    and not coalesce(figures -> 'servers' @> to_jsonb($1::text), false)";

impl Relocation<'_> {
    pub(crate) async fn check_apart(&self) -> Result<(), DbErr> {
        let Self { home, from, to, .. } = self;
        check_apart(&[(HOME, home), (from.name, from.setup), (to.name, to.setup)]).await
    }

    pub(crate) async fn check(&self) -> Result<Row, DbErr> {
        let row = self.row().await?;
        let cut = row.status == "maintenance" && row.moving.is_some();
        if row.server != self.from.name {
            return Err(refused(&format!("the partner is on {}", row.server)));
        }
        if self.from.name == self.to.name {
            return Err(refused("the partner is there already"));
        }
        if !cut && row.status != "active" && row.status != "suspended" {
            return Err(refused(&format!("the partner's status is {}", row.status)));
        }
        if row.schema_version.as_deref() != Some(self.home.shape.newest) {
            return Err(refused("the partner's schema is of another release: run pult migrate first"));
        }
        for setup in [self.from.setup, self.to.setup] {
            if installation(setup).await? != installation(self.home).await? {
                return Err(refused(
                    "one of the servers is of another installation or release: run pult migrate",
                ));
            }
        }
        // One that was cut may be in its pause: what runs it again releases it in any case.
        if !cut {
            self.check_instances().await?;
        }
        let level: Option<String> =
            value(&self.from.setup.db, "select current_setting('wal_level')", []).await?;
        if !self.at_rest && level.as_deref() != Some("logical") {
            return Err(refused(&format!(
                "{} needs wal_level = logical; without it a partner is moved while it waits (--at-rest)",
                self.from.name
            )));
        }
        Ok(row)
    }

    /// Refuses a target where the partner has already arrived, unless that was this move, cut before the row at home
    /// was changed. After a restore of the home server the target may have what is newer.
    pub(crate) async fn check_target(&self, row: &Row) -> Result<(), DbErr> {
        let cut = row.moving.as_deref() == Some(self.to.name);
        if self.to.name == HOME || cut || self.overwrite {
            return Ok(());
        }
        let sql = "select exists (select from control.partner where id = $1)";
        if value(&self.to.setup.db, sql, [self.id()]).await? == Some(true) {
            return Err(refused(&format!(
                "{} has this partner's data, which may be newer than those of {}: see the page about lost databases, \
                and --overwrite",
                self.to.name, self.from.name
            )));
        }
        Ok(())
    }

    /// Refuses a target that instances at work do not know or reach.
    pub(crate) async fn check_instances(&self) -> Result<(), DbErr> {
        if self.to.name == HOME {
            return Ok(());
        }
        let missing: Option<i64> = value(&self.home.db, NOT_KNOWN, [self.to.name.into()]).await?;
        match missing {
            Some(count @ 1..) => Err(refused(&format!(
                "PULT_DATABASE_SERVERS has no {} in {count} of the instances of the last 30 s, or they do not reach it, \
                or are of an older release",
                self.to.name
            ))),
            _ => Ok(()),
        }
    }
}

async fn installation(setup: &Setup) -> Result<Option<Installation>, DbErr> {
    one(&setup.db, "select name, schema_version from control.installation", []).await
}
