//! Completes a partner whose row exists (`creating`). The console writes row and job in one transaction, so
//! after a crash the job runs again.

use kernel::{Admin, Group, Id, Partner, Restaurant};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, TransactionTrait};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    provision::{Provisioner, first_rows, make_role, make_schema, role_of},
    tx::{statement, value},
};

/// What a partner begins with; kept in its row until it is made.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FirstSteps {
    pub group: Uuid,
    pub group_name: String,
    pub restaurant: Uuid,
    pub restaurant_name: String,
    pub currency: String,
    pub admin: Uuid,
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    /// The language of an account that is made for the first admin: `hu` or `en`.
    #[serde(default = "hungarian")]
    pub language: String,
}

/// Of a plan that was written before it named a language.
fn hungarian() -> String {
    "hu".into()
}

impl Provisioner<'_> {
    /// Makes what the row of a `creating` partner still lacks, whole or not at all: role, schema, tables,
    /// first group and restaurant, the first admin (invited). `after` is a job that is written with it, with
    /// the admin's id in its arguments. Repeating it changes nothing.
    /// Errors: What the database says; then nothing was made.
    pub async fn finish(&self, partner: Id<Partner>, after: &str) -> Result<(), DbErr> {
        let tx = self.setup.db.begin().await?;
        let sql = "select plan from control.partner where id = $1 and status = 'creating' and plan ? \
            'group' for update";
        let Some(steps) = value::<serde_json::Value>(&tx, sql, [partner.uuid().into()]).await? else {
            return Ok(());
        };
        let steps: FirstSteps = serde_json::from_value(steps)
            .map_err(|error| DbErr::Custom(format!("the partner's plan: {error}")))?;
        let role = role_of(&tx, partner).await?;
        make_role(&tx, &role).await?;
        make_schema(&tx, self.setup.shape, &role, &role).await?;
        let restaurants = [(Id::<Restaurant>::from_uuid(steps.restaurant), steps.restaurant_name.clone())];
        first_rows(
            &tx,
            partner,
            (Id::<Group>::from_uuid(steps.group), &steps.group_name),
            &restaurants,
            &steps.currency,
        )
        .await?;
        invite(&tx, partner, &steps).await?;
        let sql = "update control.partner set status = 'active', plan = null, error = null, schema_version = \
            $2 where id = $1";
        tx.execute_raw(statement(sql, [partner.uuid().into(), self.setup.shape.newest.into()])).await?;
        let sql = "insert into control.job (partner_id, kind, key, args) values ($1, $2, $3, \
            jsonb_build_object('admin_id', $3))";
        tx.execute_raw(statement(sql, [partner.uuid().into(), after.into(), steps.admin.to_string().into()]))
            .await?;
        tx.execute_unprepared("select pg_notify('pult_job', '')").await?;
        tx.commit().await
    }
}

/// The first admin: everything of the partner, once the invitation is taken. An account with this address
/// stays as it is.
async fn invite(tx: &DatabaseTransaction, partner: Id<Partner>, steps: &FirstSteps) -> Result<(), DbErr> {
    let sql = "insert into control.account (id, email, first_name, last_name, language) values ($1, \
        lower($2), $3, $4, $5) on conflict (email) do nothing";
    // Its id says nothing of when it was made.
    let account = Uuid::new_v4();
    let values = [
        account.into(),
        steps.email.clone().into(),
        steps.first_name.clone().into(),
        steps.last_name.clone().into(),
        steps.language.clone().into(),
    ];
    tx.execute_raw(statement(sql, values)).await?;
    let sql = "insert into control.admin (id, account_id, partner_id, target_type, full_target_access, \
        surfaces, status, first_name, last_name) \
               select $1, ac.id, $2, 'Partner', true, '{admin,pos}', 'invited', $4, $5 \
               from control.account ac where ac.email = lower($3)";
    let names = [steps.first_name.clone().into(), steps.last_name.clone().into()];
    tx.execute_raw(statement(
        sql,
        [steps.admin.into(), partner.uuid().into(), steps.email.clone().into()].into_iter().chain(names),
    ))
    .await?;
    let name = format!("{} {}", steps.last_name, steps.first_name).trim().to_owned();
    let sql = "insert into staff (admin_id, name, email) values ($1, $2, lower($3))";
    let id: Id<Admin> = Id::from_uuid(steps.admin);
    tx.execute_raw(statement(sql, [id.uuid().into(), name.into(), steps.email.clone().into()]))
        .await
        .map(drop)
}
