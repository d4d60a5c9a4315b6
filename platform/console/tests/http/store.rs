//! An object store that is down or slow, and what must not happen meanwhile.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use access::{App, Settings};
use serde_json::json;
use testkit::{Kit, Place, kit};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
    time::Duration,
};

use super::{
    PARTNERS, becomes,
    exports::{export_at, manifest, objects, put_back, restore, unpack},
    objects::{fetch, picture, stored, sweep, token},
    unique, work_off_at,
};

/// How no request begins.
const NOTHING: &str = "-";

/// A store that can be made to go away: it takes this many further requests, then it closes every connection.
/// And one that can be made to wait, with requests that begin so.
struct Gate {
    left: Arc<AtomicUsize>,
    /// How requests begin that wait.
    held: watch::Sender<&'static str>,
    /// How many are waiting.
    waiting: Arc<AtomicUsize>,
    settings: Settings,
}

impl Gate {
    async fn before(settings: &Settings) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut settings = settings.clone();
        let upstream = settings.objects.endpoint.clone();
        settings.objects.endpoint = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
        let left = Arc::new(AtomicUsize::new(usize::MAX));
        let counter = left.clone();
        let (held, waiting) = (watch::Sender::new(NOTHING), Arc::new(AtomicUsize::new(0)));
        let (holding, count) = (held.clone(), waiting.clone());
        tokio::spawn(async move {
            loop {
                let (mut near, _) = listener.accept().await.unwrap();
                let (counter, upstream) = (counter.clone(), upstream.clone());
                let (mut holding, count) = (holding.subscribe(), count.clone());
                tokio::spawn(async move {
                    let mut far =
                        TcpStream::connect((upstream.host_str().unwrap(), upstream.port().unwrap()))
                            .await
                            .unwrap();
                    let mut buffer = vec![0; 65_536];
                    let mut answer = vec![0; 65_536];
                    loop {
                        tokio::select! {
                            read = near.read(&mut buffer) => {
                                let read = read.unwrap_or(0);
                                if buffer[..read].starts_with(holding.borrow().as_bytes()) {
                                    count.fetch_add(1, Ordering::SeqCst);
                                    holding.wait_for(|held| *held == NOTHING).await.unwrap();
                                }
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
        Self { left, held, waiting, settings }
    }

    /// Requests that begin so wait from now on.
    fn hold(&self, beginning: &'static str) {
        self.waiting.store(0, Ordering::SeqCst);
        self.held.send_replace(beginning);
    }

    /// Until one waits.
    async fn is_waited_at(&self) {
        for _ in 0..600 {
            if self.waiting.load(Ordering::SeqCst) > 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("nobody asks the store");
    }

    fn release(&self) {
        self.held.send_replace(NOTHING);
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
        "update control.job set run_at = now() where partner_id = $1 and kind like 'partner\\_%' and state = \
         'waiting' and last_error is not null",
        vec![place.partner.into()],
    )
    .await;
}

#[testkit::test]
async fn a_store_that_is_down_is_waited_for_and_leaves_nothing_behind() {
    // An installation of its own, so no other process takes these jobs.
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
    admin.post(&format!("{at}/export")).json(json!({"reason": "a partner kérte"})).send().await.assert(202);
    other.run_owner_jobs().await;
    let waiting = exports().await;
    assert_eq!(waiting["status"], "waiting", "{waiting}");
    let jobs = admin
        .get(&format!("/api/v3/super-admin/jobs?partner_id={}", place.partner))
        .send()
        .await
        .assert(200)
        .json();
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
    admin.post(&format!("{at}/export")).json(json!({"reason": "a partner kérte"})).send().await.assert(202);
    other
        .run(
            "update control.job set attempts = 9 where partner_id = $1 and kind = 'partner_export'",
            vec![place.partner.into()],
        )
        .await;
    other.run_owner_jobs().await;
    assert_eq!(exports().await["status"], "failed");
    gate.up();
    let archive = export_at(&other, &admin, &place.partner.to_string()).await;

    // After a failure the partner is unchanged, and objects that were sent are removed.
    let pictures = staff.get("/images").send().await.assert(200).json();
    for one in pictures.as_array().unwrap().iter().filter(|one| one["name"] == "Kép") {
        staff.delete(&format!("/images/{}", one["id"].as_str().unwrap())).send().await.assert(204);
    }
    sweep(&other, place.partner).await;
    assert_eq!(stored(place.partner), [token(&old)].into());
    gate.takes(6);
    put_back(&admin, &archive, &place).await.assert(201);
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

#[testkit::test]
async fn a_picture_that_is_removed_while_an_export_runs_is_in_the_archive() {
    let mut other = kit().await.beside("kept").await;
    let gate = Gate::before(&other.app.settings).await;
    other.app = App::new(other.app.door.clone(), gate.settings.clone()).await.unwrap();
    let place = other.partner().await;
    let (admin, staff) = (place.super_admin().await, place.admin().await);
    let kept = picture(&staff, "Marad", [1, 1, 1]).await;
    let removed = picture(&staff, "Törölt", [2, 2, 2]).await;
    let partner = place.partner.to_string();
    // The snapshot has been taken when the first object is asked for.
    gate.hold("GET /pult/public/");
    let (archive, ()) = tokio::join!(export_at(&other, &admin, &partner), async {
        gate.is_waited_at().await;
        staff.delete(&format!("/images/{}", removed["id"].as_str().unwrap())).send().await.assert(204);
        let sweeps = "select count(*) n from control.job where partner_id = $1 and kind = 'media_sweep' and \
            run_at <= now()";
        let due =
            async || other.row(sweeps, vec![place.partner.into()]).await.try_get::<i64>("", "n").unwrap();
        assert_eq!(due().await, 1, "its sweep is due");
        other.run_jobs().await;
        assert_eq!(due().await, 0, "and was put off");
        assert_eq!(stored(place.partner), [token(&kept), token(&removed)].into());
        gate.release();
    });
    let files = unpack(&archive);
    assert_eq!((objects(&files).len(), &manifest(&files)["missing_objects"]), (6, &json!([])));
    sweep(&other, place.partner).await;
    assert_eq!(stored(place.partner), [token(&kept)].into());
}

#[testkit::test]
async fn a_sweep_that_has_looked_ends_before_a_restore_brings_what_it_removes() {
    let mut other = kit().await.beside("ends").await;
    let gate = Gate::before(&other.app.settings).await;
    other.app = App::new(other.app.door.clone(), gate.settings.clone()).await.unwrap();
    let place = other.partner().await;
    let (admin, staff) = (place.super_admin().await, place.admin().await);
    let back = picture(&staff, "Visszatér", [3, 3, 3]).await;
    let archive = export_at(&other, &admin, &place.partner.to_string()).await;
    staff.delete(&format!("/images/{}", back["id"].as_str().unwrap())).send().await.assert(204);
    // The sweep knows that no row has them and is about to remove them.
    gate.hold("DELETE /pult");
    let ((), answer, (), ()) = tokio::join!(
        other.run_jobs(),
        async {
            gate.is_waited_at().await;
            put_back(&admin, &archive, &place).await
        },
        async {
            gate.is_waited_at().await;
            tokio::time::sleep(Duration::from_millis(300)).await;
            work_off_at(&other, place.partner).await;
        },
        async {
            gate.is_waited_at().await;
            let sql = "select count(*) n from pg_locks where locktype = 'advisory' and not granted \
                       and database = (select oid from pg_database where datname = current_database())";
            let mut waits = 0;
            for _ in 0..200 {
                waits = other.row(sql, vec![]).await.try_get::<i64>("", "n").unwrap();
                if waits > 0 {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            assert_eq!(waits, 1, "the restore waits for the sweep");
            gate.release();
        }
    );
    answer.assert(201);
    becomes(&admin, &place.partner.to_string(), "active").await;
    sweep(&other, place.partner).await;
    assert_eq!(stored(place.partner), [token(&back)].into());
    assert_eq!(fetch(&back["image"]["small"]).await.0, 200);
}
