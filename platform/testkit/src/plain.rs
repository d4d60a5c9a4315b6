//! What every plain resource of a restaurant must fulfil, tested with the fields that the document describes.

use poem::http::Method;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::{Client, Place, client::DOCUMENT, kit};

/// The operations of one resource, found in the document by its name.
struct Plain {
    name: String,
    /// Its list, below the restaurant.
    path: String,
    /// The path's parameter that names the row above, and that row's id.
    parent: Option<(String, String)>,
    permission: String,
    /// `OPTION_GROUP_NOT_EXIST`.
    not_exist: String,
    new: Value,
    change: Value,
    answer: Value,
}

/// Creates, reads, lists, filters, changes, ranks and deletes rows of a plain resource through the API, and
/// checks what holds for all of them: permission, other restaurants and partners, bad bodies, references,
/// repeats, versions, audit log.
pub async fn plain_resource(name: &str) {
    let mut plain = Plain::find(name);
    let here = kit().await.restaurant().await;
    plain.add_parent(&here).await;
    let there = kit().await.restaurant().await;
    let admin = here.with_keys(&["admin_login", &plain.permission]).await;
    let rows = Box::pin(plain.creates(&here, &admin)).await;
    plain.filters(&admin, &rows).await;
    plain.refuses_bad_bodies(&here, &there, &admin).await;
    let changes = plain.changes(&here, &admin, &rows[0]).await;
    plain.ranks(&admin, &rows).await;
    plain.is_closed_to_others(&here, &there, &rows[0]).await;
    plain.deletes(&here, &admin, &rows[0], changes).await;
}

fn operation(resource: &str, action: &str) -> Option<(&'static str, &'static str, &'static Value)> {
    let paths = DOCUMENT["paths"].as_object()?;
    let all = paths.iter().flat_map(|(path, item)| {
        item.as_object().into_iter().flatten().map(move |(method, one)| (path.as_str(), method.as_str(), one))
    });
    all.into_iter().find(|(_, _, one)| one["x-resource"] == resource && one["x-action"] == action)
}

/// A schema with its reference followed.
fn follow(schema: &Value) -> &Value {
    let reference = schema["$ref"].as_str().or_else(|| schema["allOf"][0]["$ref"].as_str());
    match reference.and_then(|reference| reference.rsplit('/').next()) {
        Some(name) => &DOCUMENT["components"]["schemas"][name],
        None => schema,
    }
}

fn content(holder: &Value) -> Value {
    let content = holder["content"].as_object().expect("content");
    follow(&content.values().next().expect("a media type")["schema"]).clone()
}

fn fields(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flatten().filter(|(name, _)| *name != "version")
}

fn required(schema: &Value, name: &str) -> bool {
    schema["required"].as_array().is_some_and(|names| names.iter().any(|one| one == name))
}

/// A value that this schema takes; another one for each `seed`.
async fn sample(place: &Place<'_>, schema: &Value, seed: u64) -> Option<Value> {
    if let Some(resource) = schema["x-ref"].as_str() {
        return Box::pin(reference(place, resource, seed)).await;
    }
    let schema = follow(schema);
    if let Some(values) = schema["enum"].as_array() {
        return values.get(usize::try_from(seed).unwrap() % values.len()).cloned();
    }
    let low = schema["minimum"].as_f64().unwrap_or(0.0).max(0.0);
    let high = schema["maximum"].as_f64().unwrap_or(1e6);
    match (schema["type"].as_str()?, schema["format"].as_str()) {
        ("boolean", _) => Some(json!(seed.is_multiple_of(2))),
        #[allow(clippy::cast_possible_truncation, reason = "small limits of a schema")]
        ("integer", _) => Some(json!((low as i64 + i64::try_from(seed).unwrap()).min(high as i64))),
        // Two decimals and whole, so that it fits a price in forints too; exactness is the business of the
        // kernel's tests.
        ("number", _) => {
            Some(serde_json::from_str(&format!("{}.00", (low + seed as f64).min(high).trunc())).unwrap())
        }
        ("string", Some("date-time")) => Some(json!(format!("2030-01-{:02}T10:00:00.000Z", seed % 28 + 1))),
        ("string", Some("date")) => Some(json!(format!("2030-01-{:02}", seed % 28 + 1))),
        ("string", Some("uuid")) => Some(json!(Uuid::now_v7())),
        ("string", None) => text(schema, seed),
        _ => None,
    }
}

