//! Pictures: uploaded, read from the store, shown, replaced, removed.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};
use testkit::{
    Answer, Client, Place,
    form::{FORM, form},
    kit,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use url::Url;
use work::Outgoing;

fn picture(width: u32, height: u32, colour: [u8; 3]) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(RgbImage::from_pixel(width, height, Rgb(colour)))
        .write_to(&mut bytes, ImageFormat::Png)
        .unwrap();
    bytes.into_inner()
}

async fn upload(who: &Client<'_>, path: &str, name: &str, bytes: &[u8]) -> Answer {
    who.post(path)
        .header(FORM.0, FORM.1)
        .raw(form(&[("name", name)], Some(("image", "kép.png", bytes))))
        .send()
        .await
}

/// What a browser gets at this address: status, headers, body.
async fn fetch(address: &str) -> (u16, String, Vec<u8>) {
    let url: Url = address.parse().unwrap();
    let mut stream = TcpStream::connect((url.host_str().unwrap(), url.port().unwrap())).await.unwrap();
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    let request = format!(
        "GET {}{query} HTTP/1.1\r\nHost: {}:{}\r\nConnection: close\r\n\r\n",
        url.path(),
        url.host_str().unwrap(),
        url.port().unwrap()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    let head = String::from_utf8_lossy(&answer[..end]).to_lowercase();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, head, answer[end + 4..].to_vec())
}

async fn one(place: &Place<'_>, name: &str) -> Value {
    upload(&place.admin().await, "/images", name, &picture(1200, 800, [200, 30, 30])).await.assert(201).json()
}

#[testkit::test]
async fn a_picture_is_read_from_the_store_in_three_sizes() {
    let place = kit().await.restaurant().await;
    let made = one(&place, "  Gulyásleves ").await;
    assert_eq!(made["name"], "Gulyásleves");
    assert_eq!((&made["width"], &made["height"], &made["used_by"]), (&json!(1200), &json!(800), &json!([])));
    for (size, side) in [("original", 1200), ("medium", 960), ("small", 320)] {
        let address = made["image"][size].as_str().unwrap();
        let (status, head, bytes) = fetch(address).await;
        assert_eq!(status, 200, "{address}");
        assert!(head.contains("content-type: image/webp"), "{head}");
        assert_eq!(image::load_from_memory_with_format(&bytes, ImageFormat::WebP).unwrap().width(), side);
        // Only who signs may write, and nobody may look around.
        assert_eq!(fetch(&address.replace(size, "other")).await.0, 404);
    }
    let folder = made["image"]["small"].as_str().unwrap().rsplit_once('/').unwrap().0.to_owned();
    let store = &place.kit.app.settings.objects;
    assert_eq!(fetch(&format!("{}?list-type=2", store.public_url)).await.0, 403);
    assert_eq!(fetch(&format!("{}/private/x", store.public_url)).await.0, 403);
    assert!(folder.contains(&place.partner.to_string()), "below the partner's own prefix");
    let page = place.admin().await.get("/../../../../../../").send().await;
    assert!(
        page.header("content-security-policy")
            .unwrap()
            .contains(&store.public_url.origin().ascii_serialization())
    );
}

#[testkit::test]
async fn pictures_are_found_by_name_and_paged() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    for name in ["Túrós csusza", "Halászlé", "Turos palacsinta"] {
        one(&place, name).await;
    }
    let names = |answer: Answer| {
        answer
            .assert(200)
            .json()
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(admin.get("/images").send().await), ["Turos palacsinta", "Halászlé", "Túrós csusza"]);
    assert_eq!(names(admin.get("/images?name=TUROS").send().await), ["Turos palacsinta", "Túrós csusza"]);
    let page = admin.get("/images?limit=1&page=1&count=true").send().await;
    assert_eq!(page.header("x-total-count"), Some("3"));
    assert_eq!(names(page), ["Halászlé"]);
    let stranger = kit().await.stranger().await;
    assert!(names(stranger.admin().await.get("/images").send().await).is_empty());
    let id = admin.get("/images").send().await.json()[0]["id"].as_str().unwrap().to_owned();
    stranger.admin().await.get(&format!("/images/{id}")).send().await.assert_problem(404, "IMAGE_NOT_EXIST");
    place
        .with_keys(&["courier"])
        .await
        .get("/images")
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    place
        .with_keys(&["catalog_edit"])
        .await
        .delete(&format!("/images/{id}"))
        .send()
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
    place.with_keys(&["depot_recipe"]).await.delete(&format!("/images/{id}")).send().await.assert(204);
}

