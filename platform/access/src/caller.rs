//! [`Caller`]: who is calling, as the door answered.

use kernel::{Account, Admin, Id, Result};
use tenants::TenantTx;
use uuid::Uuid;

#[derive(Debug, Clone)]
pub enum Caller {
    Person {
        account: Id<Account>,
        /// The admin row at this partner; none for a super admin.
        admin: Option<Id<Admin>>,
        name: String,
        /// Where the session was opened.
        surface: String,
        session: Uuid,
        /// Whether the admin row is for the whole partner.
        whole_partner: bool,
        /// The support access under which a super admin is here.
        support: Option<Uuid>,
    },
    Key {
        id: Uuid,
        name: String,
        test: bool,
        /// Whether every guest of its pages can read it.
        browser: bool,
    },
}

impl AsRef<Caller> for Caller {
    fn as_ref(&self) -> &Caller {
        self
    }
}

impl Caller {
    /// Whether a key for tests calls.
    #[must_use]
    pub const fn is_test_key(&self) -> bool {
        matches!(self, Self::Key { test: true, .. })
    }

    /// Id of the admin row, the support access or the key.
    #[must_use]
    pub fn id(&self) -> Option<Uuid> {
        match self {
            Self::Person { admin, support, .. } => support.or(admin.map(Id::uuid)),
            Self::Key { id, .. } => Some(*id),
        }
    }

    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Person { name, .. } | Self::Key { name, .. } => name,
        }
    }

    /// `admin`, `support` (a super admin in somebody's data) or `api_key`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Person { support: Some(_), .. } => "support",
            Self::Person { .. } => "admin",
            Self::Key { .. } => "api_key",
        }
    }

    /// Whether it acts for the whole partner, not for single restaurants.
    #[must_use]
    pub fn whole_partner(&self) -> bool {
        matches!(self, Self::Person { whole_partner: true, .. })
    }

    /// The restaurants of a person who does not act for the whole partner; none for anybody else.
    pub async fn restaurants(&self, tx: &TenantTx) -> Result<Vec<Uuid>> {
        let Self::Person { admin: Some(admin), whole_partner: false, .. } = self else { return Ok(vec![]) };
        let sql = "select restaurant_ids from control.admins($1, null, null, null, null, 1, 0)";
        Ok(tx.value(sql, [admin.uuid().into()]).await?.flatten().unwrap_or_default())
    }

    /// The surface of the session; `api` for a key.
    #[must_use]
    pub fn surface(&self) -> &str {
        match self {
            Self::Person { surface, .. } => surface,
            Self::Key { .. } => "api",
        }
    }

    /// To whom an idempotency key belongs.
    #[must_use]
    pub fn owner(&self) -> String {
        match self {
            Self::Person { account, .. } => format!("account:{account}"),
            Self::Key { id, .. } => format!("key:{id}"),
        }
    }
}
