//! The form of an import, refused as soon as it exceeds the limit.

use kernel::{Code, Fault, Problem, form::Form};
use poem::{Request, RequestBody};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions, Multipart,
    registry::{MetaRequest, Registry},
    types::multipart::Upload,
};
use tokio::io::AsyncReadExt;

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

/// A spreadsheet as it was sent.
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
        request: &'a Request,
        body: &mut RequestBody,
        _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let mut form = Form::read(request, body, &["file"], LARGEST, Some(&["dry_run"])).await?;
        let none = || {
            Problem::new(Code::MEDIA_TYPE_NOT_SUPPORTED)
                .detail("send multipart/form-data with a spreadsheet as the part `file`")
        };
        let mut upload = form.files.remove("file").ok_or_else(none)?;
        if upload.bytes > LARGEST {
            return Err(Problem::new(Code::TOO_LARGE).into());
        }
        let dry_run = match form.text("dry_run").as_deref().map(str::trim) {
            None | Some("" | "false" | "0") => false,
            Some("true" | "1") => true,
            Some(_) => return Err(Problem::new(Code::VALIDATION_FAILED).key("dry_run", Fault::Type).into()),
        };
        let mut bytes = Vec::new();
        upload.file.read_to_end(&mut bytes).await.map_err(|_| Problem::new(Code::BAD_REQUEST))?;
        Ok(Self { bytes, dry_run })
    }
}
