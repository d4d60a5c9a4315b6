//! Pictures move with their partner: into archives, out of them, into clones.

use std::{collections::BTreeSet, path::PathBuf};

use serde_json::{Value, json};
use testkit::{Client, Kit, kit};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::Duration,
};
use url::Url;

use super::{
    PARTNERS, becomes,
    exports::{export, manifest, objects, put_back_whole, restore, sample_partner, unpack},
    unique, work_off,
};

fn gif(colour: [u8; 3]) -> Vec<u8> {
    [
        b"GIF89a\x01\0\x01\0\x80\0\0".as_slice(),
        &colour,
        b"\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;",
    ]
    .concat()
}

pub(crate) async fn picture(admin: &Client<'_>, name: &str, colour: [u8; 3]) -> Value {
    picture_at(admin, "/images", name, colour).await
}

pub(crate) async fn picture_at(admin: &Client<'_>, path: &str, name: &str, colour: [u8; 3]) -> Value {
    let mut body = format!(
        "--bild\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\n{name}\r\n--bild\r\n\
         Content-Disposition: form-data; name=\"image\"; filename=\"a.gif\"\r\nContent-Type: \
         image/gif\r\n\r\n"
    )
    .into_bytes();
    body.extend(gif(colour));
    body.extend(b"\r\n--bild--\r\n");
    admin
        .post(path)
        .header("content-type", "multipart/form-data; boundary=bild")
        .raw(body)
        .send()
        .await
        .assert(201)
        .json()
}

