//! Queries about admins: functions of `control` inside the partner's transaction, and the staff copy.

use std::collections::BTreeMap;

use kernel::{Code, Id, Paging, Problem, Restaurant, Result, money::Percent, time::Timestamp};
use rust_decimal::Decimal;
use sea_orm::{FromQueryResult, QueryResult};
use serde_json::{Map, Value, json};
use tenants::TenantTx;
use uuid::Uuid;

use super::{
    rules::{PermissionKeys, Rights, Tree},
    types::{Admin, AdminLanguage, AdminProvider, AdminStatus, AdminSurface, TargetType},
};
use crate::{details::Details, permissions::Permissions};
use access::pin::Lookup;

/// The permission tree with its ids.
pub(crate) struct Catalogue {
    pub tree: Tree,
    /// In the order of the tree.
    ids: Vec<(Uuid, String)>,
    by_key: BTreeMap<String, usize>,
}

#[derive(FromQueryResult)]
struct PermissionRow {
    id: Uuid,
    key: String,
    parent_key: Option<String>,
}

impl Catalogue {
    /// Reads it; the rows are fixed by the migrations.
    pub(crate) async fn load(tx: &TenantTx) -> Result<Self> {
        let sql = "select id, key, parent_key from ref.permission order by ranking";
        let rows: Vec<PermissionRow> = tx.all(sql, []).await?;
        let mut ids = Vec::with_capacity(rows.len());
        let mut tree = Vec::with_capacity(rows.len());
        for PermissionRow { id, key, parent_key } in rows {
            tree.push((key.clone(), parent_key));
            ids.push((id, key));
        }
        let by_key = ids.iter().enumerate().map(|(at, (_, key))| (key.clone(), at)).collect();
        Ok(Self { tree: Tree::new(tree), ids, by_key })
    }

    pub(crate) fn key(&self, id: Id<Permissions>) -> Option<&str> {
        self.ids.iter().find(|(one, _)| *one == id.uuid()).map(|(_, key)| key.as_str())
    }

    /// The ids of keys, in the order of the tree.
    pub(crate) fn ids<'a>(&self, keys: impl IntoIterator<Item = &'a str>) -> Vec<Id<Permissions>> {
        let mut places: Vec<usize> =
            keys.into_iter().filter_map(|key| self.by_key.get(key).copied()).collect();
        places.sort_unstable();
        places.into_iter().filter_map(|at| self.ids.get(at)).map(|(id, _)| Id::from_uuid(*id)).collect()
    }

    fn held(&self, rights: &Rights) -> Vec<String> {
        if rights.full {
            self.ids.iter().map(|(_, key)| key.clone()).collect()
        } else {
            rights.keys.iter().cloned().collect()
        }
    }
}

/// One person with what the rules look at.
pub(crate) struct Person {
    pub admin: Admin,
    pub rights: Rights,
    /// Has accepted; an invited one may be shown as active.
    pub accepted: bool,
}

/// A row of `control.admins`.
#[derive(FromQueryResult)]
struct AdminRow {
    id: Id<kernel::Admin>,
    account_id: Option<Uuid>,
    email: String,
    first_name: String,
    last_name: String,
    tel: String,
    language: String,
    status: String,
    oidc: bool,
    restaurant_ids: Option<Vec<Uuid>>,
    permission_keys: Vec<String>,
    full_target_access: bool,
    super_admin: bool,
    surfaces: Vec<String>,
    has_pin: bool,
    max_discount_percent: Option<Decimal>,
    print_zone_id: Option<Uuid>,
    last_active_at: Option<Timestamp>,
    second_factor: bool,
    version: i64,
    created_at: Timestamp,
    accepted: bool,
    #[sea_orm(nested)]
    details: Details,
}

