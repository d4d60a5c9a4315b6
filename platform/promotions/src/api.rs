//! Operations on promotions. See `docs/decisions/promotions.md`.

use access::prelude::*;
use sea_orm::{Condition, ExprTrait, QuerySelect, Select, sea_query::Expr};
use serde_json::json;
use uuid::Uuid;

use crate::{
    entity::{Column, Discounts, Entity, Model},
    rules::{self, Faults},
    store::{self, Looking, Places},
    types::{Discount, DiscountChange, NewDiscount},
    values::DiscountType,
};

/// Where promotions are edited.
pub type Here = In<Restaurant, perm::Discount>;

/// Which promotions a list has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Enum)]
#[oai(rename_all = "snake_case")]
enum DiscountActivity {
    /// Switched on, neither over nor used up; also those that begin later.
    #[default]
    Active,
    /// The others.
    Inactive,
    All,
}

/// Narrows to those that hold at this restaurant.
pub(crate) fn at(found: Select<Entity>, restaurant: Id<Restaurant>) -> Select<Entity> {
    let here = "(discount.restaurant_ids is null or $1 = any (discount.restaurant_ids))";
    found.filter(Expr::cust_with_values(here, [restaurant.uuid()]))
}

const USED: &str = "exists (select from promotion_use u where u.discount_id = discount.id \
    and u.given_back_at is null)";
const USED_UP: &str = "(discount.all_max_use_qty is not null and not discount.is_daily_discount_limit \
    and discount.all_max_use_qty <= (select count(*) from promotion_use u \
        where u.discount_id = discount.id and u.given_back_at is null))";

fn active() -> Condition {
    let over = Column::ValidTill.is_null().or(Column::ValidTill.gte(Timestamp::now()));
    Condition::all().add(Column::Active.eq(true)).add(over).add(Expr::cust(USED_UP).not())
}

/// A promotion of this restaurant; locked.
/// Errors: `DISCOUNT_NOT_EXIST`; `USER_PERMISSION_REQUIRED` when it also holds at restaurants of others.
pub(crate) async fn lock_own(
    rows: &rows::Rows<'_>, places: &Places, id: Id<Discounts>,
) -> Result<rows::Edit<Entity>> {
    let edit = rows.edit::<Entity>(id).await?;
    if !edit.before.holds_at(rows.restaurant()?) {
        return Err(Problem::not_exist::<Discounts>());
    }
    if !places.may_edit(edit.before.restaurant_ids.as_deref(), rows.caller()) {
        let detail = "it also holds at restaurants that are not yours";
        return Err(Problem::new(Code::USER_PERMISSION_REQUIRED).detail(detail));
    }
    Ok(edit)
}

/// A promotion of this restaurant.
/// Errors: `DISCOUNT_NOT_EXIST`.
pub(crate) async fn find(rows: &rows::Rows<'_>, id: Id<Discounts>) -> Result<Model> {
    let row = rows.find::<Entity>(id).await?;
    if row.holds_at(rows.restaurant()?) { Ok(row) } else { Err(Problem::not_exist::<Discounts>()) }
}

/// A promotion that is about to be saved.
pub(crate) struct Saving<'a> {
    pub rows: &'a rows::Rows<'a>,
    pub places: &'a Places,
    pub before: Option<&'a Model>,
    pub has_series: bool,
}

impl Saving<'_> {
    /// Tidies and checks it, with what was found wrong before.
    /// Errors: `VALIDATION_FAILED`.
    pub(crate) async fn check(&self, model: &mut Model, mut faults: Faults) -> Result<()> {
        let (rows, caller) = (self.rows, self.rows.caller());
        let before = self.before.and_then(|before| before.restaurant_ids.clone()).unwrap_or_default();
        let chosen = model.restaurant_ids.clone();
        self.places.check(chosen.as_deref(), &before, caller, &mut faults);
        let mine = self.places.chosen(chosen.as_deref()).filter(|place| place.mine);
        let looking = Looking {
            restaurant: rows.restaurant()?,
            places: mine.map(|place| place.id).collect(),
            before: self.before,
        };
        looking.resolve(rows.tx(), model, &mut faults).await?;
        rules::tidy(model);
        rules::check(model, self.has_series, &mut faults);
        let mut currencies: Vec<_> =
            self.places.chosen(chosen.as_deref()).map(|place| place.currency).collect();
        currencies.dedup();
        rules::set_currency(model, &currencies, &mut faults);
        store::check_others(rows.tx(), model, &mut faults).await?;
        faults.refuse()
    }
}

