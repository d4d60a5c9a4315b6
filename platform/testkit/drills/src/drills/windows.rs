//! Windows of the counter whose connections are cut at random while orders come and instances are killed.

use std::time::Duration;

use rand::{Rng, SeedableRng, rngs::StdRng};
use rig::Result;

use super::rolling::{Fleet, as_in_production};
use crate::{context::Context, load::Load, sockets::Sockets, stage::Stage};

/// See the registry.
pub async fn cut(context: &Context) -> Result<()> {
    let mut stage = Stage::open(context, "windows").await?;
    as_in_production(&mut stage.installation);
    let mut fleet = Fleet::start(&stage.installation).await?;
    let address = fleet.balancer.address;
    let load = Load::new(&stage.shop, address, &stage.journal);
    let many = context.size(50, 500);
    // A window is cut some ten times within the time.
    let time = Duration::from_secs(context.size(20, 300));
    let sockets = Sockets::open_and_cut(address, &stage.shop.staff, many, time / 5).await?;
    let pace = load.pace(context.size(20.0, 50.0), 0.3, context.seed).await;
    context.did(format!("{pace:.0} requests a second, {many} windows, for {} s", time.as_secs()));
    let kills = context.size(2, 5);
    let happening = async {
        let mut random = StdRng::seed_from_u64(context.seed);
        for _ in 0..kills {
            let moment = (time / kills).mul_f64(random.random_range(0.3..1.0));
            tokio::time::sleep(moment).await;
            let killed = fleet.instances.remove(0);
            fleet.balancer.remove(killed.service.address);
            killed.service.kill().await?;
            fleet.add(&stage.installation).await?;
            tokio::time::sleep((time / kills).saturating_sub(moment)).await;
        }
        Result::Ok(())
    };
    load.beside(pace, context.seed, happening).await?;
    let orders = load.finish().await?;
    sockets.spare();
    let (missed, events) = sockets.compare(&stage.installation).await?;
    for what in missed.iter().take(5) {
        context.did(what);
    }
    context.expect(
        missed.is_empty(),
        format!("{many} windows heard of all {events} events once: {} faults", missed.len()),
    );
    context.expect(
        sockets.reconnects() > many * 2,
        format!("they came back {} times, {kills} instances were killed", sockets.reconnects()),
    );
    drop((load, sockets));
    for instance in std::mem::take(&mut fleet.instances) {
        instance.service.kill().await?;
    }
    stage.close(context, orders).await
}
