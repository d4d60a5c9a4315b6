//! A partner with rows of every kind: two restaurants in two groups and one that is archived, people, keys, a
//! menu, orders in every state.

use serde_json::{Value, json};
use testkit::{Client, Place, kit};
use uuid::Uuid;

use super::objects;

/// A partner with rows in every table.
pub(crate) struct SamplePartner<'k> {
    pub place: Place<'k>,
    pub owner: Client<'k>,
    /// Holds a few keys of the first restaurant.
    pub waiter: Client<'k>,
}

fn id(row: &Value) -> &str {
    row["id"].as_str().unwrap()
}

async fn make(client: &Client<'_>, path: &str, body: Value) -> Value {
    client.post(path).json(body).send().await.assert(201).json()
}

/// A row of each further kind, by the shortest way. `{}` is the schema, `$1` the restaurant.
const ROWS: &[&str] = &[
    "insert into {}.restaurant_holiday (id, restaurant_id, valid_from, valid_till, holiday_type) \
     values (gen_random_uuid(), $1, '2030-12-24', '2030-12-26', 'holiday_close')",
    "insert into {}.payable_transaction (id, order_id, value, payment_info, paid_at) \
     select gen_random_uuid(), id, total_price, 'kártya', now() from {}.orders where restaurant_id = $1",
    "insert into {}.payment_attempt (id, restaurant_id, order_id, kind, payment_method_id, payment_key, amount, \
     currency, handed_currency, payment_info, state, actor_kind, actor_name, surface) \
     select gen_random_uuid(), $1, id, 'by_hand', gen_random_uuid(), 'card', total_price, 'huf', 'huf', 'Anna', \
     'pending', 'admin', 'Anna', 'admin' from {}.orders where restaurant_id = $1",
    "insert into {}.order_payment_page (order_id, restaurant_id, return_url, pay_until, created_at) \
     select id, $1, 'https://anna.example', now(), now() from {}.orders where restaurant_id = $1",
    "insert into {}.payment_attempt_item (attempt_id, order_item_id, quantity) \
     select a.id, i.id, 1 from {}.payment_attempt a join {}.order_item i on i.order_id = a.order_id \
     where a.restaurant_id = $1",
    "insert into {}.payment_event (attempt_id, source, state, body) \
     select id, 'person', 'pending', jsonb_build_object('reason', 'Anna') from {}.payment_attempt where restaurant_id = $1",
    "insert into {}.payment_refund (id, restaurant_id, order_id, attempt_id, amount, state, reason, actor_kind, \
     actor_name, surface) select gen_random_uuid(), $1, order_id, id, 1, 'created', 'Anna', 'admin', 'Anna', \
     'admin' from {}.payment_attempt where restaurant_id = $1",
    "insert into {}.payment_pause (kind, since) values ('restored', '2026-01-01T00:00:00Z') on conflict do nothing",
    "insert into {}.payment_reconciliation (id, restaurant_id, day, state, actor_name) \
     values (gen_random_uuid(), $1, '2030-01-01', 'ready', 'Anna')",
    "insert into {}.payment_reconciliation_line (id, restaurant_id, reconciliation_id, attempt_id, provider, currency, \
     captured, refunded) select gen_random_uuid(), $1, r.id, a.id, 'barion', 'huf', 1, 0 \
     from {}.payment_reconciliation r, {}.payment_attempt a where r.restaurant_id = $1 and a.restaurant_id = $1",
    "insert into {}.drawer_movement (id, restaurant_id, kind, value, currency, reason, actor_kind, actor_name, \
     business_day) values (gen_random_uuid(), $1, 'in', 1000, 'huf', 'váltópénz', 'admin', 'Anna', '2030-01-01')",
    "insert into {}.drawer_close (id, restaurant_id, business_day, note, actor_kind, actor_name) \
     values (gen_random_uuid(), $1, '2030-01-01', 'rendben', 'admin', 'Anna')",
    "insert into {}.drawer_close_line (close_id, payment_key, currency, left_before, taken, given_back, moved, \
     expected, left_over) select id, 'cash', 'huf', 0, 0, 0, 1000, 1000, 1000 from {}.drawer_close \
     where restaurant_id = $1",
    "insert into {}.drawer_close_row (row_id, place, close_id) select m.id, $1, c.id \
     from {}.drawer_movement m, {}.drawer_close c where m.restaurant_id = $1 and c.restaurant_id = $1",
    "insert into {}.external_id (restaurant_id, entity_kind, entity_id, platform, value) \
     select $1, 'product', id, 'hiopos', '17' from {}.product where restaurant_id = $1 limit 1",
    "insert into {}.featured_product (id, restaurant_id, product_id) \
     select gen_random_uuid(), $1, id from {}.product where restaurant_id = $1",
    "insert into {}.product_category_upsell (id, restaurant_id, suggested_category_id) \
     select gen_random_uuid(), $1, id from {}.product_category where restaurant_id = $1",
    "insert into {}.menu_mend (id, restaurant_id, rule, count, undo, actor_name, created_at) \
     values (gen_random_uuid(), $1, 'picture', 1, jsonb_build_array(), 'Minta Anna', now())",
    "insert into {}.ntak_change (id, restaurant_id, categories, products, subproducts, undo, actor_name, created_at) \
     values (gen_random_uuid(), $1, 1, 2, 3, jsonb_build_object(), 'Minta Anna', now())",
    "insert into {}.restaurant_legal (restaurant_id, company_name, tax_num, address) values ($1, 'Minta \
     Kft.', '12345678-1-42', '9021 Győr, Fő utca 2')",
    "insert into {}.restaurant_socials (restaurant_id, blog) values ($1, 'https://minta.example/blog')",
    "insert into {}.restaurant_payment_method (restaurant_id, payment_method_id) select $1, id from \
     ref.payment_method on conflict do nothing",
    "insert into {}.payment_settings (restaurant_id, eur_huf_rate) values ($1, 400) on conflict do nothing",
    "insert into {}.provider_account (id, restaurant_id, provider, account, environment) values \
     (gen_random_uuid(), $1, 'barion', 'penztar@minta.example', 'live')",
    "update {}.restaurant_payment_method m set account_id = a.id from {}.provider_account a, ref.payment_method r \
     where a.restaurant_id = $1 and m.restaurant_id = $1 and r.id = m.payment_method_id and r.payment_type = 'card_online'",
    "insert into {}.callback (id, restaurant_id, provider, account_id, digest, is_signed, query, body, received_at) \
        select gen_random_uuid(), $1, provider, id, '\\x01', true, '', '\\x02', now() from {}.provider_account \
        where restaurant_id = $1",
    "insert into {}.card_terminal (id, restaurant_id, terminal_type, terminal_id, name) values \
     (gen_random_uuid(), $1, 'ospi', 'T-1', 'Pult')",
    "insert into {}.card_terminal_connection (id, restaurant_id, live, secret, connected_at) values \
     (gen_random_uuid(), $1, false, 'x', now())",
    "insert into {}.order_item_kept (order_item_id, old_item_id, quantity) \
        select max(i.id::text)::uuid, min(i.id::text)::uuid, 1 from {}.order_item i join {}.orders o on o.id = i.order_id \
        where o.restaurant_id = $1",
    "insert into {}.kiosk (id, restaurant_id, name, pin) values (gen_random_uuid(), $1, 'Bejárat', '7395')",
    "insert into {}.terminal_scheme (id, restaurant_id, terminal_id, restaurant_kiosk_id) \
     select gen_random_uuid(), $1, 'T-1', id from {}.kiosk where restaurant_id = $1",
    "insert into {}.media (id, restaurant_id, name, token, hash, width, height, bytes) \
     values (gen_random_uuid(), $1, 'Gulyás', md5($1::text), 'x', 320, 200, 9000)",
    "insert into {}.restaurant_tv (id, restaurant_id, name, background_id) \
     select gen_random_uuid(), $1, 'Pult felett', id from {}.media where restaurant_id = $1",
    "insert into {}.push_device (id, restaurant_id, token, platform) values (gen_random_uuid(), $1, \
     'titkos', 'web')",
    "insert into {}.push_notification (id, restaurant_id, scheduled_at, notification_title, \
     notification_body, run) \
     values (gen_random_uuid(), $1, '2099-01-01', 'Ma', 'Pizza', gen_random_uuid())",
    "insert into {}.push_delivery (notification_id, device_id) \
     select n.id, d.id from {}.push_notification n, {}.push_device d where n.restaurant_id = $1 and \
     d.restaurant_id = $1",
    "insert into {}.order_sender (order_id, restaurant_id, phone, guest, created_at) \
     select id, restaurant_id, '+36205550100', '203.0.113.7', now() from {}.orders where restaurant_id = $1 \
     on conflict do nothing",
    "insert into {}.order_email (restaurant_id, kind, subject) values ($1, 'received', 'Megkaptuk')",
    "insert into {}.menu_import (id, restaurant_id, file_name, file_size, file, actor_name) values \
     (gen_random_uuid(), $1, 'étlap.csv', 3, 'a;b', 'Minta Anna')",
    "insert into {}.export_request (id, restaurant_id, export_email, export_type, filter_type, language, \
     actor_name) \
     values (gen_random_uuid(), $1, 'anna@minta.example', 'order_export', 'created_at', 'hu', 'Minta Anna')",
    "insert into {}.order_change (id, order_id, fields, old_and_new, created_at) \
     select gen_random_uuid(), id, '{phone_1}', '{\"phone_1\": [\"+36305550100\", null]}', now() \
     from {}.orders where restaurant_id = $1",
    "insert into {}.order_filter (id, restaurant_id, owner_id, name, filter) \
     values (gen_random_uuid(), $1, gen_random_uuid(), 'Pécs', '{\"city\": \"Pécs\"}')",
    "insert into {}.delivery_region (id, restaurant_id, name, price, min_order_price) values \
     (gen_random_uuid(), $1, 'Belváros', 500, 3000)",
    "insert into {}.delivery_street (id, restaurant_id, delivery_region_id, name, name_key, postcode, \
     postcode_key) select gen_random_uuid(), $1, id, 'Fő utca', 'fo', '9021', '9021' \
     from {}.delivery_region where restaurant_id = $1",
    "insert into {}.delivery_place (address_key, lat, lng, kept_until) values \
     (sha256(convert_to($1::uuid::text, 'UTF8')), 47.5, 19.05, now() + interval '1 day')",
    "insert into {}.delivery_polygon (id, restaurant_id, delivery_region_id, polygon_type, center_lat, \
     center_lng, radius, min_lat, max_lat, min_lng, max_lng, area) \
     select gen_random_uuid(), $1, id, 'circle', 47, 19, 1000, 46.9, 47.1, 18.9, 19.1, 3141593 \
     from {}.delivery_region where restaurant_id = $1",
];

