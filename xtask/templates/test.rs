{{?plain}}
use testkit::plain_resource;

#[testkit::test]
async fn {{many}}_are_a_plain_resource() {
    plain_resource("{{many}}").await;
}
{{/}}
{{?!plain}}
use serde_json::json;
use testkit::kit;

#[testkit::test]
async fn {{many}}_are_added_changed_ranked_and_archived() {
    let place = kit().await.restaurant().await;
{{?platform}}
    let (admin, staff) = (place.super_admin().await, place.admin().await);
    let all = "/api/v3/super-admin/{{path}}".to_owned();
{{/}}
{{?partner}}
    let (admin, staff) = (place.partner_admin().await, place.with_keys(&["admin_login"]).await);
    let all = format!("/api/v3/admin/partners/{}/{{path}}", place.partner);
{{/}}
{{?group}}
    let (admin, staff) = (place.partner_admin().await, place.with_keys(&["admin_login"]).await);
    let groups = format!("/api/v3/admin/partners/{}/restaurant-groups", place.partner);
    let group = admin.get(&groups).send().await.assert(200).json()[0]["id"].as_str().unwrap().to_owned();
    let all = format!("{groups}/{group}/{{path}}");
{{/}}
    let new = |name: &str| json!({"name": name, "kind": "first", "price": 1});
    let one = admin.post(&all).json(new("Egy")).send().await.assert(201).json();
    let two = admin.post(&all).json(new("Kettő")).send().await.assert(201).json();
    let own = format!("{all}/{}", one["id"].as_str().unwrap());
    assert_eq!(admin.get(&own).send().await.assert(200).json(), one);
    let after = admin.put(&own).json(json!({"name": "Első", "version": 1})).send().await.assert(200).json();
    assert_eq!((&after["name"], &after["version"]), (&json!("Első"), &json!(2)));
    admin.put(&own).json(json!({"version": 1})).send().await.assert_problem(409, "CONFLICT");
    let ranking = format!("{all}/ranking");
    admin.put(&ranking).json(json!({"{{one}}_ids": [two["id"], one["id"]]})).send().await.assert(204);
    admin.put(&ranking).json(json!({"{{one}}_ids": [one["id"]]})).send().await.assert_keys(&["{{one}}_ids"]);
    let names = admin.get(&all).send().await.assert(200).json();
    assert_eq!((&names[0]["name"], &names[1]["name"]), (&json!("Kettő"), &json!("Első")));
    staff.get(&all).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    admin.delete(&own).send().await.assert(204);
    admin.get(&own).send().await.assert_problem(404, "{{ONE}}_NOT_EXIST");
}
{{/}}
