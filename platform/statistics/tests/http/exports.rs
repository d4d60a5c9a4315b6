//! Exports of orders and customers.

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use serde_json::json;
use testkit::{Answer, Client, Place, kit};

const RANGE: &str = "from=2026-01-01T00%3A00%3A00Z&till=2026-12-31T22%3A59%3A59Z";

pub async fn with_pin<'k>(place: &Place<'k>, keys: &[&str], pin: &str) -> Client<'k> {
    let client = place.with_keys(&[&["admin_login"], keys].concat()).await;
    let me = client.get("/api/v3/admin/me").send().await.assert(200).json();
    // Through the staff screen, as an owner does.
    let owner = place.partner_admin().await;
    let list =
        owner.get(&format!("/admins?name={}", me["email"].as_str().unwrap())).send().await.assert(200).json();
    let row = list.as_array().unwrap().iter().find(|row| row["email"] == me["email"]).unwrap();
    owner
        .put(&format!("/admins/{}", row["id"].as_str().unwrap()))
        .json(json!({"pin": pin, "has_pin": true}))
        .send()
        .await
        .assert(200);
    client
}

pub async fn ordered(client: &Client<'_>, pin: Option<&str>, form: &str) -> Answer {
    let call = client
        .post("/export-requests")
        .header("content-type", "application/x-www-form-urlencoded")
        .raw(form.to_owned());
    match pin {
        Some(pin) => call.header("x-pin", pin).send().await,
        None => call.send().await,
    }
}

pub fn own_address() -> String {
    format!("{}@export.test", uuid::Uuid::now_v7().simple())
}

/// Orders of this restaurant as they lie in the database; one of them a test, one refused, one a day out of
/// the range.
async fn orders(place: &Place<'_>) {
    let sql = format!(
        "insert into {0}.orders (id, restaurant_id, counter, business_day, timezone, status, platform, \
         pickup, is_test, first_name, last_name, email, \
           phone_1, currency, products_price, original_price, total_price, vats, explanation, show_at, \
           created_at, message, delivery_data, archived_at) \
         select gen_random_uuid(), $1, case when n < 8 then n::text end, '2026-06-01', 'Europe/Budapest', \
         case n when 7 then 'expired' else 'succeeded' end, 'web', false, n = 6, \
           'Anna', '=cmd|calc', case when n % 2 = 0 then 'Anna@Vendeg.hu' end, '+36 30 111 ' || (n % 2), \
           'huf', 1000 * n, 1000 * n, 1000 * n, '[]', '[]', now(), \
           case n when 9 then '2025-06-01 12:00+00' else timestamptz '2026-06-01 12:00+00' + n * interval '1 \
           minute' end, \
           '@SUM(1+1)', '{{\"postcode\": \"1111\", \"city\": \"Budapest\", \"street\": \"Fő utca\", \
           \"premise_number\": \"1.\"}}', case n when 5 then now() end \
         from generate_series(1, 9) n where n <> 8",
        place.schema
    );
    place.kit.run(&sql, vec![place.restaurant.into()]).await;
    let sql = format!(
        "insert into {0}.order_item (id, order_id, ranking, subproduct_id, product_name, subproduct_name, \
         quantity, unit_price, total_price, vat_percent, net_price, vat_price) \
         select gen_random_uuid(), o.id, r, gen_random_uuid(), '-2+3 Húsleves', 'nagy', 2, 500, 1000, 27, \
         787.40, 212.60 from {0}.orders o, generate_series(1, 2) r where o.restaurant_id = $1",
        place.schema
    );
    place.kit.run(&sql, vec![place.restaurant.into()]).await;
}

/// Three customers: one has all the orders but the fourth, which is the second's; the third was entered
/// and never
/// ordered.
async fn customers(place: &Place<'_>) {
    for sql in [
        "insert into {0}.shadow_customer (id, last_name, first_name, phone_1, email) \
         values (md5($1::text || 1)::uuid, 'Kis', '=Anna', null, 'anna' || md5($1::text) || '@vendeg.hu'), \
            (md5($1::text || 2)::uuid, 'Nagy', 'Béla', '+3630' || (random() * 8999999 + 1000000)::int, \
            null), \
            (md5($1::text || 3)::uuid, 'Soha', 'Rendelt', null, null)",
        "insert into {0}.shadow_customer_restaurant (shadow_customer_id, restaurant_id) \
         select md5($1::text || n)::uuid, $1::uuid from generate_series(1, 3) n",
        "insert into {0}.shadow_customer_address (id, shadow_customer_id, city, street, premise_number) \
         values (gen_random_uuid(), md5($1::text || 1)::uuid, 'Pécs', 'Fő utca', '2')",
        "update {0}.orders set customer_id = md5($1::text || case when counter = '4' then 2 else 1 \
        end)::uuid \
         where restaurant_id = $1::uuid",
        "update {0}.shadow_customer_restaurant s set (order_number, order_total_sum, first_order_at, \
        last_order_at) = \
         (select count(*), coalesce(sum(o.total_price), 0), min(o.created_at), max(o.created_at) \
            from {0}.customer_order o where o.customer_id = s.shadow_customer_id and o.counts) \
         where s.restaurant_id = $1::uuid",
    ] {
        let sql = sql.replace("{0}", &place.schema).replace("$1::text", "$1::uuid::text");
        place.kit.run(&sql, vec![place.restaurant.into()]).await;
    }
}