/// What a browser gets at this address: status and body; the head is checked to say what it is.
pub(crate) async fn fetch(address: &Value) -> (u16, Vec<u8>) {
    let url: Url = address.as_str().unwrap().parse().unwrap();
    let mut stream = TcpStream::connect((url.host_str().unwrap(), url.port().unwrap())).await.unwrap();
    let request = format!(
        "GET {} HTTP/1.1\r\nHost: {}:{}\r\nConnection: close\r\n\r\n",
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
    assert!(
        status != 200 || head.contains("content-type: image/webp") && head.contains("immutable"),
        "{head}"
    );
    (status, answer[end + 4..].to_vec())
}

/// Where the tests' store keeps what this partner has.
pub(crate) fn folder(partner: impl std::fmt::Display) -> PathBuf {
    std::env::temp_dir()
        .join(format!("pult-test-objects-{:016x}/pult/public/{partner}", migrations::fingerprint()))
}

/// The tokens of the objects that are in the store.
pub(crate) fn stored(partner: impl std::fmt::Display) -> BTreeSet<String> {
    let tokens = std::fs::read_dir(folder(partner)).into_iter().flatten().map(|token| token.unwrap());
    let full = tokens.filter(|token| std::fs::read_dir(token.path()).unwrap().count() > 0);
    full.map(|token| token.file_name().into_string().unwrap()).collect()
}

/// The unguessable part of a picture's addresses.
pub(crate) fn token(picture: &Value) -> String {
    picture["image"]["small"].as_str().unwrap().rsplit('/').nth(1).unwrap().to_owned()
}

async fn sizes(picture: &Value) -> Vec<(u16, Vec<u8>)> {
    futures_util::future::join_all(["small", "medium", "original"].map(|size| fetch(&picture["image"][size])))
        .await
}

/// Sweeps that are to come are due now.
pub(crate) async fn sweep(kit: &Kit, partner: impl std::fmt::Display) {
    let id: uuid::Uuid = partner.to_string().parse().unwrap();
    let left = "select count(*) n from control.job where partner_id = $1 and kind = 'media_sweep'";
    for _ in 0..400 {
        kit.run(
            "update control.job set run_at = now() where partner_id = $1 and kind = 'media_sweep' and \
            state = 'waiting'",
            vec![id.into()],
        )
        .await;
        kit.run_jobs().await;
        if kit.row(left, vec![id.into()]).await.try_get::<i64>("", "n").unwrap() == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the store of {id} is not swept");
}

#[testkit::test]
async fn pictures_travel_into_another_partner_and_are_served_there() {
    let place = sample_partner().await;
    let (admin, staff) = (place.super_admin().await, place.admin().await);
    let shown = picture(&staff, "Gulyás", [200, 30, 30]).await;
    picture(&staff, "Halászlé", [30, 30, 200]).await;
    let products = staff.get("/public/menu").send().await.assert(200).json();
    let (category, product) = (&products["categories"][0], &products["categories"][0]["products"][0]);
    let at = format!(
        "/product-categories/{}/products/{}",
        category["id"].as_str().unwrap(),
        product["id"].as_str().unwrap()
    );
    staff.put(&at).json(json!({"image_id": shown["id"]})).send().await.assert(200);
    let tv =
        staff.post("/restaurant-tvs").json(json!({"name": "Pult felett"})).send().await.assert(201).json();
    staff
        .put(&format!("/restaurant-tvs/{}", tv["id"].as_str().unwrap()))
        .json(json!({"background_id": shown["id"]}))
        .send()
        .await
        .assert(200);
    // A row whose objects the store has lost, and a row with an object that is no picture.
    let (lost, spoilt) =
        (picture(&staff, "Elveszett", [1, 2, 3]).await, picture(&staff, "Rossz", [3, 2, 1]).await);
    std::fs::remove_dir_all(folder(place.partner).join(token(&lost))).unwrap();
    std::fs::write(
        folder(place.partner).join(token(&spoilt)).join("small.webp"),
        "<script>alert(1)</script>",
    )
    .unwrap();

    let archive = export(&admin, &place.partner.to_string()).await;
    let first = unpack(&archive);
    let listed = manifest(&first);
    assert_eq!(objects(&first).len(), 3 + 3 + 2);
    let mut missing: Vec<String> =
        ["medium", "original", "small"].map(|size| format!("{}/{size}.webp", token(&lost))).into();
    missing.push(format!("{}/small.webp", token(&spoilt)));
    missing.sort();
    assert_eq!(listed["missing_objects"], json!(missing), "what is not there is named");
    for file in listed["files"].as_array().unwrap() {
        use sha2::Digest;
        let bytes = &first[file["path"].as_str().unwrap()];
        let hash: String = sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!((&file["bytes"], &file["sha256"]), (&json!(bytes.len()), &json!(hash)));
    }
    let files = listed["files"].as_array().unwrap().iter();
    assert_eq!(
        files.filter(|file| file["path"] == "objects.tar").map(|file| &file["rows"]).collect::<Vec<_>>(),
        [8]
    );

    let made = restore(&admin, &archive, &[("name", &unique("Képes"))]).await.assert(201).json();
    let id = made["id"].as_str().unwrap().to_owned();
    assert_ne!(id, place.partner.to_string());
    work_off(&id).await;
    becomes(&admin, &id, "active").await;
    let second = unpack(&export(&admin, &id).await);
    assert!(first["objects.tar"] == second["objects.tar"]);
    assert_eq!(listed["missing_objects"], manifest(&second)["missing_objects"]);

    // The menu, the screen on the wall and the media storage of the new partner show its own addresses.
    let origin = manifest(&second)["origin"]["ids"].clone();
    let restaurant = origin[place.restaurant.to_string()].as_str().unwrap();
    admin
        .post(&format!("{PARTNERS}/{id}/access"))
        .json(json!({"reason": "nézzük meg", "writable": false}))
        .send()
        .await
        .assert(201);
    let there = |path: &str| format!("/api/v3/admin/partners/{id}/restaurants/{restaurant}{path}");
    let image = admin
        .get(&there(&format!("/images/{}", shown["id"].as_str().unwrap())))
        .send()
        .await
        .assert(200)
        .json();
    assert!(image["image"]["small"].as_str().unwrap().contains(&format!("/public/{id}/")), "{image}");
    assert_eq!(sizes(&image).await, sizes(&shown).await);
    assert_eq!(fetch(&image["image"]["original"]).await.0, 200);
    let used = image["used_by"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["resource"].as_str().unwrap())
        .collect::<Vec<_>>();
    assert_eq!(used, ["products", "restaurant_tvs"]);
    let menu = admin
        .get(&format!("/api/v3/partners/{id}/restaurants/{restaurant}/menu"))
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!(menu["categories"][0]["products"][0]["image"], image["image"]);
    let tv = admin
        .get(&there(&format!("/restaurant-tvs/{}", tv["id"].as_str().unwrap())))
        .send()
        .await
        .assert(200)
        .json();
    assert_eq!(tv["background"], image["image"]);

    // Each has its own objects: what the one removes, the other keeps.
    staff.put(&at).json(json!({"image_id": null})).send().await.assert(200);
    staff
        .put(&format!("/restaurant-tvs/{}", tv["id"].as_str().unwrap()))
        .json(json!({"background_id": null}))
        .send()
        .await
        .assert(200);
    staff.delete(&format!("/images/{}", shown["id"].as_str().unwrap())).send().await.assert(204);
    sweep(place.kit, place.partner).await;
    assert_eq!(
        (fetch(&shown["image"]["small"]).await.0, fetch(&image["image"]["small"]).await.0),
        (404, 200)
    );
}

#[testkit::test]
async fn a_partner_that_goes_back_has_the_pictures_of_then_and_no_others() {
    let kit = kit().await;
    let place = sample_partner().await;
    let (admin, staff) = (place.super_admin().await, place.admin().await);
    let kept = picture(&staff, "Marad", [10, 200, 10]).await;
    let removed = picture(&staff, "Törölt", [200, 10, 10]).await;
    let (kept_sizes, removed_sizes) = (sizes(&kept).await, sizes(&removed).await);
    let archive = export(&admin, &place.partner.to_string()).await;
    staff.delete(&format!("/images/{}", removed["id"].as_str().unwrap())).send().await.assert(204);
    sweep(kit, place.partner).await;
    let later = picture(&staff, "Későbbi", [10, 10, 200]).await;
    assert_eq!(stored(place.partner), [token(&kept), token(&later)].into());

    put_back_whole(&admin, &archive, &place).await;
    assert_eq!((sizes(&kept).await, sizes(&removed).await), (kept_sizes, removed_sizes));
    sweep(kit, place.partner).await;
    assert_eq!(stored(place.partner), [token(&kept), token(&removed)].into());
    assert_eq!(fetch(&removed["image"]["original"]).await.0, 200);
}

#[testkit::test]
async fn a_clone_has_pictures_of_its_own() {
    let place = sample_partner().await;
    let admin = place.super_admin().await;
    let original = picture(&place.admin().await, "Gulyás", [100, 100, 10]).await;
    let at = format!("{PARTNERS}/{}", place.partner);
    let made = admin
        .post(&format!("{at}/clone"))
        .json(json!({"name": unique("Homokozó")}))
        .send()
        .await
        .assert(201)
        .json();
    let id = made["id"].as_str().unwrap();
    work_off(id).await;
    becomes(&admin, id, "active").await;
    assert_eq!(stored(id), [token(&original)].into());
    let address = original["image"]["medium"].as_str().unwrap().replace(&place.partner.to_string(), id);
    assert_eq!(fetch(&json!(address)).await, fetch(&original["image"]["medium"]).await);
}
