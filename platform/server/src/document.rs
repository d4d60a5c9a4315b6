//! The published document: poem-openapi's output plus what poem-openapi cannot express.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use access::marker;
use kernel::{Code, Paging, paging, text};
use poem_openapi::OpenApiService;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    no_effect,
    short::{self, FORMS},
};

pub const TITLE: &str = "Pult";

/// All operations, as it is published: the committed file, which the tests hold to the code, without its
/// white space. Making it anew would leave an instance 14 MB larger.
pub const FULL: &str = include_str!(concat!(env!("OUT_DIR"), "/openapi.json"));

/// What an API key may call, likewise.
pub const PUBLIC: &str = include_str!(concat!(env!("OUT_DIR"), "/public.json"));

/// The header that makes a request once.
const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

/// What is wanted of a document here: its paths and the methods of each, with their parameters.
#[derive(Deserialize)]
struct Outline {
    paths: BTreeMap<String, BTreeMap<String, Operation>>,
}

#[derive(Deserialize)]
struct Operation {
    #[serde(default)]
    parameters: Vec<Parameter>,
}

#[derive(Deserialize)]
struct Parameter {
    name: String,
    r#in: String,
}

struct DocumentedPath {
    template: String,
    /// How many parts it has.
    length: usize,
    /// Its methods, as `Allow` has them.
    methods: String,
    /// The query parameters of reading it.
    filters: Vec<String>,
}

impl DocumentedPath {
    fn of(template: String, operations: BTreeMap<String, Operation>) -> Self {
        let methods = operations.keys().map(|method| method.to_uppercase()).collect::<Vec<_>>().join(", ");
        let parameters = operations
            .into_iter()
            .filter(|(method, _)| method == "get")
            .flat_map(|(_, operation)| operation.parameters);
        let filters = parameters.filter(|one| one.r#in == "query").map(|one| one.name);
        // The one that names the place in a short form stays in the address.
        let named = short::forms(&template)
            .into_iter()
            .filter_map(|form| Some(form.split_once('?')?.1.split('=').next()?.to_owned()));
        let filters = filters.chain(named).collect();
        Self { length: template.split('/').count(), template, methods, filters }
    }

    fn of_path(path: &str) -> Option<&'static Self> {
        let path = path.trim_end_matches('/');
        let length = path.split('/').count();
        PATHS.iter().find(|known| known.length == length && known.fits(path))
    }

    /// Whether a path of as many parts is one of these.
    fn fits(&self, path: &str) -> bool {
        let mut parts = self.template.split('/').zip(path.split('/'));
        parts.all(|(part, segment)| part.starts_with('{') || part == segment)
    }
}

/// The paths, read once. Those without variables come before those with one at the same place.
static PATHS: LazyLock<Vec<DocumentedPath>> = LazyLock::new(|| {
    let paths = serde_json::from_str::<Outline>(FULL).map(|outline| outline.paths).unwrap_or_default();
    let mut known: Vec<DocumentedPath> =
        paths.into_iter().map(|(path, operations)| DocumentedPath::of(path, operations)).collect();
    known.sort_by_key(|known| known.template.matches('{').count());
    known
});

/// The template of the path that answers this one; none when the document does not have it.
pub(crate) fn template(path: &str) -> Option<&'static str> {
    DocumentedPath::of_path(path).map(|known| known.template.as_str())
}

/// A template whose variables have other names, with those of the document.
pub(crate) fn named(template: String) -> String {
    let same = |one: &str, other: &str| one == other || one.starts_with('{') && other.starts_with('{');
    let alike = |known: &&DocumentedPath| {
        let (parts, others) = (template.split('/'), known.template.split('/'));
        parts.clone().count() == others.clone().count()
            && parts.zip(others).all(|(one, other)| same(one, other))
    };
    PATHS.iter().find(alike).map_or_else(|| template.clone(), |known| known.template.clone())
}

/// The query parameters of a list; none when the document does not have it.
#[must_use]
pub fn filters(path: &str) -> Option<&'static [String]> {
    DocumentedPath::of_path(path).map(|known| known.filters.as_slice())
}

