//! Queries about payment methods and provider accounts.

use access::prelude::*;
use contract::Plugins;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{
    online::{PageText, online_settings},
    rules::EnabledMethod,
    types::{MerchantAccount, MethodAccount, PayeeAccount, PaymentSettings, RestaurantPaymentMethod},
};
use crate::accounts::{self, Asking, Here, Provider, ProviderOffer};

const METHODS: &str = "select m.id, m.name, m.name_en, m.short_name, m.payment_key, m.payment_type, \
    m.always_available, m.has_callback, m.paid_online, \
    (m.always_available or coalesce(e.web, false)) and (m.type_web or m.type_app) enabled_web, \
    (m.always_available or coalesce(e.pos, false)) and (m.type_phone or m.type_in_place) enabled_pos, \
    m.type_web, m.type_app, m.type_phone, m.type_in_place, m.type_delivery, \
    m.ntak_payment_method, e.account_id, \
    case when m.paid_online then (select s.accounts from serving_account s where s.restaurant_id = $1 \
        and s.payment_method_id = m.id) end candidates \
    from ref.payment_method m left join restaurant_payment_method e on e.payment_method_id = m.id and \
    e.restaurant_id = $1 order by m.id";

const FEATURES: &str = "select features from restaurant_facts where id = $1";

/// Every payment method, and whether the restaurant takes it.
pub(super) async fn methods(
    tx: &TenantTx, restaurant: Id<Restaurant>, asking: Asking<'_>,
) -> Result<Vec<RestaurantPaymentMethod>> {
    let methods: Vec<RestaurantPaymentMethod> = tx.all(METHODS, [restaurant.into()]).await?;
    let features: Option<Vec<String>> = tx.value(FEATURES, [restaurant.into()]).await?;
    let features = features.unwrap_or_default();
    let mode = accounts::mode(tx).await?;
    Ok(methods.into_iter().map(|method| method.with_needs(&features, &mode, asking)).collect())
}

const SETTINGS: &str = "select coalesce(max(eur_huf_rate), 350) eur_huf_rate, coalesce(max(version), 1) \
    version from payment_settings where restaurant_id = $1";

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

/// All that the screens show. Without plug-ins nothing is offered, and none has to be there.
pub(super) async fn settings(
    tx: &TenantTx, restaurant: Id<Restaurant>, here: &Here, plugins: Option<&Plugins>,
) -> Result<PaymentSettings> {
    let Settings { eur_huf_rate: rate, version } =
        tx.one(SETTINGS, [restaurant.into()]).await?.ok_or(Code::UNKNOWN_ERROR)?;
    let online = online_settings(tx, restaurant).await?;
    let mut settings = PaymentSettings {
        payment_methods: methods(tx, restaurant, Asking { among: plugins, ..Asking::default() }).await?,
        eur_huf_rate: kernel::money::Money(rate.0.normalize()),
        simplepay: None,
        barion: None,
        environment: here.environment(),
        charge_when_accepted: online.charge_when_accepted,
        ask_before_refunds: online.ask_before_refunds,
        page_texts: online.texts(),
        offers: plugins.map(|plugins| ProviderOffer::all(plugins, &here.mode)).unwrap_or_default(),
        version,
    };
    for one in accounts::defaults(tx, restaurant, here).await? {
        let (account, has_secret) = (one.account, one.has_secret);
        match one.provider {
            Provider::Simplepay => {
                settings.simplepay =
                    Some(MerchantAccount { merchant_id: account, has_secret_key: has_secret });
            }
            Provider::Barion => {
                settings.barion = Some(PayeeAccount { email: account, has_pos_key: has_secret });
            }
        }
    }
    Ok(settings)
}

const SAVE: &str = "update payment_settings set eur_huf_rate = coalesce($2, eur_huf_rate), \
    charge_when_accepted = coalesce($3, charge_when_accepted), ask_before_refunds = coalesce($4, ask_before_refunds), \
    page_texts = coalesce($5, page_texts), version = version + 1 where restaurant_id = $1";

/// What is changed of the settings themselves; what is none stays.
#[derive(Debug, Default)]
pub(super) struct Saved {
    pub eur_huf_rate: Option<kernel::money::Money>,
    pub charge_when_accepted: Option<bool>,
    pub ask_before_refunds: Option<bool>,
    pub page_texts: Option<Vec<PageText>>,
}

pub(super) async fn save(tx: &TenantTx, restaurant: Id<Restaurant>, saved: &Saved) -> Result<()> {
    let values = [
        restaurant.into(),
        saved.eur_huf_rate.into(),
        saved.charge_when_accepted.into(),
        saved.ask_before_refunds.into(),
        saved.page_texts.as_ref().map(|texts| serde_json::json!(texts)).into(),
    ];
    tx.run(SAVE, values).await?;
    Ok(())
}

/// What is off keeps the account that was chosen for it.
const DISABLE: &str = "update restaurant_payment_method set web = false, pos = false \
    where restaurant_id = $1 and payment_method_id <> all ($2)";
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

const CHOOSE: &str = "insert into restaurant_payment_method as m (restaurant_id, payment_method_id, account_id, web, pos) \
    select $1, c.method, nullif(c.account, '')::uuid, false, false from unnest($2::uuid[], $3::text[]) c (method, account) \
    on conflict (restaurant_id, payment_method_id) do update set account_id = excluded.account_id";

/// Chooses the accounts that serve these methods.
pub(super) async fn choose(
    tx: &TenantTx, restaurant: Id<Restaurant>, chosen: &[MethodAccount],
) -> Result<()> {
    let methods: Vec<Uuid> = chosen.iter().map(|one| one.payment_method_id.uuid()).collect();
    let name = |one: &MethodAccount| one.account_id.map(|id| id.to_string()).unwrap_or_default();
    let accounts: Vec<String> = chosen.iter().map(name).collect();
    tx.run(CHOOSE, [restaurant.into(), methods.into(), accounts.into()]).await?;
    Ok(())
}

const FITTING: &str = "select a.id, m.id method from provider_account a join ref.payment_method m \
    on m.payment_type = case a.purpose when 'szep' then 'szep_kartya_online' else 'card_online' end \
    join restaurant_facts r on r.id = a.restaurant_id and r.currency = a.currency \
    where a.restaurant_id = $1 and a.archived_at is null";

/// An account, and a method that it can serve.
#[derive(FromQueryResult)]
pub(super) struct Fitting {
    pub id: Uuid,
    pub method: Uuid,
}

pub(super) async fn fitting(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Vec<Fitting>> {
    Ok(tx.all(FITTING, [restaurant.into()]).await?)
}
