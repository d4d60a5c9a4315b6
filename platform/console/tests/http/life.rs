//! Deleting a partner, undoing it, and removing it completely.

use serde_json::json;
use testkit::{Client, Place, kit};
use uuid::Uuid;

use super::{
    PARTNERS, becomes,
    exports::{export_at, put_back},
    new_partner, objects, running, standing_in, work_off, work_off_at,
};

async fn delete(admin: &Client<'_>, place: &Place<'_>) {
    let confirm = json!({"confirm": format!("Partner {}", place.partner)});
    admin.delete(&format!("{PARTNERS}/{}", place.partner)).json(confirm).send().await.assert(200);
}

#[testkit::test]
async fn a_deletion_wants_the_name_typed_and_can_be_undone() {
    let kit = kit().await;
    let place = kit.partner().await;
    let (admin, people) = (place.super_admin().await, place.admin().await);
    let at = format!("{PARTNERS}/{}", place.partner);
    for wrong in ["", "partner", &place.partner.to_string()] {
        admin.delete(&at).json(json!({"confirm": wrong})).send().await.assert_keys(&["confirm"]);
    }
    let gone = admin
        .delete(&at)
        .json(json!({"confirm": format!("Partner {}", place.partner)}))
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!(gone["status"], "deleting");
    assert!(gone["delete_at"].is_string());
    people.get("/couriers").send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    // Before its time nothing is removed, even when the job runs.
    kit.run("update control.job set run_at = now() where partner_id = $1", vec![place.partner.into()]).await;
    work_off(place.partner).await;
    admin
        .post(&format!("{at}/suspend"))
        .json(json!({"reason": "mégsem"}))
        .send()
        .await
        .assert_problem(409, "PARTNER_STATE_CHANGED");
    let back = admin.post(&format!("{at}/undelete")).send().await.assert(200).json();
    assert_eq!((&back["status"], &back["delete_at"]), (&json!("active"), &json!(null)));
    people.get("/couriers").send().await.assert(200);
    admin.post(&format!("{at}/undelete")).send().await.assert_problem(409, "PARTNER_STATE_CHANGED");
}

/// Its files are removed before its rows, so some may be gone.
#[testkit::test]
async fn a_deletion_whose_days_are_over_is_not_undone() {
    let kit = kit().await;
    let place = kit.partner().await;
    let admin = place.super_admin().await;
    let at = format!("{PARTNERS}/{}", place.partner);
    delete(&admin, &place).await;
    kit.run("update control.partner set delete_at = now() where id = $1", vec![place.partner.into()]).await;
    admin.post(&format!("{at}/undelete")).send().await.assert_problem(409, "PARTNER_STATE_CHANGED");
}

#[testkit::test]
async fn a_move_that_was_cut_is_still_there_when_a_deletion_is_undone() {
    let kit = kit().await;
    let place = kit.partner().await;
    let admin = place.super_admin().await;
    let at = format!("{PARTNERS}/{}", place.partner);
    let cut = "update control.partner set status = 'maintenance', status_before = 'active', \
        plan = jsonb_build_object('move', 'west') where id = $1";
    kit.run(cut, vec![place.partner.into()]).await;
    delete(&admin, &place).await;
    let back = admin.post(&format!("{at}/undelete")).send().await.assert(200).json();
    assert_eq!(back["status"], "maintenance");
    let sql = "select concat_ws(' ', status_before, plan ->> 'move', (select string_agg(kind, ' ') from \
        control.job j where j.partner_id = p.id)) is_left from control.partner p where id = $1";
    let left: String = kit.row(sql, vec![place.partner.into()]).await.try_get("", "is_left").unwrap();
    assert_eq!(left, "active west", "nothing is made anew");
}

#[testkit::test]
async fn a_partner_whose_migration_failed_while_it_was_deleted_comes_back_for_maintenance() {
    let kit = kit().await;
    let place = kit.partner().await;
    let (admin, people) = (place.super_admin().await, place.admin().await);
    let at = format!("{PARTNERS}/{}", place.partner);
    delete(&admin, &place).await;
    kit.run(
        "update control.partner set schema_version = 'm0000_older' where id = $1",
        vec![place.partner.into()],
    )
    .await;
    let back = admin.post(&format!("{at}/undelete")).send().await.assert(200).json();
    assert_eq!(back["status"], "maintenance");
    people.get("/couriers").send().await.assert_problem(503, "PARTNER_IN_MAINTENANCE");
}