/// The methods of a path. What is not in the document can only be read.
#[must_use]
pub fn allow(path: &str) -> &'static str {
    let full = FORMS.template(path).map(|full| full.join("/"));
    let found = match full {
        Some(full) => PATHS.iter().find(|known| known.template == full),
        None => DocumentedPath::of_path(path),
    };
    found.map_or("GET", |known| known.methods.as_str())
}

/// Both documents and the texts of the error codes as the code makes them: name of the file and text.
#[must_use]
pub fn files() -> [(&'static str, String); 3] {
    let whole = full();
    [("public.json", text(&public(&whole))), ("openapi.json", text(&whole)), ("errors.json", text(&errors()))]
}

/// The texts of each error code by language; the interface shows them.
fn errors() -> Value {
    let texts = |code: &Code| (code.name().to_owned(), json!({"hu": code.hungarian(), "en": code.english()}));
    Value::Object(Code::ALL.iter().map(texts).collect())
}

fn text(document: &Value) -> String {
    let mut text = format!("{document:#}");
    text.push('\n');
    text
}

/// The whole document.
#[must_use]
pub fn full() -> Value {
    let service = OpenApiService::new(crate::api(), TITLE, env!("CARGO_PKG_VERSION")).description(
        "Run every restaurant of every partner from one place. Money and quantities are exact decimals; \
         instants are ISO 8601 UTC; \
         errors are application/problem+json with a code (see /api/problems).",
    );
    finished(&service.spec())
}

/// The output of poem-openapi for some operations, with what it cannot express.
#[must_use]
pub fn finished(spec: &str) -> Value {
    let mut document: Value = serde_json::from_str(spec).unwrap_or_default();
    unwrap_texts(&mut document);
    let paths = taken(&mut document["paths"]);
    let mut finished: BTreeMap<String, Value> = BTreeMap::new();
    for (path, mut item) in paths {
        let path = plain_path(&path);
        for (_, operation) in item.as_object_mut().into_iter().flatten() {
            finish(&path, operation);
        }
        let known = finished.entry(path).or_insert_with(|| json!({}));
        known.as_object_mut().into_iter().for_each(|known| known.extend(taken(&mut item)));
    }
    document["paths"] = finished.into_iter().collect::<Map<_, _>>().into();
    document["components"]["securitySchemes"] = json!({
        "token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT",
            "description": "The authorization answer of sign-in."},
        "cookie": {"type": "apiKey", "in": "cookie", "name": "__Host-pult", "description": "Set by sign-in; \
            needs the header X-Pult-UI: 1."},
        "device": {"type": "http", "scheme": "bearer", "description": "pd_…: the secret that pairing gave \
            the device."},
        "api_key": {"type": "http", "scheme": "bearer", "description": "pk_… (X-Api-Key is accepted too)."},
    });
    document["components"]["schemas"]["Problem"] = problem_schema();
    document["components"]["responses"] = problem_responses();
    crate::live::describe(&mut document["components"]["schemas"]);
    let changes = changes(&document);
    for (name, schema) in document["components"]["schemas"].as_object_mut().into_iter().flatten() {
        mark(schema, changes.contains(name));
    }
    for part in ["paths", "components"] {
        mark(&mut document[part], true);
    }
    for name in closed(&document) {
        document["components"]["schemas"][name]["additionalProperties"] = false.into();
    }
    tell_rules(&mut document);
    no_effect::say(&mut document["components"]["schemas"]);
    sorted(document)
}

/// Joins the lines of each paragraph: where a comment is wrapped in the code says nothing.
fn unwrap_texts(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(unwrap_texts),
        Value::Object(fields) => {
            for (name, field) in fields {
                match field {
                    Value::String(text) if matches!(name.as_str(), "description" | "summary") => {
                        *text = unwrapped(text);
                    }
                    field => unwrap_texts(field),
                }
            }
        }
        _ => {}
    }
}

