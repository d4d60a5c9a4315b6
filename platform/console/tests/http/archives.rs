//! Archives that are refused before anything is written.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use testkit::kit;
use uuid::Uuid;

use super::{
    becomes,
    exports::{export, manifest, objects, pack, put_back_whole, restore, sample_partner, unpack},
    objects::{folder, picture, stored, token},
    unique, work_off,
};

type Files = Vec<(String, Vec<u8>)>;
type Change<'a> = dyn Fn(&mut BTreeMap<String, Vec<u8>>, &mut Value) + 'a;

fn sum(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[testkit::test]
async fn faulty_archives_are_refused_before_anything_is_written() {
    let kit = kit().await;
    let place = sample_partner().await;
    let admin = place.super_admin().await;
    let good = export(&admin, &place.partner.to_string()).await;
    let files = unpack(&good);
    let name = format!("hibás {}", Uuid::now_v7().simple());
    let listed = || files.clone().into_iter().collect::<Vec<_>>();
    let with = |change: &dyn Fn(&mut Files)| {
        let mut all = listed();
        change(&mut all);
        pack(&all)
    };
    let with_manifest = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut manifest = manifest(&files);
        change(&mut manifest);
        let text = serde_json::to_vec(&manifest).unwrap();
        with(&|all| {
            all.iter_mut()
                .filter(|(name, _)| name == "manifest.json")
                .for_each(|(_, bytes)| *bytes = text.clone())
        })
    };
    let place_of = |path: &str| {
        manifest(&files)["files"].as_array().unwrap().iter().position(|file| file["path"] == path).unwrap()
    };
    let orders = place_of("tables/orders.copy");
    let cases: Vec<(&str, Vec<u8>, u16, &str)> = vec![
        ("nothing", vec![], 422, "ARCHIVE_INVALID"),
        ("no zip", b"PK\x03\x04 this is none".to_vec(), 422, "ARCHIVE_INVALID"),
        ("cut off", good[..good.len() / 2].to_vec(), 422, "ARCHIVE_INVALID"),
        ("no manifest", with(&|all| all.retain(|(name, _)| name != "manifest.json")), 422, "ARCHIVE_INVALID"),
        (
            "a table is missing",
            with(&|all| all.retain(|(name, _)| name != "tables/orders.copy")),
            422,
            "ARCHIVE_INVALID",
        ),
        ("another file", with(&|all| all.push(("tables/extra.copy".into(), vec![]))), 422, "ARCHIVE_INVALID"),
        (
            "a path above",
            with(&|all| all.push(("../../etc/cron.d/x".into(), b"x".to_vec()))),
            422,
            "ARCHIVE_INVALID",
        ),
        ("an absolute path", with(&|all| all.push(("/tmp/x".into(), b"x".to_vec()))), 422, "ARCHIVE_INVALID"),
        (
            "a changed row",
            with(&|all| {
                all.iter_mut()
                    .filter(|(name, _)| name == "tables/orders.copy")
                    .for_each(|(_, bytes)| bytes[0] ^= 1)
            }),
            422,
            "ARCHIVE_INVALID",
        ),
        (
            "a longer table",
            with(&|all| {
                all.iter_mut()
                    .filter(|(name, _)| name == "tables/orders.copy")
                    .for_each(|(_, bytes)| bytes.push(b'\n'))
            }),
            422,
            "ARCHIVE_INVALID",
        ),
        (
            "a foreign path in the manifest",
            with_manifest(&|m| m["files"][orders]["path"] = json!("../orders.copy")),
            422,
            "ARCHIVE_INVALID",
        ),
        (
            "no JSON",
            with(&|all| {
                all.iter_mut()
                    .filter(|(name, _)| name == "manifest.json")
                    .for_each(|(_, bytes)| bytes.truncate(20))
            }),
            422,
            "ARCHIVE_INVALID",
        ),
        (
            "another schema",
            with_manifest(&|m| m["schema_version"] = json!("m9999_future")),
            422,
            "ARCHIVE_VERSION",
        ),
        (
            "another form",
            with_manifest(&|m| m["format"] = json!(m["format"].as_i64().unwrap() + 1)),
            422,
            "ARCHIVE_VERSION",
        ),
        (
            "the form before pictures",
            with_manifest(&|m| *m = json!({"format": 1, "files": []})),
            422,
            "ARCHIVE_VERSION",
        ),
        (
            "far too large",
            with_manifest(&|m| m["files"][orders]["bytes"] = json!(u64::MAX / 2)),
            413,
            "TOO_LARGE",
        ),
        (
            "a bomb",
            with_manifest(&|m| m["files"][orders]["bytes"] = json!(5_000_000_000_u64)),
            413,
            "TOO_LARGE",
        ),
    ];
    for (what, archive, status, code) in &cases {
        let answer = restore(&admin, archive, &[("name", &name)]).await;
        assert_eq!(
            (answer.status, answer.json()["code"].as_str()),
            (*status, Some(*code)),
            "{what}: {}",
            answer.text()
        );
    }
    restore(&admin, &good, &[("name", &"x".repeat(201))]).await.assert_keys(&["name"]);
    assert!(
        restore(&admin, &good, &[("into", "elsewhere")]).await.assert(400).text().contains("BAD_REQUEST")
    );
    let written = kit.row("select count(*) n from control.partner where name = $1", vec![name.into()]).await;
    assert_eq!(written.try_get::<i64>("", "n").unwrap(), 0);
    // Other tests' archives lie there too: they may be gone when they are read, and are empty before they are
    // written.
    let kept = std::fs::read_dir(kit.app.settings.files.join("restores"))
        .unwrap()
        .filter_map(|file| std::fs::read(file.ok()?.path()).ok());
    for kept in kept.filter(|kept| !kept.is_empty()) {
        let refused = cases.iter().find(|(_, archive, ..)| *archive == kept);
        assert!(refused.is_none(), "kept: {}", refused.unwrap().0);
        assert!(kept != good, "kept: a good one that was asked for wrongly");
    }
}

