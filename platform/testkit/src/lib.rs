//! The bench of every test that goes through HTTP: the whole service in process, over a real Postgres.
//!
//! Most tests share two prepared partners and have their own restaurant ([`Kit::restaurant`]); tests of access and
//! tenancy take a partner of their own ([`Kit::partner`]). Nothing is dropped one by one: the server is thrown away.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::missing_panics_doc)]

mod client;
mod plain;

use std::{sync::Arc, time::Instant};

use access::{App, Settings};
pub use client::{Answer, Call, Client};
use kernel::{Account, Group, Id, Partner, Restaurant};
pub use plain::plain_resource;
use poem::endpoint::BoxEndpoint;
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, QueryResult, Statement, Value};
use server::socket::Sessions;
use tenants::{Door, DoorSettings, NewAdmin, NewPartner, Provisioner, Setup};
use tokio::sync::OnceCell;
use url::Url;
use uuid::Uuid;
use work::{Hub, Mailer, Runner};

/// The service under test.
pub struct Kit {
    /// The service as one endpoint.
    pub service: BoxEndpoint<'static>,
    /// What its requests share.
    pub app: App,
    /// Wakes sockets; listens only in tests that start it.
    pub hub: Hub,
    /// The sessions with open sockets; watched only in tests that start it.
    pub sessions: Sessions,
    /// The address of the database with the login role.
    pub database_url: Url,
    /// The same with the owner.
    pub owner_url: Url,
    owner: DatabaseConnection,
    setup: Setup,
}

const PASSWORD: &str = "app-password-of-the-tests";
/// The partner that most tests share, and one that plays the stranger.
const SHARED: [u128; 2] = [0x0190_0000_0000_7000_8000_0000_0000_00a0, 0x0190_0000_0000_7000_8000_0000_0000_00b0];

/// The bench of this process.
pub async fn kit() -> &'static Kit {
    static KIT: OnceCell<Kit> = OnceCell::const_new();
    KIT.get_or_init(Kit::start).await
}

/// A bound statement.
fn statement(sql: &str, values: Vec<Value>) -> Statement {
    Statement::from_sql_and_values(DbBackend::Postgres, sql, values)
}

impl Kit {
    async fn start() -> Self {
        let server = std::env::var("PULT_TEST_DATABASE_URL")
            .expect("PULT_TEST_DATABASE_URL: the address of a throw-away Postgres with a superuser (cargo xtask test starts one)");
        let mut owner_url: Url = server.parse().unwrap();
        let gate = Database::connect(ConnectOptions::new(owner_url.as_str()).max_connections(1).sqlx_logging(false).to_owned()).await.unwrap();
        gate.execute_unprepared("select pg_advisory_lock(7306)").await.unwrap();
        owner_url.set_path(&format!("/pult_test_{:016x}", migrations::fingerprint()));
        let mut database_url = owner_url.clone();
        database_url.set_username("pult_app").unwrap();
        database_url.set_password(Some(PASSWORD)).unwrap();

        let setup = Setup::open(owner_url.as_str()).await.unwrap();
        let owner = Database::connect(ConnectOptions::new(owner_url.as_str()).max_connections(2).sqlx_logging(false).to_owned()).await.unwrap();
        let prepared = owner.query_one_raw(statement("select 1 from control.partner where id = $1", vec![Uuid::from_u128(SHARED[1]).into()])).await;
        if !matches!(prepared, Ok(Some(_))) {
            let begun = Instant::now();
            setup.migrate_control(PASSWORD, &format!("{:016x}", migrations::fingerprint())).await.unwrap();
            let provisioner = Provisioner::new(&setup);
            for id in SHARED {
                provisioner.create(&new_partner(Id::from_uuid(Uuid::from_u128(id)))).await.unwrap();
            }
            eprintln!("testkit: DDL took {} ms of this run", begun.elapsed().as_millis());
        }
        gate.execute_unprepared("select pg_advisory_unlock(7306)").await.unwrap();
        let _ = gate.close().await;

        let door = Door::open(&DoorSettings { url: database_url.to_string(), connections: 12, development: true }).await.unwrap();
        let settings = Settings {
            public_url: "http://pult.test".parse().unwrap(),
            development: true,
            trusted_proxies: vec!["127.0.0.1".parse().unwrap()],
            secret: vec![7; 32],
        };
        let app = App::new(door, settings).await.unwrap();
        let (hub, sessions) = (Hub::default(), Sessions::default());
        let service = server::routes::service(app.clone(), hub.clone(), sessions.clone());
        Self { service, app, hub, sessions, database_url, owner_url, owner, setup }
    }

