//! Documentations and builders.

use serde_json::json;
use testkit::{
    Answer, Client, Place,
    form::{FORM, form},
    kit,
};
use uuid::Uuid;

const ALL: &str = "/api/v3/super-admin/documentations";
const MINE: &str = "/api/v3/admin/documentations";
const PDF: &[u8] = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n";

async fn add(who: &Client<'_>, title: &str, file: &str, bytes: &[u8]) -> Answer {
    who.post(ALL)
        .header(FORM.0, FORM.1)
        .raw(form(&[("title", title), ("lang", "en")], Some(("file", file, bytes))))
        .send()
        .await
}

#[testkit::test]
async fn everybody_downloads_what_super_admins_put_there() {
    let place = kit().await.restaurant().await;
    let (boss, admin) = (place.super_admin().await, place.with_keys(&["courier"]).await);
    let title = format!("Üzembe helyezés {}", Uuid::new_v4().simple());
    let made = add(&boss, &title, "C:\\tmp\\Kézi:könyv.pdf", PDF).await.assert(201).json();
    assert_eq!(made["filename"], "Kézi-könyv.pdf", "no path of where it came from");
    let name = made["name"].as_str().unwrap();
    assert!(name.starts_with("uzembe-helyezes-"), "{name}");
    let again = add(&boss, &title, "x", PDF).await.assert(201).json();
    assert_eq!(
        (again["name"].as_str().unwrap(), &again["filename"]),
        (format!("{name}-2").as_str(), &json!("x.pdf"))
    );

    let listed = admin.get(MINE).send().await.assert(200).json();
    let one = listed.as_array().unwrap().iter().find(|one| one["name"] == *name).unwrap().clone();
    assert_eq!(
        (&one["title"], &one["lang"], &one["bytes"]),
        (&json!(title), &json!("en"), &json!(PDF.len()))
    );
    let path = format!("{MINE}/{name}/download");
    let file = admin.get(&path).send().await.assert(200);
    assert_eq!(file.body, PDF);
    assert_eq!(file.header("content-disposition"), Some("attachment; filename=\"K_zi-k_nyv.pdf\""));
    place.nobody().get(&path).send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    for wrong in ["nincs", "..%2f..%2fetc%2fpasswd", "%2e%2e", "documents%2fx"] {
        admin.get(&format!("{MINE}/{wrong}/download")).send().await.assert(404);
    }

    let id = made["id"].as_str().unwrap();
    let put = |texts: &[(&str, &str)], file| {
        boss.put(&format!("{ALL}/{id}")).header(FORM.0, FORM.1).raw(form(texts, file)).send()
    };
    let second = [PDF, b"%%EOF"].concat();
    let changed = put(&[("title", "Új cím"), ("version", "1")], Some(("file", "b.pdf", &second[..])))
        .await
        .assert(200)
        .json();
    assert_eq!(
        (&changed["title"], &changed["name"], &changed["version"]),
        (&json!("Új cím"), &json!(name), &json!(2))
    );
    assert_eq!(admin.get(&path).send().await.assert(200).body, second);
    put(&[("title", "Más"), ("version", "1")], None).await.assert_problem(409, "CONFLICT");
    put(&[("title", " "), ("lang", "de")], None).await.assert_keys(&["title", "lang"]);
    place.kit.run_jobs().await;
    assert_eq!(admin.get(&path).send().await.assert(200).body, second, "only the replaced file was swept");
    for id in [id, again["id"].as_str().unwrap()] {
        boss.delete(&format!("{ALL}/{id}")).send().await.assert(204);
    }
    admin.get(&path).send().await.assert_problem(404, "DOCUMENTATION_NOT_EXIST");
}

#[testkit::test]
async fn faulty_documentations_are_refused() {
    let place = kit().await.restaurant().await;
    let boss = place.super_admin().await;
    boss.post(ALL)
        .header(FORM.0, FORM.1)
        .raw(form(&[("lang", "xx")], None))
        .send()
        .await
        .assert_keys(&["title", "lang", "file"]);
    add(&boss, "x", "x.pdf", b"<html>").await.assert_problem(415, "MEDIA_TYPE_NOT_SUPPORTED");
    add(&boss, "x", "x.pdf", b"%PDF-1.4 cut").await.assert_problem(415, "MEDIA_TYPE_NOT_SUPPORTED");
    add(&boss, "x", "x.pdf", &[PDF, &vec![b' '; 20_000_000], b"%%EOF"].concat())
        .await
        .assert_problem(413, "TOO_LARGE");
    add(&place.partner_admin().await, "x", "x.pdf", PDF)
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
}

async fn ask(place: &Place<'_>, who: &Client<'_>, builder: &str) -> Answer {
    who.post("/api/v3/admin/me/tickets")
        .json(json!({"purpose": "builder", "builder": builder, "restaurant_id": place.restaurant}))
        .send()
        .await
}

#[testkit::test]
async fn builders_open_with_a_ticket_for_those_who_may() {
    let place = kit().await.restaurant().await;
    let kinds = |answer: Answer| {
        answer
            .assert(200)
            .json()
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["kind"].clone())
            .collect::<Vec<_>>()
    };
    let (company, restaurant) = (place.partner_admin().await, place.admin().await);
    assert_eq!(kinds(company.get("/builders").send().await), [json!("partner")]);
    assert!(kinds(restaurant.get("/builders").send().await).is_empty());
    place
        .with_keys(&["order"])
        .await
        .get("/builders")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    let ticket = ask(&place, &company, "partner").await.assert(201).json();
    let url = ticket["url"].as_str().unwrap();
    assert!(url.starts_with("https://builder.pult.invalid/open?lang=hu&token="), "{url}");
    assert!(url.ends_with(&format!("&partner_id={}", place.partner)), "{url}");
    ask(&place, &company, "app").await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    ask(&place, &restaurant, "partner").await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    ask(&place, &company, "iframe").await.assert_keys(&["builder"]);
    // The builder redeems it once.
    let redeem = format!("/api/v3/admin/me?ticket={}", ticket["token"].as_str().unwrap());
    place.nobody().get(&redeem).send().await.assert(200);
    place.nobody().get(&redeem).send().await.assert_problem(401, "USER_INVALID_TOKEN");
}
