//! Checks a JSON value against its published schema and reports all faults at once. So the document, a form
//! and the service cannot disagree. See `docs/decisions/api.md#bodies`.

use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use serde_json::{Map, Value};

use crate::{
    DomainName, Email, Fault, money,
    text::{self, Message},
};

/// The faults found in a body.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Dotted paths of what is wrong, and how.
    pub faults: Vec<(String, Fault)>,
    /// Dotted paths of names that are blank, which the handler tells with what else it finds.
    pub blank: Vec<String>,
    /// Dotted paths of what is not known or not writable.
    pub ignored: Vec<String>,
}

/// Whether there is anything that a body of this schema has to say: then there must be one.
pub(crate) fn asks_for_something(registry: &Registry, schema: &MetaSchemaRef) -> bool {
    let schema = match schema {
        MetaSchemaRef::Inline(schema) => schema,
        MetaSchemaRef::Reference(name) => match registry.schemas.get(name) {
            Some(schema) => schema,
            None => return true,
        },
    };
    schema.ty != "object" || !schema.required.is_empty()
}

/// Compares `value` with `schema`. In a `change` (the body of a `PUT`) a field that was sent as `null` must
/// be one that can be emptied; elsewhere `null` is as good as absent.
pub(crate) fn check(registry: &Registry, schema: &MetaSchemaRef, value: &Value, change: bool) -> Findings {
    let mut findings = Findings::default();
    Checker { registry, change, findings: &mut findings }.value(schema, value, "");
    findings
}

struct Checker<'a> {
    registry: &'a Registry,
    change: bool,
    findings: &'a mut Findings,
}

