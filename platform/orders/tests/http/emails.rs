//! Mails to guests about their orders.

use serde_json::{Value, json};
use testkit::kit;
use uuid::Uuid;

use super::{pickup, prepared};

fn guest() -> String {
    format!("{}@guest.test", Uuid::now_v7().simple())
}

fn order(menu: &super::Menu, email: &str, locale: &str) -> Value {
    let mut order = pickup(menu);
    order["email"] = json!(email);
    order["locale"] = json!(locale);
    order
}

#[testkit::test]
async fn guests_hear_of_their_orders_in_the_usual_words() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let (one, two) = (guest(), guest());
    let first =
        key.post("/public/orders").key("1").json(order(&menu, &one, "hu")).send().await.assert(201).json();
    let counter = first["counter"].as_str().unwrap();
    let mail = place.kit.mail_to(&one).await;
    assert!(
        mail.contains(&format!("megkaptuk a rendelésedet ({counter}. rendelés)")) && mail.contains("Gulyás"),
        "{mail}"
    );

    let path = format!("/orders/{}", first["id"].as_str().unwrap());
    admin.put(&format!("{path}/accept")).send().await.assert(200);
    let accepted = wait_for(&place, &one, "rendelésed készül").await;
    assert!(accepted.contains("várható időpont: 20"), "{accepted}");

    let second =
        key.post("/public/orders").key("2").json(order(&menu, &two, "en")).send().await.assert(201).json();
    let (counter, path) =
        (second["counter"].as_str().unwrap(), format!("/orders/{}", second["id"].as_str().unwrap()));
    let body = json!({"reason": "other", "reason_text": "No more <soup>."});
    admin.put(&format!("{path}/archive")).json(body).send().await.assert(200);
    let refused = wait_for(&place, &two, "could not be taken").await;
    let name = format!("Teszt {}", place.restaurant);
    let text = format!(
        "{name}: your order {counter} could not be taken\n\nDear guest,\n\nwe are sorry: {name} could not \
         take your order {counter}.\n\
         No more <soup>.\n\n"
    );
    assert_eq!(
        refused, text,
        "the words of a refusal are those of always, but for the phone that the restaurant has not"
    );
}

/// The newest mail to this address once its subject says so.
async fn wait_for(place: &testkit::Place<'_>, address: &str, subject: &str) -> String {
    // That it was accepted is said after the 8 seconds in which this can be taken back.
    for _ in 0..400 {
        let mail = place.kit.mail_to(address).await;
        if mail.lines().next().is_some_and(|line| line.contains(subject)) {
            return mail;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("no mail with {subject}");
}

#[testkit::test]
async fn a_restaurant_writes_its_own_words() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let all = admin.get("/order-emails").send().await.assert(200).json();
    let kinds: Vec<&str> = all.as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        [
            "received", "accepted", "replaced", "taken_back", "refused", "refunded", "notification",
            "not_accepted"
        ]
    );
    assert!(
        all.as_array()
            .unwrap()
            .iter()
            .all(|one| one["enabled"] == true && one["subject"].is_null() && one["version"] == 1)
    );

    let unknown = json!({"subject": "{{guest}} {{gest}}", "body": "{{reason}} {{oops", "version": 1});
    let refused = admin
        .put("/order-emails/received")
        .json(unknown)
        .send()
        .await
        .assert_problem(422, "VALIDATION_FAILED");
    assert_eq!(refused.json()["unknown_placeholders"], json!(["{{gest}}", "{{reason}}", "{{"]));
    refused.assert_keys(&["subject", "body"]);

    let own =
        json!({"subject": "Köszönjük, {{guest}}!", "body": "<b>{{guest}}</b>\n{{total}}", "version": 1});
    let saved = admin.put("/order-emails/received").json(own).send().await.assert(200).json();
    assert_eq!(saved["version"], 2);
    admin
        .put("/order-emails/received")
        .json(json!({"enabled": false, "version": 1}))
        .send()
        .await
        .assert_problem(409, "CONFLICT");
    let one = guest();
    key.post("/public/orders").key("1").json(order(&menu, &one, "hu")).send().await.assert(201);
    let mail = place.kit.mail_to(&one).await;
    assert!(mail.starts_with("Köszönjük, ") && mail.contains("Ft"), "{mail}");
    // Another language than the restaurant's has no own words: the usual ones.
    let two = guest();
    key.post("/public/orders").key("2").json(order(&menu, &two, "en")).send().await.assert(201);
    assert!(place.kit.mail_to(&two).await.contains("we have received your order"));

    let draft = json!({"lang": "hu", "subject": "{{order_number}}",
        "body": "<script>{{guest}}</script>\n\n{{items}}"});
    let preview = admin.post("/order-emails/received/preview").json(draft).send().await.assert(200).json();
    assert_eq!(preview["subject"], "A12");
    assert!(
        preview["html"].as_str().unwrap().contains("<p>&lt;script&gt;Minta Éva&lt;/script&gt;</p>"),
        "{preview}"
    );
    admin
        .post("/order-emails/refused/preview")
        .json(json!({"lang": "hu", "body": "{{expected_at}}"}))
        .send()
        .await
        .assert_problem(422, "VALIDATION_FAILED");

    // Switched off, nobody is written to; cleared, the usual words are back.
    let change = json!({"enabled": false, "subject": null, "body": " "});
    let cleared = admin.put("/order-emails/received").json(change).send().await.assert(200).json();
    assert!(cleared["subject"].is_null() && cleared["body"].is_null() && cleared["enabled"] == false);
}

