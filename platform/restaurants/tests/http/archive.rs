//! Archiving a restaurant: who may, what happens to what belongs to it, and bringing it back.

use serde_json::{Value, json};
use tenants::AdminSpec;
use testkit::{Client, Kit, Place, kit};
use uuid::Uuid;

/// A partner of one's own: the restaurant that is archived, and another that stays.
async fn two(kit: &'static Kit) -> (Place<'static>, Place<'static>) {
    let place = kit.partner().await;
    let other = kit.restaurant_of(place.partner).await;
    (place, other)
}

fn archived(place: &Place<'_>) -> String {
    format!("/api/v3/admin/partners/{}/archived-restaurants", place.partner)
}

fn back(place: &Place<'_>) -> String {
    format!("{}/{}/restore", archived(place), place.restaurant)
}

async fn name(owner: &Client<'_>) -> String {
    owner.get("").send().await.assert(200).json()["name"].as_str().unwrap().to_owned()
}

async fn archive(owner: &Client<'_>) {
    let name = name(owner).await;
    owner.delete("").json(json!({"confirm": name})).send().await.assert(204);
}

/// Puts the day of archiving back.
async fn archived_ago(place: &Place<'_>, interval: &str) {
    for table in ["control", place.schema.as_str()] {
        let sql = format!(
            "update {table}.restaurant set archived_at = now() - interval '{interval}' where id = $1"
        );
        assert_eq!(place.kit.run(&sql, vec![place.restaurant.into()]).await, 1);
    }
}

/// A person with a password who works at these restaurants.
async fn person(place: &Place<'_>, restaurants: Vec<kernel::Id<kernel::Restaurant>>) -> String {
    let email = format!("{}@pult.test", Uuid::now_v7().simple());
    let admin = AdminSpec {
        email: email.clone(),
        first_name: "Éva".into(),
        last_name: "Próba".into(),
        password_hash: Some(access::passwords::hash("szilvásgombóc".into()).await.unwrap()),
        super_admin: false,
        target: Some((place.partner, Some(restaurants))),
        permission_keys: vec!["admin_login".into()],
        full_target_access: false,
        surfaces: vec!["admin".into()],
    };
    place.kit.provisioner().save_admin(&admin).await.unwrap();
    email
}

async fn sign_in(place: &Place<'_>, email: &str) -> testkit::Answer {
    let body = json!({"admin": {"email": email, "password": "szilvásgombóc"}});
    place.nobody().post("/api/v3/admins/sign_in").json(body).send().await
}

#[testkit::test]
async fn an_archived_restaurant_is_gone_for_everybody_and_comes_back_whole() {
    let kit = kit().await;
    let (place, other) = two(kit).await;
    let (owner, admin) = (place.partner_admin().await, place.admin().await);
    let key = place.api_key(&["menu:read", "orders:read"]).await;
    let before = owner.get("").send().await.assert(200).json();
    let list = format!("/api/v3/admin/partners/{}/restaurants", place.partner);
    let listed = async || {
        let rows = owner.get(&list).send().await.assert(200).json();
        rows.as_array().unwrap().iter().any(|row| row["id"] == before["id"])
    };
    key.get("/public/menu").send().await.assert(200);
    assert!(listed().await);

    for wrong in ["", "Valami más"] {
        owner.delete("").json(json!({"confirm": wrong})).send().await.assert_keys(&["confirm"]);
    }
    owner.delete("").json(json!({})).send().await.assert_keys(&["confirm"]);
    archive(&owner).await;
    owner
        .delete("")
        .json(json!({"confirm": before["name"]}))
        .send()
        .await
        .assert_problem(404, "RESTAURANT_NOT_EXIST");
    for client in [&owner, &admin] {
        client.get("").send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
        client.get("/orders/fresh").send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
        client
            .put("/general")
            .json(json!({"name": "Új"}))
            .send()
            .await
            .assert_problem(404, "RESTAURANT_NOT_EXIST");
        // The short form of a path names it as the path does.
        client
            .get("/api/v3/admin/orders/fresh")
            .header("x-target", place.restaurant.to_string())
            .send()
            .await
            .assert(404);
    }
    key.get("/public/menu").send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    assert!(!listed().await);
    let copy = json!({"name": "Másolat", "copy_from": place.restaurant});
    owner.post(&list).json(copy).send().await.assert_keys(&["copy_from"]);
    // The other one goes on.
    let sibling = other.partner_admin().await;
    sibling.get("").send().await.assert(200);

    let rows = owner.get(&archived(&place)).send().await.assert(200).json();
    assert_eq!(rows.as_array().unwrap().len(), 1);
    assert_eq!(
        (&rows[0]["id"], &rows[0]["name"], &rows[0]["restorable"]),
        (&before["id"], &before["name"], &json!(true))
    );
    assert!(!rows[0]["archived_by"].as_str().unwrap().is_empty(), "{rows}");

    owner.post(&back(&place)).send().await.assert(204);
    owner.post(&back(&place)).send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    assert_eq!(owner.get(&archived(&place)).send().await.assert(200).json(), json!([]));
    let mut after = owner.get("").send().await.assert(200).json();
    for raised in ["version", "catalogue_version"] {
        assert!(after[raised].as_i64() > before[raised].as_i64(), "{raised}");
        after[raised] = before[raised].clone();
    }
    assert_eq!(after, before);
    admin.get("/orders/fresh").send().await.assert(200);
    key.get("/public/menu").send().await.assert(200);
    assert!(listed().await);
    let actions = kit
        .texts(&format!(
            "select action from {}.audit where action like '%restaurants\\_delete' or action like \
             'archived\\_restaurants%' order by at, id",
            place.schema
        ))
        .await;
    assert_eq!(actions, ["restaurants_delete", "archived_restaurants_restore"]);
}

