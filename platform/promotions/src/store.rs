//! Queries about promotions, and about the rows that they name.

use std::collections::{HashMap, HashSet};

use access::{Caller, prelude::*};
use kernel::money::Currency;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::{
    entity::{Discounts, Model},
    rules::Faults,
    values::DiscountType,
};

#[derive(Debug, FromQueryResult)]
pub(crate) struct Place {
    pub id: Uuid,
    pub name: String,
    pub currency: Currency,
    pub archived: bool,
    /// The caller may act there.
    pub mine: bool,
}

const PLACES: &str = "select r.id, r.name, r.currency, r.archived_at is not null archived, \
        $1 or r.id = any ($2) mine from restaurant_facts r";

/// The partner's restaurants.
pub(crate) struct Places(Vec<Place>);

impl Places {
    /// All of them, as this caller sees them.
    pub(crate) async fn of(tx: &TenantTx, caller: &Caller) -> Result<Self> {
        let own = caller.restaurants(tx).await?;
        Ok(Self(tx.all(PLACES, [caller.whole_partner().into(), own.into()]).await?))
    }

    pub(crate) fn find(&self, id: Uuid) -> Option<&Place> {
        self.0.iter().find(|place| place.id == id)
    }

    /// Those at which the caller may act.
    pub(crate) fn mine(&self) -> impl Iterator<Item = &Place> {
        self.0.iter().filter(|place| place.mine)
    }

    /// The restaurants at which a promotion holds.
    pub(crate) fn chosen(&self, ids: Option<&[Uuid]>) -> impl Iterator<Item = &Place> {
        self.0.iter().filter(move |place| match ids {
            Some(ids) => ids.contains(&place.id),
            None => !place.archived,
        })
    }

    /// Whether the caller may change a promotion of these restaurants.
    pub(crate) fn may_edit(&self, ids: Option<&[Uuid]>, caller: &Caller) -> bool {
        let mine = |id: &Uuid| self.find(*id).is_some_and(|place| place.mine);
        caller.whole_partner() || ids.is_some_and(|ids| ids.iter().all(mine))
    }

    /// What is wrong with the restaurants of a promotion; `before` are those it had.
    pub(crate) fn check(&self, ids: Option<&[Uuid]>, before: &[Uuid], caller: &Caller, faults: &mut Faults) {
        let Some(ids) = ids else {
            if !caller.whole_partner() {
                faults.say("restaurant_ids", Fault::Required, "all_restaurants_not_allowed");
            }
            return;
        };
        for (at, id) in ids.iter().enumerate() {
            let known = self.find(*id).filter(|place| place.mine);
            if known.is_none_or(|place| place.archived && !before.contains(id)) {
                faults.add(format!("restaurant_ids.{at}"), Fault::NotExist);
            } else if ids[..at].contains(id) {
                faults.add(format!("restaurant_ids.{at}"), Fault::NotUnique);
            }
        }
    }
}

/// What is named by an id, and its origin.
#[derive(FromQueryResult)]
struct OriginRow {
    sent: Uuid,
    origin_id: Uuid,
}

/// A row is found by its id at this restaurant, or by its origin at this one and those of the promotion. What
/// was named before may have been archived meanwhile.
const SIZE_ORIGINS: &str = "select distinct on (t.id) t.id sent, s.origin_id from unnest($1::uuid[]) t (id) \
    join subproduct_name s on s.id = t.id or s.origin_id = t.id \
    where (not s.archived and (s.restaurant_id = $2 or s.origin_id = t.id and s.restaurant_id = any ($3))) \
        or ((s.restaurant_id = $2 or s.origin_id = t.id) and s.origin_id = any ($4)) \
    order by t.id, s.restaurant_id = $2 desc, s.id";
const CATEGORY_ORIGINS: &str = "select distinct on (t.id) t.id sent, s.origin_id \
    from unnest($1::uuid[]) t (id) join product_category_name s on s.id = t.id or s.origin_id = t.id \
    where (not s.archived and (s.restaurant_id = $2 or s.origin_id = t.id and s.restaurant_id = any ($3))) \
        or ((s.restaurant_id = $2 or s.origin_id = t.id) and s.origin_id = any ($4)) \
    order by t.id, s.restaurant_id = $2 desc, s.id";

/// Where a reference of a promotion is looked for.
pub(crate) struct Looking<'a> {
    pub restaurant: Id<Restaurant>,
    /// The restaurants of the promotion at which the caller may act.
    pub places: Vec<Uuid>,
    pub before: Option<&'a Model>,
}

