//! The database's shape, handed in by the binary that opens the owner's connection. If this crate depended on
//! the migrations, each new one would recompile every crate above it.

use std::fmt;

use sea_orm_migration::{MigrationTrait, MigratorTraitSelf};

/// A list of migrations, oldest first.
#[derive(Clone, Copy)]
pub struct Migrations(pub fn() -> Vec<Box<dyn MigrationTrait>>);

impl MigratorTraitSelf for Migrations {
    fn migrations(&self) -> Vec<Box<dyn MigrationTrait>> {
        (self.0)()
    }
}

/// The database's shape after all migrations.
#[derive(Clone, Copy)]
pub struct Shape {
    /// `control` and `ref`: once per installation.
    pub control: Migrations,
    /// A partner's schema: once per partner.
    pub tenant: Migrations,
    /// The newest migration of `control` and `ref`.
    pub newest_control: &'static str,
    /// The version a partner's schema has after all migrations: the name of the newest.
    pub newest: &'static str,
    /// Tables whose rows a tenant role never changes or removes. See `docs/decisions/tenancy.md#ledgers`.
    pub ledgers: &'static [&'static str],
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.newest)
    }
}