pub fn link(mail: &str) -> String {
    let line = mail.lines().find(|line| line.contains("/api/v3/export-files/")).expect("a link").trim();
    line[line.find("/api/").unwrap()..].to_owned()
}

/// The rows of the only sheet of the file behind the link in the mail to this address.
pub async fn rows(place: &Place<'_>, address: &str) -> Vec<Vec<Data>> {
    let mail = place.kit.mail_to(address).await;
    let file = place.nobody().get(&link(&mail)).send().await.assert(200);
    assert!(file.header("content-disposition").unwrap().contains(".xlsx"));
    let mut book = Xlsx::new(Cursor::new(file.body)).unwrap();
    let range = book.worksheet_range_at(0).unwrap().unwrap();
    let formulas = book.worksheet_formula(&book.sheet_names()[0].clone()).unwrap();
    assert_eq!(formulas.used_cells().count(), 0, "no cell is a formula");
    range.rows().map(<[Data]>::to_vec).collect()
}

#[testkit::test]
async fn orders_are_exported_behind_the_pin_and_sent_as_a_link() {
    let place = kit().await.restaurant().await;
    orders(&place).await;
    let client = with_pin(&place, &["order_export"], "470011").await;
    let address = own_address();
    let form = format!("export_email={address}&export_type=order_export&filter_type=created_at&{RANGE}");
    ordered(&client, None, &form).await.assert_problem(403, "PIN_REQUIRED");
    ordered(&client, Some("000000"), &form).await.assert_problem(403, "PIN_INVALID");
    let export = ordered(&client, Some("470011"), &form).await.assert(201).json();
    assert_eq!((&export["status"], &export["export_email"]), (&json!("waiting"), &json!(address)));
    let rows = rows(&place, &address).await;
    assert_eq!(rows.len(), 1 + 5, "no test, no expired one, none of the year before");
    let column = |heading: &str| {
        rows[0]
            .iter()
            .position(|cell| *cell == Data::String(heading.to_owned()))
            .unwrap_or_else(|| panic!("{heading}"))
    };
    assert_eq!(rows[1][column("Total")], Data::Float(1000.0), "amounts are numbers");
    assert!(matches!(rows[1][column("Ordered")], Data::DateTime(_)), "instants are dates");
    assert_eq!(
        rows[1][column("Last name")],
        Data::String("=cmd|calc".into()),
        "a text that looks like a formula is a text"
    );
    assert_eq!(rows[1][column("Address")], Data::String("Fő utca 1.".into()));
    let list = client.get("/export-requests").send().await.assert(200).json();
    assert_eq!(
        (&list[0]["status"], &list[0]["progress"], &list[0]["row_count"]),
        (&json!("ready"), &json!(100), &json!(5))
    );
    assert!(list[0].get("download_url").is_none(), "the link goes by mail only");
    // The query form of older clients.
    let path = "/export-requests?pin=470011";
    let form = form.replace("order_export", "order_item_export");
    client
        .post(path)
        .header("content-type", "application/x-www-form-urlencoded")
        .raw(form)
        .send()
        .await
        .assert(201);
}

