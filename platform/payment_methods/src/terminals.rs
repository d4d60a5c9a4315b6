//! The known card terminals: those of the store that the restaurant has chosen.

use access::prelude::*;
use contract::Terminal;
use sea_orm::FromQueryResult;
use uuid::Uuid;

pub(crate) struct CardTerminals;

kernel::resource!(CardTerminals, "terminals", "TERMINAL");

/// How a terminal is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum TerminalType {
    /// Of OTP, in the restaurant's network.
    Ospi,
    /// Of Teya, through its cloud.
    Teya,
}

/// A card terminal.
#[derive(Debug, Object, FromQueryResult)]
#[oai(rename = "CardTerminal")]
struct Shown {
    /// The maker's id, which a scheme names.
    terminal_id: String,
    terminal_type: TerminalType,
    /// Our id of it.
    backend_id: Id<CardTerminals>,
    /// The maker's number of the device, as printed on it.
    device_id: Option<String>,
    name: String,
    /// In the restaurant's network; none of terminals that are reached through a cloud.
    ip: Option<String>,
    manufacturer: Option<String>,
    /// When it was last reported to be there.
    last_health_check_at: Option<Timestamp>,
}

const KNOWN: &str = "select id backend_id, terminal_type, terminal_id, device_id, name, ip, manufacturer, \
    last_health_check_at from card_terminal \
    where restaurant_id = $1 and archived_at is null order by terminal_type, ref.fold(name), id";

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/terminals",
    tag = "Tag::Restaurants"
)]
impl CardTerminals {
    /// The restaurant's card terminals by name.
    #[oai(path = "/", method = "get", operation_id = "terminals_list")]
    async fn list(&self, scope: In<Restaurant, perm::NoPermRequired>) -> Result<Page<Shown>> {
        let tx = scope.begin().await?;
        Ok(Page::unpaged(tx.all(KNOWN, [scope.restaurant().into()]).await?))
    }
}

const ARCHIVE_MISSING: &str = "update card_terminal set archived_at = now() \
    where restaurant_id = $1 and terminal_type = 'teya' and archived_at is null and terminal_id <> all ($2)";
const UPSERT: &str = "insert into card_terminal as t (id, restaurant_id, terminal_type, terminal_id, \
    device_id, name, manufacturer, last_health_check_at) \
    values ($1, $2, 'teya', $3, $4, $5, 'Teya', now()) \
    on conflict (restaurant_id, terminal_type, terminal_id) do update \
    set device_id = excluded.device_id, name = excluded.name, last_health_check_at = now(), archived_at = \
    null";

/// Stores the terminals that the company reports for the chosen store, and archives all others.
pub(crate) async fn keep(tx: &TenantTx, restaurant: Id<Restaurant>, terminals: &[Terminal]) -> Result<()> {
    let ids: Vec<String> = terminals.iter().map(|one| one.terminal_id.clone()).collect();
    tx.run(ARCHIVE_MISSING, [restaurant.into(), ids.into()]).await?;
    for one in terminals {
        let serial = Some(one.serial_number.clone()).filter(|serial| !serial.is_empty());
        let values = [
            Uuid::now_v7().into(),
            restaurant.into(),
            one.terminal_id.clone().into(),
            serial.into(),
            one.terminal_name.clone().into(),
        ];
        tx.run(UPSERT, values).await?;
    }
    Ok(())
}