/// Gives the restaurant an e-mail address.
async fn address_of(admin: &testkit::Client<'_>) -> String {
    let address = guest();
    admin.put("/general").json(json!({"contact_email": address})).send().await.assert(200);
    address
}

#[testkit::test]
async fn the_restaurant_is_told_of_an_order_in_its_own_words() {
    let place = kit().await.partner().await;
    let (admin, menu, key) = prepared(&place).await;
    let email = || async {
        admin
            .get("/order-emails")
            .send()
            .await
            .assert(200)
            .json()
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["kind"] == "notification")
            .cloned()
            .unwrap()
    };
    let before = email().await;
    assert_eq!((&before["kind"], &before["missing_address"]), (&json!("notification"), &json!(true)));
    let order = |number: &'static str| {
        let mut order = order(&menu, "vendeg@guest.test", "en");
        order["message"] = json!("Kérem, ne csengessen.");
        order["payment_method"] = json!("cash");
        key.post("/public/orders").key(number).json(order)
    };
    order("1").send().await.assert(201);

    let to = address_of(&admin).await;
    assert_eq!(email().await["missing_address"], false);
    let made = order("2").send().await.assert(201).json();
    let (counter, id) = (made["counter"].as_str().unwrap(), made["id"].as_str().unwrap());
    let mail = place.kit.mail_to(&to).await;
    assert!(mail.starts_with(&format!("Új: {counter}. rendelés (5\u{a0}900\u{a0}Ft)\n\n")), "{mail}");
    for part in [
        "2 × Gulyás",
        "Megjegyzés: Kérem, ne csengessen.",
        ": csípősen",
        "Vendég: Próba Vendég",
        "Telefon: +36 1 555 0100",
        &format!("http://pult.test/r/{}/order/{id}", place.restaurant),
    ] {
        assert!(mail.contains(part), "{part} in {mail}");
    }

    let own = json!({"subject": "{{guest}} {{guest_phone}}", "body": "{{link}} {{note}}"});
    admin.put("/order-emails/notification").json(own).send().await.assert(200);
    admin
        .put("/order-emails/notification")
        .json(json!({"body": "{{phone}} {{reason}}"}))
        .send()
        .await
        .assert_problem(422, "VALIDATION_FAILED");
    let draft = json!({"lang": "hu", "subject": "{{guest_phone}}", "body": "{{note}} {{link}}"});
    let preview =
        admin.post("/order-emails/notification/preview").json(draft).send().await.assert(200).json();
    assert_eq!(preview["subject"], "+36 1 555 0100");
    assert!(preview["text"].as_str().unwrap().contains("http://pult.test/r/"), "{preview}");
    order("3").send().await.assert(201);
    assert!(wait_for(&place, &to, "Próba Vendég +36 1 555 0100").await.contains("http://pult.test/r/"));

    // What its own staff took at the till they know; switched off, nobody is told.
    let at_the_till = super::with(pickup(&menu), "platform", json!("take_away"));
    admin.post("/public/orders").key("4").json(at_the_till).send().await.assert(201);
    admin.put("/order-emails/notification").json(json!({"enabled": false})).send().await.assert(200);
    order("5").send().await.assert(201);
    settled(&place).await;
    assert_eq!(place.kit.mails_to(&to).len(), 2);
}

