//! Guest TVs and their addresses.

use serde_json::json;
use testkit::{Client, Place, kit, plain_resource};

/// The secret in an address.
pub(crate) fn secret_of(tv: &serde_json::Value) -> String {
    tv["tv_url"].as_str().unwrap().split_once('#').unwrap().1.to_owned()
}

pub(crate) fn display<'k>(place: &Place<'k>, secret: &str) -> Client<'k> {
    place.nobody().bearer(secret.to_owned())
}

#[testkit::test]
async fn guest_tvs_are_a_plain_resource() {
    plain_resource("restaurant_tvs").await;
}

#[testkit::test]
async fn an_address_opens_its_board_until_it_is_replaced() {
    let place = kit().await.restaurant().await;
    let admin = place.with_keys(&["admin_login", "tv"]).await;
    let tv =
        admin.post("/restaurant-tvs").json(json!({"name": "Pult felett"})).send().await.assert(201).json();
    let secret = secret_of(&tv);
    assert_eq!(tv["tv_url"], format!("http://pult.test/tv#{secret}"));
    assert!(!tv["tv_url"].as_str().unwrap().contains(tv["id"].as_str().unwrap()), "an id is no token");
    let board = display(&place, &secret).get("/api/v3/device/board").send().await.assert(200).json();
    assert_eq!(
        (&board["preparing"], &board["ready"], &board["enable_sound"]),
        (&json!([]), &json!([]), &json!(true))
    );
    let fields: Vec<&str> = board.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        fields,
        [
            "background", "background_color", "enable_sound", "language", "now", "preparing", "ready",
            "restaurant", "timezone"
        ]
    );

    let path = format!("/restaurant-tvs/{}", tv["id"].as_str().unwrap());
    let anew = admin.post(&format!("{path}/address")).send().await.assert(200).json();
    assert_ne!(secret_of(&anew), secret);
    display(&place, &secret).get("/api/v3/device/board").send().await.assert_problem(401, "DEVICE_INVALID");
    display(&place, &secret_of(&anew)).get("/api/v3/device/board").send().await.assert(200);
    assert_eq!(admin.get(&path).send().await.assert(200).json()["tv_url"], anew["tv_url"]);
    // The address cannot be taken over by the display, which shows it to everybody.
    display(&place, &secret_of(&anew))
        .put("/api/v3/device/secret")
        .send()
        .await
        .assert_problem(409, "IN_USE");

    // Nothing in the clear: neither here nor in what is kept of answers, nor in the log.
    let found = kit()
        .await
        .texts(&format!(
            "select 'x' from control.device d where d::text like '%{secret}%' union all select 'y' from \
             {0}.idempotency_key k where k.answer like '%{secret}%' \
             union all select 'z' from {0}.audit_detail d where d.details::text like '%{secret}%'",
            place.schema
        ))
        .await;
    assert_eq!(found, Vec::<String>::new());
}

/// As `docs/runbooks/key-loss.md` says for the partners' keys.
#[testkit::test]
async fn a_guest_tv_gets_an_address_again_when_the_secret_key_is_lost() {
    let place = kit().await.partner().await;
    let admin = place.admin().await;
    let tv = admin.post("/restaurant-tvs").json(json!({"name": "Terasz"})).send().await.assert(201).json();
    let path = format!("/restaurant-tvs/{}", tv["id"].as_str().unwrap());
    let of_key = async |what: &str| {
        let sql = format!("{what} where partner_id = $1");
        assert_eq!(place.kit.run(&sql, vec![place.partner.into()]).await, 1);
    };
    let last = "length(wrapped) - 1";
    of_key(&format!(
        "update control.data_key set wrapped = set_byte(wrapped, {last}, get_byte(wrapped, {last}) # 1)"
    ))
    .await;
    admin.post(&format!("{path}/address")).send().await.assert_problem(500, "UNKNOWN_ERROR");
    of_key("delete from control.data_key").await;
    assert!(admin.get(&path).send().await.assert(200).json()["tv_url"].is_null());
    let anew = admin.post(&format!("{path}/address")).send().await.assert(200).json();
    display(&place, &secret_of(&anew)).get("/api/v3/device/board").send().await.assert(200);
}

