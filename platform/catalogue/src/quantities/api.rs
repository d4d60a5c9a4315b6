//! Operations on what is left of sizes.

use access::{Idempotency, prelude::*};
use poem_openapi::types::ToJSON;
use serde_json::json;

use super::{
    Stock, Today, events,
    store::{self, QuantityFilter, Row},
};
use crate::{
    ProductCategories, Products, Subproducts, changes::need, quantities::store::Only,
    restaurant_defaults::touched,
};

/// What is left of sizes: a view of them for those who sell.
#[derive(Debug)]
pub struct SellableQuantities;

kernel::resource!(SellableQuantities, "sellable_quantities", "SUBPRODUCT");

/// Whether a size is sold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum SaleState {
    /// It is, as far as pieces are left.
    On,
    /// It is not, until the next business day begins.
    OffToday,
    /// It is not, until somebody switches it on.
    Off,
}

/// What is left of a size.
#[derive(Debug, Object)]
pub(crate) struct SellableQuantity {
    /// Of the sub-product.
    id: Id<Subproducts>,
    name: String,
    name_sec_lang: Option<String>,
    product_id: Id<Products>,
    product_name: String,
    product_name_sec_lang: Option<String>,
    /// The only size of its product, which is called by the product's name alone.
    alone: bool,
    product_category_id: Id<ProductCategories>,
    category_name: String,
    parent_category_name: Option<String>,
    /// Its own, else the product's.
    ean_code: Option<String>,
    /// Its product and its categories are active; nothing is sold otherwise.
    product_active: bool,
    state: SaleState,
    /// When it is back by itself, with `off_today`: the next business day begins.
    off_until: Option<Timestamp>,
    /// Pieces that may still be sold; `null`: nobody counts. With `off_today`: from then on.
    sellable_quantity: Option<i32>,
    /// Pieces to which the quantity refills at the beginning of each business day; `null`: it does not.
    daily_quantity: Option<i32>,
    /// When it does so next.
    refill_at: Option<Timestamp>,
    /// Rises with each change that people make here, not with orders.
    version: i64,
}

impl SellableQuantity {
    fn of(row: Row, today: Today) -> Self {
        let stock = row.stock().at(today.now);
        let refills = stock.refill_at.map(|at| if at > today.now { at } else { today.ends });
        Self {
            id: row.id,
            name: row.name,
            name_sec_lang: row.name_sec_lang,
            product_id: row.product_id,
            product_name: row.product_name,
            product_name_sec_lang: row.product_name_sec_lang,
            alone: row.alone,
            product_category_id: row.product_category_id,
            category_name: row.category_name,
            parent_category_name: row.parent_category_name,
            ean_code: row.ean_code.or(row.product_ean_code),
            product_active: row.product_active,
            state: state(row.active, stock),
            off_until: stock.off_until.filter(|_| row.active),
            sellable_quantity: stock.quantity,
            daily_quantity: stock.daily,
            refill_at: refills,
            version: row.quantity_version,
        }
    }
}

/// The state of a size whose stock is that of now.
fn state(active: bool, stock: Stock) -> SaleState {
    match (active, stock.off_until) {
        (false, _) => SaleState::Off,
        (true, Some(_)) => SaleState::OffToday,
        (true, None) => SaleState::On,
    }
}

/// What is left, set anew. What is absent stays.
#[derive(Debug, Object)]
struct SellableQuantityChange {
    /// Pieces that may still be sold; `null`: nobody counts, and nothing refills.
    #[oai(validator(minimum(value = "0"), maximum(value = "100000")))]
    sellable_quantity: Clearable<i32>,
    /// Pieces of each business day from the next one on; `null`: nothing refills. Who sets it where nobody counted
    /// sets the pieces of today too.
    #[oai(validator(minimum(value = "1"), maximum(value = "100000")))]
    daily_quantity: Clearable<i32>,
    state: Option<SaleState>,
    version: Option<i64>,
}

