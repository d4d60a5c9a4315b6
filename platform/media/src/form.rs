//! Bodies that may also come as a form with pictures: each field is a part of its name, lists and objects are
//! JSON, a picture is a file. Both forms end in the same handler.

use std::collections::HashMap;

use access::prelude::*;
use kernel::{
    body,
    form::{Form, Upload},
    ids::Images,
};
use poem::{Body as Bytes, Request, RequestBody, error::ReadBodyError};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaMediaType, MetaRequest, MetaSchema, MetaSchemaRef, Registry},
    types::{ParseFromJSON, Type},
};
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use crate::{
    picture_store::PictureStore,
    pictures::{self, LARGEST, StoredPicture, USUAL},
};

const FORM: &str = "multipart/form-data";
/// The longest name of a picture.
const NAME_LENGTH: usize = 200;

/// A body whose form may bring pictures along.
pub trait Pictured: ParseFromJSON + Type {
    /// What the files are called; the field that holds the id of such a picture is called `<file>_id`.
    const PICTURES: &'static [&'static str];
    /// The most bytes of one.
    const LARGEST: u64 = LARGEST;
}

/// A body as JSON, or as a form.
#[derive(Debug)]
pub struct Sent<T> {
    body: Body<T>,
    files: Vec<(&'static str, Upload)>,
}

/// Pictures that lie in the store and have no row yet, by the names of their files.
#[derive(Debug, Default)]
pub struct NewPictures(HashMap<&'static str, StoredPicture>);

impl<T> Sent<T> {
    #[must_use]
    pub fn has_pictures(&self) -> bool {
        !self.files.is_empty()
    }

    /// The body as it was sent, the body, and its pictures once they are stored. No transaction may be open
    /// meanwhile.
    /// Errors: `MEDIA_TYPE_NOT_SUPPORTED`, `IMAGE_INVALID`, `STORAGE_UNAVAILABLE`, `UNAVAILABLE_SERVER`.
    pub async fn store<P>(
        self, scope: &In<Restaurant, P>, store: &PictureStore,
    ) -> Result<(Value, T, NewPictures)> {
        let (body, mut raw) = self.body.into_parts();
        let mut stored = HashMap::new();
        for (name, upload) in self.files {
            let picture = store.store(scope, upload.file).await?;
            if let Value::Object(fields) = &mut raw {
                fields.insert(
                    name.to_owned(),
                    picture.hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into(),
                );
            }
            stored.insert(name, picture);
        }
        Ok((raw, body, NewPictures(stored)))
    }
}

impl NewPictures {
    /// The id of the picture that was sent under this name, now that it has a row.
    pub async fn take<P>(
        &mut self, scope: &In<Restaurant, P>, tx: &TenantTx, file: &str, name: &str,
    ) -> Result<Option<Id<Images>>> {
        let Some(picture) = self.0.remove(file) else { return Ok(None) };
        let name: String = name.trim().chars().take(NAME_LENGTH).collect();
        pictures::add(scope, tx, &name, picture).await.map(Some)
    }
}

fn fields<T: Type>() -> HashMap<&'static str, MetaSchema> {
    let mut registry = Registry::new();
    T::register(&mut registry);
    let resolve = |schema: &MetaSchemaRef| match schema {
        MetaSchemaRef::Inline(schema) => Some(MetaSchema::clone(schema)),
        MetaSchemaRef::Reference(name) => registry.schemas.get(name).cloned(),
    };
    let mut found = HashMap::new();
    let mut left: Vec<MetaSchema> = resolve(&T::schema_ref()).into_iter().collect();
    while let Some(schema) = left.pop() {
        left.extend(schema.all_of.iter().filter_map(&resolve));
        found.extend(
            schema.properties.iter().filter_map(|(name, property)| Some((*name, resolve(property)?))),
        );
    }
    found
}

/// A part of a form as the field that it stands for. Values that do not fit are refused by the check of the
/// body.
fn value(field: Option<&MetaSchema>, text: String) -> Value {
    match field {
        Some(field) if field.ty == "string" && field.format.is_none() && field.enum_items.is_empty() => {
            text.into()
        }
        _ if text.is_empty() => Value::Null,
        Some(field) if field.ty == "string" && text != "null" => text.into(),
        _ => serde_json::from_str(&text).unwrap_or(Value::String(text)),
    }
}

/// A JSON body in which `null` under the name of a picture takes it away, which clients of the earlier
/// interface send. A body that names the picture's id beside it means that.
async fn without_pictures(body: &mut RequestBody, pictures: &[&str]) -> Result<Bytes> {
    let bytes =
        body.take().map_err(|_| Code::BAD_REQUEST)?.into_bytes_limit(body::LIMIT).await.map_err(|error| {
            match error {
                ReadBodyError::PayloadTooLarge => Code::TOO_LARGE,
                _ => Code::BAD_REQUEST,
            }
        })?;
    if bytes.is_empty() {
        return Ok(Bytes::empty());
    }
    // Only which fields are null: what the others hold is for the check of the body.
    let nulls: HashMap<String, Option<IgnoredAny>> = serde_json::from_slice(&bytes).unwrap_or_default();
    let id = |name: &str| format!("{name}_id");
    let gone: Vec<&str> = pictures
        .iter()
        .copied()
        .filter(|name| matches!(nulls.get(*name), Some(None)) && !nulls.contains_key(&id(name)))
        .collect();
    if gone.is_empty() {
        return Ok(bytes.into());
    }
    match serde_json::from_slice(&bytes) {
        Ok(Value::Object(mut fields)) => {
            for name in gone {
                fields.remove(name);
                fields.insert(id(name), Value::Null);
            }
            Ok(Value::Object(fields).to_string().into())
        }
        _ => Ok(bytes.into()),
    }
}

impl<'a, T: Pictured + Send + 'static> ApiExtractor<'a> for Sent<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        let mut meta = <Body<T> as ApiExtractor>::request_meta()?;
        let file = || {
            let schema = MetaSchema {
                format: Some("binary"),
                description: Some(if T::LARGEST == USUAL {
                    "JPEG, PNG, WebP or GIF, at most 10 MB."
                } else {
                    "JPEG, PNG, WebP or GIF, at most 15,000,000 bytes."
                }),
                ..MetaSchema::new("string")
            };
            MetaSchemaRef::Inline(Box::new(schema))
        };
        let files = MetaSchema {
            properties: T::PICTURES.iter().map(|name| (*name, file())).collect(),
            ..MetaSchema::new("object")
        };
        let all_of = vec![T::schema_ref(), MetaSchemaRef::Inline(Box::new(files))];
        let form = MetaSchema { all_of, ..MetaSchema::ANY };
        meta.content
            .push(MetaMediaType { content_type: FORM, schema: MetaSchemaRef::Inline(Box::new(form)) });
        Some(meta)
    }

    async fn from_request(
        request: &'a Request, body: &mut RequestBody, _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        if !request.content_type().is_some_and(|kind| kind.to_ascii_lowercase().starts_with(FORM)) {
            let mut body = RequestBody::new(without_pictures(body, T::PICTURES).await?);
            return Ok(Self {
                body: <Body<T> as ApiExtractor>::from_request(
                    request,
                    &mut body,
                    ExtractParamOptions::default(),
                )
                .await?,
                files: vec![],
            });
        }
        let most = T::LARGEST * T::PICTURES.len() as u64;
        let mut form = Form::read(request, body, T::PICTURES, most, None).await?;
        let known = fields::<T>();
        let mut sent = Map::new();
        let mut files = Vec::new();
        for name in T::PICTURES {
            // An empty one takes the picture away.
            if form.texts.remove(*name).is_some_and(|text| text.is_empty() || text == "null") {
                sent.insert(format!("{name}_id"), Value::Null);
            }
            if let Some(upload) = form.files.remove(*name) {
                if upload.bytes > T::LARGEST {
                    return Err(Problem::new(Code::TOO_LARGE)
                        .detail(format!("at most {} bytes", T::LARGEST))
                        .key(*name, Fault::Max)
                        .into());
                }
                form.texts.remove(&format!("{name}_id"));
                files.push((*name, upload));
            }
        }
        sent.extend(
            form.texts.into_iter().map(|(name, text)| (name.clone(), value(known.get(name.as_str()), text))),
        );
        let mut json = Request::builder().method(request.method().clone()).content_type("application/json");
        if let Some(prefer) = request.header("prefer") {
            json = json.header("prefer", prefer);
        }
        let mut body = RequestBody::new(Value::Object(sent).to_string().into());
        let body = <Body<T> as ApiExtractor>::from_request(
            &json.finish(),
            &mut body,
            ExtractParamOptions::default(),
        )
        .await?;
        Ok(Self { body, files })
    }
}
