//! The body of a request: read after the caller was checked, compared with the published schema, all faults
//! at once. See `docs/decisions/api.md#bodies`.

use std::{
    any::TypeId,
    collections::HashMap,
    ops::Deref,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use bytes::Bytes;
use poem::{Request, RequestBody, http::Method};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    payload::{Json, Payload},
    registry::{MetaMediaType, MetaRequest, MetaSchemaRef, Registry},
    types::{ParseFromJSON, Type},
};
use serde_json::Value;

use crate::{Code, Fault, Problem, Result, request, schema_check};

/// The most bytes a JSON body may have unless the operation says otherwise.
pub const LIMIT: usize = 1_000_000;
/// The limit of calls that carry a whole menu or the like.
pub const LARGE: usize = 8_000_000;
const MAX_DEPTH: usize = 64;
const MAX_ARRAY: usize = 10_000;
const MAX_ELEMENTS: usize = 100_000;

/// A JSON body of at most `MAX` bytes.
#[derive(Debug)]
pub struct Body<T, const MAX: usize = LIMIT> {
    value: T,
    raw: Value,
}

impl<T, const MAX: usize> Body<T, MAX> {
    pub fn into_inner(self) -> T {
        self.value
    }

    /// The parsed body, and the body as sent.
    pub fn into_parts(self) -> (T, Value) {
        (self.value, self.raw)
    }

    /// The body as sent, for comparing a repeated request with the first.
    #[must_use]
    pub fn raw(&self) -> &Value {
        &self.raw
    }
}

impl<T, const MAX: usize> Deref for Body<T, MAX> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<'a, T: ParseFromJSON + Send + 'static, const MAX: usize> ApiExtractor<'a> for Body<T, MAX> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        let (registry, schema) = &*schema_of::<T>();
        Some(MetaRequest {
            description: None,
            content: vec![MetaMediaType {
                content_type: Json::<Value>::CONTENT_TYPE,
                schema: T::schema_ref(),
            }],
            required: schema_check::asks_for_something(registry, schema),
        })
    }

    async fn from_request(
        request: &'a Request, body: &mut RequestBody, _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let bytes = read(request, body, MAX).await?;
        Ok(parse(request, &bytes)?)
    }
}

const FORM: &str = "application/x-www-form-urlencoded";

/// A body that may also be sent as a form (`application/x-www-form-urlencoded`): its fields are read as
/// texts, empty ones as absent.
#[derive(Debug)]
pub struct AnyBody<T>(pub Body<T>);

impl<'a, T: ParseFromJSON + Send + 'static> ApiExtractor<'a> for AnyBody<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        let mut meta = <Body<T> as ApiExtractor<'a>>::request_meta()?;
        meta.content.push(MetaMediaType { content_type: FORM, schema: T::schema_ref() });
        Some(meta)
    }

    async fn from_request(
        request: &'a Request, body: &mut RequestBody, options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        if !request.content_type().is_some_and(|kind| kind.to_ascii_lowercase().starts_with(FORM)) {
            return Body::from_request(request, body, options).await.map(Self);
        }
        let sent = body.take().map_err(|_| Problem::new(Code::BAD_REQUEST))?;
        let bytes = sent.into_bytes_limit(SHORT).await.map_err(|error| match error {
            poem::error::ReadBodyError::PayloadTooLarge => Problem::new(Code::TOO_LARGE),
            _ => Problem::new(Code::BAD_REQUEST),
        })?;
        let fields: serde_json::Map<String, Value> = form_urlencoded::parse(&bytes)
            .filter(|(_, value)| !value.trim().is_empty())
            .map(|(key, value)| (key.into_owned(), Value::String(value.into_owned())))
            .collect();
        let json = Value::Object(fields).to_string();
        Ok(Self(parse(request, json.as_bytes())?))
    }
}

/// The longest body that [`read_short`] reads, in bytes.
const SHORT: usize = 16 << 10;

/// Reads a short body whose length was declared, so that its extractor has nothing to wait for; false when it
/// is longer or its length is not known.
/// Errors: `BAD_REQUEST` when it does not come whole.
pub async fn read_short(request: &Request, body: &mut RequestBody) -> Result<bool> {
    let declared = request.header("content-length").and_then(|length| length.parse::<usize>().ok());
    if declared.is_none_or(|length| length > SHORT) {
        return Ok(false);
    }
    let Ok(taken) = body.take() else { return Ok(false) };
    let bytes = taken.into_bytes_limit(SHORT).await.map_err(|_| Problem::new(Code::BAD_REQUEST))?;
    *body = RequestBody::new(bytes.into());
    Ok(true)
}

