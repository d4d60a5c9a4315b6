//! The SQL of the sources: every statement is prepared on a migrated database.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use regex::{Captures, Regex};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use testkit::kit;

use super::architecture::{root, sources};

/// A statement, or a part of one, as a string in the sources.
pub struct Sql {
    /// The crate's folder, `platform/orders`.
    pub owner: String,
    /// The file, below the repository.
    pub file: String,
    pub text: String,
    /// Part of a macro's pattern or text (`format!`, `concat!`): not whole by itself.
    composed: bool,
}

const DEPOTS: &str = "join restaurant_facts r on r.id = c.restaurant_id left join depot_place cd on true \
    left join product_category k on k.id = c.parent_id left join depot_place kd on true \
    left join depot_place gd on true ";

/// Statements that are put together while the service runs: the file, which of its statements, and what
/// stands in the gaps in one of its forms. That may be a constant of another file, or several (` + `); a gap with the name of a
/// constant of its own file holds that one. Gaps named `role` and `schema` hold the partner's schema.
const COMPOSED: &[(&str, usize, &[&str])] = &[
    ("platform/access/src/audit/log.rs", 0, &["count(*) total"]),
    ("platform/catalogue/src/copy.rs", 0, &["(null::product_category)"]),
    ("platform/catalogue/src/copy.rs", 1, &["name", "null::uuid", "c.name"]),
    ("platform/catalogue/src/copy.rs", 2, &["name", "null::uuid", "p.name"]),
    ("platform/catalogue/src/copy.rs", 3, &["name", "s.name"]),
    ("platform/catalogue/src/copy.rs", 4, &["name", "name"]),
    ("platform/catalogue/src/copy.rs", 5, &["name", "x.name"]),
    ("platform/catalogue/src/depots.rs", 0, &[DEPOTS]),
    ("platform/catalogue/src/depots.rs", 1, &[DEPOTS]),
    ("platform/catalogue/src/health/store.rs", 0, &["product", "vat_id"]),
    ("platform/catalogue/src/quantities/store.rs", 0, &[]),
    ("platform/catalogue/src/quantities/store.rs", 1, &[]),
    ("platform/catalogue/src/quantities/store.rs", 2, &[]),
    ("platform/payment_methods/src/methods/chosen.rs", 0, &["m.id = $2 or m.payment_key = $3"]),
    ("platform/catalogue/src/restaurant_defaults.rs", 0, &[]),
    ("platform/catalogue/src/menu/rows.rs", 0, &["name, ", "archived_at, ", "product_category"]),
    ("platform/catalogue/src/option_groups/store.rs", 0, &["name", "o.name"]),
    (
        "platform/catalogue/src/snapshot/read.rs",
        0,
        &[
            "s.active",
            "p.active",
            "c.active",
            "k.active",
            "platform/catalogue/src/restaurant_defaults.rs COLUMNS",
        ],
    ),
    ("platform/catalogue/src/snapshot/read.rs", 1, &["g.active", "o.active"]),
    ("platform/customers/src/addresses.rs", 0, &["where a.id = $1"]),
    ("platform/customers/src/ledger/api.rs", 0, &["count(*) total"]),
    ("platform/customers/src/ledger/mod.rs", 0, &["count(*) total", "shadow_customer_balance"]),
    ("platform/customers/src/ledger/mod.rs", 0, &["count(*) total", "shadow_customer_point"]),
    (
        "platform/customers/src/list.rs",
        0,
        &[
            "shadow_customer c where c.archived_at is null",
            "c.id",
            " left join shadow_customer_account a on a.shadow_customer_id = c.id",
            "c.id",
        ],
    ),
    ("platform/customers/src/list.rs", 1, &["shadow_customer c"]),
    (
        "platform/customers/src/list/last.rs",
        0,
        &[
            "",
            "sum(s.order_number) order_number, sum(s.order_total_sum) order_total_sum, \
                max(s.last_order_at) last_order_at",
            "",
            "c.archived_at is null",
            "",
            "c.id",
        ],
    ),
    ("platform/customers/src/orders.rs", 0, &["count(*) total"]),
    ("platform/menu_import/src/store.rs", 0, &["restaurant_id = $1 and id = $2 for update"]),
    ("platform/orders/src/change/store.rs", 0, &[]),
    ("platform/online_payments/src/reconcile/store.rs", 0, &["r.id = $3"]),
    ("platform/orders/src/drawer/store.rs", 0, &[]),
    (
        "platform/orders/src/drawer/store.rs",
        1,
        &["(select 'cash' payment_key, 'huf' currency, 0::numeric amount, 'moved' kind) open"],
    ),
    (
        "platform/orders/src/drawer/store.rs",
        2,
        &["(select '' actor_name, 'cash' payment_key, 'huf' currency, 0::numeric amount, 'moved' kind) open"],
    ),
    (
        "platform/orders/src/drawer/store.rs",
        3,
        &["(select '' actor_name, 'cash' payment_key, 'huf' currency, 0::numeric amount, 'moved' kind) open"],
    ),
    ("platform/orders/src/drawer/store.rs", 4, &["(select null::uuid row_id) open"]),
    ("platform/orders/src/drawer/store.rs", 5, &["", "true"]),
    ("platform/orders/src/drawer/store.rs", 6, &["true"]),
    ("platform/orders/src/payments/lists.rs", 0, &["true", "a.id = $2"]),
    ("platform/orders/src/payments/lists.rs", 1, &["true"]),
    ("platform/orders/src/payments/lists.rs", 2, &["f.id = $2"]),
    (
        "platform/orders/src/previous/store.rs",
        0,
        &["(select null::uuid order_id, null::date business_day, null::timestamptz created_at) found"],
    ),
    (
        "platform/orders/src/previous/store.rs",
        1,
        &[
            "(select null::uuid order_id, null::date business_day, null::timestamptz created_at, false is_test) found",
        ],
    ),
    (
        "platform/orders/src/previous/store.rs",
        2,
        &["(select false is_child, false archived, 0::numeric total_price) found"],
    ),
    ("platform/orders/src/previous/store.rs", 3, &["(select null::uuid order_id) found"]),
    (
        "platform/orders/src/previous/store.rs",
        4,
        &[
            "o.id",
            "$4::text is null and $5::text is null and $6::text is null and $7::text is null and $8::text is null and $9::text is null and $10::text is null and $11::text is null and $12::text is null and $13::text is null and $14::text is null and $15::text is null and $16::text is null and $17::text is null and $18::text is null and $19::text is null and $20::text is null and $21::text is null and $22::text is null and $23::text is null and $24::text is null",
        ],
    ),
    ("platform/orders/src/read.rs", 0, &["o.id"]),
    ("platform/orders/src/read.rs", 1, &["i.id"]),
    ("platform/orders/src/read.rs", 2, &["p.id"]),
    ("platform/orders/src/read.rs", 3, &["p.id"]),
    ("platform/orders/src/store.rs", 0, &["id", "id", "'{}'::jsonb", "id", "id", "id", "id", "id", "id"]),
    ("platform/promotions/src/uses.rs", 0, &["order by d.id"]),
    ("platform/promotions/src/load.rs", 0, &["d.id", " from discount d"]),
    ("platform/promotions/src/load.rs", 1, &["d.id", " from discount d"]),
    ("platform/restaurants/src/facts.rs", 0, &["r.timezone", "null::jsonb", "for key share of r"]),
    (
        "platform/statistics/src/exports/rows.rs",
        0,
        &["with page as (select id, created_at place from orders) ", "o.message address"],
    ),
    (
        "platform/statistics/src/exports/rows.rs",
        1,
        &["with page as (select id, created_at place from orders) "],
    ),
    (
        "platform/statistics/src/exports/rows.rs",
        2,
        &[" left join (select null postcode, null city, null address) a on true "],
    ),
    (
        "platform/statistics/src/exports/rows.rs",
        3,
        &["created_at", " left join (select null postcode, null city, null address) a on true "],
    ),
    ("platform/work/src/events.rs", 0, &["n as (select '{}'::jsonb as extra)"]),
    (
        "platform/work/src/events.rs",
        0,
        &["platform/orders/src/number.rs COUNTER + , o as (select o.* from orders o, given) + \
            platform/orders/src/number.rs ENTERED"],
    ),
    (
        "platform/work/src/events.rs",
        0,
        &["platform/orders/src/number.rs TEST_COUNTER + , o as (select o.* from orders o, given) + \
            platform/orders/src/number.rs ENTERED"],
    ),
    ("tenants/src/export.rs", 0, &["token", "media", "archived_at"]),
    ("tenants/src/export.rs", 1, &[]),
    ("tenants/src/remove.rs", 0, &["api_key"]),
    ("tenants/src/renumber.rs", 0, &[]),
    ("tenants/src/restore.rs", 0, &["admin"]),
    ("tenants/src/restore.rs", 1, &["orders"]),
    ("tenants/src/restore.rs", 2, &["cloned", "2026-01-01T00:00:00Z", "cloned"]),
    ("tenants/src/restore.rs", 3, &["token", "media", "archived_at"]),
    ("tenants/src/restore.rs", 4, &["token", "select token from media", "select token from media"]),
    ("tenants/src/restore.rs", 5, &[]),
    ("tenants/src/restore.rs", 6, &[]),
];

