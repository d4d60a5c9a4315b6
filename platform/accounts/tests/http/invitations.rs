//! What the link of an invitation shows, and how the mails with links look. `PULT_GOLDEN=write cargo xtask test
//! -p accounts -- mails_with_links` writes the mails anew.

use serde_json::{Value, json};
use testkit::kit;

use super::{
    account::address,
    holders::{OWN, new_password, scene},
};

fn names(invitation: &Value) -> (&str, &str) {
    (invitation["first_name"].as_str().unwrap(), invitation["last_name"].as_str().unwrap())
}

/// The form begins with the name that the inviting company wrote, unless the account has an owner: then the
/// holder of the link, who may be anybody, learns no name.
#[testkit::test]
async fn a_link_shows_the_written_name_of_an_account_without_an_owner() {
    let scene = scene().await;
    let show = async |link: &str| scene.p.nobody().get(link).send().await.assert(200).json();
    // Nobody has the account yet.
    let email = address();
    let keys = super::admins::ids(&scene.at_q, &["admin_login"]).await;
    let row = json!({"email": email, "first_name": "Írt", "last_name": "Név", "permission_ids": keys, "surfaces": ["admin"]});
    let row = scene.at_q.post("/admins").json(row).send().await.assert(201).json();
    let link = scene.invitation(row["id"].as_str().unwrap()).await;
    let shown = show(&link).await;
    assert_eq!((names(&shown), &shown["has_password"]), (("Írt", "Név"), &json!(false)));
    let accepted = json!({"first_name": "Igazi", "last_name": "Név", "password": OWN, "password_again": OWN});
    let signed_in = scene.p.nobody().put(&link).json(accepted).send().await.assert(200).json();
    assert_eq!(signed_in["name"], "Név Igazi");
    scene.p.nobody().get(&link).send().await.assert_problem(401, "USER_INVALID_TOKEN");
    // Another company holds the password of this one: only what the inviting company wrote is shown.
    let (email, _) = scene.held().await;
    let row = scene.add(&scene.at_q, &email, "Másként Írt", None).await.assert(201).json();
    let shown = show(&scene.invitation(row["id"].as_str().unwrap()).await).await;
    let (first, last) = names(&shown);
    assert_eq!(format!("{last} {first}").trim(), "Másként Írt");
    assert!(!shown.to_string().contains("Tartott"), "{shown}");
    // An account with an owner, known or not to the inviting company by another name.
    let (email, _) = scene.own().await;
    let row = scene.add(&scene.at_p, &email, "Idegen Ilona", None).await.assert(201).json();
    let shown = show(&scene.invitation(row["id"].as_str().unwrap()).await).await;
    assert_eq!((names(&shown), &shown["has_password"]), (("", ""), &json!(true)));
    assert!(!shown.to_string().contains("Ilona") && !shown.to_string().contains("Sára"), "{shown}");
}

/// The mail's HTML form, its link's token replaced, equals the file.
fn assert_golden(name: &str, html: &str) {
    let (before, rest) = html.split_once("token=").unwrap();
    let token = rest.split('"').next().unwrap();
    let html = format!("{before}token={rest}").replace(token, "TOKEN").replace("><", ">\n<");
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("../accounts/tests/golden/{name}.html"));
    if std::env::var("PULT_GOLDEN").is_ok_and(|value| value == "write") {
        std::fs::write(&file, &html).unwrap();
    }
    assert_eq!(html, std::fs::read_to_string(&file).unwrap_or_default(), "{name} has changed");
}

#[testkit::test]
async fn mails_with_links_have_a_button_and_load_nothing() {
    let kit = kit().await;
    let place = kit.partner().await;
    let owner = place.partner_admin().await;
    let partner = format!("Partner {}", place.partner);
    for language in ["hu", "en"] {
        let email = address();
        let body = json!({"email": email, "name": "<b>Próba</b> Éva", "language": language});
        let row = owner.post("/admins").json(body).send().await.assert(201).json();
        let html = kit.mail_html_to(&email).await;
        assert!(html.contains("&lt;b&gt;Próba&lt;/b&gt; Éva") && !html.contains("<b>"), "{html}");
        assert_golden(&format!("invitation.{language}"), &html.replace(&partner, "PARTNER"));
        // The link of the HTML form is the one of the text.
        let text = kit.mail_to(&email).await;
        let address = text.split_whitespace().find(|word| word.contains("token=")).unwrap().to_owned();
        assert!(html.contains(&format!("<a href=\"{address}\"")), "{html}");
        let token = address.split_once("token=").unwrap().1;
        let path = format!("/api/v3/admins/invitations/{token}");
        place.nobody().put(&path).json(new_password(OWN)).send().await.assert(204);
        assert_eq!(row["status"], "invited");
        let asked = json!({ "email": email });
        place.nobody().post("/api/v3/admins/password-reset").json(asked).send().await.assert(204);
        let html = loop {
            let html = kit.mail_html_to(&email).await;
            if !html.contains(&address) {
                break html;
            }
        };
        assert_golden(&format!("password.{language}"), &html);
        for remote in ["src=", "url(", "<link", "<script", "<img", "@import"] {
            assert!(!html.contains(remote), "{remote} in {html}");
        }
    }
}