/// Pieces more or less than there are.
#[derive(Debug, Object)]
struct SellableQuantityStep {
    /// Below zero: fewer. What is left never falls below zero.
    #[oai(validator(minimum(value = "-100000"), maximum(value = "100000")))]
    by: i32,
    /// Switches it on in the same step, or off.
    state: Option<SaleState>,
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/sellable-quantities",
    tag = "Tag::Catalogue"
)]
impl SellableQuantities {
    /// What is left of every size, in the order of the menu.
    #[oai(path = "/", method = "get", operation_id = "sellable_quantities_list")]
    async fn list(
        &self, scope: In<Restaurant, perm::Order>, paging: Paging,
        /// Only those whose product or size is called by all of these words; accents and case ignored.
        name: QueryParam<String>,
        /// Only those with this code, or whose product has it.
        ean_code: QueryParam<String>,
        /// Only some of them.
        only: QueryParam<Only>,
    ) -> Result<Page<SellableQuantity>> {
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        let today = today(&tx, restaurant).await?;
        let words = name.0.iter().flat_map(|name| name.split_whitespace()).map(str::to_owned).collect();
        let ean_code = ean_code.0.map(|code| code.trim().to_owned()).filter(|code| !code.is_empty());
        let wanted = QuantityFilter { words, ean_code, only: only.0 };
        let page = store::page(&tx, restaurant, wanted, today.now, paging).await?;
        Ok(page.map(|row| SellableQuantity::of(row, today)))
    }

    /// What is left of a size.
    ///
    /// codes: SUBPRODUCT_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "sellable_quantities_get")]
    async fn get(
        &self, scope: In<Restaurant, perm::Order>, id: Path<Id<Subproducts>>,
    ) -> Result<Json<SellableQuantity>> {
        let tx = scope.begin().await?;
        let today = today(&tx, scope.restaurant()).await?;
        let row = store::find(&tx, scope.restaurant(), *id).await?;
        Ok(Json(SellableQuantity::of(row, today)))
    }

    /// Sets what is left of a size, what it refills to, or whether it is sold. Quantities need `catalog_edit`,
    /// the state `catalog_activate`. Orders and the public menu follow at once.
    ///
    /// codes: SUBPRODUCT_NOT_EXIST, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "sellable_quantities_update")]
    async fn update(
        &self, scope: In<Restaurant, AnyOf<(perm::CatalogEdit, perm::CatalogActivate)>>,
        id: Path<Id<Subproducts>>, body: Body<SellableQuantityChange>,
    ) -> Result<Json<SellableQuantity>> {
        let SellableQuantityChange { sellable_quantity, daily_quantity, state, version } = body.into_inner();
        let tx = scope.begin().await?;
        let edit = Edit::begin(&scope, &tx, *id, state.is_some()).await?;
        edit.check_version(version).await?;
        let mut stock = edit.stock;
        match sellable_quantity {
            Clearable::Undefined => {}
            Clearable::Null if daily_quantity.value().is_some() => {
                return Err(Problem::new(Code::VALIDATION_FAILED).key("daily_quantity", Fault::Invalid));
            }
            Clearable::Null => stock = stock.set(None, edit.today),
            Clearable::Value(pieces) => stock = stock.set(Some(pieces), edit.today),
        }
        match daily_quantity {
            Clearable::Undefined => {}
            Clearable::Null => stock = stock.refill(None, edit.today),
            Clearable::Value(pieces) => stock = stock.refill(Some(pieces), edit.today),
        }
        let after = edit.save("sellable_quantities_update", stock, state).await?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Adds pieces to what is left of a size, or takes some away. Two who do it at the same time do both.
    ///
    /// Refused with `CONFLICT` where nobody counts any more.
    ///
    /// codes: SUBPRODUCT_NOT_EXIST, CONFLICT
    #[oai(path = "/:id/step", method = "post", operation_id = "sellable_quantities_step")]
    async fn step(
        &self, scope: In<Restaurant, perm::CatalogEdit>, id: Path<Id<Subproducts>>, key: IdempotencyKey,
        body: Body<SellableQuantityStep>,
    ) -> Result<Stored<SellableQuantity>> {
        let (SellableQuantityStep { by, state }, raw) = body.into_parts();
        let tx = scope.begin().await?;
        let first = match key.begin(&scope, &tx, "sellable_quantities_step", &raw).await? {
            Idempotency::First(first) => first,
            Idempotency::Replay(answer) => return Ok(answer),
        };
        let edit = Edit::begin(&scope, &tx, *id, state.is_some()).await?;
        let Some(stock) = edit.stock.add(by, edit.today) else {
            return Err(rows::conflict(&tx, &edit.current, edit.logged()).await?);
        };
        let answer = Stored::new(200, &edit.save("sellable_quantities_step", stock, state).await?);
        first.keep(&tx, &answer).await?;
        tx.commit().await?;
        Ok(answer)
    }
}

async fn today(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<Today> {
    Ok(Today::of(&restaurants::facts(tx, restaurant).await?, Timestamp::now()))
}

/// A size that is being changed: locked, as it is now.
struct Edit<'a, P> {
    scope: &'a In<Restaurant, P>,
    tx: &'a TenantTx,
    today: Today,
    before: Row,
    stock: Stock,
    current: SellableQuantity,
}

impl<'a, P> Edit<'a, P> {
    async fn begin(
        scope: &'a In<Restaurant, P>, tx: &'a TenantTx, id: Id<Subproducts>, with_state: bool,
    ) -> Result<Self> {
        let restaurant = scope.restaurant();
        let before = store::lock(tx, restaurant, id, with_state).await?;
        // After the lock was waited for: a business day may have begun meanwhile.
        let today = today(tx, restaurant).await?;
        let current = SellableQuantity::of(store::find(tx, restaurant, id).await?, today);
        let stock = before.stock().at(today.now);
        Ok(Self { scope, tx, today, before, stock, current })
    }