#[testkit::test]
async fn items_and_guests_are_exported() {
    let place = kit().await.restaurant().await;
    orders(&place).await;
    customers(&place).await;
    let client = with_pin(&place, &["order_export", "customer_export"], "470022").await;
    let address = own_address();
    let form = format!("export_email={address}&export_type=order_item_export&filter_type=created_at&{RANGE}");
    ordered(&client, Some("470022"), &form).await.assert(201);
    let items = rows(&place, &address).await;
    assert_eq!(items.len(), 1 + 10);
    assert!(
        items[1].contains(&Data::String("-2+3 Húsleves".into())) && items[1].contains(&Data::Float(787.4))
    );
    let address = own_address();
    let form = format!(
        "export_email={address}&export_type=shadow_customer_export&filter_type=created_at&all_customers=true"
    );
    ordered(&client, Some("470022"), &form).await.assert(201);
    let guests = rows(&place, &address).await;
    let of = |name: &str| {
        let row = guests.iter().find(|row| row[0] == Data::String(name.into()));
        row.unwrap_or_else(|| panic!("{name}: {guests:?}")).clone()
    };
    assert_eq!(guests.len(), 1 + 3, "everybody whom the restaurant knows");
    let kis = of("Kis");
    assert_eq!((&kis[1], &kis[6]), (&Data::String("=Anna".into()), &Data::String("Fő utca 2".into())));
    // Of 1, 2, 3 and the one of the year before; the fourth is the other's, the fifth archived, the sixth
    // a test.
    assert_eq!((&kis[9], &kis[10]), (&Data::Float(4.0), &Data::Float(15_000.0)));
    assert_eq!((&of("Nagy")[9], &of("Soha")[9]), (&Data::Float(1.0), &Data::Float(0.0)));
    let address = own_address();
    let form =
        format!("export_email={address}&export_type=shadow_customer_export&filter_type=created_at&{RANGE}");
    ordered(&client, Some("470022"), &form).await.assert(201);
    let guests = rows(&place, &address).await;
    assert_eq!(guests.len(), 1 + 2, "who ordered in the range");
    let kis = guests.iter().find(|row| row[0] == Data::String("Kis".into())).unwrap();
    assert_eq!(
        (&kis[9], &kis[10]),
        (&Data::Float(3.0), &Data::Float(6_000.0)),
        "with the orders of that time"
    );
    let address = own_address();
    let form =
        format!("export_email={address}&export_type=shadow_customer_export&filter_type=expected_at&{RANGE}");
    ordered(&client, Some("470022"), &form).await.assert(201);
    assert_eq!(rows(&place, &address).await.len(), 1, "nobody wanted anything then");
}

#[testkit::test]
async fn rules_rights_and_links() {
    let place = kit().await.restaurant().await;
    let client = with_pin(&place, &["order_export"], "470033").await;
    let refused =
        ordered(&client, Some("470033"), "").await.assert_problem(422, "EXPORT_REQUEST_MISSING_PARAM").json();
    assert_eq!(refused["keys"], json!(["export_email", "export_type", "filter_type", "from", "till"]));
    let long = "export_email=a@b.hu&export_type=order_export&filter_type=created_at&from=2025-01-01T00%3A00%3A00Z&till=2026-01-02T00%3A00%3A00Z";
    ordered(&client, Some("470033"), long).await.assert_problem(422, "EXPORT_REQUEST_MISSING_PARAM");
    let guests =
        format!("export_email=a@b.hu&export_type=shadow_customer_export&filter_type=created_at&{RANGE}");
    ordered(&client, Some("470033"), &guests).await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    client
        .post("/export-requests")
        .header("x-pin", "470033")
        .json(json!({}))
        .send()
        .await
        .assert_problem(415, "MEDIA_TYPE_NOT_SUPPORTED");
    place
        .with_keys(&["order"])
        .await
        .get("/export-requests")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    let nobody = place.nobody();
    nobody.get("/api/v3/export-files/AAAA").send().await.assert_problem(404, "EXPORT_REQUEST_NOT_EXIST");
    let address = own_address();
    ordered(
        &client,
        Some("470033"),
        &format!("export_email={address}&export_type=order_export&filter_type=expected_at&{RANGE}"),
    )
    .await
    .assert(201);
    let link = link(&place.kit.mail_to(&address).await);
    nobody.get(&link).send().await.assert(200);
    // One letter of the middle: another partner, another export, another end.
    for at in [25, 45, 75] {
        let mut forged: Vec<char> = link.chars().collect();
        forged[at] = if forged[at] == 'A' { 'B' } else { 'A' };
        nobody
            .get(&forged.into_iter().collect::<String>())
            .send()
            .await
            .assert_problem(404, "EXPORT_REQUEST_NOT_EXIST");
    }
    let audit = client.get("/export-requests").send().await.assert(200).json();
    assert_eq!(audit.as_array().unwrap().len(), 1);
    // Only the super admin who ordered an export can open it.
    let platform = place.super_admin().await;
    let access = json!({"reason": "4711-es jegy", "writable": true});
    platform
        .post(&format!("/api/v3/super-admin/partners/{}/access", place.partner))
        .json(access)
        .send()
        .await
        .assert(201);
    let address = own_address();
    let form = format!("export_email={address}&export_type=order_export&filter_type=expected_at&{RANGE}");
    ordered(&platform, None, &form).await.assert(201);
    let mail = place.kit.mail_to(&address).await;
    let link = self::link(&mail);
    nobody.get(&link).send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    client.get(&link).send().await.assert_problem(404, "EXPORT_REQUEST_NOT_EXIST");
    place.super_admin().await.get(&link).send().await.assert_problem(404, "EXPORT_REQUEST_NOT_EXIST");
    platform.get(&link).send().await.assert(200);
    let owner = place.admin().await;
    let lines = owner.get("/audit?limit=200").send().await.assert(200).json();
    assert!(lines.as_array().unwrap().iter().any(|line| line["action"] == "export_requests_create"));
}

