//! Switches of a restaurant: fields without another screen, and features. See
//! `docs/decisions/permissions.md#features`.

use access::{
    Actor, AuditLine, Platform,
    answers::Tag,
    audit_action, audit_counts, audit_lines, audit_lines_since,
    domain::{SettingsGroup, earlier, earlier_values, no_earlier_values},
    prelude::*,
};
use kernel::{
    ids::NtakCategories,
    money::Money,
    setting::{DeliveryMethod, NtakQuantityUnit},
};
use poem_openapi::types::{ParseFromJSON, ToJSON};
use serde_json::{Value, json};

use crate::{
    Event,
    features::{self, ACTIONS, Feature, switched_on},
    history::{LineOf, SettingsChange, SettingsChanges, SettingsRestore, check_version, version_of},
    settings::{self, ActiveModel, Model},
};

pub(crate) struct SwitchesApi;

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
    /// Charged for each order of the web shop and the apps, in the restaurant's currency; VAT 27 % included.
    system_usage_fee: Money,
    /// Guests can tip the courier.
    is_courier_tip_available: bool,
    /// Guests can use a loyalty card.
    is_loyalty_card_available: bool,
    delivery_method: DeliveryMethod,
    /// NTAK category of what neither product nor category sets.
    ntak_category_id: Option<Id<NtakCategories>>,
    /// NTAK unit of the same.
    ntak_quantity_unit: Option<NtakQuantityUnit>,
    /// What is switched on.
    features: Vec<Feature>,
    version: i64,
}

change! {
    struct RestaurantSwitchesChange of ActiveModel {
        enable_kitchen_queue: Option<bool>,
        autoqueue: Option<bool>,
        floor_map: Option<bool>,
        save_to_aws: Option<bool>,
        offline_backend_enabled: Option<bool>,
        lct_enabled: Option<bool>,
        sandbox_payment: Option<bool>,
        #[oai(validator(minimum(value = "0"), maximum(value = "10000000")))]
        system_usage_fee: Option<Money>,
        is_courier_tip_available: Option<bool>,
        is_loyalty_card_available: Option<bool>,
        delivery_method: Option<DeliveryMethod>,
        ntak_category_id: Clearable<Id<NtakCategories>>,
        ntak_quantity_unit: Clearable<NtakQuantityUnit>,
    }
}

#[derive(Debug, Object)]
struct RestaurantFeaturesChange {
    /// All that are to be on.
    #[oai(validator(max_items = 10, unique_items))]
    features: Vec<Feature>,
}

impl RestaurantSwitches {
    fn of(row: Model, partner: Id<Partner>, features: Vec<Feature>) -> Self {
        Self {
            id: row.id,
            partner_id: partner,
            name: row.name,
            enable_kitchen_queue: row.enable_kitchen_queue,
            autoqueue: row.autoqueue,
            floor_map: row.floor_map,
            save_to_aws: row.save_to_aws,
            offline_backend_enabled: row.offline_backend_enabled,
            lct_enabled: row.lct_enabled,
            sandbox_payment: row.sandbox_payment,
            system_usage_fee: row.system_usage_fee.round(row.currency),
            is_courier_tip_available: row.is_courier_tip_available,
            is_loyalty_card_available: row.is_loyalty_card_available,
            delivery_method: row.delivery_method,
            ntak_category_id: row.ntak_category_id,
            ntak_quantity_unit: row.ntak_quantity_unit,
            features,
            version: row.version,
        }
    }

    /// The switches of a restaurant, whose row is locked.
    async fn read(tx: &TenantTx, id: Id<Restaurant>) -> Result<Self> {
        let row = settings::lock(tx, id).await?;
        Ok(Self::of(row, tx.partner(), switched_on(tx, id).await?))
    }
}

/// The restaurant's partner, in whose schema the caller goes on.
async fn enter(caller: &Platform, id: Id<Restaurant>) -> Result<TenantTx> {
    let tx = caller.begin().await?;
    let sql = "select partner_id from control.restaurant where id = $1 and archived_at is null";
    let partner: Option<Id<Partner>> = tx.value(sql, [id.into()]).await?;
    tx.enter(partner.ok_or_else(Problem::not_exist::<Restaurant>)?)
        .await?
        .ok_or_else(Problem::not_exist::<Restaurant>)
}

