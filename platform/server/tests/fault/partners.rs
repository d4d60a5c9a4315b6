//! Creating, restoring, migrating and removing partners, interrupted by `kill -9` at random moments: the next
//! instance continues, the work completes once, and nothing is left over.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    time::Duration,
};

use rand::{Rng, SeedableRng, rngs::StdRng};
use rig::{Installation, Result, Service, free_port};
use sqlx::{AssertSqlSafe, PgConnection};
use uuid::Uuid;

use crate::kill::{number, seed};

/// The partner of `pult demo`.
const DEMO: &str = "01900000-0000-7000-8000-000000000001";
/// Takes the newest migration away again in the schema `of`.
const TAKEN: &str = "alter table of.audit drop column fields; drop index of.audit_record_id_at_idx; drop \
    index of.audit_at_idx; \
    alter table of.audit_detail drop column salt; alter table of.audit_detail alter column details set not \
    null; drop table of.audit_seal; \
    delete from of.seaql_migrations where version = 'm0006_audit'";

/// An installation whose service is killed while its jobs run.
struct Bench {
    installation: Installation,
    owner: PgConnection,
    service: Option<Service>,
    ports: (u16, u16),
    random: StdRng,
    /// Kills that met a job under way.
    met: usize,
}

impl Bench {
    async fn text(&mut self, sql: &str) -> Result<String> {
        Ok(sqlx::query_scalar::<_, Option<String>>(AssertSqlSafe(sql))
            .fetch_one(&mut self.owner)
            .await?
            .unwrap_or_default())
    }

