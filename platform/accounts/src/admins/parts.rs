//! Shared steps of adding and changing an admin: faults of a body, hashed secrets, columns.

use std::collections::BTreeSet;

use kernel::{Code, Email, Fault, Id, Problem, Restaurant, Result};
use poem_openapi::types::ToJSON;
use serde_json::{Map, Value, json};
use tenants::TenantTx;
use uuid::Uuid;

use super::{
    rules::{self, Editor, PermissionKeys, Rights},
    store::{self, Catalogue},
    types::{Admin, AdminSurface},
};
use crate::{
    details::{self, DetailsChange},
    password_rules::{self, Owner},
    permissions::Permissions,
};
use access::{Scope, scope::In};

/// All faults of a body's fields.
#[derive(Default)]
pub(super) struct Faults(Vec<(String, Fault)>);

impl Faults {
    pub(super) fn add(&mut self, key: impl Into<String>, fault: Fault) {
        self.0.push((key.into(), fault));
    }

    /// An address or a time zone alone has a code of its own.
    pub(super) fn refuse(self) -> Result<()> {
        let address =
            self.0.len() == 1 && self.0.iter().any(|(key, fault)| key == "email" && *fault == Fault::Pattern);
        let code = match details::code_of(&self.0) {
            Some(code) => code,
            None if address => Code::USER_INVALID_EMAIL,
            None => Code::VALIDATION_FAILED,
        };
        Problem::new(code).keys(self.0).if_any()
    }

    pub(super) fn details(&mut self, change: &DetailsChange) {
        self.0.extend(change.faults());
    }

    pub(super) fn address(&mut self, text: &str) -> String {
        Email::parse(text).map(|email| email.lowercase()).unwrap_or_else(|| {
            self.add("email", Fault::Pattern);
            String::new()
        })
    }

    pub(super) fn keys(&mut self, catalogue: &Catalogue, ids: &[Id<Permissions>]) -> PermissionKeys {
        let keys = ids.iter().enumerate().filter_map(|(at, id)| {
            let key = catalogue.key(*id).map(str::to_owned);
            if key.is_none() {
                self.add(format!("permission_ids.{at}"), Fault::NotExist);
            }
            key
        });
        keys.collect()
    }

    /// The restaurants must be the partner's and within the editor's reach; others are answered as
    /// unknown.
    pub(super) async fn restaurants(
        &mut self, tx: &TenantTx, editor: &Editor, sent: &[Id<Restaurant>],
    ) -> Result<()> {
        let known = store::own_restaurants(tx, sent.iter().map(|id| id.uuid()).collect()).await?;
        let bound = !editor.super_admin && !editor.rights.whole_partner;
        for (at, id) in sent.iter().map(|id| id.uuid()).enumerate() {
            if !known.contains(&id) || bound && !editor.rights.restaurants.contains(&id) {
                self.add(format!("restaurant_ids.{at}"), Fault::NotExist);
            }
        }
        Ok(())
    }

    /// There are no print zones yet that an id could name.
    pub(super) fn print_zone(&mut self, id: Option<Uuid>) {
        if id.is_some() {
            self.add("print_zone_id", Fault::NotExist);
        }
    }
}

/// Which restaurants a row has: of the restaurant it is edited from always that one.
pub(super) fn places(
    from: Option<Id<Restaurant>>, whole_partner: bool, sent: &[Id<Restaurant>],
) -> BTreeSet<Uuid> {
    if whole_partner { BTreeSet::new() } else { sent.iter().copied().chain(from).map(Id::uuid).collect() }
}

/// The hash of a password that an admin sets for a person, new or of this row; what the call says of them
/// counts as known.
pub(super) async fn hashed_password<S: Scope, P>(
    scope: &In<S, P>, password: Option<String>, again: Option<String>, admin: Option<Uuid>, known: &[&str],
) -> Result<Option<String>> {
    let Some(password) = password else { return Ok(None) };
    let owner = Owner::at_partner(scope.app(), scope.partner(), admin).await?.and(known.iter().copied());
    password_rules::taken(password, &again.unwrap_or_default(), &owner).await.map(Some)
}

pub(super) fn names(surfaces: &[AdminSurface]) -> Vec<&'static str> {
    surfaces.iter().map(|surface| surface.name()).collect()
}

/// The fields of an admin in the audit log.
pub(super) fn shown(admin: &Admin) -> Value {
    let mut value = admin.to_json().unwrap_or_default();
    if let Some(fields) = value.as_object_mut() {
        for field in
            ["uid", "last_active_at", "permission_ids", "target_id", "name", "created_at", "id", "partner_id"]
        {
            fields.remove(field);
        }
    }
    value
}

/// Columns of what a row grants.
pub(super) fn grants(rights: &Rights) -> Map<String, Value> {
    let restaurants: Option<Vec<_>> =
        (!rights.whole_partner).then(|| rights.restaurants.iter().copied().collect());
    [
        ("target_type".to_owned(), json!(if rights.whole_partner { "Partner" } else { "Restaurant" })),
        ("restaurant_ids".to_owned(), json!(restaurants)),
        ("permission_keys".to_owned(), json!(rights.keys)),
        ("full_target_access".to_owned(), json!(rights.full)),
        ("max_discount_percent".to_owned(), json!(rights.max_discount.map(|share| share.0.to_string()))),
    ]
    .into_iter()
    .collect()
}

/// First and last name as they shall be; none where nothing changes. A whole name counts when its parts are
/// as they were.
pub(super) fn new_names(
    before: &Admin, first: Option<String>, last: Option<String>, whole: Option<String>,
) -> Option<(String, String)> {
    let (first, last) = (first.map(|text| text.trim().to_owned()), last.map(|text| text.trim().to_owned()));
    let same = first.as_ref().is_none_or(|first| *first == before.first_name)
        && last.as_ref().is_none_or(|last| *last == before.last_name);
    match whole.map(|name| name.trim().to_owned()).filter(|name| same && *name != before.name) {
        Some(name) => Some(rules::split_name(&name)),
        None if same => None,
        None => Some((
            first.unwrap_or_else(|| before.first_name.clone()),
            last.unwrap_or_else(|| before.last_name.clone()),
        )),
    }
}

pub(super) fn same_surfaces(one: &[AdminSurface], other: &[AdminSurface]) -> bool {
    one.len() == other.len() && one.iter().all(|surface| other.contains(surface))
}
