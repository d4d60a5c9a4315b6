//! The test kit for all tests through HTTP: the whole service in process, over a real Postgres.
//!
//! Most tests share two prepared partners and have their own restaurant ([`Kit::restaurant`]); tests of
//! access and tenancy take a partner of their own ([`Kit::partner`]). Nothing is dropped: the database server
//! is thrown away.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::missing_panics_doc)]

mod client;
mod east;
pub mod form;
mod listen;
mod plain;
mod plugins;
mod pushes;
mod run;

use std::{cell::RefCell, collections::BTreeMap, num::NonZeroU32, sync::Arc, time::Instant};

use access::{App, BuilderKind, Secrets, Settings};
pub use client::{Answer, Call, Client, DOCUMENT, operation};
use contract::Plugins;
use east::{East, all_are_elsewhere, door, owner, relocate, setups};
use kernel::{Account, Group, Id, Partner, Restaurant};
pub use listen::{CERTIFICATE, CERTIFICATE_KEY, listen};
pub use plain::plain_resource;
pub use plugins::plugins;
use poem::{
    endpoint::BoxEndpoint,
    http::{Method, StatusCode},
};
pub use run::{Test, run};
use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, QueryResult, Statement, Value,
};
use server::socket::Sessions;
use tenants::{AdminSpec, OwnedServer, PartnerSpec, Provisioner, Setup, TenantTx};
pub use testkit_macros::test;
use tokio::sync::OnceCell;
use url::Url;
use uuid::Uuid;
use work::{Hub, Mailer, Outgoing, Runner};

/// The service under test.
pub struct Kit {
    /// The service as one endpoint.
    pub service: BoxEndpoint<'static>,
    /// The state shared by its requests.
    pub app: App,
    /// Wakes sockets, from [`Kit::wake`] on.
    pub hub: Hub,
    /// The sessions with open sockets, watched from [`Kit::wake`] on.
    pub sessions: Sessions,
    /// The address of the database with the login role.
    pub database_url: Url,
    /// Where the service's pool connects: the same, or a pooler before it (`PULT_TEST_POOLER`, host and
    /// port).
    pub pool_url: Url,
    /// The same with the owner.
    pub owner_url: Url,
    owner: DatabaseConnection,
    setup: Setup,
    /// Another database server, where all partners of this bench are.
    east: Option<East>,
    servers: BTreeMap<String, Setup>,
    awake: OnceCell<()>,
}

thread_local! {
    /// The partners made by this test, which has a thread of its own.
    static PARTNERS: RefCell<Vec<Uuid>> = const { RefCell::new(Vec::new()) };
}

const PASSWORD: &str = "app-password-of-the-tests";
/// The partner that most tests share, and one that plays the stranger.
const SHARED: [u128; 2] =
    [0x0190_0000_0000_7000_8000_0000_0000_00a0, 0x0190_0000_0000_7000_8000_0000_0000_00b0];

/// The bench of this process.
pub async fn kit() -> &'static Kit {
    static KIT: OnceCell<Kit> = OnceCell::const_new();
    KIT.get_or_init(Kit::start).await
}

/// Whether the partners that tests share are there.
async fn prepared(owner: &DatabaseConnection) -> bool {
    let last = owner
        .query_one_raw(statement(
            "select 1 from control.partner where id = $1",
            vec![Uuid::from_u128(SHARED[1]).into()],
        ))
        .await;
    matches!(last, Ok(Some(_)))
}

/// Makes the database with them; the first process does, the others wait.
async fn prepare(server: &str, owner_url: &Url) {
    let gate = gate(server).await;
    let setup = Setup::open(owner_url.as_str(), migrations::SHAPE).await.unwrap();
    let owner = Database::connect(owner_url.as_str()).await.unwrap();
    if !prepared(&owner).await {
        let begun = Instant::now();
        setup.migrate_control(PASSWORD, &format!("{:016x}", migrations::fingerprint())).await.unwrap();
        let east = if all_are_elsewhere() { Some(East::beside(owner_url)) } else { None };
        if let Some(east) = &east {
            let east = Setup::open(east.as_str(), migrations::SHAPE).await.unwrap();
            east.migrate_control(PASSWORD, &format!("{:016x}", migrations::fingerprint())).await.unwrap();
        }
        for id in SHARED {
            let id = Id::from_uuid(Uuid::from_u128(id));
            Provisioner::new(&setup).create(&new_partner(id)).await.unwrap();
            if let Some(url) = &east {
                let east = Setup::open(url.as_str(), migrations::SHAPE).await.unwrap();
                let from = OwnedServer { name: tenants::HOME, setup: &setup, url: owner_url };
                let to = OwnedServer { name: East::NAME, setup: &east, url };
                relocate(&setup, from, to, id).await.unwrap();
            }
        }
        eprintln!("testkit: DDL took {} ms of this run", begun.elapsed().as_millis());
    }
    gate.close().await.unwrap();
}