const PROMOTIONS: &[&str] = &[
    "insert into {}.shadow_customer (id, last_name, first_name, phone_1) \
     values (gen_random_uuid(), 'Titkos', 'Éva', '+3630' || (random() * 8999999 + 1000000)::int)",
    "insert into {}.shadow_customer_restaurant (shadow_customer_id, restaurant_id) \
     select id, $1 from {}.shadow_customer on conflict do nothing",
    "insert into {}.shadow_customer (id, last_name, first_name, note, external_ids, merged_into, root_id, \
    merged_at) \
     select gen_random_uuid(), 'Titkos', 'Évi', 'kutya', '[{\"platform\": \"bolt\", \"id\": \"7\"}]', id, \
     id, now() \
     from {}.shadow_customer where merged_into is null limit 1",
    "insert into {}.shadow_customer_address (id, shadow_customer_id, city, street, premise_number, \
    coord_lat, \
     coord_lng) select gen_random_uuid(), id, 'Pécs', 'Fő utca', '1', 46.07, 18.23 from {}.shadow_customer",
    "insert into {}.shadow_customer_balance (id, shadow_customer_id, restaurant_group_id, restaurant_id, \
    type, value, \
     currency, payment_method, transaction_at, actor_name) \
     select gen_random_uuid(), c.id, r.restaurant_group_id, $1, 'payment', 5000, 'huf', 'cash', now(), \
     'Minta Anna' from {}.shadow_customer c, {}.restaurant r where r.id = $1",
    "insert into {}.shadow_customer_comment (row_id, shadow_customer_id, comment) \
     select id, shadow_customer_id, 'Titkos Éva fizette' from {}.shadow_customer_balance \
     on conflict do nothing",
    "insert into {}.shadow_customer_point (id, shadow_customer_id, restaurant_group_id, restaurant_id, \
    type, value, \
     transaction_at, actor_name) select gen_random_uuid(), c.id, r.restaurant_group_id, $1, 'entered', 50, \
     now(), \
     'Minta Anna' from {}.shadow_customer c, {}.restaurant r where r.id = $1",
    "insert into {}.shadow_customer_account (shadow_customer_id, restaurant_group_id, balance, points, \
    transactions) \
     select c.id, r.restaurant_group_id, 5000, 50, 1 from {}.shadow_customer c, {}.restaurant r where r.id \
     = $1 \
     on conflict do nothing",
    "insert into {}.discount (id, name, discount_type, code, code_key, platforms, restaurant_ids, \
     locked_customers, ranges) \
     values (gen_random_uuid(), 'Törzsvendég', 'coupon', 'TÖRZS', 'törzs', '{browser}', array[$1::uuid], true, \
     '[{\"price_from\": 0, \"discount_value\": 10, \"discount_type\": \"percent\", \
     \"apply_on_delivery\": false, \"free_delivery\": false, \"apply_on_options\": false, \"gifts\": []}]')",
    "insert into {}.discount_usage (id, discount_id, shadow_customer_id) \
     select gen_random_uuid(), d.id, c.id from {}.discount d, {}.shadow_customer c \
     where d.restaurant_ids = array[$1::uuid]",
    "insert into {}.discount_code (id, discount_id, code, code_key) \
     select gen_random_uuid(), id, upper(md5($1::text)), md5($1::text) from {}.discount \
     where restaurant_ids = array[$1::uuid]",
    "insert into {}.promotion_use (id, discount_id, order_id, restaurant_id, business_day, amount, used_at) \
     select gen_random_uuid(), d.id, o.id, $1, current_date, 100, now() from {}.discount d, {}.orders o \
     where d.restaurant_ids = array[$1::uuid] and o.restaurant_id = $1",
    "insert into {}.discount_counter (discount_id, customer_id, business_day, qty) \
     select id, '00000000-0000-0000-0000-000000000000', '-infinity', 8 from {}.discount \
     where restaurant_ids = array[$1::uuid]",
];

