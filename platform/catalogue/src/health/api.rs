//! Operations that list the faults of a menu, mend them, and undo a mend.

use std::collections::HashSet;

use access::{Idempotency, Stored, prelude::*};
use kernel::{body::LARGE, time::CalendarDay};
use poem_openapi::types::ToJSON;
use serde_json::json;
use uuid::Uuid;

use super::{
    changes::{Change, back},
    look::{Input, Look, Tax},
    mends::{self, NewMenuMend},
    rules::{CheckResult, check, skipped},
    store,
    types::{MenuHealth, MenuHealthCheck, MenuHealthRule},
};
use crate::{
    health::types::{MenuMend, MenuMends},
    menu::store::{GonePart, Rows, gone, rows_now},
};

/// The most findings of one check that are answered at once.
const MOST: u16 = 10_000;
/// Those that are answered when nobody asks for a number.
const FIRST: u16 = 50;

struct Read {
    rows: Rows,
    gone: Vec<GonePart>,
    tax: Tax,
    standard: Option<Id<kernel::ids::Vats>>,
}

impl Read {
    async fn load<P>(scope: &In<Restaurant, P>, tx: &TenantTx) -> Result<Self> {
        let restaurant = scope.restaurant();
        let rows = rows_now(tx, restaurant, &scope.app().settings.objects.public_url).await?;
        Ok(Self {
            gone: gone(tx, restaurant, &rows).await?,
            tax: store::tax(tx, restaurant).await?,
            standard: store::standard(tx, restaurant).await?,
            rows,
        })
    }

    fn input(&self, at: Timestamp) -> Input<'_> {
        Input { rows: &self.rows, gone: &self.gone, tax: &self.tax, standard: self.standard, at }
    }
}

fn answer(look: &Look<'_>, rule: MenuHealthRule, limit: usize) -> MenuHealthCheck {
    let found = check(look, rule);
    let count = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
    MenuHealthCheck {
        rule,
        weight: rule.weight(),
        skipped: skipped(look, rule),
        total: count(found.len()),
        mendable: count(found.iter().filter(|found| found.finding.mend.is_some()).count()),
        findings: found.into_iter().take(limit).map(|found| found.finding).collect(),
    }
}

#[derive(Debug)]
pub(crate) struct MenuHealthApi;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/menu/health",
    tag = "Tag::Catalogue"
)]
impl MenuHealthApi {
    /// What is wrong with the menu, check by check, and the newest mends. Rows that are switched off are not looked
    /// at.
    #[oai(path = "/", method = "get", operation_id = "menu_health_get")]
    async fn get(
        &self, scope: In<Restaurant, perm::Order>,
        /// Only this check.
        rule: QueryParam<MenuHealthRule>,
        /// How many findings of each check are answered; 50 when absent.
        #[oai(validator(maximum(value = "10000")))]
        limit: QueryParam<u16>,
    ) -> Result<Json<MenuHealth>> {
        let tx = scope.begin().await?;
        let read = Read::load(&scope, &tx).await?;
        let mends = mends::list(&tx, scope.restaurant()).await?;
        let at = Timestamp::now();
        let input = read.input(at);
        let look = Look::new(&input);
        let rules = MenuHealthRule::ALL.iter().copied().filter(|one| rule.is_none_or(|rule| rule == *one));
        let limit = usize::from(limit.0.unwrap_or(FIRST).min(MOST));
        let products: HashSet<Uuid> = look.active().map(|size| size.product.id.uuid()).collect();
        Ok(Json(MenuHealth {
            catalogue_version: read.rows.facts.catalogue_version,
            day: CalendarDay(at.local_date(read.rows.facts.schedule.zone)),
            products: i32::try_from(products.len()).unwrap_or(i32::MAX),
            checks: rules.map(|rule| answer(&look, rule, limit)).collect(),
            mends,
        }))
    }
}

/// The changes of the findings that a mend names; what is wrong with it at its keys.
fn chosen(found: Vec<CheckResult>, ids: &[Uuid]) -> Result<Vec<Change>> {
    let mut seen = HashSet::new();
    let mendable: HashSet<Uuid> = found
        .iter()
        .filter(|found| found.finding.mend.is_some())
        .filter_map(|found| found.finding.subject.id)
        .collect();
    let faults = ids.iter().enumerate().filter_map(|(at, id)| {
        let fault = if !mendable.contains(id) {
            Fault::NotExist
        } else if !seen.insert(*id) {
            Fault::NotUnique
        } else {
            return None;
        };
        Some((format!("ids.{at}"), fault))
    });
    Problem::new(Code::VALIDATION_FAILED).keys(faults.collect::<Vec<_>>()).if_any()?;
    let named = |found: &CheckResult| {
        found.finding.mend.is_some() && found.finding.subject.id.is_some_and(|id| seen.contains(&id))
    };
    Ok(found.into_iter().filter(named).flat_map(|found| found.changes).collect())
}

