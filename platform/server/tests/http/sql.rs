//! The SQL of the sources: every complete statement is prepared on a migrated database, and only the crate
//! that owns a table names it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    sync::LazyLock,
};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use regex::Regex;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use testkit::kit;

use crate::architecture::{root, sources};

/// A statement, or a part of one, as a string in the sources.
struct Sql {
    /// The crate's folder, `platform/orders`.
    owner: String,
    /// The file, below the repository.
    file: String,
    text: String,
    /// Part of a macro's pattern or text (`format!`, `concat!`): not whole by itself.
    composed: bool,
}

/// Statements that are put together while the service runs, by file: they cannot be prepared from the
/// sources. Tests of behaviour run them.
const COMPOSED: &[(&str, usize)] = &[
    ("platform/access/src/audit/log.rs", 1),
    ("platform/catalogue/src/copy.rs", 5),
    ("platform/catalogue/src/restaurant_defaults.rs", 1),
    ("platform/catalogue/src/menu/rows.rs", 1),
    ("platform/catalogue/src/option_groups/store.rs", 1),
    ("platform/catalogue/src/snapshot.rs", 2),
    ("platform/menu_import/src/store.rs", 1),
    ("platform/orders/src/read.rs", 3),
    ("platform/orders/src/store.rs", 1),
    ("platform/restaurants/src/facts.rs", 1),
    ("platform/statistics/src/exports/rows.rs", 4),
    ("tenants/src/export.rs", 2),
    ("tenants/src/remove.rs", 1),
    ("tenants/src/restore.rs", 6),
];

/// The error of the database when it cannot infer the type of a value. The service binds values with theirs.
const UNTYPED: &[&str] = &["42P18", "42P08"];

/// Whole statements that cannot be prepared, with the reason.
const NOT_PREPARED: &[(&str, &str)] = &[
    ("select admin or kiosk", "no statement: what a fault says"),
    (
        "insert into job (partner_id, kind, key, args) values ($1, $2, coalesce($3->>",
        "a value needs its type",
    ),
    (
        "insert into control.job (partner_id, kind, key, args) select $1, $2, id::text",
        "a value needs its type",
    ),
    (
        "with c as (update restaurant_counter set event_number",
        "begins a statement of `work::events::publishing`",
    ),
    ("with was as (select ", "begins a statement of `work::events::publishing`"),
    ("delete from control.attempt t using gone", "reads a table that the removal makes for itself"),
    ("select control.clear_credentials(ac.id) from control.account ac", "reads that table too"),
    ("delete from control.account ac using gone", "reads that table too"),
];

/// The value of a string literal; none of other literals.
fn string(literal: &str) -> Option<String> {
    if let Some(raw) = literal.strip_prefix('r') {
        return Some(raw.trim_matches('#').trim_matches('"').to_owned());
    }
    let mut letters = literal.strip_prefix('"')?.strip_suffix('"')?.chars().peekable();
    let mut text = String::new();
    while let Some(letter) = letters.next() {
        match (letter, letter == '\\') {
            (_, false) => text.push(letter),
            _ => match letters.next()? {
                '\n' => while letters.next_if(|letter| letter.is_whitespace()).is_some() {},
                'n' => text.push('\n'),
                't' => text.push('\t'),
                other => text.push(other),
            },
        }
    }
    Some(text)
}

/// Macros whose arguments are whole strings.
const WHOLE_STRING_MACROS: &[&str] = &["vec", "json", "matches", "assert"];
/// Words before a `!` that negates.
const KEYWORDS: &[&str] = &["if", "while", "match", "return", "else", "in"];

/// The strings of some tokens; what stands in attributes, such as documentation, is left out.
fn strings(tokens: TokenStream, composed: bool, found: &mut Vec<(String, bool)>) {
    // The word before, whether it calls a macro, and whether an attribute begins.
    let (mut word, mut called, mut attribute) = (String::new(), false, false);
    for token in tokens {
        match token {
            TokenTree::Literal(literal) => {
                found.extend(string(&literal.to_string()).map(|text| (text, composed)));
                (word, called, attribute) = (String::new(), false, false);
            }
            TokenTree::Group(group) => {
                if !(attribute && group.delimiter() == Delimiter::Bracket) {
                    let pieces = called && !WHOLE_STRING_MACROS.contains(&word.as_str());
                    strings(group.stream(), composed || pieces, found);
                }
                (word, called, attribute) = (String::new(), false, false);
            }
            // `macro_rules! name { … }`
            TokenTree::Ident(_) if called && word == "macro_rules" => {}
            TokenTree::Ident(ident) => (word, called, attribute) = (ident.to_string(), false, false),
            TokenTree::Punct(punct) => {
                called = punct.as_char() == '!' && !word.is_empty() && !KEYWORDS.contains(&word.as_str());
                attribute = punct.as_char() == '#' || attribute && punct.as_char() == '!';
                if !called {
                    word.clear();
                }
            }
        }
    }
}

