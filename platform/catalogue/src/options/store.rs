//! Queries of options.

use access::prelude::*;
use sea_orm::sea_query::{ExprTrait, extension::postgres::PgFunc};
use uuid::Uuid;

use super::entity::{Column, Entity, Model};
use crate::OptionGroups;

/// The options of these groups in their order.
pub(crate) async fn of_groups(
    tx: &TenantTx, restaurant: Id<Restaurant>, groups: Vec<Uuid>,
) -> Result<Vec<Model>> {
    let options = rows::live::<Entity>(restaurant)?
        .filter(ExprTrait::eq(Expr::col(Column::OptionGroupId), PgFunc::any(groups)));
    Ok(options.order_by_asc(Column::Ranking).order_by_asc(Column::Id).all(tx).await?)
}

/// The place after the last option of a group.
pub(crate) async fn next_ranking(tx: &TenantTx, group: Id<OptionGroups>) -> Result<i32> {
    let sql = "select coalesce(max(ranking) + 1, 0) place from option where option_group_id = $1 and \
        archived_at is null";
    Ok(tx.value(sql, [group.into()]).await?.unwrap_or(0))
}