fn text(schema: &Value, seed: u64) -> Option<Value> {
    let long = format!("Próba {seed} őű");
    let candidates = [
        long,
        format!("{seed:02}:30"),
        format!("a{seed}@example.com"),
        format!("#{seed:06}"),
        format!("{seed:04}"),
        format!("{}", seed % 10),
        "HU".to_owned(),
    ];
    let max = schema["maxLength"].as_u64().unwrap_or(1000);
    let pattern = schema["pattern"].as_str().map(|pattern| regex::Regex::new(pattern).expect("a pattern"));
    let fits = |text: &String| {
        text.chars().count() as u64 <= max && pattern.as_ref().is_none_or(|pattern| pattern.is_match(text))
    };
    candidates.into_iter().find(fits).map(Value::from)
}

/// A row of a referenced resource in this restaurant, made for the purpose; none where it is reference data.
async fn reference(place: &Place<'_>, resource: &str, seed: u64) -> Option<Value> {
    let (path, _, create) = operation(resource, "create")?;
    // Uploads (pictures) have no body that could be made from a schema.
    let takes_json = create["requestBody"]["content"]
        .as_object()
        .is_some_and(|content| content.keys().all(|kind| kind.starts_with("application/json")));
    if create["x-scope"] != "restaurant" || path.matches('{').count() > 2 || !takes_json {
        return None;
    }
    let (admin, schema) = (place.admin().await, content(&create["requestBody"]));
    let body = body(place, &schema, seed + 10, true).await;
    let row = admin.post(&short(path)).json(body).send().await.assert(201).json();
    Some(row["id"].clone())
}

/// The path below the restaurant.
fn short(path: &str) -> String {
    path.split_once("{restaurant_id}").expect("a restaurant's path").1.to_owned()
}

/// A body with every field that can be filled, or only those that must.
async fn body(place: &Place<'_>, schema: &Value, seed: u64, least: bool) -> Value {
    let mut body = Map::new();
    for (name, field) in fields(schema) {
        if least && !required(schema, name) {
            continue;
        }
        match sample(place, field, seed).await {
            Some(value) => _ = body.insert(name.clone(), value),
            None => assert!(!required(schema, name), "testkit cannot make a value for {name}: {field}"),
        }
    }
    body.into()
}

/// The row has what was sent. People's names stand last name first, as Hungarian names are written.
#[track_caller]
fn same(sent: &Value, row: &Value) {
    for (name, value) in sent.as_object().expect("an object") {
        let (one, other) = (value.to_string(), row[name].to_string());
        let equal = match (one.parse::<f64>(), other.parse::<f64>()) {
            (Ok(one), Ok(other)) => (one - other).abs() < 1e-9,
            _ => one == other,
        };
        assert!(equal, "{name}: {one} became {other}");
    }
    if let (Some(first), Some(last), Some(whole)) =
        (row["first_name"].as_str(), row["last_name"].as_str(), row["name"].as_str())
    {
        assert_eq!(whole, format!("{last} {first}"));
    }
}

/// As it stands in a query.
fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

impl Plain {
    fn find(name: &str) -> Self {
        let get = |action: &str| {
            operation(name, action).unwrap_or_else(|| panic!("{name} has no operation {action}"))
        };
        let (path, _, create) = get("create");
        let (_, _, update) = get("update");
        let not_exist = |code: &&Value| code.as_str().is_some_and(|code| code.ends_with("_NOT_EXIST"));
        let codes = get("get").2["x-codes"].as_array().expect("codes");
        // A list misses only the row above.
        let above = get("list").2["x-codes"].as_array().expect("codes");
        Self {
            name: name.to_owned(),
            path: short(path),
            parent: None,
            permission: create["x-permission"][0].as_str().expect("a permission").to_owned(),
            not_exist: codes
                .iter()
                .find(|code| not_exist(code) && !above.contains(code))
                .and_then(Value::as_str)
                .expect("its own NOT_EXIST")
                .to_owned(),
            new: content(&create["requestBody"]),
            change: content(&update["requestBody"]),
            answer: content(&create["responses"]["201"]),
        }
    }

