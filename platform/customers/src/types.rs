//! Bodies and answers about customers.

use access::prelude::*;
use kernel::{
    Email,
    money::{Currency, Money},
};
use sea_orm::{FromJsonQueryResult, FromQueryResult};
use serde::{Deserialize, Serialize};

use crate::ids::{Addresses, ShadowCustomers};

/// A customer in short, for choosing one.
#[derive(Debug, Clone, Object, FromQueryResult)]
#[oai(rename = "ShadowCustomerShort")]
pub struct ShadowCustomer {
    /// The customer.
    pub id: Id<ShadowCustomers>,
    /// Last name first.
    pub name: String,
    /// With the calling code, `+3615550100`.
    pub phone_1: Option<String>,
    /// In lower case.
    pub email: Option<String>,
}

/// A customer in a list. Who only chooses one for a discount gets the short form: name, phone, e-mail.
#[derive(Debug, Clone, Object, FromQueryResult)]
#[oai(rename = "ShadowCustomer")]
pub(crate) struct CustomerRow {
    id: Id<ShadowCustomers>,
    /// Last name first.
    name: String,
    first_name: String,
    last_name: String,
    /// With the calling code, `+3615550100`.
    phone_1: Option<String>,
    /// In lower case.
    email: Option<String>,
    /// Orders that count: placed, not archived, no tests; of the restaurants that the caller may see and that
    /// have this restaurant's currency. Null in the short form.
    order_number: Option<i32>,
    /// What these orders came to, partial cancellations taken off. Null in the short form.
    order_total_sum: Option<Money>,
    /// When the last of them was placed.
    last_order_at: Option<Timestamp>,
    created_at: Timestamp,
    /// The balance in the restaurant's group, below zero is debt. Null without the feature `balance`.
    balance: Option<Money>,
    /// Null without the feature `loyalty`.
    points: Option<i64>,
    archived_at: Option<Timestamp>,
}

impl CustomerRow {
    /// Leaves out the figures in the short form, and what belongs to a feature that is off.
    pub fn hide(&mut self, short: bool, balance: bool, points: bool) {
        if short {
            (self.order_number, self.order_total_sum, self.last_order_at) = (None, None, None);
        }
        self.balance = self.balance.filter(|_| balance);
        self.points = self.points.filter(|_| points);
    }
}

/// By what a list of customers is ordered; empty values come last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum ShadowCustomerSort {
    /// Accents and case ignored.
    #[default]
    Name,
    NameDesc,
    OrderNumber,
    OrderNumberDesc,
    OrderTotalSum,
    OrderTotalSumDesc,
    LastOrderAt,
    LastOrderAtDesc,
    CreatedAt,
    CreatedAtDesc,
    Balance,
    BalanceDesc,
}

/// Which balances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum BalanceFilter {
    #[default]
    All,
    /// Below zero: debt.
    Negative,
    /// Above zero.
    Positive,
    /// Zero.
    Equal,
}

impl BalanceFilter {
    /// The sign that a balance must have; none for all.
    pub fn sign(self) -> Option<i32> {
        match self {
            Self::All => None,
            Self::Negative => Some(-1),
            Self::Equal => Some(0),
            Self::Positive => Some(1),
        }
    }
}

/// What a customer is called elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Object, Serialize, Deserialize, FromJsonQueryResult)]
#[oai(rename = "ShadowCustomerExternalId")]
pub(crate) struct ExternalId {
    /// Whose id it is: a delivery platform, a shop.
    #[oai(validator(min_length = 1, max_length = 60))]
    pub platform: String,
    #[oai(validator(min_length = 1, max_length = 200))]
    pub id: String,
}

/// An address of a customer; the fields are those of an order's `delivery_data`.
#[derive(Debug, Clone, Object, FromQueryResult)]
#[oai(rename = "ShadowCustomerAddress")]
pub(crate) struct Address {
    pub id: Id<Addresses>,
    /// Whose it is: the customer, or one who was merged into this one.
    pub shadow_customer_id: Id<ShadowCustomers>,
    /// What the customer calls it: *home*, *office*.
    name: Option<String>,
    country: Option<String>,
    state_province_county: Option<String>,
    postcode: Option<String>,
    city: String,
    street: String,
    premise_number: String,
    building: Option<String>,
    floor: Option<String>,
    door_number: Option<String>,
    doorbell: Option<String>,
    address_notes: Option<String>,
    /// Degrees.
    coord_lat: Option<f64>,
    coord_lng: Option<f64>,
    /// When an order went there.
    last_used_at: Option<Timestamp>,
    pub version: i64,
    created_at: Timestamp,
    updated_at: Timestamp,
}

