//! Operations on customers. See `docs/decisions/customers.md`.

use access::{Idempotency, Pin, domain::Domains, prelude::*};
use kernel::{money::Money, time::CalendarDay};
use poem::web::Data;
use serde_json::json;

use crate::{
    ShadowCustomers, addresses, anonymise,
    list::{self, Filter},
    merge,
    orders::{self, CustomerOrder},
    read::read,
    seen::{self, Here, Seen, open},
    store::{self, Fields, known_here, refuse_taken, taken},
    types::{
        BalanceFilter, Customer, CustomerRow, NewShadowCustomer, ShadowCustomerChange, ShadowCustomerMerge,
        ShadowCustomerSort,
    },
};

/// Answers a customer as this caller sees it, with what was not kept.
async fn replayed(tx: &TenantTx, seen: &Seen, kept: &Stored<Customer>) -> Result<Stored<Customer>> {
    let id = kept.id().map(Id::from_uuid);
    let id = id.ok_or_else(Problem::not_exist::<ShadowCustomers>)?;
    Ok(Stored::new(201, &read(tx, seen, id).await?))
}

/// Enters a customer, or makes one who is known elsewhere known here.
async fn enter(tx: &TenantTx, scope: &Here, new: NewShadowCustomer) -> Result<Id<ShadowCustomers>> {
    let country = restaurants::facts_of_live(tx, scope.restaurant()).await?.country;
    let fields = new.fields(&country)?;
    let id = Id::new();
    let others = taken(tx, id, &fields).await?;
    let restaurant = scope.restaurant().uuid();
    let place = Some(restaurant);
    let Some(other) = others.first() else {
        fields.insert(tx, id).await?;
        known_here(tx, id, restaurant).await?;
        for (at, address) in new.addresses.unwrap_or_default().into_iter().enumerate() {
            addresses::add(tx, id, address, &format!("addresses.{at}.")).await?;
        }
        let details = Fields::none().changed(&fields);
        scope.audit(tx, place, "shadow_customers_create", id, details).await?;
        return Ok(id);
    };
    let known = identity_root(tx, Id::from_uuid(other.id)).await?;
    if crate::exists(tx, seen::seen_from(scope), known).await? {
        return refuse_taken(&others, &fields).map(|()| known);
    }
    let before = store::lock(tx, known).await?;
    let mut after = before.clone();
    after.fill(&fields, &others, known.uuid());
    if after != before {
        after.update(tx, known).await?;
    }
    known_here(tx, known, restaurant).await?;
    for (at, address) in new.addresses.unwrap_or_default().into_iter().enumerate() {
        addresses::add(tx, known, address, &format!("addresses.{at}.")).await?;
    }
    let mut details = before.changed(&after);
    if details.is_null() {
        details = json!({});
    }
    scope.audit(tx, place, "shadow_customers_create", known, details).await?;
    Ok(known)
}

async fn identity_root(tx: &TenantTx, id: Id<ShadowCustomers>) -> Result<Id<ShadowCustomers>> {
    let root = "select coalesce(root_id, id) from shadow_customer where id = $1";
    Ok(tx.value::<uuid::Uuid>(root, [id.into()]).await?.map_or(id, Id::from_uuid))
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/shadow-customers",
    tag = "Tag::People"
)]
impl ShadowCustomers {
    /// The customers.
    ///
    /// Needs the own PIN. Admins of the whole partner find all its customers, others those who ordered at
    /// this restaurant or were entered there. Who holds only `discount` gets the short form, by name; figures
    /// and orders of the list that need them are refused then.
    ///
    /// codes: FEATURE_NOT_AVAILABLE
    #[oai(path = "/", method = "get", operation_id = "shadow_customers_list")]
    #[allow(clippy::too_many_arguments, reason = "the filters of the list")]
    async fn list(
        &self, scope: In<Restaurant, AnyOf<(perm::Customer, perm::Discount)>>, pin: Pin,
        /// Words of name, e-mail or phone, in any order; accents and case ignored.
        name: QueryParam<String>,
        order_count_from: QueryParam<i32>, order_count_till: QueryParam<i32>,
        order_sum_from: QueryParam<Money>, order_sum_till: QueryParam<Money>,
        /// A day here, which counts.
        last_order_from: QueryParam<CalendarDay>,
        last_order_till: QueryParam<CalendarDay>,
        /// Needs the feature `balance`, unless it is `all`.
        balance: QueryParam<BalanceFilter>,
        sort: QueryParam<ShadowCustomerSort>, paging: Paging,
    ) -> Result<Page<CustomerRow>> {
        pin.own(&scope).await?;
        let tx = scope.begin().await?;
        let seen = Seen::of(&tx, &scope).await?;
        let sort = sort.0.unwrap_or_default();
        let filter = Filter {
            name: name.0,
            order_count: (order_count_from.0, order_count_till.0),
            order_sum: (order_sum_from.0, order_sum_till.0),
            last_order: (
                last_order_from.0.map(|day| seen.begin(day)),
                last_order_till.0.map(|day| seen.end(day)),
            ),
            balance: balance.0.unwrap_or_default(),
        };
        let short = !scope.may("customer");
        if short && !filter.is_plain(sort) {
            return Err(
                Problem::new(Code::USER_PERMISSION_REQUIRED).with("permission", vec!["customer"].into())
            );
        }
        if filter.asks_for_balance(sort) && !seen.balance {
            return Err(Problem::new(Code::FEATURE_NOT_AVAILABLE).with("feature", "balance".into()));
        }
        let page = list::page(&tx, &seen, filter, sort, &paging).await?;
        Ok(page.map(|row| row.shown(&seen, short)))
    }

