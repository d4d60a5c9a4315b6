//! Bodies and answers about admins.

use kernel::{Clearable, Id, Partner, Restaurant, money::Percent, time::Timestamp};
use poem_openapi::{Enum, Object};
use uuid::Uuid;

use crate::{
    details::{Address, BillingDetails},
    permissions::Permissions,
};

/// For whom an admin acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
pub(crate) enum TargetType {
    /// All restaurants of the partner.
    Partner,
    /// Those in `restaurant_ids`.
    Restaurant,
}

/// How far an admin has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum AdminStatus {
    /// Has a mail with a link to accept.
    Invited,
    /// May act.
    Active,
    /// Paused after wrong passwords or PINs; see `unlock`.
    Locked,
    /// Removed.
    Archived,
}

/// How an admin signs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum AdminProvider {
    /// With a password.
    Password,
    /// With the partner's sign-in provider.
    Oidc,
}

/// Where an admin may sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Enum)]
#[oai(rename_all = "snake_case")]
pub(crate) enum AdminSurface {
    /// The back-office.
    Admin,
    /// The till.
    Pos,
    /// The light client (LCT).
    Lct,
    /// A kiosk.
    Kiosk,
}

/// Language of an admin's mails and screens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum AdminLanguage {
    /// Hungarian.
    Hu,
    /// English.
    En,
}

macro_rules! names {
    ($type:ident: $($variant:ident = $name:literal),*) => {
        impl $type {
            /// As it is stored.
            pub const fn name(self) -> &'static str { match self { $(Self::$variant => $name),* } }
            pub(crate) fn parse(name: &str) -> Option<Self> { match name { $($name => Some(Self::$variant),)* _ => None } }
        }
    };
}
names!(AdminStatus: Invited = "invited", Active = "active", Locked = "locked", Archived = "archived");
names!(AdminSurface: Admin = "admin", Pos = "pos", Lct = "lct", Kiosk = "kiosk");
names!(AdminLanguage: Hu = "hu", En = "en");

/// A person who may act for a partner or for some of its restaurants.
#[derive(Debug, Clone, Object)]
pub(crate) struct Admin {
    pub id: Id<kernel::Admin>,
    /// The account; null until the person has signed in for this partner.
    pub uid: Option<Uuid>,
    pub email: String,
    /// Last name first, as Hungarian names are written.
    pub name: String,
    pub first_name: String,
    pub last_name: String,
    pub tel: String,
    pub language: AdminLanguage,
    /// Region and city; null: not chosen.
    pub timezone: Option<String>,
    pub billing_details: Option<BillingDetails>,
    pub addresses: Vec<Address>,
    pub status: AdminStatus,
    pub provider: AdminProvider,
    pub partner_id: Id<Partner>,
    pub target_type: TargetType,
    /// The partner's id, or for a restaurant's admin that of the restaurant asked from.
    pub target_id: Uuid,
    /// Null for an admin of the whole partner.
    pub restaurant_ids: Option<Vec<Id<Restaurant>>>,
    /// What was granted.
    pub permission_ids: Vec<Id<Permissions>>,
    /// Every key held, implied ones included.
    pub permissions: Vec<String>,
    /// Holds every permission of the target.
    pub full_target_access: bool,
    pub super_admin: bool,
    pub surfaces: Vec<AdminSurface>,
    pub has_pin: bool,
    /// The largest staff discount; null is no limit of one's own.
    pub max_discount_percent: Option<Percent>,
    pub print_zone_id: Option<Uuid>,
    pub last_active_at: Option<Timestamp>,
    /// Whether signing in needs a second factor.
    pub second_factor: bool,
    pub version: i64,
    pub created_at: Timestamp,
}

