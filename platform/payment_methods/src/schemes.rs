//! Terminal schemes: which card terminal a till or a kiosk uses. See
//! `docs/decisions/payments.md#card-terminals`.

use access::prelude::*;
use kernel::{Admin, ids::Kiosks};
use sea_orm::{FromQueryResult, Select, Value as Bound};

use crate::terminals::TerminalType;

pub struct TerminalSchemes;

kernel::resource!(TerminalSchemes, "terminal_schemes", "TERMINAL_SCHEME");

#[derive(Debug, Clone, DeriveEntityModel)]
#[sea_orm(table_name = "terminal_scheme")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<TerminalSchemes>,
    pub restaurant_id: Id<Restaurant>,
    pub terminal_id: String,
    pub(crate) terminal_type: TerminalType,
    pub admin_id: Option<Id<Admin>>,
    pub restaurant_kiosk_id: Option<Id<Kiosks>>,
    pub version: i64,
    pub archived_at: Option<Timestamp>,
}

entity!();

/// Which terminal a till or a kiosk uses.
#[derive(Debug, Clone, Object, FromQueryResult)]
pub struct TerminalScheme {
    id: Id<TerminalSchemes>,
    restaurant_id: Id<Restaurant>,
    /// The maker's id of the terminal.
    terminal_id: String,
    /// Name of the terminal; null when it is not among those that are known.
    terminal_name: Option<String>,
    terminal_type: TerminalType,
    /// Whose till it is.
    admin_id: Option<Id<Admin>>,
    admin_name: Option<String>,
    restaurant_kiosk_id: Option<Id<Kiosks>>,
    restaurant_kiosk_name: Option<String>,
    version: i64,
}

/// A till, a kiosk, or both must be chosen.
#[derive(Debug, Object)]
struct NewTerminalScheme {
    #[oai(validator(min_length = 1, max_length = 100))]
    terminal_id: String,
    terminal_type: Option<TerminalType>,
    admin_id: Option<Id<Admin>>,
    restaurant_kiosk_id: Option<Id<Kiosks>>,
}

#[derive(Debug, Object)]
struct TerminalSchemeChange {
    #[oai(validator(min_length = 1, max_length = 100))]
    terminal_id: Option<String>,
    terminal_type: Option<TerminalType>,
    admin_id: Clearable<Id<Admin>>,
    restaurant_kiosk_id: Clearable<Id<Kiosks>>,
    version: Option<i64>,
}

const PEOPLE: &str = "select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'name', \
    trim(a.last_name || ' ' || a.first_name))), '[]') people \
    from unnest($1::uuid[]) i (id), control.admins(i.id, null, null, null, null, 1, 0) a";
const SHOWN: &str = "select s.id, s.restaurant_id, s.terminal_id, t.name terminal_name, s.terminal_type, \
    s.admin_id, p.name admin_name, \
        s.restaurant_kiosk_id, k.name restaurant_kiosk_name, s.version \
    from terminal_scheme s left join jsonb_to_recordset($2) p (id uuid, name text) on p.id = s.admin_id \
        left join kiosk_name k on k.id = s.restaurant_kiosk_id \
        left join card_terminal t on t.restaurant_id = s.restaurant_id and t.terminal_type = s.terminal_type \
        and t.terminal_id = s.terminal_id \
            and t.archived_at is null \
    where s.id = any($1) order by ref.fold(coalesce(p.name, k.name)), s.id";

impl rows::Table for Entity {
    type Of = TerminalSchemes;
    type Tx = TenantTx;
    type Answer = TerminalScheme;
    const HOME: rows::Home = rows::Home::Restaurant;

    // By the names of tills and kiosks, which the answer brings: `SHOWN` orders.
    fn order(found: Select<Self>) -> Result<Select<Self>> {
        Ok(found)
    }
}

impl rows::Answer<Entity> for TerminalScheme {
    async fn of(rows: &rows::Rows<'_>, found: Vec<Model>) -> Result<Vec<Self>> {
        let ids: Vec<uuid::Uuid> = found.iter().map(|row| row.id.uuid()).collect();
        let admins: Vec<uuid::Uuid> = found.iter().filter_map(|row| row.admin_id).map(Id::uuid).collect();
        let people: Option<serde_json::Value> = if admins.is_empty() {
            Some(serde_json::json!([]))
        } else {
            rows.tx().value(PEOPLE, [admins.into()]).await?
        };
        Ok(rows.tx().all(SHOWN, [ids.into(), people.into()]).await?)
    }
}

const ADMIN: &str = "select 1 yes from control.admins($1, $2, null, null, false, 1, 0)";
/// Kiosks belong to another crate, which refers to nothing of this one: their table is asked, nothing else of
/// them is known here.
const KIOSK: &str =
    "select 1 yes from kiosk_name where id = $1 and restaurant_id = $2 and archived_at is null";