    /// One customer with everything. Opening one is a line of the audit log.
    ///
    /// Needs the own PIN. A customer who was merged into another is answered too; `merged_into` says into
    /// whom.
    ///
    /// codes: SHADOW_CUSTOMER_NOT_EXIST
    #[oai(path = "/:id", method = "get", operation_id = "shadow_customers_get")]
    async fn get(&self, scope: Here, id: Path<Id<Self>>, pin: Pin) -> Result<Json<Customer>> {
        let tx = open(&scope, &pin, *id).await?;
        let seen = Seen::of(&tx, &scope).await?;
        let answer = read(&tx, &seen, *id).await?;
        scope.audit(&tx, Some(seen.restaurant), "shadow_customers_get", *id, json!({})).await?;
        tx.commit().await?;
        Ok(Json(answer))
    }

    /// Enters a customer.
    ///
    /// Needs the own PIN. A phone or an e-mail that another customer of this restaurant has is refused.
    /// Whoever
    /// is known at another restaurant of the partner alone becomes known here: then that customer is
    /// answered.
    #[oai(path = "/", method = "post", operation_id = "shadow_customers_create")]
    async fn create(
        &self, scope: Here, pin: Pin, key: IdempotencyKey, body: Body<NewShadowCustomer>,
    ) -> Result<Stored<Customer>> {
        let (new, raw) = body.into_parts();
        pin.own(&scope).await?;
        let tx = scope.begin().await?;
        let seen = Seen::of(&tx, &scope).await?;
        let first = match key.begin::<Customer>(&scope, &tx, Self::NAME, &raw).await? {
            Idempotency::First(first) => first,
            Idempotency::Replay(kept) => return replayed(&tx, &seen, &kept).await,
        };
        let id = enter(&tx, &scope, new).await?;
        let answer = read(&tx, &seen, id).await?;
        // Who it is lies nowhere but in the customer's own rows.
        first.keep(&tx, &Stored::new(201, &json!({"id": id}))).await?;
        tx.commit().await?;
        Ok(Stored::new(201, &answer))
    }

    /// Changes a customer; `addresses`, when they are sent, are all of them.
    ///
    /// Needs the own PIN. A phone or an e-mail that another customer has is refused.
    ///
    /// codes: SHADOW_CUSTOMER_NOT_EXIST, SHADOW_CUSTOMER_MERGED, CONFLICT
    #[oai(path = "/:id", method = "put", operation_id = "shadow_customers_update")]
    async fn update(
        &self, scope: Here, id: Path<Id<Self>>, pin: Pin, body: Body<ShadowCustomerChange>,
    ) -> Result<Json<Customer>> {
        let change = body.into_inner();
        let tx = open(&scope, &pin, *id).await?;
        let seen = Seen::of(&tx, &scope).await?;
        let country = restaurants::facts(&tx, scope.restaurant()).await?.country;
        let before = store::lock(&tx, *id).await?;
        if change.version.is_some_and(|version| version != before.version) {
            let current = read(&tx, &seen, *id).await?;
            rows::check_version(&tx, change.version, before.version, &current, rows::Logged::of(*id)).await?;
        }
        merge::refuse_merged(before.merged_into)?;
        let after = change.fields(&before, &country)?;
        refuse_taken(&taken(&tx, *id, &after).await?, &after)?;
        after.update(&tx, *id).await?;
        let mut details = before.changed(&after);
        if let Some(kept) = change.addresses {
            addresses::replace(&tx, *id, kept).await?;
            if details.is_null() {
                details = json!({});
            }
            details["addresses"] = json!(["…", "…"]);
        }
        scope.audit(&tx, Some(seen.restaurant), "shadow_customers_update", *id, details).await?;
        let answer = read(&tx, &seen, *id).await?;
        tx.commit().await?;
        Ok(Json(answer))
    }

