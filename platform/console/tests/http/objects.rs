//! Pictures travel with their partner: into archives, out of them, into clones; and what an object store does that is down.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use access::{App, Settings};
use serde_json::{Value, json};
use testkit::{Client, Kit, Place, kit};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::Duration,
};
use url::Url;

use crate::{
    PARTNERS, becomes,
    exports::{export, export_at, furnished, manifest, restore, unpack},
    unique, work_off, work_off_at,
};

/// One pixel of this colour.
fn gif(colour: [u8; 3]) -> Vec<u8> {
    [b"GIF89a\x01\0\x01\0\x80\0\0".as_slice(), &colour, b"\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;"].concat()
}

/// Adds a picture to the restaurant.
pub(crate) async fn picture(admin: &Client<'_>, name: &str, colour: [u8; 3]) -> Value {
    picture_at(admin, "/images", name, colour).await
}

/// The same at this path.
pub(crate) async fn picture_at(admin: &Client<'_>, path: &str, name: &str, colour: [u8; 3]) -> Value {
    let mut body = format!(
        "--bild\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\n{name}\r\n--bild\r\n\
         Content-Disposition: form-data; name=\"image\"; filename=\"a.gif\"\r\nContent-Type: image/gif\r\n\r\n"
    )
    .into_bytes();
    body.extend(gif(colour));
    body.extend(b"\r\n--bild--\r\n");
    admin.post(path).header("content-type", "multipart/form-data; boundary=bild").raw(body).send().await.assert(201).json()
}

/// What a browser gets at this address: status and body; the head is checked to say what it is.
async fn fetch(address: &Value) -> (u16, Vec<u8>) {
    let url: Url = address.as_str().unwrap().parse().unwrap();
    let mut stream = TcpStream::connect((url.host_str().unwrap(), url.port().unwrap())).await.unwrap();
    let request = format!("GET {} HTTP/1.1\r\nHost: {}:{}\r\nConnection: close\r\n\r\n", url.path(), url.host_str().unwrap(), url.port().unwrap());
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    let head = String::from_utf8_lossy(&answer[..end]).to_lowercase();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    assert!(status != 200 || head.contains("content-type: image/webp") && head.contains("immutable"), "{head}");
    (status, answer[end + 4..].to_vec())
}

/// Where the tests' store keeps what this partner has.
pub(crate) fn folder(partner: impl std::fmt::Display) -> PathBuf {
    std::env::temp_dir().join(format!("pult-test-objects-{:016x}/pult/public/{partner}", migrations::fingerprint()))
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
    futures_util::future::join_all(["small", "medium", "original"].map(|size| fetch(&picture["image"][size]))).await
}

