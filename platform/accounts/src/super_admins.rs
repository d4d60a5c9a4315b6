//! Super admins among themselves: removing a lost second factor.

use access::{Platform, answers::Tag, prelude::*};
use kernel::Account;
use sea_orm::FromQueryResult;

pub(crate) struct SuperAdminsApi;

/// Somebody who runs the platform.
#[derive(Debug, Object, FromQueryResult)]
struct SuperAdmin {
    /// The account's.
    id: Id<Account>,
    /// Last name first; the e-mail address when there is none.
    name: String,
    email: String,
    /// Without one the account can do nothing but set one up.
    second_factor: bool,
    /// Recovery codes that are left.
    recovery_codes: i32,
    last_active_at: Option<Timestamp>,
    created_at: Timestamp,
}

const LIST: &str = "select ac.id, coalesce(nullif(trim(ac.last_name || ' ' || ac.first_name), ''), ac.email) \
    as name, ac.email, ac.created_at, \
        exists (select from second_factor sf where sf.account_id = ac.id and sf.secret is not null) \
        second_factor, \
        (select count(*)::int from recovery_code rc where rc.account_id = ac.id and rc.used_at is null) \
        recovery_codes, \
        (select max(se.last_active_at) from session se where se.account_id = ac.id) last_active_at \
    from account ac where ac.super_admin order by ref.fold(ac.last_name || ' ' || ac.first_name), ac.id";

#[OpenApi(prefix_path = "/api/v3/super-admin/accounts", tag = "Tag::Platform")]
impl SuperAdminsApi {
    /// The super admins, by name.
    #[oai(path = "/", method = "get", operation_id = "super_admins_list")]
    async fn list(&self, caller: Platform) -> Result<Page<SuperAdmin>> {
        let tx = caller.begin().await?;
        Ok(Page::unpaged(tx.all(LIST, []).await?))
    }
}
