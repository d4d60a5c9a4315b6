//! Callbacks: sent until they are answered with 200, by Barion's timetable.

use std::{sync::Arc, time::Duration};

use super::{Barion, spelling::Delivery};

/// Seconds before each further try; then Barion is silent.
const TIMETABLE: [u32; 5] = [2, 6, 18, 54, 162];
/// An answer that takes longer is none.
const PATIENCE: Duration = Duration::from_secs(15);

/// The status of the answer.
fn post(url: &str, kind: &str, body: &str) -> Option<u16> {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(PATIENCE))
        .max_redirects(0)
        .http_status_as_error(false)
        .build()
        .into();
    let answer = agent.post(url).header("content-type", kind).send(body).ok()?;
    Some(answer.status().as_u16())
}

impl Barion {
    /// Begins to call back, as the settings of now say. Where no runtime is, none is sent.
    pub(super) fn send(self: &Arc<Self>, id: &str) {
        let (message, second) = {
            let state = self.state();
            let Some(payment) = state.payments.get(id).filter(|_| !state.silent) else { return };
            (state.spelling.message(&payment.callback, id), state.second)
        };
        let (Some((url, kind, body)), Ok(runtime)) = (message, tokio::runtime::Handle::try_current()) else {
            return;
        };
        let (barion, id) = (self.clone(), id.to_owned());
        runtime.spawn(async move {
            for pause in std::iter::once(0).chain(TIMETABLE) {
                tokio::time::sleep(second * pause).await;
                let (url, body) = (url.clone(), body.clone());
                let status =
                    tokio::task::spawn_blocking(move || post(&url, kind, &body)).await.ok().flatten();
                barion.state().deliveries.push(Delivery { payment: id.clone(), status });
                if status == Some(200) {
                    break;
                }
            }
        });
    }
}
