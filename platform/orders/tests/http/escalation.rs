//! Orders that nobody accepts. See `docs/decisions/orders.md#orders-that-nobody-accepts`.

use kernel::time::Timestamp;
use serde_json::{Value, json};
use testkit::{Client, Place, kit};

use super::{Menu, order, pickup, prepared, promotions::with_pin, with};

/// A restaurant that tells after five minutes, and those in charge after ten more.
struct House {
    place: Place<'static>,
    admin: Client<'static>,
    shop: Client<'static>,
    menu: Menu,
    address: String,
}

impl House {
    async fn new(place: Place<'static>) -> Self {
        let (admin, menu, shop) = prepared(&place).await;
        let address = format!("{}@house.test", uuid::Uuid::now_v7().simple());
        admin.put("/general").json(json!({"contact_email": address})).send().await.assert(200);
        let settings = json!({"escalate_after_minutes": 5, "escalate_admins_after_minutes": 10});
        admin.put("/system").json(settings).send().await.assert(200);
        // The mail that there is a new order is another matter.
        admin.put("/order-emails/notification").json(json!({"enabled": false})).send().await.assert(200);
        Self { place, admin, shop, menu, address }
    }

    async fn order(&self) -> String {
        let placed = order(&self.shop, pickup(&self.menu)).await.assert(201).json();
        placed["id"].as_str().unwrap().to_owned()
    }

    /// So many minutes pass for an order, and the job of its next level is run, by whoever has the turn.
    async fn wait(&self, id: &str, minutes: i32) {
        let (kit, schema) = (self.place.kit, &self.place.schema);
        let pass = format!(
            "update {schema}.orders set visible_at = visible_at - make_interval(mins => $2), taken_back_at = \
             taken_back_at - make_interval(mins => $2), escalated_at = escalated_at - make_interval(mins => $2) \
             where id = $1::uuid"
        );
        kit.run(&pass, vec![id.into(), minutes.into()]).await;
        self.run_due(id).await;
    }

