//! {{Words}}.

{{?platform}}
use access::{Platform, prelude::*};
{{/}}
{{?!platform}}
use access::prelude::*;
{{/}}
use kernel::money::Money;
use sea_orm::Select;
{{?platform}}
use tenants::ControlTx;
{{/}}
{{ref_use}}{{parent_use}}
pub struct {{Many}};

kernel::resource!({{Many}}, "{{many}}", "{{ONE}}");

/// {{Words_one}}.
#[derive(Debug, Clone, Object, DeriveEntityModel)]
#[oai(rename = "{{One}}")]
#[sea_orm(table_name = "{{one}}")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<{{Many}}>,
{{?restaurant}}
    #[oai(skip)]
    pub restaurant_id: Id<Restaurant>,
{{/}}
{{?parent}}
    pub {{parent_one}}_id: Id<{{Parent}}>,
{{/}}
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

new! {
    struct New{{One}} of ActiveModel {
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
}

change! {
    struct {{One}}Change of ActiveModel {
        #[oai(validator(min_length = 1, max_length = 100))]
        name: Option<String>,
        #[oai(validator(max_length = 100))]
        name_sec_lang: Clearable<String>,
        kind: Option<{{One}}Kind>,
        price: Option<Money>,
        {{ref_id}}: Clearable<Id<{{Ref}}>>,
        active: Option<bool>,
    }
}

/// The {{words}} in their new order.
#[derive(Debug, Object)]
struct {{One}}Ranking {
    {{one}}_ids: Vec<Id<{{Many}}>>,
}

type {{One}} = Model;
type Here = {{Here}};
entity!();

impl rows::Table for Entity {
    type Of = {{Many}};
    type Tx = {{Tx}};
    type Answer = {{One}};
    const HOME: rows::Home = rows::Home::{{Home}};

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        rows::ranked(found)
    }
}

/// What the schema cannot say of a body.
async fn check(rows: &rows::Rows<'_, {{Tx}}>, price: Option<Money>, {{ref_id}}: Option<Id<{{Ref}}>>) -> Result<()> {
    let negative = price.filter(|price| price.is_negative()).map(|_| ("price".to_owned(), Fault::Min));
    let missing = rows.missing::<{{ref_entity}}>("{{ref_id}}", {{ref_id}}).await?;
    Problem::new(Code::VALIDATION_FAILED).keys(negative.into_iter().chain(missing)).if_any()
}

#[OpenApi(prefix_path = "{{prefix}}", tag = "Tag::{{tag}}")]
impl {{Many}} {
    /// The {{words}} in their order.
{{?parent}}
    ///
    /// codes: {{PARENT}}_NOT_EXIST
{{/}}
    #[oai(path = "{{list_path}}", method = "get", operation_id = "{{many}}_list")]
    async fn list(
        &self,
        scope: Here,{{parent_arg}}
        name: QueryParam<String>,
        active: QueryParam<bool>,
        kind: QueryParam<{{One}}Kind>,
        paging: Unpaged,
    ) -> Result<Page<{{One}}>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx){{below_live}};
        let found = rows::named(rows.live::<Entity>()?, Column::Name, name.as_deref());
        let found = rows::matching(rows::matching(found, Column::Active, active.0), Column::Kind, kind.0);
        rows.list(found, paging).await
    }

    /// One {{words_one}}.
    ///
    /// codes: {{parent_codes}}{{ONE}}_NOT_EXIST
    #[oai(path = "{{sub}}/:id", method = "get", operation_id = "{{many}}_get")]
    async fn get(&self, scope: Here,{{parent_arg}} id: Path<Id<{{Many}}>>) -> Result<Json<{{One}}>> {
        let tx = scope.begin().await?;
        scope.rows(&tx){{below_live}}.get::<Entity>(*id).await.map(Json)
    }

    /// Adds one {{words_one}}.
{{?parent}}
    ///
    /// codes: {{PARENT}}_NOT_EXIST
{{/}}
    #[oai(path = "{{list_path}}", method = "post", operation_id = "{{many}}_create")]
{{?platform}}
    async fn create(&self, scope: Here, body: Body<New{{One}}>) -> Result<Created<{{One}}>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        check(&rows, Some(body.price), body.{{ref_id}}).await?;
        let made = rows.insert::<Entity>(body.into_inner().fill()).await?;
        tx.commit().await?;
        Ok(Created(made))
    }
{{/}}
{{?!platform}}
    async fn create(&self, scope: Here,{{parent_arg}} key: IdempotencyKey, body: Body<New{{One}}>) -> Result<Stored<{{One}}>> {
        let (new, raw) = body.into_parts();
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx){{below}};
        let row = async {
{{?parent}}
            scope.rows(&tx).lock::<{{parent_entity}}>(*{{parent_one}}_id).await?;
{{/}}
            check(&rows, Some(new.price), new.{{ref_id}}).await?;
            Ok(new.fill())
        };
        let answer = rows.create::<Entity>(&key, &raw, row).await?;
        tx.commit().await?;
        Ok(answer)
    }
{{/}}

    /// Changes one {{words_one}}.
    ///
    /// codes: {{parent_codes}}{{ONE}}_NOT_EXIST, CONFLICT
    #[oai(path = "{{sub}}/:id", method = "put", operation_id = "{{many}}_update")]
    async fn update(&self, scope: Here,{{parent_arg}} id: Path<Id<{{Many}}>>, body: Body<{{One}}Change>) -> Result<Json<{{One}}>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx){{below_live}};
        let mut edit = rows.edit_version::<Entity>(*id, body.version).await?;
        check(&rows, body.price, body.{{ref_id}}.value().copied()).await?;
        body.into_inner().apply(&mut edit.row);
        let after = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Archives one {{words_one}}.
    ///
    /// codes: {{parent_codes}}{{ONE}}_NOT_EXIST
    #[oai(path = "{{sub}}/:id", method = "delete", operation_id = "{{many}}_delete")]
    async fn delete(&self, scope: Here,{{parent_arg}} id: Path<Id<{{Many}}>>) -> Result<Done> {
        let tx = scope.begin().await?;
        scope.rows(&tx){{below_live}}.delete::<Entity>(*id).await?;
        tx.commit().await?;
        Ok(Done)
    }

    /// Puts the {{words}} in another order: all of them, each once.
{{?parent}}
    ///
    /// codes: {{PARENT}}_NOT_EXIST
{{/}}
    #[oai(path = "{{sub}}/ranking", method = "put", operation_id = "{{many}}_rank")]
    async fn rank(&self, scope: Here,{{parent_arg}} body: Body<{{One}}Ranking>) -> Result<Done> {
        let tx = scope.begin().await?;
        scope.rows(&tx){{below_live}}.rank::<Entity>("{{one}}_ids", &body.{{one}}_ids).await?;
        tx.commit().await?;
        Ok(Done)
    }
}
