//! The operation that previews the menu.

use access::prelude::*;

use super::{
    build::{Asked, preview},
    types::MenuPreview,
};
use crate::menu::{store, types::MenuChannel};

/// The furthest moment that can be looked at, in minutes from now: ten years.
const FURTHEST: i64 = 3_660 * 24 * 60;

#[derive(Debug)]
pub struct MenuPreviewApi;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/menu/preview",
    tag = "Tag::Catalogue"
)]
impl MenuPreviewApi {
    /// The menu as guests see it on a channel at a moment, and of everything that cannot be ordered then why.
    ///
    /// The reasons are those of the quote of one piece, ordered at that moment. Pieces that are left, prices and
    /// all other settings are those of now.
    #[oai(path = "/", method = "get", operation_id = "menu_preview_get")]
    async fn get(
        &self, scope: In<Restaurant, perm::Order>,
        /// Default: `online`.
        channel: QueryParam<MenuChannel>,
        /// At the till (`sit_in`): taken away. In the web shop and on the phone: fetched, not brought. Without
        /// effect on kiosks.
        pickup: QueryParam<bool>,
        /// The moment; now when absent. At most ten years away.
        at: QueryParam<Timestamp>,
    ) -> Result<Json<MenuPreview>> {
        let now = Timestamp::now();
        let at = at.0.unwrap_or(now);
        if at < now.plus_minutes(-FURTHEST) || at > now.plus_minutes(FURTHEST) {
            return Err(Problem::new(Code::VALIDATION_FAILED).key("at", Fault::Invalid));
        }
        let channel = channel.0.unwrap_or(MenuChannel::Online);
        let asked = Asked { channel, pickup: pickup.0.unwrap_or(false), at };
        let tx = scope.begin().await?;
        let restaurant = scope.restaurant();
        let rows = store::rows_now(&tx, restaurant, &scope.app().settings.objects.public_url).await?;
        let gone = store::gone(&tx, restaurant, &rows).await?;
        Ok(Json(preview(&rows, &gone, asked)))
    }
}