/// Somebody who turned out to be the same person.
#[derive(Debug, Clone, Object, FromQueryResult)]
pub(crate) struct MergedCustomer {
    id: Id<ShadowCustomers>,
    name: String,
    phone_1: Option<String>,
    phone_2: Option<String>,
    email: Option<String>,
    /// When the customer was made.
    created_at: Timestamp,
    merged_at: Timestamp,
    /// Until then the merge can be undone; null when it cannot any more.
    undo_until: Option<Timestamp>,
}

/// A customer with everything.
#[derive(Debug, Clone, Object, FromQueryResult)]
#[oai(rename = "ShadowCustomerDetails")]
pub(crate) struct Customer {
    pub id: Id<ShadowCustomers>,
    /// The id of the account that a shop keeps; null for a customer without one.
    #[oai(read_only)]
    customer_id: Option<String>,
    /// Last name first.
    pub name: String,
    pub first_name: String,
    pub last_name: String,
    /// With the calling code, `+3615550100`.
    pub phone_1: Option<String>,
    pub phone_2: Option<String>,
    /// In lower case.
    pub email: Option<String>,
    /// What staff should know when the customer orders.
    pub note: Option<String>,
    /// Remarks for the office.
    pub comment: Option<String>,
    #[sea_orm(skip)]
    pub external_ids: Vec<ExternalId>,
    /// The own ones and those of merged customers, the last used first.
    #[sea_orm(skip)]
    pub addresses: Vec<Address>,
    /// As in the list.
    pub order_number: i32,
    pub order_total_sum: Money,
    pub first_order_at: Option<Timestamp>,
    pub last_order_at: Option<Timestamp>,
    /// Null without the feature `balance`.
    pub balance: Option<Money>,
    /// Null without the feature `loyalty`.
    pub points: Option<i64>,
    /// The restaurant's currency, in which the amounts are.
    pub currency: Currency,
    /// The older customer into whom this one was merged.
    pub merged_into: Option<Id<ShadowCustomers>>,
    pub merged_at: Option<Timestamp>,
    /// Until then that can be undone; null when it cannot.
    #[sea_orm(skip)]
    pub undo_until: Option<Timestamp>,
    /// Those who were merged into this one.
    #[sea_orm(skip)]
    pub merged: Vec<MergedCustomer>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub version: i64,
    pub archived_at: Option<Timestamp>,
}

/// A customer to be entered. Whoever is known at another restaurant of the partner by this phone or e-mail is
/// known here from then on: what is empty there is filled, nothing is replaced.
#[derive(Debug, Object)]
pub(crate) struct NewShadowCustomer {
    #[oai(validator(max_length = 80, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    pub first_name: String,
    #[oai(validator(max_length = 80, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    pub last_name: String,
    /// In any spelling; a number without a calling code is one of the restaurant's country.
    #[oai(validator(max_length = 40))]
    pub phone_1: Option<String>,
    #[oai(validator(max_length = 40))]
    pub phone_2: Option<String>,
    pub email: Option<Email>,
    #[oai(validator(max_length = 1000, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
    pub note: Option<String>,
    #[oai(validator(max_length = 1000, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
    pub comment: Option<String>,
    #[oai(validator(max_items = 20))]
    pub external_ids: Option<Vec<ExternalId>>,
    #[oai(validator(max_items = 30))]
    pub addresses: Option<Vec<NewAddress>>,
}

/// A change of a customer.
#[derive(Debug, Object)]
pub(crate) struct ShadowCustomerChange {
    #[oai(validator(min_length = 1, max_length = 80, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    pub first_name: Option<String>,
    #[oai(validator(min_length = 1, max_length = 80, pattern = r"^[^\x00-\x1F\x7F-\x9F]*$"))]
    pub last_name: Option<String>,
    #[oai(validator(max_length = 40))]
    pub phone_1: Clearable<String>,
    #[oai(validator(max_length = 40))]
    pub phone_2: Clearable<String>,
    pub email: Clearable<Email>,
    #[oai(validator(max_length = 1000, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
    pub note: Clearable<String>,
    #[oai(validator(max_length = 1000, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
    pub comment: Clearable<String>,
    #[oai(validator(max_items = 20))]
    pub external_ids: Option<Vec<ExternalId>>,
    /// All of them: one with an id is changed, one without is added, one that is missing goes. Those of
    /// merged
    /// customers stay with them.
    #[oai(validator(max_items = 30))]
    pub addresses: Option<Vec<KeptAddress>>,
    pub version: Option<i64>,
}