const PARTS: &[&str] = &[
    "insert into {}.order_item_part (id, order_item_id, ranking, kind, subproduct_id, name, quantity, \
     total_price, discount, paid_price, vat_percent, net_price, vat_price, service_fee, service_fee_net, \
     service_fee_vat) \
     select gen_random_uuid(), i.id, 9, 'item', i.subproduct_id, i.product_name, i.quantity, 1000, 100, 900, 27, 709, \
     191, 90, 71, 19 from {}.order_item i join {}.orders o on o.id = i.order_id where o.restaurant_id = $1",
];

/// What a restaurant has: a menu with options, couriers, orders.
async fn restaurant(place: &Place<'_>, number: usize) {
    let admin = place.admin().await;
    let switch = format!("/api/v3/super-admin/restaurants/{}", place.restaurant);
    let platform = place.super_admin().await;
    platform
        .put(&format!("{switch}/features"))
        .json(json!({"features": ["kiosk", "push", "tv"]}))
        .send()
        .await
        .assert(200);
    platform.put(&format!("{switch}/switches")).json(json!({"autoqueue": true})).send().await.assert(200);
    admin
        .put("/general")
        .json(json!({"city": "Győr", "street": "Fő utca \\ 2", "phone_1": "+36 96 555 010"}))
        .send()
        .await
        .assert(200);
    admin
        .put("/system")
        .json(json!({"counter_prefix": "B", "estimated_delivery_time": 35}))
        .send()
        .await
        .assert(200);

    let group = make(&admin, "/option-groups", json!({"name": "Köretek", "type": "inclusive"})).await;
    let at = format!("/option-groups/{}/options", id(&group));
    let mut options = Vec::new();
    for name in ["Rizs", "Hasábburgonya", "Saláta"] {
        options.push(make(&admin, &at, json!({"name": name, "price": 150})).await);
    }
    make(
        &admin,
        "/option-groups",
        json!({"name": "Szószok", "type": "min_max", "min_no_options": 0, "max_no_options": 2}),
    )
    .await;
    let above = make(&admin, "/product-categories", json!({"name": "Konyha"})).await;
    let mut products = Vec::new();
    for (name, dishes) in
        [("Levesek \\ mások", ["Gulyás", "Halászlé"]), ("Főételek", ["Pörkölt", "Rántott hús"])]
    {
        let category = make(
            &admin,
            "/product-categories",
            json!({"name": name, "description": "naponta\tfrissen,\nés \\ sor", "parent_id": id(&above)}),
        )
        .await;
        for dish in dishes {
            let body = json!({"name": dish, "subproducts": [
                {"name": "Adag", "price": 1800 + number, "option_group_ids": [id(&group)]},
                {"name": "Kis adag", "price": 1200}]});
            products
                .push(make(&admin, &format!("/product-categories/{}/products", id(&category)), body).await);
        }
    }
    let parts = json!([{"subproduct_id": products[0]["subproducts"][1]["id"], "pieces": 2}]);
    let menu =
        json!({"name": "Menü", "subproducts": [{"price": 3000, "deposit_pieces": 1, "components": parts}]});
    let at = products[0]["product_category_id"].as_str().unwrap();
    make(&admin, &format!("/product-categories/{at}/products"), menu).await;
    admin
        .put("/pos/configs")
        .json(json!({"service_fee": 12.5, "service_fee_mode": "all_items"}))
        .send()
        .await
        .assert(200);
    for (first, vehicle) in [("Pál", "bicycle"), ("Éva", "car"), ("Bence", "moped")] {
        make(
            &admin,
            "/couriers",
            json!({"first_name": first, "last_name": "Futár", "vehicle": vehicle,
            "active": first != "Bence"}),
        )
        .await;
    }
    make(&admin, "/storno-reasons", json!({"name": "Elromlott a kemence", "used_for": "refusal"})).await;
    let gone = make(&admin, "/couriers", json!({"first_name": "Volt", "last_name": "Futár"})).await;
    admin.delete(&format!("/couriers/{}", id(&gone))).send().await.assert(204);
    make(&admin, "/api-keys", json!({"name": "webbolt", "scopes": ["menu:read"]})).await;

    objects::picture(&admin, "Pörkölt", [120, 60, u8::try_from(number).unwrap_or_default()]).await;

    let mut orders = Vec::new();
    for nth in 0..8_usize {
        let order = json!({
            "platform": "phone", "pickup": nth % 2 == 0, "first_name": "Éva", "last_name": "Titkos",
            "phone_1": "+36 30 123 4567",
            "email": "eva.titkos@pelda.hu", "message": "a csengő titkos", "payment_method": "cash",
            "items": [{"subproduct_id": products[nth % products.len()]["subproducts"][0]["id"],
                "quantity": 1 + nth % 3,
                       "item_options": [{"option_id": id(&options[nth % 3])}]}],
            "delivery_data": {"city": "Győr", "street": "Titkos utca", "premise_number": "7"},
        });
        let key = Uuid::now_v7().to_string();
        orders.push(admin.post("/public/orders").json(order).key(&key).send().await.assert(201).json());
    }
    admin
        .put(&format!("/orders/{}/accept", id(&orders[0])))
        .json(json!({"delivery_time_minute": 40}))
        .send()
        .await
        .assert(200);
    admin
        .put(&format!("/orders/{}/archive", id(&orders[1])))
        .json(json!({"reason": "too_busy"}))
        .send()
        .await
        .assert(200);
    for statement in ROWS.iter().chain(PROMOTIONS).chain(PARTS) {
        place.kit.run(&statement.replace("{}", &place.schema), vec![place.restaurant.into()]).await;
    }
}