/// Sweeps that are to come are due now.
async fn sweep(kit: &Kit, partner: impl std::fmt::Display) {
    let id: uuid::Uuid = partner.to_string().parse().unwrap();
    let left = "select count(*) n from control.job where partner_id = $1 and kind = 'media_sweep'";
    for _ in 0..400 {
        kit.run("update control.job set run_at = now() where partner_id = $1 and kind = 'media_sweep' and state = 'waiting'", vec![id.into()]).await;
        kit.run_jobs().await;
        if kit.row(left, vec![id.into()]).await.try_get::<i64>("", "n").unwrap() == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the store of {id} is not swept");
}

fn objects(files: &BTreeMap<String, Vec<u8>>) -> BTreeMap<&String, &Vec<u8>> {
    files.iter().filter(|(name, _)| name.starts_with("objects/")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_travel_into_another_partner_and_are_served_there() {
    let place = furnished().await;
    let (admin, staff) = (place.super_admin().await, place.admin().await);
    let shown = picture(&staff, "Gulyás", [200, 30, 30]).await;
    picture(&staff, "Halászlé", [30, 30, 200]).await;
    let products = staff.get("/public/menu").send().await.assert(200).json();
    let (category, product) = (&products["categories"][0], &products["categories"][0]["products"][0]);
    let at = format!("/product-categories/{}/products/{}", category["id"].as_str().unwrap(), product["id"].as_str().unwrap());
    staff.put(&at).json(json!({"image_id": shown["id"]})).send().await.assert(200);
    let tv = staff.post("/restaurant-tvs").json(json!({"name": "Pult felett"})).send().await.assert(201).json();
    staff.put(&format!("/restaurant-tvs/{}", tv["id"].as_str().unwrap())).json(json!({"background_id": shown["id"]})).send().await.assert(200);
    // A row whose objects the store has lost, and one of whose objects is no picture.
    let (lost, spoilt) = (picture(&staff, "Elveszett", [1, 2, 3]).await, picture(&staff, "Rossz", [3, 2, 1]).await);
    std::fs::remove_dir_all(folder(place.partner).join(token(&lost))).unwrap();
    std::fs::write(folder(place.partner).join(token(&spoilt)).join("small.webp"), "<script>alert(1)</script>").unwrap();

    let archive = export(&admin, &place.partner.to_string()).await;
    let first = unpack(&archive);
    let listed = manifest(&first);
    assert_eq!(objects(&first).len(), 3 + 3 + 2);
    let mut missing: Vec<String> = ["medium", "original", "small"].map(|size| format!("{}/{size}.webp", token(&lost))).into();
    missing.push(format!("{}/small.webp", token(&spoilt)));
    missing.sort();
    assert_eq!(listed["missing_objects"], json!(missing), "what is not there is named");
    for object in listed["objects"].as_array().unwrap() {
        use sha2::Digest;
        let bytes = &first[object["path"].as_str().unwrap()];
        let hash: String = sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!((&object["bytes"], &object["sha256"]), (&json!(bytes.len()), &json!(hash)));
    }

    let made = restore(&admin, &archive, &[("name", &unique("Képes"))]).await.assert(201).json();
    let id = made["id"].as_str().unwrap().to_owned();
    assert_ne!(id, place.partner.to_string());
    work_off(&id).await;
    becomes(&admin, &id, "active").await;
    let second = unpack(&export(&admin, &id).await);
    assert_eq!(objects(&first), objects(&second));
    assert_eq!((&listed["objects"], &listed["missing_objects"]), (&manifest(&second)["objects"], &manifest(&second)["missing_objects"]));

    // The menu, the screen on the wall and the media storage of the new partner show its own addresses.
    let origin = manifest(&second)["origin"]["ids"].clone();
    let restaurant = origin[place.restaurant.to_string()].as_str().unwrap();
    admin.post(&format!("{PARTNERS}/{id}/access")).json(json!({"reason": "nézzük meg", "writable": false})).send().await.assert(201);
    let there = |path: &str| format!("/api/v3/admin/partners/{id}/restaurants/{restaurant}{path}");
    let image = admin.get(&there(&format!("/images/{}", shown["id"].as_str().unwrap()))).send().await.assert(200).json();
    assert!(image["image"]["small"].as_str().unwrap().contains(&format!("/public/{id}/")), "{image}");
    assert_eq!(sizes(&image).await, sizes(&shown).await);
    assert_eq!(fetch(&image["image"]["original"]).await.0, 200);
    let used = image["used_by"].as_array().unwrap().iter().map(|one| one["resource"].as_str().unwrap()).collect::<Vec<_>>();
    assert_eq!(used, ["products", "restaurant_tvs"]);
    let menu = admin.get(&format!("/api/v3/partners/{id}/restaurants/{restaurant}/menu")).send().await.assert(200).json();
    assert_eq!(menu["categories"][0]["products"][0]["image"], image["image"]);
    let tv = admin.get(&there(&format!("/restaurant-tvs/{}", tv["id"].as_str().unwrap()))).send().await.assert(200).json();
    assert_eq!(tv["background"], image["image"]);

    // Each has its own objects: what the one removes, the other keeps.
    staff.put(&at).json(json!({"image_id": null})).send().await.assert(200);
    staff.put(&format!("/restaurant-tvs/{}", tv["id"].as_str().unwrap())).json(json!({"background_id": null})).send().await.assert(200);
    staff.delete(&format!("/images/{}", shown["id"].as_str().unwrap())).send().await.assert(204);
    sweep(place.kit, place.partner).await;
    assert_eq!((fetch(&shown["image"]["small"]).await.0, fetch(&image["image"]["small"]).await.0), (404, 200));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_partner_that_goes_back_has_the_pictures_of_then_and_no_others() {
    let kit = kit().await;
    let place = furnished().await;
    let (admin, staff) = (place.super_admin().await, place.admin().await);
    let kept = picture(&staff, "Marad", [10, 200, 10]).await;
    let removed = picture(&staff, "Törölt", [200, 10, 10]).await;
    let (kept_sizes, removed_sizes) = (sizes(&kept).await, sizes(&removed).await);
    let archive = export(&admin, &place.partner.to_string()).await;
    staff.delete(&format!("/images/{}", removed["id"].as_str().unwrap())).send().await.assert(204);
    sweep(kit, place.partner).await;
    let later = picture(&staff, "Későbbi", [10, 10, 200]).await;
    assert_eq!(stored(place.partner), [token(&kept), token(&later)].into());

    let answer = restore(&admin, &archive, &[("into", "same")]);
    let (answer, ()) = tokio::join!(answer, async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        work_off(place.partner).await;
    });
    answer.assert(201);
    becomes(&admin, &place.partner.to_string(), "active").await;
    assert_eq!((sizes(&kept).await, sizes(&removed).await), (kept_sizes, removed_sizes));
    sweep(kit, place.partner).await;
    assert_eq!(stored(place.partner), [token(&kept), token(&removed)].into());
    assert_eq!(fetch(&removed["image"]["original"]).await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clone_has_pictures_of_its_own() {
    let place = furnished().await;
    let admin = place.super_admin().await;
    let original = picture(&place.admin().await, "Gulyás", [100, 100, 10]).await;
    let at = format!("{PARTNERS}/{}", place.partner);
    let made = admin.post(&format!("{at}/clone")).json(json!({"name": unique("Homokozó")})).send().await.assert(201).json();
    let id = made["id"].as_str().unwrap();
    work_off(id).await;
    becomes(&admin, id, "active").await;
    assert_eq!(stored(id), [token(&original)].into());
    let address = original["image"]["medium"].as_str().unwrap().replace(&place.partner.to_string(), id);
    assert_eq!(fetch(&json!(address)).await, fetch(&original["image"]["medium"]).await);
}

/// A store that can be made to go away: it takes this many further requests, then it closes every connection.
struct Gate {
    left: Arc<AtomicUsize>,
    settings: Settings,
}

impl Gate {
    async fn before(settings: &Settings) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut settings = settings.clone();
        let behind = settings.objects.endpoint.clone();
        settings.objects.endpoint = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
        let left = Arc::new(AtomicUsize::new(usize::MAX));
        let counter = left.clone();
        tokio::spawn(async move {
            loop {
                let (mut near, _) = listener.accept().await.unwrap();
                let (counter, behind) = (counter.clone(), behind.clone());
                tokio::spawn(async move {
                    let mut far = TcpStream::connect((behind.host_str().unwrap(), behind.port().unwrap())).await.unwrap();
                    let mut buffer = vec![0; 65_536];
                    let mut answer = vec![0; 65_536];
                    loop {
                        tokio::select! {
                            read = near.read(&mut buffer) => {
                                let read = read.unwrap_or(0);
                                let begins = [b"GET ".as_slice(), b"PUT "].iter().any(|verb| buffer[..read].starts_with(verb));
                                let open = counter.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| match left {
                                    usize::MAX => Some(left),
                                    _ if !begins && left > 0 => Some(left),
                                    _ => left.checked_sub(1),
                                });
                                if read == 0 || open.is_err() || far.write_all(&buffer[..read]).await.is_err() {
                                    return;
                                }
                            }
                            read = far.read(&mut answer) => match read {
                                Ok(read) if read > 0 && near.write_all(&answer[..read]).await.is_ok() => {}
                                _ => return,
                            },
                        }
                    }
                });
            }
        });
        Self { left, settings }
    }

    fn takes(&self, requests: usize) {
        self.left.store(requests, Ordering::SeqCst);
    }

    fn down(&self) {
        self.takes(0);
    }

    fn up(&self) {
        self.takes(usize::MAX);
    }
}

/// A job that waits for its next try is due now.
async fn try_again(kit: &Kit, place: &Place<'_>) {
    kit.run(
        "update control.job set run_at = now() where partner_id = $1 and kind like 'partner\\_%' and state = 'waiting' and last_error is not null",
        vec![place.partner.into()],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_is_down_is_waited_for_and_leaves_nothing_behind() {
    // An installation of one's own: nobody else takes these jobs.
    let mut other = kit().await.beside("objects").await;
    let gate = Gate::before(&other.app.settings).await;
    other.app = App::new(other.app.door.clone(), gate.settings.clone()).await.unwrap();
    let place = other.partner().await;
    let (admin, staff) = (place.super_admin().await, place.admin().await);
    let old = picture(&staff, "Régi", [7, 7, 7]).await;
    for number in 0..4 {
        picture(&staff, "Kép", [number, 90, 90]).await;
    }
    let at = format!("{PARTNERS}/{}", place.partner);
    let exports = async || admin.get(&format!("{at}/exports")).send().await.assert(200).json()[0].clone();

    // Exporting: the export and the job say why, and go on when it is back.
    gate.takes(4);
    admin.post(&format!("{at}/export")).send().await.assert(202);
    other.run_owner_jobs().await;
    let waiting = exports().await;
    assert_eq!(waiting["status"], "waiting", "{waiting}");
    let jobs = admin.get(&format!("/api/v3/super-admin/jobs?partner_id={}", place.partner)).send().await.assert(200).json();
    let job = jobs.as_array().unwrap().iter().find(|job| job["kind"] == "partner_export").unwrap();
    for why in [&waiting["error"], &job["last_error"]] {
        assert!(why.as_str().unwrap().contains("the object store"), "{why}");
    }
    assert!(admin.get(&at).send().await.assert(200).json()["error"].is_null(), "the partner itself is well");
    let files = other.app.settings.files.join("exports").join(place.partner.uuid().simple().to_string());
    assert_eq!(std::fs::read_dir(&files).unwrap().count(), 0, "no half of a file stays");
    try_again(&other, &place).await;
    other.run_owner_jobs().await;
    assert_eq!(exports().await["status"], "waiting");
    gate.up();
    try_again(&other, &place).await;
    other.run_owner_jobs().await;
    let done = exports().await;
    assert_eq!((&done["status"], &done["error"]), (&json!("ready"), &json!(null)));
    // Ten times in vain: it has failed, and another can be ordered.
    gate.down();
    admin.post(&format!("{at}/export")).send().await.assert(202);
    other.run("update control.job set attempts = 9 where partner_id = $1 and kind = 'partner_export'", vec![place.partner.into()]).await;
    other.run_owner_jobs().await;
    assert_eq!(exports().await["status"], "failed");
    gate.up();
    let archive = export_at(&other, &admin, &place.partner.to_string()).await;

    // Going back: the partner has what it had, and what was sent in vain is swept.
    let pictures = staff.get("/images").send().await.assert(200).json();
    for one in pictures.as_array().unwrap().iter().filter(|one| one["name"] == "Kép") {
        staff.delete(&format!("/images/{}", one["id"].as_str().unwrap())).send().await.assert(204);
    }
    sweep(&other, place.partner).await;
    assert_eq!(stored(place.partner), [token(&old)].into());
    gate.takes(6);
    restore(&admin, &archive, &[("into", "same")]).await.assert(201);
    other.run_owner_jobs().await;
    let partner = admin.get(&at).send().await.assert(200).json();
    assert_eq!(partner["status"], "active");
    assert!(partner["error"].as_str().unwrap().contains("the object store"), "{partner}");
    gate.up();
    assert!(stored(place.partner).len() > 1, "some had been sent");
    assert_eq!(staff.get("/images").send().await.assert(200).json().as_array().unwrap().len(), 1);
    sweep(&other, place.partner).await;
    assert_eq!(stored(place.partner), [token(&old)].into());
    assert_eq!(fetch(&old["image"]["small"]).await.0, 200);

    // Into a new partner: it is made when the store is back, whole.
    gate.takes(6);
    let made = restore(&admin, &archive, &[("name", &unique("Új"))]).await.assert(201).json();
    let id = made["id"].as_str().unwrap().to_owned();
    other.run_owner_jobs().await;
    let partner = admin.get(&format!("{PARTNERS}/{id}")).send().await.assert(200).json();
    assert_eq!(partner["status"], "creating");
    assert!(partner["error"].as_str().unwrap().contains("the object store"), "{partner}");
    gate.up();
    other.run("update control.job set run_at = now() where kind = 'partner_restore'", vec![]).await;
    work_off_at(&other, &id).await;
    assert!(becomes(&admin, &id, "active").await["error"].is_null());
    assert_eq!(stored(&id).len(), 5);
}

/// How much memory this process has at most had since it was last asked, in MB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok()).unwrap_or(0) / 1024
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement: cargo nextest run -p console --run-ignored only memory --no-capture"]
async fn memory_of_a_thousand_pictures() {
    let other = kit().await.beside("memory").await;
    let place = other.partner().await;
    let admin = place.super_admin().await;
    let sql = format!(
        "insert into {}.media (id, restaurant_id, name, token, hash, width, height, bytes) \
         select gen_random_uuid(), $1, 'Kép', md5(n::text), 'x', 1, 1, 1 from generate_series(1, 1000) n returning token",
        place.schema
    );
    other.run(&sql, vec![place.restaurant.into()]).await;
    let picture = [b"RIFF\0\0\0\0WEBP".as_slice(), &[7; 40_000]].concat();
    for token in other.texts(&format!("select token from {}.media", place.schema)).await {
        let folder = folder(place.partner).join(token);
        std::fs::create_dir_all(&folder).unwrap();
        for size in ["small", "medium", "original"] {
            std::fs::write(folder.join(format!("{size}.webp")), &picture).unwrap();
        }
    }
    admin.post(&format!("{PARTNERS}/{}/export", place.partner)).send().await.assert(202);
    peak();
    let (before, begun) = (peak(), std::time::Instant::now());
    other.run_owner_jobs().await;
    eprintln!("export: from {before} to {} MB in {:?}, the object store in the same process", peak(), begun.elapsed());
    let exports = admin.get(&format!("{PARTNERS}/{}/exports", place.partner)).send().await.assert(200).json();
    let id = exports[0]["id"].as_str().unwrap().replace('-', "");
    let files = &other.app.settings.files;
    let archive = files.join("exports").join(place.partner.uuid().simple().to_string()).join(format!("{id}.zip"));
    eprintln!("the archive has {} MB", archive.metadata().unwrap().len() / 1_000_000);
    let stored = uuid::Uuid::now_v7();
    std::fs::create_dir_all(files.join("restores")).unwrap();
    std::fs::copy(&archive, files.join("restores").join(format!("{}.zip", stored.simple()))).unwrap();
    let sql = "update control.partner set status = 'maintenance', status_before = 'active', plan = jsonb_build_object('restore', $2, 'same', true) where id = $1";
    other.run(sql, vec![place.partner.into(), stored.to_string().into()]).await;
    let sql = "insert into control.job (partner_id, kind, args) values ($1, 'partner_restore', jsonb_build_object('restore', $2))";
    other.run(sql, vec![place.partner.into(), stored.to_string().into()]).await;
    peak();
    let (before, begun) = (peak(), std::time::Instant::now());
    other.run_owner_jobs().await;
    eprintln!("restore: from {before} to {} MB in {:?}", peak(), begun.elapsed());
    assert_eq!(admin.get(&format!("{PARTNERS}/{}", place.partner)).send().await.assert(200).json()["error"], json!(null));
    std::fs::remove_dir_all(folder(place.partner)).unwrap();
}
