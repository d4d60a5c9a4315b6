//! An archive restored on another installation: ids are kept, nothing is made anew.

use access::passwords;
use serde_json::{Value, json};
use tenants::AdminSpec;
use testkit::{Client, Place, kit};

use super::{
    archives::assert_later_menus,
    becomes,
    exports::{export_at, manifest, objects, pack, restore, unpack},
    objects,
    sample_partner::{SamplePartner, sample_partner},
    work_off_at,
};

async fn sign_in(client: &Client<'_>, email: &str, password: &str) -> testkit::Answer {
    client
        .post("/api/v3/admins/sign_in")
        .json(json!({"admin": {"email": email, "password": password}}))
        .send()
        .await
}

#[testkit::test]
async fn on_another_installation_ids_are_kept_and_people_are_invited() {
    let kit = kit().await;
    let SamplePartner { place, owner, .. } = sample_partner().await;
    let at = format!("/api/v3/admin/partners/{}", place.partner);
    let admins = owner.get(&format!("{at}/admins?limit=50")).send().await.assert(200).json();
    let email = |name: &str| {
        admins.as_array().unwrap().iter().find(|one| one["name"] == name).unwrap()["email"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let (anna, bela) = (email("Minta Anna"), email("Minta Béla"));
    let key = json!({"name": "webbolt", "scopes": ["menu:read"], "restaurant_ids": [place.restaurant]});
    let key = owner.post(&format!("{at}/api-keys")).json(key).send().await.assert(201).json()["api_key"]
        .as_str()
        .unwrap()
        .to_owned();
    // Some of the log is sealed: the chain goes along.
    kit.run("select control.enqueue_seals($1)", vec![vec![place.partner.uuid()].into()]).await;
    for _ in 0..100 {
        kit.run_jobs().await;
        let sql = "select count(*) n from control.audit_head where partner_id = $1 and number > 10";
        if kit.row(sql, vec![place.partner.into()]).await.try_get::<i64>("", "n").unwrap() == 1 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let first = unpack(&export_at(kit, &place.super_admin().await, &place.partner.to_string()).await);

    // Its pictures are not there: the tests' store is one, so they are taken out of it.
    std::fs::remove_dir_all(objects::folder(place.partner)).unwrap();
    let other = kit.beside("elsewhere").await;
    let there =
        Place { kit: &other, partner: place.partner, restaurant: place.restaurant, schema: String::new() };
    // One of its people is somebody there already, under a name and a password of their own.
    let known = AdminSpec {
        email: bela.clone(),
        first_name: "Másként".into(),
        last_name: "Hívják".into(),
        password_hash: Some(passwords::hash("mákosrétes".into()).await.unwrap()),
        super_admin: false,
        target: None,
        permission_keys: vec![],
        full_target_access: false,
        surfaces: vec![],
    };
    let known = other.provisioner().save_admin(&known).await.unwrap();
    let admin = there.super_admin().await;
    let archive = pack(&first.clone().into_iter().collect::<Vec<_>>());
    let made = restore(&admin, &archive, &[("into", "new")]).await.assert(201).json();
    assert_eq!(made["id"], place.partner.to_string(), "the id is free there, so it is kept");
    work_off_at(&other, place.partner).await;
    becomes(&admin, &place.partner.to_string(), "active").await;

    let second = unpack(&export_at(&other, &admin, &place.partner.to_string()).await);
    let (one, two) = (manifest(&first), manifest(&second));
    assert_eq!((&one["ids"], &one["partner"]), (&two["ids"], &two["partner"]));
    assert_eq!((&two["origin"]["ids"], &two["origin"]["renewed"]), (&json!({}), &json!([])));
    assert_eq!(two["origin"]["installation"], one["installation"]);
    assert_ne!(two["installation"], one["installation"]);
    assert_eq!(first.keys().collect::<Vec<_>>(), second.keys().collect::<Vec<_>>());
    assert!(!first["tables/audit_seal.copy"].is_empty());
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    assert!(first["objects.tar"] == second["objects.tar"], "the pictures differ");
    assert_eq!((objects(&first).len(), &one["missing_objects"]), (6, &two["missing_objects"]));
    for (name, bytes) in
        second.iter().filter(|(name, _)| !["manifest.json", "objects.tar"].contains(&name.as_str()))
    {
        let (old, new) = (text(&first[name]), text(bytes));
        match name.as_str() {
            // Here it was ordered to be exported, which is a line more.
            "tables/audit.copy" | "tables/audit_detail.copy" => {
                assert!(old.lines().all(|line| new.lines().any(|other| other == line)), "{name}");
                assert_eq!(new.lines().count(), old.lines().count() + 1, "{name}");
            }
            "directory/admin.jsonl" => {
                for (old, new) in old.lines().zip(new.lines()) {
                    let (old, mut new): (Value, Value) =
                        (serde_json::from_str(old).unwrap(), serde_json::from_str(new).unwrap());
                    if old["status"] != "archived" {
                        // Nobody there has accepted this partner yet, so people have the names of the
                        // archive.
                        assert_eq!(new["status"], "invited");
                        new["status"] = old["status"].clone();
                    }
                    assert_eq!(old, new);
                }
            }
            "tables/restaurant.copy" => assert_later_menus(&one, &old, &new),
            _ => assert!(old == new, "{name} differs"),
        }
    }
    let faults = other.texts(&format!("select fault from control.verify_audit('{}')", place.partner)).await;
    assert_eq!(faults, Vec::<String>::new(), "the chain goes on where it was");
    // Its roles are its own.
    let role = "select role from control.partner where id = $1";
    let of = async |kit: &testkit::Kit| {
        kit.row(role, vec![place.partner.into()]).await.try_get::<String>("", "role").unwrap()
    };
    assert_ne!(of(kit).await, of(&other).await);

    // The key of a shop goes on working.
    there.nobody().bearer(&key).get("/public/menu").send().await.assert(200);
    // A person with an account there accepts the invitation, signs in with it, and has the same rights.
    sign_in(&there.nobody(), &bela, "mákosrétes").await.assert_problem(403, "NO_ADMIN_ACCESS");
    let mail = other.mail_to(&bela).await;
    let token = mail.split_once("meghivas?token=").expect("a link").1.split_whitespace().next().unwrap();
    there
        .nobody()
        .put(&format!("/api/v3/admins/invitations/{token}"))
        .json(json!({}))
        .send()
        .await
        .assert(204);
    sign_in(&there.nobody(), &bela, "mákosrétes").await.assert(200);
    let sql = "select count(*) n from control.admin where partner_id = $1 and account_id = $2";
    assert_eq!(
        other.row(sql, vec![place.partner.into(), known.into()]).await.try_get::<i64>("", "n").unwrap(),
        1
    );
    // Who has none was mailed an invitation: the password that the partner had set elsewhere is not in the
    // archive, and would not count.
    let mail = other.mail_to(&anna).await;
    let token = mail.split_once("meghivas?token=").expect("a link").1.split_whitespace().next().unwrap();
    sign_in(&there.nobody(), &anna, "szilvásgombóc").await.assert_problem(401, "USER_WRONG_EMAIL_OR_PW");
    let password = json!({"password": "mákosrétes", "password_again": "mákosrétes"});
    there
        .nobody()
        .put(&format!("/api/v3/admins/invitations/{token}"))
        .json(password)
        .send()
        .await
        .assert(200);
    let token = sign_in(&there.nobody(), &anna, "mákosrétes")
        .await
        .assert(200)
        .header("authorization")
        .unwrap()
        .to_owned();
    let anna = there.nobody().bearer(token.trim_start_matches("Bearer "));
    let here = owner.get("/couriers").send().await.assert(200).json();
    assert_eq!(anna.get("/couriers").send().await.assert(200).json(), here);
}