async fn read(request: &Request, body: &mut RequestBody, limit: usize) -> Result<Bytes> {
    let declared = request.header("content-length").and_then(|length| length.parse::<usize>().ok());
    if declared.is_some_and(|length| length > limit) {
        return Err(Code::TOO_LARGE.into());
    }
    let body = body.take().map_err(|_| Problem::new(Code::BAD_REQUEST))?;
    // Older clients send no body where nothing has to be said.
    if body.is_empty() && request.content_type().is_none() {
        return Ok(Bytes::from_static(b"{}"));
    }
    if !request.content_type().is_some_and(Json::<Value>::check_content_type) {
        return Err(Code::MEDIA_TYPE_NOT_SUPPORTED.into());
    }
    match body.into_bytes_limit(limit).await {
        Ok(bytes) => {
            request::note_body(&bytes);
            Ok(bytes)
        }
        Err(poem::error::ReadBodyError::PayloadTooLarge) => Err(Code::TOO_LARGE.into()),
        Err(_) => Err(Code::BAD_REQUEST.into()),
    }
}

fn parse<T: ParseFromJSON + 'static, const MAX: usize>(
    request: &Request, bytes: &[u8],
) -> Result<Body<T, MAX>> {
    measure(bytes)?;
    let raw: Value = serde_json::from_slice(bytes).map_err(|error| {
        Problem::new(Code::BAD_REQUEST).detail(format!("line {}, column {}", error.line(), error.column()))
    })?;
    let (registry, schema) = &*schema_of::<T>();
    let mut findings = schema_check::check(registry, schema, &raw, *request.method() == Method::PUT);
    let strict = request::refuses_unknown_fields()
        || request.header("prefer").is_some_and(|prefer| prefer.contains("handling=strict"));
    if strict {
        findings.faults.extend(findings.ignored.drain(..).map(|key| (key, Fault::Unknown)));
    }
    if !findings.faults.is_empty() {
        findings.faults.extend(findings.blank.drain(..).map(|key| (key, Fault::Required)));
    }
    Problem::new(Code::VALIDATION_FAILED).keys(findings.faults).if_any()?;
    request::note_ignored(findings.ignored);
    let value = T::parse_from_json(Some(raw.clone())).map_err(|error| {
        Problem::new(Code::VALIDATION_FAILED).detail(error.into_message()).key("", Fault::Invalid)
    })?;
    Ok(Body { value, raw })
}

/// Reads a change that was not sent but put together here, by the rules of the body of a `PUT`: all faults at
/// once.
/// Errors: `VALIDATION_FAILED` with the fields at fault.
pub fn checked<T: ParseFromJSON + 'static>(raw: Value) -> Result<T> {
    let (registry, schema) = &*schema_of::<T>();
    let findings = schema_check::check(registry, schema, &raw, true);
    Problem::new(Code::VALIDATION_FAILED).keys(findings.faults).if_any()?;
    T::parse_from_json(Some(raw)).map_err(|error| {
        Problem::new(Code::VALIDATION_FAILED).detail(error.into_message()).key("", Fault::Invalid)
    })
}

/// Depth and number of elements, before anything is built in memory.
fn measure(bytes: &[u8]) -> Result<()> {
    let mut in_text = false;
    let mut escaped = false;
    let mut elements = 0;
    let mut counts: Vec<usize> = Vec::new();
    for byte in bytes {
        match (in_text, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (true, b'"') => in_text = false,
            (true, _) => {}
            (false, b'"') => in_text = true,
            (false, b'[' | b'{') => counts.push(0),
            (false, b']' | b'}') => {
                counts.pop();
            }
            (false, b',') => {
                elements += 1;
                if let Some(count) = counts.last_mut() {
                    *count += 1;
                    if *count >= MAX_ARRAY {
                        return Err(
                            Problem::new(Code::TOO_LARGE).detail("more than 10000 elements in one array")
                        );
                    }
                }
            }
            _ => {}
        }
        if counts.len() > MAX_DEPTH || elements > MAX_ELEMENTS {
            return Err(Problem::new(Code::TOO_LARGE).detail("nested too deep, or too many elements"));
        }
    }
    Ok(())
}

type SchemaCache = HashMap<TypeId, Arc<(Registry, MetaSchemaRef)>>;

/// The schema of `T` with all it refers to, made once.
fn schema_of<T: Type + 'static>() -> Arc<(Registry, MetaSchemaRef)> {
    static KNOWN: LazyLock<Mutex<SchemaCache>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known
        .entry(TypeId::of::<T>())
        .or_insert_with(|| {
            let mut registry = Registry::new();
            T::register(&mut registry);
            Arc::new((registry, T::schema_ref()))
        })
        .clone()
}