    /// Adds the row that these rows lie below, when the path names one.
    async fn add_parent(&mut self, here: &Place<'_>) {
        let (_, _, create) = operation(&self.name, "create").expect("an operation create");
        let above = create["parameters"].as_array().into_iter().flatten().find(|one| {
            let name = one["name"].as_str().unwrap_or_default();
            one["in"] == "path" && self.path.contains(&format!("{{{name}}}"))
        });
        let Some(above) = above else { return };
        let (name, resource) = (above["name"].as_str(), follow(&above["schema"])["x-ref"].as_str());
        let (name, resource) = (name.expect("a name"), resource.expect("a resource"));
        let id = reference(here, resource, 1).await.expect("a row above");
        self.parent = Some((format!("{{{name}}}"), id.as_str().expect("an id").to_owned()));
        self.path = self.filled(&self.path);
    }

    /// The path with the id of the row above.
    fn filled(&self, path: &str) -> String {
        self.parent.as_ref().map_or_else(|| path.to_owned(), |(name, id)| path.replace(name, id))
    }

    fn row(&self, row: &Value) -> String {
        format!("{}/{}", self.path, row["id"].as_str().expect("an id"))
    }

    async fn list(&self, client: &Client<'_>) -> Vec<Value> {
        client.get(&self.path).send().await.assert(200).json().as_array().expect("a list").clone()
    }

    /// Three rows, the second with the least that must be sent.
    async fn creates(&self, here: &Place<'_>, admin: &Client<'_>) -> Vec<Value> {
        let mut rows = Vec::new();
        for seed in 1..=3 {
            let body = body(here, &self.new, seed, seed == 2).await;
            let row = admin
                .post(&self.path)
                .key(&format!("plain-{seed}"))
                .json(body.clone())
                .send()
                .await
                .assert(201)
                .json();
            same(&body, &row);
            assert_eq!(row["version"], 1);
            let again = admin
                .post(&self.path)
                .key(&format!("plain-{seed}"))
                .json(body.clone())
                .send()
                .await
                .assert(201);
            assert_eq!(again.json(), row, "a repeat gets the first answer");
            assert_eq!(admin.get(&self.row(&row)).send().await.assert(200).json(), row);
            let mut other = body;
            other["unknown"] = json!(1);
            let reused = admin.post(&self.path).key(&format!("plain-{seed}")).json(other).send().await;
            reused.assert_problem(409, "IDEMPOTENCY_KEY_REUSED");
            rows.push(row);
        }
        assert_eq!(self.list(admin).await.len(), rows.len(), "each was added once");
        let counted = admin.get(&format!("{}?count=true&limit=2&page=1", self.path)).send().await.assert(200);
        assert_eq!(
            (counted.header("x-total-count"), counted.json().as_array().unwrap().len()),
            (Some("3"), 1)
        );
        rows
    }

    async fn ids(&self, client: &Client<'_>, query: &str) -> Vec<Value> {
        let found = client.get(&format!("{}?{query}", self.path)).send().await.assert(200).json();
        found.as_array().expect("a list").iter().map(|row| row["id"].clone()).collect()
    }

