//! The signed-in account as it is answered: person, rights by place, last choice.

use access::{app::App, people::SignedIn};
use kernel::{Account, Code, Id, Partner, Problem, Restaurant, Result, money::Percent, time::Timestamp};
use poem_openapi::{Enum, Object};
use rust_decimal::Decimal;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use crate::{
    admins::types::{AdminProvider, AdminStatus, AdminSurface, TargetType},
    details::{Address, BillingDetails, Details},
    language::Language,
    password_rules::SHORTEST_OF_SUPER_ADMINS,
    permissions::Permissions,
};

/// The signed-in account.
///
/// From `status` to `surfaces` the fields say what it is at one partner: that of `last_target`, else the
/// first of `targets`. They are null or empty where there is none.
#[derive(Debug, Object)]
pub(crate) struct Me {
    id: Id<Account>,
    /// The same as `id`, as people of a partner name it.
    uid: Id<Account>,
    email: String,
    first_name: String,
    last_name: String,
    /// Last name first, as Hungarian names are written; the e-mail address when there is none.
    name: String,
    tel: String,
    language: Language,
    /// Region and city; null: not chosen.
    timezone: Option<String>,
    billing_details: Option<BillingDetails>,
    addresses: Vec<Address>,
    pub(crate) super_admin: bool,
    status: AdminStatus,
    provider: AdminProvider,
    partner_id: Option<Id<Partner>>,
    target_type: Option<TargetType>,
    /// The partner, or the restaurant chosen last, or the first of `restaurant_ids`.
    target_id: Option<Uuid>,
    /// Null for the whole partner.
    restaurant_ids: Option<Vec<Id<Restaurant>>>,
    /// What was granted.
    permission_ids: Vec<Id<Permissions>>,
    full_target_access: bool,
    has_pin: bool,
    /// The largest staff discount; null is no limit of one's own.
    max_discount_percent: Option<Percent>,
    print_zone_id: Option<Uuid>,
    surfaces: Vec<AdminSurface>,
    /// The minimum length of a new password: the largest of the account's partners.
    password_min_length: u32,
    /// Whether a second factor is asked for at sign-in.
    second_factor: bool,
    /// A super admin without a second factor: sets one up before anything else works.
    pub(crate) second_factor_required: bool,
    /// Recovery codes that are left.
    recovery_codes: i32,
    /// Whether the account can be changed in this session. One that reaches one partner only can change no
    /// more than the password.
    changeable: bool,
    /// Whether the password can be changed in this session.
    password_changeable: bool,
    /// Why this session reaches one partner only; null when it reaches all of the account's.
    bound: Option<Bound>,
    /// The support accesses under way, the newest first (super admins); at most one per partner.
    support: Vec<Support>,
    /// The restaurant chosen last.
    last_target: Option<LastTarget>,
    pub(crate) targets: Vec<Target>,
}

/// Why a session reaches one partner only.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename = "SessionBound", rename_all = "snake_case")]
enum Bound {
    /// The password was set by an admin of the partner.
    Password,
    /// The partner's sign-in provider vouches for the person.
    Provider,
}

/// A super admin inside a partner's data, for a reason and a while.
#[derive(Debug, Clone, Object, FromQueryResult)]
#[oai(rename = "MySupportAccess")]
struct Support {
    partner_id: Id<Partner>,
    partner_name: String,
    reason: String,
    writable: bool,
    expires_at: Timestamp,
}

impl Support {
    async fn all(app: &App, account: Id<Account>, session: Uuid) -> Result<Vec<Self>> {
        Ok(app
            .door
            .all("select * from control.my_support($1, $2)", [session.into(), account.uuid().into()])
            .await?)
    }
}

#[derive(Debug, Object)]
pub(crate) struct LastTarget {
    pub(crate) partner_id: Id<Partner>,
    pub(crate) restaurant_id: Id<Restaurant>,
}

