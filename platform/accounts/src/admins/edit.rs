//! Adding, changing and archiving people: the steps, in the order in which the rules need them.

use kernel::{Clearable, Code, Fault, Id, Problem, Restaurant, Result};
use serde_json::{Value, json};
use tenants::TenantTx;
use uuid::Uuid;

use super::{
    mail,
    parts::{
        Faults, NewPin, grants, hashed_password, hashed_pin, names, new_names, places, same_surfaces, shown,
    },
    rules::{self, Editor, Keys, Rights},
    store::{self, Catalogue, Person},
    types::{Admin, AdminChange, AdminLanguage, AdminStatus, AdminSurface, NewAdmin, TargetType},
};
use access::{
    audit::difference,
    caller::Caller,
    rows,
    scope::{In, Scope},
};

/// The caller as an editor, read under the lock: what was taken from the editor a moment ago does not count
/// any more.
async fn editor<S: Scope, P>(scope: &In<S, P>, tx: &TenantTx, catalogue: &Catalogue) -> Result<Editor> {
    let admin = match scope.caller() {
        Caller::Person { admin, .. } => admin.map(Id::uuid),
        Caller::Key { .. } => None,
    };
    let rights = match admin {
        Some(id) => {
            let own = store::find(tx, catalogue, None, id).await?;
            if own.admin.status == AdminStatus::Archived
                || !own.rights.holds("user") && !scope.may("super_admin")
            {
                return Err(Code::USER_PERMISSION_REQUIRED.into());
            }
            own.rights
        }
        None => Rights::default(),
    };
    Ok(Editor { admin, super_admin: scope.may("super_admin"), rights })
}

/// Adds a person.
pub(super) async fn create<S: Scope, P>(
    scope: &In<S, P>,
    from: Option<Id<Restaurant>>,
    body: NewAdmin,
) -> Result<Admin> {
    let NewAdmin {
        email,
        first_name,
        last_name,
        name,
        tel,
        language,
        target_type,
        restaurant_ids,
        permission_ids,
        full_target_access,
        surfaces,
        has_pin,
        pin,
        max_discount_percent,
        print_zone_id,
        password,
        password_again,
    } = body;
    let mut faults = Faults::default();
    let email = faults.address(&email);
    let text = |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let (first_name, last_name) = match (text(first_name), text(last_name), text(name)) {
        (None, None, Some(name)) => rules::split_name(&name),
        (first, last, _) => (first.unwrap_or_default(), last.unwrap_or_default()),
    };
    if first_name.is_empty() && last_name.is_empty() {
        faults.add("name", Fault::Required);
    }
    let pin = if has_pin == Some(false) { None } else { pin };
    if has_pin == Some(true) && pin.is_none() {
        faults.add("pin", Fault::Required);
    }
    faults.print_zone(print_zone_id);
    let whole_partner = target_type == Some(TargetType::Partner);
    let sent = restaurant_ids.unwrap_or_default();
    if !whole_partner && from.is_none() && sent.is_empty() {
        faults.add("restaurant_ids", Fault::Required);
    }
    let password_hash =
        hashed_password(scope, password, password_again, None, &[&email, &first_name, &last_name]).await?;
    let pin = hashed_pin(scope, pin).await?;

    let tx = scope.begin().await?;
    store::lock(&tx).await?;
    let catalogue = Catalogue::load(&tx).await?;
    let editor = editor(scope, &tx, &catalogue).await?;
    let keys = faults.keys(&catalogue, &permission_ids.unwrap_or_default());
    if !whole_partner {
        faults.restaurants(&tx, &editor, &sent).await?;
    }
    faults.refuse()?;
    let rights = Rights {
        whole_partner,
        restaurants: places(from, whole_partner, &sent),
        keys: catalogue.tree.settle(&Keys::new(), &keys),
        full: full_target_access.unwrap_or(false),
        max_discount: max_discount_percent,
    }
    .tidy();
    rules::may_add(&editor, &rights)?;
    if let Some(pin) = &pin
        && store::pin_taken(&tx, Uuid::nil(), &rights, &pin.lookup).await?
    {
        return Err(Problem::new(Code::PIN_TAKEN).key("pin", Fault::NotUnique));
    }
    let mut columns = grants(&rights);
    columns.extend([
        ("first_name".to_owned(), json!(first_name)),
        ("last_name".to_owned(), json!(last_name)),
        ("tel".to_owned(), json!(text(tel).unwrap_or_default())),
        ("language".to_owned(), json!(language.unwrap_or(AdminLanguage::Hu).name())),
        ("surfaces".to_owned(), json!(names(&surfaces.unwrap_or_else(|| vec![AdminSurface::Admin])))),
        ("pin_lookup".to_owned(), json!(pin.as_ref().map(|pin| pin.lookup.kept()))),
        ("pin_hash".to_owned(), json!(pin.as_ref().map(|pin| &pin.hash))),
    ]);
    let added = store::add(&tx, &email, password_hash, columns.into()).await?;
    let (id, invited) =
        added.ok_or_else(|| Problem::new(Code::USER_EMAIL_TAKEN).key("email", Fault::NotUnique))?;
    if invited {
        mail::invite(&tx, id).await?;
    }
    let person = store::find(&tx, &catalogue, from, id).await?;
    store::copy_to_staff(&tx, &person.admin).await?;
    scope
        .audit(&tx, from.map(Id::uuid), "admins_create", id, difference(&json!({}), &shown(&person.admin)))
        .await?;
    tx.commit().await?;
    Ok(person.admin)
}

