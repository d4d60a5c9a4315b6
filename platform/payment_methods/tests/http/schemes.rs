//! Terminal schemes.

use serde_json::{Value, json};
use testkit::{Client, Place, kit};
use uuid::Uuid;

async fn me(client: &Client<'_>, place: &Place<'_>) -> Value {
    let email =
        client.get("/api/v3/admin/me").send().await.assert(200).json()["email"].as_str().unwrap().to_owned();
    let sql = "select ad.id from control.admin ad join control.account ac on ac.id = ad.account_id where \
        ac.email = $1";
    json!(place.kit.row(sql, vec![email.into()]).await.try_get::<Uuid>("", "id").unwrap())
}

async fn kiosk(place: &Place<'_>, name: &str) -> Value {
    place
        .kit
        .run(
            &format!(
                "insert into {}.restaurant_feature values ($1, 'kiosk') on conflict do nothing",
                place.schema
            ),
            vec![place.restaurant.into()],
        )
        .await;
    let pin = format!("{:06}", Uuid::now_v7().as_u128() % 1_000_000);
    place
        .admin()
        .await
        .post("/kiosks")
        .json(json!({"name": name, "pin": pin}))
        .send()
        .await
        .assert(201)
        .json()["id"]
        .clone()
}

#[testkit::test]
async fn a_scheme_says_which_terminal_a_till_or_a_kiosk_uses() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(&["admin_login", "payment_method"]).await;
    let (till, kiosk) = (me(&admin, &place).await, kiosk(&place, "Bejárat").await);
    let create = async |body: Value| admin.post("/terminal-schemes").json(body).send().await;

    let neither = create(json!({"terminal_id": "T-1"})).await.assert(422).json();
    assert_eq!(
        (&neither["keys"], &neither["detail"]),
        (&json!(["admin_id", "restaurant_kiosk_id"]), &json!("select admin or kiosk"))
    );
    assert_eq!(create(json!({"admin_id": till})).await.assert(422).json()["keys"], json!(["terminal_id"]));
    assert_eq!(
        create(json!({"admin_id": till, "terminal_id": ""})).await.assert(422).json()["keys"],
        json!(["terminal_id"])
    );
    create(json!({"admin_id": till, "terminal_id": "T-1", "terminal_type": "sumup"})).await.assert(422);
    let absent =
        json!({"terminal_id": "T-1", "admin_id": Uuid::now_v7(), "restaurant_kiosk_id": Uuid::now_v7()});
    assert_eq!(create(absent).await.assert(422).json()["keys"], json!(["admin_id", "restaurant_kiosk_id"]));

    let made = create(json!({"terminal_id": "T-1", "admin_id": till})).await.assert(201).json();
    assert_eq!(
        (&made["terminal_type"], &made["admin_name"], &made["terminal_name"]),
        (&json!("ospi"), &json!("Teszt Próba"), &Value::Null)
    );
    let both = create(json!({"terminal_id": "T-2", "admin_id": till, "restaurant_kiosk_id": kiosk,
            "terminal_type": "teya"}))
    .await
    .assert(201)
    .json();
    assert_eq!((&both["terminal_type"], &both["restaurant_kiosk_name"]), (&json!("teya"), &json!("Bejárat")));

    // One of the two stays.
    let path = format!("/terminal-schemes/{}", both["id"].as_str().unwrap());
    let change = async |body: Value| admin.put(&path).json(body).send().await;
    assert_eq!(change(json!({"admin_id": null})).await.assert(200).json()["admin_name"], Value::Null);
    assert_eq!(
        change(json!({"restaurant_kiosk_id": null})).await.assert(422).json()["keys"],
        json!(["admin_id", "restaurant_kiosk_id"])
    );
    change(json!({"terminal_id": null})).await.assert(422);
    let stale = change(json!({"terminal_id": "T-3", "version": 1})).await.assert(409).json();
    assert_eq!(stale["current"]["version"], 2);
    assert_eq!(
        change(json!({"terminal_id": "T-3", "version": 2})).await.assert(200).json()["terminal_id"],
        "T-3"
    );

    // Every user may read them; writing needs the permission. Other restaurants do not see them.
    let reader = place.with_keys(&["admin_login"]).await;
    assert_eq!(reader.get("/terminal-schemes").send().await.assert(200).json().as_array().unwrap().len(), 2);
    reader
        .post("/terminal-schemes")
        .json(json!({"terminal_id": "T-1", "admin_id": till}))
        .send()
        .await
        .assert(403);
    reader.delete(&path).send().await.assert(403);
    let other = kit().await.restaurant().await;
    let foreign = other.admin().await;
    foreign.get(&path).send().await.assert(404);
    let taken = foreign
        .post("/terminal-schemes")
        .json(json!({"terminal_id": "T", "admin_id": till, "restaurant_kiosk_id": kiosk}))
        .send()
        .await;
    assert_eq!(
        taken.assert(422).json()["keys"],
        json!(["admin_id", "restaurant_kiosk_id"]),
        "of another restaurant"
    );

    admin.delete(&path).send().await.assert(204);
    admin.get(&path).send().await.assert(404);
    assert_eq!(admin.get("/terminal-schemes").send().await.assert(200).json().as_array().unwrap().len(), 1);
    // The same key makes no second one.
    let twice = async || {
        admin
            .post("/terminal-schemes")
            .json(json!({"terminal_id": "T-9", "admin_id": till}))
            .key("the same")
            .send()
            .await
            .assert(201)
            .json()
    };
    assert_eq!(twice().await["id"], twice().await["id"]);
}

#[testkit::test]
async fn people_can_be_chosen_without_the_right_to_users() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(&["admin_login", "payment_method"]).await;
    let own = me(&admin, &place).await;
    let people = admin.get("/admins/picker?limit=200&count=true").send().await.assert(200).json();
    assert!(
        people.as_array().unwrap().iter().any(|one| one == &json!({"id": own, "name": "Teszt Próba"})),
        "{people}"
    );
    assert_eq!(admin.get("/admins/picker?name=nincs").send().await.assert(200).json(), json!([]));
    admin.get("/admins").send().await.assert(403);
    place.with_keys(&["admin_login", "courier"]).await.get("/admins/picker").send().await.assert(403);
}