    fn logged(&self) -> rows::Logged<'static> {
        rows::Logged { resource: SellableQuantities::NAME, record: self.before.id.uuid() }
    }

    async fn check_version(&self, sent: Option<i64>) -> Result<()> {
        rows::check_version(self.tx, sent, self.before.quantity_version, &self.current, self.logged()).await
    }

    /// Writes what differs, says so in the audit log and tells those who show it. Nothing is written where all is as
    /// it was.
    async fn save(
        self, action: &'static str, stock: Stock, wanted: Option<SaleState>,
    ) -> Result<SellableQuantity> {
        let Self { scope, tx, today, before, stock: was, current } = self;
        let (active, stock) = switched(before.active, stock, wanted, today);
        let (state_was, state) = (state(before.active, was), state(active, stock));
        let counts = |stock: &Stock| (stock.quantity, stock.daily);
        let counted = counts(&was) != counts(&stock);
        if counted {
            need(scope, "catalog_edit")?;
        }
        if state != state_was {
            need(scope, "catalog_activate")?;
        }
        if !counted && state == state_was {
            return Ok(current);
        }
        store::save(tx, &before, active, stock).await?;
        let restaurant = scope.restaurant();
        let after = SellableQuantity::of(store::find(tx, restaurant, before.id).await?, today);
        let facts = |row: &SellableQuantity| {
            json!({"sellable_quantity": row.sellable_quantity, "daily_quantity": row.daily_quantity,
                "state": row.state.to_json()})
        };
        let details = access::difference(&facts(&current), &facts(&after));
        scope.audit(tx, Some(restaurant.uuid()), action, before.id, details).await?;
        events::tell(tx, restaurant).await?;
        // Numbers alone are laid over menus that were computed.
        if state != state_was || was.quantity.is_some() != stock.quantity.is_some() {
            touched(tx, restaurant).await?;
        }
        Ok(after)
    }
}

fn switched(active: bool, stock: Stock, wanted: Option<SaleState>, today: Today) -> (bool, Stock) {
    match wanted {
        None => (active, stock),
        Some(SaleState::On) => (true, Stock { off_until: None, ..stock }),
        Some(SaleState::OffToday) => (true, Stock { off_until: Some(today.ends), ..stock }),
        Some(SaleState::Off) => (false, Stock { off_until: None, ..stock }),
    }
}
