//! Partners with one restaurant, a small menu, a few couriers and a signed-in admin each.

use std::{ops::Range, time::Instant};

use access::{Secrets, Tokens};
use futures_util::{StreamExt, TryStreamExt, stream};
use kernel::{Account, Group, Id, Partner, Restaurant};
use rig::{Installation, Result, free_port};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, Row as _};
use tenants::{AdminSpec, PartnerSpec, Provisioner, Setup};
use uuid::Uuid;

/// Made at the same time; two cores are busy with three.
const AT_ONCE: usize = 3;

#[derive(Debug, Clone)]
pub(super) struct MeasuredPartner {
    pub partner: Uuid,
    pub restaurant: Uuid,
    pub bearer: String,
}

/// The value of `authorization` for a new session of this account.
pub(super) async fn bearer(
    installation: &Installation, db: &mut PgConnection, account: Id<Account>,
) -> Result<String> {
    let session = Uuid::now_v7();
    let sql = "insert into control.session (id, account_id, surface, second_factor, expires_at) values ($1, \
        $2, 'admin', true, now() + interval '1 day')";
    sqlx::query(sql).bind(session).bind(account.uuid()).execute(db).await?;
    let secrets =
        Secrets::parse(installation.setting("PULT_SECRET_KEY")).ok_or("PULT_SECRET_KEY is faulty")?;
    let token = Tokens::new(&secrets).issue(account, session).map_err(|problem| problem.to_string())?;
    Ok(format!("Bearer {token}"))
}

/// Makes the partners with these numbers by the provisioner, and prints how long it took.
pub(super) async fn make(installation: &Installation, numbers: Range<usize>) -> Result<Vec<MeasuredPartner>> {
    let setup = Setup::open(installation.setting("PULT_DATABASE_OWNER_URL"), migrations::SHAPE).await?;
    let provisioner = Provisioner::new(&setup);
    let (begun, count) = (Instant::now(), numbers.len());
    let made: Vec<(MeasuredPartner, Id<Account>)> = stream::iter(numbers)
        .map(|number| one(&provisioner, number))
        .buffer_unordered(AT_ONCE)
        .try_collect()
        .await?;
    println!(
        "{count} partners made by the provisioner, {AT_ONCE} at a time, with an admin: {:.1} s, {:.0} ms \
         each.",
        begun.elapsed().as_secs_f64(),
        begun.elapsed().as_secs_f64() * 1e3 / count as f64
    );
    let mut db = installation.owner().await?;
    let mut all = Vec::with_capacity(count);
    for (made, account) in made {
        fill(&mut db, &made).await?;
        all.push(MeasuredPartner { bearer: bearer(installation, &mut db, account).await?, ..made });
    }
    Ok(all)
}

async fn one(provisioner: &Provisioner<'_>, number: usize) -> Result<(MeasuredPartner, Id<Account>)> {
    let (partner, restaurant): (Id<Partner>, Id<Restaurant>) = (Id::new(), Id::new());
    let restaurants = vec![(restaurant, format!("Étterem {number}"))];
    provisioner
        .create(&PartnerSpec {
            id: partner,
            name: format!("Partner {number:04}"),
            mode: "live",
            group: Id::<Group>::new(),
            restaurants,
        })
        .await?;
    let admin = AdminSpec {
        email: format!("p{number}@pult.example"),
        first_name: "Admin".to_owned(),
        last_name: format!("{number}."),
        password_hash: None,
        super_admin: false,
        target: Some((partner, Some(vec![restaurant]))),
        permission_keys: vec![],
        full_target_access: true,
        surfaces: vec!["admin".to_owned()],
    };
    let account = provisioner.save_admin(&admin).await?;
    Ok((
        MeasuredPartner { partner: partner.uuid(), restaurant: restaurant.uuid(), bearer: String::new() },
        account,
    ))
}

/// Two categories of three products each, and five couriers.
async fn fill(db: &mut PgConnection, made: &MeasuredPartner) -> Result<()> {
    let (schema, restaurant) = (schema(db, made.partner).await?, made.restaurant);
    let sql = format!(
        "begin; set local search_path = {schema}; \
         with c as (insert into product_category (id, restaurant_id, origin_id, name, ranking) \
             select u, '{restaurant}', u, 'Kategória ' || n, n from (select n, gen_random_uuid() u from \
             generate_series(1, 2) n) s returning id), \
         p as (insert into product (id, restaurant_id, origin_id, product_category_id, name, ranking) \
             select u, '{restaurant}', u, c, 'Termék ' || n, n from (select c.id c, n, gen_random_uuid() u \
             from c, generate_series(1, 3) n) s returning id) \
         insert into subproduct (id, restaurant_id, origin_id, product_id, name, price) \
             select u, '{restaurant}', u, p, 'Adag', 1990 from (select p.id p, gen_random_uuid() u from p) \
             s; \
         insert into courier (id, restaurant_id, first_name, last_name, phone_1, ranking) \
             select gen_random_uuid(), '{restaurant}', 'Futár', 'Minta ' || n, '+36 1 555 0100', n from \
             generate_series(1, 5) n; \
         commit"
    );
    // Made of ids and a name of ours.
    db.execute(AssertSqlSafe(sql)).await?;
    Ok(())
}

pub(super) async fn schema(db: &mut PgConnection, partner: Uuid) -> Result<String> {
    Ok(sqlx::query("select role from control.partner where id = $1")
        .bind(partner)
        .fetch_one(db)
        .await?
        .try_get("role")?)
}

/// Lets the service do what new partners cause (sealing their logs), so that it does not happen during a
/// measurement.
pub(super) async fn settle(installation: &Installation) -> Result<()> {
    let service = installation.serve(free_port()?, free_port()?).await?;
    let mut db = installation.owner().await?;
    for _ in 0..1200 {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        let sql =
            "select count(*) from control.job where state <> 'failed' and run_at <= now() and attempts = 0";
        if sqlx::query_scalar::<_, i64>(sql).fetch_one(&mut db).await? == 0 {
            db.execute("vacuum analyze").await?;
            db.close().await?;
            return service.kill().await;
        }
    }
    Err("the service's background work does not come to an end".into())
}
