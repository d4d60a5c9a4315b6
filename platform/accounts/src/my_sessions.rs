//! The own sessions: list and end them. See `docs/decisions/accounts.md#sessions`.

use sea_orm::FromQueryResult;
use uuid::Uuid;

use access::{
    answers::{Done, Tag},
    device,
    people::SignedIn,
    prelude::{Id, Object, OpenApi, Path, Problem, Result, Timestamp},
};
use kernel::{Page, request};

pub(crate) struct MySessions;

kernel::resource!(MySessions, "my_sessions", "SESSION");

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
    /// Whether it was opened from the network of this session's address; false when either is not known.
    same_network: bool,
    created_at: Timestamp,
    /// Up to ten seconds late.
    last_active_at: Timestamp,
    /// Whether it is this one.
    current: bool,
}

#[derive(FromQueryResult)]
struct SessionRow {
    id: Uuid,
    surface: String,
    user_agent: String,
    address: String,
    created_at: Timestamp,
    last_active_at: Timestamp,
}

impl SessionRow {
    /// The network of its address; none when the address is not known.
    fn network(&self) -> Option<String> {
        Some(device::network(&self.address)).filter(|network| !network.is_empty())
    }

    fn shown(self, current: Uuid, network: Option<&str>) -> MySession {
        let own = self.network();
        MySession {
            id: self.id.into(),
            surface: self.surface,
            device: device::describe(&self.user_agent),
            user_agent: self.user_agent,
            same_network: own.is_some() && own.as_deref() == network,
            address: self.address,
            created_at: self.created_at,
            last_active_at: self.last_active_at,
            current: self.id == current,
        }
    }
}

#[OpenApi(prefix_path = "/api/v3/admin/me/sessions", tag = "Tag::Session")]
impl MySessions {
    /// The own sessions, the one used last first.
    #[oai(path = "/", method = "get", operation_id = "my_sessions_list")]
    async fn list(&self, caller: SignedIn) -> Result<Page<MySession>> {
        let values = [caller.session.into(), caller.account.uuid().into()];
        let rows: Vec<SessionRow> =
            caller.app.door.all("select * from control.my_sessions($1, $2)", values).await?;
        let current = rows.iter().find(|row| row.id == caller.session).and_then(SessionRow::network);
        let shown = |row: SessionRow| row.shown(caller.session, current.as_deref());
        Ok(Page::unpaged(rows.into_iter().map(shown).collect()))
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
        let done = caller.app.door.done(sql, values).await?;
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
