//! Accepting an invitation. An admin row stays pending until its person accepts. See
//! `docs/decisions/accounts.md#invitations`.

use kernel::{Body, Code, Id, Partner, Problem, Result};
use poem_openapi::{Object, OpenApi, param::Path, payload::Json};
use sea_orm::FromQueryResult;

use crate::{
    admins::types::AdminSurface,
    links::{Link, LinkAnswer, LinkPartner},
    password_rules::Owner,
};
use access::{answers::Tag, attempts::take_attempt, credential::digest, people::Anyone};

pub(crate) struct Invitations;

/// What the holder of the mail's link sees.
#[derive(Debug, Object)]
struct Invitation {
    email: String,
    partner_id: Id<Partner>,
    partner_name: String,
    /// Whether the account has a password of its own already; then accepting is all there is to do.
    has_password: bool,
    /// The first name that the partner wrote. Empty where `has_password` is true: an account of a person's
    /// own is not described to the holder of a link.
    first_name: String,
    /// The last name that the partner wrote, as `first_name`.
    last_name: String,
    /// So many characters a password that is set with the link has at least.
    password_min_length: u32,
    /// Where the person may sign in then. Without `admin` it is not here.
    surfaces: Vec<AdminSurface>,
    /// Where the person may act already, as far as somebody else set the password until now. Whoever does not
    /// want that leaves there.
    partners: Vec<LinkPartner>,
}

#[derive(Debug, Object)]
struct InvitationAcceptance {
    /// Names are taken where `has_password` is false.
    #[oai(validator(max_length = 100))]
    first_name: Option<String>,
    #[oai(validator(max_length = 100))]
    last_name: Option<String>,
    /// Needed where `has_password` is false, refused where it is true.
    #[oai(validator(max_length = 128))]
    password: Option<String>,
    #[oai(validator(max_length = 128))]
    password_again: Option<String>,
    /// Partners of `partners` that the person leaves.
    #[oai(validator(max_items = 100, unique_items))]
    leave: Option<Vec<Id<Partner>>>,
}

#[derive(FromQueryResult)]
struct Invited {
    email: String,
    partner_id: Id<Partner>,
    partner_name: String,
    surfaces: Vec<String>,
    first_name: String,
    last_name: String,
}

async fn find(anyone: &Anyone, token: &str) -> Result<(Invitation, Link)> {
    take_attempt(&anyone.app, format!("invitation address {}", anyone.address), 60, 10).await?;
    let hash = digest(token);
    let sql = "select i.email, i.partner_id, i.partner_name, i.surfaces, coalesce(n.first_name, '') first_name, \
        coalesce(n.last_name, '') last_name \
        from control.invitation($1) i left join control.invited_name($1) n on true";
    let invited: Option<Invited> = anyone.app.door.one(sql, [hash.clone().into()]).await?;
    let invited = invited.ok_or_else(|| Problem::new(Code::USER_INVALID_TOKEN))?;
    let link = Link::find(&anyone.app, hash).await?;
    let invitation = Invitation {
        email: invited.email,
        partner_id: invited.partner_id,
        partner_name: invited.partner_name,
        has_password: link.own,
        password_min_length: link.password_min_length(),
        first_name: invited.first_name,
        last_name: invited.last_name,
        surfaces: invited.surfaces.iter().filter_map(|name| AdminSurface::parse(name)).collect(),
        partners: link.partners(&anyone.app).await?,
    };
    Ok((invitation, link))
}

#[OpenApi(prefix_path = "/api/v3/admins/invitations", tag = "Tag::Session")]
impl Invitations {
    /// Whose invitation this is, and to where.
    ///
    /// It proves nothing and changes nothing.
    ///
    /// codes: USER_INVALID_TOKEN, TOO_MANY_REQUESTS
    #[oai(path = "/:token", method = "get", operation_id = "invitations_get")]
    async fn get(&self, anyone: Anyone, token: Path<String>) -> Result<Json<Invitation>> {
        Ok(Json(find(&anyone, &token).await?.0))
    }

    /// Accepts an invitation.
    ///
    /// It works once. Who has a password of one's own only says yes, and signs in as always (204). Everybody
    /// else sets one: from then on the account is the person's own, what was set up for it before (password,
    /// second factor, sessions, company accounts) has ended, and the answer is that of signing in; 204 where
    /// the person does not enter the admin.
    ///
    /// codes: USER_INVALID_TOKEN, USER_HAS_PASSWORD, CONFLICT, USER_DELETE_NOT_ALLOWED,
    /// USER_PASSWORD_NOT_MATCH, USER_PASSWORD_CANNOT_BE_EMPTY, USER_PASSWORD_WEAK, TOO_MANY_REQUESTS,
    /// FOREIGN_ORIGIN
    #[oai(path = "/:token", method = "put", operation_id = "invitations_accept")]
    async fn accept(
        &self, anyone: Anyone, token: Path<String>, body: Body<InvitationAcceptance>,
    ) -> Result<LinkAnswer> {
        let (invitation, link) = find(&anyone, &token).await?;
        let InvitationAcceptance { first_name, last_name, password, password_again, leave } =
            body.into_inner();
        if link.own && password.is_some() {
            return Err(Problem::new(Code::USER_HAS_PASSWORD).key("password", kernel::Fault::Invalid));
        }
        let hash = match link.own {
            true => None,
            false => {
                let (password, again) = (password.unwrap_or_default(), password_again.unwrap_or_default());
                let names = [first_name.as_deref(), last_name.as_deref(), Some(&invitation.partner_name)]
                    .into_iter()
                    .flatten();
                let owner = Owner::of_account(&anyone.app, link.account, link.super_admin).await?.and(names);
                Some(link.chosen(password, &again, &owner).await?)
            }
        };
        let trimmed = |text: Option<String>| text.map(|text| text.trim().to_owned());
        let values = vec![
            trimmed(first_name).into(),
            trimmed(last_name).into(),
            hash.clone().into(),
            link.account.uuid().into(),
            invitation.partner_id.uuid().into(),
        ];
        let sql = "select u.outcome, case when u.outcome in ('accepted', 'taken') then \
            control.note_account($5, 'invitations_accept', $6, $9)::text end \
                   from (select control.use_invitation($1, $2, $3, $4, $7, $8, $9) outcome offset 0) u";
        link.redeem(&anyone, sql, values, hash, leave.unwrap_or_default()).await
    }
}
