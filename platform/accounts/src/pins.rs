//! Operations that set and try the own PIN. See `docs/decisions/accounts.md#pins`.

use access::{
    Scope,
    answers::{Done, Tag},
    attempts::take_attempt,
    caller::Caller,
    passwords,
    people::SignedIn,
    perm,
    pin::{Address, Lookup, PinRow, Place, is_own, take_change},
    scope::In,
};
use kernel::{Account, Body, Code, Fault, Id, Partner, Problem, Restaurant, Result};
use poem_openapi::{Object, OpenApi, payload::Json};
use sea_orm::FromQueryResult;
use serde_json::json;
use uuid::Uuid;

use crate::admins;

/// A PIN to be looked at.
#[derive(Object)]
struct PinEntry {
    #[oai(validator(max_length = 20))]
    pin: String,
}

/// What became of it.
#[derive(Debug, Object)]
struct PinValidity {
    is_valid: bool,
}

/// A PIN of one's own.
#[derive(Object)]
struct OwnPin {
    /// 4 to 8 digits, unique in each restaurant.
    #[oai(validator(pattern = "^[0-9]{4,8}$"))]
    pin: String,
    /// The account's password.
    #[oai(validator(max_length = 128))]
    password: String,
}

pub(crate) struct AccountPins;
pub(crate) struct RestaurantPins;
pub(crate) struct PartnerPins;

/// The caller's PIN at a partner, and the password of the account.
#[derive(FromQueryResult)]
struct StoredPin {
    /// None of somebody who is no partner's, as a super admin.
    partner_id: Option<Id<Partner>>,
    password_hash: Option<String>,
    #[sea_orm(nested)]
    pin: PinRow,
}

const OWN_PINS: &str = "select * from control.own_pins($1, $2)";

#[OpenApi(prefix_path = "/api/v3/admin", tag = "Tag::Session")]
impl AccountPins {
    /// Whether this is the own PIN, at any partner.
    ///
    /// It unlocks nothing: the calls that need a PIN are sent one. Five wrong ones pause the account's PIN.
    ///
    /// codes: PIN_REQUIRED, TOO_MANY_REQUESTS
    #[oai(path = "/validate-pin", method = "post", operation_id = "account_pins_validate")]
    async fn validate(
        &self, caller: SignedIn, address: Address, body: Body<PinEntry>,
    ) -> Result<Json<PinValidity>> {
        let app = &caller.app;
        let mut pins: Vec<StoredPin> =
            app.door.all(OWN_PINS, [caller.session.into(), caller.account.uuid().into()]).await?;
        pins.retain(|own| own.pin.is_set());
        if pins.is_empty() {
            return Err(Code::PIN_REQUIRED.into());
        }
        let counted = Place { account: caller.account, address: &address.0, place: None };
        let attempt = counted.attempt(app).await?;
        let mut is_valid = false;
        for StoredPin { partner_id, pin, .. } in pins {
            if let Some(partner) = partner_id {
                is_valid = is_valid || pin.fits(app, partner, &body.pin).await?;
            }
        }
        attempt.end_as(!is_valid).await?;
        Ok(Json(PinValidity { is_valid }))
    }
}

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id",
    tag = "Tag::Session"
)]
impl RestaurantPins {
    /// Whether this is the own PIN.
    ///
    /// It unlocks nothing: the calls that need a PIN are sent one. Five wrong ones pause the account's PIN.
    ///
    /// codes: PIN_REQUIRED, TOO_MANY_REQUESTS
    #[oai(path = "/validate-pin", method = "post", operation_id = "restaurant_pins_validate")]
    async fn validate(
        &self, scope: In<Restaurant, perm::NoPermRequired>, address: Address, body: Body<PinEntry>,
    ) -> Result<Json<PinValidity>> {
        let is_valid = is_own(&scope, Some(scope.restaurant().uuid()), &address.0, &body.pin).await?;
        Ok(Json(PinValidity { is_valid }))
    }
}

#[OpenApi(prefix_path = "/api/v3/admin/partners/:partner_id/pin", tag = "Tag::Session")]
impl PartnerPins {
    /// Sets the own PIN at this partner.
    ///
    /// codes: USER_WRONG_PASSWORD, USER_TYPE_NOT_EDITABLE, PIN_TAKEN, TOO_MANY_REQUESTS
    #[oai(path = "/", method = "put", operation_id = "own_pins_update")]
    async fn update(&self, scope: In<Partner, perm::NoPermRequired>, body: Body<OwnPin>) -> Result<Done> {
        let OwnPin { pin, password } = body.into_inner();
        let (account, session, admin) = own_row(&scope)?;
        let app = scope.app();
        take_change(app, account, 10).await?;
        let subject = format!("password account {account}");
        take_attempt(app, subject.clone(), 5, 15).await?;
        let own: Vec<StoredPin> = app.door.all(OWN_PINS, [session.into(), account.uuid().into()]).await?;
        let hash = own.into_iter().next().and_then(|own| own.password_hash);
        if !passwords::verify(password, hash).await? {
            return Err(Problem::new(Code::USER_WRONG_PASSWORD).key("password", Fault::Invalid));
        }
        app.door.call("select control.forget_attempts($1)::text", [subject.into()]).await?;
        let lookup = Lookup::of(app, scope.partner(), &pin);
        let hash = passwords::hash(pin).await?;
        let tx = scope.begin().await?;
        admins::store::lock(&tx).await?;
        let catalogue = admins::store::Catalogue::load(&tx).await?;
        let person = admins::store::find(&tx, &catalogue, None, admin.uuid()).await?;
        let claimed = admins::pin::claim(&tx, Some(admin.uuid()), &person.rights, &lookup).await;
        if let Err(problem) = claimed {
            return Err(admins::pin::refusal(tx, problem).await);
        }
        let columns = json!({"pin_lookup": lookup.newest_as_json(), "pin_hash": hash, "pin_given": false,
            "pin_given_by": null});
        admins::store::save(&tx, admin.uuid(), columns).await?;
        scope.audit(&tx, None, "own_pins_update", admin, json!({"pin_changed": [false, true]})).await?;
        tx.commit().await?;
        Ok(Done)
    }

    /// Removes the own PIN at this partner.
    ///
    /// codes: USER_TYPE_NOT_EDITABLE
    #[oai(path = "/", method = "delete", operation_id = "own_pins_delete")]
    async fn delete(&self, scope: In<Partner, perm::NoPermRequired>) -> Result<Done> {
        let (_, _, admin) = own_row(&scope)?;
        let tx = scope.begin().await?;
        admins::store::lock(&tx).await?;
        admins::store::save(&tx, admin.uuid(), json!({"pin_lookup": null, "pin_hash": null})).await?;
        scope.audit(&tx, None, "own_pins_delete", admin, json!({"has_pin": [true, false]})).await?;
        tx.commit().await?;
        Ok(Done)
    }
}

/// The caller's own row. A super admin has none, and so no PIN.
fn own_row<S: Scope, P>(scope: &In<S, P>) -> Result<(Id<Account>, Uuid, Id<kernel::Admin>)> {
    match scope.caller() {
        Caller::Person { account, session, admin: Some(admin), .. } => Ok((*account, *session, *admin)),
        _ => Err(Code::USER_TYPE_NOT_EDITABLE.into()),
    }
}