    async fn count(&mut self, sql: &str) -> Result<i64> {
        Ok(sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut self.owner).await?)
    }

    async fn run(&mut self, sql: &str) -> Result<()> {
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut self.owner).await?;
        Ok(())
    }

    async fn start(&mut self) -> Result<()> {
        self.service = Some(self.installation.serve(self.ports.0, self.ports.1).await?);
        Ok(())
    }

    /// Kills the service this many times while jobs of this kind run, then lets it work until none is left.
    async fn cut_short(&mut self, kind: &str, kills: usize, longest: u64) -> Result<()> {
        for _ in 0..kills {
            // Not waited for: its jobs begin before it answers.
            self.service = Some(self.installation.start(self.ports.0, self.ports.1)?);
            let running = format!(
                "select count(*) from control.job where kind = '{kind}' and state = 'running' and \
                 leased_until > now()"
            );
            for _ in 0..10_000 {
                if self.count(&running).await? > 0 || self.waiting(kind).await? == 0 {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            let pause = self.random.random_range(0..longest * 1_000);
            tokio::time::sleep(Duration::from_micros(pause)).await;
            if let Some(service) = self.service.take() {
                service.kill().await?;
            }
            let met = self.count(&running).await?;
            eprintln!("{kind}: killed {} ms after the beginning of {met} jobs", pause / 1_000);
            self.met += usize::from(met > 0);
            // After half a minute the leases of the killed processes end. Postgres notices lost connections
            // by itself.
            self.run("update control.job set leased_until = now() where state = 'running'").await?;
        }
        self.start().await?;
        for _ in 0..1_200 {
            if self.waiting(kind).await? == 0 {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let why = format!(
            "select string_agg(coalesce(last_error, state), '; ') from control.job where kind = '{kind}'"
        );
        Err(format!("the jobs {kind} do not end: {}", self.text(&why).await?).into())
    }

    async fn waiting(&mut self, kind: &str) -> Result<i64> {
        self.count(&format!("select count(*) from control.job where kind = '{kind}'")).await
    }

    async fn stop(&mut self) -> Result<()> {
        match self.service.take() {
            Some(service) => service.kill().await,
            None => Ok(()),
        }
    }

    /// Writes the row of a partner and its job, as the console does.
    async fn order(&mut self, name: &str, plan: &str, job: &str) -> Result<Uuid> {
        let id = Uuid::now_v7();
        self.run(&format!(
            "insert into control.partner (id, name, mode, status, role, plan) \
             select '{id}', '{name}', 'live', 'creating', 'pult_' || name || '_{}', '{plan}' from \
             control.installation; \
             insert into control.job (partner_id, kind, key, args) select '{id}', '{job}', '{id}', \
             jsonb_strip_nulls(jsonb_build_object('restore', '{plan}'::jsonb->'restore')); select \
             pg_notify('pult_job', '')",
            id.simple()
        ))
        .await?;
        Ok(id)
    }

    /// What is wrong with the partners that there are: each has one schema and one role, is active and of the
    /// newest version, and every directory row has its row in the partner's schema. Schemas and roles beyond
    /// them are left over.
    async fn damage(&mut self, partners: usize) -> Result<Vec<String>> {
        let mut found = Vec::new();
        let installation = self.text("select name from control.installation").await?;
        let newest =
            self.text(&format!("select schema_version from control.partner where id = '{DEMO}'")).await?;
        for (what, sql, wanted) in [
            ("partners", "select count(*) from control.partner".to_owned(), partners),
            (
                "whole partners",
                format!(
                    "select count(*) from control.partner where status = 'active' and plan is null and error \
                     is null and schema_version = '{newest}'"
                ),
                partners,
            ),
            (
                "schemas",
                format!(
                    "select count(*) from pg_namespace where nspname like \
                'pult\\_{installation}\\_%'"
                ),
                partners,
            ),
            (
                "roles",
                format!("select count(*) from pg_roles where rolname like 'pult\\_{installation}\\_%'"),
                partners,
            ),
            (
                "schemas with their role",
                "select count(*) from control.partner p join pg_namespace n on n.nspname = p.role join \
                 pg_roles r on r.rolname = p.role"
                    .to_owned(),
                partners,
            ),
            ("jobs", "select count(*) from control.job where kind like 'partner\\_%'".to_owned(), 0),
        ] {
            let there = self.count(&sql).await?;
            if usize::try_from(there)? != wanted {
                found.push(format!("{there} {what}, not {wanted}"));
            }
        }
        let roles: Vec<String> = sqlx::query_scalar(
            "select role from control.partner p join pg_namespace n on n.nspname = p.role order by 1",
        )
        .fetch_all(&mut self.owner)
        .await?;
        for role in roles {
            let versions = self
                .count(&format!("select count(*) - count(distinct version) from {role}.seaql_migrations"))
                .await?;
            let strays = format!(
                "select (select count(*) from {role}.restaurant r full join (select * from \
                 control.restaurant where partner_id = \
                   (select id from control.partner where role = '{role}')) d on d.id = r.id where d.id is \
                   null or r.id is null) \
                 + (select count(*) from {role}.staff s full join (select * from control.admin where \
                 partner_id = \
                   (select id from control.partner where role = '{role}')) d on d.id = s.admin_id where d.id \
                   is null or s.admin_id is null)"
            );
            let strays = self.count(&strays).await?;
            if versions != 0 || strays != 0 {
                found.push(format!(
                    "{role}: {versions} migrations twice, {strays} rows without their other half"
                ));
            }
            let partner =
                self.text(&format!("select id::text from control.partner where role = '{role}'")).await?;
            let tokens = self
                .text(&format!(
                    "select string_agg(distinct token, ' ') from {role}.media where archived_at is null"
                ))
                .await?;
            let (rows, stored): (BTreeSet<String>, _) =
                (tokens.split_whitespace().map(str::to_owned).collect(), stored(&partner));
            // Other tests share the demo's place in the store.
            if !rows.is_subset(&stored) || partner != DEMO && rows != stored {
                found.push(format!("{role}: {} pictures, in the store {}", rows.len(), stored.len()));
            }
        }
        Ok(found)
    }
}

/// Where the tests' store keeps the pictures of this partner.
fn pictures(partner: &str) -> PathBuf {
    std::env::temp_dir()
        .join(format!("pult-test-objects-{:016x}/pult/public/{partner}", migrations::fingerprint()))
}

/// The tokens of its pictures of which all three sizes are there.
fn stored(partner: &str) -> BTreeSet<String> {
    let whole = |token: &std::fs::DirEntry| {
        ["small", "medium", "original"].iter().all(|size| token.path().join(format!("{size}.webp")).is_file())
    };
    let tokens = std::fs::read_dir(pictures(partner)).into_iter().flatten().flatten();
    tokens.filter(whole).filter_map(|token| token.file_name().into_string().ok()).collect()
}

/// Gives the demo partner pictures, row and objects.
async fn furnish(bench: &mut Bench) -> Result<()> {
    let role = bench.text(&format!("select role from control.partner where id = '{DEMO}'")).await?;
    for number in 0..8 {
        let token = Uuid::new_v4().simple().to_string();
        let folder = pictures(DEMO).join(&token);
        std::fs::create_dir_all(&folder)?;
        for size in ["small", "medium", "original"] {
            std::fs::write(
                folder.join(format!("{size}.webp")),
                [b"RIFF\0\0\0\0WEBP".as_slice(), &vec![number; 100_000]].concat(),
            )?;
        }
        bench
            .run(&format!(
                "insert into {role}.media (id, restaurant_id, name, token, hash, width, height, bytes) \
                 select gen_random_uuid(), id, 'Kép', '{token}', 'x', 1, 1, 1 from {role}.restaurant limit 1"
            ))
            .await?;
    }
    Ok(())
}

#[tokio::test]
async fn killed_while_partners_are_made_restored_migrated_and_removed_each_ends_whole_and_once() {
    // A round takes some seconds: of two hundred, twenty are enough.
    let rounds = number::<usize>("PULT_FAULT_ROUNDS").unwrap_or(1).min(20);
    let seed = seed();
    eprintln!("partners, {rounds} rounds, PULT_FAULT_SEED={seed}");
    let server = std::env::var("PULT_TEST_DATABASE_URL")
        .expect("PULT_TEST_DATABASE_URL: the address of a throw-away Postgres");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fault");
    let mut installation =
        Installation::make(Path::new(env!("CARGO_BIN_EXE_pult")), &server, &folder).await.unwrap();
    installation.set("PULT_LOG", "warn");
    let files = folder.join(format!("files-{seed:x}"));
    installation.set("PULT_FILES_DIR", files.to_str().unwrap());
    let store = testkit::objects().await;
    for (name, value) in [
        ("ENDPOINT", store.endpoint.as_str()),
        ("ACCESS_KEY", &store.access_key),
        ("SECRET_KEY", &store.secret_key),
        ("BUCKET", &store.bucket),
    ] {
        installation.set(&format!("PULT_S3_{name}"), value);
    }
    let owner = installation.owner().await.unwrap();
    let ports = (free_port().unwrap(), free_port().unwrap());
    let mut bench =
        Bench { installation, owner, service: None, ports, random: StdRng::seed_from_u64(seed), met: 0 };
    furnish(&mut bench).await.unwrap();
    for _ in 0..rounds {
        round(&mut bench, &files).await.unwrap();
    }
    // The negative control: a schema that a broken restore would leave is seen.
    bench.stop().await.unwrap();
    let role = bench.text("select role from control.partner limit 1").await.unwrap();
    bench.run(&format!("create schema {role}_r")).await.unwrap();
    assert_eq!(bench.damage(1).await.unwrap(), ["2 schemas, not 1"]);
    assert!(bench.met >= rounds * 3, "only {} kills met a job under way", bench.met);
    drop(bench.owner);
    bench.installation.remove().await.unwrap();
    let _ = std::fs::remove_dir_all(files);
}

async fn round(bench: &mut Bench, files: &Path) -> Result<()> {
    // Three are made.
    let mut ids = Vec::new();
    for number in 0..3 {
        let [group, restaurant, admin] = [(); 3].map(|()| Uuid::now_v7());
        let plan = serde_json::json!({"group": group, "group_name": "Csoport", "restaurant": restaurant,
            "restaurant_name": "Étterem",
            "currency": "huf", "admin": admin, "email": format!("uj{number}@pult.test"), "first_name": "Anna",
            "last_name": "Minta"});
        ids.push(bench.order(&format!("Új {number}"), &plan.to_string(), "partner_create").await?);
    }
    bench.cut_short("partner_create", 3, 80).await?;
    assert_eq!(bench.damage(4).await?, Vec::<String>::new(), "after creating");
    let list = ids.iter().map(|id| format!("'{id}'")).collect::<Vec<_>>().join(", ");
    let invited =
        format!("select count(*) from control.admin where partner_id in ({list}) and status = 'invited'");
    assert_eq!(bench.count(&invited).await?, 3, "each first admin once");

    // The demo partner is exported, and restored into three more.
    let export = Uuid::now_v7();
    bench
        .run(&format!(
            "insert into control.export (id, partner_id) values ('{export}', '{DEMO}'); \
             insert into control.job (partner_id, kind, key, args) values ('{DEMO}', 'partner_export', \
             '{export}', '{{\"export_id\": \"{export}\"}}')"
        ))
        .await?;
    bench.stop().await?;
    bench.cut_short("partner_export", 1, 50).await?;
    assert_eq!(
        bench.text(&format!("select status from control.export where id = '{export}'")).await?,
        "ready"
    );
    bench.stop().await?;
    bench.run("delete from control.job where kind = 'partner_export_remove'").await?;
    let archive = files.join("exports").join(DEMO.replace('-', "")).join(format!("{}.zip", export.simple()));
    let restores = files.join("restores");
    std::fs::create_dir_all(&restores)?;
    for number in 0..3 {
        let stored = Uuid::now_v7();
        std::fs::copy(&archive, restores.join(format!("{}.zip", stored.simple())))?;
        ids.push(
            bench
                .order(
                    &format!("Másolat {number}"),
                    &format!("{{\"restore\": \"{stored}\"}}"),
                    "partner_restore",
                )
                .await?,
        );
    }
    bench.cut_short("partner_restore", 4, 300).await?;
    assert_eq!(bench.damage(7).await?, Vec::<String>::new(), "after restoring");
    let restaurants = format!("select count(*) from control.restaurant where partner_id = '{DEMO}'");
    let restaurants = bench.count(&restaurants).await?;
    let restored = ids[3..].iter().map(|id| format!("'{id}'")).collect::<Vec<_>>().join(", ");
    assert_eq!(
        bench
            .count(&format!("select count(*) from control.restaurant where partner_id in ({restored})"))
            .await?,
        3 * restaurants
    );

    // All go back by one migration, and `pult migrate` is killed.
    bench.stop().await?;
    let roles = bench.text("select string_agg(role, ' ') from control.partner").await?;
    for role in roles.split(' ') {
        bench.run(&TAKEN.replace("of.", &format!("{role}."))).await?;
    }
    bench.run("update control.partner set schema_version = 'm0005_switches'").await?;
    for _ in 0..3 {
        let mut migrate = bench.installation.begin("migrate")?;
        let pause = bench.random.random_range(40..200);
        tokio::time::sleep(Duration::from_millis(pause)).await;
        migrate.kill().await?;
        let done = bench
            .count("select count(*) from control.partner where schema_version <> 'm0005_switches'")
            .await?;
        eprintln!("pult migrate: killed after {pause} ms, {done} of 7 were done");
    }
    // The server ends the work of the killed ones as soon as it notices; until then the gate is theirs.
    for _ in 0..50 {
        if bench.installation.begin("migrate")?.wait().await?.success() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(bench.damage(7).await?, Vec::<String>::new(), "after migrating");

    // All but the demo are removed.
    bench
        .run(&format!(
            "update control.partner set status = 'deleting', delete_at = now() where id <> '{DEMO}'"
        ))
        .await?;
    bench
        .run(&format!(
            "insert into control.job (partner_id, kind, key) select id, 'partner_purge', id::text from \
             control.partner where id <> '{DEMO}'"
        ))
        .await?;
    bench.cut_short("partner_purge", 3, 40).await?;
    assert_eq!(bench.damage(1).await?, Vec::<String>::new(), "after removing");
    for id in &ids {
        let left = std::fs::read_dir(pictures(&id.to_string())).into_iter().flatten().flatten();
        let left: usize =
            left.map(|token| std::fs::read_dir(token.path()).map(Iterator::count).unwrap_or_default()).sum();
        assert_eq!(left, 0, "pictures of a partner that was removed are still in the store");
    }
    let removed = "select count(*) from control.platform_audit where action = 'partners_remove'";
    assert_eq!(usize::try_from(bench.count(removed).await?)? % 6, 0, "each was removed once");
    assert_eq!(std::fs::read_dir(&restores)?.count(), 0, "archives that were restored are gone");
    bench.stop().await
}