/// A till or a kiosk must be named, and what is named must be the restaurant's. A row may name an admin or
/// kiosk that was archived later.
async fn check(
    tx: &TenantTx, restaurant: Id<Restaurant>, sent: (Option<Id<Admin>>, Option<Id<Kiosks>>), some: bool,
) -> Result<()> {
    let mut problem = Problem::new(Code::VALIDATION_FAILED);
    if !some {
        problem = problem
            .key("admin_id", Fault::Required)
            .key("restaurant_kiosk_id", Fault::Required)
            .detail("select admin or kiosk");
    }
    let named: [(&str, &'static str, Option<Bound>); 2] = [
        ("admin_id", ADMIN, sent.0.map(Bound::from)),
        ("restaurant_kiosk_id", KIOSK, sent.1.map(Bound::from)),
    ];
    for (key, sql, id) in named {
        if let Some(id) = id
            && tx.row(sql, [id, restaurant.into()]).await?.is_none()
        {
            problem = problem.key(key, Fault::NotExist);
        }
    }
    problem.if_any()
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/terminal-schemes",
    tag = "Tag::Restaurants"
)]
impl TerminalSchemes {
    /// The restaurant's terminal schemes, by till or kiosk.
    #[oai(path = "/", method = "get", operation_id = "terminal_schemes_list")]
    async fn list(&self, scope: In<Restaurant, perm::NoPermRequired>) -> Result<Page<TerminalScheme>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let found = rows.live::<Entity>()?.all(&tx).await?;
        Ok(Page::unpaged(<TerminalScheme as rows::Answer<Entity>>::of(&rows, found).await?))
    }

    /// One terminal scheme.
    ///
    /// codes: TERMINAL_SCHEME_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "terminal_schemes_get")]
    async fn get(
        &self, scope: In<Restaurant, perm::NoPermRequired>, id: Path<Id<TerminalSchemes>>,
    ) -> Result<Json<TerminalScheme>> {
        let tx = scope.begin().await?;
        scope.rows(&tx).get::<Entity>(*id).await.map(Json)
    }

    /// Adds a terminal scheme.
    ///
    /// At least one of `admin_id` and `restaurant_kiosk_id` must be there.
    #[oai(path = "/", method = "post", operation_id = "terminal_schemes_create")]
    async fn create(
        &self, scope: In<Restaurant, perm::PaymentMethod>, key: IdempotencyKey, body: Body<NewTerminalScheme>,
    ) -> Result<Stored<TerminalScheme>> {
        let (new, raw) = body.into_parts();
        let NewTerminalScheme { terminal_id, terminal_type, admin_id, restaurant_kiosk_id } = new;
        let tx = scope.begin().await?;
        let row = async {
            let some = admin_id.is_some() || restaurant_kiosk_id.is_some();
            check(&tx, scope.restaurant(), (admin_id, restaurant_kiosk_id), some).await?;
            let mut row = ActiveModel::new();
            row.admin_id = Set(admin_id);
            row.restaurant_kiosk_id = Set(restaurant_kiosk_id);
            fill!(row: terminal_id, terminal_type);
            Ok(row)
        };
        let answer = scope.rows(&tx).create::<Entity>(&key, &raw, row).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Changes a terminal scheme.
    ///
    /// At least one of `admin_id` and `restaurant_kiosk_id` must stay.
    ///
    /// codes: TERMINAL_SCHEME_NOT_EXIST, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "terminal_schemes_update")]
    async fn update(
        &self, scope: In<Restaurant, perm::PaymentMethod>, id: Path<Id<TerminalSchemes>>,
        body: Body<TerminalSchemeChange>,
    ) -> Result<Json<TerminalScheme>> {
        let TerminalSchemeChange { terminal_id, terminal_type, admin_id, restaurant_kiosk_id, version } =
            body.into_inner();
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let mut edit = rows.edit_version::<Entity>(*id, version).await?;
        let (admin, kiosk) = (edit.before.admin_id, edit.before.restaurant_kiosk_id);
        let some = admin_id.or(admin).is_some() || restaurant_kiosk_id.or(kiosk).is_some();
        // Unchanged ids are not looked up again.
        let sent = (
            admin_id.value().copied().filter(|id| Some(*id) != admin),
            restaurant_kiosk_id.value().copied().filter(|id| Some(*id) != kiosk),
        );
        check(&tx, scope.restaurant(), sent, some).await?;
        apply!(edit.row: terminal_id, terminal_type, admin_id, restaurant_kiosk_id);
        let after = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Removes a terminal scheme.
    ///
    /// codes: TERMINAL_SCHEME_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "terminal_schemes_delete")]
    async fn delete(
        &self, scope: In<Restaurant, perm::PaymentMethod>, id: Path<Id<TerminalSchemes>>,
    ) -> Result<Done> {
        let tx = scope.begin().await?;
        scope.rows(&tx).delete::<Entity>(*id).await?;
        tx.commit().await?;
        Ok(Done)
    }
}
