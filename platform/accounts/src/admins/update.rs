//! Changing an admin: the steps in the order that the rules need.

use std::mem;

use access::{Scope, audit::difference, rows, scope::In};
use kernel::{Clearable, Code, Fault, Id, Problem, Restaurant, Result};
use serde_json::{Map, Value, json};
use tenants::TenantTx;
use uuid::Uuid;

use super::{
    edit::{editor, keep_full_access, left, live},
    mail,
    parts::{Faults, grants, hashed_password, names, new_names, places, same_surfaces, shown},
    pin::{self, NewPin},
    rules::{self, Editor, Rights},
    store::{self, Catalogue, Person},
    types::{Admin, AdminChange, AdminLanguage, AdminStatus, AdminSurface, TargetType},
};
use crate::details::DetailsChange;

/// Password and PIN of a change, hashed before the unit of work begins.
struct Secrets {
    password_hash: Option<String>,
    /// The state of the credentials before hashing.
    credentials: Option<i64>,
    pin: Option<NewPin>,
}

impl Secrets {
    async fn of<S: Scope, P>(
        scope: &In<S, P>, id: Id<kernel::Admin>, change: &AdminChange, email: Option<&str>,
    ) -> Result<Self> {
        let password = change.password.value().cloned();
        // Read before the hashing, which takes a while: a link that is used meanwhile is not undone.
        let credentials = match &password {
            Some(_) => {
                let tx = scope.begin().await?;
                let credentials = store::credentials(&tx, id.uuid()).await?;
                tx.commit().await?;
                credentials
            }
            None => None,
        };
        let AdminChange { first_name, last_name, name, .. } = change;
        let names = [first_name, last_name, name].into_iter().filter_map(Option::as_deref);
        let known: Vec<&str> = email.into_iter().chain(names).collect();
        let again = change.password_again.value().cloned();
        let password_hash = hashed_password(scope, password, again, Some(id.uuid()), &known).await?;
        let pin = change.pin.value().cloned().filter(|_| change.has_pin != Some(false));
        Ok(Self { password_hash, credentials, pin: pin::hashed(scope, pin).await? })
    }
}

/// A change beside the row as it is: what of it differs.
struct Draft {
    rights: Rights,
    email: Option<String>,
    names: Option<(String, String)>,
    tel: Option<String>,
    language: Option<AdminLanguage>,
    surfaces: Option<Vec<AdminSurface>>,
    secrets: Secrets,
    clears_pin: bool,
    /// Whether the row has a PIN before and after.
    keeps_pin: bool,
}

/// Where a row is changed.
struct Place<'a> {
    tx: &'a TenantTx,
    catalogue: &'a Catalogue,
    editor: &'a Editor,
    from: Option<Id<Restaurant>>,
}

impl Draft {
    /// Reads a change; all its faults are refused at once.
    async fn of(
        place: &Place<'_>, person: &Person, change: AdminChange, email: Option<String>, secrets: Secrets,
        mut faults: Faults,
    ) -> Result<Self> {
        let (before, old) = (&person.admin, &person.rights);
        let whole_partner =
            change.target_type.map_or(old.whole_partner, |target| target == TargetType::Partner);
        let keys = change.permission_ids.map(|ids| faults.keys(place.catalogue, &ids));
        let sent = match change.restaurant_ids {
            Clearable::Value(ids) => ids,
            _ if whole_partner => vec![],
            _ => old.restaurants.iter().copied().map(Id::from_uuid).collect(),
        };
        if !whole_partner {
            if !sent.iter().all(|id| old.restaurants.contains(&id.uuid())) {
                faults.restaurants(place.tx, place.editor, &sent).await?;
            }
            if sent.is_empty() && place.from.is_none() {
                faults.add("restaurant_ids", Fault::Required);
            }
        }
        let has_pin = before.has_pin || secrets.pin.is_some();
        if change.has_pin == Some(true) && !has_pin {
            faults.add("pin", Fault::Required);
        }
        let names = new_names(before, change.first_name, change.last_name, change.name);
        if names.as_ref().is_some_and(|(first, last)| first.is_empty() && last.is_empty()) {
            faults.add("name", Fault::Required);
        }
        faults.refuse()?;
        let settle = |keys| place.catalogue.tree.settle(&old.keys, &keys);
        let rights = Rights {
            whole_partner,
            restaurants: places(place.from, whole_partner, &sent),
            keys: keys.map_or_else(|| old.keys.clone(), settle),
            full: change.full_target_access.unwrap_or(old.full),
            max_discount: change.max_discount_percent.or(old.max_discount),
        };
        let clears_pin = change.has_pin == Some(false) && before.has_pin;
        Ok(Self {
            rights: rights.tidy(),
            email: email.filter(|email| *email != before.email),
            names,
            tel: change.tel,
            language: change.language,
            surfaces: change.surfaces.filter(|surfaces| !same_surfaces(surfaces, &before.surfaces)),
            secrets,
            clears_pin,
            keeps_pin: has_pin && !clears_pin,
        })
    }

    /// Whether it lets somebody act as, or lock out, the person.
    fn impersonates(&self) -> bool {
        self.surfaces.is_some()
            || self.email.is_some()
            || self.secrets.password_hash.is_some()
            || self.secrets.pin.is_some()
            || self.clears_pin
    }

