//! A series of codes: each belongs to a coupon and is good for one order. Dates and limits are the coupon's.

use access::prelude::*;
use poem_openapi::payload::{Attachment, AttachmentType};
use pricing::fold_code;
use sea_orm::FromQueryResult;
use serde_json::json;
use sheets::WriteFault;

use crate::{
    api::{Here, find, lock_own},
    codes::codes,
    entity::{Discounts, Model},
    store::{self, Places},
    values::DiscountType,
};

/// Most codes of one coupon.
const MOST: i64 = 10_000;

/// A code of a series.
#[derive(Debug, Object, FromQueryResult)]
struct DiscountCode {
    code: String,
    /// When an order used it; null while it is good.
    used_at: Option<Timestamp>,
    created_at: Timestamp,
}

/// Codes to be made.
#[derive(Debug, Object)]
struct NewDiscountSeries {
    /// How many; a coupon has 10,000 at most.
    #[oai(validator(minimum(value = "1"), maximum(value = "10000")))]
    quantity: i32,
    /// What every code begins with.
    #[oai(validator(max_length = 12, pattern = "^[A-Z0-9-]*$"))]
    prefix: Option<String>,
    /// Off: the coupon's own code, which anybody may use, is taken away, and only codes of its series are good.
    #[oai(default = "rows::yes")]
    keep_code: bool,
}

/// What a coupon's series is.
#[derive(Debug, Object)]
struct DiscountSeries {
    /// How many codes the coupon has now.
    series_qty: i64,
    /// How many of them orders have used.
    used_qty: i64,
    /// The coupon's own code.
    code: Option<String>,
    /// The coupon's version.
    version: i64,
}

const LIST: &str = "select code, used_at, created_at from discount_code where discount_id = $1 \
    order by created_at, code limit $2 offset $3";
const COUNT: &str = "select count(*) total, count(used_at) used from discount_code where discount_id = $1";
/// A code that another promotion has is left out; another one is made in its place.
const INSERT: &str = "insert into discount_code (id, discount_id, code, code_key, created_at) \
    select gen_random_uuid(), $1, t.code, t.code_key, $4 from unnest($2::text[], $3::text[]) t (code, code_key) \
    where not exists (select from discount d where d.code_key = t.code_key and d.archived_at is null) \
    on conflict do nothing";

#[derive(Default, FromQueryResult)]
struct Counts {
    total: i64,
    used: i64,
}

/// How many codes a coupon has, and how many of them are used.
async fn count(tx: &TenantTx, id: Id<Discounts>) -> Result<Counts> {
    Ok(tx.one(COUNT, [id.into()]).await?.unwrap_or_default())
}

/// Adds so many codes.
async fn add(tx: &TenantTx, id: Id<Discounts>, quantity: usize, prefix: &str) -> Result<()> {
    let (mut missing, now) = (quantity, Timestamp::now());
    // One round is enough but by a chance of one in millions.
    for _ in 0..10 {
        let made = codes(missing, prefix);
        let keys: Vec<String> = made.iter().map(|code| fold_code(code)).collect();
        let added = tx.run(INSERT, [id.into(), made.into(), keys.into(), now.into()]).await?;
        missing = missing.saturating_sub(usize::try_from(added).unwrap_or(usize::MAX));
        if missing == 0 {
            return Ok(());
        }
    }
    Err(Code::UNKNOWN_ERROR.into())
}

fn refuse_others(model: &Model) -> Result<()> {
    let problem = Problem::new(Code::VALIDATION_FAILED);
    if model.discount_type == DiscountType::Coupon {
        return Ok(());
    }
    Err(problem.key("quantity", Fault::Invalid).detail("only a coupon has a series"))
}

fn workbook(codes: Vec<DiscountCode>) -> Result<Vec<u8>, WriteFault> {
    let (title, headings) = if kernel::request::hungarian() {
        ("Kódok", ["Kód", "Felhasználva (UTC)"])
    } else {
        ("Codes", ["Code", "Used (UTC)"])
    };
    let row = |code: DiscountCode| vec![code.code.into(), code.used_at.map(|at| at.0.naive_utc()).into()];
    sheets::write(title, headings.map(|text| (text.into(), 24.0)).to_vec(), codes.into_iter().map(row))
}

