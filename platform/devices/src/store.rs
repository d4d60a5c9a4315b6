//! Queries about devices in `control`. The partner is that of the unit of work.

use access::{
    App, describe, network,
    prelude::*,
    sealed::{DataKey, Place},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use kernel::{DeviceKind, clock};
use rand::RngCore;
use sea_orm::FromQueryResult;
use uuid::Uuid;
use work::events;

use crate::{
    events::Event,
    types::{Device, Devices},
};

const LIST: &str = "select d.id, d.kind, d.name, d.subject_id, d.sealed, d.pairing_until, d.paired_at, \
    d.last_seen_at, d.address, d.user_agent, d.created_at from control.devices($1, $2, $3) d";
/// The names of the screens that devices show.
const SUBJECTS: &str = "select id, name from restaurant_tv where id = any ($1) union all \
    select id, name from kiosk where id = any ($1)";

/// A device that was seen within this time is present; it reports every 20 s.
const PRESENT_SECONDS: i64 = 60;

#[derive(FromQueryResult)]
struct DeviceRow {
    id: Id<Devices>,
    kind: String,
    name: String,
    subject_id: Option<Uuid>,
    sealed: Option<Vec<u8>>,
    pairing_until: Option<Timestamp>,
    paired_at: Option<Timestamp>,
    last_seen_at: Option<Timestamp>,
    address: String,
    user_agent: String,
    created_at: Timestamp,
}

#[derive(FromQueryResult)]
struct Subject {
    id: Uuid,
    name: String,
}

impl DeviceRow {
    /// None for a kind of a later release: it is no device of another kind, and no list here can tell of it.
    fn shown(self, subjects: &[Subject]) -> Option<Device> {
        let row = self;
        let kind = DeviceKind::of(&row.kind)?;
        let shows = subjects.iter().find(|subject| Some(subject.id) == row.subject_id);
        let of_kind = |one| row.subject_id.filter(|_| kind == one);
        Some(Device {
            id: row.id,
            name: row.name,
            kind,
            restaurant_tv_id: of_kind(DeviceKind::GuestTv).map(Id::from_uuid),
            restaurant_kiosk_id: of_kind(DeviceKind::Kiosk).map(Id::from_uuid),
            shows: shows.map(|subject| subject.name.clone()),
            by_address: row.sealed.is_some(),
            online: row
                .last_seen_at
                .is_some_and(|seen| (clock::now() - seen.0).num_seconds() < PRESENT_SECONDS),
            paired_at: row.paired_at,
            pairing_until: row.pairing_until,
            last_seen_at: row.last_seen_at,
            seen_with: describe(&row.user_agent),
            seen_from: network(&row.address),
            created_at: row.created_at,
            pairing: None,
        })
    }
}

pub(crate) async fn all(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Vec<Device>> {
    listed(tx, restaurant, None).await
}

async fn listed(tx: &TenantTx, restaurant: Id<Restaurant>, id: Option<Uuid>) -> Result<Vec<Device>> {
    let values = [restaurant.into(), id.into(), None::<Uuid>.into()];
    let rows: Vec<DeviceRow> = tx.all(LIST, values).await?;
    let subjects: Vec<Uuid> = rows.iter().filter_map(|row| row.subject_id).collect();
    let subjects: Vec<Subject> =
        if subjects.is_empty() { vec![] } else { tx.all(SUBJECTS, [subjects.into()]).await? };
    Ok(rows.into_iter().filter_map(|row| row.shown(&subjects)).collect())
}

pub(crate) async fn find(tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<Devices>) -> Result<Device> {
    listed(tx, restaurant, Some(id.uuid())).await?.pop().ok_or_else(Problem::not_exist::<Devices>)
}

/// Adds a device that is not paired yet.
pub(crate) async fn create(
    tx: &TenantTx, restaurant: Id<Restaurant>, id: Id<Devices>, kind: DeviceKind, name: &str,
    subject: Option<Uuid>,
) -> Result<()> {
    tx.run(
        "select control.create_device($1, $2, $3, $4, $5)",
        [id.into(), restaurant.into(), kind.name().into(), name.into(), subject.into()],
    )
    .await?;
    Ok(())
}

pub(crate) async fn rename(tx: &TenantTx, id: Id<Devices>, name: &str) -> Result<()> {
    tx.run("select control.rename_device($1, $2)", [id.into(), name.into()]).await?;
    Ok(())
}

/// Opens the pairing; false when another device waits with the same code.
pub(crate) async fn open_pairing(
    tx: &TenantTx, id: Id<Devices>, code: Vec<u8>, link: Vec<u8>, minutes: i32,
) -> Result<bool> {
    Ok(tx
        .value(
            "select control.open_pairing($1, $2, $3, $4) done",
            [id.into(), code.into(), link.into(), minutes.into()],
        )
        .await?
        .unwrap_or(false))
}

/// Ends a device: its secret is dead from the next request on.
pub(crate) async fn revoke(tx: &TenantTx, id: Id<Devices>) -> Result<()> {
    tx.run("select control.revoke_device($1)", [id.into()]).await?;
    Ok(())
}

/// Revokes every device of this guest TV or kiosk, and notifies them. The last statement before the commit.
pub(crate) async fn revoke_all(tx: &TenantTx, restaurant: Id<Restaurant>, subject: Uuid) -> Result<()> {
    let sql = "select control.revoke_device(d.id) from control.devices($1, null, $2) d";
    tx.rows(sql, [restaurant.into(), subject.into()]).await?;
    notify(tx, restaurant).await
}

/// Notifies windows and devices that devices have changed; sockets of revoked devices close. It locks the
/// restaurant's counter, so it is the last statement before the commit.
pub(crate) async fn notify(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
    events::publish(tx, &Event::Changed(restaurant)).await
}

/// A new secret of a device, 192 random bits.
pub(crate) fn secret() -> String {
    let mut random = [0_u8; 24];
    rand::rng().fill_bytes(&mut random);
    format!("{}{}", access::paired::DEVICE_PREFIX, URL_SAFE_NO_PAD.encode(random))
}

/// The device by whose address a guest TV is opened, and its secret.
#[derive(Debug)]
pub(crate) struct Linked {
    pub device: Id<Devices>,
    pub subject: Uuid,
    pub secret: Option<String>,
}

#[derive(FromQueryResult)]
struct LinkedRow {
    id: Id<Devices>,
    subject_id: Uuid,
    sealed: Vec<u8>,
}

/// Those of all guest TVs of a restaurant, or of one.
pub(crate) async fn linked(
    app: &App, tx: &TenantTx, restaurant: Id<Restaurant>, subject: Option<Uuid>,
) -> Result<Vec<Linked>> {
    let sql = "select d.id, d.subject_id, d.sealed from control.devices($1, null, $2) d where d.sealed is \
        not null and d.subject_id is not null";
    let rows: Vec<LinkedRow> = tx.all(sql, [restaurant.into(), subject.into()]).await?;
    if rows.is_empty() {
        return Ok(vec![]);
    }
    let key = DataKey::of(app, tx).await?;
    let linked = rows.into_iter().map(|LinkedRow { id, subject_id, sealed }| {
        let plain = key.open(place(&id.to_string()), &sealed);
        let secret = plain.ok().and_then(|plain| String::from_utf8(plain).ok());
        Linked { device: id, subject: subject_id, secret }
    });
    Ok(linked.collect())
}

fn place(device: &str) -> Place<'_> {
    Place { table: "device", column: "sealed", row: device }
}

/// Gives a device that is known by its address another secret; the one before is dead at once.
pub(crate) async fn link(app: &App, tx: &TenantTx, device: Id<Devices>) -> Result<String> {
    let secret = secret();
    let sealed = DataKey::of(app, tx).await?.seal(place(&device.to_string()), secret.as_bytes())?;
    tx.run(
        "select control.link_device($1, $2, $3)",
        [device.into(), access::digest(&secret).into(), sealed.into()],
    )
    .await?;
    Ok(secret)
}
