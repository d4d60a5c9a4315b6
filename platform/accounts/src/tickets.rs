//! One-time tickets: a way in for a till or a builder that is named in an address.

use kernel::{Account, Body, Code, Fault, Id, Partner, Problem, Restaurant, Result, time::Timestamp};
use poem_openapi::{Enum, Object, OpenApi};
use sea_orm::FromQueryResult;
use tenants::{Entry, Facts, SessionFacts};
use url::Url;
use uuid::Uuid;

use crate::sign_in::{self, Opening, SignInAnswer, Surface};
use access::{
    BuilderKind,
    answers::{Created, Tag},
    app::App,
    attempts::take_attempt,
    credential::digest,
    device,
    people::{Anyone, SignedIn},
};

pub(crate) struct Tickets;

/// What a ticket opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
enum TicketPurpose {
    /// The till of a restaurant.
    Pos,
    /// A site or app builder.
    Builder,
}

#[derive(Debug, Object)]
struct NewTicket {
    purpose: TicketPurpose,
    /// Which builder is to be opened with it, for `builder` only; its address is the answer's.
    builder: Option<BuilderKind>,
    restaurant_id: Id<Restaurant>,
}

/// Works once, for 60 seconds, while this session lives.
#[derive(Debug, Object)]
struct Ticket {
    token: String,
    /// The page that redeems it.
    url: String,
    expires_at: Timestamp,
}

#[derive(FromQueryResult)]
struct RedeemedTicket {
    account_id: Id<Account>,
    purpose: String,
    second_factor: bool,
    bound_partner_id: Option<Uuid>,
    session_id: Uuid,
}

/// Redeems a ticket: a session of its account begins.
/// Errors: `USER_INVALID_TOKEN` for a used, expired or unknown one.
pub(crate) async fn redeem(anyone: &Anyone, ticket: &str) -> Result<SignInAnswer> {
    let app = &anyone.app;
    take_attempt(app, format!("ticket address {}", anyone.address), 300, 10).await?;
    let rows: Vec<RedeemedTicket> =
        app.door.all("select * from control.redeem_sign_in_ticket($1)", [digest(ticket).into()]).await?;
    let row = rows.into_iter().next().ok_or_else(|| Problem::new(Code::USER_INVALID_TOKEN))?;
    let opening = Opening {
        account: row.account_id,
        surface: if row.purpose == "pos" { Surface::Pos } else { Surface::Admin },
        second_factor: row.second_factor,
        known_device: false,
        partner: row.bound_partner_id.map(Id::from_uuid),
        password_hash: None,
        from: Some(row.session_id),
        cookie_for_all: false,
    };
    sign_in::open(anyone, opening).await
}

/// What a ticket opens, with the address that redeems it.
enum Opens {
    Till,
    Builder(BuilderKind, Url),
}

impl Opens {
    /// Errors: `VALIDATION_FAILED` for a builder that is missing, or has no address on this installation.
    fn of(app: &App, purpose: TicketPurpose, builder: Option<BuilderKind>) -> Result<Self> {
        let fault = |fault| Problem::new(Code::VALIDATION_FAILED).key("builder", fault);
        if purpose == TicketPurpose::Pos {
            return Ok(Self::Till);
        }
        let kind = builder.ok_or_else(|| fault(Fault::Required))?;
        let known = app.settings.builders.iter().find(|(one, _)| *one == kind);
        let (_, address) = known.ok_or_else(|| fault(Fault::NotExist))?;
        Ok(Self::Builder(kind, address.clone()))
    }

    fn purpose(&self) -> &'static str {
        match self {
            Self::Till => "pos",
            Self::Builder(..) => "builder",
        }
    }

    fn address(self, app: &App, token: &str, partner: Id<Partner>, restaurant: Id<Restaurant>) -> String {
        let Self::Builder(kind, mut address) = self else {
            let base = app.settings.public_url.as_str().trim_end_matches('/');
            return format!("{base}/pos-login?token={token}");
        };
        let place = match kind {
            BuilderKind::Partner => ("partner_id", partner.to_string()),
            _ => ("restaurant_id", restaurant.to_string()),
        };
        address.query_pairs_mut().append_pair("token", token).append_pair(place.0, &place.1);
        address.to_string()
    }
}

/// Whether a person may open a builder.
/// Errors: `USER_PERMISSION_REQUIRED`.
fn may_build(app: &App, kind: BuilderKind, facts: SessionFacts) -> Result<()> {
    let whole_partner = facts.whole_partner();
    let keys = facts.permission_keys.unwrap_or_default();
    let whole = facts.full_target_access.then_some("full_target_access");
    let platform = facts.super_admin.then_some("super_admin");
    let grants = app.policy.evaluate(keys.iter().map(String::as_str).chain(whole).chain(platform));
    if grants.has("sitebuilder_login") && kind.opens_for(facts.super_admin, whole_partner) {
        Ok(())
    } else {
        Err(Code::USER_PERMISSION_REQUIRED.into())
    }
}

#[OpenApi(prefix_path = "/api/v3/admin/me/tickets", tag = "Tag::Session")]
impl Tickets {
    /// Makes a one-time ticket for a till or a builder.
    ///
    /// `pos` needs the surface `pos`, `builder` the key `sitebuilder_login`.
    ///
    /// codes: USER_PERMISSION_REQUIRED, NO_ADMIN_ACCESS, RESTAURANT_ARCHIVED, PARTNER_SUSPENDED
    #[oai(path = "/", method = "post", operation_id = "tickets_create")]
    async fn create(&self, caller: SignedIn, body: Body<NewTicket>) -> Result<Created<Ticket>> {
        let (app, account, session) = (&caller.app, caller.account, caller.session);
        let NewTicket { purpose, builder, restaurant_id } = body.into_inner();
        let opens = Opens::of(app, purpose, builder)?;
        let unknown = || Problem::new(Code::VALIDATION_FAILED).key("restaurant_id", Fault::NotExist);
        let sql = "select control.partner_of_restaurant($1)";
        let partner: Option<Id<Partner>> = app.door.value(sql, [restaurant_id.into()]).await?.flatten();
        let partner = partner.ok_or_else(unknown)?;
        let entry =
            Entry::Session { session, account, partner, restaurant: Some(restaurant_id), known: None };
        let facts = match app.door.look(&entry).await? {
            Ok(Facts::Session(facts)) => facts,
            _ => return Err(unknown()),
        };
        match &opens {
            Opens::Till => sign_in::may_enter(app, account, Surface::Pos, Some(partner)).await?,
            Opens::Builder(kind, _) => may_build(app, *kind, facts)?,
        }
        let token = device::random();
        let values = [
            session.into(),
            account.uuid().into(),
            digest(&token).into(),
            opens.purpose().into(),
            restaurant_id.uuid().into(),
        ];
        let sql = "select control.create_sign_in_ticket($1, $2, $3, $4, $5)";
        let expires_at: Option<Timestamp> = app.door.value(sql, values).await?;
        let expires_at = expires_at.ok_or_else(|| Problem::new(Code::UNKNOWN_ERROR))?;
        let url = opens.address(app, &token, partner, restaurant_id);
        Ok(Created(Ticket { url, token, expires_at }))
    }
}