/// What the account is at one partner.
#[derive(Debug, Object)]
#[oai(rename = "Target")]
pub(crate) struct Target {
    /// The admin row; null for a super admin.
    admin_id: Option<Id<kernel::Admin>>,
    /// `Partner`: all its restaurants. `Restaurant`: those in `restaurant_ids`.
    target_type: String,
    partner_id: Id<Partner>,
    partner_name: String,
    partner_mode: String,
    restaurant_ids: Option<Vec<Id<Restaurant>>>,
    /// Every key held, implied ones included.
    permissions: Vec<String>,
    full_target_access: bool,
    /// Whether the account has a PIN there.
    has_pin: bool,
    /// Whether somebody else gave that PIN: the person should change it, and until then it allows no more than
    /// what that person may.
    pin_given: bool,
    /// Where the account may sign in for this partner.
    surfaces: Vec<AdminSurface>,
}

impl Target {
    /// Whether it is limited to single restaurants.
    pub(crate) const fn of_restaurants(&self) -> bool {
        self.restaurant_ids.is_some()
    }

    pub(crate) fn enters_admin(&self) -> bool {
        self.permissions.iter().any(|key| key == "admin_login")
    }
}

/// Fields that only the account itself gets.
#[derive(FromQueryResult)]
pub(crate) struct Own {
    pub(crate) email: String,
    tel: String,
    /// Only where this session may change the password.
    pub(crate) password_hash: Option<String>,
    /// A super admin by right, with a second factor or not.
    pub(crate) super_admin: bool,
    /// The sealed secret of the second factor.
    pub(crate) secret: Option<Vec<u8>>,
    /// A factor that waits for its first code.
    pub(crate) pending: Option<Vec<u8>>,
    recovery_codes: i32,
    pub(crate) whole: bool,
    bound: Option<String>,
    password_min_length: i32,
    #[sea_orm(nested)]
    details: Details,
}

/// What the account is at one partner, beside the target.
#[derive(Clone, FromQueryResult)]
struct OwnAdmin {
    partner_id: Id<Partner>,
    status: String,
    oidc: bool,
    surfaces: Vec<String>,
    permission_ids: Vec<Uuid>,
    max_discount_percent: Option<Decimal>,
    print_zone_id: Option<Uuid>,
    pin_given: bool,
    #[sea_orm(nested)]
    details: Details,
}

impl OwnAdmin {
    fn surfaces(&self) -> Vec<AdminSurface> {
        self.surfaces.iter().filter_map(|surface| AdminSurface::parse(surface)).collect()
    }
}

impl Own {
    /// Loads that of a living session.
    /// Errors: `USER_LOGIN_REQUIRED`.
    pub(crate) async fn load(app: &App, account: Id<Account>, session: Uuid) -> Result<Self> {
        let found = app
            .door
            .all("select * from control.my_account($1, $2)", [session.into(), account.uuid().into()])
            .await?;
        found.into_iter().next().ok_or_else(|| Problem::new(Code::USER_LOGIN_REQUIRED))
    }

    /// The caller's account, when this session may change it.
    /// Errors: `USER_TYPE_NOT_EDITABLE` for a session that reaches one partner only.
    pub(crate) async fn changeable(caller: &SignedIn) -> Result<Self> {
        let own = Self::load(&caller.app, caller.account, caller.session).await?;
        if own.whole { Ok(own) } else { Err(Code::USER_TYPE_NOT_EDITABLE.into()) }
    }
}

/// What the account is at its partners, each with its admin row; none for a super admin.
async fn places(app: &App, account: Id<Account>, session: Uuid) -> Result<Vec<(Target, Option<OwnAdmin>)>> {
    let values = [session.into(), account.uuid().into()];
    let admins: Vec<OwnAdmin> = app.door.all("select * from control.my_admins($1, $2)", values).await?;
    let targets = app.door.targets(session, account).await?.into_iter().map(|target| {
        let admin = admins.iter().find(|admin| admin.partner_id == target.partner).cloned();
        let whole = target.full_target_access.then_some("full_target_access");
        let platform = target.super_admin.then_some("super_admin");
        let permissions = app
            .policy
            .evaluate(target.permission_keys.iter().map(String::as_str).chain(whole).chain(platform))
            .keys();
        let target = Target {
            admin_id: target.admin,
            target_type: target.target_type,
            partner_id: target.partner,
            partner_name: target.partner_name,
            partner_mode: target.mode,
            restaurant_ids: target.restaurant_ids,
            permissions,
            full_target_access: target.full_target_access || target.super_admin,
            has_pin: target.has_pin,
            pin_given: admin.as_ref().is_some_and(|admin| admin.pin_given),
            surfaces: admin.as_ref().map(OwnAdmin::surfaces).unwrap_or_default(),
        };
        (target, admin)
    });
    Ok(targets.collect())
}