    /// Each query parameter that is a field finds the rows with its value; `name` finds parts of it, accents
    /// and case ignored.
    async fn filters(&self, admin: &Client<'_>, rows: &[Value]) {
        let (_, _, list) = operation(&self.name, "list").expect("a list");
        let parameters =
            list["parameters"].as_array().into_iter().flatten().filter(|one| one["in"] == "query");
        for parameter in parameters
            .filter(|one| !["limit", "page", "count"].contains(&one["name"].as_str().unwrap_or_default()))
        {
            let field = parameter["name"].as_str().expect("a name");
            for row in rows.iter().filter(|row| !row[field].is_null()) {
                let value = row[field].as_str().map_or_else(|| row[field].to_string(), str::to_owned);
                let alike = |one: &&Value| {
                    if field == "name" { one["id"] == row["id"] } else { one[field] == row[field] }
                };
                let expected: Vec<Value> = rows.iter().filter(alike).map(|row| row["id"].clone()).collect();
                assert_eq!(
                    self.ids(admin, &format!("{field}={}", encoded(&value))).await,
                    expected,
                    "{field}={value}"
                );
                if field == "name" {
                    let plain = |letter| match letter {
                        'ó' | 'ő' => 'o',
                        'ű' => 'u',
                        other => other,
                    };
                    let bare: String = value.chars().map(plain).collect();
                    for spelling in [value.to_uppercase(), bare] {
                        assert_eq!(
                            self.ids(admin, &format!("name={}", encoded(&spelling))).await,
                            expected,
                            "{spelling}"
                        );
                    }
                }
            }
            if field == "name" {
                assert!(self.ids(admin, "name=%25").await.is_empty(), "% is a sign like others");
            } else if follow(&parameter["schema"])["enum"].is_array() {
                admin
                    .get(&format!("{}?{field}=nonsense", self.path))
                    .send()
                    .await
                    .assert_problem(422, "VALIDATION_FAILED");
            }
        }
    }

    async fn refuses_bad_bodies(&self, here: &Place<'_>, there: &Place<'_>, admin: &Client<'_>) {
        let before = here.count("audit").await;
        let must: Vec<&str> = fields(&self.new)
            .map(|(name, _)| name.as_str())
            .filter(|name| required(&self.new, name))
            .collect();
        admin.post(&self.path).json(json!({})).send().await.assert_keys(&must);
        let all: Vec<&str> = fields(&self.new).map(|(name, _)| name.as_str()).collect();
        let wrong: Map<String, Value> =
            all.iter().map(|name| ((*name).to_owned(), json!({"wrong": []}))).collect();
        admin.post(&self.path).json(wrong.into()).send().await.assert_keys(&all);
        for (name, field) in fields(&self.new) {
            let Some(resource) = field["x-ref"].as_str() else { continue };
            for foreign in
                [Some(json!(Uuid::now_v7())), reference(there, resource, 5).await].into_iter().flatten()
            {
                let mut sent = body(here, &self.new, 5, true).await;
                sent[name] = foreign.clone();
                admin.post(&self.path).json(sent).send().await.assert_keys(&[name]);
                let path = self.row(&self.list(admin).await[0]);
                admin.put(&path).json(json!({ name: foreign })).send().await.assert_keys(&[name]);
            }
        }
        assert_eq!(here.count("audit").await, before, "refused requests leave nothing behind");
    }

    /// Changes the row, and answers how many times something became different.
    async fn changes(&self, here: &Place<'_>, admin: &Client<'_>, row: &Value) -> usize {
        let path = self.row(row);
        let sent = body(here, &self.change, 7, false).await;
        let after = admin.put(&path).json(sent.clone()).send().await.assert(200).json();
        same(&sent, &after);
        assert_eq!(after["version"], 2);
        let problem =
            admin.put(&path).json(json!({"version": 1})).send().await.assert_problem(409, "CONFLICT").json();
        assert_eq!(problem["current"], after);
        // What the answer may leave empty, null empties; what is absent stays.
        let cleared: Map<String, Value> = sent
            .as_object()
            .unwrap()
            .keys()
            .filter(|name| !required(&self.answer, name))
            .map(|name| (name.clone(), Value::Null))
            .collect();
        let mut expected = after.clone();
        expected.as_object_mut().unwrap().extend(cleared.clone());
        expected["version"] = json!(3);
        let changes = if cleared.is_empty() { 1 } else { 2 };
        assert_eq!(admin.put(&path).json(cleared.into()).send().await.assert(200).json(), expected);
        changes
    }