#[testkit::test]
async fn a_partner_deleted_while_it_was_made_is_made_after_all_when_that_is_undone() {
    // On an installation of its own: no other test's runner makes the partner first.
    let kit = kit().await.beside("undone").await;
    let admin = kit.partner().await.super_admin().await;
    let name = format!("Mégis {}", Uuid::now_v7().simple());
    let made = admin
        .post(PARTNERS)
        .json(new_partner(&name, &format!("{}@pult.test", Uuid::now_v7().simple())))
        .send()
        .await
        .assert(201)
        .json();
    let (id, at) = (made["id"].as_str().unwrap(), format!("{PARTNERS}/{}", made["id"].as_str().unwrap()));
    assert_eq!(made["status"], "creating");
    admin.delete(&at).json(json!({"confirm": name})).send().await.assert(200);
    work_off_at(&kit, id).await;
    assert!(admin.get(&at).send().await.assert(200).json()["schema_version"].is_null());
    admin.post(&format!("{at}/undelete")).send().await.assert(200);
    work_off_at(&kit, id).await;
    assert_eq!(becomes(&admin, id, "active").await["restaurants"], 1);
}

#[testkit::test]
async fn a_removed_partner_is_found_nowhere() {
    let kit = kit().await;
    let canary = format!("kanari{}", Uuid::now_v7().simple());
    let place = kit.restaurant().await;
    let admin = place.super_admin().await;
    let made = {
        let _running = running();
        let made = admin
            .post(PARTNERS)
            .json(new_partner(&canary, &format!("{canary}@pult.test")))
            .send()
            .await
            .assert(201)
            .json();
        becomes(&admin, made["id"].as_str().unwrap(), "active").await
    };
    let (id, restaurant) = (made["id"].as_str().unwrap(), made["restaurant_list"][0]["id"].as_str().unwrap());
    let partner = kernel_id(id);
    let schema: String = kit
        .row("select role from control.partner where id = $1", vec![partner.into()])
        .await
        .try_get("", "role")
        .unwrap();

    // A canary of each kind: people, sessions, attempts, keys, support, rows, files, jobs.
    kit.run("update control.admin set status = 'active' where partner_id = $1", vec![partner.into()]).await;
    kit.run(
        "insert into control.session (id, account_id, surface, user_agent, expires_at) \
         select gen_random_uuid(), account_id, 'admin', $2, now() + interval '1 day' from control.admin \
         where partner_id = $1",
        vec![partner.into(), canary.clone().into()],
    )
    .await;
    let wrapped = "insert into control.data_key (partner_id, wrapped) values ($1, $2) on conflict do nothing";
    kit.run(wrapped, vec![partner.into(), canary.clone().into_bytes().into()]).await;
    kit.run(
        "insert into control.attempt (subject) values ($1)",
        vec![format!("sign_in account {canary}@pult.test").into()],
    )
    .await;
    let at = format!("{PARTNERS}/{id}");
    admin
        .post(&format!("{at}/access"))
        .json(json!({"reason": canary, "writable": true}))
        .send()
        .await
        .assert(201);
    let inside = |path: &str| format!("/api/v3/admin/partners/{id}/restaurants/{restaurant}{path}");
    admin
        .post(&inside("/couriers"))
        .json(json!({"first_name": canary, "last_name": "Futár"}))
        .send()
        .await
        .assert(201);
    admin.post(&inside("/api-keys")).json(json!({"name": canary})).send().await.assert(201);
    objects::picture_at(&admin, &inside("/images"), &canary, [9, 9, 9]).await;
    assert_eq!(objects::stored(id).len(), 1);
    kit.run(
        "insert into control.job (partner_id, kind, args) values ($1, 'nobody_does_this', \
         jsonb_build_object('x', $2::text))",
        vec![partner.into(), canary.clone().into()],
    )
    .await;
    admin.post(&format!("{at}/export")).json(json!({"reason": "a partner kérte"})).send().await.assert(202);
    work_off(id).await;
    let folder = kit.app.settings.files.join("exports").join(partner.simple().to_string());
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);

    admin.delete(&at).json(json!({"confirm": canary})).send().await.assert(200);
    kit.run("update control.partner set delete_at = now() where id = $1", vec![partner.into()]).await;
    kit.run(
        "update control.job set run_at = now() where partner_id = $1 and kind = 'partner_purge'",
        vec![partner.into()],
    )
    .await;
    work_off(id).await;
    admin.get(&at).send().await.assert_problem(404, "PARTNER_NOT_EXIST");

    let sql = "select relname::text name from pg_class where relnamespace = 'control'::regnamespace and \
        relkind = 'r'";
    let tables = kit.texts(sql).await;
    assert!(tables.len() > 12);
    for table in &tables {
        assert_eq!(standing_in(kit, table, &canary).await, 0, "control.{table} still has it");
        // That there was a partner, and who removed it, stays known; nothing else names it.
        let removed = "select action from control.platform_audit order by at desc limit 50";
        assert!(kit.texts(removed).await.iter().any(|action| action == "partners_remove"));
        if table != "platform_audit" {
            assert_eq!(standing_in(kit, table, id).await, 0, "control.{table} still has the id");
        }
    }
    let key =
        kit.row("select count(*) n from control.data_key where partner_id = $1", vec![partner.into()]).await;
    assert_eq!(key.try_get::<i64>("", "n").unwrap(), 0, "what its key has sealed could be opened");
    let left = kit
        .row(
            "select (select count(*) from pg_namespace where nspname = $1) + (select count(*) from pg_roles \
             where rolname = $1) n",
            vec![schema.into()],
        )
        .await;
    assert_eq!(left.try_get::<i64>("", "n").unwrap(), 0);
    assert!(!folder.exists());
    assert_eq!(objects::stored(id).len(), 0, "its pictures are still in the store");
}