#[testkit::test]
async fn only_admins_of_the_whole_company_archive_and_bring_back() {
    let kit = kit().await;
    let ((place, _other), stranger) = (two(kit).await, kit.partner().await);
    let (owner, foreign) = (place.partner_admin().await, stranger.partner_admin().await);
    let confirm = json!({"confirm": name(&owner).await});
    for client in [place.admin().await, place.with_keys(&["restaurant_general"]).await] {
        client.delete("").json(confirm.clone()).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
        client.get(&archived(&place)).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
        client.post(&back(&place)).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    }
    let path = format!("/api/v3/admin/partners/{}/restaurants/{}", place.partner, place.restaurant);
    foreign.delete(&path).json(confirm.clone()).send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    // With the own partner in the path, too.
    let path = format!("/api/v3/admin/partners/{}/restaurants/{}", stranger.partner, place.restaurant);
    foreign.delete(&path).json(confirm).send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    archive(&owner).await;
    foreign.get(&archived(&place)).send().await.assert_problem(404, "PARTNER_NOT_EXIST");
    foreign.post(&back(&place)).send().await.assert_problem(404, "PARTNER_NOT_EXIST");
    let path = format!("{}/{}/restore", archived(&stranger), place.restaurant);
    foreign.post(&path).send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    assert_eq!(foreign.get(&archived(&stranger)).send().await.assert(200).json(), json!([]));
    owner.post(&back(&place)).send().await.assert(204);
}

#[testkit::test]
async fn thirty_days_are_there_to_undo() {
    let kit = kit().await;
    let (place, _other) = two(kit).await;
    let owner = place.partner_admin().await;
    archive(&owner).await;
    archived_ago(&place, "29 days 23 hours 59 minutes").await;
    assert_eq!(owner.get(&archived(&place)).send().await.json()[0]["restorable"], json!(true));
    owner.post(&back(&place)).send().await.assert(204);
    archive(&owner).await;
    for late in ["30 days", "31 days", "400 days"] {
        archived_ago(&place, late).await;
        owner.post(&back(&place)).send().await.assert_problem(409, "RESTORE_PERIOD_OVER");
        let row = owner.get(&archived(&place)).send().await.assert(200).json()[0].clone();
        assert_eq!((&row["id"], &row["restorable"]), (&json!(place.restaurant), &json!(false)), "{late}");
    }
    // Nothing is deleted.
    let rows = format!("select count(*) n from {}.opening_hours where restaurant_id = $1", place.schema);
    let row = kit.row(&rows, vec![place.restaurant.into()]).await;
    assert_eq!(row.try_get::<i64>("", "n").unwrap(), 7);
}

/// A menu of one soup; answers a pickup of it, ordered on the phone.
async fn pickup(admin: &Client<'_>) -> Value {
    let category = admin.post("/product-categories").json(json!({"name": "Levesek"})).send().await;
    let category = category.assert(201).json()["id"].as_str().unwrap().to_owned();
    let product = admin
        .post(&format!("/product-categories/{category}/products"))
        .json(json!({"name": "Gulyás", "subproducts": [{"name": "Adag", "price": 1800}]}))
        .send()
        .await
        .assert(201)
        .json();
    json!({
        "platform": "phone", "pickup": true, "last_name": "Vendég", "phone_1": "+36 1 555 0100",
        "items": [{"subproduct_id": product["subproducts"][0]["id"], "quantity": 1}],
    })
}