fn unwrapped(text: &str) -> String {
    let item = |line: &str| line.trim_start().starts_with(['-', '*', '|']);
    let mut whole = String::new();
    let mut before = "";
    for line in text.lines() {
        if !whole.is_empty() {
            let joined = !before.trim().is_empty() && !line.trim().is_empty() && !item(line);
            whole.push(if joined { ' ' } else { '\n' });
        }
        whole.push_str(line);
        before = line;
    }
    whole
}

fn taken(value: &mut Value) -> Map<String, Value> {
    if let Value::Object(fields) = value.take() { fields } else { Map::new() }
}

/// `/a/:b/` becomes `/a/{b}`.
pub(crate) fn plain_path(path: &str) -> String {
    let parts = path.split('/').filter(|part| !part.is_empty());
    let parts = parts
        .map(|part| part.strip_prefix(':').map_or_else(|| part.to_owned(), |name| format!("{{{name}}}")));
    parts.fold(String::new(), |path, part| path + "/" + part.as_str())
}

fn finish(path: &str, operation: &mut Value) {
    let markers: Vec<String> = operation["security"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| one.as_object()?.keys().next().cloned())
        .collect();
    let after = |prefix: &str| {
        markers.iter().filter_map(|one| one.strip_prefix(prefix)).map(str::to_owned).collect::<Vec<_>>()
    };
    let permissions = after(marker::PERMISSION);
    let api_scope = after(marker::API_SCOPE).into_iter().next();
    let endless = markers.iter().any(|one| one == Paging::ENDLESS);
    let paged = endless || markers.iter().any(|one| one == Paging::UNPAGED);
    let idempotent = markers.iter().any(|one| one == marker::IDEMPOTENT);
    let pin = markers.iter().any(|one| one == marker::PIN);
    let open = permissions.iter().any(|key| key == "public");

    operation["x-scope"] = after(marker::SCOPE).into_iter().next().unwrap_or_default().into();
    operation["x-permission"] = permissions.into();
    if markers.iter().any(|one| one == marker::WHOLE_PARTNER) {
        operation["x-whole-partner"] = true.into();
    }
    let kinds = after(marker::DEVICE);
    if !kinds.is_empty() {
        operation["x-device-kind"] = kinds.into();
    }
    let feature = after(marker::FEATURE).into_iter().next();
    if let Some(feature) = &feature {
        operation["x-feature"] = feature.as_str().into();
    }
    let device = operation["x-device-kind"].is_array();
    let security = security(open, device, api_scope.is_some());
    if let Some(scope) = api_scope {
        operation["x-api-scope"] = scope.into();
    }
    operation["security"] = security.into();
    let id = operation["operationId"].as_str().unwrap_or_default().to_owned();
    let (resource, action) = resource_and_action(&id);
    let short = short::forms(path);
    operation["x-resource"] = resource.into();
    operation["x-action"] = action.into();

    let guest = markers.iter().any(|one| one == marker::GUEST);
    let mut parameters = with_parameters(path, operation["parameters"].take(), paged, idempotent, guest);
    if pin {
        parameters.extend(pin_parameters());
    }
    if endless {
        operation["x-paged"] = true.into();
    }
    operation["parameters"] = parameters.into();
    let mut codes = codes(operation, open, path, idempotent);
    if device {
        codes.insert("DEVICE_INVALID".to_owned());
        // Its restaurant is archived: the device keeps its secret.
        codes.insert("RESTAURANT_NOT_EXIST".to_owned());
    }
    if !short.is_empty() {
        operation["x-short-path"] = short.into();
        codes.insert("TARGET_REQUIRED".to_owned());
    }
    if feature.is_some() {
        codes.insert("FEATURE_NOT_AVAILABLE".to_owned());
    }
    if pin {
        codes.extend(["PIN_REQUIRED", "PIN_INVALID", "TOO_MANY_REQUESTS"].map(str::to_owned));
    }
    for code in &codes {
        let status = Code::parse(code).unwrap_or(Code::ENTITY_NOT_EXIST).status().to_string();
        operation["responses"][&status] = json!({"$ref": format!("#/components/responses/Problem{status}")});
    }
    operation["x-codes"] = codes.into_iter().collect::<Vec<_>>().into();
}

