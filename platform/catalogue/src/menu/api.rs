//! The operation that reads the menu.

use std::sync::Arc;

use access::{Recent, prelude::*};
use poem_openapi::param::Header;
use url::Url;

use super::{
    answer::MenuAnswer,
    build::menu,
    builder::View,
    cache::{Cache, Computed},
    store::{self, State},
    types::MenuChannel,
};

/// How often computing a menu is repeated when the catalogue changes while its rows are read.
const ATTEMPTS: usize = 3;

/// The menu, with the computed ones of this process.
#[derive(Debug, Default)]
pub struct MenuApi {
    cache: Cache,
    /// By restaurant, for keys that ask often.
    states: Recent<Id<Restaurant>, Arc<State>>,
}

#[OpenApi(prefix_path = "/api/v3/partners/:partner_id/restaurants/:restaurant_id/menu", tag = "Tag::Public")]
impl MenuApi {
    /// The menu that guests see on a channel now.
    ///
    /// Items that can be had at another time of the day or are sold out stand in it with `available: false`.
    /// Prices are gross and without options; `vat_percent` is the rate of the channel. Send the `ETag` back
    /// as `If-None-Match`: as long as nothing has changed the answer is 304 without a body. To a key that asks
    /// often a menu may be a second old.
    #[oai(path = "/", method = "get", operation_id = "menu_get")]
    async fn get(
        &self, scope: In<Public, perm::MenuRead>,
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
        let restaurant = scope.restaurant();
        let (recent, partner) = (&scope.app().recent, scope.partner());
        if let Some(came) = scope.admitted_recently()
            && let Some(state) = self.states.find(recent, partner, &restaurant, came)
            && let Some(computed) = self.cache.find(restaurant.uuid(), view, state.version, Timestamp::now())
        {
            scope.answered_from_cache();
            let (body, etag) = computed.answer(view, &state)?;
            return Ok(MenuAnswer::of(body, etag, known.as_deref()));
        }
        let tx = scope.begin().await?;
        let read = recent.now(partner);
        let state = Arc::new(store::state(&tx, restaurant).await?);
        self.states.note(restaurant, read, state.clone());
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
        Ok(MenuAnswer::of(body, etag, known.as_deref()))
    }
}

impl MenuApi {
    /// Computes the menu and keeps it. Each statement sees the database of its own moment, so the version is
    /// read again behind the rows: only rows that all belong to one version are kept under it.
    async fn compute(
        &self, tx: &TenantTx, restaurant: Id<Restaurant>, view: View, state: &State, base: &Url,
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
