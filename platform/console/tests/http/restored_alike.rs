//! An archive restored into a new partner: its export is the same except for what the manifest lists, and it
//! answers alike.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use futures_util::{StreamExt, stream};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};
use testkit::{Client, DOCUMENT};
use uuid::Uuid;

use super::{
    archives::assert_later_menus,
    becomes,
    exports::{export, manifest, objects, pack, restore, unpack},
    running,
    sample_partner::{SamplePartner, sample_partner},
    unique, work_off,
};

type Files = BTreeMap<String, Vec<u8>>;

const REQUESTS: usize = 2_400;

/// Reading operations that say nothing of one partner's data, or nothing to anybody there, each with the reason.
const NOT_OF_A_PARTNER: &[(&str, &str)] = &[
    ("start_up_get", "the installation's"),
    ("allergens_list", "the installation's"),
    ("permissions_list", "the installation's"),
    ("pos_colors_list", "the installation's"),
    ("role_templates_list", "the installation's"),
    ("vats_list", "the installation's"),
    ("vats_get", "the installation's"),
    ("ntak_categories_list", "the installation's"),
    ("ntak_categories_get", "the installation's"),
    ("my_announcements_list", "the installation's"),
    ("announcements_list", "the installation's"),
    ("announcements_get", "the installation's"),
    ("my_release_infos_list", "the installation's"),
    ("release_infos_list", "the installation's"),
    ("release_infos_get", "the installation's"),
    ("documentation_files_list", "the installation's"),
    ("documentation_files_download", "the installation's"),
    ("menu_imports_template", "the same for all; the file says when it was made"),
    ("payment_reconciliations_workbook", "the file says when it was made"),
    ("discount_series_export", "the file says when it was made; its rows are those of discount_series_list"),
    ("discount_usages_list", "asks for a PIN: archives have none"),
    ("shadow_customers_list", "asks for a PIN: archives have none"),
    ("shadow_customers_get", "asks for a PIN: archives have none"),
    ("shadow_customer_orders_list", "asks for a PIN: archives have none"),
    ("shadow_customer_balances_list", "asks for a PIN: archives have none"),
    ("shadow_customer_balance_list", "asks for a PIN: archives have none"),
    ("shadow_customer_balance_sum", "asks for a PIN: archives have none"),
    ("shadow_customer_points_list", "asks for a PIN: archives have none"),
    ("shadow_customer_points_sum", "asks for a PIN: archives have none"),
    ("shadow_customers_export", "asks for a PIN: archives have none"),
    ("documentations_list", "the installation's"),
    ("documentations_get", "the installation's"),
    ("help_centre_show", "the installation's"),
    ("device_self", "a device's, with its own secret"),
    ("device_board", "a device's, with its own secret"),
    ("me_get", "the person's, with all partners"),
    ("my_sessions_list", "the person's"),
    ("sessions_password_link", "opened by a secret of the person's"),
    ("invitations_get", "opened by a secret of the person's"),
    ("exports_download", "opened by a secret of the installation's"),
    ("export_files_download", "opened by a secret of the installation's"),
    ("exports_list", "exports are left out of archives"),
    ("platform_exports_list", "exports are left out of archives"),
    ("jobs_list", "jobs are left out of archives"),
    ("operating_get", "it tells of instances and their load, not of partners' data"),
    ("jobs_get", "jobs are left out of archives"),
    ("platform_audit_list", "the installation's log"),
    ("super_admins_list", "the installation's people"),
    ("super_admins_get", "the installation's people"),
    ("partners_list", "all partners"),
    ("platform_restaurants_list", "all partners"),
];

