//! The form of an import, refused as soon as it exceeds the limit.

use kernel::form::{Form, no_spreadsheet};
use poem::{Request, RequestBody};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions, Multipart,
    registry::{MetaRequest, Registry},
    types::multipart::Upload,
};

/// The most bytes of a file.
const LARGEST: u64 = 5_000_000;

/// Customers to be imported: xlsx, xls, ods, csv or tsv, at most 5 MB and 10,000 rows.
#[derive(Debug, Multipart)]
#[allow(dead_code, reason = "read by hand, for its schema only")]
struct ShadowCustomerImportForm {
    file: Upload,
    /// `true`: only says what would be done.
    dry_run: Option<bool>,
}

pub(crate) struct Sent {
    pub bytes: Vec<u8>,
    pub dry_run: bool,
}

impl<'a> ApiExtractor<'a> for Sent {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        ShadowCustomerImportForm::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        ShadowCustomerImportForm::request_meta()
    }

    async fn from_request(
        request: &'a Request, body: &mut RequestBody, _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let (mut form, file) = Form::with_spreadsheet(request, body, LARGEST, &["dry_run"]).await?;
        let (_, bytes) = file.ok_or_else(no_spreadsheet)?;
        let dry_run = form.switch("dry_run")?;
        Ok(Self { bytes, dry_run })
    }
}
