//! The common part of mailed links: invitations and passwords. Setting a password by a link makes the account own,
//! and ends what others set up before. See `docs/decisions/accounts.md#credentials`.

use kernel::{Account, Code, Fault, Id, Partner, Problem, Result};
use poem::{IntoResponse, Response};
use poem_openapi::{
    ApiResponse, Object,
    payload::Json,
    registry::{MetaResponses, Registry},
};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::{
    password_rules::{self, Owner},
    profile::Me,
    sign_in::{self, Opening, SignInAnswer, Surface},
};
use access::{answers::Done, app::App, audit::note_unsealed, passwords, people::Anyone};

/// A partner where the person of a link may act already.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct LinkPartner {
    partner_id: Id<Partner>,
    partner_name: String,
}

pub(crate) struct Link {
    pub(crate) account: Id<Account>,
    pub(crate) email: String,
    /// Whether the account is its person's own already.
    pub(crate) own: bool,
    pub(crate) super_admin: bool,
    /// The state of the credentials; when the link is used it has to be the same.
    credentials: i64,
    /// The largest minimum of the partners concerned.
    password_min_length: i32,
    /// Hash of the password that an admin of a partner knows.
    held_password: Option<String>,
    hash: Vec<u8>,
}

#[derive(FromQueryResult)]
struct LinkRow {
    account_id: Id<Account>,
    email: String,
    own: bool,
    super_admin: bool,
    credentials: i64,
    held_password: Option<String>,
    password_min_length: i32,
}

impl Link {
    /// The owner of the link with this hash.
    /// Errors: `USER_INVALID_TOKEN`.
    pub(crate) async fn find(app: &App, hash: Vec<u8>) -> Result<Self> {
        let sql = "select l.*, control.link_password_min_length($1) password_min_length from \
            control.link_account($1) l";
        let rows: Vec<LinkRow> = app.door.all(sql, [hash.clone().into()]).await?;
        let row = rows.into_iter().next().ok_or_else(|| Problem::new(Code::USER_INVALID_TOKEN))?;
        Ok(Self {
            account: row.account_id,
            email: row.email,
            own: row.own,
            super_admin: row.super_admin,
            credentials: row.credentials,
            password_min_length: row.password_min_length,
            held_password: row.held_password,
            hash,
        })
    }

    /// The hash of the password that the person chose, typed twice: none that somebody else knows.
    /// Errors: `USER_PASSWORD_WEAK` for the one that an admin had set, and those of
    /// [`password_rules::taken`].
    pub(crate) async fn chosen(&self, password: String, again: &str, owner: &Owner) -> Result<String> {
        let owner = owner.clone().at_least(self.password_min_length);
        let hash = password_rules::taken(password.clone(), again, &owner).await?;
        if self.held_password.is_some() && passwords::verify(password, self.held_password.clone()).await? {
            return Err(Problem::new(Code::USER_PASSWORD_WEAK)
                .key("password", Fault::Invalid)
                .detail("somebody else knows this password"));
        }
        Ok(hash)
    }

    /// So many characters the new password has at least: no partner concerned wants more.
    pub(crate) fn password_min_length(&self) -> u32 {
        let least = if self.super_admin { password_rules::SHORTEST_OF_SUPER_ADMINS } else { 0 };
        u32::try_from(self.password_min_length).unwrap_or(0).max(least as u32)
    }

    /// The partners where the person already has access; empty for an own account.
    pub(crate) async fn partners(&self, app: &App) -> Result<Vec<LinkPartner>> {
        let sql = "select partner_id, partner_name from control.link_partners($1)";
        Ok(app.door.all(sql, [self.hash.clone().into()]).await?)
    }

    /// Uses the link by `sql`, whose first column says what came of it. Its values are those given, then the
    /// state of the credentials, the partners to be left and the request.
    /// Errors: Why it was refused; then nothing has changed, and the link is as good as before.
    pub(crate) async fn redeem(
        self, anyone: &Anyone, sql: &'static str, values: Vec<sea_orm::Value>, password_hash: Option<String>,
        leave: Vec<Id<Partner>>,
    ) -> Result<LinkAnswer> {
        if !leave.is_empty() && !self.own {
            let known = self.partners(&anyone.app).await?;
            if leave.iter().any(|id| !known.iter().any(|partner| partner.partner_id == *id)) {
                return Err(Problem::new(Code::VALIDATION_FAILED).key("leave", Fault::NotExist));
            }
        }
        let leave: Vec<Uuid> = leave.into_iter().map(Id::uuid).collect();
        let rest = [self.credentials.into(), leave.clone().into(), kernel::request::id().into()];
        let values = [self.hash.into()].into_iter().chain(values).chain(rest);
        let outcome: String = anyone.app.door.value(sql, values).await?.unwrap_or_default();
        match outcome.as_str() {
            "accepted" => return Ok(LinkAnswer::Done),
            "taken" => leave.iter().for_each(|partner| note_unsealed(Id::from_uuid(*partner))),
            "own" => return Err(Code::USER_HAS_PASSWORD.into()),
            "password" => {
                return Err(
                    Problem::new(Code::USER_PASSWORD_CANNOT_BE_EMPTY).key("password", Fault::Required)
                );
            }
            "changed" => {
                return Err(Problem::new(Code::CONFLICT)
                    .detail("the account's password was set meanwhile; look at the link again"));
            }
            "last" => return Err(Problem::new(Code::USER_DELETE_NOT_ALLOWED).key("leave", Fault::Invalid)),
            _ => return Err(Code::USER_INVALID_TOKEN.into()),
        }
        let opening = Opening {
            account: self.account,
            surface: Surface::Admin,
            second_factor: false,
            known_device: true,
            partner: None,
            password_hash,
            from: None,
            cookie_for_all: false,
        };
        // When the person may not enter the admin, or has a second factor, the password is set without a
        // session.
        match sign_in::open(anyone, opening).await {
            Ok(answer) => Ok(LinkAnswer::SignedIn(Box::new(answer))),
            Err(problem) if problem.code().status() < 500 => Ok(LinkAnswer::Done),
            Err(problem) => Err(problem),
        }
    }
}

/// 200 with the account that is signed in now, or 204.
pub(crate) enum LinkAnswer {
    SignedIn(Box<SignInAnswer>),
    Done,
}

impl IntoResponse for LinkAnswer {
    fn into_response(self) -> Response {
        match self {
            Self::SignedIn(answer) => answer.into_response(),
            Self::Done => Done.into_response(),
        }
    }
}

impl ApiResponse for LinkAnswer {
    fn meta() -> MetaResponses {
        let mut meta = Json::<Me>::meta();
        meta.responses.extend(Done::meta().responses);
        meta
    }
    fn register(registry: &mut Registry) {
        Json::<Me>::register(registry);
    }
}