/// Each way in which the caller of an operation may sign in.
fn security(open: bool, device: bool, api_key: bool) -> Vec<Value> {
    let mut ways = match (open, device) {
        (true, _) => vec![],
        (_, true) => vec![json!({"device": []})],
        _ => vec![json!({"token": []}), json!({"cookie": []})],
    };
    if api_key {
        ways.push(json!({"api_key": []}));
    }
    ways
}

/// The PIN in its header, and in the query for clients that know it there only.
fn pin_parameters() -> [Value; 2] {
    let schema = json!({"type": "string", "pattern": "^[0-9]{4,8}$"});
    [
        json!({"name": "X-Pin", "in": "header", "schema": schema, "description": "The PIN."}),
        json!({"name": "pin", "in": "query", "schema": schema, "deprecated": true,
            "description": "The PIN; better in X-Pin."}),
    ]
}

/// `option_groups_list` is the action `list` of `option_groups`; other verbs end the id likewise.
fn resource_and_action(id: &str) -> (&str, &str) {
    const VERBS: &[&str] = &[
        "list", "get", "create", "update", "delete", "sign_in", "sign_out", "reset_password",
        "choose_target", "choose_language", "rank", "move", "copy", "picker", "loader", "accept",
        "take_back", "archive", "fresh", "quote", "general", "delivery", "close", "system",
    ];
    VERBS
        .iter()
        .find_map(|verb| {
            id.strip_suffix(verb)
                .and_then(|rest| rest.strip_suffix('_'))
                .map(|resource| (resource, &id[resource.len() + 1..]))
        })
        .unwrap_or_else(|| id.rsplit_once('_').unwrap_or((id, "")))
}

fn with_parameters(path: &str, declared: Value, paged: bool, idempotent: bool, guest: bool) -> Vec<Value> {
    let mut parameters = declared.as_array().cloned().unwrap_or_default();
    let mut missing = Vec::new();
    for name in path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
        if !parameters.iter().any(|one| one["in"] == "path" && one["name"] == name) {
            let reference = format!("{}s", name.trim_end_matches("_id"));
            missing.push(json!({"name": name, "in": "path", "required": true, "schema": {"type": "string",
                "format": "uuid", "x-ref": reference}}));
        }
    }
    parameters.splice(0..0, missing);
    if paged {
        let limit = json!({"type": "integer", "minimum": 1, "maximum": paging::LARGEST_LIMIT});
        parameters
            .push(json!({"name": "limit", "in": "query", "schema": limit, "description": "Rows at most."}));
        let page = json!({"type": "integer", "minimum": 0, "maximum": paging::LAST_PAGE, "default": 0});
        parameters
            .push(json!({"name": "page", "in": "query", "schema": page, "description": "Page, from 0."}));
        parameters.push(json!({"name": "count", "in": "query", "schema": {"type": "boolean"},
            "description": "Adds X-Total-Count to the answer."}));
    }
    if guest {
        let schema =
            json!({"anyOf": [{"type": "string", "format": "ipv4"}, {"type": "string", "format": "ipv6"}]});
        let description = "From a secret key: the network address of its guest, so that limits on waiting \
            orders hold for each guest.";
        parameters.push(
            json!({"name": "X-Guest-Address", "in": "header", "schema": schema, "description": description}),
        );
    }
    if idempotent {
        let description =
            "A random text for each new request, the same when it is repeated. Required of API keys.";
        let schema = json!({"type": "string", "minLength": 1, "maxLength": 200,
            "pattern": r"^[\x20-\x7E]*[\x21-\x7E][\x20-\x7E]*$"});
        parameters.push(
            json!({"name": IDEMPOTENCY_KEY, "in": "header", "schema": schema, "description": description}),
        );
    }
    parameters
}