/// Fields of answers that must differ, each with the reason: the operation's id (or its beginning), the
/// field.
const DIFFER: &[(&str, &str, &str)] = &[
    ("partners_get", "name", "of two partners each has its own"),
    ("partners_get", "created_at", "the new one was made later"),
    ("partners_get", "size_bytes", "a table just loaded has no dead rows"),
    ("partners_get", "last_activity_at", "of the activity there"),
    ("menu_get", "version", "menus of before the restore must not pass for those of after it"),
    ("menu_file", "menu.version", "as the menu's"),
    ("menu_file", "made_at", "the moment of asking"),
    ("restaurants_", "catalogue_version", "the version of its menus"),
    ("menu_health_get", "catalogue_version", "the version of its menus"),
    ("menu_preview_get", "at", "the moment of asking"),
    ("ntak_proposals", "catalogue_version", "the version of its menus"),
    ("remote_ids", "remote_id", "drawn by chance"),
    ("sign_in_rules_get", "version", "of the partner, whose rules the restore has set"),
    ("admins_", "version", "of the row in the directory, by which evaluated grants are kept: begins anew"),
    (
        "partner_admins_",
        "version",
        "of the row in the directory, by which evaluated grants are kept: begins anew",
    ),
];

/// Puts ids in the place of others wherever they stand in a text.
struct IdMap(HashMap<String, String>);

impl IdMap {
    fn apply(&self, text: &str) -> String {
        let bytes = text.as_bytes();
        let (mut done, mut from, mut at) = (String::with_capacity(text.len()), 0, 0);
        while at + 36 <= bytes.len() {
            let shaped = [8, 13, 18, 23].iter().all(|dash| bytes[at + dash] == b'-');
            match shaped.then(|| text.get(at..at + 36)).flatten().and_then(|id| self.0.get(id)) {
                Some(id) => {
                    done += &text[from..at];
                    done += id;
                    at += 36;
                    from = at;
                }
                None => at += 1,
            }
        }
        done + &text[from..]
    }
}

/// What the manifest of a restored partner says: old ids by new, and new by old.
fn exchanges(second: &Files) -> (IdMap, IdMap) {
    let origin = manifest(second)["origin"]["ids"].clone();
    let pairs: Vec<(String, String)> = origin
        .as_object()
        .unwrap()
        .iter()
        .map(|(old, new)| (old.clone(), new.as_str().unwrap().to_owned()))
        .collect();
    (
        IdMap(pairs.iter().map(|(old, new)| (new.clone(), old.clone())).collect()),
        IdMap(pairs.into_iter().collect()),
    )
}

fn lines(text: &str) -> BTreeSet<&str> {
    text.lines().collect()
}

/// Both archives have the same in every file but in those that the second's manifest lists as renewed.
fn same_files(first: &Files, second: &Files, back: &IdMap) {
    assert_eq!(first.keys().collect::<Vec<_>>(), second.keys().collect::<Vec<_>>());
    assert_eq!(
        manifest(second)["origin"]["renewed"],
        json!(["tables/audit_seal.copy", "hashes of API keys"])
    );
    let rows = |name: &str| {
        manifest(first)["files"].as_array().unwrap().iter().find(|file| file["path"] == name).unwrap()["rows"]
            .as_u64()
            .unwrap()
    };
    let missing = |files: &Files| manifest(files)["missing_objects"].as_array().unwrap().clone();
    assert_eq!(missing(first), missing(second));
    assert!(!missing(first).is_empty() && !objects(first).is_empty(), "no pictures, so it proves nothing");
    assert!(first["objects.tar"] == second["objects.tar"], "the pictures differ");
    for (name, bytes) in
        second.iter().filter(|(name, _)| !["manifest.json", "objects.tar"].contains(&name.as_str()))
    {
        let (old, new) =
            (std::str::from_utf8(&first[name]).unwrap(), back.apply(std::str::from_utf8(bytes).unwrap()));
        assert!(rows(name) > 0 || name == "tables/audit_seal.copy", "{name} is empty, so it proves nothing");
        match name.as_str() {
            "tables/audit_seal.copy" => {}
            "directory/api_key.jsonl" => {
                let without = |text: &str| {
                    let keys = text.lines().map(|line| {
                        let mut key: Value = serde_json::from_str(line).unwrap();
                        let hash = key.as_object_mut().unwrap().remove("hash").unwrap();
                        key.as_object_mut().unwrap().remove("old_hash");
                        (key, hash)
                    });
                    keys.collect::<Vec<_>>()
                };
                for (old, new) in without(old).into_iter().zip(without(&new)) {
                    assert_eq!(old.0, new.0);
                    assert_ne!(old.1, new.1, "the key of the original must not open the other");
                }
                assert_eq!(old.lines().count(), new.lines().count());
            }
            "tables/restaurant.copy" => assert_later_menus(&manifest(first), old, &new),
            // What was done to the new partner since is a line more: that its export was ordered.
            "tables/audit.copy" | "tables/audit_detail.copy" => {
                let (old, new) = (lines(old), lines(&new));
                assert!(old.is_subset(&new), "{name}: {:?}", old.difference(&new).next());
                let more: Vec<_> = new.difference(&old).collect();
                assert_eq!(more.len(), 1, "{name}: {more:?}");
                assert!(name != "tables/audit.copy" || more[0].contains("exports_create"), "{more:?}");
            }
            _ => assert!(
                new == old,
                "{name} differs: {:?}",
                lines(old).symmetric_difference(&lines(&new)).collect::<Vec<_>>()
            ),
        }
    }
}

