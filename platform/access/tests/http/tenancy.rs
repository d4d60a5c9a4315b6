//! Tests of tenancy: a query outside the door fails, nobody reaches another partner's rows, ledgers cannot be
//! changed. See `docs/decisions/tenancy.md#the-door`.

use kernel::{Id, Partner};
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, TransactionTrait};
use serde_json::json;
use tenants::{Door, DoorSettings, Entry, PlatformProof};
use testkit::{Place, kit};

async fn login_role(connections: u32) -> DatabaseConnection {
    let url = kit().await.database_url.to_string();
    Database::connect(ConnectOptions::new(url).max_connections(connections).sqlx_logging(false).to_owned())
        .await
        .unwrap()
}

#[testkit::test]
async fn a_query_outside_the_door_fails() {
    let place = kit().await.restaurant().await;
    let db = login_role(1).await;
    let schema = &place.schema;
    for sql in [
        "select id from restaurant".to_owned(),
        format!("select id from {schema}.restaurant"),
        "select id from control.account".to_owned(),
        "select id from control.api_key".to_owned(),
        "select control.enqueue('x', null, '{}', now())".to_owned(),
        "create table public.mine (id int)".to_owned(),
        format!("create table {schema}.mine (id int)"),
    ] {
        let error = db.execute_unprepared(&sql).await.expect_err(&sql).to_string();
        assert!(
            error.contains("permission denied")
                || error.contains("does not exist")
                || error.contains("no schema"),
            "{sql}: {error}"
        );
    }
}

#[testkit::test]
async fn a_tenant_role_cannot_leave_its_place_nor_change_a_ledger() {
    let place = kit().await.restaurant().await;
    place
        .admin()
        .await
        .post("/api-keys")
        .json(json!({"name": "a line for the audit log"}))
        .send()
        .await
        .assert(201);
    let other = kit().await.stranger().await;
    let db = login_role(1).await;
    let role = &place.schema;
    let forbidden = [
        format!("select id from {}.restaurant", other.schema),
        "select id from control.account".to_owned(),
        "select id from control.session".to_owned(),
        "create table mine (id int)".to_owned(),
        "alter table courier add column x int".to_owned(),
        "drop table courier".to_owned(),
        "truncate courier".to_owned(),
        "truncate audit".to_owned(),
        format!("grant select on courier to \"{}\"", other.schema),
        "update audit set action = 'x'".to_owned(),
        "delete from audit".to_owned(),
        "update event set kind = 'x'".to_owned(),
        "delete from event".to_owned(),
        "update order_history set status = 'x'".to_owned(),
        "delete from payable_transaction".to_owned(),
        "update payable_transaction set value = 0".to_owned(),
        "update shadow_customer_balance set value = 1".to_owned(),
        "delete from shadow_customer_point".to_owned(),
        "delete from seaql_migrations".to_owned(),
    ];
    for sql in forbidden {
        let tx = db.begin().await.unwrap();
        tx.execute_unprepared(&format!("set local role {role}; set local search_path = {role}"))
            .await
            .unwrap();
        let outcome = tx.execute_unprepared(&sql).await;
        let text = outcome.err().map(|error| error.to_string()).unwrap_or_default();
        // GRANT without the right only warns in Postgres: then nothing must have been granted.
        let denied =
            text.contains("permission denied") || text.contains("must be owner") || sql.starts_with("grant");
        assert!(denied, "{sql}: {text:?}");
    }
    let granted = place
        .kit
        .row(
            "select has_table_privilege($1, $2, 'select') yes",
            vec![other.schema.clone().into(), format!("{role}.courier").into()],
        )
        .await;
    assert!(!granted.try_get::<bool>("", "yes").unwrap());
}

#[testkit::test]
async fn two_hundred_units_of_work_never_meet_over_four_connections() {
    let kit = kit().await;
    let mut entries = Vec::new();
    for _ in 0..20 {
        let place: Place<'_> = kit.partner().await;
        let (account, session, _) = kit
            .sign_in(tenants::AdminSpec {
                email: format!("{}@pult.test", uuid::Uuid::now_v7().simple()),
                first_name: String::new(),
                last_name: "Próba".into(),
                password_hash: None,
                super_admin: false,
                target: Some((place.partner, None)),
                permission_keys: vec![],
                full_target_access: true,
                surfaces: vec![],
            })
            .await;
        let entry = Entry::Session {
            session,
            account,
            partner: place.partner,
            restaurant: Some(place.restaurant),
            known: None,
        };
        entries.push((entry, place.restaurant));
    }
    let door = Door::open(&DoorSettings {
        url: kit.pool_url.to_string(),
        connections: 4,
        lifetime: DoorSettings::LIFETIME,
        patience: std::time::Duration::from_secs(5),
        development: true,
    })
    .await
    .unwrap();
    // Not all at once: who waits two seconds for one of four connections is refused.
    let places = std::sync::Arc::new(tokio::sync::Semaphore::new(20));
    let units = (0..200).map(|number: usize| {
        let places = places.clone();
        let (door, (entry, restaurant)) = (door.clone(), entries[number % entries.len()].clone());
        tokio::spawn(async move {
            let _place = places.acquire().await.unwrap();
            let (tx, _) = door.begin(&entry).await.unwrap().unwrap();
            let rows = tx.rows("select id from restaurant", []).await.unwrap();
            let ids: Vec<uuid::Uuid> = rows.iter().map(|row| row.try_get("", "id").unwrap()).collect();
            assert_eq!(ids, [restaurant.uuid()]);
            match number % 3 {
                0 => tx.commit().await.unwrap(),
                // Dropped without a commit, or cut while a statement runs.
                1 => drop(tx),
                _ => {
                    let slow = tx.rows("select pg_sleep(0.02)", []);
                    let _ = tokio::time::timeout(std::time::Duration::from_millis(2), slow).await;
                }
            }
        })
    });
    for unit in units.collect::<Vec<_>>() {
        unit.await.unwrap();
    }
    let outside =
        door.call("select current_setting('role') r, current_setting('search_path') p", []).await.unwrap();
    let (role, path): (String, String) =
        (outside[0].try_get("", "r").unwrap(), outside[0].try_get("", "p").unwrap());
    assert_eq!((role.as_str(), path.as_str()), ("none", "\"\""), "nothing is left on the connection");
}