/// The error of the database when it cannot infer the type of a value. The service binds values with theirs.
const UNTYPED: &[&str] = &["42P18", "42P08"];

/// Whole statements that cannot be prepared, with the reason.
const NOT_PREPARED: &[(&str, &str)] = &[
    ("select admin or kiosk", "no statement: what a fault says"),
    (
        "insert into control.job (partner_id, kind, key, args) select $1, $2, id::text",
        "a value needs its type",
    ),
    ("with page as (select o.id, o.place from ", "begins the statements of an export"),
    ("delete from control.attempt t using gone", "reads a table that the removal makes for itself"),
    ("select control.clear_credentials(ac.id) from control.account ac", "reads that table too"),
    ("delete from control.account ac using gone", "reads that table too"),
];

/// Tables that grow for as long as a restaurant is open.
const GROWING: &[&str] = &[
    "orders", "order_entry", "order_item", "order_item_option", "order_history", "payable_transaction",
    "shadow_customer", "event", "audit", "audit_detail", "job",
];

/// Statements that read such a table as a whole, with the reason.
const READ_WHOLE: &[(&str, &str)] = &[
    ("delete from pult_", "a restore empties the tables"),
    ("select coalesce(jsonb_agg(to_jsonb(j)), '[]') from control.job", "once, when a partner is moved"),
    ("delete from job where partner_id", "when a support access or a partner ends"),
    ("select count(*) total from audit a", "the filters of the log's list are optional"),
    ("select count(*) total from job_state", "so are those of the list of jobs"),
    ("select kind, count(*) filter (where state = 'failed')", "the screen of super admins looks at all jobs"),
    (
        "update job j set state = 'waiting', run_at = now(), attempts = 0 where kind",
        "an operator has all failed jobs of a kind run again",
    ),
    (
        "with given as (insert into order_numbering",
        "the gap is filled with all orders here, by the service with one",
    ),
];