#[testkit::test]
async fn an_unreachable_address_does_not_repeat_the_mails_of_others() {
    let place = kit().await.partner().await;
    let (owner, other) = (place.partner_admin().await, place.partner_admin().await);
    let email = |client: &Client<'static>| {
        let client = client.clone();
        async move {
            client.get("/api/v3/admin/me").send().await.assert(200).json()["email"]
                .as_str()
                .unwrap()
                .to_owned()
        }
    };
    let (reached, faulty) = (email(&owner).await, email(&other).await);
    // No server takes such an address, and it comes last.
    let sql = "update control.account set email = $2 where email = $1";
    place.kit.run(sql, vec![faulty.clone().into(), format!("zz {faulty}").into()]).await;
    let client = with_pin(&place, &["order_export"], "470066").await;
    let address = own_address();
    ordered(
        &client,
        Some("470066"),
        &format!("export_email={address}&export_type=order_export&filter_type=created_at&{RANGE}"),
    )
    .await
    .assert(201);
    place.kit.mail_to(&address).await;
    let (mail, partner) = (place.kit.mail_to(&reached).await, place.partner);
    assert!(mail.contains(&address), "{mail}");
    for _ in 0..5 {
        place
            .kit
            .run(
                "update control.job set run_at = now() where partner_id = $1 and state = 'waiting'",
                vec![partner.into()],
            )
            .await;
        place.kit.run_jobs().await;
    }
    let again = place.kit.mails_to(&reached).into_iter().filter(|mail| mail.contains(&address)).count();
    assert_eq!(again, 1, "told once");
}