pub(crate) async fn load(app: &App, account: Id<Account>, session: Uuid) -> Result<Me> {
    let facts =
        app.door.account(session, account).await?.ok_or_else(|| Problem::new(Code::USER_LOGIN_REQUIRED))?;
    let own = Own::load(app, account, session).await?;
    let places = places(app, account, session).await?;
    let last = facts.last_target();
    let place = places
        .iter()
        .find(|(target, _)| last.is_some_and(|(partner, _)| partner == target.partner_id))
        .or(places.first());
    let target = place.map(|(target, _)| target);
    let admin = place.and_then(|(_, admin)| admin.as_ref());
    let support = if facts.super_admin { Support::all(app, account, session).await? } else { vec![] };
    let name = format!("{} {}", facts.last_name, facts.first_name).trim().to_owned();
    let details = match admin {
        Some(admin) => own.details.under(admin.details.clone()),
        None => own.details,
    };
    let whole = target.filter(|target| target.restaurant_ids.is_none());
    let least = if own.super_admin { SHORTEST_OF_SUPER_ADMINS } else { 0 };
    Ok(Me {
        id: account,
        uid: account,
        name: if name.is_empty() { facts.email.clone() } else { name },
        email: facts.email,
        first_name: facts.first_name,
        last_name: facts.last_name,
        tel: own.tel,
        language: if facts.language == "en" { Language::En } else { Language::Hu },
        timezone: details.timezone(),
        billing_details: details.billing(),
        addresses: details.addresses(),
        super_admin: facts.super_admin,
        status: admin.and_then(|admin| AdminStatus::parse(&admin.status)).unwrap_or(AdminStatus::Active),
        provider: match admin {
            Some(admin) if admin.oidc => AdminProvider::Oidc,
            _ => AdminProvider::Password,
        },
        partner_id: target.map(|target| target.partner_id),
        target_type: target.map(|target| match target.restaurant_ids {
            None => TargetType::Partner,
            Some(_) => TargetType::Restaurant,
        }),
        target_id: whole.map(|target| target.partner_id.uuid()).or_else(|| restaurant_of(target?, last)),
        restaurant_ids: target.and_then(|target| target.restaurant_ids.clone()),
        permission_ids: admin
            .map(|admin| admin.permission_ids.iter().copied().map(Id::from_uuid).collect())
            .unwrap_or_default(),
        full_target_access: target.is_some_and(|target| target.full_target_access),
        has_pin: target.is_some_and(|target| target.has_pin),
        max_discount_percent: admin
            .and_then(|admin| admin.max_discount_percent)
            .map(|share| Percent(share.normalize())),
        print_zone_id: admin.and_then(|admin| admin.print_zone_id),
        surfaces: target.map(|target| target.surfaces.clone()).unwrap_or_default(),
        password_min_length: u32::try_from(own.password_min_length).unwrap_or(0).max(least as u32),
        second_factor: own.secret.is_some(),
        second_factor_required: own.super_admin && !facts.super_admin,
        recovery_codes: own.recovery_codes,
        changeable: own.whole,
        password_changeable: own.password_hash.is_some(),
        bound: own
            .bound
            .as_deref()
            .map(|by| if by == "password" { Bound::Password } else { Bound::Provider }),
        support,
        last_target: last.map(|(partner_id, restaurant_id)| LastTarget { partner_id, restaurant_id }),
        targets: places.into_iter().map(|(target, _)| target).collect(),
    })
}

/// The restaurant of a target for restaurants: the one chosen last, else the first.
fn restaurant_of(target: &Target, last: Option<(Id<Partner>, Id<Restaurant>)>) -> Option<Uuid> {
    let ids = target.restaurant_ids.as_deref()?;
    let chosen = last.map(|(_, restaurant)| restaurant).filter(|id| ids.contains(id));
    chosen.or_else(|| ids.first().copied()).map(Id::uuid)
}