    /// Whether the editor may do this, and the row stay as the partner needs it.
    async fn permit(&self, place: &Place<'_>, id: Uuid, person: &Person) -> Result<()> {
        let Person { admin: before, rights: old, accepted } = person;
        if self.rights != *old || self.impersonates() || before.super_admin {
            rules::may_touch(place.editor, id, before.super_admin)?;
        }
        // The own row is always in reach for the own name.
        if place.editor.admin != Some(id) {
            rules::may_change(place.editor, old, &self.rights)?;
        }
        if self.impersonates() {
            rules::may_impersonate(place.editor, old)?;
        }
        if self.secrets.pin.is_some() || self.clears_pin {
            rules::may_set_pin(place.editor, old)?;
            rules::may_set_pin(place.editor, &self.rights)?;
        }
        let stays_full = self.rights.full && self.rights.whole_partner && self.email.is_none();
        if *accepted && old.full && old.whole_partner && !stays_full {
            keep_full_access(place.tx, id).await?;
        }
        self.unique_pin(place.tx, id, old).await
    }

    /// A PIN names one person wherever the row holds, also where it has just been taken to.
    async fn unique_pin(&self, tx: &TenantTx, id: Uuid, old: &Rights) -> Result<()> {
        let new = &self.rights;
        let moved = (old.whole_partner, &old.restaurants) != (new.whole_partner, &new.restaurants);
        let lookup = match &self.secrets.pin {
            Some(pin) => Some(pin.lookup.clone()),
            None if self.keeps_pin && moved => store::pin_lookup(tx, id).await?,
            None => None,
        };
        match lookup {
            Some(lookup) => pin::claim(tx, Some(id), new, &lookup).await,
            None => Ok(()),
        }
    }

    /// Address and password, which belong to the account.
    async fn write_credentials(&self, tx: &TenantTx, id: Uuid, person: &Person) -> Result<()> {
        if let Some(email) = &self.email
            && !store::readdress(tx, id, email).await?
        {
            return Err(Problem::new(Code::USER_EMAIL_TAKEN).key("email", Fault::NotUnique));
        }
        let Some(hash) = self.secrets.password_hash.clone().filter(|_| self.email.is_none()) else {
            return Ok(());
        };
        if person.admin.status == AdminStatus::Invited {
            return Err(Problem::new(Code::USER_TYPE_NOT_EDITABLE)
                .detail("whoever is invited sets the password by the mailed link"));
        }
        // Who is only shown as active is answered alike.
        if person.accepted {
            store::set_password(tx, id, hash, self.secrets.credentials).await?;
        }
        Ok(())
    }

    fn columns(&self, editor: &Editor) -> Map<String, Value> {
        let mut columns = grants(&self.rights);
        let mut set = |name: &str, value: Value| columns.insert(name.to_owned(), value);
        if let Some((first, last)) = &self.names {
            set("first_name", json!(first));
            set("last_name", json!(last));
        }
        if let Some(tel) = &self.tel {
            set("tel", json!(tel.trim()));
        }
        if let Some(language) = self.language {
            set("language", json!(language.name()));
        }
        if let Some(surfaces) = &self.surfaces {
            set("surfaces", json!(names(surfaces)));
        }
        if self.clears_pin {
            set("pin_lookup", Value::Null);
            set("pin_hash", Value::Null);
        }
        columns.extend(self.secrets.pin.iter().flat_map(|new| pin::columns(new, editor)));
        columns
    }
}

pub(super) async fn update<S: Scope, P>(
    scope: &In<S, P>, from: Option<Id<Restaurant>>, id: Id<kernel::Admin>, mut change: AdminChange,
) -> Result<Admin> {
    let mut faults = Faults::default();
    let email = change.email.as_deref().map(|email| faults.address(email));
    faults.print_zone(change.print_zone_id.value().copied());
    let details = DetailsChange {
        timezone: mem::take(&mut change.timezone),
        billing: mem::take(&mut change.billing_details),
        addresses: change.addresses.take(),
    };
    faults.details(&details);
    let secrets = Secrets::of(scope, id, &change, email.as_deref()).await?;

    let tx = scope.begin().await?;
    store::lock(&tx).await?;
    let catalogue = Catalogue::load(&tx).await?;
    let editor = editor(scope, &tx, &catalogue).await?;
    let person = live(&tx, &catalogue, from, id.uuid()).await?;
    let logged = rows::Logged::of(id);
    rows::check_version(&tx, change.version, person.admin.version, &person.admin, logged).await?;
    let place = Place { tx: &tx, catalogue: &catalogue, editor: &editor, from };
    let draft = Draft::of(&place, &person, change, email, secrets, faults).await?;
    if let Err(problem) = draft.permit(&place, id.uuid(), &person).await {
        return Err(pin::refusal(tx, problem).await);
    }

    draft.write_credentials(&tx, id.uuid(), &person).await?;
    store::save(&tx, id.uuid(), draft.columns(&editor).into()).await?;
    store::save_details(&tx, id.uuid(), details.columns()).await?;
    if draft.email.is_some() {
        // The row goes to somebody else.
        left(&tx, id.uuid()).await?;
        mail::take_room(&tx, id.uuid()).await?;
        mail::invite(&tx, id.uuid()).await?;
    }
    // Somebody may have been moved out of the restaurant that was asked from.
    let after = store::find(&tx, &catalogue, None, id.uuid()).await?.admin;
    store::copy_to_staff(&tx, &after).await?;
    let mut details = difference(&shown(&person.admin), &shown(&after));
    let secrets = &draft.secrets;
    for (field, changed) in
        [("pin_changed", secrets.pin.is_some()), ("password_changed", secrets.password_hash.is_some())]
    {
        if changed {
            details[field] = json!([false, true]);
        }
    }
    scope.audit(&tx, from.map(Id::uuid), "admins_update", id, details).await?;
    tx.commit().await?;
    Ok(after)
}