    /// Runs the job of an order's next level now, until none is due.
    async fn run_due(&self, id: &str) {
        self.run_due_events(id).await;
        let kit = self.place.kit;
        let now = "update control.job set run_at = now() where kind = 'order_escalate' and args ->> 'order_id' = $1 \
            and state = 'waiting'";
        kit.run(now, vec![id.into()]).await;
        let due = "select count(*) n from control.job where (kind in ('order_escalate', 'event') or kind like \
            'order_email%') and args::text like '%' || $1 || '%' and (state = 'running' or run_at <= now())";
        for _ in 0..600 {
            kit.run_jobs().await;
            if kit.row(due, vec![id.into()]).await.try_get::<i64>("", "n").unwrap() == 0 {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("jobs of {id} are still due");
    }

    async fn read(&self, id: &str) -> Value {
        self.admin.get(&format!("/orders/{id}")).send().await.assert(200).json()
    }

    async fn level(&self, id: &str) -> i64 {
        self.read(id).await["escalation_level"].as_i64().unwrap()
    }

    async fn put(&self, id: &str, what: &str) -> Value {
        self.admin.put(&format!("/orders/{id}/{what}")).json(json!({})).send().await.assert(200).json()
    }

    /// Jobs that wait for an order's next level.
    async fn jobs(&self, id: &str) -> i64 {
        let sql =
            "select count(*) n from control.job where kind = 'order_escalate' and args ->> 'order_id' = $1";
        self.place.kit.row(sql, vec![id.into()]).await.try_get("", "n").unwrap()
    }

    async fn told(&self, id: &str) -> Vec<String> {
        let sql = format!(
            "select data ->> 'change' || coalesce(' ' || (data ->> 'escalation_level'), '') from {}.event where \
             data ->> 'order_id' = '{id}' order by number",
            self.place.schema
        );
        self.place.kit.texts(&sql).await
    }

    fn mails(&self) -> Vec<String> {
        self.place.kit.mails_to(&self.address)
    }
}

#[testkit::test]
async fn each_level_is_reached_once() {
    let house = House::new(kit().await.partner().await).await;
    let kit = house.place.kit;
    // In charge: of the whole partner, and of the restaurant. Not: of fewer rights, of elsewhere, locked.
    house.place.partner_admin().await;
    house.place.with_keys(&["fresh_order", "order_accept"]).await;
    let elsewhere = kit.restaurant_of(house.place.partner).await;
    elsewhere.admin().await;
    let people = async |which: &str| {
        kit.texts(&format!(
            "select ac.email from control.account ac join control.admin ad on ad.account_id = ac.id \
             where ad.partner_id = '{}' and {which}",
            house.place.partner
        ))
        .await
    };
    let of_it = format!("'{}' = any (ad.restaurant_ids)", house.place.restaurant);
    let whole = people("ad.full_target_access and ad.restaurant_ids is null").await;
    let local = people(&format!("ad.full_target_access and {of_it}")).await;
    let locked = local.first().unwrap().clone();
    let lock = "update control.account set locked = true where email = $1";
    // The one who is locked is not the one who looks.
    let spare = house.place.admin().await;
    drop(spare);
    let local = people(&format!("ad.full_target_access and {of_it}")).await;
    let newest = local.iter().find(|one| **one != locked).unwrap().clone();
    kit.run(lock, vec![newest.clone().into()]).await;
    let waiters = people("not ad.full_target_access").await;
    let strangers = people(&format!("ad.restaurant_ids is not null and not {of_it}")).await;

    let id = house.order().await;
    let seen = house.read(&id).await;
    assert_eq!((&seen["escalation_level"], &seen["escalated_at"]), (&json!(1), &Value::Null));
    // Nothing happens before its time, however often the job runs.
    house.wait(&id, 4).await;
    house.run_due(&id).await;
    assert_eq!((house.level(&id).await, house.jobs(&id).await), (1, 1));
    assert_eq!(house.admin.get("/orders/waiting").send().await.json()["escalated"], json!([]));

    house.wait(&id, 1).await;
    let seen = house.read(&id).await;
    assert_eq!(seen["escalation_level"], 2);
    assert!(seen["escalated_at"].is_string());
    assert!(kit.mail_to(&house.address).await.contains("Senki nem fogadta el"));
    let waiting = house.admin.get("/orders/waiting").send().await.assert(200).json();
    assert_eq!(
        (
            &waiting["count"],
            &waiting["escalated"][0]["order_id"],
            &waiting["escalated"][0]["escalation_level"]
        ),
        (&json!(1), &json!(id), &json!(2))
    );
    // Two instances at once, each with a job of its own, and one that comes late.
    for _ in 0..3 {
        let again = "insert into control.job (partner_id, kind, args) values ($1, 'order_escalate', \
            jsonb_build_object('order_id', $2::text))";
        kit.run(again, vec![house.place.partner.into(), id.clone().into()]).await;
    }
    tokio::join!(kit.run_jobs(), kit.run_jobs());
    house.run_due(&id).await;
    assert_eq!((house.level(&id).await, house.mails().len()), (2, 1));

    house.wait(&id, 10).await;
    assert_eq!(house.level(&id).await, 3);
    for address in whole.iter().chain([&locked]) {
        let mail = kit.mail_to(address).await;
        assert!(mail.contains("senki nem fogadja el") || mail.contains("nobody has accepted"), "{mail}");
        assert_eq!(kit.mails_to(address).len(), 1, "{address}");
    }
    for address in waiters.iter().chain(&strangers).chain([&newest]) {
        assert_eq!(kit.mails_to(address), Vec::<String>::new(), "{address}");
    }
    house.wait(&id, 600).await;
    assert_eq!(house.told(&id).await, ["created", "escalated 2", "escalated 3"]);
    let history = house.read(&id).await["history"].clone();
    let steps: Vec<_> =
        history.as_array().unwrap().iter().map(|line| (&line["status"], &line["details"]["level"])).collect();
    let escalated = json!("escalated");
    assert_eq!(steps[1..], [(&escalated, &json!(2)), (&escalated, &json!(3))]);
    assert_eq!((house.mails().len(), house.jobs(&id).await), (1, 0));
}

#[testkit::test]
async fn accepting_ends_it_and_taking_back_begins_it_anew() {
    let house = House::new(kit().await.restaurant().await).await;
    let id = house.order().await;
    house.wait(&id, 3).await;
    let accepted = house.put(&id, "accept").await;
    let waited = accepted["accept_seconds"].as_i64().unwrap();
    assert!((180..240).contains(&waited), "{waited}");
    house.wait(&id, 60).await;
    assert_eq!(house.level(&id).await, 1, "nothing is told of what was accepted");
    let back = house.put(&id, "take-back").await;
    assert_eq!((&back["accept_seconds"], &back["escalation_level"]), (&Value::Null, &json!(1)));
    house.wait(&id, 4).await;
    assert_eq!(house.level(&id).await, 1, "its time runs from when it was taken back");
    house.wait(&id, 1).await;
    assert_eq!(house.level(&id).await, 2);
    // Taken back again, it begins at the first level.
    house.put(&id, "accept").await;
    let back = house.put(&id, "take-back").await;
    assert_eq!((&back["escalation_level"], &back["escalated_at"]), (&json!(1), &Value::Null));
    house.wait(&id, 5).await;
    assert_eq!(house.level(&id).await, 2);
    house
        .admin
        .put(&format!("/orders/{id}/archive"))
        .json(json!({"reason": "closing"}))
        .send()
        .await
        .assert(200);
    house.wait(&id, 60).await;
    assert_eq!(house.level(&id).await, 2, "nor of what was refused");
    // A shop is not told what the house does not manage.
    let followed = house.shop.get(&format!("/public/orders/{id}")).send().await.assert(200).json();
    assert_eq!((&followed["escalation_level"], &followed["escalated_at"]), (&json!(1), &Value::Null));
}

#[testkit::test]
async fn an_order_that_is_moved_away_and_back_has_waited_before() {
    let place = kit().await.restaurant().await;
    with_pin(&place, &["admin_login", "pos_modify_order"], "470091", Value::Null).await;
    let house = House::new(place).await;
    let id = house.order().await;
    let change = async |at: Value| {
        let call = house.admin.put(&format!("/orders/{id}")).header("x-pin", "470091");
        call.json(json!({"expected_at": at})).send().await.assert(200);
    };
    let later = || json!(Timestamp::now().plus_minutes(300).to_string());
    let waited = async || {
        let visible: Timestamp = house.read(&id).await["visible_at"].as_str().unwrap().parse().unwrap();
        (kernel::clock::now() - visible.0).num_minutes()
    };
    house.wait(&id, 3).await;
    // Away twice, and back: what nobody sees does not wait, and what it has waited is not lost.
    change(later()).await;
    change(json!(Timestamp::now().plus_minutes(400).to_string())).await;
    house.run_due(&id).await;
    assert_eq!(house.level(&id).await, 1);
    change(Value::Null).await;
    assert_eq!(waited().await, 3);
    house.wait(&id, 1).await;
    assert_eq!(house.level(&id).await, 1);
    house.wait(&id, 1).await;
    assert_eq!(house.level(&id).await, 2);
    // Nobody is told of one that is not to be seen, though it has waited long enough.
    change(later()).await;
    house.run_due(&id).await;
    assert_eq!(house.level(&id).await, 1);
    assert_eq!(house.admin.get("/orders/waiting").send().await.json()["escalated_total"], 0);
    // Back, by hand or by the clock, it is told of at once.
    change(Value::Null).await;
    house.run_due(&id).await;
    assert_eq!(house.level(&id).await, 2);
    change(later()).await;
    let due = format!(
        "update {}.orders set visible_at = visible_at - (show_at - now()), show_at = now() where id = $1::uuid",
        house.place.schema
    );
    house.place.kit.run(&due, vec![id.clone().into()]).await;
    house.run_due(&id).await;
    assert_eq!(house.level(&id).await, 2);
    // One that was taken back waits since then.
    house.put(&id, "accept").await;
    house.put(&id, "take-back").await;
    change(later()).await;
    change(Value::Null).await;
    assert_eq!(waited().await, 0);
}

#[testkit::test]
async fn preorders_tests_and_settings() {
    let house = House::new(kit().await.restaurant().await).await;
    let on = json!({"preorder_pickup": true, "preorder_notification_mins_before_expected": 60});
    house.admin.put("/delivery").json(on).send().await.assert(200);
    // A preorder counts from when the kitchen should see it.
    let wanted = kernel::clock::now() + chrono::Duration::hours(3);
    let later = with(pickup(&house.menu), "expected_at", json!(wanted.to_rfc3339()));
    let later = order(&house.shop, later).await.assert(201).json();
    assert_eq!(later["visible_at"], later["show_at"]);
    let id = later["id"].as_str().unwrap();
    let run_at = "select extract(epoch from run_at - now())::float8 / 60 n from control.job where kind = \
        'order_escalate' and args ->> 'order_id' = $1";
    house.run_due_events(id).await;
    let minutes: f64 = house.place.kit.row(run_at, vec![id.into()]).await.try_get("", "n").unwrap();
    assert!((123.0..=125.0).contains(&minutes), "{minutes}");
    house.run_due(id).await;
    assert_eq!((house.level(id).await, house.jobs(id).await), (1, 1));
    // Accepted before it is visible, it has not waited.
    assert_eq!(house.put(id, "accept").await["accept_seconds"], Value::Null);

    // A test is told of on the screens; nobody is mailed about it.
    let test = with(pickup(&house.menu), "is_test", json!(true));
    let test = order(&house.admin, test).await.assert(201).json();
    let id = test["id"].as_str().unwrap();
    house.wait(id, 5).await;
    house.wait(id, 60).await;
    assert_eq!(house.told(id).await, ["created", "escalated 2"]);
    assert_eq!(house.mails(), Vec::<String>::new());

    // Switched off meanwhile; then orders cost no job.
    let id = house.order().await;
    house.admin.put("/system").json(json!({"escalate_after_minutes": 0})).send().await.assert(200);
    house.wait(&id, 60).await;
    assert_eq!((house.level(&id).await, house.jobs(&id).await), (1, 0));
    let id = house.order().await;
    let any = "select count(*) n from control.job where args::text like '%' || $1 || '%'";
    let jobs: i64 = house.place.kit.row(any, vec![id.clone().into()]).await.try_get("", "n").unwrap();
    // The subscriber of the mail about a new order has one, for the address is there.
    assert!(jobs <= 1 && house.jobs(&id).await == 0, "{jobs}");
    // Those in charge only.
    let settings = json!({"escalate_after_minutes": 5, "escalate_admins_after_minutes": null});
    house.admin.put("/system").json(settings).send().await.assert(200);
    let id = house.order().await;
    house.wait(&id, 5).await;
    house.wait(&id, 600).await;
    assert_eq!(house.level(&id).await, 2);
}

impl House {
    /// The common job of an order's event has run: what is for later stands by itself.
    async fn run_due_events(&self, id: &str) {
        let now =
            "update control.job set run_at = now() where kind = 'event' and args::text like '%' || $1 || '%'";
        self.place.kit.run(now, vec![id.into()]).await;
        let due =
            "select count(*) n from control.job where kind = 'event' and args::text like '%' || $1 || '%'";
        for _ in 0..600 {
            self.place.kit.run_jobs().await;
            if self.place.kit.row(due, vec![id.into()]).await.try_get::<i64>("", "n").unwrap() == 0 {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }
}

#[testkit::test]
async fn the_day_says_how_long_orders_waited() {
    let house = House::new(kit().await.restaurant().await).await;
    let times = async || house.admin.get("/orders/accept-times").send().await.assert(200).json();
    let none = times().await;
    assert_eq!(
        (&none["accepted"], &none["median_seconds"], &none["late"]),
        (&json!(0), &Value::Null, &json!(0))
    );
    for minutes in [1, 2, 9] {
        let id = house.order().await;
        house.wait(&id, minutes).await;
        house.put(&id, "accept").await;
    }
    // One waits too long still, one was refused after too long, a test counts nowhere.
    house.wait(&house.order().await, 6).await;
    let refused = house.order().await;
    house.wait(&refused, 7).await;
    house
        .admin
        .put(&format!("/orders/{refused}/archive"))
        .json(json!({"reason": "closing"}))
        .send()
        .await
        .assert(200);
    let test =
        order(&house.admin, with(pickup(&house.menu), "is_test", json!(true))).await.assert(201).json();
    house.put(test["id"].as_str().unwrap(), "accept").await;
    let day = times().await;
    assert_eq!((&day["accepted"], &day["late"], &day["limit_minutes"]), (&json!(3), &json!(3), &json!(5)));
    let (median, average) =
        (day["median_seconds"].as_i64().unwrap(), day["average_seconds"].as_i64().unwrap());
    assert!((120..150).contains(&median) && (240..280).contains(&average), "{day}");
    house.admin.put("/system").json(json!({"escalate_after_minutes": null})).send().await.assert(200);
    let day = times().await;
    assert_eq!((&day["late"], &day["limit_minutes"]), (&Value::Null, &Value::Null));
    let other = house.place.with_keys(&["order_accept"]).await;
    other.get("/orders/accept-times").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
}
