//! Switches of a restaurant: fields without another screen, and features. See
//! `docs/decisions/permissions.md#features`.

use access::{Actor, Platform, answers::Tag, prelude::*};
use kernel::{
    ids::NtakCategories,
    setting::{DeliveryMethod, NtakQuantityUnit},
};
use poem_openapi::types::{ParseFromJSON, ToJSON};
use serde_json::{Value, json};

use crate::platform;

pub(crate) struct SwitchesApi;

/// What super admins switch on for a restaurant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Enum)]
#[oai(rename_all = "snake_case")]
enum Feature {
    Balance,
    Loyalty,
    Kiosk,
    Tv,
    Push,
}

/// What only super admins set at a restaurant.
#[derive(Debug, Clone, Object)]
struct RestaurantSwitches {
    id: Id<Restaurant>,
    partner_id: Id<Partner>,
    name: String,
    /// Orders go through the kitchen's queues.
    enable_kitchen_queue: bool,
    /// New items enter the queue by themselves.
    autoqueue: bool,
    /// The till shows the floor plan.
    floor_map: bool,
    /// Documents are kept in the object store too.
    save_to_aws: bool,
    /// The till works without the network.
    offline_backend_enabled: bool,
    /// The light client may sign in.
    lct_enabled: bool,
    /// Payments go to the providers' test systems.
    sandbox_payment: bool,
    /// Guests can tip the courier.
    is_courier_tip_available: bool,
    /// Guests can use a loyalty card.
    is_loyalty_card_available: bool,
    /// Address of the restaurant's own site.
    domain: Option<String>,
    delivery_method: DeliveryMethod,
    /// NTAK category of what neither product nor category sets.
    ntak_category_id: Option<Id<NtakCategories>>,
    /// NTAK unit of the same.
    ntak_quantity_unit: Option<NtakQuantityUnit>,
    /// What is switched on.
    features: Vec<Feature>,
    version: i64,
}

#[derive(Debug, Object)]
struct RestaurantSwitchesChange {
    enable_kitchen_queue: Option<bool>,
    autoqueue: Option<bool>,
    floor_map: Option<bool>,
    save_to_aws: Option<bool>,
    offline_backend_enabled: Option<bool>,
    lct_enabled: Option<bool>,
    sandbox_payment: Option<bool>,
    is_courier_tip_available: Option<bool>,
    is_loyalty_card_available: Option<bool>,
    #[oai(validator(max_length = 253))]
    domain: Clearable<String>,
    delivery_method: Option<DeliveryMethod>,
    ntak_category_id: Clearable<Id<NtakCategories>>,
    ntak_quantity_unit: Clearable<NtakQuantityUnit>,
    version: Option<i64>,
}

#[derive(Debug, Object)]
struct RestaurantFeaturesChange {
    /// All that are to be on.
    #[oai(validator(max_items = 10, unique_items))]
    features: Vec<Feature>,
}

const READ: &str = "select r.id, r.name, r.enable_kitchen_queue, r.autoqueue, r.floor_map, r.save_to_aws, \
    r.offline_backend_enabled, r.lct_enabled, \
        r.sandbox_payment, r.is_courier_tip_available, r.is_loyalty_card_available, r.domain, \
        r.delivery_method, r.ntak_category_id, \
        r.ntak_quantity_unit, r.version, array(select f.feature from restaurant_feature f where \
        f.restaurant_id = r.id order by 1) features \
    from restaurant r where r.id = $1 and r.archived_at is null for no key update of r";

impl RestaurantSwitches {
    async fn read(tx: &TenantTx, id: Id<Restaurant>) -> Result<Self> {
        let row = tx.row(READ, [id.into()]).await?.ok_or_else(Problem::not_exist::<Restaurant>)?;
        let yes = |column: &str| row.try_get::<bool>("", column);
        let features: Vec<String> = row.try_get("", "features")?;
        Ok(Self {
            id,
            partner_id: tx.partner(),
            name: row.try_get("", "name")?,
            enable_kitchen_queue: yes("enable_kitchen_queue")?,
            autoqueue: yes("autoqueue")?,
            floor_map: yes("floor_map")?,
            save_to_aws: yes("save_to_aws")?,
            offline_backend_enabled: yes("offline_backend_enabled")?,
            lct_enabled: yes("lct_enabled")?,
            sandbox_payment: yes("sandbox_payment")?,
            is_courier_tip_available: yes("is_courier_tip_available")?,
            is_loyalty_card_available: yes("is_loyalty_card_available")?,
            domain: row.try_get("", "domain")?,
            delivery_method: row.try_get("", "delivery_method")?,
            ntak_category_id: row.try_get("", "ntak_category_id")?,
            ntak_quantity_unit: row.try_get("", "ntak_quantity_unit")?,
            features: features
                .into_iter()
                .filter_map(|name| Feature::parse_from_json(Some(name.into())).ok())
                .collect(),
            version: row.try_get("", "version")?,
        })
    }
}

/// The restaurant's partner, in whose schema the caller goes on.
async fn enter(caller: &Platform, id: Id<Restaurant>) -> Result<TenantTx> {
    let tx = platform::begin(caller).await?;
    let row = tx
        .row("select partner_id from restaurant where id = $1 and archived_at is null", [id.into()])
        .await?;
    let partner: Id<Partner> = row.ok_or_else(Problem::not_exist::<Restaurant>)?.try_get("", "partner_id")?;
    tx.enter(partner).await?.ok_or_else(Problem::not_exist::<Restaurant>)
}