pub(crate) async fn sample_partner() -> SamplePartner<'static> {
    let kit = kit().await;
    let place = kit.partner().await;
    let second = kit.restaurant_of(place.partner).await;
    let owner = place.partner_admin().await;
    let at = format!("/api/v3/admin/partners/{}", place.partner);
    let group =
        make(&owner, &format!("{at}/restaurant-groups"), json!({"name": "Vidék", "currency": "huf"})).await;
    let there = format!("{at}/restaurants/{}", second.restaurant);
    owner
        .put(&format!("{there}/group"))
        .json(json!({"restaurant_group_id": id(&group)}))
        .send()
        .await
        .assert(204);
    restaurant(&place, 0).await;
    restaurant(&second, 1).await;
    let closed = make(&owner, &format!("{at}/restaurants"), json!({"name": "Bezárt"})).await;
    let path = format!("{at}/restaurants/{}", id(&closed));
    owner.delete(&path).json(json!({"confirm": "Bezárt"})).send().await.assert(204);

    let rules = json!({"password_min_length": 8, "idle_minutes": 600});
    owner.put(&format!("{at}/sign-in-rules")).json(rules).send().await.assert(200);

    let mail = || format!("{}@pult.test", Uuid::now_v7().simple());
    let person = json!({"email": mail(), "name": "Minta Anna", "target_type": "Partner",
        "full_target_access": true, "surfaces": ["admin", "pos"],
                        "password": "szilvásgombóc", "password_again": "szilvásgombóc"});
    make(&owner, &format!("{at}/admins"), person).await;
    let person = json!({"email": mail(), "name": "Minta Béla", "full_target_access": true,
        "restaurant_ids": [second.restaurant], "target_type": "Restaurant",
                        "surfaces": ["admin", "pos"], "password": "szilvásgombóc",
                        "password_again": "szilvásgombóc", "has_pin": true, "pin": "739512",
                        "max_discount_percent": 12.5});
    let person = make(&owner, &format!("{at}/admins"), person).await;
    owner
        .put(&format!("{at}/admins/{}", id(&person)))
        .json(json!({"tel": "+36 1 555 0100"}))
        .send()
        .await
        .assert(200);
    let gone = make(
        &owner,
        &format!("{at}/admins"),
        json!({"email": mail(), "name": "Volt Gábor", "target_type": "Partner"}),
    )
    .await;
    owner.delete(&format!("{at}/admins/{}", id(&gone))).send().await.assert(204);
    let both = json!({"name": "könyvelés", "scopes": ["orders:read"], "restaurant_ids": [place.restaurant,
        second.restaurant]});
    make(&owner, &format!("{at}/api-keys"), both).await;
    let waiter = place.with_keys(&["order", "courier"]).await;
    SamplePartner { place, owner, waiter }
}
