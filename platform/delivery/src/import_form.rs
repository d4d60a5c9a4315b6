//! The forms of imports: a spreadsheet, refused as soon as it exceeds the limit.

use kernel::{
    Result,
    form::{Form, no_spreadsheet},
};
use poem::{Request, RequestBody};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions, Multipart,
    registry::{MetaRequest, Registry},
    types::multipart::Upload,
};

/// The most bytes of a file.
const LARGEST: u64 = 5_000_000;

/// A list of streets: xlsx, ods, xls, csv or tsv, at most 5 MB.
#[derive(Debug, Multipart)]
#[allow(dead_code, reason = "read by hand, for its schema only")]
struct DeliveryStreetImportForm {
    file: Upload,
}

/// A list of towns: xlsx, ods, xls, csv or tsv, at most 5 MB.
#[derive(Debug, Multipart)]
#[allow(dead_code, reason = "read by hand, for its schema only")]
struct DeliveryRegionImportForm {
    file: Upload,
    /// Only says what would be done.
    dry_run: Option<bool>,
}

/// A list of streets as it was sent.
pub(crate) struct StreetFile {
    bytes: Option<Vec<u8>>,
}

impl StreetFile {
    /// Its content.
    /// Errors: `MEDIA_TYPE_NOT_SUPPORTED` when the form has no file.
    pub fn bytes(self) -> Result<Vec<u8>> {
        self.bytes.ok_or_else(no_spreadsheet)
    }
}

/// A list of towns as it was sent.
pub(crate) struct TownFile {
    pub bytes: Vec<u8>,
    pub dry_run: bool,
}

macro_rules! extracted {
    ($file:ty, $form:ty, $texts:expr, $read:expr) => {
        impl<'a> ApiExtractor<'a> for $file {
            const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
            type ParamType = ();
            type ParamRawType = ();

            fn register(registry: &mut Registry) {
                <$form>::register(registry);
            }

            fn request_meta() -> Option<MetaRequest> {
                <$form>::request_meta()
            }

            async fn from_request(
                request: &'a Request, body: &mut RequestBody, _: ExtractParamOptions<()>,
            ) -> poem::Result<Self> {
                let (form, file) = Form::with_spreadsheet(request, body, LARGEST, $texts).await?;
                let bytes = file.map(|(_, bytes)| bytes);
                let make: fn(Option<Vec<u8>>, Form) -> Result<Self> = $read;
                Ok(make(bytes, form)?)
            }
        }
    };
}

extracted!(StreetFile, DeliveryStreetImportForm, &[], |bytes, _| Ok(Self { bytes }));
extracted!(TownFile, DeliveryRegionImportForm, &["dry_run"], |bytes, mut form| {
    let dry_run = form.switch("dry_run")?;
    Ok(Self { bytes: bytes.ok_or_else(no_spreadsheet)?, dry_run })
});
