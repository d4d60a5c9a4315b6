//! `PULT_SECRET_KEY` changed under load, as `docs/running-partners.md` says, and as it must not be done.

use std::time::{Duration, Instant};

use rig::{Api, Result, Shop, free_port};

use crate::{
    balancer::Balancer,
    context::Context,
    load::Load,
    stage::{Instance, Stage},
};

const NEW: &str = "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210";

/// Replaces the instance with one of the present settings.
async fn replace(stage: &Stage, balancer: &Balancer, old: Instance) -> Result<Instance> {
    let (port, metrics) = (free_port()?, free_port()?);
    let service = stage.installation.start(port, metrics)?;
    balancer.add(service.address, metrics);
    let begun = Instant::now();
    while !balancer.sends_to(service.address) {
        if begun.elapsed() > Duration::from_secs(30) {
            return Err("an instance is not ready within 30 s".into());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let address = old.service.address;
    old.service.terminate().await?;
    balancer.remove(address);
    Ok(Instance { service, metrics })
}

/// See the registry.
pub async fn change(context: &Context) -> Result<()> {
    let mut stage = Stage::open(context, "secret-key").await?;
    let old = stage.installation.setting("PULT_SECRET_KEY").to_owned();
    stage.installation.unset("PULT_DEV");
    stage.installation.set("PULT_PUBLIC_URL", "https://pult.example");
    let balancer = Balancer::start().await?;
    let mut instances = vec![];
    for _ in 0..2 {
        let instance = stage.serve().await?;
        balancer.add(instance.service.address, instance.metrics);
        instances.push(instance);
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let (shop, journal) = (stage.shop.clone(), std::mem::take(&mut stage.journal));
    let load = Load::new(&shop, balancer.address, &journal);
    let pace = load.pace(30.0, 0.3, context.seed).await;
    let happening = async {
        let mut resealed = vec![];
        let steps = [format!("{old},{NEW}"), format!("{NEW},{old}")];
        for keys in steps {
            stage.installation.set("PULT_SECRET_KEY", &keys);
            for _ in 0..2 {
                let instance = instances.remove(0);
                instances.push(replace(&stage, &balancer, instance).await?);
            }
        }
        for _ in 0..2 {
            resealed.push(stage.installation.run("secrets reseal").await?.trim().to_owned());
        }
        // Who is signed in under the old key goes on, and who signs in now gets the new one.
        let account = stage.installation.account("partner admin")?.clone();
        let fresh = Api::sign_in(balancer.address, &account).await?;
        stage.installation.set("PULT_SECRET_KEY", NEW);
        Result::Ok((resealed, fresh))
    };
    let (resealed, fresh) = load.beside(pace, context.seed, happening).await?;
    let all = load.all();
    context.did(format!("the key changed in three rolls: {all}"));
    context.expect(
        all.count() == all.good(),
        format!("{} requests failed or were turned away", all.count() - all.good()),
    );
    if all.count() > all.good() {
        context.did(load.strange());
    }
    for line in &resealed {
        context.did(format!("reseal: {line}"));
    }
    context.expect(
        resealed.get(1).is_some_and(|line| line.starts_with("0 secrets") && line.ends_with("0 do not open")),
        "after resealing, a second run finds all secrets under the newest key",
    );
    let orders = load.finish().await?;
    drop(load);
    // The new key alone: what was sealed anew opens, new sessions go on, the old ones have ended.
    for instance in instances {
        instance.service.terminate().await?;
    }
    let instance = stage.serve().await?;
    let at = instance.service.address;
    let look = |bearer: String| async move {
        let ask = rig::request("GET", &Shop::admin("/opening-hours"), &[("authorization", &bearer)], None);
        rig::Connection::open(at).await?.call(&ask).await.map(|reply| reply.status)
    };
    let (new, gone) = (look(fresh.bearer().to_owned()).await?, look(shop.staff.clone()).await?);
    context.expect(new == 200, format!("a session of the new key goes on without the old one ({new})"));
    context.expect(
        gone == 401,
        format!("control: a session of the old key ends when the key is swapped at once ({gone})"),
    );
    instance.service.terminate().await?;
    stage.journal = journal;
    stage.close(context, orders).await
}
