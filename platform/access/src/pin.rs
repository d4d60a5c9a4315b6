//! PINs: the own PIN for screens, and a manager's PIN as approval at the till. See
//! `docs/decisions/accounts.md#pins`.
//!
//! A PIN is found by a keyed digest and confirmed by Argon2id. Wrong PINs count for the account, for the
//! device's address in the place, and for the place. A right PIN is not counted and does not reset the count,
//! so nobody can guess another person's PIN between entries of their own.

use hmac::{Hmac, Mac};
use kernel::{Account, Code, Id, Partner, Restaurant, Result, money::Percent};
use poem::{Request, RequestBody};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use rust_decimal::Decimal;
use sea_orm::FromQueryResult;
use sha2::Sha256;
use uuid::Uuid;

use crate::{
    app::App,
    attempts::{Attempt, take_attempt},
    caller::Caller,
    credential::client_address,
    passwords,
    places::Scope,
    scope::{In, marker},
    secrets::derive,
};

/// The PIN that came in the query, taken out of the address before anything could log it.
#[derive(Clone)]
struct QueryPin(String);

/// Takes `?pin=` out of the address of a request. The service calls it before anything else looks at the
/// request.
pub fn hide_query_pin(request: &mut Request) {
    let Some(query) = request.uri().query().filter(|query| query.contains("pin")) else { return };
    let is_pin = |pair: &&str| {
        url::form_urlencoded::parse(pair.as_bytes()).next().is_some_and(|(key, _)| key == "pin")
    };
    let Some(pair) = query.split('&').find(is_pin).map(str::to_owned) else { return };
    let rest: Vec<&str> = query.split('&').filter(|pair| !is_pin(pair)).collect();
    let path = request.uri().path();
    let address = if rest.is_empty() { path.to_owned() } else { format!("{path}?{}", rest.join("&")) };
    let mut parts = request.uri().clone().into_parts();
    parts.path_and_query = address.parse().ok();
    if let Ok(uri) = parts.try_into() {
        *request.uri_mut() = uri;
    }
    if let Some((_, value)) = url::form_urlencoded::parse(pair.as_bytes()).next() {
        request.set_data(QueryPin(value.into_owned()));
    }
}

/// The address that a request comes from, for limits.
pub struct Address(pub String);

impl<'a> ApiExtractor<'a> for Address {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    async fn from_request(
        request: &'a Request, _: &mut RequestBody, _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(Self(client_address(request, &App::of(request)?.settings)))
    }
}

/// The PIN of a request: the header `X-Pin`, or `?pin=` of older clients. A handler that takes
/// it documents it, and has it checked before it does or shows anything.
pub struct Pin {
    pin: Option<String>,
    address: String,
}

impl std::fmt::Debug for Pin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pin")
    }
}

impl<'a> ApiExtractor<'a> for Pin {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn security_schemes() -> Vec<&'static str> {
        vec![marker::PIN]
    }

    async fn from_request(
        request: &'a Request, _: &mut RequestBody, _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let header = request.header("x-pin").map(str::to_owned);
        let pin = header
            .or_else(|| request.data::<QueryPin>().map(|pin| pin.0.clone()))
            .filter(|pin| !pin.is_empty());
        Ok(Self { pin, address: client_address(request, &App::of(request)?.settings) })
    }
}

/// The person who approves an action at the till with their PIN; stored in `approved_by`.
#[derive(Debug, Clone)]
pub struct Approver {
    pub admin: Id<kernel::Admin>,
    pub name: String,
    /// The largest discount that this person may give; none is no limit.
    pub max_discount: Option<Percent>,
}

/// Where wrong PINs are counted.
pub struct Place<'a> {
    pub account: Id<Account>,
    pub address: &'a str,
    /// Restaurant or partner.
    pub place: Option<Uuid>,
}

impl Place<'_> {
    /// Begins one attempt.
    /// Errors: `TOO_MANY_REQUESTS`.
    pub async fn attempt(&self, app: &App) -> Result<Attempt> {
        let whose = vec![self.account.uuid().into(), self.address.into(), self.place.into()];
        let begin = "select control.take_pin_attempt($1, $2, $3) pause";
        let end = "select control.end_pin_attempt($1, $2, $3, $4)::text";
        Attempt::begin_by(app, (begin, whose.clone()), (end, whose)).await
    }
}

/// Counts the setting of a PIN. The answer that a PIN is taken reveals that it exists, so setting is limited
/// too.
/// Errors: `TOO_MANY_REQUESTS`.
pub async fn take_change(app: &App, account: Id<Account>, an_hour: i32) -> Result<()> {
    take_attempt(app, format!("pin change {account}"), an_hour, 60).await
}

/// The digest by which a PIN is found: of the newest secret, then of older ones, under which it may have been
/// set. The key is the installation's, so a copy of the database does not tell PINs.
#[derive(Clone)]
pub struct Lookup(Vec<Vec<u8>>);

impl Lookup {
    #[must_use]
    pub fn of(app: &App, partner: Id<Partner>, pin: &str) -> Self {
        let one = |secret| {
            // HMAC takes keys of any length, so this cannot fail.
            let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&derive(secret, "pin lookup 1")) else {
                return vec![];
            };
            mac.update(partner.uuid().as_bytes());
            mac.update(pin.as_bytes());
            mac.finalize().into_bytes().to_vec()
        };
        Self(app.settings.secrets.all().map(one).collect())
    }

    #[must_use]
    pub fn known(digest: Vec<u8>) -> Self {
        Self(vec![digest])
    }

    /// The one to be kept, as it stands in JSON for Postgres.
    #[must_use]
    pub fn newest_as_json(&self) -> Option<String> {
        self.0.first().map(|digest| format!("\\x{}", hex::encode(digest)))
    }

    /// The newest first.
    pub fn all(&self) -> impl Iterator<Item = &Vec<u8>> {
        self.0.iter()
    }
}

