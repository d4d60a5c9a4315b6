//! The rows from which a menu is computed, one statement per table; and the one statement of every request.

use std::collections::{HashMap, HashSet};

use access::prelude::*;
use kernel::money::{Money, Percent};
use media::{Picture, pictures};
use pricing::{Item, Visibility};
use restaurants::Facts;
use sea_orm::FromQueryResult;
use url::Url;
use uuid::Uuid;

use crate::{
    menu::rows::{CategoryRow, OptionRow, ProductRow, SubproductRow},
    option_groups::entity as group,
    ordered_name,
    resolve::pieces,
    restaurant_defaults::RestaurantDefaults,
};

/// Everything of one restaurant that a menu may show.
#[derive(Debug)]
pub(crate) struct Rows {
    pub facts: Facts,
    pub defaults: RestaurantDefaults,
    /// In their order, as all the others.
    pub categories: Vec<CategoryRow>,
    pub products: Vec<ProductRow>,
    pub subproducts: Vec<SubproductRow>,
    pub links: HashMap<Uuid, Vec<Uuid>>,
    /// Components of sub-products, with their pieces.
    pub components: HashMap<Uuid, Vec<(Uuid, i32)>>,
    pub groups: Vec<group::Model>,
    pub options: Vec<OptionRow>,
    /// Codes in the order of the regulation.
    pub allergens: Vec<(Uuid, String)>,
    pub pictures: HashMap<Uuid, Picture>,
    /// Products that are put first, in their order.
    pub featured: Vec<Uuid>,
    /// Which category is suggested to carts with something of another one, or to all.
    pub upsells: Vec<Upsell>,
    /// Promotions that are offered with the cart.
    pub offers: Vec<Offer>,
}

/// A promotion that is offered with the cart.
#[derive(Debug, FromQueryResult)]
pub(crate) struct Offer {
    pub id: Uuid,
    pub name: String,
    pub range_filter_type: String,
    pub ranges: OfferRanges,
}

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, sea_orm::FromJsonQueryResult)]
pub(crate) struct OfferRanges(pub Vec<OfferRange>);

#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct OfferRange {
    pub price_from: Money,
    pub discount_type: String,
    pub discount_value: Money,
    pub free_delivery: bool,
    pub gifts: Vec<OfferGift>,
}

/// A gift of a range; the size is named by its origin.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct OfferGift {
    pub subproduct_id: Uuid,
    pub quantity: u16,
    pub quantity_type: String,
    pub discount_percentage: Percent,
}

/// A category that is suggested.
#[derive(Debug, FromQueryResult)]
pub(crate) struct Upsell {
    pub product_category_id: Option<Uuid>,
    pub suggested_category_id: Uuid,
}

/// The state of a menu that every request looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct State {
    /// Of what guests see.
    pub version: i64,
    /// Pieces that are left, by sub-product, in the order of the ids.
    pub quantities: Vec<(Uuid, i32)>,
}

#[derive(FromQueryResult)]
struct StateRow {
    catalogue_version: i64,
    ids: Vec<Uuid>,
    pieces: Vec<i32>,
}

#[derive(FromQueryResult)]
struct Link {
    subproduct_id: Uuid,
    groups: Vec<Uuid>,
}

#[derive(FromQueryResult)]
struct Consisting {
    subproduct_id: Uuid,
    components: Vec<Uuid>,
    pieces: Vec<i32>,
}

#[derive(FromQueryResult)]
struct AllergenCode {
    id: Uuid,
    code: String,
}

const STATE: &str = "select r.catalogue_version, coalesce(q.ids, '{}') ids, coalesce(q.pieces, '{}') pieces \
    from restaurant_facts r left join lateral ( \
        select array_agg(s.id order by s.id) ids, array_agg(pieces_left(s.sellable_quantity, s.daily_quantity, \
            s.refill_at, s.off_until, $2) order by s.id) pieces \
        from subproduct s where s.restaurant_id = r.id and (s.sellable_quantity is not null or s.off_until > $2) \
        and s.archived_at is null) q on true \
    where r.id = $1";

