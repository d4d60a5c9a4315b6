//! Isolation beyond operations: ids in jobs and at the socket; and that these tests find a broken handler.
//! See `docs/decisions/security.md#isolation`.

use std::collections::BTreeMap;

use access::prelude::*;
use kernel::{Code, Problem};
use poem::{EndpointExt, middleware::CookieJarManager};
use poem_openapi::OpenApiService;
use serde_json::json;
use server::document;
use testkit::{Kit, Place, kit};
use uuid::Uuid;

use super::isolation::{bodies, checksum, paths, queries, rows};

/// Jobs that belong to a whole partner and read no argument.
const WITHOUT_ARGUMENT: &[&str] =
    &["partner_create", "partner_migrate", "partner_purge", "partner_clone", "partner_restore", "audit_seal"];

/// Every kind of job that there is.
async fn kinds(kit: &Kit) -> Vec<&'static str> {
    let owner = server::owner(
        kit.app.clone(),
        tenants::Setup::lazy(kit.owner_url.as_str(), migrations::SHAPE).await.unwrap(),
        std::collections::BTreeMap::new(),
    );
    let handlers = server::handlers(&kit.app, &contract::Plugins::default())
        .into_iter()
        .chain(owner.quick())
        .chain(owner.long());
    handlers.map(|(kind, _)| kind).collect()
}

/// The screen of jobs says what each is, in both languages.
#[testkit::test]
async fn every_kind_of_job_has_a_name() {
    let texts = [
        include_str!("../../../../admin-ui/src/features/jobs/hu.ts"),
        include_str!("../../../../admin-ui/src/features/jobs/en.ts"),
    ];
    let unnamed: Vec<_> = kinds(kit().await)
        .await
        .into_iter()
        .filter(|kind| texts.iter().any(|text| !text.contains(&format!("'jobs.kind.{kind}':"))))
        .collect();
    assert_eq!(unnamed, Vec::<&str>::new());
}

#[testkit::test]
async fn a_job_of_one_partner_does_nothing_to_another_whatever_it_names() {
    let kit = kit().await;
    let (mine, stranger) = (kit.partner().await, kit.partner().await);
    let theirs = rows(&stranger).await;
    let row = kit
        .row(
            "select id, account_id from control.admin where partner_id = $1 and status <> 'archived' limit 1",
            vec![stranger.partner.into()],
        )
        .await;
    let (admin, account): (Uuid, Uuid) =
        (row.try_get("", "id").unwrap(), row.try_get("", "account_id").unwrap());
    let (export, support) = (Uuid::now_v7(), Uuid::now_v7());
    let sql = "insert into control.support_access (id, account_id, partner_id, reason, expires_at) values \
        ($1, $2, $3, 'x', now() + interval '1 hour')";
    kit.run(sql, vec![support.into(), account.into(), stranger.partner.into()]).await;
    kit.run_jobs().await;
    let sql = "insert into control.export (id, account_id, partner_id, status, expires_at) values ($1, $2, \
        $3, $4, now() + interval '1 hour')";
    kit.run(sql, vec![export.into(), account.into(), stranger.partner.into(), "waiting".into()]).await;
    let mut walked = 0;
    // An order that waits is expired, an archived one is written about; an export that waits is made, a ready
    // one is sent.
    for (archived, status) in [(false, "waiting"), (true, "ready")] {
        let sql = format!(
            "update {}.orders set email = 'guest@pult.test', archived_at = case when $2 then now() end where \
             id = $1::text::uuid",
            stranger.schema
        );
        kit.run(&sql, vec![theirs["orders"].clone().into(), archived.into()]).await;
        kit.run("update control.export set status = $2 where id = $1", vec![export.into(), status.into()])
            .await;
        // On a slow machine jobs of the stranger's own become due meanwhile.
        kit.run("delete from control.job where partner_id = $1", vec![stranger.partner.into()]).await;
        let before = checksum(&stranger, true).await;
        for kind in kinds(kit).await.into_iter().filter(|kind| !WITHOUT_ARGUMENT.contains(kind)) {
            walked += 1;
            // Every argument that any job reads.
            let args = json!({
                "admin_id": admin, "order_id": theirs["orders"], "export_id": export, "support_id": support,
                "partner_id": stranger.partner, "restaurant_id": stranger.restaurant,
            });
            let sql = "insert into control.job (partner_id, kind, args, attempts) values ($1, $2, \
                $3::text::jsonb, 0)";
            kit.run(sql, vec![mine.partner.into(), kind.into(), args.to_string().into()]).await;
        }
        kit.run_jobs().await;
        kit.run_owner_jobs().await;
        // A failed job would be tried again.
        kit.run("delete from control.job where partner_id = $1", vec![mine.partner.into()]).await;
        assert_eq!(checksum(&stranger, true).await, before, "with an export that is {status}");
    }
    assert!(walked >= 14, "only {walked} jobs");
    // The control: a job of the partner's own does what it should.
    let sql = "insert into control.job (partner_id, kind, args) values ($1, 'partner_export_remove', \
        $2::text::jsonb)";
    kit.run(sql, vec![stranger.partner.into(), json!({ "export_id": export }).to_string().into()]).await;
    kit.run_owner_jobs().await;
    let left = kit.row("select count(*) n from control.export where id = $1", vec![export.into()]).await;
    assert_eq!(left.try_get::<i64>("", "n").unwrap(), 0);
}

