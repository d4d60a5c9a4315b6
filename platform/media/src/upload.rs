//! The form of a picture.

use kernel::{
    Code, Fault, Problem, Result,
    form::{Form, Upload},
};
use poem::{Request, RequestBody};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaRequest, Registry},
    types::multipart,
};

use crate::pictures::LARGEST;

/// As the document shows it, where there is no picture yet.
#[derive(Debug, poem_openapi::Multipart)]
#[allow(dead_code, reason = "read by hand, for its schema only")]
struct NewImageForm {
    /// What people call the picture.
    #[oai(validator(min_length = 1, max_length = 200))]
    name: String,
    /// JPEG, PNG, WebP or GIF, of which the first picture is taken.
    image: multipart::Upload,
}

/// The same for a change.
#[derive(Debug, poem_openapi::Multipart)]
#[allow(dead_code, reason = "read by hand, for its schema only")]
struct ImageForm {
    /// What people call the picture.
    #[oai(validator(min_length = 1, max_length = 200))]
    name: Option<String>,
    /// JPEG, PNG, WebP or GIF, of which the first picture is taken.
    image: Option<multipart::Upload>,
    /// Whether third parties may read it with an API key.
    is_public: Option<bool>,
    /// In a change: the version that was read.
    version: Option<i64>,
}

#[derive(Debug)]
pub(crate) struct SentImage<const NEW: bool = false> {
    pub name: Option<String>,
    pub image: Option<Upload>,
    pub is_public: Option<bool>,
    pub version: Option<i64>,
}

impl<'a, const NEW: bool> ApiExtractor<'a> for SentImage<NEW> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        if NEW {
            <NewImageForm as ApiExtractor>::register(registry)
        } else {
            <ImageForm as ApiExtractor>::register(registry)
        }
    }

    fn request_meta() -> Option<MetaRequest> {
        if NEW {
            <NewImageForm as ApiExtractor>::request_meta()
        } else {
            <ImageForm as ApiExtractor>::request_meta()
        }
    }

    async fn from_request(
        request: &'a Request, body: &mut RequestBody, _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(read(request, body).await?)
    }
}

async fn read<const NEW: bool>(request: &Request, body: &mut RequestBody) -> Result<SentImage<NEW>> {
    let texts: &[&str] = if NEW { &["name", "version"] } else { &["name", "version", "is_public"] };
    let mut form = Form::read(request, body, &["image"], LARGEST, Some(texts)).await?;
    let is_public = form.text("is_public").map(|text| text.trim().parse()).transpose();
    let is_public =
        is_public.map_err(|_| Problem::new(Code::VALIDATION_FAILED).key("is_public", Fault::Type))?;
    Ok(SentImage {
        name: form.text("name"),
        version: form.version()?,
        image: form.files.remove("image"),
        is_public,
    })
}
