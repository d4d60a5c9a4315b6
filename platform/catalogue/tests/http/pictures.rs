//! Pictures that are sent with categories and products in one form.

use serde_json::{Value, json};
use testkit::{Answer, Client, kit};

fn pixel() -> Vec<u8> {
    const PNG: &str = "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8dfe00000044101c00cd1ed910000000049454e44ae426082";
    (0..PNG.len()).step_by(2).map(|at| u8::from_str_radix(&PNG[at..at + 2], 16).unwrap()).collect()
}

async fn send(
    client: &Client<'_>, method: &str, path: &str, texts: &[(&str, &str)], files: &[(&str, &[u8])],
) -> Answer {
    let mut body = Vec::new();
    for (name, text) in texts {
        body.extend(
            format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n").bytes(),
        );
    }
    for (name, bytes) in files {
        body.extend(
            format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"../a.png\"\r\n\r\n")
                .bytes(),
        );
        body.extend(*bytes);
        body.extend(b"\r\n");
    }
    body.extend(b"--b--\r\n");
    client
        .call(method.parse().unwrap(), path)
        .header("content-type", "multipart/form-data; boundary=b")
        .raw(body)
        .send()
        .await
}

async fn images(client: &Client<'_>) -> Vec<Value> {
    client.get("/images").send().await.assert(200).json().as_array().unwrap().clone()
}

#[testkit::test]
async fn a_category_brings_its_pictures_along() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    // A name of digits is a name; what is no text is written as JSON.
    let texts = [("name", "12"), ("active", "false"), ("time_ranges", "[]")];
    let made = send(
        &client,
        "POST",
        "/product-categories",
        &texts,
        &[("image_web", &pixel()), ("image_app", &pixel())],
    )
    .await
    .assert(201)
    .json();
    assert_eq!(
        (&made["name"], &made["active"], &made["image_desc"]),
        (&json!("12"), &json!(false), &Value::Null)
    );
    assert!(made["image_web"]["small"].as_str().unwrap().ends_with("/small.webp"), "{made}");
    assert_ne!(made["image_web_id"], made["image_app_id"]);
    let kept = images(&client).await;
    assert_eq!(kept.len(), 2);
    assert!(
        kept.iter().all(|image| image["name"] == "12" && image["used_by"][0]["id"] == made["id"]),
        "{kept:?}"
    );
    // One is replaced, one is taken away, and the fields that are not sent stay.
    let path = format!("/product-categories/{}", made["id"].as_str().unwrap());
    let version = made["version"].to_string();
    let changed =
        send(&client, "PUT", &path, &[("version", &version), ("image_app", "")], &[("image_web", &pixel())])
            .await
            .assert(200)
            .json();
    assert_eq!(
        (&changed["name"], &changed["image_app_id"], &changed["image_app"]),
        (&json!("12"), &Value::Null, &Value::Null)
    );
    assert_ne!(changed["image_web_id"], made["image_web_id"]);
    let refused = send(&client, "PUT", &path, &[("version", &version)], &[("image_web", &pixel())]).await;
    refused.assert_problem(409, "CONFLICT");
    assert_eq!(images(&client).await.len(), 3, "what is refused leaves no picture");
    // As before: a picture that is there, by its id.
    let change = json!({"image_app_id": made["image_app_id"]});
    assert_eq!(
        client.put(&path).json(change).send().await.assert(200).json()["image_app_id"],
        made["image_app_id"]
    );
}

#[testkit::test]
async fn a_product_brings_its_picture_along() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    let category =
        client.post("/product-categories").json(json!({"name": "Levesek"})).send().await.assert(201).json();
    let path = format!("/product-categories/{}/products", category["id"].as_str().unwrap());
    let texts = [
        ("name", "Gulyásleves"),
        ("subproducts", r#"[{"name": "kicsi", "price": 990}, {"name": "nagy", "price": 1490}]"#),
    ];
    let made = send(&client, "POST", &path, &texts, &[("image", &pixel())]).await.assert(201).json();
    assert_eq!(
        (&made["subproducts"][1]["name"], &made["subproducts"][1]["price"]),
        (&json!("nagy"), &json!(1490))
    );
    assert!(made["image"]["original"].is_string(), "{made}");
    assert_eq!(images(&client).await[0]["name"], "Gulyásleves");
    let one = format!("{path}/{}", made["id"].as_str().unwrap());
    let changed =
        send(&client, "PUT", &one, &[("description", "")], &[("image", &pixel())]).await.assert(200).json();
    assert_ne!(changed["image_id"], made["image_id"]);
    assert_eq!(changed["subproducts"], made["subproducts"]);
    let changed = send(&client, "PUT", &one, &[("image", "null")], &[]).await.assert(200).json();
    assert_eq!((&changed["image_id"], &changed["name"]), (&Value::Null, &json!("Gulyásleves")));
    // A picture is a change like any other, for which one has to be allowed to edit.
    let switcher = place.with_keys(&["catalog_activate"]).await;
    send(&switcher, "PUT", &one, &[], &[("image", &pixel())])
        .await
        .assert_problem(403, "USER_PERMISSION_REQUIRED");
}

#[testkit::test]
async fn a_file_that_is_no_picture_is_refused_and_changes_nothing() {
    let place = kit().await.restaurant().await;
    let client = place.admin().await;
    let path = "/product-categories";
    let svg = &b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>"[..];
    send(&client, "POST", path, &[("name", "a")], &[("image_web", svg)])
        .await
        .assert_problem(415, "MEDIA_TYPE_NOT_SUPPORTED");
    let cut = &pixel()[..40];
    send(&client, "POST", path, &[("name", "a")], &[("image_web", cut)])
        .await
        .assert_problem(422, "IMAGE_INVALID");
    let large = vec![0; 15_000_001];
    send(&client, "POST", path, &[("name", "a")], &[("image_web", &large)])
        .await
        .assert_problem(413, "TOO_LARGE");
    send(&client, "POST", path, &[("parent_id", "x")], &[("image_web", &pixel())])
        .await
        .assert_keys(&["name", "parent_id"]);
    assert_eq!(client.get(path).send().await.assert(200).json(), json!([]));
    assert_eq!(images(&client).await, Vec::<Value>::new());
}