macro_rules! address_bodies {
    ($($(#[$meta:meta])* struct $name:ident { $($(#[$own:meta])* $first:ident: $type:ty,)* })*) => {$(
        #[derive(Debug, Clone, PartialEq, Object)]
        $(#[$meta])*
        pub(crate) struct $name {
            $($(#[$own])* pub $first: $type,)*
            #[oai(validator(max_length = 60))]
            pub name: Option<String>,
            #[oai(validator(max_length = 60))]
            pub country: Option<String>,
            #[oai(validator(max_length = 100))]
            pub state_province_county: Option<String>,
            #[oai(validator(max_length = 20))]
            pub postcode: Option<String>,
            #[oai(validator(max_length = 100))]
            pub city: String,
            #[oai(validator(max_length = 100))]
            pub street: String,
            #[oai(validator(max_length = 30))]
            pub premise_number: String,
            #[oai(validator(max_length = 30))]
            pub building: Option<String>,
            #[oai(validator(max_length = 30))]
            pub floor: Option<String>,
            #[oai(validator(max_length = 30))]
            pub door_number: Option<String>,
            #[oai(validator(max_length = 30))]
            pub doorbell: Option<String>,
            #[oai(validator(max_length = 500, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
            pub address_notes: Option<String>,
            /// Degrees; both or none.
            #[oai(validator(minimum(value = "-90"), maximum(value = "90")))]
            pub coord_lat: Option<f64>,
            #[oai(validator(minimum(value = "-180"), maximum(value = "180")))]
            pub coord_lng: Option<f64>,
        }
    )*};
}

address_bodies! {
    /// An address to be added.
    #[oai(rename = "NewShadowCustomerAddress")]
    struct NewAddress {}

    /// An address among all of a customer.
    #[oai(rename = "KeptShadowCustomerAddress")]
    struct KeptAddress {
        /// Absent: a new one.
        id: Option<Id<Addresses>>,
    }
}

impl From<KeptAddress> for NewAddress {
    fn from(kept: KeptAddress) -> Self {
        let KeptAddress { id: _, name, country, state_province_county, postcode, city, street, .. } = kept;
        Self {
            name,
            country,
            state_province_county,
            postcode,
            city,
            street,
            premise_number: kept.premise_number,
            building: kept.building,
            floor: kept.floor,
            door_number: kept.door_number,
            doorbell: kept.doorbell,
            address_notes: kept.address_notes,
            coord_lat: kept.coord_lat,
            coord_lng: kept.coord_lng,
        }
    }
}

/// A change of an address.
#[derive(Debug, Object)]
#[oai(rename = "ShadowCustomerAddressChange")]
pub(crate) struct AddressChange {
    #[oai(validator(max_length = 60))]
    pub name: Clearable<String>,
    #[oai(validator(max_length = 60))]
    pub country: Clearable<String>,
    #[oai(validator(max_length = 100))]
    pub state_province_county: Clearable<String>,
    #[oai(validator(max_length = 20))]
    pub postcode: Clearable<String>,
    #[oai(validator(min_length = 1, max_length = 100))]
    pub city: Option<String>,
    #[oai(validator(min_length = 1, max_length = 100))]
    pub street: Option<String>,
    #[oai(validator(min_length = 1, max_length = 30))]
    pub premise_number: Option<String>,
    #[oai(validator(max_length = 30))]
    pub building: Clearable<String>,
    #[oai(validator(max_length = 30))]
    pub floor: Clearable<String>,
    #[oai(validator(max_length = 30))]
    pub door_number: Clearable<String>,
    #[oai(validator(max_length = 30))]
    pub doorbell: Clearable<String>,
    #[oai(validator(max_length = 500, pattern = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"))]
    pub address_notes: Clearable<String>,
    #[oai(validator(minimum(value = "-90"), maximum(value = "90")))]
    pub coord_lat: Clearable<f64>,
    #[oai(validator(minimum(value = "-180"), maximum(value = "180")))]
    pub coord_lng: Clearable<f64>,
    pub version: Option<i64>,
}

/// Into whom a customer is merged.
#[derive(Debug, Object)]
pub(crate) struct ShadowCustomerMerge {
    /// The other one. The younger of the two points to the older from then on, whoever is named here.
    pub into: Id<ShadowCustomers>,
}
