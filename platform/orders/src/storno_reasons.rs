//! Why orders are refused and cancelled, in the restaurant's own words. See
//! `docs/decisions/orders.md#reasons`.

use access::{domain::Copying, prelude::*};
use kernel::text::is_blank;
use sea_orm::{FromQueryResult, Select};
use serde_json::json;
use uuid::Uuid;

use crate::values::ArchiveReason;

pub(crate) struct StornoReasons;

kernel::resource!(StornoReasons, "storno_reasons", "STORNO_REASON");

/// The most reasons of a restaurant: whoever cancels looks through them.
const MOST: u64 = 200;

/// A reason to refuse or to cancel an order.
#[derive(Debug, Clone, Object, DeriveEntityModel)]
#[oai(rename = "StornoReason")]
#[sea_orm(table_name = "storno_reason")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Id<StornoReasons>,
    #[oai(skip)]
    pub restaurant_id: Id<Restaurant>,
    /// The guest of a refused order reads it.
    pub name: String,
    pub name_sec_lang: Option<String>,
    pub used_for: StornoReasonUse,
    /// Whoever chooses it says more in words.
    pub text_required: bool,
    /// Whether it is offered.
    pub active: bool,
    pub ranking: i32,
    pub version: i64,
    pub archived_at: Option<Timestamp>,
}

/// For which orders a reason is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, EnumIter, DeriveActiveEnum)]
#[oai(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub(crate) enum StornoReasonUse {
    Both,
    /// Orders that nobody has accepted, as a whole.
    Refusal,
    /// Accepted orders, as a whole.
    Storno,
    /// Pieces of any order.
    Pieces,
}

new! {
    struct NewStornoReason of ActiveModel {
        #[oai(validator(max_length = 100))]
        name: String,
        #[oai(validator(max_length = 100))]
        name_sec_lang: Option<String>,
        #[oai(default = "StornoReasonUse::both")]
        used_for: StornoReasonUse,
        #[oai(default)]
        text_required: bool,
        #[oai(default = "rows::yes")]
        active: bool,
    }
}

change! {
    struct StornoReasonChange of ActiveModel {
        #[oai(validator(min_length = 1, max_length = 100))]
        name: Option<String>,
        #[oai(validator(max_length = 100))]
        name_sec_lang: Clearable<String>,
        used_for: Option<StornoReasonUse>,
        text_required: Option<bool>,
        active: Option<bool>,
    }
}

/// The reasons in their new order.
#[derive(Debug, Object)]
struct StornoReasonRanking {
    storno_reason_ids: Vec<Id<StornoReasons>>,
}

type StornoReason = Model;
type Here = In<Restaurant, perm::PosSettings>;
/// Whoever cancels orders chooses among them.
type Readers = AnyOf<(perm::FreshOrder, perm::AllOrder, perm::PosSettings)>;
entity!(pub(crate));

impl StornoReasonUse {
    const fn both() -> Self {
        Self::Both
    }

    /// Whether it is offered for pieces, or for a whole order that nobody has accepted or somebody has.
    const fn is_for(self, pieces: bool, unaccepted: bool) -> bool {
        match self {
            Self::Pieces => pieces,
            Self::Both => !pieces,
            Self::Refusal => !pieces && unaccepted,
            Self::Storno => !pieces && !unaccepted,
        }
    }
}

impl rows::Table for Entity {
    type Of = StornoReasons;
    type Tx = TenantTx;
    type Answer = StornoReason;
    const HOME: rows::Home = rows::Home::Restaurant;

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        rows::ranked(found)
    }
}

const LOCK: &str =
    "select pg_advisory_xact_lock(hashtextextended('storno reasons ' || $1::uuid::text, 0))::text";

/// Refuses one reason more than a restaurant may have. Whoever adds two at the same time waits here.
async fn check_room(rows: &rows::Rows<'_>) -> Result<()> {
    rows.tx().run(LOCK, [rows.restaurant()?.into()]).await?;
    if rows.live::<Entity>()?.count(rows.tx()).await? >= MOST {
        return Err(Problem::new(Code::LIST_FULL)
            .with("limit", MOST.into())
            .detail("a restaurant has at most 200 reasons"));
    }
    Ok(())
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/storno-reasons",
    tag = "Tag::Orders"
)]
impl StornoReasons {
    /// The restaurant's own reasons in their order. Where none is active, the standard ones are offered.
    #[oai(path = "/", method = "get", operation_id = "storno_reasons_list")]
    async fn list(
        &self, scope: In<Restaurant, Readers>, name: QueryParam<String>, active: QueryParam<bool>,
        used_for: QueryParam<StornoReasonUse>, paging: Unpaged,
    ) -> Result<Page<StornoReason>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let found = rows::named(rows.live::<Entity>()?, Column::Name, name.as_deref());
        let found = rows::matching(found, Column::Active, active.0);
        rows.list(rows::matching(found, Column::UsedFor, used_for.0), paging).await
    }

    /// One reason.
    ///
    /// codes: STORNO_REASON_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "storno_reasons_get")]
    async fn get(&self, scope: Here, id: Path<Id<StornoReasons>>) -> Result<Json<StornoReason>> {
        let tx = scope.begin().await?;
        scope.rows(&tx).get::<Entity>(*id).await.map(Json)
    }

    /// Adds a reason; a restaurant has at most 200.
    ///
    /// codes: LIST_FULL
    #[oai(path = "/", method = "post", operation_id = "storno_reasons_create")]
    async fn create(
        &self, scope: Here, key: IdempotencyKey, body: Body<NewStornoReason>,
    ) -> Result<Stored<StornoReason>> {
        let (new, raw) = body.into_parts();
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let fill = async {
            check_room(&rows).await?;
            Ok(new.fill())
        };
        let answer = rows.create::<Entity>(&key, &raw, fill).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Changes a reason. Orders that have it keep the name that it had.
    ///
    /// codes: STORNO_REASON_NOT_EXIST, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "storno_reasons_update")]
    async fn update(
        &self, scope: Here, id: Path<Id<StornoReasons>>, body: Body<StornoReasonChange>,
    ) -> Result<Json<StornoReason>> {
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let mut edit = rows.edit_version::<Entity>(*id, body.version).await?;
        body.into_inner().apply(&mut edit.row);
        let after = rows.save(edit).await?;
        tx.commit().await?;
        Ok(Json(after))
    }

    /// Archives a reason. Orders that have it keep it.
    ///
    /// codes: STORNO_REASON_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "storno_reasons_delete")]
    async fn delete(&self, scope: Here, id: Path<Id<StornoReasons>>) -> Result<Done> {
        let tx = scope.begin().await?;
        scope.rows(&tx).delete::<Entity>(*id).await?;
        tx.commit().await?;
        Ok(Done)
    }

    /// Puts the reasons in another order: all of them, each once.
    #[oai(path = "/ranking", method = "put", operation_id = "storno_reasons_rank")]
    async fn rank(&self, scope: Here, body: Body<StornoReasonRanking>) -> Result<Done> {
        let tx = scope.begin().await?;
        scope.rows(&tx).rank::<Entity>("storno_reason_ids", &body.storno_reason_ids).await?;
        tx.commit().await?;
        Ok(Done)
    }
}