/// The statements of the crates of the service; with `parts` every other string too, and the tables of
/// entities.
fn statements(parts: bool) -> Vec<Sql> {
    let begins = Regex::new(
        r"(?s)^\s*(select\s|insert into\s|update [a-z_.]+\s|delete from\s|with (recursive )?[a-z_]+ .*\bas )",
    )
    .unwrap();
    let entity = Regex::new(r#"table_name = "([a-z_.]+)""#).unwrap();
    let mut found = Vec::new();
    let mut crates = vec!["tenants".to_owned()];
    crates.extend(fs::read_dir(root().join("platform")).unwrap().filter_map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        (name != "testkit").then(|| format!("platform/{name}"))
    }));
    for owner in crates {
        let folder = root().join(&owner).join("src");
        let mut files = Vec::new();
        if folder.exists() {
            sources(&folder, &mut files);
        }
        for (path, text) in files.iter().filter(|(path, _)| !is_test(path)) {
            // Tests at the end of a file are not the service's.
            let shipped = text.split("\n#[cfg(test)]\nmod ").next().unwrap();
            let mut pieces = Vec::new();
            strings(shipped.parse().unwrap(), false, &mut pieces);
            let file = path.strip_prefix(root()).unwrap().display().to_string();
            if parts {
                let entities =
                    entity.captures_iter(shipped).map(|found| (format!("from {}", &found[1]), true));
                pieces.extend(entities);
            }
            let wanted = pieces.into_iter().filter(|(text, _)| parts || begins.is_match(text));
            found.extend(wanted.map(|(text, composed)| Sql {
                owner: owner.clone(),
                file: file.clone(),
                text,
                composed,
            }));
        }
    }
    found
}

fn is_test(path: &Path) -> bool {
    let path = path.display().to_string();
    path.ends_with("tests.rs") || path.contains("/tests/")
}

/// Whole statements are valid on the schema: a column that a migration takes away is found here, not by the
/// first guest.
#[tokio::test]
async fn statements_are_valid_on_the_schema() {
    let kit = kit().await;
    let mut connection = PgConnection::connect(kit.owner_url.as_str()).await.unwrap();
    let partner = kit.restaurant().await.partner;
    let row = kit.row("select role from control.partner where id = $1", vec![partner.into()]).await;
    let schema: String = row.try_get("", "role").unwrap();
    let mut composed: BTreeMap<String, usize> = BTreeMap::new();
    let mut whole = BTreeMap::new();
    for sql in statements(false) {
        if sql.composed {
            *composed.entry(sql.file).or_default() += 1;
        } else if !NOT_PREPARED.iter().any(|(begin, _)| sql.text.starts_with(begin)) {
            whole.insert(sql.text, sql.file);
        }
    }
    assert!(whole.len() > 300, "the statements were not found: {}", whole.len());
    let mut faults = BTreeMap::new();
    // A unit of work sees its partner's tables, one of the platform those of `control`.
    for path in [schema.as_str(), "control"] {
        let path = AssertSqlSafe(format!("set search_path = '{path}'"));
        connection.execute(sqlx::raw_sql(path)).await.unwrap();
        let mut failed = BTreeMap::new();
        for (text, file) in whole {
            let prepare = AssertSqlSafe(format!("prepare one as {text}"));
            match connection.execute(sqlx::raw_sql(prepare)).await {
                Ok(_) => drop(connection.execute("deallocate one").await.unwrap()),
                Err(sqlx::Error::Database(error))
                    if error.code().as_deref().is_some_and(|code| UNTYPED.contains(&code)) => {}
                Err(error) => {
                    faults.entry(text.clone()).or_insert_with(|| error.to_string());
                    failed.insert(text, file);
                }
            }
        }
        whole = failed;
    }
    let faults: Vec<String> =
        whole.iter().map(|(text, file)| format!("{file}: {}\n    {text}", faults[text])).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let expected: BTreeMap<String, usize> =
        COMPOSED.iter().map(|(file, n)| ((*file).to_owned(), *n)).collect();
    assert_eq!(composed, expected, "statements that are put together stand in the list");
}