/// The PIN of a person: the keyed digest by which it is found, and its hash.
#[derive(Debug, FromQueryResult)]
pub struct PinRow {
    pin_lookup: Option<Vec<u8>>,
    pin_hash: Option<String>,
}

impl PinRow {
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.pin_hash.is_some()
    }

    pub async fn fits(self, app: &App, partner: Id<Partner>, pin: &str) -> Result<bool> {
        let Some(found) = self.pin_lookup else { return Ok(false) };
        if !Lookup::of(app, partner, pin).all().any(|digest| *digest == found) {
            return Ok(false);
        }
        passwords::verify(pin.to_owned(), self.pin_hash).await
    }
}

/// Whether this is the caller's own PIN; a wrong one is counted.
/// Errors: `PIN_REQUIRED` when the caller has none, `TOO_MANY_REQUESTS`.
pub async fn is_own<S: Scope, P>(
    scope: &In<S, P>, place: Option<Uuid>, address: &str, pin: &str,
) -> Result<bool> {
    let Caller::Person { account, admin: Some(admin), .. } = scope.caller() else {
        return Err(Code::PIN_REQUIRED.into());
    };
    // A request that holds two connections can starve the pool: the scope's goes back before the attempts are
    // counted.
    scope.release().await?;
    let counted = Place { account: *account, address, place: place.or(Some(scope.partner().uuid())) };
    let attempt = counted.attempt(scope.app()).await?;
    let tx = scope.begin().await?;
    let row: Option<PinRow> = tx.one("select * from control.pin_of($1)", [(*admin).into()]).await?;
    tx.commit().await?;
    let Some(row) = row else {
        attempt.end().await?;
        return Err(Code::PIN_REQUIRED.into());
    };
    let right = row.fits(scope.app(), scope.partner(), pin).await?;
    attempt.end_as(!right).await?;
    Ok(right)
}

/// Whose PIN it is, and what that person may do here.
#[derive(FromQueryResult)]
struct ApproverRow {
    id: Id<kernel::Admin>,
    name: String,
    pin_hash: Option<String>,
    permission_keys: Vec<String>,
    full_target_access: bool,
    max_discount_percent: Option<Decimal>,
    /// Somebody else gave the PIN, and so knows it. It allows no more than what that person may.
    given: bool,
    giver_keys: Vec<String>,
    giver_full: bool,
    giver_max_discount_percent: Option<Decimal>,
}

impl Pin {
    #[must_use]
    pub fn is_sent(&self) -> bool {
        self.pin.is_some()
    }

    fn sent(&self) -> Result<&str> {
        self.pin.as_deref().ok_or_else(|| Code::PIN_REQUIRED.into())
    }

    /// Lets the caller go on with the own PIN (customers, exports, discount customers).
    /// Errors: `PIN_REQUIRED` when none was sent or the caller has none yet, `PIN_INVALID`,
    /// `TOO_MANY_REQUESTS`.
    pub async fn own<P>(&self, scope: &In<Restaurant, P>) -> Result<()> {
        let right = is_own(scope, Some(scope.restaurant().uuid()), &self.address, self.sent()?).await?;
        if right { Ok(()) } else { Err(Code::PIN_INVALID.into()) }
    }

    /// Whose PIN this is, when that person may do what `key` allows in this restaurant: the manager's
    /// override. The caller's own PIN counts as well. Record the answer as `approved_by`.
    /// Errors: `PIN_REQUIRED`, `PIN_INVALID` (also for the PIN of somebody without the right),
    /// `TOO_MANY_REQUESTS`.
    pub async fn approver<S, P>(&self, scope: &In<S, P>, key: &str) -> Result<Approver>
    where
        S: Scope<Target = Id<Restaurant>>,
    {
        let pin = self.sent()?;
        let Caller::Person { account, .. } = scope.caller() else { return Err(Code::PIN_REQUIRED.into()) };
        scope.release().await?;
        let counted =
            Place { account: *account, address: &self.address, place: Some(scope.restaurant().uuid()) };
        let attempt = counted.attempt(scope.app()).await?;
        let tx = scope.begin().await?;
        let sql = "select * from control.find_pin($1, $2)";
        let mut row: Option<ApproverRow> = None;
        for digest in Lookup::of(scope.app(), scope.partner(), pin).all() {
            row = tx.one(sql, [scope.restaurant().into(), digest.clone().into()]).await?;
            if row.is_some() {
                break;
            }
        }
        tx.commit().await?;
        let approver = match row {
            Some(row) => row.approves(scope.app(), key, pin).await?,
            None => None,
        };
        attempt.end_as(approver.is_none()).await?;
        approver.ok_or_else(|| Code::PIN_INVALID.into())
    }
}

impl ApproverRow {
    /// Whether this person may do what `key` allows, and this is the PIN.
    async fn approves(self, app: &App, key: &str, pin: &str) -> Result<Option<Approver>> {
        let holds = |keys: &[String], full: bool| {
            let whole = full.then_some("full_target_access");
            app.policy.evaluate(keys.iter().map(String::as_str).chain(whole)).has(key)
        };
        let may = holds(&self.permission_keys, self.full_target_access)
            && (!self.given || holds(&self.giver_keys, self.giver_full));
        if !may || !passwords::verify(pin.to_owned(), self.pin_hash).await? {
            return Ok(None);
        }
        let givers = self.giver_max_discount_percent.filter(|_| self.given && !self.giver_full);
        let max_discount = self.max_discount_percent.into_iter().chain(givers).min().map(Percent);
        Ok(Some(Approver { admin: self.id, name: self.name, max_discount }))
    }
}