async fn audit(
    tx: &TenantTx, caller: &Platform, id: Id<Restaurant>, (action, record): (&str, Uuid), details: Value,
) -> Result<()> {
    let name = caller.name();
    let actor = Actor { kind: "support", id: Some(caller.0.account.uuid()), name: &name };
    access::write_audit(tx, Some(id.uuid()), &actor, action, Some(record), details).await
}

async fn change_switches(
    tx: &TenantTx, caller: &Platform, id: Id<Restaurant>, change: RestaurantSwitchesChange,
) -> Result<()> {
    let row = settings::lock(tx, id).await?;
    // One that has ended stays where it is.
    let chosen = change.ntak_category_id.value().copied().filter(|id| Some(*id) != row.ntak_category_id);
    if let Some(category) = chosen
        && !settings::has_ntak_category(tx, category).await?
    {
        return Err(Problem::new(Code::VALIDATION_FAILED).key("ntak_category_id", Fault::NotExist));
    }
    if change.system_usage_fee.is_some_and(|fee| fee != fee.round(row.currency)) {
        return Err(Problem::new(Code::VALIDATION_FAILED).key("system_usage_fee", Fault::Pattern));
    }
    let features = switched_on(tx, id).await?;
    let before = RestaurantSwitches::of(row.clone(), tx.partner(), features.clone());
    let logged = rows::Logged { resource: "restaurant", record: id.uuid() };
    rows::check_version(tx, change.version, before.version, &before, logged).await?;
    let mut changed = row.clone().into_active_model();
    change.apply(&mut changed);
    let after = RestaurantSwitches::of(settings::save(tx, &row, changed).await?, tx.partner(), features);
    let changed =
        access::difference(&before.to_json().unwrap_or_default(), &after.to_json().unwrap_or_default());
    audit(tx, caller, id, (ACTIONS[0], id.uuid()), changed).await
}

/// Switches these features on and all others off.
async fn change_features(
    tx: &TenantTx, caller: &Platform, id: Id<Restaurant>, wanted: &[Feature],
) -> Result<()> {
    settings::lock(tx, id).await?;
    let before = switched_on(tx, id).await?;
    let names = wanted.iter().filter_map(|feature| feature.to_json()?.as_str().map(str::to_owned));
    features::set(tx, id, names.collect()).await?;
    settings::touch(tx, id).await?;
    let after = switched_on(tx, id).await?;
    let details =
        access::difference(&json!({"features": before.to_json()}), &json!({"features": after.to_json()}));
    audit(tx, caller, id, (ACTIONS[1], id.uuid()), details).await
}

/// Tells other windows, and answers what stands now.
async fn finish(tx: TenantTx, id: Id<Restaurant>) -> Result<Json<RestaurantSwitches>> {
    let after = RestaurantSwitches::read(&tx, id).await?;
    work::events::publish(&tx, &Event::Changed(id)).await?;
    tx.commit().await?;
    Ok(Json(after))
}

#[OpenApi(prefix_path = "/api/v3/super-admin/restaurants", tag = "Tag::Platform")]
impl SwitchesApi {
    /// The switches of a restaurant of any partner.
    ///
    /// codes: RESTAURANT_NOT_EXIST
    #[oai(path = "/:restaurant_id/switches", method = "get", operation_id = "restaurant_switches_get")]
    async fn get(
        &self, caller: Platform, restaurant_id: Path<Id<Restaurant>>,
    ) -> Result<Json<RestaurantSwitches>> {
        let tx = enter(&caller, restaurant_id.0).await?;
        Ok(Json(RestaurantSwitches::read(&tx, restaurant_id.0).await?))
    }

    /// Changes the switches of a restaurant. The partner sees it in its audit log.
    ///
    /// codes: RESTAURANT_NOT_EXIST, CONFLICT
    #[oai(path = "/:restaurant_id/switches", method = "put", operation_id = "restaurant_switches_update")]
    async fn update(
        &self, caller: Platform, restaurant_id: Path<Id<Restaurant>>, body: Body<RestaurantSwitchesChange>,
    ) -> Result<Json<RestaurantSwitches>> {
        let (id, change) = (restaurant_id.0, body.into_inner());
        let tx = enter(&caller, id).await?;
        change_switches(&tx, &caller, id, change).await?;
        finish(tx, id).await
    }

