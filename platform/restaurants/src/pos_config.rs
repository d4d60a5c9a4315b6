//! The till's configuration: the service fee, tips, deposits of *here* orders, and the defaults of orders on the
//! phone begin with. See `docs/decisions/pricing.md#fees` and
//! `docs/decisions/orders.md#orders-on-the-phone`.

use access::prelude::*;
use kernel::{money::Percent, setting::ServiceFeeMode};
use poem_openapi::types::ToJSON;
use uuid::Uuid;

use crate::{facts, settings};

pub(crate) struct PosConfigs;

/// How the till prices and works.
#[derive(Debug, Clone, PartialEq, Object, DeriveEntityModel)]
#[oai(rename = "PosConfigRow")]
#[sea_orm(table_name = "pos_config")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub restaurant_id: Id<Restaurant>,
    /// Percent of what is paid for the goods that carry it.
    pub service_fee: Percent,
    /// Which goods carry the service fee.
    pub service_fee_mode: ServiceFeeMode,
    /// The fee is charged on `take_away` and `kiosk_take_away` too, not only on what is eaten here.
    pub take_away_service_fee: bool,
    /// Percent that is preselected where tips are asked; null: none.
    pub default_tip: Option<Percent>,
    /// A tip that is asked belongs to the waiter (`employee_tip` of the order), else to the house (`tip`).
    pub employee_tip: bool,
    /// Bottles and cans of what is eaten here carry their deposit.
    pub deposit_here: bool,
    /// The region of an order on the phone whose place is not known, until staff choose another; null:
    /// none. One that was archived is none.
    pub default_delivery_region_id: Option<Uuid>,
    /// The key of the payment method (`cash`, `card`) that is preselected for orders on the phone, where the
    /// restaurant takes it; null: none.
    pub default_payment_method: Option<String>,
    /// Orders that staff take on the phone or at the till are accepted as they are placed, with the usual time,
    /// where the person may accept orders.
    pub accept_at_once: bool,
    /// So many days back closes of drawers are listed.
    pub daily_close_limit: i32,
    /// 0 before anything is entered.
    pub version: i64,
}

change! {
    pub(crate) struct PosConfigChange of ActiveModel {
        #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
        service_fee: Option<Percent>,
        service_fee_mode: Option<ServiceFeeMode>,
        take_away_service_fee: Option<bool>,
        /// Null is none.
        #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
        default_tip: Clearable<Percent>,
        employee_tip: Option<bool>,
        deposit_here: Option<bool>,
        /// A region of this restaurant. Null is none.
        default_delivery_region_id: Clearable<Uuid>,
        /// The key of a payment method (`cash`, `card`). Null is none.
        #[oai(validator(max_length = 40))]
        default_payment_method: Clearable<String>,
        accept_at_once: Option<bool>,
        /// Days.
        #[oai(validator(minimum(value = "0"), maximum(value = "3650")))]
        daily_close_limit: Option<i32>,
        ;
        /// Opening an order accepts it: the restaurant's own setting.
        order_accept_on_open: Option<bool>,
    }
}

/// The till's configuration, with what it shares with the restaurant.
#[derive(Debug, Object)]
pub(crate) struct PosConfig {
    #[oai(flatten)]
    row: Model,
    /// Opening an order accepts it. It is one value with the restaurant's.
    order_accept_on_open: bool,
}

const ACCEPT_ON_OPEN: &str = "select order_accept_on_open from restaurant where id = $1";

impl PosConfig {
    async fn of(tx: &TenantTx, row: Model) -> Result<Self> {
        let order_accept_on_open = tx.value(ACCEPT_ON_OPEN, [row.restaurant_id.into()]).await?;
        Ok(Self {
            row,
            order_accept_on_open: order_accept_on_open.ok_or_else(Problem::not_exist::<Restaurant>)?,
        })
    }
}

entity!();

impl rows::Singleton for Entity {
    const NAME: &'static str = "pos_configs";

    fn none(restaurant: Id<Restaurant>) -> Model {
        Model {
            restaurant_id: restaurant,
            service_fee: Percent::ZERO,
            service_fee_mode: ServiceFeeMode::Off,
            take_away_service_fee: true,
            default_tip: None,
            employee_tip: false,
            deposit_here: true,
            default_delivery_region_id: None,
            default_payment_method: None,
            accept_at_once: false,
            daily_close_limit: 45,
            version: 0,
        }
    }
}

