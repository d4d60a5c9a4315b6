//! A paired device as the caller. Its secret determines its place; its kind determines which calls it may
//! make. See `docs/decisions/devices.md#identity`.

use std::{marker::PhantomData, sync::Mutex};

use kernel::{Code, DeviceKind, Problem, Result, clock};
use poem::{Request, RequestBody};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use tenants::{DeviceFacts, Entry, Facts, TenantTx};

use crate::{
    app::App,
    credential::{Credential, client_address, digest},
    places::problem,
    scope::{interned, marker},
};

/// Prefix of every device's secret.
pub const DEVICE_PREFIX: &str = "pd_";

/// Seconds after which it is written again that a device was there.
const SEEN: i64 = 20;

/// Kinds of devices, of which any one may call.
pub trait Kinds: Send + Sync + 'static {
    const KINDS: &'static [DeviceKind];
}

pub mod kind {
    use kernel::DeviceKind;

    use super::Kinds;

    #[derive(Debug)]
    pub enum Every {}
    impl Kinds for Every {
        const KINDS: &'static [DeviceKind] = &DeviceKind::ALL;
    }

    /// A display for guests.
    #[derive(Debug)]
    pub enum GuestTv {}
    impl Kinds for GuestTv {
        const KINDS: &'static [DeviceKind] = &[DeviceKind::GuestTv];
    }
}

/// What a device is.
/// Errors: `USER_PERMISSION_REQUIRED` for a kind of a later release: it may call nothing here.
pub fn kind_of(facts: &DeviceFacts) -> Result<DeviceKind> {
    DeviceKind::of(&facts.kind).ok_or_else(|| {
        let detail = format!("this release knows no devices of the kind {}", facts.kind);
        Problem::new(Code::USER_PERMISSION_REQUIRED).detail(detail)
    })
}

/// A device that may call. Only the extractor and [`begin_device`] make one.
pub struct Paired<K> {
    pub app: App,
    pub kind: DeviceKind,
    pub facts: DeviceFacts,
    /// SHA-256 of the secret it came with.
    pub hash: Vec<u8>,
    ready: Mutex<Option<TenantTx>>,
    kinds: PhantomData<K>,
}

impl<K> Paired<K> {
    /// The unit of work in which the device was let in; a second call begins another.
    /// Errors: `DEVICE_INVALID` when it was revoked meanwhile; `UNAVAILABLE_SERVER`.
    pub async fn begin(&self) -> Result<TenantTx> {
        if let Some(tx) = self.ready.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take() {
            return Ok(tx);
        }
        Ok(begin_device(&self.app, &self.hash).await?.0)
    }
}

impl<'a, K: Kinds> ApiExtractor<'a> for Paired<K> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn security_schemes() -> Vec<&'static str> {
        let mut marks = vec![
            interned(format!("{}device", marker::SCOPE)),
            interned(format!("{}device", marker::PERMISSION)),
        ];
        marks.extend(K::KINDS.iter().map(|kind| interned(format!("{}{}", marker::DEVICE, kind.name()))));
        marks
    }

    async fn from_request(
        request: &'a Request, _: &mut RequestBody, _: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(paired(request).await?)
    }
}

async fn paired<K: Kinds>(request: &Request) -> Result<Paired<K>> {
    let app = App::of(request)?.clone();
    let bearer =
        request.header("authorization").map(|value| value.strip_prefix("Bearer ").unwrap_or(value).trim());
    let Some(secret) = bearer.filter(|secret| secret.starts_with(DEVICE_PREFIX)) else {
        // A caller with another valid credential gets a permission error, any other caller "not signed in".
        return Err(match Credential::of(request, &app)? {
            Credential::Session { account, session }
                if app.door.account(session, account).await?.is_none() =>
            {
                Code::USER_LOGIN_REQUIRED.into()
            }
            _ => Problem::new(Code::USER_PERMISSION_REQUIRED).detail("this is for paired devices"),
        });
    };
    let hash = digest(secret);
    let (tx, facts) = begin_device(&app, &hash).await?;
    let kind = kind_of(&facts)?;
    if !K::KINDS.contains(&kind) {
        return Err(
            Problem::new(Code::USER_PERMISSION_REQUIRED).detail("this is not for devices of this kind")
        );
    }
    let agent = request.header("user-agent").unwrap_or_default();
    // Replaces the first connection: a request with two connections could starve the pool.
    let ready = if stale(&facts) {
        drop(tx);
        touch(&app, &facts, &client_address(request, &app.settings), agent).await?;
        None
    } else {
        Some(tx)
    };
    Ok(Paired { app, kind, facts, hash, ready: Mutex::new(ready), kinds: PhantomData })
}

fn stale(facts: &DeviceFacts) -> bool {
    facts.last_seen_at.is_none_or(|seen| (clock::now() - seen).num_seconds() > SEEN)
}

pub async fn touch(app: &App, facts: &DeviceFacts, address: &str, agent: &str) -> Result<()> {
    app.door
        .call(
            "select control.touch_device($1, $2, $3)::text",
            [facts.id.into(), address.into(), agent.into()],
        )
        .await?;
    Ok(())
}

/// Begins a unit of work for the holder of this secret.
/// Errors: `DEVICE_INVALID`; the codes of a closed door.
pub async fn begin_device(app: &App, hash: &[u8]) -> Result<(TenantTx, DeviceFacts)> {
    match app.door.begin(&Entry::Device { hash: hash.to_vec() }).await? {
        Ok((tx, Facts::Device(facts))) => Ok((tx, facts)),
        Ok(_) => Err(Code::UNKNOWN_ERROR.into()),
        Err(refusal) => Err(problem(refusal, true)),
    }
}