#[testkit::test]
async fn places_of_others_do_not_exist_for_the_caller() {
    let kit = kit().await;
    let (mine, sibling, stranger) = (kit.restaurant().await, kit.restaurant().await, kit.stranger().await);
    let admin = mine.admin().await;
    let keys_of = |place: &Place<'_>| {
        format!("/api/v3/admin/partners/{}/restaurants/{}/api-keys", place.partner, place.restaurant)
    };
    admin.get(&keys_of(&mine)).send().await.assert(200);
    let unknown = uuid::Uuid::now_v7();
    for path in [
        keys_of(&sibling),
        keys_of(&stranger),
        format!("/api/v3/admin/partners/{}/restaurants/{unknown}/api-keys", mine.partner),
        format!("/api/v3/admin/partners/{unknown}/restaurants/{}/api-keys", mine.restaurant),
        format!("/api/v3/admin/partners/{}/restaurants/{}/api-keys", stranger.partner, mine.restaurant),
        format!("/api/v3/admin/partners/x/restaurants/{}/api-keys", mine.restaurant),
    ] {
        admin.get(&path).send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
        mine.nobody().get(&path).send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    }
    // A partner's admin sees all of its restaurants, without the right key nothing else changes.
    mine.partner_admin().await.get(&keys_of(&sibling)).send().await.assert(200);
    mine.with_keys(&["order"])
        .await
        .get("/api-keys")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    mine.with_keys(&["system_general"]).await.get("/api-keys").send().await.assert(200);
    mine.super_admin().await.get("/api-keys").send().await.assert_problem(403, "SUPPORT_ACCESS_REQUIRED");
}

/// A change of session, account, row, restaurant or partner holds from the next request, and so does undoing
/// it.
#[testkit::test]
async fn what_the_door_asks_holds_from_the_next_request() {
    let kit = kit().await;
    let place = kit.partner().await;
    let admin = tenants::AdminSpec {
        email: format!("{}@pult.test", uuid::Uuid::now_v7().simple()),
        first_name: "Anna".into(),
        last_name: "Régi".into(),
        password_hash: None,
        super_admin: false,
        target: Some((place.partner, Some(vec![place.restaurant]))),
        permission_keys: vec!["system_general".into()],
        full_target_access: false,
        surfaces: vec!["admin".into()],
    };
    let (account, session, token) = kit.sign_in(admin).await;
    let client = place.nobody().bearer(token);
    let (partner, restaurant) = (place.partner, place.restaurant);
    let status = || async { client.get("/api-keys").send().await.status };

    // A change, the answer after it, and the statement that undoes it.
    let changes = [
        (format!("account set locked = true where id = '{account}'"), 401, "locked = false"),
        (format!("account set last_name = 'Új' where id = '{account}'"), 200, "last_name = 'Régi'"),
        (format!("account set super_admin = true where id = '{account}'"), 200, "super_admin = false"),
        (format!("session set ended_at = now() where id = '{session}'"), 401, "ended_at = null"),
        (
            format!("session set expires_at = now() where id = '{session}'"),
            401,
            "expires_at = now() + interval '1 day'",
        ),
        (format!("admin set status = 'locked' where account_id = '{account}'"), 404, "status = 'active'"),
        (
            format!("admin set restaurant_ids = array[gen_random_uuid()] where account_id = '{account}'"),
            404,
            "restaurant_ids = array['RESTAURANT'::uuid]",
        ),
        (
            format!(
                "admin set permission_keys = '{{}}', version = version + 1 where account_id = '{account}'"
            ),
            403,
            "permission_keys = '{system_general}', version = version + 1",
        ),
        (format!("restaurant set archived_at = now() where id = '{restaurant}'"), 404, "archived_at = null"),
        (format!("partner set status = 'suspended' where id = '{partner}'"), 403, "status = 'active'"),
    ];
    for (change, wanted, back) in changes {
        let (table, rest) = change.split_once(" set ").unwrap();
        let back = format!(
            "update control.{table} set {} where {}",
            back.replace("RESTAURANT", &restaurant.to_string()),
            rest.split_once(" where ").unwrap().1
        );
        kit.run(&format!("update control.{change}"), vec![]).await;
        assert_eq!(status().await, wanted, "{change}");
        kit.run(&back, vec![]).await;
        assert_eq!(status().await, 200, "{back}");
    }

    // Elsewhere the session opens nothing.
    for path in [
        format!("/api/v3/admin/partners/{}/restaurants/{restaurant}/api-keys", kit.stranger().await.partner),
        format!(
            "/api/v3/admin/partners/{partner}/restaurants/{}/api-keys",
            kit.restaurant().await.restaurant
        ),
    ] {
        client.get(&path).send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    }
}