/// Changes a person.
pub(super) async fn update<S: Scope, P>(
    scope: &In<S, P>,
    from: Option<Id<Restaurant>>,
    id: Id<kernel::Admin>,
    change: AdminChange,
) -> Result<Admin> {
    let AdminChange {
        email,
        first_name,
        last_name,
        name,
        tel,
        language,
        target_type,
        restaurant_ids,
        permission_ids,
        full_target_access,
        surfaces,
        has_pin,
        pin,
        max_discount_percent,
        print_zone_id,
        password,
        password_again,
        version,
    } = change;
    let mut faults = Faults::default();
    let email = email.map(|email| faults.address(&email));
    faults.print_zone(print_zone_id.value().copied());
    let password = password.value().cloned();
    // Looked at before the hashing, which takes a while: a link that is used meanwhile is not undone.
    let credentials = match &password {
        Some(_) => {
            let tx = scope.begin().await?;
            let credentials = store::credentials(&tx, id.uuid()).await?;
            tx.commit().await?;
            credentials
        }
        None => None,
    };
    let said: Vec<&str> =
        [&email, &first_name, &last_name, &name].into_iter().filter_map(Option::as_deref).collect();
    let password_hash =
        hashed_password(scope, password.clone(), password_again.value().cloned(), Some(id.uuid()), &said)
            .await?;
    let new_pin = if has_pin == Some(false) { None } else { hashed_pin(scope, pin.value().cloned()).await? };

    let tx = scope.begin().await?;
    store::lock(&tx).await?;
    let catalogue = Catalogue::load(&tx).await?;
    let editor = editor(scope, &tx, &catalogue).await?;
    let Person { admin: before, rights: old, accepted } = live(&tx, &catalogue, from, id.uuid()).await?;
    rows::check_version(version, before.version, &before)?;

    let whole_partner = target_type.map_or(old.whole_partner, |target| target == TargetType::Partner);
    let keys = permission_ids.map(|ids| faults.keys(&catalogue, &ids));
    let kept: Vec<Id<Restaurant>> = old.restaurants.iter().copied().map(Id::from_uuid).collect();
    let sent = match restaurant_ids {
        Clearable::Value(ids) => ids,
        _ if whole_partner => vec![],
        _ => kept.clone(),
    };
    if !whole_partner {
        if !sent.iter().all(|id| old.restaurants.contains(&id.uuid())) {
            faults.restaurants(&tx, &editor, &sent).await?;
        }
        if sent.is_empty() && from.is_none() {
            faults.add("restaurant_ids", Fault::Required);
        }
    }
    let has_one = before.has_pin || new_pin.is_some();
    if has_pin == Some(true) && !has_one {
        faults.add("pin", Fault::Required);
    }
    let names_after = new_names(&before, first_name, last_name, name);
    if names_after.as_ref().is_some_and(|(first, last)| first.is_empty() && last.is_empty()) {
        faults.add("name", Fault::Required);
    }
    faults.refuse()?;

    let new = Rights {
        whole_partner,
        restaurants: places(from, whole_partner, &sent),
        keys: keys.map_or_else(|| old.keys.clone(), |keys| catalogue.tree.settle(&old.keys, &keys)),
        full: full_target_access.unwrap_or(old.full),
        max_discount: max_discount_percent.or(old.max_discount),
    }
    .tidy();
    let surfaces = surfaces.filter(|surfaces| !same_surfaces(surfaces, &before.surfaces));
    let email = email.filter(|email| *email != before.email);
    let clears_pin = has_pin == Some(false) && before.has_pin;
    let as_another =
        surfaces.is_some() || email.is_some() || password_hash.is_some() || new_pin.is_some() || clears_pin;
    if new != old || as_another || before.super_admin {
        rules::may_touch(&editor, id.uuid(), before.super_admin)?;
    }
    // The own row is always in reach for the own name.
    if editor.admin != Some(id.uuid()) {
        rules::may_change(&editor, &old, &new)?;
    }
    if as_another {
        rules::may_impersonate(&editor, &old)?;
    }
    let was_full = accepted && old.full && old.whole_partner;
    if was_full
        && (!new.full || !new.whole_partner || email.is_some())
        && store::is_last_full(&tx, id.uuid()).await?
    {
        return Err(Problem::new(Code::USER_DELETE_NOT_ALLOWED)
            .detail("somebody has to keep full access to the partner"));
    }
    unique_pin(&tx, id.uuid(), &old, &new, new_pin.as_ref(), has_one && !clears_pin).await?;

    if let Some(email) = &email
        && !store::readdress(&tx, id.uuid(), email).await?
    {
        return Err(Problem::new(Code::USER_EMAIL_TAKEN).key("email", Fault::NotUnique));
    }
    if let Some(hash) = password_hash.clone().filter(|_| email.is_none()) {
        if before.status == AdminStatus::Invited {
            return Err(Problem::new(Code::USER_TYPE_NOT_EDITABLE)
                .detail("whoever is invited sets the password by the mailed link"));
        }
        // Who is only shown as active is answered alike.
        if accepted {
            store::set_password(&tx, id.uuid(), hash, credentials).await?;
        }
    }
    let mut columns = grants(&new);
    if let Some((first, last)) = names_after {
        columns.extend([("first_name".to_owned(), json!(first)), ("last_name".to_owned(), json!(last))]);
    }
    if let Some(tel) = tel {
        columns.insert("tel".to_owned(), json!(tel.trim()));
    }
    if let Some(language) = language {
        columns.insert("language".to_owned(), json!(language.name()));
    }
    if let Some(surfaces) = surfaces {
        columns.insert("surfaces".to_owned(), json!(names(&surfaces)));
    }
    let pin_changed = new_pin.is_some();
    if let Some(pin) = new_pin {
        columns.extend([
            ("pin_lookup".to_owned(), json!(pin.lookup.kept())),
            ("pin_hash".to_owned(), json!(pin.hash)),
        ]);
    } else if clears_pin {
        columns.extend([("pin_lookup".to_owned(), Value::Null), ("pin_hash".to_owned(), Value::Null)]);
    }
    store::save(&tx, id.uuid(), columns.into()).await?;
    if email.is_some() {
        mail::invite(&tx, id.uuid()).await?;
    }
    // Somebody may have been moved out of the restaurant that was asked from.
    let after = store::find(&tx, &catalogue, None, id.uuid()).await?.admin;
    store::copy_to_staff(&tx, &after).await?;
    let mut details = difference(&shown(&before), &shown(&after));
    for (field, changed) in [("pin_changed", pin_changed), ("password_changed", password_hash.is_some())] {
        if changed {
            details[field] = json!([false, true]);
        }
    }
    scope.audit(&tx, from.map(Id::uuid), "admins_update", id, details).await?;
    tx.commit().await?;
    Ok(after)
}

