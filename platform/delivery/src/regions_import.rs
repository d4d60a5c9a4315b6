//! Importing the usual list of towns, fees and minimums: a region for each town.

use access::prelude::*;

use crate::{import, import_answers::DeliveryRegionImport, import_form::TownFile, import_store, regions};

pub(crate) struct DeliveryRegionImports;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/delivery-regions",
    tag = "Tag::Restaurants"
)]
impl DeliveryRegionImports {
    /// Makes and changes regions from a list of towns, all of them or none.
    ///
    /// The first row names the columns: city (település, város), price (díj, ár), min_order_price (minimum) and,
    /// where there is one, postcode (irányítószám). Each town is a region of its name with a street row `*`. A
    /// region of that name gets the prices of the file. xlsx, ods, xls, csv or tsv, at most 5 MB and 5,000 rows.
    /// With `dry_run` nothing is written. Faults are told by row.
    ///
    /// codes: TOO_LARGE, MEDIA_TYPE_NOT_SUPPORTED
    #[oai(path = "/import", method = "post", operation_id = "delivery_regions_import")]
    async fn import(
        &self, scope: In<Restaurant, perm::SystemDeliveryRegion>, upload: TownFile,
    ) -> Result<Json<DeliveryRegionImport>> {
        let TownFile { bytes, dry_run } = upload;
        let tx = scope.begin().await?;
        let currency = regions::currency(&tx, scope.restaurant()).await?;
        tx.commit().await?;
        let towns = import::towns(bytes, currency).await?;
        let tx = scope.begin().await?;
        restaurants::lock(&tx, scope.restaurant()).await?;
        let done = import_store::towns(&scope.rows(&tx), towns, dry_run).await?;
        if !dry_run {
            tx.commit().await?;
        }
        Ok(Json(done))
    }
}