#[testkit::test]
async fn a_board_goes_dark_with_its_feature_its_tv_and_its_device() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let tv =
        admin.post("/restaurant-tvs").json(json!({"name": "Pult felett"})).send().await.assert(201).json();
    let path = format!("/restaurant-tvs/{}", tv["id"].as_str().unwrap());
    let board = display(&place, &secret_of(&tv));
    let feature = format!(
        "delete from {}.restaurant_feature where restaurant_id = $1 and feature = 'tv'",
        place.schema
    );
    kit().await.run(&feature, vec![place.restaurant.into()]).await;
    board.get("/api/v3/device/board").send().await.assert_problem(403, "FEATURE_NOT_AVAILABLE");
    admin.get("/restaurant-tvs").send().await.assert_problem(403, "FEATURE_NOT_AVAILABLE");
    kit()
        .await
        .run(
            &format!("insert into {}.restaurant_feature values ($1, 'tv')", place.schema),
            vec![place.restaurant.into()],
        )
        .await;
    board.get("/api/v3/device/board").send().await.assert(200);

    let devices = admin.get("/devices").send().await.assert(200).json();
    assert_eq!(
        (&devices[0]["by_address"], &devices[0]["shows"], &devices[0]["online"]),
        (&json!(true), &json!("Pult felett"), &json!(true))
    );
    admin.delete(&format!("/devices/{}", devices[0]["id"].as_str().unwrap())).send().await.assert(204);
    board.get("/api/v3/device/board").send().await.assert_problem(401, "DEVICE_INVALID");
    assert_eq!(admin.get(&path).send().await.assert(200).json()["tv_url"], json!(null));
    let anew = admin.post(&format!("{path}/address")).send().await.assert(200).json();
    let board = display(&place, &secret_of(&anew));
    board.get("/api/v3/device/board").send().await.assert(200);
    admin.delete(&path).send().await.assert(204);
    board.get("/api/v3/device/board").send().await.assert_problem(401, "DEVICE_INVALID");
    assert_eq!(admin.get("/devices").send().await.assert(200).json(), json!([]));
}

fn pixel() -> Vec<u8> {
    const PNG: &str = "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8dfe00000044101c00cd1ed910000000049454e44ae426082";
    (0..PNG.len()).step_by(2).map(|at| u8::from_str_radix(&PNG[at..at + 2], 16).unwrap()).collect()
}

/// A form of these texts and, when it is given, the file `background`.
fn form(texts: &[(&str, &str)], background: Option<&[u8]>) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, text) in texts {
        body.extend(
            format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n").bytes(),
        );
    }
    if let Some(bytes) = background {
        body.extend(
            b"--b\r\nContent-Disposition: form-data; name=\"background\"; filename=\"a.png\"\r\n\r\n",
        );
        body.extend(bytes);
        body.extend(b"\r\n");
    }
    body.extend(b"--b--\r\n");
    body
}

#[testkit::test]
async fn a_background_comes_with_the_form_and_goes_with_null() {
    const FORM: (&str, &str) = ("content-type", "multipart/form-data; boundary=b");
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let texts = [("name", "Pult felett"), ("phone_order", "false"), ("background_color", "#112233")];
    let make = || {
        admin
            .post("/restaurant-tvs")
            .key("one")
            .header(FORM.0, FORM.1)
            .raw(form(&texts, Some(&pixel())))
            .send()
    };
    let tv = make().await.assert(201).json();
    assert_eq!(
        (&tv["name"], &tv["phone_order"], &tv["sit_in_order"]),
        (&json!("Pult felett"), &json!(false), &json!(true))
    );
    assert!(tv["background"]["small"].as_str().unwrap().ends_with("/small.webp"), "{tv}");
    assert_eq!(make().await.assert(201).json(), tv, "again it is the same");
    let images = admin.get("/images").send().await.assert(200).json();
    assert_eq!((images.as_array().unwrap().len(), &images[0]["used_by"][0]["id"]), (1, &tv["id"]));

    let path = format!("/restaurant-tvs/{}", tv["id"].as_str().unwrap());
    let put = |body: Vec<u8>| admin.put(&path).header(FORM.0, FORM.1).raw(body).send();
    let other = put(form(&[], Some(&pixel()))).await.assert(200).json();
    assert_ne!(other["background_id"], tv["background_id"]);
    assert_eq!((&other["name"], &other["tv_url"]), (&tv["name"], &tv["tv_url"]));
    put(form(&[], Some(&vec![0; 10_000_001]))).await.assert_problem(413, "TOO_LARGE");
    put(form(&[], Some(b"<svg/>"))).await.assert_problem(415, "MEDIA_TYPE_NOT_SUPPORTED");
    assert_eq!(admin.get(&path).send().await.assert(200).json()["background_id"], other["background_id"]);
    let bare = put(form(&[("background", "")], None)).await.assert(200).json();
    assert_eq!((&bare["background_id"], &bare["background"]), (&json!(null), &json!(null)));

    // As JSON: an id beside it counts, else null takes the picture away.
    let set = admin
        .put(&path)
        .json(json!({"background": null, "background_id": tv["background_id"]}))
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!(set["background_id"], tv["background_id"]);
    let cleared = admin.put(&path).json(json!({"background": null})).send().await.assert(200);
    assert_eq!((cleared.header("x-ignored-fields"), &cleared.json()["background_id"]), (None, &json!(null)));
    let stranger = kit().await.stranger().await;
    let theirs = stranger
        .admin()
        .await
        .post("/restaurant-tvs")
        .json(json!({"name": "x"}))
        .send()
        .await
        .assert(201)
        .json();
    let path = format!("/restaurant-tvs/{}", theirs["id"].as_str().unwrap());
    admin
        .put(&path)
        .header(FORM.0, FORM.1)
        .raw(form(&[], Some(&pixel())))
        .send()
        .await
        .assert_problem(404, "RESTAURANT_TV_NOT_EXIST");
}