/// A lock for creating roles, which belong to the whole server. It is released with the connection.
async fn gate(server: &str) -> DatabaseConnection {
    let gate =
        Database::connect(ConnectOptions::new(server).max_connections(1).sqlx_logging(false).to_owned())
            .await
            .unwrap();
    gate.execute_unprepared("select pg_advisory_lock(7306)").await.unwrap();
    gate
}

/// A bound statement.
fn statement(sql: &str, values: Vec<Value>) -> Statement {
    Statement::from_sql_and_values(DbBackend::Postgres, sql, values)
}

impl Kit {
    async fn start() -> Self {
        // The service's log of a fault appears beside the failed test. A test that reads the log itself has
        // come before.
        let _ = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::ERROR)
            .with_writer(std::io::stderr)
            .try_init();
        let server = std::env::var("PULT_TEST_DATABASE_URL").expect(
            "PULT_TEST_DATABASE_URL: the address of a throw-away Postgres with a superuser (cargo \
                xtask test starts one)",
        );
        let mut owner_url: Url = server.parse().unwrap();
        let form = if all_are_elsewhere() { "_apart" } else { "" };
        owner_url.set_path(&format!("/pult_test_{:016x}{form}", migrations::fingerprint()));
        let mut database_url = owner_url.clone();
        database_url.set_username("pult_app").unwrap();
        database_url.set_password(Some(PASSWORD)).unwrap();

        let open = || {
            Database::connect(
                ConnectOptions::new(owner_url.as_str()).max_connections(2).sqlx_logging(false).to_owned(),
            )
        };
        let owner = match open().await {
            Ok(owner) if prepared(&owner).await => owner,
            _ => {
                prepare(&server, &owner_url).await;
                open().await.unwrap()
            }
        };
        let setup = Setup::lazy(owner_url.as_str(), migrations::SHAPE).await.unwrap();

