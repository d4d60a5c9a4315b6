//! Entities whose ids several crates name. An id that only its owner names is declared there.

use crate::Resource;

macro_rules! markers {
    ($($(#[$doc:meta])* $name:ident = $resource:literal $entity:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub enum $name {}
        impl Resource for $name { const NAME: &'static str = $resource; const ENTITY: &'static str = $entity; }
    )*};
}

markers! {
    /// A tenant: a company with one or more restaurants.
    Partner = "partners" "PARTNER";
    /// A restaurant of a partner.
    Restaurant = "restaurants" "RESTAURANT";
    /// Restaurants of one partner that share depots.
    Group = "restaurant_groups" "RESTAURANT_GROUP";
    /// A person who can sign in.
    Account = "accounts" "USER";
    /// Places of a group of restaurants in which stock lies.
    Depots = "depots" "DEPOT";
    /// An account at one partner.
    Admin = "admins" "USER";
    /// Keys with which programs of partners call.
    ApiKeys = "api_keys" "API_KEY";
    /// Pictures of a restaurant.
    Images = "images" "IMAGE";
    /// Machines of a restaurant at which guests order by themselves.
    Kiosks = "kiosks" "KIOSK";
    /// Categories of the tax report.
    NtakCategories = "ntak_categories" "NTAK_CATEGORY";
    /// VAT rates of the reference data.
    Vats = "vats" "VAT";
}