/// The growing tables that the prepared statement `one` reads from their first row to their last, because no index
/// leads to what it asks for.
async fn read_whole(connection: &mut PgConnection) -> Vec<String> {
    let count = "select cardinality(parameter_types) from pg_prepared_statements where name = 'one'";
    let count: i32 = sqlx::query_scalar(count).fetch_one(&mut *connection).await.unwrap();
    let values = vec!["null"; usize::try_from(count).unwrap()].join(", ");
    let call = if count == 0 { "one".to_owned() } else { format!("one ({values})") };
    let explain = AssertSqlSafe(format!("explain (costs off) execute {call}"));
    let plan: Vec<String> = sqlx::query_scalar(explain).fetch_all(&mut *connection).await.unwrap();
    let table = |line: &String| line.split_once("Seq Scan on ")?.1.split(' ').next().map(ToOwned::to_owned);
    plan.iter().filter_map(table).filter(|table| GROWING.contains(&table.as_str())).collect()
}

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

const WHOLE_STRING_MACROS: &[&str] = &["vec", "json", "matches", "assert"];
/// Words before a `!` that negates.
const KEYWORDS: &[&str] = &["if", "while", "match", "return", "else", "in"];

/// The text that `concat!` makes of its arguments; what is no literal is a gap.
fn joined(tokens: TokenStream) -> String {
    let mut text = String::new();
    let mut gap = false;
    for token in tokens {
        match token {
            TokenTree::Literal(literal) => {
                if std::mem::take(&mut gap) {
                    text.push_str("{}");
                }
                text.push_str(&string(&literal.to_string()).unwrap_or_default());
            }
            TokenTree::Punct(punct) if punct.as_char() == ',' => {
                if std::mem::take(&mut gap) {
                    text.push_str("{}");
                }
            }
            // The end of `$(…)*`.
            TokenTree::Punct(punct) if punct.as_char() == '*' => {
                text.push_str("{}");
                gap = false;
            }
            _ => gap = true,
        }
    }
    if gap { text + "{}" } else { text }
}

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
                if called && word == "concat" {
                    found.push((joined(group.stream()), true));
                    for token in group.stream() {
                        if let TokenTree::Group(inner) = token {
                            strings(inner.stream(), true, found);
                        }
                    }
                } else if !(attribute && group.delimiter() == Delimiter::Bracket) {
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

/// The texts of a file's constants, each under the file and its name.
fn constants(file: &str, text: &str, found: &mut BTreeMap<String, String>) {
    let constant = Regex::new(r#"(?s)const ([A-Z_]+): &(?:'static )?str =\s*("(?:[^"\\]|\\.)*");"#).unwrap();
    for one in constant.captures_iter(text) {
        found.insert(format!("{file} {}", &one[1]), string(&one[2]).unwrap());
    }
}

/// The statements of the crates of the service; with `parts` every other string too, and the tables of
/// entities.
pub fn statements(parts: bool) -> Vec<Sql> {
    let begins = Regex::new(
        r"(?sx)^\s*(?:\{\})?(?:select\s|insert\sinto\s|update\s[a-z_.]+\s|delete\sfrom\s
            |with\s(?:recursive\s)?(?:\{[a-z]+\}|[a-z_]+\s.*\bas\s))",
    )
    .unwrap();
    let entity = Regex::new(r#"table_name = "([a-z_.]+)""#).unwrap();
    let mut found = Vec::new();
    shipped(|owner, file, text| {
        let mut pieces = Vec::new();
        strings(text.parse().unwrap(), false, &mut pieces);
        if parts {
            let entities = entity.captures_iter(text).map(|found| (format!("from {}", &found[1]), true));
            pieces.extend(entities);
        }
        let wanted = pieces.into_iter().filter(|(text, _)| parts || begins.is_match(text));
        found.extend(wanted.map(|(text, composed)| Sql {
            owner: owner.to_owned(),
            file: file.to_owned(),
            text,
            composed,
        }));
    });
    found
}

/// Visits the shipped code of the service: crate, file, text without the tests at its end.
fn shipped(mut visit: impl FnMut(&str, &str, &str)) {
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
            let text = text.split("\n#[cfg(test)]\nmod ").next().unwrap();
            visit(&owner, &path.strip_prefix(root()).unwrap().display().to_string(), text);
        }
    }
}