#[testkit::test]
async fn own_words_in_the_second_language_tell_the_restaurant_of_orders_in_it() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let to = address_of(&admin).await;
    admin.put("/general").json(json!({"secondary_language": "en"})).send().await.assert(200);
    let mails = admin.get("/order-emails").send().await.assert(200).json();
    let notification = mails.as_array().unwrap().iter().find(|one| one["kind"] == "notification").unwrap();
    assert_eq!(
        (&notification["kind"], &notification["secondary_language"]),
        (&json!("notification"), &json!("en"))
    );
    let told = async |number: &'static str, locale: &str, beginning: &str| {
        let order = order(&menu, "vendeg@guest.test", locale);
        let made = key.post("/public/orders").key(number).json(order).send().await.assert(201).json();
        wait_for(&place, &to, &beginning.replace('#', made["counter"].as_str().unwrap())).await
    };
    told("1", "en", "Új: #. rendelés").await;
    let own = json!({"subject_sec_lang": "Call {{guest_phone}}, {{order_number}}"});
    admin.put("/order-emails/notification").json(own).send().await.assert(200);
    assert!(told("2", "en", "Call +36 1 555 0100, #").await.contains("has come in"));
    told("3", "hu", "Új: #. rendelés").await;
}

/// Accepted before the mail goes, an order for now has a time that nobody wished for.
#[testkit::test]
async fn the_restaurant_is_not_told_its_own_promise_as_a_wish() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let to = address_of(&admin).await;
    let made = key.post("/public/orders").key("1").json(order(&menu, &guest(), "hu")).send().await;
    let path = format!("/orders/{}/accept", made.assert(201).json()["id"].as_str().unwrap());
    let accepted = admin.put(&path).json(json!({"delivery_time_minute": 30})).send().await.assert(200).json();
    assert!(!accepted["expected_at"].is_null(), "{accepted}");
    let mail = place.kit.mail_to(&to).await;
    assert!(mail.contains("Megérkezett") && !mail.contains("Erre kéri"), "{mail}");
}

#[testkit::test]
async fn answers_of_guests_go_to_the_restaurant() {
    let place = kit().await.restaurant().await;
    let (admin, menu, key) = prepared(&place).await;
    let (first, second, third) = (guest(), guest(), guest());
    let send = |number: &'static str, to: &str| {
        key.post("/public/orders").key(number).json(order(&menu, to, "hu")).send()
    };
    send("1", &first).await.assert(201);
    assert!(!place.kit.mail_to(&first).await.contains("Reply-To"), "without an address to the sender");
    let to = address_of(&admin).await;
    send("2", &second).await.assert(201);
    let mail = place.kit.mail_to(&second).await;
    assert!(mail.lines().nth(1).is_some_and(|line| line == format!("Reply-To: {to}")), "{mail}");
    assert!(!place.kit.mail_to(&to).await.contains("Reply-To"), "not in the restaurant's own");

    // One that was written before addresses were checked is left out, and the mail goes.
    let faulty = format!("update {}.restaurant set contact_email = 'nem cím' where id = $1", place.schema);
    place.kit.run(&faulty, vec![place.restaurant.into()]).await;
    send("3", &third).await.assert(201);
    assert!(!place.kit.mail_to(&third).await.contains("Reply-To"));
}

#[testkit::test]
async fn a_test_mail_goes_to_oneself() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(&["admin_login", "system_general"]).await;
    let me =
        admin.get("/api/v3/admin/me").send().await.assert(200).json()["email"].as_str().unwrap().to_owned();
    admin
        .put("/order-emails/accepted")
        .json(json!({"subject_sec_lang": "x", "subject": "Próba {{order_number}}"}))
        .send()
        .await
        .assert(200);
    admin.post("/order-emails/accepted/test").json(json!({"lang": "hu"})).send().await.assert(204);
    assert!(place.kit.mail_to(&me).await.starts_with("Próba A12\n"));
    place
        .with_keys(&["restaurant_general"])
        .await
        .get("/order-emails")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    admin
        .put("/order-emails/unknown")
        .json(json!({}))
        .send()
        .await
        .assert_problem(404, "ORDER_EMAIL_NOT_EXIST");
}