#[testkit::test]
async fn third_parties_read_the_pictures_that_are_marked_as_public() {
    let place = kit().await.restaurant().await;
    let (admin, key) = (place.admin().await, place.api_key(&["menu:read"]).await);
    let (terrace, _) = (one(&place, "Terasz").await, one(&place, "Kazán").await);
    assert_eq!(terrace["is_public"], false);
    let list = async |known: &str| key.get("/public/images").header("if-none-match", known).send().await;
    let empty = list("x").await.assert(200);
    assert_eq!(empty.json(), json!([]));

    let path = format!("/images/{}", terrace["id"].as_str().unwrap());
    let mark = async |value: &str| {
        let body = form(&[("is_public", value)], None);
        admin.put(&path).header(FORM.0, FORM.1).raw(body).send().await
    };
    mark("perhaps").await.assert_keys(&["is_public"]);
    let marked = mark("true").await.assert(200).json();
    assert_eq!((&marked["is_public"], &marked["name"]), (&json!(true), &terrace["name"]));
    let listed = list(empty.header("etag").unwrap()).await.assert(200);
    let expected = json!([{"id": terrace["id"], "name": "Terasz", "image": terrace["image"],
        "width": 1200, "height": 800}]);
    assert_eq!(listed.json(), expected);
    let etag = listed.header("etag").unwrap().to_owned();
    let same = list(&etag).await.assert(304);
    assert!(same.text().is_empty() && same.header("etag") == Some(etag.as_str()));
    // Another picture has other addresses; a renaming leaves the mark as it is.
    let body = form(&[("name", "Kerthelyiség")], Some(("image", "kép.png", &picture(300, 200, [0, 90, 0]))));
    let replaced = admin.put(&path).header(FORM.0, FORM.1).raw(body).send().await.assert(200).json();
    let listed = list(&etag).await.assert(200).json();
    assert_eq!((&listed[0]["image"], &listed[0]["name"]), (&replaced["image"], &json!("Kerthelyiség")));
    mark("false").await.assert(200);
    assert_eq!(list("x").await.assert(200).json(), json!([]));

    let other = kit().await.stranger().await;
    mark("true").await.assert(200);
    let foreign = other.api_key(&["menu:read"]).await;
    assert_eq!(foreign.get("/public/images").send().await.assert(200).json(), json!([]));
    let orders = place.api_key(&["orders:read"]).await;
    orders.get("/public/images").send().await.assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn faulty_uploads_say_what_is_wrong_and_leave_nothing() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let post = |body: Vec<u8>| admin.post("/images").header(FORM.0, FORM.1).raw(body).send();
    post(form(&[], None)).await.assert_keys(&["name", "image"]);
    post(form(&[("name", " ")], Some(("image", "a", &picture(8, 8, [0; 3]))))).await.assert_keys(&["name"]);
    post(form(&[("name", &"x".repeat(201))], None)).await.assert_keys(&["name", "image"]);
    admin
        .post("/images")
        .json(json!({"name": "x"}))
        .send()
        .await
        .assert_problem(415, "MEDIA_TYPE_NOT_SUPPORTED");
    post(b"--other\r\n".to_vec()).await.assert_problem(400, "BAD_REQUEST");
    let svg = br#"<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>"#;
    upload(&admin, "/images", "svg", svg).await.assert_problem(415, "MEDIA_TYPE_NOT_SUPPORTED");
    let half = picture(200, 200, [9, 9, 9]);
    upload(&admin, "/images", "fél", &half[..60]).await.assert_problem(422, "IMAGE_INVALID");
    let zip = [&half[..], b"PK\x05\x06", &[0; 18]].concat();
    upload(&admin, "/images", "zip", &zip).await.assert_problem(422, "IMAGE_INVALID");
    // Behind the end of a picture anything may stand, so that it gets as large as is wanted.
    let of_size = |bytes: usize| [picture(8, 8, [1; 3]), vec![7; bytes]].concat();
    upload(&admin, "/images", "nagy", &of_size(10_000_001)).await.assert_problem(413, "TOO_LARGE");
    upload(&admin, "/images?catalogue=true", "nagy", &of_size(10_000_001)).await.assert(201);
    upload(&admin, "/images?catalogue=true", "nagy", &of_size(15_000_001))
        .await
        .assert_problem(413, "TOO_LARGE");
    upload(&admin, "/images", "nagy", &of_size(20_000_000)).await.assert_problem(413, "TOO_LARGE");
    assert_eq!(place.count("media").await, 1);
}

