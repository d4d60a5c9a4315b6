//! The data that a clone in the sandbox does not contain: customers' personal data, and the history of the original.
//! See `docs/decisions/tenancy.md#modes`.

/// Tables that stay empty in a clone: answers, events, who sent an order, places of guests' addresses, files
/// that are imported, whom exports were sent and what providers wrote hold personal data and do not last, guests'
/// devices are theirs, accounts at payment providers, comparisons with their books and card terminals are the original's alone, and so is the
/// audit log (a clone begins a new chain). What could be undone in the original is no history of a clone.
pub(crate) fn stays_empty(table: &str) -> bool {
    const EMPTY: [&str; 17] = [
        "idempotency_key",
        "order_sender",
        "delivery_place",
        "event",
        "menu_import",
        "menu_mend",
        "ntak_change",
        "export_request",
        "push_device",
        "push_delivery",
        "callback",
        "order_payment_page",
        "payment_reconciliation",
        "payment_reconciliation_line",
        "provider_account",
        "card_terminal_connection",
        "card_terminal",
    ];
    EMPTY.contains(&table) || table == "audit" || table.starts_with("audit_")
}

/// Customers' personal data and what stands there instead, table by table. Only what is filled is replaced,
/// so that a clone shows the same screens. A test walks all columns for ones that look personal and stand in
/// neither list.
pub const REPLACED: &[(&str, &[(&str, &str)])] = &[
    (
        "orders",
        &[
            ("first_name", "case when first_name is not null then 'Minta' end"),
            ("last_name", "case when last_name is not null then 'Vendég' end"),
            (
                "email",
                "case when email is not null then 'vendeg-' || substr(md5(id::text), 1, 8) || \
                 '@example.invalid' end",
            ),
            ("phone_1", "case when phone_1 is not null then '+36 1 555 0100' end"),
            ("message", "null"),
            ("archive_reason_text", "null"),
            ("coord_lat", "null"),
            ("coord_lng", "null"),
            ("delivery_street", "case when delivery_street is not null then 'Minta' end"),
            ("delivery_override_reason", "null"),
            ("external_id", "case when external_id is not null then md5(external_id) end"),
            (
                "delivery_data",
                "(select jsonb_object_agg(key, case when key in ('country', 'postcode', 'city') then value \
                  when jsonb_typeof(value) = 'string' then '\"Minta\"'::jsonb when jsonb_typeof(value) = \
                  'number' then '0'::jsonb \
                  when jsonb_typeof(value) in ('object', 'array') then 'null'::jsonb else value end) from \
                  jsonb_each(delivery_data))",
            ),
        ],
    ),
    (
        "shadow_customer",
        &[
            ("first_name", "case when first_name <> '' then 'Minta' else '' end"),
            ("last_name", "case when last_name <> '' then 'Vendég' else '' end"),
            // One number and one address lead to one customer.
            (
                "phone_1",
                "case when phone_1 is not null then '+9' || lpad((('x' || md5(id::text))::bit(56)::bigint % \
                 100000000000000)::text, 14, '0') end",
            ),
            (
                "email",
                "case when email is not null then 'vendeg-' || md5(id::text) || '@example.invalid' end",
            ),
            (
                "phone_2",
                "case when phone_2 is not null then '+8' || lpad((('x' || md5(id::text))::bit(56)::bigint % \
                 100000000000000)::text, 14, '0') end",
            ),
            ("note", "case when note is not null then 'Minta' end"),
            ("comment", "case when comment is not null then 'Minta' end"),
            ("customer_id", "null"),
            ("external_ids", "'[]'"),
            // Names of those who were merged.
            ("merged_search", "''"),
        ],
    ),
    (
        "shadow_customer_address",
        &[
            ("name", "case when name is not null then 'Minta' end"),
            ("street", "'Minta'"),
            ("premise_number", "'0'"),
            ("building", "null"),
            ("floor", "null"),
            ("door_number", "null"),
            ("doorbell", "null"),
            ("address_notes", "null"),
            ("coord_lat", "null"),
            ("coord_lng", "null"),
        ],
    ),
    ("shadow_customer_comment", &[("comment", "'Minta'")]),
    ("order_item", &[("message", "null")]),
    ("order_change", &[("old_and_new", "null")]),
    // It may look for a guest by name or phone.
    ("order_filter", &[("filter", "'{}'")]),
    // The accounts are the original's.
    ("restaurant_payment_method", &[("account_id", "null")]),
    ("payable_transaction", &[("payment_info", "null")]),
    ("payment_attempt", &[("payment_info", "null")]),
    ("payment_event", &[("body", "'{}'")]),
    ("payment_refund", &[("reason", "null")]),
    ("drawer_close", &[("note", "null")]),
    ("drawer_movement", &[("reason", "'Minta'")]),
    ("restaurant_counter", &[("event_number", "0")]),
];

/// Columns that look personal and are the company's own: of its restaurants and of the people who work there.
pub const KEPT: &[(&str, &str)] = &[
    ("restaurant", "phone_1"),
    ("restaurant", "contact_email"),
    ("restaurant", "street"),
    ("restaurant", "premise_number"),
    ("restaurant_legal", "phone_1"),
    ("restaurant_legal", "contact_email"),
    ("restaurant_legal", "address"),
    // Made of the replaced columns.
    ("shadow_customer", "search"),
    // Whether the phones are texts.
    ("shadow_customer", "phone_1_text"),
    ("shadow_customer", "phone_2_text"),
    // The table is left empty.
    ("order_sender", "email"),
    ("shadow_customer_address", "address_key"),
    // A region of the restaurant.
    ("orders", "delivery_address_region_id"),
    ("orders", "delivery_address_region_name"),
    // Empty in clones.
    ("delivery_place", "address_key"),
    ("export_request", "export_email"),
    // Whether orders by phone are shown.
    ("restaurant_tv", "phone_order"),
    ("courier", "first_name"),
    ("courier", "last_name"),
    ("courier", "phone_1"),
    ("courier", "note"),
    ("staff", "email"),
];

/// The statements that replace them in this schema. Every name is one of ours.
pub(crate) fn statements(schema: &str) -> impl Iterator<Item = String> + '_ {
    let replaced = REPLACED.iter().map(move |(table, columns)| {
        let sets: Vec<String> = columns.iter().map(|(column, value)| format!("{column} = {value}")).collect();
        format!("update {schema}.{table} set {}", sets.join(", "))
    });
    // What lists look for in orders is made of what was replaced.
    let entries = [
        format!("set local search_path to {schema}"),
        "select write_order_entry(order_id, null) from order_entry".to_owned(),
        "reset search_path".to_owned(),
    ];
    replaced.chain(entries)
}