fn read(
    row: &QueryResult, catalogue: &Catalogue, tx: &TenantTx, path_restaurant: Option<Id<Restaurant>>,
) -> Result<Person> {
    let row = AdminRow::from_query_result(row, "")?;
    let restaurants = row.restaurant_ids;
    let stored: PermissionKeys = row.permission_keys.into_iter().collect();
    let rights = Rights {
        whole_partner: restaurants.is_none(),
        restaurants: restaurants.iter().flatten().copied().collect(),
        keys: catalogue.tree.settle(&PermissionKeys::new(), &stored),
        full: row.full_target_access,
        max_discount: row.max_discount_percent.map(|share| Percent(share.normalize())),
    };
    let (first_name, last_name) = (row.first_name, row.last_name);
    let admin = Admin {
        id: row.id,
        // The id is not shown before the person has accepted, because older ids reveal the time of creation.
        uid: row.last_active_at.and(row.account_id),
        email: row.email,
        name: format!("{last_name} {first_name}").trim().to_owned(),
        first_name,
        last_name,
        tel: row.tel,
        language: AdminLanguage::parse(&row.language).unwrap_or(AdminLanguage::Hu),
        timezone: row.details.timezone(),
        billing_details: row.details.billing(),
        addresses: row.details.addresses(),
        status: AdminStatus::parse(&row.status).unwrap_or(AdminStatus::Archived),
        provider: if row.oidc { AdminProvider::Oidc } else { AdminProvider::Password },
        partner_id: tx.partner(),
        target_type: if rights.whole_partner { TargetType::Partner } else { TargetType::Restaurant },
        target_id: if rights.whole_partner {
            tx.partner().uuid()
        } else {
            path_restaurant
                .map(Id::uuid)
                .or(rights.restaurants.first().copied())
                .unwrap_or_else(|| tx.partner().uuid())
        },
        restaurant_ids: restaurants.map(|ids| ids.into_iter().map(Id::from_uuid).collect()),
        permission_ids: catalogue.ids(rights.keys.iter().map(String::as_str)),
        permissions: catalogue.held(&rights),
        full_target_access: rights.full,
        super_admin: row.super_admin,
        surfaces: row.surfaces.iter().filter_map(|surface| AdminSurface::parse(surface)).collect(),
        has_pin: row.has_pin,
        max_discount_percent: rights.max_discount,
        print_zone_id: row.print_zone_id,
        last_active_at: row.last_active_at,
        second_factor: row.second_factor,
        version: row.version,
        created_at: row.created_at,
    };
    Ok(Person { admin, rights, accepted: row.accepted })
}

/// Which people a list shows.
pub(crate) struct Filter {
    pub restaurant: Option<Id<Restaurant>>,
    pub name: Option<String>,
    pub status: Option<AdminStatus>,
    pub archived: bool,
}

const FOUND: &str = "select a.*, d.* from control.admins(null, $1, $2, $3, $4, $5, $6) with ordinality a, \
    lateral control.admin_details(a.id) d order by a.ordinality";
const COUNT: &str = "select control.count_admins($1, $2, $3, $4) n";
const PICK: &str = "select id, coalesce(nullif(trim(last_name || ' ' || first_name), ''), email) name \
    from control.admins(null, $1, $2, null, false, $3, $4) with ordinality o order by o.ordinality";

#[derive(FromQueryResult)]
struct PickedAdmin {
    id: Id<kernel::Admin>,
    name: String,
}

/// Id and name of those who may act in a restaurant, by name, and how many there are when that is wanted.
pub(crate) async fn pick(
    tx: &TenantTx, restaurant: Id<Restaurant>, name: Option<String>, paging: &Paging<false>,
) -> Result<(Vec<(Id<kernel::Admin>, String)>, Option<u64>)> {
    let limit = paging.limit();
    let numbers = [limit, paging.offset(limit)].map(|number| i64::try_from(number).unwrap_or(i64::MAX));
    let values = [restaurant.into(), name.clone().into(), numbers[0].into(), numbers[1].into()];
    let rows: Vec<PickedAdmin> = tx.all(PICK, values).await?;
    let total = match paging.count {
        true => {
            tx.value::<i64>(COUNT, [restaurant.into(), name.into(), None::<String>.into(), false.into()])
                .await?
        }
        false => None,
    };
    let total = total.and_then(|count| u64::try_from(count).ok());
    Ok((rows.into_iter().map(|row| (row.id, row.name)).collect(), total))
}

