//! Filters of previous orders that a person keeps under a name; other people do not see them. See
//! `docs/decisions/orders.md#saved-filters`.

use access::prelude::*;
use sea_orm::Select;
use serde_json::{Value, json};

use super::filter::OrderFilter;

pub(crate) struct OrderFilters;

kernel::resource!(OrderFilters, "order_filters", "ORDER_FILTER");

/// The most filters that one person keeps in a restaurant: they stand in one menu.
const MOST: usize = 50;

#[derive(Debug, Clone, DeriveEntityModel)]
#[sea_orm(table_name = "order_filter")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<OrderFilters>,
    pub restaurant_id: Id<Restaurant>,
    /// Whoever keeps it: an admin, or the support access of a super admin.
    pub owner_id: Id<kernel::Admin>,
    pub name: String,
    pub filter: Value,
    pub version: i64,
}
entity!(pub(crate));

/// A filter that the caller keeps.
#[derive(Debug, Object)]
pub(crate) struct SavedOrderFilter {
    id: Id<OrderFilters>,
    name: String,
    /// What cannot be read any more of it is left out.
    filter: OrderFilter,
    version: i64,
}

/// A filter to keep.
#[derive(Debug, Object)]
pub(crate) struct NewSavedOrderFilter {
    /// No other of the caller's filters in this restaurant has it.
    #[oai(validator(min_length = 1, max_length = 60, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    name: String,
    filter: OrderFilter,
}

/// A change of a filter that is kept.
#[derive(Debug, Object)]
pub(crate) struct SavedOrderFilterChange {
    #[oai(validator(min_length = 1, max_length = 60, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    name: Option<String>,
    /// Takes the place of the former one as a whole.
    filter: Option<OrderFilter>,
    version: Option<i64>,
}

impl rows::Table for Entity {
    type Of = OrderFilters;
    type Tx = TenantTx;
    type Answer = SavedOrderFilter;
    const HOME: rows::Home = rows::Home::Below("owner_id");
    const REMOVAL: rows::Removal = rows::Removal::Delete;
    // It may hold a guest's name or phone.
    const SECRET: &'static [&'static str] = &["filter"];

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        rows::alphabetic(found, Column::Name)
    }
}

impl rows::Answer<Entity> for SavedOrderFilter {
    async fn of(_: &rows::Rows<'_>, found: Vec<Model>) -> Result<Vec<Self>> {
        let answer = |Model { id, name, filter, version, .. }| Self {
            id,
            name,
            filter: OrderFilter::kept(&filter),
            version,
        };
        Ok(found.into_iter().map(answer).collect())
    }
}

type Here = In<Restaurant, perm::AllOrder>;

/// The caller's own rows.
fn own<'a>(scope: &'a Here, tx: &'a TenantTx) -> Result<rows::Rows<'a>> {
    let owner = scope.caller().id().ok_or(Code::USER_PERMISSION_REQUIRED)?;
    Ok(scope.rows(tx).below(Id::<kernel::Admin>::from_uuid(owner)))
}

const LOCK: &str = "select pg_advisory_xact_lock(hashtextextended('order filters ' || $1::text, 0))::text";

/// The name without blanks around it, when the caller may give it. Whoever writes two filters at the same time
/// waits here, so that neither the limit nor a name is passed twice.
async fn free_name(
    scope: &Here, own: &rows::Rows<'_>, (name, problem): (&str, Problem), of: Option<Id<OrderFilters>>,
) -> Result<String> {
    let name = name.trim();
    if kernel::text::is_blank(name) {
        return Err(problem.key("name", Fault::Required));
    }
    own.tx().run(LOCK, [scope.caller().id().into()]).await?;
    let others = own.live::<Entity>()?.all(own.tx()).await?;
    if others.iter().any(|other| other.name == name && Some(other.id) != of) {
        return Err(problem.key("name", Fault::NotUnique));
    }
    if of.is_none() && others.len() >= MOST {
        return Err(problem
            .key("name", Fault::TooLong(MOST))
            .detail("a person keeps at most 50 filters in a restaurant"));
    }
    problem.if_any()?;
    Ok(name.to_owned())
}

/// What is wrong with a filter, to be told with what else is.
async fn faults_of(scope: &Here, tx: &TenantTx, filter: Option<&OrderFilter>) -> Result<Problem> {
    let Some(filter) = filter else { return Ok(Problem::new(Code::VALIDATION_FAILED)) };
    match filter.check(tx, scope.restaurant(), "filter").await {
        Ok(()) => Ok(Problem::new(Code::VALIDATION_FAILED)),
        Err(problem) if problem.code() == Code::VALIDATION_FAILED => Ok(problem),
        Err(problem) => Err(problem),
    }
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/order-filters",
    tag = "Tag::Orders"
)]
impl OrderFilters {
    /// The caller's own saved filters, by name.
    #[oai(path = "/", method = "get", operation_id = "order_filters_list")]
    async fn list(&self, scope: Here, paging: Unpaged) -> Result<Page<SavedOrderFilter>> {
        let tx = scope.begin().await?;
        let own = own(&scope, &tx)?;
        own.list(own.live::<Entity>()?, paging).await
    }

    /// Keeps a filter for the caller, who has at most 50 in a restaurant.
    #[oai(path = "/", method = "post", operation_id = "order_filters_create")]
    async fn create(
        &self, scope: Here, key: IdempotencyKey, body: Body<NewSavedOrderFilter>,
    ) -> Result<Stored<SavedOrderFilter>> {
        let (new, raw) = body.into_parts();
        let tx = scope.begin().await?;
        let own = own(&scope, &tx)?;
        let row = async {
            let problem = faults_of(&scope, &tx, Some(&new.filter)).await?;
            let name = free_name(&scope, &own, (&new.name, problem), None).await?;
            Ok(ActiveModel { name: Set(name), filter: Set(new.filter.to_keep()), ..Default::default() })
        };
        let answer = own.create::<Entity>(&key, &raw, row).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Renames a filter of the caller's, or puts another in its place.
    ///
    /// codes: ORDER_FILTER_NOT_EXIST, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "order_filters_update")]
    async fn update(
        &self, scope: Here, id: Path<Id<Self>>, body: Body<SavedOrderFilterChange>,
    ) -> Result<Json<SavedOrderFilter>> {
        let SavedOrderFilterChange { name, filter, version } = body.into_inner();
        let tx = scope.begin().await?;
        let own = own(&scope, &tx)?;
        let mut edit = own.edit_version::<Entity>(*id, version).await?;
        let problem = faults_of(&scope, &tx, filter.as_ref()).await?;
        match name {
            Some(name) => edit.row.name = Set(free_name(&scope, &own, (&name, problem), Some(*id)).await?),
            None => problem.if_any()?,
        }
        if let Some(filter) = filter {
            edit.row.filter = Set(filter.to_keep());
        }
        let after = own.save(edit).await?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Forgets a filter of the caller's.
    ///
    /// codes: ORDER_FILTER_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "order_filters_delete")]
    async fn delete(&self, scope: Here, id: Path<Id<Self>>) -> Result<Done> {
        let tx = scope.begin().await?;
        let own = own(&scope, &tx)?;
        let name = own.lock::<Entity>(*id).await?.name;
        own.remove::<Entity>(*id, json!({"name": [name, null]})).await?;
        tx.commit().await?;
        Ok(Done)
    }
}