impl Looking<'_> {
    async fn origins(
        &self, tx: &TenantTx, sql: &'static str, sent: Vec<Uuid>, before: Vec<Uuid>,
    ) -> Result<HashMap<Uuid, Uuid>> {
        if sent.is_empty() {
            return Ok(HashMap::new());
        }
        let values = [sent.into(), self.restaurant.into(), self.places.clone().into(), before.into()];
        let rows: Vec<OriginRow> = tx.all(sql, values).await?;
        Ok(rows.into_iter().map(|row| (row.sent, row.origin_id)).collect())
    }

    /// Turns what the promotion names into origins.
    pub(crate) async fn resolve(&self, tx: &TenantTx, model: &mut Model, faults: &mut Faults) -> Result<()> {
        let before = |of: fn(&Model) -> Vec<Uuid>| self.before.map(of).unwrap_or_default();
        let sizes = |model: &Model| model.subproduct_ids.iter().copied().chain(model.gift_ids()).collect();
        let found = self.origins(tx, SIZE_ORIGINS, sizes(model), before(sizes)).await?;
        model.subproduct_ids = replaced("subproduct_ids", &model.subproduct_ids, &found, faults);
        for (at, range) in model.ranges.0.iter_mut().enumerate() {
            for (place, gift) in range.gifts.iter_mut().enumerate() {
                match found.get(&gift.subproduct_id.uuid()) {
                    Some(origin) => gift.subproduct_id = Id::from_uuid(*origin),
                    None => {
                        faults.add(format!("ranges.{at}.gifts.{place}.subproduct_id"), Fault::NotExist);
                    }
                }
            }
        }
        let categories = |model: &Model| model.product_category_ids.clone();
        let found = self.origins(tx, CATEGORY_ORIGINS, categories(model), before(categories)).await?;
        model.product_category_ids =
            replaced("product_category_ids", &model.product_category_ids, &found, faults);
        Ok(())
    }
}

fn replaced(key: &str, sent: &[Uuid], found: &HashMap<Uuid, Uuid>, faults: &mut Faults) -> Vec<Uuid> {
    let mut origins = Vec::new();
    for (at, id) in sent.iter().enumerate() {
        match found.get(id) {
            Some(origin) if origins.contains(origin) => {}
            Some(origin) => origins.push(*origin),
            None => faults.add(format!("{key}.{at}"), Fault::NotExist),
        }
    }
    // What could not be found is said above, and not that nothing was sent.
    if origins.is_empty() { sent.to_vec() } else { origins }
}

/// Whoever saves a promotion waits for others who do: a code, or the one upsell, must not be there twice.
const LOCK: &str =
    "select pg_advisory_xact_lock(hashtextextended('discounts ' || current_schema(), 0))::text";
const TAKEN: &str = "select \
    exists (select from discount d where d.archived_at is null and d.id <> $1 and d.code_key = $2 \
        and ($3::uuid[] is null or d.restaurant_ids is null or d.restaurant_ids && $3)) \
    or exists (select from discount_code c join discount d on d.id = c.discount_id \
        where c.code_key = $2 and d.archived_at is null \
        and ($3::uuid[] is null or d.restaurant_ids is null or d.restaurant_ids && $3)) code, \
    $4 and exists (select from discount d where d.archived_at is null and d.active and d.id <> $1 \
        and d.discount_type = 'upsell' \
        and ($3::uuid[] is null or d.restaurant_ids is null or d.restaurant_ids && $3)) upsell";

#[derive(FromQueryResult)]
struct Taken {
    code: bool,
    upsell: bool,
}

/// Locks all promotions of the partner against being saved by others.
pub(crate) async fn lock(tx: &TenantTx) -> Result<()> {
    tx.row(LOCK, []).await?;
    Ok(())
}

/// What is wrong beside the other promotions: the code is another's, or there is an active upsell already.
/// [`lock`] comes first.
pub(crate) async fn check_others(tx: &TenantTx, model: &Model, faults: &mut Faults) -> Result<()> {
    let upsell = model.active && model.discount_type == DiscountType::Upsell;
    if model.code_key.is_none() && !upsell {
        return Ok(());
    }
    let values =
        [model.id.into(), model.code_key.clone().into(), model.restaurant_ids.clone().into(), upsell.into()];
    let Some(taken) = tx.one::<Taken>(TAKEN, values).await? else { return Ok(()) };
    if taken.code {
        faults.add("code", Fault::NotUnique);
    }
    if taken.upsell {
        faults.say("discount_type", Fault::NotUnique, "upsell_active");
    }
    Ok(())
}

const FORGET: &str = "with u as (delete from discount_usage where discount_id = $1 and $2) \
    delete from discount_counter where discount_id = $1";

/// After a promotion was saved: its uses are counted anew when they are asked for, since its limits may be
/// others, and customers are forgotten unless it is locked to some.
pub(crate) async fn saved(tx: &TenantTx, id: Id<Discounts>, locked_customers: bool) -> Result<()> {
    tx.run(FORGET, [id.into(), (!locked_customers).into()]).await?;
    Ok(())
}

const HAS_SERIES: &str = "select 1 from discount_code where discount_id = $1 limit 1";