#[testkit::test]
async fn the_same_key_keeps_one_picture() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let body = form(&[("name", "Egyszer")], Some(("image", "a.png", &picture(40, 30, [1, 2, 3]))));
    let post = |body: &[u8]| admin.post("/images").header(FORM.0, FORM.1).key("one-picture").raw(body).send();
    let (first, second) = (post(&body).await.assert(201).json(), post(&body).await.assert(201).json());
    assert_eq!(first, second);
    assert_eq!(place.count("media").await, 1);
    let other = form(&[("name", "Egyszer")], Some(("image", "a.png", &picture(40, 30, [9, 2, 3]))));
    post(&other).await.assert_problem(409, "IDEMPOTENCY_KEY_REUSED");
}

/// Waits until the object is removed; another process may run the job.
async fn swept(place: &Place<'_>, address: &str) {
    for _ in 0..1_200 {
        place.kit.run_jobs().await;
        if fetch(address).await.0 == 404 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("{address} is still there");
}

#[testkit::test]
async fn a_picture_is_renamed_and_replaced() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let made = one(&place, "Régi").await;
    let path = format!("/images/{}", made["id"].as_str().unwrap());
    let put = |body: Vec<u8>| admin.put(&path).header(FORM.0, FORM.1).raw(body).send();
    let renamed = put(form(&[("name", "Új"), ("version", "1")], None)).await.assert(200).json();
    assert_eq!(
        (&renamed["name"], &renamed["version"], &renamed["image"]),
        (&json!("Új"), &json!(2), &made["image"])
    );
    put(form(&[("name", "Másik"), ("version", "1")], None)).await.assert_problem(409, "CONFLICT");
    put(form(&[("name", "")], None)).await.assert_keys(&["name"]);
    let replaced =
        put(form(&[], Some(("image", "b.png", &picture(50, 60, [0, 200, 0]))))).await.assert(200).json();
    assert_eq!((&replaced["name"], &replaced["width"]), (&json!("Új"), &json!(50)));
    assert_ne!(
        replaced["image"], made["image"],
        "addresses are kept for ever, so another picture has others"
    );
    assert_eq!(fetch(replaced["image"]["small"].as_str().unwrap()).await.0, 200);
    swept(&place, made["image"]["small"].as_str().unwrap()).await;
    assert_eq!(fetch(replaced["image"]["small"].as_str().unwrap()).await.0, 200);
}

#[testkit::test]
async fn a_picture_that_is_removed_goes_from_the_store() {
    let place = kit().await.restaurant().await;
    let made = one(&place, "Megy").await;
    let path = format!("/images/{}", made["id"].as_str().unwrap());
    let admin = place.admin().await;
    admin.delete(&path).send().await.assert(204);
    admin.delete(&path).send().await.assert_problem(404, "IMAGE_NOT_EXIST");
    for size in ["original", "medium", "small"] {
        swept(&place, made["image"][size].as_str().unwrap()).await;
    }
}

