//! A second database server for partners to be on. Here that is another database of the same server.

use std::collections::BTreeMap;

use kernel::{Id, Partner};
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbErr};
use tenants::{Door, DoorSettings, OwnedServer, Relocation, ServerAddress, Setup};
use url::Url;
use work::Hub;

use crate::{Kit, statement};

/// Another database on the same server, which plays a database server of its own.
pub(crate) struct East {
    owner: DatabaseConnection,
    pub(crate) owner_url: Url,
    /// As the login role reaches it, like [`Kit::pool_url`].
    address: ServerAddress,
}

impl East {
    pub(crate) const NAME: &str = "east";

    /// Beside the database of this address.
    pub(crate) fn beside(url: &Url) -> Url {
        let mut url = url.clone();
        url.set_path(&format!("{}_{}", url.path(), Self::NAME));
        url
    }

    pub(crate) async fn open(owner_url: &Url, pool_url: &Url) -> Self {
        let owner_url = Self::beside(owner_url);
        let address = ServerAddress { name: Self::NAME.into(), url: Self::beside(pool_url).into() };
        Self { owner: owner(&owner_url).await, owner_url, address }
    }
}

/// Whether all partners of the tests are on another server than `control`.
pub(crate) fn all_are_elsewhere() -> bool {
    std::env::var_os("PULT_TEST_ELSEWHERE").is_some()
}

/// A connection of the owner.
pub(crate) async fn owner(url: &Url) -> DatabaseConnection {
    let options = ConnectOptions::new(url.as_str()).max_connections(2).sqlx_logging(false).to_owned();
    Database::connect(options).await.unwrap()
}

/// Moves a partner from one server to another, while it waits.
pub(crate) async fn relocate(
    home: &Setup, from: OwnedServer<'_>, to: OwnedServer<'_>, partner: Id<Partner>,
) -> Result<(), DbErr> {
    let relocation = Relocation { partner, home, from, to, at_rest: true, overwrite: false };
    loop {
        match relocation.run(|_| {}).await {
            // Other tests move theirs.
            Err(error) if error.to_string().contains("under way") => {
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            }
            moved => return moved.map(drop),
        }
    }
}

impl Kit {
    fn owned_server(&self, name: &str) -> OwnedServer<'_> {
        match &self.east {
            Some(east) if name == East::NAME => {
                OwnedServer { name: East::NAME, setup: &self.servers[East::NAME], url: &east.owner_url }
            }
            _ => OwnedServer { name: tenants::HOME, setup: &self.setup, url: &self.owner_url },
        }
    }

    /// Moves a partner to `east` or `default`, while it waits.
    ///
    /// # Errors
    /// Why it stays where it was.
    pub async fn relocate(&self, partner: Id<Partner>, to: &str) -> Result<(), DbErr> {
        let from = tenants::server_of(&self.setup, partner).await?;
        relocate(&self.setup, self.owned_server(&from), self.owned_server(to), partner).await
    }

    /// Ends a move of the partner that was cut.
    ///
    /// # Errors
    /// When none was.
    pub async fn stay(&self, partner: Id<Partner>) -> Result<(), DbErr> {
        let place = tenants::server_of(&self.setup, partner).await?;
        tenants::stay(&self.setup, self.owned_server(&place), partner).await
    }

    /// The owner's connections to the servers beside the home server, by name.
    #[must_use]
    pub fn servers(&self) -> &BTreeMap<String, Setup> {
        &self.servers
    }

    /// The other server's address with the owner.
    #[must_use]
    pub fn east_url(&self) -> Option<&Url> {
        self.east.as_ref().map(|east| &east.owner_url)
    }

    /// The door of another instance, with as many connections.
    pub async fn door(&self, connections: u32) -> Door {
        door(&self.pool_url, self.east.as_ref(), connections).await
    }

    /// The door of an instance that knows only the home server.
    pub async fn door_at_home(&self) -> Door {
        door(&self.pool_url, None, 2).await
    }

    /// Has a hub listen to all database servers, as a running service does.
    pub fn listen(&self, hub: &Hub) {
        tokio::spawn(hub.clone().listen(self.database_url.to_string()));
        if let Some(east) = &self.east {
            tokio::spawn(hub.clone().listen(east.address.url.clone()));
        }
    }

    /// Has the service's own hub listen, and its sessions be watched, when they are not yet.
    pub async fn wake(&self) {
        let begin = async || {
            self.listen(&self.hub);
            tokio::spawn(self.sessions.clone().watch(self.app.clone()));
            while !self.hub.listening() {
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            }
        };
        self.awake.get_or_init(begin).await;
    }

    /// What the binary is told of the other database server.
    #[must_use]
    pub fn server_settings(&self) -> Vec<(&'static str, String)> {
        let all = self.east.iter().flat_map(|east| {
            let named = |url: &str| format!("{}={url}", East::NAME);
            [
                ("PULT_DATABASE_SERVERS", named(&east.address.url)),
                ("PULT_DATABASE_SERVERS_OWNER", named(east.owner_url.as_str())),
            ]
        });
        all.collect()
    }

    pub(crate) async fn owner_of(&self, url: &Url, sql: &str) -> String {
        let row = owner(url).await.query_one_raw(statement(sql, vec![])).await.unwrap().expect("a row");
        row.try_get_by_index(0).unwrap()
    }

    /// Whoever asks for jobs means those that wait on the other server too.
    pub(crate) async fn carry_jobs(&self, sql: &str) {
        if self.east.is_some() && sql.contains("control.job") {
            let proof = tenants::PlatformProof::runner();
            work::carrier::carry(&self.app.door, &proof, East::NAME).await.unwrap();
        }
    }

    /// The owner's connection to the server with what this statement names.
    pub(crate) fn owner(&self, sql: &str) -> &DatabaseConnection {
        match &self.east {
            Some(east) if !tenants::asks_home(sql) => &east.owner,
            _ => &self.owner,
        }
    }
}

/// The door of an instance.
pub(crate) async fn door(url: &Url, east: Option<&East>, connections: u32) -> Door {
    let settings = DoorSettings {
        url: url.to_string(),
        connections,
        lifetime: DoorSettings::LIFETIME,
        patience: std::time::Duration::from_secs(5),
        development: true,
    };
    let servers: Vec<_> = east.map(|east| east.address.clone()).into_iter().collect();
    Door::open(&settings).await.unwrap().with_servers(&servers, &settings).await.unwrap()
}

pub(crate) async fn setups(east: Option<&East>) -> BTreeMap<String, Setup> {
    let mut setups = BTreeMap::new();
    if let Some(east) = east {
        let setup = Setup::lazy(east.owner_url.as_str(), migrations::SHAPE).await.unwrap();
        setups.insert(East::NAME.to_owned(), setup);
    }
    setups
}