/// The people of the partner, or those who may act in a restaurant, by name.
pub(crate) async fn list(
    tx: &TenantTx, filter: Filter, paging: &Paging,
) -> Result<(Vec<Admin>, Option<u64>)> {
    let catalogue = Catalogue::load(tx).await?;
    let Filter { restaurant, name, status, archived } = filter;
    let wanted = [
        restaurant.map(Id::uuid).into(),
        name.map(|name| name.trim().to_owned()).into(),
        status.map(|status| status.name().to_owned()).into(),
        archived.into(),
    ];
    let total = if paging.count {
        tx.value::<i64>(COUNT, wanted.clone()).await?.and_then(|count| u64::try_from(count).ok())
    } else {
        None
    };
    let limit = paging.limit();
    let cut = [
        i64::try_from(limit).unwrap_or(i64::MAX).into(),
        i64::try_from(paging.offset(limit)).unwrap_or(i64::MAX).into(),
    ];
    let rows = tx.rows(FOUND, wanted.into_iter().chain(cut)).await?;
    let people = rows
        .iter()
        .map(|row| Ok(read(row, &catalogue, tx, restaurant)?.admin))
        .collect::<Result<Vec<_>>>()?;
    Ok((people, total))
}

/// One person, who may act in the restaurant if one is given.
/// Errors: `USER_NOT_EXIST`.
pub(crate) async fn find(
    tx: &TenantTx, catalogue: &Catalogue, restaurant: Option<Id<Restaurant>>, id: Uuid,
) -> Result<Person> {
    let row = tx
        .row(
            "select a.*, d.* from control.admins($1, $2, null, null, null, 1, 0) a, \
             lateral control.admin_details(a.id) d",
            [id.into(), restaurant.map(Id::uuid).into()],
        )
        .await?;
    read(&row.ok_or_else(Problem::not_exist::<kernel::Admin>)?, catalogue, tx, restaurant)
}

/// Changes of the partner's people wait here for each other until the end of the transaction.
pub(crate) async fn lock(tx: &TenantTx) -> Result<()> {
    tx.run("select control.lock_admins()", []).await?;
    Ok(())
}

/// Which of these are restaurants of the partner.
pub(crate) async fn own_restaurants(tx: &TenantTx, ids: Vec<Uuid>) -> Result<Vec<Uuid>> {
    Ok(tx.values("select id from control.own_restaurants($1) id", [ids.into()]).await?)
}

#[derive(FromQueryResult)]
struct AddedAdmin {
    id: Uuid,
    invited: bool,
}

/// Adds a person: the row's id and whether an invitation is due. None when the address is an admin here
/// already.
pub(crate) async fn add(
    tx: &TenantTx, email: &str, password_hash: Option<String>, columns: Value,
) -> Result<Option<(Uuid, bool)>> {
    // An account's id says nothing of when it was made: that would tell that another partner knew the address
    // before.
    let values =
        [Uuid::now_v7().into(), Uuid::new_v4().into(), email.into(), password_hash.into(), columns.into()];
    let sql = "select id, invited from control.add_admin($1, $2, $3, $4, $5)";
    let added: Option<AddedAdmin> = tx.one(sql, values).await?;
    Ok(added.map(|added| (added.id, added.invited)))
}

pub(crate) async fn save(tx: &TenantTx, id: Uuid, columns: Value) -> Result<()> {
    tx.run("select control.save_admin($1, $2)", [id.into(), columns.into()]).await?;
    Ok(())
}

/// Changes time zone, billing details and addresses, as far as they are named.
pub(crate) async fn save_details(tx: &TenantTx, id: Uuid, columns: Map<String, Value>) -> Result<()> {
    if !columns.is_empty() {
        let values = [id.into(), Value::from(columns).into()];
        tx.run("select control.save_admin_details($1, $2)", values).await?;
    }
    Ok(())
}

async fn yes(
    tx: &TenantTx, sql: &'static str, values: impl IntoIterator<Item = sea_orm::Value>,
) -> Result<bool> {
    Ok(tx.value::<Option<bool>>(sql, values).await?.flatten().unwrap_or(false))
}

/// Gives the row to the account of another address, which is invited; false when that one is an admin here
/// already.
pub(crate) async fn readdress(tx: &TenantTx, id: Uuid, email: &str) -> Result<bool> {
    yes(
        tx,
        "select control.readdress_admin($1, $2, $3) yes",
        [id.into(), Uuid::new_v4().into(), email.into()],
    )
    .await
}

/// The state of the person's credentials; none for a person of another partner.
pub(crate) async fn credentials(tx: &TenantTx, id: Uuid) -> Result<Option<i64>> {
    Ok(tx.value("select control.credentials_of($1) credentials", [id.into()]).await?.flatten())
}