/// The operation's own codes from the line `codes: …` of its description, and those of everything it asks
/// for.
fn codes(operation: &mut Value, open: bool, path: &str, idempotent: bool) -> BTreeSet<String> {
    let mut codes: BTreeSet<String> = ["UNKNOWN_ERROR", "UNAVAILABLE_SERVER"].map(str::to_owned).into();
    let description = operation["description"].as_str().unwrap_or_default().to_owned();
    let (own, rest): (Vec<&str>, Vec<&str>) =
        description.lines().partition(|line| line.trim_start().starts_with("codes:"));
    codes.extend(
        own.iter()
            .flat_map(|line| line.trim_start().trim_start_matches("codes:").split(','))
            .map(|code| code.trim().to_owned()),
    );
    let rest = rest.join("\n").trim().to_owned();
    if rest.is_empty() {
        operation.as_object_mut().map(|operation| operation.remove("description"));
    } else {
        operation["description"] = rest.into();
    }
    let mut add = |more: &[&str]| codes.extend(more.iter().map(|code| (*code).to_owned()));
    if !open {
        add(&[
            "USER_LOGIN_REQUIRED",
            "USER_TOKEN_EXPIRED",
            "USER_INVALID_TOKEN",
            "API_KEY_INVALID",
            "USER_PERMISSION_REQUIRED",
            "FOREIGN_ORIGIN",
            "TOO_MANY_REQUESTS",
        ]);
    }
    if path.contains("{partner_id}") {
        let missing =
            if path.contains("{restaurant_id}") { "RESTAURANT_NOT_EXIST" } else { "PARTNER_NOT_EXIST" };
        add(&[missing, "PARTNER_SUSPENDED", "PARTNER_IN_MAINTENANCE", "SUPPORT_ACCESS_REQUIRED"]);
    }
    if path.contains("{restaurant_id}") && !open {
        // What is switched off there, the light client itself among it.
        add(&["FEATURE_NOT_AVAILABLE"]);
    }
    if !operation["requestBody"].is_null() {
        add(&["BAD_REQUEST", "TOO_LARGE", "MEDIA_TYPE_NOT_SUPPORTED", "VALIDATION_FAILED"]);
    }
    if idempotent {
        add(&[
            "IDEMPOTENCY_KEY_REQUIRED",
            "IDEMPOTENCY_KEY_REUSED",
            "IDEMPOTENCY_IN_PROGRESS",
            "BAD_REQUEST",
        ]);
    }
    let refusable = |one: &Value| one["in"] == "query" || one["in"] == "path";
    if operation["parameters"].as_array().is_some_and(|parameters| parameters.iter().any(refusable)) {
        add(&["VALIDATION_FAILED"]);
    }
    codes
}

fn problem_schema() -> Value {
    let text = json!({"type": "string"});
    json!({
        "type": "object",
        "description": "An error (RFC 9457). `type` leads to a page that explains the code.",
        "required": ["type", "title", "status", "code", "keys", "request_id"],
        "properties": {
            "type": text, "title": text, "status": {"type": "integer"}, "code": text, "request_id": text,
            "detail": {"type": "string"},
            "keys": {"type": "array", "items": text, "description": "Fields at fault, as dotted paths."},
            "faults": {"type": "array", "items": {"type": "object", "properties": {"key": text, "fault": text,
                "limit": {"type": "integer"}}}},
            "current": {"type": "object", "description": "The current row, with CONFLICT."},
            "reasons": {"type": "array", "items": {"type": "object"},
                "description": "With ORDER_NOT_ACCEPTABLE."},
            "quote": {"type": "object", "description": "With ORDER_PRICE_CHANGED."},
            "quoted": {"type": "object", "description": "With ORDER_PRICE_CHANGED: what the order had sent."},
            "difference": {"type": "object", "description": "With ORDER_PRICE_CHANGED: the first thing that \
                differs: `field` (`total_price`, `lines`, `items`, `gift_choices`), `index`, and both values as \
                `quoted` and `quote`."},
            "phone": {"type": "string", "nullable": true, "description": "With TOO_MANY_WAITING_ORDERS: \
                where the guest may call."},
        },
    })
}

