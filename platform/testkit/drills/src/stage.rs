//! An installation with its own Postgres, copied from one that is prepared once in a run.

use rig::{
    Connection, Database, Files, Installation, Journal, Result, Service, Shop, free_port, reconcile, request,
};
use tokio::process::Command;

use crate::context::Context;

/// Killed processes lose nothing of this: the machine goes on, so nothing is flushed to its disk.
pub const SETTINGS: &[&str] = &["fsync=off", "full_page_writes=off"];

/// A migrated database with the demo partner and a shop that takes orders.
pub struct Template {
    files: Files,
    installation: Installation,
    shop: Shop,
}

impl Template {
    async fn make(context: &Context) -> Result<Self> {
        let mut database = Database::fresh(&context.programs, SETTINGS).await?;
        let installation =
            Installation::make(&context.binary, &database.url(), &context.folder("template")?).await?;
        let service = installation.serve(free_port()?, free_port()?).await?;
        let shop = Shop::open(&installation, service.address, 0).await?;
        service.terminate().await?;
        database.stop().await?;
        Ok(Self { files: database.files.clone(), installation, shop })
    }

    /// Removes its data.
    pub fn remove(&self) {
        let _ = std::fs::remove_dir_all(&self.files.folder);
    }
}

/// What a drill works with.
pub struct Stage {
    /// The database, whose settings and life the drill may change.
    pub database: Database,
    /// Settings and commands.
    pub installation: Installation,
    /// Where orders go.
    pub shop: Shop,
    /// What was acknowledged.
    pub journal: Journal,
}

impl Stage {
    /// Copies the template and starts its Postgres.
    pub async fn open(context: &Context, name: &str) -> Result<Self> {
        Self::with(context, name, SETTINGS).await
    }

    /// The same with these settings of Postgres.
    pub async fn with(context: &Context, name: &str, settings: &[&str]) -> Result<Self> {
        let template = context.template.get_or_try_init(|| Template::make(context)).await?;
        let files = Files::new(&context.programs)?;
        let copied = Command::new("cp")
            .arg("-a")
            .arg(template.files.folder.join("db"))
            .arg(files.folder.join("db"))
            .status()
            .await?;
        if !copied.success() {
            return Err("the prepared database cannot be copied".into());
        }
        let database = Database::open(files, settings).await?;
        let mut installation = template.installation.on(&database.url())?;
        installation.log_to(&context.folder(name)?);
        let shop = template.shop.seeded(context.seed);
        Ok(Self { database, installation, shop, journal: Journal::default() })
    }

    /// Starts an instance and waits for it.
    pub async fn serve(&self) -> Result<Instance> {
        let (port, metrics) = (free_port()?, free_port()?);
        let service = self.installation.serve(port, metrics).await?;
        Ok(Instance { service, metrics })
    }

    /// Ends everything and compares what was acknowledged with what was written.
    pub async fn close(self, context: &Context, intents: usize) -> Result<()> {
        let acknowledged = self.journal.count();
        let entries = self.journal.entries();
        let mut owner = self.installation.owner().await?;
        let found = reconcile(&mut owner, &self.shop, intents, &entries).await;
        for what in found.iter().take(10) {
            context.did(format!("damage: {what}"));
        }
        context.expect(
            found.is_empty(),
            format!("reconciler: {intents} orders, {acknowledged} acknowledged, {} faults", found.len()),
        );
        drop(owner);
        self.database.remove().await
    }
}

/// A running instance.
pub struct Instance {
    /// The process.
    pub service: Service,
    /// Port of its probes.
    pub metrics: u16,
}

impl Instance {
    /// The value of a series without labels but for these, as `/metrics` names it; none before it has one.
    pub async fn measured(&self, series: &str) -> Result<Option<f64>> {
        let value = |line: &str| line.strip_prefix(series)?.strip_prefix(' ')?.parse().ok();
        Ok(self.measurements().await?.lines().find_map(value))
    }

    /// The jobs that it has begun, of all kinds.
    pub async fn jobs(&self) -> Result<f64> {
        let text = self.measurements().await?;
        let counts = text.lines().filter(|line| line.starts_with("pult_job_wait_seconds_count"));
        Ok(counts.filter_map(|line| line.rsplit_once(' ')?.1.parse::<f64>().ok()).sum())
    }

    async fn measurements(&self) -> Result<String> {
        let mut connection = Connection::open(([127, 0, 0, 1], self.metrics).into()).await?;
        Ok(connection.call(&request("GET", "/metrics", &[], None)).await?.text())
    }
}