async fn audit(
    tx: &TenantTx,
    caller: &Platform,
    id: Id<Restaurant>,
    action: &str,
    details: Value,
) -> Result<()> {
    let name = platform::name(caller);
    let actor = Actor { kind: "support", id: Some(caller.0.account.uuid()), name: &name };
    access::write_audit(tx, Some(id.uuid()), &actor, action, Some(id.uuid()), details).await
}

const SAVE: &str = "update restaurant set enable_kitchen_queue = $2, autoqueue = $3, floor_map = $4, \
    save_to_aws = $5, offline_backend_enabled = $6, \
        lct_enabled = $7, sandbox_payment = $8, is_courier_tip_available = $9, is_loyalty_card_available = \
        $10, domain = $11, delivery_method = $12, \
        ntak_category_id = $13, ntak_quantity_unit = $14, version = version + 1, catalogue_version = \
        catalogue_version + 1 where id = $1";

#[OpenApi(prefix_path = "/api/v3/super-admin/restaurants", tag = "Tag::Platform")]
impl SwitchesApi {
    /// The switches of a restaurant of any partner.
    ///
    /// codes: RESTAURANT_NOT_EXIST
    #[oai(path = "/:restaurant_id/switches", method = "get", operation_id = "restaurant_switches_get")]
    async fn get(
        &self,
        caller: Platform,
        restaurant_id: Path<Id<Restaurant>>,
    ) -> Result<Json<RestaurantSwitches>> {
        let tx = enter(&caller, restaurant_id.0).await?;
        Ok(Json(RestaurantSwitches::read(&tx, restaurant_id.0).await?))
    }

    /// Changes the switches of a restaurant. The partner sees it in its audit log.
    ///
    /// codes: RESTAURANT_NOT_EXIST, CONFLICT
    #[oai(path = "/:restaurant_id/switches", method = "put", operation_id = "restaurant_switches_update")]
    async fn update(
        &self,
        caller: Platform,
        restaurant_id: Path<Id<Restaurant>>,
        body: Body<RestaurantSwitchesChange>,
    ) -> Result<Json<RestaurantSwitches>> {
        let id = restaurant_id.0;
        let change = body.into_inner();
        if change.ntak_category_id.value().is_some() {
            // There is no category of the tax report yet, so none can be right.
            return Err(Problem::new(Code::VALIDATION_FAILED).key("ntak_category_id", Fault::NotExist));
        }
        let tx = enter(&caller, id).await?;
        let before = RestaurantSwitches::read(&tx, id).await?;
        rows::check_version(change.version, before.version, &before)?;
        let values = [
            id.into(),
            change.enable_kitchen_queue.unwrap_or(before.enable_kitchen_queue).into(),
            change.autoqueue.unwrap_or(before.autoqueue).into(),
            change.floor_map.unwrap_or(before.floor_map).into(),
            change.save_to_aws.unwrap_or(before.save_to_aws).into(),
            change.offline_backend_enabled.unwrap_or(before.offline_backend_enabled).into(),
            change.lct_enabled.unwrap_or(before.lct_enabled).into(),
            change.sandbox_payment.unwrap_or(before.sandbox_payment).into(),
            change.is_courier_tip_available.unwrap_or(before.is_courier_tip_available).into(),
            change.is_loyalty_card_available.unwrap_or(before.is_loyalty_card_available).into(),
            change.domain.or(before.domain.clone()).into(),
            change.delivery_method.unwrap_or(before.delivery_method).into(),
            change.ntak_category_id.or(before.ntak_category_id).map(Id::uuid).into(),
            change.ntak_quantity_unit.or(before.ntak_quantity_unit).into(),
        ];
        tx.run(SAVE, values).await?;
        let after = RestaurantSwitches::read(&tx, id).await?;
        let changed =
            access::difference(&before.to_json().unwrap_or_default(), &after.to_json().unwrap_or_default());
        audit(&tx, &caller, id, "restaurant_switches_update", changed).await?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Sets which features are on. Calls of one that is off answer `FEATURE_NOT_AVAILABLE`.
    ///
    /// codes: RESTAURANT_NOT_EXIST
    #[oai(path = "/:restaurant_id/features", method = "put", operation_id = "restaurant_features_update")]
    async fn features(
        &self,
        caller: Platform,
        restaurant_id: Path<Id<Restaurant>>,
        body: Body<RestaurantFeaturesChange>,
    ) -> Result<Json<RestaurantSwitches>> {
        let id = restaurant_id.0;
        let wanted: Vec<String> = body
            .into_inner()
            .features
            .iter()
            .filter_map(|feature| feature.to_json()?.as_str().map(str::to_owned))
            .collect();
        let tx = enter(&caller, id).await?;
        let before = RestaurantSwitches::read(&tx, id).await?;
        tx.run(
            "delete from restaurant_feature where restaurant_id = $1 and feature <> all ($2)",
            [id.into(), wanted.clone().into()],
        )
        .await?;
        let sql = "insert into restaurant_feature (restaurant_id, feature) select $1, f from \
            unnest($2::text[]) f on conflict do nothing";
        tx.run(sql, [id.into(), wanted.into()]).await?;
        tx.run(
            "update restaurant set version = version + 1, catalogue_version = catalogue_version + 1 where \
            id = $1",
            [id.into()],
        )
        .await?;
        let after = RestaurantSwitches::read(&tx, id).await?;
        let details = json!({"features": [before.features.to_json(), after.features.to_json()]});
        audit(&tx, &caller, id, "restaurant_features_update", details).await?;
        ::work::events::publish(&tx, &restaurants::Event::Changed(id)).await?;
        tx.commit().await?;
        Ok(Json(after))
    }
}
