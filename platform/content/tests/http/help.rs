//! The help page.

use std::sync::Arc;

use contract::{Capability, Environment, HelpContacts, HelpDesk, HelpPerson, HelpTokens, Secret};
use testkit::kit;

struct Desk;

impl HelpDesk for Desk {
    fn contacts(&self) -> HelpContacts {
        HelpContacts { email: Some("help@example.com".into()), ..HelpContacts::default() }
    }
    fn sign_in_origin(&self) -> Option<String> {
        Some("https://minta.zendesk.com".into())
    }
    fn sign_in(&self, person: &HelpPerson) -> Option<HelpTokens> {
        let tokens = (
            Secret::new(format!("jwt of {}", person.name)),
            Secret::new(format!("chat of {}", person.email)),
        );
        Some(HelpTokens {
            jwt: tokens.0,
            chat_jwt: tokens.1,
            auth_server: "https://minta.zendesk.com/access/jwt".into(),
            default_return_to: "/".into(),
        })
    }
}

#[testkit::test]
async fn help_is_where_the_settings_say() {
    let kit = kit().await;
    let place = kit.restaurant().await;
    let staff = place.with_keys(&["courier"]).await;
    // Nothing is set up.
    let bare = staff.get("/api/v3/admins/help").send().await.assert(200).json();
    assert_eq!(
        bare,
        serde_json::json!({"live_chat": false, "email": null, "phone": null, "knowledge_base_url": null})
    );
    staff.post("/api/v3/admins/zendesk/sso").send().await.assert_problem(403, "FEATURE_NOT_AVAILABLE");

    let desk = Capability::HelpDesk(Arc::new(Desk));
    let service = kit.with_plugins(testkit::plugins([(Environment::Live, desk)]));
    let staff = staff.at(&service);
    let centre = staff.get("/api/v3/admins/help").send().await.assert(200);
    assert_eq!(
        (&centre.json()["live_chat"], &centre.json()["email"]),
        (&true.into(), &"help@example.com".into())
    );
    assert!(
        centre
            .header("content-security-policy")
            .unwrap()
            .contains("form-action 'self' https://minta.zendesk.com")
    );
    let tokens = staff.post("/api/v3/admins/zendesk/sso").send().await.assert(200).json();
    assert_eq!(tokens["jwt"], "jwt of Próba Teszt");
    assert!(
        tokens["chat_jwt"].as_str().unwrap().ends_with("@pult.test")
            && tokens["auth_server"] == "https://minta.zendesk.com/access/jwt"
    );
    place.nobody().post("/api/v3/admins/zendesk/sso").send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
}
