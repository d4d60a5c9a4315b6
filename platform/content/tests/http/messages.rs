//! Announcements and release infos.

use chrono::{Duration, Utc};
use serde_json::json;
use testkit::{Client, kit};
use uuid::Uuid;

const ANNOUNCEMENTS: &str = "/api/v3/super-admin/announcements";
const MINE: &str = "/api/v3/admin/announcements";
const RELEASES: &str = "/api/v3/super-admin/release-infos";
const RELEASED: &str = "/api/v3/release-infos";

async fn ids(client: &Client<'_>, path: &str) -> Vec<String> {
    let answer = client.get(path).send().await.assert(200).json();
    answer.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

#[testkit::test]
async fn an_announcement_is_read_until_it_is_confirmed() {
    let place = kit().await.restaurant().await;
    let (boss, staff, other) =
        (place.super_admin().await, place.admin().await, place.with_keys(&["courier"]).await);
    let made = boss
        .post(ANNOUNCEMENTS)
        .json(json!({"message": "Vasárnap karbantartás", "lang": "hu"}))
        .send()
        .await
        .assert(201)
        .json();
    let id = made["id"].as_str().unwrap().to_owned();
    let english = boss
        .post(ANNOUNCEMENTS)
        .json(json!({"message": "Maintenance", "lang": "en"}))
        .send()
        .await
        .assert(201)
        .json();
    let later = json!({"message": "Később", "lang": "hu", "show_at": Utc::now() + Duration::hours(1)});
    let later = boss.post(ANNOUNCEMENTS).json(later).send().await.assert(201).json()["id"]
        .as_str()
        .unwrap()
        .to_owned();

    let seen = ids(&staff, MINE).await;
    assert!(
        seen.contains(&id)
            && !seen.contains(&later)
            && !seen.contains(&english["id"].as_str().unwrap().to_owned())
    );
    // Until its time has come there is nothing to confirm, nor in another language.
    staff.post(&format!("{MINE}/{later}/confirm")).send().await.assert_problem(404, "ANNOUNCEMENT_NOT_EXIST");
    staff
        .post(&format!("{MINE}/{}/confirm", english["id"].as_str().unwrap()))
        .send()
        .await
        .assert_problem(404, "ANNOUNCEMENT_NOT_EXIST");
    for _ in 0..2 {
        staff.post(&format!("{MINE}/{id}/confirm")).send().await.assert(204);
    }
    assert!(!ids(&staff, MINE).await.contains(&id) && ids(&other, MINE).await.contains(&id));
    let read = boss.get(&format!("{ANNOUNCEMENTS}/{id}")).send().await.assert(200).json();
    assert_eq!(read["confirmations"], 1);

    let path = format!("{ANNOUNCEMENTS}/{id}");
    boss.put(&path).json(json!({"message": "Hétfőn", "version": 1})).send().await.assert(200);
    boss.put(&path)
        .json(json!({"message": "Kedden", "version": 1}))
        .send()
        .await
        .assert_problem(409, "CONFLICT");
    boss.put(&path)
        .json(json!({"message": ""}))
        .send()
        .await
        .assert_problem(422, "VALIDATION_FAILED")
        .assert_keys(&["message"]);
    // Blanks are nothing to read.
    boss.put(&path).json(json!({"message": " \n "})).send().await.assert_keys(&["message"]);
    boss.post(ANNOUNCEMENTS)
        .json(json!({"message": "  ", "lang": "hu"}))
        .send()
        .await
        .assert_keys(&["message"]);
    boss.delete(&path).send().await.assert(204);
    boss.delete(&path).send().await.assert_problem(404, "ANNOUNCEMENT_NOT_EXIST");
    assert!(!ids(&other, MINE).await.contains(&id));
    let archived = boss
        .get(&format!("{ANNOUNCEMENTS}?archived=true&name=hetfo&limit=200"))
        .send()
        .await
        .assert(200)
        .json();
    assert!(archived.as_array().unwrap().iter().any(|row| row["id"] == json!(id)));
}

/// Texts with scripts, and what remains of them.
const HOSTILE: &[(&str, &str)] = &[
    ("Szia<script>alert(1)</script>", "Szia"),
    ("Szia<ScRiPt src=//x.example></sCrIpT>", "Szia"),
    ("<img src=x onerror=alert(1)>Szia", "Szia"),
    ("Szia<svg onload=alert(1)><script>alert(1)</script></svg>", "Szia"),
    ("Szia<math><mtext><table><mglyph><style><img src onerror=alert(1)>", "Szia"),
    ("Szia<iframe srcdoc='<script>alert(1)</script>'></iframe>", "Szia"),
    ("<p onclick=alert(1) style='background:url(//x.example)'>Szia</p>", "<p>Szia</p>"),
    ("<a href=javascript:alert(1)>Szia</a>", "<a rel=\"noopener noreferrer\">Szia</a>"),
    ("<a href=\" java\tscript:alert(1)\">Szia</a>", "<a rel=\"noopener noreferrer\">Szia</a>"),
    ("<a href=&#106;avascript:alert(1)>Szia</a>", "<a rel=\"noopener noreferrer\">Szia</a>"),
    ("<a href=//evil.example onmouseover=alert(1)>Szia</a>", "<a rel=\"noopener noreferrer\">Szia</a>"),
    ("<form action=//evil.example><button>Szia</button></form>", "Szia"),
    ("<meta http-equiv=refresh content='0;url=//evil.example'>Szia", "Szia"),
    ("<base href=//evil.example/>Szia", "Szia"),
    ("<style>*{display:none}</style>Szia", "Szia"),
    ("<!--><img src=x onerror=alert(1)>-->Szia", "--&gt;Szia"),
    ("&lt;script&gt;alert(1)&lt;/script&gt;", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    ("5 < 6 & 7 > 2\nkettő", "5 &lt; 6 &amp; 7 &gt; 2\nkettő"),
    (
        "<p>Új <strong>gomb</strong></p><ul><li>egy</li></ul>",
        "<p>Új <strong>gomb</strong></p><ul><li>egy</li></ul>",
    ),
    (
        "<a href=\"https://example.com/?a=1&amp;b=2\" target=_blank>itt</a>",
        "<a href=\"https://example.com/?a=1&amp;b=2\" rel=\"noopener noreferrer\">itt</a>",
    ),
];

#[testkit::test]
async fn announcements_are_cleaned_when_written_and_when_read() {
    let place = kit().await.restaurant().await;
    let (boss, staff) = (place.super_admin().await, place.admin().await);
    let made = boss
        .post(ANNOUNCEMENTS)
        .json(json!({"message": "Szia", "lang": "hu"}))
        .send()
        .await
        .assert(201)
        .json();
    let id = made["id"].as_str().unwrap().to_owned();
    let path = format!("{ANNOUNCEMENTS}/{id}");
    let read = async || {
        let all = staff.get(MINE).send().await.assert(200).json();
        all.as_array().unwrap().iter().find(|one| one["id"] == json!(id)).unwrap()["message"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    for (sent, kept) in HOSTILE {
        let created = boss
            .post(ANNOUNCEMENTS)
            .json(json!({"message": sent, "lang": "en"}))
            .send()
            .await
            .assert(201)
            .json();
        assert_eq!(created["message"], *kept, "{sent}");
        boss.delete(&format!("{ANNOUNCEMENTS}/{}", created["id"].as_str().unwrap())).send().await.assert(204);
        boss.put(&path).json(json!({"message": sent})).send().await.assert(200);
        let row = place
            .kit
            .row(
                "select message from control.announcement where id = $1::text::uuid",
                vec![id.clone().into()],
            )
            .await;
        assert_eq!(row.try_get::<String>("", "message").unwrap(), *kept, "{sent}");
        // A row with a text stored unsanitised.
        place
            .kit
            .run(
                "update control.announcement set message = $2 where id = $1::text::uuid",
                vec![id.clone().into(), (*sent).into()],
            )
            .await;
        assert_eq!(read().await, *kept, "{sent}");
    }
    for nothing in ["<script>alert(1)</script>", "<p> </p>", "<img src=x onerror=alert(1)>", "&nbsp;"] {
        boss.put(&path).json(json!({"message": nothing})).send().await.assert_keys(&["message"]);
        boss.post(ANNOUNCEMENTS)
            .json(json!({"message": nothing, "lang": "hu"}))
            .send()
            .await
            .assert_keys(&["message"]);
    }
    boss.delete(&path).send().await.assert(204);
}

#[testkit::test]
async fn announcements_reach_open_windows() {
    let kit = kit().await;
    let place = kit.partner().await;
    let boss = place.super_admin().await;
    let made = boss
        .post(ANNOUNCEMENTS)
        .json(json!({"message": "Szia", "lang": "hu"}))
        .send()
        .await
        .assert(201)
        .json();
    let waiting =
        "select run_at from control.job where kind = 'announcement_tell' and key = $1 and partner_id = $2";
    let later = json!({"message": "Majd", "lang": "hu", "show_at": Utc::now() + Duration::hours(2)});
    let later = boss.post(ANNOUNCEMENTS).json(later).send().await.assert(201).json();
    let key = || vec![later["id"].as_str().unwrap().into(), place.partner.into()];
    let first: chrono::DateTime<Utc> = kit.row(waiting, key()).await.try_get("", "run_at").unwrap();
    let path = format!("{ANNOUNCEMENTS}/{}", later["id"].as_str().unwrap());
    boss.put(&path).json(json!({"show_at": Utc::now() + Duration::hours(3)})).send().await.assert(200);
    let moved: chrono::DateTime<Utc> = kit.row(waiting, key()).await.try_get("", "run_at").unwrap();
    assert!(moved > first + Duration::minutes(50));
    boss.delete(&path).send().await.assert(204);
    boss.delete(&format!("{ANNOUNCEMENTS}/{}", made["id"].as_str().unwrap())).send().await.assert(204);
    for _ in 0..100 {
        kit.run_jobs().await;
        let sql = format!(
            "select count(*) n from {}.event where restaurant_id = $1 and kind = 'TASK_ANNOUNCEMENT'",
            place.schema
        );
        if kit.row(&sql, vec![place.restaurant.into()]).await.try_get::<i64>("", "n").unwrap() > 0 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("nobody was told");
}

#[testkit::test]
async fn release_infos_are_drafts_news_and_history() {
    let place = kit().await.restaurant().await;
    let (boss, staff) = (place.super_admin().await, place.admin().await);
    let point =
        json!({"title": " Új nézet ", "description": "<p onclick=x()>Szép<script>alert(1)</script></p>"});
    let body =
        json!({"version_code": "4.2.0", "release_type": "pos", "lang": "hu", "bullet_points": [point]});
    let made = boss.post(RELEASES).json(body).send().await.assert(201).json();
    assert_eq!(
        (&made["is_draft"], &made["bullet_points"][0]),
        (&json!(true), &json!({"title": "Új nézet", "description": "<p>Szép</p>"}))
    );
    let id = made["id"].as_str().unwrap().to_owned();
    let (path, confirm) = (format!("{RELEASES}/{id}"), format!("{RELEASED}/{id}/confirm"));
    assert!(!ids(&staff, RELEASED).await.contains(&id));
    staff.post(&confirm).send().await.assert_problem(404, "RELEASE_INFO_NOT_EXIST");

    boss.put(&path)
        .json(json!({"is_draft": false, "release_at": Utc::now(), "version": 1}))
        .send()
        .await
        .assert(200);
    assert!(ids(&staff, RELEASED).await.contains(&id));
    // It came out after the account was made: news, until it is confirmed.
    assert!(ids(&staff, &format!("{RELEASED}?show_only_news=true")).await.contains(&id));
    staff.post(&confirm).send().await.assert(204);
    staff.post(&confirm).send().await.assert(204);
    assert!(
        !ids(&staff, &format!("{RELEASED}?show_only_news=true")).await.contains(&id)
            && ids(&staff, RELEASED).await.contains(&id)
    );
    // A later account reads it, but not as news.
    let late = place.admin().await;
    boss.put(&path).json(json!({"release_at": Utc::now() - Duration::days(1)})).send().await.assert(200);
    assert!(
        ids(&late, RELEASED).await.contains(&id)
            && !ids(&late, &format!("{RELEASED}?show_only_news=true")).await.contains(&id)
    );

    boss.put(&path).json(json!({"version": 1})).send().await.assert_problem(409, "CONFLICT");
    boss.put(&path).json(json!({"bullet_points": []})).send().await.assert_problem(422, "VALIDATION_FAILED");
    let blank = json!({"version_code": " ", "bullet_points": [{"title": "Új", "description": "Szép"},
        {"title": "  ", "description": "Szép"}]});
    boss.put(&path).json(blank).send().await.assert_keys(&["version_code", "bullet_points.1.title"]);
    let unknown = boss.get(&format!("{RELEASES}/{}", Uuid::now_v7())).send().await;
    unknown.assert_problem(404, "RELEASE_INFO_NOT_EXIST");
    let found = boss
        .get(&format!("{RELEASES}?release_type=pos&is_draft=false&name=uj%20nezet&limit=200&count=true"))
        .send()
        .await
        .assert(200);
    assert!(
        found.json().as_array().unwrap().iter().any(|row| row["id"] == json!(id))
            && found.header("x-total-count").is_some()
    );
    boss.delete(&path).send().await.assert(204);
    assert!(!ids(&staff, RELEASED).await.contains(&id));
}

#[testkit::test]
async fn only_super_admins_write_to_everybody() {
    let place = kit().await.restaurant().await;
    let staff = place.partner_admin().await;
    for path in [ANNOUNCEMENTS, RELEASES] {
        staff.get(path).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
        staff.post(path).json(json!({})).send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
    }
    for path in [MINE, RELEASED] {
        place.nobody().get(path).send().await.assert_problem(401, "USER_LOGIN_REQUIRED");
    }
}
