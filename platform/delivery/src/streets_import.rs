//! Importing the streets of a region.

use access::prelude::*;

use crate::{
    import,
    import_answers::DeliveryStreetImport,
    import_form::StreetFile,
    import_store,
    regions::{self, DeliveryRegions},
};

pub(crate) struct DeliveryStreetImports;

#[OpenApi(
    prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id/delivery-regions",
    tag = "Tag::Restaurants"
)]
impl DeliveryStreetImports {
    /// Adds and changes streets of a region from a spreadsheet, all of them or none.
    ///
    /// The first row names the columns: name (utca), postcode (irányítószám), city (város, település), price
    /// (ár), active (aktív). xlsx, ods, xls, csv or tsv, at most 5 MB and 5,000 rows. Streets that the file
    /// does not name stay as they are; a row that names one changes what its columns say. Faults are told by
    /// row.
    ///
    /// codes: DELIVERY_REGION_NOT_EXIST, TOO_LARGE, MEDIA_TYPE_NOT_SUPPORTED
    #[oai(path = "/:id/streets/import", method = "post", operation_id = "delivery_streets_import")]
    async fn import(
        &self, scope: In<Restaurant, perm::SystemDeliveryRegion>, id: Path<Id<DeliveryRegions>>,
        upload: StreetFile,
    ) -> Result<Json<DeliveryStreetImport>> {
        // A region that is not there is told first. The connection goes back while the file is read.
        let tx = scope.begin().await?;
        scope.rows(&tx).find::<regions::Entity>(*id).await?;
        let currency = regions::currency(&tx, scope.restaurant()).await?;
        tx.commit().await?;
        let wanted = import::streets(upload.bytes()?, currency).await?;
        let tx = scope.begin().await?;
        let rows = scope.rows(&tx);
        rows.lock::<regions::Entity>(*id).await?;
        let done = import_store::streets(&rows, *id, wanted).await?;
        tx.commit().await?;
        Ok(Json(done))
    }
}