/// Rows of the old partner, by the segment of the path that stands before their id: id, restaurant, the row
/// above.
struct Pools(BTreeMap<&'static str, Vec<[Option<String>; 3]>>);

const TABLES: &[(&str, &str, &str)] = &[
    ("couriers", "courier", ""),
    ("delivery-regions", "delivery_region", ""),
    ("storno-reasons", "storno_reason", ""),
    ("streets", "delivery_street", "delivery_region_id"),
    ("discounts", "discount", ""),
    ("option-groups", "option_group", ""),
    ("options", "option", "option_group_id"),
    ("product-categories", "product_category", ""),
    ("products", "product", "product_category_id"),
    ("catalogue-changes", "product", ""),
    ("sellable-quantities", "subproduct", ""),
    ("orders", "orders", ""),
    ("payments", "payment_attempt", ""),
    ("payment-reconciliations", "payment_reconciliation", ""),
    ("closes", "drawer_close", ""),
    ("images", "media", ""),
    ("kiosks", "kiosk", ""),
    ("menu-imports", "menu_import", ""),
    ("push-notifications", "push_notification", ""),
    ("restaurant-holidays", "restaurant_holiday", ""),
    ("restaurant-tvs", "restaurant_tv", ""),
    ("provider-accounts", "provider_account", ""),
    ("terminal-schemes", "terminal_scheme", ""),
];

/// Answered with 200 only together with another company, or with a device, which is paired anew at the new
/// partner; and what finds nobody without a number that is known.
const ALONE: &[&str] = &[
    "devices_get",
    "geocode_search",
    "shadow_customers_by_phone",
    "sign_in_provider_get",
    "teya_begin",
    "teya_stores",
    "teya_terminals",
];

impl Pools {
    fn read(files: &Files) -> Self {
        let manifest = manifest(files);
        let mut pools = BTreeMap::new();
        for (segment, table, above) in TABLES {
            let path = format!("tables/{table}.copy");
            let columns = manifest["files"]
                .as_array()
                .unwrap()
                .iter()
                .find(|file| file["path"] == path.as_str())
                .unwrap()["columns"]
                .clone();
            let place = |name: &str| columns.as_array().unwrap().iter().position(|column| column == name);
            let places = ["id", "restaurant_id", above].map(place);
            let restaurants = place("restaurant_ids");
            let text = std::str::from_utf8(&files[&path]).unwrap();
            let row = |line: &str| {
                let value = |place: Option<usize>| place.and_then(|place| line.split('\t').nth(place));
                let [id, restaurant, above] = places.map(value);
                // A promotion names several.
                let first = value(restaurants).and_then(|ids| ids.get(1..37));
                [id, restaurant.or(first), above].map(|value| value.map(str::to_owned))
            };
            pools.insert(*segment, text.lines().map(row).collect());
        }
        for (segment, table) in [("admins", "admin"), ("api-keys", "api_key")] {
            let text = std::str::from_utf8(&files[&format!("directory/{table}.jsonl")]).unwrap();
            let row = |line: &str| {
                let row: Value = serde_json::from_str(line).unwrap();
                [
                    row["id"].as_str().map(str::to_owned),
                    row["restaurant_ids"][0].as_str().map(str::to_owned),
                    None,
                ]
            };
            pools.insert(segment, text.lines().map(row).collect());
        }
        Self(pools)
    }

    fn any(&self, random: &mut StdRng, segment: &str) -> String {
        self.0
            .get(segment)
            .and_then(|rows| rows.choose(random))
            .and_then(|row| row[0].clone())
            .unwrap_or_else(|| Uuid::nil().to_string())
    }
}

/// Calls whose parameters make sense together only.
const TOGETHER: &[(&str, &str)] = &[
    ("delivery_regions_check", "lat=47.5&lng=19.04"),
    ("public_delivery_check", "lat=47.5&lng=19.04"),
    ("orders_list", "name=a&storno=except"),
    ("delivery_regions_orders_map", "from=2026-01-01&till=2026-01-20"),
];

/// A caller; the same session knows both partners.
const PEOPLE: &[&str] = &["owner", "waiter", "nobody", "super"];

/// Draws requests from the reading operations of the document.
struct Draw<'a> {
    operations: Vec<(&'a str, &'a Value)>,
    schemas: &'a Value,
    pools: Pools,
    partner: String,
    restaurants: Vec<String>,
    till: String,
    random: StdRng,
}