/// The tables of a partner's schema, by the crate that owns them: it alone names them. `statistics` may read
/// all of them; `tenants` copies, exports, restores and removes whole schemas.
const OWNERS: &[(&str, &[&str])] = &[
    ("platform/work", &["event", "restaurant_counter"]),
    ("platform/access", &["audit", "audit_detail", "audit_seal", "idempotency_key"]),
    ("platform/accounts", &["staff"]),
    (
        "platform/restaurants",
        &[
            "opening_hours",
            "restaurant",
            "restaurant_feature",
            "restaurant_group",
            "restaurant_holiday",
            "restaurant_legal",
            "restaurant_socials",
        ],
    ),
    (
        "platform/catalogue",
        &["option", "option_group", "product", "product_category", "subproduct", "subproduct_option_group"],
    ),
    ("platform/menu_import", &["menu_import"]),
    ("platform/media", &["media"]),
    ("platform/customers", &["courier"]),
    (
        "platform/orders",
        &[
            "order_email",
            "order_history",
            "order_item",
            "order_item_option",
            "order_sender",
            "orders",
            "payable_transaction",
        ],
    ),
    (
        "platform/payments",
        &[
            "card_terminal",
            "card_terminal_connection",
            "payment_settings",
            "provider_account",
            "restaurant_payment_method",
            "terminal_scheme",
        ],
    ),
    ("platform/content", &["push_delivery", "push_device", "push_notification"]),
    ("platform/devices", &["kiosk", "restaurant_tv"]),
    ("platform/statistics", &["export_request"]),
];

/// What others may join: views that the owner's migration publishes.
const READERS: &[&str] =
    &["kiosk_name", "media_use", "record_name", "restaurant_facts", "restaurant_group_name", "staff_contact"];

/// Exceptions: crates that name a table of another crate, with the reason.
const STRANGERS: &[(&str, &str, &str)] = &[(
    "platform/orders",
    "restaurant_counter",
    "the number of an order and that of its event are given under one lock, in one statement",
)];

/// A list of relations: `from orders o, order_item i`.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    let alias = r"(?:\s+(?:as\s+)?[a-z_]+)?";
    let others = format!(r"{alias}(?:\s*,\s*[a-z_.]+{alias})*");
    Regex::new(&format!(r"\b(from|join|into|update|using)\s+(?:only\s+)?([a-z_.]+)({others})")).unwrap()
});
/// A name that a statement gives to a part of itself: `with due as (…)`.
static OWN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b([a-z_]+)\s*(?:\([^()]*\)\s*)?as\s+(?:not\s+)?(?:materialized\s+)?\(").unwrap()
});

/// The tables that a statement, or a part of one, reads or writes; names of its own (`with x as`) left out.
fn tables(sql: &str, known: &BTreeSet<String>) -> Vec<(String, bool)> {
    let own: BTreeSet<&str> =
        OWN.captures_iter(sql).filter_map(|found| Some(found.get(1)?.as_str())).collect();
    let mut found = Vec::new();
    for one in NAMED.captures_iter(sql) {
        let writes = matches!(&one[1], "into" | "update");
        let others = one[3].split(',').skip(1).filter_map(|part| part.split_whitespace().next());
        for name in std::iter::once(&one[2]).chain(others.take(if writes { 0 } else { usize::MAX })) {
            if known.contains(name) && !own.contains(name) {
                found.push((name.to_owned(), writes));
            }
        }
    }
    found
}

/// A table is named by its own crate; others join a view that the owner publishes for readers, and never
/// write.
#[tokio::test]
async fn a_table_is_named_by_its_own_crate() {
    let kit = kit().await;
    let partner = kit.restaurant().await.partner;
    let sql = "select coalesce(string_agg(c.relname, ' '), '') names from pg_class c join control.partner p \
        on c.relnamespace = to_regnamespace(p.role) where p.id = $1 and c.relkind = $2";
    let mut of_kind = Vec::new();
    for kind in ["r", "v"] {
        let row = kit.row(sql, vec![partner.into(), kind.into()]).await;
        let names: String = row.try_get("", "names").unwrap();
        of_kind.push(names.split_whitespace().map(str::to_owned).collect::<BTreeSet<_>>());
    }
    let owner_of: BTreeMap<&str, &str> =
        OWNERS.iter().flat_map(|(owner, tables)| tables.iter().map(move |table| (*table, *owner))).collect();
    for table in &of_kind[0] {
        assert!(owner_of.contains_key(table.as_str()) || table == "seaql_migrations", "{table} has no owner");
    }
    for table in owner_of.keys() {
        assert!(of_kind[0].contains(*table), "{table} is no table any more");
    }
    assert_eq!(of_kind[1].iter().map(String::as_str).collect::<Vec<_>>(), READERS);
    let mut strangers = BTreeSet::new();
    for one in statements(true) {
        let written = tables(&one.text, &of_kind[1]).into_iter().find(|(_, writes)| *writes);
        assert_eq!(written, None, "{} writes through a view", one.file);
        for (table, writes) in tables(&one.text, &of_kind[0]) {
            let excepted = one.owner == "tenants" || one.owner == "platform/statistics" && !writes;
            if !excepted && owner_of[table.as_str()] != one.owner {
                strangers.insert((one.owner.clone(), table));
            }
        }
    }
    let expected: BTreeSet<(String, String)> =
        STRANGERS.iter().map(|(who, table, _)| ((*who).to_owned(), (*table).to_owned())).collect();
    assert_eq!(strangers, expected, "who names tables of others");
}