        let mut pool_url = database_url.clone();
        if let Ok(pooler) = std::env::var("PULT_TEST_POOLER") {
            let (host, port) = pooler.rsplit_once(':').expect("host and port");
            pool_url.set_host(Some(host)).unwrap();
            pool_url.set_port(Some(port.parse().expect("a port"))).unwrap();
        }
        let east = if all_are_elsewhere() { Some(East::open(&owner_url, &pool_url).await) } else { None };
        let door = door(&pool_url, east.as_ref(), 12).await;
        let settings = Settings {
            public_url: "http://pult.test".parse().unwrap(),
            development: true,
            alone: true,
            trusted_proxies: vec!["127.0.0.1/32".parse().unwrap()],
            // What is limited has tests of its own.
            calls_per_session: NonZeroU32::MAX,
            secrets: Secrets::new(vec![7; 32], vec![]),
            files: files(),
            objects: objects().await,
            builders: [BuilderKind::Partner, BuilderKind::App]
                .map(|kind| (kind, "https://builder.pult.invalid/open?lang=hu".parse().unwrap()))
                .into(),
            map_tiles: None,
            service_worker: true,
        };
        let app = App::new(door, settings).await.unwrap();
        let (hub, sessions) = (Hub::default(), Sessions::default());
        let service = server::routes::service(app.clone(), hub.clone(), sessions.clone(), pushes::plugins());
        let servers = setups(east.as_ref()).await;
        Self {
            service,
            app,
            hub,
            sessions,
            database_url,
            pool_url,
            owner_url,
            owner,
            setup,
            east,
            servers,
            awake: OnceCell::default(),
        }
    }

    /// A second instance of the service on the same database.
    pub async fn second_instance(&self) -> BoxEndpoint<'static> {
        self.instance(self.app.settings.clone(), Outgoing::new(true)).await
    }

    /// Another instance, where a session has one call a second, and two at once.
    pub async fn instance_of_few_calls(&self) -> BoxEndpoint<'static> {
        let settings = Settings { calls_per_session: NonZeroU32::MIN, ..self.app.settings.clone() };
        self.instance(settings, Outgoing::new(true)).await
    }

    /// Another instance with other settings, and its own way to call addresses that tenants wrote down.
    pub async fn instance(&self, settings: Settings, outgoing: Outgoing) -> BoxEndpoint<'static> {
        self.instance_with(settings, outgoing, pushes::plugins()).await
    }

    /// The same with its own plug-ins too.
    pub async fn instance_with(
        &self, settings: Settings, outgoing: Outgoing, plugins: Plugins,
    ) -> BoxEndpoint<'static> {
        let door = self.door(4).await;
        let app = App::calling(door, settings, outgoing).await.unwrap();
        server::routes::service(app, Hub::default(), Sessions::default(), plugins)
    }

    /// The same service with plug-ins.
    pub fn with_plugins(&self, plugins: Plugins) -> BoxEndpoint<'static> {
        server::routes::service(self.app.clone(), self.hub.clone(), self.sessions.clone(), plugins)
    }

    /// A restaurant of one's own in the shared partner: open around the clock, delivering and handing out.
    pub async fn restaurant(&self) -> Place<'_> {
        self.restaurant_of(Id::from_uuid(Uuid::from_u128(SHARED[0]))).await
    }

    /// A restaurant of the partner that plays the stranger.
    pub async fn stranger(&self) -> Place<'_> {
        self.restaurant_of(Id::from_uuid(Uuid::from_u128(SHARED[1]))).await
    }

    /// A partner of one's own with one restaurant.
    pub async fn partner(&self) -> Place<'_> {
        let partner = Id::new();
        self.provisioner().create(&new_partner(partner)).await.unwrap();
        if self.east.is_some() {
            self.relocate(partner, East::NAME).await.unwrap();
        }
        PARTNERS.with_borrow_mut(|partners| partners.push(partner.uuid()));
        self.restaurant_of(partner).await
    }

    /// Another restaurant of this partner.
    pub async fn restaurant_of(&self, partner: Id<Partner>) -> Place<'_> {
        let restaurant: Id<Restaurant> = Id::new();
        let row = self.row("select role from control.partner where id = $1", vec![partner.into()]).await;
        let schema: String = row.try_get("", "role").unwrap();
        let parts = [
            format!(
                // Tests send many orders of one guest: what limits them has tests of its own, and so has what
                // is told of orders that nobody accepts.
                "insert into {schema}.restaurant (id, restaurant_group_id, name, max_waiting_per_phone, \
                 max_waiting_per_guest, escalate_after_minutes, escalate_admins_after_minutes) \
                 select $1, id, 'Teszt ' || $1::text, 1000, 1000, null, null from {schema}.restaurant_group limit 1"
            ),
            format!("insert into {schema}.restaurant_counter (restaurant_id) values ($1)"),
            // Every feature is on: what one that is off answers, the tests of the features ask.
            format!(
                "insert into {schema}.restaurant_feature (restaurant_id, feature) select $1, f from \
                 unnest(array['balance','loyalty','kiosk','tv','push']) f"
            ),
            format!(
                "insert into {schema}.opening_hours (id, restaurant_id, day, open_at, close_at) \
                 select gen_random_uuid(), $1, d, '00:00', '00:00' from \
                 unnest(array['mon','tue','wed','thu','fri','sat','sun']) d"
            ),
        ];
        for part in parts {
            self.owner(&part).execute_raw(statement(&part, vec![restaurant.into()])).await.unwrap();
        }
        let sql = format!("select restaurant_group_id from {schema}.restaurant where id = $1");
        let group: Uuid = self.row(&sql, vec![restaurant.into()]).await.try_get_by_index(0).unwrap();
        let directory = "insert into control.restaurant (id, partner_id, group_id, name, zone) values ($1, $2, $3, \
            'Teszt ' || $1::text, 'Europe/Budapest')";
        let values = vec![restaurant.into(), partner.into(), group.into()];
        self.owner.execute_raw(statement(directory, values)).await.unwrap();
        Place { kit: self, partner, restaurant, schema }
    }

    /// A database of one's own on the same server, for tests of what concerns all partners at once. The roles
    /// are the server's, so installations are made one after another.
    pub async fn own_installation(&self, what: &str) -> (Setup, Url) {
        self.installation(what, false).await
    }

    /// The same, made by an owner that is no superuser, as where somebody else runs the server.
    pub async fn managed_installation(&self, what: &str) -> (Setup, Url) {
        self.installation(what, true).await
    }

    async fn installation(&self, what: &str, managed: bool) -> (Setup, Url) {
        let server = std::env::var("PULT_TEST_DATABASE_URL").expect("it was there when the kit began");
        let gate = gate(&server).await;
        let mut url = self.owner_url.clone();
        // Not the process's number: a server that lives long sees it again.
        let own = &Uuid::new_v4().simple().to_string()[..8];
        if managed {
            let role = format!("managed_{own}");
            // It has the roles as if it had made them: since Postgres 16 that is the right to hand them on, alone.
            let sql = format!(
                "create role {role} login createrole createdb password '{PASSWORD}'; \
                 do $$ begin execute 'grant pult_app, pult_owner, pult_definer, pult_platform, pult_control, \
                 pult_tenant to {role} with ' || case when current_setting('server_version_num')::int < 160000 \
                 then 'admin option' else 'admin true, inherit false, set false' end; end $$"
            );
            gate.execute_unprepared(&sql).await.unwrap();
            url.set_username(&role).unwrap();
            url.set_password(Some(PASSWORD)).unwrap();
        }
        url.set_path(&format!("/pult_{what}_{own}"));
        let setup = Setup::open(url.as_str(), migrations::SHAPE).await.unwrap();
        setup.migrate_control(PASSWORD, &format!("{}{own}", &what[..1])).await.unwrap();
        gate.close().await.unwrap();
        (setup, url)
    }

    /// A bench over an installation of its own beside this one: other database, other roles, the same
    /// settings.
    pub async fn beside(&self, what: &str) -> Self {
        // In a box of its own: a test's thread has a small stack.
        Box::pin(self.installed_beside(what, false, false)).await
    }

    /// The same with another database server, where all of its partners are.
    pub async fn beside_on_two_servers(&self, what: &str) -> Self {
        Box::pin(self.installed_beside(what, true, false)).await
    }

    /// The same with the owner of [`Self::managed_installation`] on both servers.
    pub async fn beside_without_superuser(&self, what: &str) -> Self {
        Box::pin(self.installed_beside(what, true, true)).await
    }

    async fn installed_beside(&self, what: &str, on_two: bool, managed: bool) -> Self {
        let (setup, owner_url) = self.installation(what, managed).await;
        let mut database_url = self.database_url.clone();
        database_url.set_path(owner_url.path());
        let east = if on_two {
            let gate = gate(&std::env::var("PULT_TEST_DATABASE_URL").expect("it was there")).await;
            let there = Setup::open(East::beside(&owner_url).as_str(), migrations::SHAPE).await.unwrap();
            let row = self.owner_of(&owner_url, "select name from control.installation").await;
            there.migrate_control(PASSWORD, &row).await.unwrap();
            gate.close().await.unwrap();
            Some(East::open(&owner_url, &database_url).await)
        } else {
            None
        };
        let owner = owner(&owner_url).await;
        let door = door(&database_url, east.as_ref(), 6).await;
        let servers = setups(east.as_ref()).await;
        let app = App::new(door, self.app.settings.clone()).await.unwrap();
        let (hub, sessions) = (Hub::default(), Sessions::default());
        let service = server::routes::service(app.clone(), hub.clone(), sessions.clone(), pushes::plugins());
        Self {
            service,
            app,
            hub,
            sessions,
            pool_url: database_url.clone(),
            database_url,
            owner_url,
            owner,
            setup,
            east,
            servers,
            awake: OnceCell::default(),
        }
    }

    /// `pult migrate` once more over `control`. It touches roles, which are the server's, so one does it at a
    /// time.
    pub async fn migrate_control_again(&self) {
        let gate =
            gate(&std::env::var("PULT_TEST_DATABASE_URL").expect("it was there when the kit began")).await;
        let name = self.texts("select name from control.installation").await.remove(0);
        self.setup.migrate_control(PASSWORD, &name).await.unwrap();
        gate.close().await.unwrap();
    }

    /// One row as the owner sees it: for looking behind the service, never for preparing what the API can
    /// prepare.
    pub async fn row(&self, sql: &str, values: Vec<Value>) -> QueryResult {
        self.carry_jobs(sql).await;
        self.owner(sql).query_one_raw(statement(sql, values)).await.unwrap().expect("a row")
    }

    /// The first column of every row, as text.
    pub async fn texts(&self, sql: &str) -> Vec<String> {
        self.carry_jobs(sql).await;
        let rows = self.owner(sql).query_all_raw(statement(sql, vec![])).await.unwrap();
        rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
    }

    /// Runs one statement as the owner. What it changes is seen by the next request, as what a request changes.
    pub async fn run(&self, sql: &str, values: Vec<Value>) -> u64 {
        self.carry_jobs(sql).await;
        let changed = self.owner(sql).execute_raw(statement(sql, values)).await.unwrap().rows_affected();
        self.app.recent.answered(&Method::POST, "/api/v3/super-admin/", StatusCode::OK);
        changed
    }

    /// Makes an account with these grants and signs it in.
    pub async fn sign_in(&self, admin: AdminSpec) -> (Id<Account>, Uuid, String) {
        let account = self.provisioner().save_admin(&admin).await.unwrap();
        let session = Uuid::now_v7();
        let sql = "insert into control.session (id, account_id, surface, second_factor, expires_at) values \
            ($1, $2, 'admin', true, now() + interval '1 day')";
        self.run(sql, vec![session.into(), account.into()]).await;
        (account, session, self.app.tokens.issue(account, session).unwrap())
    }

    /// The provisioner, for tests of access and tenancy.
    #[must_use]
    pub fn provisioner(&self) -> Provisioner<'_> {
        Provisioner::new(&self.setup).with_servers(&self.servers)
    }

    /// The owner's connection, for tests of what `pult` does from the command line.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Runs background jobs until none is due. Jobs are shared by all tests of a database: one of this test's
    /// partners, or one of the shared partner that is due by now, is waited for when another test has taken it.
    pub async fn run_jobs(&self) {
        self.run_jobs_with(&pushes::plugins()).await;
    }

    /// The same with plug-ins.
    pub async fn run_jobs_with(&self, plugins: &Plugins) {
        let mailer = Mailer::keeping(mails()).unwrap();
        let handlers: Vec<_> = server::handlers(&self.app, plugins).into_iter().collect();
        let kinds: Vec<String> = handlers.iter().map(|(kind, _)| (*kind).to_owned()).collect();
        let runner = Arc::new(Runner::new(self.app.door.clone(), mailer, self.hub.clone(), handlers));
        let due = self.due_of_shared().await;
        // As long as a process that ended in the middle of one keeps its lease.
        for _ in 0..1_600 {
            while runner.clone().round().await.unwrap() > 0 {}
            // Others may have used up the partner's turns until just now, so one of ours was left.
            if !self.others_run_ours(&kinds, &due).await && runner.clone().round().await.unwrap() == 0 {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }

    async fn due_of_shared(&self) -> Vec<i64> {
        let sql = "select coalesce(array_agg(id), '{}') from control.job where partner_id = $1 \
            and (state = 'running' or state = 'waiting' and run_at <= now())";
        self.row(sql, vec![Uuid::from_u128(SHARED[0]).into()]).await.try_get_by_index(0).unwrap()
    }

    /// A unit of work of a partner, as a job of any crate has one.
    pub async fn unit_of_work(&self, partner: Id<Partner>) -> TenantTx {
        // A kind of its own: no other process takes the job.
        let kind: &'static str = Box::leak(format!("test_{}", Uuid::now_v7().simple()).into_boxed_str());
        let (begun, mut taken) = tokio::sync::mpsc::channel(1);
        let handler: work::Handler = Arc::new(move |context, job| {
            let begun = begun.clone();
            Box::pin(async move {
                let tx = context.begin(&job).await?;
                begun.send(tx).await.map_err(|_| work::JobError::away("nobody waits for it"))
            })
        });
        self.run(
            "insert into control.job (partner_id, kind, args) values ($1, $2, '{}')",
            vec![partner.into(), kind.into()],
        )
        .await;
        let mailer = Mailer::keeping(mails()).unwrap();
        let handlers = vec![(kind, handler)];
        let runner = Arc::new(Runner::new(self.app.door.clone(), mailer, self.hub.clone(), handlers));
        while runner.clone().round().await.unwrap() > 0 {}
        taken.recv().await.unwrap()
    }

    async fn others_run_ours(&self, kinds: &[String], due: &[i64]) -> bool {
        let ours = PARTNERS.with_borrow(Vec::clone);
        let sql = "select exists (select from control.job where state = 'running' \
            and (partner_id = any ($1) or id = any ($3)) and (kind = any ($2) or kind = 'event'))";
        let values = vec![ours.into(), kinds.to_vec().into(), due.to_vec().into()];
        self.row(sql, values).await.try_get_by_index(0).unwrap()
    }

    /// Runs the owner's jobs (new partners, exports, restores, removals) until none is due.
    pub async fn run_owner_jobs(&self) {
        let owner = server::owner(
            self.app.clone(),
            Setup::lazy(self.owner_url.as_str(), migrations::SHAPE).await.unwrap(),
            setups(self.east.as_ref()).await,
        );
        let mailer = Mailer::keeping(mails()).unwrap();
        let handlers = owner.quick().into_iter().chain(owner.long());
        let runner = Arc::new(Runner::new(self.app.door.clone(), mailer, self.hub.clone(), handlers));
        while runner.clone().round().await.unwrap() > 0 {}
    }

    /// How often push notifications were sent to this device.
    #[must_use]
    pub fn pushes_to(&self, token: &str) -> usize {
        pushes::sent(token)
    }

    /// The newest mail to this address (subject, empty line, text). Jobs are shared by all tests of a
    /// database, so another process may be the one that sends it.
    pub async fn mail_to(&self, address: &str) -> String {
        // A process that took the job may have ended in the middle of it: then it is taken again when its
        // lease is over.
        for _ in 0..1_200 {
            self.run_jobs().await;
            if let Some(found) = self.mails_to(address).into_iter().next() {
                return found;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("no mail to {address}");
    }

    /// The mails sent to this address, newest first.
    #[must_use]
    pub fn mails_to(&self, address: &str) -> Vec<String> {
        mail_files_to(address).into_iter().map(|(_, mail)| mail).collect()
    }

    /// The HTML form of the newest mail to this address.
    pub async fn mail_html_to(&self, address: &str) -> String {
        self.mail_to(address).await;
        let (file, _) = mail_files_to(address).into_iter().next().expect("a mail");
        std::fs::read_to_string(file.with_extension("html")).expect("a mail with an HTML form")
    }
}

/// The files of the mails to this address, newest first, each with what stands below the address.
fn mail_files_to(address: &str) -> Vec<(std::path::PathBuf, String)> {
    let mut files: Vec<_> =
        std::fs::read_dir(mails()).into_iter().flatten().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "mail"));
    files.sort();
    let read = |file: std::path::PathBuf| {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        Some((file, text.strip_prefix(&format!("{address}\n"))?.to_owned()))
    };
    files.into_iter().rev().filter_map(read).collect()
}

/// An object store of this process, over a folder that all tests of the database share.
pub async fn objects() -> object_storage::Settings {
    let access = sandbox::s3::Access {
        key: "test".into(),
        secret: "secret-of-the-tests".into(),
        bucket: "pult".into(),
    };
    let folder = std::env::temp_dir().join(format!("pult-test-objects-{:016x}", migrations::fingerprint()));
    let service = sandbox::s3::service(&folder, &access).unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint: Url = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    tokio::spawn(sandbox::s3::serve(listener, service));
    object_storage::Settings {
        public_url: endpoint.join(&access.bucket).unwrap(),
        endpoint,
        bucket: access.bucket,
        region: "us-east-1".into(),
        access_key: access.key,
        secret_key: access.secret,
    }
}

/// Where the files of this database's tests are kept.
fn files() -> std::path::PathBuf {
    std::env::temp_dir().join(format!("pult-test-files-{:016x}", migrations::fingerprint()))
}

/// Where the mails of this database's tests are kept.
fn mails() -> std::path::PathBuf {
    std::env::temp_dir().join(format!("pult-test-mails-{:016x}", migrations::fingerprint()))
}

fn new_partner(id: Id<Partner>) -> PartnerSpec {
    PartnerSpec {
        id,
        name: format!("Partner {id}"),
        mode: "live",
        group: Id::<Group>::new(),
        restaurants: vec![],
    }
}

/// A restaurant of a test.
#[derive(Clone)]
pub struct Place<'k> {
    /// The bench.
    pub kit: &'k Kit,
    /// Its partner.
    pub partner: Id<Partner>,
    /// The restaurant.
    pub restaurant: Id<Restaurant>,
    /// The partner's schema and role.
    pub schema: String,
}