#[testkit::test]
async fn an_export_that_breaks_off_leaves_no_file() {
    let place = kit().await.restaurant().await;
    orders(&place).await;
    // No number of ours reads this one.
    place
        .kit
        .run(
            &format!("update {}.orders set total_price = 'NaN' where restaurant_id = $1", place.schema),
            vec![place.restaurant.into()],
        )
        .await;
    let client = with_pin(&place, &["order_export"], "470055").await;
    let form =
        format!("export_email={}&export_type=order_export&filter_type=created_at&{RANGE}", own_address());
    let export = ordered(&client, Some("470055"), &form).await.assert(201).json();
    let mut status = export["status"].clone();
    for _ in 0..100 {
        place.kit.run_jobs().await;
        status = client.get("/export-requests").send().await.assert(200).json()[0]["status"].clone();
        if status == "failed" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(status, "failed");
    let id = export["id"].as_str().unwrap().replace('-', "");
    let exports = place.kit.app.settings.files.join("exports");
    let partners = std::fs::read_dir(&exports)
        .unwrap()
        .flat_map(|partner| std::fs::read_dir(partner.unwrap().path()).into_iter().flatten());
    let left: Vec<_> = partners
        .flatten()
        .map(|file| file.file_name().into_string().unwrap())
        .filter(|name| name.starts_with(&id))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// How much memory this process has at most had, in MB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok()).unwrap_or(0) / 1024
}

#[testkit::test(alone)]
#[ignore = "a measurement: cargo xtask test -p statistics -- --run-ignored only memory --no-capture"]
async fn memory_of_a_hundred_thousand_orders() {
    let place = kit().await.restaurant().await;
    let sql = format!(
        "insert into {}.orders (id, restaurant_id, counter, business_day, timezone, status, platform, \
         pickup, first_name, last_name, email, phone_1, currency, \
           products_price, original_price, total_price, vats, explanation, show_at, created_at) \
         select gen_random_uuid(), $1, n::text, '2026-06-01', 'Europe/Budapest', 'succeeded', 'web', false, \
         'Anna', 'Vendég ' || n, 'v' || n % 5000 || '@vendeg.hu', '+36 30 111', \
           'huf', n, n, n, '[]', '[]', now(), timestamptz '2026-06-01 00:00+00' + n * interval '10 seconds' \
           from generate_series(1, 100000) n",
        place.schema
    );
    place.kit.run(&sql, vec![place.restaurant.into()]).await;
    let client = with_pin(&place, &["order_export"], "470044").await;
    place.kit.run_jobs().await;
    let before = peak();
    let begun = std::time::Instant::now();
    let form =
        format!("export_email={}&export_type=order_export&filter_type=created_at&{RANGE}", own_address());
    ordered(&client, Some("470044"), &form).await.assert(201);
    place.kit.run_jobs().await;
    let export = client.get("/export-requests").send().await.assert(200).json()[0].clone();
    assert_eq!(export["row_count"], 100_000, "{export}");
    let grown = peak() - before;
    eprintln!(
        "100,000 orders: {:?}, {} bytes, memory grew by {grown} MB to {} MB",
        begun.elapsed(),
        export["size_bytes"],
        peak()
    );
    assert!(grown < 100, "{grown} MB");
}

#[testkit::test]
async fn anonymising_a_customer_withdraws_the_files_that_may_have_the_name() {
    let place = kit().await.partner().await;
    let client = with_pin(&place, &["customer", "customer_export"], "470044").await;
    let body = json!({"last_name": "Kanárimadár", "first_name": "Éva"});
    let made =
        client.post("/shadow-customers").header("x-pin", "470044").json(body).send().await.assert(201).json();
    let address = own_address();
    let form = format!(
        "export_email={address}&export_type=shadow_customer_export&filter_type=created_at&all_customers=true"
    );
    ordered(&client, Some("470044"), &form).await.assert(201);
    assert_eq!(rows(&place, &address).await.len(), 1 + 1);
    let link = link(&place.kit.mail_to(&address).await);
    place.nobody().get(&link).send().await.assert(200);
    // One that is being made meanwhile is made anew.
    let sql = format!(
        "insert into {}.export_request (id, restaurant_id, export_email, export_type, filter_type, language, \
         actor_name, status) values (gen_random_uuid(), $1, 'a@export.test', 'order_export', 'created_at', \
         'hu', \
         'Próba', 'running')",
        place.schema
    );
    place.kit.run(&sql, vec![place.restaurant.into()]).await;
    let path = format!("/shadow-customers/{}", made["id"].as_str().unwrap());
    client.delete(&path).header("x-pin", "470044").send().await.assert(204);
    place.kit.run_jobs().await;
    place.nobody().get(&link).send().await.assert_problem(404, "EXPORT_REQUEST_NOT_EXIST");
    let sql = format!("select count(*)::text from {}.export_request where expires_at is null", place.schema);
    assert_eq!(place.kit.texts(&sql).await, ["0"], "whoever makes one sees that it was withdrawn");
}

#[testkit::test]
async fn links_end_with_the_person_who_ordered_them() {
    let place = kit().await.partner().await;
    orders(&place).await;
    let owner = place.partner_admin().await;
    let (leaving, staying) = (
        with_pin(&place, &["order_export"], "730001").await,
        with_pin(&place, &["order_export"], "730002").await,
    );
    let form = |to: &str| {
        format!(
            "export_email={}&export_type=order_export&filter_type=created_at&{RANGE}",
            to.replace('@', "%40")
        )
    };
    let (one, two, three) = (own_address(), own_address(), own_address());
    ordered(&leaving, Some("730001"), &form(&one)).await.assert(201);
    ordered(&staying, Some("730002"), &form(&two)).await.assert(201);
    let fetch = async |mail: &str| place.nobody().get(&link(mail)).send().await.status;
    let (first, second) = (place.kit.mail_to(&one).await, place.kit.mail_to(&two).await);
    assert_eq!((fetch(&first).await, fetch(&second).await), (200, 200));
    // Ordered, and not made yet.
    ordered(&leaving, Some("730001"), &form(&three)).await.assert(201);
    let me = leaving.get("/api/v3/admin/me").send().await.assert(200).json();
    let admin = me["targets"][0]["admin_id"].as_str().unwrap().to_owned();
    owner.delete(&format!("/admins/{admin}")).send().await.assert(204);
    for _ in 0..200 {
        place.kit.run_jobs().await;
        if fetch(&first).await == 404 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    place.kit.run_jobs().await;
    assert_eq!((fetch(&first).await, fetch(&second).await), (404, 200));
    for mail in place.kit.mails_to(&three) {
        assert_eq!(fetch(&mail).await, 404, "{mail}");
    }
    let kept = format!("select count(*)::text from {}.export_request where filter is not null", place.schema);
    assert_eq!(place.kit.texts(&kept).await, ["0"]);
}
