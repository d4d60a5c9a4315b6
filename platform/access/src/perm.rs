//! The permission tree: the only place where a key, its parent and its texts are written. Keys are types, so
//! a handler names its key in its signature. See `docs/decisions/permissions.md#permission-tree`.

use std::marker::PhantomData;

/// Keys of which any one is enough; or one of the words `public`, `super_admin`, `no_perm_required`.
pub trait Permission: Send + Sync + 'static {
    fn keys() -> Vec<&'static str>;
    /// The scope that an API key needs, where keys may call.
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

/// A permission of calls that belong to a feature: they are refused while it is off for the restaurant
///.
#[derive(Debug)]
pub struct OfFeature<F, P>(PhantomData<(F, P)>);

impl<F: FeatureGate, P: Permission> Permission for OfFeature<F, P> {
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
any_of!(A B C D E);
any_of!(A B C D E F);
any_of!(A B C D E F G);

/// Where a key stands in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Main,
    Interface,
    Action,
}

impl Level {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Interface => "interface",
            Self::Action => "action",
        }
    }
}

/// A key of the permission tree. Holding it implies its parent.
#[derive(Debug, Clone, Copy)]
pub struct TreeKey {
    pub key: &'static str,
    pub level: Level,
    pub parent: Option<&'static str>,
    /// Its English name and what it allows.
    pub english: [&'static str; 2],
    /// The same in Hungarian.
    pub hungarian: [&'static str; 2],
}

macro_rules! parent {
    () => {
        None
    };
    ($parent:literal) => {
        Some($parent)
    };
}

macro_rules! keys {
    ($(
        $level:ident $(in $parent:literal)?, $en:literal: $allows_en:literal, $hu:literal: $allows_hu:literal;
        $name:ident = $key:literal;
    )*) => {
        $(
            #[doc = concat!($en, ": ", $allows_en)]
            #[derive(Debug)]
            pub enum $name {}
            impl Permission for $name {
                fn keys() -> Vec<&'static str> { vec![$key] }
            }
        )*
        /// Every key, in the order of the tree.
        pub const ALL: &[&str] = &[$($key,)*];
        /// The tree. The policy is made of it, and a test holds the table `ref.permission` to it.
        pub const TREE: &[TreeKey] = &[$(TreeKey {
            key: $key,
            level: Level::$level,
            parent: parent!($($parent)?),
            english: [$en, $allows_en],
            hungarian: [$hu, $allows_hu],
        },)*];
    };
}

keys! {
    Main, "Admin sign-in": "Without it nobody may sign in to the admin.",
        "Belépés az adminba": "Enélkül senki nem léphet be az adminfelületre.";
    AdminLogin = "admin_login";
    Main, "Orders and menu": "Sees orders and the menu.",
        "Rendelések és étlap": "Rendelések és az étlap megtekintése.";
    Order = "order";
    Interface in "order", "Fresh orders": "The Fresh orders screen.",
        "Friss rendelések": "A friss rendelések képernyője.";
    FreshOrder = "fresh_order";
    Interface in "order", "Previous orders": "Sees every earlier order.",
        "Korábbi rendelések": "Minden korábbi rendelés megtekintése.";
    AllOrder = "all_order";
    Action in "order", "Accept orders": "Accepts new orders.",
        "Rendelés elfogadása": "Új rendelések elfogadása.";
    OrderAccept = "order_accept";
    Action in "order", "Cancel orders": "Refuses and cancels orders.",
        "Rendelés sztornózása": "Rendelés elutasítása és sztornózása.";
    OrderStorno = "order_storno";
    Action in "order", "Edit the menu": "Edits categories, products and options.",
        "Étlap szerkesztése": "Kategóriák, termékek és opciók szerkesztése.";
    CatalogEdit = "catalog_edit";
    Action in "order", "Delete menu items": "Deletes categories, products and options.",
        "Étlapelem törlése": "Kategóriák, termékek és opciók törlése.";
    CatalogDelete = "catalog_delete";
    Action in "order", "Switch menu items": "Switches menu items on and off.",
        "Étlapelem ki-be kapcsolása": "Étlapelemek aktiválása és kikapcsolása.";
    CatalogActivate = "catalog_activate";
    Main, "NTAK": "Tax reporting.", "NTAK": "Adóhatósági adatszolgáltatás.";
    Ntak = "ntak";
    Main, "Statistics": "Reports.", "Statisztika": "Kimutatások.";
    Statistics = "statistics";
    Interface in "statistics", "Summary": "The daily summary.", "Összesítő": "A napi összesítő.";
    StatSummary = "stat_summary";
    Interface in "statistics", "Detailed income": "Detailed, full, regional and staff reports.",
        "Részletes bevétel": "Részletes, teljes, területi és dolgozói kimutatás.";
    StatDetailedIncome = "stat_detailed_income";
    Interface in "statistics", "Sales summary": "Sales by product group.",
        "Eladási összesítő": "Eladások termékcsoportonként.";
    StatSaleSummary = "stat_sale_summary";
    Main, "Customers": "Customers and balances.", "Vendégek": "Vendégek és egyenlegek.";
    Customer = "customer";
    Action in "customer", "Export customers": "Sends customer data by e-mail.",
        "Vendégek exportja": "Vendégadatok kiküldése e-mailben.";
    CustomerExport = "customer_export";
    Main, "Stock": "Articles and depots.", "Készlet": "Alapanyagok és raktárak.";
    Depot = "depot";
    Interface in "depot", "Recipes": "Recipes and the media store.", "Receptek": "Receptek és médiatár.";
    DepotRecipe = "depot_recipe";
    Interface in "depot", "Suppliers": "Manages suppliers.", "Beszállítók": "Beszállítók kezelése.";
    DepotSupplier = "depot_supplier";
    Interface in "depot", "Inventory": "Movements, counts, depot orders.",
        "Leltár": "Készletmozgások, leltár, rendelés.";
    DepotInventory = "depot_inventory";
    Interface in "depot", "Depot of products": "Which product is taken from which depot.",
        "Termék-raktár kapcsolat": "Melyik termék melyik raktárból fogy.";
    DepotProductRelation = "depot_product_relation";
    Main, "Restaurant data": "The restaurant's settings.", "Étterem adatai": "Az étterem beállításai.";
    RestaurantData = "restaurant_data";
    Interface in "restaurant_data", "General data": "Name, address, contact, legal data.",
        "Általános adatok": "Név, cím, elérhetőség, jogi adatok.";
    RestaurantGeneral = "restaurant_general";
    Interface in "restaurant_data", "Opening hours": "Opening hours and holidays.",
        "Nyitvatartás": "Nyitvatartás és ünnepnapok.";
    RestaurantOpening = "restaurant_opening";
    Interface in "restaurant_data", "Delivery and pickup": "Delivery, pickup, preorders.",
        "Kiszállítás és elvitel": "Kiszállítás, elvitel, előrendelés.";
    RestaurantDelivery = "restaurant_delivery";
    Interface in "restaurant_data", "Payment methods": "Payment methods and providers.",
        "Fizetési módok": "Fizetési módok és szolgáltatók.";
    PaymentMethod = "payment_method";
    Main, "Point of sale": "Settings of the till.", "Kassza": "A kassza beállításai.";
    Pos = "pos";
    Interface in "pos", "Tables": "Tables, floor plan, staff accounts, devices.",
        "Asztalok": "Asztalok, alaprajz, dolgozói számlák, eszközök.";
    AdminTable = "admin_table";
    Interface in "pos", "Kitchen queues": "Sets up kitchen queues.",
        "Konyhai sorok": "Konyhai sorok beállítása.";
    PosKitchenQueue = "pos_kitchen_queue";
    Interface in "pos", "Printing": "Print rules and printers.",
        "Nyomtatás": "Nyomtatási szabályok és nyomtatók.";
    PosPrint = "pos_print";
    Interface in "pos", "Till settings": "How the till works.", "Kasszabeállítások": "A kassza működése.";
    PosSettings = "pos_settings";
    Main, "Till actions": "Actions protected by a PIN.", "Kasszaműveletek": "PIN-nel védett műveletek.";
    PosAdminPerms = "pos_admin_perms";
    Action in "pos_admin_perms", "Cancel at the till": "Cancels a whole order.",
        "Sztornó a kasszán": "Teljes rendelés sztornózása.";
    PosStorno = "pos_storno";
    Action in "pos_admin_perms", "Partial cancel": "Cancels single items.",
        "Részleges sztornó": "Tételek sztornózása.";
    PosPartialStorno = "pos_partial_storno";
    Action in "pos_admin_perms", "Give a discount": "Discounts up to the given share.",
        "Kedvezmény adása": "Kedvezmény a megadott mértékig.";
    PosCartDiscount = "pos_cart_discount";
    Action in "pos_admin_perms", "Change orders": "Changes a taken order.",
        "Rendelés módosítása": "Felvett rendelés módosítása.";
    PosModifyOrder = "pos_modify_order";
    Action in "pos_admin_perms", "Delete kitchen items": "Deletes an item the kitchen already has.",
        "Konyhán lévő tétel törlése": "Már a konyhán lévő tétel törlése.";
    PosDeleteKitchenItem = "pos_delete_kitchen_item";
    Action in "pos_admin_perms", "Fresh orders at the till": "Opens fresh orders.",
        "Friss rendelések a kasszán": "Friss rendelések megnyitása.";
    PosFreshOrders = "pos_fresh_orders";
    Action in "pos_admin_perms", "Previous orders at the till": "Opens previous orders.",
        "Korábbi rendelések a kasszán": "Korábbi rendelések megnyitása.";
    PosPreviousOrders = "pos_previous_orders";
    Action in "pos_admin_perms", "Export at the till": "Starts an export.",
        "Export a kasszán": "Export indítása.";
    PosExport = "pos_export";
    Action in "pos_admin_perms", "Statistics at the till": "Opens reports.",
        "Statisztika a kasszán": "Kimutatások megnyitása.";
    PosStatistics = "pos_statistics";
    Action in "pos_admin_perms", "Courier summary": "Settles with couriers.",
        "Futárelszámolás": "Futárok elszámolása.";
    PosCourierSummary = "pos_courier_summary";
    Main, "Couriers": "Manages couriers.", "Futárok": "Futárok kezelése.";
    Courier = "courier";
    Main, "Discounts": "Discounts, coupons, upsells.", "Kedvezmények": "Kedvezmények, kuponok, ajánlatok.";
    Discount = "discount";
    Main, "Users": "Staff and what they may do.", "Felhasználók": "Munkatársak és jogosultságaik.";
    User = "user";
    Main, "Guest TV": "Displays for guests.", "Vendég TV": "Kijelzők a vendégtérben.";
    Tv = "tv";
    Main, "Kiosk": "Self-service kiosks.", "Kioszk": "Önkiszolgáló kioszkok.";
    Kiosk = "kiosk";
    Main, "Order export": "Sends orders by e-mail.", "Rendelések exportja": "Rendelések kiküldése e-mailben.";
    OrderExport = "order_export";
    Main, "Push notifications": "Scheduled messages.", "Push üzenetek": "Ütemezett üzenetek.";
    PushNotification = "push_notification";
    Main, "Site builders": "Opens the external builders.",
        "Oldalszerkesztők": "Külső szerkesztők megnyitása.";
    SitebuilderLogin = "sitebuilder_login";
    Main, "System": "System settings.", "Rendszer": "Rendszerbeállítások.";
    System = "system";
    Interface in "system", "General system settings": "Numbering, SOS close, API keys, audit.",
        "Általános rendszerbeállítások": "Számozás, SOS zárás, API-kulcsok, napló.";
    SystemGeneral = "system_general";
    Interface in "system", "Delivery regions": "Regions, streets, fees.",
        "Kiszállítási területek": "Területek, utcák, díjak.";
    SystemDeliveryRegion = "system_delivery_region";
}

/// Something that super admins switch on for a restaurant.
pub trait FeatureGate: Send + Sync + 'static {
    const NAME: &'static str;
}

/// The features as types, for [`OfFeature`](crate::OfFeature).
pub mod feature {
    use super::FeatureGate;

    macro_rules! features {
        ($($(#[$doc:meta])* $name:ident = $feature:literal;)*) => {
            $(
                $(#[$doc])*
                #[derive(Debug)]
                pub enum $name {}
                impl FeatureGate for $name {
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

/// Placing orders by hand. Any one is enough, as for [`OrdersWrite`].
pub type Placing = AnyOf<(FreshOrder, OrderAccept, Pos)>;

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
    OrdersWrite = "orders:write" or "fresh_order", "order_accept", "pos";
    /// Reading the state of orders that the key has sent.
    OrdersRead = "orders:read" or "fresh_order", "all_order";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_nests_in_any_order() {
        assert_eq!(<WholePartner<OfFeature<feature::Tv, Tv>> as Permission>::feature(), Some("tv"));
        assert!(<OfFeature<feature::Tv, WholePartner<Tv>> as Permission>::of_whole_partner());
    }
}