#[testkit::test]
async fn outside_live_only_own_people_are_written_to() {
    let place = kit().await.partner().await;
    place
        .kit
        .run("update control.partner set mode = 'sandbox' where id = $1", vec![place.partner.into()])
        .await;
    let (admin, menu, key) = prepared(&place).await;
    let me =
        admin.get("/api/v3/admin/me").send().await.assert(200).json()["email"].as_str().unwrap().to_owned();
    let stranger = guest();
    // Written differently it is the same address.
    let loud = me.to_uppercase();
    let theirs = key
        .post("/public/orders")
        .key("1")
        .json(order(&menu, &stranger, "hu"))
        .send()
        .await
        .assert(201)
        .json();
    key.post("/public/orders").key("2").json(order(&menu, &loud, "hu")).send().await.assert(201);
    assert!(place.kit.mail_to(&loud).await.contains("megkaptuk"), "who tries it out hears");
    let path = format!("/orders/{}", theirs["id"].as_str().unwrap());
    admin.put(&format!("{path}/accept")).send().await.assert(200);
    admin
        .put(&format!("{path}/archive"))
        .json(json!({"reason": "other", "reason_text": "x"}))
        .send()
        .await
        .assert(200);
    settled(&place).await;
    assert_eq!(place.kit.mails_to(&stranger), Vec::<String>::new());

    place.kit.run("update control.partner set mode = 'live' where id = $1", vec![place.partner.into()]).await;
    key.post("/public/orders").key("3").json(order(&menu, &stranger, "hu")).send().await.assert(201);
    assert!(place.kit.mail_to(&stranger).await.contains("megkaptuk"));
}

/// Waits until no mail about an order of this partner is still to be sent.
async fn settled(place: &testkit::Place<'_>) {
    for _ in 0..400 {
        place.kit.run_jobs().await;
        let sql = "select count(*) n from control.job where kind like 'order_email%' and partner_id = $1";
        if place.kit.row(sql, vec![place.partner.into()]).await.try_get::<i64>("", "n").unwrap() == 0 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("mails are still waiting");
}

/// Whoever orders writes somebody else's address: that one is not mailed at will, from no restaurant.
#[testkit::test]
async fn one_address_gets_at_most_five_order_mails_an_hour() {
    let (place, other) = (kit().await.partner().await, kit().await.partner().await);
    let (admin, menu, key) = prepared(&place).await;
    let (_, other_menu, other_key) = prepared(&other).await;
    let victim = guest();
    for at in 0..4 {
        let body = order(&menu, &victim, "hu");
        key.post("/public/orders").key(&at.to_string()).json(body).send().await.assert(201);
    }
    let mut ids = vec![];
    for at in 0..3 {
        let body = order(&other_menu, &victim.to_uppercase(), "hu");
        let sent = other_key.post("/public/orders").key(&at.to_string()).json(body).send().await.assert(201);
        ids.push(sent.json()["id"].clone());
    }
    settled(&place).await;
    settled(&other).await;
    let count = || place.kit.mails_to(&victim).len() + place.kit.mails_to(&victim.to_uppercase()).len();
    assert_eq!(count(), 5);
    // Another guest is told as ever, and so is the same one an hour later. The address stands nowhere.
    let second = guest();
    let sent = key.post("/public/orders").key("x").json(order(&menu, &second, "hu")).send().await.assert(201);
    place.kit.mail_to(&second).await;
    let kept = place.kit.texts("select subject from control.mail_sent where subject like 'order %'").await;
    assert!(!kept.is_empty() && kept.iter().all(|subject| !subject.contains('@')), "{kept:?}");
    let earlier = "update control.mail_sent set at = at - interval '61 minutes' where subject like 'order %'";
    place.kit.run(earlier, vec![]).await;
    key.post("/public/orders").key("9").json(order(&menu, &victim, "hu")).send().await.assert(201);
    settled(&place).await;
    assert_eq!(count(), 6);
    admin.get(&format!("/orders/{}", sent.json()["id"].as_str().unwrap())).send().await.assert(200);
}

#[testkit::test]
async fn what_a_stranger_types_is_no_link_in_a_mail() {
    let place = kit().await.restaurant().await;
    let (_, menu, key) = prepared(&place).await;
    for (at, (first, last)) in [
        ("http://evil.test", "Nyertél"),
        ("Éva", "www.evil.test"),
        ("eva@evil.test", "x"),
        ("HTTPS://EVIL.TEST", "x"),
        ("WWW.EVIL.TEST", "x"),
        ("Éva", "Kovács"),
    ]
    .into_iter()
    .enumerate()
    {
        let to = guest();
        let mut body = order(&menu, &to, "hu");
        (body["first_name"], body["last_name"]) = (json!(first), json!(last));
        key.post("/public/orders").key(&at.to_string()).json(body).send().await.assert(201);
        let mail = place.kit.mail_to(&to).await;
        assert!(!mail.to_lowercase().contains("evil.test"), "{mail}");
        assert_eq!(mail.contains("Kovács Éva"), last == "Kovács", "{mail}");
    }
}