#[testkit::test]
async fn an_archive_with_inconsistent_rows_leaves_nothing() {
    // Its checksums are right, its rows are not: the database refuses them, and the partner stays unmade,
    // with the reason.
    let place = sample_partner().await;
    let admin = place.super_admin().await;
    let whole = unpack(&export(&admin, &place.partner.to_string()).await);
    // A row that is none, and products whose categories are gone.
    for (path, rows) in [("tables/staff.copy", "not-a-uuid\tx\n"), ("tables/product_category.copy", "")] {
        let mut files = whole.clone();
        let mut manifest = manifest(&files);
        for file in manifest["files"].as_array_mut().unwrap().iter_mut().filter(|file| file["path"] == path) {
            (file["bytes"], file["rows"], file["sha256"]) =
                (json!(rows.len()), json!(rows.lines().count()), json!(sum(rows.as_bytes())));
        }
        files.insert(path.into(), rows.into()).unwrap();
        files.insert("manifest.json".into(), serde_json::to_vec(&manifest).unwrap());
        let archive = pack(&files.into_iter().collect::<Vec<_>>());
        let name = format!("hibás {}", Uuid::now_v7().simple());
        let made = restore(&admin, &archive, &[("name", &name)]).await.assert(201).json();
        work_off(made["id"].as_str().unwrap()).await;
        let partner = admin
            .get(&format!("{}/{}", super::PARTNERS, made["id"].as_str().unwrap()))
            .send()
            .await
            .assert(200)
            .json();
        assert_eq!(
            (&partner["status"], partner["error"].is_string(), partner["schema_version"].is_null()),
            (&json!("creating"), true, true),
            "{path}"
        );
        // Into its own partner: its people go on with what they had.
        put_back_whole(&admin, &archive, &place).await;
        place.admin().await.get("/couriers").send().await.assert(200);
    }
}

