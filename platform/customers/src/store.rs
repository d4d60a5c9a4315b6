//! Writing one customer.

use access::{audit::difference, prelude::*};
use kernel::{Email, error::is_unique_violation};
use sea_orm::FromQueryResult;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use crate::{
    ShadowCustomers, phone,
    types::{ExternalId, NewShadowCustomer, ShadowCustomerChange},
};

/// So long a merge can be undone, in days.
pub(crate) const UNDO_DAYS: i64 = 30;

pub(crate) fn external_ids(json: Json) -> Vec<ExternalId> {
    serde_json::from_value(json).unwrap_or_default()
}

/// The fields of a customer that are written.
#[derive(Debug, Clone, PartialEq, FromQueryResult)]
pub(crate) struct Fields {
    pub first_name: String,
    pub last_name: String,
    pub phone_1: Option<String>,
    pub phone_2: Option<String>,
    pub email: Option<String>,
    pub note: Option<String>,
    pub comment: Option<String>,
    pub external_ids: Json,
    pub version: i64,
    pub merged_into: Option<Uuid>,
}

const LOCK: &str = "select first_name, last_name, phone_1, phone_2, email, note, comment, external_ids, \
    version, merged_into from shadow_customer where id = $1 and archived_at is null for no key update";

/// The fields of a customer who is about to be changed, locked.
/// Errors: `SHADOW_CUSTOMER_NOT_EXIST`.
pub(crate) async fn lock(tx: &TenantTx, id: Id<ShadowCustomers>) -> Result<Fields> {
    tx.one(LOCK, [id.into()]).await?.ok_or_else(Problem::not_exist::<ShadowCustomers>)
}

impl Fields {
    /// For the audit log: which fields differ. Personal data are named, never shown, because the log is read
    /// without a PIN and outlives the customer.
    pub fn changed(&self, after: &Self) -> Json {
        masked(difference(&self.json(), &after.json()))
    }

    fn json(&self) -> Json {
        json!({
            "first_name": self.first_name, "last_name": self.last_name, "phone_1": self.phone_1,
            "phone_2": self.phone_2, "email": self.email, "note": self.note, "comment": self.comment,
            "external_ids": self.external_ids,
        })
    }

    /// Nothing yet.
    pub fn none() -> Self {
        Self {
            first_name: String::new(),
            last_name: String::new(),
            phone_1: None,
            phone_2: None,
            email: None,
            note: None,
            comment: None,
            external_ids: json!([]),
            version: 0,
            merged_into: None,
        }
    }
}

/// Values that say something as dots: `[null, "…"]`.
pub(crate) fn masked(details: Json) -> Json {
    let dots = |value: &Json| match value {
        Json::Null => Json::Null,
        Json::String(text) if text.is_empty() => Json::Null,
        Json::Array(values) if values.is_empty() => Json::Null,
        _ => json!("…"),
    };
    match details {
        Json::Object(fields) => fields
            .into_iter()
            .map(|(name, both)| {
                let both = both.as_array().map(|both| both.iter().map(dots).collect::<Vec<_>>());
                (name, json!(both))
            })
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other,
    }
}