fn problem_responses() -> Value {
    let mut statuses: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
    for code in Code::ALL {
        statuses.entry(code.status()).or_default().push(code.name());
    }
    let responses = statuses.into_iter().map(|(status, codes)| {
        let content =
            json!({"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}});
        (format!("Problem{status}"), json!({"description": codes.join(", "), "content": content}))
    });
    responses.collect::<Map<_, _>>().into()
}

/// The schemas of bodies of `PUT`: `Body` refuses `null` there for what is not nullable.
fn changes(document: &Value) -> BTreeSet<String> {
    let puts = document["paths"].as_object().into_iter().flatten().filter_map(|(_, item)| item.get("put"));
    let references = puts.filter_map(|operation| {
        operation.pointer("/requestBody/content/application~1json; charset=utf-8/schema/$ref")?.as_str()
    });
    references.filter_map(|reference| reference.rsplit('/').next().map(str::to_owned)).collect()
}

/// The schemas of bodies that API keys send, with all that they consist of: there a field that is not known
/// is refused.
fn closed(document: &Value) -> Vec<String> {
    let operations = document["paths"]
        .as_object()
        .into_iter()
        .flatten()
        .flat_map(|(_, item)| item.as_object().into_iter().flatten());
    let bodies = operations
        .filter(|(_, operation)| operation.get("x-api-scope").is_some())
        .map(|(_, operation)| &operation["requestBody"]);
    let schemas = &document["components"]["schemas"];
    let mut closed: BTreeSet<&str> = BTreeSet::new();
    let mut unread: Vec<&Value> = bodies.collect();
    while let Some(value) = unread.pop() {
        for name in references(value) {
            if closed.insert(name) {
                unread.extend(schemas.get(name));
            }
        }
    }
    let objects = closed.into_iter().filter(|name| schemas[name]["properties"].is_object());
    objects.map(str::to_owned).collect()
}

/// What is not required may be `null`, except in a `change`, whose types say it; ids say what they refer to.
fn mark(value: &mut Value, change: bool) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| mark(item, change)),
        Value::Object(map) => {
            map.values_mut().for_each(|value| mark(value, change));
            // poem-openapi repeats these as a part of its own; beside what stands next to it it says nothing.
            if let Some(parts) = map.get_mut("allOf").and_then(Value::as_array_mut) {
                parts.retain(|part| {
                    part.as_object().is_none_or(|part| {
                        part.keys().any(|key| !matches!(key.as_str(), "description" | "nullable"))
                    })
                });
            }
            if let Some(reference) = map
                .get("title")
                .and_then(Value::as_str)
                .and_then(|title| title.strip_prefix("ref:"))
                .map(str::to_owned)
            {
                map.remove("title");
                map.insert("x-ref".to_owned(), reference.into());
            }
            if change || map.get("type") != Some(&json!("object")) {
                return;
            }
            let required: Vec<Value> =
                map.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
            for (name, property) in
                map.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten()
            {
                // Where there is a default, null stands for it, as absence does.
                if required.contains(&json!(name)) {
                    continue;
                }
                if property.get("$ref").is_some() {
                    *property = json!({"allOf": [property.clone()], "nullable": true});
                } else if let Some(property) = property.as_object_mut() {
                    property.insert("nullable".to_owned(), true.into());
                }
            }
        }
        _ => {}
    }
}

/// Writes into the schemas what `Body` requires of every text and integer.
fn tell_rules(document: &mut Value) {
    let schemas = &document["components"]["schemas"];
    let operations = || {
        document["paths"].as_object().into_iter().flatten().filter_map(|(_, item)| item.as_object()).flatten()
    };
    let mut unread: Vec<&Value> = operations().map(|(_, operation)| &operation["requestBody"]).collect();
    let mut sent: BTreeSet<String> = BTreeSet::new();
    while let Some(value) = unread.pop() {
        for name in references(value) {
            if sent.insert(name.to_owned()) {
                unread.extend(schemas.get(name));
            }
        }
    }
    for (name, schema) in document["components"]["schemas"].as_object_mut().into_iter().flatten() {
        if sent.contains(name) {
            tell_rule(schema, false);
        }
    }
    for (_, item) in document["paths"].as_object_mut().into_iter().flatten() {
        for (_, operation) in item.as_object_mut().into_iter().flatten() {
            // A form stands where it is sent; other bodies are references.
            let forms = operation.pointer_mut("/requestBody/content").and_then(Value::as_object_mut);
            for (_, media) in forms.into_iter().flatten() {
                tell_rule(&mut media["schema"], false);
            }
            for parameter in operation["parameters"]
                .as_array_mut()
                .into_iter()
                .flatten()
                .filter(|one| one["in"] != "header")
            {
                let schema = &mut parameter["schema"];
                if is_free_text(schema) && schema.get("pattern").is_none() {
                    schema["pattern"] = NO_NUL.into();
                }
                tell_rule(schema, false);
            }
        }
    }
}

