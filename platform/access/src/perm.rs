//! The permission keys as types, so that a handler names them in its signature, and what is made of them.

use std::marker::PhantomData;

/// Keys of which any one is enough; or one of the words `public`, `super_admin`, `no_perm_required`.
pub trait Permission: Send + Sync + 'static {
    /// The keys.
    fn keys() -> Vec<&'static str>;
    /// What an API key needs, where one may call.
    fn api_scope() -> Option<&'static str> {
        None
    }
    /// Whether only those may who act for the whole partner, not for single restaurants.
    fn of_whole_partner() -> bool {
        false
    }
    /// The feature that must be switched on for the restaurant.
    fn feature() -> Option<&'static str> {
        None
    }
}

/// A permission of calls that belong to a feature: they are refused while it is off for the restaurant.
#[derive(Debug)]
pub struct OfFeature<F, P>(PhantomData<(F, P)>);

impl<F: Feature, P: Permission> Permission for OfFeature<F, P> {
    fn keys() -> Vec<&'static str> {
        P::keys()
    }
    fn api_scope() -> Option<&'static str> {
        P::api_scope()
    }
    fn of_whole_partner() -> bool {
        P::of_whole_partner()
    }
    fn feature() -> Option<&'static str> {
        Some(F::NAME)
    }
}

/// A permission of those who act for the whole partner: not of admins of single restaurants, whatever they
/// hold.
#[derive(Debug)]
pub struct WholePartner<P>(PhantomData<P>);

impl<P: Permission> Permission for WholePartner<P> {
    fn keys() -> Vec<&'static str> {
        P::keys()
    }
    fn of_whole_partner() -> bool {
        true
    }
    fn feature() -> Option<&'static str> {
        P::feature()
    }
}

/// Any one of several permissions. What belongs to a feature is said around it, not inside: only the keys are
/// taken over.
#[derive(Debug)]
pub struct AnyOf<T>(PhantomData<T>);

macro_rules! any_of {
    ($($name:ident)*) => {
        impl<$($name: Permission),*> Permission for AnyOf<($($name,)*)> {
            fn keys() -> Vec<&'static str> { [$($name::keys()),*].concat() }
        }
    };
}
any_of!(A B);
any_of!(A B C);
any_of!(A B C D);

macro_rules! keys {
    ($($(#[$doc:meta])* $name:ident = $key:literal;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug)]
            pub enum $name {}
            impl Permission for $name {
                fn keys() -> Vec<&'static str> { vec![$key] }
            }
        )*
        /// Every key, in the order of the tree.
        pub const ALL: &[&str] = &[$($key,)*];
    };
}

keys! {
    /// Admin sign-in: Without it nobody may sign in to the admin.
    AdminLogin = "admin_login";
    /// Orders and menu: Sees orders and the menu.
    Order = "order";
    /// Fresh orders: The Fresh orders screen.
    FreshOrder = "fresh_order";
    /// Previous orders: Sees every earlier order.
    AllOrder = "all_order";
    /// Accept orders: Accepts new orders.
    OrderAccept = "order_accept";
    /// Cancel orders: Refuses and cancels orders.
    OrderStorno = "order_storno";
    /// Edit the menu: Edits categories, products and options.
    CatalogEdit = "catalog_edit";
    /// Delete menu items: Deletes categories, products and options.
    CatalogDelete = "catalog_delete";
    /// Switch menu items: Switches menu items on and off.
    CatalogActivate = "catalog_activate";
    /// NTAK: Tax reporting.
    Ntak = "ntak";
    /// Statistics: Reports.
    Statistics = "statistics";
    /// Summary: The daily summary.
    StatSummary = "stat_summary";
    /// Detailed income: Detailed, full, regional and staff reports.
    StatDetailedIncome = "stat_detailed_income";
    /// Sales summary: Sales by product group.
    StatSaleSummary = "stat_sale_summary";
    /// Customers: Customers and balances.
    Customer = "customer";
    /// Export customers: Sends customer data by e-mail.
    CustomerExport = "customer_export";
    /// Stock: Articles and depots.
    Depot = "depot";
    /// Recipes: Recipes and the media store.
    DepotRecipe = "depot_recipe";
    /// Suppliers: Manages suppliers.
    DepotSupplier = "depot_supplier";
    /// Inventory: Movements, counts, depot orders.
    DepotInventory = "depot_inventory";
    /// Depot of products: Which product is taken from which depot.
    DepotProductRelation = "depot_product_relation";
    /// Restaurant data: The restaurant's settings.
    RestaurantData = "restaurant_data";
    /// General data: Name, address, contact, legal data.
    RestaurantGeneral = "restaurant_general";
    /// Opening hours: Opening hours and holidays.
    RestaurantOpening = "restaurant_opening";
    /// Delivery and pickup: Delivery, pickup, preorders.
    RestaurantDelivery = "restaurant_delivery";
    /// Payment methods: Payment methods and providers.
    PaymentMethod = "payment_method";
    /// Point of sale: Settings of the till.
    Pos = "pos";
    /// Tables: Tables, floor plan, staff accounts, devices.
    AdminTable = "admin_table";
    /// Kitchen queues: Sets up kitchen queues.
    PosKitchenQueue = "pos_kitchen_queue";
    /// Printing: Print rules and printers.
    PosPrint = "pos_print";
    /// Till settings: How the till works.
    PosSettings = "pos_settings";
    /// Till actions: Actions protected by a PIN.
    PosAdminPerms = "pos_admin_perms";
    /// Cancel at the till: Cancels a whole order.
    PosStorno = "pos_storno";
    /// Partial cancel: Cancels single items.
    PosPartialStorno = "pos_partial_storno";
    /// Give a discount: Discounts up to the given share.
    PosCartDiscount = "pos_cart_discount";
    /// Change orders: Changes a taken order.
    PosModifyOrder = "pos_modify_order";
    /// Delete kitchen items: Deletes an item the kitchen already has.
    PosDeleteKitchenItem = "pos_delete_kitchen_item";
    /// Fresh orders at the till: Opens fresh orders.
    PosFreshOrders = "pos_fresh_orders";
    /// Previous orders at the till: Opens previous orders.
    PosPreviousOrders = "pos_previous_orders";
    /// Export at the till: Starts an export.
    PosExport = "pos_export";
    /// Statistics at the till: Opens reports.
    PosStatistics = "pos_statistics";
    /// Courier summary: Settles with couriers.
    PosCourierSummary = "pos_courier_summary";
    /// Couriers: Manages couriers.
    Courier = "courier";
    /// Discounts: Discounts, coupons, upsells.
    Discount = "discount";
    /// Users: Staff and what they may do.
    User = "user";
    /// Guest TV: Displays for guests.
    Tv = "tv";
    /// Kiosk: Self-service kiosks.
    Kiosk = "kiosk";
    /// Order export: Sends orders by e-mail.
    OrderExport = "order_export";
    /// Push notifications: Scheduled messages.
    PushNotification = "push_notification";
    /// Site builders: Opens the external builders.
    SitebuilderLogin = "sitebuilder_login";
    /// System: System settings.
    System = "system";
    /// General system settings: Numbering, SOS close, API keys, audit.
    SystemGeneral = "system_general";
    /// Delivery regions: Regions, streets, fees.
    SystemDeliveryRegion = "system_delivery_region";
}

/// Something that super admins switch on for a restaurant.
pub trait Feature: Send + Sync + 'static {
    /// Its name.
    const NAME: &'static str;
}