#[testkit::test]
async fn orders_that_are_not_finished_keep_a_restaurant() {
    let kit = kit().await;
    let (place, _other) = two(kit).await;
    let owner = place.partner_admin().await;
    let order = pickup(&owner).await;
    let order = owner.post("/public/orders").json(order).send().await.assert(201).json();
    let confirm = json!({"confirm": name(&owner).await});
    let id: Uuid = order["id"].as_str().unwrap().parse().unwrap();
    let set = async |status: &str| {
        let sql = format!("update {}.orders set status = $2 where id = $1", place.schema);
        kit.run(&sql, vec![id.into(), status.into()]).await;
    };
    for status in ["received", "succeeded", "processed"] {
        set(status).await;
        let refused = owner.delete("").json(confirm.clone()).send().await;
        assert_eq!(refused.assert_problem(409, "RESTAURANT_HAS_ORDERS").json()["orders"], json!(1));
    }
    set("prepared").await;
    archive(&owner).await;
    owner.post(&back(&place)).send().await.assert(204);
    assert_eq!(owner.get(&format!("/orders/{id}")).send().await.assert(200).json()["status"], "prepared");
}

#[testkit::test]
async fn an_order_and_an_archiving_at_once_leave_no_order_in_an_archived_restaurant() {
    let kit = kit().await;
    let (place, _other) = two(kit).await;
    let owner = place.partner_admin().await;
    let body = pickup(&owner).await;
    let confirm = json!({"confirm": name(&owner).await});
    let finish = format!("update {}.orders set archived_at = now() where restaurant_id = $1", place.schema);
    for _ in 0..5 {
        let (placed, archived) = tokio::join!(
            owner.post("/public/orders").json(body.clone()).send(),
            owner.delete("").json(confirm.clone()).send()
        );
        if archived.status == 204 {
            placed.assert_problem(404, "RESTAURANT_NOT_EXIST");
            owner.post(&back(&place)).send().await.assert(204);
        } else {
            archived.assert_problem(409, "RESTAURANT_HAS_ORDERS");
            placed.assert(201);
            kit.run(&finish, vec![place.restaurant.into()]).await;
        }
    }
}

#[testkit::test]
async fn a_company_keeps_one_restaurant() {
    let kit = kit().await;
    let (place, other) = two(kit).await;
    let (one, two) = (place.partner_admin().await, other.partner_admin().await);
    let (a, b) = (json!({"confirm": name(&one).await}), json!({"confirm": name(&two).await}));
    let (first, second) =
        tokio::join!(one.delete("").json(a.clone()).send(), two.delete("").json(b.clone()).send());
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 409]);
    let (last, confirm) = if first.status == 409 { (&one, a) } else { (&two, b) };
    last.delete("").json(confirm).send().await.assert_problem(409, "LAST_RESTAURANT");
}

#[testkit::test]
async fn people_keep_their_restaurants_and_are_told_when_signing_in() {
    let kit = kit().await;
    let (place, other) = two(kit).await;
    let owner = place.partner_admin().await;
    let only = person(&place, vec![place.restaurant]).await;
    let both = person(&place, vec![place.restaurant, other.restaurant]).await;
    let token = sign_in(&place, &only).await.assert(200).header("authorization").unwrap().to_owned();
    let open = place.nobody().header("authorization", token);
    archive(&owner).await;
    sign_in(&place, &only).await.assert_problem(403, "RESTAURANT_ARCHIVED");
    open.get("/api/v3/admin/me").send().await.assert_problem(403, "RESTAURANT_ARCHIVED");
    sign_in(&place, &both).await.assert(200);
    let invited = json!({"email": format!("{}@pult.test", Uuid::now_v7().simple()), "name": "Minta Anna",
        "restaurant_ids": [place.restaurant]});
    other.partner_admin().await.post("/admins").json(invited).send().await.assert_keys(&["restaurant_ids.0"]);
    // Their rows are as they were: who is changed otherwise keeps the restaurant.
    let admins = format!("/api/v3/admin/partners/{}/admins", place.partner);
    let rows = owner.get(&admins).send().await.assert(200).json();
    let row = rows.as_array().unwrap().iter().find(|row| row["email"] == json!(only)).unwrap();
    assert_eq!(row["restaurant_ids"], json!([place.restaurant]));
    owner.post(&back(&place)).send().await.assert(204);
    sign_in(&place, &only).await.assert(200);
    open.get("/api/v3/admin/me").send().await.assert(200);
}