/// Three handlers that look up an id without asking whose it is, as somebody might write them.
struct Broken;

/// The targets of the ids.
struct Couriers;
impl Resource for Couriers {
    const NAME: &'static str = "couriers";
    const ENTITY: &'static str = "COURIER";
}

#[derive(Debug, Object)]
struct BrokenBody {
    courier_id: Id<Couriers>,
}

/// Looks in every partner's schema.
async fn anywhere(id: Id<Couriers>, rename: bool) -> bool {
    let kit = kit().await;
    for schema in kit
        .texts(
            "select role::text from control.partner where status = 'active' and id in (select \
            partner_id from control.restaurant)",
        )
        .await
    {
        let sql = if rename {
            format!("update {schema}.courier set first_name = 'Eltérített' where id = $1")
        } else {
            format!("update {schema}.courier set id = id where id = $1")
        };
        if kit.run(&sql, vec![id.into()]).await > 0 {
            return true;
        }
    }
    false
}

#[OpenApi(prefix_path = "/api/v3/admin/partners/:partner_id/restaurants/:restaurant_id")]
impl Broken {
    /// By path.
    #[oai(path = "/couriers/:courier_id", method = "delete", operation_id = "broken_path")]
    async fn path(
        &self, scope: In<Restaurant, perm::NoPermRequired>, courier_id: Path<Id<Couriers>>,
    ) -> Result<Json<bool>> {
        scope.begin().await?.commit().await?;
        if anywhere(courier_id.0, true).await {
            Ok(Json(true))
        } else {
            Err(Problem::not_exist::<Couriers>())
        }
    }

    /// By query.
    #[oai(path = "/broken", method = "get", operation_id = "broken_query")]
    async fn query(
        &self, scope: In<Restaurant, perm::NoPermRequired>, courier_id: Query<Option<Id<Couriers>>>,
    ) -> Result<Json<bool>> {
        scope.begin().await?.commit().await?;
        let found = match courier_id.0 {
            Some(id) => anywhere(id, false).await,
            None => false,
        };
        Ok(Json(found))
    }

    /// By body.
    #[oai(path = "/broken", method = "post", operation_id = "broken_body")]
    async fn body(
        &self, scope: In<Restaurant, perm::NoPermRequired>, body: Body<BrokenBody>,
    ) -> Result<Json<bool>> {
        scope.begin().await?.commit().await?;
        if anywhere(body.courier_id, false).await {
            return Ok(Json(true));
        }
        Err(Problem::new(Code::VALIDATION_FAILED).key("courier_id", Fault::NotExist))
    }
}

#[testkit::test]
async fn a_broken_handler_is_found() {
    let kit = kit().await;
    let (mine, stranger): (Place<'_>, Place<'_>) = (kit.partner().await, kit.partner().await);
    let (own, theirs) = (rows(&mine).await, rows(&stranger).await);
    let service = OpenApiService::new(Broken, "x", "1");
    let document = document::finished(&service.spec());
    let service = service.with(CookieJarManager::new()).data(kit.app.clone()).map_to_response().boxed();
    let admin = mine.admin().await;
    let admin = admin.at(&service);
    let foreign = [theirs, BTreeMap::new()];
    kit.run_jobs().await;
    let before = checksum(&stranger, true).await;
    let walk = queries(&document, &admin, &mine, &own, &foreign[..1]).await;
    assert!(
        walk.walked == 1 && walk.faults.len() == 1 && walk.faults[0].contains("courier_id with a foreign id"),
        "{:?}",
        walk.faults
    );
    let walk = bodies(&document, &admin, &mine, &own, &foreign[..1]).await;
    assert!(
        walk.walked == 1 && walk.faults.len() == 2 && walk.faults[1].contains("tells foreign ids"),
        "{:?}",
        walk.faults
    );
    assert_eq!(checksum(&stranger, true).await, before, "these two only read");
    let walk = paths(&document, &admin, &mine, &own, &foreign).await;
    assert!(
        walk.walked == 1 && walk.faults.len() == 2 && walk.faults[0].contains("with a foreign id: 200"),
        "{:?}",
        walk.faults
    );
    let after = checksum(&stranger, true).await;
    let changed: Vec<_> =
        after.iter().filter(|(table, sum)| before[*table] != **sum).map(|(table, _)| table.clone()).collect();
    assert_eq!(changed, [format!("{}.courier", stranger.schema)], "and the checksum tells what was done");
}