/// A text without outer blanks; none when nothing is left.
pub(crate) fn filled(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// A phone in E.164, or as it was written where it is no number: staff can call it, and it says of nobody who it
/// is. A text without digits is a fault at its field.
fn kept(problem: &mut Problem, key: &str, written: Option<String>, country: &str) -> Option<String> {
    let written = filled(written)?;
    if !written.chars().any(char::is_numeric) {
        *problem = problem.clone().key(key, Fault::Pattern);
    }
    Some(phone::e164(&written, country).unwrap_or(written))
}

/// Names that were sent and that nobody can read.
fn blank(names: [(&str, Option<&String>); 2]) -> Vec<(String, Fault)> {
    let blank = names.into_iter().filter(|(_, name)| name.is_some_and(|name| kernel::text::is_blank(name)));
    blank.map(|(key, _)| (key.to_owned(), Fault::Required)).collect()
}

impl NewShadowCustomer {
    /// The fields as they are kept. `country`: where phones without a calling code are from.
    /// Errors: `VALIDATION_FAILED`.
    pub fn fields(&self, country: &str) -> Result<Fields> {
        let mut problem = Problem::new(Code::VALIDATION_FAILED);
        let fields = Fields {
            first_name: self.first_name.trim().to_owned(),
            last_name: self.last_name.trim().to_owned(),
            phone_1: kept(&mut problem, "phone_1", self.phone_1.clone(), country),
            phone_2: kept(&mut problem, "phone_2", self.phone_2.clone(), country),
            email: self.email.as_ref().map(Email::lowercase),
            note: filled(self.note.clone()),
            comment: filled(self.comment.clone()),
            external_ids: json!(self.external_ids.clone().unwrap_or_default()),
            ..Fields::none()
        };
        let names = [("first_name", &self.first_name), ("last_name", &self.last_name)];
        fields.check(problem.keys(blank(names.map(|(key, name)| (key, Some(name)))))).map(|()| fields)
    }
}

impl ShadowCustomerChange {
    /// The fields after the change.
    /// Errors: `VALIDATION_FAILED`.
    pub fn fields(&self, before: &Fields, country: &str) -> Result<Fields> {
        let mut problem = Problem::new(Code::VALIDATION_FAILED);
        let mut phone = |key: &str, sent: &Clearable<String>, before: &Option<String>| match sent {
            Clearable::Undefined => before.clone(),
            Clearable::Null => None,
            Clearable::Value(written) => kept(&mut problem, key, Some(written.clone()), country),
        };
        let name = |sent: &Option<String>, before: &String| {
            sent.as_ref().map_or_else(|| before.clone(), |name| name.trim().to_owned())
        };
        let (phone_1, phone_2) = (
            phone("phone_1", &self.phone_1, &before.phone_1),
            phone("phone_2", &self.phone_2, &before.phone_2),
        );
        let fields = Fields {
            first_name: name(&self.first_name, &before.first_name),
            last_name: name(&self.last_name, &before.last_name),
            phone_1,
            phone_2,
            email: self.email.clone().map(|email| email.lowercase()).or(before.email.clone()),
            note: filled(self.note.clone().or(before.note.clone())),
            comment: filled(self.comment.clone().or(before.comment.clone())),
            external_ids: self
                .external_ids
                .as_ref()
                .map_or_else(|| before.external_ids.clone(), |ids| json!(ids)),
            ..before.clone()
        };
        let names = [("first_name", self.first_name.as_ref()), ("last_name", self.last_name.as_ref())];
        fields.check(problem.keys(blank(names))).map(|()| fields)
    }
}

impl Fields {
    /// Rules between fields, with what was found wrong before.
    fn check(&self, mut problem: Problem) -> Result<()> {
        if self.phone_1 == self.phone_2 && self.numbers().next().is_some() {
            problem = problem.key("phone_2", Fault::NotUnique);
        }
        let ids = external_ids(self.external_ids.clone());
        for (at, one) in ids.iter().enumerate() {
            if ids[..at].iter().any(|other| other.platform == one.platform) {
                problem = problem.key(format!("external_ids.{at}.platform"), Fault::NotUnique);
            }
        }
        problem.if_any()
    }
}

/// Who has a phone or an e-mail already. A first number goes before a second one.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult)]
pub(crate) struct Taken {
    pub id: Uuid,
    pub phone_1: Option<String>,
    pub phone_2: Option<String>,
    pub email: Option<String>,
}

const TAKEN: &str = "select c.id, c.phone_1, c.phone_2, c.email from shadow_customer c \
    where c.archived_at is null and c.id <> $1 \
    and (c.phone_1 = any ($2) or c.phone_2 = any ($2) or c.email = $3) \
    order by c.phone_1 = any ($2) desc nulls last, c.phone_2 = any ($2) desc nulls last, c.id";

/// The other customers who have one of these phones or the e-mail.
pub(crate) async fn taken(tx: &TenantTx, own: Id<ShadowCustomers>, fields: &Fields) -> Result<Vec<Taken>> {
    let phones: Vec<String> = fields.numbers().cloned().collect();
    Ok(tx.all(TAKEN, [own.into(), phones.into(), fields.email.clone().into()]).await?)
}

/// Refuses what somebody else has, each field by its name.
/// Errors: `VALIDATION_FAILED`.
pub(crate) fn refuse_taken(taken: &[Taken], fields: &Fields) -> Result<()> {
    let has = |phone: &Option<String>| {
        phone.as_deref().is_some_and(phone::is_number)
            && taken.iter().any(|one| one.phone_1 == *phone || one.phone_2 == *phone)
    };
    let email = fields.email.is_some() && taken.iter().any(|one| one.email == fields.email);
    [("phone_1", has(&fields.phone_1)), ("phone_2", has(&fields.phone_2)), ("email", email)]
        .into_iter()
        .filter(|(_, taken)| *taken)
        .fold(Problem::new(Code::VALIDATION_FAILED), |problem, (key, _)| problem.key(key, Fault::NotUnique))
        .if_any()
}

const INSERT: &str = "insert into shadow_customer (id, first_name, last_name, phone_1, phone_2, email, \
    note, comment, \
        external_ids, created_at, updated_at, phone_1_text, phone_2_text) \
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, $12)";
const UPDATE: &str = "update shadow_customer set first_name = $2, last_name = $3, phone_1 = $4, phone_2 = \
    $5, email = $6, \
        note = $7, comment = $8, external_ids = $9, updated_at = $10, phone_1_text = $11, \
        phone_2_text = $12, version = version + 1 where id = $1";
const KNOWN_HERE: &str = "insert into shadow_customer_restaurant (shadow_customer_id, restaurant_id) \
    values ($1, $2) \
    on conflict (shadow_customer_id, restaurant_id) do update set by_merge = false";

impl Fields {
    /// The phones by which the customer is known.
    fn numbers(&self) -> impl Iterator<Item = &String> {
        self.phone_1.iter().chain(&self.phone_2).filter(|phone| phone::is_number(phone))
    }

    async fn write(&self, tx: &TenantTx, id: Id<ShadowCustomers>, sql: &'static str) -> Result<()> {
        let text = |phone: &Option<String>| phone.as_deref().is_some_and(|phone| !phone::is_number(phone));
        let values = [
            id.into(),
            self.first_name.clone().into(),
            self.last_name.clone().into(),
            self.phone_1.clone().into(),
            self.phone_2.clone().into(),
            self.email.clone().into(),
            self.note.clone().into(),
            self.comment.clone().into(),
            self.external_ids.clone().into(),
            Timestamp::now().into(),
            text(&self.phone_1).into(),
            text(&self.phone_2).into(),
        ];
        match tx.run(sql, values).await {
            // An order of the same person was faster.
            Err(error) if is_unique_violation(&error) => Err(Problem::overtaken()),
            done => Ok(done.map(drop)?),
        }
    }

    pub async fn insert(&self, tx: &TenantTx, id: Id<ShadowCustomers>) -> Result<()> {
        self.write(tx, id, INSERT).await
    }

    /// Changes a customer, who is locked.
    pub async fn update(&self, tx: &TenantTx, id: Id<ShadowCustomers>) -> Result<()> {
        self.write(tx, id, UPDATE).await
    }

    /// What is empty here, from there; an address that somebody else has is left out.
    pub fn fill(&mut self, new: &Self, taken: &[Taken], own: Uuid) {
        let others = || taken.iter().filter(|one| one.id != own);
        let free = |phone: &Option<String>| {
            phone.clone().filter(|_| !others().any(|one| one.phone_1 == *phone || one.phone_2 == *phone))
        };
        let own_phone =
            |phone: &Option<String>, fields: &Self| *phone == fields.phone_1 || *phone == fields.phone_2;
        for (field, value) in [(&mut self.first_name, &new.first_name), (&mut self.last_name, &new.last_name)]
        {
            if field.is_empty() {
                field.clone_from(value);
            }
        }
        for phone in [&new.phone_1, &new.phone_2] {
            if phone.as_deref().is_some_and(phone::is_number) && !own_phone(phone, self) {
                if self.phone_1.is_none() {
                    self.phone_1 = free(phone);
                } else if self.phone_2.is_none() {
                    self.phone_2 = free(phone);
                }
            }
        }
        if self.email.is_none() && !others().any(|one| one.email == new.email) {
            self.email.clone_from(&new.email);
        }
        for (field, value) in [(&mut self.note, &new.note), (&mut self.comment, &new.comment)] {
            if field.is_none() {
                field.clone_from(value);
            }
        }
        if self.external_ids == json!([]) {
            self.external_ids = new.external_ids.clone();
        }
    }
}

/// Notes that a customer is known at a restaurant.
pub(crate) async fn known_here(tx: &TenantTx, id: Id<ShadowCustomers>, restaurant: Uuid) -> Result<()> {
    tx.run(KNOWN_HERE, [id.into(), restaurant.into()]).await?;
    Ok(())
}
