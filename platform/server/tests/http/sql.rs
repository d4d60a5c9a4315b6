//! The tables of the SQL in the sources: only the crate that owns a table names it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use regex::Regex;
use testkit::{Kit, kit};

use super::{architecture::depends_on, statements::statements};

/// The tables of a partner's schema, by the crate that owns them: it alone names them. `statistics` may read
/// all of them; `tenants` makes, copies, exports, restores and removes whole partners.
const OWNERS: &[(&str, &[&str])] = &[
    ("platform/work", &["event", "restaurant_counter"]),
    ("platform/access", &["audit", "audit_detail", "audit_seal", "idempotency_key"]),
    ("platform/accounts", &["staff"]),
    (
        "platform/restaurants",
        &[
            "depot", "opening_hours", "pos_config", "restaurant", "restaurant_feature", "restaurant_group",
            "restaurant_holiday", "restaurant_legal", "restaurant_socials",
        ],
    ),
    (
        "platform/catalogue",
        &[
            "external_id",
            "featured_product",
            "menu_mend",
            "ntak_change",
            "option",
            "option_group",
            "product",
            "product_category",
            "product_category_upsell",
            "subproduct",
            "subproduct_component",
            "subproduct_option_group",
        ],
    ),
    ("platform/menu_import", &["menu_import"]),
    ("platform/media", &["media"]),
    (
        "platform/customers",
        &[
            "courier",
            "shadow_customer",
            "shadow_customer_account",
            "shadow_customer_address",
            "shadow_customer_balance",
            "shadow_customer_comment",
            "shadow_customer_point",
            "shadow_customer_restaurant",
        ],
    ),
    (
        "platform/promotions",
        &["discount", "discount_code", "discount_counter", "discount_usage", "promotion_use"],
    ),
    (
        "platform/orders",
        &[
            "drawer_close", "drawer_close_line", "drawer_close_row", "drawer_movement", "order_change",
            "order_email", "order_entry", "order_filter", "order_history", "order_item", "order_item_kept",
            "order_item_option", "order_item_part", "order_numbering", "order_sender", "orders",
            "order_payment_page", "payable_transaction", "payment_attempt", "payment_attempt_item",
            "payment_event", "payment_refund", "storno_reason",
        ],
    ),
    (
        "platform/payment_methods",
        &[
            "card_terminal",
            "card_terminal_connection",
            "payment_pause",
            "payment_settings",
            "provider_account",
            "restaurant_payment_method",
            "terminal_scheme",
        ],
    ),
    ("platform/online_payments", &["payment_reconciliation", "payment_reconciliation_line"]),
    ("platform/callbacks", &["callback"]),
    ("platform/content", &["push_delivery", "push_device", "push_notification"]),
    ("platform/delivery", &["delivery_place", "delivery_polygon", "delivery_region", "delivery_street"]),
    ("platform/devices", &["kiosk", "restaurant_tv"]),
    ("platform/statistics", &["export_request"]),
];

/// The same for the tables of `control`, and for its views that no other crate may join.
const CONTROL_OWNERS: &[(&str, &[&str])] = &[
    ("platform/work", &["job"]),
    ("tenants", &["decision", "move_mark"]),
    (
        "platform/access",
        &[
            "audit", "audit_detail", "audit_head", "audit_seal", "line_elsewhere", "platform_audit",
            "platform_head",
        ],
    ),
    (
        "platform/accounts",
        &[
            "account", "account_identity", "admin", "admin_use", "allowance", "api_key", "api_key_day",
            "api_key_refusal", "attempt", "data_key", "mail_sent", "recovery_code", "second_factor",
            "session", "sign_in_domain", "sign_in_provider", "sso_state", "ticket",
        ],
    ),
    ("platform/restaurants", &["restaurant"]),
    (
        "platform/content",
        &[
            "announcement",
            "announcement_confirmation",
            "announcement_details",
            "documentation",
            "release_info",
            "release_info_confirmation",
            "release_info_details",
        ],
    ),
    ("platform/callbacks", &["callback_address"]),
    ("platform/payment_methods", &["terminal_state"]),
    ("platform/devices", &["device"]),
    ("platform/console", &["export", "installation", "instance", "load", "partner", "support_access"]),
];

