//! Queries about payment methods and provider accounts.

use access::{
    App,
    prelude::*,
    sealed::{DataKey, Place},
};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{
    rules::EnabledMethod,
    types::{MerchantAccount, PayeeAccount, PaymentSettings, RestaurantPaymentMethod},
};

const METHODS: &str = "select m.id, m.name, m.name_en, m.short_name, m.payment_key, m.payment_type, \
    m.always_available, m.has_callback, m.paid_online, \
    (m.always_available or coalesce(e.web, false)) and (m.type_web or m.type_app) enabled_web, \
    (m.always_available or coalesce(e.pos, false)) and (m.type_phone or m.type_in_place) enabled_pos, \
    m.type_web, m.type_app, m.type_phone, m.type_in_place, m.type_delivery, \
    m.ntak_payment_method \
    from ref.payment_method m left join restaurant_payment_method e on e.payment_method_id = m.id and \
    e.restaurant_id = $1 order by m.id";

const FEATURES: &str = "select features from restaurant_facts where id = $1";

/// Every payment method, and whether the restaurant takes it.
pub(super) async fn methods(
    tx: &TenantTx, restaurant: Id<Restaurant>,
) -> Result<Vec<RestaurantPaymentMethod>> {
    let methods: Vec<RestaurantPaymentMethod> = tx.all(METHODS, [restaurant.into()]).await?;
    let features: Option<Vec<String>> = tx.value(FEATURES, [restaurant.into()]).await?;
    let features = features.unwrap_or_default();
    Ok(methods.into_iter().map(|method| method.with_needs(&features)).collect())
}

const SETTINGS: &str = "select coalesce(max(eur_huf_rate), 350) eur_huf_rate, coalesce(max(version), 1) \
    version from payment_settings where restaurant_id = $1";
const ACCOUNTS: &str =
    "select provider, account, secret is not null has_secret from provider_account where restaurant_id = $1";

const RATE: &str = "select coalesce(max(eur_huf_rate), 350) from payment_settings where restaurant_id = $1";

/// Forints for one euro in cash at this restaurant.
pub async fn euro_rate(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<kernel::money::Money> {
    let rate: Option<kernel::money::Money> = tx.value(RATE, [restaurant.into()]).await?;
    Ok(rate.map(|rate| kernel::money::Money(rate.0.normalize())).unwrap_or_default())
}

#[derive(FromQueryResult)]
struct Settings {
    eur_huf_rate: kernel::money::Money,
    version: i64,
}

#[derive(FromQueryResult)]
struct Account {
    provider: String,
    account: String,
    has_secret: bool,
}

/// All that the screens show.
pub(super) async fn settings(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<PaymentSettings> {
    let Settings { eur_huf_rate: rate, version } =
        tx.one(SETTINGS, [restaurant.into()]).await?.ok_or(Code::UNKNOWN_ERROR)?;
    let mut settings = PaymentSettings {
        payment_methods: methods(tx, restaurant).await?,
        eur_huf_rate: kernel::money::Money(rate.0.normalize()),
        simplepay: None,
        barion: None,
        version,
    };
    for Account { provider, account, has_secret } in tx.all(ACCOUNTS, [restaurant.into()]).await? {
        match provider.as_str() {
            "simplepay" => {
                settings.simplepay =
                    Some(MerchantAccount { merchant_id: account, has_secret_key: has_secret })
            }
            _ => settings.barion = Some(PayeeAccount { email: account, has_pos_key: has_secret }),
        }
    }
    Ok(settings)
}

const MAKE: &str = "insert into payment_settings (restaurant_id) values ($1) on conflict do nothing";
const LOCK: &str = "select version from payment_settings where restaurant_id = $1 for update";

/// Locks the settings of a restaurant until the end of the transaction; makes them when there are none yet.
pub(super) async fn lock(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
    tx.run(MAKE, [restaurant.into()]).await?;
    tx.row(LOCK, [restaurant.into()]).await?;
    Ok(())
}

const SAVE: &str =
    "update payment_settings set eur_huf_rate = $2, version = version + 1 where restaurant_id = $1";

pub(super) async fn save(
    tx: &TenantTx, restaurant: Id<Restaurant>, eur_huf_rate: kernel::money::Money,
) -> Result<()> {
    tx.run(SAVE, [restaurant.into(), eur_huf_rate.into()]).await?;
    Ok(())
}

const DISABLE: &str =
    "delete from restaurant_payment_method where restaurant_id = $1 and payment_method_id <> all ($2)";
const ENABLE: &str = "insert into restaurant_payment_method (restaurant_id, payment_method_id, web, pos) \
    select $1, e.id, e.web, e.pos from unnest($2::uuid[], $3::boolean[], $4::boolean[]) e (id, web, pos) \
    on conflict (restaurant_id, payment_method_id) do update set web = excluded.web, pos = excluded.pos";

pub(super) async fn enable(
    tx: &TenantTx, restaurant: Id<Restaurant>, methods: &[EnabledMethod],
) -> Result<()> {
    let ids: Vec<Uuid> = methods.iter().map(|one| one.id).collect();
    let web: Vec<bool> = methods.iter().map(|one| one.web).collect();
    let pos: Vec<bool> = methods.iter().map(|one| one.pos).collect();
    tx.run(DISABLE, [restaurant.into(), ids.clone().into()]).await?;
    tx.run(ENABLE, [restaurant.into(), ids.into(), web.into(), pos.into()]).await?;
    Ok(())
}

const REMOVE: &str = "delete from provider_account where restaurant_id = $1 and provider = $2";
/// A secret belongs to its account: it is never used with another one.
const KEEP: &str = "insert into provider_account as a (id, restaurant_id, provider, account) values ($1, $2, \
    $3, $4) \
    on conflict (restaurant_id, provider) do update set account = excluded.account, secret = case when \
    a.account = excluded.account then a.secret end \
    returning id";
const SET_SECRET: &str = "update provider_account set secret = $2 where id = $1";

/// Saves or removes the account at a provider. An empty secret leaves the one that is kept.
pub(super) async fn save_account(
    tx: &TenantTx, app: &App, restaurant: Id<Restaurant>, provider: &'static str,
    account: Clearable<(String, Option<String>)>,
) -> Result<()> {
    let (account, secret) = match account {
        Clearable::Undefined => return Ok(()),
        Clearable::Null => {
            tx.run(REMOVE, [restaurant.into(), provider.into()]).await?;
            return Ok(());
        }
        Clearable::Value(account) => account,
    };
    let id: Uuid = tx
        .value(KEEP, [Uuid::now_v7().into(), restaurant.into(), provider.into(), account.into()])
        .await?
        .ok_or(Code::UNKNOWN_ERROR)?;
    if let Some(secret) = secret.filter(|secret| !secret.is_empty()) {
        let row = id.to_string();
        let place = Place { table: "provider_account", column: "secret", row: &row };
        tx.run(SET_SECRET, [id.into(), DataKey::of(app, tx).await?.seal(place, secret.as_bytes())?.into()])
            .await?;
    }
    Ok(())
}