/// The owner is the role of `docs/operating.md#postgres`: it makes partners, moves them, takes them back and removes them.
#[testkit::test]
async fn a_partner_is_removed_without_superuser() {
    let kit = kit().await.beside_without_superuser("lowly").await;
    let superuser = "select rolsuper::text from pg_roles where rolname = current_user";
    assert_eq!(kit.texts(superuser).await, ["false"]);
    let place = kit.partner().await;
    let (admin, staff) = (place.super_admin().await, place.admin().await);
    let courier = async |name: &str| {
        let body = json!({"first_name": name, "last_name": "Futár"});
        staff.post("/couriers").json(body).send().await.assert(201);
    };
    // On the other server, at home again, and back at what an archive has of it.
    courier("Ott").await;
    kit.relocate(place.partner, "default").await.unwrap();
    courier("Itthon").await;
    let archive = export_at(&kit, &admin, &place.partner.to_string()).await;
    courier("Utána").await;
    put_back(&admin, &archive, &place).await.assert(201);
    work_off_at(&kit, place.partner).await;
    let partner = becomes(&admin, &place.partner.to_string(), "active").await;
    assert!(partner["error"].is_null(), "{partner}");
    let couriers = staff.get("/couriers").send().await.assert(200).text();
    assert!(couriers.contains("Itthon") && !couriers.contains("Utána"), "{couriers}");
    // Migrated again, and from another server removed with everything.
    kit.migrate_control_again().await;
    kit.relocate(place.partner, "east").await.unwrap();
    courier("Végül").await;
    delete(&admin, &place).await;
    for sql in [
        "update control.partner set delete_at = now() where id = $1",
        "update control.job set run_at = now() where partner_id = $1 and kind = 'partner_purge'",
    ] {
        kit.run(sql, vec![place.partner.into()]).await;
    }
    work_off_at(&kit, place.partner).await;
    admin.get(&format!("{PARTNERS}/{}", place.partner)).send().await.assert_problem(404, "PARTNER_NOT_EXIST");
    // Neither on the other server nor at home: a statement that names something of `control` goes there.
    let there = format!(
        "select nspname::text from pg_namespace where nspname like '{0}%' union all select rolname::text from pg_roles \
         where rolname = '{0}'",
        place.schema
    );
    let home =
        format!("{there} union all select id::text from control.partner where id = '{}'", place.partner);
    for left in [there, home] {
        assert_eq!(kit.texts(&left).await, Vec::<String>::new());
    }
}

fn kernel_id(text: &str) -> Uuid {
    text.parse().unwrap()
}