impl Checker<'_> {
    fn fault(&mut self, path: &str, fault: Fault) {
        self.findings.faults.push((path.to_owned(), fault));
    }

    fn resolve<'s>(&self, schema: &'s MetaSchemaRef) -> Option<&'s MetaSchema>
    where
        Self: 's,
    {
        match schema {
            MetaSchemaRef::Inline(schema) => Some(schema),
            MetaSchemaRef::Reference(_) => None,
        }
    }

    fn value(&mut self, schema: &MetaSchemaRef, value: &Value, path: &str) {
        let registry = self.registry;
        let schema: &MetaSchema = match schema {
            MetaSchemaRef::Reference(name) => match registry.schemas.get(name) {
                Some(schema) => schema,
                None => return,
            },
            MetaSchemaRef::Inline(_) => match self.resolve(schema) {
                Some(schema) => schema,
                None => return,
            },
        };
        for part in &schema.all_of {
            self.value(part, value, path);
        }
        if !schema.any_of.is_empty() {
            return self.any_of(&schema.any_of, value, path);
        }
        if !schema.enum_items.is_empty() && !schema.enum_items.contains(value) {
            return self.fault(path, Fault::Enum);
        }
        match (schema.ty, value) {
            ("object", Value::Object(map)) => self.object(schema, map, path),
            ("array", Value::Array(items)) => self.array(schema, items, path),
            ("string", Value::String(text)) => self.text(schema, text, path),
            ("boolean", Value::Bool(_)) => {}
            ("integer", Value::Number(number)) if number.is_i64() || number.is_u64() => {
                self.integer(schema, value, path)
            }
            ("number", Value::Number(_) | Value::String(_)) => self.range(schema, value, path),
            ("", _) => {}
            _ => self.fault(path, Fault::Type),
        }
    }

    /// Of several forms that of the value's type is meant.
    fn any_of(&mut self, forms: &[MetaSchemaRef], value: &Value, path: &str) {
        let is_of = |form: &&MetaSchemaRef| {
            let schema = match form {
                MetaSchemaRef::Reference(name) => self.registry.schemas.get(name),
                MetaSchemaRef::Inline(schema) => Some(schema.as_ref()),
            };
            schema.is_some_and(|schema| match value {
                Value::Object(_) => schema.ty == "object",
                Value::Array(_) => schema.ty == "array",
                _ => !matches!(schema.ty, "object" | "array"),
            })
        };
        match forms.iter().find(is_of) {
            Some(form) => self.value(form, value, path),
            None => self.fault(path, Fault::Type),
        }
    }

    fn object(&mut self, schema: &MetaSchema, map: &Map<String, Value>, path: &str) {
        let join = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
        for (name, property) in &schema.properties {
            let required = schema.required.contains(name);
            match map.get(*name) {
                None | Some(Value::Null) if required => self.fault(&join(name), Fault::Required),
                Some(Value::Null) if self.change && path.is_empty() && !is_nullable(property) => {
                    self.fault(name, Fault::Required)
                }
                None | Some(Value::Null) => {}
                Some(_) if is_read_only(property) => self.findings.ignored.push(join(name)),
                Some(Value::String(text)) if required && text::is_blank(text) => {
                    if is_told_by_handler(property) && text::is_one_line(text) {
                        self.findings.blank.push(join(name));
                    } else {
                        self.fault(&join(name), Fault::Required)
                    }
                }
                Some(value) => self.value(property, value, &join(name)),
            }
        }
        if schema.properties.is_empty() {
            return;
        }
        for key in map.keys().filter(|key| !schema.properties.iter().any(|(name, _)| name == key)) {
            self.findings.ignored.push(join(key));
        }
    }

    fn array(&mut self, schema: &MetaSchema, items: &[Value], path: &str) {
        if let Some(max) = schema.max_items.filter(|max| items.len() > *max) {
            return self.fault(path, Fault::TooLong(max));
        }
        if let Some(min) = schema.min_items.filter(|min| items.len() < *min) {
            return self.fault(path, Fault::TooShort(min));
        }
        if schema.unique_items == Some(true) && (1..items.len()).any(|at| items[..at].contains(&items[at])) {
            return self.fault(path, Fault::NotUnique);
        }
        if let Some(element) = &schema.items {
            for (at, item) in items.iter().enumerate() {
                let place = if path.is_empty() { at.to_string() } else { format!("{path}.{at}") };
                self.value(element, item, &place);
            }
        }
    }

    fn text(&mut self, schema: &MetaSchema, text: &str, path: &str) {
        let length = text.chars().count();
        if let Some(max) = schema.max_length.filter(|max| length > *max) {
            return self.fault(path, Fault::TooLong(max));
        }
        if let Some(min) = schema.min_length.filter(|min| length < *min) {
            return self.fault(path, Fault::TooShort(min));
        }
        // Blanks are no text where there must be some.
        if schema.min_length.is_some_and(|min| min > 0) && text::is_blank(text) {
            if schema.pattern.as_deref() == Some(text::ONE_LINE) && text::is_one_line(text) {
                return self.findings.blank.push(path.to_owned());
            }
            return self.fault(path, Fault::Required);
        }
        let fits = match &schema.pattern {
            Some(pattern) if pattern == text::LINES => text::is_lines(text),
            Some(pattern) => regex::Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(text)),
            None => match schema.format {
                Some(Message::FORMAT) => true,
                Some(Email::FORMAT) => Email::parse(text).is_some(),
                Some(DomainName::FORMAT) => DomainName::parse(text).is_some(),
                _ => text::is_one_line(text),
            },
        };
        if !fits {
            return self.fault(path, Fault::Pattern);
        }
        let well_formed = match schema.format {
            Some("uuid") => uuid::Uuid::try_parse(text).is_ok(),
            Some("date-time") => chrono::DateTime::parse_from_rfc3339(text).is_ok(),
            Some("date") => text.parse::<chrono::NaiveDate>().is_ok(),
            _ => true,
        };
        if !well_formed {
            self.fault(path, Fault::Type);
        }
    }

    fn integer(&mut self, schema: &MetaSchema, value: &Value, path: &str) {
        let found = self.findings.faults.len();
        self.range(schema, value, path);
        let outside = bounds(schema.format)
            .is_some_and(|(min, max)| value.as_i64().is_none_or(|number| !(min..=max).contains(&number)));
        if outside && self.findings.faults.len() == found {
            self.fault(
                path,
                if value.as_i64().is_some_and(|number| number < 0) { Fault::Min } else { Fault::Max },
            );
        }
    }

    fn range(&mut self, schema: &MetaSchema, value: &Value, path: &str) {
        let Some(number) = money::parse_json(value).ok() else {
            return self.fault(path, Fault::Type);
        };
        let limit = |limit: f64| rust_decimal::Decimal::try_from(limit).unwrap_or(rust_decimal::Decimal::MAX);
        if schema.minimum.is_some_and(|min| {
            number < limit(min) || schema.exclusive_minimum == Some(true) && number == limit(min)
        }) {
            self.fault(path, Fault::Min);
        } else if schema.maximum.is_some_and(|max| {
            number > limit(max) || schema.exclusive_maximum == Some(true) && number == limit(max)
        }) {
            self.fault(path, Fault::Max);
        }
    }
}

/// The least and the greatest integer of a format.
#[must_use]
pub fn bounds(format: Option<&str>) -> Option<(i64, i64)> {
    match format? {
        "int16" => Some((i16::MIN.into(), i16::MAX.into())),
        "int32" => Some((i32::MIN.into(), i32::MAX.into())),
        "int64" => Some((i64::MIN, i64::MAX)),
        "uint8" => Some((0, u8::MAX.into())),
        "uint16" => Some((0, u16::MAX.into())),
        "uint32" => Some((0, u32::MAX.into())),
        "uint64" => Some((0, i64::MAX)),
        _ => None,
    }
}

/// Whether the handler says that a name is blank, together with what else it finds. See [`text::ONE_LINE`].
fn is_told_by_handler(schema: &MetaSchemaRef) -> bool {
    matches!(schema, MetaSchemaRef::Inline(schema) if schema.pattern.as_deref() == Some(text::ONE_LINE))
}

fn is_nullable(schema: &MetaSchemaRef) -> bool {
    matches!(schema, MetaSchemaRef::Inline(schema) if schema.nullable || schema.read_only)
}

fn is_read_only(schema: &MetaSchemaRef) -> bool {
    matches!(schema, MetaSchemaRef::Inline(schema) if schema.read_only)
}
