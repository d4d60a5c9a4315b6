//! The operation that reads the menu.

use std::sync::Arc;

use access::prelude::*;
use poem_openapi::param::Header;
use url::Url;

use super::{
    answer::MenuAnswer,
    build::{View, menu},
    cache::{Cache, Computed, matches},
    store::{self, State},
    types::MenuChannel,
};

/// How often computing a menu is repeated when the catalogue changes while its rows are read.
const ATTEMPTS: usize = 3;

/// The menu, with the computed ones of this process.
#[derive(Debug, Default)]
pub struct MenuApi {
    cache: Cache,
}

#[OpenApi(prefix_path = "/api/v3/partners/:partner_id/restaurants/:restaurant_id/menu", tag = "Tag::Public")]
impl MenuApi {
    /// The menu that guests see on a channel now.
    ///
    /// Items that can be had at another time of the day or are sold out stand in it with `available: false`.
    /// Prices are gross and without options; `vat_percent` is the rate of the channel. Send the `ETag` back
    /// as `If-None-Match`: as long as nothing has changed the answer is 304 without a body.
    #[oai(path = "/", method = "get", operation_id = "menu_get")]
    async fn get(
        &self,
        scope: In<Public, perm::MenuRead>,
        /// Default: `online`.
        channel: QueryParam<MenuChannel>,
        /// At the till (`sit_in`): for taking away, at the VAT of taking away. Without effect on other
        /// channels.
        pickup: QueryParam<bool>,
        /// ETags of copies that the client has.
        #[oai(name = "If-None-Match")]
        known: Header<Option<String>>,
    ) -> Result<MenuAnswer> {
        let view = View::new(channel.0.unwrap_or(MenuChannel::Online), pickup.0.unwrap_or(false));
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        let state = store::state(&tx, restaurant).await?;
        let computed = match self.cache.find(restaurant.uuid(), view, state.version, Timestamp::now()) {
            Some(computed) => {
                scope.answered_from_cache();
                computed
            }
            None => {
                self.compute(&tx, restaurant, view, &state, &scope.app().settings.objects.public_url).await?
            }
        };
        let (body, etag) = computed.answer(view, &state)?;
        Ok(if known.as_deref().is_some_and(|known| matches(known, &etag)) {
            MenuAnswer::Same(etag)
        } else {
            MenuAnswer::Fresh(body, etag)
        })
    }
}

impl MenuApi {
    /// Computes the menu and keeps it. Each statement sees the database of its own moment, so the version is
    /// read again behind the rows: only rows that all belong to one version are kept under it.
    async fn compute(
        &self,
        tx: &TenantTx,
        restaurant: Id<Restaurant>,
        view: View,
        state: &State,
        base: &Url,
    ) -> Result<Arc<Computed>> {
        for attempt in 1..=ATTEMPTS {
            let now = Timestamp::now();
            let rows = store::rows(tx, restaurant, base).await?;
            let computed = Computed::new(menu(&rows, view, now), view, state)?;
            let after = store::state(tx, restaurant).await?;
            if rows.facts.catalogue_version == after.version && rows.facts.catalogue_version == state.version
            {
                return Ok(self.cache.keep(restaurant.uuid(), view, computed));
            }
            if attempt == ATTEMPTS {
                return Ok(Arc::new(computed));
            }
        }
        Err(Code::UNKNOWN_ERROR.into())
    }
}