/// Version and quantities, in one statement.
pub(crate) async fn state(tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<State> {
    let row: Option<StateRow> = tx.one(STATE, [restaurant.into(), kernel::clock::now().into()]).await?;
    let row = row.ok_or_else(Problem::not_exist::<Restaurant>)?;
    Ok(State { version: row.catalogue_version, quantities: row.ids.into_iter().zip(row.pieces).collect() })
}

const LINKS: &str = "select subproduct_id, array_agg(option_group_id order by ranking) groups from \
    subproduct_option_group \
    where restaurant_id = $1 group by subproduct_id";

const COMPONENTS: &str = "select subproduct_id, array_agg(component_id order by ranking, component_id) components, \
    array_agg(pieces order by ranking, component_id) pieces from subproduct_component \
    where restaurant_id = $1 group by subproduct_id";

const FEATURED: &str = "select product_id from featured_product where restaurant_id = $1 and archived_at is null \
    order by ranking, id";

const UPSELLS: &str = "select product_category_id, suggested_category_id from product_category_upsell \
    where restaurant_id = $1 and archived_at is null";

const OFFERS: &str = "select u.id, u.name, u.range_filter_type, u.ranges from menu_upsell u \
    join restaurant_facts r on r.id = $1 where (u.restaurant_ids is null or r.id = any (u.restaurant_ids)) \
    and (u.currency is null or u.currency = r.currency) order by u.created_at, u.id";

/// Reads it all; pictures have their addresses below `base`.
pub(crate) async fn rows(tx: &TenantTx, restaurant: Id<Restaurant>, base: &Url) -> Result<Rows> {
    let links: Vec<Link> = tx.all(LINKS, [restaurant.into()]).await?;
    let consisting: Vec<Consisting> = tx.all(COMPONENTS, [restaurant.into()]).await?;
    let allergens: Vec<AllergenCode> =
        tx.all("select id, code from ref.allergen order by ranking", []).await?;
    let categories = CategoryRow::all(tx, restaurant).await?;
    let products = ProductRow::all(tx, restaurant).await?;
    let shown = categories
        .iter()
        .flat_map(|row| [row.image_web_id, row.image_app_id, row.image_desc_id])
        .chain(products.iter().map(|row| row.image_id));
    let pictures = pictures(tx, base, shown.flatten().collect::<Vec<_>>()).await?;
    Ok(Rows {
        facts: restaurants::facts(tx, restaurant).await?,
        defaults: RestaurantDefaults::load(tx, restaurant).await?,
        categories,
        products,
        pictures,
        subproducts: SubproductRow::all(tx, restaurant).await?,
        links: links.into_iter().map(|link| (link.subproduct_id, link.groups)).collect(),
        components: consisting
            .into_iter()
            .map(|one| (one.subproduct_id, one.components.into_iter().zip(one.pieces).collect()))
            .collect(),
        groups: rows::ranked(rows::live::<crate::option_groups::entity::Entity>(restaurant)?)?
            .all(tx)
            .await?,
        options: OptionRow::all(tx, restaurant).await?,
        allergens: allergens.into_iter().map(|allergen| (allergen.id, allergen.code)).collect(),
        featured: tx.values(FEATURED, [restaurant.into()]).await?,
        upsells: tx.all(UPSELLS, [restaurant.into()]).await?,
        offers: tx.all(OFFERS, [restaurant.into()]).await?,
    })
}

/// The same with the pieces that orders would count now: what has refilled, or is off for today, stands otherwise in
/// the rows.
pub(crate) async fn rows_now(tx: &TenantTx, restaurant: Id<Restaurant>, base: &Url) -> Result<Rows> {
    let mut found = rows(tx, restaurant, base).await?;
    let left: HashMap<Uuid, i32> = state(tx, restaurant).await?.quantities.into_iter().collect();
    for row in &mut found.subproducts {
        row.sellable_quantity = left.get(&row.id.uuid()).copied();
    }
    Ok(found)
}

/// An archived size that a live one consists of, or that a live option stands for.
#[derive(Debug, FromQueryResult)]
pub(crate) struct GonePart {
    pub id: Uuid,
    name: String,
    name_sec_lang: Option<String>,
    product: String,
    product_sec_lang: Option<String>,
    sellable_quantity: Option<i32>,
    deposit_pieces: i32,
}

impl GonePart {
    pub(crate) fn ordered(&self) -> (String, Option<String>) {
        ordered_name(
            (&self.product, self.product_sec_lang.as_deref()),
            (&self.name, self.name_sec_lang.as_deref()),
            false,
        )
    }

    /// As orders see it: not sold by itself, but its pieces are counted.
    pub(crate) fn item(&self) -> Item {
        Item {
            price: Money::ZERO,
            vat: Percent::ZERO,
            sit_in_vat: None,
            visible: Visibility::NONE,
            active: false,
            available_from: None,
            available_to: None,
            published_at: None,
            time_ranges: Vec::new(),
            sellable_quantity: self.sellable_quantity,
            service_fee: None,
            option_group_ids: Vec::new(),
            origin_id: self.id,
            category_ids: Vec::new(),
            components: Vec::new(),
            deposit_pieces: pieces(self.deposit_pieces),
        }
    }
}

const GONE: &str = "select s.id, s.name, s.name_sec_lang, p.name product, p.name_sec_lang product_sec_lang, \
    pieces_left(s.sellable_quantity, s.daily_quantity, s.refill_at, s.off_until, $3) sellable_quantity, s.deposit_pieces \
    from subproduct s join product p on p.id = s.product_id \
    where s.restaurant_id = $1 and s.id = any ($2)";

/// Archived sizes that these rows refer to. Archiving refuses what is in use, so there are none as a rule, and
/// then nothing is asked.
pub(crate) async fn gone(tx: &TenantTx, restaurant: Id<Restaurant>, rows: &Rows) -> Result<Vec<GonePart>> {
    let categories: HashSet<Uuid> = rows.categories.iter().map(|row| row.id.uuid()).collect();
    let of_live = |row: &&ProductRow| categories.contains(&row.product_category_id.uuid());
    let products: HashSet<Uuid> = rows.products.iter().filter(of_live).map(|row| row.id.uuid()).collect();
    let of_live = |row: &&SubproductRow| products.contains(&row.product_id.uuid());
    let live: HashSet<Uuid> = rows.subproducts.iter().filter(of_live).map(|row| row.id.uuid()).collect();
    let of_live = rows.components.iter().filter(|(id, _)| live.contains(id));
    let components = of_live.flat_map(|(_, parts)| parts).map(|(id, _)| *id);
    let named = components.chain(rows.options.iter().filter_map(|option| option.subproduct_id));
    let gone: HashSet<Uuid> = named.filter(|id| !live.contains(id)).collect();
    if gone.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<Uuid> = gone.into_iter().collect();
    Ok(tx.all(GONE, [restaurant.into(), ids.into(), kernel::clock::now().into()]).await?)
}
