//! Export, restore, clone.

use std::{
    collections::BTreeMap,
    io::{Cursor, Read, Write},
};

use serde_json::{Value, json};
use testkit::{Client, Kit, Place, kit};
use uuid::Uuid;
use zip::{ZipArchive, ZipWriter, write::SimpleFileOptions};

use super::{PARTNERS, becomes, unique, work_off};

pub(crate) fn unpack(archive: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut zip = ZipArchive::new(Cursor::new(archive)).unwrap();
    (0..zip.len())
        .map(|at| {
            let mut file = zip.by_index(at).unwrap();
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            (file.name().unwrap().into_owned(), bytes)
        })
        .collect()
}

pub(crate) fn pack(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

pub(crate) fn manifest(files: &BTreeMap<String, Vec<u8>>) -> Value {
    serde_json::from_slice(&files["manifest.json"]).unwrap()
}

/// The objects of an archive, by their names.
pub(crate) fn objects(files: &BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    let mut tar = tar::Archive::new(files["objects.tar"].as_slice());
    let read = |entry: std::io::Result<tar::Entry<'_, &[u8]>>| {
        let mut entry = entry.unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        (entry.path().unwrap().to_str().unwrap().to_owned(), bytes)
    };
    tar.entries().unwrap().map(read).collect()
}

pub(crate) async fn export(admin: &Client<'_>, partner: &str) -> Vec<u8> {
    export_at(kit().await, admin, partner).await
}