    /// Sets which features are on. Calls of one that is off answer `FEATURE_NOT_AVAILABLE`.
    ///
    /// codes: RESTAURANT_NOT_EXIST
    #[oai(path = "/:restaurant_id/features", method = "put", operation_id = "restaurant_features_update")]
    async fn features(
        &self, caller: Platform, restaurant_id: Path<Id<Restaurant>>, body: Body<RestaurantFeaturesChange>,
    ) -> Result<Json<RestaurantSwitches>> {
        let id = restaurant_id.0;
        let tx = enter(&caller, id).await?;
        change_features(&tx, &caller, id, &body.into_inner().features).await?;
        finish(tx, id).await
    }

    /// Who changed switches and features of a restaurant, newest first.
    ///
    /// codes: RESTAURANT_NOT_EXIST
    #[oai(
        path = "/:restaurant_id/switches/history",
        method = "get",
        operation_id = "restaurant_switches_history_list"
    )]
    async fn history(
        &self, caller: Platform, restaurant_id: Path<Id<Restaurant>>, paging: Paging,
    ) -> Result<Page<SettingsChange>> {
        let tx = enter(&caller, restaurant_id.0).await?;
        let page = audit_lines(&tx, restaurant_id.0, &ACTIONS, &paging).await?;
        let version = version_of(&audit_counts(&tx, restaurant_id.0, &ACTIONS).await?, &ACTIONS);
        let of_line = |line: &AuditLine| {
            let can_restore = earlier(&line.details).next().is_some();
            Some(LineOf { group: SettingsGroup::Features, can_restore, version })
        };
        Ok(Page { rows: SettingsChange::all(&tx, page.rows, None, of_line).await?, total: page.total })
    }

    /// Returns switches and features to what they were before a change, undoing also the later ones.
    ///
    /// It stands in the history as a change like any other, so it can be undone too.
    ///
    /// codes: RESTAURANT_NOT_EXIST, SETTINGS_CHANGE_NOT_EXIST, CONFLICT
    #[oai(
        path = "/:restaurant_id/switches/history/:id/restore",
        method = "post",
        operation_id = "restaurant_switches_history_restore"
    )]
    async fn restore(
        &self, caller: Platform, restaurant_id: Path<Id<Restaurant>>, id: Path<Id<SettingsChanges>>,
        body: Body<SettingsRestore>,
    ) -> Result<Json<RestaurantSwitches>> {
        let (restaurant, line) = (restaurant_id.0, id.uuid());
        let tx = enter(&caller, restaurant).await?;
        settings::lock(&tx, restaurant).await?;
        audit_action(&tx, restaurant, line)
            .await?
            .filter(|action| ACTIONS.contains(&action.as_str()))
            .ok_or_else(Problem::not_exist::<SettingsChanges>)?;
        let changes = audit_lines_since(&tx, restaurant, line, &ACTIONS).await?;
        let version = version_of(&audit_counts(&tx, restaurant, &ACTIONS).await?, &ACTIONS);
        check_version(body.version, version, &changes)?;
        let mut fields = earlier_values(&changes);
        let features = fields.remove("features").map(|names| Vec::parse_from_json(Some(names)));
        if fields.is_empty() && features.is_none() {
            return Err(no_earlier_values());
        }
        let details = json!({"group": [null, SettingsGroup::Features.to_json()]});
        audit(&tx, &caller, restaurant, ("settings_history_restore", line), details).await?;
        if !fields.is_empty() {
            let change = kernel::body::checked(Value::Object(fields))?;
            change_switches(&tx, &caller, restaurant, change).await?;
        }
        if let Some(features) = features {
            let features: Vec<Feature> = features.map_err(|_| no_earlier_values())?;
            change_features(&tx, &caller, restaurant, &features).await?;
        }
        finish(tx, restaurant).await
    }
}