/// A request: who, which operation, which path.
struct Request {
    who: usize,
    operation: String,
    path: String,
}

impl Draw<'_> {
    fn next(&mut self, nth: usize) -> Request {
        let (pattern, operation) = self.operations[nth % self.operations.len()];
        let name = operation["operationId"].as_str().unwrap().to_owned();
        let random = &mut self.random;
        // Mostly a row with what it lies in; now and then ids that do not belong together, or that nobody
        // has.
        let segments: Vec<&str> = pattern.split('/').collect();
        let last = segments
            .iter()
            .rposition(|part| part.starts_with('{'))
            .map(|at| segments[at - 1])
            .unwrap_or_default();
        let row = self.pools.0.get(last).and_then(|rows| rows.choose(random)).cloned().unwrap_or_default();
        let [id, restaurant, above] = row;
        let stray = random.random_range(0..10) == 0;
        let restaurant =
            restaurant.filter(|_| !stray).unwrap_or_else(|| self.restaurants.choose(random).unwrap().clone());
        let mut path = Vec::new();
        for (at, part) in segments.iter().enumerate() {
            path.push(match *part {
                "{partner_id}" => self.partner.clone(),
                "{restaurant_id}" => restaurant.clone(),
                part if !part.starts_with('{') => part.to_owned(),
                _ if segments[at - 1] != last => above
                    .clone()
                    .filter(|_| !stray)
                    .unwrap_or_else(|| self.pools.any(random, segments[at - 1])),
                _ if random.random_range(0..20) == 0 => Uuid::from_u128(random.random()).to_string(),
                _ => id.clone().unwrap_or_else(|| self.pools.any(random, last)),
            });
        }
        let mut path = path.join("/");
        let together = TOGETHER.iter().find(|(operation, _)| *operation == name).map(|(_, query)| *query);
        let mut query: Vec<String> = together.map(str::to_owned).into_iter().collect();
        for parameter in operation["parameters"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|_| together.is_none())
            .filter(|parameter| parameter["in"] == "query")
        {
            let key = parameter["name"].as_str().unwrap();
            if name.contains("audit") && key == "till" {
                // Later changes belong to each partner alone.
                query.push(format!("till={}", self.till));
            } else if parameter["required"] == true || self.random.random_bool(0.4) {
                query.push(format!("{key}={}", self.value(key, &parameter["schema"])));
            }
        }
        if !query.is_empty() {
            path = format!("{path}?{}", query.join("&"));
        }
        let permissions = operation["x-permission"].as_array().unwrap();
        let who = match permissions[0].as_str().unwrap() {
            "public" => self.random.random_range(0..3),
            "super_admin" => 3,
            _ if pattern.starts_with("/api/v3/super-admin") => 3,
            _ => usize::from(self.random.random_range(0..5) == 0),
        };
        Request { who, operation: name, path }
    }

    fn value(&mut self, key: &str, schema: &Value) -> String {
        const WORDS: &[&str] =
            &["a", "%C3%A9", "gulyas", "Futar", "minta", "kis", "nincs%20ilyen", "%25", ""];
        const ACTIONS: &[&str] =
            &["couriers", "couriers_create", "orders", "api_keys", "products_create", "nothing"];
        let random = &mut self.random;
        let named = schema["$ref"]
            .as_str()
            .or_else(|| schema["allOf"][0]["$ref"].as_str())
            .and_then(|name| name.rsplit('/').next());
        let schema = named.map_or(schema, |name| &self.schemas[name]);
        if let Some(values) = schema["enum"].as_array() {
            return values.choose(random).unwrap().as_str().unwrap().to_owned();
        }
        match key {
            "limit" => [1, 2, 3, 5, 50, 0][random.random_range(0..6)].to_string(),
            "page" => random.random_range(0..3).to_string(),
            "action" => (*ACTIONS.choose(random).unwrap()).to_owned(),
            "actor" => self.pools.any(random, "admins"),
            "parent_id" => self.pools.any(random, "product-categories"),
            "record_id" => {
                let kind = TABLES.choose(random).unwrap().0;
                self.pools.any(random, kind)
            }
            "from" | "till" if schema["format"] == "date" => "2026-01-01".to_owned(),
            "from" | "till" => self.till.clone(),
            _ if schema["type"] == "boolean" => random.random_bool(0.5).to_string(),
            _ => (*WORDS.choose(random).unwrap()).to_owned(),
        }
    }
}