fn is_test(path: &Path) -> bool {
    let path = path.strip_prefix(root()).unwrap_or(path).display().to_string();
    path.ends_with("tests.rs") || path.contains("/tests/")
}

fn filled(
    text: &str, file: &str, gaps: &[&str], constants: &BTreeMap<String, String>, schema: &str,
) -> String {
    let gap = Regex::new(r"\{([A-Za-z_]*)\}").unwrap();
    let mut gaps = gaps.iter();
    let mut next = || {
        let filling = *gaps.next().unwrap_or_else(|| panic!("{file}: a gap is not filled in {text}"));
        let one = |part: &str| constants.get(part).cloned().unwrap_or_else(|| part.to_owned());
        if filling.contains(" + ") { filling.split(" + ").map(one).collect() } else { one(filling) }
    };
    // What looks like a gap and is written twice is a brace of the text: `'{{}}'`.
    let text = text.replace("{{", "\u{1}").replace("}}", "\u{2}");
    let whole = gap.replace_all(&text, |found: &Captures<'_>| match &found[1] {
        "role" | "schema" => schema.to_owned(),
        name => constants.get(&format!("{file} {name}")).cloned().unwrap_or_else(&mut next),
    });
    let whole = whole.replace('\u{1}', "{").replace('\u{2}', "}");
    assert!(gaps.next().is_none(), "{file}: more than the gaps of {text}");
    whole
}