/// A person to be added.
#[derive(Debug, Object)]
pub(crate) struct NewAdmin {
    #[oai(validator(max_length = 254))]
    pub email: String,
    #[oai(validator(max_length = 100))]
    pub first_name: Option<String>,
    #[oai(validator(max_length = 100))]
    pub last_name: Option<String>,
    /// Used when both others are absent: the first word is the last name.
    #[oai(validator(max_length = 128))]
    pub name: Option<String>,
    #[oai(validator(max_length = 50))]
    pub tel: Option<String>,
    /// `hu` when absent.
    pub language: Option<AdminLanguage>,
    /// Region and city, such as `Europe/Budapest`.
    #[oai(validator(max_length = 64))]
    pub timezone: Option<String>,
    pub billing_details: Option<BillingDetails>,
    #[oai(validator(max_items = 10))]
    pub addresses: Option<Vec<Address>>,
    /// `Restaurant` when absent.
    pub target_type: Option<TargetType>,
    /// For `Restaurant`; the restaurant of the path is always among them.
    #[oai(validator(max_items = 2000, unique_items))]
    pub restaurant_ids: Option<Vec<Id<Restaurant>>>,
    /// What to grant; a child brings its parent.
    #[oai(validator(max_items = 200, unique_items))]
    pub permission_ids: Option<Vec<Id<Permissions>>>,
    pub full_target_access: Option<bool>,
    /// `admin` when absent.
    #[oai(validator(max_items = 4, unique_items))]
    pub surfaces: Option<Vec<AdminSurface>>,
    pub has_pin: Option<bool>,
    /// 4 to 8 digits, unique in each restaurant.
    #[oai(validator(pattern = "^[0-9]{4,8}$"))]
    pub pin: Option<String>,
    /// Only with the permission `pos_cart_discount`.
    pub max_discount_percent: Option<Percent>,
    pub print_zone_id: Option<Uuid>,
    /// Makes a new account usable at once, at this partner only; who has an account keeps the own password
    /// and gets an invitation.
    #[oai(validator(max_length = 128))]
    pub password: Option<String>,
    #[oai(validator(max_length = 128))]
    pub password_again: Option<String>,
}

/// A change of a person. What is absent stays.
#[derive(Debug, Object)]
pub(crate) struct AdminChange {
    /// Another address is invited anew; the account of the old one is out at once.
    #[oai(validator(min_length = 1, max_length = 254))]
    pub email: Option<String>,
    #[oai(validator(max_length = 100))]
    pub first_name: Option<String>,
    #[oai(validator(max_length = 100))]
    pub last_name: Option<String>,
    /// Used when the parts are absent or as they were.
    #[oai(validator(max_length = 128))]
    pub name: Option<String>,
    #[oai(validator(max_length = 50))]
    pub tel: Option<String>,
    pub language: Option<AdminLanguage>,
    /// Region and city; null gives way to what the person chose.
    #[oai(validator(max_length = 64))]
    pub timezone: Clearable<String>,
    /// Null gives way to what the person entered.
    pub billing_details: Clearable<BillingDetails>,
    /// All of them.
    #[oai(validator(max_items = 10))]
    pub addresses: Option<Vec<Address>>,
    pub target_type: Option<TargetType>,
    /// Null for an admin of the whole partner.
    #[oai(validator(max_items = 2000, unique_items))]
    pub restaurant_ids: Clearable<Vec<Id<Restaurant>>>,
    /// All that shall be granted: a child brings its parent, a parent that is taken takes its children.
    #[oai(validator(max_items = 200, unique_items))]
    pub permission_ids: Option<Vec<Id<Permissions>>>,
    pub full_target_access: Option<bool>,
    #[oai(validator(max_items = 4, unique_items))]
    pub surfaces: Option<Vec<AdminSurface>>,
    /// `false` clears the PIN.
    pub has_pin: Option<bool>,
    /// A new PIN; null or absent leaves it.
    #[oai(validator(pattern = "^[0-9]{4,8}$"))]
    pub pin: Clearable<String>,
    pub max_discount_percent: Clearable<Percent>,
    pub print_zone_id: Clearable<Uuid>,
    /// A new password, which opens this partner only; for an account that has accepted nowhere else. Ends its
    /// sessions.
    #[oai(validator(max_length = 128))]
    pub password: Clearable<String>,
    #[oai(validator(max_length = 128))]
    pub password_again: Clearable<String>,
    pub version: Option<i64>,
}
