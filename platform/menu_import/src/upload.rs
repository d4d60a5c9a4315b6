//! The file of a form, refused as soon as it exceeds the limit.

use kernel::form::{Form, no_spreadsheet};
use poem::{Request, RequestBody};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions, Multipart,
    registry::{MetaRequest, Registry},
    types::multipart::Upload,
};

use super::sheet::LARGEST_FILE;

/// A spreadsheet to be imported: xlsx, xls, ods, csv or tsv, at most 10 MB.
#[derive(Debug, Multipart)]
#[allow(dead_code, reason = "read by hand, for its schema only")]
struct MenuImportForm {
    file: Upload,
}

/// A file with its name.
pub(crate) struct Uploaded {
    pub name: String,
    pub bytes: Vec<u8>,
}

impl<'a> ApiExtractor<'a> for Uploaded {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        MenuImportForm::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        MenuImportForm::request_meta()
    }

    async fn from_request(
        request: &'a Request, body: &mut RequestBody, _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let (_, file) = Form::with_spreadsheet(request, body, LARGEST_FILE as u64, &[]).await?;
        let (name, bytes) = file.ok_or_else(no_spreadsheet)?;
        Ok(Self { name, bytes })
    }
}

/// The last part of a file's name, as it is shown: it never builds a path.
pub(crate) fn shown(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let clean: String = last.chars().filter(|c| !c.is_control()).take(200).collect();
    if clean.trim().is_empty() { "menu".to_owned() } else { clean.trim().to_owned() }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use bytes::Bytes;
    use poem::{Body, http::StatusCode};

    use super::*;

    /// Sends 100 MB regardless of the declared length; answers the response and how much was read.
    async fn sent(declared: Option<&str>) -> (StatusCode, usize) {
        let read = Arc::new(AtomicUsize::new(0));
        let counted = read.clone();
        let piece = Bytes::from_static(&[b'a'; 100_000]);
        let pieces = (0..1_000).map(move |_| {
            counted.fetch_add(piece.len(), Ordering::Relaxed);
            Ok::<_, std::io::Error>(piece.clone())
        });
        let request = Request::builder().header("content-type", "multipart/form-data; boundary=x");
        let request =
            declared.into_iter().fold(request, |request, length| request.header("content-length", length));
        let (request, mut body) =
            request.body(Body::from_bytes_stream(futures_util::stream::iter(pieces))).split();
        let outcome = Uploaded::from_request(&request, &mut body, ExtractParamOptions::default()).await;
        (outcome.map(|_| StatusCode::OK).unwrap_or_else(|error| error.status()), read.load(Ordering::Relaxed))
    }

    #[tokio::test]
    async fn a_hundred_megabytes_are_refused_before_they_are_read() {
        assert_eq!(sent(Some("100000000")).await, (StatusCode::PAYLOAD_TOO_LARGE, 0));
        for lie in [None, Some("12")] {
            let (status, read) = sent(lie).await;
            assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
            assert!(read <= LARGEST_FILE + 400_000, "{read} bytes were read");
        }
    }
}