#[testkit::test]
async fn without_the_store_an_upload_fails_cleanly_and_the_rest_works() {
    let place = kit().await.restaurant().await;
    let made = one(&place, "Van").await;
    let mut settings = place.kit.app.settings.clone();
    settings.objects =
        object_storage::Settings { endpoint: "http://127.0.0.1:9".parse().unwrap(), ..settings.objects };
    let service = place.kit.instance(settings, Outgoing::new(true)).await;
    let admin = place.admin().await.at(&service);
    let answer = upload(&admin, "/images", "Nincs", &picture(20, 20, [1; 3]))
        .await
        .assert_problem(503, "STORAGE_UNAVAILABLE");
    assert_eq!(answer.header("retry-after"), Some("30"));
    assert_eq!(place.count("media").await, 1, "nothing half");
    assert_eq!(admin.get("/images").send().await.assert(200).json().as_array().unwrap().len(), 1);
    // Objects of an interrupted upload are removed after an hour.
    let sql = "select count(*) n from control.job where kind = 'media_sweep' and partner_id = $1 and state = \
        'waiting' and run_at > now() + interval '50 minutes'";
    let waiting: i64 = place.kit.row(sql, vec![place.partner.into()]).await.try_get("", "n").unwrap();
    assert!(waiting >= 2, "each upload ordered its own sweeping");
    assert_eq!(fetch(made["image"]["small"].as_str().unwrap()).await.0, 200);
}

#[testkit::test]
async fn a_picture_that_is_shown_stays_and_stands_in_the_menu() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let made = one(&place, "Pizza").await;
    let id = &made["id"];
    let path = format!("/images/{}", id.as_str().unwrap());
    let category = admin
        .post("/product-categories")
        .json(json!({"name": "Pizzák", "image_web_id": id}))
        .send()
        .await
        .assert(201)
        .json();
    assert_eq!(category["image_web"], made["image"]);
    let products = format!("/product-categories/{}/products", category["id"].as_str().unwrap());
    let product = admin
        .post(&products)
        .json(json!({"name": "Sonkás", "base_price": 2990, "image_id": id}))
        .send()
        .await
        .assert(201)
        .json();
    assert_eq!((&product["image_id"], &product["image"]), (id, &made["image"]));
    let listed = admin.get("/product-categories?all_products=true").send().await.json();
    assert_eq!(listed[0]["products"][0]["image"], made["image"]);

    let used = admin.get(&path).send().await.json()["used_by"].clone();
    let names: Vec<_> = used
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["resource"].as_str().unwrap(), one["name"].as_str().unwrap()))
        .collect();
    assert_eq!(names, [("product_categories", "Pizzák"), ("products", "Sonkás")]);
    admin.delete(&path).send().await.assert_problem(409, "IN_USE");
    assert!(admin.get("/images?unused=true").send().await.json().as_array().unwrap().is_empty());

    let guest = place.api_key(&["menu:read"]).await;
    let menu = guest.get("/public/menu").send().await.assert(200).json();
    assert_eq!(menu["categories"][0]["image_web"], made["image"]);
    assert_eq!(menu["categories"][0]["image_app"], Value::Null);
    assert_eq!(menu["categories"][0]["products"][0]["image"], made["image"]);
    // Another picture in its place has another address, which the menu names at once.
    let other = admin
        .put(&path)
        .header(FORM.0, FORM.1)
        .raw(form(&[], Some(("image", "b.png", &picture(50, 60, [0, 200, 0])))))
        .send()
        .await;
    let other = other.assert(200).json()["image"].clone();
    assert_eq!(guest.get("/public/menu").send().await.json()["categories"][0]["products"][0]["image"], other);

    // A picture of another restaurant, or a removed one, cannot be used.
    let foreign = one(&kit().await.stranger().await, "Idegen").await["id"].clone();
    admin
        .post(&products)
        .json(json!({"name": "Más", "base_price": 1, "image_id": foreign}))
        .send()
        .await
        .assert_keys(&["image_id"]);
    let category_path = format!("/product-categories/{}", category["id"].as_str().unwrap());
    admin
        .put(&category_path)
        .json(json!({"image_app_id": foreign, "image_desc_id": foreign}))
        .send()
        .await
        .assert_keys(&["image_app_id", "image_desc_id"]);

    let product_path = format!("{products}/{}", product["id"].as_str().unwrap());
    let cleared = admin.put(&product_path).json(json!({"image_id": null})).send().await.assert(200).json();
    assert_eq!((&cleared["image_id"], &cleared["image"]), (&Value::Null, &Value::Null));
    admin.put(&category_path).json(json!({"image_web_id": null})).send().await.assert(200);
    admin.delete(&path).send().await.assert(204);
    admin.put(&product_path).json(json!({"image_id": id})).send().await.assert_keys(&["image_id"]);
}

