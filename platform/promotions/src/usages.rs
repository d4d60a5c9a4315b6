//! The customers to whom a promotion is locked. They are personal data: every call needs the own PIN. See
//! `docs/decisions/promotions.md#customers`.

use access::{Pin, prelude::*};
use customers::{ShadowCustomer, ShadowCustomers};
use sea_orm::Select;

use crate::{
    api::{Here, find, lock_own},
    entity::Discounts,
    store::Places,
};

/// Customers named with a promotion.
#[derive(Debug)]
pub struct DiscountUsages;

kernel::resource!(DiscountUsages, "discount_usages", "DISCOUNT_USAGE");

#[derive(Debug, Clone, DeriveEntityModel)]
#[sea_orm(table_name = "discount_usage")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) id: Id<DiscountUsages>,
    pub discount_id: Id<Discounts>,
    pub shadow_customer_id: Id<ShadowCustomers>,
    pub version: i64,
    pub created_at: Timestamp,
}

entity!();

/// A customer who may use a promotion.
#[derive(Debug, Clone, Object)]
pub struct DiscountUsage {
    id: Id<DiscountUsages>,
    shadow_customer_id: Id<ShadowCustomers>,
    /// Null for whoever this restaurant does not know, unless the caller acts for the whole partner.
    shadow_customer: Option<ShadowCustomer>,
    created_at: Timestamp,
}

/// A customer to be named.
#[derive(Debug, Object)]
struct NewDiscountUsage {
    shadow_customer_id: Id<ShadowCustomers>,
}

impl rows::Table for Entity {
    type Of = DiscountUsages;
    type Tx = TenantTx;
    type Answer = DiscountUsage;
    const HOME: rows::Home = rows::Home::Below("discount_id");
    const REMOVAL: rows::Removal = rows::Removal::Delete;
    // Who it is lies neither in the audit log nor among kept answers.
    const SECRET: &'static [&'static str] = &["shadow_customer"];

    fn order(found: Select<Self>) -> Result<Select<Self>> {
        Ok(found.order_by_asc(Column::CreatedAt).order_by_asc(Column::Id))
    }
}

impl rows::Answer<Entity> for DiscountUsage {
    async fn of(rows: &rows::Rows<'_>, found: Vec<Model>) -> Result<Vec<Self>> {
        let ids: Vec<_> = found.iter().map(|row| row.shadow_customer_id).collect();
        let seen_from = if rows.caller().whole_partner() { None } else { Some(rows.restaurant()?) };
        let known = customers::short(rows.tx(), seen_from, &ids).await?;
        let answer = |row: Model| DiscountUsage {
            id: row.id,
            shadow_customer_id: row.shadow_customer_id,
            shadow_customer: known.get(&row.shadow_customer_id).cloned(),
            created_at: row.created_at,
        };
        Ok(found.into_iter().map(answer).collect())
    }
}

/// Refuses before the PIN is asked for: what is not there, then what the caller may not change.
async fn check_before_pin(
    scope: &Here, id: Id<Discounts>, usage: Option<Id<DiscountUsages>>, change: bool,
) -> Result<()> {
    let tx = scope.begin().await?;
    let rows = scope.rows(&tx);
    let discount = find(&rows, id).await?;
    if let Some(usage) = usage {
        rows.below(id).find::<Entity>(usage).await?;
    }
    if change {
        let places = Places::of(&tx, scope.caller()).await?;
        if !places.may_edit(discount.restaurant_ids.as_deref(), scope.caller()) {
            let detail = "it also holds at restaurants that are not yours";
            return Err(Problem::new(Code::USER_PERMISSION_REQUIRED).detail(detail));
        }
    }
    tx.commit().await?;
    Ok(())
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/discounts",
    tag = "Tag::Orders"
)]
impl DiscountUsages {
    /// The customers who may use a promotion that is locked to customers.
    ///
    /// codes: DISCOUNT_NOT_EXIST
    #[oai(path = "/:id/usages", method = "get", operation_id = "discount_usages_list")]
    async fn list(
        &self, scope: Here, id: Path<Id<Discounts>>, pin: Pin, paging: Unpaged,
    ) -> Result<Page<DiscountUsage>> {
        check_before_pin(&scope, *id, None, false).await?;
        pin.own(&scope).await?;
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx).below(*id);
        rows.list(rows.live::<Entity>()?, paging).await
    }

    /// Names a customer who may use the promotion.
    ///
    /// The promotion must be locked to customers. Whoever is named already is answered, and not named twice.
    /// Admins of the whole partner may name any of its customers, others those of this restaurant.
    ///
    /// codes: DISCOUNT_NOT_EXIST
    #[oai(path = "/:id/usages", method = "post", operation_id = "discount_usages_create")]
    async fn create(
        &self, scope: Here, id: Path<Id<Discounts>>, pin: Pin, key: IdempotencyKey,
        body: Body<NewDiscountUsage>,
    ) -> Result<Stored<DiscountUsage>> {
        check_before_pin(&scope, *id, None, true).await?;
        pin.own(&scope).await?;
        let (new, raw) = body.into_parts();
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        let places = Places::of(&tx, scope.caller()).await?;
        // Locked: the promotion cannot forget its customers at the same time, nor be given one twice.
        let discount = lock_own(&rows, &places, *id).await?.before;
        let rows = rows.below(*id);
        let named = rows.live::<Entity>()?.filter(Column::ShadowCustomerId.eq(new.shadow_customer_id));
        if let Some(row) = named.one(&tx).await? {
            return Ok(Stored::new(201, &rows.answer::<Entity>(row).await?));
        }
        let row = async {
            let problem = Problem::new(Code::VALIDATION_FAILED);
            if !discount.locked_customers {
                let detail = "the promotion is not locked to customers";
                return Err(problem.key("shadow_customer_id", Fault::Invalid).detail(detail));
            }
            let seen_from = (!scope.caller().whole_partner()).then(|| scope.restaurant());
            if !customers::exists(&tx, seen_from, new.shadow_customer_id).await? {
                return Err(problem.key("shadow_customer_id", Fault::NotExist));
            }
            Ok(ActiveModel { shadow_customer_id: Set(new.shadow_customer_id), ..Default::default() })
        };
        let answer = rows.create::<Entity>(&key, &raw, row).await?;
        tx.commit().await?;
        Ok(answer)
    }

    /// Takes a customer off the list.
    ///
    /// codes: DISCOUNT_NOT_EXIST, DISCOUNT_USAGE_NOT_EXIST
    #[oai(path = "/:id/usages/:usage_id", method = "delete", operation_id = "discount_usages_delete")]
    async fn delete(
        &self, scope: Here, id: Path<Id<Discounts>>, usage_id: Path<Id<DiscountUsages>>, pin: Pin,
    ) -> Result<Done> {
        check_before_pin(&scope, *id, Some(*usage_id), true).await?;
        pin.own(&scope).await?;
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        lock_own(&rows, &Places::of(&tx, scope.caller()).await?, *id).await?;
        rows.below(*id).delete::<Entity>(*usage_id).await?;
        tx.commit().await?;
        Ok(Done)
    }
}
