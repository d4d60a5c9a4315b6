//! Forms with files: streamed to temporary files, and refused as soon as they are too large. See
//! `docs/decisions/security.md#uploads`.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use futures_util::TryStreamExt;
use poem::{
    Body, FromRequest, Request, RequestBody,
    web::{Field, Multipart},
};
use tokio::{
    fs::File,
    io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt, BufWriter, copy},
};

use crate::{Code, Fault, Problem, Result, text};

/// The bytes that a form adds around a file.
const AROUND: u64 = 20_000;

/// Bytes that go to a file at once: each time another thread is woken, and this one again.
const BUFFER: usize = 1 << 18;

/// Checks a name of a form: one line of 1 to 200 characters, blanks around it cut off. The name comes back.
#[must_use]
pub fn check_name(problem: Problem, key: &str, name: Option<&str>) -> (Problem, String) {
    let name = name.unwrap_or_default().trim().to_owned();
    let problem = match name.chars().count() {
        0 => problem.key(key, Fault::Required),
        201.. => problem.key(key, Fault::TooLong(200)),
        _ if !text::is_one_line(&name) => problem.key(key, Fault::Pattern),
        _ => problem,
    };
    (problem, name)
}

/// What is said to a form without its spreadsheet.
#[must_use]
pub fn no_spreadsheet() -> Problem {
    Problem::new(Code::MEDIA_TYPE_NOT_SUPPORTED)
        .detail("send multipart/form-data with a spreadsheet as the part `file`")
}

#[derive(Debug, Default)]
pub struct Form {
    pub texts: BTreeMap<String, String>,
    pub files: BTreeMap<String, Upload>,
}

/// A file that was sent; gone with this.
#[derive(Debug)]
pub struct Upload {
    /// The temporary file, at its beginning.
    pub file: File,
    pub bytes: u64,
    /// As it is called where it comes from. Never part of a path.
    pub name: String,
}

impl Form {
    /// A text, taken out.
    pub fn text(&mut self, name: &str) -> Option<String> {
        self.texts.remove(name)
    }

    /// The version that was read before a change.
    /// Errors: `VALIDATION_FAILED` when it is no number.
    pub fn version(&mut self) -> Result<Option<i64>> {
        let version = self.text("version").map(|text| text.trim().parse());
        version.transpose().map_err(|_| Problem::new(Code::VALIDATION_FAILED).key("version", Fault::Type))
    }

    /// A switch: `true` or `1`, else off.
    /// Errors: `VALIDATION_FAILED` when it is neither on nor off.
    pub fn switch(&mut self, name: &str) -> Result<bool> {
        match self.text(name).as_deref().map(str::trim) {
            None | Some("" | "false" | "0") => Ok(false),
            Some("true" | "1") => Ok(true),
            Some(_) => Err(Problem::new(Code::VALIDATION_FAILED).key(name, Fault::Type)),
        }
    }

    /// Reads a form with a spreadsheet as the part `file`, of at most `largest` bytes: the form without it,
    /// and the file's name and content.
    pub async fn with_spreadsheet(
        request: &Request, body: &mut RequestBody, largest: u64, texts: &[&str],
    ) -> Result<(Self, Option<(String, Vec<u8>)>)> {
        let mut form = Self::read(request, body, &["file"], largest, Some(texts)).await?;
        let Some(mut upload) = form.files.remove("file") else { return Ok((form, None)) };
        if upload.bytes > largest {
            return Err(Code::TOO_LARGE.into());
        }
        let mut bytes = Vec::new();
        upload.file.read_to_end(&mut bytes).await.map_err(|_| Problem::new(Code::BAD_REQUEST))?;
        Ok((form, Some((upload.name, bytes))))
    }

    /// Reads a form whose files are called like this and have at most `largest` bytes together. The fields
    /// that it may have besides are `texts`, or any; others are not looked at.
    /// Errors: `TOO_LARGE`, `MEDIA_TYPE_NOT_SUPPORTED`, `BAD_REQUEST`, and `STORAGE_FULL` when the temporary
    /// folder has no room.
    pub async fn read(
        request: &Request, body: &mut RequestBody, files: &[&str], largest: u64, texts: Option<&[&str]>,
    ) -> Result<Self> {
        let most = largest + AROUND;
        let declared = request.header("content-length").and_then(|length| length.parse::<u64>().ok());
        if declared.is_some_and(|length| length > most) {
            return Err(Code::TOO_LARGE.into());
        }
        if !request
            .content_type()
            .is_some_and(|kind| kind.to_ascii_lowercase().starts_with("multipart/form-data"))
        {
            return Err(Problem::new(Code::MEDIA_TYPE_NOT_SUPPORTED).detail("send multipart/form-data"));
        }
        let faulty = || Problem::new(Code::BAD_REQUEST);
        let read = Arc::new(AtomicU64::new(0));
        let counted = {
            let read = read.clone();
            body.take().map_err(|_| faulty())?.into_bytes_stream().and_then(move |piece| {
                let so_far = read.fetch_add(piece.len() as u64, Ordering::Relaxed) + piece.len() as u64;
                std::future::ready(if so_far > most {
                    Err(std::io::Error::other("too large"))
                } else {
                    Ok(piece)
                })
            })
        };
        let refused = || if read.load(Ordering::Relaxed) > most { Code::TOO_LARGE.into() } else { faulty() };
        let mut body = RequestBody::new(Body::from_bytes_stream(counted));
        let mut parts =
            <Multipart as FromRequest>::from_request(request, &mut body).await.map_err(|_| faulty())?;
        let mut form = Self::default();
        while let Some(part) = parts.next_field().await.map_err(|_| refused())? {
            match part.name().map(str::to_owned) {
                Some(field)
                    if files.contains(&field.as_str()) && (texts.is_some() || part.file_name().is_some()) =>
                {
                    let name = part.file_name().unwrap_or_default().to_owned();
                    let (file, bytes) = to_file(part).await.map_err(|error| {
                        if is_full(&error) { Code::STORAGE_FULL.into() } else { refused() }
                    })?;
                    // An empty part is what a browser's form sends when no file was chosen.
                    if bytes > 0 {
                        form.files.insert(field, Upload { file, bytes, name });
                    }
                }
                Some(name) if texts.is_none_or(|texts| texts.contains(&name.as_str())) => {
                    let bytes = part.bytes().await.map_err(|_| refused())?;
                    let text = String::from_utf8(bytes)
                        .map_err(|_| Problem::new(Code::VALIDATION_FAILED).key(name.clone(), Fault::Type))?;
                    form.texts.insert(name, text);
                }
                _ => {}
            }
        }
        Ok(form)
    }
}

/// Whether a disk has no room for a file.
fn is_full(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded)
}

/// A part in a temporary file, and its length.
async fn to_file(part: Field) -> std::io::Result<(File, u64)> {
    let mut file = BufWriter::with_capacity(BUFFER, File::from_std(tempfile::tempfile()?));
    let bytes = copy(&mut part.into_async_read(), &mut file).await?;
    file.flush().await?;
    file.rewind().await?;
    Ok((file.into_inner(), bytes))
}