/// Two decimals are kept.
fn fault(key: &str, share: Option<Percent>) -> Option<(String, Fault)> {
    share.filter(|share| share.0.normalize().scale() > 2).map(|_| (key.to_owned(), Fault::Pattern))
}

const REGION: &str = "select 1 from delivery_region_name where id = $1 and restaurant_id = $2";
const METHOD: &str = "select 1 from ref.payment_method where payment_key = $1";
/// What was archived since is no default any more: neither the log nor a conflict shows it.
const FORGET: &str = "update pos_config set default_delivery_region_id = null where restaurant_id = $1 \
    and default_delivery_region_id not in \
    (select n.id from delivery_region_name n where n.restaurant_id = $1)";

async fn is_region(tx: &TenantTx, restaurant: Id<Restaurant>, region: Uuid) -> Result<bool> {
    Ok(tx.row(REGION, [region.into(), restaurant.into()]).await?.is_some())
}

/// What the defaults name that is not there.
async fn missing(
    tx: &TenantTx, restaurant: Id<Restaurant>, change: &PosConfigChange,
) -> Result<Vec<(String, Fault)>> {
    let mut faults = Vec::new();
    if let Some(region) = change.default_delivery_region_id.value()
        && !is_region(tx, restaurant, *region).await?
    {
        faults.push(("default_delivery_region_id".to_owned(), Fault::NotExist));
    }
    if let Some(method) = change.default_payment_method.value()
        && tx.row(METHOD, [method.clone().into()]).await?.is_none()
    {
        faults.push(("default_payment_method".to_owned(), Fault::NotExist));
    }
    Ok(faults)
}

/// Changes it in the caller's unit of work.
pub(crate) async fn change<P>(
    tx: &TenantTx, scope: &In<Restaurant, P>, change: PosConfigChange,
) -> Result<PosConfig> {
    // A region is archived under the same lock.
    facts::lock(tx, scope.restaurant()).await?;
    Problem::new(Code::VALIDATION_FAILED)
        .keys(fault("service_fee", change.service_fee))
        .keys(fault("default_tip", change.default_tip.value().copied()))
        .keys(missing(tx, scope.restaurant(), &change).await?)
        .if_any()?;
    tx.run(FORGET, [scope.restaurant().into()]).await?;
    let rows = scope.rows(tx);
    let edit = rows.edit_one::<Entity>(change.version).await;
    let mut edit = match edit {
        Err(problem) if problem.code() == Code::CONFLICT => {
            let current = PosConfig::of(tx, rows.get_one::<Entity>().await?).await?;
            return Err(problem.with("current", current.to_json().unwrap_or_default()));
        }
        edit => edit?,
    };
    if let Some(on) = change.order_accept_on_open {
        settings::changes::accept_on_open(tx, scope, on).await?;
    }
    change.apply(&mut edit.row);
    let after = rows.save_one(edit).await?;
    // Menus say what is charged.
    access::menu_changed_silently(tx, scope.restaurant()).await?;
    PosConfig::of(tx, after).await
}

/// The screen of phone orders begins with its defaults.
type Readers = AnyOf<(perm::PosSettings, perm::Placing)>;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/pos/configs",
    tag = "Tag::Restaurants"
)]
impl PosConfigs {
    /// The till's configuration.
    #[oai(path = "/", method = "get", operation_id = "pos_configs_get")]
    async fn get(&self, scope: In<Restaurant, Readers>) -> Result<Json<PosConfig>> {
        let tx = scope.begin().await?;
        let mut config = scope.rows(&tx).get_one::<Entity>().await?;
        if let Some(region) = config.default_delivery_region_id
            && !is_region(&tx, scope.restaurant(), region).await?
        {
            config.default_delivery_region_id = None;
        }
        PosConfig::of(&tx, config).await.map(Json)
    }

    /// Changes the till's configuration. Prices follow it at once.
    ///
    /// codes: CONFLICT
    #[oai(path = "/", method = "put", operation_id = "pos_configs_update")]
    async fn update(
        &self, scope: In<Restaurant, perm::PosSettings>, body: Body<PosConfigChange>,
    ) -> Result<Json<PosConfig>> {
        settings::changes::alone(&scope, body, change).await.map(Json)
    }
}