/// Empties what must differ.
fn emptied(mut answer: Value, operation: &str, status: u16) -> Value {
    fn empty(value: &mut Value, field: &str) {
        match value {
            Value::Array(rows) => rows.iter_mut().for_each(|row| empty(row, field)),
            Value::Object(fields) => {
                let (first, rest) = field.split_once('.').unwrap_or((field, ""));
                match fields.get_mut(first) {
                    Some(value) if rest.is_empty() => *value = Value::Null,
                    Some(value) => empty(value, rest),
                    None => {}
                }
            }
            _ => {}
        }
    }
    for (_, field, _) in DIFFER.iter().filter(|(name, ..)| operation.starts_with(name)) {
        empty(&mut answer, field);
    }
    if status >= 400 {
        // Each request has its own.
        empty(&mut answer, "request_id");
    }
    answer
}

#[testkit::test]
async fn a_restored_partner_exports_the_same_and_answers_alike() {
    let SamplePartner { place, owner, waiter } = sample_partner().await;
    // A person whose password an admin chose is invited instead.
    place
        .kit
        .run(
            "update control.account set own = true, held_by = null where held_by = $1",
            vec![place.partner.into()],
        )
        .await;
    let admin = place.super_admin().await;
    let first = unpack(&export(&admin, &place.partner.to_string()).await);
    let archive = pack(&first.clone().into_iter().collect::<Vec<_>>());
    // PINs belong to the installation's keys and are left out: nobody has one afterwards.
    let without_pins = "update control.admin set pin_lookup = null, pin_hash = null where partner_id = $1";
    place.kit.run(without_pins, vec![place.partner.into()]).await;
    let restoring = running();
    let made = restore(&admin, &archive, &[("name", &unique("Visszaállított")), ("into", "new")])
        .await
        .assert(201)
        .json();
    let id = made["id"].as_str().unwrap().to_owned();
    assert_ne!(id, place.partner.to_string());
    let partner = becomes(&admin, &id, "active").await;
    work_off(&id).await;
    drop(restoring);
    assert_eq!((&partner["restaurants"], partner["error"].is_null()), (&json!(2), true));
    let rules = format!("/api/v3/admin/partners/{id}/sign-in-rules");
    let rules = owner.get(&rules).send().await.assert(200).json();
    assert_eq!((&rules["password_min_length"], &rules["idle_minutes"]), (&json!(8), &json!(600)));
    let second = unpack(&export(&admin, &id).await);
    let (back, forth) = exchanges(&second);
    same_files(&first, &second, &back);

    let document = &*DOCUMENT;
    let paths = document["paths"].as_object().unwrap();
    let all = paths.iter().filter_map(|(path, item)| Some((path.as_str(), item.get("get")?)));
    let listed =
        |operation: &Value| NOT_OF_A_PARTNER.iter().any(|(name, _)| operation["operationId"] == *name);
    let operations: Vec<_> = all.filter(|(_, operation)| !listed(operation)).collect();
    for (path, operation) in &operations {
        assert!(
            path.contains("{partner_id}") || path.contains("{restaurant_id}"),
            "{} is of no partner: list it with the reason",
            operation["operationId"]
        );
    }
    let exported = manifest(&first)["exported_at"].as_str().unwrap().to_owned();
    let all = manifest(&first)["ids"]["restaurants"].clone();
    let mut restaurants: Vec<String> =
        all.as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect();
    // One is archived, and answers 404 alone: the others are drawn more often.
    let live = format!("/api/v3/admin/partners/{}/restaurants", place.partner);
    let live = owner.get(&live).send().await.assert(200).json();
    for row in live.as_array().unwrap() {
        restaurants.extend(std::iter::repeat_n(row["id"].as_str().unwrap().to_owned(), 3));
    }
    let mut draw = Draw {
        schemas: &document["components"]["schemas"],
        pools: Pools::read(&first),
        partner: place.partner.to_string(),
        restaurants,
        till: exported.replace('+', "%2B"),
        random: StdRng::seed_from_u64(7306),
        operations,
    };
    let requests: Vec<Request> = (0..REQUESTS).map(|nth| draw.next(nth)).collect();
    let nobody = place.nobody();
    let people: [&Client<'_>; 4] = [&owner, &waiter, &nobody, &admin];
    let compare = |request: Request| {
        let (client, there) = (people[request.who], forth.apply(&request.path));
        let back = &back;
        async move {
            let (old, new) = (client.get(&request.path).send().await, client.get(&there).send().await);
            let text = back.apply(&new.text());
            let same = old.status == new.status
                && (text.as_bytes() == old.body || {
                    let read = |text: &[u8]| {
                        serde_json::from_slice::<Value>(text)
                            .ok()
                            .map(|answer| emptied(answer, &request.operation, old.status))
                    };
                    read(&old.body).is_some() && read(&old.body) == read(text.as_bytes())
                });
            let fault = (!same).then(|| {
                format!(
                    "{} as {}\n{} {}\n{} {text}",
                    request.path,
                    PEOPLE[request.who],
                    old.status,
                    old.text(),
                    new.status
                )
            });
            (request.operation, old.status, fault)
        }
    };
    let answers: Vec<_> = stream::iter(requests).map(compare).buffer_unordered(6).collect().await;
    let faults: Vec<&String> = answers.iter().filter_map(|(.., fault)| fault.as_ref()).collect();
    assert!(
        faults.is_empty(),
        "{} of {REQUESTS} answers differ: {}",
        faults.len(),
        faults.iter().take(4).map(|fault| format!("\n{fault}")).collect::<String>()
    );
    // Refusals alone would be alike too.
    let found: BTreeSet<&String> =
        answers.iter().filter(|(_, status, _)| *status == 200).map(|(name, ..)| name).collect();
    let requested: BTreeSet<&String> = answers.iter().map(|(name, ..)| name).collect();
    let never: Vec<_> = requested.difference(&found).filter(|name| !ALONE.contains(&name.as_str())).collect();
    assert!(
        never.is_empty(),
        "{never:?} never answered with 200: add the table to TABLES, or the call to ALONE"
    );
    let good = answers.iter().filter(|(_, status, _)| *status == 200).count();
    let alike = answers.iter().filter(|(name, ..)| !ALONE.contains(&name.as_str())).count();
    assert!(good > alike * 6 / 10, "only {good} of {alike} answers were good ones");
}
