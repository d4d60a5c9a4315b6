//! Time zone, billing details and addresses of a person, in the own account and in a partner's people.

use kernel::{Clearable, Code, Email, Fault, Problem, Result, time::Tz};
use poem_openapi::{
    Object,
    types::{ParseFromJSON, ToJSON},
};
use sea_orm::FromQueryResult;
use serde_json::{Map, Value};

/// A postal address, as a courier finds it.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename = "PersonAddress")]
pub(crate) struct Address {
    /// Two letters, such as `HU`.
    #[oai(validator(pattern = "^[A-Z]{2}$"))]
    country: String,
    #[oai(default, validator(max_length = 100))]
    state_province_county: String,
    #[oai(validator(min_length = 1, max_length = 16))]
    postcode: String,
    #[oai(validator(min_length = 1, max_length = 100))]
    city: String,
    #[oai(validator(min_length = 1, max_length = 100))]
    street: String,
    #[oai(validator(min_length = 1, max_length = 20))]
    premise_number: String,
    #[oai(default, validator(max_length = 20))]
    building: String,
    #[oai(default, validator(max_length = 20))]
    floor: String,
    #[oai(default, validator(max_length = 20))]
    door_number: String,
    #[oai(default, validator(max_length = 40))]
    doorbell: String,
    #[oai(default, validator(max_length = 500))]
    address_notes: String,
}

/// For whom an invoice is made out.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub(crate) struct BillingDetails {
    /// The company, or the person.
    #[oai(validator(min_length = 3, max_length = 200))]
    company_name: String,
    /// Digits in groups with dashes between them, at least 8 characters; empty for a person.
    #[oai(default, validator(max_length = 30, pattern = "^([0-9]+(-[0-9]+)*)?$"))]
    tax_num: String,
    /// Where the invoice is sent; empty: the account's address.
    #[oai(default, validator(max_length = 254))]
    contact_email: String,
    address: Address,
}

/// The minimum length of a tax number.
const TAX_NUM: usize = 8;

/// A person's details, as they are stored.
#[derive(Debug, Clone, FromQueryResult)]
pub(crate) struct Details {
    timezone: Option<String>,
    billing: Option<Value>,
    addresses: Option<Value>,
}

impl Details {
    /// The values of `over` where it has some.
    pub(crate) fn under(self, over: Self) -> Self {
        Self {
            timezone: over.timezone.or(self.timezone),
            billing: over.billing.or(self.billing),
            addresses: over.addresses.or(self.addresses),
        }
    }

    pub(crate) fn timezone(&self) -> Option<String> {
        self.timezone.clone()
    }

    pub(crate) fn billing(&self) -> Option<BillingDetails> {
        BillingDetails::parse_from_json(self.billing.clone()).ok()
    }

    pub(crate) fn addresses(&self) -> Vec<Address> {
        Vec::parse_from_json(self.addresses.clone()).unwrap_or_default()
    }
}

/// What is to be changed of a person's details.
#[derive(Debug, Default)]
pub(crate) struct DetailsChange {
    pub(crate) timezone: Clearable<String>,
    pub(crate) billing: Clearable<BillingDetails>,
    pub(crate) addresses: Option<Vec<Address>>,
}

impl DetailsChange {
    /// What the schema cannot say, by the keys of the body.
    pub(crate) fn faults(&self) -> Vec<(String, Fault)> {
        let mut faults = vec![];
        // Abbreviations such as `CET` do not say where.
        if self.timezone.value().is_some_and(|zone| !zone.contains('/') || zone.parse::<Tz>().is_err()) {
            faults.push(("timezone".to_owned(), Fault::NotExist));
        }
        if let Some(BillingDetails { tax_num, contact_email, .. }) = self.billing.value() {
            if !tax_num.is_empty() && tax_num.len() < TAX_NUM {
                faults.push(("billing_details.tax_num".to_owned(), Fault::TooShort(TAX_NUM)));
            }
            if !contact_email.is_empty() && Email::parse(contact_email).is_none() {
                faults.push(("billing_details.contact_email".to_owned(), Fault::Pattern));
            }
        }
        faults
    }

    /// Refuses all faults at once.
    /// Errors: `USER_TIMEZONE_NOT_EXIST` when that is the only one, `VALIDATION_FAILED`.
    pub(crate) fn refuse_faults(&self) -> Result<()> {
        let faults = self.faults();
        Problem::new(code_of(&faults).unwrap_or(Code::VALIDATION_FAILED)).keys(faults).if_any()
    }

    pub(crate) fn columns(self) -> Map<String, Value> {
        let mut columns = Map::new();
        let mut set = |name: &str, value: Value| columns.insert(name.to_owned(), value);
        if !self.timezone.is_undefined() {
            set("timezone", self.timezone.value().map_or(Value::Null, |zone| zone.clone().into()));
        }
        if !self.billing.is_undefined() {
            set("billing", self.billing.value().and_then(ToJSON::to_json).unwrap_or_default());
        }
        if let Some(addresses) = &self.addresses {
            set("addresses", addresses.to_json().unwrap_or_default());
        }
        columns
    }
}

/// A wrong time zone alone has a code of its own.
pub(crate) fn code_of(faults: &[(String, Fault)]) -> Option<Code> {
    matches!(faults, [(key, Fault::NotExist)] if key == "timezone").then_some(Code::USER_TIMEZONE_NOT_EXIST)
}
