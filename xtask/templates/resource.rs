//! {{Words}}.

use access::prelude::*;
use kernel::money::Money;
{{ref_use}}
pub struct {{Many}};

impl Resource for {{Many}} {
    const NAME: &'static str = "{{many}}";
    const ENTITY: &'static str = "{{ONE}}";
}

/// {{Words_one}}.
#[derive(Debug, Clone, Object, DeriveEntityModel)]
#[oai(rename = "{{One}}")]
#[sea_orm(table_name = "{{one}}")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<{{Many}}>,
    #[oai(skip)]
    pub restaurant_id: Id<Restaurant>,
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub kind: {{One}}Kind,
    pub price: Money,
    pub {{ref_id}}: Option<Id<{{Ref}}>>,
    pub active: bool,
    pub ranking: i32,
    pub version: i64,
    pub archived_at: Option<Timestamp>,
}

/// What kind it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum {{One}}Kind {
    First,
    Second,
}

#[derive(Debug, Object)]
struct New{{One}} {
    #[oai(validator(max_length = 100))]
    name: String,
    #[oai(validator(max_length = 100))]
    name_sec_lang: Option<String>,
    kind: {{One}}Kind,
    price: Money,
    {{ref_id}}: Option<Id<{{Ref}}>>,
    #[oai(default = "rows::yes")]
    active: bool,
}

#[derive(Debug, Object)]
struct {{One}}Change {
    #[oai(validator(min_length = 1, max_length = 100))]
    name: Option<String>,
    #[oai(validator(max_length = 100))]
    name_sec_lang: Clearable<String>,
    kind: Option<{{One}}Kind>,
    price: Option<Money>,
    {{ref_id}}: Clearable<Id<{{Ref}}>>,
    active: Option<bool>,
    version: Option<i64>,
}

/// The {{words}} in their new order.
#[derive(Debug, Object)]
struct {{One}}Ranking {
    {{one}}_ids: Vec<Id<{{Many}}>>,
}

type {{One}} = Model;
type Here = In<Restaurant, perm::{{Permission}}>;
entity!();

/// What the schema cannot say of a body.
async fn check(tx: &TenantTx, restaurant: Id<Restaurant>, price: Option<Money>, {{ref_id}}: Option<Id<{{Ref}}>>) -> Result<()> {
    let negative = price.filter(|price| price.is_negative()).map(|_| ("price".to_owned(), Fault::Min));
    let missing = rows::missing::<{{ref_entity}}, _>(tx, restaurant, "{{ref_id}}", {{ref_id}}).await?;
    Problem::new(Code::VALIDATION_FAILED).keys(negative.into_iter().chain(missing)).if_any()
}

#[OpenApi(prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/{{path}}", tag = "Tag::{{tag}}")]
impl {{Many}} {
    /// The restaurant's {{words}} in their order.
    #[oai(path = "/", method = "get", operation_id = "{{many}}_list")]
    async fn list(
        &self,
        scope: Here,
        name: QueryParam<String>,
        active: QueryParam<bool>,
        kind: QueryParam<{{One}}Kind>,
        paging: Unpaged,
    ) -> Result<Page<{{One}}>> {
        let tx = scope.begin().await?;
        let found = rows::named(rows::live::<Entity>(scope.restaurant())?, Column::Name, name.as_deref());
        let found = rows::matching(rows::matching(found, Column::Active, active.0), Column::Kind, kind.0);
        rows::whole(&tx, rows::ranked(found)?, paging).await
    }

    /// One {{words_one}}.
    ///
    /// codes: {{ONE}}_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "{{many}}_get")]
    async fn get(&self, scope: Here, id: Path<Id<{{Many}}>>) -> Result<Json<{{One}}>> {
        let tx = scope.begin().await?;
        rows::find::<Entity, _>(&tx, scope.restaurant(), *id).await.map(Json)
    }

    /// Adds one {{words_one}}.
    #[oai(path = "/", method = "post", operation_id = "{{many}}_create")]
    async fn create(&self, scope: Here, key: IdempotencyKey, body: Body<New{{One}}>) -> Result<Stored<{{One}}>> {
        let raw = body.raw().clone();
        let New{{One}} { name, name_sec_lang, kind, price, {{ref_id}}, active } = body.into_inner();
        let tx = scope.begin().await?;
        check(&tx, scope.restaurant(), Some(price), {{ref_id}}).await?;
        let mut row = ActiveModel::new();
        fill!(row: name, name_sec_lang, kind, price, {{ref_id}}, active);
        let answer = rows::create::<{{Many}}, _, _>(&tx, &scope, &key, &raw, row).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Changes one {{words_one}}.
    ///
    /// codes: {{ONE}}_NOT_EXIST, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "{{many}}_update")]
    async fn update(&self, scope: Here, id: Path<Id<{{Many}}>>, body: Body<{{One}}Change>) -> Result<Json<{{One}}>> {
        let {{One}}Change { name, name_sec_lang, kind, price, {{ref_id}}, active, version } = body.into_inner();
        let tx = scope.begin().await?;
        let (before, mut row) = rows::edit::<Entity, _>(&tx, scope.restaurant(), *id, version).await?;
        check(&tx, scope.restaurant(), price, {{ref_id}}.value().copied()).await?;
        apply!(row: name, name_sec_lang, kind, price, {{ref_id}}, active);
        let after = rows::change::<{{Many}}, _, _>(&tx, &scope, &before, row).await?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Archives one {{words_one}}.
    ///
    /// codes: {{ONE}}_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "{{many}}_delete")]
    async fn delete(&self, scope: Here, id: Path<Id<{{Many}}>>) -> Result<Done> {
        rows::delete::<Entity, _, _>(&scope, *id).await
    }

    /// Puts the {{words}} in another order.
    #[oai(path = "/ranking", method = "put", operation_id = "{{many}}_rank")]
    async fn rank(&self, scope: Here, body: Body<{{One}}Ranking>) -> Result<Done> {
        rows::rank_all::<Entity, _, _>(&scope, "{{one}}_ids", &body.{{one}}_ids).await
    }
}
