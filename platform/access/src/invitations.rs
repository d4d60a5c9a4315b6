//! Accepting an invitation: the admin row waits until its person says yes (decisions §1).

use kernel::{Body, Code, Id, Partner, Problem, Result, request};
use poem_openapi::{Object, OpenApi, param::Path, payload::Json};
use uuid::Uuid;

use crate::{
    admins::types::AdminSurface,
    answers::{Done, Tag},
    credential::digest,
    passwords,
    people::Anyone,
    sign_in::take_attempt,
};

pub(crate) struct Invitations;

/// What the holder of the mail's link sees.
#[derive(Debug, Object)]
struct Invitation {
    email: String,
    partner_id: Id<Partner>,
    partner_name: String,
    /// Whether the account has a password already; then accepting is all there is to do.
    has_password: bool,
    /// Where the person may sign in then. Without `admin` it is not here.
    surfaces: Vec<AdminSurface>,
}

#[derive(Debug, Object)]
struct InvitationAcceptance {
    #[oai(validator(max_length = 100))]
    first_name: Option<String>,
    #[oai(validator(max_length = 100))]
    last_name: Option<String>,
    /// Needed where `has_password` is false, ignored where it is true.
    #[oai(validator(max_length = 200))]
    password: Option<String>,
    #[oai(validator(max_length = 200))]
    password_again: Option<String>,
}

async fn find(anyone: &Anyone, token: &str) -> Result<(Invitation, Uuid)> {
    take_attempt(&anyone.app, format!("invitation address {}", anyone.address), 60, 10).await?;
    let sql = "select email, partner_id, partner_name, has_password, surfaces, account_id from control.invitation($1)";
    let rows = anyone.app.door.call(sql, [digest(token).into()]).await?;
    let row = rows.first().ok_or_else(|| Problem::new(Code::USER_INVALID_TOKEN))?;
    let invitation = Invitation {
        email: row.try_get("", "email")?,
        partner_id: row.try_get("", "partner_id")?,
        partner_name: row.try_get("", "partner_name")?,
        has_password: row.try_get("", "has_password")?,
        surfaces: row.try_get::<Vec<String>>("", "surfaces")?.iter().filter_map(|name| AdminSurface::parse(name)).collect(),
    };
    Ok((invitation, row.try_get("", "account_id")?))
}

#[OpenApi(prefix_path = "/api/v3/admins/invitations", tag = "Tag::Session")]
impl Invitations {
    /// Whose invitation this is, and to where.
    ///
    /// codes: USER_INVALID_TOKEN, TOO_MANY_REQUESTS
    #[oai(path = "/:token", method = "get", operation_id = "invitations_get")]
    async fn get(&self, anyone: Anyone, token: Path<String>) -> Result<Json<Invitation>> {
        Ok(Json(find(&anyone, &token).await?.0))
    }

    /// Accepts an invitation.
    ///
    /// It works once. Somebody who has no password yet sets one; then signing in is open.
    ///
    /// codes: USER_INVALID_TOKEN, USER_PASSWORD_NOT_MATCH, USER_PASSWORD_CANNOT_BE_EMPTY, USER_PASSWORD_WEAK, TOO_MANY_REQUESTS, FOREIGN_ORIGIN
    #[oai(path = "/:token", method = "put", operation_id = "invitations_accept")]
    async fn accept(&self, anyone: Anyone, token: Path<String>, body: Body<InvitationAcceptance>) -> Result<Done> {
        let (invitation, account) = find(&anyone, &token).await?;
        let partner = invitation.partner_id.uuid();
        let InvitationAcceptance { first_name, last_name, password, password_again } = body.into_inner();
        let hash = match invitation.has_password {
            true => None,
            // Nobody becomes a super admin by invitation.
            false => Some(passwords::taken(password.unwrap_or_default(), &password_again.unwrap_or_default(), &invitation.email, false).await?),
        };
        let trimmed = |text: Option<String>| text.map(|text| text.trim().to_owned());
        let values = [
            digest(&token).into(),
            trimmed(first_name).into(),
            trimmed(last_name).into(),
            hash.into(),
            account.into(),
            partner.into(),
            request::id().into(),
        ];
        let sql = "select d.done, case when d.done then control.note_account($5, 'invitations_accept', $6, $7)::text end \
                   from (select control.accept_invitation($1, $2, $3, $4) done offset 0) d";
        let rows = anyone.app.door.call(sql, values).await?;
        let done = rows.first().is_some_and(|row| row.try_get("", "done").unwrap_or(false));
        if done { Ok(Done) } else { Err(Code::USER_INVALID_TOKEN.into()) }
    }
}
