//! The own sessions: where one is signed in, and the end of it.

use sea_orm::QueryResult;
use uuid::Uuid;

use access::{
    answers::{Done, Tag},
    device,
    people::SignedIn,
    prelude::{Id, Object, OpenApi, Path, Problem, Resource, Result, Timestamp},
};
use kernel::{Page, request};

pub(crate) struct MySessions;

impl Resource for MySessions {
    const NAME: &'static str = "my_sessions";
    const ENTITY: &'static str = "SESSION";
}

/// A session of one's own.
#[derive(Debug, Object)]
struct MySession {
    id: Id<MySessions>,
    /// `admin`, `pos`, `lct` or `kiosk`.
    surface: String,
    /// What the client calls itself.
    user_agent: String,
    /// The same for people: browser and system.
    device: String,
    /// The address it was opened from.
    address: String,
    /// That address's network; empty when it is not known.
    place: String,
    created_at: Timestamp,
    /// Up to ten seconds late.
    last_active_at: Timestamp,
    /// Whether it is this one.
    current: bool,
}

fn read(row: &QueryResult, current: Uuid) -> Result<MySession> {
    let id: Uuid = row.try_get("", "id")?;
    let user_agent: String = row.try_get("", "user_agent")?;
    let address: String = row.try_get("", "address")?;
    Ok(MySession {
        id: id.into(),
        surface: row.try_get("", "surface")?,
        device: device::describe(&user_agent),
        user_agent,
        place: device::network(&address),
        address,
        created_at: row.try_get("", "created_at")?,
        last_active_at: row.try_get("", "last_active_at")?,
        current: id == current,
    })
}

#[OpenApi(prefix_path = "/api/v3/admin/me/sessions", tag = "Tag::Session")]
impl MySessions {
    /// The own sessions, the one used last first.
    #[oai(path = "/", method = "get", operation_id = "my_sessions_list")]
    async fn list(&self, caller: SignedIn) -> Result<Page<MySession>> {
        let values = [caller.session.into(), caller.account.uuid().into()];
        let rows = caller.app.door.call("select * from control.my_sessions($1, $2)", values).await?;
        Ok(Page::whole(rows.iter().map(|row| read(row, caller.session)).collect::<Result<_>>()?))
    }

    /// Ends one of the own sessions, with the next request it makes.
    ///
    /// codes: SESSION_NOT_EXIST
    #[oai(path = "/:id", method = "delete", operation_id = "my_sessions_delete")]
    async fn delete(&self, caller: SignedIn, id: Path<Id<MySessions>>) -> Result<Done> {
        let values =
            [caller.session.into(), caller.account.uuid().into(), id.uuid().into(), request::id().into()];
        let sql = "select d.done, case when d.done then control.note_account($2, 'my_sessions_delete', $3, \
            $4)::text end \
                   from (select control.end_my_session($1, $2, $3) done offset 0) d";
        let rows = caller.app.door.call(sql, values).await?;
        let done = rows.first().is_some_and(|row| row.try_get("", "done").unwrap_or(false));
        if done { Ok(Done) } else { Err(Problem::not_exist::<MySessions>()) }
    }

    /// Ends all of the own sessions but this one; devices known until now count as strange.
    ///
    /// codes: USER_TYPE_NOT_EDITABLE
    #[oai(path = "/", method = "delete", operation_id = "my_sessions_end_others")]
    async fn end_others(&self, caller: SignedIn) -> Result<Done> {
        crate::profile::Own::changeable(&caller).await?;
        let values = [caller.session.into(), caller.account.uuid().into(), request::id().into()];
        let sql = "select control.end_other_sessions($1, $2), control.note_account($2, \
            'my_sessions_end_others', $2, $3)::text";
        caller.app.door.call(sql, values).await?;
        Ok(Done)
    }
}