/// A PIN names one person wherever the row holds, also where it has just been taken to.
async fn unique_pin(
    tx: &TenantTx,
    id: Uuid,
    old: &Rights,
    new: &Rights,
    pin: Option<&NewPin>,
    keeps: bool,
) -> Result<()> {
    let lookup = match pin {
        Some(pin) => Some(pin.lookup.clone()),
        None if keeps && (old.whole_partner, &old.restaurants) != (new.whole_partner, &new.restaurants) => {
            store::pin_lookup(tx, id).await?
        }
        None => None,
    };
    match lookup {
        Some(lookup) if store::pin_taken(tx, id, new, &lookup).await? => {
            Err(Problem::new(Code::PIN_TAKEN).key("pin", Fault::NotUnique))
        }
        _ => Ok(()),
    }
}

/// A person who is not archived.
async fn live(
    tx: &TenantTx,
    catalogue: &Catalogue,
    from: Option<Id<Restaurant>>,
    id: Uuid,
) -> Result<Person> {
    let person = store::find(tx, catalogue, from, id).await?;
    if person.admin.status == AdminStatus::Archived {
        Err(Problem::not_exist::<kernel::Admin>())
    } else {
        Ok(person)
    }
}

/// What is done to a person besides changing the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AdminAction {
    Archive,
    Invite,
    Unlock,
    EndSessions,
}