/// The features as types, for [`OfFeature`](crate::OfFeature).
pub mod feature {
    use super::Feature;

    macro_rules! features {
        ($($(#[$doc:meta])* $name:ident = $feature:literal;)*) => {
            $(
                $(#[$doc])*
                #[derive(Debug)]
                pub enum $name {}
                impl Feature for $name {
                    const NAME: &'static str = $feature;
                }
            )*
            /// Every feature.
            pub const ALL: &[&str] = &[$($feature,)*];
        };
    }

    features! {
        /// Balances of customers.
        Balance = "balance";
        /// Loyalty points.
        Loyalty = "loyalty";
        /// Self-service kiosks.
        Kiosk = "kiosk";
        /// Displays for guests.
        Tv = "tv";
        /// Push notifications.
        Push = "push";
    }
}

/// Reading for any signed-in admin of the restaurant, and writing what is the caller's own.
#[derive(Debug)]
pub enum NoPermRequired {}
impl Permission for NoPermRequired {
    fn keys() -> Vec<&'static str> {
        vec!["no_perm_required"]
    }
}

/// Only super admins.
#[derive(Debug)]
pub enum SuperAdmin {}
impl Permission for SuperAdmin {
    fn keys() -> Vec<&'static str> {
        vec!["super_admin"]
    }
}

/// What an API key needs in the public scope; a signed-in admin of the restaurant needs nothing more there,
/// or one of the keys that stand behind it.
macro_rules! api_scopes {
    ($($(#[$doc:meta])* $name:ident = $scope:literal $(or $($key:literal),+)?;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug)]
            pub enum $name {}
            impl Permission for $name {
                fn keys() -> Vec<&'static str> {
                    let keys: &[&str] = &[$($($key),+)?];
                    if keys.is_empty() { vec!["no_perm_required"] } else { keys.to_vec() }
                }
                fn api_scope() -> Option<&'static str> { Some($scope) }
            }
        )*
        /// Every scope that an API key can hold.
        pub const API_SCOPES: &[&str] = &[$($scope,)*];
    };
}

api_scopes! {
    /// Reading the menu.
    MenuRead = "menu:read";
    /// Asking for quotes and sending orders.
    OrdersWrite = "orders:write";
    /// Reading the state of orders that the key has sent.
    OrdersRead = "orders:read" or "fresh_order", "all_order";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_holds_in_whichever_order_it_is_said() {
        assert_eq!(<WholePartner<OfFeature<feature::Tv, Tv>> as Permission>::feature(), Some("tv"));
        assert!(<OfFeature<feature::Tv, WholePartner<Tv>> as Permission>::of_whole_partner());
    }
}