/// What others may join: views that the owner's migration publishes, each with its owner.
const READERS: &[(&str, &str)] = &[
    ("balance_payment", "platform/orders"),
    ("courier_name", "platform/customers"),
    ("customer_contact", "platform/customers"),
    ("customer_order", "platform/orders"),
    ("customer_order_item", "platform/orders"),
    ("customer_root", "platform/customers"),
    ("delivery_reach", "platform/delivery"),
    ("delivery_region_name", "platform/delivery"),
    ("depot_place", "platform/restaurants"),
    ("kiosk_name", "platform/devices"),
    ("media_use", "platform/media"),
    ("menu_upsell", "platform/promotions"),
    ("order_customer", "platform/orders"),
    ("order_place", "platform/orders"),
    ("order_tax", "platform/orders"),
    ("order_total", "platform/orders"),
    ("product_category_name", "platform/catalogue"),
    ("record_name", "platform/access"),
    ("restaurant_facts", "platform/restaurants"),
    ("restaurant_group_name", "platform/restaurants"),
    ("serving_account", "platform/payment_methods"),
    ("staff_contact", "platform/accounts"),
    ("subproduct_name", "platform/catalogue"),
];

/// The functions of a partner's schema, each with the crate that owns the tables in it.
const FUNCTIONS: &[(&str, &str)] = &[
    ("add_customer_order", "platform/customers"),
    ("count_customer_orders", "platform/customers"),
    ("counted_own_uses", "platform/promotions"),
    ("counted_uses", "platform/promotions"),
    ("give_back_promotions", "platform/promotions"),
    ("lock_customer_ledger", "platform/customers"),
    ("lock_customers", "platform/customers"),
    ("order_query", "platform/orders"),
    ("order_words", "platform/orders"),
    ("pieces_left", "platform/catalogue"),
    ("raise_catalogue_version", "platform/restaurants"),
    ("raise_catalogue_version_from", "platform/restaurants"),
    ("refresh_customer", "platform/customers"),
    ("sum_customer_orders", "platform/orders"),
    ("take_promotions", "platform/promotions"),
    ("waiting_orders", "platform/orders"),
    ("write_order_entry", "platform/orders"),
];

/// What a crate reads or calls of a crate that it does not depend on, and why. The list can only shrink.
const ABOVE: &[(&str, &str, &str)] = &[
    ("platform/access", "raise_catalogue_version", "pictures change menus, and lie below restaurants"),
    ("platform/access", "raise_catalogue_version_from", "it stands beside the other"),
    ("platform/access", "restaurant_facts", "features are checked before a handler begins"),
    ("platform/access", "staff_contact", "a line of the log names the person of then"),
    ("platform/accounts", "restaurant_facts", "the light client signs in where it is switched on"),
    ("platform/catalogue", "menu_upsell", "the public menu shows upsells with their discounts"),
    (
        "platform/content",
        "restaurant_facts",
        "announcements and notifications go to restaurants that are open to them",
    ),
    ("platform/customers", "customer_order", "a guest's record lists the orders"),
    ("platform/customers", "customer_order_item", "it lists what was ordered most"),
    ("platform/delivery", "order_place", "the map shows where orders went"),
    ("platform/orders", "staff_contact", "an order that nobody accepts is told to people by mail"),
    ("platform/payment_methods", "kiosk_name", "a terminal's scheme names its kiosk"),
    ("platform/promotions", "order_total", "a promotion lists the orders that used it"),
    ("platform/restaurants", "delivery_reach", "the guide asks whether an address can be reached"),
    ("platform/restaurants", "delivery_region_name", "a setting of the till names a region"),
];

/// Views of `control` that others may join.
const CONTROL_READERS: &[&str] =
    &["account_contact", "job_state", "partner_facts", "partner_person", "partner_use", "restaurant_entry"];

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

/// The tables, or the views, of a schema.
async fn relations(kit: &Kit, schema: &str, kind: &str) -> BTreeSet<String> {
    let sql = "select coalesce(string_agg(relname, ' '), '') names from pg_class \
        where relnamespace = to_regnamespace($1) and relkind = $2";
    let row = kit.row(sql, vec![schema.into(), kind.into()]).await;
    let names: String = row.try_get("", "names").unwrap();
    names.split_whitespace().map(str::to_owned).collect()
}

/// The owners of the tables of a schema; refuses a table without one, and one that is no more.
fn owners(
    listed: &'static [(&str, &[&str])], tables: &BTreeSet<String>,
) -> BTreeMap<&'static str, &'static str> {
    let owner_of: BTreeMap<&str, &str> =
        listed.iter().flat_map(|(owner, tables)| tables.iter().map(move |table| (*table, *owner))).collect();
    for table in tables {
        assert!(owner_of.contains_key(table.as_str()) || table == "seaql_migrations", "{table} has no owner");
    }
    for table in owner_of.keys() {
        assert!(tables.contains(*table), "{table} is no table any more");
    }
    owner_of
}