/// A restaurant keeps what the door asks of its partner, in whichever order two changes end and whatever is
/// written.
#[testkit::test]
async fn a_restaurants_copy_of_its_partner_is_never_stale() {
    let kit = kit().await;
    let place = kit.partner().await;
    let admin = place.admin().await;
    let (partner, restaurant) = (place.partner, place.restaurant);
    let owner = Database::connect(
        ConnectOptions::new(kit.owner_url.as_str()).max_connections(2).sqlx_logging(false).to_owned(),
    )
    .await
    .unwrap();
    let change =
        |status: &str| format!("update control.partner set status = '{status}' where id = '{partner}'");
    let open = format!(
        "insert into control.restaurant (id, partner_id, group_id, name, zone) select gen_random_uuid(), \
         partner_id, group_id, 'Új', zone from control.restaurant where id = '{restaurant}'"
    );
    for (first, second, wanted) in
        [(change("suspended"), open.clone(), "suspended"), (open, change("active"), "active")]
    {
        let begun = owner.begin().await.unwrap();
        begun.execute_unprepared(&first).await.unwrap();
        let mut later = Box::pin(owner.execute_unprepared(&second));
        let early = tokio::time::timeout(std::time::Duration::from_millis(200), &mut later).await;
        assert!(early.is_err(), "the second waits for the first");
        begun.commit().await.unwrap();
        later.await.unwrap();
        let sql = "select string_agg(distinct partner_status, ',') kept from control.restaurant where \
            partner_id = $1";
        assert_eq!(
            kit.row(sql, vec![partner.uuid().into()]).await.try_get::<String>("", "kept").unwrap(),
            wanted
        );
        let status = if wanted == "active" { 200 } else { 403 };
        assert_eq!(admin.get("/api-keys").send().await.status, status, "on the next request");
    }

    // Another partner's role is never written here.
    kit.run(
        "update control.restaurant set partner_role = (select role from control.partner where id <> $1 limit \
         1) where partner_id = $1",
        vec![partner.uuid().into()],
    )
    .await;
    let sql = "select bool_and(re.partner_role = pa.role) own from control.restaurant re join \
        control.partner pa on pa.id = re.partner_id where pa.id = $1";
    assert!(kit.row(sql, vec![partner.uuid().into()]).await.try_get::<bool>("", "own").unwrap());
}

/// A partner can be entered from the moment it is there, by every connection, however many others are made at
/// that moment.
#[testkit::test]
async fn a_new_partner_is_entered_while_others_are_made() {
    const TOGETHER: usize = 6;
    let kit = Box::leak(Box::new(kit().await.beside("rapid").await));
    let makers = (0..TOGETHER).map(|_| {
        tokio::spawn(async {
            let owner = Database::connect(
                ConnectOptions::new(kit.owner_url.as_str()).max_connections(1).sqlx_logging(false).to_owned(),
            )
            .await
            .unwrap();
            let (mut made, mut refused) = (Vec::new(), Vec::new());
            for _ in 0..100 {
                let partner = Id::<Partner>::new();
                let role = format!("pult_rapid_{}", partner.uuid().simple());
                let tx = owner.begin().await.unwrap();
                tx.execute_unprepared(&format!(
                    "create role {role} nologin in role pult_tenant; grant {role} to pult_app"
                ))
                .await
                .unwrap();
                tx.execute_unprepared(&format!(
                    "insert into control.partner (id, name, role) values ('{partner}', 'x', '{role}')"
                ))
                .await
                .unwrap();
                tx.commit().await.unwrap();
                made.push(role);
                refused.extend(kit.app.door.begin_job(&PlatformProof::runner(), partner).await.err());
            }
            owner.execute_unprepared(&format!("drop role {}", made.join(", "))).await.unwrap();
            refused
        })
    });
    let refused: Vec<_> =
        futures_util::future::join_all(makers).await.into_iter().flat_map(Result::unwrap).collect();
    assert!(refused.is_empty(), "{} of {}: {:?}", refused.len(), TOGETHER * 100, refused[0]);
}