    /// Anonymises a customer, and those who were merged into this one.
    ///
    /// Needs the own PIN. Name, phones, e-mail, addresses, notes, comments and external ids go everywhere
    /// they
    /// stand; amounts and days stay. It cannot be undone. Refused while an order is under way, while a balance is
    /// not zero, and where restaurants know the customer at which the caller may not act.
    ///
    /// codes: SHADOW_CUSTOMER_NOT_EXIST, SHADOW_CUSTOMER_MERGED, SHADOW_CUSTOMER_ELSEWHERE, IN_USE
    #[oai(path = "/:id", method = "delete", operation_id = "shadow_customers_delete")]
    async fn delete(
        &self, scope: Here, id: Path<Id<Self>>, pin: Pin, domains: Data<&Domains>,
    ) -> Result<Done> {
        let tx = open(&scope, &pin, *id).await?;
        let seen = Seen::of(&tx, &scope).await?;
        let mine = (!seen.whole).then_some(&*seen.restaurants);
        anonymise::anonymise(&tx, domains.0, *id, mine).await?;
        let place = Some(scope.restaurant().uuid());
        scope.audit(&tx, place, "shadow_customers_delete", *id, json!({})).await?;
        tx.commit().await?;
        Ok(Done)
    }

    /// The orders of a customer, newest first: those at restaurants where the caller may act. Test orders are
    /// left out.
    ///
    /// Needs the own PIN.
    ///
    /// codes: SHADOW_CUSTOMER_NOT_EXIST
    #[oai(path = "/:id/orders", method = "get", operation_id = "shadow_customer_orders_list")]
    async fn orders(
        &self, scope: Here, id: Path<Id<Self>>, pin: Pin, paging: Paging,
    ) -> Result<Page<CustomerOrder>> {
        let tx = open(&scope, &pin, *id).await?;
        let seen = Seen::of(&tx, &scope).await?;
        orders::page(&tx, &seen, *id, &paging).await
    }

    /// Says that two customers are the same person: the younger points to the older from then on. The
    /// answer is
    /// the older one.
    ///
    /// Needs the own PIN. Ids stay, sums and lists follow the pointer, no row of a ledger is touched.
    /// Somebody
    /// who was merged already stands for whom that leads to.
    ///
    /// codes: SHADOW_CUSTOMER_NOT_EXIST, SHADOW_CUSTOMER_MERGED
    #[oai(path = "/:id/merge", method = "post", operation_id = "shadow_customers_merge")]
    async fn merge(
        &self, scope: Here, id: Path<Id<Self>>, pin: Pin, key: IdempotencyKey,
        body: Body<ShadowCustomerMerge>,
    ) -> Result<Stored<Customer>> {
        let (sent, raw) = body.into_parts();
        let tx = open(&scope, &pin, *id).await?;
        let seen = Seen::of(&tx, &scope).await?;
        let first = match key.begin::<Customer>(&scope, &tx, "shadow_customers_merge", &raw).await? {
            Idempotency::First(first) => first,
            Idempotency::Replay(kept) => return replayed(&tx, &seen, &kept).await,
        };
        let older = merge::merge(&tx, &scope, *id, sent.into).await?;
        let answer = read(&tx, &seen, older).await?;
        first.keep(&tx, &Stored::new(201, &json!({"id": older}))).await?;
        tx.commit().await?;
        Ok(Stored::new(201, &answer))
    }

    /// Undoes a merge: `id` is the customer who was merged into another. The answer is that customer.
    ///
    /// Needs the own PIN. It can be done for 30 days.
    ///
    /// codes: SHADOW_CUSTOMER_NOT_EXIST, SHADOW_CUSTOMER_NOT_MERGED, SHADOW_CUSTOMER_MERGE_OLD
    #[oai(path = "/:id/merge", method = "delete", operation_id = "shadow_customers_unmerge")]
    async fn unmerge(&self, scope: Here, id: Path<Id<Self>>, pin: Pin) -> Result<Json<Customer>> {
        let tx = open(&scope, &pin, *id).await?;
        let seen = Seen::of(&tx, &scope).await?;
        merge::undo(&tx, &scope, *id).await?;
        let answer = read(&tx, &seen, *id).await?;
        tx.commit().await?;
        Ok(Json(answer))
    }
}

impl CustomerRow {
    /// Without what is not shown to this caller.
    fn shown(mut self, seen: &Seen, short: bool) -> Self {
        self.hide(short, seen.balance && !short, seen.loyalty && !short);
        self
    }
}
