//! The till's configuration: so far the service fee, tips, and deposits of what is eaten here. See
//! `docs/decisions/pricing.md#fees`.

use access::prelude::*;
use kernel::{money::Percent, setting::ServiceFeeMode};

use crate::{facts, settings};

pub(crate) struct PosConfigs;

/// How the till prices and works.
#[derive(Debug, Clone, PartialEq, Object, DeriveEntityModel)]
#[oai(rename = "PosConfig")]
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
    }
}

type PosConfig = Model;
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
            version: 0,
        }
    }
}

/// Two decimals are kept.
fn fault(key: &str, share: Option<Percent>) -> Option<(String, Fault)> {
    share.filter(|share| share.0.normalize().scale() > 2).map(|_| (key.to_owned(), Fault::Pattern))
}

/// Changes it in the caller's unit of work.
pub(crate) async fn change<P>(
    tx: &TenantTx,
    scope: &In<Restaurant, P>,
    change: PosConfigChange,
) -> Result<PosConfig> {
    Problem::new(Code::VALIDATION_FAILED)
        .keys(fault("service_fee", change.service_fee))
        .keys(fault("default_tip", change.default_tip.value().copied()))
        .if_any()?;
    let rows = scope.rows(tx);
    let mut edit = rows.edit_one::<Entity>(change.version).await?;
    change.apply(&mut edit.row);
    let after = rows.save_one(edit).await?;
    // Menus say what is charged.
    facts::raise_catalogue_version(tx, scope.restaurant()).await?;
    Ok(after)
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/pos/configs",
    tag = "Tag::Restaurants"
)]
impl PosConfigs {
    /// The till's configuration.
    #[oai(path = "/", method = "get", operation_id = "pos_configs_get")]
    async fn get(&self, scope: In<Restaurant, perm::PosSettings>) -> Result<Json<PosConfig>> {
        let tx = scope.begin().await?;
        scope.rows(&tx).get_one::<Entity>().await.map(Json)
    }

    /// Changes the till's configuration. Prices follow it at once.
    ///
    /// codes: CONFLICT
    #[oai(path = "/", method = "put", operation_id = "pos_configs_update")]
    async fn update(
        &self,
        scope: In<Restaurant, perm::PosSettings>,
        body: Body<PosConfigChange>,
    ) -> Result<Json<PosConfig>> {
        settings::changes::alone(&scope, body, change).await.map(Json)
    }
}
