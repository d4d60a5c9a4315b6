//! The database's shape, as numbered SQL files: `control/` for the schemas `control` and `ref`, `tenant/` for
//! each partner's schema. A new migration is a new file; the build collects them. See
//! `docs/decisions/tenancy.md#migrations`.
//!
//! Expand first, contract in a later release: the previous binary must work on the new shape.

use sea_orm_migration::{
    MigrationName, MigrationTrait, SchemaManager, async_trait::async_trait, sea_orm::DbErr,
};
use tenants::{Migrations, Shape};

mod files {
    include!(concat!(env!("OUT_DIR"), "/files.rs"));
}

struct SqlFile {
    name: &'static str,
    sql: &'static str,
}

impl MigrationName for SqlFile {
    fn name(&self) -> &str {
        self.name
    }
}

#[async_trait]
impl MigrationTrait for SqlFile {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        use sea_orm_migration::sea_orm::ConnectionTrait;
        manager.get_connection().execute_unprepared(self.sql).await.map(drop)
    }
}

fn list(files: &'static [(&'static str, &'static str)]) -> Vec<Box<dyn MigrationTrait>> {
    files.iter().map(|(name, sql)| Box::new(SqlFile { name, sql }) as _).collect()
}

/// The database's shape after all migrations.
pub const SHAPE: Shape = Shape {
    control: Migrations(|| list(files::CONTROL)),
    tenant: Migrations(|| list(files::TENANT)),
    newest_control: match files::CONTROL.last() {
        Some((name, _)) => name,
        None => "",
    },
    newest: match files::TENANT.last() {
        Some((name, _)) => name,
        None => "",
    },
    ledgers: &[
        "audit",
        "audit_seal",
        "event",
        "order_history",
        "stock_movement",
        "payable_transaction",
        "shadow_customer_balance",
        "shadow_customer_point",
    ],
};

/// A number that differs when any migration differs: test databases are named by it.
#[must_use]
pub fn fingerprint() -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    (files::CONTROL, files::TENANT).hash(&mut hasher);
    hasher.finish()
}