/// A table is named by its own crate; others join a view that the owner publishes for readers, and never
/// write.
#[testkit::test]
async fn a_table_is_named_by_its_own_crate() {
    let kit = kit().await;
    let partner = kit.restaurant().await.partner;
    let row = kit.row("select role from control.partner where id = $1", vec![partner.into()]).await;
    let schema: String = row.try_get("", "role").unwrap();
    let views = relations(kit, &schema, "v").await;
    assert!(views.iter().eq(READERS.iter().map(|(view, _)| view)), "{views:?}");
    let mut owner_of = owners(OWNERS, &relations(kit, &schema, "r").await);
    // Those of `control` under both names; of one that both schemas have, the short one is the partner's.
    let readers: BTreeSet<String> = CONTROL_READERS.iter().map(|view| (*view).to_owned()).collect();
    let in_control = &relations(kit, "control", "r").await | &relations(kit, "control", "v").await;
    let full: Vec<(String, &str)> = owners(CONTROL_OWNERS, &(&in_control - &readers))
        .into_iter()
        .map(|(table, owner)| {
            owner_of.entry(table).or_insert(owner);
            (format!("control.{table}"), owner)
        })
        .collect();
    owner_of.extend(full.iter().map(|(table, owner)| (table.as_str(), *owner)));
    let known: BTreeSet<String> = owner_of.keys().map(|table| (*table).to_owned()).collect();
    let views = &views | &readers;
    let mut strangers = BTreeSet::new();
    for one in statements(true) {
        let written = tables(&one.text, &views).into_iter().find(|(_, writes)| *writes);
        assert_eq!(written, None, "{} writes through a view", one.file);
        for (table, writes) in tables(&one.text, &known) {
            let excepted = one.owner == "tenants" || one.owner == "platform/statistics" && !writes;
            if !excepted && owner_of[table.as_str()] != one.owner {
                strangers.insert(format!("{} names {table}", one.file));
            }
        }
    }
    assert!(strangers.is_empty(), "{}", strangers.into_iter().collect::<Vec<_>>().join("\n"));
}

/// Who fills the pending list of such an index adds all of it to the index, with what its transaction has locked.
#[testkit::test]
async fn pending_lists_of_indexes_are_short() {
    let place = kit().await.restaurant().await;
    let sql = format!(
        "select c.relname || ': ' || coalesce(array_to_string(c.reloptions, ' '), '') from pg_class c \
            join pg_am a on a.oid = c.relam and a.amname = 'gin' \
            where c.relnamespace = to_regnamespace('{}') and c.relkind = 'i'",
        place.schema
    );
    let indexes = place.kit.texts(&sql).await;
    assert_eq!(indexes, ["order_entry_words: gin_pending_list_limit=64"]);
}

/// A view or a function of a crate above is an arrow that no manifest shows.
#[testkit::test]
async fn what_is_read_of_a_crate_above_has_a_reason() {
    let place = kit().await.restaurant().await;
    let sql = "select coalesce(string_agg(distinct proname, ' '), '') names from pg_proc \
        where pronamespace = to_regnamespace($1)";
    let row = place.kit.row(sql, vec![place.schema.as_str().into()]).await;
    let functions: String = row.try_get("", "names").unwrap();
    assert!(functions.split_whitespace().eq(FUNCTIONS.iter().map(|(name, _)| *name)), "{functions}");
    let word = Regex::new("[a-z_]+").unwrap();
    let owner_of: BTreeMap<&str, &str> = READERS.iter().chain(FUNCTIONS).copied().collect();
    let mut found = BTreeSet::new();
    for one in statements(true) {
        for name in word.find_iter(&one.text) {
            if let Some((name, owner)) = owner_of.get_key_value(name.as_str())
                && one.owner.starts_with("platform/")
                && *owner != one.owner
                && !depends_on(&one.owner, owner)
            {
                found.insert((one.owner.clone(), (*name).to_owned()));
            }
        }
    }
    let listed: BTreeSet<_> =
        ABOVE.iter().map(|(reader, name, _)| ((*reader).to_owned(), (*name).to_owned())).collect();
    let (new, gone) = (&found - &listed, &listed - &found);
    assert!(new.is_empty() && gone.is_empty(), "new: {new:#?}\ngone: {gone:#?}");
}
