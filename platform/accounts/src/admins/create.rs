//! Adding an admin: the steps in the order that the rules need.

use access::{Scope, audit::difference, scope::In};
use kernel::{Clearable, Code, Fault, Id, Problem, Restaurant, Result};
use serde_json::{Map, Value, json};

use super::{
    edit::editor,
    mail,
    parts::{Faults, grants, hashed_password, names, places, shown},
    pin,
    rules::{self, PermissionKeys, Rights},
    store::{self, Catalogue},
    types::{Admin, AdminLanguage, AdminSurface, NewAdmin, TargetType},
};
use crate::details::DetailsChange;

fn trimmed(text: Option<&str>) -> Option<String> {
    text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// First and last name, as they were sent or read from `name`.
fn first_and_last(body: &NewAdmin, faults: &mut Faults) -> (String, String) {
    let [first, last, name] =
        [&body.first_name, &body.last_name, &body.name].map(|text| trimmed(text.as_deref()));
    let (first, last) = match (first, last, name) {
        (None, None, Some(name)) => rules::split_name(&name),
        (first, last, _) => (first.unwrap_or_default(), last.unwrap_or_default()),
    };
    if first.is_empty() && last.is_empty() {
        faults.add("name", Fault::Required);
    }
    (first, last)
}

/// Everything but the rights, as it goes into the row.
fn columns(body: &NewAdmin, first: &str, last: &str) -> Map<String, Value> {
    let surfaces = body.surfaces.as_deref().unwrap_or(&[AdminSurface::Admin]);
    [
        ("first_name", json!(first)),
        ("last_name", json!(last)),
        ("tel", json!(trimmed(body.tel.as_deref()).unwrap_or_default())),
        ("language", json!(body.language.unwrap_or(AdminLanguage::Hu).name())),
        ("surfaces", json!(names(surfaces))),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}

pub(super) async fn create<S: Scope, P>(
    scope: &In<S, P>, from: Option<Id<Restaurant>>, mut body: NewAdmin,
) -> Result<Admin> {
    let mut faults = Faults::default();
    let email = faults.address(&body.email);
    let (first, last) = first_and_last(&body, &mut faults);
    let new_pin = body.pin.take().filter(|_| body.has_pin != Some(false));
    if body.has_pin == Some(true) && new_pin.is_none() {
        faults.add("pin", Fault::Required);
    }
    faults.print_zone(body.print_zone_id);
    let details = DetailsChange {
        timezone: body.timezone.take().map_or(Clearable::Undefined, Clearable::Value),
        billing: body.billing_details.take().map_or(Clearable::Undefined, Clearable::Value),
        addresses: body.addresses.take(),
    };
    faults.details(&details);
    let whole_partner = body.target_type == Some(TargetType::Partner);
    let sent = body.restaurant_ids.take().unwrap_or_default();
    if !whole_partner && from.is_none() && sent.is_empty() {
        faults.add("restaurant_ids", Fault::Required);
    }
    let known = [email.as_str(), first.as_str(), last.as_str()];
    let password_hash =
        hashed_password(scope, body.password.take(), body.password_again.take(), None, &known).await?;
    let new_pin = pin::hashed(scope, new_pin).await?;

    let tx = scope.begin().await?;
    store::lock(&tx).await?;
    let catalogue = Catalogue::load(&tx).await?;
    let editor = editor(scope, &tx, &catalogue).await?;
    let keys = faults.keys(&catalogue, body.permission_ids.as_deref().unwrap_or_default());
    if !whole_partner {
        faults.restaurants(&tx, &editor, &sent).await?;
    }
    faults.refuse()?;
    let rights = Rights {
        whole_partner,
        restaurants: places(from, whole_partner, &sent),
        keys: catalogue.tree.settle(&PermissionKeys::new(), &keys),
        full: body.full_target_access.unwrap_or(false),
        max_discount: body.max_discount_percent,
    }
    .tidy();
    rules::may_add(&editor, &rights)?;
    let mut row = grants(&rights);
    row.extend(columns(&body, &first, &last));
    if let Some(new) = &new_pin {
        rules::may_set_pin(&editor, &rights)?;
        if let Err(problem) = pin::claim(&tx, None, &rights, &new.lookup).await {
            return Err(pin::refusal(tx, problem).await);
        }
        row.extend(pin::columns(new, &editor));
    }
    let added = store::add(&tx, &email, password_hash, row.into()).await?;
    let (id, invited) =
        added.ok_or_else(|| Problem::new(Code::USER_EMAIL_TAKEN).key("email", Fault::NotUnique))?;
    store::save_details(&tx, id, details.columns()).await?;
    mail::take_room(&tx, id).await?;
    if invited {
        mail::invite(&tx, id).await?;
    }
    let person = store::find(&tx, &catalogue, from, id).await?;
    store::copy_to_staff(&tx, &person.admin).await?;
    let details = difference(&json!({}), &shown(&person.admin));
    scope.audit(&tx, from.map(Id::uuid), "admins_create", id, details).await?;
    tx.commit().await?;
    Ok(person.admin)
}