/// What the service asks of every text of a path or a query.
const NO_NUL: &str = r"^[^\x00]*$";

fn is_free_text(schema: &Value) -> bool {
    schema["type"] == "string" && schema.get("enum").is_none() && schema.get("format").is_none()
}

fn tell_rule(schema: &mut Value, required: bool) {
    if is_free_text(schema) {
        let own = schema["pattern"].as_str().unwrap_or(text::ONE_LINE).to_owned();
        let some = required || schema["minLength"].as_u64().is_some_and(|min| min > 0);
        schema["pattern"] = if some { text::not_blank(&own).unwrap_or(&own) } else { &own }.into();
    } else if schema["type"] == "integer"
        && let Some((min, max)) = kernel::integer_bounds(schema["format"].as_str())
    {
        for (rule, bound) in [("minimum", min), ("maximum", max)] {
            if schema.get(rule).is_none() {
                schema[rule] = bound.into();
            }
        }
    }
    let required: Vec<String> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|name| Some(name.as_str()?.to_owned()))
        .collect();
    for (name, property) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten()
    {
        tell_rule(property, required.contains(name));
    }
    if let Some(items) = schema.get_mut("items") {
        tell_rule(items, false);
    }
}

fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => map
            .into_iter()
            .map(|(key, value)| (key, sorted(value)))
            .collect::<BTreeMap<_, _>>()
            .into_iter()
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(items) => items.into_iter().map(sorted).collect::<Vec<_>>().into(),
        other => other,
    }
}

/// The part that an API key may call, with the schemas it needs.
#[must_use]
pub fn public(whole: &Value) -> Value {
    let paths = whole["paths"].as_object().into_iter().flatten().filter_map(|(path, item)| {
        let open = only(item, |_, operation| operation.get("x-api-scope").is_some());
        (!open.is_empty()).then(|| (path.clone(), open.into()))
    });
    let mut paths = Value::Object(paths.collect());
    for parameter in paths
        .as_object_mut()
        .into_iter()
        .flatten()
        .flat_map(|(_, item)| item.as_object_mut().into_iter().flatten())
        .flat_map(|(_, operation)| operation["parameters"].as_array_mut().into_iter().flatten())
    {
        // People may leave it out, keys may not.
        if parameter["name"] == IDEMPOTENCY_KEY {
            parameter["required"] = true.into();
        }
    }
    let schemas = &whole["components"]["schemas"];
    let mut needed: BTreeSet<&str> = ["Problem"].into();
    let mut unread = vec![&paths];
    while let Some(value) = unread.pop() {
        for name in references(value) {
            if needed.insert(name) {
                unread.extend(schemas.get(name));
            }
        }
    }
    let schemas = only(schemas, |name, _| needed.contains(name));
    let mut document = Value::Object(only(whole, |name, _| name != "paths" && name != "components"));
    document["paths"] = paths;
    document["components"] = only(&whole["components"], |name, _| name != "schemas").into();
    document["components"]["schemas"] = schemas.into();
    document["info"]["description"] =
        "What an API key may call: reading the menu, asking for a quote, sending orders and following them."
            .into();
    sorted(document)
}

/// Copies of the fields that are wanted: an object's others can be many times as large.
fn only(object: &Value, wanted: impl Fn(&str, &Value) -> bool) -> Map<String, Value> {
    let fields = object.as_object().into_iter().flatten().filter(|(name, value)| wanted(name, value));
    fields.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn references(value: &Value) -> Vec<&str> {
    match value {
        Value::Object(map) => {
            let own = map
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|one| one.strip_prefix("#/components/schemas/"));
            own.into_iter().chain(map.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}