pub(crate) struct SeriesApi;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/discounts",
    tag = "Tag::Orders"
)]
impl SeriesApi {
    /// The codes of a coupon's series.
    ///
    /// codes: DISCOUNT_NOT_EXIST
    #[oai(path = "/:id/series", method = "get", operation_id = "discount_series_list")]
    async fn list(&self, scope: Here, id: Path<Id<Discounts>>, paging: Paging) -> Result<Page<DiscountCode>> {
        let tx = scope.begin().await?;
        find(&scope.rows(&tx), *id).await?;
        let total = if paging.count { count(&tx, *id).await?.total.try_into().ok() } else { None };
        let page = access::audit::limit_offset(&paging);
        let rows = tx.all(LIST, std::iter::once((*id).into()).chain(page)).await?;
        Ok(Page { rows, total })
    }

    /// Adds codes to a coupon's series, each good for one order.
    ///
    /// codes: DISCOUNT_NOT_EXIST
    #[oai(path = "/:id/series", method = "post", operation_id = "discount_series_create")]
    async fn create(
        &self, scope: Here, id: Path<Id<Discounts>>, key: IdempotencyKey, body: Body<NewDiscountSeries>,
    ) -> Result<Stored<DiscountSeries>> {
        let (NewDiscountSeries { quantity, prefix, keep_code }, raw) = body.into_parts();
        let tx = scope.begin().await?;
        let first = match key.begin(&scope, &tx, "discount_series", &raw).await? {
            access::Idempotency::First(first) => first,
            access::Idempotency::Replay(kept) => return Ok(kept),
        };
        store::lock(&tx).await?;
        let rows = scope.rows(&tx);
        let mut edit = lock_own(&rows, &Places::of(&tx, scope.caller()).await?, *id).await?;
        refuse_others(&edit.before)?;
        let before = count(&tx, *id).await?.total;
        if before + i64::from(quantity) > MOST {
            let problem = Problem::new(Code::VALIDATION_FAILED).key("quantity", Fault::Max);
            return Err(problem.detail("a coupon has at most 10000 codes"));
        }
        let prefix = prefix.unwrap_or_default();
        add(&tx, *id, usize::try_from(quantity).unwrap_or_default(), &prefix).await?;
        let details = json!({"series_qty": [before, before + i64::from(quantity)]});
        let place = Some(scope.restaurant().uuid());
        scope.audit(&tx, place, "discount_series_create", *id, details).await?;
        if !keep_code {
            edit.row.code = Set(None);
            edit.row.code_key = Set(None);
        }
        let discount = rows.save(edit).await?;
        let Counts { total: series_qty, used: used_qty } = count(&tx, *id).await?;
        let (code, version) = (discount.code, discount.version);
        let answer = Stored::new(201, &DiscountSeries { series_qty, used_qty, code, version });
        first.keep(&tx, &answer).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// The codes of a coupon's series as a workbook (xlsx).
    ///
    /// codes: DISCOUNT_NOT_EXIST
    #[oai(path = "/:id/series/export", method = "get", operation_id = "discount_series_export")]
    async fn export(&self, scope: Here, id: Path<Id<Discounts>>) -> Result<Attachment<Vec<u8>>> {
        let tx = scope.begin().await?;
        find(&scope.rows(&tx), *id).await?;
        let rows: Vec<DiscountCode> = tx.all(LIST, [(*id).into(), MOST.into(), 0_i64.into()]).await?;
        let details = json!({"series_qty": [null, rows.len()]});
        let place = Some(scope.restaurant().uuid());
        scope.audit(&tx, place, "discount_series_export", *id, details).await?;
        tx.commit().await?;
        let bytes = workbook(rows).map_err(|error| {
            tracing::error!(%error, "a workbook of codes cannot be written");
            Problem::new(Code::UNKNOWN_ERROR)
        })?;
        let name = if kernel::request::hungarian() { "kuponkodok.xlsx" } else { "coupon-codes.xlsx" };
        Ok(Attachment::new(bytes).attachment_type(AttachmentType::Attachment).filename(name))
    }
}