    /// A second instance of the service on the same database.
    pub async fn second_instance(&self) -> BoxEndpoint<'static> {
        let door = Door::open(&DoorSettings { url: self.database_url.to_string(), connections: 4, development: true }).await.unwrap();
        let app = App::new(door, self.app.settings.clone()).await.unwrap();
        server::routes::service(app, Hub::default(), Sessions::default())
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
        Provisioner::new(&self.setup).create(&new_partner(partner)).await.unwrap();
        self.restaurant_of(partner).await
    }

    /// Another restaurant of this partner.
    pub async fn restaurant_of(&self, partner: Id<Partner>) -> Place<'_> {
        let restaurant: Id<Restaurant> = Id::new();
        let row = self.row("select role from control.partner where id = $1", vec![partner.into()]).await;
        let schema: String = row.try_get("", "role").unwrap();
        let parts = [
            format!(
                "insert into {schema}.restaurant (id, restaurant_group_id, name) select $1, id, 'Teszt ' || $1::text from {schema}.restaurant_group limit 1"
            ),
            format!("insert into {schema}.restaurant_counter (restaurant_id) values ($1)"),
            format!(
                "insert into {schema}.opening_hours (id, restaurant_id, day, open_at, close_at) \
                 select gen_random_uuid(), $1, d, '00:00', '00:00' from unnest(array['mon','tue','wed','thu','fri','sat','sun']) d"
            ),
        ];
        for part in parts {
            self.owner.execute_raw(statement(&part, vec![restaurant.into()])).await.unwrap();
        }
        let directory = format!(
            "insert into control.restaurant (id, partner_id, group_id, name, zone) select r.id, $2, r.restaurant_group_id, r.name, 'Europe/Budapest' from {schema}.restaurant r where r.id = $1"
        );
        self.owner.execute_raw(statement(&directory, vec![restaurant.into(), partner.into()])).await.unwrap();
        Place { kit: self, partner, restaurant, schema }
    }

    /// One row as the owner sees it: for looking behind the service, never for preparing what the API can prepare.
    pub async fn row(&self, sql: &str, values: Vec<Value>) -> QueryResult {
        self.owner.query_one_raw(statement(sql, values)).await.unwrap().expect("a row")
    }

    /// Runs one statement as the owner.
    pub async fn run(&self, sql: &str, values: Vec<Value>) -> u64 {
        self.owner.execute_raw(statement(sql, values)).await.unwrap().rows_affected()
    }

    /// Makes an account with these grants and signs it in.
    pub async fn sign_in(&self, admin: NewAdmin) -> (Id<Account>, Uuid, String) {
        let account = Provisioner::new(&self.setup).save_admin(&admin).await.unwrap();
        let session = Uuid::now_v7();
        let sql = "insert into control.session (id, account_id, surface, expires_at) values ($1, $2, 'admin', now() + interval '1 day')";
        self.run(sql, vec![session.into(), account.into()]).await;
        (account, session, self.app.tokens.issue(account, session).unwrap())
    }

    /// The provisioner, for tests of access and tenancy.
    #[must_use]
    pub fn provisioner(&self) -> Provisioner<'_> {
        Provisioner::new(&self.setup)
    }

    /// Runs background jobs until none is due.
    pub async fn run_jobs(&self) {
        let mailer = Mailer::new("smtp://127.0.0.1:9", "pult@pult.test").unwrap();
        let runner = Arc::new(Runner::new(self.app.door.clone(), mailer, self.hub.clone(), server::handlers()));
        while runner.clone().round().await.unwrap() > 0 {}
    }
}

fn new_partner(id: Id<Partner>) -> NewPartner {
    NewPartner { id, name: format!("Partner {id}"), mode: "live", group: Id::<Group>::new(), restaurants: vec![] }
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
    fn admin_of(&self, keys: &[&str], whole: bool, partner_wide: bool) -> NewAdmin {
        NewAdmin {
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

    async fn client(&self, admin: NewAdmin) -> Client<'k> {
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
        let made = self.admin().await.post("/api-keys").json(serde_json::json!({"name": "teszt", "scopes": scopes})).send().await;
        let key = made.assert(201).json()["api_key"].as_str().unwrap().to_owned();
        Client::new(&self.kit.service, self.partner, self.restaurant).bearer(key)
    }

    /// Somebody without a credential.
    #[must_use]
    pub fn nobody(&self) -> Client<'k> {
        Client::new(&self.kit.service, self.partner, self.restaurant)
    }

    /// How many rows of a tenant table belong to this restaurant.
    pub async fn count(&self, table: &str) -> i64 {
        let sql = format!("select count(*) n from {}.{table} where restaurant_id = $1", self.schema);
        self.kit.row(&sql, vec![self.restaurant.into()]).await.try_get("", "n").unwrap()
    }
}