pub(crate) fn written(model: Model) -> crate::entity::ActiveModel {
    model.into_active_model().reset_all()
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/discounts",
    tag = "Tag::Orders"
)]
impl Discounts {
    /// Discounts, coupons and upsells that hold at this restaurant, by name.
    ///
    /// Without `activity` those that are active.
    #[oai(path = "/", method = "get", operation_id = "discounts_list")]
    async fn list(
        &self, scope: Here, name: QueryParam<String>, activity: QueryParam<DiscountActivity>,
        #[oai(name = "type")] kind: QueryParam<DiscountType>,
        /// Only those that some order has used, or none.
        used: QueryParam<bool>, paging: Unpaged,
    ) -> Result<Page<Discount>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let found = at(rows.live::<Entity>()?, scope.restaurant());
        let found = rows::named(found, Column::Name, name.as_deref());
        let found = rows::matching(found, Column::DiscountType, kind.0);
        let found = match activity.0.unwrap_or_default() {
            DiscountActivity::Active => found.filter(active()),
            DiscountActivity::Inactive => found.filter(active().not()),
            DiscountActivity::All => found,
        };
        let found = match used.0 {
            Some(true) => found.filter(Expr::cust(USED)),
            Some(false) => found.filter(Expr::cust(USED).not()),
            None => found,
        };
        rows.list(found, paging).await
    }

    /// One promotion.
    ///
    /// codes: DISCOUNT_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "discounts_get")]
    async fn get(&self, scope: Here, id: Path<Id<Discounts>>) -> Result<Json<Discount>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let row = find(&rows, *id).await?;
        rows.answer::<Entity>(row).await.map(Json)
    }

    /// Adds a promotion.
    ///
    /// It needs a platform and a range. Only one upsell can be active at a restaurant.
    #[oai(path = "/", method = "post", operation_id = "discounts_create")]
    async fn create(
        &self, scope: Here, key: IdempotencyKey, body: Body<NewDiscount>,
    ) -> Result<Stored<Discount>> {
        let (new, raw) = body.into_parts();
        let NewDiscount { name, discount_type, fields } = new;
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let row = async {
            store::lock(&tx).await?;
            let places = Places::of(&tx, scope.caller()).await?;
            let mut faults = Faults::default();
            let mut model = rules::blank(scope.restaurant(), name, discount_type);
            rules::apply(&mut model, fields, scope.restaurant(), &mut faults);
            let saving = Saving { rows: &rows, places: &places, before: None, has_series: false };
            saving.check(&mut model, faults).await?;
            Ok(written(model))
        };
        let answer = rows.create::<Entity>(&key, &raw, row).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Changes a promotion.
    ///
    /// Its type is fixed. Whoever acts for some restaurants only may change what holds at no others.
    ///
    /// codes: DISCOUNT_NOT_EXIST, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "discounts_update")]
    async fn update(
        &self, scope: Here, id: Path<Id<Discounts>>, body: Body<DiscountChange>,
    ) -> Result<Json<Discount>> {
        let DiscountChange { name, discount_type, fields, version } = body.into_inner();
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        store::lock(&tx).await?;
        let places = Places::of(&tx, scope.caller()).await?;
        let mut edit = lock_own(&rows, &places, *id).await?;
        edit.check(&tx, version).await?;
        let mut faults = Faults::default();
        let mut model = edit.before.clone();
        if discount_type.is_some_and(|sent| sent != model.discount_type) {
            faults.say("discount_type", Fault::Invalid, "discount_type_fixed");
        }
        model.name = name.unwrap_or(model.name);
        rules::apply(&mut model, fields, scope.restaurant(), &mut faults);
        let has_series = store::has_series(&tx, *id).await?;
        let saving = Saving { rows: &rows, places: &places, before: Some(&edit.before), has_series };
        saving.check(&mut model, faults).await?;
        store::saved(&tx, *id, model.locked_customers).await?;
        edit.row = written(model);
        let after = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Archives a promotion; orders keep what it took, and its code is free again.
    ///
    /// codes: DISCOUNT_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "discounts_delete")]
    async fn delete(&self, scope: Here, id: Path<Id<Discounts>>) -> Result<Done> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let places = Places::of(&tx, scope.caller()).await?;
        let edit = lock_own(&rows, &places, *id).await?;
        rows.remove::<Entity>(*id, json!({"name": [edit.before.name, null]})).await?;
        tx.commit().await?;
        Ok(Done)
    }
}

/// The names of the live promotions at a restaurant.
pub(crate) async fn names_at(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Vec<String>> {
    let live = Entity::find().filter(Column::ArchivedAt.is_null());
    let names = at(live, restaurant).select_only().column(Column::Name).into_tuple().all(tx).await?;
    Ok(names)
}

/// The ids of some promotions, as statements take them.
pub(crate) fn uuids(models: &[Model]) -> Vec<Uuid> {
    models.iter().map(|model| model.id.uuid()).collect()
}