/// Whether a coupon has codes of a series.
pub(crate) async fn has_series(tx: &TenantTx, id: Id<Discounts>) -> Result<bool> {
    Ok(tx.row(HAS_SERIES, [id.into()]).await?.is_some())
}

const AT: &str = "select id from restaurant_facts where archived_at is null and ($1::uuid[] is null or \
    id = any ($1)) order by id";
const UPSELL: &str = "select restaurant_ids from discount where id = $1 and discount_type = 'upsell'";

/// An upsell stands in menus: those of its restaurants, now and before, are made anew.
pub(crate) async fn tell_menus(tx: &TenantTx, change: rows::Change<'_, Model>) -> Result<()> {
    let mut places: Vec<Option<Vec<Uuid>>> = Vec::new();
    let mut add = |model: &Model| {
        if model.discount_type == DiscountType::Upsell {
            places.push(model.restaurant_ids.clone());
        }
    };
    match change {
        rows::Change::Created(after) => add(after),
        rows::Change::Changed(before, after) => {
            add(before);
            add(after);
        }
        rows::Change::Removed(id) => {
            places.extend(tx.value::<Option<Vec<Uuid>>>(UPSELL, [id.into()]).await?);
        }
        rows::Change::Ranked => {}
    }
    let mut told = HashSet::new();
    for ids in places {
        for id in tx.values::<Id<Restaurant>>(AT, [ids.into()]).await? {
            if told.insert(id) {
                access::menu_changed(tx, id).await?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(whole_partner: bool) -> Caller {
        Caller::Person {
            account: Id::new(),
            admin: Some(Id::new()),
            name: "Kovács Éva".to_owned(),
            surface: "admin".to_owned(),
            session: Uuid::now_v7(),
            whole_partner,
            support: None,
        }
    }

    #[test]
    fn a_promotion_holds_at_own_living_restaurants_and_those_it_had() {
        let [mine, closed, foreign, unknown] = [(); 4].map(|()| Uuid::now_v7());
        let place = |id, archived, mine| Place {
            id,
            name: "Teszt".to_owned(),
            currency: Currency::Huf,
            archived,
            mine,
        };
        let places =
            Places(vec![place(mine, false, true), place(closed, true, true), place(foreign, false, false)]);
        let cases: [(&[Uuid], &[Uuid], &[&str]); 7] = [
            (&[mine], &[], &[]),
            (&[], &[], &[]),
            (&[mine, closed], &[], &["restaurant_ids.1:not_exist"]),
            (&[mine, closed], &[mine], &["restaurant_ids.1:not_exist"]),
            (&[mine, closed], &[closed], &[]),
            (
                &[foreign, unknown],
                &[foreign, unknown],
                &["restaurant_ids.0:not_exist", "restaurant_ids.1:not_exist"],
            ),
            (&[mine, mine], &[mine], &["restaurant_ids.1:not_unique"]),
        ];
        for (ids, before, expected) in cases {
            let mut faults = Faults::default();
            places.check(Some(ids), before, &caller(false), &mut faults);
            assert_eq!(faults.named(), expected, "{ids:?} {before:?}");
        }
        for whole in [true, false] {
            let mut faults = Faults::default();
            places.check(None, &[], &caller(whole), &mut faults);
            let expected: &[&str] = if whole { &[] } else { &["restaurant_ids:required"] };
            assert_eq!(faults.named(), expected);
            assert_eq!(places.may_edit(None, &caller(whole)), whole);
            assert_eq!(places.may_edit(Some(&[mine, foreign]), &caller(whole)), whole);
            assert!(places.may_edit(Some(&[mine, closed]), &caller(whole)));
        }
        let chosen = |ids: Option<&[Uuid]>| places.chosen(ids).map(|place| place.id).collect::<Vec<_>>();
        assert_eq!(chosen(None), [mine, foreign], "what holds everywhere holds at no archived restaurant");
        assert_eq!(chosen(Some(&[closed, unknown])), [closed]);
    }

    #[test]
    fn each_origin_is_kept_once() {
        let [size, copy, origin, other] = [(); 4].map(|()| Uuid::now_v7());
        let found = HashMap::from([(size, origin), (copy, origin), (other, other)]);
        let unknown = Uuid::now_v7();
        let cases: [(&[Uuid], &[Uuid], &[&str]); 4] = [
            (&[], &[], &[]),
            (&[size, other, copy], &[origin, other], &[]),
            (&[other, unknown], &[other], &["ids.1:not_exist"]),
            (&[unknown], &[unknown], &["ids.0:not_exist"]),
        ];
        for (sent, expected, wrong) in cases {
            let mut faults = Faults::default();
            assert_eq!(replaced("ids", sent, &found, &mut faults), expected);
            assert_eq!(faults.named(), wrong);
        }
    }
}