impl<'k> Place<'k> {
    fn admin_of(&self, keys: &[&str], whole: bool, partner_wide: bool) -> AdminSpec {
        AdminSpec {
            email: format!("{}@pult.test", Uuid::now_v7().simple()),
            first_name: "Próba".into(),
            last_name: "Teszt".into(),
            password_hash: None,
            super_admin: false,
            target: Some((self.partner, (!partner_wide).then(|| vec![self.restaurant]))),
            permission_keys: keys.iter().map(|key| (*key).to_owned()).collect(),
            full_target_access: whole,
            surfaces: vec!["admin".into()],
        }
    }

    async fn client(&self, admin: AdminSpec) -> Client<'k> {
        let (_, _, token) = self.kit.sign_in(admin).await;
        Client::new(&self.kit.service, self.partner, self.restaurant).bearer(token)
    }

    /// An admin of this restaurant who may everything there.
    pub async fn admin(&self) -> Client<'k> {
        self.client(self.admin_of(&[], true, false)).await
    }

    /// An admin of the whole partner who may everything there.
    pub async fn partner_admin(&self) -> Client<'k> {
        self.client(self.admin_of(&[], true, true)).await
    }

    /// An admin of this restaurant with these keys only.
    pub async fn with_keys(&self, keys: &[&str]) -> Client<'k> {
        self.client(self.admin_of(keys, false, false)).await
    }

    /// A super admin.
    pub async fn super_admin(&self) -> Client<'k> {
        let mut admin = self.admin_of(&[], false, false);
        admin.super_admin = true;
        admin.target = None;
        self.client(admin).await
    }

    /// An API key of this restaurant with these scopes, made through the API.
    pub async fn api_key(&self, scopes: &[&str]) -> Client<'k> {
        let made = self
            .admin()
            .await
            .post("/api-keys")
            .json(serde_json::json!({"name": "teszt", "scopes": scopes}))
            .send()
            .await;
        let key = made.assert(201).json()["api_key"].as_str().unwrap().to_owned();
        Client::new(&self.kit.service, self.partner, self.restaurant).bearer(key)
    }

    /// A client without a credential.
    #[must_use]
    pub fn nobody(&self) -> Client<'k> {
        Client::new(&self.kit.service, self.partner, self.restaurant)
    }

    /// Gives the restaurant a group of its own, in forints: its currency can be changed there. Answers the
    /// group.
    pub async fn own_group(&self) -> Uuid {
        let (group, schema) = (Uuid::now_v7(), &self.schema);
        let made = format!("insert into {schema}.restaurant_group (id, name) values ($1, 'Saját')");
        self.kit.run(&made, vec![group.into()]).await;
        let values = vec![self.restaurant.into(), group.into()];
        let moved = format!("update {schema}.restaurant set restaurant_group_id = $2 where id = $1");
        self.kit.run(&moved, values.clone()).await;
        self.kit.run("update control.restaurant set group_id = $2 where id = $1", values).await;
        group
    }

    /// How many rows of a tenant table belong to this restaurant.
    pub async fn count(&self, table: &str) -> i64 {
        let sql = format!("select count(*) n from {}.{table} where restaurant_id = $1", self.schema);
        self.kit.row(&sql, vec![self.restaurant.into()]).await.try_get("", "n").unwrap()
    }
}
