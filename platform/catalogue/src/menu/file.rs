//! The operation that gives a menu as a file, for pages that are built and then hosted as files. See
//! `docs/menu.md#a-page-of-files`.

use std::collections::HashSet;

use access::prelude::*;
use poem_openapi::{payload::Response, types::ToJSON};
use sea_orm::FromQueryResult;

use super::{
    build::menu,
    builder::View,
    store,
    types::{Menu, MenuChannel},
};
use crate::reference::allergen_picture;

/// A menu with all that a page without our service needs to show it. Addresses are absolute.
#[derive(Debug, Object)]
pub(crate) struct MenuFile {
    /// When it was made (UTC). `available` is of this moment; a page that lives longer looks at the
    /// `time_ranges` of the categories itself.
    pub made_at: Timestamp,
    /// As the call of the menu answers it. Build the page anew when `valid_until` passes.
    pub menu: Menu,
    /// The allergens that the menu names, in the order of the regulation.
    pub allergens: Vec<MenuFileAllergen>,
}

/// An allergen with what a page shows of it.
#[derive(Debug, Object, FromQueryResult)]
pub(crate) struct MenuFileAllergen {
    pub code: String,
    /// In Hungarian.
    pub name: String,
    /// In English.
    pub name_en: String,
    /// Address of its picture (SVG).
    #[sea_orm(skip)]
    pub image: Option<String>,
}

const ALLERGENS: &str = "select code, name, name_en from ref.allergen order by ranking";

#[derive(Debug)]
pub struct MenuFiles;

#[OpenApi(
    prefix_path = "/api/v3/partners/:partner_id/restaurants/:restaurant_id/menu/file",
    tag = "Tag::Public"
)]
impl MenuFiles {
    /// The menu of a channel as one JSON file (`MenuFile`), for pages that are built and then hosted as files.
    ///
    /// Fetch it when the page is built: after a `menu.changed`, and when `valid_until` passes. Before an order is
    /// sent, ask for a quote: only that knows what is left and what it costs at the moment.
    #[oai(path = "/", method = "get", operation_id = "menu_file")]
    async fn get(
        &self, scope: In<Public, perm::MenuRead>,
        /// Default: `online`.
        channel: QueryParam<MenuChannel>,
        /// At the till (`sit_in`): for taking away, at the VAT of taking away. Without effect on other
        /// channels.
        pickup: QueryParam<bool>,
    ) -> Result<Response<Json<MenuFile>>> {
        let channel = channel.0.unwrap_or(MenuChannel::Online);
        let view = View::new(channel, pickup.0.unwrap_or(false));
        let settings = &scope.app().settings;
        let tx = scope.begin().await?;
        let made_at = Timestamp::now();
        let rows = store::rows_now(&tx, scope.restaurant(), &settings.objects.public_url).await?;
        let menu = menu(&rows, view, made_at);
        let mut allergens: Vec<MenuFileAllergen> = tx.all(ALLERGENS, []).await?;
        let named: HashSet<&str> = menu.allergens().collect();
        allergens.retain(|one| named.contains(one.code.as_str()));
        for one in &mut allergens {
            one.image = allergen_picture(&settings.public_url, &one.code);
        }
        let channel = channel.to_json_string().replace('"', "");
        let name = format!("attachment; filename=\"menu-{channel}-{}.json\"", menu.version);
        Ok(Response::new(Json(MenuFile { made_at, menu, allergens })).header("content-disposition", name))
    }
}