#[testkit::test]
async fn a_guest_tv_and_its_display_answer_the_background_picture() {
    let place = kit().await.restaurant().await;
    let admin = place.admin().await;
    let made = one(&place, "Terasz").await;
    let image = format!("/images/{}", made["id"].as_str().unwrap());
    let tv = json!({"name": "Pult felett", "background_id": made["id"]});
    let tv = admin.post("/restaurant-tvs").json(tv).key("tv").send().await.assert(201).json();
    assert_eq!((&tv["background_id"], &tv["background"]), (&made["id"], &made["image"]));
    let path = format!("/restaurant-tvs/{}", tv["id"].as_str().unwrap());
    assert_eq!(admin.get(&path).send().await.json()["background"], made["image"]);
    assert_eq!(admin.get("/restaurant-tvs").send().await.json()[0]["background"], made["image"]);
    let display = place.nobody().bearer(tv["api_key"].as_str().unwrap());
    let shown =
        async || display.get("/api/v3/device/board").send().await.assert(200).json()["background"].clone();
    assert_eq!(shown().await, made["image"]);
    assert_eq!(
        fetch(made["image"]["original"].as_str().unwrap()).await.0,
        200,
        "open to the display, which signs in nowhere"
    );

    // The answer says where it is shown, and it cannot be removed meanwhile.
    let used = admin.get(&image).send().await.json()["used_by"].clone();
    assert_eq!(
        (&used[0]["resource"], &used[0]["id"], &used[0]["name"]),
        (&json!("restaurant_tvs"), &tv["id"], &json!("Pult felett"))
    );
    admin.delete(&image).send().await.assert_problem(409, "IN_USE");
    let other = admin
        .put(&image)
        .header(FORM.0, FORM.1)
        .raw(form(&[], Some(("image", "b.png", &picture(50, 60, [0, 200, 0])))))
        .send()
        .await;
    let other = other.assert(200).json()["image"].clone();
    assert_eq!(shown().await, other);
    assert_eq!(
        admin.put(&path).json(json!({"name": "Bejárat"})).send().await.assert(200).json()["background"],
        other
    );

    let foreign = one(&kit().await.stranger().await, "Idegen").await["id"].clone();
    admin
        .post("/restaurant-tvs")
        .json(json!({"name": "Más", "background_id": foreign}))
        .send()
        .await
        .assert_keys(&["background_id"]);
    admin.put(&path).json(json!({"background_id": foreign})).send().await.assert_keys(&["background_id"]);

    // Taken away, nothing holds it any more; a TV that is archived holds none either.
    let second = admin
        .post("/restaurant-tvs")
        .json(json!({"name": "Más", "background_id": made["id"]}))
        .send()
        .await
        .assert(201)
        .json();
    let cleared = admin.put(&path).json(json!({"background_id": null})).send().await.assert(200).json();
    assert_eq!(
        (&cleared["background_id"], &cleared["background"], shown().await),
        (&Value::Null, &Value::Null, Value::Null)
    );
    admin.delete(&image).send().await.assert_problem(409, "IN_USE");
    admin.delete(&format!("/restaurant-tvs/{}", second["id"].as_str().unwrap())).send().await.assert(204);
    admin.delete(&image).send().await.assert(204);
    admin.put(&path).json(json!({"background_id": made["id"]})).send().await.assert_keys(&["background_id"]);
}

#[testkit::test]
async fn a_partner_that_is_removed_takes_its_pictures_along() {
    let place = kit().await.partner().await;
    let made = one(&place, "Utolsó").await;
    let sql =
        "update control.partner set status = 'deleting', delete_at = now() - interval '1 hour' where id = $1";
    place.kit.run(sql, vec![place.partner.into()]).await;
    let sql = "insert into control.job (partner_id, kind, args) values ($1, 'partner_purge', '{}')";
    place.kit.run(sql, vec![place.partner.into()]).await;
    place.kit.run_owner_jobs().await;
    for size in ["original", "medium", "small"] {
        assert_eq!(fetch(made["image"][size].as_str().unwrap()).await.0, 404);
    }
    assert!(
        place
            .kit
            .texts(&format!("select 1::text from control.partner where id = '{}'", place.partner))
            .await
            .is_empty()
    );
}
