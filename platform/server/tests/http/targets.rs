//! The golden file of targets: which caller reaches which place, apart from permissions. All callers have
//! full access at home. Every operation below a partner is called with an invalid body, so nothing is done.
//! `PULT_GOLDEN=write cargo xtask test -p server -- targets` writes the file.

use std::{collections::BTreeMap, fmt::Write};

use serde_json::{Value, json};
use server::document;
use testkit::{Client, Place, kit};
use uuid::Uuid;

use super::{isolation::fill, operations, strings};

/// `in` once the place was entered, else the refusal.
async fn outcome(
    client: &Client<'_>, method: &str, path: &str, operation: &Value, place: &Place<'_>,
) -> String {
    let path = fill(path, (&place.partner.to_string(), &place.restaurant.to_string()), &BTreeMap::new());
    let call = client.call(method.parse().unwrap(), &path);
    let call = if operation["requestBody"].is_object() {
        call.json(json!([1])).key(&Uuid::now_v7().to_string())
    } else {
        call
    };
    let answer = call.send().await;
    let code = if answer.status >= 400 {
        answer.json()["code"].as_str().unwrap_or_default().to_owned()
    } else {
        String::new()
    };
    assert!(answer.status < 500, "{method} {path}: {}", answer.text());
    let refusals = [
        "USER_LOGIN_REQUIRED",
        "USER_PERMISSION_REQUIRED",
        "SUPPORT_ACCESS_REQUIRED",
        "RESTAURANT_NOT_EXIST",
        "PARTNER_NOT_EXIST",
    ];
    if refusals.contains(&code.as_str()) { format!("{} {code}", answer.status) } else { "in".to_owned() }
}

/// Gives a new super admin a support access to this partner.
async fn supporter<'k>(place: &Place<'k>, writable: bool) -> Client<'k> {
    let client = place.super_admin().await;
    let me = client.get("/api/v3/admin/me").send().await.assert(200).json();
    let account: Uuid = me["id"].as_str().unwrap().parse().unwrap();
    let sql = "insert into control.support_access (id, account_id, partner_id, reason, writable, expires_at) \
               values ($1, $2, $3, 'golden file', $4, now() + interval '1 hour')";
    place
        .kit
        .run(sql, vec![Uuid::now_v7().into(), account.into(), place.partner.uuid().into(), writable.into()])
        .await;
    client
}

#[testkit::test]
async fn who_reaches_which_place() {
    let kit = kit().await;
    let mine = kit.partner().await;
    let sibling = kit.restaurant_of(mine.partner).await;
    let stranger = kit.partner().await;
    let (restaurant, partner) = (mine.admin().await, mine.partner_admin().await);
    let (nobody, platform) = (mine.nobody(), mine.super_admin().await);
    let (reader, writer) = (supporter(&mine, false).await, supporter(&mine, true).await);
    let callers = [
        ("nobody", &nobody, &mine),
        ("restaurant's admin, own", &restaurant, &mine),
        ("restaurant's admin, sibling", &restaurant, &sibling),
        ("restaurant's admin, foreign", &restaurant, &stranger),
        ("partner's admin, own", &partner, &mine),
        ("partner's admin, sibling", &partner, &sibling),
        ("partner's admin, foreign", &partner, &stranger),
        ("super admin", &platform, &mine),
        ("support, reading", &reader, &mine),
        ("support, writing", &writer, &mine),
        ("support, foreign", &writer, &stranger),
    ];
    let document = document::full();
    // Operations that answer alike stand together.
    let mut alike: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (method, path, operation) in operations(&document) {
        if !path.contains("{partner_id}")
            || path.contains("/super-admin/")
            || strings(&operation["x-permission"]) == ["public"]
        {
            continue;
        }
        let mut lines = String::new();
        for (name, client, place) in callers {
            writeln!(lines, "  {name}: {}", outcome(client, &method, &path, &operation, place).await)
                .unwrap();
        }
        alike.entry(lines).or_default().push(format!("{method} {path}"));
    }
    let mut groups: Vec<_> = alike.into_iter().collect();
    groups.sort_by(|(_, one), (_, other)| one.cmp(other));
    let text: String = groups
        .into_iter()
        .map(|(lines, operations)| format!("{}\n{lines}\n", operations.join("\n")))
        .collect();
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/targets.txt");
    if std::env::var("PULT_GOLDEN").is_ok_and(|value| value == "write") {
        std::fs::write(&file, &text).unwrap();
    }
    let golden = std::fs::read_to_string(&file).unwrap_or_default();
    let difference: Vec<_> =
        text.lines().zip(golden.lines()).filter(|(now, before)| now != before).take(3).collect();
    assert!(text == golden, "who reaches which place has changed, first: {difference:#?}");
}