#[derive(Debug)]
pub(crate) struct MenuMendsApi;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/menu-mends",
    tag = "Tag::Catalogue"
)]
impl MenuMendsApi {
    /// Puts findings of a check right that have a `mend`, all of them or none. It can be undone for 24 hours.
    ///
    /// codes: MENU_MEND_OUTDATED
    #[oai(path = "/", method = "post", operation_id = "menu_mends_create")]
    async fn create(
        &self, scope: In<Restaurant, perm::CatalogEdit>, key: IdempotencyKey, body: Body<NewMenuMend, LARGE>,
    ) -> Result<Stored<MenuMend>> {
        let (NewMenuMend { rule, catalogue_version, ids }, raw) = body.into_parts();
        let tx = scope.begin().await?;
        let first = match key.begin(&scope, &tx, "menu_mends_create", &raw).await? {
            Idempotency::First(first) => first,
            Idempotency::Replay(answer) => return Ok(answer),
        };
        let restaurant = scope.restaurant();
        let read = Read::load(&scope, &tx).await?;
        let outdated = || Problem::new(Code::MENU_MEND_OUTDATED);
        if read.rows.facts.catalogue_version != catalogue_version {
            return Err(outdated());
        }
        let changes = {
            let input = read.input(Timestamp::now());
            chosen(check(&Look::new(&input), rule), &ids)?
        };
        if !store::write(&tx, restaurant, &changes).await?.is_empty() {
            return Err(outdated());
        }
        let id: Id<MenuMends> = Id::new();
        let undo = serde_json::to_value(back(&changes)).map_err(|_| Problem::new(Code::UNKNOWN_ERROR))?;
        let count = i32::try_from(ids.len()).unwrap_or(i32::MAX);
        mends::insert(&tx, restaurant, (id, rule, count), undo, scope.caller().name()).await?;
        let mend = mends::lock(&tx, restaurant, id).await?;
        let details = json!({"rule": [null, rule.to_json()], "count": [null, count]});
        scope.audit(&tx, Some(restaurant.uuid()), "menu_mends_create", id, details).await?;
        let answer = Stored::new(201, &mend);
        first.keep(&tx, &answer).await?;
        if !access::menu_changed_from(&tx, restaurant, catalogue_version).await? {
            return Err(outdated());
        }
        tx.commit().await?;
        Ok(answer)
    }

    /// Brings back what was there before the mend, within 24 hours.
    ///
    /// Refused when somebody has changed one of its fields since; `changed` names the rows.
    ///
    /// codes: MENU_MEND_NOT_EXIST, MENU_MEND_NOT_READY, MENU_MEND_CHANGED
    #[oai(path = "/:id/undo", method = "post", operation_id = "menu_mends_undo")]
    async fn undo(
        &self, scope: In<Restaurant, perm::CatalogEdit>, id: Path<Id<MenuMends>>,
    ) -> Result<Json<MenuMend>> {
        let restaurant = scope.restaurant();
        let tx = scope.begin().await?;
        let mend = mends::lock(&tx, restaurant, *id).await?;
        let undo = if mend.undo_until.is_some() { mends::undo(&tx, *id).await? } else { None };
        let undo = undo.ok_or_else(|| Problem::new(Code::MENU_MEND_NOT_READY))?;
        let changes: Vec<Change> =
            serde_json::from_value(undo).map_err(|_| Problem::new(Code::UNKNOWN_ERROR))?;
        let changed = store::write(&tx, restaurant, &changes).await?;
        if !changed.is_empty() {
            return Err(Problem::new(Code::MENU_MEND_CHANGED).with("changed", changed.into()));
        }
        mends::undone(&tx, *id).await?;
        let details = json!({"rule": [mend.rule.to_json(), null], "count": [mend.count, null]});
        scope.audit(&tx, Some(restaurant.uuid()), "menu_mends_undo", *id, details).await?;
        let after = mends::lock(&tx, restaurant, *id).await?;
        crate::restaurant_defaults::touched(&tx, restaurant).await?;
        tx.commit().await?;
        Ok(Json(after))
    }
}
