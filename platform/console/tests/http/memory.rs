//! How much memory archives with many pictures take: a measurement.

use std::{path::PathBuf, time::Instant};

use serde_json::json;
use testkit::{Kit, Place, kit};
use uuid::Uuid;

use super::{PARTNERS, objects::folder};

/// How much memory this process has at most had since it was last asked, in MB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// Gives the partner pictures until it has so many, each with three objects of 40 kB.
async fn furnish(other: &Kit, place: &Place<'_>, pictures: i32) {
    let sql = format!(
        "insert into {}.media (id, restaurant_id, name, token, hash, width, height, bytes) \
         select gen_random_uuid(), $1, 'Kép', md5(n::text), 'x', 1, 1, 1 from generate_series(1, $2) n \
         where not exists (select from {0}.media where token = md5(n::text))",
        place.schema
    );
    other.run(&sql, vec![place.restaurant.into(), pictures.into()]).await;
    let picture = [b"RIFF\0\0\0\0WEBP".as_slice(), &[7; 40_000]].concat();
    for token in other.texts(&format!("select token from {}.media", place.schema)).await {
        let folder = folder(place.partner).join(token);
        std::fs::create_dir_all(&folder).unwrap();
        for size in ["small", "medium", "original"] {
            std::fs::write(folder.join(format!("{size}.webp")), &picture).unwrap();
        }
    }
}

/// Exports the partner; the archive's place.
async fn export(other: &Kit, place: &Place<'_>) -> PathBuf {
    let admin = place.super_admin().await;
    let ordered = admin
        .post(&format!("{PARTNERS}/{}/export", place.partner))
        .json(json!({"reason": "a partner kérte"}))
        .send()
        .await
        .assert(202)
        .json();
    other.run_owner_jobs().await;
    let name = format!("{}.zip", ordered["id"].as_str().unwrap().replace('-', ""));
    other.app.settings.files.join("exports").join(place.partner.uuid().simple().to_string()).join(name)
}

/// Puts the partner back to its archive.
async fn restore(other: &Kit, place: &Place<'_>, archive: PathBuf) {
    let stored = Uuid::now_v7();
    let files = other.app.settings.files.join("restores");
    std::fs::create_dir_all(&files).unwrap();
    std::fs::rename(archive, files.join(format!("{}.zip", stored.simple()))).unwrap();
    let sql = "update control.partner set status = 'maintenance', status_before = 'active', plan = \
        jsonb_build_object('restore', $2, 'same', true) where id = $1";
    other.run(sql, vec![place.partner.into(), stored.to_string().into()]).await;
    let sql = "insert into control.job (partner_id, kind, args) values ($1, 'partner_restore', \
        jsonb_build_object('restore', $2))";
    other.run(sql, vec![place.partner.into(), stored.to_string().into()]).await;
    other.run_owner_jobs().await;
    let admin = place.super_admin().await;
    let partner = admin.get(&format!("{PARTNERS}/{}", place.partner)).send().await.assert(200).json();
    assert_eq!((&partner["status"], &partner["error"]), (&json!("active"), &json!(null)));
}

#[testkit::test(alone)]
#[ignore = "a measurement: cargo xtask test -p console -- --run-ignored only memory --no-capture"]
async fn memory_does_not_grow_with_the_number_of_pictures() {
    let other = kit().await.beside("memory").await;
    let place = other.partner().await;
    let mut most = Vec::new();
    // The first round only fills what is kept from then on: connections, the store's folders, the allocator's
    // own.
    for pictures in [50, 167, 1_667] {
        furnish(&other, &place, pictures).await;
        peak();
        let (idle, begun) = (peak(), Instant::now());
        let archive = export(&other, &place).await;
        let (exporting, exported) = (peak(), begun.elapsed());
        let (size, begun) = (archive.metadata().unwrap().len() / 1_000_000, Instant::now());
        restore(&other, &place, archive).await;
        let restoring = peak();
        eprintln!(
            "{} objects, {size} MB: before {idle} MB, exporting {exporting} MB ({exported:.0?}), restoring \
             {restoring} MB ({:.0?}); \
             the object store is in the same process",
            pictures * 3,
            begun.elapsed()
        );
        assert!(exporting.max(restoring) - idle <= 64, "more than 64 MB above idle");
        most.push(exporting.max(restoring));
    }
    std::fs::remove_dir_all(folder(place.partner)).unwrap();
    assert!(most[2] <= most[1] + 10, "it grows with the number of pictures: {most:?} MB");
}