    async fn ranks(&self, admin: &Client<'_>, rows: &[Value]) {
        let Some((path, _, rank)) = operation(&self.name, "rank") else { return };
        let schema = content(&rank["requestBody"]);
        let key = fields(&schema).next().expect("the list of ids").0;
        let ids: Vec<Value> = rows.iter().rev().map(|row| row["id"].clone()).collect();
        let path = self.filled(&short(path));
        admin.put(&path).json(json!({ key: ids })).send().await.assert(204);
        assert_eq!(self.list(admin).await.iter().map(|row| row["id"].clone()).collect::<Vec<_>>(), ids);
        let faulty = json!({ key: [ids[0], ids[0], Uuid::now_v7()] });
        admin.put(&path).json(faulty).send().await.assert_keys(&[&format!("{key}.1"), &format!("{key}.2")]);
        // All rows or none: with some left out two would share a place.
        let some = json!({ key: [ids[0]] });
        admin.put(&path).json(some).send().await.assert_keys(&[key]);
        assert_eq!(self.list(admin).await.iter().map(|row| row["id"].clone()).collect::<Vec<_>>(), ids);
    }

    async fn is_closed_to_others(&self, here: &Place<'_>, there: &Place<'_>, row: &Value) {
        let path = self.row(row);
        let calls = || {
            [
                (Method::GET, path.clone(), None),
                (Method::PUT, path.clone(), Some(json!({}))),
                (Method::DELETE, path.clone(), None),
            ]
        };
        let lists =
            || [(Method::GET, self.path.clone(), None), (Method::POST, self.path.clone(), Some(json!({})))];
        let neighbour = there.admin().await;
        if self.parent.is_some() {
            neighbour.get(&self.path).send().await.assert(404);
        } else {
            let seen = self.list(&neighbour).await;
            assert!(!seen.iter().any(|one| one["id"] == row["id"]), "a neighbour's list shows it");
        }
        for (method, path, body) in calls() {
            let answer = neighbour.send(method, &path, body).await;
            if self.parent.is_some() {
                answer.assert(404);
            } else {
                answer.assert_problem(404, &self.not_exist);
            }
        }
        let stranger = kit().await.stranger().await.admin().await;
        let keyless = here.with_keys(&["admin_login"]).await;
        let own = format!("/api/v3/admin/partners/{}/restaurants/{}", here.partner, here.restaurant);
        for (method, path, body) in calls().into_iter().chain(lists()) {
            stranger
                .send(method.clone(), &format!("{own}{path}"), body.clone())
                .await
                .assert_problem(404, "RESTAURANT_NOT_EXIST");
            keyless
                .send(method.clone(), &path, body.clone())
                .await
                .assert_problem(403, "USER_PERMISSION_REQUIRED");
            here.nobody().send(method, &path, body).await.assert_problem(401, "USER_LOGIN_REQUIRED");
        }
    }

    async fn deletes(&self, here: &Place<'_>, admin: &Client<'_>, row: &Value, changes: usize) {
        let path = self.row(row);
        admin.delete(&path).send().await.assert(204);
        for (method, body) in [(Method::GET, None), (Method::PUT, Some(json!({}))), (Method::DELETE, None)] {
            admin.send(method, &path, body).await.assert_problem(404, &self.not_exist);
        }
        assert!(!self.list(admin).await.iter().any(|one| one["id"] == row["id"]));
        let sql = format!(
            "select string_agg(action, ',' order by id) actions from {}.audit where record_id = $1",
            here.schema
        );
        let id: Uuid = row["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
        let actions: String = here.kit.row(&sql, vec![id.into()]).await.try_get("", "actions").unwrap();
        let verbs = ["create"].into_iter().chain(std::iter::repeat_n("update", changes)).chain(["delete"]);
        let expected: Vec<String> = verbs.map(|verb| format!("{}_{verb}", self.name)).collect();
        assert_eq!(actions, expected.join(","));
    }
}