/// Sets the password, which this partner holds from then on, while the credentials are as they were.
/// Errors: `USER_TYPE_NOT_EDITABLE` for an account that another partner holds, or that has accepted elsewhere
/// too; `CONFLICT`.
pub(crate) async fn set_password(
    tx: &TenantTx, id: Uuid, hash: String, credentials: Option<i64>,
) -> Result<()> {
    match tx
        .value::<String>(
            "select control.hold_password($1, $2, $3) outcome",
            [id.into(), hash.into(), credentials.into()],
        )
        .await?
        .as_deref()
    {
        Some("done") => Ok(()),
        Some("changed") => {
            Err(Problem::new(Code::CONFLICT).detail("the password was set by somebody else meanwhile"))
        }
        _ => Err(Problem::new(Code::USER_TYPE_NOT_EDITABLE)
            .detail("the account is not this partner's alone; its owner changes the password")),
    }
}

/// Whether somebody but this person, who may act in one of the restaurants (none: in all), has the PIN with
/// this digest. A person to be added has no id yet.
pub(crate) async fn pin_taken(
    tx: &TenantTx, id: Option<Uuid>, rights: &Rights, lookup: &Lookup,
) -> Result<bool> {
    let places = places_of(rights);
    for digest in lookup.all() {
        if yes(
            tx,
            "select control.pin_taken(coalesce($1, gen_random_uuid()), $2, $3) yes",
            [id.into(), places.clone().into(), digest.clone().into()],
        )
        .await?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Counts that this PIN is taken, wherever the two could meet.
pub(crate) async fn note_pin_taken(
    tx: &TenantTx, id: Option<Uuid>, rights: &Rights, lookup: &Lookup,
) -> Result<()> {
    let digests: Vec<Vec<u8>> = lookup.all().cloned().collect();
    let values = [id.into(), places_of(rights).into(), digests.into()];
    tx.run("select control.note_pin_taken($1, $2, $3)", values).await?;
    Ok(())
}

/// For how many seconds no PIN is set in the places of these rights.
pub(crate) async fn pin_setting_pause(tx: &TenantTx, rights: &Rights) -> Result<i32> {
    let sql = "select control.pin_setting_pause($1) pause";
    Ok(tx.value(sql, [places_of(rights).into()]).await?.unwrap_or(0))
}

/// The restaurants of these rights; none: all of the partner.
fn places_of(rights: &Rights) -> Option<Vec<Uuid>> {
    (!rights.whole_partner).then(|| rights.restaurants.iter().copied().collect())
}

/// The digest of the person's PIN.
pub(crate) async fn pin_lookup(tx: &TenantTx, id: Uuid) -> Result<Option<Lookup>> {
    let digest: Option<Vec<u8>> =
        tx.value("select pin_lookup from control.pin_of($1)", [id.into()]).await?.flatten();
    Ok(digest.map(Lookup::known))
}

/// Whether nobody but this person can do everything for the whole partner.
pub(crate) async fn is_last_full(tx: &TenantTx, id: Uuid) -> Result<bool> {
    yes(tx, "select control.full_admins_besides($1) = 0 yes", [id.into()]).await
}

/// Archives the row, with its PIN.
pub(crate) async fn archive(tx: &TenantTx, id: Uuid) -> Result<()> {
    let columns = json!({"status": "archived", "archived_at": kernel::clock::now(), "pin_lookup": null,
        "pin_hash": null, "shown_active": false});
    save(tx, id, columns).await
}

pub(crate) async fn end_sessions(tx: &TenantTx, id: Uuid) -> Result<()> {
    tx.run("select control.end_admin_sessions($1)", [id.into()]).await?;
    Ok(())
}

/// Forgets the person's wrong PINs and passwords.
pub(crate) async fn unlock(tx: &TenantTx, id: Uuid) -> Result<()> {
    tx.run("select control.unlock_admin($1)", [id.into()]).await?;
    Ok(())
}

/// The copy by which the partner's tables name the person.
pub(crate) async fn copy_to_staff(tx: &TenantTx, admin: &Admin) -> Result<()> {
    let sql = "insert into staff (admin_id, name, email, archived) values ($1, $2, $3, $4) \
               on conflict (admin_id) do update set name = excluded.name, email = excluded.email, archived = \
               excluded.archived";
    let archived = admin.status == AdminStatus::Archived;
    let name = if admin.name.is_empty() { &admin.email } else { &admin.name };
    tx.run(sql, [admin.id.into(), name.clone().into(), admin.email.clone().into(), archived.into()]).await?;
    Ok(())
}
