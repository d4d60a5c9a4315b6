//! The columns with sealed secrets, for sealing them again under a new key. See
//! `docs/decisions/security.md#secrets-at-rest`.

use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Value};
use uuid::Uuid;

use crate::{
    setup::Setup,
    tx::{all, statement},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SealedColumn {
    SecondFactor,
    /// A factor that waits for its first code.
    PendingSecondFactor,
    /// A partner's own key, under which all its secrets are sealed.
    DataKey,
}

/// All of them: a new column of secrets sealed under the installation's is named here, else it does not
/// survive a new `PULT_SECRET_KEY`.
pub const SEALED: &[SealedColumn] =
    &[SealedColumn::SecondFactor, SealedColumn::PendingSecondFactor, SealedColumn::DataKey];

/// A sealed secret and where it lies.
#[derive(Debug, FromQueryResult)]
pub struct SealedValue {
    #[sea_orm(from_alias = "id")]
    pub row: Uuid,
    pub sealed: Vec<u8>,
}

impl SealedColumn {
    /// The sealed values of this column, row by row.
    pub async fn all(self, setup: &Setup) -> Result<Vec<SealedValue>, DbErr> {
        let sql = match self {
            Self::SecondFactor => {
                "select account_id id, secret sealed from control.second_factor where secret is not null"
            }
            Self::PendingSecondFactor => {
                "select account_id id, pending sealed from control.second_factor where pending is not null"
            }
            Self::DataKey => "select partner_id id, wrapped sealed from control.data_key",
        };
        all(&setup.db, sql, []).await
    }

    /// Puts another in the place of this one, unless it has been changed meanwhile; whether it was done.
    pub async fn replace(self, setup: &Setup, old: &SealedValue, new: Vec<u8>) -> Result<bool, DbErr> {
        let sql = match self {
            Self::SecondFactor => {
                "update control.second_factor set secret = $3 where account_id = $1 and secret = $2"
            }
            Self::PendingSecondFactor => {
                "update control.second_factor set pending = $3 where account_id = $1 and pending = $2"
            }
            Self::DataKey => {
                "update control.data_key set wrapped = $3 where partner_id = $1 and wrapped = $2"
            }
        };
        let values: [Value; 3] = [old.row.into(), old.sealed.clone().into(), new.into()];
        Ok(setup.db.execute_raw(statement(sql, values)).await?.rows_affected() == 1)
    }
}