/// Archives a person, sends the invitation again, forgets wrong attempts, or ends the sessions.
pub(super) async fn act<S: Scope, P>(
    scope: &In<S, P>,
    from: Option<Id<Restaurant>>,
    id: Id<kernel::Admin>,
    deed: AdminAction,
) -> Result<()> {
    let tx = scope.begin().await?;
    store::lock(&tx).await?;
    let catalogue = Catalogue::load(&tx).await?;
    let editor = editor(scope, &tx, &catalogue).await?;
    let Person { mut admin, rights, accepted } = live(&tx, &catalogue, from, id.uuid()).await?;
    if deed == AdminAction::Archive && editor.admin == Some(id.uuid()) {
        return Err(Problem::new(Code::USER_DELETE_NOT_ALLOWED).detail("nobody removes the own row"));
    }
    rules::may_touch(&editor, id.uuid(), admin.super_admin)?;
    rules::may_impersonate(&editor, &rights)?;
    let action = match deed {
        AdminAction::Archive => {
            if accepted && rights.full && rights.whole_partner && store::is_last_full(&tx, id.uuid()).await? {
                return Err(Problem::new(Code::USER_DELETE_NOT_ALLOWED)
                    .detail("somebody has to keep full access to the partner"));
            }
            store::archive(&tx, id.uuid()).await?;
            admin.status = AdminStatus::Archived;
            store::copy_to_staff(&tx, &admin).await?;
            "admins_delete"
        }
        AdminAction::Invite => {
            mail::invite(&tx, id.uuid()).await?;
            "admins_invite"
        }
        AdminAction::Unlock => {
            store::unlock(&tx, id.uuid()).await?;
            "admins_unlock"
        }
        AdminAction::EndSessions => {
            store::end_sessions(&tx, id.uuid()).await?;
            "admins_sign_out"
        }
    };
    scope.audit(&tx, from.map(Id::uuid), action, id, json!({})).await?;
    tx.commit().await?;
    Ok(())
}