/// The statements are valid on the schema: a column that a migration takes away is found here, not by the
/// first guest. None of them needs to read a table whole that grows with every order.
#[testkit::test]
async fn statements_are_valid_on_the_schema_and_find_their_rows_by_an_index() {
    let kit = kit().await;
    let mut connection = PgConnection::connect(kit.owner_url.as_str()).await.unwrap();
    let partner = kit.restaurant().await.partner;
    let row = kit.row("select role from control.partner where id = $1", vec![partner.into()]).await;
    let schema: String = row.try_get("", "role").unwrap();
    let mut constant = BTreeMap::new();
    shipped(|_, file, text| constants(file, text, &mut constant));
    let mut composed: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut whole = BTreeMap::new();
    for sql in statements(false) {
        if NOT_PREPARED.iter().any(|(begin, _)| sql.text.starts_with(begin)) {
            continue;
        }
        if sql.composed {
            composed.entry(sql.file).or_default().push(sql.text);
        } else {
            whole.insert(sql.text, sql.file);
        }
    }
    let expected: BTreeSet<(&str, usize)> = COMPOSED.iter().map(|(file, at, _)| (*file, *at)).collect();
    let found: BTreeSet<(&str, usize)> =
        composed.iter().flat_map(|(file, all)| (0..all.len()).map(|at| (file.as_str(), at))).collect();
    assert_eq!(found, expected, "statements that are put together stand in the list");
    for (file, at, gaps) in COMPOSED {
        let text = filled(&composed[*file][*at], file, gaps, &constant, &schema);
        whole.insert(text, format!("{file}, {at}"));
    }
    assert!(whole.len() > 300, "the statements were not found: {}", whole.len());
    let (mut faults, mut scans) = (BTreeMap::new(), Vec::new());
    connection.execute("set plan_cache_mode = force_generic_plan; set enable_seqscan = off").await.unwrap();
    // A unit of work sees its partner's tables, one of the platform those of `control`.
    for path in [schema.as_str(), "control"] {
        let path = AssertSqlSafe(format!("set search_path = '{path}'"));
        connection.execute(sqlx::raw_sql(path)).await.unwrap();
        let mut failed = BTreeMap::new();
        for (text, file) in whole {
            let prepare = AssertSqlSafe(format!("prepare one as {text}"));
            match connection.execute(sqlx::raw_sql(prepare)).await {
                Ok(_) => {
                    let known = READ_WHOLE.iter().any(|(begin, _)| text.starts_with(begin));
                    let whole = read_whole(&mut connection).await;
                    if !whole.is_empty() && !known {
                        scans.push(format!("{file}: {}\n    {text}", whole.join(", ")));
                    }
                    connection.execute("deallocate one").await.unwrap();
                }
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
    assert!(scans.is_empty(), "tables that are read whole:\n{}", scans.join("\n"));
}