/// Why an order is refused or cancelled: a standard reason, one of the restaurant's own, or words alone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Why {
    pub standard: Option<ArchiveReason>,
    pub own: Option<OwnReason>,
    pub text: Option<String>,
    /// Whose PIN allowed it, where it needed one.
    pub approved_by: Option<String>,
}

impl Why {
    pub fn standard_name(&self) -> Option<String> {
        self.standard.map(|reason| reason.name().to_owned())
    }

    /// For the audit log and the history.
    pub fn details(&self) -> serde_json::Value {
        let own = self.own.as_ref();
        json!({"reason": self.standard.map(ArchiveReason::name), "reason_id": own.map(|own| own.id),
            "reason_name": own.map(|own| &own.name), "text": self.text})
    }
}

/// A reason of the restaurant's own, as orders keep it.
#[derive(Debug, Clone, FromQueryResult)]
pub(crate) struct OwnReason {
    pub id: Uuid,
    pub name: String,
    pub name_sec_lang: Option<String>,
    used_for: StornoReasonUse,
    text_required: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct SentReason {
    pub standard: Option<ArchiveReason>,
    pub own: Option<Id<StornoReasons>>,
    pub text: Option<String>,
    /// Of pieces, also while nobody has accepted the order, and with its last piece.
    pub of_pieces: bool,
    /// Whose PIN allows it, where it needs one.
    pub approved_by: Option<String>,
}

/// Held until the commit, so that it is the one that was chosen.
const OWN: &str = "select id, name, name_sec_lang, used_for, text_required from storno_reason \
    where restaurant_id = $1 and id = $2 and active and archived_at is null for key share";

impl SentReason {
    /// What `reason_text` says; none for nothing but blanks.
    fn text(&self) -> Option<&str> {
        self.text.as_deref().map(str::trim).filter(|text| !is_blank(text))
    }

    /// The reason, for an order that nobody has accepted (`unaccepted`) or one that somebody has.
    /// Errors: `VALIDATION_FAILED` for two reasons at once, one that is not offered here, and one that asks
    /// for words.
    pub async fn check(&self, tx: &TenantTx, restaurant: Id<Restaurant>, unaccepted: bool) -> Result<Why> {
        let invalid = |field: &str, fault| Err(Problem::new(Code::VALIDATION_FAILED).key(field, fault));
        let text = self.text().map(str::to_owned);
        let approved_by = self.approved_by.clone();
        let Some(id) = self.own else {
            if self.standard.is_some_and(ArchiveReason::is_of_goods) && !self.of_pieces {
                return invalid("reason", Fault::Invalid);
            }
            if self.standard == Some(ArchiveReason::Other) && text.is_none() {
                return invalid("reason_text", Fault::Required);
            }
            return Ok(Why { standard: self.standard, own: None, text, approved_by });
        };
        if self.standard.is_some() {
            return invalid("reason", Fault::Invalid);
        }
        let own: Option<OwnReason> = tx.one(OWN, [restaurant.into(), id.into()]).await?;
        let Some(own) = own.filter(|own| own.used_for.is_for(self.of_pieces, unaccepted)) else {
            return invalid("reason_id", Fault::NotExist);
        };
        if own.text_required && text.is_none() {
            return invalid("reason_text", Fault::Required);
        }
        Ok(Why { standard: None, own: Some(own), text, approved_by })
    }
}

const COPY: &str = "insert into storno_reason (id, restaurant_id, name, name_sec_lang, used_for, text_required, \
        active, ranking) \
    select gen_random_uuid(), $2, name, name_sec_lang, used_for, text_required, active, ranking \
    from storno_reason where restaurant_id = $1 and archived_at is null";

/// Gives a copied restaurant the reasons of the one it is made from.
pub(crate) async fn copy(tx: &TenantTx, copying: &Copying) -> Result<()> {
    tx.run(COPY, [copying.from.into(), copying.to.into()]).await?;
    Ok(())
}
