//! PINs that one person sets for another, and what the answer may reveal. See
//! `docs/decisions/accounts.md#setting-a-pin`.

use access::{
    Scope,
    caller::Caller,
    passwords,
    pin::{Lookup, take_change},
    scope::In,
};
use kernel::{Code, Fault, Id, Problem, Restaurant, Result};
use poem_openapi::Object;
use rand::Rng;
use serde_json::{Map, Value, json};
use tenants::TenantTx;
use uuid::Uuid;

use super::{
    edit::{editor, live},
    rules::{self, Editor, Rights},
    store::{self, Catalogue},
};

/// PINs that an editor may set within an hour.
const PINS_AN_HOUR: i32 = 60;
/// Of a million PINs of six digits a partner's people have a few thousand at most.
const TRIES: usize = 50;

/// A PIN that the service chose. It is shown this once.
#[derive(Object)]
pub(crate) struct GivenPin {
    /// Six digits. The person is asked to change it.
    pub pin: String,
}

/// A new PIN: digest and hash.
pub(super) struct NewPin {
    pub lookup: Lookup,
    pub hash: String,
}

/// The PIN that came in a body, hashed before the unit of work begins.
pub(super) async fn hashed<S: Scope, P>(scope: &In<S, P>, pin: Option<String>) -> Result<Option<NewPin>> {
    let Some(pin) = pin else { return Ok(None) };
    take_one(scope).await?;
    let lookup = Lookup::of(scope.app(), scope.partner(), &pin);
    Ok(Some(NewPin { lookup, hash: passwords::hash(pin).await? }))
}

async fn take_one<S: Scope, P>(scope: &In<S, P>) -> Result<()> {
    match scope.caller() {
        Caller::Person { account, .. } => take_change(scope.app(), *account, PINS_AN_HOUR).await,
        Caller::Key { .. } => Ok(()),
    }
}

/// Columns of a PIN that the editor gives to somebody else.
pub(super) fn columns(pin: &NewPin, editor: &Editor) -> Map<String, Value> {
    [
        ("pin_lookup", json!(pin.lookup.newest_as_json())),
        ("pin_hash", json!(pin.hash)),
        ("pin_given", json!(true)),
        ("pin_given_by", json!(editor.admin)),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into_iter()
    .collect()
}

/// Refuses a PIN that somebody else has who may act in one of the places of these rights, and any PIN while
/// there were too many such refusals there. Held by [`store::lock`], one after the other.
/// Errors: `TOO_MANY_REQUESTS`; `PIN_TAKEN`, which counts once [`refusal`] has kept it.
pub(crate) async fn claim(tx: &TenantTx, id: Option<Uuid>, rights: &Rights, lookup: &Lookup) -> Result<()> {
    refuse_paused(tx, rights).await?;
    if !store::pin_taken(tx, id, rights, lookup).await? {
        return Ok(());
    }
    store::note_pin_taken(tx, id, rights, lookup).await?;
    Err(Problem::new(Code::PIN_TAKEN).key("pin", Fault::NotUnique))
}

async fn refuse_paused(tx: &TenantTx, rights: &Rights) -> Result<()> {
    match u64::try_from(store::pin_setting_pause(tx, rights).await?) {
        Ok(seconds) if seconds > 0 => Err(Problem::new(Code::TOO_MANY_REQUESTS).retry_after(seconds)),
        _ => Ok(()),
    }
}

/// The refusal of a change of which nothing is written. That a PIN was taken is kept: who asks again and
/// again would learn the PINs of others.
pub(crate) async fn refusal(tx: TenantTx, problem: Problem) -> Problem {
    if problem.code() != Code::PIN_TAKEN {
        return problem;
    }
    match tx.commit().await {
        Ok(()) => problem,
        Err(error) => error.into(),
    }
}

/// Gives a person another PIN that nobody else there has.
/// Errors: `USER_NOT_EXIST`, `USER_TYPE_NOT_EDITABLE`, `USER_PERMISSION_REQUIRED`, `TOO_MANY_REQUESTS`.
pub(super) async fn give<S: Scope, P>(
    scope: &In<S, P>, from: Option<Id<Restaurant>>, id: Id<kernel::Admin>,
) -> Result<GivenPin> {
    take_one(scope).await?;
    let tx = scope.begin().await?;
    store::lock(&tx).await?;
    let catalogue = Catalogue::load(&tx).await?;
    let editor = editor(scope, &tx, &catalogue).await?;
    let person = live(&tx, &catalogue, from, id.uuid()).await?;
    rules::may_touch(&editor, id.uuid(), person.admin.super_admin)?;
    rules::may_set_pin(&editor, &person.rights)?;
    refuse_paused(&tx, &person.rights).await?;
    let (pin, lookup) = free(scope, &tx, id.uuid(), &person.rights).await?;
    let new = NewPin { lookup, hash: passwords::hash(pin.clone()).await? };
    store::save(&tx, id.uuid(), columns(&new, &editor).into()).await?;
    scope
        .audit(&tx, from.map(Id::uuid), "admins_give_pin", id, json!({"pin_changed": [false, true]}))
        .await?;
    tx.commit().await?;
    Ok(GivenPin { pin })
}

/// A PIN of six digits that nobody has who may act where this person may.
async fn free<S: Scope, P>(
    scope: &In<S, P>, tx: &TenantTx, id: Uuid, rights: &Rights,
) -> Result<(String, Lookup)> {
    for _ in 0..TRIES {
        let pin = format!("{:06}", rand::rng().random_range(0..1_000_000));
        let lookup = Lookup::of(scope.app(), scope.partner(), &pin);
        // The present one would be no other.
        let own = store::pin_lookup(tx, id).await?;
        let same = own.is_some_and(|own| own.all().any(|digest| lookup.all().any(|one| one == digest)));
        if !same && !store::pin_taken(tx, Some(id), rights, &lookup).await? {
            return Ok((pin, lookup));
        }
    }
    Err(Code::UNKNOWN_ERROR.into())
}