#[testkit::test]
async fn devices_keep_their_secret() {
    let kit = kit().await;
    let (place, _other) = two(kit).await;
    let owner = place.partner_admin().await;
    let kiosk = owner.post("/kiosks").json(json!({"name": "Bejárat"})).send().await.assert(201).json();
    let new = json!({"name": "Állvány", "kind": "kiosk", "restaurant_kiosk_id": kiosk["id"]});
    let device = owner.post("/devices").json(new).send().await.assert(201).json();
    let code = json!({"code": device["pairing"]["code"]});
    let paired = place.nobody().post("/api/v3/devices/pair").json(code).send().await.assert(200).json();
    let display = place.nobody().bearer(paired["secret"].as_str().unwrap());
    display.get("/api/v3/device").send().await.assert(200);
    archive(&owner).await;
    // Not 401, on which a device forgets its secret.
    display.get("/api/v3/device").send().await.assert_problem(404, "RESTAURANT_NOT_EXIST");
    owner.post(&back(&place)).send().await.assert(204);
    display.get("/api/v3/device").send().await.assert(200);
    owner.delete(&format!("/devices/{}", device["id"].as_str().unwrap())).send().await.assert(204);
    archive(&owner).await;
    display.get("/api/v3/device").send().await.assert_problem(401, "DEVICE_INVALID");
}

#[testkit::test]
async fn jobs_of_an_archived_restaurant_end() {
    let kit = kit().await;
    let (place, _other) = two(kit).await;
    let owner = place.partner_admin().await;
    let later = "2099-01-01T00:00:00Z";
    owner
        .put("/close")
        .json(json!({"temp_no_orders": true, "temp_no_orders_until": later}))
        .send()
        .await
        .assert(200);
    let device = Uuid::now_v7().simple().to_string();
    let phone = json!({"token": device, "platform": "web"});
    owner.post("/public/push-devices").json(phone).send().await.assert(201);
    let push = json!({"scheduled_at": later, "notification_title": "Ma", "notification_body": "Pizza"});
    let push = owner.post("/push-notifications").json(push).send().await.assert(201).json();
    archive(&owner).await;
    // Both are due.
    let due = "update control.job set run_at = now() where partner_id = $1 and state = 'waiting'";
    kit.run(due, vec![place.partner.into()]).await;
    let soon = format!("update {}.restaurant set temp_no_orders_until = now() where id = $1", place.schema);
    kit.run(&soon, vec![place.restaurant.into()]).await;
    let soon = format!("update {}.push_notification set scheduled_at = now()", place.schema);
    kit.run(&soon, vec![]).await;
    for _ in 0..200 {
        kit.run_jobs().await;
        let left = "select count(*) n from control.job where partner_id = $1 and kind in ('restaurant_open', \
            'push_send')";
        if kit.row(left, vec![place.partner.into()]).await.try_get::<i64>("", "n").unwrap() == 0 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let failed =
        "select count(*) n from control.job where partner_id = $1 and (state = 'failed' or attempts > 0)";
    assert_eq!(kit.row(failed, vec![place.partner.into()]).await.try_get::<i64>("", "n").unwrap(), 0);
    assert_eq!(kit.pushes_to(&device), 0, "guests hear nothing of a restaurant that is not there");
    owner.post(&back(&place)).send().await.assert(204);
    // By the clock it is open again.
    assert_eq!(owner.get("").send().await.assert(200).json()["temp_no_orders"], json!(false));
    let path = format!("/push-notifications/{}", push["id"].as_str().unwrap());
    assert_eq!(owner.get(&path).send().await.assert(200).json()["status"], "missed");
}

#[testkit::test]
async fn a_group_stays_for_what_can_come_back() {
    let kit = kit().await;
    let (place, _other) = two(kit).await;
    let owner = place.partner_admin().await;
    let groups = format!("/api/v3/admin/partners/{}/restaurant-groups", place.partner);
    let made = owner.post(&groups).json(json!({"name": "Balaton"})).send().await.assert(201).json();
    owner.put("/group").json(json!({"restaurant_group_id": made["id"]})).send().await.assert(204);
    archive(&owner).await;
    let one = format!("{groups}/{}", made["id"].as_str().unwrap());
    let rows = owner.get(&groups).send().await.assert(200).json();
    let row = rows.as_array().unwrap().iter().find(|row| row["id"] == made["id"]).unwrap();
    assert_eq!(row["restaurants"], json!(0));
    owner.put(&one).json(json!({"currency": "eur"})).send().await.assert_problem(409, "IN_USE");
    owner.delete(&one).send().await.assert_problem(409, "IN_USE");
    archived_ago(&place, "30 days").await;
    owner.put(&one).json(json!({"currency": "eur"})).send().await.assert(200);
    owner.delete(&one).send().await.assert(204);
}
