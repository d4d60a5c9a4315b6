//! The forms of imports: a spreadsheet, refused as soon as it exceeds the limit.

use kernel::{Code, Fault, Problem, Result, form::Form};
use poem::{Request, RequestBody};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions, Multipart,
    registry::{MetaRequest, Registry},
    types::multipart::Upload,
};
use tokio::io::AsyncReadExt;

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
    pub bytes: Vec<u8>,
}

/// A list of towns as it was sent.
pub(crate) struct TownFile {
    pub bytes: Vec<u8>,
    pub dry_run: bool,
}

async fn read(request: &Request, body: &mut RequestBody, texts: &[&str]) -> Result<(Vec<u8>, Form)> {
    let mut form = Form::read(request, body, &["file"], LARGEST, Some(texts)).await?;
    let none = || {
        Problem::new(Code::MEDIA_TYPE_NOT_SUPPORTED)
            .detail("send multipart/form-data with a spreadsheet as the part `file`")
    };
    let mut upload = form.files.remove("file").ok_or_else(none)?;
    if upload.bytes > LARGEST {
        return Err(Problem::new(Code::TOO_LARGE));
    }
    let mut bytes = Vec::new();
    upload.file.read_to_end(&mut bytes).await.map_err(|_| Problem::new(Code::BAD_REQUEST))?;
    Ok((bytes, form))
}

/// What a switch of a form says.
fn switch(text: Option<String>) -> Option<bool> {
    match text.as_deref().map(str::trim) {
        None | Some("" | "false" | "0") => Some(false),
        Some("true" | "1") => Some(true),
        Some(_) => None,
    }
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
                request: &'a Request,
                body: &mut RequestBody,
                _: ExtractParamOptions<()>,
            ) -> poem::Result<Self> {
                let (bytes, form) = read(request, body, $texts).await?;
                let make: fn(Vec<u8>, Form) -> Result<Self> = $read;
                Ok(make(bytes, form)?)
            }
        }
    };
}

extracted!(StreetFile, DeliveryStreetImportForm, &[], |bytes, _| Ok(Self { bytes }));
extracted!(TownFile, DeliveryRegionImportForm, &["dry_run"], |bytes, mut form| {
    let dry_run = switch(form.text("dry_run"))
        .ok_or_else(|| Problem::new(Code::VALIDATION_FAILED).key("dry_run", Fault::Type))?;
    Ok(Self { bytes, dry_run })
});