/// A tar of these, whatever their names and kinds.
fn bundle(objects: &[(&str, &[u8], tar::EntryType)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, object, kind) in objects {
        let mut header = tar::Header::new_ustar();
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(object.len() as u64);
        header.set_mode(0o644);
        header.set_entry_type(*kind);
        header.set_cksum();
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(object);
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

#[testkit::test]
async fn an_object_that_is_not_the_archives_is_refused_before_anything_is_written() {
    use tar::EntryType::{Directory, GNULongName, Link, Regular, Symlink, XHeader};
    let place = sample_partner().await;
    let admin = place.super_admin().await;
    let token = token(&picture(&place.admin().await, "Gulyás", [50, 60, 70]).await);
    let files = unpack(&export(&admin, &place.partner.to_string()).await);
    let all = objects(&files);
    let path = |size: &str| format!("{token}/{size}.webp");
    let [medium, original, small] = ["medium", "original", "small"].map(path);
    let webp = all[&small].clone();
    let with = |change: &Change| {
        let (mut files, mut listed) = (files.clone(), manifest(&files));
        change(&mut files, &mut listed);
        files.insert("manifest.json".into(), serde_json::to_vec(&listed).unwrap());
        pack(&files.into_iter().collect::<Vec<_>>())
    };
    // Other bytes in the place of the objects' file, with the sum that they have.
    let with_tar = |tar: Vec<u8>, count: usize, missing: Value| {
        with(&|files, listed| {
            let entry = listed["files"]
                .as_array_mut()
                .unwrap()
                .iter_mut()
                .find(|file| file["path"] == "objects.tar")
                .unwrap();
            (entry["bytes"], entry["rows"], entry["sha256"]) =
                (json!(tar.len()), json!(count), json!(sum(&tar)));
            listed["missing_objects"] = missing.clone();
            files.insert("objects.tar".into(), tar.clone());
        })
    };
    let three = [
        (medium.as_str(), &*all[&medium], Regular),
        (&original, &all[&original], Regular),
        (&small, &webp, Regular),
    ];
    assert_eq!(bundle(&three).len(), files["objects.tar"].len());
    let these =
        |objects: &[(&str, &[u8], tar::EntryType)]| with_tar(bundle(objects), objects.len(), json!([]));
    let more = |name: &str, bytes: &[u8], kind| these(&[&three[..], &[(name, bytes, kind)]].concat());
    let instead = |bytes: &[u8]| these(&[three[0], three[1], (&small, bytes, Regular)]);
    let foreign = "f123456789abcdef0123456789abcdef";
    let mut large = webp.clone();
    large.resize(10_000_001, 0);
    let hidden = [bundle(&three), bundle(&[(&format!("{foreign}/small.webp"), &webp, Regular)])].concat();
    let mut cut = bundle(&three);
    cut.truncate(700);
    let cases: Vec<(&str, Vec<u8>, u16, &str)> = vec![
        ("no objects at all", with(&|files, _| drop(files.remove("objects.tar"))), 422, "ARCHIVE_INVALID"),
        (
            "no objects, and none named",
            with(&|files, listed| {
                files.remove("objects.tar");
                listed["files"].as_array_mut().unwrap().retain(|file| file["path"] != "objects.tar");
            }),
            422,
            "ARCHIVE_INVALID",
        ),
        (
            "an object beside",
            with(&|files, _| drop(files.insert(format!("objects/{small}"), webp.clone()))),
            422,
            "ARCHIVE_INVALID",
        ),
        (
            "another partner's object",
            more(&format!("{foreign}/small.webp"), &webp, Regular),
            422,
            "ARCHIVE_INVALID",
        ),
        (
            "a path above",
            more(&format!("{token}/../{foreign}/small.webp"), &webp, Regular),
            422,
            "ARCHIVE_INVALID",
        ),
        ("a path above everything", more("../small.webp", &webp, Regular), 422, "ARCHIVE_INVALID"),
        ("another size", more(&path("zhuge"), &webp, Regular), 422, "ARCHIVE_INVALID"),
        ("no name", more("", &webp, Regular), 422, "ARCHIVE_INVALID"),
        ("a folder", more(&format!("{foreign}/small.webp"), b"", Directory), 422, "ARCHIVE_INVALID"),
        ("a link", these(&[three[0], three[1], (&small, b"", Symlink)]), 422, "ARCHIVE_INVALID"),
        ("another link", these(&[three[0], three[1], (&small, b"", Link)]), 422, "ARCHIVE_INVALID"),
        (
            "a longer name",
            these(&[three[0], three[1], (&small, &webp, GNULongName), three[2]]),
            422,
            "ARCHIVE_INVALID",
        ),
        (
            "an extension",
            these(&[three[0], three[1], ("x", b"12 path=x/y\n", XHeader), three[2]]),
            422,
            "ARCHIVE_INVALID",
        ),
        ("twice", these(&[three[0], three[1], three[2], three[2]]), 422, "ARCHIVE_INVALID"),
        ("in another order", these(&[three[1], three[0], three[2]]), 422, "ARCHIVE_INVALID"),
        (
            "changed",
            with(&|files, _| files.get_mut("objects.tar").unwrap()[530] ^= 1),
            422,
            "ARCHIVE_INVALID",
        ),
        (
            "longer than it says",
            with(&|files, _| files.get_mut("objects.tar").unwrap().push(0)),
            422,
            "ARCHIVE_INVALID",
        ),
        (
            "shorter than it says",
            with(&|files, _| files.get_mut("objects.tar").unwrap().truncate(1000)),
            422,
            "ARCHIVE_INVALID",
        ),
        ("cut off", with_tar(cut, 1, json!([original, small])), 422, "ARCHIVE_INVALID"),
        ("something behind the end", with_tar(hidden, 3, json!([])), 422, "ARCHIVE_INVALID"),
        ("fewer than it says", with_tar(bundle(&three), 4, json!([])), 422, "ARCHIVE_INVALID"),
        ("left out", these(&three[..2]), 422, "ARCHIVE_INVALID"),
        ("missing and there", with_tar(bundle(&three), 3, json!([small])), 422, "ARCHIVE_INVALID"),
        (
            "missing, and nobody's",
            with_tar(bundle(&three), 3, json!([format!("{foreign}/small.webp")])),
            422,
            "ARCHIVE_INVALID",
        ),
        ("a page", instead(b"<!doctype html><script>alert(1)</script>"), 422, "ARCHIVE_INVALID"),
        ("nothing", instead(b""), 422, "ARCHIVE_INVALID"),
        ("too large", instead(&large), 413, "TOO_LARGE"),
        (
            "far too large",
            with(&|_, listed| {
                let entry = listed["files"]
                    .as_array_mut()
                    .unwrap()
                    .iter_mut()
                    .find(|file| file["path"] == "objects.tar")
                    .unwrap();
                entry["bytes"] = json!(u64::MAX);
            }),
            413,
            "TOO_LARGE",
        ),
    ];
    let name = unique("hibás");
    for (what, archive, status, code) in &cases {
        for into in [("name", name.as_str()), ("into", "same")] {
            let answer = restore(&admin, archive, &[into]).await;
            assert_eq!(
                (answer.status, answer.json()["code"].as_str()),
                (*status, Some(*code)),
                "{what}: {}",
                answer.text()
            );
        }
    }
    let written = "select (select count(*) from control.partner where name = $1) + (select count(*) from \
        control.partner where id = $2 and status <> 'active') n";
    assert_eq!(
        place
            .kit
            .row(written, vec![name.into(), place.partner.into()])
            .await
            .try_get::<i64>("", "n")
            .unwrap(),
        0
    );
    assert_eq!(stored(place.partner), [token.clone()].into());
    // One that says of an object that it is missing is whole.
    let known = with_tar(bundle(&three[..2]), 2, json!([small]));
    let made = restore(&admin, &known, &[("name", &unique("Hiányos"))]).await.assert(201).json();
    work_off(made["id"].as_str().unwrap()).await;
    becomes(&admin, made["id"].as_str().unwrap(), "active").await;
    assert_eq!(std::fs::read_dir(folder(made["id"].as_str().unwrap()).join(&token)).unwrap().count(), 2);
}

/// The restaurants are the same, only that their menus count on from a later version.
pub fn assert_later_menus(manifest: &Value, old: &str, new: &str) {
    let files = manifest["files"].as_array().unwrap();
    let columns = &files.iter().find(|one| one["path"] == "tables/restaurant.copy").unwrap()["columns"];
    let version = columns.as_array().unwrap().iter().position(|one| one == "catalogue_version").unwrap();
    assert_eq!(old.lines().count(), new.lines().count());
    for (old, new) in old.lines().zip(new.lines()) {
        let (mut old, mut new): (Vec<_>, Vec<_>) = (old.split('\t').collect(), new.split('\t').collect());
        let (before, after) = (old.remove(version), new.remove(version));
        assert_eq!(old, new);
        assert!(before.parse::<i64>().unwrap() < after.parse().unwrap(), "{before} {after}");
    }
}
