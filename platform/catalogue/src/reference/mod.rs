//! Reference data of the catalogue: rows of `ref`. Everybody reads them; super admins write the VAT rates and the
//! categories of the tax report.
//! See `docs/decisions/api.md#reference-data`.

use access::{SignedIn, prelude::*};
use sea_orm::FromQueryResult;
use url::Url;

mod data;
mod ntak_categories;
mod vats;

pub(crate) use data::ReferenceData;

#[derive(Debug)]
pub struct Allergens;
/// Colours of buttons at the till.
#[derive(Debug)]
pub struct PosColors;

macro_rules! resources {
    ($($name:ident = $resource:literal $entity:literal;)*) => {$(
        impl Resource for $name { const NAME: &'static str = $resource; const ENTITY: &'static str = $entity; }
    )*};
}
resources! {
    Allergens = "allergens" "ALLERGEN";
    PosColors = "pos_colors" "POS_COLOR";
}

pub(crate) fn api() -> impl OpenApi {
    (vats::VatsApi, ntak_categories::NtakCategoriesApi, Allergens, PosColors)
}

/// An allergen (Regulation (EU) No 1169/2011, Annex II).
#[derive(Debug, Object, FromQueryResult)]
struct Allergen {
    id: Id<Allergens>,
    /// A word that never changes.
    code: String,
    /// In Hungarian.
    name: String,
    name_en: String,
    #[sea_orm(skip)]
    icon: AllergenIcon,
}

/// Addresses of the picture of an allergen: a drawing that fits every size, at `/allergens/{code}.svg` of
/// this service.
#[derive(Debug, Default, Object)]
struct AllergenIcon {
    /// For menus.
    present: Option<String>,
    /// The same: there is one drawing.
    original: Option<String>,
}

pub(crate) fn allergen_picture(public_url: &Url, code: &str) -> Option<String> {
    public_url.join(&format!("/allergens/{code}.svg")).ok().map(String::from)
}

/// A colour of buttons at the till.
#[derive(Debug, Object, FromQueryResult)]
struct PosColor {
    id: Id<PosColors>,
    /// In Hungarian.
    name: String,
    name_en: String,
    /// `#RRGGBB`.
    bg_color: String,
    /// `#RRGGBB`, readable on the background.
    text_color: String,
}

#[OpenApi(prefix_path = "/api/v3/admin/allergens", tag = "Tag::Catalogue")]
impl Allergens {
    /// The allergens, in the order of the regulation.
    #[oai(path = "/", method = "get", operation_id = "allergens_list")]
    async fn list(&self, caller: SignedIn) -> Result<Page<Allergen>> {
        let sql = "select id, code, name, name_en from ref.allergen order by ranking";
        let mut rows: Vec<Allergen> = caller.app.door.all(sql, []).await?;
        for row in &mut rows {
            let picture = allergen_picture(&caller.app.settings.public_url, &row.code);
            row.icon = AllergenIcon { present: picture.clone(), original: picture };
        }
        Ok(Page::unpaged(rows))
    }
}

#[OpenApi(prefix_path = "/api/v3/admin/pos-colors", tag = "Tag::Catalogue")]
impl PosColors {
    /// The colours of buttons at the till.
    #[oai(path = "/", method = "get", operation_id = "pos_colors_list")]
    async fn list(&self, caller: SignedIn) -> Result<Page<PosColor>> {
        let sql = "select id, name, name_en, bg_color, text_color from ref.pos_color order by id";
        Ok(Page::unpaged(caller.app.door.all(sql, []).await?))
    }
}
