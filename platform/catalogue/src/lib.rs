//! The menu: categories, products, sub-products, option groups and options; the menu for guests ([`menu`]);
//! and what an order needs of it ([`snapshot`], [`take_quantities`], [`give_back`]).

pub mod bulk;
mod changes;
mod copied_columns;
mod copy;
mod copy_name;
mod depots;
mod effective;
mod external_ids;
mod featured_products;
mod flags;
pub mod fold;
mod guide;
mod health;
mod last_changes;
pub mod menu;
mod ntak;
mod option_groups;
mod options;
mod order_config;
mod price;
mod product_categories;
mod product_category_upsells;
mod products;
mod quantities;
mod reference;
mod remote_ids;
mod resolve;
mod restaurant_defaults;
mod snapshot;
mod text;

pub use changes::need;
pub use option_groups::{OptionGroupType, OptionGroups, limits};
pub use options::Options;
pub use order_config::order_config;
pub use product_categories::ProductCategories;
pub use products::{Products, Subproducts};
pub use quantities::{QUANTITIES, QuantitiesEvent, Today, give_back, lock_pieces, take_quantities};
pub use reference::{Allergens, PosColors};
pub use restaurant_defaults::touched;
pub use snapshot::{ItemNames, OptionNames, Snapshot, SnapshotRequest, TaxFields, ordered_name, snapshot};

use access::{
    domain::{Copying, NEEDED, Services, Step},
    prelude::*,
};
use futures_util::FutureExt;
use work::{
    Subscriptions,
    events::{DescribeMessage, describe_message},
};

/// This crate in the server's list.
pub struct Domain;

#[async_trait::async_trait]
impl access::domain::Domain for Domain {
    fn api() -> impl OpenApi {
        (
            reference::api(),
            ProductCategories,
            Products,
            products::ProductPicker,
            products::ProductSearch,
            products::Compositions,
            OptionGroups,
            Options,
            options::OptionPicker,
            featured_products::FeaturedProducts,
            product_category_upsells::ProductCategoryUpsells,
            (remote_ids::RemoteIds, depots::CategoryDepots, depots::ProductDepots),
            (quantities::SellableQuantities, last_changes::CatalogueChanges),
            (
                menu::MenuApi::default(),
                menu::MenuFiles,
                menu::MenuPreviewApi,
                health::MenuHealthApi,
                health::MenuMendsApi,
            ),
            (ntak::NtakProposalsApi, ntak::NtakChangesApi),
        )
    }

    fn messages(&self) -> Vec<DescribeMessage> {
        vec![
            describe_message::<access::CatalogueEvent>,
            describe_message::<QuantitiesEvent>,
            describe_message::<menu::changed::MenuChangedEvent>,
        ]
    }

    fn jobs(&self, _: &Services) -> Vec<(&'static str, work::Handler)> {
        menu::changed::handlers()
    }

    fn subscriptions(&self, table: Subscriptions) -> Subscriptions {
        table.job(menu::changed::TELL, menu::changed::telling)
    }

    fn steps(&self) -> Vec<Step> {
        vec![Step {
            key: "menu",
            needed: NEEDED,
            done: |tx, restaurant| guide::has_menu(tx, restaurant).boxed(),
        }]
    }

    async fn copy(&self, tx: &TenantTx, copying: &Copying) -> Result<()> {
        copy::copy(tx, copying).await
    }

    async fn check_currency(&self, tx: &TenantTx, restaurant: Id<Restaurant>) -> Result<()> {
        let sql = "select 1 from product where restaurant_id = $1 and archived_at is null limit 1";
        if tx.row(sql, [restaurant.into()]).await?.is_some() {
            Err(Code::CURRENCY_FIXED.into())
        } else {
            Ok(())
        }
    }

    async fn day_moved(&self, tx: &TenantTx, restaurant: Id<Restaurant>, ends: Timestamp) -> Result<()> {
        quantities::move_day(tx, restaurant, Today { now: Timestamp::now(), ends }).await
    }
}