/// The same on this installation.
pub(crate) async fn export_at(kit: &Kit, admin: &Client<'_>, partner: &str) -> Vec<u8> {
    let at = format!("{PARTNERS}/{partner}");
    let ordered = admin
        .post(&format!("{at}/export"))
        .json(json!({"reason": "a partner kérte"}))
        .send()
        .await
        .assert(202)
        .json();
    for _ in 0..1_600 {
        kit.run_owner_jobs().await;
        let exports = admin.get(&format!("{at}/exports")).send().await.assert(200).json();
        let found = exports.as_array().unwrap().iter().find(|one| one["id"] == ordered["id"]).unwrap();
        assert!(found["status"] != "failed", "{found}");
        if let Some(link) = found["download_url"].as_str() {
            let path = link.strip_prefix("http://pult.test").unwrap();
            let file = admin.get(path).send().await.assert(200);
            assert_eq!(i64::try_from(file.body.len()).unwrap(), found["size_bytes"].as_i64().unwrap());
            return file.body;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("the export does not end");
}

pub(crate) async fn restore(admin: &Client<'_>, archive: &[u8], fields: &[(&str, &str)]) -> testkit::Answer {
    let border = "grenze-7306";
    let mut body = Vec::new();
    for (name, value) in fields {
        body.extend_from_slice(
            format!("--{border}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
                .as_bytes(),
        );
    }
    body.extend_from_slice(
        format!(
            "--{border}\r\nContent-Disposition: form-data; name=\"archive\"; \
            filename=\"../../a.zip\"\r\nContent-Type: application/zip\r\n\r\n"
        )
        .as_bytes(),
    );
    body.extend_from_slice(archive);
    body.extend_from_slice(format!("\r\n--{border}--\r\n").as_bytes());
    admin
        .post(&format!("{PARTNERS}/restore"))
        .header("content-type", format!("multipart/form-data; boundary={border}"))
        .raw(body)
        .send()
        .await
}

/// Puts this partner back to what the archive has of it.
pub(crate) async fn put_back(admin: &Client<'_>, archive: &[u8], place: &Place<'_>) -> testkit::Answer {
    restore(admin, archive, &[("into", "same"), ("confirm", &format!("Partner {}", place.partner))]).await
}

/// The same, from the upload until it can be used again.
pub(crate) async fn put_back_whole(admin: &Client<'_>, archive: &[u8], place: &Place<'_>) {
    let (answer, ()) = tokio::join!(put_back(admin, archive, place), async {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        work_off(place.partner).await;
    });
    assert_eq!(answer.assert(201).json()["id"], place.partner.to_string());
    becomes(admin, &place.partner.to_string(), "active").await;
}

pub(crate) async fn sample_partner<'k>() -> Place<'k> {
    let place = kit().await.partner().await;
    let admin = place.admin().await;
    let category = admin
        .post("/product-categories")
        .json(json!({"name": "Levesek", "description": "Levesek\tés \\más\nsor"}))
        .send()
        .await
        .assert(201)
        .json();
    let product = admin
        .post(&format!("/product-categories/{}/products", category["id"].as_str().unwrap()))
        .json(json!({"name": "Gulyás", "subproducts": [{"name": "Adag", "price": 1800}]}))
        .send()
        .await
        .assert(201)
        .json();
    admin.post("/couriers").json(json!({"first_name": "Pál", "last_name": "Futár"})).send().await.assert(201);
    admin.post("/api-keys").json(json!({"name": "webbolt"})).send().await.assert(201);
    for number in 0..5 {
        let order = json!({
            "platform": "phone", "pickup": number % 2 == 0, "first_name": "Éva", "last_name": "Titkos",
            "phone_1": "+36 30 123 4567",
            "email": "eva.titkos@pelda.hu", "message": "a csengő titkos",
            "items": [{"subproduct_id": product["subproducts"][0]["id"], "quantity": 2}],
            "delivery_data": {"city": "Budapest", "street": "Titkos utca", "premise_number": "7"},
        });
        admin.post("/public/orders").json(order).send().await.assert(201);
    }
    place
}

#[testkit::test]
async fn a_partner_goes_back_to_its_archive() {
    let kit = kit().await;
    let place = sample_partner().await;
    let (admin, staff) = (place.super_admin().await, place.admin().await);
    let before = staff.get("/couriers").send().await.assert(200).text();
    let archive = export(&admin, &place.partner.to_string()).await;
    // Of an account since then: its provider has the address.
    let token = format!("pc_{}", place.partner);
    let addressed = "insert into control.callback_address (hash, partner_id, restaurant_id, provider, account_id) \
        values ($1, $2, $3, 'barion', gen_random_uuid())";
    let values = vec![access::digest(&token).into(), place.partner.into(), place.restaurant.into()];
    kit.run(addressed, values).await;
    staff.post("/couriers").json(json!({"first_name": "Új", "last_name": "Futár"})).send().await.assert(201);
    // Present data would be lost, so the name has to be typed.
    restore(&admin, &archive, &[("into", "same")]).await.assert_keys(&["confirm"]);
    restore(&admin, &archive, &[("into", "same"), ("confirm", "Partner")]).await.assert_keys(&["confirm"]);
    put_back_whole(&admin, &archive, &place).await;
    assert_eq!(staff.get("/couriers").send().await.assert(200).text(), before);
    let found = "select status from control.enter_callback($1)";
    let found = kit.row(found, vec![access::digest(&token).into()]).await;
    assert_eq!(found.try_get::<String>("", "status").unwrap(), "ok");
    // Numbers go on, rows can be written, ledgers stay ledgers.
    staff.post("/couriers").json(json!({"first_name": "Még", "last_name": "Egy"})).send().await.assert(201);
    let may = kit
        .row(
            "select has_table_privilege($1, $1 || '.audit', 'update') u, has_table_privilege($1, $1 || \
             '.audit', 'insert') i",
            vec![place.schema.clone().into()],
        )
        .await;
    assert!(!may.try_get::<bool>("", "u").unwrap() && may.try_get::<bool>("", "i").unwrap());
}

/// Jobs that wait under the key of a person do not keep the invitation of that person from being written.
#[testkit::test]
async fn a_partner_goes_back_while_mails_of_it_wait() {
    let place = sample_partner().await;
    let admin = place.super_admin().await;
    for keys in [["courier"], ["order_list"]] {
        place.with_keys(&keys).await;
    }
    let partner = || vec![place.partner.into()];
    let invited =
        "update control.admin set status = 'invited' where partner_id = $1 and permission_keys <> '{}'";
    assert_eq!(place.kit.run(invited, partner()).await, 2);
    let archive = export(&admin, &place.partner.to_string()).await;
    let waits = "insert into control.job (partner_id, kind, key, args, run_at) select partner_id, kind, id::text, \
        jsonb_build_object('admin_id', id), now() + interval '1 day' from control.admin, unnest(array['invitation_mail', \
        'staff_copy']) kind where partner_id = $1 on conflict do nothing";
    assert!(place.kit.run(waits, partner()).await > 0);
    place
        .admin()
        .await
        .post("/couriers")
        .json(json!({"first_name": "Új", "last_name": "Futár"}))
        .send()
        .await
        .assert(201);
    put_back_whole(&admin, &archive, &place).await;
    let restored = admin.get(&format!("{PARTNERS}/{}", place.partner)).send().await.assert(200).json();
    assert!(restored["error"].is_null(), "{restored}");
    assert!(!place.admin().await.get("/couriers").send().await.assert(200).text().contains("Új"));
    let mails = "select count(*) n from control.job j join control.admin a on j.key = a.id::text where a.partner_id = $1 \
        and a.status = 'invited' and j.kind = 'invitation_mail' and j.state = 'waiting'";
    assert_eq!(place.kit.row(mails, partner()).await.try_get::<i64>("", "n").unwrap(), 2);
}

/// How many lines of the log are sealed, once this is said of them.
async fn sealed(place: &Place<'_>, expected: &str) -> i64 {
    let head = "select coalesce((select number from control.audit_head where partner_id = $1), 0) n";
    let open = format!(
        "select count(*) n from {0}.audit a where not exists (select from {0}.audit_seal s where s.audit_id = a.id)",
        place.schema
    );
    for _ in 0..200 {
        place.kit.run_jobs().await;
        if place.kit.row(&open, vec![]).await.try_get::<i64>("", "n").unwrap() == 0 {
            return place.kit.row(head, vec![place.partner.into()]).await.try_get("", "n").unwrap();
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("{expected}");
}

#[testkit::test]
async fn a_log_goes_back_to_before_its_first_seal() {
    let place = sample_partner().await;
    let admin = place.super_admin().await;
    let archive = export(&admin, &place.partner.to_string()).await;
    // What was written meanwhile has a seal, and the archive knows of none.
    place.kit.run("select control.enqueue_seals($1)", vec![vec![place.partner.uuid()].into()]).await;
    let before = sealed(&place, "the log is not sealed").await;
    put_back_whole(&admin, &archive, &place).await;
    // Nobody does anything there: the restore itself has the log sealed.
    let after = sealed(&place, "what came unsealed stays so").await;
    assert!(0 < after && after < before, "{after} of {before} lines were in the archive");
    let faults = format!("select fault from control.verify_audit('{}')", place.partner);
    assert_eq!(place.kit.texts(&faults).await, Vec::<String>::new());
}

#[testkit::test]
async fn a_restore_invalidates_what_instances_remember_of_a_partner() {
    let place = sample_partner().await;
    let (admin, staff) = (place.super_admin().await, place.admin().await);
    let courier = place.with_keys(&["courier"]).await;
    // Remembered: the rights of the row's first version. Then they are taken away, and nobody asks.
    courier.get("/couriers").send().await.assert(200);
    let taken = "update control.admin set permission_keys = '{}', version = version + 1 where partner_id = \
        $1 and permission_keys = '{courier}'";
    assert_eq!(place.kit.run(taken, vec![place.partner.into()]).await, 1);
    let archive = export(&admin, &place.partner.to_string()).await;
    // Remembered: a menu of later, under the number that the next change of then would have.
    let menu = staff.get("/public/menu").send().await.assert(200).json();
    let (category, product) = (
        menu["categories"][0]["id"].as_str().unwrap(),
        menu["categories"][0]["products"][0]["id"].as_str().unwrap(),
    );
    let at = format!("/product-categories/{category}/products/{product}");
    staff.put(&at).json(json!({"name": "Babgulyás"})).send().await.assert(200);
    assert!(staff.get("/public/menu").send().await.assert(200).text().contains("Babgulyás"));

    put_back_whole(&admin, &archive, &place).await;
    courier.get("/couriers").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    staff.put(&at).json(json!({"name": "Csülkös gulyás"})).send().await.assert(200);
    let menu = staff.get("/public/menu").send().await.assert(200).text();
    assert!(menu.contains("Csülkös gulyás") && !menu.contains("Babgulyás"), "{menu}");
}

#[testkit::test]
async fn a_clone_has_no_customers_data() {
    let place = sample_partner().await;
    let admin = place.super_admin().await;
    let message = format!(
        "insert into {}.callback (id, restaurant_id, provider, account_id, digest, is_signed, query, body, received_at) \
         values (gen_random_uuid(), $1, 'barion', gen_random_uuid(), '', false, 'titkos', '', now())",
        place.schema
    );
    place.kit.run(&message, vec![place.restaurant.into()]).await;
    let name = unique("Homokozó");
    let at = format!("{PARTNERS}/{}", place.partner);
    let made = admin.post(&format!("{at}/clone")).json(json!({"name": name})).send().await.assert(201).json();
    work_off(made["id"].as_str().unwrap()).await;
    let clone = becomes(&admin, made["id"].as_str().unwrap(), "active").await;
    assert_eq!((&clone["mode"], &clone["restaurants"]), (&json!("sandbox"), &json!(1)));
    let files = unpack(&export(&admin, made["id"].as_str().unwrap()).await);
    for (file, bytes) in &files {
        let text = String::from_utf8_lossy(bytes).to_lowercase();
        for secret in ["titkos", "éva", "123 4567"] {
            assert!(!text.contains(secret), "{file} still holds {secret}");
        }
    }
    assert_eq!(String::from_utf8_lossy(&files["tables/orders.copy"]).lines().count(), 5);
    assert!(String::from_utf8_lossy(&files["tables/orders.copy"]).contains("Minta"));
    assert!(String::from_utf8_lossy(&files["tables/audit.copy"]).contains("partners_clone"));
    admin.post(&format!("{at}/clone")).json(json!({"name": name})).send().await.assert_keys(&["name"]);
}

#[testkit::test]
async fn every_column_that_looks_personal_is_replaced_or_known() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let sql = format!(
        "select table_name || '.' || column_name from information_schema.columns join \
         information_schema.tables using (table_schema, table_name) where table_schema = '{}' \
         and table_type = 'BASE TABLE' \
         and table_name !~ '^(audit|event|idempotency_key)' \
         and column_name ~ \
         '(first_name|last_name|email|phone_|street|premise|address|message|delivery_data|note|payment_info|tax_number|birth|search)'",
        place.schema
    );
    let known = |column: &str| {
        tenants::clone::KEPT.iter().any(|(table, name)| format!("{table}.{name}") == column)
            || tenants::clone::REPLACED
                .iter()
                .any(|(table, columns)| columns.iter().any(|(name, _)| format!("{table}.{name}") == column))
    };
    let columns = kit.texts(&sql).await;
    assert!(columns.len() > 10);
    for column in columns {
        assert!(
            known(&column),
            "{column} looks personal: replace it in clones, or say that it is the company's own"
        );
    }
}

#[testkit::test]
async fn the_owner_of_a_company_takes_it_along() {
    let kit = kit().await;
    let place = kit.partner().await;
    let at = format!("/api/v3/admin/partners/{}", place.partner);
    for client in [place.admin().await, place.with_keys(&["restaurant_general", "user"]).await] {
        client.post(&format!("{at}/export")).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
        client.get(&format!("{at}/exports")).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    }
    let owner = place.partner_admin().await;
    let ordered = owner.post(&format!("{at}/export")).send().await.assert(202).json();
    let twice = owner.post(&format!("{at}/export")).send().await.assert(202).json();
    assert_eq!(ordered["id"], twice["id"], "one under way is enough");
    work_off(place.partner).await;
    let exports = owner.get(&format!("{at}/exports")).send().await.assert(200).json();
    let link = exports[0]["download_url"].as_str().unwrap().to_owned();
    let email = kit
        .row(
            "select ac.email from control.export e join control.account ac on ac.id = e.account_id where \
             e.id = $1::uuid",
            vec![Uuid::parse_str(ordered["id"].as_str().unwrap()).unwrap().into()],
        )
        .await;
    let mail = kit.mail_to(&email.try_get::<String>("", "email").unwrap()).await;
    assert!(mail.contains(&link), "{mail}");
    let path = link.strip_prefix("http://pult.test").unwrap();
    let file = place.nobody().get(path).send().await.assert(200);
    let text: String =
        unpack(&file.body).values().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect();
    assert!(!text.contains("password_hash") && !text.contains("pin_hash"));
    // Nothing but the very address opens it, and not for longer than a day.
    let mut wrong = path.to_owned();
    let last = wrong.pop().unwrap();
    wrong.push(if last == 'A' { 'B' } else { 'A' });
    for path in [
        wrong.as_str(),
        "/api/v3/exports/x",
        "/api/v3/exports/..%2F..%2Fetc%2Fpasswd",
        &format!("/api/v3/exports/{}", Uuid::now_v7()),
    ] {
        place.nobody().get(path).send().await.assert_problem(404, "EXPORT_NOT_EXIST");
    }
    kit.run("update control.export set expires_at = now() where partner_id = $1", vec![place.partner.into()])
        .await;
    place.nobody().get(path).send().await.assert_problem(404, "EXPORT_NOT_EXIST");
    kit.run(
        "update control.job set run_at = now() where partner_id = $1 and kind = 'partner_export_remove'",
        vec![place.partner.into()],
    )
    .await;
    work_off(place.partner).await;
    assert_eq!(owner.get(&format!("{at}/exports")).send().await.assert(200).json(), json!([]));
}

#[testkit::test]
async fn an_export_of_a_super_admin_is_reported_and_private() {
    let kit = kit().await;
    let place = kit.partner().await;
    let (boss, other, owner) =
        (place.super_admin().await, place.super_admin().await, place.partner_admin().await);
    let (at, own) =
        (format!("{PARTNERS}/{}", place.partner), format!("/api/v3/admin/partners/{}", place.partner));
    let order =
        |client: &Client<'static>, body: Value| client.post(&format!("{at}/export")).json(body).send();
    order(&boss, json!({})).await.assert_keys(&["reason"]);
    order(&boss, json!({"reason": " x \n "})).await.assert_keys(&["reason"]);
    let ordered = order(&boss, json!({"reason": "elromlott a\nmentés"})).await.assert(202).json();
    assert_eq!(
        order(&boss, json!({"reason": "elromlott a\nmentés"})).await.assert(202).json()["id"],
        ordered["id"],
        "one under way is enough"
    );
    order(&boss, json!({"reason": "valami más"})).await.assert_problem(409, "PARTNER_STATE_CHANGED");
    // No other account gets it.
    order(&other, json!({"reason": "kell nekem"})).await.assert_problem(409, "PARTNER_STATE_CHANGED");
    owner.post(&format!("{own}/export")).send().await.assert_problem(409, "PARTNER_STATE_CHANGED");
    work_off(place.partner).await;

    let of = async |client: &Client<'_>, at: &str| {
        client.get(&format!("{at}/exports")).send().await.assert(200).json()[0].clone()
    };
    let mine = of(&boss, &at).await;
    assert_eq!((&mine["status"], &mine["reason"]), (&json!("ready"), &json!("elromlott a\nmentés")));
    let link = mine["download_url"].as_str().unwrap().to_owned();
    for (client, at) in [(&other, &at), (&owner, &own)] {
        let theirs = of(client, at).await;
        assert_eq!(
            (&theirs["status"], &theirs["reason"], &theirs["download_url"]),
            (&json!("ready"), &mine["reason"], &json!(null))
        );
    }
    let path = link.strip_prefix("http://pult.test").unwrap();
    place.nobody().get(path).send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    place.nobody().bearer("x.y.z").get(path).send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    for client in [&other, &owner, &place.admin().await] {
        client.get(path).send().await.assert_problem(404, "EXPORT_NOT_EXIST");
    }
    let key = place.api_key(&["menu:read"]).await;
    key.get(path).send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    boss.get(path).send().await.assert(200);

    // Those who answer for the company read it in a mail and in their log.
    let sql = "select ac.email from control.admin ad join control.account ac on ac.id = ad.account_id \
               where ad.partner_id = $1 and ad.target_type = 'Partner' and ad.full_target_access";
    let email: String = kit.row(sql, vec![place.partner.into()]).await.try_get("", "email").unwrap();
    let mail = kit.mail_to(&email).await;
    assert!(
        mail.contains("exportot rendelt")
            && mail.contains("Indok: elromlott a mentés")
            && !mail.contains("/api/v3/exports/"),
        "{mail}"
    );
    let lines = format!(
        "select actor_kind || ' ' || action from {}.audit where action like 'exports%' order by at, id",
        place.schema
    );
    assert_eq!(kit.texts(&lines).await, ["support exports_create", "support exports_download"]);
    let reason = format!(
        "select d.details ->> 'reason' from {}.audit_detail d join {0}.audit a on a.id = d.audit_id where \
         a.action = 'exports_create'",
        place.schema
    );
    assert_eq!(kit.texts(&reason).await, ["[null, \"elromlott a\\nmentés\"]"]);

    // Signed out, the address opens nothing; and what the partner orders for itself is not the platform's.
    boss.delete("/api/v3/admins/sign_out").send().await.assert(204);
    boss.get(path).send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    owner.post(&format!("{own}/export")).send().await.assert(202);
    work_off(place.partner).await;
    assert!(of(&owner, &own).await["download_url"].is_string());
    assert_eq!(of(&other, &at).await["download_url"], json!(null));
}

#[testkit::test]
async fn support_does_not_take_a_partners_own_exports() {
    let place = kit().await.partner().await;
    let boss = place.super_admin().await;
    boss.post(&format!("{PARTNERS}/{}/access", place.partner))
        .json(json!({"reason": "segítek", "writable": true}))
        .send()
        .await
        .assert(201);
    let own = format!("/api/v3/admin/partners/{}", place.partner);
    boss.post(&format!("{own}/export")).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    boss.get(&format!("{own}/exports")).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn an_archive_shows_people_as_the_partner_sees_them() {
    let kit = kit().await;
    let (place, other) = (kit.partner().await, kit.partner().await);
    let admin = place.super_admin().await;
    let _restoring = super::running();
    // A person with an own account who has never been here, and a new person, are added in the same way.
    let stranger = other.partner_admin().await;
    stranger
        .put("/api/v3/admin/me")
        .json(json!({"first_name": "Igazi", "last_name": "Név", "tel": "+36301112222"}))
        .send()
        .await
        .assert(200);
    let known = stranger.get("/api/v3/admin/me").send().await.assert(200).json()["email"]
        .as_str()
        .unwrap()
        .to_owned();
    let owner = place.partner_admin().await;
    for email in [known.clone(), format!("{}@pult.test", Uuid::now_v7().simple())] {
        let person = json!({"email": email, "name": "Beírt Név", "target_type": "Partner",
            "full_target_access": true,
                            "password": "szilvásgombóc", "password_again": "szilvásgombóc"});
        let at = format!("/api/v3/admin/partners/{}/admins", place.partner);
        assert_eq!(owner.post(&at).json(person).send().await.assert(201).json()["status"], "active");
    }
    let archive = export(&admin, &place.partner.to_string()).await;
    let people = String::from_utf8(unpack(&archive)["directory/admin.jsonl"].clone()).unwrap();
    assert!(
        people.contains(&known)
            && !["Igazi", "+36301112222", "invited"].iter().any(|told| people.contains(told)),
        "{people}"
    );
    let alike: Vec<Value> = people
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|row| row["account"]["last_name"] == "Beírt")
        .map(|mut row| {
            let object = row.as_object_mut().unwrap();
            object.retain(|name, _| !["id", "created_at"].contains(&name.as_str()));
            object["account"]["email"].take();
            row
        })
        .collect();
    assert!(alike.len() == 2 && alike[0] == alike[1], "{alike:?}");
    // What it says lets nobody in: restored, both are invited, by the name that was written.
    let made =
        restore(&admin, &archive, &[("name", &unique("Vissza")), ("into", "new")]).await.assert(201).json();
    let id = made["id"].as_str().unwrap();
    becomes(&admin, id, "active").await;
    let sql = "select string_agg(ad.status || ' ' || coalesce(ad.first_name, '?'), ', ' order by ad.id) said \
        from control.admin ad join control.account ac on ac.id = ad.account_id \
               where ad.partner_id = $1::text::uuid and (ac.email = $2 or ad.first_name = 'Név')";
    let row = kit.row(sql, vec![id.into(), known.into()]).await;
    assert_eq!(row.try_get::<String>("", "said").unwrap(), "invited Név, invited Név");
}
